//! Operations that were computed and folded: small certificates, and what the judge says of each.

use crate::random::Random;
use ssaphire_check::certificate::{self, Reader};
use ssaphire_check::{Equation, Grounds, Mode, Program, Symbol, judge};
use ssaphire_graph::{Block, Operator, Value};

/// Judges the program whose lines are `text`, semicolons being line breaks: what is wrong with it.
#[track_caller]
fn judged(text: &str) -> Vec<String> {
    let text = format!("ssacert 2\nprogram p\nentry 1\n{}\nend\n", text.replace("; ", "\n"));
    let (_, program) = Reader::new(text.lines()).next().unwrap().unwrap_or_else(|error| panic!("{error}\n{text}"));
    let mut printed = String::new();
    certificate::write(&mut printed, [("p", &program)]).unwrap();
    assert_eq!(Reader::new(printed.lines()).next().unwrap().unwrap().1, program);
    let verdict = judge(&program, Mode::Exact);
    assert_eq!(verdict.equations, program.equation_list().len());
    verdict.violations.iter().map(ToString::to_string).collect()
}

#[track_caller]
fn accept(text: &str) {
    assert_eq!(judged(text), [""; 0]);
}

#[track_caller]
fn refuse(text: &str, expected: &str) {
    assert_eq!(judged(text), [expected]);
}

/// Two constants and their sum.
const SUM: &str = "global 1; global 2; block 1; compute 3 1 1 2; def 1 3; ";

const NOTHING_SHOWS: &str = "v2: claimed to be the result of op0 in block0, but the certificate does not prove it";

#[test]
pub(crate) fn the_same_operator_gives_the_same_for_the_same_values() {
    accept(&format!("{SUM}op 3 0 1 1 2"));
    accept(&format!("{SUM}block 2 1; op 3 0 1 1 2"));
    accept(&format!("{SUM}block 2 1; block 3 1; block 4 2 3; op 3 0 1 1 2"));
    refuse(&format!("{SUM}op 3 0 1 2 1"), NOTHING_SHOWS);
    refuse(&format!("{SUM}op 3 0 1 1"), NOTHING_SHOWS);
    refuse(&format!("{SUM}op 3 0 1 1 2 2"), NOTHING_SHOWS);
    refuse(
        &format!("{SUM}op 3 0 2 1 2"),
        "v2: claimed to be the result of op1 in block0, but the certificate does not prove it",
    );
    refuse(
        &format!("{SUM}op 1 0 1 1 2"),
        "v0: claimed to be the result of op0 in block0, but the certificate does not prove it",
    );
}

#[test]
pub(crate) fn a_result_is_there_where_its_definition_dominates() {
    let arms = "global 1; block 1; block 2 1; compute 2 1 1 1; def 1 2; block 3 1; ";
    refuse(&format!("{arms}op 2 0 1 1 1"), "v1: used in block2, which block1 does not dominate");
    refuse(&format!("{arms}block 4 2 3; op 2 0 1 1 1"), "v1: used in block3, which block1 does not dominate");
    refuse(
        "global 1; block 1; op 2 0 1 1 1; compute 2 1 1 1; def 1 2",
        "v1: used in block0 before it is defined there",
    );
    refuse(
        "global 1; block 1; compute 2 1 1 1; op 2 0 1 1 1; def 1 2",
        "v1: used in block0 before it is defined there",
    );
    refuse("global 1; block 1; op 2 0 1 1 1", "v1: used in block0, but defined nowhere");
}

#[test]
pub(crate) fn what_an_instruction_computes_from_is_there() {
    refuse("block 1; compute 1 1 2; def 1 1; compute 2 1 1; def 2 2", "v1: used in block0 before it is defined there");
    refuse(
        "block 1; block 2 1; def 1 1; block 3 1; compute 2 1 1; def 2 2",
        "v0: used in block2, which block1 does not dominate",
    );
    // In a loop, too, where it holds what was computed in the round before.
    refuse("block 1; block 2 1 2; compute 1 1 1; def 1 1", "v0: used in block1 before it is defined there");
}

#[test]
pub(crate) fn a_loop_computes_the_same_from_the_same_phi() {
    let header = "global 1; initial 1 1; block 1; block 2 1 2; phi 2 1 3; use 1 2; compute 3 1 2 1; def 1 3; ";
    accept(&format!("{header}op 3 0 1 2 1; block 3 2; op 3 0 1 2 1"));
    refuse(
        &format!("{header}op 3 0 1 3 1"),
        "v2: claimed to be the result of op0 in block1, but the certificate does not prove it",
    );
}

