//! Any function that is solved as a whole, and in parts.

use super::construction;
use crate::built::Built;
use crate::case::Case;
use crate::court::TestCase;
use crate::generate::is_reducible;
use crate::host::TestHost;
use crate::literal::check_literal;
use crate::naive;
use crate::plan::{Plan, drive};
use crate::rng::Rng;
use crate::walk;
use ssaphire::check::{isomorphic_by, rules};
use ssaphire::{Certified, Options, SsaBuilder, Stopped};
use ssaphire_literature::whole::{Answer, Answers, Function, SolveError};
use ssaphire_literature::{AnyBuilder, Engine};

/// Steps for the engine that visits all paths.
const STEPS: u64 = 20_000;

/// Every engine that decides at the end answers right.
///
/// # Panics
/// If one does not.
pub fn check(bytes: &[u8]) {
    let TestCase { mut case, plans, .. } = construction::decode(bytes);
    case.merges.clear();
    let function = Function::new(&case).expect("no edges enter the entry");
    let pruned = if case.has_copies() { Vec::new() } else { naive::pruned_placement(&case) };
    for engine in Engine::AT_THE_END.iter().copied().chain([Engine::FunctionalLiteral]) {
        let steps = if engine == Engine::FunctionalLiteral { STEPS } else { u64::MAX };
        let answers = match function.solve_within(engine, steps) {
            Err(SolveError::Irreducible { .. }) if engine == Engine::Structured && !is_reducible(&case.cfg) => continue,
            Err(SolveError::Stopped(Stopped::OutOfWork { .. })) if engine == Engine::FunctionalLiteral => continue,
            answers => answers.unwrap_or_else(|error| panic!("{engine}: {error}\n{case:?}")),
        };
        assert!(engine != Engine::Structured || is_reducible(&case.cfg), "gotos into loops are taken: {case:?}");
        let fail = |what: &str| -> ! { panic!("{engine}: {what}\n{case:?}") };
        let built = Built::of_answers(&case, &answers);
        if let Some(violation) = rules(&built).first() {
            fail(&violation.to_string());
        }
        walk::random_walks(&case, &built, 3, &mut Rng::new(1)).unwrap_or_else(|difference| fail(&difference));
        check_nothing(&case, &answers).unwrap_or_else(|what| fail(&what));
        if !case.has_copies() {
            check_literal(engine, &case, &built, &pruned, |_| true).unwrap_or_else(|difference| fail(&difference));
        }
        if engine != Engine::FunctionalLiteral {
            check_builder(&case, &plans[1], engine, &answers, &built).unwrap_or_else(|difference| fail(&difference));
            check_parts(&function, engine, &answers).unwrap_or_else(|difference| fail(&difference));
        }
    }
}

/// Operands find nothing on edges from unreachable blocks, and something on all others; no phis are in such blocks.
fn check_nothing(case: &Case, answers: &Answers) -> Result<(), String> {
    let reachable = case.reachable();
    for (number, phi) in (0..).zip(answers.phis()) {
        let sources = case.cfg.incoming(phi.block).iter().map(|&edge| case.cfg.source(edge));
        let is_right =
            |(source, &found): (ssaphire::Block, &Answer)| reachable[source.index()] != (found == Answer::Nothing);
        if !reachable[phi.block.index()] || !sources.zip(answers.operands(number)).all(is_right) {
            return Err(format!("{phi:?}: {:?}", answers.operands(number)));
        }
    }
    Ok(())
}

/// A builder that leaves minimizing to others says the same.
fn check_builder(case: &Case, plan: &Plan, engine: Engine, answers: &Answers, found: &Built) -> Result<(), String> {
    // A read in the entry makes a variable global where it is not answered at once.
    if case.has_unreachable_edges() || engine == Engine::SemiPruned {
        return Ok(());
    }
    let (mut host, mut ssa) = (
        TestHost::default(),
        Certified::with_builder(AnyBuilder::with_options(engine, Options::default().with_minimize(false))),
    );
    drive(case, plan, &mut host, &mut ssa).map_err(|error| error.to_string())?;
    let built = Built::new(case, &host);
    isomorphic_by(&built, found, |one, other| built.same_undefined(one, found, other))
        .map_err(|difference| difference.to_string())?;
    match (ssa.stats().phis_made, answers.num_placed()) {
        (made, placed) if made == placed => Ok(()),
        (made, placed) => Err(format!("{placed} phis placed, {made} by the builder")),
    }
}

/// Parts give the same answers as the whole.
fn check_parts(function: &Function, engine: Engine, answers: &Answers) -> Result<(), String> {
    for count in [2, 3] {
        let parts: Result<Vec<_>, _> = (0..count).map(|part| function.solve_part(engine, part, count)).collect();
        let merged = function.merge(&parts.map_err(|error| error.to_string())?);
        if merged != *answers {
            return Err(format!("{merged:?} of {count} parts, not {answers:?}"));
        }
    }
    Ok(())
}
