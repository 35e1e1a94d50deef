//! `finally`: what is executed whatever leaves a `try` statement.
//!
//! In SSA form, what leaves the `try` notes where to go on in a number, and what is returned or thrown in a variable, and
//! goes to the code of the `finally` clause; behind that, a `switch` on the number goes on. That becomes the clause again
//! if all of it is still there: the number is assigned at the ends of the `try` statement alone, and read by the `switch`
//! alone.
//!
//! # Complexity
//! O(statements), and the statements of each `try` that is followed by such a `switch`, up to a number.

use super::ast::ExprKind;
use super::builder::Builder;
use super::expr::{Expr, Throws};
use super::tree::{Jump, Kind, LabelId, NodeId, Seq, children, each_mention, nth_row};
use crate::dialect::Constant;
use ssaphire_ir::Variable;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// So many statements may stand between a `try` and the `switch`.
const MAX_CLEANUP: usize = 200;

/// So many statements of a `try` are looked at: those of nested ones are looked at for each.
const MAX_INSIDE: usize = 4_000;

/// So many blocks and clauses may be around a `try` that ends them.
const MAX_AROUND: usize = 20;

/// Where control goes behind the clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// The variable is thrown, or returned.
    Throws,
    ReturnsHeld,
    Returns,
    Jumps(Jump),
    /// It goes on behind the `switch`, or in its case with this number first.
    GoesOn(Option<usize>),
}

/// What a `switch` behind a `try` statement and its clause does.
struct Outcomes {
    by_number: BTreeMap<u32, Outcome>,
    /// Of all other numbers.
    default: Outcome,
    /// Whether what follows the `switch` throws what is held, and nothing else does.
    drops_rest: bool,
    /// How often what is held is returned or thrown.
    num_held: u32,
}

impl Outcomes {
    fn of(&self, number: u32) -> Outcome {
        self.by_number.get(&number).copied().unwrap_or(self.default)
    }
}

/// A `try` statement in a row, with what leaves it.
struct Found {
    /// Where it, or what holds it, and the `switch` are in the row.
    at: usize,
    switch: usize,
    tried: Tried,
    outcomes: Outcomes,
    /// The statements that assign the number.
    exits: Vec<Exit>,
    /// Those that assign `undefined` to what is returned or thrown.
    cleared: Vec<NodeId>,
}

/// A `try` statement whose handler only notes an exception.
#[derive(Clone, Copy)]
struct Tried {
    node: NodeId,
    /// The row that it ends, if that is no row of statements around the `switch`.
    row: Option<(NodeId, usize)>,
    /// The assignment of the number of exceptions: in its handler, or behind it.
    noted: NodeId,
}

/// The end of a path through a `try` statement.
struct Exit {
    /// The row: of which statement, and which.
    row: (NodeId, usize),
    number: u32,
    /// The places of the assignments of the number and of what is held, if that is assigned.
    selected: usize,
    held: Option<usize>,
    /// Whether what is held there is returned.
    holds: bool,
}

/// How often statements mention each variable, and those that assign `undefined` to it.
#[derive(Default)]
struct Mentions {
    counts: HashMap<Variable, u32>,
    cleared: HashMap<Variable, Vec<NodeId>>,
}

impl Builder<'_, '_> {
    /// Makes `finally` clauses of what they have been taken apart to.
    pub(super) fn restore_finally(&mut self, root: &mut Seq) {
        let has_try = self.tree.nodes.iter().any(|node| matches!(node.kind, Kind::Try { .. }));
        if !has_try {
            return;
        }
        let mentions = self.survey_mentions(root);
        let mut row = std::mem::take(root);
        self.restore_in(&mut row, &mentions);
        *root = row;
        // Outer ones come last, and inner ones may be hidden by them.
        let mut work: Vec<NodeId> = (0..self.tree.nodes.len()).collect();
        let mut num_done = self.tree.nodes.len();
        while let Some(node) = work.pop() {
            for index in 0..children(&self.tree.nodes[node].kind).count() {
                let Some(row) = nth_row(&mut self.tree.nodes[node].kind, index) else { continue };
                let mut row = std::mem::take(row);
                self.restore_in(&mut row, &mentions);
                if let Some(place) = nth_row(&mut self.tree.nodes[node].kind, index) {
                    *place = row;
                }
            }
            work.extend(num_done..self.tree.nodes.len());
            num_done = self.tree.nodes.len();
        }
    }

