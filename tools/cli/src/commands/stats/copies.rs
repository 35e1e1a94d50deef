//! `ssaphire stats --table copies`: what leaving SSA form costs, by method.
//!
//! Cytron et al. 1991, section 7, replace each phi by copies, and expect dead code elimination and coloring to remove most of
//! them. The columns are these steps, and coalescing as it came to be (Boissinot et al. 2009): copies in the
//! function, and copies executed if a loop is executed ten times for each time it is entered.
//!
//! # Departures
//! Cytron et al. color by variable, and give no figures; here any values of one type share locations.

use super::gather::Gathered;
use super::{Status, quoted};
use crate::arguments::StatsArguments;
use crate::console::Console;
use crate::construction::CertifiedBuilder;
use crate::diagnostic::{Failure, plain};
use crate::input::Input;
use crate::pipeline::Pipeline;
use crate::source::{Translator, Untranslated};
use crate::table::{Align, Table};
use serde_json::{Map, Value as Json, json};
use ssaphire::destruct::{Counted, Method};
use ssaphire_ir::passes::{Pass, PassOptions};
use std::io::Write;
use std::ops::AddAssign;

/// The columns: whether dead code is removed before, the method, a name where machines read it, and a title for people.
const WAYS: [(bool, Method, &str, &str); 4] = [
    (false, Method::Naive, "naive", "naive"),
    (true, Method::Naive, "dead_code_naive", "dead code"),
    (true, Method::Coloring, "dead_code_coloring", "and coloring"),
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
    if console.is_json {
        console.json(&to_json(&gathered))?;
    } else if arguments.csv {
        write_csv(&gathered, console)?;
    } else {
        write_table(&gathered, console)?;
    }
    Ok(Status::finding_if(gathered.failed > 0))
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

/// The figures, in the order of [`WAYS`]: copies, then copies executed.
fn figures(copies: &Copies) -> impl Iterator<Item = u64> {
    let Copies { phis, ways } = *copies;
    [phis].into_iter().chain(ways.map(|way| way.copies)).chain(ways.map(|way| way.executed))
}

fn names() -> impl Iterator<Item = String> {
    let copies = WAYS.iter().map(|(.., name, _)| (*name).to_owned());
    let executed = WAYS.iter().map(|(.., name, _)| format!("{name}_executed"));
    ["phis".to_owned()].into_iter().chain(copies).chain(executed)
}

fn write_table(gathered: &Gathered<'_, Copies>, console: &mut Console) -> Result<(), Failure> {
    let head = [("per input", Align::Left), ("functions", Align::Right), ("phis", Align::Right)].into_iter();
    let titles = || WAYS.iter().map(|(.., title)| (*title, Align::Right));
    let executed = [("executed: naive", Align::Right)].into_iter().chain(titles().skip(1));
    let mut table = Table::new(head.chain(titles()).chain(executed));
    let (mut functions, mut sum) = (0, Copies::default());
    let mut row = |name: String, functions: usize, copies: &Copies| {
        table.row([name, functions.to_string()].into_iter().chain(figures(copies).map(|figure| figure.to_string())));
    };
    for (number, input) in gathered.inputs.iter().enumerate() {
        let (count, copies) = gathered.sum(number);
        functions += count;
        sum += copies;
        row(plain(&input.name), count, &copies);
    }
    if gathered.inputs.len() > 1 {
        row("sum".to_owned(), functions, &sum);
    }
    Ok(table.write(console.width(), &console.styles, &mut console.output)?)
}

fn write_csv(gathered: &Gathered<'_, Copies>, console: &mut Console) -> Result<(), Failure> {
    writeln!(console.output, "input,index,function,{}", names().collect::<Vec<_>>().join(","))?;
    for row in &gathered.rows {
        let (input, name) = (quoted(&gathered.inputs[row.input].name), quoted(&row.name));
        let figures: Vec<String> = figures(&row.counts).map(|figure| figure.to_string()).collect();
        writeln!(console.output, "{input},{},{name},{}", row.index, figures.join(","))?;
    }
    Ok(())
}

fn to_json(gathered: &Gathered<'_, Copies>) -> Json {
    let titled = |copies: &Copies| -> Map<String, Json> { names().zip(figures(copies).map(Json::from)).collect() };
    let functions = gathered.rows.iter().map(|row| {
        let mut object = titled(&row.counts);
        object.insert("input".to_owned(), gathered.inputs[row.input].name.as_str().into());
        object.insert("index".to_owned(), row.index.into());
        object.insert("name".to_owned(), row.name.as_str().into());
        Json::Object(object)
    });
    let mut total = Copies::default();
    let inputs: Json = gathered
        .inputs
        .iter()
        .enumerate()
        .map(|(number, input)| {
            let (functions, sum) = gathered.sum(number);
            total += sum;
            let mut object = titled(&sum);
            object.insert("name".to_owned(), input.name.as_str().into());
            object.insert("functions".to_owned(), functions.into());
            Json::Object(object)
        })
        .collect();
    json!({
        "format": "ssaphire-stats-copies/1",
        "functions": functions.collect::<Json>(),
        "inputs": inputs,
        "sum": titled(&total),
        "not_built": gathered.failed,
    })
}
