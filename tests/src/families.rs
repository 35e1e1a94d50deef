//! Large functions by family.

use crate::case::Case;
use crate::rng::Rng;
use ssaphire::{Access, Variable};

fn variable(index: usize) -> Variable {
    Variable::new(index)
}

impl Case {
    /// Adds a write of a variable to a block.
    pub fn write(&mut self, block: usize, written: usize) {
        self.accesses[block].push(Access::Write(variable(written)));
    }

    /// Adds a read of a variable to a block.
    pub fn read(&mut self, block: usize, read: usize) {
        self.accesses[block].push(Access::Read(variable(read)));
    }

    /// Adds a write of every variable to a block.
    pub fn write_all(&mut self, block: usize) {
        (0..self.num_variables).for_each(|index| self.write(block, index));
    }

    /// Adds a read of every variable to a block.
    pub fn read_all(&mut self, block: usize) {
        (0..self.num_variables).for_each(|index| self.read(block, index));
    }
}

/// A line of blocks: the first one writes, the last one reads.
pub fn chain(num_blocks: usize) -> Case {
    let mut case = Case::of_edges(num_blocks, (1..num_blocks).map(|block| (block - 1, block)), 1);
    case.write_all(0);
    case.read_all(num_blocks - 1);
    case
}

/// Choices in a row, of three blocks each; one arm of each writes one of the variables, in turn, and the end reads all.
pub fn ladder(num_choices: usize, num_variables: usize) -> Case {
    let edges = (0..num_choices).flat_map(|choice| {
        let at = 3 * choice;
        [(at, at + 1), (at, at + 2), (at + 1, at + 3), (at + 2, at + 3)]
    });
    let mut case = Case::of_edges(3 * num_choices + 1, edges, num_variables);
    case.write_all(0);
    (0..num_choices).for_each(|choice| case.write(3 * choice + 1, choice % num_variables));
    case.read_all(3 * num_choices);
    case
}

/// Loops in loops: blocks `0..depth` after the entry are headers, then the body, then what follows each loop, inner first.
pub fn nest(depth: usize) -> Case {
    let header = |level: usize| 1 + level;
    let after = |level: usize| 2 + depth + (depth - 1 - level);
    let body = 1 + depth;
    let mut edges = vec![(0, header(0))];
    for level in 0..depth {
        edges.push((header(level), if level + 1 < depth { header(level + 1) } else { body }));
        edges.push((header(level), after(level)));
    }
    edges.push((body, header(depth - 1)));
    edges.extend((1..depth).rev().map(|level| (after(level), header(level - 1))));
    let mut case = Case::of_edges(2 * depth + 2, edges, 1);
    case.write_all(0);
    case.read_all(body);
    case.write_all(body);
    case.read_all(after(0));
    case
}

/// A choice of many arms that meet again; arm `i` writes variable `i` modulo their number.
pub fn fan_in(num_arms: usize, num_variables: usize) -> Case {
    let join = num_arms + 1;
    let edges = (1..=num_arms).map(|arm| (0, arm)).chain((1..=num_arms).map(|arm| (arm, join)));
    let mut case = Case::of_edges(num_arms + 2, edges, num_variables);
    case.write_all(0);
    (0..num_arms).for_each(|arm| case.write(arm + 1, arm % num_variables));
    case.read_all(join);
    case
}

/// A path with edges both ways that is entered at both ends, and read at `at` places along it.
///
/// With `differs`, different values come in at the two ends, so that every block needs its phi.
pub fn two_way_path(len: usize, num_reads: usize, differs: bool) -> Case {
    // The entry, a block before the far end, the path.
    let block = |place: usize| 2 + place;
    let mut edges = vec![(0, block(0)), (0, 1), (1, block(len - 1))];
    for place in 0..len {
        edges.extend((place > 0).then(|| (block(place), block(place - 1))));
        edges.extend((place + 1 < len).then(|| (block(place), block(place + 1))));
    }
    let mut case = Case::of_edges(len + 2, edges, 1);
    case.write_all(0);
    if differs {
        case.write_all(1);
    }
    (0..num_reads).for_each(|read| case.read_all(block(read * (len / num_reads))));
    case
}

