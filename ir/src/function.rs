//! A function: blocks with phis and instructions, variables, values.
//!
//! A function may be in variable form (instructions read and write
//! variables), in SSA form (phis and values only), or mixed. Terminators are
//! instructions; a block's outgoing edges are the targets of its last
//! instruction, by slot, and its incoming edges stand in an explicit order,
//! which is the order of its phis' operands.
//!
//! The `edit` module changes functions; here they are only looked at.

use crate::dialect::Dialect;
use crate::names::Names;
use foldhash::fast::RandomState;
use smallvec::{SmallVec, smallvec};
use ssaphire_graph::{Block, IdMap, Value, Variable};
use std::collections::HashMap;
use std::sync::Arc;

/// A list in which up to `N` items stand without a piece of heap of their own: most lists of a function are that short.
pub type List<T, const N: usize> = SmallVec<[T; N]>;

/// A function of the reference IR.
#[derive(Clone, Debug)]
pub struct Function<D: Dialect> {
    pub(crate) name: String,
    pub(crate) params: Vec<Param>,
    pub(crate) entry: Block,
    pub(crate) blocks: IdMap<Block, BlockData<D>>,
    pub(crate) variables: IdMap<Variable, VariableData<D>>,
    pub(crate) values: IdMap<Value, ValueData<D>>,
    pub(crate) lookup: Lookup<D>,
}

/// Where things are found again; follows from the rest of a function.
#[derive(Clone, Debug)]
pub(crate) struct Lookup<D: Dialect> {
    /// `None` after the values have been renumbered: most functions are never asked again.
    pub(crate) bound: Option<Bound<D>>,
    pub(crate) variables: Names<Variable>,
    pub(crate) blocks: Names<Block>,
}

/// The values that are interned, by what they are.
#[derive(Clone, Debug)]
pub(crate) struct Bound<D: Dialect> {
    pub(crate) constants: HashMap<D::Constant, Value, RandomState>,
    pub(crate) undefined: HashMap<(Option<Variable>, D::Type), Value, RandomState>,
}

impl<D: Dialect> Default for Lookup<D> {
    fn default() -> Self {
        Self { bound: None, variables: Names::default(), blocks: Names::default() }
    }
}

impl<D: Dialect> Lookup<D> {
    /// Where `values` are found by what they are.
    pub(crate) fn bound(&mut self, values: &IdMap<Value, ValueData<D>>) -> &mut Bound<D> {
        self.bound.get_or_insert_with(|| Bound::of(values))
    }
}

impl<D: Dialect> Bound<D> {
    fn of(values: &IdMap<Value, ValueData<D>>) -> Self {
        let mut bound = Self { constants: HashMap::default(), undefined: HashMap::default() };
        for (value, data) in values.iter() {
            match &data.kind {
                ValueKind::Constant(constant) => drop(bound.constants.insert(constant.clone(), value)),
                ValueKind::Undefined => drop(bound.undefined.insert((data.name, data.ty.clone()), value)),
                _ => {}
            }
        }
        bound
    }
}

/// A parameter of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Param {
    /// The value that the caller passes.
    pub value: Value,
    /// The variable that holds it when control enters, if any.
    pub variable: Option<Variable>,
}

/// A block: phis, then instructions, the last of which is its terminator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockData<D: Dialect> {
    pub(crate) name: Option<Arc<str>>,
    pub(crate) phis: Vec<Phi>,
    pub(crate) insts: Vec<Inst<D>>,
    pub(crate) incoming: List<IncomingEdge, 2>,
}

impl<D: Dialect> BlockData<D> {
    pub(crate) fn new(name: Option<Arc<str>>) -> Self {
        Self { name, phis: Vec::new(), insts: Vec::new(), incoming: List::new() }
    }

    /// The name it was given; a block without one prints as `block` and its number.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The phis at its top, which happen at once.
    pub fn phis(&self) -> &[Phi] {
        &self.phis
    }

    /// Its instructions in order, the terminator last.
    pub fn insts(&self) -> &[Inst<D>] {
        &self.insts
    }

    /// Its incoming edges, in operand order.
    pub fn incoming(&self) -> &[IncomingEdge] {
        &self.incoming
    }

    /// Its last instruction, if that is a terminator.
    pub fn terminator(&self) -> Option<&Inst<D>> {
        self.insts.last().filter(|inst| inst.is_terminator())
    }

    /// Its instructions before the terminator.
    pub fn body(&self) -> &[Inst<D>] {
        &self.insts[..self.insts.len() - usize::from(self.terminator().is_some())]
    }

