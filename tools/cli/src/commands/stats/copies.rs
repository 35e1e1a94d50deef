//! `ssaphire stats --table copies`: what leaving SSA form costs, by method.
//!
//! Cytron et al. 1991, section 7, replace each phi by copies, and expect dead code elimination and coloring to remove most of
//! them. The rows are these steps, and coalescing as it came to be (Boissinot et al. 2009): copies in the
//! function, and copies executed if a loop is executed ten times for each time it is entered.
//!
//! # Departures
//! Cytron et al. color by variable, and give no figures; here any values of one type share locations.

use super::Status;
use super::gather::Gathered;
use super::measured::{self, Measured};
use crate::arguments::StatsArguments;
use crate::console::Console;
use crate::construction::CertifiedBuilder;
use crate::diagnostic::Failure;
use crate::input::Input;
use crate::pipeline::Pipeline;
use crate::source::{Translator, Untranslated};
use ssaphire::destruct::{Counted, Method};
use ssaphire_ir::passes::{Pass, PassOptions};
use std::ops::AddAssign;

/// The ways: whether dead code is removed before, the method, a name where machines read it, and a title for people.
const WAYS: [(bool, Method, &str, &str); 4] = [
    (false, Method::Naive, "naive", "naive"),
    (true, Method::Naive, "dead_code_naive", "without dead code"),
    (true, Method::Coloring, "dead_code_coloring", "and by coloring"),
    (false, Method::Coalescing, "coalescing", "coalescing"),
];

/// Copies of one function, or of several, by way; and what there is to copy.
#[derive(Clone, Copy, Default)]
struct Copies {
    phis: u64,
    ways: [Counted; WAYS.len()],
}

impl AddAssign for Copies {
    fn add_assign(&mut self, other: Self) {
        self.phis += other.phis;
        for (sum, counted) in self.ways.iter_mut().zip(other.ways) {
            sum.copies += counted.copies;
            sum.executed = sum.executed.saturating_add(counted.executed);
        }
    }
}

struct Worker<'i> {
    translator: Box<dyn Translator + 'i>,
    ssa: CertifiedBuilder,
}

pub(super) fn run<'i>(
    arguments: &StatsArguments,
    inputs: &'i [Input],
    pipeline: &Pipeline,
    console: &mut Console,
) -> Result<Status, Failure> {
    let construction = arguments.engine.construction();
    let new_worker = |input: &'i Input| -> Worker<'i> {
        let mut ssa = construction.builder();
        ssa.set_recording(false);
        let mut translator = input.source.translator(None);
        translator.promote_slots();
        Worker { translator, ssa }
    };
    let gathered = Gathered::by_workers(inputs, pipeline, console, new_worker, Worker::count);
    measured::write(arguments, &gathered, console)
}

impl Worker<'_> {
    fn count(&mut self, index: usize) -> Result<Copies, Untranslated> {
        let mut function = self.translator.build(index, &mut self.ssa)?.function;
        let mut copies = Copies { phis: function.size().phis, ..Copies::default() };
        for removes_dead_code in [false, true] {
            if removes_dead_code {
                function.run_pass(Pass::DeadCode, PassOptions::default()).map_err(Untranslated::because)?;
            }
            for ((_, method, ..), counted) in
                WAYS.iter().zip(&mut copies.ways).filter(|(way, _)| way.0 == removes_dead_code)
            {
                *counted = function.count_copies(*method).map_err(Untranslated::because)?;
            }
        }
        Ok(copies)
    }
}

impl Measured for Copies {
    const FORMAT: &'static str = "ssaphire-stats-copies/1";
    const TITLES: &'static [&'static str] = &["phis", "copies", "copies executed"];

    fn figures(&self) -> Vec<(String, u64)> {
        let ways = || WAYS.iter().zip(&self.ways);
        let copies = ways().map(|((.., name, _), way)| ((*name).to_owned(), way.copies));
        let executed = ways().map(|((.., name, _), way)| (format!("{name}_executed"), way.executed));
        [("phis".to_owned(), self.phis)].into_iter().chain(copies).chain(executed).collect()
    }

    fn ways(&self) -> Vec<(&'static str, Vec<String>)> {
        let phis = [self.phis.to_string()].into_iter().chain(std::iter::repeat(String::new()));
        let ways = WAYS.iter().zip(&self.ways).zip(phis);
        ways.map(|(((.., title), way), phis)| (*title, vec![phis, way.copies.to_string(), way.executed.to_string()]))
            .collect()
    }
}
