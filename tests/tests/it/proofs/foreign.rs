//! Proofs for programs that somebody else built: unreachable code, needless phis, and phis that are wrong.

use ssaphire::Ranker;
use ssaphire::check::certificate::Reader;
use ssaphire::check::{Mode, Program, judge};

/// The program with these lines after its entry.
fn program(lines: &str) -> Program {
    let text = format!("ssacert 2\nprogram f\nentry 1\n{lines}\nend");
    Reader::new(text.lines()).next().expect("a program").expect("a right one").1
}

/// What is claimed of the program, and what the judge says of it.
#[track_caller]
fn check(lines: &str, expected: &str, minimal: Option<bool>, pruned: Option<bool>) {
    let mut program = program(lines);
    let (mut ranker, mut first) = (Ranker::default(), None);
    // Claims that are there already are replaced.
    for _ in 0..2 {
        assert_eq!(ranker.rank(&mut program).to_string(), expected);
        let verdict = judge(&program, Mode::Exact);
        assert_eq!((verdict.minimal, verdict.pruned), (minimal, pruned), "{program:?}");
        assert_eq!(first.get_or_insert_with(|| program.clone()), &program);
    }
}

/// A choice of two values, and a join.
const CHOICE: &str = "block 1\nblock 2 1\ndef 1 1\nblock 3 1\ndef 1 2\n";

#[test]
fn a_program_without_phis_has_nothing_to_prove() {
    check("block 1", "minimal; pruned", Some(true), Some(true));
}

#[test]
fn what_comes_from_unreachable_blocks_does_not_count() {
    // Block 5 cannot be reached: the join has two operands, and a third one that says nothing.
    let unreachable = "block 5 5\nphi 4 4\nuse 1 4\n";
    let join = format!("{CHOICE}{unreachable}block 4 2 3 5\nphi 3 1 2 4\nuse 1 3");
    check(&join, "minimal; pruned", Some(true), Some(true));
    let trivial = format!("{CHOICE}{unreachable}block 4 2 2 5\nphi 3 1 1 2\nuse 1 3");
    check(&trivial, "not minimal: v2: redundant, always equal to v0; pruned", None, Some(true));
    let used_there = format!("{CHOICE}block 4 2 3\nphi 3 1 2\nblock 5 5\nuse 1 3");
    check(&used_there, "minimal; not pruned: v2: used only by phis", Some(true), None);
}

#[test]
fn repeated_edges_and_loops_are_ordinary() {
    // The header of the loop has two edges from its body, and is its own operand on one of them.
    let header = "block 1\ndef 1 1\nblock 2 1 3 3\nphi 2 1 3 2\nuse 1 2\nblock 3 2\ndef 1 3";
    check(header, "minimal; pruned", Some(true), Some(true));
}

#[test]
fn a_phi_into_which_nothing_flows_is_named() {
    check(
        &format!("{CHOICE}block 4 2 3\nphi 3 3 3\nuse 1 3"),
        "not minimal: v2: no value flows into it; pruned",
        None,
        Some(true),
    );
}

#[test]
fn phis_that_break_the_rules_do_no_harm() {
    // Two phis of one value, a phi without operands, one with too many.
    for lines in ["phi 3 1 2\nphi 3 2 1", "phi 3", "phi 3 1 2 1 2", "phi 1 1 2\nphi 1 1 1\nphi 3 1 3"] {
        let mut program = program(&format!("{CHOICE}block 4 2 3\n{lines}\nuse 1 3"));
        let _ = Ranker::default().rank(&mut program);
        assert!(!judge(&program, Mode::Exact).is_accepted(), "{lines}");
    }
}