    fn restore_in(&mut self, row: &mut Seq, mentions: &Mentions) {
        let mut end = row.len();
        while let Some(at) = end.checked_sub(1) {
            end = match self.find_finally(row, at, mentions) {
                // What comes out of the `switch` has not been looked at.
                Some(found) => self.restore(row, found),
                None => at,
            };
        }
    }

    fn survey_mentions(&self, root: &Seq) -> Mentions {
        let mut mentions = Mentions::default();
        let mut work = root.clone();
        while let Some(node) = work.pop() {
            let kind = &self.tree.nodes[node].kind;
            each_mention(kind, |variable| *mentions.counts.entry(variable).or_default() += 1);
            if let Kind::Assign { variable, is_new: false, .. } = kind
                && self.is_undefined(node)
            {
                mentions.cleared.entry(*variable).or_default().push(node);
            }
            work.extend(children(kind).flatten());
        }
        mentions
    }

    fn find_finally(&self, row: &[NodeId], at: usize, mentions: &Mentions) -> Option<Found> {
        let tried = self.tried(row[at])?;
        let Kind::Try { caught: Some(held), .. } = &self.tree.nodes[tried.node].kind else { return None };
        let (selector, _) = self.selected(tried.noted)?;
        let is_switch = |&&node: &&NodeId| matches!(&self.tree.nodes[node].kind, Kind::Switch { on, .. } if self.is_name(on, selector));
        let switch = at + 1 + row[at + 1..].iter().take(MAX_CLEANUP).position(|node| is_switch(&node))?;
        let outcomes = self.outcomes(row, switch, *held)?;
        let exits = self.exits((row[at], tried), (selector, *held), &outcomes)?;
        // The handler and the `switch` mention the number, too, and what throws or returns the variable.
        let num_selected = exits.len() as u32 + 2;
        let num_held = exits.iter().filter(|exit| exit.holds).count() as u32;
        // On other paths it holds nothing.
        let cleared = mentions.cleared.get(held).map_or(&[][..], Vec::as_slice);
        let num_mentions = 1 + num_held + outcomes.num_held + cleared.len() as u32;
        let is_all = mentions.counts.get(&selector) == Some(&num_selected)
            && mentions.counts.get(held) == Some(&num_mentions)
            && !self.is_seen_by_closures(*held);
        is_all.then(|| Found { at, switch, tried, outcomes, exits, cleared: cleared.to_vec() })
    }

    /// The `try` statement whose handler only notes that it is one: a statement, or what ends a labeled block or a `catch`
    /// clause without exceptions before; and the row that it ends.
    fn tried(&self, mut node: NodeId) -> Option<Tried> {
        let mut row = None;
        for _ in 0..MAX_AROUND {
            let inside = match &self.tree.nodes[node].kind {
                Kind::Try { handler, .. } => match handler[..] {
                    [only] if self.selected(only).is_some_and(|(_, number)| number == 0) => {
                        return Some(Tried { node, row, noted: only });
                    }
                    _ => handler,
                },
                Kind::Labeled { body, .. } => match body[..] {
                    // The handler may note it behind the statement, too, if nothing else comes there.
                    [.., tried, only]
                        if self.selected(only).is_some_and(|(_, number)| number == 0)
                            && matches!(&self.tree.nodes[tried].kind, Kind::Try { handler, .. } if handler.is_empty())
                            && self.are_quiet(&body[..body.len() - 2]) =>
                    {
                        return Some(Tried { node: tried, row: Some((node, 0)), noted: only });
                    }
                    _ => body,
                },
                _ => return None,
            };
            let (&last, before) = inside.split_last()?;
            if !self.are_quiet(before) {
                return None;
            }
            row = Some((node, usize::from(matches!(self.tree.nodes[node].kind, Kind::Try { .. }))));
            node = last;
        }
        None
    }

    fn are_quiet(&self, row: &[NodeId]) -> bool {
        row.iter().all(|&node| self.tree.nodes[node].throws == Throws::Never)
    }

    fn is_name(&self, value: &Expr, variable: Variable) -> bool {
        *self.ast.kind(value.id) == ExprKind::Name(self.name(variable)) && value.reads == [variable]
    }

