//! The measurements with which Cytron et al. evaluate their algorithm on real programs.
//!
//! [`Measurements::of`] counts in one function in variable form; a [`Measure`] is a column computed from the counts,
//! and [`Summary`] has the distribution over many functions. [`Detour`] counts instructions and phis of a function
//! constructed through memory, and constructed directly.
//!
//! | Cytron et al. 1991 | here |
//! |---|---|
//! | section 5.1, *A*orig, *A*tot, *M*orig, *M*tot | [`Measurements::assignments`], [`Measurements::mentions`], and with phis |
//! | section 5.1, (7), avrgDF | [`Measure::AverageFrontier`] |
//! | section 8, Fig. 20 | [`Measurements::frontiers`] by [`Measurements::statements`] |
//! | section 8, Fig. 21 | [`Measurements::phis`] |
//! | section 8, Fig. 22 | [`Measurements::control_dependences`] |
//!
//! # Complexity
//! O(*n* + *e* + *a* + size of all frontiers and control dependences).
//!
//! # Departures
//! The languages here have no common notion of a statement, and an expression is many instructions. So an instruction
//! counts as a statement if it assigns a variable, or defines no value, as stores and branches do; the others are parts
//! of expressions. Control dependences are on edges, and infinite loops have an edge to the exit. Parameters are not
//! assignments. Unreachable blocks and the edges from them are ignored.

mod column;
mod detour;
mod summary;

pub use column::Measure;
pub use detour::{Detour, FormSize};
pub use summary::Summary;

use crate::dialect::Syntax;
use crate::function::{Dest, Function, InstRef};
use ssaphire::WithPreEntry;
use ssaphire_graph::{
    Access, Block, CfgError, ControlDependence, DominanceFrontiers, DominatorTree, FlatCfg, IdMap, PostDominators,
    VariableForm,
};
use std::ops::AddAssign;

/// Counts in a function in variable form, or their sum over several.
///
/// # Examples
/// ```
/// use ssaphire::Block;
/// use ssaphire_ir::measure::{Measure, Measurements};
/// use ssaphire_ir::{Basic, Function, text};
///
/// let function: Function<Basic> = text::parse("\
/// func f(c) {
/// top:
///   branch c, left, bottom
/// left:
///   c = neg c
///   jump bottom
/// bottom:
///   return c
/// }
/// ")?;
/// // Of the minimal form: bottom has a phi of c.
/// let counts = Measurements::of(&function, &[Block::new(2)])?;
/// assert_eq!((counts.statements, counts.frontiers, counts.phis), (4, 1, 1));
/// assert_eq!(Measure::AssignmentExpansion.of(&counts), Some(2.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Measurements {
    /// Instructions that assign a variable or define no value.
    pub statements: u64,
    /// Blocks; one more where edges enter the entry: insert a block before it.
    pub blocks: u64,
    /// Edges between them.
    pub edges: u64,
    /// Blocks in all dominance frontiers together.
    pub frontiers: u64,
    /// Pairs of a block and an edge it is control dependent on.
    pub control_dependences: u64,
    /// Phis of the minimal form, in which dead ones stay.
    pub phis: u64,
    /// Their operands.
    pub operands: u64,
    /// Assignments of variables.
    pub assignments: u64,
    /// Mentions of variables: assignments and reads.
    pub mentions: u64,
    /// Frontier members looked at by the placement: for each assignment and phi, those of its block.
    pub polls: u64,
}

impl Measurements {
    /// The counts of `function`, in variable form, for which phis were placed in `phis`: a block for each of them.
    ///
    /// The tables are about the minimal form, as engine `cytron` of the crate `ssaphire-literature` places it. Where
    /// edges enter the entry, the form has a block in front ([`WithPreEntry`]).
    /// Values and phis that are there already are no variables, and are not counted.
    ///
    /// # Errors
    /// If its edges are not those of a graph.
    pub fn of<D: Syntax>(function: &Function<D>, phis: &[Block]) -> Result<Self, CfgError> {
        if function.num_blocks() == 0 {
            return Ok(Self::default());
        }
        if WithPreEntry::is_needed(function) {
            return Self::of_form(function, &WithPreEntry::new(function), phis);
        }
        Self::of_form(function, function, phis)
    }

    fn of_form<D: Syntax>(function: &Function<D>, form: &impl VariableForm, phis: &[Block]) -> Result<Self, CfgError> {
        let cfg = FlatCfg::new(form)?;
        let tree = DominatorTree::new(&cfg);
        let frontiers = DominanceFrontiers::new(&cfg, &tree);
        let mut counts = Self { frontiers: frontiers.size() as u64, ..Self::default() };
        counts.add_graph(&cfg, &tree);
        let reachable = || function.blocks().filter(|&block| tree.is_reachable(block));
        counts.statements = reachable().map(|block| statements(function, block)).sum();
        for block in reachable() {
            let assignments = counts.add_accesses(form.accesses(block));
            counts.polls += assignments * frontiers.of(block).len() as u64;
        }
        counts.add_phis(phis, &cfg, &tree, &frontiers);
        Ok(counts)
    }

