//! Into SSA form: a function written by a front end, or one in variable form.
//!
//! [`FunctionBuilder`] is what a front end calls while it walks its syntax
//! tree or bytecode; [`to_ssa`] turns a function that is there as a whole.
//! Both drive an `ssaphire` builder with a [`Function`] as its host.

use crate::dialect::Dialect;
use crate::function::{Action, Arg, Dest, Function, Inst, Phi, ValueKind};
use ssaphire::graph::{CfgError, FlatCfg, IdMap, Order};
use ssaphire::{
    Block, Certified, EdgeError, EntryError, FinishError, Forwarding, HostError, KeptPhis, Observer, PhiHost,
    ReadError, SealError, Uses, Value, Variable, WriteError,
};
use std::fmt;

/// Why a function could not be built.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BuildError {
    /// A read was refused.
    Read(ReadError),
    /// A write was refused.
    Write(WriteError),
    /// An edge was refused.
    Edge(EdgeError),
    /// A block could not be sealed.
    Seal(SealError),
    /// The entry could not be chosen.
    Entry(EntryError),
    /// The end was refused.
    Finish(FinishError),
    /// The graph of the function breaks its contract.
    Cfg(CfgError),
    /// An access or an instruction came after its block was terminated, and before another was begun.
    NoCurrentBlock,
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::Write(error) => error.fmt(f),
            Self::Edge(error) => error.fmt(f),
            Self::Seal(error) => error.fmt(f),
            Self::Entry(error) => error.fmt(f),
            Self::Finish(error) => error.fmt(f),
            Self::Cfg(error) => error.fmt(f),
            Self::NoCurrentBlock => f.write_str("an instruction comes after a terminator and before the next block"),
        }
    }
}

impl std::error::Error for BuildError {}

macro_rules! from_errors {
    ($($variant:ident($error:ident)),*) => {$(
        impl From<$error> for BuildError {
            fn from(error: $error) -> Self {
                Self::$variant(error)
            }
        }
    )*};
}

from_errors!(
    Read(ReadError),
    Write(WriteError),
    Edge(EdgeError),
    Seal(SealError),
    Entry(EntryError),
    Finish(FinishError),
    Cfg(CfgError)
);

/// A function as the host of a construction.
struct Host<D: Dialect> {
    function: Function<D>,
    /// What a variable holds when control enters, where it is not undefined.
    initial: IdMap<Variable, Option<Value>>,
}

impl<D: Dialect> Host<D> {
    fn new(function: Function<D>) -> Self {
        let mut host = Self { function, initial: IdMap::new() };
        for index in 0..host.function.params().len() {
            let param = host.function.params()[index];
            if let Some(variable) = param.variable {
                host.set_initial(variable, param.value);
            }
        }
        host
    }

    fn incoming(&self, block: Block) -> impl Iterator<Item = (Block, u32)> + '_ {
        self.function.block(block).incoming().iter().map(|edge| (edge.source, edge.slot))
    }

    fn set_initial(&mut self, variable: Variable, value: Value) {
        self.initial.grow_to(variable, None);
        self.initial[variable] = Some(value);
    }
}

impl<D: Dialect> PhiHost for Host<D> {
    fn new_phi(&mut self, _block: Block, variable: Variable) -> Value {
        self.function.new_version(variable)
    }

    fn undefined(&mut self, variable: Variable) -> Value {
        let initial = self.initial.get(variable).copied().flatten();
        initial.unwrap_or_else(|| self.function.undefined(variable))
    }

    fn finish(&mut self, phis: &KeptPhis<'_>, stands_for: &Forwarding<'_>) -> Result<(), HostError> {
        self.function.map_uses(|value| stands_for.resolve(value));
        for phi in phis.iter() {
            // The order of the incoming edges is the same here and there: both take edges as blocks are terminated,
            // or as the announced graph has them.
            let operands = phi.operands.to_vec();
            debug_assert!(
                phi.edges.iter().map(|edge| (edge.source, edge.slot)).eq(self.incoming(phi.block)),
                "operands are by incoming edge"
            );
            self.function.push_phi(phi.block, Phi { value: phi.value, variable: Some(phi.variable), operands });
        }
        self.function.unbind_params();
        Ok(())
    }

    fn visit_uses(&self, visit: &mut dyn FnMut(Value)) -> Uses {
        let insts = self.function.blocks().flat_map(|block| self.function.block(block).insts());
        for arg in insts.flat_map(|inst| &inst.args) {
            if let Arg::Value(value) = *arg {
                visit(value);
            }
        }
        Uses::Visited
    }
}

