//! Where the content of a phi comes from: the topmost value that dominates it.

use super::phi_table::PhiTable;
use alloc::vec::Vec;
use ssaphire_graph::{Block, FlatCfg, IdMap, ImmediateDominators, Method, Value};

/// For each value that flows into a phi, or is one: its topmost dominator in the value graph below the root.
///
/// The value graph is a [`FlatCfg`] whose blocks are the values; the root is one more.
#[derive(Debug)]
pub(super) struct Origins {
    /// `start[v]..start[v + 1]` are the phis that have the value `v` as an operand.
    start: Vec<u32>,
    users: Vec<Block>,
    cursor: Vec<u32>,
    graph: FlatCfg,
    dominators: ImmediateDominators,
    /// `None` for what no value outside the phis flows into.
    topmost: IdMap<Value, Option<Value>>,
}

impl Default for Origins {
    fn default() -> Self {
        Self {
            start: Vec::new(),
            users: Vec::new(),
            cursor: Vec::new(),
            graph: FlatCfg::default(),
            dominators: ImmediateDominators::with_method(Method::LengauerTarjan),
            topmost: IdMap::new(),
        }
    }
}

impl Origins {
    pub(super) fn rebuild(&mut self, phis: &PhiTable) {
        self.collect_users(phis);
        self.build_graph(phis);
        self.dominators.rebuild(&self.graph);
        self.pass_down(phis.num_values());
    }

    /// The topmost dominator of `value`: itself if it is no redundant phi.
    pub(super) fn of(&self, value: Value) -> Option<Value> {
        self.topmost.get(value).copied().flatten()
    }

    /// A counting sort of all operands.
    fn collect_users(&mut self, phis: &PhiTable) {
        self.start.clear();
        self.start.resize(phis.num_values() + 1, 0);
        for operand in phis.iter().flat_map(|phi| phi.operands) {
            self.start[operand.index() + 1] += 1;
        }
        for index in 0..phis.num_values() {
            self.start[index + 1] += self.start[index];
        }
        self.cursor.clear();
        self.cursor.extend_from_slice(&self.start);
        self.users.clear();
        self.users.resize(self.start[phis.num_values()] as usize, Block::new(0));
        for phi in phis.iter() {
            for operand in phi.operands {
                let place = &mut self.cursor[operand.index()];
                self.users[*place as usize] = Block::new(phi.value.index());
                *place += 1;
            }
        }
    }

    fn build_graph(&mut self, phis: &PhiTable) {
        let num_values = phis.num_values();
        let root = Block::new(num_values);
        let users = |value: usize| &self.users[self.start[value] as usize..self.start[value + 1] as usize];
        let flow = (0..num_values).flat_map(|value| users(value).iter().map(move |&phi| (Block::new(value), phi)));
        let is_source = |&value: &usize| !users(value).is_empty() && phis.index_of(Value::new(value)).is_none();
        let sources = (0..num_values).filter(is_source).map(|value| (root, Block::new(value)));
        let built = self.graph.rebuild_from_edges(num_values + 1, root, flow.chain(sources));
        debug_assert_eq!(built, Ok(()), "the edges come by source, and the root last");
    }

    /// A value comes after its dominators, so theirs is known.
    fn pass_down(&mut self, num_values: usize) {
        self.topmost.reset(num_values, None);
        for (node, idom) in self.dominators.pairs() {
            let value = Value::new(node.index());
            let below_root = idom == self.graph.entry();
            self.topmost[value] = if below_root { Some(value) } else { self.topmost[Value::new(idom.index())] };
        }
    }
}
