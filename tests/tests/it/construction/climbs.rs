//! What holds on the way up: dominators and what is written below them, headers that are passed, and what a walk stores.

use super::contracts::{block, seal, terminate, write, x};
use ssaphire::{Options, SsaBuilder, SsaBuilderExt, Variable};
use ssaphire_literature::{AnyBuilder, Engine};
use ssaphire_tests::FinishInto;
use ssaphire_tests::{Origin, TestHost};

/// 0 -> 1, 3; 1 -> 1, 2: the header 1 is left for block 3, where the variable is read, and read in after that.
#[test]
pub(crate) fn a_header_that_was_passed_once_is_not_passed_again() {
    for &engine in Engine::ON_THE_FLY {
        let (mut ssa, mut host) = (AnyBuilder::new(engine), TestHost::default());
        let (value, y) = (write(&mut ssa, &mut host, 0), Variable::new(1));
        terminate(&mut ssa, 0, &[1, 3]);
        seal(&mut ssa, &mut host, &[3]);
        ssa.read_variable(&mut host, block(1), y);
        assert_eq!(ssa.read_variable(&mut host, block(3), x()), value);
        terminate(&mut ssa, 3, &[]);
        let read = ssa.read_variable(&mut host, block(1), x());
        write(&mut ssa, &mut host, 1);
        terminate(&mut ssa, 1, &[1, 2]);
        seal(&mut ssa, &mut host, &[1, 2]);
        terminate(&mut ssa, 2, &[]);
        ssa.finish_into(&mut host).unwrap();
        assert_eq!(host.phis.iter().map(|phi| phi.value).collect::<Vec<_>>(), [read], "{engine}");
    }
}

/// 0 -> 1, 2; 1 -> 3 -> 4; 2 -> 4 -> 5: the join 4 gets its node three levels down, and then lies right below the entry.
///
/// Block 2 gets its node before it, and is filled after it.
#[test]
pub(crate) fn a_block_beside_the_path_is_not_on_it() {
    for &engine in Engine::ON_THE_FLY {
        let (mut ssa, mut host) = (AnyBuilder::new(engine), TestHost::default());
        write(&mut ssa, &mut host, 0);
        terminate(&mut ssa, 0, &[1, 2]);
        seal(&mut ssa, &mut host, &[1, 2]);
        write(&mut ssa, &mut host, 2);
        terminate(&mut ssa, 1, &[3]);
        seal(&mut ssa, &mut host, &[3]);
        terminate(&mut ssa, 3, &[4]);
        terminate(&mut ssa, 4, &[5]);
        terminate(&mut ssa, 2, &[4]);
        seal(&mut ssa, &mut host, &[4, 5]);
        let read = ssa.read_variable(&mut host, block(5), x());
        terminate(&mut ssa, 5, &[]);
        ssa.finish_into(&mut host).unwrap();
        assert_eq!(
            host.phis.iter().map(|phi| (phi.block, phi.value)).collect::<Vec<_>>(),
            [(block(4), read)],
            "{engine}"
        );
    }
}

/// 0 -> 1; 1 -> 2, 3; 2, 3 -> 4; 4 -> 5, 6; 5 -> 1: a lookup in 6 passes the join 4, but not the loop around it.
///
/// At 4 another variable is merged, with the same bit in sets of 64.
#[test]
pub(crate) fn a_join_is_passed_and_the_loop_around_it_is_not() {
    for &engine in Engine::ON_THE_FLY {
        let (mut ssa, mut host) = (AnyBuilder::new(engine), TestHost::default());
        write(&mut ssa, &mut host, 0);
        terminate(&mut ssa, 0, &[1]);
        terminate(&mut ssa, 1, &[2, 3]);
        seal(&mut ssa, &mut host, &[2, 3]);
        let other = host.value(Origin::Write(block(2), 0));
        ssa.write_variable(block(2), Variable::new(64), other);
        terminate(&mut ssa, 2, &[4]);
        terminate(&mut ssa, 3, &[4]);
        seal(&mut ssa, &mut host, &[4]);
        terminate(&mut ssa, 4, &[5, 6]);
        seal(&mut ssa, &mut host, &[5, 6]);
        write(&mut ssa, &mut host, 5);
        terminate(&mut ssa, 5, &[1]);
        seal(&mut ssa, &mut host, &[1]);
        let read = ssa.read_variable(&mut host, block(6), x());
        terminate(&mut ssa, 6, &[]);
        ssa.finish_into(&mut host).unwrap();
        assert_eq!(
            host.phis.iter().map(|phi| (phi.block, phi.value)).collect::<Vec<_>>(),
            [(block(1), read)],
            "{engine}"
        );
    }
}

