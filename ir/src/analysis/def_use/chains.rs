//! Definitions and uses of values, collected in one walk over the function.

use crate::analysis::subject::Subject;
use crate::dialect::Syntax;
use crate::function::{Arg, Dest, IncomingEdge, InstRef};
use ssaphire_graph::{Block, Value};

/// A phi or an instruction.
#[derive(Clone, Copy)]
pub(super) struct Site {
    pub(super) block: Block,
    /// The index among the phis and then the instructions of the block.
    pub(super) position: usize,
}

/// The origin of a value.
#[derive(Clone, Copy)]
pub(super) enum Origin {
    /// The caller passes it, at this position.
    Param(usize),
    /// A phi or instruction defines it.
    Site(Site),
    /// A terminator defines it on the edge to its first successor.
    Edge(Site, Block),
}

pub(super) struct Definition {
    pub(super) value: Value,
    pub(super) origin: Origin,
}

pub(super) struct Use {
    pub(super) site: Site,
    /// The index among the operands of the phi or the arguments of the instruction.
    pub(super) operand: usize,
    /// The edge along which a phi takes it.
    pub(super) edge: Option<IncomingEdge>,
}

/// Definitions and uses, in text order.
#[derive(Default)]
pub(super) struct Chains {
    definitions: Vec<Definition>,
    /// By value.
    uses: Vec<(Value, Use)>,
}

impl Chains {
    pub(super) fn new<D: Syntax>(subject: &Subject<'_, D>) -> Self {
        let mut chains = Self::default();
        for (index, param) in subject.function.params().iter().enumerate() {
            chains.define(param.value, Origin::Param(index));
        }
        subject.function.blocks().for_each(|block| chains.block(subject, block));
        chains.uses.retain(|&(value, _)| !subject.is_everywhere(value));
        // Stable: the uses of one value stay in text order.
        chains.uses.sort_by_key(|&(value, _)| value);
        chains
    }

    /// The definitions, parameters first.
    pub(super) fn definitions(&self) -> &[Definition] {
        &self.definitions
    }

    /// The uses of `value`.
    pub(super) fn uses(&self, value: Value) -> impl Iterator<Item = &Use> {
        let first = self.uses.partition_point(|&(other, _)| other < value);
        self.uses[first..].iter().take_while(move |(other, _)| *other == value).map(|(_, use_)| use_)
    }

    fn define(&mut self, value: Value, origin: Origin) {
        self.definitions.push(Definition { value, origin });
    }

    fn block<D: Syntax>(&mut self, subject: &Subject<'_, D>, block: Block) {
        let data = subject.function.block(block);
        for (position, phi) in data.phis().iter().enumerate() {
            let site = Site { block, position };
            self.define(phi.value, Origin::Site(site));
            for (operand, (&value, &edge)) in phi.operands.iter().zip(data.incoming()).enumerate() {
                self.uses.push((value, Use { site, operand, edge: Some(edge) }));
            }
        }
        for (index, inst) in data.insts().iter().enumerate() {
            self.inst(Site { block, position: data.phis().len() + index }, inst);
        }
    }

    fn inst<D: Syntax>(&mut self, site: Site, inst: InstRef<'_, D>) {
        for (operand, &arg) in inst.args.iter().enumerate() {
            if let Arg::Value(value) = arg {
                self.uses.push((value, Use { site, operand, edge: None }));
            }
        }
        // Only terminators have targets, and their results are written in the first target.
        let origin = inst.targets.first().map_or(Origin::Site(site), |&target| Origin::Edge(site, target));
        for &dest in inst.results {
            if let Dest::Value(value) = dest {
                self.define(value, origin);
            }
        }
    }
}
