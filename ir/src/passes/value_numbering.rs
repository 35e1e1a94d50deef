//! Global value numbering: of values that are congruent, those that another one dominates are removed.
//!
//! Values are congruent if they are computed by the same operation from congruent values, and phis, if they have the
//! same tag and congruent operands. The tag of a phi is its block; or, if asked for, the condition that controls the
//! join in which it stands, so that phis of two joins are congruent where the same condition chooses between the same
//! values; or also how its loop runs, so that phis of two loops are congruent where these begin with the same values
//! and go on by the same steps.
//!
//! # Loops
//! In a loop, a value has a content for each iteration; behind it, the last of them: its *exit value*. With tags by
//! loop the two are different nodes of the value graph. Take the *simple* loops, which have one entering edge, one back
//! edge and one edge that leaves them, by a branch that each iteration passes once.
//!
//! 1. A node is a function of iteration numbers, those of the loops around it. In any graph, irreducible ones too, a
//!    block is executed at most once for the same numbers, if they count how often control has come to the header since
//!    it entered the loop: a cycle that avoids the headers of all these loops lies in a loop inside of them. A use sees
//!    what was computed for the same numbers of the loops around both, since the definition dominates the use.
//! 2. A phi at the header of a simple loop is computed from what its two edges bring, and its tag is the loop around
//!    its own. If two such phis are congruent, they hold the same in iteration *k* of either loop, for each *k* that
//!    both begin in one iteration of the loop around them: by induction on *k*.
//! 3. An exit value of a simple loop is computed from the value and the condition of the loop's test; its tag is the
//!    operation that tests, the slot that leaves, and the loop around. If two are congruent, the loops run equally
//!    often, for when one of them ends, the other one has the same condition in the same iteration; so what they leave
//!    is equal.
//! 4. What leaves any other loop, or two at once, is congruent to nothing else.
//!
//! Thus congruent nodes agree if the loops around both are in the same iterations, and the outermost loops that are
//! around one alone, too, if there are two. At one moment this is true of all that is seen there. So a value stands for
//! another one where the loops around it are around that one, too: values of two loops may be congruent and yet differ
//! at each moment, for when the second loop begins, the first one has ended. And a use behind both loops takes the exit
//! value of the one that comes first. If nothing else needs the second loop,
//! [`remove_dead_code`](super::remove_dead_code) removes it.
//!
//! The tag in 3 names the loop around, because a loop that is in a second one beside the first one is in no iteration
//! of the first one: in iteration *k* of the second one its test may be what the first one tests in its iteration *k*,
//! and where the first one has no iteration *k*, anything.
//!
//! | Alpern, Wegman and Zadeck 1988 | here |
//! |---|---|
//! | the value graph of the program | `ValueGraph` |
//! | its coarsest partition | [`Congruence`] |
//! | phis by block, by the test of an `if`, by loop | [`PhiTags`] |
//! | replacing what is dominated | `replace_dominated` |
//!
//! # Complexity
//! O(*m* log *n*) for *n* values with *m* operands, and sorting the members of classes; with tags by loop, also O(log
//! *l*) for each use, where loops nest *l* deep.
//!
//! # Departures
//! Copies of values are propagated before. Exit values are not computed from exit values: `i + 1` of the last iteration
//! is not recognized as one more than the `i` of the last iteration. Equalities that hold in every iteration are found
//! by condition tags, which are tried first.

mod choice;
mod graph;
mod loops;

use super::{propagate_copies, remove_redundant_phis};
use crate::dialect::Semantics;
use crate::function::{Dest, Function};
use graph::{Definition, Node, ValueGraph};
use ssaphire::Value;
use ssaphire::graph::{CfgError, Congruence, DominatorTree, FlatCfg, IdMap};

/// The tag that distinguishes phis with congruent operands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum PhiTags {
    /// Their block.
    #[default]
    Block,
    /// In a join of two edges that the two ways out of one branch lead to, what that branch decides on; else the block.
    ///
    /// Such a phi has three operands: the condition, and what it chooses from.
    Condition,
    /// As [`Condition`](Self::Condition), and then, at the header of a loop with one way in, one way round and one way
    /// out, the loop around that loop.
    ///
    /// What such a loop leaves is told apart by when it ends: by the condition of the test that ends it.
    Loop,
}

