//! The arguments of the current operation.

use crate::calls::SsaBuilder;
use alloc::vec::Vec;
use ssaphire_graph::Value;

/// Some values as they were given, and the values they resolve to so far.
///
/// The folder returns values as they were given: a recording builder may know no others.
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

    /// The given form of this resolved value, if it is among the arguments.
    pub(super) fn as_given(&self, resolved: Value) -> Option<Value> {
        let place = self.resolved.iter().position(|&arg| arg == resolved)?;
        self.given.get(place).copied()
    }
}

/// Two arguments, exchanged; of any other number, nothing that matters.
pub(super) fn exchanged_args(args: &[Value]) -> [Value; 2] {
    match *args {
        [first, second] => [second, first],
        _ => [Value::new(0); 2],
    }
}
