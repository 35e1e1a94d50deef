//! Functions in continuation-passing style.
//!
//! A [`Cps`] is a function whose control flow consists of calls of
//! *continuations*: local functions that never return, but end by calling
//! another one. Blocks become continuations, phis their parameters, and the
//! operands of a phi the arguments of the jumps. Dominating values are
//! captured, not passed.
//!
//! | Braun et al. 2013, section 5.2 | here |
//! |---|---|
//! | parameters instead of phis | [`Cps::params`] |
//! | arguments added to the calls of predecessors | [`Tail::args`]; `OpenCalls` until the function ends |
//! | directly from an imperative program | [`FunctionBuilder::finish_cps`](crate::FunctionBuilder::finish_cps) |
//! | from SSA form | [`Cps::of`] |
//! | no parameter that has to be removed again | [`ParameterCounter`] |
//! | Fig. 8c | [`print`](print()) |
//!
//! Continuations are first-order: they are called, and passed to `branch` and
//! to functions, but they are not values. `ret`, the return continuation, is a
//! parameter of the function. This is the flat form, where each continuation is
//! a block with parameters; [`Nesting`] gives the continuation that encloses
//! each definition, and [`Nesting::broken_rules`] checks that every mention is
//! in scope.
//!
//! * A jump passes arguments. A branch does not: an edge that needs arguments
//!   leads to a continuation without parameters that jumps on.
//! * A call of a function ends its continuation. The code after it is a
//!   continuation that takes the results; a call in a protected region takes
//!   one more for each handler.
//! * Unreachable blocks are left out.
//!
//! # Complexity
//! O(size of the function) to convert; the nesting also needs a dominator tree.
//!
//! # Departures
//! The figure has a single type, and shows no operations of other languages;
//! these are printed as their dialect prints them. Calls of functions are not
//! in the figure.

mod convert;
mod count;
mod error;
pub mod interp;
mod names;
mod nest;
mod open;
mod print;
pub mod scheme;
mod tables;

pub use count::ParameterCounter;
pub use error::NotSsa;
pub use nest::{BrokenScope, Nesting};
pub(crate) use open::OpenCalls;
pub use print::{Layout, print, to_string};

use crate::dialect::Syntax;
use crate::function::Action;
use ssaphire_graph::{Block, Value};
use std::fmt;
use std::sync::Arc;
use tables::{Run, Tables};

/// A continuation of a function, numbered densely from 0, the body of the function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Continuation(u32);

impl Continuation {
    /// The body of the function: its parameters are those of the function.
    pub const BODY: Self = Self(0);

    /// Continuation number `index`.
    pub const fn new(index: u32) -> Self {
        Self(index)
    }

    /// Its number.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for Continuation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "k{}", self.0)
    }
}

/// A function in continuation-passing style.
///
/// Two of them are equal if all numbers agree: values are numbered in the order of their mentions, and continuations in
/// the order of their blocks.
///
/// # Examples
/// ```
/// use ssaphire_ir::cps::{Cps, Layout, to_string};
/// use ssaphire_ir::{Basic, Function, text};
///
/// let source = "\
/// func f(%x.0) {
/// block0:
///   branch %x.0, block1, block2
/// block1:
///   jump block3
/// block2:
///   jump block3
/// block3: <- block1, block2
///   %y.0 = phi %x.0, 1
///   return %y.0
/// }
/// ";
/// let function: Function<Basic> = text::parse(source)?;
/// let expected = "\
/// f(x : int, ret : int → ⊥) → ⊥ {
///   let then := () → ⊥
///         next(x)
///       else := () → ⊥
///         next(1)
///       next := (y : int) → ⊥
///         ret(y)
///   in
///   branch(x, then, else)
/// }
/// ";
/// assert_eq!(to_string(&Cps::of(&function)?, Layout::Nested), expected);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cps<D: Syntax> {
    name: String,
    tables: Tables<D>,
}

/// The meaning of a value of a [`Cps`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning<'c, C> {
    /// A parameter of a continuation, or the result of an operation.
    Bound,
    /// A constant.
    Constant(&'c C),
    /// The initial content of a variable without writes.
    Undefined,
}

/// An operation or a copy in the body of a continuation; its results are bound from there on.
#[derive(Debug, PartialEq, Eq)]
pub struct Binding<'c, D: Syntax> {
    /// The operation or copy.
    pub action: &'c Action<D::Op>,
    /// Its operands.
    pub args: &'c [Value],
    /// Its results.
    pub results: &'c [Value],
}

