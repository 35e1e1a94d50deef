//! Programs in whose text functions have places: each function is written as soon as it is judged and its turn comes, and forgotten.

use super::{Answer, Plan, Summary, Way, Worker};
use crate::commands::report;
use crate::console::Console;
use crate::diagnostic::{Diagnostic, Failure, counted};
use crate::input::Input;
use crate::pipeline::Pipeline;
use crate::source::{Rewriter, Rewritten};
use std::collections::VecDeque;
use std::convert::Infallible;
use std::io::{self, Write};

/// Optimizes the functions of an input, and writes it with them.
pub(super) fn optimize(
    input: &Input,
    mut rewriter: Box<dyn Rewriter + '_>,
    plan: &Plan,
    pipeline: &Pipeline,
    console: &mut Console,
    summary: &mut Summary,
) -> Result<(), Failure> {
    let new_worker = || Worker::new(input, plan);
    let work = |worker: &mut Worker<'_>, index| worker.optimize(index, Way::InPlace, plan);
    let is_wanted = |index: &&usize| input.functions.binary_search(index).is_ok();
    let to_note: Vec<usize> = rewriter.to_note().iter().filter(is_wanted).copied().collect();
    let mut early = Early::default();
    let note = |&index: &usize, answer: Answer| {
        if let Some(Ok(new)) = &answer.rewritten {
            rewriter.note(index, new);
        }
        early.keep(index, answer);
        Ok::<(), Infallible>(())
    };
    let Ok(()) = pipeline.pool().run(&to_note, new_worker, |worker, &index| work(worker, index), note);
    let (kept, mut answers) = early.into_parts();
    let work = |worker: &mut Worker<'_>, index| kept.binary_search(&index).is_err().then(|| work(worker, index));
    let mut writing = Writing::new(rewriter, console);
    let num_refused = summary.refused;
    let take = |index, answer: Option<Answer>| -> Result<(), Failure> {
        // What is kept is in the order of the functions, in which all of them are taken.
        let mut answer = answer.or_else(|| answers.pop_front()).unwrap_or_default();
        summary.add(&answer);
        report(input, index, console, &answer.warnings, answer.failure.take(), answer.refusals);
        writing.is_withheld |= summary.refused > num_refused;
        Ok(writing.add(index, answer.rewritten, console)?)
    };
    pipeline.run(&input.functions, new_worker, work, take)?;
    summary.is_withheld |= writing.is_withheld;
    // Of a program with a refused function, no more is said.
    if summary.refused == num_refused
        && let Some(reason) = &writing.unwritten
    {
        summary.failed += 1;
        console.error(&Diagnostic::of_input(&input.name, reason.clone()));
    }
    let num_dropped = writing.finish(console)?;
    if num_dropped > 0 {
        let orders = counted(num_dropped as u64, "order");
        let message = format!("{orders} of uses (`uselistorder`) dropped, because functions have changed");
        console.warning(&Diagnostic::of_input(&input.name, message));
    }
    Ok(())
}

/// Functions that were made to find out how their blocks are numbered, before anything is written: they are kept until their turn comes,
/// as long as their texts are not too long. The others are made once more.
#[derive(Default)]
struct Early {
    /// Ascending.
    kept: Vec<usize>,
    answers: VecDeque<Answer>,
    num_bytes: usize,
}

/// The bytes of text that are kept at most.
const MOST_KEPT: usize = 16 << 20;

impl Early {
    /// Keeps a function that can be written; functions come in order.
    fn keep(&mut self, index: usize, answer: Answer) {
        let Some(Ok(new)) = &answer.rewritten else { return };
        if self.num_bytes + new.text.len() <= MOST_KEPT {
            self.num_bytes += new.text.len();
            self.kept.push(index);
            self.answers.push_back(answer);
        }
    }

    /// The functions that are kept, and what became of them.
    fn into_parts(self) -> (Vec<usize>, VecDeque<Answer>) {
        (self.kept, self.answers)
    }
}

/// A program that is being written.
struct Writing<'s> {
    rewriter: Box<dyn Rewriter + 's>,
    /// What is written so far, if a reader would see it before the last function is judged.
    held: Option<Vec<u8>>,
    /// Whether there is no result: a function is refused, or cannot be written.
    is_withheld: bool,
    /// Why a function cannot be written, the first of them.
    unwritten: Option<String>,
}

