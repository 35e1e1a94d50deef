//! Edges that lead elsewhere after all.

use super::{Blocks, EdgeData};
use ssaphire_graph::{Block, Edge, PackedOption};

impl Blocks {
    /// The edge that leaves the block by the slot.
    pub(crate) fn edge_number(&self, block: Block, slot: u32) -> Option<Edge> {
        let data = self.find(block)?;
        if slot < data.num_targets {
            return Some(Edge::new(data.first_out.expand()?.index() + slot as usize));
        }
        self.late_edges(block).nth((slot - data.num_targets) as usize)
    }

    /// Lets the edge enter `to`: what it would be like if it had led there from the beginning.
    ///
    /// Neither the block it enters now nor `to` is sealed.
    pub(crate) fn redirect(&mut self, edge: Edge, to: Block, entry: Block) {
        self.take_from_list(edge);
        let EdgeData { source, target: before, .. } = self.edges[edge];
        let is_reachable = |blocks: &Self, block: Block| block == entry || blocks.get(block).is_reachable;
        // The path that was known may have led along this edge.
        let first = self.edges.find(self.get(before).first_in);
        let mut rest = core::iter::successors(first, |edge| self.edges.find(edge.next_in));
        let stays_reachable = rest.any(|edge| is_reachable(self, edge.source));
        self.get_mut(before).is_reachable &= stays_reachable;
        self.mention(to).is_reachable |= is_reachable(self, source);
        self.put_into_list(edge, to);
    }

    /// Takes the edge out of the list of the block it enters.
    fn take_from_list(&mut self, edge: Edge) {
        let EdgeData { target, next_in, .. } = self.edges[edge];
        let before = self.last_before(self.get(target).first_in, |at| at != edge);
        let data = self.get_mut(target);
        data.num_in -= 1;
        if data.last_in == edge.into() {
            data.last_in = before;
        }
        self.link(target, before, next_in);
    }

    /// Puts the edge into the list of `to`, where older edges come first.
    fn put_into_list(&mut self, edge: Edge, to: Block) {
        let data = self.get(to);
        let last = data.last_in.expand().filter(|&last| last < edge);
        let before = last.map_or_else(|| self.last_before(data.first_in, |at| at < edge), PackedOption::from);
        let next = before.expand().map_or(data.first_in, |before| self.edges[before].next_in);
        let data = self.get_mut(to);
        data.num_in += 1;
        if next.is_none() {
            data.last_in = edge.into();
        }
        self.link(to, before, edge.into());
        let edge = &mut self.edges[edge];
        (edge.target, edge.next_in) = (to, next);
    }

    /// The last of the edges at the beginning of the list for which `comes_before` holds.
    fn last_before(&self, first: PackedOption<Edge>, comes_before: impl Fn(Edge) -> bool) -> PackedOption<Edge> {
        let list = core::iter::successors(first.expand(), |&at| self.edges[at].next_in.expand());
        list.take_while(|&at| comes_before(at)).last().into()
    }

    /// Lets `edge` follow `before` in the list of the block, or begin it.
    fn link(&mut self, block: Block, before: PackedOption<Edge>, edge: PackedOption<Edge>) {
        match self.edges.find_mut(before) {
            Some(before) => before.next_in = edge,
            None => self.get_mut(block).first_in = edge,
        }
    }
}
