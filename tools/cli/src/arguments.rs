//! What can be said on the command line.

mod emit;
mod fold;
mod opt;
mod reading;
mod stats;

pub(crate) use emit::Emit;
pub(crate) use opt::{OptArguments, Outcome};
pub(crate) use reading::{ReadingArguments, Warn};
pub(crate) use stats::{Counter, Measured, StatsArguments};

use crate::construction::Construction;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ColorChoice, Parser, Subcommand, ValueEnum, value_parser};
use clap_complete::Shell;
use fold::{Fold, fold, fold_options};
use ssaphire::Options;
use ssaphire_ir::analysis::Style;
use ssaphire_ir::text::{NameStyle, PhiStyle};
use ssaphire_literature::Engine;
use std::num::NonZero;
use std::path::PathBuf;

/// Build, check and run the SSA form of programs
#[derive(Parser)]
#[command(name = "ssaphire", version, arg_required_else_help = true, max_term_width = 100, after_help = EXAMPLES.replace("{BUILT_WITHOUT}", BUILT_WITHOUT))]
pub(crate) struct Arguments {
    /// When to use colors
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorChoice,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What languages the command was built without.
const BUILT_WITHOUT: &str = match (cfg!(feature = "js"), cfg!(feature = "llvm")) {
    (true, true) => "",
    (false, true) => "\nNot in this build: JavaScript and TypeScript (feature `js`)",
    (true, false) => "\nNot in this build: LLVM IR (feature `llvm`)",
    (false, false) => "\nNot in this build: JavaScript and TypeScript (feature `js`), LLVM IR (feature `llvm`)",
};

const EXAMPLES: &str = "\
Examples:
  ssaphire build examples/sieve.wat               the SSA form of each function
  ssaphire check module.wasm                      every engine on every function, judged
  ssaphire run examples/primes.while --entry primes --args 100

Languages: .ssa (the text form of the reference IR), .while, WebAssembly (.wasm, .wat), LLVM IR (.ll),
JavaScript (.js, .mjs, .cjs, .jsx), TypeScript (.ts, .mts, .cts, .tsx){BUILT_WITHOUT}
Through `llvm-dis`, `clang`, `rustc` or `flang`, as LLVM IR: .bc, .c, .cpp, .rs, .f90
In a folder, the files in these languages are read, except hidden files, links to folders and what needs another program.
Exit status: 0 success, 1 a finding, 2 invalid usage or unreadable input";

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Print the SSA form of each function; every result is judged
    #[command(after_help = "\
Examples:
  ssaphire build sum.while --phi params
  ssaphire build module.wasm --function main --emit dot | dot -Tsvg > main.svg
  ssaphire build sum.while --emit frontiers
  ssaphire build sum.while --emit domtree --as dot | dot -Tsvg > tree.svg
  ssaphire build sum.while --emit memory
  ssaphire build sum.while --via-memory
  ssaphire build - --lang wat --emit cert < module.wat")]
    Build(BuildArguments),
    /// Build with every engine and judge each result; or judge certificates, or a promotion of LLVM IR
    #[command(after_help = "\
Examples:
  ssaphire check module.wasm
  ssaphire check module.wasm --algorithm marker,braun --no-minimize
  ssaphire check module.wasm --via-memory
  ssaphire check folder --by engine -o table.txt
  ssaphire check --certificate result.cert

Of two files in LLVM IR, or two folders of them, the second has to be the first after promotion:
ssaphire check before.ll after.ll --certify result.cert

Columns, with a line per file:
  functions  functions that were built
  results    results of all engines that can build these functions
  phis       phis kept by the first engine
  accepted   results that were accepted
  differ     results that differ from those of the first engine by more than names
  refused    results that were refused, each listed with the rule that it breaks
  not built  functions that could not be built
Columns, with `--by engine`:
  functions  functions given to the engine
  made       phis made, temporary ones included
  kept       phis in the results
  redundant  kept phis that merge a single value, alone or as a set
  dead       kept phis that no instruction uses
  time       time of building and judging, shown on a terminal")]
    Check(CheckArguments),
    /// Run passes on the SSA form of each function and print the result; every step is checked
    #[command(after_help = "\
The SSA form that is built is judged. After each pass, the rules of SSA form are checked; where the pass has left the \
control-flow graph as it was, the result is also proven equivalent to the function before the pass (`judged equivalent` \
in the summary; of the others, the form alone was checked). No function that is refused is written.

Examples:
  ssaphire opt sum.while --passes constants,dead-code
  ssaphire opt module.wasm --passes jump-threading,value-numbering --function main
  ssaphire opt sum.while --passes value-numbering --phi-tags condition > sum.ssa

Passes run in the order of the list, in which a pass may occur several times:
  constants           sparse conditional constant propagation
  copies              copy propagation
  jump-threading      redirects edges around branches whose outcome is known
  value-numbering     removes redundant computations and copies
  loop-invariants     hoists operations out of loops that do not change their arguments
  dead-code           removes dead code and branches, by control dependence
  redundant-phis      removes sets of phis that merge a single value
  empty-blocks        removes blocks that only jump
  unreachable-blocks  removes unreachable blocks
  unused              removes unused instructions without effect, and unused phis")]
    Opt(OptArguments),
    /// Print construction counters, per function and in total
    #[command(after_help = "\
Examples:
  ssaphire stats module.wasm --top 10 --by kept
  ssaphire stats a.while b.while --csv > counters.csv
  ssaphire stats a.wasm b.wasm --table cytron
  ssaphire stats a.wasm --table cytron --svg > plots.svg")]
    Stats(StatsArguments),
    /// Run a function after judging it: interpret its SSA form, or compile it to machine code
    #[command(after_help = "\
Examples:
  ssaphire run gcd.while --entry gcd --args 12,18
  ssaphire run loop.ssa --trace --fuel 100
  ssaphire run sieve.wat --entry count_primes --args 1000")]
    Run(RunArguments),
    /// Print command-line completions for a shell
    #[command(after_help = "\
Examples:
  ssaphire completions bash > ssaphire.bash
  ssaphire completions fish -o ssaphire.fish")]
    Completions(CompletionsArguments),
    /// Print the manual page, or write a page for each command to a folder
    #[command(after_help = "\
Examples:
  ssaphire man > ssaphire.1
  ssaphire man --folder man1")]
    Man(ManArguments),
}

