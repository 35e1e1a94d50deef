//! Dead code elimination: text in, text out.

use crate::support::check_pass;
use ssaphire_ir::passes::{Options, remove_dead_code};

/// With loops that do nothing kept, and without.
#[track_caller]
fn check_both(source: &str, kept: &str, removed: &str) {
    for (keep_loops, expected) in [(true, kept), (false, removed)] {
        check_pass(source, expected, |function| {
            remove_dead_code(function, Options { keep_loops, ..Options::default() })
        })
        .unwrap();
    }
}

#[track_caller]
fn check(source: &str, expected: &str) {
    check_both(source, expected, expected);
}

#[track_caller]
fn check_nothing_goes(source: &str) {
    check(source, source);
}

#[test]
fn a_branch_over_empty_arms_stays_if_a_live_phi_tells_them_apart() {
    check(
        "func f(%c.0) {
         block0:
           branch %c.0, block1, block2
         block1:
           jump block3
         block2:
           jump block3
         block3: <- block1, block2
           %z.0 = phi 1, 2
           print %z.0
           return
         }",
        "func f(%c.0) {
         block0:
           branch %c.0, block1, block1
         block1: <- block0.0, block0.1
           %z.0 = phi 1, 2
           print %z.0
           return
         }",
    );
}

#[test]
fn a_branch_over_empty_arms_goes_with_a_phi_that_nothing_needs() {
    check(
        "func f(%c.0) {
         block0:
           branch %c.0, block1, block2
         block1:
           jump block3
         block2:
           jump block3
         block3: <- block1, block2
           %z.0 = phi 1, 2
           return
         }",
        "func f(%c.0) {
         block0:
           return
         }",
    );
}

#[test]
fn endless_loops_in_the_arms_of_a_conditional_stay() {
    check_nothing_goes(
        "func f(%c.0) {
         block0:
           branch %c.0, block1, block2
         block1:
           jump block1
         block2:
           jump block2
         }",
    );
}

#[test]
fn a_branch_into_an_endless_loop_stays() {
    check_nothing_goes(
        "func f(%c.0) {
         block0:
           branch %c.0, block1, block2
         block1:
           jump block1
         block2:
           return 1
         }",
    );
}

#[test]
fn an_endless_loop_alone_stays() {
    check_nothing_goes("func f() {\nblock0:\n  jump block1\nblock1:\n  jump block1\n}");
    check_nothing_goes("func f() {\nblock0:\n  jump block0\n}");
}

#[test]
fn an_endless_loop_of_empty_blocks_keeps_one() {
    check(
        "func f(%c.0) {
         block0:
           branch %c.0, block1, block2
         block1:
           jump block2
         block2:
           jump block1
         }",
        "func f(%c.0) {
         block0:
           branch %c.0, block1, block1
         block1:
           jump block1
         }",
    );
}

/// The first target, or any but the nearest live post-dominator, is the way into a loop that may not end.
#[test]
fn a_dead_branch_goes_on_behind_a_loop_not_into_it() {
    check_both(
        "func f(%c.0, %d.0) {
         block0:
           branch %c.0, block1, block2
         block1:
           branch %d.0, block1, block3
         block2:
           jump block2
         block3:
           return 3
         }",
        "func f(%c.0, %d.0) {
         block0:
           branch %c.0, block1, block2
         block1:
           branch %d.0, block1, block3
         block2:
           jump block2
         block3:
           return 3
         }",
        "func f(%c.0, %d.0) {
         block0:
           branch %c.0, block2, block1
         block1:
           jump block1
         block2:
           return 3
         }",
    );
}

#[test]
fn a_loop_that_does_nothing_before_a_return_goes_unless_loops_are_kept() {
    let source = "func f(%n.0) {
         block0:
           jump block1
         block1: <- block0, block2
           %i.0 = phi 0, %i.1
           %c.0 = lt %i.0, %n.0
           branch %c.0, block2, block3
         block2:
           %i.1 = add %i.0, 1
           jump block1
         block3:
           return %n.0
         }";
    check_both(source, source, "func f(%n.0) {\nblock0:\n  return %n.0\n}");
}

#[test]
fn a_nest_of_loops_that_do_nothing_goes_unless_loops_are_kept() {
    let source = "func f(%n.0) {
         block0:
           jump block1
         block1: <- block0, block4
           %i.0 = phi 0, %i.1
           %c.0 = lt %i.0, %n.0
           branch %c.0, block2, block5
         block2: <- block1, block3
           %j.0 = phi 0, %j.1
           %d.0 = lt %j.0, %i.0
           branch %d.0, block3, block4
         block3:
           %j.1 = add %j.0, 1
           jump block2
         block4:
           %i.1 = add %i.0, 1
           jump block1
         block5:
           print %n.0
           return
         }";
    check_both(source, source, "func f(%n.0) {\nblock0:\n  print %n.0\n  return\n}");
}

