//! Statements that say the same in another way: conditional expressions, and `else`.

use super::ast::{ExprId, ExprKind, Naming};
use super::builder::{Builder, Pending};
use super::expr::{Effect, Expr, Throws};
use super::tree::{Jump, Kind, LabelId, NodeId, Seq, children};
use crate::dialect::Constant;
use ssaphire_ir::{Block, Variable};

/// So many statements in a row become each the `else` of the one before.
const MAX_ELSE: usize = 40;

/// A wider expression stays a statement.
const MAX_WIDTH: u32 = 400;

/// So many statements are looked at for a jump.
const MAX_LOOK: usize = 1_000;

/// What a condition and what depends on it come to, if that is an expression.
struct Collapsed {
    variable: Variable,
    value: Expr,
    /// How many reads of the variable it takes the place of.
    num_reads: u32,
}

impl Builder<'_, '_> {
    /// Makes a statement of a condition, or lets it wait as an expression; `held` waited before it.
    pub(super) fn close_if(&mut self, condition: Expr, then: Seq, otherwise: Seq, held: Vec<Pending>) {
        if let Some(collapsed) = self.collapse(&condition, &then, &otherwise, &held) {
            self.resume(held);
            self.finish_collapsed(collapsed);
            return;
        }
        self.resume(held);
        // What still waits was computed before the condition, so it is written before the `if`.
        self.flush();
        if let Some(collapsed) = self.collapse(&condition, &then, &otherwise, &[]) {
            self.finish_collapsed(collapsed);
            return;
        }
        if let ExprKind::Constant(Constant::Boolean(truth)) = *self.ast.kind(condition.id) {
            let (kept, dropped) = if truth { (then, otherwise) } else { (otherwise, then) };
            self.drops_code = true;
            self.drop_all(dropped);
            self.seq.extend(kept);
            return;
        }
        let (condition, then, otherwise) = match (then.is_empty(), otherwise.is_empty()) {
            (true, true) => {
                self.execute(condition);
                return;
            }
            (true, false) => (self.ast.negated(condition), otherwise, then),
            (false, false) if self.ast.is_more_negative(condition.id) => (self.ast.negated(condition), otherwise, then),
            _ => (condition, then, otherwise),
        };
        let (condition, mut arms) = self.settle_choice(condition, vec![then, otherwise]);
        let otherwise = arms.pop().unwrap_or_default();
        let then = arms.pop().unwrap_or_default();
        self.push_if(condition, then, otherwise);
    }

    /// Lets an expression that a condition has come to wait, or assigns it.
    fn finish_collapsed(&mut self, Collapsed { variable, value, num_reads }: Collapsed) {
        let consumed = &mut self.states[variable.index()].num_consumed;
        *consumed += num_reads;
        let consumed = *consumed;
        // What waits must not read what the variable held before.
        if self.uses.is_read_once(variable, consumed) && !value.reads.contains(&variable) {
            let place = self.place;
            self.states[variable.index()].is_receiver = false;
            self.pend(variable, value, place);
        } else if !self.pend_assignment(variable, &value) {
            self.assign_result(variable, value);
        }
    }

    /// Appends an `if`, as a part of the one before it or around it if it can be one.
    fn push_if(&mut self, condition: Expr, mut then: Seq, mut otherwise: Seq) {
        let tail = self.common_tail(&mut then, &mut otherwise);
        let (condition, then, otherwise) = match then.is_empty() && !otherwise.is_empty() {
            true => (self.ast.negated(condition), otherwise, then),
            false => (condition, then, otherwise),
        };
        if then.is_empty() {
            self.execute(condition);
        } else {
            self.push_choice_of(condition, then, otherwise);
        }
        self.seq.extend(tail);
    }

    /// Lets no `if` have an `else` only, or nothing at all, once jumps are left out.
    pub(super) fn settle_ifs(&mut self) {
        for node in 0..self.tree.nodes.len() {
            let Kind::If { condition, then, otherwise } = &mut self.tree.nodes[node].kind else { continue };
            if !then.is_empty() {
                continue;
            }
            let otherwise = std::mem::take(otherwise);
            let condition = condition.clone();
            let is_needless =
                condition.effect != Effect::Runs && condition.throws == Throws::Never && condition.writes.is_empty();
            self.tree.nodes[node].kind = match otherwise.is_empty() {
                true if is_needless => Kind::Labeled { label: self.tree.fresh_label(), body: Seq::new() },
                true => Kind::Do(condition),
                false => Kind::If { condition: self.ast.negated(condition), then: otherwise, otherwise: Seq::new() },
            };
        }
    }

