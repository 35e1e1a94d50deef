//! Leaves SSA form: turns the values of a function into variables.
//!
//! `core/destruct` finds a location for each value and the copies that replace
//! phis; here each location becomes a variable, and each copy an instruction.

use crate::dialect::Storage;
use crate::function::{Action, Arg, Dest, Function, Inst, InstRef, Name, ValueKind};
use crate::passes::remove_unreachable_blocks;
use foldhash::fast::RandomState;
use ssaphire::destruct::{
    Counted, DestructError, DestructForm, Destruction, Location, Method, Moves, Options, Source, Tied, destruct_with,
};
use ssaphire::graph::{FlatCfg, IdMap, IncomingEdge, InsertionPoint, InsertionPoints, Order};
use ssaphire::{Block, Cfg, SsaForm, Value, ValueEvent, Variable};
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::fmt;

/// A function that has left SSA form.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Left<D: Storage> {
    /// The function, in variable form.
    pub function: Function<D>,
    /// The copies that replace phis.
    pub copies: Counted,
    /// Number of copies of values that instructions overwrite: of whole arrays. Copies of operands that are still live
    /// after an instruction that overwrites them are counted only here.
    pub array_copies: u64,
    /// Number of blocks inserted on edges.
    pub split_edges: usize,
}

/// The reason why a function cannot leave SSA form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LeaveError {
    /// It reads or writes variables.
    Variables,
    /// Its SSA form is not valid.
    Destruct(DestructError),
}

impl fmt::Display for LeaveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variables => f.write_str("the function: reads or writes variables, so it is not in SSA form"),
            Self::Destruct(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for LeaveError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Variables => None,
            Self::Destruct(error) => error.source(),
        }
    }
}

impl From<DestructError> for LeaveError {
    fn from(error: DestructError) -> Self {
        Self::Destruct(error)
    }
}

/// Converts a function to variable form: values that share a location are one variable, named after the first of them.
///
/// Unreachable blocks are left out. An edge whose copies fit at neither of its ends gets a block of its own.
///
/// # Errors
/// If the function is not in SSA form.
///
/// # Examples
/// ```
/// use ssaphire::destruct::Method;
/// use ssaphire_ir::{Basic, Function, leave_ssa, text};
///
/// let source = "\
/// func f(%n.0) {
/// block0:
///   jump block1
/// block1: <- block0, block1
///   %x.0 = phi 0, %x.1
///   %x.1 = add %x.0, 1
///   %t.0 = lt %x.1, %n.0
///   branch %t.0, block1, block2
/// block2:
///   return %x.1
/// }
/// ";
/// let function: Function<Basic> = text::parse(source)?;
/// let left = leave_ssa(&function, Method::Coalescing)?;
/// assert_eq!((left.copies.copies, left.split_edges), (1, 0));
/// assert!(left.function.to_string().contains("x = add x, 1"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn leave_ssa<D: Storage>(function: &Function<D>, method: Method) -> Result<Left<D>, LeaveError> {
    leave(function, Options::new(method), &Name::fixed("t"), |_, form| form)
}

/// [`leave_ssa`] by [`Method::Coalescing`], for code that people read: values that are versions of variables of
/// different names share no variable, and those of one name do where they are not live at once
/// ([`Options::keeps_variables`]). Values without a name are called `temporary`, and those of that name need not share a
/// variable.
///
/// # Errors
/// As [`leave_ssa`].
///
/// # Examples
/// ```
/// use ssaphire_ir::{Basic, Function, Name, leave_ssa_by_names, text};
///
/// let source = "\
/// func f(%n.0, %limit.0) {
/// block0:
///   %t.0 = lt %n.0, %limit.0
///   branch %t.0, block1, block2
/// block1:
///   jump block2
/// block2: <- block0, block1
///   %result.0 = phi %limit.0, %n.0
///   return %result.0
/// }
/// ";
/// let function: Function<Basic> = text::parse(source)?;
/// let left = leave_ssa_by_names(&function, &Name::fixed("t"))?;
/// assert!(left.function.to_string().contains("result = n\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn leave_ssa_by_names<D: Storage>(function: &Function<D>, temporary: &Name) -> Result<Left<D>, LeaveError> {
    leave(function, Options::default().keeping_variables(true), temporary, |function, mut form| {
        let mut named: HashMap<String, Variable, RandomState> = HashMap::default();
        for variable in function.variables() {
            let name = function.declared_name(variable);
            if name != temporary {
                form.variables[variable] = Some(*named.entry(name.to_string()).or_insert(variable));
            }
        }
        form
    })
}

