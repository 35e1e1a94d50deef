//! What can be said of `opt`.

use super::{CommonArguments, EngineArguments, InputArguments, name_style, one_of, phi_style};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use ssaphire_ir::passes::{Pass, PhiTags};
use ssaphire_ir::text::{NameStyle, PhiStyle};

#[derive(Args)]
pub(crate) struct OptArguments {
    #[command(flatten)]
    pub(crate) input: InputArguments,
    #[command(flatten)]
    pub(crate) engine: EngineArguments,
    /// The passes to run, separated by commas
    #[arg(long, required = true, value_name = "PASSES", value_delimiter = ',', value_parser = pass())]
    pub(crate) passes: Vec<Pass>,
    /// What tells phis apart in value numbering: their block, the condition that controls their join, or that and how their loop runs
    #[arg(long, value_name = "TAGS", default_value = "block", value_parser = phi_tags())]
    pub(crate) phi_tags: PhiTags,
    /// Keep loops that do nothing, since they may not end
    #[arg(long)]
    pub(crate) keep_loops: bool,
    /// How phis are spelled in text
    #[arg(long, value_name = "STYLE", default_value = "list", value_parser = phi_style())]
    pub(crate) phi: PhiStyle,
    /// How to name values: by source variable, or by number as %7 or v7; text with v7 cannot be parsed back
    #[arg(long, value_name = "STYLE", default_value = "source", value_parser = name_style())]
    pub(crate) names: NameStyle,
    /// No summary on standard error
    #[arg(long, short)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) common: CommonArguments,
}

/// Passes by name.
fn pass() -> impl TypedValueParser<Value = Pass> {
    let names = Pass::ALL.iter().map(|pass| PossibleValue::new(pass.name()));
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Pass>())
}

const PHI_TAGS: &[(&str, PhiTags)] =
    &[("block", PhiTags::Block), ("condition", PhiTags::Condition), ("loop", PhiTags::Loop)];

fn phi_tags() -> impl TypedValueParser<Value = PhiTags> {
    one_of(PHI_TAGS)
}
