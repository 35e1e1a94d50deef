//! Rows of the default engine, and what takes over when they are given up.

use ssaphire::{Block, Builder, SsaBuilder, Variable};
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