#[test]
pub(crate) fn unreachable_code_is_not_judged() {
    accept("block 1; block 2 2; op 9 0 1 9; late 8 8 0 1 8; compute 7 1 9; def 1 7");
    // What is computed there is no computation elsewhere.
    refuse(
        "global 1; block 1; block 2 2; compute 2 1 1; def 1 2; block 3 1 2; op 2 0 1 1",
        "v1: used in block2, which block1 does not dominate",
    );
}

#[test]
pub(crate) fn what_is_computed_is_defined_by_the_next_event() {
    let not_defined = "v0: claimed to be computed in block0, but the next event does not define it";
    refuse("block 1; compute 1 1", not_defined);
    refuse("block 1; compute 1 1; def 1 2; def 2 1", not_defined);
    refuse("global 1; initial 1 1; block 1; compute 1 1; use 1 1", not_defined);
    refuse("global 1; block 1; compute 1 1; def 1 1", not_defined);
    refuse("block 1; compute 1 1; compute 1 2; def 1 1", "v0: computed a second time in block0");
    accept("global 1; equation 2/0 = 1; block 1; compute 2 1; op 1 1 2; def 1 2");
}

#[test]
pub(crate) fn an_application_is_an_instance_of_an_equation() {
    let exchange = "equation 1/2 ?0 ?1 = 1/2 ?1 ?0; ";
    accept(&format!("{exchange}{SUM}op 3 1 1 2 1"));
    refuse(&format!("{exchange}{SUM}op 3 1 1 1 2"), NOTHING_SHOWS);
    refuse(&format!("{exchange}{SUM}op 3 1 1 2 2"), NOTHING_SHOWS);
    refuse(&format!("{exchange}{SUM}op 3 2 1 2 1"), NOTHING_SHOWS);
    refuse(&format!("{exchange}{SUM}op 3 1 1 2"), NOTHING_SHOWS);
    refuse(
        &format!("{exchange}{SUM}op 3 1 2 2 1"),
        "v2: claimed to be the result of op1 in block0, but the certificate does not prove it",
    );
    let other = "equation 3/2 ?0 2 = 1/2 ?0 2; ";
    accept(&format!("{other}{SUM}op 3 1 3 1 2"));
    refuse(
        &format!("{other}{SUM}op 3 1 3 2 2"),
        "v2: claimed to be the result of op2 in block0, but the certificate does not prove it",
    );
    refuse(
        &format!("{other}{SUM}op 3 1 3 1 1"),
        "v2: claimed to be the result of op2 in block0, but the certificate does not prove it",
    );
}

#[test]
pub(crate) fn a_constant_is_an_equation_without_variables() {
    let twice = "global 1; global 2; equation 1/2 1 1 = 2; block 1; ";
    accept(&format!("{twice}op 2 1 1 1 1"));
    refuse(
        &format!("{twice}op 1 1 1 1 1"),
        "v0: claimed to be the result of op0 in block0, but the certificate does not prove it",
    );
    refuse(
        &format!("{twice}op 2 1 1 1 2"),
        "v1: claimed to be the result of op0 in block0, but the certificate does not prove it",
    );
}

#[test]
pub(crate) fn a_variable_stands_for_one_thing() {
    let nothing = "global 1; global 2; equation 2/2 ?0 ?0 = 1; block 1; ";
    accept(&format!("{nothing}op 1 1 2 2 2"));
    refuse(
        &format!("{nothing}op 1 1 2 1 2"),
        "v0: claimed to be the result of op1 in block0, but the certificate does not prove it",
    );
    let itself = "global 1; global 2; equation 2/2 ?1 1 = ?1; block 1; ";
    accept(&format!("{itself}op 2 1 2 2 1"));
    refuse(
        &format!("{itself}op 1 1 2 2 1"),
        "v0: claimed to be the result of op1 in block0, but the certificate does not prove it",
    );
}