fn leave<D: Storage>(
    function: &Function<D>,
    options: Options,
    temporary: &Name,
    adapt: impl for<'f> FnOnce(&'f Function<D>, DestructView<'f, D>) -> DestructView<'f, D>,
) -> Result<Left<D>, LeaveError> {
    if function.has_accesses() {
        return Err(LeaveError::Variables);
    }
    let mut function = Cow::Borrowed(function);
    let cfg = FlatCfg::new(function.as_ref()).map_err(DestructError::from)?;
    if Order::new(&cfg).num_reachable() < cfg.num_blocks() {
        remove_unreachable_blocks(function.to_mut()).map_err(DestructError::from)?;
    }
    let form = adapt(&function, DestructView::new(&function));
    let destruction = destruct_with(&form, options)?;
    let copies = destruction.parallel_copies().flat_map(|(_, copies)| copies);
    let of_arrays = copies.filter(|&&(to, _)| form.overwritten.contains(&destruction.class(to))).count();
    let array_copies = of_arrays as u64 + destruction.count_tied().copies;
    let (function, split_edges) = Rewriter::new(&form, &destruction, temporary).rewrite();
    Ok(Left { function, copies: destruction.count(), array_copies, split_edges })
}

/// A view of a function in SSA form for [`destruct`](ssaphire::destruct::destruct()).
#[derive(Debug)]
pub struct DestructView<'f, D: Storage> {
    function: &'f Function<D>,
    /// The number of each value's type.
    classes: IdMap<Value, u32>,
    copied: IdMap<Value, Option<Value>>,
    /// By variable, whether all of its values must share one location.
    has_storage: IdMap<Variable, bool>,
    /// The classes of results that reuse the location of an operand.
    overwritten: BTreeSet<u32>,
    /// By variable, the one that it counts as.
    variables: IdMap<Variable, Option<Variable>>,
}

impl<'f, D: Storage> DestructView<'f, D> {
    /// The view of `function`: a register class is a type.
    pub fn new(function: &'f Function<D>) -> Self {
        let mut numbers: HashMap<&D::Type, u32, RandomState> = HashMap::default();
        let mut classes = IdMap::new();
        for value in function.values() {
            let next = numbers.len() as u32;
            classes.push(*numbers.entry(function.value(value).ty).or_insert(next));
        }
        let mut copied = IdMap::filled(function.num_values(), None);
        let mut has_storage = IdMap::filled(function.num_variables(), false);
        let mut overwritten = BTreeSet::new();
        for inst in function.block_refs().flat_map(|block| block.insts().iter()) {
            if matches!(inst.action, Action::Copy) {
                for (dest, arg) in inst.results.iter().zip(inst.args) {
                    if let (Dest::Value(dest), Arg::Value(arg)) = (*dest, *arg) {
                        copied[dest] = Some(arg);
                    }
                }
            }
            if let Some((result, _)) = tied_operand(inst) {
                overwritten.extend(inst.results[result..].iter().take(1).filter_map(|dest| match *dest {
                    Dest::Value(value) => Some(classes[value]),
                    Dest::Variable(_) => None,
                }));
            }
            if matches!(inst.action, Action::Op(op) if D::shares_storage(op)) {
                for variable in inst.defined_values().filter_map(|value| function.value(value).name) {
                    has_storage[variable] = true;
                }
            }
        }
        let variables = function.variables().map(Some).collect();
        Self { function, classes, copied, has_storage, overwritten, variables }
    }

    /// Whether all values of `variable` must share one location, because an operation updates it in place.
    pub fn has_storage(&self, variable: Variable) -> bool {
        self.has_storage.get(variable) == Some(&true)
    }
}

impl<D: Storage> Cfg for DestructView<'_, D> {
    fn num_blocks(&self) -> usize {
        self.function.num_blocks()
    }

    fn entry(&self) -> Block {
        self.function.entry()
    }

    fn successors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.function.successors(block)
    }

    fn predecessors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.function.predecessors(block)
    }
}

impl<D: Storage> SsaForm for DestructView<'_, D> {
    fn num_values(&self) -> usize {
        self.function.num_values()
    }

    fn globals(&self) -> impl Iterator<Item = Value> {
        self.function.globals()
    }

    fn phis(&self, block: Block) -> impl Iterator<Item = Value> {
        self.function.phis(block)
    }

    fn operands(&self, block: Block, phi: Value) -> impl Iterator<Item = Value> {
        self.function.operands(block, phi)
    }

    fn events(&self, block: Block) -> impl Iterator<Item = ValueEvent> {
        self.function.events(block)
    }
}

impl<D: Storage> InsertionPoints for DestructView<'_, D> {
    fn num_results_at_top(&self, block: Block) -> usize {
        self.function.num_results_at_top(block)
    }

    fn num_terminator_uses(&self, block: Block) -> usize {
        self.function.num_terminator_uses(block)
    }
}

