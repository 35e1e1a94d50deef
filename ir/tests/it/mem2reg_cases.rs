//! What LLVM tests of its `mem2reg`, tested here: programs of our own for the situations of `llvm/test/Transforms/Mem2Reg`.
//!
//! Each test names the file, and the function where it has several. The results agree but for what [Departures](#departures)
//! says. These situations cannot be put into memory form:
//!
//! | LLVM's test | why |
//! |---|---|
//! | `atomic` | there are no atomic accesses |
//! | `ignore-droppable`, all but `negative_assume_condition_use` and the loop | `llvm.assume` with operand bundles; no other use of an address may be dropped |
//! | `ignore-coro-outside-frame` | there is no such marker |
//! | `optnone` | functions have no attributes; who wants no promotion does not call `mem2reg` |
//! | `missed-remarks`, `aggregate_deferred` | a slot holds one value; there are no aggregates and no addresses of their parts |
//! | `ConvertDebugInfo`, `ConvertDebugInfo2`, `dbg-*`, `dbg_*`, `debug-*` | there are no debug records; a phi bears the name of its slot |
//!
//! # Departures
//! Loads have no metadata, so `preserve-nonnull-load-metadata` is about the values alone: what LLVM adds there, an
//! assumption or a store that traps, has nothing to come from.
//! Undefined is the only value of its kind: where LLVM writes `undef` or `poison`, there is `undef` here.
//! For the same reason, a parameter that may be poison is treated as `single-store` wants it for one that may not; LLVM's file
//! calls its own result a miscompile there.
//! `alloca_addrspace` and the loop of `ignore-droppable` are without their address spaces, and without the `getelementptr`.
//! Of `2007-08-27-VolatileLoadsStores`, which runs `-O3`, and `2005-06-30-ReadBeforeWrite`, which runs `instcombine` as well,
//! there is what `mem2reg` does.

use ssaphire::check::rules;
use ssaphire_ir::memory::{Memory, Promotion, Refusal, mem2reg};
use ssaphire_ir::text::parse;
use ssaphire_ir::{Basic, Function};

/// What becomes of the lines of a function `f`, and how.
#[track_caller]
fn check(source: &str, expected: &str) -> Promotion {
    let mut function: Function<Memory<Basic>> = parse(&in_full(source)).unwrap_or_else(|errors| panic!("{errors}"));
    let promotion = mem2reg(&mut function).unwrap();
    function.canonicalize();
    // Values have other numbers.
    let mut expected: Function<Memory<Basic>> = parse(&in_full(expected)).unwrap_or_else(|errors| panic!("{errors}"));
    expected.canonicalize();
    assert_eq!(function.to_string(), expected.to_string());
    assert_eq!((function.check_form(), rules(&function)), (vec![], vec![]));
    promotion
}

/// The function in the spelling of the printer: labels end with a colon, or have one in front of an arrow.
fn in_full(lines: &str) -> String {
    let mut text = String::new();
    for line in lines.trim().lines().map(str::trim) {
        let is_outer = line.starts_with("func") || line == "}" || line.ends_with(':') || line.contains(": <-");
        text += &format!("{}{line}\n", if is_outer { "" } else { "  " });
    }
    text
}

/// What keeps the slots that stay.
fn refusals(promotion: &Promotion) -> Vec<Refusal> {
    promotion.kept.iter().map(|kept| kept.refusal).collect()
}

/// `2002-03-28-UninitializedVal`.
#[test]
fn what_was_never_stored_is_undefined() {
    check("func f() {\nb:\n%0 = slot _\n%1 = load %0\nreturn %1\n}", "func f() {\nb:\nreturn undef\n}");
}

/// `2002-05-01-ShouldNotPromoteThisAlloca`, and `missed-remarks`, `address_stored`.
#[test]
fn a_slot_whose_address_is_stored_somewhere_stays() {
    let text = "func f(%sink.0: address) {\nb:\n%1 = slot _\nstore 4, %1\nstore %1, %sink.0\nreturn\n}";
    let promotion = check(text, text);
    assert_eq!(refusals(&promotion), [Refusal::AddressStored]);
}

/// `2003-04-10-DFNotFound`.
#[test]
fn a_store_in_unreachable_code_goes() {
    check(
        "func f() {\nb:\n%0 = slot _\nreturn\nnever:\nstore 0, %0\nreturn\n}",
        "func f() {\nb:\nreturn\nnever:\nreturn\n}",
    );
}

