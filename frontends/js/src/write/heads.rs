//! Loops whose condition stands in their head.

use super::ast::Ast;
use super::code::Head;
use super::declare::Declarations;
use super::expr::Expr;
use super::jumps::Jumps;
use super::tree::{Jump, Kind, LabelId, NodeId, Seq, Tree};
use std::collections::HashMap;

/// Finds the loops that leave where they begin, or where they end, if that is all that is done there.
pub(super) fn find(
    ast: &mut Ast<'_>,
    tree: &Tree,
    jumps: &Jumps,
    declarations: &Declarations,
) -> HashMap<NodeId, Head> {
    let mut heads = HashMap::new();
    for (node, data) in tree.nodes.iter().enumerate() {
        let Kind::Loop { label, body, over: None, .. } = &data.kind else { continue };
        // What is no part of the function any more has no row.
        let Some(&row) = declarations.rows.get(&(node, 0)) else { continue };
        let loop_ = Loop { tree, jumps, declarations, label: *label, body, row };
        if let Some(head) = loop_.head(ast) {
            heads.insert(node, head);
        }
    }
    heads
}

struct Loop<'l> {
    tree: &'l Tree,
    jumps: &'l Jumps,
    declarations: &'l Declarations,
    label: LabelId,
    body: &'l Seq,
    row: usize,
}

impl Loop<'_> {
    fn head(&self, ast: &mut Ast<'_>) -> Option<Head> {
        let declares_at = |index| self.declarations.before.contains_key(&(self.row, index));
        if let Some(condition) = self.body.first().and_then(|&first| self.exit(first)).filter(|_| !declares_at(0)) {
            return Some(Head::While(ast.negated(condition).id));
        }
        let continues = self.jumps.labels.get(&self.label).map_or(0, |uses| uses.continues);
        let condition = self.body.last().and_then(|&last| self.exit(last))?;
        // What the body declares is out of reach behind it.
        let is_visible = |variable| self.declarations.row_of.get(variable) != Some(&self.row);
        let fits = continues == 0 && !declares_at(self.body.len() - 1) && condition.reads.iter().all(is_visible);
        fits.then(|| Head::DoWhile(ast.negated(condition).id))
    }

    /// The condition of a statement that leaves the loop, if it does nothing else.
    fn exit(&self, node: NodeId) -> Option<Expr> {
        let Kind::If { condition, then, otherwise } = &self.tree.nodes[node].kind else { return None };
        let leaves = |&node: &NodeId| {
            self.jumps.is_plain[node]
                && matches!(self.tree.nodes[node].kind, Kind::Jump(Jump::Break(to)) if to == self.label)
        };
        (otherwise.is_empty() && then.len() == 1 && then.iter().all(leaves)).then(|| condition.clone())
    }
}
