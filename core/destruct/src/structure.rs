//! Structured control flow from any control-flow graph.
//!
//! The result consists of loops, labeled blocks, forks and multi-level exits: the constructs of languages without
//! `goto`.
//! Basic blocks are opaque.
//! The structured program says where each is executed, and where control goes by each slot of its terminator.
//! A reducible graph costs no copy of a block and no variable.
//! Of an irreducible one, [`Irreducible`] says whether a variable dispatches to the entries of its regions, or whether
//! blocks are copied.
//!
//! | Ramsey 2022, "Beyond Relooper" | here |
//! |---|---|
//! | dominator tree, reverse postorder numbering | `Shape` |
//! | merge nodes, loop headers | `placement` |
//! | `doTree`, `nodeWithin` | `tree`, `line_up` |
//! | `doBranch` | `branch`, `jump` |
//! | the context of an exit, `index` | `scopes`, `labels` |
//! | reducibility by node splitting | `split` |
//! | (not in the paper) reducibility by a variable | `dispatch` |
//!
//! # Contract
//! A run of the structured program executes the blocks that a run of the graph does, in the same order, if each block
//! takes the same slot: the two are bisimilar.
//! Unreachable blocks are left out, and nothing else reports them.
//! Slots of one block with the same target share an arm.
//!
//! # Complexity
//! O((*n* + *e*) log *n*) time and O(*n* + *e*) memory, where *n* counts copies of blocks, too.
//! The result has O(*n* + *e*) steps: an exit names the one label it leaves, however deep it is.
//! Nothing recurses.
//!
//! # Departures
//! The paper translates a reducible graph into WebAssembly, where the end of a loop's body leaves the loop.
//! Here the end of the body repeats the loop, as in most languages, and an exit may name a loop.
//! Code that follows a loop is placed after it, not inside of it; so is one arm of a fork after the fork, where no
//! other arm falls through: programs in source languages look so.
//! Labels, blocks and exits that change nothing are left out.
//! Forks have as many arms as there are targets.
//! The paper recurses over the dominator tree; here a work list holds the pending translations.

mod dispatch;
mod graph;
mod labels;
mod placement;
mod report;
mod scopes;
mod split;
mod step;
mod targets;
#[cfg(test)]
mod tests;
mod text;
mod translation;

pub use report::{Handling, Region, Report};
pub use step::{Arm, Construct, Label, Selector, Step};

use crate::Thresholds;
use alloc::vec::Vec;
use graph::{Graph, Shape};
use ssaphire_graph::FlatCfg;
use translation::translate;

/// The treatment of irreducible regions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Irreducible {
    /// A variable says which block comes next: each region becomes a loop that begins with a fork on it.
    ///
    /// No block is copied.
    #[default]
    Dispatch,
    /// Blocks that can be reached without passing the header of their region are copied.
    ///
    /// The number of copies can be exponential in the nesting of regions, so it is limited.
    /// A region that would take more copies than are left is dispatched, and so are regions that are irreducible after
    /// 16 rounds ([`Thresholds::split_rounds`]), one for each level of nesting.
    Split {
        /// The maximum number of copies.
        limit: usize,
    },
}

/// How a graph is structured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// The treatment of irreducible regions. Default: [`Irreducible::Dispatch`].
    pub irreducible: Irreducible,
    /// For tests.
    pub thresholds: Thresholds,
}

impl Options {
    /// The same with this treatment of irreducible regions.
    #[must_use]
    pub fn with_irreducible(self, irreducible: Irreducible) -> Self {
        Self { irreducible, ..self }
    }

    /// The same with these thresholds.
    #[must_use]
    pub fn with_thresholds(self, thresholds: Thresholds) -> Self {
        Self { thresholds, ..self }
    }
}