/// The end of a continuation.
#[derive(Debug, PartialEq, Eq)]
pub struct Tail<'c, D: Syntax> {
    /// The operation; `None` if it only forwards the arguments of an edge.
    pub op: Option<&'c D::Op>,
    /// The kind of the end.
    pub kind: TailKind,
    /// The arguments that a jump passes, or the operands of the operation.
    pub args: &'c [Value],
    /// The possible successors, by slot. Except for jumps, the first one takes the results of the operation as
    /// parameters, and the others take none.
    pub continuations: &'c [Continuation],
}

/// The kind of the end of a continuation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TailKind {
    /// A call of a single continuation, with arguments.
    Jump,
    /// An operation that ended its block: it chooses a continuation, or none if it returns or traps.
    Operation,
    /// A call of a function in the middle of a block, which returns to the single continuation named.
    Call,
}

// Derived, these would require `Clone` or `Copy` of operations.
impl<D: Syntax> Clone for Binding<'_, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: Syntax> Copy for Binding<'_, D> {}

impl<D: Syntax> Clone for Tail<'_, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: Syntax> Copy for Tail<'_, D> {}

impl<D: Syntax> Cps<D> {
    /// The name of the function.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Number of continuations, the body of the function included.
    pub fn num_continuations(&self) -> usize {
        self.tables.continuations.len()
    }

    /// The continuations, in order.
    pub fn continuations(&self) -> impl DoubleEndedIterator<Item = Continuation> + ExactSizeIterator + use<D> {
        (0..self.tables.continuations.len() as u32).map(Continuation)
    }

    /// The parameters of a continuation: its phis ordered by variable, or the results of the operation that leads to
    /// it.
    ///
    /// # Panics
    /// If there is no such continuation.
    pub fn params(&self, of: Continuation) -> &[Value] {
        self.tables.values_in(self.tables.continuations[of.index()].params)
    }

    /// The bindings of a continuation before its tail, in order.
    ///
    /// # Panics
    /// If there is no such continuation.
    pub fn bindings(&self, of: Continuation) -> impl DoubleEndedIterator<Item = Binding<'_, D>> + ExactSizeIterator {
        let Run { start, end } = self.tables.continuations[of.index()].bindings;
        self.tables.bindings[start as usize..end as usize].iter().map(|binding| Binding {
            action: &binding.action,
            args: self.tables.values_in(binding.args),
            results: self.tables.values_in(binding.results),
        })
    }

    /// The end of a continuation.
    ///
    /// # Panics
    /// If there is no such continuation.
    pub fn tail(&self, of: Continuation) -> Tail<'_, D> {
        let tail = &self.tables.continuations[of.index()].tail;
        let Run { start, end } = tail.continuations;
        Tail {
            op: tail.op.as_ref(),
            kind: tail.kind,
            args: self.tables.values_in(tail.args),
            continuations: &self.tables.targets[start as usize..end as usize],
        }
    }

    /// The block that a continuation was made from, and the position of its first instruction; `None` if it was made
    /// for an edge.
    ///
    /// # Panics
    /// If there is no such continuation.
    pub fn origin(&self, of: Continuation) -> Option<(Block, usize)> {
        self.tables.continuations[of.index()].origin.map(|(block, index)| (block, index as usize))
    }

    /// The name of the block that a continuation was made from.
    ///
    /// # Panics
    /// If there is no such continuation.
    pub fn label(&self, of: Continuation) -> Option<&str> {
        self.tables.continuations[of.index()].label.as_deref()
    }

    /// Number of values.
    pub fn num_values(&self) -> usize {
        self.tables.values.len()
    }

    /// The meaning of a value.
    ///
    /// # Panics
    /// If there is no such value.
    pub fn meaning(&self, value: Value) -> Meaning<'_, D::Constant> {
        self.tables.values[value.index()].meaning()
    }

    /// The type of a value.
    ///
    /// # Panics
    /// If there is no such value.
    pub fn ty(&self, value: Value) -> &D::Type {
        &self.tables.values[value.index()].ty
    }

    /// The name of the variable that a value is a version of.
    ///
    /// # Panics
    /// If there is no such value.
    pub fn variable_name(&self, value: Value) -> Option<&str> {
        let name = self.tables.values[value.index()].name?;
        self.tables.names.get(name as usize).map(|name: &Arc<str>| &**name)
    }
}
