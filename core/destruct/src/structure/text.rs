//! A structured program as text.
//!
//! The grammar is documented at [`Structured`].

use super::Structured;
use super::step::{Construct, Selector, Step};
use core::fmt;

/// Deeper bodies are indented as this one is.
const MAX_INDENT: usize = 32;

/// An arm with more steps than this is not written on its line.
const MAX_SHORT: usize = 3;

impl fmt::Display for Structured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut rest, mut depth) = (self.steps(), 0_usize);
        while let Some((&step, after)) = rest.split_first() {
            depth -= usize::from(matches!(step, Step::End(_)));
            write!(f, "{:indent$}", "", indent = 2 * depth.min(MAX_INDENT))?;
            let len = self.write_line(f, step, after)?;
            let opened = rest[..len].iter().filter(|&&step| opens(step)).count();
            let closed = rest[1..len].iter().filter(|step| matches!(step, Step::End(_))).count();
            depth += opened - closed;
            rest = &rest[len..];
        }
        Ok(())
    }
}

impl Structured {
    /// Writes the line that `step` begins, from there to its end: how many steps are on it.
    fn write_line(&self, f: &mut fmt::Formatter<'_>, step: Step, after: &[Step]) -> Result<usize, fmt::Error> {
        let mut len = 1;
        if let Step::Arm(arm) = step {
            write_list(f, self.slots(arm))?;
        }
        match (step, short_arm(after), after.first()) {
            (Step::Arm(_), Some(short), _) => {
                write_short(f, &after[..short])?;
                len += short + 1;
            }
            (Step::Execute(_), _, Some(&fork @ Step::Fork(Selector::Terminator(_)))) => {
                write!(f, "{}{}", Words(step), Words(fork))?;
                len += 1;
            }
            _ => write!(f, "{}", Words(step))?,
        }
        f.write_str("\n")?;
        Ok(len)
    }
}

/// How many steps an arm has that is written on its line; these follow its opening.
fn short_arm(steps: &[Step]) -> Option<usize> {
    let len = steps.iter().take(MAX_SHORT + 1).position(|&step| !is_plain(step))?;
    (steps[len] == Step::End(Construct::Arm) && len > 0).then_some(len)
}

fn write_short(f: &mut fmt::Formatter<'_>, steps: &[Step]) -> fmt::Result {
    for (place, &step) in steps.iter().enumerate() {
        write!(f, "{}{}", if place == 0 { ": " } else { "; " }, Words(step))?;
    }
    Ok(())
}

fn write_list(f: &mut fmt::Formatter<'_>, numbers: &[u32]) -> fmt::Result {
    for (place, number) in numbers.iter().enumerate() {
        write!(f, "{}{number}", if place == 0 { "" } else { ", " })?;
    }
    Ok(())
}

/// Whether a step opens a construct.
fn opens(step: Step) -> bool {
    matches!(step, Step::Loop { .. } | Step::Labeled { .. } | Step::Fork(_) | Step::Arm(_))
}

/// Whether a step neither opens nor closes one.
fn is_plain(step: Step) -> bool {
    !opens(step) && !matches!(step, Step::End(_))
}

/// What a step says by itself, without indentation.
struct Words(Step);

impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Step::Loop { label: Some(label) } => write!(f, "{label}: loop {{"),
            Step::Loop { label: None } => f.write_str("loop {"),
            Step::Labeled { label } => write!(f, "{label}: {{"),
            Step::Execute(block) => write!(f, "{block}"),
            Step::Fork(Selector::Dispatch) => f.write_str("next {"),
            // The line of the block, or the slots, are before it.
            Step::Fork(Selector::Terminator(_)) => f.write_str(" {"),
            Step::Arm(_) => f.write_str(": {"),
            Step::End(_) => f.write_str("}"),
            Step::SetDispatch(number) => write!(f, "next = {number}"),
            Step::Exit { label, .. } => write!(f, "exit {label}"),
            Step::Repeat { label, .. } => write!(f, "repeat {label}"),
        }
    }
}