/// `2003-04-18-DeadBlockProblem`.
#[test]
fn an_unreachable_block_may_lead_into_a_loop() {
    check(
        "func f() {\nb:\n%0 = slot _\nstore 8, %0\njump head\nhead:\nstore 9, %0\njump tail\nnever:\njump tail\n\
         tail:\njump head\n}",
        "func f() {\nb:\njump head\nhead:\njump tail\nnever:\njump tail\ntail:\njump head\n}",
    );
    // With a load, so that the join matters: the edge from nowhere brings nothing.
    check(
        "func f() {\nb:\n%0 = slot _\nstore 8, %0\njump head\nhead:\nstore 9, %0\njump tail\nnever:\nstore 1, %0\n\
         jump tail\ntail: <- head, never\n%1 = load %0\nprint %1\njump head\n}",
        "func f() {\nb:\njump head\nhead:\njump tail\nnever:\njump tail\ntail:\nprint 9\njump head\n}",
    );
}

/// `2003-04-24-MultipleIdenticalSuccessors`.
#[test]
fn each_of_two_edges_between_the_same_blocks_brings_a_value() {
    check(
        "func f(%c.0, %d.0) {\nb:\n%2 = slot _\nbranch %c.0, exit, arm\narm:\nstore %d.0, %2\nbranch %d.0, exit, exit\n\
         exit:\n%3 = load %2\nreturn %3\n}",
        "func f(%c.0, %d.0) {\nb:\nbranch %c.0, exit, arm\narm:\nbranch %d.0, exit, exit\nexit:\nreturn %d.0\n}",
    );
    check(
        "func f(%c.0, %d.0) {\nb:\n%2 = slot _\nstore 1, %2\nbranch %c.0, exit, arm\narm:\nstore 2, %2\n\
         branch %d.0, exit, exit\nexit:\n%3 = load %2\nreturn %3\n}",
        "func f(%c.0, %d.0) {\nb:\nbranch %c.0, exit, arm\narm:\nbranch %d.0, exit, exit\n\
         exit: <- b, arm.0, arm.1\n%4 = phi 1, 2, 2\nreturn %4\n}",
    );
}

/// `2003-06-26-IterativePromote`.
#[test]
fn a_slot_whose_address_was_in_a_slot_follows_it() {
    let promotion = check(
        "func f(%x.0) {\nb:\n%1 = slot _\n%2 = slot address\n%3 = slot _\nstore %x.0, %1\nstore %1, %2\n\
         %4: address = load %2\n%5 = load %4\nstore %5, %3\n%6 = load %3\nreturn %6\n}",
        "func f(%x.0) {\nb:\nreturn %x.0\n}",
    );
    assert_eq!((promotion.promoted, promotion.rounds, refusals(&promotion)), (3, 2, vec![]));
}

/// `2003-10-05-DeadPHIInsertion`.
#[test]
fn no_phi_is_placed_where_nothing_loads() {
    let promotion = check(
        "func f(%x.0, %c.0) {\nb:\n%2 = slot _\nstore %x.0, %2\nbranch %c.0, left, right\nleft:\nstore 3, %2\n\
         %3 = load %2\nprint %3\njump join\nright:\n%4 = load %2\nprint %4\njump join\njoin:\nreturn\n}",
        "func f(%x.0, %c.0) {\nb:\nbranch %c.0, left, right\nleft:\nprint 3\njump join\nright:\nprint %x.0\njump join\n\
         join:\nreturn\n}",
    );
    assert_eq!((promotion.general, promotion.phis_placed), (1, 0));
}

/// `2005-06-30-ReadBeforeWrite`: in a loop, the load comes before the store.
#[test]
fn a_load_before_the_store_of_its_loop_sees_the_last_round() {
    // The store is of a constant: the first round, which would load nothing, may load it as well.
    check(
        "func f(%n.0) {\nb:\n%1 = slot _\n%2 = slot _\njump head\nhead:\n%3 = call more(%n.0)\nbranch %3, body, exit\n\
         body:\n%4 = load %1\nstore %4, %2\nstore 0, %1\n%5 = load %2\nprint %5\njump head\nexit:\nreturn\n}",
        "func f(%n.0) {\nb:\njump head\nhead:\n%3 = call more(%n.0)\nbranch %3, body, exit\nbody:\nprint 0\njump head\n\
         exit:\nreturn\n}",
    );
    check(
        "func f(%n.0) {\nb:\n%1 = slot _\n%2 = slot _\njump head\nhead:\n%3 = call more(%n.0)\nbranch %3, body, exit\n\
         body:\n%4 = load %1\nstore %4, %2\nstore %3, %1\n%5 = load %2\nprint %5\njump head\nexit:\nreturn\n}",
        "func f(%n.0) {\nb:\njump head\nhead: <- b, body\n%3 = phi undef, %4\n%4 = call more(%n.0)\nbranch %4, body, exit\n\
         body:\nprint %3\njump head\nexit:\nreturn\n}",
    );
}

