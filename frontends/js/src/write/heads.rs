//! Loops whose condition stands in their head.

use super::ast::Ast;
use super::code::Head;
use super::declare::Declarations;
use super::expr::Expr;
use super::jumps::Jumps;
use super::tree::{Jump, Kind, LabelId, NodeId, Seq, Tree};
use ssaphire_ir::Variable;
use std::collections::HashMap;

/// Finds the loops that leave where they begin, or where they end, if that is all that is done there.
///
/// Of those that leave where they begin, those that end with an assignment, too, with its variable; `is_seen` says by
/// variable whether closures see it.
pub(super) fn find(
    ast: &mut Ast<'_>,
    tree: &Tree,
    (jumps, declarations): (&Jumps, &Declarations),
    is_seen: &[bool],
) -> (HashMap<NodeId, Head>, HashMap<NodeId, Variable>) {
    let (mut heads, mut updates) = (HashMap::new(), HashMap::new());
    for (node, data) in tree.nodes.iter().enumerate() {
        let Kind::Loop { label, body, over: None, .. } = &data.kind else { continue };
        // What is no part of the function any more has no row.
        let Some(&row) = declarations.rows.get(&(node, 0)) else { continue };
        let loop_ = Loop { tree, jumps, declarations, label: *label, body, row };
        if let Some(head) = loop_.head(ast) {
            heads.insert(node, head);
            if let (Head::While(_), Some(variable)) = (head, loop_.update())
                && is_seen.get(variable.index()) == Some(&false)
            {
                updates.insert(node, variable);
            }
        }
    }
    (heads, updates)
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
        let is_visible = |condition: &Expr| condition.reads.iter().all(|variable| self.is_visible_outside(*variable));
        let first = self.body.first().and_then(|&first| self.exit(first));
        if let Some(condition) = first.filter(|condition| !declares_at(0) && is_visible(condition)) {
            return Some(Head::While(ast.negated(condition).id));
        }
        let continues = self.jumps.labels.get(&self.label).map_or(0, |uses| uses.continues);
        let condition = self.body.last().and_then(|&last| self.exit(last))?;
        let fits = continues == 0 && !declares_at(self.body.len() - 1) && is_visible(&condition);
        fits.then(|| Head::DoWhile(ast.negated(condition).id))
    }

    /// What the body declares is out of reach in the head, also where a closure is made before the declaration.
    fn is_visible_outside(&self, variable: Variable) -> bool {
        self.declarations.row_of.get(&variable) != Some(&self.row)
    }

    /// What the last statement assigns, if it does nothing else and each round ends with it.
    fn update(&self) -> Option<Variable> {
        let is_continued = self.jumps.labels.get(&self.label).is_some_and(|uses| uses.continues > 0);
        let (&[_, .., last], false) = (&self.body[..], is_continued) else { return None };
        let declares = self.declarations.before.contains_key(&(self.row, self.body.len() - 1));
        let (variable, value) = match &self.tree.nodes[last].kind {
            Kind::Do(value) if value.writes.len() == 1 => (value.writes[0], value),
            Kind::Assign { variable, value, .. } if !self.declarations.declaring.contains_key(&last) => {
                (*variable, value)
            }
            _ => return None,
        };
        let is_visible = value.reads.iter().all(|variable| self.is_visible_outside(*variable));
        (is_visible && !declares && !self.declarations.dropped.contains(&last)).then_some(variable)
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
