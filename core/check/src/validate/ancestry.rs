//! A layout of the dominator tree for finding the last possible assignment of a variable.
//!
//! Between the immediate dominator `d` of a block `c` and `c` itself, control may pass blocks that *siblings* of `c`
//! (the other children of `d`) dominate, and blocks that `c` itself dominates, if it is a loop header. There is a
//! *sibling edge* from `s` to `c` if `s` dominates the source of an edge into `c`. Siblings on a cycle of sibling edges
//! are the entries of an irreducible loop, and form a [`Group`]: a strongly connected component. Siblings are laid out
//! so that those from which `c` can be reached along sibling edges are contiguous: group by group, in reverse
//! post-order of the first member of each, those without outgoing sibling edges last. So one range of positions covers
//! the blocks that control may pass on its way from `d` to `c`; it may cover more blocks.
//!
//! Invariants:
//! 1. Numbers are positions in reverse post-order: that of an immediate
//!    dominator is below those of its children, and a sibling edge leads to a
//!    greater number unless the two are in one group.
//! 2. Positions are a preorder of the dominator tree: a block dominates the positions `first..end`.
//! 3. A block that lies on a path from `d` to `c` that passes neither of them in between is in `low..high` of `c`, or
//!    dominated by `c`, which is then a loop header. If `c` is in a group, `low..high` covers all that the group
//!    dominates.
//!
//! Groups are found with Kosaraju's algorithm: in reverse post-order, each sibling adds those that lead to it and are
//! in no group yet. The reverse post-order is that of all blocks. It is valid for siblings, because every path to them
//! passes their parent: the search leaves a sibling only after those to which it leads and which do not lead back.
//!
//! # Complexity
//! O(*n* + *e* log *n*). Memory O(*n*).

use alloc::vec::Vec;
use ssaphire_graph::{Block, DominatorTree, FlatCfg, IdMap, PackedOption, internal_id};

internal_id!(
    /// Number of a reachable block: its position in reverse post-order.
    pub(super) Rpo, "rpo", Block::LIMIT
);

impl Rpo {
    /// The entry.
    pub(super) const ENTRY: Self = Self(0);
}

/// A reachable block in the dominator tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The immediate dominator; the entry is its own.
    pub(super) parent: Rpo,
    /// An ancestor further up: Myers' skew-binary jump pointer.
    jump: Rpo,
    /// Number of strict dominators.
    pub(super) level: u32,
    /// Positions of the blocks that this one dominates; the first one is its own.
    pub(super) first: u32,
    pub(super) end: u32,
    /// Positions that cover the siblings from which the block can be reached, and the blocks they dominate.
    pub(super) low: u32,
    pub(super) high: u32,
    /// The nearest loop header among the dominators of the block, itself included.
    pub(super) header: PackedOption<Rpo>,
    /// The nearest dominator in a group, itself included.
    pub(super) member: PackedOption<Rpo>,
}

const ROOT: Node = Node {
    parent: Rpo::ENTRY,
    jump: Rpo::ENTRY,
    level: 0,
    first: 0,
    end: 0,
    low: 0,
    high: 0,
    header: PackedOption::NONE,
    member: PackedOption::NONE,
};

/// Siblings that lie on cycles of sibling edges: from each of them control comes to each other one, without passing
/// their parent.
#[derive(Clone, Copy, Debug)]
struct Group {
    /// The member of least number.
    first: Rpo,
    /// Where the members begin among those of all groups.
    members: u32,
}

/// What the edges of a block say about it and its siblings.
#[derive(Clone, Copy, Debug)]
struct Ways {
    /// The least number in the block's group, or its own if it is in none; nothing until the block is reached.
    group: PackedOption<Rpo>,
    /// Of the first of a group: the least number among the groups from which it can be reached.
    lowest: Rpo,
    /// A sibling edge leads to it.
    is_entered: bool,
    /// A sibling edge leads from it.
    is_left: bool,
    /// An edge leads back to it from a block that it dominates.
    is_header: bool,
    /// It is in a group with others.
    is_grouped: bool,
    /// Number of blocks it dominates, itself included.
    size: u32,
    /// Of them, those that a child with an outgoing sibling edge dominates.
    size_left: u32,
    /// Positions for the next children: with an outgoing sibling edge, and without.
    next: [u32; 2],
    /// Of the first of a group: how many blocks the group dominates, and the position for its next member.
    size_of_group: u32,
    next_of_group: u32,
}

impl Ways {
    const NONE: Self = Self {
        group: PackedOption::NONE,
        lowest: Rpo::ENTRY,
        is_entered: false,
        is_left: false,
        is_header: false,
        is_grouped: false,
        size: 1,
        size_left: 0,
        next: [0; 2],
        size_of_group: 0,
        next_of_group: 0,
    };
}

