//! The judgement of a function that [`Certified`] has built: all checks together.
//!
//! Four conditions must hold, each of which relies on the ones before:
//! 1. the certificate is accepted: every read that is kept gets the value of the source on every path;
//! 2. it proves the result minimal and pruned, if the options promise that;
//! 3. the function agrees with the certificate: each use has its final value, and each phi is in its block, with its
//!    operands ([`Certified::differences`]);
//! 4. the function keeps the rules of the data structure and those of SSA form.

mod translation;

pub use translation::{Unproved, prove_translation};

use crate::dialect::{Semantics, Syntax};
use crate::fold::Folding;
use crate::form::FormError;
use crate::function::Function;
use ssaphire::check::quality::QualityCheck;
use ssaphire::check::{Equation, Judge, Mode, Program, Rules, Symbol, Verdict, Violation};
use ssaphire::{Certified, Options, Ranked, SsaBuilder};
use std::fmt;

/// Demands on a result beyond correctness.
#[derive(Clone, Copy, Debug)]
pub struct Demands {
    /// What undefined values may be replaced with.
    pub mode: Mode,
    /// Whether redundant phis are refused, or only counted.
    pub irredundant: bool,
    /// Whether dead phis are.
    pub pruned: bool,
}

impl Demands {
    /// The guarantees of the default engine with these options.
    pub const fn of(mode: Mode, options: &Options) -> Self {
        Self { mode, irredundant: options.minimize, pruned: true }
    }
}

/// The findings about one function.
#[derive(Clone, Debug, Default)]
pub struct Judgement {
    /// The reasons to refuse it; accepted if empty.
    pub refusals: Vec<Refusal>,
    /// Unnecessary phis.
    pub needless: Needless,
}

/// Counts of unnecessary phis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needless {
    /// Phis that belong to redundant sets, trivial ones included.
    pub redundant: u64,
    /// Phis that no instruction needs, directly or through other phis.
    pub dead: u64,
}

impl Needless {
    /// Counts the findings of a [`QualityCheck`].
    pub fn count(violations: &[Violation]) -> Self {
        let dead = violations.iter().filter(|violation| is_dead(violation)).count() as u64;
        Self { redundant: violations.len() as u64 - dead, dead }
    }
}

fn is_dead(violation: &Violation) -> bool {
    matches!(violation, Violation::DeadPhi { .. })
}

/// A reason to refuse a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The broken rule, by its short name.
    pub rule: &'static str,
    /// Whether its names are those of the certificate or of the result.
    pub subject: &'static str,
    /// The description.
    pub message: String,
}

impl Refusal {
    /// A broken rule of SSA form in a result.
    pub fn of_result(violation: &Violation) -> Self {
        Self { rule: violation.rule(), subject: "result", message: violation.to_string() }
    }

    /// A broken rule of functions in a result.
    pub fn of_form(error: &FormError) -> Self {
        Self { rule: "form", subject: "result", message: error.to_string() }
    }

    /// Something wrong with a certificate.
    pub fn of_certificate(violation: &Violation) -> Self {
        Self { rule: violation.rule(), subject: "certificate", message: violation.to_string() }
    }

    /// An equation that is not a law of the dialect.
    pub fn of_equation(equation: &Equation) -> Self {
        let side = |term: &[Symbol]| term.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        let message = format!("{} = {}: not a law of the dialect", side(&equation.left), side(&equation.right));
        Self { rule: "no-law", subject: "certificate", message }
    }

    /// A difference from another result of the same function.
    pub fn of_difference(maker: &str, difference: &dyn fmt::Display) -> Self {
        Self { rule: "differs", subject: "result", message: format!("differs from that of {maker}: {difference}") }
    }

    /// A missing certificate, or one that lacks a proof, with the reason.
    pub fn without_proof(rule: &'static str, reason: &dyn fmt::Display) -> Self {
        Self { rule, subject: "certificate", message: reason.to_string() }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}]: {}", self.subject, self.rule, self.message)
    }
}

/// The reusable memory of judging.
///
/// # Examples
/// ```
/// use ssaphire::check::Mode;
/// use ssaphire::{Certified, Options};
/// use ssaphire_ir::Basic;
/// use ssaphire_ir::judge::{Demands, Inspector};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let options = Options::default();
/// let mut ssa = Certified::with_options(options.clone());
/// let source = ssaphire_ir::text::parse::<Basic>(
///     "func f(x) {\nentry:\n  jump end\nend:\n  y = add x, 1\n  return y\n}\n",
/// )?;
/// let function = ssaphire_ir::to_ssa(&source, &mut ssa)?;
/// let judgement = Inspector::default().judge(&function, &mut ssa, Demands::of(Mode::Exact, &options));
/// assert_eq!(judgement.refusals, []);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Default)]
pub struct Inspector {
    program: Program,
    judge: Judge,
    rules: Rules,
    quality: QualityCheck,
}