/// 0 -> 1 -> 2 -> 3; 3 -> 4, 5; 4 -> 5; 5 -> 2, 6; 6 -> 1, 7: what is written in 4 is written in both loops.
///
/// From 6 the way up to 1 leads through 5 and 3, which the inner loop has made one with its header.
#[test]
pub(crate) fn what_an_inner_loop_writes_beside_the_way_is_written_in_the_outer_one() {
    for &engine in Engine::ON_THE_FLY {
        let (mut ssa, mut host) = (AnyBuilder::new(engine), TestHost::default());
        write(&mut ssa, &mut host, 0);
        terminate(&mut ssa, 0, &[1]);
        let read = ssa.read_variable(&mut host, block(1), x());
        terminate(&mut ssa, 1, &[2]);
        terminate(&mut ssa, 2, &[3]);
        seal(&mut ssa, &mut host, &[3]);
        terminate(&mut ssa, 3, &[4, 5]);
        seal(&mut ssa, &mut host, &[4]);
        write(&mut ssa, &mut host, 4);
        terminate(&mut ssa, 4, &[5]);
        seal(&mut ssa, &mut host, &[5]);
        terminate(&mut ssa, 5, &[2, 6]);
        seal(&mut ssa, &mut host, &[2, 6]);
        terminate(&mut ssa, 6, &[1, 7]);
        seal(&mut ssa, &mut host, &[1, 7]);
        terminate(&mut ssa, 7, &[]);
        ssa.finish_into(&mut host).unwrap();
        let first = host.phis.first().map(|phi| (phi.block, phi.value));
        assert_eq!((first, host.phis.len()), (Some((block(1), read)), 3), "{engine}");
    }
}

/// 0 -> 1 -> .. -> 300; 0 and 300 -> each of twenty joins: too far to climb for each of them, and a phi in all.
#[test]
pub(crate) fn joins_far_below_their_dominator_are_joins() {
    let (end, num_joins) = (300, 20);
    let joins: Vec<usize> = (end + 1..).take(num_joins).collect();
    for &engine in Engine::ON_THE_FLY {
        let (mut ssa, mut host) = (AnyBuilder::new(engine), TestHost::default());
        write(&mut ssa, &mut host, 0);
        terminate(&mut ssa, 0, &[&[1], &joins[..]].concat());
        for below in 1..end {
            seal(&mut ssa, &mut host, &[below]);
            if below == 2 {
                write(&mut ssa, &mut host, below);
            }
            terminate(&mut ssa, below, &[below + 1]);
        }
        seal(&mut ssa, &mut host, &[end]);
        terminate(&mut ssa, end, &joins);
        seal(&mut ssa, &mut host, &joins);
        for &join in &joins {
            ssa.read_variable(&mut host, block(join), x());
            terminate(&mut ssa, join, &[]);
        }
        ssa.finish_into(&mut host).unwrap();
        assert_eq!(host.phis.len(), num_joins, "{engine}");
    }
}