impl Command {
    /// The file for results, and whether they are JSON.
    pub(crate) fn output(&self) -> (Option<&str>, bool) {
        let (output, is_json) = match self {
            Self::Build(BuildArguments { common, .. })
            | Self::Check(CheckArguments { common, .. })
            | Self::Opt(OptArguments { common, .. })
            | Self::Stats(StatsArguments { common, .. }) => (&common.output, common.json),
            Self::Run(arguments) => (&arguments.output, arguments.json),
            Self::Completions(arguments) => (&arguments.output, false),
            Self::Man(arguments) => (&arguments.output, false),
        };
        (output.file.as_deref(), is_json)
    }
}

/// Which functions.
#[derive(Args)]
pub(crate) struct InputArguments {
    /// Files to read, or folders with such files; `-` is standard input
    #[arg(value_name = "INPUT", required = true)]
    pub(crate) inputs: Vec<String>,
    #[command(flatten)]
    pub(crate) reading: ReadingArguments,
    /// Only functions with this name or number; may be given several times. WebAssembly functions are selected by export name or by own name
    #[arg(long = "function", short = 'f', value_name = "NAME")]
    pub(crate) functions: Vec<String>,
}

/// One engine.
#[derive(Args)]
pub(crate) struct EngineArguments {
    /// The engine [default: auto]
    #[arg(long, value_name = "ENGINE", value_parser = engine())]
    algorithm: Option<Engine>,
    /// Fold operations while building: none, all (also without LIST), or some of constants, identities, common, copies,
    /// branches and late, separated by commas
    #[arg(long, value_name = "LIST", num_args = 0..=1, require_equals = true, default_missing_value = "all",
          value_delimiter = ',', value_parser = fold())]
    fold: Vec<Fold>,
    #[command(flatten)]
    construction: ConstructionArguments,
}

/// How any engine works.
#[derive(Args)]
pub(crate) struct ConstructionArguments {
    /// Keep redundant phis, and dead phis of engines that work on complete functions; the judge accepts them, and `check --by engine` counts them
    #[arg(long)]
    no_minimize: bool,
    /// Give up on a function that takes more than this number of steps
    #[arg(long, value_name = "STEPS")]
    work_limit: Option<u64>,
}

impl EngineArguments {
    /// The same by another engine.
    pub(crate) fn construction_by(&self, engine: Engine) -> Construction {
        Construction { fold: fold_options(&self.fold), ..self.construction.by(engine) }
    }

    /// The steps that one function may take.
    pub(crate) fn steps(&self) -> u64 {
        self.construction.work_limit.unwrap_or(u64::MAX)
    }

    /// The constructor and its options.
    pub(crate) fn construction(&self) -> Construction {
        self.construction_by(self.algorithm.unwrap_or_default())
    }

    /// The first argument that says how the engine works, if there is one.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let ConstructionArguments { no_minimize, work_limit } = self.construction;
        let given = [
            (self.algorithm.is_some(), "--algorithm"),
            (!self.fold.is_empty(), "--fold"),
            (no_minimize, "--no-minimize"),
            (work_limit.is_some(), "--work-limit"),
        ];
        given.into_iter().find_map(|(is_given, name)| is_given.then_some(name))
    }
}

