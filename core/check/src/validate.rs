//! An exact decision whether a result is equivalent to its source, without dominance.
//!
//! # The decision problem
//! Source and result execute the same path from the entry, in lockstep. Before
//! the entry each global has a content of its own, and a variable with an
//! initial value has the content of that global; other variables and values
//! have none. `def x v` creates a new content and stores it in `x` and in `v`, or,
//! if `v` is a global, stores its content in `x`; `copy x y` affects the source
//! only; the phis of a block are executed in parallel, on the edge into it, each
//! with its operand for that edge. Blocks that no path reaches are not
//! judged, nor are operands for edges from them.
//!
//! * [`Mode::Exact`]: on every path, each `use x v` finds the same content in
//!   `x` and in `v`. It follows that control has passed the definition of `v`.
//! * [`Mode::Refine`]: on every path, each `use x v` finds in `x` the content of
//!   an undefined value, or the same content in `x` and in `v`. So a read of an
//!   undefined variable may be replaced with any value, even one that is not
//!   defined on the path, and a phi operand may be any value where the variable
//!   is undefined. Dominance does not follow then: [`rules`](crate::rules()) checks it.
//!   A read of a variable without content, such as one without an initial value,
//!   is refused in both modes.
//!
//! # The algorithm
//! An *obligation* states that, at the beginning of the body of a block, a
//! variable and a value have the same content. On each incoming edge, it is
//! equivalent to one further obligation, or to true or false; a worklist that
//! starts from the uses finds all obligations that are needed.
//!
//! If no block between a dominator and this block can assign the variable, the
//! obligation moves to that dominator: it *climbs* the dominator tree. It stays
//! at blocks whose predecessors may supply different definitions, and at the
//! definition of the value. Intervals tell which blocks are between two others,
//! but they cover too many; a join where that stops an obligation is decided
//! [exactly](frontier) before the obligation moves to the incoming edges. In a
//! function with many loops, a climb passes the headers of [`loops`] in which
//! the variable is not assigned.
//! 1. Control that enters a block has passed the dominators of the block, from
//!    the entry down, and none of them again since it passed the next one.
//! 2. If no block that control can pass between a dominator `c` and the block assigns
//!    the variable, it has the content that it had when control last passed `c`.
//! 3. A value whose definition strictly dominates `c` was not defined again since: control would
//!    have had to pass `c` again. So the obligations at the block and at `c` are equivalent.
//! 4. A value whose definition does not dominate the block is not defined on some
//!    path to it, so no content is equal to it there.
//!
//! | Coq prototype, `Validator.v` | here |
//! |---|---|
//! | `sym`, `scan` | `summary` |
//! | `wp` | `Judgement::compare` |
//! | `subst` | `Judgement::operand` |
//! | `closure`, `check` | `Judgement::discharge`, `Judgement::successors` |
//! | `reachable` | the dominator tree |
//!
//! Every step is an equivalence, since contents created at different times differ:
//! so the judge accepts exactly the correct results. Two steps are needed for
//! globals and for `Refine`:
//! * a variable that holds a global may be claimed to be a phi that merges this
//!   global alone, so "this global and that value are the same" is an obligation too;
//! * in `Refine`, a variable that cannot be the claimed value may still be undefined,
//!   so "this variable is undefined" is an obligation too.
//!
//! # Complexity
//! O((*n* + *e* + *a* + obligations and the incoming edges of those that stay) log *n*), expected, since obligations
//! are in a hash table. An obligation stays at a block where a definition of its value or an assignment of its variable
//! arrives, so that minimal form has a phi of the variable there; and at a join for which the [exact](frontier) decision
//! would take more steps than it has edges. So the number of obligations and their edges is that of the uses, copies,
//! and operands of minimal form, variable by variable, however many blocks and variables there are between a use and
//! its definition. In `Refine`, a claim whose definition does not dominate the use moves block by block. Memory: the
//! size of the program, and one entry per obligation.
//!
//! # Departures
//! The prototype stops at the first wrong use; this one reports all of them. The prototype keeps
//! an obligation for each block on the way, as the tests' literal implementation does.