/// Builds one function in SSA form, instruction by instruction.
///
/// # Contract
/// The first block created is the entry; no edge leads to it. A block is
/// filled by `terminate`, and sealed by `seal` as soon as the last edge into it is there.
pub struct FunctionBuilder<'b, D: Dialect, O: Observer = ()> {
    host: Host<D>,
    ssa: &'b mut Certified<O>,
    current: Option<Block>,
}

impl<'b, D: Dialect, O: Observer> FunctionBuilder<'b, D, O> {
    /// Begins a function; what `ssa` held before is dropped.
    pub fn new(ssa: &'b mut Certified<O>, name: impl Into<String>) -> Self {
        ssa.clear();
        Self { host: Host::new(Function::new(name)), ssa, current: None }
    }

    /// The function so far.
    pub fn function(&self) -> &Function<D> {
        &self.host.function
    }

    /// The function so far, to be changed in what this builder has no call for.
    pub fn function_mut(&mut self) -> &mut Function<D> {
        &mut self.host.function
    }

    /// The builder behind.
    pub fn ssa(&self) -> &Certified<O> {
        self.ssa
    }

    /// Appends an empty block. The first one is the entry.
    pub fn create_block(&mut self) -> Block {
        self.host.function.create_block()
    }

    /// Appends an empty block that prints as `name`, or with a suffix where that is taken.
    pub fn create_named_block(&mut self, name: &str) -> Block {
        self.host.function.create_named_block(name)
    }

    /// Adds a variable called `name`, or with a suffix where that is taken.
    pub fn declare(&mut self, name: &str, ty: D::Type) -> Variable {
        self.host.function.add_variable(name, ty)
    }

    /// Adds a parameter, which `variable` holds when control enters.
    pub fn param(&mut self, variable: Variable) -> Value {
        let value = self.host.function.add_param(variable);
        self.ssa.global(value);
        self.host.set_initial(variable, value);
        value
    }

    /// Says what `variable` holds when control enters; without this or a parameter it is undefined.
    pub fn set_initial(&mut self, variable: Variable, value: Value) {
        self.host.set_initial(variable, value);
    }

    /// The value of a constant, one per constant.
    pub fn constant(&mut self, constant: D::Constant) -> Value {
        let value = self.host.function.constant(constant);
        self.ssa.global(value);
        value
    }

    /// The undefined value of a type, for a front end that needs one.
    pub fn undefined_of_type(&mut self, ty: D::Type) -> Value {
        let value = self.host.function.undefined_of_type(ty);
        self.ssa.global(value);
        value
    }

    /// Goes on in `block`.
    pub fn switch_to(&mut self, block: Block) {
        self.current = Some(block);
    }

    /// The block being filled; `None` after a terminator.
    pub fn current(&self) -> Option<Block> {
        self.current
    }

    fn block(&self) -> Result<Block, BuildError> {
        self.current.ok_or(BuildError::NoCurrentBlock)
    }

    /// From here on `variable` holds `value`.
    ///
    /// # Errors
    /// If no block is being filled.
    pub fn write(&mut self, variable: Variable, value: Value) -> Result<(), BuildError> {
        Ok(self.ssa.write_variable(self.block()?, variable, value)?)
    }

    /// What `variable` holds here.
    ///
    /// # Errors
    /// If no block is being filled, or the work budget is used up.
    pub fn read(&mut self, variable: Variable) -> Result<Value, BuildError> {
        let block = self.block()?;
        Ok(self.ssa.read_variable(&mut self.host, block, variable)?)
    }

