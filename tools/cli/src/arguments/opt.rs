//! What can be said of `opt`.

use super::{CommonArguments, EngineArguments, InputArguments, name_style, one_of, phi_style};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use ssaphire::destruct::Method;
use ssaphire_ir::passes::{Pass, PhiTags};
use ssaphire_ir::text::{NameStyle, PhiStyle};

#[derive(Args)]
pub(crate) struct OptArguments {
    #[command(flatten)]
    pub(crate) input: InputArguments,
    #[command(flatten)]
    pub(crate) engine: EngineArguments,
    /// The passes to run, separated by commas, or `none` [default: constants, copies, dead-code, empty-blocks, unused; for LLVM IR none]
    #[arg(long, value_name = "PASSES", value_delimiter = ',', value_parser = pass())]
    passes: Vec<Chosen>,
    /// How value numbering distinguishes phis: by block, by the condition that controls their join, or by that and the execution of their loop
    #[arg(long, value_name = "TAGS", default_value = "block", value_parser = phi_tags())]
    pub(crate) phi_tags: PhiTags,
    /// Keep loops without effect, since they may be infinite
    #[arg(long)]
    pub(crate) keep_loops: bool,
    /// What to write: `program`, the program in its language, or the text out of SSA form if While cannot express a function; `variables`,
    /// the text of the function out of SSA form; `ssa`, the text in SSA form. Default: `program` for While, JavaScript and LLVM IR, `ssa` for others
    #[arg(long, value_enum, value_name = "FORM", conflicts_with = "json")]
    pub(crate) emit: Option<Outcome>,
    /// The method of leaving SSA form; JavaScript always uses coalescing
    #[arg(long, value_name = "METHOD", default_value = "per-variable", value_parser = method())]
    pub(crate) leave: Method,
    /// Write a JavaScript source map to this file, and refer to it at the end of the program
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    pub(crate) source_map: Option<String>,
    /// Write every function of JavaScript anew from its SSA form; otherwise, those that no pass has changed stay as they are in the source
    #[arg(long, conflicts_with = "json")]
    pub(crate) rewrite: bool,
    /// The spelling of phis in text
    #[arg(long, value_name = "STYLE", default_value = "list", value_parser = phi_style())]
    pub(crate) phi: PhiStyle,
    /// Names of values: by source variable, or by number, as %7 or v7; text with v7 cannot be parsed back
    #[arg(long, value_name = "STYLE", default_value = "source", value_parser = name_style())]
    pub(crate) names: NameStyle,
    /// No summary on standard error
    #[arg(long, short)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) common: CommonArguments,
}

impl OptArguments {
    /// Whether no passes were named.
    pub(crate) fn has_usual_passes(&self) -> bool {
        self.passes.is_empty()
    }

    /// The passes to run.
    pub(crate) fn passes(&self) -> Vec<Pass> {
        const USUAL: [Pass; 5] = [Pass::Constants, Pass::Copies, Pass::DeadCode, Pass::EmptyBlocks, Pass::Unused];
        if self.passes.is_empty() {
            return USUAL.to_vec();
        }
        self.passes.iter().filter_map(|&Chosen(pass)| pass).collect()
    }
}

/// A pass, or none.
#[derive(Clone, Copy)]
struct Chosen(Option<Pass>);

/// What is said where no pass is to run.
const NO_PASS: &str = "none";

/// What is written of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Outcome {
    /// The program in its language
    Program,
    /// The text of the function out of SSA form
    Variables,
    /// The text of the function in SSA form
    Ssa,
}

/// Methods by name.
fn method() -> impl TypedValueParser<Value = Method> {
    let names = Method::ALL.iter().map(|method| PossibleValue::new(method.name()));
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Method>())
}

/// Passes by name.
fn pass() -> impl TypedValueParser<Value = Chosen> {
    let names = Pass::ALL.iter().map(|pass| pass.name()).chain([NO_PASS]).map(PossibleValue::new);
    PossibleValuesParser::new(names).try_map(|name| match name.as_str() {
        NO_PASS => Ok(Chosen(None)),
        name => name.parse::<Pass>().map(|pass| Chosen(Some(pass))),
    })
}

const PHI_TAGS: &[(&str, PhiTags)] =
    &[("block", PhiTags::Block), ("condition", PhiTags::Condition), ("loop", PhiTags::Loop)];

fn phi_tags() -> impl TypedValueParser<Value = PhiTags> {
    one_of(PHI_TAGS)
}
