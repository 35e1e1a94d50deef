//! The code as SSA form, for the judge.

use super::code::{Code, Inst, Op};
use ssaphire::graph::FlatCfg;
use ssaphire::{Block, Cfg, SsaForm, Value, ValueEvent};

pub(crate) struct Form<'a> {
    pub(crate) code: &'a Code,
    pub(crate) cfg: FlatCfg,
}

impl Form<'_> {
    fn phi_insts(&self, block: Block) -> impl Iterator<Item = &Inst> {
        self.code.insts(block).iter().filter(|inst| inst.op == Op::Phi)
    }
}

impl Cfg for Form<'_> {
    fn num_blocks(&self) -> usize {
        self.cfg.num_blocks()
    }

    fn entry(&self) -> Block {
        self.cfg.entry()
    }

    fn successors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.cfg.successors(block)
    }

    fn predecessors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.cfg.predecessors(block)
    }
}

impl SsaForm for Form<'_> {
    fn num_values(&self) -> usize {
        self.code.num_values()
    }

    fn globals(&self) -> impl Iterator<Item = Value> {
        [Value::new(0)].into_iter()
    }

    fn phis(&self, block: Block) -> impl Iterator<Item = Value> {
        self.phi_insts(block).filter_map(|phi| phi.result)
    }

    fn operands(&self, block: Block, phi: Value) -> impl Iterator<Item = Value> {
        self.phi_insts(block).filter(move |inst| inst.result == Some(phi)).flat_map(|phi| phi.args.iter().copied())
    }

    fn events(&self, block: Block) -> impl Iterator<Item = ValueEvent> {
        let insts = self.code.insts(block).iter().filter(|inst| inst.op != Op::Phi);
        let uses = |inst: &'_ Inst| inst.args.iter().copied().map(ValueEvent::Use).collect::<Vec<_>>();
        insts.flat_map(move |inst| uses(inst).into_iter().chain(inst.result.map(ValueEvent::Def)))
    }
}
