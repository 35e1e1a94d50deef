//! A machine that asks for more than the reference IR does.

use crate::rng::Rng;
use ssaphire::destruct::{DestructForm, Tied};
use ssaphire::graph::{IncomingEdge, InsertionPoints};
use ssaphire::{Block, Cfg, SsaForm, Value, ValueEvent};
use ssaphire_ir::{Action, Arg, Basic, Dest, DestructView, Function};

/// A function for a machine on which some edges cannot be split, and some instructions overwrite an operand.
#[derive(Debug)]
pub(super) struct Target<'f> {
    view: DestructView<'f, Basic>,
    function: &'f Function<Basic>,
    seed: u64,
}

impl<'f> Target<'f> {
    pub(super) fn new(function: &'f Function<Basic>, seed: u64) -> Self {
        Self { view: DestructView::new(function), function, seed }
    }

    /// Whether it is so, for about half of all numbers.
    fn is_so(&self, number: usize) -> bool {
        Rng::new(self.seed ^ (number as u64) << 20).below(2) == 0
    }
}

impl Cfg for Target<'_> {
    fn num_blocks(&self) -> usize {
        self.view.num_blocks()
    }

    fn entry(&self) -> Block {
        self.view.entry()
    }

    fn successors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.view.successors(block)
    }

    fn predecessors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.view.predecessors(block)
    }
}

impl SsaForm for Target<'_> {
    fn num_values(&self) -> usize {
        self.view.num_values()
    }

    fn globals(&self) -> impl Iterator<Item = Value> {
        self.view.globals()
    }

    fn phis(&self, block: Block) -> impl Iterator<Item = Value> {
        self.view.phis(block)
    }

    fn operands(&self, block: Block, phi: Value) -> impl Iterator<Item = Value> {
        self.view.operands(block, phi)
    }

    fn events(&self, block: Block) -> impl Iterator<Item = ValueEvent> {
        self.view.events(block)
    }
}

impl InsertionPoints for Target<'_> {
    fn num_results_at_top(&self, block: Block) -> usize {
        self.view.num_results_at_top(block)
    }

    fn num_terminator_uses(&self, block: Block) -> usize {
        self.view.num_terminator_uses(block)
    }
}

impl DestructForm for Target<'_> {
    /// Half of the time, constants have to be in registers.
    fn is_constant(&self, value: Value) -> bool {
        self.is_so(1) && self.view.is_constant(value)
    }

    /// Half of the time, there are two register classes.
    fn class(&self, value: Value) -> u32 {
        u32::from(self.is_so(0) && self.is_so(9_000 + value.index()))
    }

    fn variable(&self, value: Value) -> Option<ssaphire::Variable> {
        self.view.variable(value)
    }

    fn copied(&self, value: Value) -> Option<Value> {
        self.view.copied(value)
    }

    fn can_split(&self, edge: IncomingEdge) -> bool {
        self.is_so(2 + 3 * edge.source.index() + edge.slot as usize)
    }

    fn tied(&self, block: Block) -> impl Iterator<Item = Tied> {
        let mut event = self.function.results_at_top(block).len();
        let data = self.function.block(block);
        let body = data.insts().iter().filter(|inst| inst.targets.is_empty());
        body.filter_map(move |inst| {
            let first_event = event;
            event += inst.args.len() + inst.results.len();
            let (Action::Op(_), [Arg::Value(operand), ..], [.., Dest::Value(result)]) =
                (inst.action, inst.args, inst.results)
            else {
                return None;
            };
            let (operand, result) = (*operand, *result);
            self.is_so(7_000 + result.index()).then_some(Tied { first_event, operand, result })
        })
    }
}
