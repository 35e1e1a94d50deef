//! Writes the steps of a structured program as statements.
//!
//! A loop whose first block only decides whether to leave is a `while`. A loop
//! whose last block decides that, and that has no other back edge, is a
//! `repeat`. Any other loop runs until it is left.

use super::block::Lines;
use super::expression::Written;
use ssaphire::destruct::structure::{Arm, Construct, Label, Selector, Step, Structured};
use ssaphire::graph::FlatCfg;
use ssaphire_ir::Block;
use std::collections::HashMap;

/// The deepest indentation, as in the printer of syntax trees.
const MAX_DEPTH: usize = 40;

/// The form in which a loop is written.
#[derive(Clone, Debug)]
enum LoopForm {
    While,
    /// `repeat`, with the place of the step that executes the last block.
    Repeat(usize),
    Endless,
}

/// An open construct around a step.
#[derive(Clone, Debug)]
enum Open {
    Loop {
        label: Option<Label>,
        form: LoopForm,
    },
    Labeled,
    Fork(Fork),
    /// An arm without text of its own around it.
    Arm,
}

/// A fork, some of whose arms have been written.
#[derive(Clone, Debug)]
struct Fork {
    choice: Written,
    num_slots: usize,
    /// The slots that no arm so far is for.
    left: Vec<u32>,
    is_first: bool,
}

/// A body under construction.
pub(super) struct Text<'s> {
    structured: &'s Structured,
    blocks: &'s [Lines],
    cfg: &'s FlatCfg,
    out: String,
    depth: usize,
    open: Vec<Open>,
    /// By loop, the place of the step that closes it, and whether a step repeats it.
    loops: HashMap<usize, (usize, bool)>,
    /// Labels that are targets of a `goto`: after the construct they name, or before it.
    behind: Vec<Label>,
    before: Vec<Label>,
}

impl<'s> Text<'s> {
    pub(super) fn new(structured: &'s Structured, blocks: &'s [Lines], cfg: &'s FlatCfg, depth: usize) -> Self {
        let mut text = Self {
            structured,
            blocks,
            cfg,
            out: String::new(),
            depth,
            open: Vec::new(),
            loops: HashMap::new(),
            behind: Vec::new(),
            before: Vec::new(),
        };
        text.survey();
        text
    }

    pub(super) fn finish(self) -> String {
        self.out
    }

    /// Pairs the ends of loops, and finds the exits and repeats that must be `goto`s.
    fn survey(&mut self) {
        let mut open: Vec<(usize, Step)> = Vec::new();
        for (place, &step) in self.structured.steps().iter().enumerate() {
            let innermost = |open: &[(usize, Step)]| {
                open.iter().rev().find(|(_, step)| matches!(step, Step::Loop { .. })).map(|&(place, _)| place)
            };
            match step {
                Step::Loop { .. } | Step::Labeled { .. } | Step::Fork(_) | Step::Arm(_) => open.push((place, step)),
                Step::End(_) => {
                    if let Some((start, Step::Loop { .. })) = open.pop() {
                        self.loops.entry(start).or_insert((place, false)).0 = place;
                    }
                }
                Step::Exit { label, .. } => {
                    let is_break = innermost(&open).is_some_and(|place| self.label_at(place) == Some(label));
                    if !is_break {
                        self.behind.push(label);
                    }
                }
                Step::Repeat { label, .. } => {
                    let around = open.iter().rev().find(|&&(place, _)| self.label_at(place) == Some(label));
                    if let Some(&(start, _)) = around {
                        self.loops.entry(start).or_insert((start, true)).1 = true;
                        if innermost(&open) != Some(start) {
                            self.before.push(label);
                        }
                    }
                }
                Step::Execute(_) | Step::SetDispatch(_) => {}
            }
        }
        self.behind.sort_unstable();
        self.before.sort_unstable();
    }

    /// The label of the loop that a step opens.
    fn label_at(&self, place: usize) -> Option<Label> {
        match self.structured.steps()[place] {
            Step::Loop { label } => label,
            _ => None,
        }
    }

