//! `braun-watched` leaves the phis that `braun` leaves, and looks at fewer on the way.

use ssaphire::check::isomorphic_by;
use ssaphire::{Block, Certified, Options, SsaBuilder, Stats, Variable};
use ssaphire_literature::{AnyBuilder, Engine};
use ssaphire_tests::FinishInto;
use ssaphire_tests::{
    Built, Case, Filling, Origin, Plan, Rng, Sealing, Shape, TestHost, drive, generate, seeds, share,
};

const ENGINES: [Engine; 2] = [Engine::Braun, Engine::BraunWatched];

fn builder(engine: Engine) -> Certified<AnyBuilder> {
    Certified::with_builder(AnyBuilder::with_options(engine, Options::default().with_minimize(false)))
}

fn check(case: &Case, plan: &Plan, builders: &mut [Certified<AnyBuilder>; 2]) -> [Stats; 2] {
    let mut host = TestHost::default();
    let built = builders.each_mut().map(|ssa| {
        drive(case, plan, &mut host, ssa).unwrap();
        Built::new(case, &host)
    });
    let [braun, watched] = &built;
    isomorphic_by(braun, watched, |one, other| braun.same_undefined(one, watched, other)).unwrap();
    let stats = builders.each_ref().map(|ssa| *ssa.stats());
    let [phis, watched_phis] = stats.map(|stats| (stats.phis_made, stats.trivial_phis, stats.phis_kept));
    assert_eq!(phis, watched_phis, "{plan:?} {case:?}");
    stats
}

#[test]
pub(crate) fn the_phis_left_are_those_of_braun() {
    let mut builders = ENGINES.map(builder);
    let mut sums = [Stats::default(); 2];
    for seed in seeds(0..100) {
        for (shape, has_copies) in Shape::ALL.into_iter().flat_map(|shape| [(shape, false), (shape, true)]) {
            let mut rng = Rng::new(seed);
            let case = generate(shape, has_copies, &mut rng).with_pre_entry();
            for sealing in Sealing::ALL {
                let plan = Plan::new(&case, rng.pick(&Filling::ALL), sealing, seed);
                let stats = check(&case, &plan, &mut builders);
                sums.iter_mut().zip(stats).for_each(|(sum, stats)| *sum += stats);
            }
        }
    }
    let least = share(4_000) as u64;
    assert!(sums[1].trivial_phis > least && sums[1].phis_kept > least, "{sums:?}");
}

/// A line of unsealed blocks, and hubs: joins of what comes down the line with a write.
///
/// Sealed in this order each block of the line makes the value of the one before stand for its own, and all hubs use it.
fn chain_and_hubs(engine: Engine, len: usize, num_hubs: usize) -> Stats {
    let (mut ssa, mut host, x) = (builder(engine), TestHost::default(), Variable::new(0));
    // Blocks: 0 entry; 1 to len the line; then two by two a write and a hub.
    let line: Vec<Block> = (0..=len).map(Block::new).collect();
    let (writes, hubs): (Vec<Block>, Vec<Block>) =
        (0..num_hubs).map(|hub| (Block::new(len + 1 + 2 * hub), Block::new(len + 2 + 2 * hub))).unzip();
    let value = host.value(Origin::Undefined(None));
    ssa.global(value);
    for block in line[..1].iter().chain(&writes) {
        let value = host.value(Origin::Write(*block, 0));
        ssa.write_variable(*block, x, value);
    }
    for pair in line.windows(2) {
        ssa.terminate(pair[0], &pair[1..]);
    }
    let targets: Vec<Block> = hubs.iter().chain(&writes).copied().collect();
    ssa.terminate(line[len], &targets);
    for (write, hub) in writes.iter().zip(&hubs) {
        ssa.seal_block(&mut host, *write);
        ssa.terminate(*write, &[*hub]);
        ssa.seal_block(&mut host, *hub);
        ssa.read_variable(&mut host, *hub, x);
        ssa.terminate(*hub, &[]);
    }
    line[1..].iter().rev().for_each(|&block| ssa.seal_block(&mut host, block));
    ssa.finish_into(&mut host).unwrap();
    assert_eq!((ssa.stats().trivial_phis, ssa.stats().phis_kept), (len as u64, num_hubs as u64));
    *ssa.stats()
}

#[test]
pub(crate) fn hubs_are_looked_at_once_and_not_for_each_phi_of_the_chain() {
    for size in [10u64, 100, 1000] {
        let stats = ENGINES.map(|engine| chain_and_hubs(engine, size as usize, size as usize));
        let [users, watched] = stats.map(|stats| stats.users_visited);
        // Each phi of the chain but the first inherits one user more, which is dead.
        assert_eq!((users, watched), (size * size + size - 1, 0), "{size}");
        // One check when a phi is complete, and of each phi that takes over.
        let [_, checks] = stats.map(|stats| stats.triviality_checks);
        assert_eq!(checks, 2 * size, "{size}");
    }
}

/// Without a chain there is nothing to save, and watching costs no more than listing users.
#[test]
pub(crate) fn a_watched_phi_is_listed_twice_at_most_at_a_time() {
    let [users, watched] = ENGINES.map(|engine| chain_and_hubs(engine, 1, 1000).users_visited);
    assert_eq!((users, watched), (1000, 0));
}
