//! Edges that lead elsewhere after all.

use super::{Blocks, EdgeData, NONE};
use ssaphire_graph::Block;

impl Blocks {
    /// The edge that leaves the block by the slot.
    pub(crate) fn edge_number(&self, block: Block, slot: usize) -> Option<u32> {
        let data = self.find(block)?;
        if slot < data.num_targets as usize {
            return Some(data.first_out + slot as u32);
        }
        let first_late = self.late.get(self.rare(block).first_late as usize);
        let mut late = core::iter::successors(first_late, |late| self.late.get(late.next as usize));
        late.nth(slot - data.num_targets as usize).map(|late| late.edge)
    }

    /// Lets the edge enter `to`: what it would be like if it had led there from the beginning.
    ///
    /// Neither the block it enters now nor `to` is sealed.
    pub(crate) fn redirect(&mut self, edge: u32, to: Block, entry: Block) {
        self.take_from_list(edge);
        let EdgeData { source, target: before, .. } = self.edges[edge as usize];
        let is_reachable = |blocks: &Self, block: Block| block == entry || blocks.get(block).is_reachable;
        // The path that was known may have led along this edge.
        let mut rest = core::iter::successors(self.edges.get(self.get(before).first_in as usize), |edge| {
            self.edges.get(edge.next_in as usize)
        });
        let stays_reachable = rest.any(|edge| is_reachable(self, edge.source));
        self.get_mut(before).is_reachable &= stays_reachable;
        self.mention(to).is_reachable |= is_reachable(self, source);
        self.put_into_list(edge, to);
    }

    /// Takes the edge out of the list of the block it enters.
    fn take_from_list(&mut self, edge: u32) {
        let EdgeData { target, next_in, .. } = self.edges[edge as usize];
        let (mut before, mut at) = (NONE, self.get(target).first_in);
        while at != edge {
            (before, at) = (at, self.edges[at as usize].next_in);
        }
        let data = self.get_mut(target);
        data.num_in -= 1;
        if data.last_in == edge {
            data.last_in = before;
        }
        match before {
            NONE => data.first_in = next_in,
            _ => self.edges[before as usize].next_in = next_in,
        }
    }

    /// Puts the edge into the list of `to`, where older edges come first.
    fn put_into_list(&mut self, edge: u32, to: Block) {
        let data = self.get(to);
        let (mut before, mut next) = (NONE, data.first_in);
        if data.last_in != NONE && data.last_in < edge {
            (before, next) = (data.last_in, NONE);
        }
        while next != NONE && next < edge {
            (before, next) = (next, self.edges[next as usize].next_in);
        }
        let data = self.get_mut(to);
        data.num_in += 1;
        if next == NONE {
            data.last_in = edge;
        }
        match before {
            NONE => data.first_in = edge,
            _ => self.edges[before as usize].next_in = edge,
        }
        let edge = &mut self.edges[edge as usize];
        (edge.target, edge.next_in) = (to, next);
    }
}
