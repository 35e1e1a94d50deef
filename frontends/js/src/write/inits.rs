//! Moves the initialization of a loop's counter to directly before the loop, so that it can be part of a `for`.
//!
//! Leaving SSA form initializes the variables of a loop in any order.

use super::ast::ExprKind;
use super::builder::Builder;
use super::expr::{Expr, Throws};
use super::tree::{Kind, NodeId, Seq, children, nth_row};
use ssaphire_ir::Variable;

/// The number of statements before a loop that are examined.
const MAX_PASSED: usize = 32;

impl Builder<'_, '_> {
    /// Moves the assignment to the counter of each loop behind assignments of constants that follow it.
    pub(super) fn bring_inits(&mut self, root: &mut Seq) {
        self.bring_inits_of(root);
        for node in 0..self.tree.nodes.len() {
            for index in 0..children(&self.tree.nodes[node].kind).count() {
                let Some(row) = nth_row(&mut self.tree.nodes[node].kind, index) else { continue };
                let mut row = std::mem::take(row);
                self.bring_inits_of(&mut row);
                if let Some(place) = nth_row(&mut self.tree.nodes[node].kind, index) {
                    *place = row;
                }
            }
        }
    }

    fn bring_inits_of(&self, row: &mut [NodeId]) {
        for at in 1..row.len() {
            let Kind::Loop { body, over: None, .. } = &self.tree.nodes[row[at]].kind else { continue };
            let stepped = body.last().and_then(|&last| self.stepped(last));
            if let Some(first) = stepped.and_then(|variable| self.init_of(variable, &row[..at])) {
                row[first..at].rotate_left(1);
            }
        }
    }

    /// The variable that a statement assigns, if it assigns only one.
    fn stepped(&self, node: NodeId) -> Option<Variable> {
        match &self.tree.nodes[node].kind {
            Kind::Do(value) if value.writes.len() == 1 => Some(value.writes[0]),
            Kind::Assign { variable, .. } => Some(*variable),
            _ => None,
        }
    }

    /// The position of the assignment to `stepped`, if it may be moved to the end of the row.
    fn init_of(&self, stepped: Variable, row: &[NodeId]) -> Option<usize> {
        let mut passed = Vec::new();
        for (at, &node) in row.iter().enumerate().rev().take(MAX_PASSED) {
            let Kind::Assign { variable, value, is_new: false } = &self.tree.nodes[node].kind else { return None };
            if *variable == stepped {
                // A handler sees what has been assigned before an exception.
                let throws = matches!(value.throws, Throws::To(_) | Throws::Mixed);
                let reads_passed = passed.iter().any(|variable| value.reads.contains(variable));
                return (passed.is_empty() || !throws && !reads_passed).then_some(at);
            }
            if !self.is_constant(value) || self.is_seen_by_closures(*variable) {
                return None;
            }
            passed.push(*variable);
        }
        None
    }

    fn is_constant(&self, value: &Expr) -> bool {
        matches!(self.ast.kind(value.id), ExprKind::Constant(_))
    }
}
