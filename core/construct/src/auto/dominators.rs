//! The dominator tree so far, and the variables written along it.
//!
//! A block is *linked* below its immediate dominator when all its edges are known; until then its node is a root.
//! Blocks that are reached only through a root are below it. Each node has a mask of the variables that may be written
//! on a path from its dominator's end to its own end. So the climb from a block's sources to the node where they meet
//! finds the variables that are written between its dominator and its top. Any other variable has the same reaching
//! definition at the top as at the end of the dominator; a variable that is written in between is merged at the top.
//!
//! A join merges a variable exactly if it is written in between: such a write
//! does not strictly dominate the join, so the join is in its iterated dominance
//! frontier (Cytron et al. 1991, Lemma 4 and Theorem 2, applied to a path from
//! the write to the join).
//!
//! # Complexity
//! Climbs take O(1) single steps for each block and edge. Beyond that they
//! jump: once a climb needs jumps, each node gets a dominator to jump to, such
//! that any dominator is reached in few [jumps](super::jumps) and steps.
//! A block is not linked if that takes more than [`Thresholds::link_steps_per_block`]: O(*n* + *e*) in any case.
//!
//! # Departures
//! Not in Braun et al. 2013. Sreedhar and Gao 1995 find frontiers on the tree of a
//! finished graph; here the tree grows as blocks are filled and sealed.

use super::bloom::VariableMask;
use super::climber::{Climber, Step};
use super::jumps::Jump;
use super::node_id::NodeId;
use crate::thresholds::Thresholds;
use alloc::vec::Vec;
use ssaphire_graph::{Block, Id, IdMap, PackedOption};

#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The variables that may be written between the dominator and the top of the block, once it is linked.
    between: VariableMask,
    /// The variables that may be written from below the dominator to the end of the block.
    pub(super) written: VariableMask,
    /// Its dominator; [`NodeId::LAST`] of a root, which is not in the table.
    pub(super) up: NodeId,
    block: Block,
    /// The last climb that passed.
    pub(super) visited: u32,
    /// One more than the number of the lookup's frame for this block; 0 if there is none.
    mark: u32,
}

#[derive(Clone, Debug)]
pub(super) struct Tree {
    pub(super) thresholds: Thresholds,
    pub(super) nodes: IdMap<NodeId, Node>,
    /// Edges into sealed joins.
    num_edges: usize,
    num_climbs: u32,
    /// For each climb, the single-entry loop header that it linked, if any; shorter than `num_climbs`.
    single_entry_headers: Vec<PackedOption<NodeId>>,
    /// The jumps of the oldest nodes; empty until a climb needs jumps.
    pub(super) jumps: Vec<Jump>,
    pub(super) needs_jumps: bool,
    /// By late node, a bound such that all nodes between that node and its dominator are older. [`NodeId::FIRST`] for a
    /// node that is not late.
    ///
    /// A node is *late* if it was created before it was linked: newer nodes may have paths back to it.
    loop_ends: IdMap<NodeId, NodeId>,
    /// Steps of climbs so far.
    pub(super) num_steps: u64,
}

/// The dominator where the sources of a block meet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    /// Their nearest common dominator; none if the block itself dominates all of them.
    pub(super) dominator: Option<NodeId>,
    /// The variables that may be written between it and the top of the block.
    pub(super) between: VariableMask,
    /// All nodes in between are older than this one; [`NodeId::LAST`] if the climb took no jumps, and did not
    /// compute the bound.
    pub(super) end: NodeId,
    /// Whether the dominator may not be the immediate one: no edge comes from an older node.
    pub(super) may_be_too_high: bool,
}

/// Why it is not known where sources meet: a climb ended at a root.
#[derive(Clone, Copy, Debug)]
pub(super) struct Blocked;