/// Loops of one block each, in a row: with `writes`, each writes all variables, so that every loop needs all its phis.
/// With `reads`, each reads all of them first.
pub fn self_loops(num_loops: usize, num_variables: usize, reads: bool, writes: bool) -> Case {
    let edges = (1..=num_loops).flat_map(|block| [(block, block), (block, block + 1)]);
    let mut case = Case::of_edges(num_loops + 2, [(0, 1)].into_iter().chain(edges), num_variables);
    case.write_all(0);
    for block in 1..=num_loops {
        if reads {
            case.read_all(block);
        }
        if writes {
            case.write_all(block);
        }
    }
    case.read_all(num_loops + 1);
    case
}

/// Loops that all enclose one switch, whose arms each choose whether to write, read and end.
///
/// Filled in the order of their blocks, all loops are open when the arms are built, and turn out inner first to change
/// nothing: the phi of each header stands for that of the next one out, and all arms have to hear of it.
pub fn enclosed_switch(depth: usize, num_arms: usize) -> Case {
    let switch = 1 + depth;
    let arm = |index: usize| switch + 1 + 4 * index;
    let latch = |level: usize| arm(num_arms) + (depth - 1 - level);
    let mut edges: Vec<(usize, usize)> = (0..=depth).map(|block| (block, block + 1)).collect();
    edges.extend((0..num_arms).map(|index| (switch, arm(index))));
    edges.extend((0..depth).map(|level| (switch, latch(level))));
    for at in (0..num_arms).map(arm) {
        edges.extend([(at, at + 1), (at, at + 2), (at + 1, at + 3), (at + 2, at + 3)]);
    }
    edges.extend((0..depth).rev().map(|level| (latch(level), 1 + level)));
    let mut case = Case::of_edges(latch(0) + 1, edges, 1);
    case.write_all(0);
    for at in (0..num_arms).map(arm) {
        case.write(at + 1, 0);
        case.read(at + 3, 0);
    }
    case
}

/// `num_tests` tests that each set a variable and may leave to an empty block, which goes to where all variables are read;
/// as many variables are set before the tests, and again after the last.
///
/// Blocks `1..=num_tests` are the tests, then come the end of the tests, the empty block, and the join.
pub fn empty_defined(num_tests: usize) -> Case {
    let [end, empty, join] = [1, 2, 3].map(|number| num_tests + number);
    let tests = (1..=num_tests).flat_map(|test| [(test, empty), (test, test + 1)]);
    let edges = [(0, 1)].into_iter().chain(tests).chain([(end, join), (empty, join)]);
    let mut case = Case::of_edges(num_tests + 4, edges, num_tests + 1);
    (0..num_tests).for_each(|variable| case.write(0, variable));
    (1..=num_tests).for_each(|test| case.write(test, num_tests));
    (0..num_tests).for_each(|variable| case.write(end, variable));
    (0..num_tests).for_each(|variable| case.read(join, variable));
    case
}

/// `num_tests` tests that may leave to one block, each behind a loop which writes what is tested; as many variables are set
/// before the tests, and again after the last, and read where both ways meet.
///
/// In reverse post-order the bodies of the loops come after all tests, from the last to the second, and the first after the
/// join; if the first target of a test is the next test, all of them come after the join.
pub fn loops_before_tests(num_tests: usize, passes_first: bool) -> Case {
    let block = |test: usize, part: usize| 1 + 4 * test + part;
    let [end, fail, join] = [0, 1, 2].map(|part| block(num_tests, part));
    let edges_of = |test: usize| {
        let [set, header, body, leave] = [0, 1, 2, 3].map(|part| block(test, part));
        let [first, second] = if passes_first { [block(test + 1, 0), fail] } else { [fail, block(test + 1, 0)] };
        [(set, header), (header, body), (header, leave), (body, header), (leave, first), (leave, second)]
    };
    let edges = [(0, 1)].into_iter().chain((0..num_tests).flat_map(edges_of)).chain([(end, join), (fail, join)]);
    let mut case = Case::of_edges(join + 1, edges, num_tests + 1);
    (0..num_tests).for_each(|variable| case.write(0, variable));
    for test in 0..num_tests {
        case.write(block(test, 0), num_tests);
        case.read(block(test, 1), num_tests);
        case.read(block(test, 2), num_tests);
        case.write(block(test, 2), num_tests);
    }
    (0..num_tests).for_each(|variable| case.write(end, variable));
    (0..num_tests).for_each(|variable| case.read(join, variable));
    case
}