    pub(super) fn write_all(&mut self) {
        let mut place = 0;
        while let Some(&step) = self.structured.steps().get(place) {
            place = match step {
                Step::Execute(block) => self.execute(block, place),
                Step::Loop { label } => self.open_loop(label, place),
                _ => {
                    self.step(step);
                    place + 1
                }
            };
        }
    }

    /// Writes a step that the next one in the list follows.
    fn step(&mut self, step: Step) {
        match step {
            Step::Labeled { .. } => self.open.push(Open::Labeled),
            Step::Arm(arm) => self.open_arm(arm),
            Step::Fork(selector) => self.open_fork(selector),
            Step::End(construct) => self.close(construct),
            Step::Exit { label, .. } => {
                let text =
                    if self.innermost_loop() == Some(label) { "break".to_owned() } else { format!("goto {label}") };
                self.statement(&text);
            }
            Step::Repeat { label, .. } => {
                let is_innermost = self.innermost_loop() == Some(label);
                self.statement(&if is_innermost { "continue".to_owned() } else { format!("goto {label}_again") });
            }
            Step::Execute(_) | Step::Loop { .. } | Step::SetDispatch(_) => {}
        }
    }

    fn innermost_loop(&self) -> Option<Label> {
        self.open.iter().rev().find_map(|open| match open {
            Open::Loop { label, .. } => Some(*label),
            _ => None,
        })?
    }

    /// Writes the statements of a block; returns the place of the next step.
    fn execute(&mut self, block: Block, place: usize) -> usize {
        let is_last = |open: &Open| matches!(open, Open::Loop { form: LoopForm::Repeat(last), .. } if *last == place);
        let lines = &self.blocks[block.index()];
        lines.statements.iter().for_each(|line| self.statement(line));
        if self.open.last().is_some_and(is_last) {
            // The fork is part of the loop's end.
            return place + FORK_THAT_EXITS;
        }
        let has_fork = matches!(self.structured.steps().get(place + 1), Some(Step::Fork(_)));
        if let (Some(choice), false) = (&lines.choice, has_fork) {
            // Nothing depends on the choice, but it must be defined.
            let line = format!("if {} {{", choice.text);
            self.line(&line);
            self.line("}");
        }
        place + 1
    }

    /// Opens a loop at `place`; returns the place of the next step.
    fn open_loop(&mut self, label: Option<Label>, place: usize) -> usize {
        if let Some(label) = label.filter(|label| self.before.binary_search(label).is_ok()) {
            self.line(&format!("{label}_again:"));
        }
        let (end, is_repeated) = self.loops[&place];
        let (form, next) = if let Some(condition) = self.exit_condition(place + 1, label, true) {
            let condition = condition.negated();
            self.line(&format!("while {} {{", condition.text));
            (LoopForm::While, place + 1 + FORK_THAT_EXITS)
        } else if let (false, Some(_)) =
            (is_repeated, self.exit_condition(end.saturating_sub(FORK_THAT_EXITS), label, false))
        {
            self.line("repeat {");
            (LoopForm::Repeat(end - FORK_THAT_EXITS), place + 1)
        } else {
            self.line("while true {");
            (LoopForm::Endless, place + 1)
        };
        self.open.push(Open::Loop { label, form });
        self.depth += 1;
        next
    }

    /// What holds when a fork at that place leaves the loop, if it does nothing else: a block, and a fork with one arm, for
    /// one of two slots, that exits.
    fn exit_condition(&self, place: usize, label: Option<Label>, is_pure: bool) -> Option<Written> {
        let steps = self.structured.steps().get(place..place + FORK_THAT_EXITS)?;
        let &[
            Step::Execute(block),
            Step::Fork(Selector::Terminator(_)),
            Step::Arm(arm),
            Step::Exit { label: left, depth: 0 },
            Step::End(Construct::Arm),
            Step::End(Construct::Fork),
        ] = steps
        else {
            return None;
        };
        let lines = &self.blocks[block.index()];
        if Some(left) != label || is_pure && !lines.statements.is_empty() || self.cfg.targets(block).len() != 2 {
            return None;
        }
        let choice = lines.choice.clone()?;
        match self.structured.slots(arm) {
            [0] => Some(choice),
            [1] => Some(choice.negated()),
            _ => None,
        }
    }

