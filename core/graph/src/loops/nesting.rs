//! Which loop each block is in, by contracting loops from the inside out.
//!
//! Blocks are numbers in depth-first preorder, visited from last to first, so
//! that inner headers have their turn before outer ones. A loop that is found
//! is contracted: from then on its header stands for all of it. The loop of a
//! header is then a backward search among descendants of the header.
//!
//! An edge may be followed by the search for header `h` only if its source is a
//! descendant of `h`, as its target is. That is so once the nearest common
//! ancestor of its two ends has been visited; until then the edge waits there.

use crate::{Edge, FlatCfg, Order, order::NONE};
use alloc::vec::Vec;

#[derive(Clone, Debug, Default)]
pub(super) struct Nesting {
    /// The header of the innermost loop a block is in and not the header of, or [`NONE`].
    parent: Vec<u32>,
    is_header: Vec<bool>,
    /// A visited block leads to its nearest ancestor that is not visited yet.
    unvisited: UnionFind,
    /// A block leads to the header of the outermost loop found so far that contains it.
    contracted: UnionFind,
    /// Edges that may not be followed yet, by the common ancestor of their ends.
    waiting: EdgeLists,
    /// Edges that may be followed, by what their target is contracted to.
    entering: EdgeLists,
    work: Vec<u32>,
}

impl Nesting {
    pub(super) fn rebuild(&mut self, cfg: &FlatCfg, order: &Order) {
        self.begin(order.num_reachable(), cfg.num_edges());
        for number in (0..order.num_reachable() as u32).rev() {
            self.sort_incoming(cfg, order, number);
            self.release(cfg, order, number);
            self.absorb(cfg, order, number);
            self.unvisited.link(number, order.parents()[number as usize]);
        }
    }

    pub(super) fn parents(&self) -> &[u32] {
        &self.parent
    }

    pub(super) fn is_header(&self, number: usize) -> bool {
        self.is_header[number]
    }

    fn begin(&mut self, num_reachable: usize, num_edges: usize) {
        self.parent.clear();
        self.parent.resize(num_reachable, NONE);
        self.is_header.clear();
        self.is_header.resize(num_reachable, false);
        self.unvisited.begin(num_reachable as u32);
        self.contracted.begin(num_reachable as u32);
        self.waiting.begin(num_reachable, num_edges);
        self.entering.begin(num_reachable, num_edges);
    }

    /// Starts the search from the sources of retreating edges; leaves other edges at the common ancestor.
    ///
    /// All blocks after `number` are visited. A source before it is an ancestor and leads to itself.
    /// A source after it leads to its last ancestor up to `number`: that is `number` if the edge is
    /// retreating, and otherwise comes before it, has it in its subtree, and so is the common ancestor.
    fn sort_incoming(&mut self, cfg: &FlatCfg, order: &Order, number: u32) {
        for &edge in cfg.incoming(order.preorder()[number as usize]) {
            let source = order.number(cfg.source(edge));
            if source == NONE {
                continue;
            }
            let ancestor = self.unvisited.find(source);
            if ancestor == number {
                self.is_header[number as usize] = true;
                self.work.push(self.contracted.find(source));
            } else {
                self.waiting.push(ancestor, edge);
            }
        }
    }

    /// Lets the edges that waited for `number` be followed.
    fn release(&mut self, cfg: &FlatCfg, order: &Order, number: u32) {
        while let Some(edge) = self.waiting.pop(number) {
            let target = self.contracted.find(order.number(cfg.target(edge)));
            self.entering.push(target, edge);
        }
    }

    /// Searches backward, and contracts all that is found into `header`.
    ///
    /// Edges into a block are used up here: the block is never searched from again.
    fn absorb(&mut self, cfg: &FlatCfg, order: &Order, header: u32) {
        while let Some(member) = self.work.pop() {
            if member == header || self.parent[member as usize] != NONE {
                continue;
            }
            self.parent[member as usize] = header;
            self.contracted.link(member, header);
            while let Some(edge) = self.entering.pop(member) {
                self.work.push(self.contracted.find(order.number(cfg.source(edge))));
            }
        }
    }
}

/// Disjoint sets with a chosen representative each.
#[derive(Clone, Debug, Default)]
struct UnionFind {
    up: Vec<u32>,
}

impl UnionFind {
    fn begin(&mut self, len: u32) {
        self.up.clear();
        self.up.extend(0..len);
    }

    /// Puts the set that `below` represents under `above`; nothing happens if that is [`NONE`].
    fn link(&mut self, below: u32, above: u32) {
        if above != NONE {
            self.up[below as usize] = above;
        }
    }

    fn find(&mut self, mut member: u32) -> u32 {
        while self.up[member as usize] != member {
            let skip = self.up[self.up[member as usize] as usize];
            self.up[member as usize] = skip;
            member = skip;
        }
        member
    }
}

/// A list of edges per block; an edge is in one list at most.
#[derive(Clone, Debug, Default)]
struct EdgeLists {
    first: Vec<u32>,
    next: Vec<u32>,
}

impl EdgeLists {
    fn begin(&mut self, len: usize, num_edges: usize) {
        self.first.clear();
        self.first.resize(len, NONE);
        self.next.clear();
        self.next.resize(num_edges, NONE);
    }

    fn push(&mut self, list: u32, edge: Edge) {
        self.next[edge.index()] = self.first[list as usize];
        self.first[list as usize] = edge.index() as u32;
    }

    fn pop(&mut self, list: u32) -> Option<Edge> {
        let edge = Edge::try_new(self.first[list as usize] as usize)?;
        self.first[list as usize] = self.next[edge.index()];
        Some(edge)
    }
}