/// Loops around each other, each of which counts by a variable of its own; all counts are read behind the outermost.
///
/// Blocks `1..=depth` are headers, then come the tests at the end of each loop, inner first, and what reads the counts. The
/// block before a header sets its count.
pub fn counting_nest(depth: usize) -> Case {
    let header = |level: usize| 1 + level;
    let test = |level: usize| 2 * depth - level;
    let ways_on = |level: usize| [(test(level), header(level)), (test(level), test(level) + 1)];
    let edges = (0..=depth).map(|block| (block, block + 1)).chain((0..depth).rev().flat_map(ways_on));
    let mut case = Case::of_edges(2 * depth + 2, edges, depth);
    for level in 0..depth {
        case.read(header(level), level);
        case.write(header(level), level);
        case.read(test(level), level);
    }
    (0..depth).for_each(|level| case.write(header(level) - 1, level));
    case.read_all(2 * depth + 1);
    case
}

/// Loops around each other, as [`counting_nest`] numbers them: each counts at its end, and the innermost reads all counts.
pub fn nest_that_reads_its_counts(depth: usize) -> Case {
    let mut case = counting_nest(depth);
    case.accesses.iter_mut().for_each(Vec::clear);
    (0..depth).for_each(|level| case.write(level, level));
    case.read_all(depth);
    for level in 0..depth {
        let test = 2 * depth - level;
        case.read(test, level);
        case.write(test, level);
    }
    case
}

/// Loops around each other, as [`counting_nest`] numbers them. As many variables, which the entry writes, are read in the
/// innermost, and the first `num_written` of them are written there.
pub fn reading_nest(depth: usize, num_written: usize) -> Case {
    let mut case = counting_nest(depth);
    case.accesses.iter_mut().for_each(Vec::clear);
    case.write_all(0);
    case.read_all(depth);
    (0..num_written).for_each(|variable| case.write(depth, variable));
    case
}

/// As [`reading_nest`], but that the innermost loop writes half of the variables before it reads all.
pub fn nest_that_writes_half(depth: usize) -> Case {
    let mut case = counting_nest(depth);
    case.accesses.iter_mut().for_each(Vec::clear);
    case.write_all(0);
    (0..depth / 2).for_each(|variable| case.write(depth, variable));
    case.read_all(depth);
    case
}

/// Loops around each other, each with two ways in; as many variables, which the entry writes, are read in the innermost. Each
/// loop writes one of `num_counters` others.
pub fn two_ways_into_each_of_a_nest(depth: usize, num_counters: usize) -> Case {
    let [head, one, other] = [1, 2, 3].map(|block| move |level: usize| 3 * level + block);
    let innermost = 3 * depth + 1;
    let after = |level: usize| level.checked_sub(1).map_or(innermost + 1, other);
    let edges = (0..depth).flat_map(|level| {
        let [head, one, other] = [head(level), one(level), other(level)];
        [(head, one), (head, other), (one, 3 * level + 4), (other, one), (other, after(level))]
    });
    let edges = [(0, 1)].into_iter().chain(edges).chain([(innermost, other(depth - 1))]);
    let mut case = Case::of_edges(innermost + 2, edges, depth + num_counters);
    case.write_all(0);
    (0..depth).filter(|_| num_counters > 0).for_each(|level| case.write(other(level), depth + level % num_counters));
    (0..depth).for_each(|variable| case.read(innermost, variable));
    case
}

