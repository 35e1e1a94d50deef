//! What becomes of the calls around a builder.

use ssaphire_check::{Applied, Claim, Journal, Mode, Program, Replacement, Rewriting, certificate, judge};
use ssaphire_graph::{Block, Operator, Value, Variable};

/// A result given by hand: what stands for what, the phis, and the answers that were dropped.
#[derive(Default)]
struct Given {
    stands_for: Vec<(usize, usize)>,
    phis: Vec<(usize, usize, Vec<usize>)>,
    dropped: Vec<usize>,
    /// Of those, the ones that are shown.
    evidence: Vec<(usize, usize, Vec<usize>)>,
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

    fn visit_dropped(&self, visit: &mut dyn FnMut(Block, Value, &[Value])) {
        for (block, phi, operands) in &self.evidence {
            visit(b(*block), v(*phi), &operands.iter().map(|&operand| v(operand)).collect::<Vec<_>>());
        }
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
pub(crate) fn a_result_written_once_is_a_plain_definition() {
    let mut journal = begin();
    journal.write(b(0), x(0), v(0));
    journal.read(b(0), x(0), v(0));
    check(&mut journal, &Given::default(), "block 1; def 1 1; use 1 1");
}

#[test]
pub(crate) fn a_result_written_twice_moves_through_a_temporary() {
    let mut journal = begin();
    journal.write(b(0), x(0), v(0));
    journal.write(b(0), x(1), v(0));
    journal.read(b(0), x(1), v(0));
    check(&mut journal, &Given::default(), "block 1; def 3 1; copy 1 3; copy 2 3; use 2 1");
}

#[test]
pub(crate) fn a_result_is_made_where_define_says() {
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
pub(crate) fn a_constant_may_be_written_any_number_of_times() {
    let mut journal = begin();
    journal.write(b(0), x(0), v(0));
    journal.write(b(0), x(1), v(0));
    journal.global(v(0));
    journal.read(b(0), x(1), v(0));
    journal.write(b(0), x(0), v(0));
    check(&mut journal, &Given::default(), "global 1; block 1; def 1 1; def 2 1; use 2 1; def 1 1");
}

#[test]
pub(crate) fn an_answer_is_copied_only_if_it_is_written() {
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
    // The phis are trivial, and were removed after reads had returned them.
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
pub(crate) fn a_swap_through_values_is_accepted_and_no_swap_is_not() {
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
pub(crate) fn answers_nobody_uses_are_no_claims() {
    let mut journal = swap_loop();
    let claim = Given { dropped: vec![2, 3], ..Given::default() };
    let expected =
        "block 1; def 1 1; def 2 2; block 2 1 2; copy 3 1; copy 4 2; copy 1 4; copy 2 3; block 3 2; copy 4 1";
    check(&mut journal, &claim, expected);
}

#[test]
pub(crate) fn constants_are_not_merged_by_the_claim() {
    let mut journal = begin();
    journal.global(v(0));
    journal.global(v(1));
    journal.write(b(0), x(0), v(1));
    journal.read(b(0), x(0), v(1));
    let claim = Given { stands_for: vec![(1, 0)], ..Given::default() };
    assert_eq!(close(&mut journal, &claim), ("global 1; global 2; block 1; def 1 2; use 1 1".into(), false));
}

#[test]
pub(crate) fn a_replaced_result_takes_the_content_of_its_replacement() {
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
pub(crate) fn a_replacement_may_be_a_constant_or_unknown_so_far() {
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
pub(crate) fn an_initial_value_is_replaced_by_a_global_one() {
    let mut journal = begin();
    journal.global(v(1));
    journal.initial(x(0), v(0), false);
    journal.read(b(0), x(0), v(0));
    journal.replace(v(0), v(1));
    let claim = Given { stands_for: vec![(0, 1)], ..Given::default() };
    check(&mut journal, &claim, "global 1; global 2; initial 1 2; block 1; use 1 2");
    assert_eq!(journal.num_trusted(), 1);

    // This one does not exist at the entry.
    let mut journal = begin();
    journal.initial(x(0), v(0), false);
    journal.write(b(0), x(1), v(1));
    journal.replace(v(0), v(1));
    journal.read(b(0), x(0), v(1));
    let claim = Given { stands_for: vec![(0, 1)], ..Given::default() };
    assert!(!close(&mut journal, &claim).1);
}

#[test]
pub(crate) fn replacements_in_a_circle_end() {
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
pub(crate) fn the_replacement_of_an_answer_stays_under_judgement() {
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
pub(crate) fn edges_come_in_order_of_calls_and_phis_in_any() {
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
pub(crate) fn copies_without_values_and_unreachable_blocks() {
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
pub(crate) fn a_journal_that_nobody_began_has_no_entry() {
    let mut program = Program::new();
    assert!(Journal::new().close(&Given::default(), &mut program).is_err());
    assert_eq!(judge(&program, Mode::Exact).violations.len(), 1);
}

const SUB: Operator = Operator::new(0);
const BRANCH: Operator = Operator::new(1);

/// Two arms that write both variables, and a join where the first one was read: it got v4, and the second one v5.
fn two_arms() -> Journal {
    let mut journal = begin();
    journal.terminate(b(0), &[b(1), b(2)]);
    for (block, values) in [(1, [0, 1]), (2, [2, 3])] {
        journal.write(b(block), x(0), v(values[0]));
        journal.write(b(block), x(1), v(values[1]));
        journal.terminate(b(block), &[b(3)]);
    }
    journal.global(v(9));
    journal.read(b(3), x(0), v(4));
    journal.read(b(3), x(1), v(5));
    journal
}

/// `x - x = 0`, of one value, where v9 is 0.
fn subtract_itself(journal: &mut Journal, block: usize, value: usize, args: [usize; 2]) {
    let (args, it) = (args.map(v), [v(value); 2]);
    let applied = Applied { operator: SUB, args: &it, seen_through: None };
    let is_constant = &|value| value == v(9);
    let why = Rewriting { applied, replacement: Replacement::Value(v(9)), is_constant };
    journal.folded(b(block), v(9), SUB, &args, Some(why));
}

const ARMS: &str = "global 10; equation 1/2 ?0 ?0 = 10; block 1; block 2 1; def 1 1; def 2 2; \
                    block 3 1; def 1 3; def 2 4; block 4 2 3; ";

#[test]
pub(crate) fn a_dropped_phi_that_an_operation_has_as_argument_is_evidence() {
    let mut claim =
        Given { dropped: vec![4, 5], evidence: vec![(3, 4, vec![0, 2]), (3, 5, vec![1, 3])], ..Given::default() };
    let mut journal = two_arms();
    subtract_itself(&mut journal, 3, 4, [4, 4]);
    check(&mut journal, &claim, &format!("{ARMS}dropped 5 1 3; use 1 5; op 10 1 1 5 5"));
    assert_eq!(journal.num_unclaimed(), 1);
    // Wrong evidence is refused, and so is an operation without.
    claim.evidence[0].2 = vec![0, 3];
    assert!(!close(&mut journal, &claim).1);
    claim.evidence.clear();
    let (text, is_right) = close(&mut journal, &claim);
    assert_eq!((text, is_right), (format!("{ARMS}use 1 5; op 10 1 1 5 5"), false));
    // Without operations nothing relies on them.
    claim.evidence.push((3, 4, vec![0, 2]));
    let arms = ARMS.replace("equation 1/2 ?0 ?0 = 10; ", "");
    check(&mut two_arms(), &claim, arms.trim_end_matches("; "));
}

#[test]
pub(crate) fn evidence_brings_the_dropped_phis_that_it_merges() {
    let mut journal = begin();
    journal.terminate(b(0), &[b(1)]);
    journal.write(b(0), x(0), v(0));
    journal.terminate(b(1), &[b(2), b(3), b(3)]);
    journal.terminate(b(2), &[b(3)]);
    journal.terminate(b(3), &[b(1)]);
    journal.global(v(9));
    journal.read(b(3), x(0), v(2));
    journal.write(b(2), x(0), v(4));
    subtract_itself(&mut journal, 3, 2, [2, 2]);
    let claim = Given {
        stands_for: vec![(3, 1)],
        dropped: vec![1, 2],
        evidence: vec![(1, 1, vec![0, 2]), (3, 2, vec![3, 3, 4])],
        ..Given::default()
    };
    check(
        &mut journal,
        &claim,
        "global 10; equation 1/2 ?0 ?0 = 10; block 1; def 1 1; block 2 1 4; dropped 2 1 3; block 3 2; def 1 5; \
         block 4 2 2 3; dropped 3 2 2 5; use 1 3; op 10 1 1 3 3",
    );
}

#[test]
pub(crate) fn what_an_instruction_made_is_itself_whatever_the_claim_says() {
    let mut journal = two_arms();
    // The claim takes one value for another, and a subtraction was folded because of that.
    subtract_itself(&mut journal, 1, 0, [0, 1]);
    let claim = Given { stands_for: vec![(1, 0)], dropped: vec![4, 5], ..Given::default() };
    let (text, is_right) = close(&mut journal, &claim);
    assert!(text.contains("; op 10 1 1 1 2; ") && !is_right, "{text}");
}

#[test]
pub(crate) fn what_was_replaced_is_an_argument_only_where_the_given_one_stands_for_the_same() {
    let [same, other] = [1, 2].map(Operator::new);
    let subtract = |args| {
        let mut journal = begin();
        journal.global(v(9));
        for (value, operator) in [(1, same), (2, same), (3, other)] {
            journal.computed(b(0), v(value), operator, &[]);
        }
        // The law is applied to v2, which is replaced by v1, and whose computation a law may see through.
        subtract_itself(&mut journal, 0, 2, args);
        journal.folded_late(v(2), v(1), &[], None);
        journal.replace(v(2), v(1));
        close(&mut journal, &Given { stands_for: vec![(2, 1)], ..Given::default() })
    };
    for args in [[1, 1], [1, 2], [2, 2]] {
        let (text, is_right) = subtract(args);
        assert!(text.ends_with("; op 10 1 1 3 3") && is_right, "{text}");
    }
    // A builder has taken v3 for v2.
    let (text, is_right) = subtract([1, 3]);
    assert!(text.ends_with("; op 10 1 1 3 4") && !is_right, "{text}");
}

#[test]
pub(crate) fn a_decided_branch_names_its_targets() {
    let mut journal = begin();
    journal.global(v(0));
    let applied = Applied { operator: BRANCH, args: &[v(0)], seen_through: None };
    let why = Rewriting { applied, replacement: Replacement::Slot(1, 3), is_constant: &|_| true };
    journal.terminate(b(0), &[b(2)]);
    journal.left(b(0), BRANCH, &[v(0)], &[b(1), b(2), b(3)], why);
    let claim = Given::default();
    let begun = "global 1; equation 2/1 1 = @1/3; block 1; branch 1 2 1 to";
    check(&mut journal, &claim, &format!("{begun} 2 3 4; block 2; block 3 1"));
    journal.redirect_edge(b(0), 0, b(1));
    check(&mut journal, &claim, &format!("{begun} 2 2 4; block 2 1; block 3"));
}
