//! Engines that decide at the end: the function is shown to a classical constructor, and its answers are taken over.
//!
//! A read that its block cannot answer has got an incomplete phi. Where the
//! constructor places a phi of that block and variable, the incomplete one becomes it;
//! otherwise it is replaced by the reaching definition that the constructor found.

use crate::complete::{Accesses, Budget, Constructor, Found, Graph, Placed, Solution, Unsolved};
use crate::driven::blocks::{Blocks, Incoming};
use crate::driven::phis::{Phi, State};
use crate::driven::{Driven, Strategy};
use crate::engine::Engine;
use alloc::vec::Vec;
use ssaphire_construct::PhiHost;
use ssaphire_construct::parts::PhiId;
use ssaphire_construct::{CallErrorKind, Stopped};
use ssaphire_construct::{Observer, Reason};
use ssaphire_graph::{Block, Cfg, IdMap, PackedOption, Value, Variable};

/// Memory that is used again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    graph: Graph,
    accesses: Accesses,
    /// By read: the incomplete phi.
    reads: Vec<PhiId>,
    /// By write, the value.
    writes: Vec<Value>,
    /// By variable, the last block in which a definition was found.
    met: IdMap<Variable, PackedOption<Block>>,
}

/// An adapter that drives a constructor for complete functions with the calls of a builder.
#[derive(Clone, Debug)]
pub struct Deferred {
    constructor: &'static dyn Constructor,
    memory: Memory,
}

impl Deferred {
    /// The adapter for that engine, if it [decides at the end](Engine::decides_at_end).
    pub fn of(engine: Engine) -> Option<Self> {
        let constructor = engine.constructor()?;
        Some(Self { constructor, memory: Memory::default() })
    }
}

impl Strategy for Deferred {
    const KEEPS_USERS: bool = false;
    const DECIDES_AT_END: bool = true;

    fn clear(&mut self) {}

    /// Returns a placeholder, which is resolved at the end.
    fn look_up<O: Observer>(
        builder: &mut Driven<Self, O>,
        host: &mut dyn PhiHost,
        block: Block,
        variable: Variable,
    ) -> Result<Value, Stopped> {
        let data = builder.blocks.get(block);
        if block == builder.blocks.entry() || (data.is_sealed() && data.num_in == 0) {
            return builder.define_at_root(host, block, variable);
        }
        builder.make_incomplete_phi(host, block, variable)
    }

    fn queue_users<O: Observer>(_: &mut Driven<Self, O>, _: PhiId, _: Value, _: &mut Vec<PhiId>) -> u64 {
        0
    }

    fn decide_at_end<O: Observer>(builder: &mut Driven<Self, O>, host: &mut dyn PhiHost) -> Result<(), CallErrorKind> {
        builder.solve_and_take_over(host)
    }
}

/// The graph of the blocks, as far as any call named them.
struct View<'a> {
    blocks: &'a Blocks,
    incoming: &'a Incoming,
}

impl Cfg for View<'_> {
    fn num_blocks(&self) -> usize {
        self.blocks.num_ids()
    }

    fn entry(&self) -> Block {
        self.blocks.entry()
    }

    fn successors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.blocks.outgoing(block).map(|edge| self.blocks.edge(edge).target)
    }

    fn predecessors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.incoming.of(block).iter().map(|edge| edge.source)
    }
}

impl<O: Observer> Driven<Deferred, O> {
    /// Gives incomplete phis their operands, or replaces them.
    fn solve_and_take_over(&mut self, host: &mut dyn PhiHost) -> Result<(), CallErrorKind> {
        if self.blocks.num_mentioned() == 0 || (self.phis.len() == 0 && self.options.minimize) {
            // Each block has answered its reads: whatever is placed is not needed.
            return Ok(());
        }
        let mut whole = core::mem::take(&mut self.strategy.memory);
        let result = self.solve(&mut whole);
        let result = result.and_then(|solution| {
            self.take_over(host, &whole, &solution)?;
            // Incomplete phis only stood for answers.
            self.stats.phis_made = solution.num_placed;
            Ok(())
        });
        self.strategy.memory = whole;
        result
    }

    fn solve(&mut self, whole: &mut Memory) -> Result<Solution, CallErrorKind> {
        let view = View { blocks: &self.blocks, incoming: &self.incoming };
        if whole.graph.cfg.rebuild(&view).is_err() {
            unreachable!("the builder keeps both ends of its edges");
        }
        whole.graph.tree.rebuild(&whole.graph.cfg);
        self.collect_accesses(whole);
        let left = self.options.work_limit.map_or(u64::MAX, |limit| limit.saturating_sub(self.stats.work));
        let mut budget = Budget::new(left);
        debug_assert!(whole.accesses.fits(&whole.graph), "accesses are told for each block");
        let solved = self.strategy.constructor.solve(&whole.graph, &whole.accesses, &mut budget);
        let solution = match solved {
            Ok(solution) => solution,
            Err(Unsolved::OutOfWork) => {
                let limit = self.options.work_limit.unwrap_or(u64::MAX);
                return Err(self.stop(Stopped::OutOfWork { limit }).into());
            }
            Err(Unsolved::Irreducible { block }) => {
                self.stop(Stopped::Refused);
                return Err(CallErrorKind::Irreducible { block });
            }
            Err(Unsolved::TooManyPhis { phis, operands }) => {
                self.stop(Stopped::Refused);
                return Err(CallErrorKind::TooManyPhis { phis, operands });
            }
        };
        self.spend(budget.spent())?;
        self.stats.trivial_phis += solution.num_removed;
        self.stats.operands_scanned += solution.num_scanned;
        Ok(solution)
    }

