//! The definition of each value, and the rules that need no path.

use crate::violation::Violation;
use alloc::vec::Vec;
use ssaphire_graph::{Block, IdMap, SsaForm, Value, ValueEvent};

/// The place of a value's definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Site {
    Nowhere,
    /// Before the entry.
    Global,
    /// By a phi, at the top of the block.
    Phi(Block),
    /// By an event of the block.
    ValueEvent(Block),
}

/// The definition of each value. Rebuilding reuses memory.
#[derive(Debug, Default)]
pub(crate) struct Definitions {
    site: IdMap<Value, Site>,
}

impl Definitions {
    /// Becomes the definitions of `form`, in reachable blocks or not; for a value defined twice, the first one.
    ///
    /// Reports values beyond the number of values of the form, values with two definitions, phis without one operand
    /// per incoming edge, and phis in the entry.
    pub(crate) fn rebuild(&mut self, form: &impl SsaForm, violations: &mut Vec<Violation>) {
        let num_values = form.num_values();
        self.site.reset(num_values, Site::Nowhere);
        for global in form.globals() {
            if Self::is_one_of(global, num_values, violations) {
                self.site[global] = Site::Global;
            }
        }
        for block in (0..form.num_blocks()).map(Block::new) {
            let mut edges = None;
            for phi in form.phis(block) {
                if block == form.entry() {
                    violations.push(Violation::PhiInEntry { block, phi });
                }
                let edges = *edges.get_or_insert_with(|| form.predecessors(block).count());
                let operands = form.operands(block, phi).count();
                if operands != edges {
                    violations.push(Violation::OperandCount { block, phi, operands, edges });
                }
                if Self::is_one_of(phi, num_values, violations) {
                    self.bind(phi, Site::Phi(block), block, violations);
                }
            }
            form.events(block).for_each(|event| {
                let ValueEvent::Def(value) = event else { return };
                if Self::is_one_of(value, num_values, violations) {
                    self.bind(value, Site::ValueEvent(block), block, violations);
                }
            });
        }
    }

    /// The place of the definition of `value`.
    pub(crate) fn site(&self, value: Value) -> Site {
        self.site.get(value).copied().unwrap_or(Site::Nowhere)
    }

    /// Whether `value` has no definition.
    pub(crate) fn is_nowhere(&self, value: Value) -> bool {
        self.site(value) == Site::Nowhere
    }

    /// Returns whether the value is one of the first `num_values`; reports it if not.
    fn is_one_of(value: Value, num_values: usize, violations: &mut Vec<Violation>) -> bool {
        let is_one = value.index() < num_values;
        if !is_one {
            violations.push(Violation::NoSuchValue { value, num_values });
        }
        is_one
    }

    fn bind(&mut self, value: Value, site: Site, block: Block, violations: &mut Vec<Violation>) {
        match self.site[value] {
            Site::Nowhere => self.site[value] = site,
            Site::Global => violations.push(Violation::GlobalDefined { value, block }),
            Site::Phi(first) | Site::ValueEvent(first) => {
                violations.push(Violation::DefinedTwice { value, first, second: block });
            }
        }
    }
}
