//! Edges that lead elsewhere after all: the result is that of the graph as it is in the end.

use super::contracts::{block, seal, terminate, write, x};
use ssaphire::check::{Mode, Program, judge};
use ssaphire::{CallErrorKind, Certified, SsaBuilder, SsaBuilderExt};
use ssaphire_literature::{AnyBuilder, Engine};
use ssaphire_tests::FinishInto;
use ssaphire_tests::refusal::kind;
use ssaphire_tests::{Origin, TestHost};

/// A conditional whose other branch becomes known after the first is filled: 0 -> 1, 3 becomes 0 -> 1, 2; 1 -> 3; 2 -> 3.
#[test]
pub(crate) fn a_branch_that_is_told_later_is_a_branch() {
    for &engine in Engine::ALL {
        let (mut ssa, mut host) = (Certified::with_builder(AnyBuilder::new(engine)), TestHost::default());
        let value = |host: &mut TestHost, at: usize| host.value(Origin::Write(block(at), 0));
        let first = value(&mut host, 0);
        ssa.write_variable(block(0), x(), first);
        ssa.terminate(block(0), &[block(1), block(3)]);
        ssa.seal_block(&mut host, block(1));
        ssa.terminate(block(1), &[block(3)]);
        assert_eq!(ssa.redirect_edge(block(0), 1, block(2)), block(3));
        ssa.seal_block(&mut host, block(2));
        let second = value(&mut host, 2);
        ssa.write_variable(block(2), x(), second);
        ssa.terminate(block(2), &[block(3)]);
        ssa.seal_block(&mut host, block(3));
        let read = ssa.read_variable(&mut host, block(3), x());
        ssa.terminate(block(3), &[]);
        ssa.finish_into(&mut host).unwrap();
        assert_eq!(ssa.kept_phis(), [(block(3), x(), read)], "{engine}");
        assert_eq!(ssa.kept_operands(), [first, second], "{engine}");
        let mut program = Program::new();
        ssa.certify(&mut program).unwrap();
        assert_eq!(judge(&program, Mode::Exact).violations, [], "{engine}");
    }
}

/// Edges are operands in the order in which they were added, wherever they led in between.
#[test]
pub(crate) fn redirected_edges_keep_their_age() {
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let (mut ssa, mut host) = (Certified::default(), TestHost::default());
        let values = [1, 2, 3, 4].map(|at| host.value(Origin::Write(block(at), 0)));
        let before = |from: usize| block(if from == 4 { 6 } else { 5 });
        ssa.terminate(block(0), &[1, 2, 3, 4].map(block));
        for from in 1..5 {
            ssa.seal_block(&mut host, block(from));
            ssa.write_variable(block(from), x(), values[from - 1]);
            ssa.terminate(block(from), &[before(from)]);
        }
        for from in order {
            assert_eq!(ssa.redirect_edge(block(from + 1), 0, block(6)), block(5));
        }
        ssa.seal_block(&mut host, block(5));
        ssa.seal_block(&mut host, block(6));
        assert!(ssa.builder().is_unreachable(block(5)));
        ssa.read_variable(&mut host, block(6), x());
        ssa.terminate(block(5), &[]);
        ssa.terminate(block(6), &[]);
        ssa.finish_into(&mut host).unwrap();
        assert_eq!(ssa.kept_operands(), values, "{order:?}");
    }
}

/// 0 -> 1 becomes 0 -> 2, and 1 -> 2 stays: what 1 writes reaches nothing.
#[test]
pub(crate) fn a_block_that_an_edge_no_longer_enters_is_not_reached() {
    for &engine in Engine::ALL {
        let (mut ssa, mut host) = (AnyBuilder::new(engine), TestHost::default());
        let value = write(&mut ssa, &mut host, 0);
        terminate(&mut ssa, 0, &[1]);
        ssa.redirect_edge(block(0), 0, block(2));
        write(&mut ssa, &mut host, 1);
        terminate(&mut ssa, 1, &[2]);
        seal(&mut ssa, &mut host, &[1, 2]);
        let read = ssa.read_variable(&mut host, block(2), x());
        terminate(&mut ssa, 2, &[]);
        ssa.finish_into(&mut host).unwrap();
        assert_eq!((ssa.resolve(read), host.phis.len()), (value, 0), "{engine}");
    }
}