#[test]
pub(crate) fn a_nested_term_is_a_value_that_is_computed_so() {
    let difference = "equation 2/2 1/2 ?0 ?1 ?0 = ?1; ";
    let nothing_shows = "v1: claimed to be the result of op1 in block0, but the certificate does not prove it";
    accept(&format!("{difference}{SUM}op 2 1 2 3 1"));
    refuse(&format!("{difference}{SUM}op 2 1 2 3 2"), nothing_shows);
    refuse(&format!("{difference}{SUM}op 2 1 2 1 3"), nothing_shows);
    refuse(&format!("{difference}{SUM}op 2 1 2 1 1"), nothing_shows);
    refuse(&format!("equation 2/2 3/2 ?0 ?1 ?0 = ?1; {SUM}op 2 1 2 3 1"), nothing_shows);
    // It is not enough that it is computed on another path.
    let arms = "global 1; global 2; block 1; block 2 1; compute 3 1 1 2; def 1 3; block 3 1; ";
    refuse(&format!("{difference}{arms}op 2 1 2 3 1"), "v2: used in block2, which block1 does not dominate");
}

#[test]
pub(crate) fn a_value_folded_late_is_what_it_was_folded_to() {
    accept(&format!("{SUM}late 4 3 0 1 1 2; op 4 0 1 1 2; op 3 0 1 1 2; block 2 1; op 4 0 1 1 2"));
    accept(&format!("{SUM}compute 4 2 3 1; def 2 4; late 5 3 0 1 1 2; op 4 0 2 5 1"));
    accept(&format!("{SUM}late 4 3 0 1 1 2; compute 5 2 3 1; def 2 5; op 5 0 2 4 1"));
    accept("global 1; global 2; equation 1/2 1 1 = 2; equation 3/1 2 = 1; block 1; late 3 2 1 1 1 1; op 1 2 3 3");
    // From one to the next.
    accept(&format!("{SUM}late 4 3 0 1 1 2; late 5 4 0 1 1 2; late 6 5 0 1 1 2; compute 7 2 3; def 2 7; op 7 0 2 6"));
    // By how it was computed, and by how what it is now is computed.
    let laws = "equation 2/2 1/2 ?0 ?1 ?0 = ?1; equation 4/2 ?0 ?1 = 1/2 ?0 ?1; ";
    accept(&format!("{laws}{SUM}late 4 3 2 4 1 2; op 2 1 2 4 1; op 3 0 1 1 2"));
    let inverse = "equation 2/1 4/2 ?0 ?1 = ?1; equation 4/2 ?0 ?1 = 1/2 ?0 ?1; ";
    accept(&format!("{inverse}{SUM}late 4 3 2 4 1 2; op 2 1 2 4"));
    refuse(
        &format!("{inverse}{SUM}late 4 3 2 4 1 2; op 2 1 2 3"),
        "v1: claimed to be the result of op1 in block0, but the certificate does not prove it",
    );
}

#[test]
pub(crate) fn a_value_folded_late_is_nothing_where_its_place_does_not_dominate() {
    let arms = "global 1; global 2; equation 1/2 1 1 = 2; block 1; compute 4 2 2; def 1 4; block 2 1; ";
    accept(&format!("{arms}late 3 2 1 1 1 1; op 4 0 2 3"));
    refuse(&format!("{arms}late 3 2 1 1 1 1; block 3 1; op 4 0 2 3"), "v2: used in block2, but defined nowhere");
    refuse(&format!("{arms}op 4 0 2 3; late 3 2 1 1 1 1"), "v2: used in block1, but defined nowhere");
    refuse(&format!("{arms}late 3 2 1 1 1 1; block 3 1; op 3 0 1 1 1"), "v2: used in block2, but defined nowhere");
    refuse(&format!("{arms}op 3 0 1 1 1; late 3 2 1 1 1 1"), "v2: used in block1, but defined nowhere");
}

#[test]
pub(crate) fn nothing_relies_on_itself() {
    refuse("global 1; block 1; late 2 2 0 1 1", "v1: used in block0, but defined nowhere");
    let two = judged("global 1; block 1; late 2 3 0 1 1; late 3 2 0 1 1");
    assert_eq!(two, ["v1: used in block0, but defined nowhere", "v2: used in block0, but defined nowhere"]);
    let around = judged("global 1; block 1; block 2 1 3; late 2 3 0 1 1; block 3 2; late 3 2 0 1 1");
    assert_eq!(around, ["v1: used in block2, but defined nowhere", "v2: used in block1, but defined nowhere"]);
    let itself = "equation 1/1 ?0 = ?0; ";
    refuse(&format!("global 1; {itself}block 1; late 2 2 1 1 2"), "v1: used in block0, but defined nowhere");
    // What was refused is not followed.
    let both = judged(&format!("{SUM}late 4 3 0 1 2 1; op 4 0 1 2 1"));
    assert_eq!(both, ["v3: used in block0, but defined nowhere", NOTHING_SHOWS]);
}

