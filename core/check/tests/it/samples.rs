//! Small certificates, and what the judge says of each.

use ssaphire_check::{Mode, certificate::Reader, judge};

/// Judges the program whose lines are `text`, semicolons being line breaks.
///
/// Expects the verdict in words, then the violations, one per line; the verdict must survive printing.
#[track_caller]
fn check_in(mode: Mode, text: &str, expected: &[&str]) {
    let text = format!("ssacert 2\nprogram sample\n{}\nend\n", text.replace("; ", "\n"));
    let (name, program) = Reader::new(text.lines()).next().unwrap().unwrap_or_else(|error| panic!("{error}\n{text}"));
    let mut printed = String::new();
    ssaphire_check::certificate::write(&mut printed, [(name.as_str(), &program)]).unwrap();
    assert_eq!(Reader::new(printed.lines()).next().unwrap().unwrap().1, program);
    let verdict = judge(&program, mode);
    let mut found = vec![verdict.to_string()];
    found.extend(verdict.violations.iter().map(|violation| format!("{}: {violation}", violation.rule())));
    assert_eq!(found, expected);
    assert_eq!(verdict.is_accepted(), expected.len() == 1);
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    check_in(Mode::Exact, text, expected);
}

const RIGHT: &str = "equivalent to the source, structurally valid, minimal not checked, pruned not checked";
const WRONG: &str = "not equivalent to the source, structurally valid, minimal not checked, pruned not checked";
const BROKEN: &str = "equivalent to the source, structurally invalid, minimal not checked, pruned not checked";
const MALFORMED: &str = "not equivalent to the source, structurally invalid, minimal not checked, pruned not checked";
const NO_PHIS: &str = "equivalent to the source, structurally valid, minimal, pruned";
const NO_PHIS_MALFORMED: &str = "not equivalent to the source, structurally invalid, minimal, pruned";
const NO_PHIS_WRONG: &str = "not equivalent to the source, structurally valid, minimal, pruned";

/// Two writes of one variable meet; the events and phis of the join follow.
const DIAMOND: &str = "entry 1; block 1; def 1 2; block 2 1; def 1 3; block 3 1; block 4 2 3; ";

#[track_caller]
fn check_diamond(join: &str, expected: &[&str]) {
    check(&format!("{DIAMOND}{join}"), expected);
}

#[test]
pub(crate) fn a_join_takes_a_phi() {
    check_diamond("phi 4 3 2; use 1 4", &[RIGHT]);
}

/// What the rules say of operands that are swapped, besides.
const SWAPPED: &str =
    "operand-not-dominated: v2: operand 1 of v3 in block3, by the edge from block2, which block1 does not dominate";

#[test]
pub(crate) fn operands_swapped() {
    check_diamond(
        "phi 4 2 3; use 1 4",
        &[
            MALFORMED,
            SWAPPED,
            "wrong-value: x0: event 0 of block3 reads v3, but in block1 the variable holds v2 and the read gets v1",
        ],
    );
}

#[test]
pub(crate) fn a_use_replaced() {
    check_diamond(
        "phi 4 3 2; use 1 4; use 1 2",
        &[
            WRONG,
            "wrong-value: x0: event 1 of block3 reads v1, but in block1 the variable holds v2 and the read gets v1",
        ],
    );
}

#[test]
pub(crate) fn a_phi_dropped() {
    check_diamond(
        "use 1 4",
        &[
            NO_PHIS_MALFORMED,
            "not-defined: v3: used in block3, but defined nowhere",
            "wrong-value: x0: event 0 of block3 reads v3, but in block1 the variable holds v2 and the read gets v3",
        ],
    );
}

#[test]
pub(crate) fn an_operand_too_few() {
    check_diamond(
        "phi 4 3; use 1 4",
        &[MALFORMED, "operand-count: v3: has 1 operands in block3, which has 2 incoming edges"],
    );
}

