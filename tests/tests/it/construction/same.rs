//! Values that turn out to be the same, in whatever way, leave no phi behind.

use super::contracts::{block, seal, terminate, write, x};
use ssaphire::{Options, SsaBuilder, SsaBuilderExt, Value, Variable};
use ssaphire_literature::{AnyBuilder, Engine};
use ssaphire_tests::FinishInto;
use ssaphire_tests::{Origin, Rng, TestHost};

/// How the value that is written in a loop comes to be the one that enters the loop.
#[derive(Clone, Copy, Debug)]
enum Way {
    /// It is what undefined variables hold.
    Undefined,
    /// It is what the variable holds at first.
    Initial,
    /// It is what the variable holds at first, which is said after it was written.
    Late,
    /// It was written before the loop as well.
    Twice,
    /// The host replaces it by the one written before the loop.
    Replaced,
}

/// 0 -> 1; 1 -> 2, 3; 2 -> 3; 3 -> 1, 4: block 2 writes what enters at 1.
#[test]
pub(crate) fn a_loop_that_writes_what_enters_it_needs_no_phi() {
    for &engine in Engine::ALL {
        for way in [Way::Undefined, Way::Initial, Way::Late, Way::Twice, Way::Replaced] {
            let (mut ssa, mut host) = (AnyBuilder::new(engine), TestHost::default());
            let value = host.value(Origin::Undefined(None));
            match way {
                Way::Undefined => {
                    ssa.global(value);
                    host.share_undefined(value);
                }
                Way::Initial => ssa.set_initial(x(), value),
                Way::Late => ssa.global(value),
                Way::Twice | Way::Replaced => ssa.write_variable(block(0), x(), value),
            }
            terminate(&mut ssa, 0, &[1]);
            terminate(&mut ssa, 1, &[2, 3]);
            seal(&mut ssa, &mut host, &[2]);
            let written = match way {
                Way::Replaced => host.value(Origin::Write(block(2), 0)),
                _ => value,
            };
            ssa.write_variable(block(2), x(), written);
            terminate(&mut ssa, 2, &[3]);
            seal(&mut ssa, &mut host, &[3]);
            let read = ssa.read_variable(&mut host, block(3), x());
            if matches!(way, Way::Late) {
                ssa.set_initial(x(), value);
            }
            terminate(&mut ssa, 3, &[1, 4]);
            seal(&mut ssa, &mut host, &[1, 4]);
            terminate(&mut ssa, 4, &[]);
            ssa.replace(&mut host, written, value);
            ssa.finish_into(&mut host).unwrap();
            assert_eq!((host.phis.len(), host.resolve(read)), (0, value), "{engine}, {way:?}");
        }
    }
}

/// 0 -> 1; 1 -> 2; 2 -> 3, 4; 3, 4 -> 5; 5 -> 1, 6, 7; 6 -> 7: blocks 3 and 4 write what is found to be one value.
///
/// The phi at 1 is examined before the one at 5, on which it depends, and which the one at 7 uses as well.
#[test]
pub(crate) fn a_phi_goes_with_a_younger_one_that_merges_what_was_replaced() {
    for engine in Engine::ALL.iter().copied().filter(|engine| !engine.leaves_trivial_phis()) {
        let options = Options::default().with_minimize(false);
        let (mut ssa, mut host) = (AnyBuilder::with_options(engine, options), TestHost::default());
        let new = host.value(Origin::Undefined(None));
        let old = write(&mut ssa, &mut host, 0);
        terminate(&mut ssa, 0, &[1]);
        ssa.read_variable(&mut host, block(1), x());
        terminate(&mut ssa, 1, &[2]);
        terminate(&mut ssa, 2, &[3, 4]);
        seal(&mut ssa, &mut host, &[2, 3, 4]);
        ssa.write_variable(block(3), x(), new);
        ssa.write_variable(block(4), x(), old);
        terminate(&mut ssa, 3, &[5]);
        terminate(&mut ssa, 4, &[5]);
        seal(&mut ssa, &mut host, &[5]);
        ssa.read_variable(&mut host, block(5), x());
        terminate(&mut ssa, 5, &[1, 6, 7]);
        seal(&mut ssa, &mut host, &[1, 6]);
        let other = write(&mut ssa, &mut host, 6);
        terminate(&mut ssa, 6, &[7]);
        seal(&mut ssa, &mut host, &[7]);
        let kept = ssa.read_variable(&mut host, block(7), x());
        terminate(&mut ssa, 7, &[]);
        ssa.replace(&mut host, old, new);
        ssa.finish_into(&mut host).unwrap();
        assert_eq!(host.phis.iter().map(|phi| phi.value).collect::<Vec<_>>(), [kept], "{engine}");
        let operands = host.operands(&host.phis[0]).iter().map(|operand| operand.value);
        assert_eq!(operands.collect::<Vec<_>>(), [new, other], "{engine}");
    }
}