    /// Takes off the assignments that both arms of an `if` end with: paths that meet assign the same.
    fn common_tail(&mut self, then: &mut Seq, otherwise: &mut Seq) -> Seq {
        let mut tail = Seq::new();
        while let (Some(&one), Some(&other)) = (then.last(), otherwise.last())
            && let (Some(first), Some(second)) = (self.plain_assignment(one), self.plain_assignment(other))
            && first == second
        {
            then.pop();
            otherwise.pop();
            tail.push(one);
        }
        tail.reverse();
        tail
    }

    /// The variable that a statement assigns, and the constant or variable that it assigns.
    fn plain_assignment(&self, node: NodeId) -> Option<(Variable, &ExprKind)> {
        let Kind::Assign { variable, value, is_new: false } = &self.tree.nodes[node].kind else { return None };
        let kind = self.ast.kind(value.id);
        matches!(kind, ExprKind::Constant(_) | ExprKind::Name(_)).then_some((*variable, kind))
    }

    /// Appends an `if` whose arms end in different ways.
    fn push_choice_of(&mut self, condition: Expr, then: Seq, otherwise: Seq) {
        let condition = self.ast.as_condition(condition);
        // Joined to `first && second`, an `else` of the outer `if` would also be executed where only `second` is false.
        if otherwise.is_empty() {
            if let [inner] = then[..]
                && let Kind::If { condition: second, then: inside, otherwise: none } =
                    self.tree.nodes[inner].kind.clone()
                && none.is_empty()
                && condition.throws.join(second.throws) != Throws::Mixed
                && condition.size.max(second.size) < 20
            {
                let both = self.ast.binary("&&", &condition, &second);
                self.push(Kind::If { condition: both, then: inside, otherwise: none });
                return;
            }
            if let Some(either) = self.joined_with_last(&condition, &then) {
                self.seq.pop();
                self.forget_jumps(&then);
                self.push(Kind::If { condition: either, then, otherwise });
                return;
            }
        }
        self.push(Kind::If { condition, then, otherwise });
    }

    /// The condition of this `if` or the one before it, if both do nothing but the same jump.
    fn joined_with_last(&mut self, condition: &Expr, then: &Seq) -> Option<Expr> {
        let &last = self.seq.last()?;
        let Kind::If { condition: first, then: other, otherwise } = &self.tree.nodes[last].kind else { return None };
        let jump = |seq: &Seq| match seq[..] {
            [node] => match self.tree.nodes[node].kind {
                Kind::Jump(jump) => Some(jump),
                _ => None,
            },
            _ => None,
        };
        let is_same = jump(then).is_some() && jump(then) == jump(other) && otherwise.is_empty();
        let is_small = first.size.max(condition.size) < 20;
        let fits = is_same && first.throws.join(condition.throws) != Throws::Mixed && is_small;
        fits.then(|| self.ast.binary("||", first, condition))
    }

    /// An assignment that is all of a row, unless it gives its name to a function.
    fn assignment(&self, seq: &[NodeId]) -> Option<(Variable, Expr)> {
        let [node] = *seq else { return None };
        match &self.tree.nodes[node].kind {
            Kind::Assign { variable, value, is_new: false } => {
                let is_named = matches!(*self.ast.kind(value.id), ExprKind::Function(_, Naming::Wanted { .. }));
                (!is_named).then(|| (*variable, value.clone()))
            }
            _ => None,
        }
    }

    /// An assignment that is all of a row, be it an update: `x += y` assigns `x + y`.
    fn assignment_or_update(&mut self, seq: &[NodeId]) -> Option<(Variable, Expr)> {
        if let Some(assignment) = self.assignment(seq) {
            return Some(assignment);
        }
        let &[node] = seq else { return None };
        let Kind::Do(update) = &self.tree.nodes[node].kind else { return None };
        let [variable] = update.writes[..] else { return None };
        let ExprKind::Assign { sign, target, value } = *self.ast.kind(update.id) else { return None };
        let is_it = *self.ast.kind(target) == ExprKind::Name(self.name(variable)) && !sign.is_empty();
        if !is_it || self.is_seen_by_closures(variable) {
            return None;
        }
        let mut assigned = update.clone();
        assigned.writes.clear();
        assigned.reads.push(variable);
        let id = self.ast.add(ExprKind::Binary { sign, left: target, right: value });
        Some((variable, assigned.rewritten(id)))
    }