impl Inspector {
    /// Judges `function`, which `ssa` has built: see [the module](self).
    ///
    /// # Complexity
    /// That of [`Certified::certify_ranked`], [`Judge::judge`] and [`Rules::check`].
    pub fn judge<D: Syntax, B: SsaBuilder>(
        &mut self,
        function: &Function<D>,
        ssa: &mut Certified<B>,
        demands: Demands,
    ) -> Judgement {
        let mut judgement = Judgement::default();
        let is_proved = self.judge_certificate(ssa, demands, &mut judgement.refusals);
        judgement.refusals.extend(self.broken_rules(function));
        // What is proved of the result is so of the function, unless its text has brought phis of its own: those are
        // counted, and no reason to refuse the result.
        let num_phis: usize = function.blocks().map(|block| function.block(block).phis().len()).sum();
        let is_whole = num_phis == ssa.kept_phis().len();
        let needless =
            if is_proved && is_whole { self.quality.dead(function) } else { self.quality.findings(function) };
        judgement.needless = Needless::count(needless);
        let is_refused = |violation: &&Violation| match is_dead(violation) {
            true => demands.pruned,
            false => demands.irredundant && !is_proved,
        };
        judgement.refusals.extend(needless.iter().filter(is_refused).map(Refusal::of_result));
        judgement
    }

    /// The reasons to refuse `function`, which `ssa` has built: those of [`judge`](Self::judge), in less time if unnecessary phis are no
    /// reason, because then they are not counted.
    ///
    /// # Complexity
    /// At most that of [`judge`](Self::judge).
    pub fn refusals<D: Syntax, B: SsaBuilder>(
        &mut self,
        function: &Function<D>,
        ssa: &mut Certified<B>,
        demands: Demands,
    ) -> Vec<Refusal> {
        if demands.irredundant || demands.pruned {
            return self.judge(function, ssa, demands).refusals;
        }
        let mut refusals = Vec::new();
        self.judge_certificate(ssa, demands, &mut refusals);
        refusals.extend(self.broken_rules(function));
        refusals
    }

    /// Judges the certificate and the host's rendering of the result; returns whether it proves that no phi is
    /// redundant.
    fn judge_certificate<B: SsaBuilder>(
        &mut self,
        ssa: &mut Certified<B>,
        demands: Demands,
        refusals: &mut Vec<Refusal>,
    ) -> bool {
        let ranked = match ssa.certify_ranked(&mut self.program) {
            Ok(ranked) => ranked,
            Err(error) => {
                refusals.push(Refusal::without_proof("no-certificate", &error));
                return false;
            }
        };
        let verdict = self.judge.judge(&self.program, demands.mode);
        refusals.extend(verdict.violations.iter().map(Refusal::of_certificate));
        refusals.extend(unproved(&verdict, &ranked, demands));
        let differences = ssa.differences();
        refusals.extend(differences.unwrap_or_default().iter().map(Refusal::of_certificate));
        verdict.minimal == Some(true) && differences == Some(&[])
    }

    /// Judges `function`, which `ssa` has built while [`folding`](crate::fold). Like [`judge`](Self::judge), and also
    /// checks that the equations on which folding relied are laws of the dialect.
    ///
    /// # Complexity
    /// That of [`judge`](Self::judge) and of [`Folding::judge_equations`].
    pub fn judge_folded<D: Semantics, B: SsaBuilder>(
        &mut self,
        function: &Function<D>,
        ssa: &mut Certified<B>,
        folding: &Folding<D>,
        demands: Demands,
    ) -> Judgement {
        let mut judgement = self.judge(function, ssa, demands);
        judgement.refusals.extend(folding.judge_equations(&self.program));
        judgement
    }

    /// Judges only the certificate of `ssa`'s last construction: it must be correct, but need not be minimal.
    pub fn judge_soundness<B: SsaBuilder>(&mut self, ssa: &mut Certified<B>) -> Vec<Refusal> {
        let demands = Demands { mode: Mode::Exact, irredundant: false, pruned: false };
        let mut refusals = Vec::new();
        self.judge_certificate(ssa, demands, &mut refusals);
        refusals
    }

    /// The rules of functions and of SSA form that `function` violates.
    pub fn broken_rules<D: Syntax>(&mut self, function: &Function<D>) -> Vec<Refusal> {
        let form = function.check_form();
        // A malformed function has no SSA form to judge.
        if form.is_empty() {
            return self.rules.check(function).iter().map(Refusal::of_result).collect();
        }
        form.iter().map(Refusal::of_form).collect()
    }

    /// The unnecessary phis of `function`.
    pub fn needless<D: Syntax>(&mut self, function: &Function<D>) -> Needless {
        Needless::count(self.quality.findings(function))
    }

    /// The program to be judged next, for reading into.
    pub fn program_mut(&mut self) -> &mut Program {
        &mut self.program
    }

    /// Judges the program that was read, and counts unnecessary phis, if it has an SSA form.
    pub fn judge_program(&mut self, mode: Mode) -> (Verdict, Option<Needless>) {
        let verdict = self.judge.judge(&self.program, mode);
        let is_form = verdict.structurally_valid;
        let needless = is_form.then(|| Needless::count(self.quality.findings(&self.program)));
        (verdict, needless)
    }
}

/// The demanded proofs that the certificate lacks.
fn unproved(verdict: &Verdict, ranked: &Ranked, demands: Demands) -> impl Iterator<Item = Refusal> + use<> {
    let minimal = ranked.minimal.err().filter(|_| demands.irredundant && verdict.minimal.is_none());
    let pruned = ranked.pruned.err().filter(|_| demands.pruned && verdict.pruned.is_none());
    let minimal = minimal.map(|error| Refusal::without_proof("not-minimal", &error));
    minimal.into_iter().chain(pruned.map(|error| Refusal::without_proof("not-pruned", &error)))
}
