//! What every result has to be, on random functions.

use ssaphire::check::{Judge, Mode, Program, Violation, isomorphic_by, naive, quality, rules};
use ssaphire::{Block, Certified, Engine, Options, Value, Variable, construct, construct_in_order, minimize};
use ssaphire_tests::{
    Built, Case, Filling, Origin, Plan, Rng, Sealing, Shape, TestHost, drive, generate, is_reducible, walk,
};

/// Builds functions in one memory, and judges every result.
struct Court {
    judge: Judge,
    program: Program,
    host: TestHost,
    builders: Vec<Certified>,
    rng: Rng,
    num_built: usize,
}

/// One function, told in one way to one builder.
struct Trial<'a> {
    case: &'a Case,
    plan: &'a Plan,
    engine: Engine,
    is_minimized: bool,
}

impl Trial<'_> {
    #[track_caller]
    fn fail(&self, what: &dyn std::fmt::Display) -> ! {
        let Self { case, plan, engine, is_minimized } = self;
        panic!("{engine}, minimized: {is_minimized}: {what}\n{plan:?}\n{case:?}")
    }
}

impl Court {
    fn new() -> Self {
        let options = Engine::ALL.map(|engine| {
            let mut options = Options::with_engine(engine);
            options.minimize = false;
            [options, Options::with_engine(engine)]
        });
        let builders = options.into_iter().flatten().map(Certified::new).collect();
        let (judge, program) = (Judge::new(), Program::new());
        let mut host = TestHost::default();
        host.checks_views = true;
        Self { judge, program, host, builders, rng: Rng::new(1), num_built: 0 }
    }

    /// The result of one builder, found to be right.
    fn build(&mut self, trial: &Trial<'_>, builder: usize) -> Built {
        let ssa = &mut self.builders[builder];
        drive(trial.case, trial.plan, &mut self.host, ssa).unwrap_or_else(|error| trial.fail(&error));
        self.num_built += 1;
        ssa.certify(&mut self.program).unwrap_or_else(|error| trial.fail(&error));
        let verdict = self.judge.judge(&self.program, Mode::Exact);
        if let Some(violation) = verdict.violations.first() {
            trial.fail(violation);
        }
        let built = Built::new(trial.case, &self.host);
        walk::random_walks(trial.case, &built, 3, &mut self.rng).unwrap_or_else(|error| trial.fail(&error));
        if trial.plan.sealing == Sealing::Announced {
            check_operand_order(trial, &self.host);
        }
        built
    }
}

/// Of an announced graph, operands come as the edges enter there.
fn check_operand_order(trial: &Trial<'_>, host: &TestHost) {
    let cfg = &trial.case.cfg;
    for phi in &host.phis {
        let given = host.operands(phi).iter().map(|operand| (operand.source, operand.slot as usize));
        let incoming = cfg.incoming(phi.block).iter().map(|&edge| (cfg.source(edge), cfg.slot(edge)));
        if !given.eq(incoming) {
            trial.fail(&phi.value);
        }
    }
}

/// Only the phis that have to be there are.
///
/// `braun` and `marker` owe it without `minimize` where the graph is reducible
/// and no variable is copied; `auto` and `braun-operand` owe it never. Nothing is trivial
/// after `braun` and `marker`, and nothing dead after any.
fn check_quality(trial: &Trial<'_>, built: &Built, pruned: &[(Block, Variable)]) {
    let is_plain = !trial.case.has_copies();
    let is_exact = !trial.engine.leaves_trivial_phis();
    let is_minimal = trial.is_minimized || (is_exact && is_plain && is_reducible(&trial.case.cfg));
    let mut findings = rules(built);
    findings.extend(quality::dead_phis(built));
    if is_exact || is_minimal {
        findings.extend(quality::trivial_phis(built));
    }
    if is_minimal {
        findings.extend(quality::redundant_phis(built));
    }
    if let Some(finding) = findings.first() {
        trial.fail(finding);
    }
    if is_plain && is_minimal && built.placement() != pruned {
        trial.fail(&format!("phis at {:?}, not at {pruned:?}", built.placement()));
    }
}

/// Operands for edges from unreachable code are undefined values.
fn check_unreachable(trial: &Trial<'_>, built: &Built) {
    let (cfg, reachable) = (&trial.case.cfg, trial.case.reachable());
    for (phis, block) in built.phis.iter().zip(trial.case.blocks()) {
        for (place, &edge) in cfg.incoming(block).iter().enumerate() {
            for phi in phis.iter().filter(|_| !reachable[cfg.source(edge).index()]) {
                if !matches!(built.origins[phi.operands[place].index()], Origin::Undefined(_)) {
                    trial.fail(&format!("{phi:?}: operand {place} comes from unreachable code"));
                }
            }
        }
    }
}

