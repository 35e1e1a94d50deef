//! Value numbering: text in, text out.

use crate::support::check_pass;
use ssaphire_ir::passes::{Numbered, PhiTags, number_values};

#[track_caller]
fn check_text(tags: PhiTags, source: &str, expected: &str) -> Numbered {
    check_pass(source, expected, |function| number_values(function, tags).unwrap())
}

#[test]
fn what_another_dominates_goes() {
    check_text(
        PhiTags::Block,
        "func f(%n.0, %m.0) {
         block0:
           %a.0 = add %n.0, %m.0
           branch %a.0, block1, block2
         block1:
           %b.0 = add %n.0, %m.0
           %c.0 = mul %b.0, 2
           jump block3
         block2:
           %d.0 = mul %a.0, 2
           jump block3
         block3: <- block1, block2
           %e.0 = phi %c.0, %d.0
           %f.0 = mul %a.0, 2
           return %e.0, %f.0
         }",
        "func f(%n.0, %m.0) {
         block0:
           %a.0 = add %n.0, %m.0
           branch %a.0, block1, block2
         block1:
           %c.0 = mul %a.0, 2
           jump block3
         block2:
           %d.0 = mul %a.0, 2
           jump block3
         block3: <- block1, block2
           %e.0 = phi %c.0, %d.0
           %f.0 = mul %a.0, 2
           return %e.0, %f.0
         }",
    );
}

#[test]
fn variables_that_change_alike_in_a_loop_are_one() {
    // Only who takes everything for congruent that cannot be told apart finds this.
    let report = check_text(
        PhiTags::Block,
        "func f(%n.0) {
         block0:
           jump block1
         block1: <- block0, block2
           %i.0 = phi 0, %i.1
           %j.0 = phi 0, %j.2
           %c.0 = lt %i.0, %n.0
           branch %c.0, block2, block3
         block2:
           %i.1 = add %i.0, 1
           %j.1 = add %j.0, 1
           %j.2 = %j.1
           jump block1
         block3:
           return %i.0, %j.0
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
           return %i.0, %i.0
         }",
    );
    assert_eq!((report.phis, report.insts, report.copies), (1, 1, 1));
}

#[test]
fn a_choice_goes_by_the_slot_and_not_by_the_edge() {
    // The edges of the second join come in the other order, those of the third belong to a branch on something else.
    check_text(
        PhiTags::Condition,
        "func f(%p.0, %q.0, %x.0) {
         block0:
           branch %p.0, block1, block2
         block1:
           jump block2
         block2: <- block0, block1
           %y.0 = phi 1, %x.0
           branch %p.0, block3, block4
         block3:
           jump block4
         block4: <- block3, block2
           %z.0 = phi %x.0, 1
           branch %q.0, block5, block6
         block5:
           jump block6
         block6: <- block4, block5
           %u.0 = phi 1, %x.0
           return %y.0, %z.0, %u.0
         }",
        "func f(%p.0, %q.0, %x.0) {
         block0:
           branch %p.0, block1, block2
         block1:
           jump block2
         block2: <- block0, block1
           %y.0 = phi 1, %x.0
           branch %p.0, block3, block4
         block3:
           jump block4
         block4: <- block3, block2
           branch %q.0, block5, block6
         block5:
           jump block6
         block6: <- block4, block5
           %u.0 = phi 1, %x.0
           return %y.0, %y.0, %u.0
         }",
    );
}
