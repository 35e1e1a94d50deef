//! The innermost loop of each block, found by contracting loops from the inside out.
//!
//! Blocks are numbered in depth-first preorder and visited from last to first,
//! so inner headers come before outer ones. A loop that is found is contracted
//! to its header. A backward search among the descendants of a header finds its
//! loop.
//!
//! An edge may be followed by the search for header `h` only if its source is a
//! descendant of `h`, as its target is. That is so once the nearest common
//! ancestor of its two ends has been visited; until then the edge waits there.

use crate::order::Preorder;
use crate::{Edge, FlatCfg, IdMap, IdStacks, Order, PackedOption};
use alloc::vec::Vec;

#[derive(Clone, Debug, Default)]
pub(super) struct Nesting {
    /// The header of the innermost loop a block is in and not the header of.
    parent: IdMap<Preorder, PackedOption<Preorder>>,
    is_header: IdMap<Preorder, bool>,
    /// A visited block leads to its nearest ancestor that is not visited yet.
    unvisited: UnionFind,
    /// A block leads to the header of the outermost loop found so far that contains it.
    contracted: UnionFind,
    /// Edges that may not be followed yet, by the common ancestor of their ends.
    waiting: IdStacks<Preorder, Edge>,
    /// Edges that may be followed, by the header to which their target is contracted.
    entering: IdStacks<Preorder, Edge>,
    work: Vec<Preorder>,
}

impl Nesting {
    pub(super) fn rebuild(&mut self, cfg: &FlatCfg, order: &Order) {
        self.begin(order, cfg.num_edges());
        for number in order.numbers().rev() {
            self.sort_incoming(cfg, order, number);
            self.release(cfg, order, number);
            self.absorb(cfg, order, number);
            self.unvisited.link(number, order.parents()[number]);
        }
    }

    pub(super) fn parent(&self, number: Preorder) -> Option<Preorder> {
        self.parent[number].expand()
    }

    pub(super) fn is_header(&self, number: Preorder) -> bool {
        self.is_header[number]
    }

    fn begin(&mut self, order: &Order, num_edges: usize) {
        let num_reachable = order.num_reachable();
        self.parent.reset(num_reachable, PackedOption::NONE);
        self.is_header.reset(num_reachable, false);
        self.unvisited.begin(order);
        self.contracted.begin(order);
        self.waiting.begin(num_reachable, num_edges);
        self.entering.begin(num_reachable, num_edges);
    }

    /// Starts the search from the sources of retreating edges; leaves other edges at the common ancestor.
    ///
    /// All blocks after `number` are visited. A source before it is an ancestor and leads to itself.
    /// A source after it leads to its last ancestor up to `number`: that is `number` if the edge is
    /// retreating, and otherwise comes before it, has it in its subtree, and so is the common ancestor.
    fn sort_incoming(&mut self, cfg: &FlatCfg, order: &Order, number: Preorder) {
        for &edge in cfg.incoming(order.block(number)) {
            let Some(source) = order.number(cfg.source(edge)) else { continue };
            let ancestor = self.unvisited.find(source);
            if ancestor == number {
                self.is_header[number] = true;
                self.work.push(self.contracted.find(source));
            } else {
                self.waiting.push(ancestor, edge);
            }
        }
    }

    /// Releases the edges that waited for `number`.
    fn release(&mut self, cfg: &FlatCfg, order: &Order, number: Preorder) {
        while let Some(edge) = self.waiting.pop(number) {
            let Some(target) = order.number(cfg.target(edge)) else { continue };
            self.entering.push(self.contracted.find(target), edge);
        }
    }

    /// Searches backward, and contracts all that is found into `header`.
    ///
    /// Edges into a block are used up here: the block is never searched from again.
    fn absorb(&mut self, cfg: &FlatCfg, order: &Order, header: Preorder) {
        while let Some(member) = self.work.pop() {
            if member == header || self.parent[member].is_some() {
                continue;
            }
            self.parent[member] = header.into();
            self.contracted.link(member, header);
            while let Some(edge) = self.entering.pop(member) {
                let Some(source) = order.number(cfg.source(edge)) else { continue };
                self.work.push(self.contracted.find(source));
            }
        }
    }
}

/// Disjoint sets of blocks, with a chosen representative each.
#[derive(Clone, Debug, Default)]
struct UnionFind {
    up: IdMap<Preorder, Preorder>,
}

impl UnionFind {
    fn begin(&mut self, order: &Order) {
        self.up.clear();
        self.up.extend(order.numbers());
    }

    /// Puts the set that `below` represents under `above`; nothing happens if that is the same.
    fn link(&mut self, below: Preorder, above: Preorder) {
        self.up[below] = above;
    }

    /// The representative of the set. Halves the path on the way.
    fn find(&mut self, mut member: Preorder) -> Preorder {
        while self.up[member] != member {
            let skip = self.up[self.up[member]];
            self.up[member] = skip;
            member = skip;
        }
        member
    }
}
