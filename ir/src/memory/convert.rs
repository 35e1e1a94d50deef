//! Converts variables to slots, and a function without slots back to the original dialect.

use super::{Memory, MemoryOp, MemoryType};
use crate::dialect::Syntax;
use crate::function::{Action, Arg, Dest, Function, Inst, InstRef, List, Phi, ValueKind};
use ssaphire_graph::{Block, IdMap, IdSet, IncomingEdge, Value, Variable};
use std::fmt;

/// An instruction that still uses a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HasSlots {
    /// The block.
    pub block: Block,
    /// The position of the instruction.
    pub index: usize,
}

impl fmt::Display for HasSlots {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: instruction {} uses a slot", self.block, self.index)
    }
}

impl std::error::Error for HasSlots {}

/// The function with a slot for each variable that it reads or writes, a load for each read and a store for each write;
/// canonical.
///
/// Slots are made at the top of the entry, in the order of the variables; if the entry has incoming
/// edges, a block in front of it takes its place. Results of a terminator are stored at the
/// top of its normal successor. Copies of variables become loads and stores, all loads first.
///
/// # Complexity
/// O(size of the function).
pub fn to_memory<D: Syntax>(function: &Function<D>) -> Function<Memory<D>> {
    let mut conversion = Conversion::new(function);
    if function.num_blocks() == 0 {
        return conversion.new;
    }
    let entry = function.entry();
    let needs_front = !function.block(entry).incoming().is_empty();
    let front = if needs_front { conversion.new.create_named_block("entry") } else { entry };
    conversion.new.set_entry(front);
    conversion.make_slots(front);
    if needs_front {
        conversion.new.push_inst(front, Inst::jump(entry));
    }
    conversion.name_results_of_terminators();
    for block in function.blocks() {
        conversion.fill(block);
    }
    connect(function, &mut conversion.new, &conversion.values);
    conversion.new.canonicalize();
    conversion.new
}

/// Converts a function back to the original dialect; the result is canonical.
///
/// # Errors
/// If an instruction uses a slot: the first one.
///
/// # Complexity
/// O(size of the function).
pub fn from_memory<D: Syntax>(function: &Function<Memory<D>>) -> Result<Function<D>, HasSlots> {
    let inner = |ty: &MemoryType<D::Type>| match ty {
        MemoryType::Inner(ty) => ty.clone(),
        MemoryType::Address => D::Type::default(),
    };
    let Shell { mut new, values } = Shell::new(function, inner, true);
    for block in function.blocks() {
        for (index, inst) in function.block(block).insts().iter().enumerate() {
            let action = match inst.action {
                Action::Copy => Action::Copy,
                Action::Op(MemoryOp::Inner(op)) => Action::Op(op.clone()),
                Action::Op(_) => return Err(HasSlots { block, index }),
            };
            let args = inst.args.iter().map(|&arg| match arg {
                Arg::Value(value) => Arg::Value(values[value]),
                Arg::Variable(variable) => Arg::Variable(variable),
            });
            let results = inst.results.iter().map(|&dest| match dest {
                Dest::Value(value) => Dest::Value(values[value]),
                Dest::Variable(variable) => Dest::Variable(variable),
            });
            let (args, results) = (args.collect(), results.collect());
            new.push_inst(block, Inst { action, args, results, targets: inst.targets.into() });
        }
    }
    connect(function, &mut new, &values);
    new.canonicalize();
    Ok(new)
}

/// A function of another dialect with the same variables, values and blocks, but no instructions.
struct Shell<E: Syntax> {
    new: Function<E>,
    /// By value of the old function, that of the new one.
    values: IdMap<Value, Value>,
}

