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

/// `x = v0; loop { y = x; x = v1; if .. { x = y } z = v2; use x }`: rows are given up at the write of `z` if its number is large.
#[test]
pub(crate) fn a_phi_written_to_its_own_variable_is_a_write_when_rows_are_given_up() {
    for wide in [2, 2_000_000] {
        let (mut host, mut ssa) = (TestHost::default(), Builder::default());
        let [entry, header, then, join] = [0, 1, 2, 3].map(Block::new);
        let (x, z) = (Variable::new(0), Variable::new(wide));
        let [v0, v1, v2] = [entry, header, join].map(|block| host.value(Origin::Write(block, 0)));
        ssa.write_variable(entry, x, v0);
        ssa.terminate(entry, &[header]);
        let at_top = ssa.read_variable(&mut host, header, x);
        ssa.write_variable(header, x, v1);
        ssa.terminate(header, &[then, join]);
        ssa.seal_block(&mut host, then);
        ssa.write_variable(then, x, at_top);
        ssa.terminate(then, &[join]);
        ssa.seal_block(&mut host, join);
        ssa.write_variable(join, z, v2);
        let read = ssa.read_variable(&mut host, join, x);
        ssa.terminate(join, &[header]);
        ssa.seal_block(&mut host, header);
        let result = ssa.finish(&mut host).expect("all blocks are sealed and filled");
        let merged = result.phis.iter().find(|phi| phi.block == join).expect("two values come to the join");
        assert_eq!((result.resolve(read), merged.operands), (merged.value, &[v1, at_top][..]), "{z}");
    }
}

/// 0 -> 1, 2, 3; 1 -> 4; 2 -> 4 -> 5: a read in block 5 of `x`, which shares a bit with what the join 4 writes, passes the join
/// without following its edges. The join's node is older than those of its source 2 and of block 3, which writes `x`.
#[test]
pub(crate) fn a_join_that_writes_a_variable_with_the_same_bit_is_passed_at_once() {
    let mut options = Options::default();
    options.thresholds.row_events = Some(0);
    let (mut host, mut ssa) = (TestHost::default(), Builder::with_options(options));
    let [entry, left, right, aside, join, end] = [0, 1, 2, 3, 4, 5].map(Block::new);
    let [x, y, z] = [0, 64, 1].map(Variable::new);
    let value = host.value(Origin::Write(entry, 0));
    ssa.write_variable(entry, x, value);
    ssa.terminate(entry, &[left, right, aside]);
    ssa.seal_blocks(&mut host, &[left, right, aside]);
    ssa.terminate(left, &[join]);
    write(&mut ssa, &mut host, join, y);
    ssa.terminate(join, &[end]);
    ssa.seal_block(&mut host, end);
    write(&mut ssa, &mut host, end, z);
    write(&mut ssa, &mut host, aside, x);
    write(&mut ssa, &mut host, right, z);
    ssa.terminate(right, &[join]);
    ssa.seal_block(&mut host, join);
    let work = ssa.stats().work;
    assert_eq!(ssa.read_variable(&mut host, end, x), value);
    let steps = ssa.stats().work - work;
    assert!(steps <= 4, "{steps}");
}

fn write(ssa: &mut Builder, host: &mut TestHost, block: Block, variable: Variable) {
    let value = host.value(Origin::Write(block, 0));
    ssa.write_variable(block, variable, value);
}

/// Writes the variable in a block, which is a loop of its own or has one edge into it, and leaves it for the targets.
fn fill(ssa: &mut Builder, host: &mut TestHost, block: Block, variable: Variable, is_loop: bool, targets: &[Block]) {
    if !is_loop {
        ssa.seal_block(host, block);
    }
    write(ssa, host, block, variable);
    let own: &[Block] = if is_loop { &[block] } else { &[] };
    ssa.terminate(block, &[own, targets].concat());
    if is_loop {
        ssa.seal_block(host, block);
    }
}

