//! Tables of what was measured of each function: a row for each way to build or leave it.

use super::gather::Gathered;
use super::{Status, quoted};
use crate::arguments::StatsArguments;
use crate::console::Console;
use crate::diagnostic::{Failure, plain};
use crate::table::{Align, Table};
use serde_json::{Map, Value as Json, json};
use std::io::Write;
use std::ops::AddAssign;

/// What a table shows of one function, or of several in sum.
pub(super) trait Measured: Copy + Default + AddAssign + Send {
    /// The format of the JSON.
    const FORMAT: &'static str;
    /// The titles for people, after those of the input and the way.
    const TITLES: &'static [&'static str];

    /// The figures by name, where machines read them.
    fn figures(&self) -> Vec<(String, u64)>;

    /// Quotients of figures by name, where machines read them; none where the divisor is zero.
    fn ratios(&self) -> Vec<(&'static str, Option<f64>)> {
        Vec::new()
    }

    /// For people, the name of each way and its cells.
    fn ways(&self) -> Vec<(&'static str, Vec<String>)>;
}

/// Writes what was gathered, in the form that the arguments say.
pub(super) fn write<T: Measured>(
    arguments: &StatsArguments,
    gathered: &Gathered<'_, T>,
    console: &mut Console,
) -> Result<Status, Failure> {
    if console.is_json {
        console.json(&to_json(gathered))?;
    } else if arguments.csv {
        write_csv(gathered, console)?;
    } else {
        write_table(gathered, console)?;
    }
    Ok(Status::finding_if(gathered.failed > 0))
}

/// A number of functions, and their sum.
type Sum<T> = (usize, T);

/// The sums by input, and that of all inputs.
fn sums<T: Measured>(gathered: &Gathered<'_, T>) -> (Vec<Sum<T>>, Sum<T>) {
    let by_input: Vec<Sum<T>> = (0..gathered.inputs.len()).map(|number| gathered.sum(number)).collect();
    let total = by_input.iter().fold((0, T::default()), |(functions, mut total), &(more, sum)| {
        total += sum;
        (functions + more, total)
    });
    (by_input, total)
}

fn write_table<T: Measured>(gathered: &Gathered<'_, T>, console: &mut Console) -> Result<(), Failure> {
    let head = [("per input", Align::Left), ("functions", Align::Right), ("way", Align::Left)].into_iter();
    let mut table = Table::new(head.chain(T::TITLES.iter().map(|title| (*title, Align::Right))));
    let mut rows = |name: String, functions: usize, sum: &T| {
        for (place, (way, cells)) in sum.ways().into_iter().enumerate() {
            let [name, functions] =
                if place == 0 { [name.clone(), functions.to_string()] } else { [const { String::new() }; 2] };
            table.row([name, functions, way.to_owned()].into_iter().chain(cells));
        }
    };
    let (by_input, (functions, total)) = sums(gathered);
    let named = gathered.inputs.iter().zip(&by_input);
    named.for_each(|(input, (functions, sum))| rows(plain(&input.name), *functions, sum));
    if by_input.len() > 1 {
        rows("sum".to_owned(), functions, &total);
    }
    Ok(table.write(console.width(), &console.styles, &mut console.output)?)
}

fn write_csv<T: Measured>(gathered: &Gathered<'_, T>, console: &mut Console) -> Result<(), Failure> {
    let names: Vec<String> = T::default().figures().into_iter().map(|(name, _)| name).collect();
    writeln!(console.output, "input,index,function,{}", names.join(","))?;
    for row in &gathered.rows {
        let (input, name) = (quoted(&gathered.inputs[row.input].name), quoted(&row.name));
        let figures: Vec<String> = row.counts.figures().iter().map(|(_, figure)| figure.to_string()).collect();
        writeln!(console.output, "{input},{},{name},{}", row.index, figures.join(","))?;
    }
    Ok(())
}

fn to_json<T: Measured>(gathered: &Gathered<'_, T>) -> Json {
    let titled = |measured: &T| -> Map<String, Json> {
        let figures = measured.figures().into_iter().map(|(name, figure)| (name, figure.into()));
        let ratios = measured.ratios().into_iter().map(|(name, ratio)| (name.to_owned(), ratio.into()));
        figures.chain(ratios).collect()
    };
    let functions = gathered.rows.iter().map(|row| {
        let mut object = titled(&row.counts);
        object.insert("input".to_owned(), gathered.inputs[row.input].name.as_str().into());
        object.insert("index".to_owned(), row.index.into());
        object.insert("name".to_owned(), row.name.as_str().into());
        Json::Object(object)
    });
    let (by_input, (_, total)) = sums(gathered);
    let inputs = gathered.inputs.iter().zip(&by_input).map(|(input, (functions, sum))| {
        let mut object = titled(sum);
        object.insert("name".to_owned(), input.name.as_str().into());
        object.insert("functions".to_owned(), (*functions).into());
        Json::Object(object)
    });
    json!({
        "format": T::FORMAT,
        "functions": functions.collect::<Json>(),
        "inputs": inputs.collect::<Json>(),
        "sum": titled(&total),
        "not_built": gathered.failed,
    })
}

/// A quotient for people.
pub(super) fn ratio(one: f64, of: f64) -> Option<f64> {
    (of > 0.0).then(|| one / of)
}
