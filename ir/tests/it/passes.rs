//! What passes do besides control dependence: text in, text out.

use crate::support::{check_pass, read};
use ssaphire::check::rules;
use ssaphire_ir::memory::Memory;
use ssaphire_ir::passes::{
    Options, Report, remove_dead_code, remove_empty_blocks, remove_redundant_phis, remove_unreachable_blocks,
};
use ssaphire_ir::{Basic, Function, text};

#[track_caller]
fn check(source: &str, expected: &str) {
    check_pass(source, expected, |function| remove_dead_code(function, Options::default())).unwrap();
}

#[test]
fn a_branch_on_what_may_be_undefined_traps() {
    check(
        "func f(%c.0) {
         block0:
           branch %c.0, block1, block2
         block1:
           jump block3
         block2:
           jump block3
         block3: <- block1, block2
           %z.0 = phi undef, 2
           %y.0 = add %z.0, 1
           branch %y.0, block4, block5
         block4:
           jump block5
         block5: <- block3, block4
           return
         }",
        "func f(%c.0) {
         block0:
           branch %c.0, block1, block1
         block1: <- block0.0, block0.1
           %z.0 = phi undef, 2
           %y.0 = add %z.0, 1
           branch %y.0, block2, block2
         block2: <- block1.0, block1.1
           return
         }",
    );
    check(
        "func f(%c.0) {
         block0:
           switch %c.0, [], block1
         block1:
           switch undef, [], block2
         block2:
           return
         }",
        "func f(%c.0) {
         block0:
           switch undef, [], block1
         block1:
           return
         }",
    );
}

#[test]
fn a_block_that_sees_the_results_of_a_call_stays() {
    check(
        "func f(%x.0) {
         block0:
           %r.0 = call f(%x.0) to block1, block2
         block1:
           jump block3
         block2:
           jump block3
         block3: <- block1, block2
           %z.0 = phi %r.0, 2
           return %z.0
         }",
        "func f(%x.0) {
         block0:
           %r.0 = call f(%x.0) to block1, block2
         block1:
           jump block2
         block2: <- block1, block0
           %z.0 = phi %r.0, 2
           return %z.0
         }",
    );
}

#[test]
fn copies_of_values_go_unless_one_of_them_is_needed() {
    check(
        "func f(%x.0) {
         block0:
           %y.0, %z.0 = %x.0, 1
           %u.0 = %x.0
           return %z.0
         }",
        "func f(%x.0) {
         block0:
           %y.0, %z.0 = %x.0, 1
           return %z.0
         }",
    );
}

#[test]
fn a_function_with_variables_loses_no_write() {
    let source = "func f(c, d) {
         block0:
           x = 1
           branch c, block1, block2
         block1:
           x = add d, 1
           jump block2
         block2: <- block0, block1
           return x
         }";
    check(source, source);
}

#[test]
fn edges_into_empty_blocks_keep_the_order_of_their_slots() {
    check_pass(
        "func f(%c.0) {
         block0:
           switch %c.0, [block3, block1, block4, block2], block4
         block1:
           jump block4
         block2:
           jump block3
         block3: <- block2, block0
           jump block4
         block4: <- block0.2, block3, block1, block0.4
           %z.0 = phi 2, 3, 1, 4
           return %z.0
         }",
        "func f(%c.0) {
         block0:
           switch %c.0, [block1, block1, block1, block1], block1
         block1: <- block0.0, block0.1, block0.2, block0.3, block0.4
           %z.0 = phi 3, 1, 2, 3, 4
           return %z.0
         }",
        |function| assert_eq!(remove_empty_blocks(function), Ok(3)),
    );
}

/// `num_edges` edges to an empty block, which jumps by another one to a join, beside another way of two such blocks.
fn checks(num_edges: usize, num_phis: usize) -> Function<Basic> {
    let targets = vec!["block1"; num_edges].join(", ");
    let edges = (0..num_edges).map(|slot| format!("block0.{slot}")).collect::<Vec<_>>().join(", ");
    let mut source = format!(
        "func f(%c.0) {{\nblock0:\n  switch %c.0, [{targets}], block3\nblock1: <- {edges}\n  jump block2\n\
         block2:\n  jump block7\nblock3:\n  branch %c.0, block4, block6\nblock4:\n  jump block5\n\
         block5:\n  jump block7\nblock6:\n  print 1\n  jump block7\nblock7: <- block2, block5, block6\n"
    );
    (0..num_phis).for_each(|phi| source += &format!("  %z{phi}.0 = phi {phi}, 100, 200\n"));
    (0..num_phis).for_each(|phi| source += &format!("  print %z{phi}.0\n"));
    text::parse(&(source + "  return\n}\n")).unwrap_or_else(|error| panic!("{error}"))
}

