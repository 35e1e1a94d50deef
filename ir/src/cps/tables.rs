//! The storage of a function in continuation-passing style: flat tables, in which lists are ranges.

use super::{Continuation, Meaning, TailKind};
use crate::dialect::Syntax;
use crate::function::Action;
use ssaphire_graph::{Block, Value};
use std::sync::Arc;

/// A range in one of the tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) start: u32,
    pub(super) end: u32,
}

/// A continuation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ContinuationData<Op> {
    pub(super) label: Option<Arc<str>>,
    pub(super) params: Run,
    pub(super) bindings: Run,
    pub(super) tail: TailData<Op>,
    pub(super) origin: Option<(Block, u32)>,
}

/// A binding in a continuation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BindingData<Op> {
    pub(super) action: Action<Op>,
    pub(super) args: Run,
    pub(super) results: Run,
}

/// The tail of a continuation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TailData<Op> {
    pub(super) op: Option<Op>,
    pub(super) kind: TailKind,
    pub(super) args: Run,
    pub(super) continuations: Run,
}

/// The meaning of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ValueKind<C> {
    Bound,
    Constant(C),
    Undefined,
}

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ValueData<C, T> {
    pub(super) kind: ValueKind<C>,
    pub(super) ty: T,
    /// The index of its name.
    pub(super) name: Option<u32>,
}

impl<C, T> ValueData<C, T> {
    pub(super) fn meaning(&self) -> Meaning<'_, C> {
        match &self.kind {
            ValueKind::Bound => Meaning::Bound,
            ValueKind::Constant(constant) => Meaning::Constant(constant),
            ValueKind::Undefined => Meaning::Undefined,
        }
    }
}

/// All tables of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tables<D: Syntax> {
    pub(super) continuations: Vec<ContinuationData<D::Op>>,
    pub(super) bindings: Vec<BindingData<D::Op>>,
    /// Parameters, arguments and results.
    pub(super) lists: Vec<Value>,
    pub(super) targets: Vec<Continuation>,
    pub(super) values: Vec<ValueData<D::Constant, D::Type>>,
    /// The names of variables.
    pub(super) names: Vec<Arc<str>>,
}

impl<D: Syntax> Default for Tables<D> {
    fn default() -> Self {
        Self {
            continuations: Vec::new(),
            bindings: Vec::new(),
            lists: Vec::new(),
            targets: Vec::new(),
            values: Vec::new(),
            names: Vec::new(),
        }
    }
}

impl<D: Syntax> Tables<D> {
    pub(super) fn values_in(&self, run: Run) -> &[Value] {
        &self.lists[run.start as usize..run.end as usize]
    }

    /// Stores a list of continuations.
    pub(super) fn add_targets(&mut self, targets: impl IntoIterator<Item = Continuation>) -> Run {
        let start = self.targets.len() as u32;
        self.targets.extend(targets);
        Run { start, end: self.targets.len() as u32 }
    }
}
