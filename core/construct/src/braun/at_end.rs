//! Engines that decide at the end: the function is shown to a classical constructor, and its answers are taken over.
//!
//! A read that its block cannot answer has got an incomplete phi. Where the
//! constructor places a phi of that block and variable, the incomplete one becomes it;
//! otherwise it stands for what the constructor found.

use super::Builder;
use super::blocks::{Blocks, NONE};
use super::phis::{Phi, State};
use crate::classical::{self, Accesses, Budget, Found, Graph, Placed, Solution, Unsolved};
use crate::error::{FinishError, Stopped};
use crate::fault::{self, Fault};
use crate::host::PhiHost;
use crate::observe::{Observer, Reason};
use crate::values::PhiId;
use alloc::vec::Vec;
use ssaphire_graph::{Block, Cfg, IdMap, Value, Variable};

/// Memory that is used again.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    graph: Graph,
    accesses: Accesses,
    /// By read: the incomplete phi.
    reads: Vec<PhiId>,
    /// By write: what is written last.
    writes: Vec<Value>,
    /// By variable: the last block for which a definition was met.
    met: IdMap<Variable, u32>,
}

/// The graph of the blocks, as far as any call named them.
struct View<'a> {
    blocks: &'a Blocks,
    entry: Block,
}

impl Cfg for View<'_> {
    fn num_blocks(&self) -> usize {
        self.blocks.len()
    }

    fn entry(&self) -> Block {
        self.entry
    }

    fn successors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.blocks.outgoing(block).map(|edge| edge.target)
    }

    fn predecessors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.blocks.incoming(block).iter().map(|edge| edge.source)
    }
}

impl<O: Observer> Builder<O> {
    /// Gives incomplete phis their operands, or what they stand for.
    pub(super) fn decide_at_end(&mut self, host: &mut dyn PhiHost) -> Result<(), FinishError> {
        let is_dropped = self.options.minimize || fault::is_on(Fault::NothingIsPlacedUnread);
        if self.blocks.len() == 0 || (self.phis.len() == 0 && is_dropped) {
            // Each block has answered its reads: whatever is placed is not needed.
            return Ok(());
        }
        let mut whole = core::mem::take(&mut self.at_end);
        let result = self.solve(&mut whole);
        let result = result.and_then(|solution| {
            self.take_over(host, &whole, &solution)?;
            // Incomplete phis only stood for answers.
            self.stats.phis_made = solution.num_placed;
            Ok(())
        });
        self.at_end = whole;
        result
    }

    fn solve(&mut self, whole: &mut Scratch) -> Result<Solution, FinishError> {
        let view = View { blocks: &self.blocks, entry: self.entry };
        if whole.graph.cfg.rebuild(&view).is_err() {
            unreachable!("the builder keeps both ends of its edges");
        }
        whole.graph.tree.rebuild(&whole.graph.cfg);
        self.collect_accesses(whole);
        let left = self.options.work_limit.map_or(u64::MAX, |limit| limit.saturating_sub(self.stats.work));
        let mut budget = Budget::new(left);
        let solved = classical::solve(self.options.engine, &whole.graph, &whole.accesses, &mut budget);
        let solution = match solved {
            Ok(solution) => solution,
            Err(Unsolved::OutOfWork) => {
                let limit = self.options.work_limit.unwrap_or(u64::MAX);
                return Err(self.stop(Stopped::OutOfWork { limit }).into());
            }
            Err(Unsolved::Irreducible { block }) => {
                self.stop(Stopped::Refused);
                return Err(FinishError::Irreducible { block });
            }
            Err(Unsolved::TooManyPhis { phis, operands }) => {
                self.stop(Stopped::Refused);
                return Err(FinishError::TooManyPhis { phis, operands });
            }
        };
        self.spend(budget.spent())?;
        self.stats.trivial_phis += solution.num_removed;
        self.stats.operands_scanned += solution.num_scanned;
        Ok(solution)
    }

