//! What every result has to be, whoever builds it and however it is told of the function.

use crate::built::Built;
use crate::case::{Case, Merge};
use crate::generate::{Shape, generate, is_reducible};
use crate::host::{Origin, TestHost};
use crate::literal::check_literal;
use crate::naive;
use crate::plan::{Filling, Plan, Sealing, drive};
use crate::refusal::is_not_structured;
use crate::rng::Rng;
use crate::walk;
use ssaphire::check::{Judge, Mode, Program, ProgramEvent, Violation, isomorphic_by, quality, rules};
use ssaphire::{Block, Certified, Options, SsaBuilder, Thresholds, Value, Variable, minimize};
use ssaphire_literature::{AnyBuilder, Engine};
use std::fmt::Display;

/// A function, and ways to tell it to a builder.
#[derive(Clone, Debug)]
pub struct TestCase {
    /// The function; no edges enter its entry.
    pub case: Case,
    /// In which orders blocks are filled and sealed.
    pub plans: Vec<Plan>,
    /// All undefined variables hold the same value.
    pub shares_undefined: bool,
    /// The host says which values it uses.
    pub reports_uses: bool,
    /// When the builders change their data structures.
    pub thresholds: Thresholds,
}

impl TestCase {
    /// A random function of the shape, told in every way to seal, blocks filled in a random order.
    pub fn random(shape: Shape, has_copies: bool, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let case = generate(shape, has_copies, &mut rng).with_pre_entry();
        let (shares_undefined, reports_uses) = (rng.chance(20), rng.chance(30));
        let plan = |sealing| Plan::new(&case, rng.pick(&Filling::ALL), sealing, rng.next_u64());
        let plans = Sealing::ALL.map(plan).into();
        Self { case, plans, shares_undefined, reports_uses, thresholds: Thresholds::DEFAULT }
    }

    /// A random function of the shape in which all writes but those in tuples write one value, told in every way to seal,
    /// blocks filled side by side.
    pub fn repeating(shape: Shape, seed: u64) -> Self {
        let mut test = Self::random(shape, false, seed);
        let case = &mut test.case;
        let entry = case.cfg.entry();
        let writes: Vec<(Block, usize)> = case.blocks().flat_map(|block| case.lone_writes(block)).collect();
        if let Some(&new) = writes.iter().find(|&&(block, _)| block == entry) {
            case.merges = writes.iter().filter(|&&old| old != new).map(|&old| Merge { old, new }).collect();
        }
        let mut rng = Rng::new(seed);
        for plan in &mut test.plans {
            let filling = rng.pick(&[Filling::Interleaved, Filling::ReachedInterleaved]);
            *plan = Plan { knows_same: true, ..Plan::new(&test.case, filling, plan.sealing, rng.next_u64()) };
        }
        test
    }
}

/// Builds functions in one memory, and judges every result.
#[derive(Debug)]
pub struct Court {
    judge: Judge,
    program: Program,
    host: TestHost,
    engines: Vec<Engine>,
    /// Those with the default thresholds, and those with others, for one function.
    builders: [Vec<Certified<AnyBuilder>>; 2],
    rng: Rng,
    /// Number of results judged.
    pub num_built: usize,
}

impl Default for Court {
    fn default() -> Self {
        Self::new()
    }
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
    fn fail(&self, what: &dyn Display) -> ! {
        let Self { case, plan, engine, is_minimized } = self;
        panic!("{engine}, minimized: {is_minimized}: {what}\n{plan:?}\n{case:?}")
    }

    /// Whether nothing unused is handed over.
    fn is_pruned(&self) -> bool {
        self.is_minimized || !self.engine.decides_at_end()
    }

    /// Whether all edges into a block are there, and it is sealed, before it is begun: the graph has no cycle.
    fn is_straight(&self) -> bool {
        let Self { case, plan, .. } = self;
        let is_prompt = !matches!(plan.sealing, Sealing::AtEnd | Sealing::AtEndShuffled | Sealing::Sometime);
        let place = |block: Block| plan.order.iter().position(|&other| other == block);
        let is_forward = |block| case.cfg.targets(block).iter().all(|&target| place(block) < place(target));
        is_prompt && plan.width == 1 && case.merges.is_empty() && case.blocks().all(is_forward)
    }
}

impl Court {
    /// Number of results per function and plan: each engine, with and without `minimize`.
    pub const NUM_BUILDERS: usize = 2 * Engine::ALL.len();

    /// A court that has built nothing yet.
    pub fn new() -> Self {
        Self::of(Engine::ALL)
    }

    /// A court for some engines that has built nothing yet.
    pub fn of(engines: &[Engine]) -> Self {
        let builders = [builders(engines, Thresholds::DEFAULT), Vec::new()];
        let (judge, program) = (Judge::new(), Program::new());
        let mut host = TestHost::default();
        host.checks_views = true;
        Self { judge, program, host, engines: engines.to_vec(), builders, rng: Rng::new(1), num_built: 0 }
    }

