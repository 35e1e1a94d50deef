//! The rules of SSA form, for a result nobody saw being made.
//!
//! * Every phi has one operand per incoming edge.
//! * Every value has one definition: a global, a phi, or an event of one block.
//! * Every use is dominated by the definition of its value. An event's use is,
//!   if the definition stands above it; the operand of a phi, if the definition
//!   dominates the end of its edge's source.
//!
//! Uses in blocks without a path from the entry are not judged, and neither are
//! operands for edges from them; definitions there count, as definitions that
//! dominate nothing.
//!
//! # Complexity
//! O(*n* + *e* + uses + operands), and what the dominator tree takes.

use crate::definitions::{Definitions, Site};
use crate::violation::Violation;
use alloc::vec::Vec;
use ssaphire_graph::{Block, DominatorTree, FlatCfg, IdSet, SsaForm, Value, ValueEvent};

/// The rules of SSA form that `form` breaks, sorted; none if it is structurally valid.
///
/// Says nothing about a source: see [`validate`](crate::validate()).
pub fn rules(form: &impl SsaForm) -> Vec<Violation> {
    Rules::new().check(form)
}

/// The memory of [`rules`], for many functions in turn.
#[derive(Debug, Default)]
pub struct Rules {
    cfg: FlatCfg,
    tree: DominatorTree,
    definitions: Definitions,
    passed: IdSet<Value>,
}

impl Rules {
    /// Rules without memory of their own yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Does what [`rules`] does, in the memory there is.
    pub fn check(&mut self, form: &impl SsaForm) -> Vec<Violation> {
        let mut violations = Vec::new();
        match self.cfg.rebuild(form) {
            Ok(()) => {
                self.tree.rebuild(&self.cfg);
                self.definitions.rebuild(form, &mut violations);
                self.check_uses(form, &mut violations);
            }
            Err(error) => violations.push(error.into()),
        }
        violations.sort_unstable();
        violations.dedup();
        violations
    }

    fn check_uses(&mut self, form: &impl SsaForm, violations: &mut Vec<Violation>) {
        self.passed.clear();
        for block in self.cfg.blocks().filter(|&block| self.tree.is_reachable(block)) {
            for phi in form.phis(block) {
                self.check_operands(form, block, phi, violations);
            }
            for event in form.events(block) {
                match event {
                    ValueEvent::Use(value) => violations.extend(self.check_use(block, value)),
                    ValueEvent::Def(value) => {
                        self.passed.insert(value);
                    }
                }
            }
        }
    }

    fn check_operands(&self, form: &impl SsaForm, block: Block, phi: Value, violations: &mut Vec<Violation>) {
        let edges = self.cfg.incoming(block).iter().map(|&edge| self.cfg.source(edge));
        for (operand, (value, source)) in form.operands(block, phi).zip(edges).enumerate() {
            if !self.tree.is_reachable(source) {
                continue;
            }
            match self.definitions.site(value) {
                Site::Global => {}
                Site::Nowhere => violations.push(Violation::NotDefined { value, block }),
                Site::Phi(definition) | Site::ValueEvent(definition) => {
                    if !self.tree.dominates(definition, source) {
                        let violation =
                            Violation::OperandNotDominated { value, phi, block, operand, source, definition };
                        violations.push(violation);
                    }
                }
            }
        }
    }

    /// What is wrong with a use by an event of `block`, after the events passed.
    fn check_use(&self, block: Block, value: Value) -> Option<Violation> {
        match self.definitions.site(value) {
            Site::Global => None,
            Site::Nowhere => Some(Violation::NotDefined { value, block }),
            Site::ValueEvent(definition) if definition == block => {
                (!self.passed.contains(value)).then_some(Violation::UsedBeforeDefined { value, block })
            }
            Site::Phi(definition) | Site::ValueEvent(definition) => {
                let violation = Violation::NotDominated { value, block, definition };
                (!self.tree.dominates(definition, block)).then_some(violation)
            }
        }
    }
}
