//! Jump threading of large functions: its steps and rounds.

use ssaphire_ir::passes::{ThreadingOptions, propagate_constants, thread_jumps};
use ssaphire_ir::{Basic, Function, text};

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
fn branches_in_a_row_on_one_phi_are_decided_in_one_round() {
    let options = ThreadingOptions { max_growth: 10, ..ThreadingOptions::default() };
    for count in [100, 10_000] {
        let mut function = conditionals_on_a_flag(count);
        let report = thread_jumps(&mut function, options).unwrap();
        // The second round finds nothing, and the flag has one phi, where it is returned.
        assert_eq!((report.edges, report.copies, report.phis, report.rounds), (2 * count, 2 * count, 1, 2));
        assert!(report.steps < 12 * count, "{} steps", report.steps);
        let branches = function.blocks().filter(|&block| function.block(block).targets().len() > 1).count();
        assert_eq!(branches, 1, "the flag is tested no more");
        let again = thread_jumps(&mut function, options).unwrap();
        assert_eq!((again.edges, again.rounds), (0, 1));
    }
}

/// The text of a block, but for its label, and of others, by its number and that of the next one.
type Part = fn(usize, usize) -> String;

/// A flag, and behind it so many blocks in a row, each of which goes on as `part` says.
fn behind_a_flag(count: usize, part: Part) -> Function<Basic> {
    let mut text = "func f(%n.0) {
         top:
           branch %n.0, one, other
         one:
           jump flag
         other:
           jump flag
         flag: <- one, other
           %x.0 = phi 0, 1
           branch %x.0, set, clear
         set:
           jump head0
         clear:
           jump head0\n"
        .to_owned();
    (0..count).for_each(|index| text += &format!("head{index}:\n{}", part(index, index + 1)));
    text += &format!("head{count}:\nreturn %x.0\n}}\n");
    text::parse(&text).unwrap_or_else(|errors| panic!("{errors}"))
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

/// A block that branches on something else, and a join.
fn diamond(label: &str, next: usize) -> String {
    format!(
        "{label}:\nbranch %n.0, {label}left, {label}right\n{label}left:\njump {label}end\n\
         {label}right:\njump {label}end\n{label}end:\njump head{next}\n"
    )
}

/// A block that asks, and comes back to `again` or goes on.
fn tail(label: &str, again: &str, next: usize) -> String {
    format!("{label}:\n%c.{next} = call more()\nbranch %c.{next}, {again}, {label}out\n{label}out:\njump head{next}\n")
}

#[test]
fn a_flag_is_known_behind_joins_and_loops() {
    let parts: [(&str, usize, Part); 5] = [
        ("conditionals in both arms", 2, |at, next| {
            let arms = diamond(&format!("yes{at}"), next) + &diamond(&format!("no{at}"), next);
            format!("branch %x.0, yes{at}, no{at}\n{arms}")
        }),
        ("a loop in one arm", 1, |at, next| {
            let arm = tail(&format!("yes{at}"), &format!("yes{at}"), next);
            format!("branch %x.0, yes{at}, no{at}\n{arm}no{at}:\njump head{next}\n")
        }),
        ("a loop while the flag is set", 1, |at, next| {
            format!("branch %x.0, body{at}, head{next}\n{}", tail(&format!("body{at}"), &format!("head{at}"), next))
        }),
        ("a loop while the flag is not set", 1, |at, next| {
            format!("branch %x.0, head{next}, body{at}\n{}", tail(&format!("body{at}"), &format!("head{at}"), next))
        }),
        ("a conditional in an arm", 0, |at, next| {
            format!(
                "branch %x.0, yes{at}, no{at}\nyes{at}:\nbranch %x.0, head{next}, never{at}\nnever{at}:\n\
                 jump head{next}\nno{at}:\njump head{next}\n"
            )
        }),
    ];
    let options = ThreadingOptions { max_growth: 10, ..ThreadingOptions::default() };
    for (name, other_branches, part) in parts {
        for count in [3, 1000] {
            let mut function = behind_a_flag(count, part);
            let report = thread_jumps(&mut function, options).unwrap();
            assert_eq!(report.rounds, 2, "{name}");
            assert!(report.steps < 20 * (count + 1), "{name}: {} steps", report.steps);
            let branches = function.blocks().filter(|&block| function.block(block).targets().len() > 1).count();
            assert_eq!(branches, 1 + other_branches * count, "{name}: the flag is tested no more");
        }
    }
}

#[test]
fn ten_thousand_states_lead_to_each_other() {
    let num_states = 10_000;
    let cases: Vec<String> = (0..num_states).map(|state| format!("case{state}")).collect();
    let next: Vec<String> = (1..=num_states).map(|state| (state % num_states).to_string()).collect();
    let (list, operands) = (cases.join(", "), next.join(", "));
    let mut text = format!(
        "func f() {{\ntop:\njump head\nhead: <- top, {list}\n%s.0 = phi 0, {operands}\nswitch %s.0, [{}], {}\n",
        cases[..num_states - 1].join(", "),
        cases[num_states - 1]
    );
    cases.iter().for_each(|case| text += &format!("{case}:\nprint %s.0\njump head\n"));
    let mut function: Function<Basic> = text::parse(&(text + "}\n")).unwrap_or_else(|errors| panic!("{errors}"));
    let report = thread_jumps(&mut function, ThreadingOptions::default()).unwrap();
    assert_eq!((report.edges, report.copies, report.phis, report.rounds), (num_states + 1, num_states, 0, 2));
    assert!(report.steps < 4 * num_states, "{} steps", report.steps);
    assert!(function.blocks().all(|block| function.block(block).targets().len() == 1), "nothing is dispatched");
}

/// A loop that swaps two constants, both of which choose the same way, behind much else.
#[test]
fn a_loop_is_unrolled_in_one_round_as_far_as_there_is_room() {
    let mut text = "func f() {\nblock0:\n".to_owned();
    (0..20_000).for_each(|_| text += "print 1\n");
    text += "jump block1\nblock1: <- block0, block1\n%x.0 = phi 1, %y.0\n%y.0 = phi 2, %x.0\nprint %x.0\n\
             branch %x.0, block1, block2\nblock2:\nreturn %x.0\n}\n";
    let mut function: Function<Basic> = text::parse(&text).unwrap_or_else(|errors| panic!("{errors}"));
    let report = thread_jumps(&mut function, ThreadingOptions::default()).unwrap();
    // Each copy has two instructions, and there were 20,004.
    assert_eq!((report.copies, report.rounds), (10_002, 2));
    assert!(report.steps < 4 * report.copies, "{} steps", report.steps);
}