/// `2005-11-28-Crash`: stored before a loop, loaded in unreachable code alone.
#[test]
fn a_load_in_unreachable_code_places_nothing() {
    let promotion = check(
        "func f(%c.0) {\nb:\n%1 = slot _\nbranch %c.0, left, join\nleft:\njump join\njoin:\nstore 0, %1\njump head\n\
         head:\nbranch %c.0, body, exit\nbody:\nbranch %c.0, head, back\nback:\njump head\nexit:\njump last\n\
         never:\n%2 = load %1\njump out\nnowhere:\njump last\nlast:\nbranch %c.0, out, over\nover:\njump out\nout:\n\
         return\n}",
        "func f(%c.0) {\nb:\nbranch %c.0, left, join\nleft:\njump join\njoin:\njump head\nhead:\nbranch %c.0, body, exit\n\
         body:\nbranch %c.0, head, back\nback:\njump head\nexit:\njump last\nnever:\njump out\nnowhere:\njump last\n\
         last:\nbranch %c.0, out, over\nover:\njump out\nout:\nreturn\n}",
    );
    assert_eq!(promotion.phis_placed, 0);
}

/// `2007-08-27-VolatileLoadsStores`, and `missed-remarks`, `volatile_load`.
#[test]
fn volatile_accesses_stay() {
    let promotion = check(
        "func f() {\nb:\n%0 = slot _\n%1 = slot _\nstore volatile 0, %0\n%2 = call setjmp()\nbranch %2, left, right\n\
         left:\n%3 = load volatile %0\nstore %3, %1\njump join\nright:\nstore volatile 1, %0\ncall g()\nstore 0, %1\n\
         jump join\njoin:\n%4 = load %1\nreturn %4\n}",
        "func f() {\nb:\n%0 = slot _\nstore volatile 0, %0\n%1 = call setjmp()\nbranch %1, left, right\n\
         left:\n%2 = load volatile %0\njump join\nright:\nstore volatile 1, %0\ncall g()\njump join\n\
         join: <- left, right\n%3 = phi %2, 0\nreturn %3\n}",
    );
    assert_eq!((promotion.promoted, refusals(&promotion)), (1, vec![Refusal::Volatile]));
    let text = "func f() {\nb:\n%0 = slot _\nstore 4, %0\n%1 = load volatile %0\nreturn %1\n}";
    assert_eq!(refusals(&check(text, text)), [Refusal::Volatile]);
}

/// `PromoteMemToRegister`.
#[test]
fn parameters_take_their_slots_places() {
    check(
        "func f(%i.0, %j.0) {\nb:\n%2 = slot _\n%3 = slot _\nstore %i.0, %2\nstore %j.0, %3\n%4 = load %2\n\
         %5 = add %4, 1\nstore %5, %2\n%6 = load %2\n%7 = load %3\n%8 = mul %6, %7\nreturn %8\n}",
        "func f(%i.0, %j.0) {\nb:\n%2 = add %i.0, 1\n%3 = mul %2, %j.0\nreturn %3\n}",
    );
}

/// `UndefValuesMerge`, and `single-store`: stored in one arm alone.
#[test]
fn where_one_arm_stores_the_other_may_have_the_same() {
    let source = |stored: &str| {
        format!(
            "func f(%c.0, %x.0) {{\nb:\n%2 = slot _\nbranch %c.0, arm, join\narm:\nstore {stored}, %2\njump join\n\
             join:\n%3 = load %2\nreturn %3\n}}"
        )
    };
    let result = |returned: &str| {
        format!("func f(%c.0, %x.0) {{\nb:\nbranch %c.0, arm, join\narm:\njump join\njoin:\nreturn {returned}\n}}")
    };
    for stored in ["undef", "%x.0", "7"] {
        check(&source(stored), &result(stored));
    }
}

/// `alloca_addrspace`, and `ignore-lifetime`.
#[test]
fn lifetime_markers_alone_keep_nothing() {
    check("func f() {\nb:\n%0 = slot _\nlifetime_start %0\nreturn\n}", "func f() {\nb:\nreturn\n}");
    let promotion = check(
        "func f() {\nb:\n%0 = slot _\nlifetime_start %0\nstore 2, %0\nlifetime_end %0\nreturn\n}",
        "func f() {\nb:\nreturn\n}",
    );
    assert_eq!((promotion.unused, promotion.accesses), (1, 1));
}