mod ancestry;
mod blame;
mod climb;
mod frontier;
mod loops;
mod obligations;
mod summary;
mod way;

use crate::definitions::Site;
use crate::folds::Folds;
use crate::frame::Frame;
use crate::program::{Program, ProgramEvent, WithEvidence};
use crate::rules::check_dropped;
use crate::thresholds::Thresholds;
use crate::violation::Violation;
use alloc::vec::Vec;
use ancestry::Ancestry;
use blame::{Blame, Failure, Reason};
use climb::Writes;
use frontier::Frontier;
use loops::Loops;
use obligations::{Obligation, Obligations};
use ssaphire_graph::{Block, Cfg, IdMap, IdSet, Value, Variable, VariableForm};
use summary::Summaries;
use way::Way;

/// How reads of undefined variables are judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mode {
    /// An undefined value is a value like any other.
    #[default]
    Exact,
    /// A read of an undefined variable may have become any value.
    Refine,
}

/// Whether `program` claims the right value for every read on every path.
///
/// # Errors
/// All violations, sorted: broken structure, or else one for each wrong read and each operation wrongly folded.
///
/// # Examples
/// ```
/// use ssaphire::check::{Mode, Program, ProgramEvent, validate};
/// use ssaphire::{Block, Value, Variable};
///
/// let (block, variable, value) = (Block::new(0), Variable::new(0), Value::new(0));
/// let mut program = Program::new();
/// let mut writer = program.rewrite(block);
/// writer.block(block, []);
/// writer.event(ProgramEvent::Def { variable, value });
/// writer.event(ProgramEvent::Use { variable, value });
/// writer.finish()?;
/// assert_eq!(validate(&program, Mode::Exact), Ok(()));
/// # Ok::<(), ssaphire::check::ProgramError>(())
/// ```
pub fn validate(program: &Program, mode: Mode) -> Result<(), Vec<Violation>> {
    Validator::new().validate(program, mode)
}

/// The memory of [`validate`], for many functions in turn.
#[derive(Debug, Default)]
pub struct Validator {
    frame: Frame,
    claims: Claims,
    folds: Folds,
}

/// The memory of judging the claims of a program whose frame is known.
#[derive(Debug, Default)]
pub(crate) struct Claims {
    initial: IdMap<Variable, Option<Value>>,
    undefined: IdSet<Value>,
    passed: IdSet<Value>,
    summaries: Summaries,
    ancestry: Ancestry,
    writes: Writes,
    loops: Loops,
    frontier: Frontier,
    /// Edges that obligations went back by.
    num_edges: u64,
    obligations: Obligations,
    reads: Vec<Read>,
    failures: Vec<Failure>,
    blame: Blame,
    /// Phis with the variables whose content they merge.
    merged: Vec<(Block, Variable, Value)>,
    thresholds: Thresholds,
}

/// The content of a variable, as seen from the beginning of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    /// The content that this variable had there.
    Entering(Variable),
    /// This value: a result made since, or a global.
    Result(Value),
}

/// A read whose claim depends on an obligation.
#[derive(Clone, Copy, Debug)]
struct Read {
    block: Block,
    event: u32,
    obligation: u32,
}

/// The result of taking an equality one step back.
#[derive(Clone, Copy)]
enum Outcome {
    Holds,
    Needs(Obligation),
    /// In this block.
    Fails(Block, Reason),
}

impl Validator {
    /// A validator without memory of its own yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same, with other thresholds.
    #[must_use]
    pub fn with_thresholds(mut self, thresholds: Thresholds) -> Self {
        self.claims.thresholds = thresholds;
        self
    }

