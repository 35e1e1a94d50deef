//! Prints analyses of a function: as text, as JSON, or as a graph for Graphviz.
//!
//! Everything is computed by `ssaphire-graph`; this module adds the names that
//! the text format gives to blocks and values. The graph of a function is the
//! same before and after construction; [`Analysis::Liveness`] and
//! [`Analysis::DefUse`] are about values, so they ignore accesses of variables.
//!
//! Text has a heading, and then a line per block or per definition. An empty
//! list is `-`, which is not a label. An edge is written as its source,
//! followed by a dot and the slot if the source has several edges: `header.1`.
//!
//! JSON is an object in which ids are numbers, as in [`crate::json`]:
//!
//! | key | what |
//! |---|---|
//! | `format` | [`FORMAT`]: a reader refuses what it does not know |
//! | `kind`, `name`, `entry` | the analysis, the function, its first block |
//! | `blocks` | by block: `label`, `reachable`, and what the kind adds |
//! | of `domtree` | in `blocks`: `idom` and `level`, both null where there is none |
//! | of `frontiers` | in `blocks`: `frontier` |
//! | of `control-deps` | in `blocks`: `always` executed, `endless_end`, `controllers` (edges: `source`, `slot`, `target`) |
//! | of `liveness` | in `blocks`: `live_in`, `live_out`; `values`: the name of each value |
//! | of `defuse` | `values`: the name of each value; `definitions`: `value`, `def`, `uses` |
//! | `def` | `param`, or `block` and `position`, with `target` where it takes place on the edge to a block |
//! | `uses` | `block`, `position`, `operand`, and `edge` (`source`, `slot`) where a phi takes it |

mod control_dependence;
mod def_use;
mod dominator_tree;
mod frontiers;
mod liveness;
mod subject;

use crate::UnknownName;
use crate::dialect::Syntax;
use crate::dot;
use crate::function::Function;
use crate::text::NameStyle;
use serde_json::Value as Json;
use ssaphire_graph::CfgError;
use std::fmt::{self, Write};
use std::str::FromStr;
use subject::Subject;

/// The format identifier in the JSON.
pub const FORMAT: &str = "ssaphire-analysis/1";

/// An analysis of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Analysis {
    /// The dominator tree.
    DominatorTree,
    /// The dominance frontier of each block.
    Frontiers,
    /// The edges on which the execution of each block depends.
    ControlDependence,
    /// The values live at the top and at the end of each block.
    ///
    /// Phis are live from their block on, and their operands up to the end of the edge's source. Constants and
    /// undefined values are left out: they need no storage.
    Liveness,
    /// The definition and the uses of each value.
    ///
    /// A position counts the phis and instructions of a block, from 0: the
    /// lines below its label. Constants and undefined values have no
    /// definition.
    DefUse,
}

/// The output format of an analysis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Lines for humans and for `grep`.
    #[default]
    Text,
    /// One line of JSON.
    Json,
    /// A graph for Graphviz.
    Dot,
}

impl Analysis {
    /// All of them.
    pub const ALL: &'static [Self] =
        &[Self::DominatorTree, Self::Frontiers, Self::ControlDependence, Self::Liveness, Self::DefUse];

    /// The one-word name of the analysis.
    pub const fn name(self) -> &'static str {
        match self {
            Self::DominatorTree => "domtree",
            Self::Frontiers => "frontiers",
            Self::ControlDependence => "control-deps",
            Self::Liveness => "liveness",
            Self::DefUse => "defuse",
        }
    }

    /// The title of the analysis in the heading of a text.
    const fn title(self) -> &'static str {
        match self {
            Self::DominatorTree => "dominator tree",
            Self::Frontiers => "dominance frontiers",
            Self::ControlDependence => "control dependence",
            Self::Liveness => "live values",
            Self::DefUse => "definitions and uses",
        }
    }
}

impl FromStr for Analysis {
    type Err = UnknownName;

    /// The analysis with this [name](Self::name).
    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let found = Self::ALL.iter().copied().find(|analysis| analysis.name() == name);
        found.ok_or_else(|| UnknownName::new("analysis", name, Self::ALL.iter().map(|analysis| analysis.name())))
    }
}

/// The reason why an analysis was not written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AnalysisError {
    /// The blocks and edges do not form a valid graph.
    Graph(CfgError),
    /// The writer failed.
    Output(fmt::Error),
}

impl fmt::Display for AnalysisError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Graph(error) => error.fmt(f),
            Self::Output(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for AnalysisError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Graph(error) => error.source(),
            Self::Output(error) => error.source(),
        }
    }
}

impl From<CfgError> for AnalysisError {
    fn from(error: CfgError) -> Self {
        Self::Graph(error)
    }
}

impl From<fmt::Error> for AnalysisError {
    fn from(error: fmt::Error) -> Self {
        Self::Output(error)
    }
}

/// The results of one analysis, in each format.
trait Findings {
    /// The lines below the heading.
    fn text(&self, out: &mut dyn Write) -> fmt::Result;

    /// An object without the fields that all analyses have.
    fn json(&self) -> Json;

    /// Nodes and edges.
    fn dot(&self, out: &mut dyn Write) -> fmt::Result;
}

/// Writes the result of `analysis` on `function`, with values named in style `names`.
///
/// # Complexity
/// That of the analysis, plus the size of what is written. Frontiers, control
/// dependences and live values can be quadratic in the blocks; the rest is linear
/// in the function, but for sorting the uses.
///
/// # Errors
/// If the graph is not valid, which [`Function::check_form`] would report, or if the writer fails.
///
/// # Examples
/// ```
/// use ssaphire_ir::analysis::{self, Analysis, Style};
/// use ssaphire_ir::text::{NameStyle, parse};
/// use ssaphire_ir::{Basic, Function};
///
/// let function: Function<Basic> = parse("\
/// func f(c) {
/// top:
///   branch c, left, bottom
/// left:
///   jump bottom
/// bottom:
///   return c
/// }
/// ")?;
/// let mut text = String::new();
/// analysis::print(&function, Analysis::Frontiers, Style::Text, NameStyle::Source, &mut text)?;
/// assert_eq!(text, "\
/// func f: dominance frontiers
/// top: frontier -
/// left: frontier bottom
/// bottom: frontier -
/// ");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn print<D: Syntax>(
    function: &Function<D>,
    analysis: Analysis,
    style: Style,
    names: NameStyle,
    out: &mut dyn Write,
) -> Result<(), AnalysisError> {
    let subject = Subject::new(function, names)?;
    let findings: Box<dyn Findings + '_> = match analysis {
        Analysis::DominatorTree => Box::new(dominator_tree::Shown::new(&subject)),
        Analysis::Frontiers => Box::new(frontiers::Shown::new(&subject)),
        Analysis::ControlDependence => Box::new(control_dependence::Shown::new(&subject)),
        Analysis::Liveness => Box::new(liveness::Shown::new(&subject)),
        Analysis::DefUse => Box::new(def_use::Shown::new(&subject)),
    };
    match style {
        Style::Text => {
            subject.heading(analysis.title(), out)?;
            findings.text(out)?;
        }
        Style::Json => {
            let mut object = findings.json();
            object["format"] = FORMAT.into();
            object["kind"] = analysis.name().into();
            object["name"] = function.name().into();
            object["entry"] = function.entry().index().into();
            writeln!(out, "{object}")?;
        }
        Style::Dot => {
            dot::open(function.name(), out)?;
            findings.dot(out)?;
            out.write_str("}\n")?;
        }
    }
    Ok(())
}
