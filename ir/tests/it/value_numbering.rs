//! Value numbering: text in, text out.

use crate::depth::on_a_small_stack;
use crate::support::check_pass;
use ssaphire_ir::passes::{Numbered, PhiTags, number_values};
use ssaphire_ir::{Basic, Function, text};

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

/// Two loops one after the other, which add up `steps` while a count is less than `bounds`, and what they leave.
fn two_loops(steps: [&str; 2], bounds: [&str; 2], [result, behind]: [&str; 2]) -> String {
    format!(
        "func f(%n.0, %m.0, %x.0) {{
         block0:
           jump block1
         block1: <- block0, block2
           %i.0 = phi 0, %i.1
           %s.0 = phi 0, %s.1
           %c.0 = lt %i.0, {}
           branch %c.0, block2, block3
         block2:
           %i.1 = add %i.0, 1
           %s.1 = add {}, %s.0
           jump block1
         block3: <- block1, block4
           %j.0 = phi 0, %j.1
           %t.0 = phi 0, %t.1
           %d.0 = lt %j.0, {}
           branch %d.0, block4, block5
         block4:
           %j.1 = add %j.0, 1
           %t.1 = add {}, %t.0
           jump block3
         block5:
           {behind}
           return {result}
         }}",
        bounds[0], steps[0], bounds[1], steps[1],
    )
}

#[test]
fn loops_that_run_alike_leave_the_same() {
    for step in ["%x.0", "%n.0", "3"] {
        let source = |result| two_loops([step; 2], ["%n.0"; 2], [result, "%r.0 = mul %x.0, 2"]);
        let report = check_text(PhiTags::Loop, &source("%s.0, %t.0, %j.0"), &source("%s.0, %s.0, %i.0"));
        assert_eq!((report.phis, report.insts, report.exit_uses), (0, 0, 2));
        check_text(PhiTags::Condition, &source("%s.0, %t.0"), &source("%s.0, %t.0"));
    }
}

#[test]
fn what_is_computed_from_what_loops_leave_is_one() {
    let source = |result, behind| two_loops(["%i.0", "%j.0"], ["%n.0"; 2], [result, behind]);
    let report = check_text(
        PhiTags::Loop,
        &source("%p.0, %q.0", "%p.0 = add %s.0, 5\n %q.0 = add %t.0, 5"),
        &source("%p.0, %p.0", "%p.0 = add %s.0, 5"),
    );
    assert_eq!((report.insts, report.exit_uses), (1, 1));
}

#[test]
fn loops_that_run_for_different_times_leave_different_values() {
    // The second loop may run longer, or add up the last count of the first one.
    for (steps, bounds) in [(["%x.0"; 2], ["%n.0", "%m.0"]), (["%i.0"; 2], ["%n.0"; 2]), (["%x.0", "%n.0"], ["9"; 2])] {
        let source = two_loops(steps, bounds, ["%s.0, %t.0", "%r.0 = mul %i.0, 2"]);
        check_text(PhiTags::Loop, &source, &source);
    }
}

#[test]
fn a_loop_in_another_loop_runs_like_none_beside_that() {
    // In its iteration number j, the inner loop of the second one leaves at once if j is less than n, as the first loop did
    // in its iteration number j, which is its last one if j is 0. So their tests have the same operands.
    let source = "func f(%n.0) {
         block0:
           jump block1
         block1: <- block0, block1
           %i.0 = phi 0, %i.1
           %v.0 = mul %i.0, 5
           %c.0 = lt %i.0, %n.0
           %i.1 = add %i.0, 1
           branch %c.0, block2, block1
         block2: <- block1, block4
           %j.0 = phi 0, %j.1
           jump block3
         block3: <- block2, block3
           %w.0 = mul %j.0, 5
           %d.0 = lt %j.0, %n.0
           branch %d.0, block4, block3
         block4:
           %j.1 = add %j.0, 1
           print %v.0, %w.0
           %e.0 = lt %j.1, 2
           branch %e.0, block2, block5
         block5:
           return %v.0
         }";
    check_text(PhiTags::Loop, source, source);
}

