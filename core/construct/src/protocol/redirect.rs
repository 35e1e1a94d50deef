//! Edges that lead elsewhere after all.

use super::Blocks;
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
        let (target, next_in) = (self.edge(edge).target, self.edge(edge).next_in);
        let (mut before, mut at) = (PackedOption::NONE, self.get(target).first_in);
        while let Some(other) = at.expand().filter(|&other| other != edge) {
            (before, at) = (at, self.edge(other).next_in);
        }
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
        let (mut before, mut next) = (PackedOption::NONE, data.first_in);
        if data.last_in.expand().is_some_and(|last| last < edge) {
            (before, next) = (data.last_in, PackedOption::NONE);
        }
        while let Some(other) = next.expand().filter(|&other| other < edge) {
            (before, next) = (next, self.edge(other).next_in);
        }
        let data = self.get_mut(to);
        data.num_in += 1;
        if next.is_none() {
            data.last_in = edge.into();
        }
        self.link(to, before, edge.into());
        let edge = &mut self.edges[edge.index()];
        (edge.target, edge.next_in) = (to, next);
    }

    /// Lets `next` follow `before` in the list of the block, or begin it.
    fn link(&mut self, block: Block, before: PackedOption<Edge>, next: PackedOption<Edge>) {
        match before.expand() {
            Some(before) => self.edges[before.index()].next_in = next,
            None => self.get_mut(block).first_in = next,
        }
    }
}