/// The reachable blocks by number. Rebuilding reuses memory.
#[derive(Debug, Default)]
pub(super) struct Ancestry {
    nodes: IdMap<Rpo, Node>,
    blocks: IdMap<Rpo, Block>,
    numbers: IdMap<Block, PackedOption<Rpo>>,
    /// By position, the number of the block there.
    layout: Vec<Rpo>,
    ways: IdMap<Rpo, Ways>,
    /// By the first of each, ascending.
    groups: Vec<Group>,
    /// The members of the groups, group by group.
    members: Vec<Rpo>,
    pending: Vec<Rpo>,
}

impl Ancestry {
    pub(super) fn rebuild(&mut self, cfg: &FlatCfg, tree: &DominatorTree) {
        self.link(cfg, tree);
        self.find_ways(cfg);
        self.lay_out();
        self.bound_ways();
    }

    pub(super) fn node(&self, number: Rpo) -> &Node {
        &self.nodes[number]
    }

    pub(super) fn block(&self, number: Rpo) -> Block {
        self.blocks[number]
    }

    /// Whether control comes back to the block from a block that it dominates.
    pub(super) fn is_header(&self, block: Rpo) -> bool {
        self.node(block).header == block.into()
    }

    /// Number of headers and of members of groups: blocks to which control may come back.
    pub(super) fn num_ways_back(&self) -> usize {
        self.nodes.keys().filter(|&number| self.is_header(number)).count() + self.members.len()
    }

    /// Whether the block is in a group with others.
    pub(super) fn is_grouped(&self, block: Rpo) -> bool {
        self.node(block).member == block.into()
    }

    /// The first position of the blocks that the group of the block dominates.
    pub(super) fn start_of_group(&self, block: Rpo) -> u32 {
        self.ways[block].group.expand().map_or(0, |group| self.node(group).first)
    }

    /// Number of groups, which are in the order of their first members.
    pub(super) fn num_groups(&self) -> usize {
        self.groups.len()
    }

    /// The members of the group, the one of least number first.
    pub(super) fn group(&self, group: usize) -> &[Rpo] {
        let end = self.groups.get(group + 1).map_or(self.members.len(), |next| next.members as usize);
        &self.members[self.groups[group].members as usize..end]
    }

    /// Whether a member of the group dominates the block.
    pub(super) fn is_below_group(&self, group: usize, block: Rpo) -> bool {
        let first = self.groups[group].first;
        let position = self.node(first).first;
        (position..position + self.ways[first].size_of_group).contains(&self.node(block).first)
    }

    /// The member of the group that dominates the block.
    pub(super) fn member_above(&self, group: usize, block: Rpo) -> Rpo {
        ancestor_at(&self.nodes, block, self.node(self.groups[group].first).level)
    }

    /// Number of reachable blocks.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The block at this position.
    pub(super) fn at(&self, position: u32) -> Rpo {
        self.layout[position as usize]
    }

    /// The number of `block`, or `None` if it is unreachable.
    pub(super) fn number(&self, block: Block) -> Option<Rpo> {
        self.numbers.get(block)?.expand()
    }

