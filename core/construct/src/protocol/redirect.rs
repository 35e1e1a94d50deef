//! Redirection of edges.

use super::{Blocks, State};
use ssaphire_graph::{Block, Edge, PackedOption};

impl<T: Copy + Default> Blocks<T> {
    /// Redirects the edge to `to`, as if it had entered `to` from the beginning.
    ///
    /// Neither the block it enters now nor `to` is sealed, and no edge leaves the former: otherwise its outgoing edges
    /// might be left with a source that has no incoming edge.
    pub fn redirect(&mut self, edge: Edge, to: Block) {
        self.take_from_list(edge);
        self.mention(to);
        self.put_into_list(edge, to);
    }

    /// Takes the edge out of the list of the block it enters.
    fn take_from_list(&mut self, edge: Edge) {
        self.link_forwards();
        let (target, before_in) = (self.edge(edge).target, self.edge(edge).before_in);
        let after = self.after_in[edge.index()];
        let data = self.get_mut(target);
        data.num_in -= 1;
        // The block stays mentioned.
        data.state.set(State::MENTIONED);
        self.link(target, after, before_in);
    }

    /// Puts the edge into the list of `to`, where older edges come first.
    fn put_into_list(&mut self, edge: Edge, to: Block) {
        let (mut after, mut before_in) = (PackedOption::NONE, self.get(to).last_in);
        while let Some(other) = before_in.expand().filter(|&other| other > edge) {
            (after, before_in) = (before_in, self.edge(other).before_in);
        }
        self.get_mut(to).num_in += 1;
        self.edges[edge.index()].target = to;
        self.link(to, after, edge.into());
        self.link(to, edge.into(), before_in);
    }

    /// Brings `after_in` up to date: since the last redirection, edges were only added at the end of lists.
    ///
    /// O(1) amortized per edge.
    fn link_forwards(&mut self) {
        for index in self.after_in.len()..self.edges.len() {
            if let Some(before) = self.edges[index].before_in.expand() {
                self.after_in[before.index()] = Edge::new(index).into();
            }
            self.after_in.push(PackedOption::NONE);
        }
    }

    /// Makes `before` and `after` neighbors in the list of the block, or one of them its end.
    fn link(&mut self, block: Block, after: PackedOption<Edge>, before: PackedOption<Edge>) {
        match after.expand() {
            Some(after) => self.edges[after.index()].before_in = before,
            None => self.get_mut(block).last_in = before,
        }
        if let Some(before) = before.expand() {
            self.after_in[before.index()] = after;
        }
    }
}
