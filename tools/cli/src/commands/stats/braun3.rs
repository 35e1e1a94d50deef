//! `ssaphire stats --table braun3`: Table 3 of Braun et al. 2013, for any functions.
//!
//! Nodes are instructions, terminators included, and phis, those left out that have no effect and that nothing uses: a graph of
//! nodes does not reach them. Construction is what the front end takes from its input to SSA form; behind it come all passes
//! that there are, in the order of [`Pass::ALL`]. Times are the least of [`RUNS`] runs.
//!
//! # Departures
//! The paper counts nodes of libFirm's graphs, and the time of its whole front end. Functions in memory form are promoted before, and
//! that is not part of the times.

use super::Status;
use super::gather::Gathered;
use super::measured::{self, Measured, ratio};
use crate::arguments::StatsArguments;
use crate::console::Console;
use crate::construction::CertifiedBuilder;
use crate::diagnostic::Failure;
use crate::input::Input;
use crate::pipeline::Pipeline;
use crate::source::{Translator, Untranslated};
use ssaphire::fold::FoldOptions;
use ssaphire_ir::passes::{Pass, PassOptions};
use std::ops::AddAssign;
use std::time::{Duration, Instant};

/// The least time of so many runs counts.
const RUNS: usize = 3;

/// One way to the end: without or with folding.
#[derive(Clone, Copy, Default)]
struct Way {
    nodes: u64,
    construction: Duration,
    nodes_after: u64,
    /// Construction and passes.
    total: Duration,
}

/// One function, or the sum of several: without folding, and with it.
#[derive(Clone, Copy, Default)]
struct Pair([Way; 2]);

impl AddAssign for Pair {
    fn add_assign(&mut self, other: Self) {
        for (sum, way) in self.0.iter_mut().zip(other.0) {
            sum.nodes += way.nodes;
            sum.construction += way.construction;
            sum.nodes_after += way.nodes_after;
            sum.total += way.total;
        }
    }
}

/// What builds functions without folding, and with it.
struct Worker<'i> {
    translators: [Box<dyn Translator + 'i>; 2],
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
        let mut translators = [None, Some(FoldOptions::ALL)].map(|fold| input.source.translator(fold));
        translators.iter_mut().for_each(|translator| translator.promote_slots());
        Worker { translators, ssa }
    };
    let gathered = Gathered::by_workers(inputs, pipeline, console, new_worker, Worker::measure);
    measured::write(arguments, &gathered, console)
}

impl Worker<'_> {
    fn measure(&mut self, index: usize) -> Result<Pair, Untranslated> {
        let mut ways: [Option<Way>; 2] = [None; 2];
        for _ in 0..RUNS {
            for (translator, least) in self.translators.iter_mut().zip(&mut ways) {
                let way = measure(&mut **translator, &mut self.ssa, index)?;
                let before = least.unwrap_or(way);
                *least = Some(Way {
                    construction: way.construction.min(before.construction),
                    total: way.total.min(before.total),
                    ..way
                });
            }
        }
        Ok(Pair(ways.map(Option::unwrap_or_default)))
    }
}

fn measure(translator: &mut dyn Translator, ssa: &mut CertifiedBuilder, index: usize) -> Result<Way, Untranslated> {
    let start = Instant::now();
    let mut function = translator.build(index, ssa)?.function;
    let construction = start.elapsed();
    let nodes = nodes(&*function);
    let start = Instant::now();
    for &pass in Pass::ALL {
        function.run_pass(pass, PassOptions::default()).map_err(Untranslated::because)?;
    }
    let total = construction + start.elapsed();
    Ok(Way { nodes, construction, nodes_after: self::nodes(&*function), total })
}

fn nodes(function: &dyn crate::built::Built) -> u64 {
    let size = function.size();
    size.insts + size.phis - function.num_unused()
}

impl Pair {
    /// Nodes, construction time and total time with folding, as parts of those without.
    fn parts(&self) -> [Option<f64>; 3] {
        let Self([plain, folded]) = self;
        [
            ratio(folded.nodes as f64, plain.nodes as f64),
            ratio(folded.construction.as_secs_f64(), plain.construction.as_secs_f64()),
            ratio(folded.total.as_secs_f64(), plain.total.as_secs_f64()),
        ]
    }
}

fn microseconds(duration: Duration) -> u64 {
    duration.as_nanos().div_ceil(1000) as u64
}

impl Measured for Pair {
    const FORMAT: &'static str = "ssaphire-stats-braun3/1";
    const TITLES: &'static [&'static str] = &["nodes", "built in us", "nodes after passes", "total us"];

    fn figures(&self) -> Vec<(String, u64)> {
        let Self([plain, folded]) = self;
        let named = [
            ("nodes", plain.nodes),
            ("nodes_folded", folded.nodes),
            ("construction_us", microseconds(plain.construction)),
            ("construction_folded_us", microseconds(folded.construction)),
            ("nodes_after", plain.nodes_after),
            ("nodes_after_folded", folded.nodes_after),
            ("total_us", microseconds(plain.total)),
            ("total_folded_us", microseconds(folded.total)),
        ];
        named.map(|(name, figure)| (name.to_owned(), figure)).into()
    }

    fn ratios(&self) -> Vec<(&'static str, Option<f64>)> {
        ["nodes_ratio", "construction_ratio", "total_ratio"].into_iter().zip(self.parts()).collect()
    }

    fn ways(&self) -> Vec<(&'static str, Vec<String>)> {
        let cells = |way: &Way| {
            let Way { nodes, construction, nodes_after, total } = *way;
            [nodes, microseconds(construction), nodes_after, microseconds(total)].map(|count| count.to_string()).into()
        };
        let percent = |ratio: Option<f64>| ratio.map_or("-".to_owned(), |ratio| format!("{:.1}", 100.0 * ratio));
        let [nodes, construction, total] = self.parts().map(percent);
        let Self([plain, folded]) = self;
        vec![
            ("plain", cells(plain)),
            ("folded", cells(folded)),
            ("folded, %", vec![nodes, construction, String::new(), total]),
        ]
    }
}