    /// The expression that assigns the same variable as an `if` does in both of its arms, or again in one of them.
    fn collapse(&mut self, condition: &Expr, then: &Seq, otherwise: &Seq, held: &[Pending]) -> Option<Collapsed> {
        let arms = match (self.assignment(then), self.assignment(otherwise)) {
            (None, Some(other)) if !then.is_empty() => (self.assignment_or_update(then), Some(other)),
            (Some(one), None) if !otherwise.is_empty() => (Some(one), self.assignment_or_update(otherwise)),
            arms => arms,
        };
        let (variable, second, if_true) = match arms {
            (Some((variable, one)), Some((other_variable, other))) if variable == other_variable => {
                let value = self.ast.conditional(condition, &one, &other);
                let collapsed = Collapsed { variable, value, num_reads: 0 };
                return self.is_whole(&collapsed).then_some(collapsed);
            }
            (Some((variable, value)), None) if otherwise.is_empty() => (variable, value, true),
            (None, Some((variable, value))) if then.is_empty() => (variable, value, false),
            _ => return None,
        };
        if let Some(value) = self.logical_of_assigned(condition, variable, &second, if_true) {
            let collapsed = Collapsed { variable, value, num_reads: 1 };
            return self.is_whole(&collapsed).then_some(collapsed);
        }
        let value = self.logical(condition, variable, &second, if_true, held)?;
        let collapsed = Collapsed { variable, value, num_reads: 1 };
        let is_whole = self.is_whole(&collapsed);
        if is_whole {
            // The statement before, which assigns the first operand, is part of the expression now.
            self.seq.pop();
        }
        is_whole.then_some(collapsed)
    }

    /// Whether it may be one expression.
    fn is_whole(&self, Collapsed { variable, value, num_reads }: &Collapsed) -> bool {
        let reads_itself = *num_reads > 0 && value.reads.contains(variable);
        let is_whole = value.throws != Throws::Mixed && value.size <= 20;
        is_whole && !reads_itself && !value.writes.contains(variable) && self.ast.width(value.id) <= MAX_WIDTH
    }

    /// `first && second` and the like, where the condition itself assigns `first`.
    fn logical_of_assigned(
        &mut self,
        condition: &Expr,
        variable: Variable,
        second: &Expr,
        if_true: bool,
    ) -> Option<Expr> {
        let is_null = |id: ExprId| self.ast.is_constant(id, &Constant::Null);
        let (operator, assignment) = match *self.ast.kind(condition.id) {
            ExprKind::Unary { sign: "!", operand } => (if if_true { "||" } else { "&&" }, operand),
            ExprKind::Binary { sign: "==", left, right } if if_true && is_null(right) => ("??", left),
            ExprKind::Binary { sign: "!=", left, right } if !if_true && is_null(right) => ("??", left),
            _ => (if if_true { "&&" } else { "||" }, condition.id),
        };
        let ExprKind::Assign { sign: "", target, value } = *self.ast.kind(assignment) else { return None };
        if *self.ast.kind(target) != ExprKind::Name(self.name(variable)) {
            return None;
        }
        let mut first = condition.clone().rewritten(value);
        first.forget_write(variable);
        Some(self.ast.binary(operator, &first, second))
    }

    /// `first && second` and the like, where the statement before assigns `first` and the condition tests that.
    fn logical(
        &mut self,
        condition: &Expr,
        variable: Variable,
        second: &Expr,
        if_true: bool,
        held: &[Pending],
    ) -> Option<Expr> {
        let last = self.seq.last()?;
        let (assigned, first) = self.assignment(std::slice::from_ref(last))?;
        let is_it = |id: ExprId| *self.ast.kind(id) == ExprKind::Name(self.name(variable));
        let is_null = |id: ExprId| self.ast.is_constant(id, &Constant::Null);
        // The `if` keeps the first value when its arm is not executed, and so does an operator when its right operand
        // is not evaluated.
        let sign = match *self.ast.kind(condition.id) {
            ExprKind::Name(_) if is_it(condition.id) => {
                if if_true {
                    "&&"
                } else {
                    "||"
                }
            }
            ExprKind::Unary { sign: "!", operand } if is_it(operand) => {
                if if_true {
                    "||"
                } else {
                    "&&"
                }
            }
            ExprKind::Binary { sign: "==", left, right } if if_true && is_it(left) && is_null(right) => "??",
            ExprKind::Binary { sign: "!=", left, right } if !if_true && is_it(left) && is_null(right) => "??",
            _ => return None,
        };
        // What waits would come before the first one, too.
        let may_pass = |pending: &Pending| pending.value.commutes(&first) && !pending.value.reads.contains(&variable);
        if !held.iter().all(may_pass) {
            return None;
        }
        let is_chain = assigned == variable && !first.writes.contains(&variable) && !second.writes.contains(&variable);
        is_chain.then(|| self.ast.binary(sign, &first, second))
    }

