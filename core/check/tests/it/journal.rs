//! What becomes of the calls around a builder.

use ssaphire_check::{Claim, Journal, Mode, Program, certificate, judge};
use ssaphire_graph::{Block, Value, Variable};

/// A result given by hand: what stands for what, the phis, and the answers that were dropped.
#[derive(Default)]
struct Given {
    stands_for: Vec<(usize, usize)>,
    phis: Vec<(usize, usize, Vec<usize>)>,
    dropped: Vec<usize>,
}

impl Claim for Given {
    fn resolve(&self, value: Value) -> Value {
        let found = self.stands_for.iter().find(|&&(from, _)| from == value.index());
        found.map_or(value, |&(_, to)| v(to))
    }

    fn visit_phis(&self, visit: &mut dyn FnMut(Block, Value, &[Value])) {
        for (block, phi, operands) in &self.phis {
            visit(b(*block), v(*phi), &operands.iter().map(|&operand| v(operand)).collect::<Vec<_>>());
        }
    }

    fn is_dropped(&self, value: Value) -> bool {
        self.dropped.contains(&value.index())
    }
}

fn b(index: usize) -> Block {
    Block::new(index)
}

fn v(index: usize) -> Value {
    Value::new(index)
}

fn x(index: usize) -> Variable {
    Variable::new(index)
}

/// Closes the journal: the program in text, lines joined by semicolons, and whether all is right.
fn close(journal: &mut Journal, claim: &Given) -> (String, bool) {
    let mut program = Program::new();
    journal.close(claim, &mut program).unwrap();
    let mut text = String::new();
    certificate::write_program(&mut text, "p", &program).unwrap();
    let lines: Vec<_> = text.lines().skip(2).filter(|&line| line != "end").collect();
    let verdict = judge(&program, Mode::Exact);
    (lines.join("; "), verdict.equivalent && verdict.structurally_valid)
}

#[track_caller]
fn check(journal: &mut Journal, claim: &Given, expected: &str) {
    assert_eq!(close(journal, claim), (expected.into(), true));
    // Closing takes nothing away.
    assert_eq!(close(journal, claim).0, expected);
}

fn begin() -> Journal {
    let mut journal = Journal::new();
    journal.begin(b(0));
    journal
}

#[test]
fn a_result_written_once_is_a_plain_definition() {
    let mut journal = begin();
    journal.write(b(0), x(0), v(0));
    journal.read(b(0), x(0), v(0));
    check(&mut journal, &Given::default(), "block 1; def 1 1; use 1 1");
}

#[test]
fn a_result_written_twice_moves_through_a_temporary() {
    let mut journal = begin();
    journal.write(b(0), x(0), v(0));
    journal.write(b(0), x(1), v(0));
    journal.read(b(0), x(1), v(0));
    check(&mut journal, &Given::default(), "block 1; def 3 1; copy 1 3; copy 2 3; use 2 1");
}

#[test]
fn a_result_is_made_where_define_says() {
    // The block that control enters last is filled first.
    let mut journal = begin();
    journal.write(b(1), x(0), v(0));
    journal.define(b(0), v(0));
    journal.write(b(0), x(1), v(0));
    journal.terminate(b(0), &[b(1)]);
    journal.read(b(1), x(0), v(0));
    journal.read(b(1), x(1), v(0));
    check(&mut journal, &Given::default(), "block 1; def 3 1; copy 2 3; block 2 1; copy 1 3; use 1 1; use 2 1");
}

#[test]
fn a_constant_may_be_written_any_number_of_times() {
    let mut journal = begin();
    journal.write(b(0), x(0), v(0));
    journal.write(b(0), x(1), v(0));
    journal.global(v(0));
    journal.read(b(0), x(1), v(0));
    journal.write(b(0), x(0), v(0));
    check(&mut journal, &Given::default(), "global 1; block 1; def 1 1; def 2 1; use 2 1; def 1 1");
}

