//! Functions as they are written.

use super::ast::{Ast, ExprId, NameId};
use super::declare::{Declarations, RowId};
use super::jumps::Jumps;
use super::tree::{Kind, NodeId, Seq, Tree};
use crate::program::FunctionId;
use crate::source::Span;
use ssaphire_ir::Variable;
use std::collections::{BTreeSet, HashMap};

/// What a function is written as, apart from what its place makes of it.
#[derive(Debug)]
pub(super) enum Code {
    Built(Box<Built>),
    /// As it stands in the source, but for the functions in it: all of a file, and of others what follows their heads.
    Kept(Vec<Piece>),
}

/// A function that is written anew.
#[derive(Debug)]
pub(super) struct Built {
    pub(super) params: Vec<Param>,
    pub(super) body: Body,
    /// Whether its body begins with `"use strict"`.
    pub(super) has_directive: bool,
    /// What it returns, if it does nothing else.
    pub(super) result: Option<ExprId>,
    /// Whether its code is strict only where the code around is, since its parameters go with no directive.
    pub(super) needs_strict_place: bool,
}

/// A parameter.
#[derive(Debug)]
pub(super) enum Param {
    Plain(NameId),
    /// With `undefined` as its default, so that it does not count.
    Optional(NameId),
    /// With its default.
    Default(NameId, ExprId),
    /// A pattern, and what it takes apart if there is nothing or `undefined`.
    Pattern(ExprId, Option<ExprId>),
    Rest(NameId),
    /// A rest that binds nothing: with it, `arguments` aliases no parameter.
    NoMore,
    Call(Box<Call>),
}

/// What the call of a generator does, apart from what follows the start of its body.
#[derive(Debug)]
pub(super) struct Call {
    /// Its rest parameter, and where that begins.
    pub(super) rest: Option<(NameId, usize)>,
    /// The variables that the body has, too.
    pub(super) bound: Vec<NameId>,
    pub(super) body: Body,
    /// A variable that nothing reads.
    pub(super) unused: NameId,
}

/// Statements with what they declare.
#[derive(Debug)]
pub(super) struct Body {
    pub(super) tree: Tree,
    pub(super) root: Seq,
    pub(super) declarations: Declarations,
    pub(super) jumps: Jumps,
    /// The loops with a condition.
    pub(super) heads: HashMap<NodeId, Head>,
    /// The loops with a condition whose last statement assigns this variable, which they may do in their head.
    pub(super) updates: HashMap<NodeId, Variable>,
    /// By variable.
    pub(super) names: Vec<NameId>,
    /// Whether functions may be declared at the top.
    pub(super) declares_functions: bool,
    /// The variables that are declared by `var`.
    pub(super) vars: BTreeSet<Variable>,
    /// The variable of the default export, if that has no name.
    pub(super) default_export: Option<Variable>,
    /// Whether unreachable statements are omitted.
    pub(super) drops_code: bool,
}

/// Where the condition of a loop is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Head {
    While(ExprId),
    DoWhile(ExprId),
}

/// A part of a function that stays as it stands in the source.
#[derive(Debug)]
pub(super) enum Piece {
    Source(Span),
    Function(FunctionId),
}

impl Body {
    pub(super) fn name(&self, variable: Variable) -> NameId {
        self.names[variable.index()]
    }

    /// Whether an assignment at this place and the loop behind it are one `for`.
    pub(super) fn is_for(&self, ast: &Ast<'_>, (init, next): (NodeId, NodeId), (row, index): (RowId, usize)) -> bool {
        let Some(&updated) = self.updates.get(&next) else { return false };
        let Kind::Assign { variable, value, .. } = &self.tree.nodes[init].kind else { return false };
        let is_own = |last: &usize| *last <= index + 1;
        let fits = match self.declarations.declaring.get(&init) {
            Some(_) if self.vars.contains(variable) => true,
            Some(&is_constant) => !is_constant && self.declarations.last.get(variable).is_some_and(is_own),
            None => true,
        };
        *variable == updated
            && fits
            && !self.declarations.before.contains_key(&(row, index + 1))
            && ast.may_begin_for(value.id)
    }

    /// Of a loop over values that declares a pattern: whether that is constant, and the pattern.
    pub(super) fn pattern_in_head(&self, node: NodeId) -> Option<(bool, ExprId)> {
        let first = self.declarations.bound_pattern.get(&node)?;
        let is_constant = self.declarations.declaring.get(first)?;
        match &self.tree.nodes[*first].kind {
            Kind::Bind { pattern, .. } => Some((*is_constant, *pattern)),
            _ => None,
        }
    }

    /// Whether it declares variables for all of its statements.
    pub(super) fn has_own(&self) -> bool {
        self.declarations.row_of.values().any(|&row| row == 0)
    }
}

impl Built {
    /// Whether statements are left out, of what the call does or of what follows it.
    pub(super) fn drops_code(&self) -> bool {
        let is_in_call = |param: &Param| matches!(param, Param::Call(call) if call.body.drops_code);
        self.body.drops_code || self.params.iter().any(is_in_call)
    }
}

impl Ast<'_> {
    /// The code of a function, if it has been written anew.
    pub(super) fn built(&self, id: FunctionId) -> Option<&Built> {
        match self.codes.get(id.index()) {
            Some(Some(Code::Built(built))) => Some(built),
            _ => None,
        }
    }
}