impl ConstructionArguments {
    /// A construction by `engine`.
    pub(crate) fn by(&self, engine: Engine) -> Construction {
        let mut options = Options::default();
        (options.minimize, options.work_limit) = (!self.no_minimize, self.work_limit);
        Construction { engine, options, fold: None }
    }

    /// Whether redundant phis go.
    pub(crate) fn minimizes(&self) -> bool {
        !self.no_minimize
    }
}

/// How many threads, and in what form results come.
#[derive(Args)]
pub(crate) struct CommonArguments {
    /// The maximum number of threads, at most the number of processors
    #[arg(long, value_name = "N", value_parser = threads())]
    pub(crate) threads: Option<NonZero<u16>>,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
    /// Write results as JSON, and errors as JSON to standard error
    #[arg(long)]
    pub(crate) json: bool,
}

/// Where results go.
#[derive(Args)]
pub(crate) struct OutputArguments {
    /// Write results to this file, created once all are complete; `-` is standard output
    #[arg(long = "output", short = 'o', value_name = "FILE")]
    pub(crate) file: Option<String>,
}

#[derive(Args)]
pub(crate) struct BuildArguments {
    #[command(flatten)]
    pub(crate) input: InputArguments,
    #[command(flatten)]
    pub(crate) engine: EngineArguments,
    /// Build the SSA form with mem2reg, from a slot for each variable, and compare it with the judged result of direct construction
    #[arg(long)]
    pub(crate) via_memory: bool,
    /// The output for each function [default: text]
    #[arg(long, value_enum)]
    pub(crate) emit: Option<Emit>,
    /// The stage of the HIR to write: as lowered, or after a pass [default: hir]
    #[arg(long, value_name = "STAGE", value_parser = hir_stage(), conflicts_with = "diff")]
    pub(crate) stage: Option<usize>,
    /// Write the HIR as lowered and in SSA form, side by side
    #[arg(long)]
    pub(crate) diff: bool,
    /// The output format of memory form or an analysis (domtree, frontiers, control-deps, liveness, defuse) [default: text]
    #[arg(long = "as", value_name = "STYLE", value_parser = style(), conflicts_with = "json")]
    pub(crate) style: Option<Style>,
    /// The spelling of phis in text
    #[arg(long, value_name = "STYLE", default_value = "list", value_parser = phi_style())]
    pub(crate) phi: PhiStyle,
    /// Names of values: by source variable, or by number, as %7 or v7; text with v7 cannot be parsed back
    #[arg(long, value_name = "STYLE", default_value = "source", value_parser = name_style())]
    pub(crate) names: NameStyle,
    /// Accept every result without judging it
    #[arg(long)]
    pub(crate) no_judge: bool,
    /// Write construction counters to standard error
    #[arg(long)]
    pub(crate) stats: bool,
    /// No summary on standard error
    #[arg(long, short)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) common: CommonArguments,
}

/// What says how programs are read and built.
const NOT_FOR_CERTIFICATES: [&str; 9] =
    ["inputs", "functions", "algorithm", "no_minimize", "work_limit", "via_memory", "lang", "strict_while", "threads"];

#[derive(Args)]
pub(crate) struct CheckArguments {
    /// Files to read, or folders with such files; `-` is standard input
    #[arg(value_name = "INPUT", required_unless_present = "certificate")]
    pub(crate) inputs: Vec<String>,
    #[command(flatten)]
    pub(crate) reading: ReadingArguments,
    /// Only functions with this name or number; may be given several times. WebAssembly functions are selected by export name or by own name
    #[arg(long = "function", short = 'f', value_name = "NAME")]
    pub(crate) functions: Vec<String>,
    /// Engines, separated by commas [default: all]
    #[arg(long, value_name = "ENGINES", value_delimiter = ',', value_parser = engine())]
    pub(crate) algorithm: Vec<Engine>,
    #[command(flatten)]
    pub(crate) construction: ConstructionArguments,
    /// Add a line for mem2reg, compared with the judged result of direct construction
    #[arg(long)]
    pub(crate) via_memory: bool,
    /// The subject of each line of the table
    #[arg(long, value_enum, value_name = "WHAT", default_value_t, conflicts_with_all = ["json", "certificate"])]
    pub(crate) by: By,
    /// Accept any value for a read of an undefined variable
    #[arg(long)]
    pub(crate) refine: bool,
    /// Judge these certificates, from any producer; in a folder, the .cert files
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = NOT_FOR_CERTIFICATES)]
    pub(crate) certificate: Vec<String>,
    /// Of a promotion of LLVM IR: write the certificates of the accepted functions to this file
    #[arg(long, value_name = "FILE", conflicts_with = "certificate")]
    pub(crate) certify: Option<String>,
    #[command(flatten)]
    pub(crate) common: CommonArguments,
}

