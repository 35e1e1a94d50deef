//! Does a result do what its source does? An exact decision, without dominance.
//!
//! # What is decided
//! Source and result walk the same path from the entry, side by side. Before
//! the entry each global holds a content of its own, and a variable with an
//! initial value holds the content of that global; other variables and values
//! hold nothing. `def x v` makes a new content and puts it in `x` and in `v`, or,
//! if `v` is a global, puts its content in `x`; `copy x y` concerns the source
//! alone; the phis of a block act all at once, on the way into it, each taking
//! its operand for the edge walked. Blocks that no path reaches are not
//! judged, and neither are operands for edges from them.
//!
//! * [`Mode::Exact`]: on every path, each `use x v` finds the same content in
//!   `x` and in `v`. That the definition of `v` is passed first follows.
//! * [`Mode::Refine`]: on every path, each `use x v` finds in `x` the content of
//!   an undefined value, or else the same content in `x` and in `v`. So a read
//!   of an undefined variable may have become anything, even a value that is
//!   not defined on the path; a phi operand may be anything where the variable
//!   is undefined. Dominance no longer follows: [`rules`](crate::rules()) decides it.
//!   A variable without an initial value holds nothing, which is not undefined: it
//!   is refused in both modes.
//!
//! # How
//! An obligation says that, where the body of a block begins, a variable and a
//! value hold the same. What it takes at the end of each predecessor for an
//! obligation to hold is again one obligation there, or true, or false; a work
//! list that starts from the uses finds all that are needed.
//!
//! | Coq prototype, `Validator.v` | here |
//! |---|---|
//! | `sym`, `scan` | `summary` |
//! | `wp` | `Judgement::compare` |
//! | `subst` | `Judgement::operand` |
//! | `closure`, `check` | `Judgement::discharge` |
//! | `reachable` | `chains` |
//!
//! Every step is an equivalence, since contents made at different times differ:
//! so what is right is accepted and what is wrong is refused. Two steps are new
//! with globals and with `Refine`:
//! * a variable that holds a global may be claimed to be a phi that merges this
//!   global alone, so "this global and that value are the same" is an obligation too;
//! * in `Refine`, a variable that cannot be the claimed value may still be undefined,
//!   so "this variable is undefined" is an obligation too.
//!
//! # Complexity
//! O(*n* + *e* + *a* + sum over the obligations of the incoming edges of their
//! blocks), times the logarithm of the variables assigned in one block; expected,
//! for obligations lie in a hash table. For a result of an on-the-fly
//! construction there is about one obligation per block and variable its lookups
//! visited. Memory: the program's size, and one entry per obligation kept.
//!
//! # Departures
//! The prototype stops at the first wrong use; this one names them all. It keeps
//! every obligation; here those that pass down a chain of blocks with one
//! incoming edge each are kept at every eighth block only.

mod blame;
mod chains;
mod obligations;
mod summary;

use crate::definitions::{Definitions, Site};
use crate::program::{Program, ProgramEvent};
use crate::violation::Violation;
use alloc::vec::Vec;
use blame::{Blame, Failure, Reason};
use chains::Chains;
use obligations::{Obligation, Obligations};
use ssaphire_graph::{Block, Cfg, IdMap, IdSet, Value, Variable, VariableForm};
use summary::Summaries;

/// What may become of undefined values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mode {
    /// An undefined value is a value like any other.
    #[default]
    Exact,
    /// Where a variable is undefined, its reads may have become anything.
    Refine,
}

/// Whether `program` claims the right value for every read on every path.
///
/// # Errors
/// All violations, sorted: broken structure, or else one for each wrong read.
///
/// # Examples
/// ```
/// use ssaphire_check::{Mode, Program, ProgramEvent, validate};
/// use ssaphire_graph::{Block, Value, Variable};
///
/// let (block, variable, value) = (Block::new(0), Variable::new(0), Value::new(0));
/// let mut program = Program::new();
/// let mut writer = program.rewrite(block);
/// writer.block(block, []);
/// writer.event(ProgramEvent::Def { variable, value });
/// writer.event(ProgramEvent::Use { variable, value });
/// writer.finish()?;
/// assert_eq!(validate(&program, Mode::Exact), Ok(()));
/// # Ok::<(), ssaphire_check::ProgramError>(())
/// ```
pub fn validate(program: &Program, mode: Mode) -> Result<(), Vec<Violation>> {
    Validator::new().validate(program, mode)
}

/// The memory of [`validate`], for many functions in turn.
#[derive(Debug, Default)]
pub struct Validator {
    definitions: Definitions,
    chains: Chains,
    initial: IdMap<Variable, Option<Value>>,
    undefined: IdSet<Value>,
    passed: IdSet<Value>,
    summaries: Summaries,
    obligations: Obligations,
    reads: Vec<Read>,
    failures: Vec<Failure>,
    blame: Blame,
    is_well_formed: bool,
}

/// What a variable holds, as seen from the beginning of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    /// What this variable held there.
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

