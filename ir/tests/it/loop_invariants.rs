//! Loop-invariant code motion: text in, text out.

use crate::support::check_pass;
use ssaphire_ir::passes::{Hoisted, hoist_loop_invariants};

#[track_caller]
fn check_text(source: &str, expected: &str) -> Hoisted {
    check_pass(source, expected, |function| hoist_loop_invariants(function).unwrap())
}

#[test]
fn an_operation_leaves_all_loops_that_do_not_change_it_and_one_that_traps_none() {
    check_text(
        "func f(%n.0) {
         block0:
           jump block1
         block1: <- block0, block3
           %i.0 = phi 0, %i.1
           jump block2
         block2: <- block1, block2
           %a.0 = mul %n.0, %n.0
           %b.0 = add %a.0, %i.0
           %d.0 = div %n.0, 2
           %e.0 = add %d.0, 1
           %c.0 = call more(%b.0, %e.0)
           branch %c.0, block2, block3
         block3:
           %i.1 = add %i.0, 1
           %c.1 = lt %i.1, %n.0
           branch %c.1, block1, block4
         block4:
           return %i.1
         }",
        "func f(%n.0) {
         block0:
           %a.0 = mul %n.0, %n.0
           jump block1
         block1: <- block0, block3
           %i.0 = phi 0, %i.1
           %b.0 = add %a.0, %i.0
           jump block2
         block2: <- block1, block2
           %d.0 = div %n.0, 2
           %e.0 = add %d.0, 1
           %c.0 = call more(%b.0, %e.0)
           branch %c.0, block2, block3
         block3:
           %i.1 = add %i.0, 1
           %c.1 = lt %i.1, %n.0
           branch %c.1, block1, block4
         block4:
           return %i.1
         }",
    );
}

#[test]
fn a_preheader_merges_what_enters_and_takes_the_place_of_a_phi_that_does_nothing_else() {
    let report = check_text(
        "func f(%n.0) {
         block0:
           branch %n.0, block1, block2
         block1:
           jump block2
         block2: <- block0, block1, block2
           %x.0 = phi 1, 2, %x.0
           %y.0 = phi 3, 3, %y.1
           %a.0 = add %n.0, 1
           %y.1 = add %y.0, %a.0
           %c.0 = call more(%x.0, %y.1)
           branch %c.0, block2, block3
         block3:
           return %y.1
         }",
        "func f(%n.0) {
         block0:
           branch %n.0, block1, block4
         block1:
           jump block4
         block2: <- block4, block2
           %y.0 = phi 3, %y.1
           %y.1 = add %y.0, %a.0
           %c.0 = call more(%x.0, %y.1)
           branch %c.0, block2, block3
         block3:
           return %y.1
         block4: <- block0, block1
           %x.0 = phi 1, 2
           %a.0 = add %n.0, 1
           jump block2
         }",
    );
    assert_eq!((report.insts, report.preheaders, report.phis), (1, 1, 1));
}

#[test]
fn a_loop_with_two_ways_in_stays_as_it_is() {
    let source = "func f(%n.0) {
         block0:
           branch %n.0, block1, block2
         block1: <- block0, block2
           %a.0 = add %n.0, 1
           print %a.0
           jump block2
         block2: <- block0, block1
           %b.0 = add %n.0, 2
           %c.0 = call more(%b.0)
           branch %c.0, block1, block3
         block3:
           return
         }";
    assert_eq!(check_text(source, source), Hoisted::default());
}