/// Operands are not multiplied: the last empty block before the phis stays if many edges share its operands.
#[test]
fn an_empty_block_by_which_many_edges_arrive_at_many_phis_stays() {
    for (num_edges, num_phis, removed) in [(5, 5, 3), (40, 5, 3), (5, 40, 3), (4, 40, 4), (40, 4, 4), (40, 1, 4)] {
        let mut function = checks(num_edges, num_phis);
        assert_eq!(remove_empty_blocks(&mut function), Ok(removed), "{num_edges} {num_phis}");
        assert_eq!(function.check_form(), []);
        assert_eq!(rules(&function), []);
        // What was kept once is kept.
        assert_eq!(remove_empty_blocks(&mut function), Ok(0));
    }
}

#[test]
fn an_empty_entry_in_front_of_a_loop_stays() {
    let source = "func f(%c.0) {
         block0:
           jump block1
         block1: <- block0, block2
           branch %c.0, block2, block3
         block2:
           print 1
           jump block1
         block3:
           return
         }";
    check_pass(source, source, |function| assert_eq!(remove_empty_blocks(function), Ok(0)));
}

#[test]
fn phis_that_need_each_other_and_one_value_go() {
    check_pass(
        "func f(%n.0) {
         block0:
           jump block1
         block1: <- block0, block2
           %x.0 = phi %n.0, %x.1
           branch %n.0, block2, block3
         block2: <- block1, block2
           %x.1 = phi %x.0, %x.1
           branch %x.1, block2, block1
         block3:
           return %x.0
         }",
        "func f(%n.0) {
         block0:
           jump block1
         block1: <- block0, block2
           branch %n.0, block2, block3
         block2: <- block1, block2
           branch %n.0, block2, block1
         block3:
           return %n.0
         }",
        |function| assert_eq!(remove_redundant_phis(function), Ok(2)),
    );
}

#[test]
fn unreachable_blocks_go_with_their_names() {
    check_pass(
        "func f() {
         top:
           jump end
         a:
           jump b
         b:
           branch 1, a, end
         end: <- top, b
           return
         }",
        "func f() {\ntop:\n  jump end\nend:\n  return\n}",
        |function| assert_eq!(remove_unreachable_blocks(function), Ok(2)),
    );
}

#[test]
fn a_report_counts_what_went() {
    let source = "func f(%n.0) {
         block0:
           jump block1
         block1: <- block0, block2
           %i.0 = phi 0, %i.1
           %s.0 = phi %n.0, %s.0
           %c.0 = lt %i.0, %s.0
           branch %c.0, block2, block3
         block2:
           %i.1 = add %i.0, 1
           jump block1
         block3:
           return %s.0
         block4:
           return
         }";
    let mut function = read(source);
    let report = remove_dead_code(&mut function, Options::default()).unwrap();
    let text = format!("{report:?}");
    assert_eq!(
        text,
        "Report { unreachable_blocks: 3, redundant_phis: 1, dead_phis: 1, dead_insts: 2, dead_branches: 1, empty_blocks: 1 }"
    );
    assert_eq!(remove_dead_code(&mut function, Options::default()), Ok(Report::default()));
}

#[test]
fn a_function_without_blocks_is_an_error() {
    let mut function = Function::<Basic>::new("f");
    assert!(remove_dead_code(&mut function, Options::default()).is_err());
    assert!(remove_empty_blocks(&mut function).is_err() && remove_redundant_phis(&mut function).is_err());
}

#[test]
fn a_branch_on_what_memory_holds_traps_if_it_holds_nothing() {
    let source = "func f(%n.0) {
         block0:
           %11: address = slot _
           %12: address = slot _
           %1 = load %11
           %2 = load %12
           branch %1, block1, block2
         block1:
           jump block2
         block2: <- block0, block1
           return
         }";
    let mut function: Function<Memory<Basic>> = text::parse(source).unwrap_or_else(|errors| panic!("{errors}"));
    let report = remove_dead_code(&mut function, Options::default()).unwrap();
    assert_eq!((report.dead_insts, report.dead_branches, report.empty_blocks), (2, 0, 1), "{function}");
}