    /// What `variable` holds here; reported under `site` if it may be undefined.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_at(&mut self, variable: Variable, site: u32) -> Result<Value, BuildError> {
        let block = self.block()?;
        Ok(self.ssa.read_variable_at(&mut self.host, block, variable, site)?)
    }

    /// Appends an operation: its results, one per type.
    ///
    /// # Errors
    /// If no block is being filled.
    pub fn push(&mut self, op: D::Op, args: &[Value], types: &[D::Type]) -> Result<Vec<Value>, BuildError> {
        let block = self.block()?;
        let results: Vec<Value> = types.iter().map(|ty| self.host.function.new_value(None, ty.clone())).collect();
        for &result in &results {
            self.ssa.define(block, result);
        }
        let inst = Inst::op(op, args.iter().copied()).with_results(results.iter().copied());
        self.host.function.push_inst(block, inst);
        Ok(results)
    }

    /// Appends an operation with one result.
    ///
    /// # Errors
    /// If no block is being filled.
    pub fn push_one(&mut self, op: D::Op, args: &[Value], ty: D::Type) -> Result<Value, BuildError> {
        let block = self.block()?;
        let result = self.host.function.new_value(None, ty);
        self.ssa.define(block, result);
        self.host.function.push_inst(block, Inst::op(op, args.iter().copied()).with_results([result]));
        Ok(result)
    }

    /// Ends the current block: slot *i* leads to `targets[i]`.
    ///
    /// # Errors
    /// If no block is being filled, or an edge is refused.
    pub fn terminate(&mut self, op: D::Op, args: &[Value], targets: &[Block]) -> Result<(), BuildError> {
        self.terminate_with_results(op, args, targets, &[]).map(drop)
    }

    /// Ends the current block by an operation that may throw: its results are defined in `targets[0]`.
    ///
    /// That block must have no other incoming edge.
    ///
    /// # Errors
    /// As [`terminate`](Self::terminate).
    pub fn terminate_with_results(
        &mut self,
        op: D::Op,
        args: &[Value],
        targets: &[Block],
        types: &[D::Type],
    ) -> Result<Vec<Value>, BuildError> {
        let block = self.block()?;
        self.ssa.terminate(block, targets)?;
        self.current = None;
        let results: Vec<Value> = types.iter().map(|ty| self.host.function.new_value(None, ty.clone())).collect();
        if let Some(&normal) = targets.first() {
            for &result in &results {
                self.ssa.define(normal, result);
            }
        }
        let inst = Inst::op(op, args.iter().copied()).with_results(results.iter().copied());
        self.host.function.push_inst(block, inst.with_targets(targets.iter().copied()));
        Ok(results)
    }

    /// Writes `variable` on the edge that leaves `from` by `slot`.
    ///
    /// # Errors
    /// If the edge's target is not sealed with that edge alone, or in use.
    pub fn write_on_edge(
        &mut self,
        from: Block,
        slot: usize,
        variable: Variable,
        value: Value,
    ) -> Result<(), BuildError> {
        Ok(self.ssa.write_on_edge(from, slot, variable, value)?)
    }

    /// Seals `block`: no more edges will lead to it.
    ///
    /// # Errors
    /// If it is sealed already.
    pub fn seal(&mut self, block: Block) -> Result<(), BuildError> {
        Ok(self.ssa.seal_block(&mut self.host, block)?)
    }

    /// Promises that in the loop of `header` only `variables` are written.
    ///
    /// # Errors
    /// If the header is sealed.
    pub fn hint_loop_writes(&mut self, header: Block, variables: &[Variable]) -> Result<(), BuildError> {
        Ok(self.ssa.hint_loop_writes(header, variables)?)
    }

    /// Ends the function: its SSA form, canonical. `ssa` can certify it.
    ///
    /// # Errors
    /// If blocks are left unsealed or unfilled, or the work budget is used up.
    pub fn finish(mut self) -> Result<Function<D>, BuildError> {
        self.ssa.finish(&mut self.host)?;
        let mut function = self.host.function;
        function.canonicalize();
        Ok(function)
    }
}

/// The SSA form of a function in variable or mixed form, canonical. `ssa` can certify it.
///
/// Copies leave no instruction. If the entry has incoming edges, a block in front of it takes its place.
///
/// # Errors
/// If the graph breaks its contract, or the work budget is used up.
///
/// # Complexity
/// The builder's, plus O(size of the function).
pub fn to_ssa<D: Dialect, O: Observer>(
    function: &Function<D>,
    ssa: &mut Certified<O>,
) -> Result<Function<D>, BuildError> {
    to_ssa_in_order(function, ssa, |blocks| blocks)
}

/// [`to_ssa`], with the blocks filled in the order that `reorder` makes of reverse post-order.
///
/// # Errors
/// As [`to_ssa`].
pub fn to_ssa_in_order<D: Dialect, O: Observer>(
    function: &Function<D>,
    ssa: &mut Certified<O>,
    reorder: impl FnOnce(Vec<Block>) -> Vec<Block>,
) -> Result<Function<D>, BuildError> {
    let mut host = Host::new(function.clone());
    put_block_in_front(&mut host.function);
    let cfg = FlatCfg::new(&host.function)?;
    ssa.clear();
    ssa.announce(&cfg)?;
    for (value, data) in function.values().map(|value| (value, function.value(value))) {
        if matches!(data.kind, ValueKind::Param(_) | ValueKind::Constant(_)) {
            ssa.global(value);
        }
    }
    let order = Order::new(&cfg);
    let unreachable = cfg.blocks().filter(|&block| !order.is_reachable(block));
    let blocks: Vec<Block> = order.rpo().chain(unreachable).collect();
    let mut conversion = Conversion { host, ssa, written_at_top: Vec::new() };
    conversion.name_results_of_terminators();
    for block in reorder(blocks) {
        conversion.fill(block)?;
        conversion.ssa.terminate(block, cfg.targets(block))?;
    }
    let Conversion { mut host, ssa, .. } = conversion;
    ssa.finish(&mut host)?;
    let mut function = host.function;
    function.canonicalize();
    Ok(function)
}