#[test]
pub(crate) fn no_instruction_uses_what_was_folded_late() {
    let late = "global 1; global 2; equation 1/2 1 1 = 2; block 1; late 3 2 1 1 1 1; ";
    refuse(&format!("{late}compute 4 2 3; def 1 4"), "v2: used in block0, but defined nowhere");
    assert_eq!(judged(&format!("{late}def 1 1; use 1 3")).len(), 2);
    refuse(&format!("{late}def 1 3"), "v2: folded after it was computed in block0, but still has a definition");
    refuse(&format!("{late}late 3 2 1 1 1 1"), "v2: computed a second time in block0");
    let of_global = "v0: folded after it was computed in block0, but still has a definition";
    refuse("global 1; global 2; equation 1/2 1 1 = 2; block 1; late 1 2 1 1 1 1", of_global);
}

#[test]
pub(crate) fn what_an_opaque_instruction_gives_is_known_by_its_operator_alone() {
    let byte = "global 1; equation 2/2 ?0:3 1 = ?0; block 1; opaque 2 3; def 1 2; opaque 3 3; def 2 3; ";
    accept(&format!("{byte}op 2 1 2 2 1; op 3 1 2 3 1"));
    refuse(
        &format!("{byte}op 3 1 2 2 1"),
        "v2: claimed to be the result of op1 in block0, but the certificate does not prove it",
    );
    refuse(
        &format!("{byte}op 2 0 3"),
        "v1: claimed to be the result of op2 in block0, but the certificate does not prove it",
    );
    refuse(
        &format!("{byte}opaque 4 4; def 3 4; op 4 1 2 4 1"),
        "v3: claimed to be the result of op1 in block0, but the certificate does not prove it",
    );
    // What nothing else is the same as is no term, even without arguments.
    refuse(
        "global 1; equation 2/1 3/0 = 1; block 1; opaque 2 3; def 1 2; op 1 1 2 2",
        "v0: claimed to be the result of op1 in block0, but the certificate does not prove it",
    );
    // An operator whose arguments are known gives its results, too, and so does what they were called before.
    let known = "global 1; equation 2/2 ?0:3 1 = ?0; block 1; compute 2 3 1; def 1 2; ";
    accept(&format!("{known}op 2 1 2 2 1"));
    accept(&format!("{known}late 3 2 0 3 1; op 2 1 2 3 1"));
    refuse(
        "global 1; block 1; opaque 2 3",
        "v1: claimed to be computed in block0, but the next event does not define it",
    );
}

#[test]
pub(crate) fn a_branch_that_is_decided_leaves_by_the_one_edge_there_is() {
    let law = "global 1; equation 4/1 1 = @0/2; block 1; ";
    let nothing_shows =
        "block0: op3 is claimed to take the only edge of the block, but the certificate does not prove it";
    accept(&format!("{law}branch 1 4 1 to 2 3; block 2 1"));
    accept(&format!("{law}branch 1 4 1 to 2 2; block 2 1"));
    refuse(&format!("{law}branch 1 4 1 to 2 3; block 2 1; block 3 1"), nothing_shows);
    refuse(&format!("{law}branch 1 4 1 to 2 2; block 2 1 1"), nothing_shows);
    refuse(&format!("{law}branch 1 4 1 to 2 3"), nothing_shows);
    refuse(&format!("global 2; {law}branch 1 4 2 to 2 3; block 2 1"), nothing_shows);
    refuse(
        &format!("{law}op 1 1 4 1; block 2 1"),
        "v0: claimed to be the result of op3 in block0, but the certificate does not prove it",
    );
    refuse(
        &format!("{law}late 2 1 1 4 1; block 2 1"),
        "v0: claimed to be the result of op3 in block0, but the certificate does not prove it",
    );
    let constant = "global 1; equation 4/1 1 = 1; block 1; ";
    refuse(&format!("{constant}branch 1 4 1 to 2 3; block 2 1"), nothing_shows);
}