impl<D: Storage> DestructForm for DestructView<'_, D> {
    fn is_constant(&self, value: Value) -> bool {
        matches!(self.function.value(value).kind, ValueKind::Constant(_) | ValueKind::Undefined)
    }

    fn class(&self, value: Value) -> u32 {
        self.classes[value]
    }

    fn variable(&self, value: Value) -> Option<Variable> {
        self.function.value(value).name.and_then(|variable| self.variables[variable])
    }

    fn copied(&self, value: Value) -> Option<Value> {
        self.copied[value]
    }

    fn tied(&self, block: Block) -> impl Iterator<Item = Tied> {
        let mut event =
            self.function.results_at_top(block).iter().filter(|dest| matches!(dest, Dest::Value(_))).count();
        self.function.block(block).body().iter().filter_map(move |inst| {
            let first_event = event;
            event += inst.args.iter().filter(|arg| matches!(arg, Arg::Value(_))).count();
            event += inst.results.iter().filter(|dest| matches!(dest, Dest::Value(_))).count();
            let (result, arg) = tied_operand(inst)?;
            let (&Dest::Value(result), &Arg::Value(operand)) = (&inst.results[result], &inst.args[arg]) else {
                return None;
            };
            Some(Tied { first_event, operand, result })
        })
    }

    fn storage(&self, value: Value) -> Option<Variable> {
        self.function.value(value).name.filter(|&variable| self.has_storage[variable] && !self.is_constant(value))
    }

    /// What a handler catches is said by the operation that it begins with, and read off where the edge leads.
    fn can_split(&self, edge: IncomingEdge) -> bool {
        let target = self.function.block(edge.source).targets()[edge.slot as usize];
        handler_head(self.function, target).is_none()
    }
}

/// The result that reuses the storage of an argument, and this argument, both by index.
fn tied_operand<D: Storage>(inst: InstRef<'_, D>) -> Option<(usize, usize)> {
    let Action::Op(op) = inst.action else { return None };
    D::tied(op).filter(|&(result, arg)| result < inst.results.len() && arg < inst.args.len())
}

/// The operation that begins a handler, if `block` is one.
fn handler_head<D: Storage>(function: &Function<D>, block: Block) -> Option<InstRef<'_, D>> {
    function.block(block).insts().get(0).filter(|inst| matches!(inst.action, Action::Op(op) if D::begins_handler(op)))
}

/// What a handler is entered with counts as the results of the terminator.
impl<D: Storage> InsertionPoints for Function<D> {
    fn num_results_at_top(&self, block: Block) -> usize {
        let values = |results: &[Dest]| results.iter().filter(|dest| matches!(dest, Dest::Value(_))).count();
        values(self.results_at_top(block)) + handler_head(self, block).map_or(0, |head| values(head.results))
    }

    fn num_terminator_uses(&self, block: Block) -> usize {
        let uses = |inst: InstRef<'_, D>| inst.args.iter().filter(|arg| matches!(arg, Arg::Value(_))).count();
        self.block(block).terminator().map_or(0, uses)
    }
}

/// Writes the function that results from locations and moves.
struct Rewriter<'f, D: Storage> {
    old: &'f Function<D>,
    destruction: &'f Destruction,
    moves: Moves,
    new: Function<D>,
    variables: IdMap<Location, Variable>,
}

impl<'f, D: Storage> Rewriter<'f, D> {
    fn new(form: &DestructView<'f, D>, destruction: &'f Destruction, temporary: &Name) -> Self {
        let (old, moves) = (form.function, destruction.moves());
        let mut new = Function::new(old.name());
        let mut first: IdMap<Location, Option<Value>> = IdMap::filled(moves.num_locations(), None);
        let mut of_class: HashMap<u32, Value> = HashMap::new();
        for value in old.values() {
            if let Some(location) = destruction.location(value) {
                // A version of a variable says more than what is between them.
                let is_better = |known: Value| form.variable(known).is_none() && form.variable(value).is_some();
                if first[location].is_none_or(is_better) {
                    first[location] = Some(value);
                }
                of_class.entry(destruction.class(location)).or_insert(value);
            }
        }
        let mut variables = IdMap::new();
        for (location, &first) in first.iter() {
            // What has no value is on the way between values of its class.
            let like = first.or_else(|| of_class.get(&moves.class(location)).copied());
            let name =
                first.and_then(|value| old.value(value).name).map(|variable| old.declared_name(variable).clone());
            let ty = like.map_or_else(D::Type::default, |value| old.value(value).ty.clone());
            variables.push(new.add_variable(name.unwrap_or_else(|| temporary.clone()), ty));
        }
        Self { old, destruction, moves, new, variables }
    }