/// Counts of what [`number_values`] has removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Numbered {
    /// Phis that were congruent to others.
    pub phis: usize,
    /// Instructions whose results were congruent to others.
    pub insts: usize,
    /// Uses of what a loop leaves, which take what an earlier one leaves.
    pub exit_uses: usize,
    /// Copies of values, and phis that stood for one value with them.
    pub copies: usize,
    /// Phis that became redundant.
    pub redundant_phis: usize,
}

/// Removes values of `function` that are congruent to values that dominate them; returns the counts.
///
/// Dead phis count: they may be brought to life. So it finds most in a function that is minimal, but not pruned.
///
/// # Errors
/// If the graph violates its contract.
///
/// # Complexity
/// See the [module](self).
pub fn number_values<D: Semantics>(function: &mut Function<D>, tags: PhiTags) -> Result<Numbered, CfgError> {
    let mut report = Numbered { copies: propagate_copies(function)?, ..Numbered::default() };
    if tags == PhiTags::Loop {
        remove_congruent(function, PhiTags::Condition, &mut report)?;
    }
    remove_congruent(function, tags, &mut report)?;
    Ok(report)
}

fn remove_congruent<D: Semantics>(
    function: &mut Function<D>,
    tags: PhiTags,
    report: &mut Numbered,
) -> Result<(), CfgError> {
    let cfg = FlatCfg::new(function)?;
    let dominators = DominatorTree::new(&cfg);
    let graph = ValueGraph::of(function, &cfg, &dominators, tags);
    let replacements = Replacements::of(&graph, &dominators);
    replacements.rewrite(function, &graph, report);
    report.redundant_phis += remove_redundant_phis(function)?;
    Ok(())
}

/// What takes the place of congruent values.
struct Replacements {
    /// By node: the value that is used instead, or its own.
    stands_for: IdMap<Node, Value>,
}

impl Replacements {
    /// Replaces each value that a congruent one dominates.
    fn of(graph: &ValueGraph, dominators: &DominatorTree) -> Self {
        let mut stands_for = graph.value.clone();
        let mut congruence = Congruence::new();
        congruence.rebuild(&graph.labels, &graph.operands);
        let (mut members, mut above): (Vec<(Definition, Node)>, Vec<_>) = (Vec::new(), Vec::new());
        for class in congruence.classes().filter(|class| class.len() > 1) {
            members.clear();
            members.extend(class.iter().filter_map(|&node| Some((graph.definition[graph.value[node]]?, node))));
            members.sort_unstable();
            above.clear();
            for &(Definition { block, .. }, node) in &members {
                while above.pop_if(|(other, _)| !dominators.dominates(*other, block)).is_some() {}
                match above.last() {
                    Some(&(_, other)) if graph.is_seen_in(other, block) => stands_for[node] = graph.value[other],
                    _ => above.push((block, node)),
                }
            }
        }
        Self { stands_for }
    }

    /// Removes what stands for another value, and uses that.
    fn rewrite<D: Semantics>(&self, function: &mut Function<D>, graph: &ValueGraph, report: &mut Numbered) {
        for &(node, place) in &graph.exit_uses {
            if self.stands_for[node] != graph.value[node] {
                place.set(function, self.stands_for[node]);
                report.exit_uses += 1;
            }
        }
        let stays = |value: Value| self.value(value) == value;
        for block in function.blocks() {
            function.retain_phis(block, |phi| {
                report.phis += usize::from(!stays(phi.value));
                stays(phi.value)
            });
            function.retain_insts(block, |inst| {
                let is_needed = |dest: &Dest| !matches!(*dest, Dest::Value(value) if !stays(value));
                let stays = inst.results.is_empty() || inst.results.iter().any(is_needed);
                report.insts += usize::from(!stays);
                stays
            });
        }
        function.map_uses(|value| self.value(value));
    }

    /// What stands for `value` in the loops in which it is defined.
    fn value(&self, value: Value) -> Value {
        self.stands_for.get(Node::of(value)).copied().unwrap_or(value)
    }
}