#[test]
pub(crate) fn a_branch_that_is_decided_leaves_to_the_target_of_its_slot() {
    let nothing_shows =
        "block0: op3 is claimed to take the only edge of the block, but the certificate does not prove it";
    for (slot, right, wrong) in [(0, 2, 3), (1, 3, 2)] {
        let law = format!("global 1; equation 4/1 1 = @{slot}/2; block 1; branch 1 4 1 to 2 3; ");
        let (left_to, other) = (format!("block {right} 1; block {wrong}"), format!("block {wrong} 1; block {right}"));
        accept(&format!("{law}{left_to}"));
        refuse(&format!("{law}{other}"), nothing_shows);
    }
    // As many targets as the equation has slots, and the slot among them.
    let law = "global 1; equation 4/1 1 = @0/2; block 1; ";
    refuse(&format!("{law}branch 1 4 1 to 2; block 2 1"), nothing_shows);
    refuse(&format!("{law}branch 1 4 1 to; block 2 1"), nothing_shows);
    refuse(&format!("{law}branch 1 4 1 to 2 3 3; block 2 1"), nothing_shows);
    let law = "global 1; equation 4/1 1 = @2/2; block 1; ";
    refuse(&format!("{law}branch 1 4 1 to 2 2; block 2 1"), nothing_shows);
    // A target that does not exist is one that nobody built.
    accept("global 1; equation 4/1 1 = @0/2; block 1; branch 1 4 1 to 2 99; block 2 1");
    refuse("global 1; equation 4/1 1 = @1/2; block 1; branch 1 4 1 to 2 99; block 2 1", nothing_shows);
}

#[test]
pub(crate) fn what_an_operation_is_applied_to_is_there() {
    let nowhere = "v8: used in block0, but defined nowhere";
    let nothing = "global 1; equation 2/2 ?0 ?0 = 1; equation 2/1 ?0 = 1; equation 4/1 ?0 = @0/1; block 1; ";
    refuse(&format!("{nothing}op 1 1 2 9 9"), nowhere);
    refuse(&format!("{nothing}late 8 1 1 2 9 9"), nowhere);
    refuse(&format!("{nothing}branch 3 4 9 to 2; block 2 1"), nowhere);
    refuse(&format!("{nothing}op 1 2 2 2; def 1 2"), "v1: used in block0 before it is defined there");
    refuse(
        &format!("{nothing}block 2 1; def 1 2; block 3 1; op 1 2 2 2"),
        "v1: used in block2, which block1 does not dominate",
    );
    accept(&format!("{nothing}def 1 2; op 1 2 2 2; block 2 1; op 1 1 2 2 2; branch 3 4 2 to 3; block 3 2"));
}

/// A variable that holds one of two values at a join, where a phi that was dropped merges them.
const DROPPED: &str = "global 1; global 2; equation 2/2 ?0 ?0 = 1; block 1; def 1 1; \
                       block 2 1; def 1 3; block 3 1; def 1 4; block 4 2 3; dropped 5 3 4; ";

#[test]
pub(crate) fn a_dropped_phi_is_evidence() {
    accept(&format!("{DROPPED}use 1 5; op 1 1 2 5 5"));
    accept(&format!("{DROPPED}use 1 5; compute 6 3 5; def 2 6; op 6 0 3 5"));
    let swapped = DROPPED.replace("dropped 5 3 4", "dropped 5 4 3");
    let found = judged(&format!("{swapped}use 1 5; op 1 1 2 5 5"));
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(found[..2].iter().all(|words| words.contains("does not dominate")), "{found:?}");
    assert!(found[2].contains("event 0 of block3 reads v4"), "{found:?}");
}

#[test]
pub(crate) fn a_dropped_phi_is_not_in_the_result() {
    let program = |text: &str| {
        let text = format!("ssacert 2\nprogram p\nentry 1\n{}\nend\n", text.replace("; ", "\n"));
        Reader::new(text.lines()).next().unwrap().unwrap().1
    };
    let alone = program(&format!("{DROPPED}use 1 5"));
    assert_eq!((alone.num_phis(), alone.num_dropped()), (0, 1));
    assert_eq!(ssaphire_check::rules(&alone), []);
    assert_eq!(ssaphire_check::quality(&alone), []);
    let verdict = judge(&alone, Mode::Exact);
    assert_eq!((verdict.minimal, verdict.pruned, verdict.equivalent), (Some(true), Some(true), true));
    // A phi of the result needs operands that are in the result.
    let used = format!("{DROPPED}block 5 4 1; phi 6 5 1; use 1 6");
    refuse(&used, "v4: is an operand of v5 in block4, but was dropped from the result");
    assert_eq!(ssaphire_check::validate(&program(&used), Mode::Exact).unwrap_err().len(), 1);
    let unreachable = format!("{DROPPED}block 5; block 6 5 1; phi 6 5 1; use 1 6");
    accept(&unreachable);
    // Proofs pass it over: as a use of what it merges, and as a phi.
    let both = DROPPED.replace("dropped 5 3 4", "phi 6 3 4; dropped 5 3 4");
    let ranked = program(&format!("{both}use 1 5; num 6 1; num 3 0; num 4 2; live 6 0 0"));
    assert_eq!(judge(&ranked, Mode::Exact).pruned, Some(false));
    let ranked = program(&format!("{both}use 1 6; use 1 5; num 6 1; num 3 0; num 4 2; live 6 0 0"));
    let verdict = judge(&ranked, Mode::Exact);
    assert_eq!((verdict.minimal, verdict.pruned, verdict.violations.len()), (Some(true), Some(true), 0));
}

