//! Loops over iterables and keys, as the statement that they are.

use super::ast::ExprKind;
use super::builder::{Builder, Frame};
use super::expr::{Effect, Expr, Throws};
use super::tree::{Jump, Kind, LabelId, NodeId, Over, Seq, children};
use crate::Js;
use crate::dialect::Opcode;
use ssaphire_ir::{Arg, Block, Dest, InstRef, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// So many copies may stand between what makes an iterator and its loop.
const MAX_COPIES: usize = 20;

impl Builder<'_, '_> {
    /// The iterator that is the only argument, if the engine cares for it.
    pub(super) fn for_of_iterator(&self, args: &[Arg]) -> Option<Variable> {
        match *args {
            [Arg::Variable(iterator)] => {
                Some(iterator).filter(|iterator| self.plan.for_ofs.iterators.contains(iterator))
            }
            _ => None,
        }
    }

    /// What an instruction gives that is a part of a loop over an iterable.
    pub(super) fn for_of_part(&mut self, inst: InstRef<'_, Js>, opcode: Opcode, throws: Throws) -> Option<Expr> {
        let is_result = matches!(inst.args, [Arg::Variable(result)] if self.plan.for_ofs.results.contains(result));
        match (opcode, inst.results, inst.args) {
            (Opcode::GetIterator | Opcode::ForIn, [Dest::Variable(iterator)], args)
                if self.plan.for_ofs.iterators.contains(iterator) =>
            {
                let mut iterable = self.take(args, throws, |_| super::emit::Room::Any).pop()?;
                (iterable.effect, iterable.throws) = (Effect::Runs, iterable.throws.join(throws));
                Some(iterable)
            }
            (Opcode::IteratorDone, _, _) if is_result => Some(Expr { size: 30, ..self.ast.expr(ExprKind::IsDone) }),
            (Opcode::IteratorValue, _, &[Arg::Variable(result)]) if is_result => {
                let dest = match *inst.results {
                    [Dest::Variable(dest)] => Some(dest),
                    _ => None,
                };
                let variable = match dest.filter(|&dest| !self.is_guarded_by_engine(dest)) {
                    Some(dest) => dest,
                    None => self.temporary_like("value"),
                };
                self.iteration.values.insert(result, variable);
                Some(self.variable(variable))
            }
            _ => None,
        }
    }

    /// What a loop runs over, if its header says so, and what follows it where the iterator is done.
    pub(super) fn loop_over(
        &mut self,
        body: &mut Seq,
        label: LabelId,
        header: Option<Block>,
    ) -> (Option<Box<Over>>, Seq) {
        let for_of = header.and_then(|header| self.plan.for_ofs.by_header.get(&header).copied());
        let Some(for_of) = for_of else { return (None, Seq::new()) };
        match self.try_loop_over(body, label, for_of.iterator) {
            Some((over, last)) => {
                self.iteration.written.insert(for_of.iterator);
                let iterator = over.iterator.filter(|_| !for_of.is_over_keys);
                (Some(Box::new(Over { iterator, is_over_keys: for_of.is_over_keys, ..over })), last)
            }
            None => {
                self.iteration.failed.push(for_of.iterator);
                (None, Seq::new())
            }
        }
    }

    /// What looked like loops over iterables and has come to something else cannot rely on the engine.
    pub(super) fn fail_unwritten_loops(&mut self) {
        let met = self.iteration.throws.keys();
        let unwritten = met.filter(|&iterator| !self.iteration.written.contains(iterator)).copied();
        self.iteration.failed.extend(unwritten.collect::<Vec<_>>());
    }

    /// Gives up `for-of` where a jump leaves the loop for a handler behind it: the source throws there, and the engine would close the
    /// iterator as it does for a `break`.
    ///
    /// # Complexity
    /// O(statements), and the loops that each jump leaves.
    pub(super) fn fail_loops_left_unmarked(&mut self, root: &Seq) {
        // The loops around and, by label, how many they are where it may be jumped to; the rows to do, with the loops around them.
        let mut loops: Vec<Variable> = Vec::new();
        let mut levels: BTreeMap<LabelId, [usize; 2]> = BTreeMap::new();
        let mut rows: Vec<(&[NodeId], usize)> = vec![(root, 0)];
        let mut failed: Vec<Variable> = Vec::new();
        while let Some((row, level)) = rows.pop() {
            loops.truncate(level);
            let mut marked: Vec<Variable> = Vec::new();
            for (place, &node) in row.iter().enumerate() {
                let kind = &self.tree.nodes[node].kind;
                let mut inner = level;
                match kind {
                    Kind::Leaves(iterator) => marked.push(*iterator),
                    Kind::Jump(Jump::Break(label) | Jump::Continue(label)) => {
                        let which = usize::from(matches!(kind, Kind::Jump(Jump::Continue(_))));
                        let left = levels.get(label).map_or(0, |levels| levels[which]).min(level);
                        failed.extend(loops[left..].iter().filter(|iterator| !marked.contains(iterator)));
                    }
                    Kind::Loop { label, over, .. } => {
                        if let Some(iterator) = over.as_ref().and_then(|over| over.iterator) {
                            loops.push(iterator);
                            inner += 1;
                        }
                        levels.insert(*label, [level, inner]);
                    }
                    Kind::Labeled { label, .. } => drop(levels.insert(*label, [level, level])),
                    _ => {}
                }
                let mut inside = children(kind).peekable();
                if inside.peek().is_some() {
                    // What follows is done once what is inside is done.
                    rows.push((&row[place + 1..], level));
                    rows.extend(inside.map(|row| (row.as_slice(), inner)));
                    break;
                }
            }
        }
        self.iteration.failed.extend(failed);
    }

    fn try_loop_over(&mut self, body: &mut Seq, label: LabelId, iterator: Variable) -> Option<(Over, Seq)> {
        // The iterable is only taken away once nothing can fail: until then, the loop may still be written as it is.
        let mut iterable = self.iterable(iterator, false)?;
        let next_throws = *self.iteration.throws.get(&iterator)?;
        iterable.throws = iterable.throws.join(next_throws);
        if iterable.throws == Throws::Mixed || !self.leaves_at_once(body, iterator) {
            return None;
        }
        let &first = body.first()?;
        let Kind::If { condition, then, otherwise } = self.tree.nodes[first].kind.clone() else { return None };
        let (done, rest) = match *self.ast.kind(condition.id) {
            ExprKind::IsDone => (then, otherwise),
            ExprKind::Unary { sign: "!", operand } if *self.ast.kind(operand) == ExprKind::IsDone => (otherwise, then),
            _ => return None,
        };
        let is_break =
            |node: &NodeId| matches!(self.tree.nodes[*node].kind, Kind::Jump(Jump::Break(to)) if to == label);
        let last = match done[..] {
            [only] if is_break(&only) => {
                self.forget_jumps(&done);
                Seq::new()
            }
            _ if done.is_empty()
                || self.tree.completes(&done)
                || self.tree.is_left(label)
                || self.is_left_inside(&done, label) =>
            {
                return None;
            }
            _ => done,
        };
        self.iterable(iterator, true)?;
        body.splice(0..1, rest);
        let (binding, is_new) = self.binding(body, iterator);
        Some((Over { iterable, iterator: Some(iterator), binding, is_new, is_over_keys: false }, last))
    }

    /// If a statement before the loop assigns to `iterator`: the assigned value, and whether the statement is removed.
    ///
    /// Nothing but copies stands between them, for which it makes no difference. The statement is in the same list of
    /// statements, or before the enclosing blocks that start with the loop, as long as these are executed
    /// unconditionally.
    fn iterable(&mut self, iterator: Variable, takes: bool) -> Option<Expr> {
        if !self.seq.is_empty() {
            let found = self.assigned(&self.seq, iterator)?;
            if takes {
                self.seq.remove(found.0);
            }
            return Some(found.1);
        }
        for number in (0..self.frames.len()).rev() {
            let found = match &self.frames[number] {
                Frame::Labeled { outer, .. } | Frame::Arm { outer, .. } if !outer.is_empty() => {
                    self.assigned(outer, iterator)?
                }
                Frame::Labeled { .. } | Frame::Arm { .. } => continue,
                Frame::Fork(fork) if fork.choice.is_none() => {
                    let Some(held) = fork.held.last() else { continue };
                    if held.variable != iterator {
                        return None;
                    }
                    (fork.held.len() - 1, held.value.clone())
                }
                // What precedes an outer loop is executed once, this loop in each of its iterations.
                Frame::Fork(_) | Frame::Loop { .. } => return None,
            };
            if takes {
                match &mut self.frames[number] {
                    Frame::Labeled { outer, .. } | Frame::Arm { outer, .. } => drop(outer.remove(found.0)),
                    Frame::Fork(fork) => drop(fork.held.remove(found.0)),
                    Frame::Loop { .. } => {}
                }
            }
            return Some(found.1);
        }
        None
    }

    /// What a statement at the end of a row assigns to `iterator`, and where it is; only copies may follow it.
    fn assigned(&self, row: &[NodeId], iterator: Variable) -> Option<(usize, Expr)> {
        let mut copies: Vec<(Variable, &Expr)> = Vec::new();
        for (index, &node) in row.iter().enumerate().rev() {
            let Kind::Assign { variable, value, is_new } = &self.tree.nodes[node].kind else { return None };
            if *variable == iterator {
                let may_pass = |&(copied, from): &(Variable, &Expr)| {
                    !value.reads.contains(&copied)
                        && !value.writes.contains(&copied)
                        && !value.writes.iter().any(|written| from.reads.contains(written))
                        && !self.is_caught_with(value, copied)
                };
                return copies.iter().all(may_pass).then(|| (index, value.clone()));
            }
            let mut mentioned = value.reads.iter().chain([variable]);
            let is_copy =
                self.ast.is_atom(value.id) && !is_new && !mentioned.any(|&read| self.is_seen_by_closures(read));
            if !is_copy || copies.len() >= MAX_COPIES {
                return None;
            }
            copies.push((*variable, value));
        }
        None
    }

    /// The variable that holds the value of each round: that to which the body assigns it first; and whether it is a new
    /// one in each, if closures see it.
    fn binding(&mut self, body: &mut Seq, iterator: Variable) -> (Variable, bool) {
        let results = &self.plan.for_ofs;
        let result =
            results.by_header.values().find(|for_of| for_of.iterator == iterator).map(super::iterate::ForOf::result);
        let Some(&value) = result.and_then(|result| self.iteration.values.get(&result)) else {
            return (self.temporary_like("_"), true);
        };
        // A labeled block may be around it.
        let (mut labeled, mut first) = (None, body.first().copied());
        while let Some(node) = first
            && let Kind::Labeled { body, .. } = &self.tree.nodes[node].kind
        {
            (labeled, first) = (Some(node), body.first().copied());
        }
        if let Some(Kind::Assign { variable, value: assigned, is_new }) = first.map(|node| &self.tree.nodes[node].kind)
            && self.ast.is_atom(assigned.id)
            && assigned.reads == [value]
            && !self.is_guarded_by_engine(*variable)
        {
            let binding = (*variable, *is_new);
            match labeled.map(|node| &mut self.tree.nodes[node].kind) {
                Some(Kind::Labeled { body, .. }) => drop(body.remove(0)),
                _ => drop(body.remove(0)),
            }
            return binding;
        }
        (value, true)
    }

    /// The labels of loops and blocks in a row.
    fn labels_in(&self, body: &[NodeId]) -> BTreeSet<LabelId> {
        let mut labels = BTreeSet::new();
        let mut work = body.to_vec();
        while let Some(node) = work.pop() {
            let kind = &self.tree.nodes[node].kind;
            if let Kind::Loop { label, .. } | Kind::Labeled { label, .. } = kind {
                labels.insert(*label);
            }
            work.extend(children(kind).flatten());
        }
        labels
    }

    /// Whether nothing is executed between the mark that a loop is left and leaving it.
    fn leaves_at_once(&self, body: &[NodeId], iterator: Variable) -> bool {
        let inside = self.labels_in(body);
        let mut rows: Vec<&[NodeId]> = vec![body];
        while let Some(row) = rows.pop() {
            let nodes = || row.iter().map(|&node| &self.tree.nodes[node].kind);
            let mark = nodes().position(|kind| matches!(kind, Kind::Leaves(other) if *other == iterator));
            let is_quiet = |kind: &Kind| match kind {
                // A jump to a label inside would execute more of the body.
                Kind::Jump(Jump::Break(label) | Jump::Continue(label)) => !inside.contains(label),
                Kind::Leaves(_) | Kind::Return(None) => true,
                // The engine closes the iterator after it computes the value, and the program does so before.
                Kind::Return(Some(value)) => value.effect == Effect::None && value.throws == Throws::Never,
                _ => false,
            };
            if let Some(mark) = mark
                && (!nodes().skip(mark).all(is_quiet) || self.tree.completes(row))
            {
                return false;
            }
            rows.extend(nodes().flat_map(children).map(Vec::as_slice));
        }
        true
    }
}