/// `crash`, `test1`: what a call returns is stored where it did not throw.
#[test]
fn a_handler_sees_nothing_of_what_the_call_returns() {
    check(
        "func f() {\nb:\n%0 = slot _\n%1 = call g() to normal, handler\nnormal:\nstore %1, %0\njump join\njoin:\n\
         %2 = load %0\nreturn %2\nhandler:\njump join\n}",
        "func f() {\nb:\n%0 = call g() to normal, handler\nnormal:\njump join\njoin: <- normal, handler\n\
         %1 = phi %0, undef\nreturn %1\nhandler:\njump join\n}",
    );
}

/// `crash`, `test2`.
#[test]
fn unreachable_code_may_store_what_it_loads() {
    check(
        "func f() {\nb:\n%0 = slot _\njump join\njoin: <- b, never\n%1 = load %0\nreturn %1\nnever:\n%2 = load %0\n\
         store %2, %0\njump join\n}",
        "func f() {\nb:\njump join\njoin:\nreturn undef\nnever:\njump join\n}",
    );
}

/// `ignore-droppable`, `negative_assume_condition_use`, and `missed-remarks`, `escapes_to_call`.
#[test]
fn an_address_that_is_used_otherwise_keeps_its_slot() {
    let promotion = check(
        "func f() {\nb:\n%0 = slot _\n%1 = slot _\n%2 = eq %0, 0\nstore 1, %0\nstore 5, %1\n%3 = load %1\nreturn %3\n}",
        "func f() {\nb:\n%0 = slot _\n%1 = eq %0, 0\nstore 1, %0\nreturn 5\n}",
    );
    assert_eq!(refusals(&promotion), [Refusal::AddressUsed]);
    let promotion = check(
        "func f() {\nb:\n%0 = slot _\n%1 = slot _\nstore 5, %1\ncall escape(%0)\n%2 = load %1\nreturn %2\n}",
        "func f() {\nb:\n%0 = slot _\ncall escape(%0)\nreturn 5\n}",
    );
    assert_eq!(refusals(&promotion), [Refusal::AddressUsed]);
}

/// `lifetime-prepass-multiple-allocas`, `multiple_single_block_allocas_with_lifetime`.
#[test]
fn markers_in_one_block_are_stores_of_nothing() {
    let promotion = check(
        "func f(%x.0, %y.0) {\nb:\n%2 = slot _\n%3 = slot _\nlifetime_start %2\nstore %x.0, %2\n%4 = load %2\n\
         lifetime_end %2\nlifetime_start %3\nstore %y.0, %3\n%5 = load %3\nlifetime_end %3\n%6 = add %4, %5\nreturn %6\n}",
        "func f(%x.0, %y.0) {\nb:\n%2 = add %x.0, %y.0\nreturn %2\n}",
    );
    assert_eq!(promotion.single_block, 2);
    check(
        "func f() {\nb:\n%0 = slot _\nlifetime_start %0\n%1 = load %0\nstore 3, %0\nlifetime_end %0\n%2 = load %0\n\
         return %1, %2\n}",
        "func f() {\nb:\nreturn undef, undef\n}",
    );
}

/// `lifetime-prepass-multiple-allocas` and `ignore-droppable`, the loop of both.
#[test]
fn what_a_round_stores_does_not_outlive_it() {
    let promotion = check(
        "func f(%x.0, %c.0, %d.0) {\nb:\n%3 = slot _\njump loop\nloop:\nlifetime_start %3\n%4 = add %x.0, 1\n\
         branch %c.0, init, skip\ninit:\n%5 = add %x.0, 2\nstore %5, %3\njump read\nskip:\njump read\nread:\n%6 = load %3\n\
         print %6\nlifetime_end %3\nbranch %d.0, loop, exit\nexit:\nreturn\n}",
        "func f(%x.0, %c.0, %d.0) {\nb:\njump loop\nloop:\n%3 = add %x.0, 1\nbranch %c.0, init, skip\ninit:\n\
         %4 = add %x.0, 2\njump read\nskip:\njump read\nread: <- init, skip\n%5 = phi %4, undef\nprint %5\n\
         branch %d.0, loop, exit\nexit:\nreturn\n}",
    );
    assert_eq!((promotion.phis_placed, promotion.phis_folded), (1, 0), "none for the header");
}