impl<'s> Writing<'s> {
    fn new(rewriter: Box<dyn Rewriter + 's>, console: &Console) -> Self {
        // A file appears only when all of it is written.
        let held = (!console.output.get_ref().is_replacement()).then(Vec::new);
        Self { rewriter, held, is_withheld: false, unwritten: None }
    }

    /// Writes a function, and what comes before it.
    fn add(&mut self, index: usize, new: Option<Result<Rewritten, String>>, console: &mut Console) -> io::Result<()> {
        match new {
            Some(Ok(new)) if !self.is_withheld => self.rewriter.write(index, &new, out(&mut self.held, console)),
            Some(Err(reason)) => {
                self.is_withheld = true;
                self.unwritten.get_or_insert(reason);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Writes the rest. The number of orders of uses that were dropped.
    fn finish(mut self, console: &mut Console) -> io::Result<usize> {
        if self.is_withheld {
            return Ok(0);
        }
        let num_dropped = self.rewriter.finish(out(&mut self.held, console))?;
        console.output.write_all(&self.held.unwrap_or_default())?;
        Ok(num_dropped)
    }
}

/// Where a program is written.
fn out<'o>(held: &'o mut Option<Vec<u8>>, console: &'o mut Console) -> &'o mut dyn Write {
    match held {
        Some(held) => held,
        None => &mut console.output,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Answer;
    use super::{Early, MOST_KEPT, Writing};
    use crate::console::Console;
    use crate::source::{Rewriter, Rewritten};
    use std::io::{self, Write};
    use std::{env, process};

    /// A program of nothing but functions.
    struct Functions;

    impl Rewriter for Functions {
        fn to_note(&self) -> &[usize] {
            &[]
        }

        fn note(&mut self, _: usize, _: &Rewritten) {}

        fn write(&mut self, _: usize, new: &Rewritten, out: &mut dyn Write) -> io::Result<()> {
            out.write_all(new.text.as_bytes())
        }

        fn finish(self: Box<Self>, _: &mut dyn Write) -> io::Result<usize> {
            Ok(0)
        }
    }

    #[test]
    fn functions_are_kept_while_there_is_room_for_their_texts() {
        let answer = |len: usize| {
            let new = Rewritten { text: "x".repeat(len), renumbered_blocks: Vec::new() };
            Answer { rewritten: Some(Ok(new)), ..Answer::default() }
        };
        let mut early = Early::default();
        early.keep(1, answer(MOST_KEPT - 1));
        early.keep(2, Answer::default());
        early.keep(4, answer(2));
        early.keep(5, answer(1));
        let (kept, answers) = early.into_parts();
        assert_eq!((&*kept, answers.len()), (&[1, 5][..], 2), "neither what is not written nor what is too long");
    }

    #[cfg(unix)]
    #[test]
    fn only_a_file_is_written_before_the_last_function_is_judged() {
        let file = env::temp_dir().join(format!("ssaphire-opt-in-place-{}", process::id()));
        for (output, is_held) in [("/dev/null", true), (file.to_str().unwrap(), false)] {
            let mut console = Console::new(Some(output), false).unwrap();
            let mut writing = Writing::new(Box::new(Functions), &console);
            let new = |text: &str| Rewritten { text: text.to_owned(), renumbered_blocks: Vec::new() };
            let functions = [Some(Ok(new("a"))), None, Some(Err("b".to_owned())), Some(Ok(new("c")))];
            for (index, function) in functions.into_iter().enumerate() {
                writing.add(index, function, &mut console).unwrap();
            }
            assert_eq!(
                writing.held.as_deref(),
                is_held.then_some(&b"a"[..]),
                "nothing after one that cannot be written"
            );
            assert_eq!((writing.is_withheld, writing.unwritten.as_deref()), (true, Some("b")));
            writing.finish(&mut console).unwrap();
            let written = console.output.buffer().to_vec();
            assert_eq!(written, if is_held { &b""[..] } else { b"a" });
            drop(console.output.into_parts());
        }
        assert!(!file.exists());
    }
}
