//! The statements of a function under construction.
//!
//! Statements are in flat tables and refer to each other by number, so nesting uses no stack.

use super::ast::{ExprId, NameId};
use super::expr::{Expr, Throws};
use crate::dialect::Constant;
use ssaphire_ir::{Block, Variable};
use std::collections::HashMap;

/// The number of a statement.
pub(super) type NodeId = usize;
/// Statements in a row.
pub(super) type Seq = Vec<NodeId>;
/// The labels of a case, `None` for the default, and its statements.
pub(super) type Case = (Vec<Option<Constant>>, Seq);
/// The number of a label.
pub(super) type LabelId = u32;

/// The target of a jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Jump {
    /// After the statement with this label.
    Break(LabelId),
    /// The next iteration of a loop.
    Continue(LabelId),
    /// After the label that leads to a handler, once it exists.
    Handler(Block),
}

/// A statement.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// `variable = value`; whether that makes the variable anew, as a cell is.
    Assign {
        variable: Variable,
        value: Expr,
        is_new: bool,
    },
    /// An expression.
    Do(Expr),
    /// `pattern = value`, all of which is `all`; the variables of `made` are made anew. It may be a declaration if it
    /// assigns nothing but variables.
    Bind {
        pattern: ExprId,
        value: ExprId,
        all: Expr,
        made: Vec<Variable>,
        has_variables_only: bool,
    },
    /// `let` or `const` of a script, by its name.
    Init {
        keyword: &'static str,
        name: NameId,
        value: Expr,
    },
    Return(Option<Expr>),
    Throw(Expr),
    Debugger,
    Jump(Jump),
    If {
        condition: Expr,
        then: Seq,
        otherwise: Seq,
    },
    /// Each case with what its label says, none for the default.
    Switch {
        on: Expr,
        cases: Vec<Case>,
    },
    Loop {
        label: LabelId,
        body: Seq,
        /// Where its header is, unless the loop dispatches.
        header: Option<Block>,
        /// What it runs over, if it does.
        over: Option<Box<Over>>,
    },
    /// What follows leaves the loop over this iterator, which the engine closes then.
    Leaves(Variable),
    Labeled {
        label: LabelId,
        body: Seq,
    },
    /// Whatever leaves `body`, `cleanup` is executed before.
    Finally {
        body: Seq,
        cleanup: Seq,
    },
    /// What is caught is assigned to the variable, then `handler` is executed.
    Try {
        body: Seq,
        caught: Option<Variable>,
        handler: Seq,
        is_landing: bool,
    },
}

/// What a loop runs over.
#[derive(Clone, Debug)]
pub(super) struct Over {
    pub(super) iterable: Expr,
    /// The variable that held the iterator, which the engine closes now; none if there is nothing to close.
    pub(super) iterator: Option<Variable>,
    /// The variable that holds a value in each round.
    pub(super) binding: Variable,
    /// Whether that is made anew in each round, if closures see it.
    pub(super) is_new: bool,
    /// Whether it runs over keys.
    pub(super) is_over_keys: bool,
}

/// A statement with its properties.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) kind: Kind,
    /// The destination of exceptions that no `try` in it catches.
    pub(super) throws: Throws,
    /// Whether control may continue after it.
    pub(super) completes: bool,
    /// The handlers that jumps in it lead to.
    pub(super) handlers: Vec<Block>,
    /// Its source location.
    pub(super) place: Option<u32>,
    /// The statement that it is in, once there is one.
    pub(super) parent: Option<NodeId>,
}

/// All statements of a function.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    /// By label, how many jumps leave it.
    pub(super) breaks: HashMap<LabelId, u32>,
    next_label: LabelId,
}

impl Tree {
    pub(super) fn new(next_label: LabelId) -> Self {
        Self { nodes: Vec::new(), breaks: HashMap::new(), next_label }
    }

    /// How often statements mention a variable, also those that were replaced.
    pub(super) fn num_mentions(&self, variable: Variable) -> usize {
        let mut count = 0;
        self.nodes.iter().for_each(|node| each_mention(&node.kind, |other| count += usize::from(other == variable)));
        count
    }

    pub(super) fn fresh_label(&mut self) -> LabelId {
        self.next_label += 1;
        self.next_label - 1
    }

    /// Makes a statement.
    pub(super) fn add(&mut self, kind: Kind) -> NodeId {
        let throws = self.throws_of(&kind);
        let completes = self.may_complete(&kind);
        let handlers = self.handlers_in(&kind);
        if let Kind::Jump(Jump::Break(label)) = kind {
            *self.breaks.entry(label).or_default() += 1;
        }
        let id = self.nodes.len();
        let inside: Seq = children(&kind).flatten().copied().collect();
        inside.into_iter().for_each(|node| self.nodes[node].parent = Some(id));
        self.nodes.push(Node { kind, throws, completes, handlers, place: None, parent: None });
        id
    }

    /// Makes a statement from a place in the source.
    pub(super) fn add_at(&mut self, kind: Kind, place: Option<u32>) -> NodeId {
        let node = self.add(kind);
        self.nodes[node].place = place;
        node
    }

    pub(super) fn break_(&mut self, label: LabelId) -> NodeId {
        self.add(Kind::Jump(Jump::Break(label)))
    }