/// `x = v0; ..; loop { if .. { } else { x = v1; if .. { continue } } use x; break }`, where blocks or loops of their own come
/// before the loop, and one is in its first arm: one more each time, so that jumps up from there lead over its header.
#[test]
pub(crate) fn a_jump_stops_at_a_header_that_a_later_block_comes_round_to() {
    for (num_before, is_loop, row_events) in
        (0..16).flat_map(|number| [(number, false, Some(0)), (number, true, Some(0)), (number, true, None)])
    {
        let mut thresholds = Thresholds::DEFAULT;
        thresholds.row_events = row_events;
        let (mut host, mut ssa) =
            (TestHost::default(), Builder::with_options(Options::default().with_thresholds(thresholds)));
        let blocks: Vec<Block> = (0..num_before + 5).map(Block::new).collect();
        let [x, own] = [0, 1].map(Variable::new);
        write(&mut ssa, &mut host, blocks[0], x);
        ssa.terminate(blocks[0], &blocks[1..2]);
        for place in 1..=num_before {
            fill(&mut ssa, &mut host, blocks[place], own, is_loop, &blocks[place + 1..place + 2]);
        }
        let [header, first, second, join] = [1, 2, 3, 4].map(|place| blocks[num_before + place]);
        write(&mut ssa, &mut host, header, own);
        ssa.terminate(header, &[first, second]);
        fill(&mut ssa, &mut host, first, own, is_loop, &[join]);
        fill(&mut ssa, &mut host, second, x, false, &[header, join]);
        ssa.seal_blocks(&mut host, &[header, join]);
        ssa.read_variable(&mut host, join, x);
        ssa.terminate(join, &[]);
        let result = ssa.finish(&mut host).expect("all blocks are sealed and filled");
        let merged: Vec<Block> = result.phis.iter().map(|phi| phi.block).collect();
        assert_eq!(merged, [header, join], "{num_before}, {is_loop}, {row_events:?}");
    }
}

/// Block 2 is the header of a loop that lies in a larger one, or between a join and its dominator. The end of the loop, block 4,
/// has the newest node of all blocks there, and it alone writes the variable.
#[test]
pub(crate) fn what_an_inner_loop_writes_last_comes_round_to_blocks_around_it() {
    // By block, where it leads; then the order in which blocks are begun, and where values are merged.
    let nested: [&[usize]; 6] = [&[1], &[2], &[3, 4], &[1, 5], &[2], &[]];
    let with_two_ends: [&[usize]; 6] = [&[1], &[2], &[3, 4], &[2, 1, 5], &[2], &[]];
    let in_an_arm: [&[usize]; 6] = [&[1], &[2, 5], &[3, 4], &[5], &[2], &[]];
    let cases = [
        (nested, [0, 1, 2, 3, 4, 5], [1, 2]),
        (with_two_ends, [0, 1, 2, 3, 4, 5], [1, 2]),
        (in_an_arm, [0, 1, 2, 3, 5, 4], [2, 5]),
    ];
    for (number, (ways, order, merging)) in cases.into_iter().enumerate() {
        for (num_before, row_events) in (0..16).flat_map(|num_before| [(num_before, Some(0)), (num_before, None)]) {
            let mut thresholds = Thresholds::DEFAULT;
            thresholds.row_events = row_events;
            let options = Options::default().with_thresholds(thresholds);
            let (mut host, mut ssa) = (TestHost::default(), Builder::with_options(options));
            let [x, own] = [0, 1].map(Variable::new);
            let block = |at: usize| Block::new(num_before + at);
            write(&mut ssa, &mut host, Block::new(0), x);
            for at in 0..num_before {
                write(&mut ssa, &mut host, Block::new(at), own);
                ssa.terminate(Block::new(at), &[Block::new(at + 1)]);
                ssa.seal_block(&mut host, Block::new(at + 1));
            }
            order.into_iter().for_each(|at| write(&mut ssa, &mut host, block(at), own));
            write(&mut ssa, &mut host, block(4), x);
            for (at, targets) in ways[..5].iter().enumerate() {
                let targets: Vec<Block> = targets.iter().map(|&to| block(to)).collect();
                ssa.terminate(block(at), &targets);
            }
            [3, 4, 2, 1, 5].into_iter().for_each(|at| ssa.seal_block(&mut host, block(at)));
            ssa.read_variable(&mut host, block(5), x);
            ssa.terminate(block(5), &[]);
            let result = ssa.finish(&mut host).expect("all blocks are sealed and filled");
            let merged: Vec<Block> = result.phis.iter().map(|phi| phi.block).collect();
            assert_eq!(merged, merging.map(block), "{number}, {num_before}, {row_events:?}");
        }
    }
}
