//! Exceptions: which statements stand in a `try`.
//!
//! Each statement knows where its exceptions go. A row whose exceptions all go to one handler is left as it is; whoever
//! has it in a larger row decides, and so a `try` becomes as large as can be. Where a row is mixed, the longest runs of
//! statements for one handler get a `try` each. A `catch` clause assigns what is caught, and control goes on with the
//! handler: directly if the handler follows the `try`, otherwise by leaving a labeled block.

use super::builder::Builder;
use super::expr::{Expr, Throws};
use super::insts::{is_handler, op_of};
use super::tree::{Jump, Kind, LabelId, NodeId, Seq};
use ssaphire_ir::{Block, Dest, Variable};
use std::collections::BTreeSet;

/// A handler stands in its `catch` clause up to this length, unless it is all that follows.
const MAX_INLINE: usize = 12;

impl Builder<'_, '_> {
    /// Lets exceptions for the handler that begins with `chain` lead here, if it is one.
    pub(super) fn land(&mut self, chain: Block) {
        self.land_block(self.chains.chains[chain.index()].blocks[0]);
    }

    /// Lets exceptions for `handler` lead here, if it is one.
    pub(super) fn land_block(&mut self, handler: Block) {
        if !is_handler(self.function, handler) {
            return;
        }
        self.flush();
        let seq = std::mem::take(&mut self.seq);
        self.seq = self.sink_handlers(seq);
        let Some(first) = self.first_for(handler) else {
            // What might have thrown is not written.
            self.drops_code = true;
            return;
        };
        let tail = self.seq.split_off(first);
        let is_for_it = |node: &NodeId| {
            let node = &self.tree.nodes[*node];
            matches!(node.throws, Throws::Never) || node.throws == Throws::To(handler)
        };
        let has_jumps = tail.iter().any(|&node| self.tree.nodes[node].handlers.contains(&handler));
        // One `try` right before the handler needs no label: after its clause, control continues with the handler.
        if !has_jumps && tail.iter().all(is_for_it) {
            let node = self.try_(tail, handler, Seq::new(), true);
            self.seq.push(node);
            return;
        }
        // Otherwise several clauses lead here, or exceptions for other handlers come from in between: each clause
        // leaves a labeled block that ends before the handler.
        let body = self.wrap_runs(tail, handler);
        let label = self.tree.fresh_label();
        let jumps = self.resolve_jumps(handler, label);
        let body = self.settle(body);
        let node = self.tree.add(Kind::Labeled { label, body });
        if let [jump] = jumps[..] {
            self.handlers.landings.insert(node, jump);
        }
        self.tree.nodes[node].handlers.retain(|&other| other != handler);
        self.tree.nodes[node].completes = true;
        self.seq.push(node);
    }

    /// The first statement of the row from which exceptions for `handler` come.
    fn first_for(&self, handler: Block) -> Option<usize> {
        self.seq.iter().position(|&node| {
            let node = &self.tree.nodes[node];
            node.throws == Throws::To(handler) || node.handlers.contains(&handler)
        })
    }

    /// Puts the statements of a handler behind those that it is for, in a labeled block.
    pub(super) fn place_handler(&mut self, handler: Block, statements: Seq) {
        let Some(first) = self.first_for(handler) else {
            self.drops_code = true;
            self.drop_all(statements);
            return;
        };
        let tail = self.seq.split_off(first);
        let before = std::mem::replace(&mut self.seq, tail);
        let out = self.tree.fresh_label();
        // Without an exception, control must not fall into the handler.
        if self.tree.completes(&self.seq) {
            let node = self.tree.break_(out);
            self.seq.push(node);
        }
        self.land_block(handler);
        let tail = std::mem::replace(&mut self.seq, before);
        let body: Seq = tail.into_iter().chain(statements).collect();
        let body = self.settle(body);
        self.close_labeled(out, body);
    }

    /// A `try` around statements, whose exceptions `handler` is for.
    fn try_(&mut self, body: Seq, handler: Block, then: Seq, is_landing: bool) -> NodeId {
        let caught = self.caught(handler);
        let body = self.with_handlers_inside(body);
        self.tree.add(Kind::Try { body, caught, handler: then, is_landing })
    }

    /// The variable that holds what a handler has caught.
    fn caught(&self, handler: Block) -> Option<Variable> {
        let inst = self.function.block(handler).insts().get(0)?;
        op_of(inst)?;
        match *inst.results {
            [Dest::Variable(variable)] => Some(variable),
            _ => None,
        }
    }

    /// Lets all jumps to a handler leave the block of that label; with the `try`s whose clauses they are in.
    fn resolve_jumps(&mut self, handler: Block, label: LabelId) -> Vec<(NodeId, NodeId)> {
        let jumps = self.handlers.jumps.remove(&handler).unwrap_or_default();
        for &(node, _) in &jumps {
            self.tree.nodes[node].kind = Kind::Jump(Jump::Break(label));
            self.tree.nodes[node].handlers.clear();
            *self.tree.breaks.entry(label).or_default() += 1;
        }
        jumps
    }