impl Tree {
    pub(super) fn new(thresholds: Thresholds) -> Self {
        Self {
            thresholds,
            nodes: IdMap::new(),
            num_edges: 0,
            num_climbs: 0,
            single_entry_headers: Vec::new(),
            jumps: Vec::new(),
            needs_jumps: false,
            loop_ends: IdMap::new(),
            num_steps: 0,
        }
    }

    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        (self.num_edges, self.num_climbs) = (0, 0);
        self.single_entry_headers.clear();
        self.jumps.clear();
        self.needs_jumps = false;
        self.loop_ends.clear();
        self.num_steps = 0;
    }

    /// Number of nodes.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    #[inline]
    pub(super) fn block(&self, node: NodeId) -> Block {
        self.nodes[node].block
    }

    #[inline]
    pub(super) fn dominator(&self, node: NodeId) -> Option<NodeId> {
        let up = self.nodes[node].up;
        if up == NodeId::LAST { None } else { Some(up) }
    }

    #[inline]
    pub(super) fn written(&self, node: NodeId) -> VariableMask {
        self.nodes[node].written
    }

    /// The variables that may be written between the dominator and the top of the block.
    #[inline]
    pub(super) fn between(&self, node: NodeId) -> VariableMask {
        self.nodes[node].between
    }

    #[inline]
    pub(super) fn add_written(&mut self, node: NodeId, written: VariableMask) {
        self.nodes[node].written.add(written);
    }

    #[inline]
    pub(super) fn mark_mut(&mut self, node: NodeId) -> &mut u32 {
        &mut self.nodes[node].mark
    }

    #[inline]
    pub(super) fn mark(&self, node: NodeId) -> u32 {
        self.nodes[node].mark
    }

    /// Adds the edges of a join that is going to be linked to the budget of steps.
    #[inline]
    pub(super) fn expect_climbs(&mut self, num_edges: usize) {
        self.num_edges += num_edges;
    }

    /// Adds the node of a block whose dominator is not known.
    pub(super) fn add_root(&mut self, block: Block) {
        self.push(block, NodeId::LAST, VariableMask::EMPTY);
    }

    /// Adds the node of a block below its dominator.
    #[inline]
    pub(super) fn add_below(&mut self, block: Block, up: NodeId, between: VariableMask) {
        self.push(block, up, between);
    }

    #[inline]
    fn push(&mut self, block: Block, up: NodeId, between: VariableMask) {
        // A new node has written nothing yet: its mask has only the variables written above its top.
        self.nodes.push(Node { between, written: between, up, block, visited: 0, mark: 0 });
        // Climbs by jumps look up every node that they pass, so the table must have all of them.
        if self.needs_jumps {
            self.extend_jumps();
        }
    }

    /// Links a block that has a node.
    pub(super) fn link(&mut self, node: NodeId, up: NodeId, Meeting { between, end, .. }: Meeting) {
        debug_assert!(up < node, "{up} is older than {node}, which it dominates");
        let data = &mut self.nodes[node];
        (data.up, data.between) = (up, between);
        // A climb that passes the node continues at `up`, so the mask of the node needs the variables written on the
        // way from there, too.
        data.written.add(between);
        // A climb without jumps has no end. But the blocks on the paths from `up` are sources of known edges, so they
        // are filled and have nodes: none of these nodes is created later than now.
        let num_nodes = NodeId::new(self.nodes.len());
        self.loop_ends.grow_to(node, NodeId::FIRST);
        self.loop_ends[node] = end.min(num_nodes);
        // Jumps of the nodes below lead at most to this one while it is a root, so they stay right; its own led
        // nowhere, and is computed again.
        if node.index() < self.jumps.len() {
            self.jumps[node.index()] = self.jump_of_root(node);
        }
    }

    /// A bound such that all nodes with a path back to this one are older: [`NodeId::FIRST`] if none of them is newer
    /// than this node.
    #[inline]
    pub(super) fn loop_end(&self, node: NodeId) -> NodeId {
        self.loop_ends.get(node).copied().unwrap_or(NodeId::FIRST)
    }

    /// Makes `up` the provisional dominator of the block, or makes the block a root again.
    pub(super) fn set_dominator(&mut self, node: NodeId, up: Option<NodeId>) {
        self.nodes[node].up = up.unwrap_or(NodeId::LAST);
    }

    /// The root of the tree that the block is in, or `stop` if that is met before; also while blocks have provisional
    /// dominators.
    pub(super) fn root(&mut self, node: NodeId, stop: Option<NodeId>) -> NodeId {
        let (mut at, mut num_steps) = (node, 0);
        while let Some(up) = self.dominator(at).filter(|_| Some(at) != stop) {
            num_steps += 1;
            if num_steps >= self.thresholds.climb_steps {
                self.need_jumps();
            }
            self.num_steps += 1;
            // Dominators are older, so `stop` cannot be met from a node that is older than it.
            let floor = stop.filter(|&stop| stop < at).unwrap_or(NodeId::FIRST);
            let jump = if self.needs_jumps { self.jump_from(at).map(|(to, _)| to) } else { None };
            at = jump.filter(|&to| to >= floor).unwrap_or(up);
        }
        at
    }

    /// The dominator where the sources of a block meet; `own` is the node of the block, if it has one.
    #[inline(always)]
    pub(super) fn meet(&mut self, sources: &[NodeId], own: Option<NodeId>) -> Result<Meeting, Blocked> {
        if self.needs_jumps {
            return self.meet_by_jumps(sources, own);
        }
        // Steps that short climbs have left pay for long ones: climbs without jumps take linear time in all, and each
        // may take `climb_steps` beyond that.
        let Thresholds { climb_steps, climb_steps_per_block, .. } = self.thresholds;
        let limit = climb_steps.saturating_add(self.steps_left(climb_steps_per_block));
        let climb = match own {
            None => self.climb_from_above(sources, limit),
            Some(_) => self.climb_around(sources, own, limit),
        };
        match climb {
            Climb::Met(meeting) => Ok(meeting),
            Climb::Blocked => Err(Blocked),
            Climb::TooFar => {
                self.need_jumps();
                self.meet_by_jumps(sources, own)
            }
        }
    }

    /// The number of steps left of a budget of `each` for each block and edge so far.
    #[inline]
    fn steps_left(&self, each: u32) -> u32 {
        let paid = u64::from(each) * (self.nodes.len() + self.num_edges) as u64;
        paid.saturating_sub(self.num_steps).min(1 << 30) as u32
    }

    /// Whether the step budget for linking is exhausted; then only climbs of few steps are tried.
    pub(super) fn is_exhausted(&self) -> bool {
        self.steps_left(self.thresholds.link_steps_per_block) == 0
    }

    #[inline(never)]
    fn climb_around(&mut self, sources: &[NodeId], own: Option<NodeId>, limit: u32) -> Climb {
        self.climb::<false>(sources, own, limit)
    }

    #[inline(never)]
    fn meet_by_jumps(&mut self, sources: &[NodeId], own: Option<NodeId>) -> Result<Meeting, Blocked> {
        let Thresholds { climb_steps, link_steps_per_block, .. } = self.thresholds;
        let limit = climb_steps.saturating_add(self.steps_left(link_steps_per_block));
        match self.climb::<true>(sources, own, limit) {
            Climb::Met(meeting) => Ok(meeting),
            // A climb that goes too far has used all steps up: the caller finds the budget exhausted, and lets the
            // block stay a root.
            Climb::Blocked | Climb::TooFar => Err(Blocked),
        }
    }

    /// Climbs from each source to where it meets those before.
    ///
    /// A climb that comes to a node passed before ends there: the nodes above have been counted. Of two nodes, the
    /// newer one cannot dominate the other (invariant 1), so the climb continues from it. They meet in no node that is
    /// newer than the older one, so that one is the floor of the jumps.
    #[inline(always)]
    fn climb<const JUMPS: bool>(&mut self, sources: &[NodeId], own: Option<NodeId>, limit: u32) -> Climb {
        self.num_climbs += 1;
        let Self { nodes, single_entry_headers, jumps, loop_ends, num_steps, num_climbs: number, .. } = self;
        let jumps: &mut [Jump] = if JUMPS { jumps } else { &mut [] };
        let mut climber = Climber::new(nodes, single_entry_headers, jumps, loop_ends, *number);
        // Nodes from here on are newer than that of the block, if it has one.
        let header = own.unwrap_or(NodeId::LAST);
        let mut common: Option<NodeId> = None;
        let (mut is_blocked, mut has_back_edge, mut is_entered_elsewhere, mut may_be_too_high) =
            (false, false, false, true);
        'sources: for &source in sources {
            let mut at = source;
            // The immediate dominator lies above each source. If a source is older than the block's node, so is that
            // dominator, and the climb meets it; otherwise the climb may have passed it.
            may_be_too_high &= source >= header;
            while at > header {
                match climber.come_round::<JUMPS>(at, header) {
                    Step::To(up) => at = up,
                    Step::Seen => continue 'sources,
                    Step::Blocked => is_blocked = true,
                }
                if is_blocked || climber.num_steps > limit {
                    break 'sources;
                }
            }
            if at == header {
                has_back_edge = true;
                continue;
            }
            is_entered_elsewhere |= source > header;
            let mut met = common.unwrap_or(at);
            while met != at {
                let step = if at > met { climber.pass::<JUMPS>(at, met) } else { climber.pass::<JUMPS>(met, at) };
                match step {
                    Step::To(up) if at > met => at = up,
                    Step::To(up) => met = up,
                    // Only blocks below `common` have been passed, so `met` is still that.
                    Step::Seen => break,
                    Step::Blocked => is_blocked = true,
                }
                if is_blocked || climber.num_steps > limit {
                    break 'sources;
                }
            }
            common = Some(met);
        }
        *num_steps += u64::from(climber.num_steps);
        if climber.num_steps > limit {
            return Climb::TooFar;
        }
        if is_blocked {
            return Climb::Blocked;
        }
        let mut between = climber.written;
        let end = if JUMPS { climber.end_of(sources) } else { NodeId::LAST };
        if has_back_edge {
            between.add(self.close_loop(header, is_entered_elsewhere));
        }
        Climb::Met(Meeting { dominator: common, between, end, may_be_too_high: may_be_too_high && common.is_some() })
    }

    /// Notes that the climb has found a back edge to a header. Returns the variables written in the header itself.
    fn close_loop(&mut self, header: NodeId, is_entered_elsewhere: bool) -> VariableMask {
        // If the loop has another entry, the climb has marked nodes that the header does not dominate, although they
        // are newer: a later climb must not go from those to the header in one step.
        if !is_entered_elsewhere {
            self.single_entry_headers.resize(self.num_climbs as usize - 1, PackedOption::NONE);
            self.single_entry_headers.push(header.into());
        }
        self.nodes[header].written
    }

    /// As [`climb`](Self::climb), for a block without a node: no source is below it.
    #[inline(always)]
    fn climb_from_above(&mut self, sources: &[NodeId], limit: u32) -> Climb {
        let Some((&first, others)) = sources.split_first() else { return Climb::Blocked };
        self.num_climbs += 1;
        let (number, mut steps_left) = (self.num_climbs, limit);
        let (mut common, mut written) = (first, VariableMask::EMPTY);
        // The block has no node, so all nodes that dominate it are older than its own will be: the climb finds the
        // immediate dominator, and there is no back edge.
        let end = others.iter().try_for_each(|&source| {
            let mut at = source;
            while at != common {
                // `NodeId::LAST`, the dominator of a root, is not in the table.
                let Some(data) = self.nodes.get_mut(at.max(common)) else { return Err(Climb::Blocked) };
                if data.visited == number {
                    // The climb from an earlier source has passed this node, and has continued to `common`.
                    break;
                }
                data.visited = number;
                written.add(data.written);
                if at > common {
                    at = data.up;
                } else {
                    common = data.up;
                }
                steps_left = steps_left.checked_sub(1).ok_or(Climb::TooFar)?;
            }
            Ok(())
        });
        self.num_steps += u64::from(limit - steps_left);
        match end {
            Ok(()) => Climb::Met(Meeting {
                dominator: Some(common),
                between: written,
                end: NodeId::LAST,
                may_be_too_high: false,
            }),
            Err(end) => end,
        }
    }
}

enum Climb {
    Met(Meeting),
    Blocked,
    TooFar,
}