/// Choices in a row, of three blocks each, all of which write a variable; then both arms of each read another one, which
/// the entry writes.
pub fn reading_arms(num_choices: usize) -> Case {
    let mut case = ladder(num_choices, 2);
    case.accesses.iter_mut().for_each(Vec::clear);
    case.write(0, 0);
    (0..3 * num_choices).for_each(|block| case.write(block, 1));
    (0..3 * num_choices).filter(|block| block % 3 != 0).for_each(|arm| case.read(arm, 0));
    case
}

/// A line of blocks, each of which unreachable code may come to as well; the first one writes, all others read.
pub fn dead_ways_in(num_blocks: usize) -> Case {
    let edges = |first: usize| (1..num_blocks).map(move |block| (first + block - 1, block));
    let mut case = Case::of_edges(2 * num_blocks - 1, edges(0).chain(edges(num_blocks)), 1);
    case.write(0, 0);
    (1..num_blocks).for_each(|block| case.read(block, 0));
    case
}

/// An entry that leads nowhere, and unreachable blocks with two edges to any of them each: each writes a variable of its
/// own, and reads that of another one.
pub fn dead_tangle(num_blocks: usize) -> Case {
    let mut rng = Rng::new(1);
    let edges: Vec<_> = (2..2 * num_blocks).map(|edge| (edge / 2, 1 + rng.below(num_blocks - 1))).collect();
    let mut case = Case::of_edges(num_blocks, edges, num_blocks);
    for block in 1..num_blocks {
        case.write(block, block);
        case.read(block, rng.below(num_blocks));
    }
    case
}

/// A loop around `num_loops` loops in a row, each with two ways in, of which one reads a variable of its own; the entry writes
/// all.
pub fn two_ways_in_within_a_loop(num_loops: usize) -> Case {
    let edges = (0..num_loops).flat_map(|at| {
        let [head, one, other, next] = [1, 2, 3, 4].map(|block| 3 * at + block);
        [(head, one), (head, other), (one, other), (one, next), (other, one), (other, next)]
    });
    let end = 3 * num_loops + 1;
    let edges = [(0, 1)].into_iter().chain(edges).chain([(end, 1), (end, end + 1)]);
    let mut case = Case::of_edges(end + 2, edges, num_loops);
    case.write_all(0);
    (0..num_loops).for_each(|at| case.read(3 * at + 2, at));
    case
}

/// A loop of blocks in a ring, each with an edge from the entry; each reads a variable of its own, which the entry writes.
pub fn ways_into_a_ring(num_ways: usize) -> Case {
    let ways = (0..num_ways).map(|at| (0, at + 1));
    let ring = (0..num_ways).flat_map(|at| [(at + 1, (at + 1) % num_ways + 1), (at + 1, num_ways + 1)]);
    let mut case = Case::of_edges(num_ways + 2, ways.chain(ring), num_ways);
    case.write_all(0);
    (0..num_ways).for_each(|at| case.read(at + 1, at));
    case
}

/// Loops around each other that are repeated from one block, the innermost one, which reads a variable for each that the entry
/// writes: `switch` with a `continue` of each loop.
pub fn loops_with_one_latch(num_loops: usize) -> Case {
    let latch = num_loops + 1;
    let edges = (0..latch).map(|at| (at, at + 1)).chain((1..latch).map(|header| (latch, header)));
    let mut case = Case::of_edges(latch + 2, edges.chain([(latch, latch + 1)]), num_loops);
    case.write_all(0);
    case.read_all(latch);
    case
}

/// A threaded interpreter: blocks that each lead to all of them, and read one of `num_variables` that the entry writes.
pub fn threaded(num_blocks: usize, num_variables: usize) -> Case {
    let edges = (0..=num_blocks).flat_map(|from| (1..=num_blocks).map(move |to| (from, to)));
    let mut case = Case::of_edges(num_blocks + 1, edges, num_variables);
    case.write_all(0);
    (1..=num_blocks).for_each(|block| case.read(block, block % num_variables));
    case
}
