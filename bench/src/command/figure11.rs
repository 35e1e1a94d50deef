//! `figure11`: a million conditionals.

use crate::failure::Failure;
use crate::figure11;
use crate::record::Record;
use clap::Args;

#[derive(Args, Debug)]
pub(super) struct Figure11Arguments {
    /// Number of conditionals
    #[arg(value_name = "N", default_value_t = figure11::LARGEST)]
    n: u32,
    /// Times to take, of which the shortest counts
    #[arg(long, value_name = "N", default_value_t = 3)]
    runs: usize,
}

pub(super) fn run(arguments: &Figure11Arguments) -> Result<(), Failure> {
    tables(arguments.n, arguments.runs, &mut Record::default())
}

pub(super) fn tables(n: u32, runs: usize, record: &mut Record) -> Result<(), Failure> {
    let ways = figure11::measure(n, runs)?;
    println!("{}", figure11::table(n, &ways));
    figure11::add_to(record, n, &ways);
    let curves = figure11::curves(n, runs);
    println!("{}", figure11::table_of_curves(&curves));
    figure11::add_curves(record, &curves);
    Ok(())
}