    fn open_fork(&mut self, selector: Selector) {
        let Selector::Terminator(block) = selector else { return };
        let num_slots = self.cfg.targets(block).len();
        let nothing = || Written::primary("0".to_owned(), Vec::new());
        let choice = self.blocks[block.index()].choice.clone().unwrap_or_else(nothing);
        let left = (0..num_slots as u32).collect();
        self.open.push(Open::Fork(Fork { choice, num_slots, left, is_first: true }));
    }

    fn open_arm(&mut self, arm: Arm) {
        let slots = self.structured.slots(arm);
        if let Some(Open::Fork(fork)) = self.open.last_mut() {
            let condition = fork.condition(slots);
            let is_first = std::mem::take(&mut fork.is_first);
            self.open.push(Open::Arm);
            match (condition, is_first) {
                (Some(condition), true) => self.line(&format!("if {condition} {{")),
                (Some(condition), false) => self.reopen(&format!("}} else if {condition} {{")),
                (None, true) => self.line("if true {"),
                (None, false) => self.reopen("} else {"),
            }
            self.depth += 1;
        }
    }

    /// Continues a fork whose last arm has been closed.
    fn reopen(&mut self, line: &str) {
        // This line contains the brace that closes the previous arm.
        let closed = format!("{:1$}}}\n", "", 2 * self.depth.min(MAX_DEPTH));
        let len = self.out.len() - closed.len();
        debug_assert!(self.out.ends_with(&closed), "an arm has just been closed");
        self.out.truncate(len);
        self.line(line);
    }

    fn close(&mut self, construct: Construct) {
        match (construct, self.open.pop()) {
            (Construct::Arm, _) => {
                self.depth -= 1;
                self.line("}");
            }
            (Construct::Loop(label), Some(Open::Loop { form, .. })) => {
                self.depth -= 1;
                match form {
                    LoopForm::Repeat(last) => {
                        let until = self.exit_condition(last, label, false).map_or(String::new(), |until| until.text);
                        self.line(&format!("}} until {until};"));
                    }
                    LoopForm::While | LoopForm::Endless => self.line("}"),
                }
                self.end(label);
            }
            (Construct::Labeled(label), _) => self.end(Some(label)),
            (Construct::Fork | Construct::Loop(_), _) => {}
        }
    }

    /// The place after the construct with this label.
    fn end(&mut self, label: Option<Label>) {
        if let Some(label) = label.filter(|label| self.behind.binary_search(label).is_ok()) {
            self.line(&format!("{label}:"));
        }
    }

    fn statement(&mut self, statement: &str) {
        self.line(&format!("{statement};"));
    }

    fn line(&mut self, line: &str) {
        let indent = 2 * self.depth.min(MAX_DEPTH);
        self.out.extend(std::iter::repeat_n(' ', indent));
        self.out.push_str(line);
        self.out.push('\n');
    }
}

/// The steps of a block, and a fork with one arm that exits.
const FORK_THAT_EXITS: usize = 6;

impl Fork {
    /// When the next arm, which is for these slots, is taken; none if that is so whenever those before are not.
    fn condition(&mut self, slots: &[u32]) -> Option<String> {
        self.left.retain(|slot| !slots.contains(slot));
        if self.left.is_empty() {
            return None;
        }
        if self.num_slots == 2 {
            let choice = self.choice.clone();
            return Some(if slots == [0] { choice } else { choice.negated() }.text);
        }
        // The last slot is for all numbers without a slot of their own.
        let last = self.num_slots as u32 - 1;
        let is = |slot: u32| format!("{} == {slot}", self.choice.in_comparison());
        let is_not = |slot: u32| format!("{} != {slot}", self.choice.in_comparison());
        let alternatives = |slots: &[u32]| slots.iter().map(|&slot| is(slot)).collect::<Vec<_>>().join(" || ");
        if !slots.contains(&last) {
            return Some(alternatives(slots));
        }
        // Excludes the slots that are left to later arms.
        Some(self.left.iter().map(|&slot| is_not(slot)).collect::<Vec<_>>().join(" && "))
    }
}