    /// Like [`validate`], in the memory of this validator.
    ///
    /// # Errors
    /// See [`validate`].
    pub fn validate(&mut self, program: &Program, mode: Mode) -> Result<(), Vec<Violation>> {
        let mut violations = Vec::new();
        self.frame.rebuild(&WithEvidence(program), &mut violations);
        self.claims.check_source(program, &mut violations);
        // What follows relies on the structure: ids in range, one definition of each value, one operand for each
        // edge.
        if violations.is_empty() {
            self.claims.check(program, &self.frame, mode, &mut violations);
            check_dropped(program, &self.frame, &mut violations);
            self.folds.check(program, &self.frame, &mut violations);
        }
        if violations.is_empty() {
            return Ok(());
        }
        violations.sort_unstable();
        violations.dedup();
        Err(violations)
    }
}

impl Validator {
    /// Number of obligations of the last program, on which its time depends.
    pub fn num_obligations(&self) -> usize {
        self.claims.obligations.list().len()
    }

    /// Number of edges and writes of variables that deciding the obligations of the last program looked at, beside
    /// O(log *n*) for each obligation.
    pub fn num_steps(&self) -> u64 {
        self.claims.num_edges + self.claims.frontier.steps()
    }
}

impl Claims {
    /// Reports initial values that are given twice, or are no globals.
    pub(crate) fn check_source(&mut self, program: &Program, violations: &mut Vec<Violation>) {
        self.initial.reset(program.num_variables(), None);
        for &(variable, value) in program.initial_list() {
            if self.initial[variable].replace(value).is_some() {
                violations.push(Violation::InitialTwice { variable });
            }
            if !program.is_global(value) {
                violations.push(Violation::InitialNotGlobal { variable, value });
            }
        }
    }

    /// Reports every read whose claim is wrong.
    ///
    /// Needs: the frame of `program`, and that nothing is wrong with its structure and its source.
    pub(crate) fn check(&mut self, program: &Program, frame: &Frame, mode: Mode, violations: &mut Vec<Violation>) {
        self.undefined.clear();
        for &value in program.undefined_list() {
            self.undefined.insert(value);
        }
        let mut judgement = Judgement { program, frame, mode, memory: self };
        judgement.sum_up(violations);
        if judgement.memory.obligations.list().is_empty() {
            return;
        }
        judgement.lay_out();
        judgement.discharge();
        if !judgement.memory.failures.is_empty() {
            judgement.blame(violations);
        }
    }

    /// Reports phis of one block that are claimed to hold the content of one variable there: all but the first are
    /// needless.
    ///
    /// Needs: the program was checked last, and every claim is right. So such phis are equal.
    pub(crate) fn equal_phis(&mut self, program: &Program, frame: &Frame, violations: &mut Vec<Violation>) {
        let Self { merged, obligations, .. } = self;
        merged.clear();
        merged.extend(obligations.list().iter().filter_map(|&Obligation { block, content, claimed }| {
            let Content::Entering(variable) = content else { return None };
            let is_phi =
                |&value: &Value| frame.definitions.site(value) == Site::Phi(block) && !program.is_dropped(value);
            let phi = claimed.filter(is_phi)?;
            Some((block, variable, phi))
        }));
        merged.sort_unstable();
        let equal = merged.windows(2).filter(|pair| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1));
        violations.extend(equal.map(|pair| {
            let (block, variable, phi) = pair[1];
            Violation::EqualPhis { block, phi, other: pair[0].2, variable }
        }));
    }
}

/// One program being judged. Needs: initial, undefined.
struct Judgement<'a> {
    program: &'a Program,
    frame: &'a Frame,
    mode: Mode,
    memory: &'a mut Claims,
}

