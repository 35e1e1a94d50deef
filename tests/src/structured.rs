//! Structured programs as text, read and compared with the graphs that they come from.
//!
//! [`check`] says whether a text does what a graph does. It knows the grammar alone, and nothing of what wrote the text.

mod machine;
mod reader;

use machine::Machine;
use reader::read;
use ssaphire::graph::FlatCfg;

/// Whether the structured program that the text describes does what `cfg` does, and nothing in it is idle.
///
/// The two are walked side by side from their entries, every edge once: each slot of a block leads to the block in both
/// that the other one says. The dispatch variable is read after it was set, before any other block is executed.
///
/// # Errors
/// What differs first, or what no walk reaches.
pub fn check(cfg: &FlatCfg, structured_text: &str) -> Result<(), String> {
    let mut machine = read(structured_text)?;
    if cfg.num_blocks() == 0 {
        return if structured_text.is_empty() { Ok(()) } else { Err("there is no block to execute".to_owned()) };
    }
    let mut reached = vec![false; machine.num_places()];
    let start = machine.run_on(Machine::START)?;
    let mut work = vec![(cfg.entry(), start)];
    while let Some((block, place)) = work.pop() {
        if machine.executed(place) != Some(block) {
            return Err(format!("{block} is to be executed, and not {}", machine.describe(place)));
        }
        if std::mem::replace(&mut reached[place.index()], true) {
            continue;
        }
        machine.check_slots(place, cfg.targets(block).len())?;
        for (slot, &target) in (0..).zip(cfg.targets(block)) {
            let next = machine.run_on(machine.behind(place, slot))?;
            work.push((target, next));
        }
    }
    match machine.executions().find(|(place, _)| !reached[place.index()]) {
        None => Ok(()),
        Some((_, block)) => Err(format!("{block} is executed at a place that no walk reaches")),
    }
}

/// By block, in how many places the text executes it.
///
/// # Errors
/// If the text is not of the grammar, or executes a block that there is not.
pub fn places(num_blocks: usize, text: &str) -> Result<Vec<usize>, String> {
    let mut counts = vec![0; num_blocks];
    for (_, block) in read(text)?.executions() {
        *counts.get_mut(block.index()).ok_or_else(|| format!("{block} is no block of the graph"))? += 1;
    }
    Ok(counts)
}