    fn add_graph(&mut self, cfg: &FlatCfg, tree: &DominatorTree) {
        let reachable = tree.preorder().iter();
        self.blocks = reachable.len() as u64;
        self.edges = reachable.map(|&block| cfg.targets(block).len() as u64).sum();
        let post_dominators = PostDominators::new(cfg);
        self.control_dependences = ControlDependence::new(cfg, &post_dominators).all().count() as u64;
    }

    /// Adds the accesses of a block: how many of them assign.
    fn add_accesses(&mut self, accesses: impl Iterator<Item = Access>) -> u64 {
        let mut assignments = 0;
        for access in accesses {
            let (assigned, read) = match access {
                Access::Read(_) => (0, 1),
                Access::Write(_) => (1, 0),
                Access::Copy(..) => (1, 1),
                // Its copies follow.
                Access::Tuple(_) => (0, 0),
            };
            assignments += assigned;
            self.mentions += assigned + read;
        }
        self.assignments += assignments;
        assignments
    }

    fn add_phis(&mut self, phis: &[Block], cfg: &FlatCfg, tree: &DominatorTree, frontiers: &DominanceFrontiers) {
        let mut phis_of: IdMap<Block, u64> = IdMap::filled(cfg.num_blocks(), 0);
        phis.iter().for_each(|&block| phis_of[block] += 1);
        for &block in tree.preorder() {
            let is_taken = |edge| tree.is_reachable(cfg.source(edge));
            let indegree = cfg.incoming(block).iter().filter(|&&edge| is_taken(edge)).count() as u64;
            let phis = phis_of[block];
            self.phis += phis;
            self.operands += phis * indegree;
            self.polls += phis * frontiers.of(block).len() as u64;
        }
    }

    /// Assignments of the SSA form: the phis are assignments, too.
    pub fn all_assignments(&self) -> u64 {
        self.assignments + self.phis
    }

    /// Mentions of the SSA form: each phi is one, and each operand.
    pub fn all_mentions(&self) -> u64 {
        self.mentions + self.phis + self.operands
    }
}

impl AddAssign for Measurements {
    fn add_assign(&mut self, other: Self) {
        self.statements += other.statements;
        self.blocks += other.blocks;
        self.edges += other.edges;
        self.frontiers += other.frontiers;
        self.control_dependences += other.control_dependences;
        self.phis += other.phis;
        self.operands += other.operands;
        self.assignments += other.assignments;
        self.mentions += other.mentions;
        self.polls += other.polls;
    }
}

fn statements<D: Syntax>(function: &Function<D>, block: Block) -> u64 {
    function.block(block).insts().iter().filter(|&inst| is_statement(inst)).count() as u64
}

fn is_statement<D: Syntax>(inst: InstRef<'_, D>) -> bool {
    let assigns = inst.results.iter().any(|dest| matches!(dest, Dest::Variable(_)));
    assigns || inst.results.is_empty() || inst.is_terminator()
}

#[cfg(test)]
mod tests {
    use super::Measurements;
    use crate::{Basic, Function, text};
    use ssaphire::Block;

    fn measure(source: &str, phis: &[usize]) -> Measurements {
        let function: Function<Basic> = text::parse(source).unwrap();
        let phis: Vec<Block> = phis.iter().copied().map(Block::new).collect();
        Measurements::of(&function, &phis).unwrap()
    }

    #[test]
    fn edges_into_the_entry_and_unreachable_blocks() {
        // With a block in front, header's frontier is itself, and c gets a phi of two operands there.
        // The unreachable block adds an edge to it that is no operand, and nothing else.
        let counts = measure(
            "func f(c) {\nheader:\n  c = neg c\n  branch c, header, after\nafter:\n  return c\n\
             dead:\n  c = neg c\n  jump header\n}\n",
            &[0],
        );
        let expected = Measurements {
            statements: 3,
            blocks: 3,
            edges: 3,
            frontiers: 1,
            // header depends on the edge back to itself; after is always executed.
            control_dependences: 1,
            phis: 1,
            operands: 2,
            assignments: 1,
            // neg c, c =, branch c, return c
            mentions: 4,
            // The write and the phi, both in header.
            polls: 2,
        };
        assert_eq!(counts, expected);
    }

    #[test]
    fn a_nest_of_repeat_until_loops_has_quadratic_frontiers() {
        // Section 8: the frontier of each header has the headers around it and itself, 1 + 2 + .. + 20;
        // and so has the block that jumps back to it.
        let depth = 20;
        let mut source = String::from("func nest(c) {\nbefore:\n  jump h0\n");
        for level in 0..depth {
            let next = if level + 1 < depth { format!("h{}", level + 1) } else { format!("u{level}") };
            source += &format!("h{level}:\n  jump {next}\n");
        }
        for level in (0..depth).rev() {
            let next = if level > 0 { format!("u{}", level - 1) } else { "after".to_owned() };
            source += &format!("u{level}:\n  branch c, h{level}, {next}\n");
        }
        source += "after:\n  return c\n}\n";
        let counts = measure(&source, &[]);
        assert_eq!(counts.frontiers, 2 * (1..=depth).sum::<u64>());
        assert_eq!((counts.phis, counts.assignments), (0, 0));
    }
}