/// What a line of `check`'s table is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum By {
    /// A file, under all engines
    #[default]
    File,
    /// A file under one engine
    Engine,
}

#[derive(Args)]
pub(crate) struct RunArguments {
    /// The file to read; `-` is standard input
    #[arg(value_name = "INPUT")]
    pub(crate) input: String,
    #[command(flatten)]
    pub(crate) reading: ReadingArguments,
    #[command(flatten)]
    pub(crate) engine: EngineArguments,
    /// Run the SSA form that mem2reg builds, from a slot for each variable
    #[arg(long)]
    pub(crate) via_memory: bool,
    /// The function to run, by name or number; WebAssembly exports take precedence. Optional if there is one function, or one called main
    #[arg(long, value_name = "NAME")]
    pub(crate) entry: Option<String>,
    /// Its arguments, separated by commas; none if empty
    #[arg(long, value_name = "VALUES", value_delimiter = ',', allow_hyphen_values = true)]
    pub(crate) args: Vec<String>,
    /// The input of the program, separated by commas
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',', allow_hyphen_values = true)]
    pub(crate) input_values: Vec<i64>,
    /// The seed for the results of calls to unknown functions
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// The form to run; not all languages support `source`
    #[arg(long, value_enum, default_value_t)]
    pub(crate) form: Form,
    /// Compile the program to machine code, and run that; needs a build with the feature `jit`
    #[arg(long, conflicts_with = "trace")]
    pub(crate) jit: bool,
    /// Run every result without judging it
    #[arg(long)]
    pub(crate) no_judge: bool,
    /// Write each operation executed to standard error
    #[arg(long)]
    pub(crate) trace: bool,
    /// Trap after this number of operations
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    pub(crate) fuel: u64,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
    /// Write results as JSON, and errors as JSON to standard error
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct CompletionsArguments {
    /// The shell
    #[arg(value_name = "SHELL")]
    pub(crate) shell: Shell,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

#[derive(Args)]
pub(crate) struct ManArguments {
    /// Write a page for each command to this folder, which is created if needed
    #[arg(long, value_name = "FOLDER", conflicts_with = "file")]
    pub(crate) folder: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

/// Which form of a function `run` interprets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// The source: variable form, or the syntax tree
    Source,
    /// The SSA form
    #[default]
    Ssa,
}

/// At least one thread.
fn threads() -> impl TypedValueParser<Value = NonZero<u16>> {
    value_parser!(u16).range(1..).try_map(NonZero::try_from)
}

/// Engines by name.
fn engine() -> impl TypedValueParser<Value = Engine> {
    let engines = Engine::ALL.iter().copied().chain([Engine::FunctionalLiteral]);
    PossibleValuesParser::new(engines.map(|engine| PossibleValue::new(engine.name())))
        .map(|name| name.parse().unwrap_or_default())
}

const PHI_STYLES: &[(&str, PhiStyle)] =
    &[("list", PhiStyle::List), ("params", PhiStyle::Params), ("upsilon", PhiStyle::Upsilon)];

fn phi_style() -> impl TypedValueParser<Value = PhiStyle> {
    one_of(PHI_STYLES)
}

const NAME_STYLES: &[(&str, NameStyle)] =
    &[("source", NameStyle::Source), ("index", NameStyle::Index), ("ssaval", NameStyle::SsaVal)];

fn name_style() -> impl TypedValueParser<Value = NameStyle> {
    one_of(NAME_STYLES)
}

const STYLES: &[(&str, Style)] = &[("text", Style::Text), ("json", Style::Json), ("dot", Style::Dot)];

fn style() -> impl TypedValueParser<Value = Style> {
    one_of(STYLES)
}

/// The values of a table, by name.
fn one_of<T>(table: &'static [(&'static str, T)]) -> impl TypedValueParser<Value = T>
where
    T: Copy + Default + Send + Sync + 'static,
{
    PossibleValuesParser::new(table.iter().map(|(name, _)| PossibleValue::new(*name))).map(|name| {
        let found = table.iter().find(|(other, _)| *other == name);
        found.map(|&(_, value)| value).unwrap_or_default()
    })
}

/// The stages of the HIR, by their names.
const HIR_STAGES: &[(&str, usize)] =
    &[("hir", 0), ("ssa", 1), ("eliminate-redundant-phi", 2), ("constant-propagation", 3)];

fn hir_stage() -> impl TypedValueParser<Value = usize> {
    one_of(HIR_STAGES)
}
