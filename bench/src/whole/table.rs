//! The comparison as a table.

use super::{Outcome, Refused, Way, ask_memory};
use crate::failure::Failure;
use crate::record::Record;
use crate::table::{Table, thousands};
use std::fs;
use std::path::Path;
use std::time::Duration;

/// A program of the corpus: its name and its file.
pub type Program = (&'static str, &'static str);

/// The programs, the smallest first.
pub const PROGRAMS: [Program; 4] =
    [("sql.js", "sql-wasm.wasm"), ("esbuild", "esbuild.wasm"), ("swc", "swc.wasm"), ("duckdb", "duckdb-mvp.wasm")];

/// One way of one module.
#[derive(Clone, Debug)]
struct Line {
    way: Way,
    /// The shortest time.
    result: Result<(Outcome, Duration), Refused>,
    /// Bytes of heap at most, allocations.
    memory: Option<(u64, u64)>,
}

/// A module with what came of it each way.
#[derive(Clone, Debug)]
pub struct Comparison {
    name: String,
    lines: Vec<Line>,
}

impl Comparison {
    /// Goes each way `runs` times, in turn.
    ///
    /// # Errors
    /// If the module cannot be read.
    pub fn measure(name: &str, file: &Path, runs: usize) -> Result<Self, Failure> {
        let bytes = fs::read(file).map_err(Failure::file(file))?;
        let mut lines: Vec<_> =
            Way::ALL.into_iter().map(|way| Line { way, result: way.go(&bytes), memory: None }).collect();
        for _ in 1..runs {
            for line in &mut lines {
                let Ok((_, best)) = &mut line.result else { continue };
                if let Ok((_, time)) = line.way.go(&bytes) {
                    *best = time.min(*best);
                }
            }
        }
        for line in lines.iter_mut().filter(|line| line.result.is_ok()) {
            line.memory = ask_memory(line.way, file).ok();
        }
        Ok(Self { name: name.to_owned(), lines })
    }

    fn seconds(&self, way: Way) -> Option<f64> {
        let line = self.lines.iter().find(|line| line.way == way)?;
        Some(line.result.as_ref().ok()?.1.as_secs_f64())
    }

    /// How many times as long `waffle` takes: as it is, and after a pass of validation.
    pub fn ratios(&self, way: Way) -> Option<(f64, f64)> {
        if !matches!(way, Way::Kept | Way::Streamed) {
            return None;
        }
        let (waffle, validation) = (self.seconds(Way::Waffle)?, self.seconds(Way::Validation)?);
        let ours = self.seconds(way)?;
        Some((waffle / ours, (waffle + validation) / ours))
    }

    /// The table.
    pub fn table(&self) -> Table {
        let headings = ["ms", "x waffle", "x waffle + validation", "peak KB", "allocations", "blocks", "phis"];
        let mut table = Table::new([self.name.as_str()].into_iter().chain(headings));
        for line in &self.lines {
            let mut cells = vec![line.way.name().to_owned()];
            match &line.result {
                Ok((outcome, time)) => cells.extend(self.cells(line, outcome, *time)),
                Err(refused) => cells.push(format!("refused: {refused}")),
            }
            table.line(cells);
        }
        table
    }

    fn cells(&self, line: &Line, outcome: &Outcome, time: Duration) -> [String; 7] {
        let ratio = |ratio: Option<f64>| ratio.map_or(String::new(), |ratio| format!("{ratio:.2}"));
        let ratios = self.ratios(line.way);
        let count = |count: Option<u64>| count.map_or(String::new(), thousands);
        let has_ssa = (outcome.functions > 0).then_some(outcome);
        [
            format!("{:.1}", time.as_secs_f64() * 1e3),
            ratio(ratios.map(|(bare, _)| bare)),
            ratio(ratios.map(|(_, valid)| valid)),
            count(line.memory.map(|(peak, _)| peak / 1_000)),
            count(line.memory.map(|(_, allocations)| allocations)),
            count(has_ssa.map(|outcome| outcome.blocks)),
            count(has_ssa.map(|outcome| outcome.phis)),
        ]
    }

    /// Adds every figure to the record.
    pub fn add_to(&self, record: &mut Record) {
        for line in &self.lines {
            let mut add = |measure, value| record.add("whole", &self.name, line.way.name(), measure, value);
            let Ok((outcome, time)) = &line.result else {
                add("refused", 1.0);
                continue;
            };
            add("milliseconds", time.as_secs_f64() * 1e3);
            if let Some((peak, allocations)) = line.memory {
                add("peak bytes", peak as f64);
                add("allocations", allocations as f64);
            }
            if outcome.functions > 0 {
                add("blocks", outcome.blocks as f64);
                add("phis", outcome.phis as f64);
            }
        }
    }
}