    /// The reachable blocks with their positions, by position.
    pub(super) fn by_position(&self) -> impl Iterator<Item = (u32, Block)> + Clone + '_ {
        (0..).zip(self.layout.iter().map(|&number| self.block(number)))
    }

    /// Whether every path from the entry to `below` passes `above`.
    pub(super) fn dominates(&self, above: Rpo, below: Rpo) -> bool {
        let Node { first, end, .. } = *self.node(above);
        (first..end).contains(&self.node(below).first)
    }

    /// The last of the dominators of `from` that `holds`, from itself upwards. It holds for `from`, and not for the
    /// entry.
    ///
    /// # Complexity
    /// O(log *n*).
    pub(super) fn highest(&self, from: Rpo, holds: impl Fn(&Node) -> bool) -> Rpo {
        let mut at = from;
        loop {
            let Node { jump, parent, .. } = *self.node(at);
            // `holds` is true of a block only if it is true of all between it and `from`, so a jump skips nothing.
            if holds(self.node(jump)) {
                at = jump;
            } else if holds(self.node(parent)) {
                at = parent;
            } else {
                return at;
            }
        }
    }

    /// The blocks in reverse post-order, with their dominators and jump pointers.
    fn link(&mut self, cfg: &FlatCfg, tree: &DominatorTree) {
        let Self { nodes, blocks, numbers, .. } = self;
        numbers.reset(cfg.num_blocks(), PackedOption::NONE);
        blocks.clear();
        nodes.clear();
        for block in tree.order().rpo() {
            numbers[block] = blocks.push(block).into();
            // Only the entry has no number above it: an immediate dominator comes before its block in reverse
            // post-order.
            let Some(parent) = tree.idom(block).and_then(|idom| numbers[idom].expand()) else {
                nodes.push(ROOT);
                continue;
            };
            let Node { jump, level, .. } = nodes[parent];
            let further = nodes[jump];
            let is_even = level - further.level == further.level - nodes[further.jump].level;
            let jump = if is_even { further.jump } else { parent };
            nodes.push(Node { parent, jump, level: level + 1, ..ROOT });
        }
    }

    /// Finds sibling edges, headers and groups, from the edges between reachable blocks.
    fn find_ways(&mut self, cfg: &FlatCfg) {
        let Self { nodes, blocks, numbers, ways, groups, members, pending, .. } = self;
        ways.clear();
        ways.extend(nodes.keys().map(|number| Ways { lowest: number, ..Ways::NONE }));
        groups.clear();
        members.clear();
        // In reverse post-order, so that the sibling edges into a group are known before those that leave it.
        for first in nodes.keys().skip(1) {
            if ways[first].group.is_some() {
                continue;
            }
            let num_before = members.len();
            ways[first].group = first.into();
            pending.push(first);
            while let Some(number) = pending.pop() {
                members.push(number);
                let Node { parent, level, .. } = nodes[number];
                for &edge in cfg.incoming(blocks[number]) {
                    let source = numbers[cfg.source(edge)].expand();
                    // An edge from the parent comes from no sibling.
                    let Some(source) = source.filter(|&source| source != parent) else { continue };
                    // The parent dominates every source, so the source lies at this level or below.
                    let sibling = ancestor_at(nodes, source, level);
                    if sibling == number {
                        ways[number].is_header = true;
                        continue;
                    }
                    ways[sibling].is_left = true;
                    ways[number].is_entered = true;
                    match ways[sibling].group.expand() {
                        None => {
                            ways[sibling].group = first.into();
                            pending.push(sibling);
                        }
                        // A group finished before has its own `lowest` by now, so this one covers all that leads
                        // there, too. For the group itself nothing changes.
                        Some(group) => ways[first].lowest = ways[first].lowest.min(ways[group].lowest),
                    }
                }
            }
            if members.len() - num_before == 1 {
                members.truncate(num_before);
            } else {
                members[num_before..].iter().for_each(|&member| ways[member].is_grouped = true);
                groups.push(Group { first, members: num_before as u32 });
            }
        }
    }

    /// Gives every block its positions; siblings by group, those without outgoing sibling edges last.
    fn lay_out(&mut self) {
        let Self { nodes, ways, layout, .. } = self;
        for number in nodes.keys().skip(1).rev() {
            // Children have greater numbers than their parent, so the size of this block is complete.
            let Ways { size, is_left, group, .. } = ways[number];
            let parent = &mut ways[nodes[number].parent];
            parent.size += size;
            parent.size_left += if is_left { size } else { 0 };
            if let Some(group) = group.expand() {
                ways[group].size_of_group += size;
            }
        }
        layout.clear();
        layout.resize(nodes.len(), Rpo::ENTRY);
        for number in nodes.keys() {
            let Ways { size, size_left, is_left, group, size_of_group, .. } = ways[number];
            let mut first = 0;
            if let Some(group) = group.expand() {
                // The first member takes the positions of all. Each member has an outgoing sibling edge, so all
                // belong to the first part.
                if group == number {
                    let place = &mut ways[nodes[number].parent].next[usize::from(!is_left)];
                    first = *place;
                    *place += size_of_group;
                    ways[group].next_of_group = first;
                }
                let place = &mut ways[group].next_of_group;
                first = *place;
                *place += size;
            }
            ways[number].next = [first + 1, first + 1 + size_left];
            layout[first as usize] = number;
            (nodes[number].first, nodes[number].end) = (first, first + size);
        }
    }

    /// Bounds, for each block, the positions of the blocks that control may pass between its immediate dominator and
    /// it.
    fn bound_ways(&mut self) {
        let Self { nodes, ways, .. } = self;
        for number in nodes.keys().skip(1) {
            let Ways { group, is_entered, is_header, is_grouped, .. } = ways[number];
            let above = nodes[nodes[number].parent];
            let Ways { size_left, .. } = ways[nodes[number].parent];
            let group = group.expand().unwrap_or(number);
            let Ways { lowest, size_of_group, .. } = ways[group];
            let (low, start) = (nodes[lowest].first, nodes[group].first);
            let node = &mut nodes[number];
            if is_grouped {
                (node.low, node.high) = (low, start + size_of_group);
            } else if is_entered {
                // Only siblings with outgoing edges lead here, and those lie in the first part.
                (node.low, node.high) = (low, node.first.min(above.first + 1 + size_left));
            }
            node.header = if is_header { number.into() } else { above.header };
            node.member = if is_grouped { number.into() } else { above.member };
        }
    }
}

/// The dominator of `below` at `level`, which is that of `below` or less.
fn ancestor_at(nodes: &IdMap<Rpo, Node>, below: Rpo, level: u32) -> Rpo {
    let mut at = below;
    while nodes[at].level > level {
        let Node { jump, parent, .. } = nodes[at];
        at = if nodes[jump].level >= level { jump } else { parent };
    }
    at
}
