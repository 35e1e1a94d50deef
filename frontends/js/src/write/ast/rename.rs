//! Variables get other names in expressions that are made already.

use super::{Ast, ExprId, ExprKind, NameId};
use std::collections::HashMap;

impl Ast<'_> {
    /// The number of the next expression.
    pub(in crate::write) fn next(&self) -> ExprId {
        ExprId(self.nodes.len() as u32)
    }

    /// Renames the variables in all expressions from `first` on.
    pub(in crate::write) fn rename(&mut self, first: ExprId, names: &HashMap<NameId, NameId>) {
        if names.is_empty() {
            return;
        }
        for index in first.0 as usize..self.nodes.len() {
            if let ExprKind::Name(name) = &mut self.nodes[index].kind {
                *name = names.get(name).copied().unwrap_or(*name);
            }
            // Operands come first.
            self.nodes[index].width = self.width_of(&self.nodes[index].kind);
        }
    }
}
