//! A program as a graph, as a source, and as a claim.

use super::{Program, ProgramEvent};
use ssaphire_graph::{Access, Block, Cfg, SsaForm, Value, ValueEvent, VariableForm};

impl Cfg for Program {
    fn num_blocks(&self) -> usize {
        self.row_of.len()
    }

    fn entry(&self) -> Block {
        self.entry
    }

    fn successors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.outgoing.of(block).iter().copied()
    }

    fn predecessors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.incoming(block).iter().copied()
    }
}

impl VariableForm for Program {
    fn num_variables(&self) -> usize {
        self.num_variables
    }

    fn accesses(&self, block: Block) -> impl Iterator<Item = Access> {
        self.event_list(block).iter().map(|&event| match event {
            ProgramEvent::Def { variable, .. } => Access::Write(variable),
            ProgramEvent::Use { variable, .. } => Access::Read(variable),
            ProgramEvent::Copy { dst, src } => Access::Copy(dst, src),
        })
    }
}

/// Only the result.
impl SsaForm for Program {
    fn num_values(&self) -> usize {
        self.num_values
    }

    fn globals(&self) -> impl Iterator<Item = Value> {
        self.globals.iter().chain(&self.undefined).copied()
    }

    fn phis(&self, block: Block) -> impl Iterator<Item = Value> {
        self.phi_list(block).iter().filter(|phi| !phi.is_dropped).map(|phi| phi.value)
    }

    fn operands(&self, block: Block, phi: Value) -> impl Iterator<Item = Value> {
        let phi = self.phi_at(block, phi);
        phi.map(|phi| self.operand_list(phi)).unwrap_or_default().iter().copied()
    }

    fn events(&self, block: Block) -> impl Iterator<Item = ValueEvent> {
        self.value_events(block).filter(|&event| match event {
            ValueEvent::Use(value) => !self.is_dropped(value),
            ValueEvent::Def(_) => true,
        })
    }
}

impl Program {
    /// All events of the claim, including reads that return a dropped phi.
    fn value_events(&self, block: Block) -> impl Iterator<Item = ValueEvent> {
        self.event_list(block).iter().filter_map(|&event| match event {
            ProgramEvent::Def { value, .. } => (!self.is_global(value)).then_some(ValueEvent::Def(value)),
            ProgramEvent::Use { value, .. } => Some(ValueEvent::Use(value)),
            ProgramEvent::Copy { .. } => None,
        })
    }
}

/// The result and the evidence for claims about it: dropped phis, and reads that return them.
pub(crate) struct WithEvidence<'a>(pub(crate) &'a Program);

impl Cfg for WithEvidence<'_> {
    fn num_blocks(&self) -> usize {
        self.0.num_blocks()
    }

    fn entry(&self) -> Block {
        self.0.entry()
    }

    fn successors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.0.successors(block)
    }

    fn predecessors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.0.predecessors(block)
    }
}

impl SsaForm for WithEvidence<'_> {
    fn num_values(&self) -> usize {
        self.0.num_values()
    }

    fn globals(&self) -> impl Iterator<Item = Value> {
        self.0.globals()
    }

    fn phis(&self, block: Block) -> impl Iterator<Item = Value> {
        self.0.phi_list(block).iter().map(|phi| phi.value)
    }

    fn operands(&self, block: Block, phi: Value) -> impl Iterator<Item = Value> {
        self.0.operands(block, phi)
    }

    fn events(&self, block: Block) -> impl Iterator<Item = ValueEvent> {
        self.0.value_events(block)
    }
}
