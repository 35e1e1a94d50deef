//! Reads of variables that may not have been written, against the definition: a search for paths.

use ssaphire::{
    Access, Block, Certainty, Event, Observed, Options, PhiHost, SsaBuilder, SsaBuilderExt, Value, Variable,
};
use ssaphire_literature::{AnyBuilder, Engine};
use ssaphire_tests::FinishInto;
use ssaphire_tests::small::{Blocks, Content, SmallGraph, permutations, small_graphs};
use ssaphire_tests::{Case, Filling, Origin, Part, Plan, Rng, Sealing, Shape, TestHost, generate, seeds, share};

/// Whether a path from the entry leads to the beginning of each block along which the variable has (not) been written.
struct Paths {
    written: Vec<bool>,
    unwritten: Vec<bool>,
}

impl Paths {
    fn new(case: &Case, variable: Variable) -> Self {
        let num_blocks = case.cfg.num_blocks();
        let writes = |block| case.written(block).any(|written| written == variable);
        let mut paths = Self { written: vec![false; num_blocks], unwritten: vec![false; num_blocks] };
        let mut work = vec![(case.cfg.entry(), false)];
        while let Some((block, is_written)) = work.pop() {
            let seen = if is_written { &mut paths.written } else { &mut paths.unwritten };
            if !std::mem::replace(&mut seen[block.index()], true) {
                let is_written = is_written || writes(block);
                work.extend(case.cfg.targets(block).iter().map(|&target| (target, is_written)));
            }
        }
        paths
    }

    /// What a read that no write of `block` precedes sees.
    fn certainty(&self, block: Block) -> Option<Certainty> {
        match (self.unwritten[block.index()], self.written[block.index()]) {
            (false, _) => None,
            (true, false) => Some(Certainty::Is),
            (true, true) => Some(Certainty::MayBe),
        }
    }
}

/// The reads of `case`, numbered in order of blocks, with what the definition says of each.
fn expected(case: &Case) -> Vec<(u32, Certainty)> {
    let paths: Vec<Paths> = (0..case.num_variables).map(|variable| Paths::new(case, Variable::new(variable))).collect();
    let mut expected = Vec::new();
    for block in case.blocks() {
        let mut written = Vec::new();
        for group in case.groups(block) {
            for (&access, index) in group.accesses.iter().zip(group.first..) {
                if let Access::Read(variable) = access {
                    let certainty = paths[variable.index()].certainty(block).filter(|_| !written.contains(&variable));
                    expected.extend(certainty.map(|certainty| (site(block, index), certainty)));
                }
            }
            written.extend(group.accesses.iter().filter_map(|access| match access {
                Access::Write(variable) => Some(*variable),
                _ => None,
            }));
        }
    }
    expected
}

fn site(block: Block, index: usize) -> u32 {
    (block.index() * 100 + index) as u32
}

/// What a builder reports of a function without copies.
fn reported(case: &Case, plan: &Plan, ssa: &mut AnyBuilder<Vec<Event>>, host: &mut TestHost) -> Vec<(u32, Certainty)> {
    ssa.clear();
    ssa.observer_mut().clear();
    host.clear();
    ssa.set_entry(case.cfg.entry()).unwrap();
    for &block in &plan.order {
        for group in case.groups(block) {
            for (&access, index) in group.accesses.iter().zip(group.first..) {
                if let Access::Read(variable) = access {
                    ssa.read_at_site(host, block, variable, site(block, index));
                }
            }
            for (&access, index) in group.accesses.iter().zip(group.first..) {
                if let Access::Write(variable) = access {
                    let value: Value = host.value(Origin::Write(block, index));
                    ssa.write_variable(block, variable, value);
                }
            }
        }
        ssa.terminate(block, case.cfg.targets(block));
    }
    ssa.seal_all_blocks(host as &mut dyn PhiHost);
    ssa.finish_into(host).unwrap();
    let mut reported: Vec<(u32, Certainty)> = ssa
        .observer()
        .iter()
        .filter_map(|event| match *event {
            Event::UndefinedRead { site, certainty, .. } => Some((site, certainty)),
            _ => None,
        })
        .collect();
    reported.sort_unstable_by_key(|&(site, _)| site);
    reported
}

fn builders() -> Vec<AnyBuilder<Vec<Event>>> {
    let mut builders = Vec::new();
    for engine in Engine::ALL.iter().copied().filter(|engine| engine.takes_any_graph()) {
        for minimize in [false, true] {
            let mut options = Options::default();
            (options.minimize, options.report_undefined_reads) = (minimize, true);
            builders.push(AnyBuilder::with_observer(engine, options, Vec::new()));
        }
    }
    builders
}

#[test]
pub(crate) fn every_small_program_is_reported_by_definition() {
    let (mut builders, mut host, mut num_reports) = (builders(), TestHost::default(), 0);
    let step = 11 * Part::of_seeds().of;
    for num_blocks in 1..=4 {
        let orders = permutations(num_blocks);
        for (number, graph) in small_graphs(num_blocks).0.iter().enumerate() {
            for contents in contents(graph).skip(number % step).step_by(step) {
                let case = graph.case(&contents);
                let expected = expected(&case);
                num_reports += expected.len();
                let order = &orders[(number + num_reports) % orders.len()];
                let plan = Plan::in_order(order.iter().map(|&block| Block::new(block)).collect());
                for ssa in &mut builders {
                    let found = reported(&case, &plan, ssa, &mut host);
                    assert_eq!(found, expected, "{:?} {graph:?} {contents:?} {order:?}", ssa.options());
                }
            }
        }
    }
    assert!(num_reports > share(1_000), "{num_reports}");
}

fn contents(graph: &SmallGraph) -> impl Iterator<Item = Vec<Content>> + use<> {
    let num_blocks = graph.num_blocks;
    (0..1usize << (2 * num_blocks))
        .map(move |number| (0..num_blocks).map(|block| Content::ALL[number >> (2 * block) & 3]).collect())
}

#[test]
pub(crate) fn random_functions_are_reported_by_definition() {
    let (mut builders, mut host) = (builders(), TestHost::default());
    let mut found_by_certainty = [0; 2];
    for seed in seeds(0..200) {
        for shape in Shape::ALL {
            let mut rng = Rng::new(seed);
            let case = generate(shape, false, &mut rng).with_pre_entry();
            host.shares_undefined = rng.chance(50);
            let plan = Plan::new(&case, rng.pick(&Filling::ALL), Sealing::AtEnd, seed);
            let expected = expected(&case);
            for &(_, certainty) in &expected {
                found_by_certainty[usize::from(certainty == Certainty::Is)] += 1;
            }
            for ssa in &mut builders {
                assert_eq!(reported(&case, &plan, ssa, &mut host), expected, "{:?} {case:?}", ssa.options());
            }
        }
    }
    assert!(found_by_certainty.iter().all(|&count| count > share(500)), "{found_by_certainty:?}");
}

#[test]
pub(crate) fn the_blocks_of_a_small_graph_are_a_set() {
    let set: Blocks = 0b1010;
    assert_eq!(ssaphire_tests::small::members(set).collect::<Vec<_>>(), [1, 3]);
}
