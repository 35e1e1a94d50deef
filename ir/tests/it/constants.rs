//! Constant propagation: text in, text out.

use crate::support::check_pass;
use ssaphire_ir::passes::{Propagated, propagate_constants};

#[track_caller]
fn check_text(source: &str, expected: &str) -> Propagated {
    check_pass(source, expected, |function| propagate_constants(function).unwrap())
}

#[test]
fn a_branch_that_is_never_taken_and_a_constant_that_depends_on_it_are_found_together() {
    // Neither is found without the other: x stays 1 because the assignment is never executed, and that is so because x stays 1.
    let report = check_text(
        "func f(%n.0) {
         block0:
           jump block1
         block1: <- block0, block4
           %x.0 = phi 1, %x.2
           %c.0 = eq %x.0, 1
           branch %c.0, block2, block3
         block2:
           jump block4
         block3:
           %x.1 = add %x.0, 1
           jump block4
         block4: <- block2, block3
           %x.2 = phi %x.0, %x.1
           %d.0 = call more(%x.2)
           branch %d.0, block1, block5
         block5:
           return %x.2
         }",
        "func f(%n.0) {
         block0:
           jump block1
         block1: <- block0, block3
           jump block2
         block2:
           jump block3
         block3:
           %d.0 = call more(1)
           branch %d.0, block1, block4
         block4:
           return 1
         }",
    );
    assert_eq!((report.constants, report.branches, report.blocks), (3, 1, 1));
}

#[test]
fn of_two_edges_to_one_block_the_one_that_is_taken_keeps_its_operand() {
    check_text(
        "func f() {
         block0:
           switch 1, [block1, block1], block1
         block1: <- block0.0, block0.1, block0.2
           %x.0 = phi 5, 6, 7
           return %x.0
         }",
        "func f() {
         block0:
           jump block1
         block1:
           return 6
         }",
    );
}

#[test]
fn what_traps_or_is_undefined_stays() {
    let source = "func f() {
         block0:
           %x.0 = div 1, 0
           %y.0 = add undef, 1
           %z.0 = mul %y.0, 0
           branch undef, block1, block2
         block1:
           jump block2
         block2: <- block0, block1
           %u.0 = phi undef, 3
           return %x.0, %z.0, %u.0
         }";
    assert_eq!(check_text(source, source), Propagated::default());
}