impl<E: Syntax> Shell<E> {
    fn new<D: Syntax<Constant = E::Constant>>(
        function: &Function<D>,
        ty: impl Fn(&D::Type) -> E::Type,
        binds_params: bool,
    ) -> Self {
        let mut new = Function::new(function.name());
        for variable in function.variables() {
            new.add_variable(function.variable_name(variable), ty(function.variable_type(variable)));
        }
        let mut values = IdMap::filled(function.num_values(), Value::new(0));
        for param in function.params() {
            let data = function.value(param.value);
            let variable = param.variable.filter(|_| binds_params);
            values[param.value] = new.push_param(variable, data.name, ty(data.ty));
        }
        for value in function.values() {
            let data = function.value(value);
            values[value] = match (data.kind, data.name) {
                (ValueKind::Param(_), _) => continue,
                (ValueKind::Constant(constant), _) => new.constant(constant.clone()),
                (ValueKind::Undefined, Some(variable)) => new.undefined(variable),
                (ValueKind::Undefined, None) => new.undefined_of_type(ty(data.ty)),
                (_, name) => new.new_value(name, ty(data.ty)),
            };
        }
        for block in function.blocks() {
            match function.block(block).name() {
                Some(name) => new.create_named_block(name),
                None => new.create_block(),
            };
        }
        if function.num_blocks() > 0 {
            new.set_entry(function.entry());
        }
        Self { new, values }
    }
}

/// Gives the blocks the old order of incoming edges, and the phis.
fn connect<D: Syntax, E: Syntax>(function: &Function<D>, new: &mut Function<E>, values: &IdMap<Value, Value>) {
    for block in function.blocks() {
        let mut order = function.block(block).incoming().to_vec();
        // The block in front, where there is one, is the only source that the old function does not have.
        let is_new = |edge: &&IncomingEdge| edge.source.index() >= function.num_blocks();
        order.extend(new.block(block).incoming().iter().filter(is_new));
        if new.set_incoming_order(block, &order).is_err() {
            unreachable!("the edges are those of the same terminators");
        }
        for phi in function.block(block).phis().iter() {
            let operands = phi.operands.iter().map(|&operand| values[operand]).collect();
            new.push_phi(block, Phi { value: values[phi.value], variable: phi.variable, operands });
        }
    }
}

/// A function on its way to slots.
struct Conversion<'f, D: Syntax> {
    function: &'f Function<D>,
    new: Function<Memory<D>>,
    values: IdMap<Value, Value>,
    /// By variable: the address of its slot, if it has one.
    slots: IdMap<Variable, Option<Value>>,
    /// By block: what the terminator that leads here by slot 0 stores at the top.
    stored_at_top: IdMap<Block, Vec<(Variable, Value)>>,
}

impl<'f, D: Syntax> Conversion<'f, D> {
    fn new(function: &'f Function<D>) -> Self {
        let Shell { new, values } = Shell::new(function, |ty| MemoryType::Inner(ty.clone()), false);
        let slots = IdMap::filled(function.num_variables(), None);
        let stored_at_top = IdMap::filled(function.num_blocks(), Vec::new());
        Self { function, new, values, slots, stored_at_top }
    }

    /// The variables that are read or written.
    fn accessed(&self) -> IdSet<Variable> {
        let mut accessed = IdSet::new();
        for inst in self.function.blocks().flat_map(|block| self.function.block(block).insts().iter()) {
            for arg in inst.args {
                if let Arg::Variable(variable) = *arg {
                    accessed.insert(variable);
                }
            }
            for dest in inst.results {
                if let Dest::Variable(variable) = *dest {
                    accessed.insert(variable);
                }
            }
        }
        accessed
    }

    /// Makes the slots at the end of `front`, and stores the parameters.
    fn make_slots(&mut self, front: Block) {
        for variable in self.accessed().iter() {
            let address = self.new.new_value(Some(variable), MemoryType::Address);
            let ty = MemoryType::Inner(self.function.variable_type(variable).clone());
            let slot = Inst::op::<Value>(MemoryOp::Slot(ty), []).with_results([address]);
            self.new.push_inst(front, slot);
            self.slots[variable] = Some(address);
        }
        for param in self.function.params() {
            let Some(address) = param.variable.and_then(|variable| self.slots[variable]) else { continue };
            self.new.push_inst(front, store(self.values[param.value], address));
        }
    }

