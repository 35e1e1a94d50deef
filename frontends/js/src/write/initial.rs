//! Declares variables with their default values, so that the last arm of an `if` need not assign these.
//!
//! Leaving SSA form assigns a variable on every path to a phi: `let x = 0; if (c) { x = f(); }` becomes
//! `let x; if (c) { x = f(); } else { x = 0; }`. If the variable is declared immediately before the `if`, an arm that only
//! assigns constants can be omitted, and so can the first assignment in an arm if it assigns `undefined`.

use super::ast::{Ast, ExprId, ExprKind};
use super::code::Body;
use super::declare::RowId;
use super::tree::{Kind, NodeId, Seq, children, each_mention};
use crate::dialect::Constant;
use ssaphire_ir::Variable;
use std::collections::{HashMap, HashSet};

/// So many statements of an `if` are looked at.
const MAX_LOOK: usize = 1_000;

/// A longer chain of `if`s stays as it is.
const MAX_CHAIN: usize = 100;

/// The `if`s of a chain `if .. else if .. else ..`, and its arms in the order of the text.
struct Chain {
    ifs: Vec<NodeId>,
    arms: Vec<Seq>,
}

/// The first statement of an arm that mentions a variable.
struct First {
    node: NodeId,
    /// The constant, if it does nothing but assign one.
    constant: Option<ExprId>,
}

/// Declares variables with the values that the last arm of the following `if` assigns, except variables that closures
/// capture.
///
/// # Complexity
/// O(statements), and a bounded number of them for each `if` behind a declaration.
pub(super) fn declare_with_values(ast: &mut Ast<'_>, body: &mut Body, is_seen: &[bool]) {
    let mut work: Vec<(RowId, Seq)> = vec![(0, body.root.clone())];
    while let Some((row, seq)) = work.pop() {
        for (index, &node) in seq.iter().enumerate() {
            if let Some(variables) = body.declarations.before.get(&(row, index)).cloned()
                && let Some(chain) = Chain::new(body, node)
            {
                let fits = |variable: &Variable| !body.vars.contains(variable) && !is_seen[variable.index()];
                let variables: Vec<Variable> = variables.into_iter().filter(fits).collect();
                chain.declare(ast, body, &variables);
            }
            for (number, inside) in children(&body.tree.nodes[node].kind).enumerate() {
                if let Some(&row) = body.declarations.rows.get(&(node, number)) {
                    work.push((row, inside.clone()));
                }
            }
        }
    }
}

impl Chain {
    fn new(body: &Body, first: NodeId) -> Option<Self> {
        let mut chain = Self { ifs: Vec::new(), arms: Vec::new() };
        let mut node = first;
        while chain.ifs.len() < MAX_CHAIN {
            let Kind::If { then, otherwise, .. } = &body.tree.nodes[node].kind else { break };
            chain.ifs.push(node);
            chain.arms.push(then.clone());
            match otherwise[..] {
                [] => return None,
                [only] if matches!(body.tree.nodes[only].kind, Kind::If { .. }) => node = only,
                _ => {
                    chain.arms.push(otherwise.clone());
                    return Some(chain);
                }
            }
        }
        None
    }

    fn declare(&self, ast: &mut Ast<'_>, body: &mut Body, variables: &[Variable]) {
        let wanted: HashSet<Variable> = variables.iter().copied().collect();
        if wanted.is_empty() || self.conditions_mention(body, &wanted) {
            return;
        }
        let mut num_left = MAX_LOOK;
        let firsts: Option<Vec<HashMap<Variable, First>>> =
            self.arms.iter().map(|arm| firsts(ast, body, arm, (&wanted, &mut num_left))).collect();
        let Some(firsts) = firsts else { return };
        let Some(last) = self.arms.last() else { return };
        let mut dropped: HashSet<NodeId> = HashSet::new();
        let mut initial: HashMap<NodeId, (Variable, ExprId)> = HashMap::new();
        for &variable in variables {
            let of_variable = firsts.iter().filter_map(|firsts| firsts.get(&variable));
            let is_undefined =
                |first: &&First| first.constant.is_some_and(|id| ast.is_constant(id, &Constant::Undefined));
            let undefined: Vec<NodeId> = of_variable.filter(is_undefined).map(|first| first.node).collect();
            if undefined.is_empty()
                && let Some(First { node, constant: Some(constant) }) =
                    firsts.last().and_then(|last| last.get(&variable))
            {
                initial.insert(*node, (variable, *constant));
            }
            dropped.extend(undefined);
        }
        let goes = last.iter().all(|node| dropped.contains(node) || initial.contains_key(node));
        if goes {
            for (variable, constant) in last.iter().filter_map(|node| initial.get(node)) {
                body.declarations.initial.insert(*variable, *constant);
            }
            dropped.extend(last.iter().copied());
        }
        self.leave_out(ast, body, dropped);
    }

    /// Leaves out statements, and arms of which nothing is left.
    fn leave_out(&self, ast: &mut Ast<'_>, body: &mut Body, dropped: HashSet<NodeId>) {
        let (Some(&innermost), Some(last)) = (self.ifs.last(), self.arms.last()) else { return };
        let is_empty = |seq: &Seq| seq.iter().all(|node| dropped.contains(node));
        if let Kind::If { condition, then, otherwise } = &mut body.tree.nodes[innermost].kind {
            if is_empty(last) {
                otherwise.clear();
            } else if is_empty(then) {
                *then = std::mem::take(otherwise);
                *condition = ast.negated(condition.clone());
                if let Some(row) = body.declarations.rows.remove(&(innermost, 1)) {
                    body.declarations.rows.insert((innermost, 0), row);
                }
            }
        }
        body.declarations.dropped.extend(dropped);
    }

    fn conditions_mention(&self, body: &Body, wanted: &HashSet<Variable>) -> bool {
        self.ifs.iter().any(|&node| {
            let mut mentions = false;
            each_mention(&body.tree.nodes[node].kind, |variable| mentions |= wanted.contains(&variable));
            mentions
        })
    }
}

/// By variable, the first statement of an arm that mentions it; none if there are too many to look at.
fn firsts(
    ast: &Ast<'_>,
    body: &Body,
    arm: &Seq,
    (wanted, num_left): (&HashSet<Variable>, &mut usize),
) -> Option<HashMap<Variable, First>> {
    let mut found: HashMap<Variable, First> = HashMap::new();
    for &node in arm {
        let constant = match &body.tree.nodes[node].kind {
            Kind::Assign { value, .. } if !body.declarations.declaring.contains_key(&node) => {
                matches!(ast.kind(value.id), ExprKind::Constant(_)).then_some(value.id)
            }
            _ => None,
        };
        let mut work = vec![node];
        while let Some(inside) = work.pop() {
            *num_left = num_left.checked_sub(1)?;
            let kind = &body.tree.nodes[inside].kind;
            each_mention(kind, |variable| {
                if wanted.contains(&variable) {
                    found.entry(variable).or_insert(First { node, constant });
                }
            });
            work.extend(children(kind).flatten());
        }
    }
    Some(found)
}