#[test]
pub(crate) fn an_edge_is_not_redirected_where_it_has_been_counted_on() {
    let (mut ssa, mut host) = (AnyBuilder::default(), TestHost::default());
    terminate(&mut ssa, 0, &[1, 2, 3, 4]);
    write(&mut ssa, &mut host, 2);
    terminate(&mut ssa, 3, &[5]);
    seal(&mut ssa, &mut host, &[1, 5]);
    let in_use = |to: usize| Some(CallErrorKind::InUse { to: block(to) });
    for (slot, to) in (0..).zip([1, 2, 3]) {
        assert_eq!(kind(ssa.try_redirect_edge(block(0), slot, block(4))), in_use(to));
    }
    assert_eq!(kind(ssa.try_redirect_edge(block(3), 0, block(4))), in_use(5));
    for (to, error) in [
        (0, CallErrorKind::IntoEntry { entry: block(0) }),
        (1, CallErrorKind::IntoSealed { to: block(1) }),
        (5, CallErrorKind::IntoSealed { to: block(5) }),
    ] {
        assert_eq!(kind(ssa.try_redirect_edge(block(0), 3, block(to))), Some(error));
    }
    for (from, slot, to) in [(0, 4, 2), (2, 0, 4), (9, 0, 4)] {
        assert_eq!(kind(ssa.try_redirect_edge(block(from), slot, block(to))), Some(CallErrorKind::NoSuchEdge));
    }
    assert_eq!(ssa.try_redirect_edge(block(0), 3, block(4)), Ok(block(4)));
}

/// Late edges have the slots after those of the terminator.
#[test]
pub(crate) fn a_late_edge_is_redirected() {
    let (mut ssa, mut host) = (AnyBuilder::default(), TestHost::default());
    let value = write(&mut ssa, &mut host, 0);
    terminate(&mut ssa, 0, &[1]);
    ssa.add_edge(block(0), block(2));
    ssa.add_edge(block(0), block(2));
    ssa.redirect_edge(block(0), 2, block(1));
    assert_eq!(ssa.target(block(0), 2), Some(block(1)));
    seal(&mut ssa, &mut host, &[1, 2]);
    for at in [1, 2] {
        assert_eq!(ssa.read_variable(&mut host, block(at), x()), value);
        terminate(&mut ssa, at, &[]);
    }
    ssa.finish_into(&mut host).unwrap();
}

/// A hundred thousand breaks, each first to a block of its own kind, then to the end.
#[test]
pub(crate) fn many_edges_are_redirected_in_order() {
    const BREAKS: usize = 100_000;
    let mut ssa = AnyBuilder::default();
    let (unknown, end) = (BREAKS + 1, BREAKS + 2);
    for from in 0..BREAKS {
        terminate(&mut ssa, from, &[from + 1, unknown]);
    }
    for from in 0..BREAKS {
        assert_eq!(ssa.redirect_edge(block(from), 1, block(end)), block(unknown));
    }
}

/// 0 -> 2, and 1 -> 2 is told when 1 has been filled: what 1 writes reaches nothing.
#[test]
pub(crate) fn a_late_edge_from_what_nothing_leads_to_is_not_taken() {
    for &engine in Engine::ALL {
        let (mut ssa, mut host) = (AnyBuilder::new(engine), TestHost::default());
        let value = write(&mut ssa, &mut host, 0);
        terminate(&mut ssa, 0, &[2]);
        write(&mut ssa, &mut host, 1);
        terminate(&mut ssa, 1, &[]);
        ssa.add_edge(block(1), block(2));
        seal(&mut ssa, &mut host, &[1, 2]);
        let read = ssa.read_variable(&mut host, block(2), x());
        terminate(&mut ssa, 2, &[]);
        ssa.finish_into(&mut host).unwrap();
        assert_eq!((ssa.resolve(read), host.phis.len()), (value, 0), "{engine}");
    }
}

/// 0 -> 2 is told when 0 has been filled; 2 -> 3, and 1 -> 3, where nothing leads to 1.
#[test]
pub(crate) fn what_only_a_late_edge_leads_to_is_reached() {
    for &engine in Engine::ALL {
        let (mut ssa, mut host) = (AnyBuilder::new(engine), TestHost::default());
        write(&mut ssa, &mut host, 0);
        terminate(&mut ssa, 0, &[]);
        write(&mut ssa, &mut host, 1);
        terminate(&mut ssa, 1, &[3]);
        ssa.add_edge(block(0), block(2));
        let value = write(&mut ssa, &mut host, 2);
        terminate(&mut ssa, 2, &[3]);
        seal(&mut ssa, &mut host, &[1, 2, 3]);
        let read = ssa.read_variable(&mut host, block(3), x());
        terminate(&mut ssa, 3, &[]);
        ssa.finish_into(&mut host).unwrap();
        assert_eq!((ssa.resolve(read), host.phis.len()), (value, 0), "{engine}");
    }
}