    /// Closes a labeled block: statements behind an `if` that leaves it become its `else`.
    pub(super) fn close_labeled(&mut self, label: LabelId, body: Seq) {
        let mut body = body;
        let mut num_left = MAX_ELSE;
        let mut end = body.len();
        while let Some(at) = body[..end].iter().rposition(|&node| self.leaves_behind_if(node, label)) {
            end = at;
            let is_else_if = body.len() == at + 2 && matches!(self.tree.nodes[body[at + 1]].kind, Kind::If { .. });
            if !is_else_if {
                if num_left == 0 {
                    break;
                }
                num_left -= 1;
            }
            let rest = body.split_off(at + 1);
            let Kind::If { condition, then, .. } = self.tree.nodes[body[at]].kind.clone() else { break };
            let (last, then) = then.split_last().map_or((None, &[][..]), |(last, then)| (Some(*last), then));
            self.forget_jumps(&last.into_iter().collect::<Seq>());
            let then = then.to_vec();
            let (condition, then, rest) = match (then.is_empty(), rest.is_empty()) {
                (true, false) => (self.ast.negated(condition), rest, then),
                (false, false) if self.ast.is_more_negative(condition.id) => (self.ast.negated(condition), rest, then),
                _ => (condition, then, rest),
            };
            body.pop();
            if then.is_empty() {
                if condition.effect == Effect::Runs || condition.throws != Throws::Never {
                    body.push(self.tree.add(Kind::Do(condition)));
                }
                continue;
            }
            let outer = std::mem::replace(&mut self.seq, body);
            self.push_choice(condition, then, rest);
            body = std::mem::replace(&mut self.seq, outer);
            end = end.min(body.len().saturating_sub(1));
        }
        let body = self.settle(body);
        if self.tree.is_left(label) || self.is_left_inside(&body, label) || self.has_empty_handlers(&body) {
            self.push(Kind::Labeled { label, body });
        } else {
            self.seq.extend(body);
            self.let_last_wait();
        }
    }

    /// Appends an `if`, or the assignment that it comes to.
    fn push_choice(&mut self, condition: Expr, then: Seq, otherwise: Seq) {
        if let Some(Collapsed { variable, value, num_reads }) = self.collapse(&condition, &then, &otherwise, &[]) {
            self.states[variable.index()].num_consumed += num_reads;
            self.assign_result(variable, value);
            return;
        }
        let (condition, mut arms) = self.settle_choice(condition, vec![then, otherwise]);
        let otherwise = arms.pop().unwrap_or_default();
        self.push_if(condition, arms.pop().unwrap_or_default(), otherwise);
    }

    /// Lets what the last statement assigns wait again, if a condition has become an expression there that is read once.
    fn let_last_wait(&mut self) {
        let Some(&last) = self.seq.last() else { return };
        let Kind::Assign { variable, value, is_new: false } = &self.tree.nodes[last].kind else { return };
        let is_choice = matches!(self.ast.kind(value.id), ExprKind::Conditional(_))
            || matches!(self.ast.kind(value.id), ExprKind::Binary { sign: "&&" | "||" | "??", .. });
        let consumed = self.states[variable.index()].num_consumed;
        if is_choice
            && self.pending.is_empty()
            && self.uses.is_read_once(*variable, consumed)
            && !value.reads.contains(variable)
            && !self.is_seen_by_closures(*variable)
        {
            let (variable, value, place) = (*variable, value.clone(), self.tree.nodes[last].place);
            self.seq.pop();
            self.states[variable.index()].is_receiver = false;
            self.pend(variable, value, place);
        }
    }

    /// Whether exceptions go from a row to a handler that only jumps: it may leave any block around.
    fn has_empty_handlers(&self, body: &[NodeId]) -> bool {
        let is_empty = |handler: Block| self.function.block(handler).insts().len() <= 2;
        body.iter().any(|&node| {
            let node = &self.tree.nodes[node];
            node.handlers.iter().any(|&handler| is_empty(handler))
                || matches!(node.throws, Throws::To(handler) if is_empty(handler))
        })
    }

    /// Whether a statement of a row, or one inside of it, leaves the block of that label; or there are too many to look
    /// at.
    pub(super) fn is_left_inside(&self, body: &[NodeId], label: LabelId) -> bool {
        self.jumps_inside(body, Jump::Break(label))
    }

    /// Whether a statement of a row, or one inside of it, is that jump; or there are too many to look at.
    pub(super) fn jumps_inside(&self, body: &[NodeId], jump: Jump) -> bool {
        let mut work = body.to_vec();
        for _ in 0..MAX_LOOK {
            let Some(node) = work.pop() else { return false };
            match &self.tree.nodes[node].kind {
                Kind::Jump(other) if *other == jump => return true,
                kind => work.extend(children(kind).flatten()),
            }
        }
        true
    }

    /// Whether a statement is an `if` without `else` that ends with leaving the block of that label.
    fn leaves_behind_if(&self, node: NodeId, label: LabelId) -> bool {
        let Kind::If { then, otherwise, .. } = &self.tree.nodes[node].kind else { return false };
        otherwise.is_empty()
            && then
                .last()
                .is_some_and(|&last| matches!(self.tree.nodes[last].kind, Kind::Jump(Jump::Break(to)) if to == label))
    }
}
