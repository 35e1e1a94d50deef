//! Less nesting: a handler goes into the one `catch` clause that leads to it, and what a loop ends with goes behind the loop.
//!
//! Where several edges lead to a handler, it stands behind a labeled block around all that its block dominates, and so does
//! everything that follows where nothing is thrown. A function of many loops over iterables in a row, each with its
//! handler, would nest as deep as there are loops.

use super::builder::Builder;
use super::expr::Throws;
use super::tree::{Jump, Kind, LabelId, NodeId, Seq, children};
use ssaphire_ir::Block;

impl Builder<'_, '_> {
    /// Moves what follows a labeled block into the one `catch` clause that leads there.
    pub(super) fn sink_handlers(&mut self, mut seq: Seq) -> Seq {
        let mut end = seq.len();
        while let Some(at) = seq[..end].iter().rposition(|node| self.handlers.landings.contains_key(node)) {
            end = at;
            if at + 1 == seq.len() {
                continue;
            }
            let labeled = seq[at];
            let Some(&(jump, caught_by)) = self.handlers.landings.get(&labeled) else { break };
            let Kind::Labeled { label, ref body } = self.tree.nodes[labeled].kind else { continue };
            // Only then is the rest executed after this clause alone: one jump leads there, and nothing falls through.
            if self.tree.breaks.get(&label) != Some(&1) || self.tree.completes(body) {
                continue;
            }
            let rest = &seq[at + 1..];
            let throws = self.tree.seq_throws(rest);
            let Some(path) = self.path_up(caught_by, labeled, throws) else { continue };
            let mut rest = seq.split_off(at + 1);
            let handlers: Vec<Block> = rest.iter().flat_map(|&node| self.tree.nodes[node].handlers.clone()).collect();
            let completes = self.tree.completes(&rest);
            // The jump still leads to the end of the labeled block. The rest has moved away from behind that, so it is
            // also where control goes after the rest.
            if completes {
                rest.push(jump);
            }
            for &node in &rest {
                self.tree.nodes[node].parent = Some(caught_by);
            }
            if let Kind::Try { handler, .. } = &mut self.tree.nodes[caught_by].kind {
                *handler = rest;
            }
            // Exceptions of the rest now come from inside of these statements.
            for node in path {
                let node = &mut self.tree.nodes[node];
                node.throws = node.throws.join(throws);
                node.handlers.extend(&handlers);
            }
            self.handlers.landings.remove(&labeled);
            // Nothing leaves the block by its label any more, so the block can go.
            if !completes {
                self.tree.breaks.insert(label, 0);
                let Kind::Labeled { body, .. } = self.tree.nodes[labeled].kind.clone() else { continue };
                seq.splice(at..=at, body);
            }
        }
        seq
    }

    /// The statements around `from`, up to `to`, if exceptions of a part of `from` that go to `throws` may pass through them.
    fn path_up(&self, from: NodeId, to: NodeId, throws: Throws) -> Option<Vec<NodeId>> {
        let mut path = vec![from];
        let mut at = from;
        loop {
            if self.tree.nodes[at].throws.join(throws) == Throws::Mixed {
                return None;
            }
            if at == to {
                return Some(path);
            }
            let parent = self.tree.nodes[at].parent?;
            if let Kind::Try { body, .. } = &self.tree.nodes[parent].kind
                && body.contains(&at)
            {
                // It goes no further if that is the one that it is for.
                return (throws == Throws::Never || self.is_for(parent, throws)).then_some(path);
            }
            // What has been put elsewhere is not where it was.
            if !children(&self.tree.nodes[parent].kind).any(|row| row.contains(&at)) {
                return None;
            }
            path.push(parent);
            at = parent;
        }
    }

    /// Whether a `try` leads to the handler that exceptions go to.
    fn is_for(&self, node: NodeId, throws: Throws) -> bool {
        let Throws::To(handler) = throws else { return false };
        self.handlers.jumps.get(&handler).is_some_and(|jumps| jumps.iter().any(|&(_, other)| other == node))
    }

    /// What a loop ends with, to stand behind it: an arm of a fork in its body, which leaves the loop instead.
    pub(super) fn hoist_end(&mut self, body: &mut Seq, label: LabelId, header: Option<Block>) -> Seq {
        let keeps = header.is_none_or(|header| self.chains.is_stayed_in(header));
        if keeps || self.tree.is_left(label) || self.is_left_inside(body, label) {
            return Seq::new();
        }
        let arm_of = |node: NodeId| match &self.tree.nodes[node].kind {
            Kind::If { then, otherwise, .. } => [then, otherwise]
                .into_iter()
                .enumerate()
                .filter(|(_, arm)| !arm.is_empty() && !self.tree.completes(arm))
                // What goes on with the loop stays in it.
                .filter(|(_, arm)| !self.jumps_inside(arm, Jump::Continue(label)))
                .map(|(which, arm)| (self.weight(arm), which))
                .max(),
            _ => None,
        };
        let best = body.iter().enumerate().filter_map(|(index, &node)| Some((arm_of(node)?, index))).max();
        let Some(((weight, which), index)) = best else { return Seq::new() };
        // A short arm is nested no deeper than the `break` that would replace it.
        if weight < 3 {
            return Seq::new();
        }
        let Kind::If { condition, then, otherwise } = self.tree.nodes[body[index]].kind.clone() else {
            return Seq::new();
        };
        let leave = vec![self.tree.break_(label)];
        let (end, then, otherwise) = if which == 0 { (then, leave, otherwise) } else { (otherwise, then, leave) };
        // The arm that goes on stands behind.
        let (condition, then, behind) =
            if which == 0 { (condition, then, otherwise) } else { (self.ast.negated(condition), otherwise, then) };
        let node = self.tree.add(Kind::If { condition, then, otherwise: Seq::new() });
        body.splice(index..=index, std::iter::once(node).chain(behind));
        end
    }

    /// How many statements there are, those inside of others included as far as it matters.
    fn weight(&self, seq: &[NodeId]) -> usize {
        let has_inner = |&node: &NodeId| children(&self.tree.nodes[node].kind).next().is_some();
        seq.len() + 2 * seq.iter().filter(|node| has_inner(node)).count()
    }

    /// Jumps in statements that are not written do not count.
    pub(super) fn drop_all(&mut self, seq: Seq) {
        let mut work = seq;
        while let Some(node) = work.pop() {
            work.extend(children(&self.tree.nodes[node].kind).flatten());
            if let Kind::Jump(Jump::Break(_)) = self.tree.nodes[node].kind {
                self.forget_jumps(&[node]);
            }
        }
    }
}