/// 0 -> 1, 2; 1 -> 3; 2 -> 3, 4; 3 -> 2: blocks 0 and 1 write one value, and 0 does so last.
#[test]
pub(crate) fn a_value_that_the_entry_writes_after_another_block_needs_no_phi() {
    for &engine in Engine::ON_THE_FLY {
        let (mut ssa, mut host) = (AnyBuilder::new(engine), TestHost::default());
        ssa.set_entry(block(0)).unwrap();
        let (other, value) = (host.value(Origin::Write(block(0), 0)), host.value(Origin::Undefined(None)));
        ssa.write_variable(block(0), Variable::new(1), other);
        ssa.write_variable(block(1), x(), value);
        ssa.write_variable(block(0), x(), value);
        terminate(&mut ssa, 0, &[1, 2]);
        seal(&mut ssa, &mut host, &[1]);
        terminate(&mut ssa, 1, &[3]);
        terminate(&mut ssa, 2, &[3, 4]);
        terminate(&mut ssa, 3, &[2]);
        seal(&mut ssa, &mut host, &[2, 3, 4]);
        let read = ssa.read_variable(&mut host, block(4), x());
        terminate(&mut ssa, 4, &[]);
        ssa.finish_into(&mut host).unwrap();
        assert_eq!((host.resolve(read), host.phis.len()), (value, 0), "{engine}");
    }
}

/// Each block but the first has an edge from one before it, and there are as many edges from anywhere.
fn edges_that_reach_all(num_blocks: usize, rng: &mut Rng) -> Vec<Vec<usize>> {
    let mut targets = vec![Vec::new(); num_blocks];
    for at in 1..num_blocks {
        targets[rng.below(at)].push(at);
        targets[rng.below(num_blocks)].push(1 + rng.below(num_blocks - 1));
    }
    targets
}

/// However a lookup meets the blocks, the value of the first one is what all of them hold.
#[test]
pub(crate) fn a_value_that_enters_sealed_code_reaches_all_of_it() {
    let mut rng = Rng::new(7);
    for _ in 0..500 {
        let targets = edges_that_reach_all(12, &mut rng);
        let last = rng.below(12);
        for engine in Engine::ALL.iter().copied().filter(|engine| engine.takes_any_graph()) {
            let (mut ssa, mut host) = (AnyBuilder::new(engine), TestHost::default());
            let value = write(&mut ssa, &mut host, 0);
            for (at, targets) in targets.iter().enumerate() {
                terminate(&mut ssa, at, targets);
            }
            ssa.seal_all_blocks(&mut host);
            let read = |at: usize| ssa.read_at_end(&mut host, block((last + at) % 12), x());
            let reads: Vec<Value> = (0..12).map(read).collect();
            ssa.finish_into(&mut host).unwrap();
            assert!(reads.iter().all(|&read| ssa.resolve(read) == value), "{engine}: {last} of {targets:?}");
            if matches!(engine, Engine::Scc | Engine::Region) {
                assert_eq!(ssa.stats().phis_made, 0, "{engine}: {last} of {targets:?}");
            }
            assert_eq!(host.phis, [], "{engine}: {last} of {targets:?}");
        }
    }
}