    /// The variable that a statement assigns a number, and the number.
    fn selected(&self, node: NodeId) -> Option<(Variable, u32)> {
        let Kind::Assign { variable, value, is_new: false } = &self.tree.nodes[node].kind else { return None };
        match self.ast.kind(value.id) {
            ExprKind::Constant(constant) => as_place(constant).map(|number| (*variable, number)),
            _ => None,
        }
    }

    /// What each number leads to, if the number of an exception leads to throwing it.
    fn outcomes(&self, row: &[NodeId], switch: usize, held: Variable) -> Option<Outcomes> {
        let Kind::Switch { cases, .. } = &self.tree.nodes[row[switch]].kind else { return None };
        let after = row.get(switch + 1).map(|&node| &self.tree.nodes[node].kind);
        let drops_rest = matches!(after, Some(Kind::Throw(value)) if self.is_name(value, held));
        let rest = if drops_rest { Outcome::Throws } else { Outcome::GoesOn(None) };
        let mut outcomes =
            Outcomes { by_number: BTreeMap::new(), default: rest, drops_rest, num_held: u32::from(drops_rest) };
        for (index, (labels, body)) in cases.iter().enumerate() {
            // The engine closes the iterators of loops that are left.
            let mut kinds = body.iter().map(|&node| &self.tree.nodes[node].kind);
            let outcome = match kinds.find(|kind| !matches!(kind, Kind::Leaves(_))) {
                None => rest,
                Some(Kind::Throw(value)) if self.is_name(value, held) => Outcome::Throws,
                Some(Kind::Return(Some(value))) if self.is_name(value, held) => Outcome::ReturnsHeld,
                Some(Kind::Return(None)) => Outcome::Returns,
                Some(Kind::Jump(jump @ (Jump::Break(_) | Jump::Continue(_)))) => Outcome::Jumps(*jump),
                Some(_) if drops_rest && self.tree.completes(body) => return None,
                Some(_) => Outcome::GoesOn(Some(index)),
            };
            let is_held = matches!(outcome, Outcome::Throws | Outcome::ReturnsHeld) && !body.is_empty();
            outcomes.num_held += u32::from(is_held);
            for label in labels {
                match label {
                    Some(label) => drop(outcomes.by_number.insert(as_place(label)?, outcome)),
                    None => outcomes.default = outcome,
                }
            }
        }
        (outcomes.of(0) == Outcome::Throws).then_some(outcomes)
    }

    /// The ends of the paths through a `try` statement, if they assign the number, and nothing else does.
    fn exits(
        &self,
        (outer, tried): (NodeId, Tried),
        (selector, held): (Variable, Variable),
        outcomes: &Outcomes,
    ) -> Option<Vec<Exit>> {
        let mut exits = Vec::new();
        let mut ends: BTreeSet<LabelId> = BTreeSet::new();
        let mut goes_on = None;
        let (mut inside, mut left): (BTreeSet<LabelId>, BTreeSet<LabelId>) = (BTreeSet::new(), BTreeSet::new());
        let (all, mut num_seen) = ([outer], 0);
        let mut work: Vec<(&[NodeId], (NodeId, usize), bool)> = vec![(&all, (outer, 0), true)];
        while let Some((seq, row, is_end)) = work.pop() {
            num_seen += seq.len();
            if num_seen > MAX_INSIDE {
                return None;
            }
            for (index, &node) in seq.iter().enumerate() {
                let kind = &self.tree.nodes[node].kind;
                let is_last = is_end && index + 1 == seq.len();
                let selected = self.selected(node).filter(|&(variable, _)| variable == selector && node != tried.noted);
                if let Some((_, number)) = selected {
                    let outcome = outcomes.of(number);
                    let exit = self.exit((seq, index), (row, number), held, outcome, (is_end, &ends))?;
                    if let Outcome::GoesOn(_) = outcome {
                        // Only one number may go on behind the clause.
                        if goes_on.replace(number).is_some_and(|other| other != number) {
                            return None;
                        }
                    }
                    exits.push(exit);
                }
                match *kind {
                    Kind::Return(_) => return None,
                    Kind::Jump(Jump::Break(label) | Jump::Continue(label)) => drop(left.insert(label)),
                    Kind::Loop { label, .. } => drop(inside.insert(label)),
                    Kind::Labeled { label, .. } => {
                        inside.insert(label);
                        if is_last {
                            ends.insert(label);
                        }
                    }
                    _ => {}
                }
                let passes_on =
                    matches!(kind, Kind::If { .. } | Kind::Labeled { .. } | Kind::Try { .. } | Kind::Switch { .. });
                // What its own handler does is known.
                let num_rows = if node == tried.node { 1 } else { usize::MAX };
                for (number, inside) in children(kind).enumerate().take(num_rows) {
                    work.push((inside, (node, number), is_last && passes_on));
                }
            }
        }
        // What leaves without a number is no path through the clause: a loop in the `try` may have become one with that around.
        left.is_subset(&inside).then_some(exits)
    }