/// A structured program: a list of steps, in the order of a text.
///
/// It is displayed as that text, whose grammar is this:
///
/// ```text
/// program   = { step }
/// step      = block [ "{" { arm } "}" ]            execute the block, then fork on the slot that its terminator takes
///           | [ label ":" ] "loop" "{" { step } "}"
///           | label ":" "{" { step } "}"           a labeled block, which exits leave
///           | "next" "=" number                    sets the dispatch variable
///           | "next" "{" { arm } "}"               forks on the dispatch variable
///           | "exit" label                         goes to the end of the labeled block or loop
///           | "repeat" label                       goes to the beginning of the loop
/// arm       = number { "," number } ":" ( short | "{" { step } "}" )
/// short     = plain [ ";" plain [ ";" plain ] ]    on the line of the arm
/// plain     = block | "next" "=" number | "exit" label | "repeat" label
/// block     = "block" number
/// label     = "L" number
/// ```
///
/// At the end of its body, a loop is repeated; at the end of another body, control continues after it.
/// A slot without an arm continues after the fork; a block without a fork continues after itself by any slot.
/// A block whose terminator has no slots ends the run.
/// There is one step or arm on a line.
/// Lines are indented by two spaces for each body around them, but by 64 at most, so that the length of the text is
/// linear in the number of steps and slots.
///
/// # Examples
/// ```
/// use ssaphire::destruct::structure::{Options, structure};
/// use ssaphire::{Block, FlatCfg};
///
/// // while (..) { if (..) { .. } .. }
/// let [before, header, body, then, join, after] = [0, 1, 2, 3, 4, 5].map(Block::new);
/// let cfg = FlatCfg::from_successors(before, &[
///     vec![header],
///     vec![body, after],
///     vec![then, join],
///     vec![join],
///     vec![header],
///     vec![],
/// ]).unwrap();
/// let expected = "\
/// block0
/// L0: loop {
///   block1 {
///     1: exit L0
///   }
///   block2 {
///     0: block3
///   }
///   block4
/// }
/// block5
/// ";
/// assert_eq!(structure(&cfg, Options::default()).to_string(), expected);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Structured {
    steps: Vec<Step>,
    slots: Vec<u32>,
    report: Report,
}

impl Structured {
    /// The steps, in the order of the text. An opened construct is closed by a [`Step::End`] that names its kind.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The slots that an arm of this program is for, or the numbers if it is one of a fork on the dispatch variable;
    /// ascending, and one at least.
    pub fn slots(&self, arm: Arm) -> &[u32] {
        self.slots.get(arm.range()).unwrap_or_default()
    }

    /// The report of the irreducible regions, and of the work.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Whether the program uses the dispatch variable.
    pub fn has_dispatch(&self) -> bool {
        self.report.regions.iter().any(|region| matches!(region.handling, Handling::Dispatched { .. }))
    }
}

/// Converts `cfg` to an equivalent structured program.
///
/// Same graph, same options, same program. Of a graph without blocks it is empty.
///
/// # Complexity
/// O((*n* + *e*) log *n*); with [`Irreducible::Split`], *n* counts the copies, too.
///
/// # Panics
/// If there are more blocks, copies and dispatch nodes than block ids.
///
/// # Examples
/// ```
/// use ssaphire::destruct::structure::{Irreducible, Options, structure};
/// use ssaphire::{Block, FlatCfg};
///
/// // A cycle of two blocks that is entered at both.
/// let [top, left, right] = [0, 1, 2].map(Block::new);
/// let cfg = FlatCfg::from_successors(top, &[vec![left, right], vec![right], vec![left]]).unwrap();
/// let dispatched = structure(&cfg, Options::default());
/// let expected = "\
/// block0 {
///   0: next = 0
///   1: next = 1
/// }
/// loop {
///   next {
///     0: block1
///   }
///   block2
///   next = 0
/// }
/// ";
/// assert_eq!(dispatched.to_string(), expected);
///
/// let split = structure(&cfg, Options::default().with_irreducible(Irreducible::Split { limit: 100 }));
/// let expected = "\
/// block0 {
///   1: block2
/// }
/// loop {
///   block1
///   block2
/// }
/// ";
/// assert_eq!(split.to_string(), expected);
/// assert_eq!(split.report().num_copies, 1);
/// ```
pub fn structure(cfg: &FlatCfg, options: Options) -> Structured {
    let mut graph = Graph::new(cfg);
    let mut shape = Shape::new(cfg);
    let mut report = Report::default();
    if let Irreducible::Split { limit } = options.irreducible {
        split::split(&mut graph, &mut shape, limit, options.thresholds.split_rounds, &mut report);
        report.limit_reached = !shape.loops.is_reducible();
    }
    if !shape.loops.is_reducible() {
        dispatch::dispatch(&mut graph, &shape, &mut report);
        shape.rebuild(graph.cfg());
    }
    debug_assert!(shape.loops.is_reducible(), "each cycle passes the header that dominates it");
    let (steps, slots, work) = translate(&graph, &shape);
    report.work += work;
    Structured { steps, slots, report }
}