    /// Puts a `try` around each run of statements that throw to `handler`.
    fn wrap_runs(&mut self, seq: Seq, handler: Block) -> Seq {
        let (mut out, mut run, mut quiet) = (Seq::new(), Seq::new(), Seq::new());
        for node in seq {
            match self.tree.nodes[node].throws {
                Throws::To(to) if to == handler => {
                    run.append(&mut quiet);
                    run.push(node);
                }
                // Statements that throw nothing join a run only if the run continues after them.
                Throws::Never if !run.is_empty() => quiet.push(node),
                _ => {
                    self.wrap(&mut run, handler, &mut out);
                    out.append(&mut quiet);
                    out.push(node);
                }
            }
        }
        self.wrap(&mut run, handler, &mut out);
        out.append(&mut quiet);
        out
    }

    fn wrap(&mut self, run: &mut Seq, handler: Block, out: &mut Seq) {
        if run.is_empty() {
            return;
        }
        let jump = self.tree.add(Kind::Jump(Jump::Handler(handler)));
        let node = self.try_(std::mem::take(run), handler, vec![jump], false);
        self.handlers.jumps.entry(handler).or_default().push((jump, node));
        out.push(node);
    }

    /// The row, such that all of its exceptions that need a `try` yet go to one place.
    pub(super) fn settle(&mut self, seq: Seq) -> Seq {
        let seq = self.sink_handlers(seq);
        let (handlers, leaves) = self.targets(seq.iter().map(|&node| self.tree.nodes[node].throws));
        let mut seq = seq;
        // The last handler needs no `try` here if all else is wrapped: then the row goes to one place, and the row
        // around it decides. Not if exceptions leave the function, which a later `try` around all of this would catch.
        let num_wrapped = if leaves { handlers.len() } else { handlers.len().saturating_sub(1) };
        for &handler in &handlers[..num_wrapped] {
            seq = self.wrap_runs(seq, handler);
        }
        self.with_handlers_inside(seq)
    }

    /// The handlers that exceptions go to, inner ones first, and whether any leave the function.
    fn targets(&self, throws: impl Iterator<Item = Throws>) -> (Vec<Block>, bool) {
        let mut handlers = BTreeSet::new();
        let mut leaves = false;
        for throws in throws {
            match throws {
                Throws::To(handler) => {
                    handlers.insert(handler);
                }
                Throws::Out | Throws::Mixed => leaves = true,
                Throws::Never => {}
            }
        }
        let mut handlers: Vec<Block> = handlers.into_iter().collect();
        if handlers.len() > 1 {
            handlers.sort_by_key(|handler| self.handlers.order.iter().position(|other| other == handler));
        }
        (handlers, leaves)
    }

    /// What a condition is and what depends on it, such that all of its exceptions go to one place.
    pub(super) fn settle_choice(&mut self, on: Expr, mut arms: Vec<Seq>) -> (Expr, Vec<Seq>) {
        arms = arms.into_iter().map(|arm| self.settle(arm)).collect();
        let all = arms.iter().fold(on.throws, |throws, arm| throws.join(self.tree.seq_throws(arm)));
        if all != Throws::Mixed {
            return (on, arms);
        }
        for arm in &mut arms {
            if let Throws::To(handler) = self.tree.seq_throws(arm) {
                *arm = self.wrap_runs(std::mem::take(arm), handler);
            }
        }
        let all = arms.iter().fold(on.throws, |throws, arm| throws.join(self.tree.seq_throws(arm)));
        if all != Throws::Mixed {
            return (on, arms);
        }
        // As a statement before the fork, the condition has exceptions of its own, and the fork has those of its arms.
        let temporary = self.temporary();
        self.assign(temporary, on, false);
        (self.variable(temporary), arms)
    }

    /// What follows a `try` that ends with it becomes part of its `catch` clause.
    fn with_handlers_inside(&mut self, mut seq: Seq) -> Seq {
        let mut end = seq.len();
        while let Some(at) = seq[..end].iter().rposition(|&node| self.is_landing(node)) {
            end = at;
            let num_behind = seq.len() - at - 1;
            let Kind::Try { body, caught, .. } = self.tree.nodes[seq[at]].kind.clone() else { break };
            if num_behind == 0 || self.tree.completes(&body) || num_behind > MAX_INLINE && self.frames_are_deep() {
                continue;
            }
            let handler = seq.split_off(at + 1);
            let node = self.tree.add(Kind::Try { body, caught, handler, is_landing: false });
            seq[at] = node;
        }
        seq
    }

    fn is_landing(&self, node: NodeId) -> bool {
        matches!(self.tree.nodes[node].kind, Kind::Try { is_landing: true, .. })
    }
}
