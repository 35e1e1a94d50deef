//! What is live to begin with.

use super::Options;
use super::mark::Marking;
use super::undefined::maybe_undefined;
use crate::dialect::Semantics;
use crate::function::{Action, Arg, Dest, InstRef};
use ssaphire::graph::{IdSet, Order};
use ssaphire::{Block, Value};

impl<D: Semantics> Marking<'_, D> {
    /// Marks instructions with an effect, terminators that leave the function, and other terminators that have to stay.
    pub(super) fn mark_roots(&mut self, options: Options) {
        self.mark_effects();
        self.mark_infinite_loops();
        if options.keep_loops {
            self.mark_loops();
        }
    }

    fn mark_effects(&mut self) {
        let function = self.function;
        let undefined = maybe_undefined(function);
        for block in function.blocks() {
            for (index, inst) in function.block(block).insts().iter().enumerate() {
                if is_root(inst, &undefined) {
                    self.mark_inst(block, index);
                }
            }
        }
    }

    /// Marks the terminators of blocks from which no path leaves the function: without them, there is no live block at
    /// which control could continue.
    fn mark_infinite_loops(&mut self) {
        let cfg = self.cfg;
        let mut ending = IdSet::new();
        let mut work: Vec<Block> = cfg.blocks().filter(|&block| cfg.targets(block).is_empty()).collect();
        while let Some(block) = work.pop() {
            if ending.insert(block) {
                work.extend(cfg.incoming(block).iter().map(|&edge| cfg.source(edge)));
            }
        }
        for block in cfg.blocks().filter(|&block| !ending.contains(block)) {
            self.mark_terminator(block);
        }
    }

    /// Marks the terminators with retreating edges: each cycle has one, which determines the number of iterations.
    fn mark_loops(&mut self) {
        let cfg = self.cfg;
        let order = Order::new(cfg);
        for block in cfg.blocks() {
            if cfg.outgoing(block).any(|edge| order.is_retreating(cfg, edge)) {
                self.mark_terminator(block);
            }
        }
    }
}

fn is_root<D: Semantics>(inst: InstRef<'_, D>, undefined: &IdSet<Value>) -> bool {
    let leaves = inst.is_terminator() && inst.targets.is_empty();
    let writes_variable = inst.results.iter().any(|dest| matches!(dest, Dest::Variable(_)));
    let may_be_undefined = |arg: &Arg| match *arg {
        Arg::Value(value) => undefined.contains(value),
        Arg::Variable(_) => true,
    };
    let acts = match inst.action {
        Action::Copy => false,
        Action::Op(op) => {
            let properties = D::properties(op);
            properties.needs_defined && inst.args.iter().any(may_be_undefined)
                || properties.has_effect && !properties.only_branches
        }
    };
    leaves || writes_variable || acts
}