    /// The end of a path, if what follows the assignment of the number leads to the end of the `try` statement.
    fn exit(
        &self,
        (seq, index): (&[NodeId], usize),
        (row, number): ((NodeId, usize), u32),
        held: Variable,
        outcome: Outcome,
        (is_end, ends): (bool, &BTreeSet<LabelId>),
    ) -> Option<Exit> {
        let of_held =
            |&at: &usize| matches!(&self.tree.nodes[seq[at]].kind, Kind::Assign { variable, .. } if *variable == held);
        // Both are assigned side by side.
        let around = [index.checked_sub(1), Some(index + 1)];
        let held = around.into_iter().flatten().filter(|&at| at < seq.len()).find(of_held);
        let last = held.map_or(index, |held| held.max(index)) + 1;
        let leads_on = match seq.get(last).map(|&node| &self.tree.nodes[node].kind) {
            None => is_end,
            Some(Kind::Jump(Jump::Break(label))) => ends.contains(label),
            Some(_) => false,
        };
        let fits = match outcome {
            Outcome::Throws => false,
            Outcome::ReturnsHeld => held.is_some(),
            // What is held then is held for nothing.
            Outcome::Returns | Outcome::Jumps(_) | Outcome::GoesOn(_) => {
                held.is_none_or(|at| self.is_undefined(seq[at]))
            }
        };
        let holds = held.is_some_and(|at| !self.is_undefined(seq[at]));
        (leads_on && fits).then_some(Exit { row, number, selected: index, held, holds })
    }

    fn is_undefined(&self, node: NodeId) -> bool {
        matches!(&self.tree.nodes[node].kind, Kind::Assign { value, .. } if self.ast.is_constant(value.id, &Constant::Undefined))
    }

    /// Makes the clause; up to which statement of the row there may be others.
    fn restore(&mut self, row: &mut Seq, found: Found) -> usize {
        let Found { at, switch, tried, outcomes, mut exits, cleared } = found;
        let mut goes_on = outcomes.default;
        // Later statements of a row first, so that places stay.
        exits.sort_unstable_by_key(|exit| std::cmp::Reverse((exit.row, exit.selected)));
        for exit in exits {
            let outcome = outcomes.of(exit.number);
            self.leave_at(&exit, outcome);
            if let Outcome::GoesOn(_) = outcome {
                goes_on = outcome;
            }
        }
        let cleanup: Seq = row[at + 1..switch].to_vec();
        // Where no number leads on, the statements of its case are gone.
        self.drops_code |= outcomes
            .by_number
            .values()
            .chain([&outcomes.default])
            .any(|&outcome| matches!(outcome, Outcome::GoesOn(_)) && outcome != goes_on);
        // The case must not keep its statements: a `try` among them may become a clause, too, and only once.
        let mut rest: Seq = match (goes_on, &mut self.tree.nodes[row[switch]].kind) {
            (Outcome::GoesOn(Some(case)), Kind::Switch { cases, .. }) => std::mem::take(&mut cases[case].1),
            _ => Seq::new(),
        };
        let num_inside = rest.len();
        let after = row.split_off(switch + 1);
        rest.extend(after.into_iter().skip(usize::from(outcomes.drops_rest)));
        for node in cleared {
            // Nothing reads it any more.
            let label = self.tree.fresh_label();
            self.tree.nodes[node].kind = Kind::Labeled { label, body: Seq::new() };
        }
        let body = self.without_try(row[at], tried);
        row.truncate(at);
        let body = self.with_statement_before(row, body);
        row.push(self.tree.add(Kind::Finally { body, cleanup }));
        let end = row.len() + num_inside;
        row.extend(rest);
        end
    }

