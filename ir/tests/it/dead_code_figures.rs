//! Dead code elimination on Figs 16 and 18 of Cytron et al. 1991.
//!
//! # Departures
//! What the figures assign is added or read here, and what they use at the end is printed.

use crate::support::check_pass;
use ssaphire_ir::passes::{Options, remove_dead_code};

/// Loops change nothing here.
#[track_caller]
fn check(source: &str, expected: &str) {
    check_pass(source, expected, |function| {
        remove_dead_code(function, Options { keep_loops: false, ..Options::default() })
    })
    .unwrap();
}

/// Cytron et al. 1991, Fig. 16, on the left: both conditionals compute the same; `USED` is printed at the end.
const FIGURE_16: &str = "func f(%p.0, %x.0) {
 block0:
   branch %p.0, block1, block2
 block1:
   %y.1 = add 1, 0
   print %y.1
   jump block3
 block2:
   %y.2 = add %x.0, 0
   print %y.2
   jump block3
 block3: <- block1, block2
   %y.3 = phi %y.1, %y.2
   branch %p.0, block4, block5
 block4:
   %z.1 = add 1, 0
   jump block6
 block5:
   %z.2 = add %x.0, 0
   jump block6
 block6: <- block4, block5
   %z.3 = phi %z.1, %z.2
   print USED
   return
 }";

#[test]
fn of_figure_16_only_the_phi_goes_that_nothing_uses() {
    let left = FIGURE_16.replace("USED", "%z.3");
    check(&left, &left.replace("   %y.3 = phi %y.1, %y.2\n", ""));
}

/// What value numbering finds: `%y.3` and `%z.3` hold the same.
#[test]
fn of_figure_16_the_second_conditional_goes_where_the_phi_of_the_first_is_used() {
    let (first, _) = FIGURE_16.split_once("   branch %p.0, block4, block5\n").unwrap();
    let expected = format!("{first}   jump block4\n block4:\n   print %y.3\n   return\n }}");
    check(&FIGURE_16.replace("USED", "%y.3"), &expected);
}

/// Cytron et al. 1991, Fig. 18: what `%v.2` holds was moved out of the loop, and it is live there together with `%v.1`.
#[test]
fn of_figure_18_the_phi_goes_and_two_instances_stay() {
    let moved = "func f(%v.0, %w.0) {
     block0:
       %v.2 = add 6, 0
       jump block1
     block1: <- block0, block2
       %w.3 = phi %w.0, %w.2
       %v.3 = phi %v.0, %v.2
       %c.0 = read()
       branch %c.0, block2, block3
     block2:
       %v.1 = read()
       %w.1 = add %v.1, %w.3
       %w.2 = add %v.2, %w.1
       jump block1
     block3:
       print %w.3
       return
     }";
    check(moved, &moved.replace("       %v.3 = phi %v.0, %v.2\n", ""));
}
