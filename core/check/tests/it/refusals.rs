//! What is wrong is refused, also in the memory of functions that were judged before.

use ssaphire_check::certificate::Reader;
use ssaphire_check::{Judge, Mode, Program, Rules, Validator, Violation, judge, rules, validate};

/// The program whose lines are `text`, semicolons being line breaks.
fn program(text: &str) -> Program {
    let text = format!("ssacert 2\nprogram p\n{}\nend\n", text.replace("; ", "\n"));
    Reader::new(text.lines()).next().unwrap().unwrap_or_else(|error| panic!("{error}\n{text}")).1
}

fn words(violations: &[Violation]) -> Vec<String> {
    violations.iter().map(ToString::to_string).collect()
}

#[test]
pub(crate) fn the_function_before_makes_no_difference() {
    let texts = [
        // v0 is undefined; a read of it may be anything.
        "entry 1; undef 1; global 2; initial 1 1; block 1; def 2 3; use 1 2; use 2 3",
        // Here v0 is not: the read is wrong.
        "entry 1; global 1; global 2; initial 1 1; block 1; use 1 2",
        // The read is undefined, or gets what was made in the round before.
        "entry 1; undef 9; initial 1 9; block 1; block 2 1 2; use 1 3; def 1 3",
        "entry 1; block 1; def 1 1; block 2 1; use 1 2; def 2 2; block 3 2; use 1 2",
        "entry 1; block 1; def 1 1; use 1 2; def 2 2",
        "entry 1; global 1; global 3; block 1; def 1 1; block 2 1 2; phi 2 1 3; use 1 2; num 2 1; num 1 0; num 3 2",
        "entry 1; block 1; def 1 1; use 1 1",
        "entry 1; global 1; block 1; def 1 1; block 2 1 2; phi 2 1 2; phi 3 1 3; use 1 2; use 1 3; \
         live 2 0 0; live 3 0 0",
        "entry 1; global 1; block 1; def 1 1; block 2 1 2; phi 2 1 2; phi 3 1 3; use 1 1; live 2 0 0; live 3 1 2",
        "entry 1; global 1; block 1; def 1 1; block 2 1 2; phi 2 1 3; phi 3 1 3; use 1 2; live 2 0 0; live 3 1 2",
    ];
    let programs = texts.map(program);
    for mode in [Mode::Exact, Mode::Refine] {
        let (mut judge_again, mut validator, mut rules_again) = (Judge::new(), Validator::new(), Rules::new());
        for (one, other) in programs.iter().flat_map(|one| programs.iter().map(move |other| (one, other))) {
            for program in [one, other] {
                assert_eq!(judge_again.judge(program, mode), judge(program, mode), "{program:?}");
                assert_eq!(rules_again.check(program), rules(program), "{program:?}");
                assert_eq!(validator.validate(program, mode), validate(program, mode), "{program:?}");
            }
        }
    }
    let is_right = |mode| programs.iter().map(|program| u8::from(validate(program, mode).is_ok())).collect::<Vec<_>>();
    assert_eq!(is_right(Mode::Exact), [0, 0, 0, 0, 0, 0, 1, 1, 1, 1]);
    assert_eq!(is_right(Mode::Refine), [1, 0, 1, 0, 0, 0, 1, 1, 1, 1]);
}

#[test]
pub(crate) fn what_unreachable_code_writes_is_not_merged() {
    let text = "entry 1; block 1; def 1 1; block 2 1 3; phi 2 1 9; use 1 2; block 3 3; def 1 7; use 1 8";
    assert_eq!(judge(&program(text), Mode::Exact).violations, []);
}

#[test]
pub(crate) fn a_phi_has_no_operand_too_many() {
    let text = "entry 1; block 1; def 1 1; block 2 1; phi 2 1 1; use 1 2";
    let found = words(&judge(&program(text), Mode::Exact).violations);
    assert_eq!(found, ["v1: has 2 operands in block1, which has 1 incoming edges"]);
}

#[test]
pub(crate) fn a_phi_is_needed_by_the_user_that_it_names() {
    let loops = "entry 1; block 1; def 1 2; def 2 1; block 2 1; def 1 3; block 3 1; def 1 4; block 4 2 3; phi 5 3 4; \
                 block 5 4 5; phi 6 5 6; phi 7 1 7; use 1 6; use 2 7; ";
    let found = |ranks: &str| words(&judge(&program(&format!("{loops}{ranks}")), Mode::Exact).violations);
    assert_eq!(found("live 5 1 6; live 6 0 0; live 7 0 0"), [""; 0]);
    // v5 uses it, and v6 does not.
    let wrong = "v4: a phi in block3 that v6 does not use with a smaller rank";
    assert_eq!(found("live 5 1 7; live 6 0 0; live 7 0 0"), [wrong]);
}

/// Certificates of which a variable holds what a value was a round ago, or what another round may have changed.
#[test]
pub(crate) fn values_of_another_round_are_refused() {
    let refused = |mode, text: &str| -> Vec<_> {
        judge(&program(text), mode).violations.iter().map(|violation| violation.rule()).collect()
    };
    // The variable was copied before the value was made, and held a constant.
    let copied = "entry 1; global 1; initial 1 1; block 1; copy 2 1; def 1 3; use 2 3";
    // Control comes back by the other entry of the loop.
    let irreducible = "entry 1; global 1; initial 1 1; block 1; block 2 1 3; use 1 1; def 1 2; block 3 1 2";
    for mode in [Mode::Exact, Mode::Refine] {
        assert_eq!(refused(mode, copied), ["stale-value"]);
        assert_eq!(refused(mode, irreducible), ["wrong-value"]);
    }
    // Undefined in the first round, and from the second on what the value was in the one before.
    let late = "entry 1; undef 9; initial 1 9; initial 2 9; block 1; block 2 1 3; def 1 3; block 3 2; copy 2 1; \
                block 4 2; use 2 3";
    assert_eq!(refused(Mode::Refine, late), ["stale-value"]);
}
