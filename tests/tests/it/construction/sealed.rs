//! `scc` and `region` make no temporary phi in sealed code, and `region` none among blocks sealed together.

use ssaphire::check::{Judge, Mode, Program, isomorphic_by, quality, rules};
use ssaphire::{
    Block, CallErrorKind, Certified, Event, Observed, Options, SsaBuilder, SsaBuilderExt, Stats, Value, Variable,
};
use ssaphire_literature::{AnyBuilder, Engine};
use ssaphire_tests::FinishInto;
use ssaphire_tests::naive;
use ssaphire_tests::refusal::kind;
use ssaphire_tests::{
    Built, Case, Filling, Origin, Plan, Rng, Sealing, Shape, TestHost, drive, drive_sealed, families, generate, seeds,
    share,
};

const EXACT: [Engine; 2] = [Engine::Scc, Engine::Region];

fn without_minimize(engine: Engine) -> AnyBuilder {
    AnyBuilder::with_options(engine, Options::default().with_minimize(false))
}

fn observed(engine: Engine) -> AnyBuilder<Vec<Event>> {
    AnyBuilder::with_observer(engine, Options::default().with_minimize(false), Vec::new())
}

/// The result on `case`, accepted by the judge.
#[track_caller]
fn judged<B: SsaBuilder>(case: &Case, host: &TestHost, ssa: &mut Certified<B>) -> Built {
    let mut program = Program::new();
    ssa.certify(&mut program).unwrap();
    assert_eq!(Judge::new().judge(&program, Mode::Exact).violations, [], "{case:?}");
    let built = Built::new(case, host);
    assert_eq!(rules(&built), [], "{case:?}");
    built
}

/// By definition: without copies the phis of sealed code are the pruned placement, and none was made in vain.
#[test]
pub(crate) fn in_sealed_code_every_phi_made_is_kept() {
    let mut host = TestHost::default();
    let mut num_phis = 0;
    for seed in seeds(0..400) {
        for shape in Shape::ALL {
            let mut rng = Rng::new(seed);
            let case = generate(shape, false, &mut rng).with_pre_entry().writes_first();
            let is_reachable = case.reachable().iter().all(|&is| is);
            let placement = naive::pruned_placement(&case);
            let mut reads: Vec<Block> = case.blocks().collect();
            rng.shuffle(&mut reads);
            let mut first: Option<Built> = None;
            for engine in EXACT {
                let mut ssa = Certified::with_builder(without_minimize(engine));
                drive_sealed(&case, reads.iter().copied(), &mut host, &mut ssa).unwrap();
                let stats = *ssa.stats();
                let built = judged(&case, &host, &mut ssa);
                assert_eq!(built.placement(), placement, "{engine}: {case:?}");
                num_phis += stats.phis_kept;
                if is_reachable {
                    let made = (stats.phis_made, stats.incomplete_phis, stats.trivial_phis, stats.redundant_phis);
                    assert_eq!(made, (stats.phis_kept, 0, 0, 0), "{engine}: {case:?}");
                }
                let first = first.get_or_insert_with(|| built.clone());
                isomorphic_by(first, &built, |one, other| first.same_undefined(one, &built, other)).unwrap();
            }
        }
    }
    assert!(num_phis > share(5_000) as u64, "{num_phis}");
}

/// All incomplete phis are nodes of one region, over all variables: what is left is irredundant, copies and all.
#[test]
pub(crate) fn region_leaves_nothing_redundant_among_blocks_sealed_together() {
    let mut host = TestHost::default();
    let mut num_left_by_braun = 0;
    for seed in seeds(0..300) {
        for (shape, has_copies) in Shape::ALL.into_iter().flat_map(|shape| [(shape, false), (shape, true)]) {
            let mut rng = Rng::new(seed);
            let case = generate(shape, has_copies, &mut rng).with_pre_entry();
            let plan = Plan::new(&case, rng.pick(&Filling::ALL), Sealing::AtEnd, seed);
            let mut ssa = Certified::with_builder(without_minimize(Engine::Region));
            drive(&case, &plan, &mut host, &mut ssa).unwrap();
            if case.reachable().iter().all(|&is| is) {
                assert_eq!(ssa.stats().redundant_phis, 0, "{case:?}");
            }
            let built = judged(&case, &host, &mut ssa);
            assert_eq!(quality(&built), [], "{case:?}");
            if !has_copies {
                assert_eq!(built.placement(), naive::pruned_placement(&case), "{case:?}");
            }
            let mut braun = Certified::with_builder(without_minimize(Engine::Braun));
            drive(&case, &plan, &mut host, &mut braun).unwrap();
            num_left_by_braun += quality::redundant_phis(&Built::new(&case, &host)).len();
        }
    }
    assert!(num_left_by_braun > share(100), "{num_left_by_braun}");
}

fn block(index: usize) -> Block {
    Block::new(index)
}

/// Braun et al., Fig. 5: a `goto` into a loop, of which blocks 1 and 3 are entered. Told until all edges are there.
fn jump_into_a_loop(engine: Engine) -> (AnyBuilder<Vec<Event>>, TestHost, Value) {
    let (mut ssa, mut host) = (observed(engine), TestHost::default());
    let value = host.value(Origin::Write(block(0), 0));
    ssa.write_variable(block(0), Variable::new(0), value);
    for (at, targets) in [(0, &[3, 1][..]), (1, &[2, 4]), (2, &[3]), (3, &[1]), (4, &[])] {
        if at == 1 {
            ssa.read_variable(&mut host, block(1), Variable::new(0));
        }
        let targets: Vec<Block> = targets.iter().map(|&target| block(target)).collect();
        ssa.terminate(block(at), &targets);
    }
    ssa.read_at_end(&mut host, block(3), Variable::new(0));
    (ssa, host, value)
}

