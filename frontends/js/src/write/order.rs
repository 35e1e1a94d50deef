//! Functions at the top of a function stand where they stand in the source.
//!
//! Function declarations are hoisted, so their position does not matter. A constant initialized with a function may have
//! been delayed until its first use, and can move up.

use super::ast::{Ast, ExprId, ExprKind, NameId, Naming};
use super::code::Body;
use super::tree::{Kind, NodeId};
use crate::program::JsFunction;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Moves the declarations of functions behind the statements that precede them in the source, and constants that are
/// functions before those that follow them.
pub(super) fn restore(ast: &Ast<'_>, body: &mut Body) {
    let start_of = |&node: &NodeId| ast.declared_by(body, node).map(|function| function.span.start);
    let constants: Vec<Option<u32>> = body.root.iter().map(|&node| ast.constant_function(body, node)).collect();
    if constants.iter().all(Option::is_none) && !body.root.iter().any(|node| start_of(node).is_some()) {
        return;
    }
    // The functions that are still to come, the first one of the source on top; and the new order.
    let numbered = constants.iter().enumerate();
    let mut waiting: BinaryHeap<Reverse<(u32, usize)>> =
        numbered.filter_map(|(index, start)| start.map(|start| Reverse((start, index)))).collect();
    let mut is_placed = vec![false; body.root.len()];
    let mut order: Vec<usize> = Vec::with_capacity(body.root.len());
    // A statement without a source location goes with the statement after it.
    let mut places = vec![None; body.root.len() + 1];
    for (index, node) in body.root.iter().enumerate().rev() {
        let own = if start_of(node).is_none() { body.tree.nodes[*node].place } else { None };
        places[index] = constants[index].or(own).or(places[index + 1]);
    }
    for (index, node) in body.root.iter().enumerate() {
        if let Some(start) = start_of(node) {
            waiting.push(Reverse((start, index)));
            continue;
        }
        let is_head = index > 0 && body.is_for(ast, (body.root[index - 1], *node), (0, index - 1));
        if let Some(place) = places[index].filter(|_| !is_head && !is_placed[index]) {
            // What has no place of its own may be what a constant is not there for yet.
            let has_place = constants[index].is_some() || body.tree.nodes[*node].place.is_some();
            let may_pass = |function: usize| has_place || constants[function].is_none();
            let is_before = |&&Reverse((start, function)): &&Reverse<(u32, usize)>| start < place && may_pass(function);
            while let Some(&Reverse((_, function))) = waiting.peek().filter(is_before) {
                waiting.pop();
                if !std::mem::replace(&mut is_placed[function], true) {
                    order.push(function);
                }
            }
        }
        // A constant may be needed here.
        if !std::mem::replace(&mut is_placed[index], true) {
            order.push(index);
        }
    }
    while let Some(Reverse((_, function))) = waiting.pop() {
        if !is_placed[function] {
            order.push(function);
        }
    }
    apply(body, &order);
}

/// Reorders the statements of the body. Variables that are declared before a function that moves are declared before the
/// next statement that does not.
fn apply(body: &mut Body, order: &[usize]) {
    let mut new_index = vec![0; order.len() + 1];
    order.iter().enumerate().for_each(|(new, &old)| new_index[old] = new);
    new_index[order.len()] = order.len();
    let mut is_moved = vec![false; order.len()];
    let mut highest = None;
    for &old in order {
        is_moved[old] = highest.is_some_and(|highest| old < highest);
        highest = highest.max(Some(old));
    }
    let mut next_kept = vec![order.len(); order.len() + 1];
    for index in (0..order.len()).rev() {
        next_kept[index] = if is_moved[index] { next_kept[index + 1] } else { index };
    }
    let declarations = &mut body.declarations;
    let mut before = std::mem::take(&mut declarations.before);
    let mut of_top: Vec<(usize, Vec<_>)> = Vec::new();
    before.retain(|&(row, index), variables| {
        if row == 0 {
            of_top.push((index, std::mem::take(variables)));
        }
        row != 0
    });
    of_top.sort_unstable_by_key(|&(index, _)| index);
    for (index, variables) in of_top {
        before.entry((0, new_index[next_kept[index]])).or_default().extend(variables);
    }
    declarations.before = before;
    for (variable, last) in &mut declarations.last {
        if declarations.row_of.get(variable) == Some(&0) {
            *last = new_index.get(*last).copied().unwrap_or(*last);
        }
    }
    body.root = order.iter().map(|&index| body.root[index]).collect();
}

impl Ast<'_> {
    /// Where the function begins in the source that is all the value of a constant.
    fn constant_function(&self, body: &Body, node: NodeId) -> Option<u32> {
        let Kind::Assign { value, .. } = &body.tree.nodes[node].kind else { return None };
        let is_constant = body.declarations.declaring.get(&node) == Some(&true);
        match *self.kind(value.id) {
            ExprKind::Function(id, _) if is_constant && self.declared_by(body, node).is_none() => {
                Some(self.program.functions.get(id.index())?.span.start)
            }
            _ => None,
        }
    }

    /// Whether a class is a declaration of this name in the source.
    pub(super) fn is_class_declaration(&self, value: ExprId, name: NameId) -> bool {
        let ExprKind::Class(class) = self.kind(value) else { return false };
        let class = &self.program.classes[class.index as usize];
        class.is_declaration && class.self_name.as_deref() == Some(self.text_of(name))
    }

    /// The function that a statement at the top declares, if it is written as a declaration.
    pub(super) fn declared_by(&self, body: &Body, node: NodeId) -> Option<&JsFunction> {
        let Kind::Assign { variable, value, .. } = &body.tree.nodes[node].kind else { return None };
        let is_named = matches!(self.kind(value.id), ExprKind::Function(_, Naming::Wanted { .. }));
        let declares = body.declares_functions && body.declarations.declaring.contains_key(&node);
        let function = self.declared(value.id).filter(|_| is_named && declares)?;
        let name = function.name.as_ref().and_then(|wanted| wanted.as_str());
        let is_declared = name == Some(self.text_of(body.name(*variable))) || body.default_export == Some(*variable);
        is_declared.then_some(function)
    }
}