    /// Lists, block by block, the incomplete phis as reads, and what the block holds in the end as writes.
    fn collect_accesses(&mut self, whole: &mut Scratch) {
        let Scratch { accesses, reads, writes, met, .. } = whole;
        accesses.begin(0);
        reads.clear();
        writes.clear();
        if !fault::is_on(Fault::MetVariablesSurviveClear) {
            met.clear();
        }
        let Self { blocks, definitions, values, phis, .. } = self;
        for block in blocks.ids() {
            let data = blocks.get(block);
            let mut next = data.first_incomplete;
            while let Some(phi) = PhiId::from_number(next) {
                accesses.read(phis.get(phi).variable);
                reads.push(phi);
                next = phis.get(phi).next_incomplete;
            }
            let Some(link) = blocks.find_link(block) else { continue };
            definitions.visit(&link.definitions, |variable, value| {
                met.grow_to(variable, NONE);
                let last = core::mem::replace(&mut met[variable], block.index() as u32);
                let is_first = match fault::is_on(Fault::VariablesAreMetOnce) {
                    true => last == NONE,
                    false => last != block.index() as u32 || fault::is_on(Fault::OlderDefinitionsAreWrites),
                };
                if !is_first {
                    // An older one.
                    return;
                }
                let held = values.resolve(value);
                let own = values.phi(held).map(|phi| phis.get(phi)).filter(|phi| phi.block == block);
                let is_another = |phi: &Phi| phi.variable != variable && !fault::is_on(Fault::CopiesOfReadsAreNoWrites);
                if own.is_none_or(is_another) || fault::is_on(Fault::ReadsAreWrites) {
                    accesses.write(variable);
                    writes.push(value);
                }
            });
            accesses.end_block();
        }
    }

    /// Makes the phis that were placed, and lets the other incomplete ones stand for what was found.
    fn take_over(&mut self, host: &mut dyn PhiHost, whole: &Scratch, solution: &Solution) -> Result<(), Stopped> {
        let phis = self.make_placed(host, whole, solution)?;
        let mut operands = Vec::new();
        for (number, &phi) in (0..).zip(&phis) {
            let variable = self.phis.get(phi).variable;
            operands.clear();
            for &operand in solution.operands(number) {
                let found = solution.numbering.found(operand);
                operands.push(self.value_of(host, &phis, whole, found, variable)?);
            }
            self.give_operands(phi, &operands);
        }
        for (&phi, &found) in whole.reads.iter().zip(&solution.reads) {
            let Phi { variable, value, state, .. } = *self.phis.get(phi);
            let is_lost = fault::is_on(Fault::UnreachableReadsStayIncomplete)
                && solution.numbering.found(found) == Found::Nothing;
            if state != State::Incomplete || is_lost {
                continue;
            }
            let found = solution.numbering.found(found);
            let held = self.value_of(host, &phis, whole, found, variable)?;
            let is_circle = held == value && !fault::is_on(Fault::CirclesStandForThemselves);
            let held = if is_circle { self.undefined(host, variable)? } else { held };
            self.phis.get_mut(phi).state = State::Dead;
            self.forward(host, value, held, Reason::Decided);
        }
        Ok(())
    }

    /// The phis that were placed, by number: incomplete ones where there are.
    fn make_placed(
        &mut self,
        host: &mut dyn PhiHost,
        whole: &Scratch,
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
        whole: &Scratch,
        found: Found,
        variable: Variable,
    ) -> Result<Value, Stopped> {
        Ok(match found {
            Found::Write(write) if fault::is_on(Fault::FoundValuesAreStale) => whole.writes[write as usize],
            Found::Write(write) => self.values.resolve(whole.writes[write as usize]),
            Found::Phi(phi) => self.phis.get(phis[phi as usize]).value,
            Found::Entry(variable) if fault::is_on(Fault::EntryValuesAreUndefined) => self.undefined(host, variable)?,
            Found::Entry(variable) => self.hold_at_root(host, self.entry, variable)?,
            Found::Nothing if fault::is_on(Fault::UnreachableReadsFindTheEntry) => {
                self.hold_at_root(host, self.entry, variable)?
            }
            Found::Nothing => self.undefined(host, variable)?,
        })
    }
}