#[test]
fn an_answer_is_copied_only_if_it_is_written() {
    let mut journal = begin();
    journal.initial(x(0), v(0), false);
    journal.initial(x(1), v(1), true);
    journal.read(b(0), x(0), v(0));
    journal.read(b(0), x(1), v(1));
    journal.terminate(b(0), &[b(1), b(1)]);
    journal.read(b(1), x(0), v(2));
    journal.read(b(1), x(1), v(3));
    journal.write(b(1), x(1), v(2));
    journal.read(b(1), x(1), v(2));
    let claim = Given { phis: vec![(1, 2, vec![0, 0]), (1, 3, vec![1, 1])], ..Given::default() };
    check(
        &mut journal,
        &claim,
        "global 1; global 2; undef 2; initial 1 1; initial 2 2; block 1; use 1 1; use 2 2; \
         block 2 1 1; phi 3 1 1; phi 4 2 2; use 1 3; copy 3 1; use 2 4; copy 2 3; use 2 3; copy 3 2",
    );
    // The phis are trivial, and were removed after they had been handed out.
    let claim = Given { stands_for: vec![(2, 0), (3, 1)], ..Given::default() };
    check(
        &mut journal,
        &claim,
        "global 1; global 2; undef 2; initial 1 1; initial 2 2; block 1; use 1 1; use 2 2; \
         block 2 1 1; use 1 1; copy 3 1; use 2 2; copy 2 3; use 2 1; copy 3 2",
    );
}

/// `while … { swap x0 and x1 }`, as a host writes it that moves values.
fn swap_loop() -> Journal {
    let mut journal = begin();
    journal.write(b(0), x(0), v(0));
    journal.write(b(0), x(1), v(1));
    journal.terminate(b(0), &[b(1)]);
    journal.read(b(1), x(0), v(2));
    journal.read(b(1), x(1), v(3));
    journal.write(b(1), x(0), v(3));
    journal.write(b(1), x(1), v(2));
    journal.terminate(b(1), &[b(1), b(2)]);
    journal.read(b(2), x(0), v(3));
    journal
}

#[test]
fn a_swap_through_values_is_accepted_and_no_swap_is_not() {
    let claim = |low, high| Given { phis: vec![(1, 2, vec![0, low]), (1, 3, vec![1, high])], ..Given::default() };
    check(
        &mut swap_loop(),
        &claim(3, 2),
        "block 1; def 1 1; def 2 2; block 2 1 2; phi 3 1 4; phi 4 2 3; \
         use 1 3; copy 3 1; use 2 4; copy 4 2; copy 1 4; copy 2 3; block 3 2; use 1 4; copy 4 1",
    );
    assert!(!close(&mut swap_loop(), &claim(2, 3)).1);
}

#[test]
fn answers_nobody_uses_are_no_claims() {
    let mut journal = swap_loop();
    let claim = Given { dropped: vec![2, 3], ..Given::default() };
    let expected =
        "block 1; def 1 1; def 2 2; block 2 1 2; copy 3 1; copy 4 2; copy 1 4; copy 2 3; block 3 2; copy 4 1";
    check(&mut journal, &claim, expected);
}

#[test]
fn constants_are_not_merged_by_the_claim() {
    let mut journal = begin();
    journal.global(v(0));
    journal.global(v(1));
    journal.write(b(0), x(0), v(1));
    journal.read(b(0), x(0), v(1));
    let claim = Given { stands_for: vec![(1, 0)], ..Given::default() };
    assert_eq!(close(&mut journal, &claim), ("global 1; global 2; block 1; def 1 2; use 1 1".into(), false));
}

