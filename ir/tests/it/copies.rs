//! Copies of values: text in, text out.

use crate::support::check_pass;
use ssaphire_ir::passes::propagate_copies;

#[test]
fn copies_of_copies_stand_for_the_first_and_phis_of_them_for_one_value() {
    let num_values = check_pass(
        "func f(%x.0) {
         block0:
           %y.0, %z.0 = %x.0, 1
           branch %x.0, block1, block2
         block1:
           %u.0 = %y.0
           jump block3
         block2:
           jump block3
         block3: <- block1, block2
           %p.0 = phi %u.0, %x.0
           %q.0 = phi %u.0, %z.0
           return %p.0, %q.0
         }",
        "func f(%x.0) {
         block0:
           branch %x.0, block1, block2
         block1:
           jump block3
         block2:
           jump block3
         block3: <- block1, block2
           %q.0 = phi %x.0, 1
           return %x.0, %q.0
         }",
        |function| propagate_copies(function).unwrap(),
    );
    assert_eq!(num_values, 4);
}

#[test]
fn a_copy_to_a_variable_stays() {
    let source = "func f(%x.0) {
         block0:
           %y.0, x = %x.0, 1
           return %y.0, x
         }";
    assert_eq!(check_pass(source, source, |function| propagate_copies(function).unwrap()), 0);
}
