//! The interpreter's machine for functions with slots.

use super::{Memory, MemoryOp};
use crate::dialect::Syntax;
use crate::interp::{Arity, Content, Flow, Machine, TrapKind};
use std::fmt;

/// The content of a value of memory form at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MemoryContent<V> {
    /// A content of the other dialect.
    Inner(V),
    /// The address of a slot.
    Address(u32),
}

impl<V: fmt::Display> fmt::Display for MemoryContent<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Inner(content) => content.fmt(f),
            Self::Address(slot) => write!(f, "slot {slot}"),
        }
    }
}

/// The semantics of memory form: the other dialect's operations are run by its own machine.
///
/// Slots are never freed. An operation of the other dialect traps on an address.
#[derive(Clone, Debug)]
pub struct MemoryMachine<M, V> {
    /// The machine of the other dialect.
    pub inner: M,
    slots: Vec<Content<MemoryContent<V>>>,
    args: Vec<Content<V>>,
    results: Vec<Content<V>>,
}

impl<M, V> MemoryMachine<M, V> {
    /// A machine without slots.
    pub fn new(inner: M) -> Self {
        Self { inner, slots: Vec::new(), args: Vec::new(), results: Vec::new() }
    }
}

impl<D: Syntax, M: Machine<D>> Machine<Memory<D>> for MemoryMachine<M, M::Content> {
    type Content = MemoryContent<M::Content>;

    fn constant(&mut self, constant: &D::Constant) -> Self::Content {
        MemoryContent::Inner(self.inner.constant(constant))
    }

    fn execute(
        &mut self,
        op: &MemoryOp<D::Op, D::Type>,
        args: &[Content<Self::Content>],
        shape: Arity,
        results: &mut Vec<Content<Self::Content>>,
    ) -> Result<Flow, TrapKind> {
        match op {
            MemoryOp::Inner(op) => return self.execute_inner(op, args, shape, results),
            MemoryOp::Slot(_) => {
                results.push(Content::Known(MemoryContent::Address(self.slots.len() as u32)));
                self.slots.push(Content::Undefined);
            }
            MemoryOp::Load { .. } => results.push(self.slot(args.first())?.clone()),
            MemoryOp::Store { .. } => {
                let stored = args.first().cloned().unwrap_or(Content::Undefined);
                *self.slot(args.get(1))? = stored;
            }
            MemoryOp::LifetimeStart | MemoryOp::LifetimeEnd => *self.slot(args.first())? = Content::Undefined,
        }
        Ok(Flow::Next)
    }

    fn at(&mut self, function: usize, block: ssaphire_graph::Block, index: usize) {
        self.inner.at(function, block, index);
    }

    fn handler(
        &mut self,
        op: &MemoryOp<D::Op, D::Type>,
        shape: Arity,
        heads: &[Option<&MemoryOp<D::Op, D::Type>>],
    ) -> Option<u32> {
        let heads: Vec<_> = heads.iter().map(|head| head.and_then(inner)).collect();
        self.inner.handler(inner(op)?, shape, &heads)
    }
}

impl<M, V: Clone> MemoryMachine<M, V> {
    fn slot(
        &mut self,
        address: Option<&Content<MemoryContent<V>>>,
    ) -> Result<&mut Content<MemoryContent<V>>, TrapKind> {
        let slot = match address {
            Some(Content::Known(MemoryContent::Address(slot))) => self.slots.get_mut(*slot as usize),
            Some(Content::Undefined) | None => return Err(TrapKind::Undefined),
            Some(Content::Known(MemoryContent::Inner(_))) => None,
        };
        slot.ok_or_else(|| TrapKind::Dialect("no address of a slot".to_owned()))
    }

    fn execute_inner<D: Syntax>(
        &mut self,
        op: &D::Op,
        args: &[Content<MemoryContent<V>>],
        shape: Arity,
        results: &mut Vec<Content<MemoryContent<V>>>,
    ) -> Result<Flow, TrapKind>
    where
        M: Machine<D, Content = V>,
    {
        self.args.clear();
        for arg in args {
            self.args.push(match arg {
                Content::Undefined => Content::Undefined,
                Content::Known(MemoryContent::Inner(content)) => Content::Known(content.clone()),
                Content::Known(MemoryContent::Address(_)) => {
                    return Err(TrapKind::Dialect("an address is nothing to compute with".to_owned()));
                }
            });
        }
        self.results.clear();
        let flow = self.inner.execute(op, &self.args, shape, &mut self.results)?;
        results.extend(self.results.drain(..).map(|result| match result {
            Content::Undefined => Content::Undefined,
            Content::Known(content) => Content::Known(MemoryContent::Inner(content)),
        }));
        Ok(flow)
    }
}

/// The operation of the other dialect, if it is one.
fn inner<O, T>(op: &MemoryOp<O, T>) -> Option<&O> {
    match op {
        MemoryOp::Inner(op) => Some(op),
        _ => None,
    }
}
