//! The rules of SSA form, for a result of unknown origin.
//!
//! * Every phi has one operand per incoming edge.
//! * Every value has one definition: a global, a phi, or an event of one block.
//! * Every definition dominates the uses of its value. It dominates an event of its own block if it is above the event,
//!   and a phi operand if it dominates the end of the source of the operand's edge.
//!
//! Uses in blocks without a path from the entry are not judged, and neither are
//! operands for edges from them; definitions there count, as definitions that
//! dominate nothing.
//!
//! # Complexity
//! O(*n* + *e* + uses + operands), plus that of the dominator tree.

use crate::definitions::Site;
use crate::frame::Frame;
use crate::program::Program;
use crate::violation::Violation;
use alloc::vec::Vec;
use ssaphire_graph::{Block, IdSet, SsaForm, Value, ValueEvent};

/// The rules of SSA form that `form` breaks, sorted; none if it is structurally valid.
///
/// It does not check equivalence to a source: see [`validate`](crate::validate()).
pub fn rules(form: &impl SsaForm) -> Vec<Violation> {
    Rules::new().check(form)
}

/// The memory of [`rules`], for many functions in turn.
#[derive(Debug, Default)]
pub struct Rules {
    frame: Frame,
    uses: Uses,
}

impl Rules {
    /// Rules without memory of their own yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Like [`rules`], with reused memory.
    pub fn check(&mut self, form: &impl SsaForm) -> Vec<Violation> {
        let mut violations = Vec::new();
        if self.frame.rebuild(form, &mut violations) {
            self.uses.check(form, &self.frame, &mut violations);
        }
        violations.sort_unstable();
        violations.dedup();
        violations
    }
}

/// The memory of the rule about uses.
#[derive(Debug, Default)]
pub(crate) struct Uses {
    passed: IdSet<Value>,
}

impl Uses {
    /// Reports the uses that a definition does not dominate. Needs: the frame of `form`.
    pub(crate) fn check(&mut self, form: &impl SsaForm, frame: &Frame, violations: &mut Vec<Violation>) {
        self.passed.clear();
        for block in frame.cfg.blocks().filter(|&block| frame.is_reachable(block)) {
            for phi in form.phis(block) {
                check_operands(form, frame, block, phi, violations);
            }
            form.events(block).for_each(|event| match event {
                ValueEvent::Use(value) => violations.extend(self.check_use(frame, block, value)),
                ValueEvent::Def(value) => {
                    self.passed.insert(value);
                }
            });
        }
    }

    /// Forgets the definitions passed.
    pub(crate) fn clear(&mut self) {
        self.passed.clear();
    }

    /// Notes a definition: the following events of its block may use it.
    pub(crate) fn pass(&mut self, value: Value) {
        self.passed.insert(value);
    }

    /// The violation of a use by an event of `block`, after the events passed.
    pub(crate) fn check_use(&self, frame: &Frame, block: Block, value: Value) -> Option<Violation> {
        match frame.definitions.site(value) {
            Site::Global => None,
            Site::Nowhere => Some(Violation::NotDefined { value, block }),
            Site::ValueEvent(definition) if definition == block => {
                (!self.passed.contains(value)).then_some(Violation::UsedBeforeDefined { value, block })
            }
            Site::Phi(definition) | Site::ValueEvent(definition) => {
                let violation = Violation::NotDominated { value, block, definition };
                (!frame.tree.dominates(definition, block)).then_some(violation)
            }
        }
    }
}

/// Reports the phis of the result that have a dropped operand, which is not in the result.
///
/// Needs: the frame of `program` with its evidence.
pub(crate) fn check_dropped(program: &Program, frame: &Frame, violations: &mut Vec<Violation>) {
    if program.num_dropped() == 0 {
        return;
    }
    for block in frame.cfg.blocks().filter(|&block| frame.is_reachable(block)) {
        for &phi in program.phi_list(block).iter().filter(|phi| !phi.is_dropped) {
            let operands = program.operand_list(phi).iter().zip(frame.sources(block));
            let dropped = operands.filter(|&(&value, source)| frame.is_reachable(source) && program.is_dropped(value));
            let phi = phi.value;
            violations.extend(dropped.map(|(&value, _)| Violation::OperandDropped { block, phi, value }));
        }
    }
}

fn check_operands(form: &impl SsaForm, frame: &Frame, block: Block, phi: Value, violations: &mut Vec<Violation>) {
    for (operand, (value, source)) in form.operands(block, phi).zip(frame.sources(block)).enumerate() {
        if !frame.is_reachable(source) {
            continue;
        }
        match frame.definitions.site(value) {
            Site::Global => {}
            Site::Nowhere => violations.push(Violation::NotDefined { value, block }),
            Site::Phi(definition) | Site::ValueEvent(definition) => {
                if !frame.tree.dominates(definition, source) {
                    let violation = Violation::OperandNotDominated { value, phi, block, operand, source, definition };
                    violations.push(violation);
                }
            }
        }
    }
}