#[test]
fn a_conditional_in_a_loop_that_is_needed_goes_alone() {
    check(
        "func f(%n.0) {
         block0:
           jump block1
         block1: <- block0, block4
           %i.0 = phi 0, %i.1
           %u.0 = phi 0, %u.2
           %c.0 = lt %i.0, %n.0
           branch %c.0, block2, block5
         block2:
           %odd.0 = and %i.0, 1
           branch %odd.0, block3, block4
         block3:
           %u.1 = add %u.0, 1
           jump block4
         block4: <- block2, block3
           %u.2 = phi %u.0, %u.1
           %i.1 = add %i.0, 1
           jump block1
         block5:
           return %i.0
         }",
        "func f(%n.0) {
         block0:
           jump block1
         block1: <- block0, block2
           %i.0 = phi 0, %i.1
           %c.0 = lt %i.0, %n.0
           branch %c.0, block2, block3
         block2:
           %i.1 = add %i.0, 1
           jump block1
         block3:
           return %i.0
         }",
    );
}

#[test]
fn conditionals_in_a_dead_conditional_go() {
    check(
        "func f(%c.0, %d.0) {
         block0:
           branch %c.0, block1, block5
         block1:
           %x.0 = add %d.0, 1
           branch %d.0, block2, block3
         block2:
           %x.1 = add %x.0, 1
           jump block4
         block3:
           jump block4
         block4: <- block2, block3
           %x.2 = phi %x.1, %x.0
           jump block5
         block5: <- block0, block4
           %x.3 = phi 0, %x.2
           return %c.0
         }",
        "func f(%c.0, %d.0) {
         block0:
           return %c.0
         }",
    );
}

#[test]
fn a_dead_conditional_in_a_live_one_goes_alone() {
    check(
        "func f(%c.0, %d.0) {
         block0:
           branch %c.0, block1, block4
         block1:
           print 1
           branch %d.0, block2, block3
         block2:
           jump block5
         block3:
           %t.0 = mul %d.0, 2
           jump block5
         block4:
           jump block5
         block5: <- block2, block3, block4
           %z.0 = phi %c.0, %t.0, %d.0
           jump block6
         block6:
           print 2
           return
         }",
        "func f(%c.0, %d.0) {
         block0:
           branch %c.0, block1, block2
         block1:
           print 1
           jump block2
         block2: <- block1, block0
           print 2
           return
         }",
    );
}

#[test]
fn the_entry_may_be_in_a_loop() {
    check_nothing_goes(
        "func f(%n.0) {
         block0:
           %x.0 = call more(%n.0)
           branch %x.0, block0, block1
         block1:
           return %x.0
         }",
    );
    let source = "func f(%n.0) {\nblock0:\n  branch %n.0, block0, block1\nblock1:\n  return 1\n}";
    check_both(source, source, "func f(%n.0) {\nblock0:\n  return 1\n}");
}

#[test]
fn a_switch_stays_if_one_of_its_repeated_targets_tells_edges_apart() {
    check(
        "func f(%c.0) {
         block0:
           switch %c.0, [block1, block2, block1], block1
         block1: <- block0.0, block0.2, block0.3, block2
           %x.0 = phi 1, 2, 1, 3
           return %x.0
         block2:
           jump block1
         }",
        "func f(%c.0) {
         block0:
           switch %c.0, [block1, block1, block1], block1
         block1: <- block0.0, block0.1, block0.2, block0.3
           %x.0 = phi 1, 3, 2, 1
           return %x.0
         }",
    );
}

#[test]
fn a_switch_with_repeated_targets_goes_with_the_phi() {
    check(
        "func f(%c.0) {
         block0:
           switch %c.0, [block1, block2, block1], block1
         block1: <- block0.0, block0.2, block0.3, block2
           %x.0 = phi 1, 2, 1, 3
           return 7
         block2:
           jump block1
         }",
        "func f(%c.0) {
         block0:
           return 7
         }",
    );
}

#[test]
fn what_is_unreachable_goes_and_a_phi_with_it() {
    check(
        "func f(%c.0) {
         block0:
           jump block2
         block1:
           print 1
           jump block2
         block2: <- block0, block1
           %x.0 = phi %c.0, 2
           return %x.0
         }",
        "func f(%c.0) {
         block0:
           return %c.0
         }",
    );
}

#[test]
fn a_division_that_nobody_reads_may_trap() {
    check_nothing_goes(
        "func f(%a.0, %b.0) {
         block0:
           branch %a.0, block1, block2
         block1:
           %c.0 = div 1, %b.0
           jump block2
         block2: <- block0, block1
           return
         }",
    );
}

#[test]
fn a_promise_that_is_never_kept_stays() {
    check_nothing_goes(
        "func f(%c.0) {
         block0:
           jump block1
         block1: <- block0, block2
           branch %c.0, block2, block3
         block2:
           branch 0, block1, block4
         block3:
           return 1
         block4:
           unreachable
         }",
    );
}