    /// Targets of its outgoing edges, by slot.
    pub fn targets(&self) -> &[Block] {
        self.insts.last().map_or(&[], |inst| &inst.targets)
    }
}

/// One edge, seen from the block it enters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IncomingEdge {
    /// The block it leaves.
    pub source: Block,
    /// Its position in the terminator of `source`.
    pub slot: u32,
}

/// A value chosen by incoming edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phi {
    /// The value it defines.
    pub value: Value,
    /// The variable it was made for.
    pub variable: Option<Variable>,
    /// Its operands, by incoming edge.
    pub operands: List<Value, 4>,
}

/// What an instruction reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Arg {
    /// What the variable holds at this point.
    Variable(Variable),
    /// A value.
    Value(Value),
}

/// What an instruction writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dest {
    /// The variable is assigned.
    Variable(Variable),
    /// The value is defined.
    Value(Value),
}

impl From<Variable> for Arg {
    fn from(variable: Variable) -> Self {
        Self::Variable(variable)
    }
}

impl From<Value> for Arg {
    fn from(value: Value) -> Self {
        Self::Value(value)
    }
}

impl From<Variable> for Dest {
    fn from(variable: Variable) -> Self {
        Self::Variable(variable)
    }
}

impl From<Value> for Dest {
    fn from(value: Value) -> Self {
        Self::Value(value)
    }
}

/// What an instruction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action<Op> {
    /// An operation of the dialect.
    Op(Op),
    /// Result number *i* becomes what argument number *i* holds, all at once.
    Copy,
}

/// An instruction. It reads all its arguments before it writes any result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inst<D: Dialect> {
    /// What it does.
    pub action: Action<D::Op>,
    /// What it reads.
    pub args: List<Arg, 2>,
    /// What it writes. The results of a terminator are written in the successor at slot 0.
    pub results: List<Dest, 2>,
    /// Where it may go, by slot; empty for all but terminators.
    pub targets: List<Block, 4>,
}

impl<D: Dialect> Inst<D> {
    /// An operation on `args`, with no results and no targets.
    pub fn op<A: Into<Arg>>(op: D::Op, args: impl IntoIterator<Item = A>) -> Self {
        let args = args.into_iter().map(Into::into).collect();
        Self { action: Action::Op(op), args, results: List::new(), targets: List::new() }
    }

    /// The jump to `target`.
    pub fn jump(target: Block) -> Self {
        Self { action: Action::Op(D::jump()), args: List::new(), results: List::new(), targets: smallvec![target] }
    }

    /// The copy of `arg` to `dest`.
    pub fn copy(dest: impl Into<Dest>, arg: impl Into<Arg>) -> Self {
        Self {
            action: Action::Copy,
            args: smallvec![arg.into()],
            results: smallvec![dest.into()],
            targets: List::new(),
        }
    }

    /// Several copies at once: all reads before all writes.
    pub fn parallel_copy(pairs: impl IntoIterator<Item = (Dest, Arg)>) -> Self {
        let (results, args) = pairs.into_iter().unzip();
        Self { action: Action::Copy, args, results, targets: List::new() }
    }

    /// The same instruction with these results.
    #[must_use]
    pub fn with_results<R: Into<Dest>>(mut self, results: impl IntoIterator<Item = R>) -> Self {
        self.results = results.into_iter().map(Into::into).collect();
        self
    }

    /// The same instruction with these targets.
    #[must_use]
    pub fn with_targets(mut self, targets: impl IntoIterator<Item = Block>) -> Self {
        self.targets = targets.into_iter().collect();
        self
    }

    /// Whether it ends its block.
    pub fn is_terminator(&self) -> bool {
        let by_op = matches!(&self.action, Action::Op(op) if D::is_terminator(op));
        by_op || !self.targets.is_empty()
    }
}

/// A value: what is known about it besides its definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueData<D: Dialect> {
    /// Where its content comes from.
    pub kind: ValueKind<D::Constant>,
    /// Its type.
    pub ty: D::Type,
    /// The source variable it is a version of, if any: `%x.3`.
    pub name: Option<Variable>,
}

/// Where the content of a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueKind<C> {
    /// The caller passes it; the number is its position in the parameter list.
    Param(u32),
    /// It is bound before control enters.
    Constant(C),
    /// It has no content: what a variable holds before it is written.
    Undefined,
    /// A phi defines it.
    Phi,
    /// An instruction defines it.
    Result,
    /// Nothing defines it: not yet, or not any more.
    Detached,
}

