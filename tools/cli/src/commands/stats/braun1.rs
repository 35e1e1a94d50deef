//! `ssaphire stats --table braun1`: Table 1 of Braun et al. 2013, for any functions.
//!
//! # Departures
//! Those of [`ssaphire_ir::measure`].

use super::Status;
use super::gather::Gathered;
use super::measured::{self, Measured};
use crate::arguments::StatsArguments;
use crate::console::Console;
use crate::diagnostic::Failure;
use crate::input::Input;
use crate::pipeline::Pipeline;
use ssaphire_ir::measure::{Detour, FormSize};
use ssaphire_literature::Engine;

pub(super) fn run(
    arguments: &StatsArguments,
    inputs: &[Input],
    pipeline: &Pipeline,
    console: &mut Console,
) -> Result<Status, Failure> {
    let construction = arguments.engine.construction_by(Engine::Marker);
    let gathered =
        Gathered::new(inputs, &construction, pipeline, console, |translator, ssa, index| translator.detour(index, ssa));
    measured::write(arguments, &gathered, console)
}

impl Measured for Detour {
    const FORMAT: &'static str = "ssaphire-stats-braun1/1";
    const TITLES: &'static [&'static str] = &["instructions", "memory ops", "phis", "of mem2reg's"];

    fn figures(&self) -> Vec<(String, u64)> {
        let Self { slots, promoted, direct, .. } = self;
        let named = [
            ("memory_instructions", slots.instructions),
            ("memory_operations", slots.memory),
            ("mem2reg_instructions", promoted.instructions),
            ("mem2reg_operations", promoted.memory),
            ("mem2reg_phis", promoted.phis),
            ("direct_instructions", direct.instructions),
            ("direct_operations", direct.memory),
            ("direct_phis", direct.phis),
        ];
        named.map(|(name, figure)| (name.to_owned(), figure)).into()
    }

    fn ratios(&self) -> Vec<(&'static str, Option<f64>)> {
        vec![("ratio", self.ratio())]
    }

    fn ways(&self) -> Vec<(&'static str, Vec<String>)> {
        let cells = |size: &FormSize, ratio: String| {
            [size.instructions, size.memory, size.phis]
                .map(|count| count.to_string())
                .into_iter()
                .chain([ratio])
                .collect()
        };
        let ratio = self.ratio().map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.3}"));
        vec![
            ("memory form", cells(&self.slots, String::new())),
            ("mem2reg", cells(&self.promoted, String::new())),
            ("direct", cells(&self.direct, ratio)),
        ]
    }
}