#[test]
pub(crate) fn entries_of_an_irreducible_loop_sealed_together_need_no_phi() {
    for &engine in Engine::ON_THE_FLY {
        let (mut ssa, mut host, value) = jump_into_a_loop(engine);
        ssa.seal_blocks(&mut host, &[block(2), block(4), block(3), block(1), block(3)]);
        assert_eq!(ssa.stats().incomplete_phis, 2);
        let read = ssa.read_at_end(&mut host, block(4), Variable::new(0));
        ssa.finish_into(&mut host).unwrap();
        // `region` finds that one value enters, and `auto` that nothing is written in between.
        let is_decided_together = matches!(engine, Engine::Auto | Engine::Region);
        assert_eq!(ssa.stats().phis_kept, if is_decided_together { 0 } else { 2 }, "{engine}");
        assert_eq!(host.resolve(read) == value, is_decided_together);
        let sealed = |event: &Event| matches!(event, Event::Sealed { .. });
        assert_eq!(ssa.observer().iter().filter(|&event| sealed(event)).count(), 4, "{engine}");
    }
}

#[test]
pub(crate) fn blocks_of_which_one_cannot_be_sealed_are_all_left_as_they_were() {
    for &engine in Engine::ALL {
        let (mut ssa, mut host, _) = jump_into_a_loop(engine);
        ssa.seal_block(&mut host, block(2));
        let group = [block(3), block(1), block(2)];
        let sealed = Some(CallErrorKind::Sealed { block: block(2) });
        assert_eq!(kind(ssa.try_seal_blocks(&mut host, &group)), sealed);
        ssa.seal_block(&mut host, block(4));
        let sealed = Some(CallErrorKind::Sealed { block: block(4) });
        assert_eq!(kind(ssa.try_seal_blocks(&mut host, &[block(3), block(4)])), sealed);
        assert!(!ssa.is_sealed(block(3)) && !ssa.is_sealed(block(1)));
        ssa.seal_blocks(&mut host, &group[..2]);
        assert!(ssa.is_sealed(block(3)) && ssa.is_sealed(block(1)));
    }
}

/// 0 -> 1, 1 -> 2, 2 -> 2 | 3, 1 -> 3: the loop at 2 hands on what comes in; at 3 a write of it meets that.
#[test]
pub(crate) fn components_and_regions_are_told_of() {
    let told = |engine| {
        let (mut ssa, mut host) = (observed(engine), TestHost::default());
        for at in [0, 4] {
            let value = host.value(Origin::Write(block(at), 0));
            ssa.write_variable(block(at), Variable::new(0), value);
        }
        for (at, targets) in [(0, &[1, 3][..]), (1, &[2, 4]), (2, &[1, 3]), (4, &[3]), (3, &[])] {
            let targets: Vec<Block> = targets.iter().map(|&target| block(target)).collect();
            ssa.terminate(block(at), &targets);
        }
        ssa.seal_all_blocks(&mut host);
        ssa.read_at_end(&mut host, block(3), Variable::new(0));
        ssa.finish_into(&mut host).unwrap();
        let words = |event: &Event| match *event {
            Event::Component { block, blocks, phis, .. } => Some(format!("{blocks} with {block}: {phis} phis")),
            Event::Region { block, blocks, .. } => Some(format!("{blocks} from {block}")),
            Event::PhiMade { block, .. } => Some(format!("phi in {block}")),
            Event::OperandAdded { value, .. } => Some(format!("{value}")),
            _ => None,
        };
        ssa.observer().iter().filter_map(words).collect::<Vec<_>>()
    };
    assert_eq!(told(Engine::Scc), ["2 with block2: 0 phis", "phi in block3", "v0", "v0", "v1"]);
    assert_eq!(told(Engine::Region), ["3 from block3", "phi in block3", "v0", "v0", "v1"]);
}

/// What it costs to read at the end of the first block of the path, everything being sealed.
fn cost(engine: Engine, case: &Case, read: usize) -> Stats {
    let mut ssa = Certified::with_builder(without_minimize(engine));
    ssa.set_recording(false);
    drive_sealed(case, [block(read)], &mut TestHost::default(), &mut ssa).unwrap();
    *ssa.stats()
}

/// The worst case of components in components: each level settles both ends and walks over the rest.
#[test]
pub(crate) fn a_two_way_path_costs_scc_a_square_and_region_a_line() {
    for len in [50u64, 100, 200, 400] {
        let case = families::two_way_path(len as usize, 1, true);
        let [scc, region] = EXACT.map(|engine| cost(engine, &case, 2));
        assert_eq!((scc.phis_made, region.phis_made), (len, len));
        // The block read, and each edge of the path and into it.
        assert_eq!(region.lookup_steps, 2 * len + 1);
        assert_eq!(region.work, 6 * len + 1);
        assert_eq!(scc.lookup_steps, len * len / 2 + len + 1, "{len}");
    }
}

#[test]
pub(crate) fn nested_loops_that_write_innermost_cost_scc_a_square_and_region_a_line() {
    for depth in [50u64, 100, 200, 400] {
        let case = families::nest(depth as usize);
        let last = 1 + 2 * depth as usize;
        let [scc, region] = EXACT.map(|engine| cost(engine, &case, last));
        assert_eq!((scc.phis_made, region.phis_made), (depth, depth));
        assert!(region.lookup_steps <= 3 * depth + 2, "{region:?}");
        assert!(scc.lookup_steps > depth * depth / 2 && scc.lookup_steps < 4 * depth * depth, "{depth}: {scc:?}");
    }
}