    /// Every engine builds the function in every way told, and each result is what it has to be.
    ///
    /// # Panics
    /// If one is not.
    #[track_caller]
    pub fn try_all(&mut self, test: &TestCase) {
        let TestCase { case, plans, shares_undefined, reports_uses, thresholds } = test;
        (self.host.shares_undefined, self.host.reports_uses) = (*shares_undefined, *reports_uses);
        let pruned = if case.has_copies() { Vec::new() } else { naive::pruned_placement(case) };
        let mut first: Option<Built> = None;
        let set = usize::from(*thresholds != Thresholds::DEFAULT);
        if set > 0 {
            self.builders[set] = builders(&self.engines, *thresholds);
        }
        for plan in plans {
            for builder in 0..2 * self.engines.len() {
                let trial = Trial { case, plan, engine: self.engines[builder / 2], is_minimized: builder % 2 == 1 };
                if trial.engine == Engine::Structured && !is_reducible(&case.cfg) {
                    self.check_refusal(&trial, set, builder);
                    continue;
                }
                let built = self.build(&trial, set, builder);
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

    /// The engine cannot build the function, and says so.
    fn check_refusal(&mut self, trial: &Trial<'_>, set: usize, builder: usize) {
        self.num_built += 1;
        let answer = drive(trial.case, trial.plan, &mut self.host, &mut self.builders[set][builder]);
        // Where each block answers its own reads there is nothing to refuse.
        let Err(error) = answer else { return };
        if !is_not_structured(&*error) {
            trial.fail(&error);
        }
    }

    /// The result of one builder, found to be right.
    fn build(&mut self, trial: &Trial<'_>, set: usize, builder: usize) -> Built {
        let ssa = &mut self.builders[set][builder];
        drive(trial.case, trial.plan, &mut self.host, ssa).unwrap_or_else(|error| trial.fail(&error));
        self.num_built += 1;
        let proved = ssa.certify_ranked(&mut self.program).unwrap_or_else(|error| trial.fail(&error));
        let verdict = self.judge.judge(&self.program, Mode::Exact);
        if let Some(violation) = verdict.violations.first() {
            trial.fail(violation);
        }
        if let Some(difference) =
            ssa.differences().unwrap_or_else(|| trial.fail(&"the host's code is not compared")).first()
        {
            trial.fail(difference);
        }
        check_claims(trial, ssa, &self.program, &self.host);
        // Every read counts as a use here, so that each phi is needed by something.
        let is_pruned = !self.host.reports_uses && trial.is_pruned();
        if (trial.is_minimized && proved.minimal.is_err()) || (is_pruned && proved.pruned.is_err()) {
            trial.fail(&format!("{proved:?}"));
        }
        let built = Built::new(trial.case, &self.host);
        walk::random_walks(trial.case, &built, 3, &mut self.rng).unwrap_or_else(|error| trial.fail(&error));
        if trial.plan.sealing == Sealing::Announced {
            check_operand_order(trial, &self.host);
        }
        if matches!(trial.engine, Engine::Auto | Engine::Marker) && trial.is_straight() {
            let stats = self.builders[set][builder].stats();
            if stats.trivial_phis + stats.incomplete_phis > 0 {
                trial.fail(&format!("temporary phis though nothing comes late: {stats:?}"));
            }
        }
        built
    }
}

/// A builder by each engine, with and without `minimize`.
fn builders(engines: &[Engine], thresholds: Thresholds) -> Vec<Certified<AnyBuilder>> {
    let pair = |&engine: &Engine| {
        [false, true].map(|minimize| {
            let options = Options::default().with_minimize(minimize);
            Certified::with_builder(AnyBuilder::with_options(engine, options.with_thresholds(thresholds)))
        })
    };
    engines.iter().flat_map(pair).collect()
}

/// Nothing is claimed of a read only where what it was answered was dropped, and no use is left.
fn check_claims(trial: &Trial<'_>, ssa: &Certified<AnyBuilder>, program: &Program, host: &TestHost) {
    let events = program.blocks().flat_map(|block| program.event_list(block));
    let num_claims = events.filter(|event| matches!(event, ProgramEvent::Use { .. })).count();
    let num_reads = ssa.stats().reads as usize;
    if num_claims + ssa.num_unclaimed() != num_reads || (!host.reports_uses && num_claims != num_reads) {
        trial.fail(&format!("{num_claims} claims and {} dropped, of {num_reads} reads", ssa.num_unclaimed()));
    }
}

/// Of an announced graph, operands come as the edges enter there.
fn check_operand_order(trial: &Trial<'_>, host: &TestHost) {
    let cfg = &trial.case.cfg;
    for phi in &host.phis {
        let given = host.operands(phi).iter().map(|operand| (operand.source, operand.slot));
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
    if trial.is_pruned() {
        findings.extend(quality::dead_phis(built));
    }
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
    // Edges from unreachable code make `minimize` run.
    if is_plain && !trial.is_minimized && trial.engine.decides_at_end() && !trial.case.has_unreachable_edges() {
        // A read in the entry is answered there.
        check_literal(trial.engine, trial.case, built, pruned, |block| block != trial.case.cfg.entry())
            .unwrap_or_else(|difference| trial.fail(&difference));
    }
}

/// Phis and operands for edges from unreachable code are undefined values.
fn check_unreachable(trial: &Trial<'_>, built: &Built) {
    let (cfg, reachable) = (&trial.case.cfg, trial.case.reachable());
    for (phis, block) in built.phis.iter().zip(trial.case.blocks()) {
        if let (Some(phi), false) = (phis.first(), reachable[block.index()]) {
            trial.fail(&format!("{phi:?} is in unreachable code"));
        }
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
