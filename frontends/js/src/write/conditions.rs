//! What a loop assigns before it is left becomes part of its condition: `while (++i < n)`.

use super::ast::{Ast, ExprId, ExprKind, NameId};
use super::builder::Builder;
use super::expr::{Expr, Throws};
use super::tree::{Jump, Kind, LabelId, NodeId};
use ssaphire_ir::Variable;

impl Builder<'_, '_> {
    /// Moves the first statement of each loop into the condition behind it, if that begins with what it assigns.
    pub(super) fn extend_conditions(&mut self) {
        for loop_ in 0..self.tree.nodes.len() {
            let Kind::Loop { label, body, over: None, .. } = &self.tree.nodes[loop_].kind else { continue };
            let &[first, exit, ..] = &body[..] else { continue };
            let Some((variable, condition)) = self.extended((first, exit), *label) else { continue };
            self.in_conditions.insert((loop_, variable));
            if let Kind::If { condition: old, .. } = &mut self.tree.nodes[exit].kind {
                *old = condition;
            }
            if let Kind::Loop { body, .. } = &mut self.tree.nodes[loop_].kind {
                body.remove(0);
            }
        }
    }

    /// The condition by which a loop is left, with the assignment before it, and the variable that is assigned.
    fn extended(&mut self, (first, exit): (NodeId, NodeId), label: LabelId) -> Option<(Variable, Expr)> {
        let Kind::If { condition, then, otherwise } = &self.tree.nodes[exit].kind else { return None };
        let is_exit = |&node: &NodeId| matches!(self.tree.nodes[node].kind, Kind::Jump(Jump::Break(to)) if to == label);
        if !otherwise.is_empty() || then.len() != 1 || !then.iter().all(is_exit) {
            return None;
        }
        let leaf = self.ast.evaluated_first(condition.id);
        let (variable, value, name) = match &self.tree.nodes[first].kind {
            Kind::Assign { variable, value, is_new: false } => (*variable, value, self.name(*variable)),
            Kind::Do(value) => match (&value.writes[..], self.ast.assigned_name(value.id)) {
                (&[variable], Some(name)) => (variable, value, name),
                _ => return None,
            },
            _ => return None,
        };
        let throws = value.throws.join(condition.throws);
        if *self.ast.kind(leaf) != ExprKind::Name(name)
            || throws == Throws::Mixed
            || self.is_seen_by_closures(variable)
            || self.is_guarded_by_engine(variable)
        {
            return None;
        }
        let (is_assigned, value, condition) =
            (matches!(self.tree.nodes[first].kind, Kind::Assign { .. }), value.clone(), condition.clone());
        let assignment = match *self.ast.kind(value.id) {
            _ if is_assigned => self.ast.add(ExprKind::Assign { sign: "", target: leaf, value: value.id }),
            ExprKind::Update { sign, place, .. } => self.ast.add(ExprKind::Update { sign, is_prefix: true, place }),
            _ => value.id,
        };
        let id = self.ast.with_evaluated_first(condition.id, assignment);
        let mut extended = condition.rewritten(id).with([&value]);
        extended.throws = throws;
        if is_assigned {
            extended.writes.push(variable);
        }
        Some((variable, extended))
    }
}

impl Ast<'_> {
    /// The variable that an expression assigns, if that is all that it does.
    fn assigned_name(&self, id: ExprId) -> Option<NameId> {
        let (ExprKind::Update { place: target, .. } | ExprKind::Assign { target, .. }) = *self.kind(id) else {
            return None;
        };
        match *self.kind(target) {
            ExprKind::Name(name) => Some(name),
            _ => None,
        }
    }

    /// What an operator evaluates first; none where that would mean something else in another place.
    fn first_operand(&self, id: ExprId) -> Option<ExprId> {
        match *self.kind(id) {
            ExprKind::Unary { sign: "!" | "-" | "+" | "~", operand: first }
            | ExprKind::Binary { left: first, .. }
            | ExprKind::Conditional([first, ..])
            | ExprKind::Member { object: first, .. }
            | ExprKind::Index { object: first, .. } => Some(first),
            ExprKind::Call { callee, .. } => {
                matches!(self.kind(callee), ExprKind::Member { .. } | ExprKind::Index { .. }).then_some(callee)
            }
            _ => None,
        }
    }

    /// The innermost operand that is evaluated first.
    fn evaluated_first(&self, mut id: ExprId) -> ExprId {
        while let Some(first) = self.first_operand(id) {
            id = first;
        }
        id
    }

    /// An expression with another one in the place of what is evaluated first.
    fn with_evaluated_first(&mut self, mut id: ExprId, new: ExprId) -> ExprId {
        let mut path = Vec::new();
        while let Some(first) = self.first_operand(id) {
            path.push(id);
            id = first;
        }
        path.into_iter().rev().fold(new, |new, id| {
            let mut kind = self.kind(id).clone();
            match &mut kind {
                ExprKind::Unary { operand: first, .. }
                | ExprKind::Binary { left: first, .. }
                | ExprKind::Conditional([first, ..])
                | ExprKind::Member { object: first, .. }
                | ExprKind::Index { object: first, .. }
                | ExprKind::Call { callee: first, .. } => *first = new,
                _ => {}
            }
            self.add(kind)
        })
    }
}
