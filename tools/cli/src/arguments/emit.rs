//! What `build` can write.

use clap::ValueEnum;
use clap::builder::PossibleValue;
use ssaphire_ir::analysis::Analysis;

/// What `build` writes for each function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Emit {
    /// The text form, which can be read again.
    #[default]
    Text,
    /// One line of JSON per function.
    Json,
    /// A graph for Graphviz.
    Dot,
    /// The certificate that is judged.
    Cert,
    /// What mem2reg starts from: a slot for each variable.
    Memory,
    /// Continuations, each in the one that dominates it.
    Cps,
    /// Continuations, one after the other.
    CpsFlat,
    /// Continuations, as a program in Scheme.
    Scheme,
    /// The HIR of React Compiler.
    Hir,
    /// What is computed from the SSA form.
    Analysis(Analysis),
}

impl ValueEnum for Emit {
    fn value_variants<'a>() -> &'a [Self] {
        const {
            let &[a, b, c, d, e] = Analysis::ALL else { panic!("each analysis is listed here") };
            &[
                Self::Text,
                Self::Json,
                Self::Dot,
                Self::Cert,
                Self::Memory,
                Self::Cps,
                Self::CpsFlat,
                Self::Scheme,
                Self::Hir,
                Self::Analysis(a),
                Self::Analysis(b),
                Self::Analysis(c),
                Self::Analysis(d),
                Self::Analysis(e),
            ]
        }
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (name, help) = match self {
            Self::Text => ("text", "The text form, which can be parsed back"),
            Self::Json => ("json", "One line of JSON per function"),
            Self::Dot => ("dot", "A graph for Graphviz"),
            Self::Cert => ("cert", "The certificate that is judged"),
            Self::Memory => ("memory", "Memory form: a slot for each variable, loads and stores"),
            Self::Cps => ("cps", "Continuation-passing style, continuations nested by dominance"),
            Self::CpsFlat => ("cps-flat", "Continuation-passing style, one continuation after the other"),
            Self::Scheme => {
                ("scheme", "An executable Scheme program (Guile 3), for While and for text in the dialect basic")
            }
            Self::Hir => ("hir", "React Compiler's HIR, for the functions at the top of a JavaScript file"),
            Self::Analysis(analysis) => (analysis.name(), describe(*analysis)),
        };
        Some(PossibleValue::new(name).help(help))
    }
}

/// What an analysis of the SSA form says.
const fn describe(analysis: Analysis) -> &'static str {
    match analysis {
        Analysis::DominatorTree => "The dominator tree",
        Analysis::Frontiers => "The dominance frontier of each block",
        Analysis::ControlDependence => "The edges on which each block is control dependent",
        Analysis::Liveness => "The live-in and live-out values of each block",
        Analysis::DefUse => "The definition and the uses of each value",
    }
}
