//! Value numbering of many loops.

use crate::depth::on_a_small_stack;
use ssaphire_ir::passes::{Numbered, PhiTags, number_values};
use ssaphire_ir::{Basic, Function, text};

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