#[test]
pub(crate) fn a_value_defined_twice() {
    check_diamond(
        "phi 4 3 2; use 1 4; def 1 2",
        &[MALFORMED, "defined-twice: v1: defined in block0 and again in block3"],
    );
    check_diamond("phi 4 3 2; phi 4 3 2", &[MALFORMED, "defined-twice: v3: defined in block3 and again in block3"]);
    check(
        "entry 1; global 1; block 1; block 2 1; phi 1 1",
        &[MALFORMED, "global-defined: v0: is a global, but also defined in block1"],
    );
}

#[test]
pub(crate) fn edges_and_entries_that_do_not_exist() {
    check(
        "entry 1; block 1 7",
        &[MALFORMED, "no-such-block: block0: has an edge to or from block6, which does not exist"],
    );
}

#[test]
pub(crate) fn initial_values_are_globals_and_one_each() {
    check(
        "entry 1; global 1; undef 2; initial 1 1; initial 1 2; initial 2 3; block 1",
        &[
            MALFORMED,
            "initial-twice: x0: has two initial values",
            "initial-not-global: x1: holds v2 at the entry, which is not a global",
        ],
    );
}

#[test]
pub(crate) fn repeated_edges_have_an_operand_each() {
    check("entry 1; block 1; def 1 1; block 2 1 1; phi 2 1 1; use 1 2; use 1 1", &[RIGHT]);
    check(
        "entry 1; global 9; block 1; def 1 1; block 2 1 1; phi 2 1 9; use 1 2",
        &[
            WRONG,
            "wrong-value: x0: event 0 of block1 reads v1, but in block0 the variable holds v0 and the read gets v8",
        ],
    );
}

#[test]
pub(crate) fn a_name_for_last_rounds_value_goes_stale() {
    // After the loop, x1 holds what x0 held before its last write.
    let function =
        "entry 1; undef 1; initial 1 1; initial 2 1; block 1; block 2 1 2; copy 2 1; def 1 3; block 3 2; use 2 3";
    let violation = "stale-value: x1: event 0 of block2 reads v2, which block1 redefines \
                     while the variable keeps the old value \
                     (if it is defined only once, call `define` before its first write)";
    // In the first round x1 is undefined, in all others it is not.
    check(function, &[NO_PHIS_WRONG, violation]);
    check_in(Mode::Refine, function, &[NO_PHIS_WRONG, violation]);
}

#[test]
pub(crate) fn the_lost_copy() {
    let function = "entry 1; block 1; def 1 2; def 2 9; block 2 1 2; phi 5 2 3; phi 6 9 5; use 2 6; copy 2 1; def 1 3";
    check(function, &[RIGHT]);
    check(
        &function.replace("use 2 6", "use 2 5"),
        &[
            WRONG,
            "wrong-value: x1: event 0 of block1 reads v4, but in block0 the variable holds v8 and the read gets v1",
        ],
    );
}

#[test]
pub(crate) fn a_swap_written_as_two_copies_through_values() {
    // t3 := x; t4 := y; x := t4; y := t3, round and round.
    let swap = "entry 1; block 1; def 1 1; def 2 2; block 2 1 2; phi 3 1 4; phi 4 2 3; \
                use 1 3; copy 3 1; use 2 4; copy 4 2; copy 1 4; copy 2 3; use 1 4; use 2 3";
    check(swap, &[RIGHT]);
    check(&swap.replace("copy 4 2; copy 1 4", "copy 1 2"), &[RIGHT]);
}

#[test]
pub(crate) fn two_variables_set_to_one_constant() {
    check("entry 1; global 1; block 1; def 1 1; def 2 1; use 1 1; block 2 1; def 1 1; use 1 1; use 2 1", &[NO_PHIS]);
}

#[test]
pub(crate) fn a_phi_that_merges_one_constant_is_that_constant() {
    check("entry 1; global 1; block 1; def 1 1; block 2 1 2; phi 2 1 1; def 2 1; use 2 2; use 1 2", &[RIGHT]);
    check(
        "entry 1; global 1; global 3; block 1; block 2 1 2; phi 2 1 3; def 2 1; use 2 2",
        &[
            WRONG,
            "wrong-value: x1: event 1 of block1 reads v1, but in block1 the variable holds v0 and the read gets v2",
        ],
    );
}

