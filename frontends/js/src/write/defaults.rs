//! Defaults of parameters, from the statements at the beginning of a function that do what they do.

use super::ast::{ExprId, ExprKind};
use super::builder::Builder;
use super::code::Param;
use super::expr::Expr;
use super::tree::{Kind, NodeId, Seq};
use crate::dialect::Constant;
use ssaphire_ir::Variable;
use std::collections::BTreeSet;

impl Builder<'_, '_> {
    /// Takes those statements away and gives the parameters their defaults.
    ///
    /// A parameter that counts for the `length` of the function has none.
    pub(super) fn take_defaults(&mut self, root: &mut Seq, params: &mut [Param]) {
        let mut num_taken = 0;
        let mut first = self.js.params.length as usize;
        // The body of a generator begins later than its call.
        while !self.js.is_generator
            && let Some((index, default)) =
                root.get(num_taken).and_then(|&node| self.default_of(node, first, &BTreeSet::new()))
        {
            if let Some(param) = params.get_mut(index)
                && let Param::Plain(name) | Param::Optional(name) = *param
            {
                *param = Param::Default(name, default);
            }
            num_taken += 1;
            first = index + 1;
        }
        root.drain(..num_taken);
    }

    /// The parameter from `first` on that a statement gives its default, and the default, which may read what patterns of parameters
    /// before it have `bound`.
    pub(super) fn default_of(&self, node: NodeId, first: usize, bound: &BTreeSet<Variable>) -> Option<(usize, ExprId)> {
        let Kind::If { condition, then, otherwise } = &self.tree.nodes[node].kind else { return None };
        let [assignment] = then[..] else { return None };
        let Kind::Assign { variable, value, .. } = &self.tree.nodes[assignment].kind else { return None };
        let ExprKind::Binary { sign: "===", left, right } = *self.ast.kind(condition.id) else { return None };
        let is_missing = matches!(self.ast.kind(left), ExprKind::Name(name) if *name == self.name(*variable))
            && self.ast.is_constant(right, &Constant::Undefined);
        let index = self.named_param_of(*variable)?;
        let is_rest = self.js.params.has_rest && index + 1 == self.plan.params.len();
        let fits = is_missing
            && otherwise.is_empty()
            && index >= first
            && !is_rest
            && self.may_be_default(value, index, bound);
        fits.then_some((index, value.id))
    }

    /// The number of the parameter that a variable is, unless closures see it.
    pub(super) fn param_of(&self, variable: Variable) -> Option<usize> {
        self.named_param_of(variable).filter(|_| !self.is_seen_by_closures(variable))
    }

    /// The number of the parameter that a variable is, and is called like.
    fn named_param_of(&self, variable: Variable) -> Option<usize> {
        let index = self.function.params().iter().position(|param| param.variable == Some(variable))?;
        self.plan.params.get(index).is_some_and(|name| name == self.name_text(variable)).then_some(index)
    }

    /// Whether a value may be computed where parameters are: it reads those before it, what their patterns have `bound`, and what
    /// functions around have, and does not wait.
    fn may_be_default(&self, value: &Expr, index: usize, bound: &BTreeSet<Variable>) -> bool {
        let is_there = |variable: &Variable| {
            let param = self.function.params().iter().position(|param| param.variable == Some(*variable));
            self.plan.is_outer.get(variable.index()) == Some(&true) && param.is_none_or(|before| before < index)
                || bound.contains(variable)
        };
        value.writes.is_empty() && value.reads.iter().all(is_there) && !self.ast.waits(value.id)
    }
}
