//! What judging costs: obligations grow with the claims and the result, and not with the blocks between a use and its
//! definition.

use ssaphire::Certified;
use ssaphire::check::{Mode, Program, ProgramEvent, Validator};
use ssaphire_tests::{Case, Plan, TestHost, drive, families};

/// What every variable reads in the last block, after `n` joins by two parallel edges each; all written in the entry.
fn parallel_joins(n: usize) -> Case {
    let edges = (1..=n).flat_map(|block| [(block - 1, block), (block - 1, block)]);
    let mut case = Case::of_edges(n + 1, edges, n);
    case.write_all(0);
    case.read_all(n);
    case
}

/// `n` loops in a row, each of which reads a variable of its own; the end reads all.
fn loops_that_read(n: usize) -> Case {
    let edges = (1..=n).flat_map(|block| [(block - 1, block), (block, block)]).chain([(n, n + 1)]);
    let mut case = Case::of_edges(n + 2, edges, n);
    case.write_all(0);
    (0..n).for_each(|block| case.read(block + 1, block));
    case.read_all(n + 1);
    case
}

/// `n` loops in a row, each with a test and a body that counts a variable of its own; all are read at the end.
fn loops_that_count(n: usize) -> Case {
    let edges = (0..n).flat_map(|at| [(1 + 2 * at, 2 + 2 * at), (1 + 2 * at, 3 + 2 * at), (2 + 2 * at, 1 + 2 * at)]);
    let mut case = Case::of_edges(2 * n + 2, [(0, 1)].into_iter().chain(edges), n);
    case.write_all(0);
    for at in 0..n {
        case.read(1 + 2 * at, at);
        case.read(2 + 2 * at, at);
        case.write(2 + 2 * at, at);
    }
    case.read_all(2 * n + 1);
    case
}

/// `n` loops in a row, each with two ways in: one writes a variable of its own, and the end reads all.
fn two_ways_in(n: usize) -> Case {
    let edges = (0..n).flat_map(|at| {
        let [head, one, other, next] = [0, 1, 2, 3].map(|block| 3 * at + block);
        [(head, one), (head, other), (one, other), (one, next), (other, one), (other, next)]
    });
    let mut case = Case::of_edges(3 * n + 1, edges, n);
    case.write_all(0);
    for at in 0..n {
        case.write(3 * at + 1, at);
        case.read(3 * at + 2, at);
    }
    case.read_all(3 * n);
    case
}

/// A loop with `n` ways in, and behind it `n` conditionals in a row, each of which writes a variable of its own; the end reads all.
fn conditionals_behind_many_ways_in(n: usize) -> Case {
    let ways = (1..=n).map(|way| (0, way)).chain([(1, n + 1)]).chain((1..=n).map(|way| (way, 1 + way % n)));
    let behind = (0..n).flat_map(|at| {
        let [head, arm, next] = [1, 2, 3].map(|block| n + 2 * at + block);
        [(head, arm), (head, next), (arm, next)]
    });
    let mut case = Case::of_edges(3 * n + 2, ways.chain(behind), n);
    case.write_all(0);
    (0..n).for_each(|at| case.write(n + 2 + 2 * at, at));
    case.read_all(3 * n + 1);
    case
}

/// `n` conditionals in a row whose arm writes a variable and leaves; what goes on reads it as it was.
fn exits_that_write(n: usize, num_variables: usize) -> Case {
    let edges = (0..n).flat_map(|at| [(2 * at, 2 * at + 1), (2 * at, 2 * at + 2)]);
    let mut case = Case::of_edges(2 * n + 1, edges, num_variables);
    case.write_all(0);
    for at in 0..n {
        case.write(2 * at + 1, at % num_variables);
        case.read(2 * at + 2, at % num_variables);
    }
    case.read_all(2 * n);
    case
}

/// A switch of `n` cases that fall through, each of which reads a variable of its own and writes it.
fn cases_that_fall_through(n: usize) -> Case {
    let edges = (1..=n).map(|case| (0, case)).chain((1..=n).map(|case| (case, case + 1)));
    let mut case = Case::of_edges(n + 2, edges, n);
    case.write_all(0);
    for block in 1..=n {
        case.read(block, block - 1);
        case.write(block, block - 1);
    }
    case
}

/// Obligations of judging the function, and the claims and operands it is judged by.
fn obligations(case: &Case) -> (usize, usize) {
    let (mut ssa, mut host, mut program) = (Certified::new(), TestHost::default(), Program::new());
    drive(case, &Plan::in_order(case.blocks().collect()), &mut host, &mut ssa).unwrap();
    ssa.certify(&mut program).unwrap();
    let mut validator = Validator::new();
    assert_eq!(validator.validate(&program, Mode::Exact), Ok(()));
    let events = program.blocks().flat_map(|block| program.event_list(block));
    let uses = events.filter(|event| matches!(event, ProgramEvent::Use { .. })).count();
    let phis = program.blocks().flat_map(|block| program.phi_list(block));
    let operands: usize = phis.map(|&phi| program.operand_list(phi).len()).sum();
    (validator.num_obligations(), uses + operands)
}

#[track_caller]
fn check(family: impl Fn(usize) -> Case) {
    for n in [100, 1000, 10_000] {
        let (obligations, size) = obligations(&family(n));
        assert!(obligations <= 3 * size + 10, "{obligations} obligations for {size} claims and operands, n = {n}");
    }
}

#[test]
fn variables_that_nothing_writes_on_the_way_cost_a_step_each() {
    check(parallel_joins);
    check(loops_that_read);
    check(families::chain);
}

#[test]
fn loops_in_a_row_cost_what_they_merge() {
    check(loops_that_count);
    check(two_ways_in);
    check(|n| conditionals_behind_many_ways_in(n / 10));
}

#[test]
fn conditionals_cost_what_they_merge() {
    check(|n| families::ladder(n, n));
    check(|n| families::ladder(n, n.div_ceil(10)));
    check(|n| families::fan_in(n, 10));
    check(|n| families::fan_in(n / 10, n / 10));
}

#[test]
fn loops_in_loops_cost_what_they_merge() {
    check(families::nest);
}

#[test]
fn what_is_written_where_control_leaves_is_passed() {
    check(|n| exits_that_write(n, 1));
    check(|n| exits_that_write(n, n));
}

#[test]
fn cases_that_fall_through_cost_what_they_merge() {
    for n in [30, 100, 300] {
        let (obligations, size) = obligations(&cases_that_fall_through(n));
        assert!(obligations <= 3 * size + 10, "{obligations} obligations for {size} claims and operands, n = {n}");
    }
}