#[test]
pub(crate) fn undefined_is_a_value_unless_refined() {
    let merged = "entry 1; undef 1; initial 1 1; block 1; block 2 1; def 1 2; block 3 1; block 4 2 3; use 1 2";
    let violation = "missing-value: x0: event 0 of block3 reads v1, but the value that it gets is not defined on every path to block3";
    let dominance = "not-dominated: v1: used in block3, which block1 does not dominate";
    check(merged, &[NO_PHIS_MALFORMED, dominance, violation]);
    let verdict = "equivalent to the source where it is defined, structurally invalid, minimal, pruned";
    check_in(Mode::Refine, merged, &[verdict, dominance]);
}

#[test]
pub(crate) fn a_variable_without_an_initial_value_is_refused_in_both_modes() {
    let violation = "uninitialized: x0: event 0 of block0 reads v0, but the variable may be undefined";
    let function = "entry 1; undef 1; block 1; use 1 1";
    check(function, &[NO_PHIS_WRONG, violation]);
    check_in(Mode::Refine, function, &[NO_PHIS_WRONG, violation]);
}

#[test]
pub(crate) fn the_entry_is_entered_from_outside_too() {
    check(
        "entry 1; global 1; initial 1 1; block 1 1; use 1 1; def 1 2",
        &[
            NO_PHIS_WRONG,
            "wrong-value: x0: event 0 of block0 reads v0, but in block0 the variable holds v1 and the read gets v0",
        ],
    );
    check("entry 1; global 1; initial 1 1; block 1 1; use 1 1; def 2 2; use 2 2", &[NO_PHIS]);
    check(
        "entry 1; global 1; initial 1 1; block 1 1; phi 2 1; use 1 2",
        &[MALFORMED, "phi-in-entry: v1: a phi in the entry block0, where control enters without an edge"],
    );
}

#[test]
pub(crate) fn unreachable_blocks_are_not_judged() {
    check("entry 1; block 1; def 1 1; block 2 1 3; phi 2 1 9; use 1 2; block 3 3; use 1 7; use 2 8", &[RIGHT]);
    check(
        "entry 1; block 1; def 1 1; use 1 1; block 2; def 2 1",
        &[MALFORMED, "defined-twice: v0: defined in block0 and again in block1"],
    );
}

#[test]
pub(crate) fn dead_phis_keep_the_rules_too() {
    check_diamond(
        "phi 4 3 2; phi 5 3 3; use 1 4",
        &[
            BROKEN,
            "operand-not-dominated: v2: operand 1 of v4 in block3, by the edge from block2, which block1 does not dominate",
        ],
    );
}

#[test]
pub(crate) fn a_use_above_the_definition_in_its_block() {
    check(
        "entry 1; undef 9; initial 1 9; block 1; use 1 1; def 1 1",
        &[
            NO_PHIS_MALFORMED,
            "used-before-defined: v0: used in block0 before it is defined there",
            "wrong-value: x0: event 0 of block0 reads v0, but in block0 the variable holds v8 and the read gets v0",
        ],
    );
}

#[test]
pub(crate) fn all_wrong_reads_are_named() {
    check_diamond(
        "phi 4 2 3; use 1 4; use 1 4; block 5 4; use 1 4",
        &[
            MALFORMED,
            SWAPPED,
            "wrong-value: x0: event 0 of block3 reads v3, but in block1 the variable holds v2 and the read gets v1",
            "wrong-value: x0: event 1 of block3 reads v3, but in block1 the variable holds v2 and the read gets v1",
            "wrong-value: x0: event 0 of block4 reads v3, but in block1 the variable holds v2 and the read gets v1",
        ],
    );
}

/// A loop that two blocks enter: its phis merge only v1 if `last` is 2.
fn two_entries(last: usize, claims: &str) -> String {
    format!(
        "entry 1; block 1; def 1 2; block 4 1; def 1 3; block 2 1 3; phi 5 2 6; block 3 4 2; phi 6 {last} 5; use 1 6; {claims}"
    )
}