/// An entry with incoming edges gets a block in front that jumps to it.
fn put_block_in_front<D: Dialect>(function: &mut Function<D>) {
    let old = function.entry();
    if function.num_blocks() == 0 || function.block(old).incoming().is_empty() {
        return;
    }
    let front = function.create_named_block("entry");
    function.set_terminator(front, Inst::op::<Value>(D::jump(), []).with_targets([old]));
    function.set_entry(front);
}

/// A whole function on its way into SSA form.
struct Conversion<'a, D: Dialect, O: Observer> {
    host: Host<D>,
    ssa: &'a mut Certified<O>,
    /// By block: what the terminator that leads here by slot 0 writes, to be written at the top.
    written_at_top: Vec<Vec<(Variable, Value)>>,
}

impl<D: Dialect, O: Observer> Conversion<'_, D, O> {
    /// Gives the results of terminators values, before any block is filled: they are written in other blocks.
    fn name_results_of_terminators(&mut self) {
        self.written_at_top.resize(self.host.function.num_blocks(), Vec::new());
        for block in self.host.function.blocks() {
            let Some(&normal) = self.host.function.block(block).targets().first() else { continue };
            let Some(mut inst) = self.host.function.blocks[block].insts.pop() else { continue };
            for dest in &mut inst.results {
                if let Dest::Variable(variable) = *dest {
                    let value = self.new_result(variable);
                    *dest = Dest::Value(value);
                    self.written_at_top[normal.index()].push((variable, value));
                } else if let Dest::Value(value) = *dest {
                    self.ssa.define(normal, value);
                }
            }
            self.host.function.blocks[block].insts.push(inst);
        }
    }

    fn new_result(&mut self, variable: Variable) -> Value {
        let value = self.host.function.new_version(variable);
        self.host.function.values[value].kind = ValueKind::Result;
        value
    }

    /// Replaces the variables in the instructions of a block by values; copies of variables go.
    fn fill(&mut self, block: Block) -> Result<(), BuildError> {
        for (variable, value) in std::mem::take(&mut self.written_at_top[block.index()]) {
            self.ssa.define(block, value);
            self.ssa.write_variable(block, variable, value)?;
        }
        // The edges stay as they are: the same terminator comes back.
        let mut insts = std::mem::take(&mut self.host.function.blocks[block].insts);
        for inst in &mut insts {
            for arg in &mut inst.args {
                if let Arg::Variable(variable) = *arg {
                    *arg = Arg::Value(self.ssa.read_variable(&mut self.host, block, variable)?);
                }
            }
            match inst.action {
                Action::Copy => self.fill_copy(block, inst)?,
                Action::Op(_) if inst.targets.is_empty() => self.fill_results(block, inst)?,
                Action::Op(_) => {}
            }
        }
        insts.retain(|inst| !matches!(inst.action, Action::Copy) || !inst.results.is_empty());
        self.host.function.blocks[block].insts = insts;
        Ok(())
    }

    /// A copy to a variable is a write of the value copied; copies to values stay.
    fn fill_copy(&mut self, block: Block, inst: &mut Inst<D>) -> Result<(), BuildError> {
        let pairs: Vec<(Dest, Arg)> = inst.results.drain(..).zip(inst.args.drain(..)).collect();
        for (dest, arg) in pairs {
            match (dest, arg) {
                (Dest::Variable(variable), Arg::Value(value)) => self.ssa.write_variable(block, variable, value)?,
                (Dest::Value(value), _) => {
                    self.ssa.define(block, value);
                    inst.results.push(dest);
                    inst.args.push(arg);
                }
                (Dest::Variable(_), Arg::Variable(_)) => {}
            }
        }
        Ok(())
    }

    fn fill_results(&mut self, block: Block, inst: &mut Inst<D>) -> Result<(), BuildError> {
        for dest in &mut inst.results {
            match *dest {
                Dest::Variable(variable) => {
                    let value = self.new_result(variable);
                    *dest = Dest::Value(value);
                    self.ssa.define(block, value);
                    self.ssa.write_variable(block, variable, value)?;
                }
                Dest::Value(value) => self.ssa.define(block, value),
            }
        }
        Ok(())
    }
}