/// 0 -> 1, 2; 1 -> 10 -> ... -> 30 -> 3; 2 -> 3 -> 40 -> ... -> 60; each of 40 ... 60 -> one of 70 ... 90.
///
/// What the lookup finds above 30 holds in blocks passed on the way to it, and not in those below the join 3.
#[test]
pub(crate) fn a_value_is_not_stored_below_the_join_that_merges_it() {
    for &engine in Engine::ON_THE_FLY {
        let (mut ssa, mut host) = (AnyBuilder::new(engine), TestHost::default());
        terminate(&mut ssa, 0, &[1, 2]);
        seal(&mut ssa, &mut host, &[1, 2]);
        for arm in [1, 2] {
            write(&mut ssa, &mut host, arm);
        }
        terminate(&mut ssa, 1, &[10]);
        seal(&mut ssa, &mut host, &[10]);
        for at in 10..30 {
            terminate(&mut ssa, at, &[at + 1]);
            seal(&mut ssa, &mut host, &[at + 1]);
        }
        terminate(&mut ssa, 30, &[3]);
        terminate(&mut ssa, 2, &[3]);
        seal(&mut ssa, &mut host, &[3]);
        terminate(&mut ssa, 3, &[40]);
        seal(&mut ssa, &mut host, &[40]);
        for at in 40..60 {
            terminate(&mut ssa, at, &[at + 1, at + 30]);
            seal(&mut ssa, &mut host, &[at + 1, at + 30]);
        }
        let read = ssa.read_variable(&mut host, block(60), x());
        terminate(&mut ssa, 60, &[90]);
        seal(&mut ssa, &mut host, &[90]);
        for side in 70..=90 {
            assert_eq!(ssa.read_variable(&mut host, block(side), x()), read, "{engine}, block {side}");
            terminate(&mut ssa, side, &[]);
        }
        ssa.finish_into(&mut host).unwrap();
        assert_eq!(
            host.phis.iter().map(|phi| (phi.block, phi.value)).collect::<Vec<_>>(),
            [(block(3), read)],
            "{engine}"
        );
    }
}

/// 0 -> 60 -> 61 -> 1; 1 -> 2, 3; 2 -> 100 -> ... -> 199; 199 -> 40, 41; 41 -> 3; 3 -> 1, 50; 50 -> 51, 52: 60 and, late, 51 write.
///
/// Block 41 writes a variable with the same bit. What is read in 40, further down than the path is known, is found
/// above the loop and stored in blocks on the way: the lookup in 52 comes to one of them, and by the other edge of 3 to
/// the header.
#[test]
pub(crate) fn a_loop_that_writes_a_variable_with_the_same_bit_needs_no_phi() {
    for &engine in Engine::ALL {
        let (mut ssa, mut host) = (AnyBuilder::new(engine), TestHost::default());
        terminate(&mut ssa, 0, &[60]);
        seal(&mut ssa, &mut host, &[60]);
        let value = write(&mut ssa, &mut host, 60);
        terminate(&mut ssa, 60, &[61]);
        seal(&mut ssa, &mut host, &[61]);
        terminate(&mut ssa, 61, &[1]);
        terminate(&mut ssa, 1, &[2, 3]);
        seal(&mut ssa, &mut host, &[2]);
        terminate(&mut ssa, 2, &[100]);
        seal(&mut ssa, &mut host, &[100]);
        for at in 100..199 {
            terminate(&mut ssa, at, &[at + 1]);
            seal(&mut ssa, &mut host, &[at + 1]);
        }
        terminate(&mut ssa, 199, &[40, 41]);
        seal(&mut ssa, &mut host, &[40, 41]);
        let other = host.value(Origin::Write(block(41), 0));
        ssa.write_variable(block(41), Variable::new(64), other);
        terminate(&mut ssa, 41, &[3]);
        seal(&mut ssa, &mut host, &[3]);
        terminate(&mut ssa, 3, &[1, 50]);
        seal(&mut ssa, &mut host, &[1, 50]);
        ssa.read_variable(&mut host, block(40), x());
        terminate(&mut ssa, 40, &[]);
        terminate(&mut ssa, 50, &[51, 52]);
        seal(&mut ssa, &mut host, &[51, 52]);
        write(&mut ssa, &mut host, 51);
        terminate(&mut ssa, 51, &[]);
        let read = ssa.read_variable(&mut host, block(52), x());
        terminate(&mut ssa, 52, &[]);
        ssa.finish_into(&mut host).unwrap();
        assert_eq!((host.phis.len(), host.resolve(read)), (0, value), "{engine}");
    }
}