    /// Whether control may reach the end of a row.
    pub(super) fn completes(&self, seq: &[NodeId]) -> bool {
        seq.iter().all(|&node| self.nodes[node].completes)
    }

    /// Where the exceptions of a row go.
    pub(super) fn seq_throws(&self, seq: &[NodeId]) -> Throws {
        seq.iter().fold(Throws::Never, |throws, &node| throws.join(self.nodes[node].throws))
    }

    fn throws_of(&self, kind: &Kind) -> Throws {
        match kind {
            Kind::Assign { value, .. }
            | Kind::Do(value)
            | Kind::Bind { all: value, .. }
            | Kind::Init { value, .. }
            | Kind::Throw(value) => value.throws,
            Kind::Return(value) => value.as_ref().map_or(Throws::Never, |value| value.throws),
            Kind::Debugger | Kind::Jump(_) | Kind::Leaves(_) => Throws::Never,
            Kind::If { condition, then, otherwise } => {
                condition.throws.join(self.seq_throws(then)).join(self.seq_throws(otherwise))
            }
            Kind::Switch { on, cases } => {
                cases.iter().fold(on.throws, |throws, (_, body)| throws.join(self.seq_throws(body)))
            }
            Kind::Loop { body, over, .. } => {
                over.as_ref().map_or(Throws::Never, |over| over.iterable.throws).join(self.seq_throws(body))
            }
            Kind::Labeled { body, .. } => self.seq_throws(body),
            Kind::Finally { body, cleanup } => self.seq_throws(body).join(self.seq_throws(cleanup)),
            Kind::Try { handler, .. } => self.seq_throws(handler),
        }
    }

    fn may_complete(&self, kind: &Kind) -> bool {
        match kind {
            Kind::Return(_) | Kind::Throw(_) | Kind::Jump(_) => false,
            Kind::If { then, otherwise, .. } => self.completes(then) || self.completes(otherwise),
            Kind::Loop { label, over, .. } => over.is_some() || self.is_left(*label),
            Kind::Labeled { label, body } => self.is_left(*label) || self.completes(body),
            Kind::Finally { body, cleanup } => self.completes(body) && self.completes(cleanup),
            Kind::Try { body, handler, .. } => self.completes(body) || self.completes(handler),
            _ => true,
        }
    }

    /// Whether jumps lead behind what has that label.
    pub(super) fn is_left(&self, label: LabelId) -> bool {
        self.breaks.get(&label).is_some_and(|&count| count > 0)
    }

    fn handlers_in(&self, kind: &Kind) -> Vec<Block> {
        if let Kind::Jump(Jump::Handler(handler)) = kind {
            return vec![*handler];
        }
        let mut handlers: Vec<Block> =
            children(kind).flatten().flat_map(|&node| self.nodes[node].handlers.iter().copied()).collect();
        handlers.sort_unstable();
        handlers.dedup();
        handlers
    }
}

/// Shows the variables that a statement itself mentions.
pub(super) fn each_mention(kind: &Kind, show: impl FnMut(Variable)) {
    let value = match kind {
        Kind::Assign { value, .. }
        | Kind::Bind { all: value, .. }
        | Kind::Do(value)
        | Kind::Init { value, .. }
        | Kind::Return(Some(value))
        | Kind::Throw(value)
        | Kind::If { condition: value, .. }
        | Kind::Switch { on: value, .. } => Some(value),
        Kind::Loop { over: Some(over), .. } => Some(&over.iterable),
        _ => None,
    };
    let own = match *kind {
        Kind::Assign { variable, .. } => Some(variable),
        Kind::Loop { over: Some(ref over), .. } => Some(over.binding),
        Kind::Try { caught, .. } => caught,
        _ => None,
    };
    let mentioned = value.into_iter().flat_map(|value| value.reads.iter().chain(&value.writes)).copied();
    mentioned.chain(own).for_each(show);
}

/// The rows in a statement, in the order of the text.
pub(super) fn children(kind: &Kind) -> impl Iterator<Item = &Seq> {
    let (fixed, cases): ([Option<&Seq>; 2], &[Case]) = match kind {
        Kind::If { then, otherwise, .. } => ([Some(then), Some(otherwise)], &[]),
        Kind::Switch { cases, .. } => ([None, None], cases),
        Kind::Loop { body, .. } | Kind::Labeled { body, .. } => ([Some(body), None], &[]),
        Kind::Finally { body, cleanup } => ([Some(body), Some(cleanup)], &[]),
        Kind::Try { body, handler, .. } => ([Some(body), Some(handler)], &[]),
        _ => ([None, None], &[]),
    };
    fixed.into_iter().flatten().chain(cases.iter().map(|(_, body)| body))
}

/// One of the rows in a statement, in the order of [`children`].
pub(super) fn nth_row(kind: &mut Kind, index: usize) -> Option<&mut Seq> {
    match kind {
        Kind::If { then, otherwise, .. } => Some(if index == 0 { then } else { otherwise }),
        Kind::Switch { cases, .. } => cases.get_mut(index).map(|(_, body)| body),
        Kind::Loop { body, .. } | Kind::Labeled { body, .. } => Some(body),
        Kind::Finally { body, cleanup } => Some(if index == 0 { body } else { cleanup }),
        Kind::Try { body, handler, .. } => Some(if index == 0 { body } else { handler }),
        _ => None,
    }
}
