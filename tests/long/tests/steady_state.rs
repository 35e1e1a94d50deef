//! What has built or proved a function does so again without allocating.
//!
//! In a program of its own: the counting allocator counts everything.

use ssaphire::check::Program;
use ssaphire::graph::FlatCfg;
use ssaphire::{Access, Block, Certified, Options, Ranker, SsaBuilder, SsaBuilderExt, Value, Variable};
use ssaphire_literature::{AnyBuilder, Engine};
use ssaphire_tests::FinishInto;
use ssaphire_tests::small::small_graphs;
use ssaphire_tests::{Case, Filling, Origin, Plan, Rng, Sealing, Shape, TestHost, drive, families, generate};

#[global_allocator]
static ALLOCATOR: dhat::Alloc = dhat::Alloc;

/// A function with all that building it needs, so that nothing is allocated on the way.
struct Job {
    case: Case,
    order: Vec<Block>,
    /// By block, edges that are not there yet.
    missing: Vec<usize>,
    sealing: Sealing,
}

impl Job {
    fn new(case: Case, filling: Filling, sealing: Sealing) -> Self {
        let order = Plan::new(&case, filling, sealing, 7).order;
        let missing = vec![0; case.cfg.num_blocks()];
        Self { case, order, missing, sealing }
    }

    /// Builds the function; tuples happen one by one.
    fn run(&mut self, ssa: &mut AnyBuilder, host: &mut TestHost) {
        let cfg: &FlatCfg = &self.case.cfg;
        host.begin(&self.case);
        ssa.clear();
        if self.sealing == Sealing::Announced {
            ssa.announce(cfg).unwrap();
        } else {
            ssa.set_entry(cfg.entry()).unwrap();
        }
        for block in cfg.blocks() {
            self.missing[block.index()] = cfg.incoming(block).len();
        }
        for &block in &self.order {
            for (index, &access) in self.case.accesses[block.index()].iter().enumerate() {
                match access {
                    Access::Read(variable) => drop(ssa.read_at_site(host, block, variable, index as u32)),
                    Access::Write(variable) => {
                        let value: Value = host.value(Origin::Write(block, index));
                        ssa.write_variable(block, variable, value);
                    }
                    Access::Copy(variable, source) => {
                        let value = ssa.read_variable(host, block, source);
                        ssa.write_variable(block, variable, value);
                    }
                    Access::Tuple(_) => {}
                }
            }
            ssa.terminate(block, cfg.targets(block));
            for &target in cfg.targets(block) {
                self.missing[target.index()] -= 1;
                if self.missing[target.index()] == 0 && self.sealing == Sealing::Immediate {
                    ssa.seal_block(host, target);
                }
            }
        }
        if self.sealing != Sealing::Announced {
            ssa.seal_all_blocks(host);
        }
        ssa.finish_into(host).expect("the function is complete");
    }
}

fn num_allocations() -> u64 {
    dhat::HeapStats::get().total_blocks
}

fn jobs() -> Vec<Job> {
    let mut rng = Rng::new(11);
    let sealings = [Sealing::Immediate, Sealing::AtEnd, Sealing::Announced];
    let mut jobs = Vec::new();
    for shape in Shape::ALL {
        for _ in 0..6 {
            let case = generate(shape, true, &mut rng).with_pre_entry();
            jobs.push(Job::new(case, rng.pick(&Filling::ALL), rng.pick(&sealings)));
        }
    }
    for case in [
        families::ladder(500, 3),
        families::nest(200),
        families::fan_in(300, 4),
        families::two_way_path(300, 3, false),
        small_graphs(4).0[100].case(&[]),
    ] {
        jobs.extend(sealings.map(|sealing| Job::new(case.clone(), Filling::ReversePostorder, sealing)));
    }
    jobs
}

#[test]
fn a_second_round_allocates_nothing() {
    let _profiler = dhat::Profiler::builder().testing().build();
    let (mut jobs, mut host) = (jobs(), TestHost::default());
    for &engine in Engine::ON_THE_FLY {
        let mut ssa = AnyBuilder::new(engine);
        // The first round makes the tables as large as they have to be.
        jobs.iter_mut().for_each(|job| job.run(&mut ssa, &mut host));
        let before = num_allocations();
        jobs.iter_mut().for_each(|job| job.run(&mut ssa, &mut host));
        assert_eq!(num_allocations() - before, 0, "{engine}");
        // Nor do functions that are stopped half-way leave anything behind.
        let mut options = Options::default();
        options.work_limit = Some(40);
        stop_half_way(AnyBuilder::with_options(engine, options), &mut host);
    }
    prove_again(&mut host);
}

/// Proves programs minimal and pruned, and proves them again.
fn prove_again(host: &mut TestHost) {
    let mut ssa = Certified::default();
    let mut programs = Vec::new();
    for case in [families::ladder(50, 3), families::two_way_path(300, 3, false), families::nest(50)] {
        let mut program = Program::new();
        drive(&case, &Plan::in_order(case.blocks().collect()), host, &mut ssa).unwrap();
        ssa.certify(&mut program).unwrap();
        programs.push(program);
    }
    let mut ranker = Ranker::default();
    let mut round = || assert!(programs.iter_mut().all(|program| ranker.rank(program).is_complete()));
    round();
    let before = num_allocations();
    round();
    assert_eq!(num_allocations() - before, 0);
}

/// Uses up the work budget in the middle of sealing, again and again.
fn stop_half_way(mut ssa: AnyBuilder, host: &mut TestHost) {
    let case = families::fan_in(100, 1);
    let (join, variable) = (Block::new(101), Variable::new(0));
    let mut round = || {
        host.begin(&case);
        ssa.clear();
        for block in case.blocks() {
            if block == join {
                ssa.read_variable(host, block, variable);
            } else {
                ssa.seal_block(host, block);
                // Half of the values that come to the join are found in their blocks, half of them beyond.
                if block.index() % 2 == 1 {
                    let value = host.value(Origin::Write(block, 0));
                    ssa.write_variable(block, variable, value);
                }
            }
            ssa.terminate(block, case.cfg.targets(block));
        }
        assert!(ssa.try_seal_block(host, join).is_err());
    };
    round();
    let before = num_allocations();
    (0..1_000).for_each(|_| round());
    // The error of each refused call, and nothing else.
    assert_eq!(num_allocations() - before, 1_000);
}