#[test]
fn a_loop_that_may_be_left_elsewhere_is_told_by_its_block() {
    let source = "func f(%n.0, %m.0) {
         block0:
           jump block1
         block1: <- block0, block2
           %i.0 = phi 0, %i.1
           %c.0 = lt %i.0, %n.0
           branch %c.0, block2, block3
         block2:
           %i.1 = add %i.0, 1
           %b.0 = eq %i.1, %m.0
           branch %b.0, block3, block1
         block3: <- block1, block2, block4
           %j.0 = phi 0, 0, %j.1
           %d.0 = lt %j.0, %n.0
           branch %d.0, block4, block5
         block4:
           %j.1 = add %j.0, 1
           jump block3
         block5:
           return %i.0, %j.0
         }";
    check_text(PhiTags::Loop, source, source);
}

#[test]
fn entering_and_back_edges_may_come_in_any_order() {
    let source = |result| {
        format!(
            "func f(%n.0, %x.0) {{
         block0:
           jump block1
         block1: <- block1, block0
           %i.0 = phi %i.1, %x.0
           %i.1 = mul %i.0, 3
           %c.0 = lt %i.1, %n.0
           branch %c.0, block1, block2
         block2: <- block1, block2
           %j.0 = phi %x.0, %j.1
           %j.1 = mul %j.0, 3
           %d.0 = lt %j.1, %n.0
           branch %d.0, block2, block3
         block3:
           return {result}
         }}"
        )
    };
    check_text(PhiTags::Loop, &source("%j.0, %j.1"), &source("%i.0, %i.1"));
}

/// So many loops one after the other, each of which counts to the same bound; what each leaves is printed.
fn loops_in_a_row(num_loops: usize) -> Function<Basic> {
    let mut text = "func f(%n.0) {\nblock0:\njump head0\n".to_owned();
    for index in 0..num_loops {
        let before = index.checked_sub(1).map_or("block0".to_owned(), |before| format!("after{before}"));
        text += &format!(
            "head{index}: <- {before}, body{index}\n%i.{index} = phi 0, %j.{index}\n%c.{index} = lt %i.{index}, %n.0\n\
             branch %c.{index}, body{index}, after{index}\nbody{index}:\n%j.{index} = add %i.{index}, 1\njump head{index}\n\
             after{index}:\nprint %i.{index}\n"
        );
        text += &if index + 1 < num_loops { format!("jump head{}\n", index + 1) } else { "return\n}\n".to_owned() };
    }
    text::parse(&text).unwrap_or_else(|errors| panic!("{errors}"))
}

/// So many loops one in the other; what each leaves is added to what the one around it counts.
fn loops_in_each_other(depth: usize) -> Function<Basic> {
    let mut text = "func f(%n.0) {\nblock0:\njump head0\n".to_owned();
    for index in 0..depth {
        let before = index.checked_sub(1).map_or("block0".to_owned(), |before| format!("body{before}"));
        text += &format!(
            "head{index}: <- {before}, tail{index}\n%i.{index} = phi 0, %j.{index}\n%c.{index} = lt %i.{index}, %n.0\n\
             branch %c.{index}, body{index}, after{index}\nbody{index}:\njump {}\n",
            if index + 1 < depth { format!("head{}", index + 1) } else { format!("tail{index}") }
        );
    }
    for index in (0..depth).rev() {
        let step = if index + 1 < depth { format!("%i.{}", index + 1) } else { "1".to_owned() };
        text += &format!("tail{index}:\n%j.{index} = add %i.{index}, {step}\njump head{index}\nafter{index}:\n");
        text += &if index > 0 { format!("jump tail{}\n", index - 1) } else { "return %i.0\n}\n".to_owned() };
    }
    text::parse(&text).unwrap_or_else(|errors| panic!("{errors}"))
}

#[test]
fn five_thousand_loops_need_no_stack() {
    on_a_small_stack(|| {
        let mut function = loops_in_a_row(5_000);
        let report = number_values(&mut function, PhiTags::Loop).unwrap();
        assert_eq!((report.phis, report.insts, report.exit_uses), (0, 0, 4_999));
        let mut function = loops_in_each_other(5_000);
        let report = number_values(&mut function, PhiTags::Loop).unwrap();
        assert_eq!(report, Numbered::default());
    });
}
