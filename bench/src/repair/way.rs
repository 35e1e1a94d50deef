//! The ways to repair.

use super::problem::{Access, Problem};
use super::solution::Solution;
use super::walk::{self, Clearing};
use crate::families::{self, Calls};
use ssaphire::graph::IdMap;
use ssaphire::repair::{Repair, Use};
use ssaphire::{Block, Builder, Id, SsaBuilder, SsaForm, ValueCounter, Variable};

/// A way to repair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the table of the module says what they are")]
pub enum Way {
    Repair,
    Reuse,
    Walk,
    Walk2022,
    Rebuild,
}

impl Way {
    /// All ways.
    pub const ALL: &'static [Self] = &[Self::Repair, Self::Reuse, Self::Walk, Self::Walk2022, Self::Rebuild];

    /// Its name, as in the table.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Repair => "repair",
            Self::Reuse => "reuse",
            Self::Walk => "walk",
            Self::Walk2022 => "walk-2022",
            Self::Rebuild => "rebuild",
        }
    }

    /// The way of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|way| way.name() == name)
    }

    /// Goes it, in new memory: how many phis are inserted, or kept.
    pub fn go(self, problem: &Problem) -> u64 {
        match self {
            Self::Repair => repair(problem, false).phis.len() as u64,
            Self::Reuse => repair(problem, true).phis.len() as u64,
            Self::Walk => walk::solve(problem, Clearing::Marked).phis.len() as u64,
            Self::Walk2022 => walk::solve(problem, Clearing::Listed).phis.len() as u64,
            Self::Rebuild => rebuild(problem),
        }
    }
}

/// Asks for all uses of each variable at once.
pub(super) fn repair(problem: &Problem, reuses: bool) -> Solution {
    let mut repair = Repair::new();
    let mut host = ValueCounter::starting_at(problem.num_values());
    let mut solution = Solution::default();
    for (variable, accesses) in problem.variables.iter().enumerate() {
        repair.begin(Variable::new(variable));
        for definition in &accesses.definitions {
            repair.define(definition.block, definition.position, definition.value);
        }
        for used in &accesses.uses {
            repair.use_at(used.block, used.position);
        }
        let decided = if reuses { repair.decide_with_reuse(problem) } else { repair.decide(problem.graph()) };
        decided.unwrap_or_else(|error| panic!("{error}"));
        let repaired = repair.insert_phis(&mut host);
        for phi in repaired.phis() {
            solution.push_phi(phi.block, phi.value, phi.operands.iter().copied());
        }
        solution.answers.extend((0..accesses.uses.len()).map(|index| repaired.value(Use::new(index))));
    }
    solution
}

fn rebuild(problem: &Problem) -> u64 {
    let (builder, _) = families::build_through(Builder::new(), |calls| emit(problem, calls));
    builder.stats().phis_kept
}

/// Tells a builder all of it, block by block, each sealed as soon as its edges are there.
fn emit(problem: &Problem, calls: &mut impl Calls) {
    let cfg = problem.graph();
    let mut missing: IdMap<Block, usize> = cfg.blocks().map(|block| cfg.incoming(block).len()).collect();
    let number = |block: Block| block.index() as u32;
    for _ in cfg.blocks() {
        calls.block();
    }
    cfg.blocks().filter(|&block| missing[block] == 0).for_each(|block| calls.seal(number(block)));
    let mut targets = Vec::new();
    for block in cfg.blocks() {
        calls.switch(number(block));
        for &(variable, access) in problem.accesses(block) {
            match access {
                Access::Use => calls.read(variable.index() as u32),
                Access::Definition => calls.write(variable.index() as u32),
            }
        }
        targets.clear();
        targets.extend(cfg.targets(block).iter().copied().map(number));
        calls.end(&targets);
        for &target in cfg.targets(block) {
            missing[target] -= 1;
            if missing[target] == 0 {
                calls.seal(number(target));
            }
        }
    }
}
