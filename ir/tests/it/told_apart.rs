//! What value numbering has to keep apart: functions of which nothing goes, whatever phis are told by.

use ssaphire_ir::passes::{PhiTags, number_values};
use ssaphire_ir::text::parse;
use ssaphire_ir::{Basic, Function};

/// The function as it is read, and as it is with its values numbered.
#[track_caller]
fn check_unchanged(source: &str) {
    for tags in [PhiTags::Block, PhiTags::Condition, PhiTags::Loop] {
        let before: Function<Basic> = parse(source).unwrap();
        let mut after = before.clone();
        number_values(&mut after, tags).unwrap();
        assert_eq!(after.to_string(), before.to_string(), "{tags:?}");
    }
}

/// The first join is entered by its first edge if `p` holds, the second one if it does not.
#[test]
pub(crate) fn a_choice_is_told_by_the_slot_of_each_edge() {
    check_unchanged(
        "func f(%p.0, %x.0) {
         block0:
           branch %p.0, block1, block2
         block1:
           jump block2
         block2: <- block1, block0
           %y.0 = phi 1, %x.0
           branch %p.0, block4, block3
         block3:
           jump block4
         block4: <- block3, block2
           %z.0 = phi 1, %x.0
           return %y.0, %z.0
         }",
    );
}

/// Control comes to the first arm of each branch on `p` by a branch on something else, too.
#[test]
pub(crate) fn what_both_ways_lead_to_is_no_arm() {
    check_unchanged(
        "func f(%p.0, %q.0, %r.0, %x.0) {
         block0:
           branch %p.0, block1, block2
         block1: <- block0, block2
           jump block3
         block2:
           branch %q.0, block1, block3
         block3: <- block1, block2
           %y.0 = phi 1, %x.0
           branch %p.0, block4, block5
         block4: <- block3, block5
           jump block6
         block5:
           branch %r.0, block4, block6
         block6: <- block4, block5
           %z.0 = phi 1, %x.0
           return %y.0, %z.0
         }",
    );
}

/// Two loops that do the same, one left when the count has reached `n` and one when it has not.
#[test]
pub(crate) fn loops_are_told_by_the_slot_that_leaves_them() {
    check_unchanged(
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
         block3: <- block1, block4
           %j.0 = phi 0, %j.1
           %d.0 = lt %j.0, %n.0
           branch %d.0, block5, block4
         block4:
           %j.1 = add %j.0, 1
           jump block3
         block5:
           return %i.0, %j.0
         }",
    );
}

/// Two loops that do the same, but come to the test that leaves them in other iterations.
#[test]
pub(crate) fn a_test_that_an_iteration_passes_by_tells_no_loop() {
    check_unchanged(
        "func f(%n.0, %p.0) {
         block0:
           jump block1
         block1: <- block0, block3
           %i.0 = phi 0, %i.1
           %a.0 = lt %i.0, %p.0
           branch %a.0, block3, block2
         block2:
           %c.0 = lt %i.0, %n.0
           branch %c.0, block3, block4
         block3: <- block1, block2
           %i.1 = add %i.0, 1
           jump block1
         block4: <- block2, block6
           %j.0 = phi 0, %j.1
           %b.0 = lt %p.0, %j.0
           branch %b.0, block6, block5
         block5:
           %d.0 = lt %j.0, %n.0
           branch %d.0, block6, block7
         block6: <- block4, block5
           %j.1 = add %j.0, 1
           jump block4
         block7:
           return %i.0, %j.0
         }",
    );
}
