//! Developer commands: `cargo xtask` lists them.
//!
//! A command that finds something ends with status 1, one that cannot do its
//! work with status 2; a step of `ci` that fails passes its own status on.

mod bench;
mod ci;
mod corpus;
mod corpus_check;
mod cranelift;
mod failure;
mod fuzz;
mod licenses;
mod llvm;
mod long;
mod move_over;
mod package;
mod programs;
mod quick;
mod workspace;

use clap::{Parser, Subcommand};
use failure::Failure;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use workspace::Workspace;

/// Developer commands of ssaphire
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Bring pinned real programs into target/corpus
    Corpus {
        /// Programs to bring; where none is named, those of every check
        #[arg(value_name = "NAME", value_parser = programs::named)]
        programs: Vec<&'static programs::Program>,
    },
    /// Build and judge the functions of the corpus; bring what is absent
    CorpusCheck {
        /// Run all engines on all programs, however long it takes
        #[arg(long)]
        long: bool,
        /// The command to check with; where none is given, it is built in release mode
        #[arg(long, value_name = "FILE")]
        program: Option<PathBuf>,
    },
    /// Build and judge all small functions, which takes minutes; `-- --help` lists its options
    Exhaustive {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
        arguments: Vec<OsString>,
    },
    /// Run all passes on random functions of all shapes, which takes minutes; `-- --help` lists its options
    Passes {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
        arguments: Vec<OsString>,
    },
    /// Build random functions with rows given up at every moment, which takes minutes; `-- --help` lists its options
    Rows {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
        arguments: Vec<OsString>,
    },
    /// Run a fuzz target until something is found, or some time is over
    Fuzz {
        /// The target: a file of fuzz/fuzz_targets, without its ending
        target: String,
        /// How long to run
        #[arg(long, value_name = "N", default_value_t = 60)]
        seconds: u64,
        /// Run this input once, and nothing else
        #[arg(long, value_name = "FILE", conflicts_with = "minimize")]
        input: Option<PathBuf>,
        /// Look for a smaller input that fails as this one does
        #[arg(long, value_name = "FILE")]
        minimize: Option<PathBuf>,
    },
    /// Compile and test published crates on our builder in place of their own construction of SSA form
    MoveOver {
        /// What to move over: `wasmtime`, or a folder of ports; where nothing is named, all but `wasmer`, which takes minutes
        #[arg(value_name = "NAME")]
        names: Vec<String>,
        /// Compare on all programs, however long it takes
        #[arg(long)]
        long: bool,
    },
    /// Write a crate named `cranelift-frontend` that is our builder, and print the lines that patch it in
    CraneliftFrontend {
        /// The version that dependents require, as in 0.136.0
        version: cranelift::Version,
        /// Where to write it; below target by default
        folder: Option<PathBuf>,
    },
    /// Test our builder on the versions of Cranelift that it supports, which takes minutes for each
    CraneliftVersions {
        /// The versions; where none is named, the newest of each line
        versions: Vec<cranelift::Version>,
        /// Compile on the oldest and the newest line alone, and run nothing
        #[arg(long, conflicts_with = "versions")]
        short: bool,
    },
    /// Promote programs in C and Fortran by several versions of LLVM, and compare with mem2reg: takes apt-get, dpkg, make and a network the first time
    Llvm(llvm::Arguments),
    /// Check that every package may be used under a license that deny.toml allows
    Licenses,
    /// Package every crate that can be published, and test the facade outside of the workspace
    Package,
    /// Print the tables of the benchmarks on what the corpus has, and write a record
    Bench(bench::BenchArguments),
    /// Run everything that CI checks, on what `corpus` has fetched
    Ci(ci::Arguments),
    /// Check a change in a package or two within minutes: its tests, those of its direct dependents, mutants, lints, one program
    Quick {
        /// The packages that have changed; where none is named, those of the files that git lists as changed
        #[arg(value_name = "PACKAGE")]
        packages: Vec<String>,
    },
}

fn main() -> ExitCode {
    match run(Arguments::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::from(failure.status())
        }
    }
}

fn run(command: Command) -> Result<(), Failure> {
    let workspace = Workspace::find()?;
    match command {
        Command::Exhaustive { arguments } => long::run(&workspace, "exhaustive", &arguments),
        Command::Rows { arguments } => long::run(&workspace, "rows", &arguments),
        Command::Passes { arguments } => long::run(&workspace, "passes", &arguments),
        Command::Corpus { programs } => corpus::bring(&workspace, &programs),
        Command::CorpusCheck { long, program } => corpus_check::run(&workspace, long, program.as_deref()),
        Command::Fuzz { target, seconds, input, minimize } => {
            let work = match (input, minimize) {
                (Some(input), _) => fuzz::Work::Run(input),
                (None, Some(input)) => fuzz::Work::Minimize(input),
                (None, None) => fuzz::Work::Search,
            };
            fuzz::run(&workspace, &target, seconds, &work)
        }
        Command::MoveOver { names, long } => move_over::run(&workspace, &names, long),
        Command::CraneliftFrontend { version, folder } => {
            cranelift::write_crate(&workspace, version, folder.as_deref())
        }
        Command::CraneliftVersions { versions, short } => cranelift::test_versions(&workspace, &versions, short),
        Command::Llvm(arguments) => llvm::run(&workspace, &arguments),
        Command::Licenses => licenses::run(&workspace),
        Command::Package => package::run(&workspace),
        Command::Bench(arguments) => bench::run(&workspace, &arguments),
        Command::Ci(arguments) => ci::run(&workspace, &arguments),
        Command::Quick { packages } => quick::run(&workspace, &packages),
    }
}
