//! The command `exhaustive`: all small functions, built in all orders and judged.
//!
//! Graphs are numbered, and threads take one after another; what is counted
//! does not depend on how many threads there are. A part of a space can be run
//! by itself, on another machine or another day: the counts of all parts add up.

use clap::Args;
use ssaphire_literature::Engine;
use ssaphire_tests::Part;
use ssaphire_tests::small::{Census, Counts, Finding, Share, Space, Survey};
use std::io::{self, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

/// What to build.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Space to go through; all where none is named
    #[arg(long = "space", value_name = "NAME", value_parser = space)]
    spaces: Vec<Space>,
    /// Engine to build with; the default engine where none is named
    #[arg(long = "engine", value_name = "NAME")]
    engines: Vec<Engine>,
    /// Graphs to take: the K-th of N parts of about the same size
    #[arg(long, value_name = "K/N", default_value = "1/1")]
    part: Part,
    /// Number of threads; one per processor where none is given
    #[arg(long, value_name = "NUMBER")]
    threads: Option<NonZeroUsize>,
}

fn space(name: &str) -> Result<Space, String> {
    let spaces = Space::long();
    let names: Vec<&str> = spaces.iter().map(|space| space.name).collect();
    let message = format!("unknown space; choose one of {}", names.join(", "));
    spaces.into_iter().find(|space| space.name == name).ok_or(message)
}

/// Goes through the spaces: one line each.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Box<Finding>> {
    let spaces = if arguments.spaces.is_empty() { Space::long() } else { arguments.spaces.clone() };
    let engines = if arguments.engines.is_empty() { vec![Engine::default()] } else { arguments.engines.clone() };
    let threads = arguments.threads.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
    let names: Vec<&str> = engines.iter().map(|engine| engine.name()).collect();
    println!("engines: {}; threads: {threads}", names.join(", "));
    println!(
        "{:<12} {:>8} {:>13} {:>12} {:>13} {:>13} {:>13} {:>8}",
        "space", "graphs", "cases", "judged", "phis made", "phis kept", "redundant", "seconds"
    );
    for space in spaces {
        let (name, start) = (space.name, Instant::now());
        let survey = Survey::new(space, engines.iter().copied().map(Share::all).collect());
        let counts = Run::new(name, &survey, arguments.part).all(threads)?;
        let Counts { graphs, cases, judged, stats, .. } = counts;
        println!(
            "{name:<12} {graphs:>8} {cases:>13} {judged:>12} {:>13} {:>13} {:>13} {:>8.1}",
            stats.phis_made,
            stats.phis_kept,
            stats.redundant_phis,
            start.elapsed().as_secs_f64()
        );
    }
    Ok(())
}

/// A space on its way through some threads.
struct Run<'a> {
    name: &'a str,
    survey: &'a Survey,
    graphs: Vec<usize>,
    /// Number of graphs that a thread has taken.
    taken: AtomicUsize,
    /// Something was found: nobody takes another graph.
    is_over: AtomicBool,
    shows_progress: bool,
}

impl<'a> Run<'a> {
    fn new(name: &'a str, survey: &'a Survey, part: Part) -> Self {
        let graphs = part.cases(0..survey.num_graphs() as u64).map(|graph| graph as usize).collect();
        let (taken, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
        Self { name, survey, graphs, taken, is_over, shows_progress: io::stderr().is_terminal() }
    }

    /// What was counted, or the first case found wrong.
    fn all(&self, threads: usize) -> Result<Counts, Box<Finding>> {
        let mut counts = Counts::default();
        let result = thread::scope(|scope| {
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(|| self.work())).collect();
            for worker in workers {
                counts += worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            }
            Ok(())
        });
        if self.shows_progress {
            self.show("");
        }
        result.map(|()| counts)
    }

    /// One thread: graph after graph.
    fn work(&self) -> Result<Counts, Box<Finding>> {
        let mut census = Census::default();
        while !self.is_over.load(Ordering::Relaxed) {
            let place = self.taken.fetch_add(1, Ordering::Relaxed);
            let Some(&graph) = self.graphs.get(place) else { break };
            let result = census.check_graph(self.survey, graph);
            if result.is_err() {
                self.is_over.store(true, Ordering::Relaxed);
            }
            result?;
            let percent = |graphs: usize| 100 * graphs / self.graphs.len();
            if self.shows_progress && percent(place) != percent(place + 1) {
                self.show(&format!("{}: {} %", self.name, percent(place + 1)));
            }
        }
        Ok(*census.counts())
    }

    /// Shows `text` in place of what was shown last. That a terminal is gone is no reason to stop.
    fn show(&self, text: &str) {
        let _ = write!(io::stderr(), "\r{text:<24}\r");
    }
}

#[cfg(test)]
mod tests {
    use super::{Run, space};
    use ssaphire_literature::Engine;
    use ssaphire_tests::small::{Counts, Orders, Share, Space, Survey};

    #[test]
    fn names_are_those_of_spaces() {
        assert_eq!(space("wide-four").unwrap().num_blocks, 4);
        assert!(space("six").unwrap_err().contains("five, wide-four"));
    }

    #[test]
    fn parts_and_threads_add_up() {
        let survey = Survey::new(Space::plain("three", 3, Orders::Two), vec![Share::all(Engine::default())]);
        let part = |part: &str, threads| Run::new("three", &survey, part.parse().unwrap()).all(threads).unwrap();
        let whole = part("1/1", 1);
        assert_eq!((whole.graphs, whole.cases), (18, 18 * 56 * 2 * 3));
        let mut sum = Counts::default();
        ["1/4", "2/4", "3/4", "4/4"].iter().for_each(|text| sum += part(text, 1));
        assert_eq!(sum, whole);
        assert_eq!(part("1/1", 3), whole);
    }

    #[test]
    fn the_graphs_of_the_long_spaces_are_all_there() {
        let counts = |space: &Space| (space.graphs().1.raw, space.graphs().1.canonical);
        let found: Vec<_> = Space::long().iter().map(counts).collect();
        assert_eq!(found, [(161_051, 2_773), (50_625, 2_215), (4_084_101, 35_451), (64, 18), (2_401, 190)]);
    }
}