    fn rewrite(mut self) -> (Function<D>, usize) {
        for param in self.old.params() {
            let variable = self.destruction.location(param.value).map(|location| self.variables[location]);
            let ty = self.old.value(param.value).ty.clone();
            self.new.push_param(variable, variable, ty);
        }
        for block in self.old.blocks() {
            match self.old.block(block).name() {
                Some(name) => self.new.create_named_block(name),
                None => self.new.create_block(),
            };
        }
        self.new.set_entry(self.old.entry());
        let points: Vec<InsertionPoint> = self.moves.iter().map(|(point, _)| point).collect();
        let mut on_edge: HashMap<IncomingEdge, Block> = HashMap::new();
        for point in points {
            let InsertionPoint::Edge(edge) = point else { continue };
            let target = self.old.block(edge.source).targets()[edge.slot as usize];
            let label = format!("{}_to_{}", self.old.label(edge.source), self.old.label(target));
            let block = self.new.create_named_block(&label);
            on_edge.insert(edge, block);
            let mut insts = self.moves_at(point);
            insts.push(Inst::jump(target));
            self.new.set_insts(block, insts);
        }
        for block in self.old.blocks() {
            let insts = self.rewrite_block(block, &on_edge);
            self.new.set_insts(block, insts);
        }
        (self.new, on_edge.len())
    }

    fn rewrite_block(&mut self, block: Block, on_edge: &HashMap<IncomingEdge, Block>) -> Vec<Inst<D>> {
        let old = self.old.block(block);
        let head = usize::from(handler_head(self.old, block).is_some());
        let mut insts = Vec::with_capacity(old.insts().len());
        let body = old.body().len();
        for (index, inst) in old.insts().iter().enumerate() {
            if index == head {
                insts.extend(self.moves_at(InsertionPoint::Top(block)));
            }
            if index == body {
                insts.extend(self.moves_at(InsertionPoint::End(block)));
            }
            let new = self.rewrite_inst(block, inst, on_edge);
            insts.extend(new.into_iter().flatten());
        }
        insts
    }

    fn rewrite_inst(
        &mut self,
        block: Block,
        inst: InstRef<'_, D>,
        on_edge: &HashMap<IncomingEdge, Block>,
    ) -> [Option<Inst<D>>; 2] {
        let mut new = inst.to_inst();
        for arg in &mut new.args {
            if let Arg::Value(value) = *arg {
                *arg = self.arg(value);
            }
        }
        for dest in &mut new.results {
            if let Dest::Value(value) = *dest {
                *dest = Dest::Variable(self.variable(value));
            }
        }
        for (slot, target) in new.targets.iter_mut().enumerate() {
            *target = on_edge.get(&IncomingEdge { source: block, slot: slot as u32 }).copied().unwrap_or(*target);
        }
        if !matches!(new.action, Action::Copy) {
            let copy = overwritten(inst, &mut new);
            return [copy, Some(new)];
        }
        let pairs = new.results.iter().copied().zip(new.args.iter().copied());
        let left = pairs
            .filter(|&(dest, arg)| !matches!((dest, arg), (Dest::Variable(to), Arg::Variable(from)) if to == from));
        let copy = Inst::parallel_copy(left);
        [(!copy.results.is_empty()).then_some(copy), None]
    }

    fn moves_at(&mut self, point: InsertionPoint) -> Vec<Inst<D>> {
        let moves = self.moves.at(point).to_vec();
        let copy = |(to, from): (Location, Source)| {
            let from = match from {
                Source::Location(from) => Arg::Variable(self.variables[from]),
                Source::Constant(value) => self.arg(value),
            };
            Inst::copy(self.variables[to], from)
        };
        moves.into_iter().map(copy).collect()
    }

    fn variable(&self, value: Value) -> Variable {
        let location = self.destruction.location(value).expect("what a reachable block defines has a location");
        self.variables[location]
    }

    fn arg(&mut self, value: Value) -> Arg {
        let data = self.old.value(value);
        Arg::Value(match data.kind {
            ValueKind::Constant(constant) => self.new.constant(constant.clone()),
            ValueKind::Undefined => self.new.undefined_of_type(data.ty.clone()),
            _ => return Arg::Variable(self.variable(value)),
        })
    }
}

/// Lets an instruction find a tied operand at the location of its result: the copy that takes it there, if it is
/// elsewhere.
fn overwritten<D: Storage>(old: InstRef<'_, D>, new: &mut Inst<D>) -> Option<Inst<D>> {
    let (result, arg) = tied_operand(old)?;
    let Dest::Variable(location) = new.results[result] else { return None };
    let operand = std::mem::replace(&mut new.args[arg], Arg::Variable(location));
    (operand != Arg::Variable(location)).then(|| Inst::copy(location, operand))
}