    /// Lets a path leave the `try` statement itself.
    fn leave_at(&mut self, exit: &Exit, outcome: Outcome) {
        let Exit { row: (node, index), selected, held, .. } = *exit;
        let Some(seq) = nth_row(&mut self.tree.nodes[node].kind, index) else { return };
        let mut seq = std::mem::take(seq);
        let first = held.map_or(selected, |held| held.min(selected));
        let last = held.map_or(selected, |held| held.max(selected));
        let taken: Vec<NodeId> = seq.splice(first..=last, []).collect();
        let kind = match outcome {
            Outcome::ReturnsHeld => held.map(|held| self.returned(taken[held - first])),
            Outcome::Returns => Some(Kind::Return(None)),
            Outcome::Jumps(jump) => Some(Kind::Jump(jump)),
            Outcome::Throws | Outcome::GoesOn(_) => None,
        };
        let leaves = kind.is_some();
        if let Some(kind) = kind {
            let left = seq.split_off(first);
            self.forget_jumps(&left);
            let node = self.tree.add(kind);
            seq.push(node);
        }
        if let Some(place) = nth_row(&mut self.tree.nodes[node].kind, index) {
            *place = seq;
        }
        if leaves && index == 0 {
            self.let_else_follow(node);
        }
    }

    /// What is in a `try` statement, with the statement before that goes on there, if there is one.
    fn with_statement_before(&mut self, row: &mut Seq, mut body: Seq) -> Seq {
        let mut inside = &body;
        let mut labeled = None;
        while let [only] = inside[..]
            && let Kind::Labeled { body, .. } = &self.tree.nodes[only].kind
        {
            (labeled, inside) = (Some(only), body);
        }
        let Some(last) = row.last().copied().filter(|&last| self.goes_on_in(last, inside)) else { return body };
        row.pop();
        match labeled.map(|node| &mut self.tree.nodes[node].kind) {
            Some(Kind::Labeled { body, .. }) => body.insert(0, last),
            _ => body.insert(0, last),
        }
        body
    }

    /// Whether a `try` statement, from which no exceptions come, goes on at a `switch` in a row.
    fn goes_on_in(&self, node: NodeId, row: &[NodeId]) -> bool {
        let selector = self.tried(node).and_then(|tried| self.selected(tried.noted));
        selector.is_some_and(|(selector, _)| {
            row.iter().take(MAX_CLEANUP).any(
                |&node| matches!(&self.tree.nodes[node].kind, Kind::Switch { on, .. } if self.is_name(on, selector)),
            )
        })
    }

    /// A statement with what is in a `try` statement in its place.
    fn without_try(&mut self, outer: NodeId, tried: Tried) -> Seq {
        let Kind::Try { body, .. } = &mut self.tree.nodes[tried.node].kind else { return vec![outer] };
        let body = std::mem::take(body);
        let row = tried.row.and_then(|(node, index)| nth_row(&mut self.tree.nodes[node].kind, index));
        let Some(row) = row else { return body };
        row.retain(|&node| node != tried.node && node != tried.noted);
        row.extend(body);
        vec![outer]
    }

    /// Puts what an `if` does otherwise behind it, where the rest of it leaves.
    fn let_else_follow(&mut self, node: NodeId) {
        let Kind::If { otherwise, .. } = &mut self.tree.nodes[node].kind else { return };
        let otherwise = std::mem::take(otherwise);
        let parent = self.tree.nodes[node].parent;
        for index in 0..parent.map_or(0, |parent| children(&self.tree.nodes[parent].kind).count()) {
            if let Some(parent) = parent
                && let Some(row) = nth_row(&mut self.tree.nodes[parent].kind, index)
                && let Some(at) = row.iter().position(|&other| other == node)
            {
                row.splice(at + 1..at + 1, otherwise);
                return;
            }
        }
        if let Kind::If { otherwise: place, .. } = &mut self.tree.nodes[node].kind {
            *place = otherwise;
        }
    }

    /// The `return` of what is assigned.
    fn returned(&self, node: NodeId) -> Kind {
        match &self.tree.nodes[node].kind {
            Kind::Assign { value, .. } if !self.ast.is_constant(value.id, &Constant::Undefined) => {
                Kind::Return(Some(self.without_await(value.clone())))
            }
            _ => Kind::Return(None),
        }
    }
}

/// The number that a constant is, if it can be one of a place to go on.
fn as_place(constant: &Constant) -> Option<u32> {
    let number = constant.as_number().filter(|number| number.fract() == 0.0)?;
    (0.0..1e6).contains(&number).then_some(number as u32)
}
