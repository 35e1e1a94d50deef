//! Instructions, outside of and in functions.

use super::pool::{self, Pool, Span};
use crate::dialect::Syntax;
use smallvec::{SmallVec, smallvec};
use ssaphire_graph::{Block, Value, Variable};

/// A list that stores up to `N` items inline: most lists of an instruction are that short.
pub type List<T, const N: usize> = SmallVec<[T; N]>;

/// An operand of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Arg {
    /// The current value of the variable.
    Variable(Variable),
    /// A value.
    Value(Value),
}

/// A result of an instruction.
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

/// The action of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action<Op> {
    /// An operation of the dialect.
    Op(Op),
    /// Copies argument number *i* to result number *i*, all in parallel.
    Copy,
}

/// An instruction outside of a function. It reads all its arguments before it writes any result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inst<D: Syntax> {
    /// The operation or copy.
    pub action: Action<D::Op>,
    /// Its arguments.
    pub args: List<Arg, 2>,
    /// Its results. Those of a terminator are written in the successor at slot 0.
    pub results: List<Dest, 2>,
    /// Its targets, by slot; empty except for terminators.
    pub targets: List<Block, 4>,
}

impl<D: Syntax> Inst<D> {
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

    /// Parallel copies: all reads before all writes.
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
        self.as_ref().is_terminator()
    }

    /// A reference to it, like that to an instruction of a function.
    pub fn as_ref(&self) -> InstRef<'_, D> {
        InstRef { action: &self.action, args: &self.args, results: &self.results, targets: &self.targets }
    }
}

/// An instruction of a function. Its parts are those of [`Inst`].
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InstRef<'f, D: Syntax> {
    /// The operation or copy.
    pub action: &'f Action<D::Op>,
    /// Its arguments.
    pub args: &'f [Arg],
    /// Its results. Those of a terminator are written in the successor at slot 0.
    pub results: &'f [Dest],
    /// Its targets, by slot; empty except for terminators.
    pub targets: &'f [Block],
}

// Derived, these would require `Clone` or `Copy` of operations.
impl<D: Syntax> Clone for InstRef<'_, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: Syntax> Copy for InstRef<'_, D> {}

impl<'f, D: Syntax> InstRef<'f, D> {
    /// The values among its results.
    pub(crate) fn defined_values(self) -> impl Iterator<Item = Value> + use<'f, D> {
        self.results.iter().filter_map(|dest| match *dest {
            Dest::Value(value) => Some(value),
            Dest::Variable(_) => None,
        })
    }

    /// Whether it ends its block.
    pub fn is_terminator(self) -> bool {
        let by_op = matches!(self.action, Action::Op(op) if D::is_terminator(op));
        by_op || !self.targets.is_empty()
    }

    /// An owned copy of the instruction.
    pub fn to_inst(self) -> Inst<D> {
        let (args, results, targets) = (self.args.into(), self.results.into(), self.targets.into());
        Inst { action: self.action.clone(), args, results, targets }
    }
}

/// An instruction as a function stores it: its lists are elsewhere.
#[derive(Clone, Debug)]
pub(crate) struct InstData<Op> {
    pub(crate) action: Action<Op>,
    pub(crate) args: Span,
    pub(crate) results: Span,
    pub(crate) targets: Span,
}

/// The instructions of all blocks, with all their lists.
#[derive(Clone, Debug)]
pub(crate) struct Code<D: Syntax> {
    pub(crate) insts: Pool<InstData<D::Op>>,
    pub(crate) args: Pool<Arg>,
    pub(crate) results: Pool<Dest>,
    pub(crate) targets: Pool<Block>,
}

impl<D: Syntax> Default for Code<D> {
    fn default() -> Self {
        Self { insts: Pool::default(), args: Pool::default(), results: Pool::default(), targets: Pool::default() }
    }
}

impl<D: Syntax> Code<D> {
    /// No instructions, and room for as many as `other` has.
    pub(crate) fn with_room_of(other: &Self) -> Self {
        Self {
            insts: Pool::with_room_of(&other.insts),
            args: Pool::with_room_of(&other.args),
            results: Pool::with_room_of(&other.results),
            targets: Pool::with_room_of(&other.targets),
        }
    }

    pub(crate) fn view<'f>(&'f self, data: &'f InstData<D::Op>) -> InstRef<'f, D> {
        InstRef {
            action: &data.action,
            args: self.args.span(data.args),
            results: self.results.span(data.results),
            targets: self.targets.span(data.targets),
        }
    }

    /// Stores an instruction and its lists.
    pub(crate) fn store(&mut self, inst: Inst<D>) -> InstData<D::Op> {
        let args = self.args.add_few(&inst.args, |arg| arg);
        let results = self.results.add_few(&inst.results, |dest| dest);
        let targets = self.targets.add_few(&inst.targets, |target| target);
        InstData { action: inst.action, args, results, targets }
    }

    /// Stores instructions as a list that may grow.
    pub(crate) fn store_list(&mut self, insts: impl IntoIterator<Item = Inst<D>>) -> pool::List {
        let start = self.insts.end();
        for inst in insts {
            let data = self.store(inst);
            self.insts.append(data);
        }
        self.insts.list_since(start)
    }

    /// Marks the lists of an instruction as waste.
    pub(crate) fn discard(&mut self, at: usize) {
        let InstData { args, results, targets, .. } = self.insts.all()[at];
        self.args.discard(args.len());
        self.results.discard(results.len());
        self.targets.discard(targets.len());
    }

    /// Whether all arguments and results are those of an instruction.
    pub(crate) fn is_dense(&self) -> bool {
        self.args.is_dense() && self.results.is_dense()
    }

    pub(crate) fn is_wasteful(&self) -> bool {
        self.insts.is_wasteful() || self.args.is_wasteful() || self.results.is_wasteful() || self.targets.is_wasteful()
    }

    /// Moves everything to tables without spare capacity; this one keeps its memory.
    pub(crate) fn take(&mut self) -> Self {
        Self {
            insts: self.insts.take(),
            args: self.args.take(),
            results: self.results.take(),
            targets: self.targets.take(),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.insts.clear();
        self.args.clear();
        self.results.clear();
        self.targets.clear();
    }
}

/// Some instructions of a block, in order.
#[derive(Debug)]
pub struct Insts<'f, D: Syntax> {
    pub(crate) code: &'f Code<D>,
    pub(crate) list: &'f [InstData<D::Op>],
}

impl<D: Syntax> Clone for Insts<'_, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: Syntax> Copy for Insts<'_, D> {}

impl<'f, D: Syntax> Insts<'f, D> {
    /// How many there are.
    pub fn len(self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.list.is_empty()
    }

    /// Instruction number `index`.
    pub fn get(self, index: usize) -> Option<InstRef<'f, D>> {
        self.list.get(index).map(|data| self.code.view(data))
    }

    /// The last one.
    pub fn last(self) -> Option<InstRef<'f, D>> {
        self.list.last().map(|data| self.code.view(data))
    }

    /// All of them, in order.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = InstRef<'f, D>> + ExactSizeIterator + Clone {
        self.list.iter().map(move |data| self.code.view(data))
    }

    /// Owned copies of the instructions.
    pub fn to_vec(self) -> Vec<Inst<D>> {
        self.iter().map(InstRef::to_inst).collect()
    }
}
