//! A host wrapper that reports forwarded values to a folder.

#[cfg(doc)]
use super::Folder;
use crate::host::{PhiHost, Placed, Shown, Uses};
use alloc::vec::Vec;
use ssaphire_graph::{Block, Value, Variable};

/// A host wrapper through which a [`Folder`] notes the values that the builder forwards.
pub struct Watched<'a> {
    host: &'a mut dyn PhiHost,
    forwarded: Option<&'a mut Vec<Value>>,
}

impl<'a> Watched<'a> {
    pub(super) fn new(host: &'a mut dyn PhiHost, forwarded: Option<&'a mut Vec<Value>>) -> Self {
        Self { host, forwarded }
    }
}

impl PhiHost for Watched<'_> {
    fn new_phi(&mut self, block: Block, variable: Variable) -> Value {
        self.host.new_phi(block, variable)
    }

    fn undefined(&mut self, variable: Variable) -> Value {
        self.host.undefined(variable)
    }

    fn forwarded(&mut self, from: Value, to: Value) {
        if let Some(forwarded) = &mut self.forwarded {
            forwarded.push(from);
        }
        self.host.forwarded(from, to);
    }

    fn visit_code(&self, visit: &mut dyn FnMut(Placed<'_>)) -> Shown {
        self.host.visit_code(visit)
    }

    fn visit_uses(&self, visit: &mut dyn FnMut(Value)) -> Uses {
        self.host.visit_uses(visit)
    }

    fn is_strict(&self) -> bool {
        self.host.is_strict()
    }
}