/// Whether each exit and each repeat of the text changes something, and each label is named.
///
/// # Errors
/// What could be left out.
pub fn check_needs(text: &str) -> Result<(), String> {
    let mut machine = read(text)?;
    if let Some(label) = machine.unnamed_label() {
        return Err(format!("nothing names {label}"));
    }
    for (jump, (to, behind)) in machine.jumps().into_iter().enumerate() {
        if machine.settled(to)? == machine.settled(behind)? {
            return Err(format!("exit or repeat number {jump} leads to what comes next anyway"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{check, check_needs, places};
    use ssaphire::Block;
    use ssaphire::graph::FlatCfg;

    fn cfg(targets: &[&[usize]]) -> FlatCfg {
        let targets: Vec<Vec<Block>> =
            targets.iter().map(|targets| targets.iter().map(|&target| Block::new(target)).collect()).collect();
        FlatCfg::from_successors(Block::new(0), &targets).unwrap()
    }

    const WHILE: &[&[usize]] = &[&[1], &[2, 3], &[1], &[]];
    const WHILE_TEXT: &str = "block0 L0: loop { block1 { 1: exit L0 } block2 } block3";

    #[track_caller]
    fn check_refused(targets: &[&[usize]], text: &str, expected: &str) {
        assert_eq!(check(&cfg(targets), text).unwrap_err(), expected);
    }

    #[test]
    fn a_loop_is_what_it_says() {
        assert_eq!(check(&cfg(WHILE), WHILE_TEXT), Ok(()));
        assert_eq!(check(&cfg(WHILE), "block0 L7:loop{block1{0:{block2 repeat L7}}exit L7}block3"), Ok(()));
        assert_eq!(check(&cfg(WHILE), "block0 L0: { loop { block1 { 1: exit L0 } block2 } } block3"), Ok(()));
    }

    #[test]
    fn a_wrong_way_is_found() {
        let wrong = WHILE_TEXT.replace("1: exit", "0: exit");
        check_refused(WHILE, &wrong, "block3 is to be executed, and not block2");
        check_refused(WHILE, "block0 block1 { 0: block2 } block3", "block1 is to be executed, and not block3");
        let early = "block0 L0: loop { block1 { 1: exit L0 } block2 }";
        check_refused(WHILE, early, "block3 is to be executed, and not the end");
    }

    #[test]
    fn text_that_no_walk_reaches_is_found() {
        let idle = "block0 L0: loop { block1 { 1: exit L0 } block2 repeat L0 block2 } block3";
        check_refused(WHILE, idle, "block2 is executed at a place that no walk reaches");
        let wide = WHILE_TEXT.replace("1: exit", "1, 2: exit");
        check_refused(WHILE, &wide, "block1 has no slot 2");
    }

    #[test]
    fn the_dispatch_variable_is_set_and_read_at_once() {
        let targets: &[&[usize]] = &[&[1, 2], &[2], &[1]];
        let text = "block0 { 0: next = 0 1: next = 1 } loop { next { 0: block1; next = 1 1: block2; next = 0 } }";
        assert_eq!(check(&cfg(targets), text), Ok(()));
        let unset = text.replace("0: next = 0 ", "");
        check_refused(targets, &unset, "the dispatch variable is read and not set");
        let unknown = text.replacen("next = 0", "next = 5", 1);
        check_refused(targets, &unknown, "the dispatch variable is read and not set");
        let twice = text.replacen("next = 0", "next = 0; next = 0", 1);
        check_refused(targets, &twice, "the dispatch variable is set twice");
        let early =
            "block0 { 0: next = 0; block1 1: next = 1 } loop { next { 0: block1; next = 1 1: block2; next = 0 } }";
        check_refused(targets, early, "the dispatch variable is set and not read");
    }

    #[test]
    fn what_is_not_of_the_grammar_is_refused() {
        for (text, expected) in [
            ("block", "`block` is no step"),
            ("block0 }", "`}` closes nothing"),
            ("loop { block0", "a construct is not closed"),
            ("loop block0", "`block0` stands where `{` is to be"),
            ("L0: loop { block0 exit L1 }", "nothing around an exit has the label L1"),
            ("L0: { block0 repeat L0 }", "L0 is no loop"),
            ("L0: { exit L0 } L0: { exit L0 }", "L0 stands twice"),
            ("block0 { 0: block1 0: block2 }", "two arms are for 0"),
            ("next = block0", "`block0` is no number"),
            ("loop { }", "the structured program runs without end and executes nothing"),
        ] {
            assert_eq!(check(&cfg(&[&[]]), text).unwrap_err(), expected, "{text}");
        }
    }

    #[test]
    fn what_changes_nothing_is_found() {
        assert_eq!(check_needs(WHILE_TEXT), Ok(()));
        let needless = "exit or repeat number 0 leads to what comes next anyway";
        assert_eq!(check_needs("L0: { block0 exit L0 } block1").unwrap_err(), needless);
        assert_eq!(check_needs("L0: loop { block0 { 0: { block1 repeat L0 } } }").unwrap_err(), needless);
        assert_eq!(check_needs("L0: loop { block0 }").unwrap_err(), "nothing names L0");
    }

    #[test]
    fn places_are_counted() {
        assert_eq!(places(3, "block0 { 0: block2 1: { block2 } }"), Ok(vec![1, 0, 2]));
        assert_eq!(places(1, "block1").unwrap_err(), "block1 is no block of the graph");
    }
}