/// 0 -> 2; 1 -> 2: block 1 is filled before it is known that nothing leads to it, and its edge is the first one.
#[test]
pub(crate) fn a_join_is_linked_once_its_first_source_turns_out_to_be_unreachable() {
    let (mut ssa, mut host) = (AnyBuilder::new(Engine::Auto), TestHost::default());
    ssa.set_entry(block(0)).unwrap();
    write(&mut ssa, &mut host, 1);
    terminate(&mut ssa, 1, &[2]);
    let value = write(&mut ssa, &mut host, 0);
    terminate(&mut ssa, 0, &[2]);
    let read = ssa.read_variable(&mut host, block(2), x());
    seal(&mut ssa, &mut host, &[2]);
    assert_eq!(ssa.known_dominator(block(2)), None);
    seal(&mut ssa, &mut host, &[1]);
    assert_eq!(ssa.known_dominator(block(2)), Some(block(0)));
    terminate(&mut ssa, 2, &[]);
    ssa.finish_into(&mut host).unwrap();
    assert_eq!(ssa.resolve(read), value);
}

/// 0 -> 2; 2 -> 3; 3 -> 1, 4; 1 -> 3: block 1 is filled before it is known that only 3 leads to it, and its edge is the first one.
#[test]
pub(crate) fn a_join_is_linked_once_its_first_source_turns_out_to_lie_below_it() {
    let (mut ssa, mut host) = (AnyBuilder::new(Engine::Auto), TestHost::default());
    ssa.set_entry(block(0)).unwrap();
    let value = write(&mut ssa, &mut host, 0);
    terminate(&mut ssa, 0, &[2]);
    let reads = [3, 1, 2].map(|at| ssa.read_variable(&mut host, block(at), x()));
    terminate(&mut ssa, 1, &[3]);
    terminate(&mut ssa, 2, &[3]);
    terminate(&mut ssa, 3, &[1, 4]);
    seal(&mut ssa, &mut host, &[3, 1]);
    assert_eq!([1, 3].map(|at| ssa.known_dominator(block(at))), [Some(block(3)), None]);
    seal(&mut ssa, &mut host, &[2]);
    assert_eq!(ssa.known_dominator(block(3)), Some(block(0)));
    seal(&mut ssa, &mut host, &[4]);
    terminate(&mut ssa, 4, &[]);
    ssa.finish_into(&mut host).unwrap();
    assert_eq!(reads.map(|read| host.resolve(read)), [value; 3]);
}

/// 1 -> 2, 3; 2 -> 3; 3 -> 1: block 2 is the root that is in the way of 3, and comes to lie below that of the other source.
#[test]
pub(crate) fn a_join_is_linked_once_its_sources_lie_in_one_tree() {
    let (mut ssa, mut host) = (AnyBuilder::new(Engine::Auto), TestHost::default());
    write(&mut ssa, &mut host, 0);
    for (at, targets) in [(0, &[1][..]), (1, &[2, 3]), (2, &[3]), (3, &[1])] {
        ssa.read_variable(&mut host, block(at), x());
        terminate(&mut ssa, at, targets);
    }
    seal(&mut ssa, &mut host, &[3]);
    assert_eq!(ssa.known_dominator(block(3)), None);
    seal(&mut ssa, &mut host, &[2]);
    assert_eq!(ssa.known_dominator(block(3)), Some(block(1)));
    seal(&mut ssa, &mut host, &[1]);
    ssa.finish_into(&mut host).unwrap();
    assert!(host.phis.is_empty());
}