/// What becomes of an equality on its way back.
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

    /// Does what [`validate`] does, in the memory there is.
    ///
    /// # Errors
    /// See [`validate`].
    pub fn validate(&mut self, program: &Program, mode: Mode) -> Result<(), Vec<Violation>> {
        let mut violations = Vec::new();
        self.check_structure(program, &mut violations);
        self.is_well_formed = violations.is_empty();
        if self.is_well_formed {
            self.check_claims(program, mode, &mut violations);
        }
        if violations.is_empty() {
            return Ok(());
        }
        violations.sort_unstable();
        violations.dedup();
        Err(violations)
    }

    /// Whether the program judged last could be walked at all.
    pub(crate) fn is_well_formed(&self) -> bool {
        self.is_well_formed
    }

    /// Reports what makes the program one that cannot be walked.
    fn check_structure(&mut self, program: &Program, violations: &mut Vec<Violation>) {
        let num_blocks = program.num_blocks();
        if program.entry().index() >= num_blocks {
            violations.push(Violation::NoEntry { entry: program.entry(), num_blocks });
            return;
        }
        for block in program.blocks() {
            let missing = program.incoming(block).iter().filter(|source| source.index() >= num_blocks);
            violations.extend(missing.map(|&target| Violation::NoSuchBlock { block, target }));
        }
        self.definitions.rebuild(program, violations);
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

    fn check_claims(&mut self, program: &Program, mode: Mode, violations: &mut Vec<Violation>) {
        self.chains.rebuild(program);
        self.undefined.clear();
        for &value in program.undefined_list() {
            self.undefined.insert(value);
        }
        let mut judgement = Judgement { program, mode, memory: self };
        judgement.sum_up(violations);
        judgement.discharge();
        if !judgement.memory.failures.is_empty() {
            judgement.blame(violations);
        }
    }
}

/// One program being judged. Needs: definitions, chains, initial, undefined.
struct Judgement<'a> {
    program: &'a Program,
    mode: Mode,
    memory: &'a mut Validator,
}

impl Judgement<'_> {
    /// Sums up every block, and asks for what the reads of reachable blocks need at its beginning.
    fn sum_up(&mut self, violations: &mut Vec<Violation>) {
        let program = self.program;
        self.memory.summaries.clear(program);
        self.memory.obligations.clear();
        self.memory.reads.clear();
        self.memory.failures.clear();
        self.memory.passed.clear();
        for block in program.blocks() {
            let is_reachable = self.memory.chains.is_reachable(block);
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

    /// What the read at `event` needs at the beginning of its block.
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

    /// Follows every obligation back to the entry, to a definition, or to one met before.
    fn discharge(&mut self) {
        let mut next = 0;
        while let Some(obligation) = self.memory.obligations.get(next) {
            if let Some(reason) = self.fails_at_entry(obligation) {
                self.memory.failures.push(Failure { obligation: next as u32, at: obligation.block, reason });
            }
            for (index, &source) in self.program.incoming(obligation.block).iter().enumerate() {
                if !self.memory.chains.is_reachable(source) {
                    continue;
                }
                match self.pass_chain(self.step_back(obligation, index, source)) {
                    Outcome::Holds => {}
                    Outcome::Needs(needed) => {
                        self.memory.obligations.insert(needed);
                    }
                    Outcome::Fails(at, reason) => {
                        self.memory.failures.push(Failure { obligation: next as u32, at, reason });
                    }
                }
            }
            next += 1;
        }
    }

    /// Follows an obligation up a chain of blocks with one incoming edge, to one where it is kept.
    ///
    /// Needs: every block summed up. So the obligations of reads are kept where they arise.
    fn pass_chain(&self, mut outcome: Outcome) -> Outcome {
        while let Outcome::Needs(obligation) = outcome {
            if !self.memory.chains.is_passed(obligation.block) {
                break;
            }
            let Some(&source) = self.program.incoming(obligation.block).first() else { break };
            outcome = self.step_back(obligation, 0, source);
        }
        outcome
    }

    /// What `obligation` takes at the beginning of `source`, along the incoming edge `index`.
    fn step_back(&self, obligation: Obligation, index: usize, source: Block) -> Outcome {
        let claimed = obligation.claimed.map(|value| self.operand(obligation.block, value, index));
        let content = match obligation.content {
            Content::Entering(variable) => self.memory.summaries.at_end(source, variable),
            global @ Content::Result(_) => global,
        };
        let is_new = claimed.is_some_and(|value| self.is_made_in(source, value));
        self.compare(source, content, claimed, is_new)
    }

    /// What `value` is at the end of the source of the incoming edge `index` of `block`.
    fn operand(&self, block: Block, value: Value, index: usize) -> Value {
        if self.memory.definitions.site(value) != Site::Phi(block) {
            return value;
        }
        // Operand counts were checked.
        let phi = self.program.phi_at(block, value);
        phi.and_then(|phi| self.program.operand_list(phi).get(index).copied()).unwrap_or(value)
    }

    fn is_made_in(&self, block: Block, value: Value) -> bool {
        self.memory.definitions.site(value) == Site::ValueEvent(block)
    }

    fn may_be_anything(&self, content: Value) -> bool {
        self.mode == Mode::Refine && self.memory.undefined.contains(content)
    }

    /// What it takes at the beginning of `block` for `content` and `claimed` to be the same.
    ///
    /// `is_new`: the block defined `claimed` since.
    fn compare(&self, block: Block, content: Content, claimed: Option<Value>, is_new: bool) -> Outcome {
        let needs = |claimed| Outcome::Needs(Obligation { block, content, claimed });
        let fails = |reason| Outcome::Fails(block, reason);
        match (content, claimed) {
            (Content::Result(holds), _) if self.may_be_anything(holds) => Outcome::Holds,
            (Content::Result(_), None) => fails(Reason::Stale),
            (Content::Result(holds), Some(given)) => {
                let definitions = &self.memory.definitions;
                match (definitions.site(holds), definitions.site(given)) {
                    _ if holds == given => Outcome::Holds,
                    // Two globals differ, and a result made in this block differs from everything else.
                    (Site::Global, Site::Phi(_) | Site::ValueEvent(_) | Site::Nowhere) if !is_new => needs(claimed),
                    _ => fails(Reason::Wrong { given, holds }),
                }
            }
            // What the variable held is older than what `claimed` is now, so it cannot be that.
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