#[test]
pub(crate) fn an_equation_speaks_of_globals() {
    refuse("equation 1/1 1 = 2; global 2; block 1; def 1 1", "equation0: mentions v0, which is not a global");
    let both = judged("equation 1/1 ?0 = 1; block 1; def 1 1; op 1 1 1 1");
    assert_eq!(both[..1], ["v0: claimed to be the result of op0 in block0, but the certificate does not prove it"]);
    assert_eq!(both[1..], ["equation0: mentions v0, which is not a global"]);
}

/// A program of one block with one edge, which relies on the equation.
fn relying(left: Vec<Symbol>, right: Vec<Symbol>, value: Option<Value>, late: Option<Value>) -> Program {
    let (entry, end) = (Block::new(0), Block::new(1));
    let mut program = Program::new();
    let mut writer = program.rewrite(entry);
    writer.global(Value::new(0));
    let equation = writer.equation(Equation { left, right });
    writer.block(entry, []);
    writer.application(Operator::new(0), value, Grounds::Equation(equation), [Value::new(0)]);
    late.into_iter().for_each(|late| writer.late(late));
    // Whatever the late value is, asking for it comes to an end.
    writer.application(Operator::new(0), Some(Value::new(0)), Grounds::Congruent, [Value::new(1)]);
    writer.block(end, [entry]);
    writer.finish().unwrap();
    program
}

#[test]
pub(crate) fn what_no_text_can_say_is_refused_too() {
    let (apply, any) = (Symbol::Apply(Operator::new(0), 1), Symbol::Any);
    let rules = |program: Program| -> Vec<_> {
        judge(&program, Mode::Exact).violations.iter().map(|violation| violation.rule()).collect()
    };
    let value = Some(Value::new(0));
    assert_eq!(rules(relying(vec![apply, any(0)], vec![any(0)], value, None)), ["not-defined"]);
    let bad = ["not-defined", "not-folded", "bad-equation"];
    assert_eq!(rules(relying(vec![apply, any(0)], vec![any(1)], value, None)), bad);
    assert_eq!(rules(relying(vec![apply, any(2)], vec![any(2)], value, None)), bad);
    assert_eq!(rules(relying(vec![apply], vec![Symbol::Global(Value::new(0))], value, None)), bad);
    assert_eq!(rules(relying(vec![any(0)], vec![any(0)], value, None)), bad);
    let result = |number| Symbol::Result(Operator::new(1), number);
    assert_eq!(rules(relying(vec![apply, any(0)], vec![result(0)], value, None)), bad);
    assert_eq!(rules(relying(vec![apply, result(2)], vec![any(2)], value, None)), bad);
    let slot = vec![Symbol::Slot(0, 2)];
    assert_eq!(rules(relying(vec![apply, any(0)], slot.clone(), None, None)), ["not-defined", "not-folded"]);
    assert_eq!(rules(relying(vec![apply, any(0)], slot, None, Some(Value::new(1)))), ["not-defined", "not-folded"]);
}

/// All that a certificate may say of operations.
const ALL: &str = "ssacert 2\nprogram p\nentry 1\nglobal 1\nglobal 2\noperator 1 add\noperator 2 %\nconstant 1 a%20b\n\
                   equation 1/2 1 1 = 2\nequation 2/2 1/2 ?0 ?1 ?0 = ?1\nequation 3/1 ?0 = @1/2\nequation 4/0 = 1\n\
                   block 1\ncompute 3 1 1 2\ndef 1 3\nop 3 0 1 1 2\nop 2 2 2 3 1\nlate 4 2 1 1 1 1\nuse 1 3\n\
                   late 5 3 0 1 1 2\nop 1 4 4\nbranch 3 3 5 to 3 2\nblock 2 1\nop 5 0 1 1 2\nend\n";