/// 0 -> 1, 3, 5; 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 1: each way in waits for the one before it, and the first one for block 6, which comes to
/// lie below the last one.
#[test]
pub(crate) fn ways_into_a_loop_are_linked_once_the_last_block_is_sealed() {
    let (mut ssa, mut host) = (AnyBuilder::new(Engine::Auto), TestHost::default());
    write(&mut ssa, &mut host, 0);
    terminate(&mut ssa, 0, &[1, 3, 5]);
    for at in 1..7 {
        ssa.read_variable(&mut host, block(at), x());
        terminate(&mut ssa, at, &[at % 6 + 1]);
    }
    seal(&mut ssa, &mut host, &[1, 2, 3, 4, 5, 6]);
    assert_eq!([1, 3, 5].map(|at| ssa.known_dominator(block(at))), [Some(block(0)); 3]);
    ssa.finish_into(&mut host).unwrap();
    assert!(host.phis.is_empty());
}

/// 0 -> 5, 5, 3; 3 -> 5; 5 -> 3, 5, 2; from unreachable blocks 1 -> 3, 4; 4 -> 1, 7, 4; 6 -> 4, 7, 3: blocks 3 and 5 wait for one another,
/// and for 1 and 4 until these are found to be unreachable.
#[test]
pub(crate) fn ways_into_a_loop_are_linked_without_unreachable_blocks() {
    let targets: [&[usize]; 8] = [&[5, 5, 3], &[3, 4], &[], &[5], &[1, 7, 4], &[3, 5, 2], &[4, 7, 3], &[]];
    for order in [[0, 5, 3, 2, 1, 4, 6, 7], [0, 5, 2, 3, 1, 4, 6, 7], [0, 3, 5, 2, 1, 4, 6, 7]] {
        let (mut ssa, mut host) = (AnyBuilder::new(Engine::Auto), TestHost::default());
        write(&mut ssa, &mut host, 0);
        let mut missing = [0; 8];
        targets.iter().flat_map(|targets| *targets).for_each(|&target| missing[target] += 1);
        for at in order {
            ssa.read_variable(&mut host, block(at), x());
            terminate(&mut ssa, at, targets[at]);
            for &target in targets[at] {
                missing[target] -= 1;
                if missing[target] == 0 {
                    seal(&mut ssa, &mut host, &[target]);
                }
            }
        }
        ssa.seal_all_blocks(&mut host);
        assert_eq!([3, 5].map(|at| ssa.known_dominator(block(at))), [Some(block(0)); 2], "{order:?}");
    }
}

/// The default engine, with jumps from the first step on or not, and with rows or not.
fn default_engines() -> impl Iterator<Item = AnyBuilder> {
    [(64, None), (0, None), (64, Some(0)), (0, Some(0))].into_iter().map(|(climb_steps, row_events)| {
        let mut options = Options::default();
        (options.thresholds.climb_steps, options.thresholds.row_events) = (climb_steps, row_events);
        AnyBuilder::with_options(Engine::Auto, options)
    })
}

