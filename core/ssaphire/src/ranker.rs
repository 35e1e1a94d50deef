//! Proofs that the phis of a certificate are needed.

use alloc::vec::Vec;
use core::fmt;
use ssaphire_check::{Program, ProgramEvent, Rank};
use ssaphire_construct::minimize::{DeadPhi, LiveRanks, LowHigh, PhiGraph, Unordered};
use ssaphire_graph::{Block, Cfg, IdSet};

/// The two claims about the phis of a program, each with a counterexample if it is not made.
///
/// Lines of the certificate prove a claim, and the judge checks them. Without a claim, a result may be larger than
/// necessary, but is not wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
#[non_exhaustive]
pub struct Ranked {
    /// The claim that no set of phis merges a single outer value; or a phi that belongs to such a set.
    pub minimal: Result<(), Unordered>,
    /// The claim that each phi is needed by something that is no phi; or a phi that is not.
    pub pruned: Result<(), DeadPhi>,
}

impl Ranked {
    /// Whether both were claimed.
    pub fn is_complete(&self) -> bool {
        self.minimal.is_ok() && self.pruned.is_ok()
    }
}

impl fmt::Display for Ranked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.minimal {
            Ok(()) => f.write_str("minimal")?,
            Err(error) => write!(f, "not minimal: {error}")?,
        }
        match self.pruned {
            Ok(()) => f.write_str("; pruned"),
            Err(error) => write!(f, "; not pruned: {error}"),
        }
    }
}

/// Adds to any certificate the proofs that it is minimal and pruned.
///
/// The proofs are numbers of values and ranks of phis; the judge verifies them by looking at each operand
/// once ([`Verdict::minimal`](ssaphire_check::Verdict::minimal), [`Verdict::pruned`](ssaphire_check::Verdict::pruned)).
/// Phis of unreachable blocks, operands on edges from there and uses there do not count, as for the judge.
///
/// Memory is kept for the next program.
///
/// # Examples
/// ```
/// use ssaphire::check::{Mode, Program, certificate::Reader, judge};
/// use ssaphire::Ranker;
///
/// let text = "ssacert 2\nprogram f\nentry 1\nblock 1\ndef 1 1\nblock 2 1\ndef 1 2\nblock 3 1 2\nphi 3 1 2\nuse 1 3\nend";
/// let (_, mut program) = Reader::new(text.lines()).next().unwrap()?;
/// assert_eq!(judge(&program, Mode::Exact).minimal, None);
///
/// assert!(Ranker::default().rank(&mut program).is_complete());
/// let verdict = judge(&program, Mode::Exact);
/// assert_eq!((verdict.minimal, verdict.pruned), (Some(true), Some(true)));
/// # Ok::<(), ssaphire::check::certificate::ParseError>(())
/// ```
#[derive(Debug, Default)]
pub struct Ranker {
    reachable: IdSet<Block>,
    work: Vec<Block>,
    phis: PhiGraph,
    low_high: LowHigh,
    live: LiveRanks,
}

impl Ranker {
    /// Claims that `program` is minimal, if it is, and pruned, if it is; drops earlier claims of that.
    ///
    /// # Complexity
    /// O(*n* + *e* + events + operands), and a logarithmic factor for
    /// phis of loops: see [`LowHigh::order`].
    pub fn rank(&mut self, program: &mut Program) -> Ranked {
        self.phis.clear();
        self.reachable.clear();
        if program.num_phis() > 0 {
            self.find_reachable(program);
            self.collect_phis(program);
        }
        Ranked { minimal: self.number(program), pruned: self.rank_phis(program) }
    }

    /// The phis of the program ranked last, with the operands that count.
    pub fn phis(&self) -> &PhiGraph {
        &self.phis
    }

    fn find_reachable(&mut self, program: &Program) {
        self.reach(program.entry());
        while let Some(block) = self.work.pop() {
            for target in program.successors(block) {
                self.reach(target);
            }
        }
    }

    fn reach(&mut self, block: Block) {
        if self.reachable.insert(block) {
            self.work.push(block);
        }
    }

    fn collect_phis(&mut self, program: &Program) {
        for block in program.blocks().filter(|&block| self.reachable.contains(block)) {
            for &phi in program.phi_list(block).iter().filter(|phi| !phi.is_dropped) {
                self.phis.begin_phi(phi.value);
                for (&operand, &source) in program.operand_list(phi).iter().zip(program.incoming(block)) {
                    if self.reachable.contains(source) {
                        self.phis.push_operand(operand);
                    }
                }
            }
        }
    }

    fn number(&mut self, program: &mut Program) -> Result<(), Unordered> {
        let order = self.low_high.order(&self.phis);
        program.set_numbers((0..).zip(order.unwrap_or_default()).map(|(number, &value)| (value, number)));
        order.map(|_| ())
    }

    fn rank_phis(&mut self, program: &mut Program) -> Result<(), DeadPhi> {
        let Self { reachable, phis, live, .. } = self;
        let blocks = program.blocks().filter(|&block| reachable.contains(block));
        let uses = blocks.flat_map(|block| program.event_list(block)).filter_map(|&event| match event {
            ProgramEvent::Use { value, .. } => Some(value),
            ProgramEvent::Def { .. } | ProgramEvent::Copy { .. } => None,
        });
        let ranks = live.rank(phis, uses);
        let claims = ranks.unwrap_or_default().iter();
        program.set_ranks(claims.map(|&rank| Rank { phi: rank.phi, rank: rank.rank, user: rank.user }));
        ranks.map(|_| ())
    }
}
