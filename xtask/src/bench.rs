//! `cargo xtask bench`: the benchmarks, their tables and their record.

use crate::failure::Failure;
use crate::workspace::{Workspace, could_not_start};
use clap::Args;

/// The package of the benchmarks.
pub(crate) const PACKAGE: &str = "ssaphire-bench";

#[derive(Args)]
pub(crate) struct BenchArguments {
    /// Only the smallest of everything, once, and without a record
    #[arg(long)]
    quick: bool,
    /// Judge every function that is built
    #[arg(long)]
    judge: bool,
    /// Count the instructions of every engine on every program, not on the smallest only
    #[arg(long)]
    every_engine: bool,
    /// Only this table; the option can be repeated
    #[arg(long = "table", value_name = "TABLE")]
    tables: Vec<String>,
    /// Only this real program; the option can be repeated
    #[arg(long = "program", value_name = "NAME")]
    programs: Vec<String>,
    /// Times to take, of which the shortest counts; 0 for counts alone
    #[arg(long, value_name = "N")]
    runs: Option<usize>,
    /// Write no record
    #[arg(long)]
    no_record: bool,
}

/// Builds the benchmarks and runs all of them on what the corpus has.
pub(crate) fn run(workspace: &Workspace, arguments: &BenchArguments) -> Result<(), Failure> {
    // Both programs first: one starts the other.
    let mut command = workspace.cargo();
    command.args(["build", "--release", "--locked", "--package", PACKAGE]);
    let status = command.status().map_err(|error| could_not_start("cargo", error))?;
    if !status.success() {
        return Err(Failure::step("build", status));
    }
    let mut command = workspace.cargo();
    command.args(["run", "--release", "--locked", "--quiet", "--package", PACKAGE, "--bin", PACKAGE, "--", "all"]);
    command.arg("--corpus").arg(workspace.corpus());
    command.arg("--traces").arg(workspace.traces());
    let switches =
        [(arguments.quick, "--quick"), (arguments.judge, "--judge"), (arguments.every_engine, "--every-engine")];
    command.args(switches.iter().filter(|(is_on, _)| *is_on).map(|(_, switch)| switch));
    for table in &arguments.tables {
        command.arg("--table").arg(table);
    }
    for program in &arguments.programs {
        command.arg("--program").arg(program);
    }
    if let Some(runs) = arguments.runs {
        command.arg("--runs").arg(runs.to_string());
    }
    if !arguments.quick && !arguments.no_record {
        command.arg("--record").arg(workspace.root().join("bench").join("record"));
    }
    let status = command.status().map_err(|error| could_not_start("cargo", error))?;
    if status.success() { Ok(()) } else { Err(Failure::step("benchmarks", status)) }
}
