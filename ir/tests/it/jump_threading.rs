//! Jump threading: text in, text out.

use crate::support::check_pass;
use ssaphire_ir::passes::{Threaded, ThreadingOptions, propagate_constants, thread_jumps};
use ssaphire_ir::{Basic, Function, text};

#[track_caller]
fn check_text(source: &str, expected: &str) -> Threaded {
    check_pass(source, expected, |function| thread_jumps(function, ThreadingOptions::default()).unwrap())
}

#[test]
fn what_a_back_edge_passes_may_be_a_value_of_the_block_itself() {
    // The loop swaps x and y, and is left when it comes back from the block that sets the flag.
    let report = check_text(
        "func f(%n.0, %m.0) {
         block0:
           jump block1
         block1: <- block0, block2, block3
           %x.0 = phi %n.0, %y.0, %y.0
           %y.0 = phi %m.0, %x.0, %x.0
           %f.0 = phi %n.0, %n.0, 0
           branch %f.0, block2, block4
         block2:
           %c.0 = call more(%x.0)
           branch %c.0, block1, block3
         block3:
           jump block1
         block4:
           return %x.0, %y.0
         }",
        "func f(%n.0, %m.0) {
         block0:
           jump block1
         block1: <- block0, block2
           %x.0 = phi %n.0, %y.0
           %y.0 = phi %m.0, %x.0
           branch %n.0, block2, block4
         block2:
           %c.0 = call more(%x.0)
           branch %c.0, block1, block3
         block3:
           jump block5
         block4: <- block1, block5
           %x.1 = phi %x.0, %y.0
           %y.1 = phi %y.0, %x.0
           return %x.1, %y.1
         block5:
           jump block4
         }",
    );
    assert_eq!((report.edges, report.copies), (1, 1));
}

#[test]
fn a_loop_that_counts_is_not_unrolled_for_ever() {
    let source = "func f() {
         block0:
           jump block1
         block1: <- block0, block1
           %i.0 = phi 0, %i.1
           %i.1 = add %i.0, 1
           %c.0 = lt %i.1, 1000000
           branch %c.0, block1, block2
         block2:
           return %i.1
         }";
    let mut function: Function<Basic> = text::parse(source).unwrap();
    for _ in 0..100 {
        thread_jumps(&mut function, ThreadingOptions::default()).unwrap();
        propagate_constants(&mut function).unwrap();
    }
    assert!(function.num_blocks() < 300, "{}", function.num_blocks());
}