/// `missed-remarks`, `mixed_types`, and `opaque-ptr`.
#[test]
fn a_slot_that_is_loaded_as_another_type_stays() {
    check("func f() {\nb:\n%0 = slot _\nstore 0, %0\n%1 = load %0\nreturn %1\n}", "func f() {\nb:\nreturn 0\n}");
    let text = "func f() {\nb:\n%0 = slot _\nstore 42, %0\n%1: address = load %0\nreturn %1\n}";
    assert_eq!(refusals(&check(text, text)), [Refusal::OtherType]);
}

/// `pr24179`.
#[test]
fn a_block_of_a_loop_is_no_single_block_if_it_loads_first() {
    check(
        "func f() {\nb:\n%0 = slot _\njump loop\nloop:\n%1 = load %0\n%2 = call use(%1)\n%3 = call def(7)\nstore %3, %0\n\
         branch %2, loop, exit\nexit:\nreturn\n}",
        "func f() {\nb:\njump loop\nloop: <- b, loop\n%0 = phi undef, %2\n%1 = call use(%0)\n%2 = call def(7)\n\
         branch %1, loop, exit\nexit:\nreturn\n}",
    );
    check(
        "func f() {\nb:\n%0 = slot _\njump loop\nloop:\n%1 = load %0\n%2 = call use(%1)\nbranch %2, loop, exit\nexit:\nreturn\n}",
        "func f() {\nb:\njump loop\nloop:\n%0 = call use(undef)\nbranch %0, loop, exit\nexit:\nreturn\n}",
    );
}

/// `pr37632-unreachable-list-of-stores`.
#[test]
fn a_load_that_would_stand_for_itself_is_undefined() {
    check(
        "func f() {\nb:\n%0 = slot _\nreturn\nnever:\n%1 = add %2, -1\nstore %1, %0\nstore %2, %0\n%2 = load %0\njump never\n}",
        "func f() {\nb:\nreturn\nnever:\n%0 = add undef, -1\njump never\n}",
    );
}

/// `preserve-nonnull-load-metadata`, the values.
#[test]
fn what_a_callee_returned_is_stored_and_loaded_again() {
    let one_store = "store %1, %0";
    let one_block = "store 0, %0\nstore %1, %0";
    let two_blocks = "store 0, %0\njump next\nnext:\nstore %1, %0";
    for (stores, jump) in [(one_store, ""), (one_block, ""), (two_blocks, "jump next\nnext:\n")] {
        check(
            &format!("func f() {{\nb:\n%0 = slot _\n%1 = call g()\n{stores}\n%2 = load %0\nreturn %2\n}}"),
            &format!("func f() {{\nb:\n%0 = call g()\n{jump}return %0\n}}"),
        );
    }
    check(
        "func f() {\nb:\n%0 = slot _\n%1 = call g()\n%2 = ne %1, 0\nbranch %2, next, fin\nnext:\nstore %1, %0\n\
         %3 = load %0\nreturn %3\nfin:\nreturn 0\n}",
        "func f() {\nb:\n%0 = call g()\n%1 = ne %0, 0\nbranch %1, next, fin\nnext:\nreturn %0\nfin:\nreturn 0\n}",
    );
    check(
        "func f(%c.0) {\nb:\n%1 = slot _\nbranch %c.0, left, right\nleft:\n%2 = load %1\nreturn %2\nright:\n%3 = load %1\n\
         return %3\n}",
        "func f(%c.0) {\nb:\nbranch %c.0, left, right\nleft:\nreturn undef\nright:\nreturn undef\n}",
    );
}

/// `undef-order`: the operands of the phi are in the order of the edges, always.
#[test]
fn operands_come_in_the_order_of_the_edges() {
    let (mut source, mut expected) = (String::new(), String::new());
    let head = "func f() {\nb:\n%0 = slot _\n%1 = call cond()\nbranch %1, one, two\n";
    source += head;
    expected += "func f() {\nb:\n%0 = call cond()\nbranch %0, one, two\n";
    let mut sources = Vec::new();
    let mut operands = Vec::new();
    for number in 0..18 {
        let (name, store, operand) = match number {
            5 => ("one".to_owned(), "store 1, %0\n", "1"),
            11 => ("two".to_owned(), "store 2, %0\n", "2"),
            _ => (format!("never{number}"), "", "undef"),
        };
        source += &format!("{name}:\n{store}jump join\n");
        expected += &format!("{name}:\njump join\n");
        sources.push(name);
        operands.push(operand);
    }
    source += "join:\n%2 = load %0\nreturn %2\n}";
    expected += &format!("join: <- {}\n%1 = phi {}\nreturn %1\n}}", sources.join(", "), operands.join(", "));
    check(&source, &expected);
}
