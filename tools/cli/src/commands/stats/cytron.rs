//! `ssaphire stats --table cytron`: section 8 of Cytron et al. 1991, for any functions.
//!
//! # Departures
//! Those of [`ssaphire_ir::measure`].

use super::gather::{Gathered, Row};
use super::{Status, plots, quoted};
use crate::arguments::StatsArguments;
use crate::console::Console;
use crate::diagnostic::{Failure, plain};
use crate::input::Input;
use crate::pipeline::Pipeline;
use crate::table::{Align, Table};
use serde_json::{Map, Value as Json, json};
use ssaphire_ir::measure::{Measure, Measurements, Summary};
use std::io::Write;

/// What is shown of the sum over an input.
const OF_INPUTS: [Measure; 7] = [
    Measure::Statements,
    Measure::Frontiers,
    Measure::ControlDependences,
    Measure::Phis,
    Measure::AverageFrontier,
    Measure::AssignmentExpansion,
    Measure::MentionExpansion,
];

type Report<'i> = Gathered<'i, Measurements>;

pub(super) fn run(
    arguments: &StatsArguments,
    inputs: &[Input],
    pipeline: &Pipeline,
    console: &mut Console,
) -> Result<Status, Failure> {
    let (construction, steps) = (arguments.engine.construction(), arguments.engine.steps());
    let report: Report<'_> = Gathered::new(inputs, &construction, pipeline, console, |translator, _, index| {
        translator.measure(index, steps)
    });
    if console.is_json {
        console.json(&report.to_json())?;
    } else if arguments.csv {
        report.write_csv(console)?;
    } else if arguments.svg {
        plots::write(&report.counts().copied().collect::<Vec<_>>(), &mut console.output)?;
    } else {
        report.write_tables(console)?;
    }
    Ok(Status::finding_if(report.failed > 0))
}

impl Report<'_> {
    fn counts(&self) -> impl Iterator<Item = &Measurements> + Clone {
        self.rows.iter().map(|row| &row.counts)
    }

    fn write_tables(&self, console: &mut Console) -> Result<(), Failure> {
        let (width, styles) = (console.width(), console.styles);
        let titles = ["min", "median", "95 %", "max", "correlation"];
        let head = [("per function", Align::Left)].into_iter().chain(titles.map(|title| (title, Align::Right)));
        let mut table = Table::new(head);
        for &measure in Measure::ALL {
            let Some(summary) = measure.summary(self.counts()) else { continue };
            let Summary { min, median, percentile_95, max, correlation } = summary;
            let figures = [min, median, percentile_95, max].map(|figure| shown(measure, Some(figure)));
            let correlation = correlation.map_or_else(|| "-".to_owned(), |correlation| format!("{correlation:.2}"));
            table.row([measure.name().to_owned()].into_iter().chain(figures).chain([correlation]));
        }
        table.write(width, &styles, &mut console.output)?;
        writeln!(console.output)?;
        let head = [("per input", Align::Left), ("functions", Align::Right)].into_iter();
        let mut table = Table::new(head.chain(OF_INPUTS.map(|measure| (measure.name(), Align::Right))));
        for (number, input) in self.inputs.iter().enumerate() {
            let (functions, sum) = self.sum(number);
            let figures = OF_INPUTS.map(|measure| shown(measure, measure.of(&sum)));
            table.row([plain(&input.name), functions.to_string()].into_iter().chain(figures));
        }
        Ok(table.write(width, &styles, &mut console.output)?)
    }

    fn write_csv(&self, console: &mut Console) -> Result<(), Failure> {
        let titles = Measure::ALL.iter().map(|measure| measure.name()).collect::<Vec<_>>().join(",");
        writeln!(console.output, "input,index,function,{titles}")?;
        for Row { input, index, name, counts } in &self.rows {
            let (input, name) = (quoted(&self.inputs[*input].name), quoted(name));
            let figure = |measure: &Measure| measure.of(counts).map_or_else(String::new, |it| it.to_string());
            let figures: Vec<String> = Measure::ALL.iter().map(figure).collect();
            writeln!(console.output, "{input},{index},{name},{}", figures.join(","))?;
        }
        Ok(())
    }

    fn to_json(&self) -> Json {
        let function = |row: &Row<Measurements>| {
            let mut object = titled(&row.counts);
            object.insert("input".to_owned(), self.inputs[row.input].name.as_str().into());
            object.insert("index".to_owned(), row.index.into());
            object.insert("name".to_owned(), row.name.as_str().into());
            Json::Object(object)
        };
        let input = |number: usize| {
            let (functions, sum) = self.sum(number);
            let mut object = titled(&sum);
            object.insert("name".to_owned(), self.inputs[number].name.as_str().into());
            object.insert("functions".to_owned(), functions.into());
            Json::Object(object)
        };
        let summary = |measure: &Measure| {
            let json = measure.summary(self.counts()).map(|Summary { min, median, percentile_95, max, correlation }| {
                json!({ "min": min, "median": median, "p95": percentile_95, "max": max, "correlation": correlation })
            });
            (measure.name().to_owned(), json.into())
        };
        json!({
            "format": "ssaphire-stats-cytron/1",
            "functions": self.rows.iter().map(function).collect::<Json>(),
            "inputs": (0..self.inputs.len()).map(input).collect::<Json>(),
            "summary": Measure::ALL.iter().map(summary).collect::<Map<String, Json>>(),
            "not_built": self.failed,
        })
    }
}

/// A figure for people.
fn shown(measure: Measure, figure: Option<f64>) -> String {
    match figure {
        None => "-".to_owned(),
        Some(figure) if measure.is_ratio() => format!("{figure:.2}"),
        Some(figure) => figure.to_string(),
    }
}

fn titled(counts: &Measurements) -> Map<String, Json> {
    let figure = |measure: &Measure| {
        let figure = measure.of(counts);
        let json = figure.map_or(Json::Null, |it| if measure.is_ratio() { it.into() } else { (it as u64).into() });
        (measure.name().to_owned(), json)
    };
    Measure::ALL.iter().map(figure).collect()
}
