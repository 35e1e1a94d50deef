//! The origin of a phi's content: the topmost value that dominates it.

use super::phi_table::PhiTable;
use ssaphire_graph::{Block, FlatCfg, IdLists, IdMap, ImmediateDominators, Method, Value};

/// For each value that flows into a phi, or is one: its topmost dominator in the value graph below the root.
///
/// The value graph is a [`FlatCfg`] whose blocks are the values; the root is one more.
#[derive(Debug, Default)]
pub(super) struct Origins {
    /// By value: the phis that have it as an operand.
    users: IdLists<Value, Block>,
    graph: FlatCfg,
    dominators: ImmediateDominators,
    /// `None` for a phi into which no value other than phis flows.
    topmost: IdMap<Value, Option<Value>>,
}

impl Origins {
    pub(super) fn rebuild(&mut self, phis: &PhiTable) {
        self.collect_users(phis);
        self.build_graph(phis);
        // By another method than that of the code that is judged.
        self.dominators.rebuild_by(Method::LengauerTarjan, &self.graph);
        self.pass_down(phis.num_values());
    }

    /// The topmost dominator of `value`: itself if it is no redundant phi.
    pub(super) fn of(&self, value: Value) -> Option<Value> {
        self.topmost.get(value).copied().flatten()
    }

    fn collect_users(&mut self, phis: &PhiTable) {
        let uses = phis.iter().flat_map(|phi| {
            let user = Block::new(phi.value.index());
            phi.operands.iter().map(move |&operand| (operand, user))
        });
        self.users.rebuild(phis.num_values(), uses);
    }

    fn build_graph(&mut self, phis: &PhiTable) {
        let num_values = phis.num_values();
        let root = Block::new(num_values);
        let users = |value: usize| self.users.of(Value::new(value));
        let flow = (0..num_values).flat_map(|value| users(value).iter().map(move |&phi| (Block::new(value), phi)));
        let is_source = |&value: &usize| !users(value).is_empty() && phis.index_of(Value::new(value)).is_none();
        let sources = (0..num_values).filter(is_source).map(|value| (root, Block::new(value)));
        let built = self.graph.rebuild_from_edges(num_values + 1, root, flow.chain(sources));
        debug_assert_eq!(built, Ok(()), "the edges come by source, and the root last");
    }

    /// Finds the topmost dominators. A value comes after its dominators, so theirs are known.
    fn pass_down(&mut self, num_values: usize) {
        self.topmost.reset(num_values, None);
        for (node, idom) in self.dominators.pairs() {
            let value = Value::new(node.index());
            let below_root = idom == self.graph.entry();
            self.topmost[value] = if below_root { Some(value) } else { self.topmost[Value::new(idom.index())] };
        }
    }
}
