//! The arguments of an operation at hand.

use crate::calls::SsaBuilder;
use alloc::vec::Vec;
use ssaphire_graph::Value;

/// Some values, as they were handed out, and what they stand for so far.
///
/// What is handed out again is what was handed out before: a recording builder may have heard of nothing else.
#[derive(Clone, Debug, Default)]
pub(super) struct Arguments {
    pub(super) given: Vec<Value>,
    pub(super) resolved: Vec<Value>,
}

impl Arguments {
    pub(super) fn set(&mut self, ssa: &mut impl SsaBuilder, args: &[Value]) {
        self.given.clear();
        self.given.extend_from_slice(args);
        self.resolved.clear();
        self.resolved.extend(args.iter().map(|&arg| ssa.resolve(arg)));
    }

    /// As what this value was given, if it is one of these.
    pub(super) fn as_given(&self, resolved: Value) -> Option<Value> {
        let place = self.resolved.iter().position(|&arg| arg == resolved)?;
        self.given.get(place).copied()
    }
}