/// Both ways to minimize find the phis that the judge calls redundant.
fn check_minimizers(trial: &Trial<'_>, built: &Built) {
    let sorted = |found: Vec<minimize::Replacement>| {
        let mut phis: Vec<Value> = found.into_iter().map(|(phi, _)| phi).collect();
        phis.sort_unstable();
        phis
    };
    let mut redundant: Vec<Value> = quality::redundant_phis(built)
        .into_iter()
        .filter_map(|violation| match violation {
            Violation::TrivialPhi { phi, .. } | Violation::RedundantPhi { phi, .. } => Some(phi),
            _ => None,
        })
        .collect();
    redundant.sort_unstable();
    for found in [minimize::redundant_phis(built), minimize::redundant_components(built)] {
        let found = sorted(found.unwrap_or_else(|error| trial.fail(&error)));
        if found != redundant {
            trial.fail(&format!("{found:?} are found redundant, not {redundant:?}"));
        }
    }
}

fn check(court: &mut Court, shape: Shape, has_copies: bool, seed: u64) {
    let mut rng = Rng::new(seed);
    let case = &generate(shape, has_copies, &mut rng).with_pre_entry();
    court.host.shares_undefined = rng.chance(20);
    court.host.reports_uses = rng.chance(30);
    let pruned = if case.has_copies() { Vec::new() } else { naive::pruned_placement(case) };
    let mut first: Option<Built> = None;
    for sealing in Sealing::ALL {
        let plan = &Plan::new(case, rng.pick(&Filling::ALL), sealing, rng.next_u64());
        for (builder, engine) in (0..).zip(Engine::ALL.iter().flat_map(|&engine| [engine, engine])) {
            let trial = Trial { case, plan, engine, is_minimized: builder % 2 == 1 };
            let built = court.build(&trial, builder);
            check_quality(&trial, &built, &pruned);
            check_minimizers(&trial, &built);
            check_unreachable(&trial, &built);
            if trial.is_minimized {
                // What is minimized is the same whoever made it, copies and irreducible graphs included.
                let first = first.get_or_insert_with(|| built.clone());
                let same = isomorphic_by(first, &built, |one, other| first.same_undefined(one, &built, other));
                same.unwrap_or_else(|difference| trial.fail(&difference));
            }
        }
    }
}

fn check_many(has_copies: bool) {
    let mut court = Court::new();
    for seed in 0..300 {
        for shape in Shape::ALL {
            check(&mut court, shape, has_copies, seed);
        }
    }
    assert_eq!(court.num_built, 300 * Shape::ALL.len() * Sealing::ALL.len() * Engine::ALL.len() * 2);
}

#[test]
fn every_engine_builds_what_the_judge_accepts() {
    check_many(false);
}

#[test]
fn every_engine_builds_what_the_judge_accepts_with_copies() {
    check_many(true);
}

#[test]
fn whole_functions_are_built_in_one_call_whatever_enters_their_entry() {
    let (mut host, mut program, mut judge) = (TestHost::default(), Program::new(), Judge::new());
    for seed in 0..400 {
        for shape in Shape::ALL {
            let mut rng = Rng::new(seed);
            let case = generate(shape, true, &mut rng);
            // What is built: the same function, with a block in front where it is needed.
            let view = case.with_pre_entry();
            let mut first: Option<Built> = None;
            for engine in Engine::ALL {
                let mut ssa = Certified::new(Options::with_engine(engine));
                host.begin(&case);
                construct(&case, &mut host, &mut ssa).unwrap();
                let built = Built::new(&view, &host);
                host.begin(&case);
                let shuffle = |mut order: Vec<Block>| {
                    rng.shuffle(&mut order);
                    order
                };
                construct_in_order(&case, &mut host, &mut ssa, shuffle).unwrap();
                let other = Built::new(&view, &host);
                for built in [built, other] {
                    ssa.certify(&mut program).unwrap();
                    assert_eq!(judge.judge(&program, Mode::Exact).violations, [], "{engine}: {case:?}");
                    assert_eq!(quality(&built), [], "{engine}: {case:?}");
                    walk::random_walks(&view, &built, 3, &mut rng).unwrap();
                    let first = first.get_or_insert_with(|| built.clone());
                    isomorphic_by(first, &built, |one, other| first.same_undefined(one, &built, other)).unwrap();
                }
            }
        }
    }
}