/// A variable of the source program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariableData<D: Dialect> {
    /// Its name, which no other variable of the function has.
    pub name: Arc<str>,
    /// Its type.
    pub ty: D::Type,
}

/// Equal to the last id, name and order of edges. Compare canonical functions.
impl<D: Dialect> PartialEq for Function<D> {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, &self.params, self.entry) == (&other.name, &other.params, other.entry)
            && self.variables == other.variables
            && self.values == other.values
            && self.blocks == other.blocks
    }
}

impl<D: Dialect> Eq for Function<D> {}

impl<D: Dialect> Function<D> {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its parameters, in order.
    pub fn params(&self) -> &[Param] {
        &self.params
    }

    /// The block where control enters: the first one, unless another was chosen.
    pub fn entry(&self) -> Block {
        self.entry
    }

    /// Number of blocks, reachable or not.
    pub fn num_blocks(&self) -> usize {
        self.blocks.len()
    }

    /// Number of variables.
    pub fn num_variables(&self) -> usize {
        self.variables.len()
    }

    /// Number of values, detached ones included.
    pub fn num_values(&self) -> usize {
        self.values.len()
    }

    /// The ids of the blocks, in order.
    pub fn blocks(&self) -> impl DoubleEndedIterator<Item = Block> + ExactSizeIterator + use<D> {
        self.blocks.keys()
    }

    /// The ids of the variables, in order.
    pub fn variables(&self) -> impl DoubleEndedIterator<Item = Variable> + ExactSizeIterator + use<D> {
        self.variables.keys()
    }

    /// The ids of the values, in order.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = Value> + ExactSizeIterator + use<D> {
        self.values.keys()
    }

    /// What is in `block`.
    ///
    /// # Panics
    /// If there is no such block.
    pub fn block(&self, block: Block) -> &BlockData<D> {
        &self.blocks[block]
    }

    /// What is known of `variable`.
    ///
    /// # Panics
    /// If there is no such variable.
    pub fn variable(&self, variable: Variable) -> &VariableData<D> {
        &self.variables[variable]
    }

    /// What is known of `value`.
    ///
    /// # Panics
    /// If there is no such value.
    pub fn value(&self, value: Value) -> &ValueData<D> {
        &self.values[value]
    }

    /// The variable of that name.
    pub fn variable_named(&self, name: &str) -> Option<Variable> {
        self.lookup.variables.get(name)
    }

    /// The block that prints as `label`.
    pub fn block_labeled(&self, label: &str) -> Option<Block> {
        let by_name = self.lookup.blocks.get(label);
        by_name.or_else(|| self.block_of_default_label(label))
    }

    /// How `block` prints: its name, or `block` and its number.
    pub fn label(&self, block: Block) -> String {
        match self.blocks.get(block).and_then(|data| data.name.as_deref()) {
            Some(name) => name.to_owned(),
            None => block.to_string(),
        }
    }

    /// The parameter that `variable` holds when control enters; without one it holds nothing.
    ///
    /// This is what a construction answers where no write reaches; the
    /// accesses of the entry do not mention it, for an entry may be entered
    /// again.
    pub fn initial_value(&self, variable: Variable) -> Option<Value> {
        self.params.iter().find(|param| param.variable == Some(variable)).map(|param| param.value)
    }

    /// The constant that `value` is, if it is one.
    pub fn as_constant(&self, value: Value) -> Option<&D::Constant> {
        match &self.values.get(value)?.kind {
            ValueKind::Constant(constant) => Some(constant),
            _ => None,
        }
    }

    /// Whether instructions read or write variables.
    pub fn has_accesses(&self) -> bool {
        self.blocks.values().flat_map(|block| &block.insts).any(|inst| {
            let reads = inst.args.iter().any(|arg| matches!(arg, Arg::Variable(_)));
            reads || inst.results.iter().any(|dest| matches!(dest, Dest::Variable(_)))
        })
    }

    /// The unnamed block whose number `label` spells.
    pub(crate) fn block_of_default_label(&self, label: &str) -> Option<Block> {
        let digits = label.strip_prefix("block")?;
        let block = Block::try_new(digits.parse().ok()?)?;
        // Of several spellings of a number (`block07`) only the one that is printed counts.
        let unnamed = self.blocks.get(block)?.name.is_none();
        (unnamed && block.to_string() == label).then_some(block)
    }
}