#[test]
pub(crate) fn what_is_written_of_operations_is_read() {
    let read = |text: &str| Reader::new(text.lines()).next().unwrap().unwrap().1;
    let program = read(ALL);
    let mut printed = String::new();
    certificate::write(&mut printed, [("p", &program)]).unwrap();
    assert_eq!(printed, ALL);
    assert_eq!(program.operator_names().collect::<Vec<_>>(), [(Operator::new(0), "add"), (Operator::new(1), "")]);
    assert_eq!(program.global_names().collect::<Vec<_>>(), [(Value::new(0), "a b")]);
    let branch = *program.application_list(Block::new(0)).last().unwrap();
    assert_eq!(program.target_list(branch), [Block::new(2), Block::new(1)]);
    assert_eq!(judge(&program, Mode::Exact).violations, []);
    // Each line counts.
    let lines: Vec<&str> = ALL.lines().collect();
    for left_out in (5..lines.len() - 1).filter(|&line| !lines[line].starts_with("block")) {
        let text: Vec<&str> =
            lines.iter().enumerate().filter(|&(line, _)| line != left_out).map(|(_, &it)| it).collect();
        if let Some(Ok((_, other))) = Reader::new(text.iter()).next() {
            assert_ne!(other, program, "{}", lines[left_out]);
        }
    }
}

/// Reads whatever stands there, judges what is a program, and expects it back from what is printed of it.
fn survive(text: &str) -> usize {
    let programs: Vec<_> = Reader::new(text.lines()).map_while(Result::ok).collect();
    for (name, program) in &programs {
        let _ = judge(program, Mode::Exact);
        let mut printed = String::new();
        certificate::write(&mut printed, [(name.as_str(), program)]).unwrap();
        assert_eq!(&Reader::new(printed.lines()).next().unwrap().unwrap().1, program, "{text}");
    }
    programs.len()
}

#[test]
pub(crate) fn damaged_texts_are_errors_or_programs() {
    assert!((0..ALL.len() - 1).all(|len| survive(&ALL[..len]) == 0));
    let words: Vec<&str> = ALL.split_whitespace().chain(["0", "?2", "@0/1", "1/1", "5"]).collect();
    let (mut random, mut num_read) = (Random(11), 0);
    for _ in 0..20_000 {
        let mut lines: Vec<Vec<&str>> = ALL.lines().map(|line| line.split(' ').collect()).collect();
        for _ in 0..1 + random.below(3) {
            let line = 3 + random.below(lines.len() - 4);
            let word = random.below(lines[line].len());
            match random.below(5) {
                0 => drop(lines[line].remove(word)),
                1 => lines[line].insert(word, words[random.below(words.len())]),
                2 => lines.swap(line, 3),
                _ => lines[line][word] = words[random.below(words.len())],
            }
            lines.retain(|line| !line.is_empty());
        }
        let text: Vec<String> = lines.iter().map(|line| line.join(" ")).collect();
        num_read += survive(&text.join("\n"));
    }
    assert!((3_000..17_000).contains(&num_read), "{num_read}");
}

/// A chain of `n` applications of one operator, and `n` more that rely on an equation about all of them.
fn long_equation(n: usize) -> String {
    let left = format!("2/2 {}?0 ?1", "1/1 ".repeat(n));
    let mut text = format!("global 1; equation {left} = 1; block 1; ");
    for value in 2..n + 2 {
        text += &format!("compute {value} 1 {}; def {value} {value}; ", value - 1);
    }
    text + &"op 1 1 2 VALUE 1; ".replace("VALUE", &(n + 1).to_string()).repeat(n)
}

#[test]
pub(crate) fn an_equation_as_long_as_the_program_is_not_matched_with_all_of_it() {
    accept(long_equation(100).trim_end_matches("; "));
    let found = judged(long_equation(1_000).trim_end_matches("; "));
    // A chain of 1,000 with an argument each, as many with two, and 2,005 symbols: 64 times that, and each takes 1,004.
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0], "v0: claimed to be the result of op1 in block0, but the certificate does not prove it");
}