#[test]
fn a_replaced_result_takes_the_content_of_its_replacement() {
    let mut journal = begin();
    journal.write(b(0), x(0), v(0));
    journal.write(b(0), x(1), v(1));
    journal.replace(v(1), v(0));
    journal.read(b(0), x(1), v(1));
    let claim = Given { stands_for: vec![(1, 0)], ..Given::default() };
    check(&mut journal, &claim, "block 1; def 3 1; copy 1 3; copy 4 3; copy 2 4; use 2 1");
    assert_eq!(journal.num_trusted(), 1);
    journal.begin(b(0));
    assert_eq!(journal.num_trusted(), 0);
}

#[test]
fn a_replacement_may_be_a_constant_or_unknown_so_far() {
    let mut journal = begin();
    journal.global(v(9));
    journal.write(b(0), x(0), v(0));
    journal.write(b(0), x(1), v(1));
    journal.replace(v(0), v(9));
    journal.replace(v(1), v(2));
    journal.replace(v(2), v(3));
    journal.read(b(0), x(0), v(0));
    journal.read(b(0), x(1), v(1));
    let claim = Given { stands_for: vec![(0, 9), (1, 3), (2, 3)], ..Given::default() };
    check(
        &mut journal,
        &claim,
        "global 10; block 1; def 3 10; copy 1 3; def 4 4; copy 5 4; copy 6 4; copy 2 5; use 1 10; use 2 4",
    );
    assert_eq!(journal.num_trusted(), 3);
}

#[test]
fn replacements_in_a_circle_end() {
    let mut journal = begin();
    journal.write(b(0), x(0), v(0));
    journal.write(b(0), x(1), v(1));
    journal.replace(v(0), v(1));
    journal.replace(v(1), v(0));
    journal.replace(v(1), v(1));
    journal.read(b(0), x(1), v(1));
    let claim = Given { stands_for: vec![(0, 1)], ..Given::default() };
    assert!(close(&mut journal, &claim).0.ends_with("use 2 2"));
}

#[test]
fn the_replacement_of_an_answer_stays_under_judgement() {
    let mut journal = begin();
    journal.initial(x(0), v(0), false);
    journal.global(v(1));
    journal.terminate(b(0), &[b(1), b(1)]);
    journal.read(b(1), x(0), v(2));
    journal.replace(v(2), v(1));
    let right = Given { stands_for: vec![(2, 0)], ..Given::default() };
    assert!(close(&mut journal, &right).1);
    let wrong = Given { stands_for: vec![(2, 1)], ..Given::default() };
    assert!(!close(&mut journal, &wrong).1);
}

#[test]
fn edges_come_in_order_of_calls_and_phis_in_any() {
    let mut journal = begin();
    journal.global(v(0));
    journal.terminate(b(2), &[b(3), b(1), b(3)]);
    journal.terminate(b(0), &[b(2), b(3)]);
    journal.add_edge(b(1), b(3));
    let claim = Given { phis: vec![(3, 2, vec![0; 4]), (1, 1, vec![0]), (3, 3, vec![0; 4])], ..Given::default() };
    check(
        &mut journal,
        &claim,
        "global 1; block 1; block 2 3; phi 2 1; block 3 1; block 4 3 3 1 2; phi 3 1 1 1 1; phi 4 1 1 1 1",
    );
}

#[test]
fn copies_without_values_and_unreachable_blocks() {
    let mut journal = begin();
    journal.write(b(0), x(0), v(0));
    journal.copy(b(0), x(1), x(0));
    journal.read(b(0), x(1), v(0));
    journal.read(b(1), x(1), v(5));
    journal.write(b(1), x(0), v(5));
    journal.terminate(b(1), &[b(1)]);
    check(
        &mut journal,
        &Given::default(),
        "block 1; def 1 1; copy 2 1; use 2 1; block 2 2; use 2 6; copy 3 2; copy 1 3",
    );
}

#[test]
fn a_journal_that_nobody_began_has_no_entry() {
    let mut program = Program::new();
    assert!(Journal::new().close(&Given::default(), &mut program).is_err());
    assert_eq!(judge(&program, Mode::Exact).violations.len(), 1);
}
