//! `ssaphire stats --table braun1`: Table 1 of Braun et al. 2013, for any functions.
//!
//! # Departures
//! Those of [`ssaphire_ir::measure`].

use super::gather::Gathered;
use super::{Status, quoted};
use crate::arguments::StatsArguments;
use crate::console::Console;
use crate::diagnostic::{Failure, plain};
use crate::input::Input;
use crate::pipeline::Pipeline;
use crate::table::{Align, Table};
use serde_json::{Map, Value as Json, json};
use ssaphire_ir::measure::Detour;
use ssaphire_literature::Engine;
use std::io::Write;

/// The columns: in memory form, after mem2reg, made at once; and the last instructions by those before.
const TITLES: [&str; 9] = [
    "memory: instructions",
    "memory ops",
    "mem2reg: instructions",
    "memory ops",
    "phis",
    "direct: instructions",
    "memory ops",
    "phis",
    "direct/mem2reg",
];

/// The names of the counts where machines read them.
const NAMES: [&str; 8] = [
    "memory_instructions",
    "memory_operations",
    "mem2reg_instructions",
    "mem2reg_operations",
    "mem2reg_phis",
    "direct_instructions",
    "direct_operations",
    "direct_phis",
];

pub(super) fn run(
    arguments: &StatsArguments,
    inputs: &[Input],
    pipeline: &Pipeline,
    console: &mut Console,
) -> Result<Status, Failure> {
    let construction = arguments.engine.construction_by(Engine::Marker);
    let gathered =
        Gathered::new(inputs, &construction, pipeline, console, |translator, ssa, index| translator.detour(index, ssa));
    if console.is_json {
        console.json(&to_json(&gathered))?;
    } else if arguments.csv {
        write_csv(&gathered, console)?;
    } else {
        write_table(&gathered, console)?;
    }
    Ok(Status::finding_if(gathered.failed > 0))
}

fn counts(Detour { slots, promoted, direct, .. }: &Detour) -> [u64; NAMES.len()] {
    [
        slots.instructions,
        slots.memory,
        promoted.instructions,
        promoted.memory,
        promoted.phis,
        direct.instructions,
        direct.memory,
        direct.phis,
    ]
}

fn write_table(gathered: &Gathered<'_, Detour>, console: &mut Console) -> Result<(), Failure> {
    let head = [("per input", Align::Left), ("functions", Align::Right)].into_iter();
    let mut table = Table::new(head.chain(TITLES.map(|title| (title, Align::Right))));
    for (number, input) in gathered.inputs.iter().enumerate() {
        let (functions, sum) = gathered.sum(number);
        let ratio = sum.ratio().map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.3}"));
        let figures = counts(&sum).map(|count| count.to_string());
        table.row([plain(&input.name), functions.to_string()].into_iter().chain(figures).chain([ratio]));
    }
    Ok(table.write(console.width(), &console.styles, &mut console.output)?)
}

fn write_csv(gathered: &Gathered<'_, Detour>, console: &mut Console) -> Result<(), Failure> {
    writeln!(console.output, "input,index,function,{}", NAMES.join(","))?;
    for row in &gathered.rows {
        let (input, name) = (quoted(&gathered.inputs[row.input].name), quoted(&row.name));
        let counts = counts(&row.counts).map(|count| count.to_string()).join(",");
        writeln!(console.output, "{input},{},{name},{counts}", row.index)?;
    }
    Ok(())
}

fn to_json(gathered: &Gathered<'_, Detour>) -> Json {
    let titled = |detour: &Detour| -> Map<String, Json> {
        let pairs = NAMES.iter().zip(counts(detour)).map(|(name, count)| ((*name).to_owned(), count.into()));
        pairs.chain([("ratio".to_owned(), detour.ratio().into())]).collect()
    };
    let functions = gathered.rows.iter().map(|row| {
        let mut object = titled(&row.counts);
        object.insert("input".to_owned(), gathered.inputs[row.input].name.as_str().into());
        object.insert("index".to_owned(), row.index.into());
        object.insert("name".to_owned(), row.name.as_str().into());
        Json::Object(object)
    });
    let inputs = gathered.inputs.iter().enumerate().map(|(number, input)| {
        let (functions, sum) = gathered.sum(number);
        let mut object = titled(&sum);
        object.insert("name".to_owned(), input.name.as_str().into());
        object.insert("functions".to_owned(), functions.into());
        Json::Object(object)
    });
    json!({
        "format": "ssaphire-stats-braun1/1",
        "functions": functions.collect::<Json>(),
        "inputs": inputs.collect::<Json>(),
        "not_built": gathered.failed,
    })
}
