//! Edges that lead elsewhere after all.

use super::{Blocks, State};
use ssaphire_graph::{Block, Edge, PackedOption};

impl<T: Copy + Default> Blocks<T> {
    /// Lets the edge enter `to`: what it would be like if it had led there from the beginning.
    ///
    /// Neither the block it enters now nor `to` is sealed.
    pub(crate) fn redirect(&mut self, edge: Edge, to: Block) {
        self.take_from_list(edge);
        // What that block leads to may have been reached along this edge alone.
        self.has_doubtful_edges = true;
        self.mention(to);
        self.put_into_list(edge, to);
    }

    /// Takes the edge out of the list of the block it enters.
    fn take_from_list(&mut self, edge: Edge) {
        let (target, before_in) = (self.edge(edge).target, self.edge(edge).before_in);
        let after = self.edge_after(target, |other| other == edge);
        let data = self.get_mut(target);
        data.num_in -= 1;
        // It stays one that was mentioned.
        data.state.set(State::MENTIONED);
        self.link(target, after, before_in);
    }

    /// Puts the edge into the list of `to`, where older edges come first.
    fn put_into_list(&mut self, edge: Edge, to: Block) {
        let after = self.edge_after(to, |other| other < edge);
        let before_in = match after.expand() {
            Some(after) => self.edge(after).before_in,
            None => self.get(to).last_in,
        };
        self.get_mut(to).num_in += 1;
        self.link(to, after, edge.into());
        let edge = &mut self.edges[edge.index()];
        (edge.target, edge.before_in) = (to, before_in);
    }

    /// Of the edges that enter the block the earliest of those that come after the first, from the last one backwards, to
    /// satisfy `is_found`.
    fn edge_after(&self, block: Block, is_found: impl Fn(Edge) -> bool) -> PackedOption<Edge> {
        let (mut after, mut at) = (PackedOption::NONE, self.get(block).last_in);
        while let Some(edge) = at.expand().filter(|&edge| !is_found(edge)) {
            (after, at) = (at, self.edge(edge).before_in);
        }
        after
    }

    /// Lets `before` be the one before `after` in the list of the block, or its last.
    fn link(&mut self, block: Block, after: PackedOption<Edge>, before: PackedOption<Edge>) {
        match after.expand() {
            Some(after) => self.edges[after.index()].before_in = before,
            None => self.get_mut(block).last_in = before,
        }
    }
}