    /// Gives the variables that terminators write values, which are stored in other blocks.
    fn name_results_of_terminators(&mut self) {
        for block in self.function.blocks() {
            let data = self.function.block(block);
            let (Some(terminator), Some(&normal)) = (data.terminator(), data.targets().first()) else { continue };
            for dest in terminator.results {
                if let Dest::Variable(variable) = *dest {
                    let value = self.new.new_version(variable);
                    self.stored_at_top[normal].push((variable, value));
                }
            }
        }
    }

    fn fill(&mut self, block: Block) {
        for (variable, value) in self.stored_at_top[block].clone() {
            self.push_store(block, value, variable);
        }
        let function = self.function;
        for inst in function.block(block).insts().iter() {
            match inst.action {
                Action::Copy => self.copy(block, inst),
                Action::Op(op) => {
                    let args = inst.args.iter().map(|&arg| Arg::Value(self.load(block, arg))).collect();
                    self.op(block, op, inst, args);
                }
            }
        }
    }

    /// The value of an argument; that of a variable is loaded.
    fn load(&mut self, block: Block, arg: Arg) -> Value {
        match arg {
            Arg::Value(value) => self.values[value],
            Arg::Variable(variable) => {
                let value = self.new.new_version(variable);
                self.load_as(block, variable, value);
                value
            }
        }
    }

    fn load_as(&mut self, block: Block, variable: Variable, value: Value) {
        if let Some(address) = self.slots[variable] {
            let load = MemoryOp::Load { is_volatile: false };
            self.new.push_inst(block, Inst::op(load, [address]).with_results([value]));
        }
    }

    fn push_store(&mut self, block: Block, value: Value, variable: Variable) {
        if let Some(address) = self.slots[variable] {
            self.new.push_inst(block, store(value, address));
        }
    }

    /// Loads all variables that are copied, copies values, and stores.
    fn copy(&mut self, block: Block, inst: InstRef<'_, D>) {
        let (mut kept, mut stores) = (Vec::new(), Vec::new());
        for (&dest, &arg) in inst.results.iter().zip(inst.args) {
            match (dest, arg) {
                (Dest::Value(value), Arg::Variable(variable)) => self.load_as(block, variable, self.values[value]),
                (Dest::Value(value), Arg::Value(copied)) => {
                    kept.push((Dest::Value(self.values[value]), Arg::Value(self.values[copied])));
                }
                (Dest::Variable(variable), arg) => stores.push((self.load(block, arg), variable)),
            }
        }
        if !kept.is_empty() {
            self.new.push_inst(block, Inst::parallel_copy(kept));
        }
        for (value, variable) in stores {
            self.push_store(block, value, variable);
        }
    }

    fn op(&mut self, block: Block, op: &D::Op, inst: InstRef<'_, D>, args: List<Arg, 2>) {
        let is_terminator = inst.is_terminator();
        let mut at_top = self.stored_at_top.get(*inst.targets.first().unwrap_or(&block)).cloned().unwrap_or_default();
        at_top.reverse();
        let (mut results, mut stores): (List<Dest, 2>, _) = (List::new(), Vec::new());
        for dest in inst.results {
            let value = match *dest {
                Dest::Value(value) => self.values[value],
                // Of a terminator it was named before; its normal successor has no other incoming edge.
                Dest::Variable(_) if is_terminator => match at_top.pop() {
                    Some((_, value)) => value,
                    None => continue,
                },
                Dest::Variable(variable) => {
                    let value = self.new.new_version(variable);
                    stores.push((value, variable));
                    value
                }
            };
            results.push(Dest::Value(value));
        }
        let action = Action::Op(MemoryOp::Inner(op.clone()));
        self.new.push_inst(block, Inst { action, args, results, targets: inst.targets.into() });
        for (value, variable) in stores {
            self.push_store(block, value, variable);
        }
    }
}

fn store<D: Syntax>(value: Value, address: Value) -> Inst<Memory<D>> {
    Inst::op(MemoryOp::Store { is_volatile: false }, [value, address])
}
