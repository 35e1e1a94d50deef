//! Rows of the default engine, and what takes over when they are given up.

use ssaphire::{Block, Builder, Options, SsaBuilder, Thresholds, Variable};
use ssaphire_tests::{Origin, TestHost};

/// `x = v0; if .. { x = v1 }; x = v0; y = v2; use x`: rows are given up at the write of `y` if its number is large.
#[test]
pub(crate) fn a_value_written_again_is_read_back_when_rows_are_given_up() {
    for wide in [1, 2_000_000] {
        let (mut host, mut ssa) = (TestHost::default(), Builder::default());
        let [entry, then, join, end] = [0, 1, 2, 3].map(Block::new);
        let (x, y) = (Variable::new(0), Variable::new(wide));
        let [v0, v1, v2] =
            [(entry, 0), (then, 0), (join, 1)].map(|(block, number)| host.value(Origin::Write(block, number)));
        ssa.write_variable(entry, x, v0);
        ssa.terminate(entry, &[then, join]);
        ssa.seal_block(&mut host, then);
        ssa.write_variable(then, x, v1);
        ssa.terminate(then, &[join]);
        ssa.seal_block(&mut host, join);
        ssa.write_variable(join, x, v0);
        ssa.write_variable(join, y, v2);
        ssa.terminate(join, &[end]);
        ssa.seal_block(&mut host, end);
        let read = ssa.read_variable(&mut host, end, x);
        ssa.terminate(end, &[]);
        let result = ssa.finish(&mut host).expect("all blocks are sealed and filled");
        assert_eq!((result.resolve(read), result.phis.iter().count()), (v0, 0), "{y}");
    }
}

/// `x = v0; if .. { loop { if .. { break } x = v1 } } use x`: the use is read before the loop is filled.
#[test]
pub(crate) fn a_join_beside_a_trusted_header_gets_what_the_loop_writes() {
    for row_events in [None, Some(0)] {
        let mut thresholds = Thresholds::DEFAULT;
        thresholds.row_events = row_events;
        let options = Options::default().with_verify_hints(false).with_thresholds(thresholds);
        let (mut host, mut ssa) = (TestHost::default(), Builder::new(options));
        let [entry, header, join, body] = [0, 1, 2, 3].map(Block::new);
        let x = Variable::new(0);
        let [v0, v1] = [entry, body].map(|block| host.value(Origin::Write(block, 0)));
        ssa.hint_loop_writes(header, &[x]);
        ssa.write_variable(entry, x, v0);
        ssa.terminate(entry, &[header, join]);
        ssa.terminate(header, &[join, body]);
        ssa.seal_block(&mut host, join);
        let read = ssa.read_variable(&mut host, join, x);
        ssa.terminate(join, &[]);
        ssa.seal_block(&mut host, body);
        ssa.write_variable(body, x, v1);
        ssa.terminate(body, &[header]);
        ssa.seal_block(&mut host, header);
        let result = ssa.finish(&mut host).expect("all blocks are sealed and filled");
        assert_ne!(result.resolve(read), v0, "{row_events:?}");
        assert_eq!(result.phis.iter().count(), 2, "{row_events:?}");
    }
}
