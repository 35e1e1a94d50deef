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

#[test]
fn a_comparison_with_a_constant_is_decided_for_each_edge() {
    // What is compared is known on two edges, and not on the third one.
    let report = check_text(
        "func f(%n.0) {
         block0:
           switch %n.0, [block1, block2], block3
         block1:
           jump block4
         block2:
           jump block4
         block3:
           jump block4
         block4: <- block1, block2, block3
           %x.0 = phi 3, 7, %n.0
           %y.0 = mul %x.0, 2
           %c.0 = lt %y.0, 10
           branch %c.0, block5, block6
         block5:
           return %x.0
         block6:
           return %y.0
         }",
        "func f(%n.0) {
         block0:
           switch %n.0, [block1, block2], block3
         block1:
           jump block7
         block2:
           jump block8
         block3:
           jump block4
         block4:
           %y.0 = mul %n.0, 2
           %c.0 = lt %y.0, 10
           branch %c.0, block5, block6
         block5: <- block4, block7
           %x.0 = phi %n.0, 3
           return %x.0
         block6: <- block4, block8
           %y.1 = phi %y.0, %y.3
           return %y.1
         block7:
           %y.2 = mul 3, 2
           %c.1 = lt %y.2, 10
           jump block5
         block8:
           %y.3 = mul 7, 2
           %c.2 = lt %y.3, 10
           jump block6
         }",
    );
    assert_eq!((report.edges, report.copies), (2, 2));
}

/// `count` conditionals on one flag, one after the other.
fn conditionals_on_a_flag(count: usize) -> Function<Basic> {
    let mut text = "func f(%n.0) {
         block0:
           branch %n.0, yes0, no0
         yes0:
           jump head1
         no0:
           jump head1
         head1: <- yes0, no0
           %x.0 = phi 0, 1\n"
        .to_owned();
    for index in 1..=count {
        let next = index + 1;
        text += &format!(
            "branch %x.0, yes{index}, no{index}\nyes{index}:\nprint {index}\njump head{next}\n\
             no{index}:\njump head{next}\nhead{next}: <- yes{index}, no{index}\n"
        );
    }
    text += "return %x.0\n}\n";
    text::parse(&text).unwrap_or_else(|errors| panic!("{errors}"))
}

#[test]
fn what_one_branch_decides_is_found_in_a_further_round() {
    let mut function = conditionals_on_a_flag(20);
    let options = ThreadingOptions { max_growth: 10, ..ThreadingOptions::default() };
    let report = thread_jumps(&mut function, options).unwrap();
    assert_eq!((report.edges, report.copies, report.phis, report.rounds), (40, 40, 20, 21));
    let branches = function.blocks().filter(|&block| function.block(block).targets().len() > 1).count();
    assert_eq!(branches, 1, "the flag is tested no more: {function}");
    let again = thread_jumps(&mut function, options).unwrap();
    assert_eq!((again.edges, again.rounds), (0, 1));
}

/// A block with so many incoming edges, on every second of which its branch is decided.
fn one_join(num_edges: usize) -> Function<Basic> {
    let arms: Vec<String> = (0..num_edges).map(|arm| format!("arm{arm}")).collect();
    let operands: Vec<String> =
        (0..num_edges).map(|arm| if arm % 2 == 0 { (arm % 4).to_string() } else { "%n.0".to_owned() }).collect();
    let mut text = format!("func f(%n.0) {{\nblock0:\nswitch %n.0, [{}], arm0\n", arms[1..].join(", "));
    arms.iter().for_each(|arm| text += &format!("{arm}:\njump join\n"));
    let (arms, operands) = (arms.join(", "), operands.join(", "));
    text += &format!("join: <- {arms}\n%x.0 = phi {operands}\nbranch %x.0, yes, no\n");
    text += "yes:\nreturn %x.0\nno:\nreturn 5\n}\n";
    text::parse(&text).unwrap_or_else(|errors| panic!("{errors}"))
}

/// So many blocks one after the other, in each of which one edge decides the branch.
fn joins_in_a_row(num_joins: usize) -> Function<Basic> {
    let mut text = "func f(%n.0) {\nblock0:\njump head0\nhead0:\n".to_owned();
    for join in 0..num_joins {
        text += &format!(
            "branch %n.0, left{join}, right{join}\nleft{join}:\njump join{join}\nright{join}:\njump join{join}\n\
             join{join}: <- left{join}, right{join}\n%x.{join} = phi 0, %n.0\nbranch %x.{join}, yes{join}, no{join}\n\
             yes{join}:\nprint %x.{join}\njump head{next}\nno{join}:\njump head{next}\nhead{next}: <- yes{join}, no{join}\n",
            next = join + 1,
        );
    }
    text += "return %n.0\n}\n";
    text::parse(&text).unwrap_or_else(|errors| panic!("{errors}"))
}

#[test]
fn ten_thousand_edges_are_threaded_in_one_round() {
    for num_edges in [100, 10_000] {
        let mut function = one_join(num_edges);
        let report = thread_jumps(&mut function, ThreadingOptions::default()).unwrap();
        let expected = (num_edges / 2, 2, 2);
        assert_eq!((report.edges, report.copies, report.rounds), expected);
        let mut function = joins_in_a_row(num_edges);
        let num_blocks = function.num_blocks();
        let report = thread_jumps(&mut function, ThreadingOptions::default()).unwrap();
        assert_eq!((report.edges, report.copies, report.phis, report.rounds), (num_edges, num_edges, 0, 2));
        assert_eq!(function.num_blocks(), num_blocks + num_edges);
    }
}