impl Judgement<'_> {
    /// Sums up every block, and collects the obligations of the reads in reachable blocks.
    fn sum_up(&mut self, violations: &mut Vec<Violation>) {
        let program = self.program;
        self.memory.summaries.clear(program);
        let slots_per_event = self.memory.thresholds.slots_per_event as usize;
        self.memory.obligations.clear(program.num_events().saturating_mul(slots_per_event));
        self.memory.reads.clear();
        self.memory.failures.clear();
        self.memory.passed.clear();
        self.memory.frontier.clear();
        self.memory.num_edges = 0;
        for block in program.blocks() {
            // Unreachable blocks are summed up, too, as summaries lie by block; their reads are not judged.
            let is_reachable = self.frame.is_reachable(block);
            for (index, &event) in program.event_list(block).iter().enumerate() {
                match event {
                    ProgramEvent::Use { variable, value } if is_reachable => {
                        self.ask(block, index, variable, value, violations);
                    }
                    ProgramEvent::Def { value, .. } => {
                        self.memory.passed.insert(value);
                    }
                    _ => {}
                }
                self.memory.summaries.pass(block, event);
            }
            self.memory.summaries.end_block();
        }
    }

    /// Adds the obligation of the read at `event` at the beginning of its block, or its violation.
    fn ask(&mut self, block: Block, event: usize, variable: Variable, value: Value, violations: &mut Vec<Violation>) {
        let content = self.memory.summaries.current(block, variable);
        // Each value has one definition, so one passed in this block is one passed above this read.
        let is_new = self.is_made_in(block, value) && self.memory.passed.contains(value);
        match self.compare(block, content, Some(value), is_new) {
            Outcome::Holds => {}
            Outcome::Needs(obligation) => {
                let obligation = self.memory.obligations.insert(obligation);
                self.memory.reads.push(Read { block, event: event as u32, obligation });
            }
            Outcome::Fails(at, reason) => violations.push(reason.violation(block, event, variable, value, at)),
        }
    }

    /// Lays out the dominator tree, and where variables are assigned.
    fn lay_out(&mut self) {
        let Claims { ancestry, writes, loops, summaries, thresholds, .. } = &mut *self.memory;
        ancestry.rebuild(&self.frame.cfg, &self.frame.tree);
        writes.rebuild(summaries, ancestry, self.program.num_variables());
        match ancestry.num_ways_back() >= thresholds.loops as usize {
            true => loops.rebuild(&self.frame.cfg, ancestry, summaries, self.program.num_variables()),
            false => loops.clear(),
        }
    }

    /// Follows every obligation back to the entry, to a definition, or to one met before.
    fn discharge(&mut self) {
        // Taken out of `self`, which `successors` borrows while the list grows.
        let mut obligations = core::mem::take(&mut self.memory.obligations);
        let mut failures = core::mem::take(&mut self.memory.failures);
        let mut frontier = core::mem::take(&mut self.memory.frontier);
        let mut next = 0;
        // The list has each obligation once, and there are finitely many, so the walk ends even if obligations depend
        // on one another. A cycle of them without a failure holds, as it fails on no finite path.
        while let Some(obligation) = obligations.get(next) {
            let num_edges = self.successors(&mut frontier, obligation, |outcome| match outcome {
                Outcome::Holds => {}
                Outcome::Needs(needed) => {
                    obligations.insert(needed);
                }
                Outcome::Fails(at, reason) => failures.push(Failure { obligation: next as u32, at, reason }),
            });
            self.memory.num_edges += num_edges as u64;
            next += 1;
        }
        (self.memory.obligations, self.memory.failures) = (obligations, failures);
        self.memory.frontier = frontier;
    }

    /// Visits the outcomes of `obligation` one step further back. It holds if all of them hold.
    ///
    /// The only derivation of successors: [`discharge`](Self::discharge) follows them to failures, and
    /// [`blame`](Self::blame) from there to the reads. Returns the number of edges gone back by.
    fn successors(&self, frontier: &mut Frontier, obligation: Obligation, mut visit: impl FnMut(Outcome)) -> usize {
        if let Way::Up(outcome) = self.way(obligation) {
            visit(outcome);
            return 0;
        }
        if let Some(outcome) = self.past_join(frontier, obligation) {
            visit(outcome);
            return 0;
        }
        // The entry may have incoming edges, too: then both have to hold.
        if let Some(reason) = self.fails_at_entry(obligation) {
            visit(Outcome::Fails(obligation.block, reason));
        }
        let sources = self.frame.sources(obligation.block);
        let num_edges = sources.len();
        for (index, source) in sources.enumerate() {
            if self.frame.is_reachable(source) {
                visit(self.raised(self.step_back(obligation, index, source)));
            }
        }
        num_edges
    }

    /// The outcome of `obligation` at the beginning of `source`, along the incoming edge `index`.
    fn step_back(&self, obligation: Obligation, index: usize, source: Block) -> Outcome {
        let claimed = obligation.claimed.map(|value| self.operand(obligation.block, value, index));
        self.compare_at_end(source, obligation.content, claimed)
    }

    /// The outcome, at the beginning of `block`, of the claim that `content` and `claimed` are the same at its end.
    fn compare_at_end(&self, block: Block, content: Content, claimed: Option<Value>) -> Outcome {
        let content = match content {
            Content::Entering(variable) => self.memory.summaries.at_end(block, variable),
            global @ Content::Result(_) => global,
        };
        let is_new = claimed.is_some_and(|value| self.is_made_in(block, value));
        self.compare(block, content, claimed, is_new)
    }

    /// The value that `value` is at the end of the source of the incoming edge `index` of `block`: an operand, if it
    /// is a phi there.
    fn operand(&self, block: Block, value: Value, index: usize) -> Value {
        if self.frame.definitions.site(value) != Site::Phi(block) {
            return value;
        }
        // Operand counts were checked.
        let phi = self.program.phi_at(block, value);
        phi.and_then(|phi| self.program.operand_list(phi).get(index).copied()).unwrap_or(value)
    }

    fn is_made_in(&self, block: Block, value: Value) -> bool {
        self.frame.definitions.site(value) == Site::ValueEvent(block)
    }

    fn may_be_anything(&self, content: Value) -> bool {
        self.mode == Mode::Refine && self.memory.undefined.contains(content)
    }

    /// The outcome, at the beginning of `block`, of the claim that `content` and `claimed` are the same.
    ///
    /// `is_new`: the block defined `claimed` since.
    fn compare(&self, block: Block, content: Content, claimed: Option<Value>, is_new: bool) -> Outcome {
        let needs = |claimed| Outcome::Needs(Obligation { block, content, claimed });
        let fails = |reason| Outcome::Fails(block, reason);
        match (content, claimed) {
            (Content::Result(holds), _) if self.may_be_anything(holds) => Outcome::Holds,
            // The variable was to be undefined, and holds a value that is not.
            (Content::Result(_), None) => fails(Reason::Stale),
            (Content::Result(holds), Some(given)) => {
                let definitions = &self.frame.definitions;
                match (definitions.site(holds), definitions.site(given)) {
                    _ if holds == given => Outcome::Holds,
                    // Two globals differ, and a result made in this block differs from everything else.
                    (Site::Global, Site::Phi(_) | Site::ValueEvent(_) | Site::Nowhere) if !is_new => needs(claimed),
                    _ => fails(Reason::Wrong { given, holds }),
                }
            }
            // The variable got its content before the last definition of `claimed`, so the two differ.
            (Content::Entering(_), Some(_)) if is_new => match self.mode {
                Mode::Exact => fails(Reason::Stale),
                Mode::Refine => needs(None),
            },
            (Content::Entering(_), _) => needs(claimed),
        }
    }

    /// Why `obligation` does not hold when control enters the function, if it is about the entry.
    fn fails_at_entry(&self, obligation: Obligation) -> Option<Reason> {
        if obligation.block != self.program.entry() {
            return None;
        }
        let holds = match obligation.content {
            Content::Entering(variable) => self.memory.initial[variable],
            Content::Result(value) => Some(value),
        };
        match (holds, obligation.claimed) {
            (None, _) => Some(Reason::Uninitialized),
            (Some(holds), _) if self.may_be_anything(holds) => None,
            (Some(_), None) => Some(Reason::Stale),
            (Some(holds), Some(given)) => (holds != given).then_some(Reason::Wrong { given, holds }),
        }
    }
}
