//! The command line: one variant, and one module below, per command.

mod all;
mod count;
mod families;
mod figure11;
mod memory;
mod native;
mod passes;
mod record;
mod repair;
mod time;
mod ways;
mod whole;

use crate::failure::Failure;
use crate::subject::Subject;
use crate::{detour, leaving};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Benchmarks of ssaphire beside other SSA constructions
#[derive(Debug, Parser)]
#[command(name = "ssaphire-bench", arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Print every table, and write the record
    All(all::AllArguments),
    /// Record the builder calls a compiler makes for a WebAssembly module
    Record(record::RecordArguments),
    /// Times and results of traces, through everything
    Time(time::TimeArguments),
    /// What replays take from the heap: bytes at most, allocations, allocations of a second replay
    Memory(memory::MemoryArguments),
    /// Replay a trace so many times, and do nothing else: for a profiler
    Count(count::CountArguments),
    /// Families of functions on which some construction was once quadratic, by size
    Families(families::FamiliesArguments),
    /// One member of a family, in this process: its figures, one a line
    Family(families::FamilyArguments),
    /// Repair of finished functions, beside an updater that walks back for each use, and beside rebuilding
    Repair(repair::RepairArguments),
    /// One of them, in this process: its figures, one a line
    RepairMember(repair::MemberArguments),
    /// Passes over functions in SSA form, by size
    Passes(passes::PassesArguments),
    /// One of them, in this process: its figures, one a line
    PassMember(passes::MemberArguments),
    /// A value read by conditionals in a row, through the builder and through the While front end
    Figure11(figure11::Figure11Arguments),
    /// Whole modules into SSA form, beside waffle
    Whole(whole::WholeArguments),
    /// Modules over memory into SSA form, and directly
    Detour(ways::TableArguments),
    /// Go one of those ways so many times, and do nothing else: for a profiler
    DetourCount(ways::CountArguments<detour::Way>),
    /// Modules out of SSA form: the copies that remain
    Leaving(ways::LeavingArguments),
    /// Go one of those ways so many times, and do nothing else: for a profiler
    LeavingCount(ways::CountArguments<leaving::Way>),
    /// Modules to machine code, by our builder and by Cranelift's
    Native(native::NativeArguments),
    /// Translate a module so many times, and do nothing else: for a profiler
    NativeCount(native::NativeCountArguments),
    /// Calls all functions of a module by both builders' code
    NativeCalls(native::NativeCallsArguments),
    /// What one way with a whole module takes from the heap: bytes at most, allocations
    WholeMemory(whole::WholeMemoryArguments),
}

/// Does what the command line says: status 0, 1 for a finding, 2 where it could not be done.
pub fn main() -> ExitCode {
    match run(Arguments::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::from(failure.status())
        }
    }
}

fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::All(arguments) => all::run(&arguments),
        Command::Memory(arguments) => memory::run(&arguments),
        Command::Record(arguments) => record::run(&arguments),
        Command::Time(arguments) => time::run(&arguments),
        Command::Count(arguments) => count::run(&arguments),
        Command::Families(arguments) => families::run(&arguments),
        Command::Family(arguments) => {
            families::run_member(&arguments);
            Ok(())
        }
        Command::Repair(arguments) => repair::run(&arguments),
        Command::RepairMember(arguments) => {
            repair::run_member(&arguments);
            Ok(())
        }
        Command::Passes(arguments) => passes::run(&arguments),
        Command::PassMember(arguments) => {
            passes::run_member(&arguments);
            Ok(())
        }
        Command::Figure11(arguments) => figure11::run(&arguments),
        Command::Detour(arguments) => ways::run_detour(&arguments),
        Command::DetourCount(arguments) => ways::run_count(&arguments),
        Command::Leaving(arguments) => ways::run_leaving(&arguments),
        Command::LeavingCount(arguments) => ways::run_count(&arguments),
        Command::Native(arguments) => native::run(&arguments),
        Command::NativeCount(arguments) => native::run_count(&arguments),
        Command::NativeCalls(arguments) => native::run_calls(&arguments),
        Command::Whole(arguments) => whole::run(&arguments),
        Command::WholeMemory(arguments) => whole::run_memory(&arguments),
    }
}

/// A subject by name.
fn subject() -> impl TypedValueParser<Value = Subject> {
    let names = Subject::all().into_iter().map(Subject::name);
    // What is none of the names has been refused by then.
    PossibleValuesParser::new(names).map(|name| Subject::from_name(&name).unwrap_or(Subject::Decode))
}