/// 0 -> 1 -> 2 -> .. -> 12; 12 -> 12, 13; 13 -> 11, 14; 14 -> 1, 15: a block of the row writes, and 12, in three loops, reads;
/// the others write another variable.
#[test]
pub(crate) fn a_deferred_phi_stands_for_a_value_as_soon_as_one_is_known() {
    for (mut ssa, writer) in (1..11).flat_map(|writer| default_engines().map(move |ssa| (ssa, writer))) {
        let mut host = TestHost::default();
        let mut value = write(&mut ssa, &mut host, 0);
        for at in 0..12 {
            if at == writer {
                value = write(&mut ssa, &mut host, at);
            } else {
                let other = host.value(Origin::Write(block(at), 0));
                ssa.write_variable(block(at), Variable::new(1), other);
            }
            terminate(&mut ssa, at, &[at + 1]);
            if (1..10).contains(&at) {
                seal(&mut ssa, &mut host, &[at + 1]);
            }
        }
        let read = ssa.read_variable(&mut host, block(12), x());
        terminate(&mut ssa, 12, &[12, 13]);
        seal(&mut ssa, &mut host, &[12, 13]);
        assert_eq!(ssa.read_variable(&mut host, block(13), x()), read, "it is deferred until block 11 is sealed");
        terminate(&mut ssa, 13, &[11, 14]);
        seal(&mut ssa, &mut host, &[11, 14]);
        assert_eq!(ssa.read_variable(&mut host, block(14), x()), value, "block {writer} writes");
        terminate(&mut ssa, 14, &[1, 15]);
        seal(&mut ssa, &mut host, &[1, 15]);
        terminate(&mut ssa, 15, &[]);
        ssa.finish_into(&mut host).unwrap();
        assert!(host.phis.is_empty());
    }
}

/// 0 -> 1 -> 2 -> 3; 3 -> 3, 4; 4 -> 2, 5; 5 -> 1, 6: block 3, in three loops, reads; then 6, which was begun first, writes, and then
/// 4, in two of the loops.
#[test]
pub(crate) fn a_phi_is_not_deferred_beyond_a_loop_that_writes_after_an_earlier_block() {
    for mut ssa in default_engines() {
        let mut host = TestHost::default();
        let other = host.value(Origin::Write(block(6), 0));
        ssa.write_variable(block(6), Variable::new(1), other);
        write(&mut ssa, &mut host, 0);
        (0..3).for_each(|at| terminate(&mut ssa, at, &[at + 1]));
        let read = ssa.read_variable(&mut host, block(3), x());
        terminate(&mut ssa, 3, &[3, 4]);
        seal(&mut ssa, &mut host, &[3, 4]);
        write(&mut ssa, &mut host, 6);
        write(&mut ssa, &mut host, 4);
        terminate(&mut ssa, 4, &[2, 5]);
        seal(&mut ssa, &mut host, &[2, 5]);
        terminate(&mut ssa, 5, &[1, 6]);
        seal(&mut ssa, &mut host, &[1, 6]);
        terminate(&mut ssa, 6, &[]);
        let built = ssa.finish(&mut host).unwrap();
        let phi = built.phis.iter().find(|phi| phi.block == block(2)).expect("the loop of block 2 writes");
        assert_eq!(built.resolve(read), phi.value);
    }
}

/// 0 -> 1 -> 2 -> 3; 3 -> 3, 4, 5; 4 -> 2, 6; 5 -> 1, 6: block 3, in three loops, reads, and 4 writes, in two of them.
#[test]
pub(crate) fn a_phi_is_not_deferred_beyond_a_loop_that_writes() {
    for mut ssa in default_engines() {
        let mut host = TestHost::default();
        write(&mut ssa, &mut host, 0);
        (0..3).for_each(|at| terminate(&mut ssa, at, &[at + 1]));
        let read = ssa.read_variable(&mut host, block(3), x());
        terminate(&mut ssa, 3, &[3, 4, 5]);
        seal(&mut ssa, &mut host, &[3, 4]);
        write(&mut ssa, &mut host, 4);
        terminate(&mut ssa, 4, &[2, 6]);
        seal(&mut ssa, &mut host, &[2, 5]);
        assert_ne!(ssa.read_variable(&mut host, block(5), x()), read);
        terminate(&mut ssa, 5, &[1, 6]);
        seal(&mut ssa, &mut host, &[1, 6]);
        terminate(&mut ssa, 6, &[]);
        ssa.finish_into(&mut host).unwrap();
        // Nothing is written on the ways from 2 to 3 and from 3 to 5.
        assert_eq!(host.phis.iter().map(|phi| phi.block).collect::<Vec<_>>(), [block(1), block(2)]);
    }
}