    /// Lists, block by block, the incomplete phis as reads, and what the block holds in the end as writes.
    fn collect_accesses(&mut self, whole: &mut Memory) {
        let Memory { accesses, reads, writes, met, .. } = whole;
        accesses.begin(0);
        reads.clear();
        writes.clear();
        met.clear();
        let Self { blocks, links, definitions, values, phis, .. } = self;
        for block in (0..blocks.num_ids()).map(Block::new) {
            let data = blocks.get(block);
            let mut next = data.own.first_incomplete;
            while let Some(phi) = next.expand() {
                accesses.read(phis.get(phi).variable);
                reads.push(phi);
                next = phis.get(phi).next_incomplete;
            }
            let link = links.find(block).copied().unwrap_or_default();
            definitions.visit(&link.definitions, |variable, value| {
                met.grow_to(variable, PackedOption::NONE);
                let last = met[variable].replace(block);
                if last == block.into() {
                    // An older one.
                    return;
                }
                let held = values.resolve(value);
                let own = values.phi(held).map(|phi| phis.get(phi)).filter(|phi| phi.block == block);
                if own.is_none_or(|phi| phi.variable != variable) {
                    accesses.write(variable);
                    writes.push(value);
                }
            });
            accesses.end_block();
        }
    }

    /// Creates the phis that were placed, and replaces the other incomplete ones by their reaching definitions.
    fn take_over(&mut self, host: &mut dyn PhiHost, whole: &Memory, solution: &Solution) -> Result<(), Stopped> {
        let phis = self.make_placed(host, whole, solution)?;
        let mut operands = Vec::new();
        for (number, &phi) in (0..).zip(&phis) {
            let variable = self.phis.get(phi).variable;
            operands.clear();
            for &operand in solution.operands(number) {
                let found = solution.numbering.found(operand);
                operands.push(self.value_of(host, &phis, whole, found, variable)?);
            }
            self.give_operands(phi, &operands)?;
        }
        for (&phi, &found) in whole.reads.iter().zip(&solution.reads) {
            let Phi { variable, value, state, .. } = *self.phis.get(phi);
            if state != State::Incomplete {
                continue;
            }
            let found = solution.numbering.found(found);
            let held = self.value_of(host, &phis, whole, found, variable)?;
            let held = if held == value { self.undefined(host, variable)? } else { held };
            self.phis.get_mut(phi).state = State::Dead;
            self.forward(host, value, held, Reason::Decided);
        }
        Ok(())
    }

    /// The phis that were placed, by number: incomplete ones where there are.
    fn make_placed(
        &mut self,
        host: &mut dyn PhiHost,
        whole: &Memory,
        solution: &Solution,
    ) -> Result<Vec<PhiId>, Stopped> {
        let mut incomplete: Vec<(Placed, PhiId)> = whole.reads.iter().map(|&phi| (self.place_of(phi), phi)).collect();
        incomplete.sort_unstable();
        let mut rest = incomplete.into_iter().peekable();
        let mut phis = Vec::with_capacity(solution.phis.len());
        for &placed in &solution.phis {
            while rest.next_if(|&(place, _)| place < placed).is_some() {}
            let phi = match rest.next_if(|&(place, _)| place == placed) {
                Some((_, phi)) => phi,
                None => self.make_phi(host, placed.block, placed.variable, State::InProgress)?,
            };
            phis.push(phi);
        }
        Ok(phis)
    }

    fn place_of(&self, phi: PhiId) -> Placed {
        let Phi { block, variable, .. } = *self.phis.get(phi);
        Placed { block, variable }
    }

    /// The value that was found for the variable.
    fn value_of(
        &mut self,
        host: &mut dyn PhiHost,
        phis: &[PhiId],
        whole: &Memory,
        found: Found,
        variable: Variable,
    ) -> Result<Value, Stopped> {
        Ok(match found {
            Found::Write(write) => self.values.resolve(whole.writes[write as usize]),
            Found::Phi(phi) => self.phis.get(phis[phi as usize]).value,
            Found::Entry(variable) => self.define_at_root(host, self.blocks.entry(), variable)?,
            Found::Nothing => self.undefined(host, variable)?,
        })
    }
}