#[test]
pub(crate) fn numbers_prove_that_no_phis_are_redundant() {
    let minimal = "equivalent to the source, structurally valid, minimal, pruned not checked";
    check(&two_entries(3, "num 2 1; num 5 2; num 6 3; num 3 4"), &[minimal]);
    let unproved = minimal.replace("minimal", "not shown to be minimal");
    check(
        &two_entries(3, "num 2 1; num 5 3; num 6 2; num 3 4"),
        &[
            &unproved,
            "bad-number: v4: its operands in block1 are not numbered below and above it",
            "bad-number: v5: its operands in block2 are not numbered below and above it",
        ],
    );
    check(
        &two_entries(3, "num 2 1; num 5 2; num 6 3; num 2 1"),
        &[&unproved, "unnumbered: v2: has no number, and v5 in block2 needs it", "numbered-twice: v1: has two numbers"],
    );
}

#[test]
pub(crate) fn no_numbers_prove_redundant_phis_minimal() {
    // Both phis merge v1 alone: x1 is not written in the block that enters from the side.
    let function = two_entries(2, "").replace("def 1 3; ", "");
    for (low, high) in [(2, 3), (3, 2), (1, 1), (4, 4)] {
        let text = format!("{function}num 2 2; num 5 {low}; num 6 {high}");
        let text = format!("ssacert 2\nprogram p\n{}\nend\n", text.replace("; ", "\n"));
        let (_, program) = Reader::new(text.lines()).next().unwrap().unwrap();
        let verdict = judge(&program, Mode::Exact);
        assert_eq!((verdict.equivalent, verdict.minimal), (true, Some(false)), "{low} {high}");
    }
}

#[test]
pub(crate) fn ranks_lead_from_each_phi_to_a_use() {
    let pruned = "equivalent to the source, structurally valid, minimal not checked, pruned";
    check(&two_entries(3, "live 6 0 0; live 5 1 6"), &[pruned]);
    let unproved = pruned.replace("pruned", "not shown to be pruned");
    check(
        &two_entries(3, "live 6 0 0; live 5 0 6"),
        &[&unproved, "bad-rank: v4: a phi in block1 that v5 does not use with a smaller rank"],
    );
    check(&two_entries(3, "live 6 0 0; live 5 0 0"), &[&unproved, "bad-rank: v4: a phi in block1 that only phis use"]);
    check(
        &two_entries(3, "live 6 0 0; live 6 0 0"),
        &[&unproved, "unranked: v4: a phi in block1 without a rank", "ranked-twice: v5: has two ranks"],
    );
    // Two phis that use each other alone have no ranks.
    let dead = two_entries(3, "live 6 2 5; live 5 1 6").replace("use 1 6; ", "");
    check(&dead, &[&unproved, "bad-rank: v4: a phi in block1 that v5 does not use with a smaller rank"]);
}

#[test]
pub(crate) fn one_variable_needs_one_phi_in_a_block() {
    let numbered = "num 2 1; num 4 2; num 5 3; num 3 4; live 4 0 0; live 5 0 0";
    let verdict = "equivalent to the source, structurally valid, not shown to be minimal, pruned";
    let join = format!("phi 4 2 3; phi 5 2 3; use 1 4; use 1 5; {numbered}");
    let diamond = "entry 1; block 1; block 2 1; def 1 2; block 3 1; def 1 3; block 4 2 3; ";
    check(&format!("{diamond}{join}"), &[verdict, "equal-phis: v4: a second phi of x0 in block3, besides v3"]);
    // Two variables that hold the same are two variables.
    let diamond =
        "entry 1; global 2; global 3; block 1; block 2 1; def 1 2; def 2 2; block 3 1; def 1 3; def 2 3; block 4 2 3; ";
    let verdict = "equivalent to the source, structurally valid, minimal, pruned";
    check(&format!("{diamond}phi 4 2 3; phi 5 2 3; use 1 4; use 2 5; {numbered}"), &[verdict]);
}
