//! The syntax tree of a program.
//!
//! Nodes stand in arrays and refer to each other by number, a parent before
//! its parts: however deep a program is, walking its arrays and dropping it
//! are flat loops. Variables and labels are numbered per function, in the
//! order in which they are first mentioned, parameters first.

use crate::source::{Place, Source, Span};
use ssaphire_ir::Variable;
use ssaphire_ir::basic::{BinaryOp, UnaryOp};

/// A parsed program.
///
/// Two programs are equal if their trees are, wherever the parts stand in
/// their sources.
#[derive(Clone, Debug, Default)]
pub struct Program {
    pub(crate) source: Source,
    /// Whether it is a list of statements, without a `func` around it.
    pub(crate) is_bare: bool,
    pub(crate) functions: Vec<Function>,
    pub(crate) statements: Vec<Statement>,
    pub(crate) statement_spans: Vec<Span>,
    pub(crate) expressions: Vec<Expression>,
    pub(crate) expression_spans: Vec<Span>,
    /// The statements of all bodies, those of one body side by side.
    pub(crate) bodies: Vec<StatementId>,
    /// The expressions of all lists, those of one list side by side.
    pub(crate) lists: Vec<ExpressionId>,
    pub(crate) callees: Vec<String>,
    /// By callee: the number of the function of this program, if it is one.
    pub(crate) called_functions: Vec<Option<usize>>,
}

/// A function of a program.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name; `main` where the file is a list of statements.
    pub name: String,
    /// Its parameters.
    pub params: Vec<Variable>,
    /// The names of its variables, by number.
    pub variables: Vec<String>,
    /// The names of its labels, by number.
    pub labels: Vec<String>,
    /// What it does.
    pub body: Body,
    /// Where its name stands.
    pub span: Span,
}

/// A statement, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StatementId(pub(crate) u32);

/// An expression, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExpressionId(pub(crate) u32);

/// A label of a function, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label(pub(crate) u32);

/// The name of a called function, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Callee(pub(crate) u32);

/// Statements in a row; see [`Program::body`]. All empty ones are equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Body {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// Expressions in a row; see [`Program::list`]. All empty ones are equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct List {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// A statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statement {
    /// Does nothing.
    Skip,
    /// Assigns what the expression yields.
    Assign(Variable, ExpressionId),
    /// Calls, and forgets the result.
    Evaluate(ExpressionId),
    /// Shows what the expressions yield.
    Print(List),
    /// Chooses between two bodies.
    If(ExpressionId, Body, Body),
    /// Runs the body while the condition holds.
    While(ExpressionId, Body),
    /// Runs the body until the condition holds afterwards.
    Repeat(Body, ExpressionId),
    /// Leaves the innermost loop.
    Break,
    /// Goes to the condition of the innermost loop.
    Continue,
    /// A place to go to.
    Label(Label),
    /// Goes to the label, wherever in the function it stands.
    Goto(Label),
    /// Leaves the function with what the expressions yield.
    Return(List),
}

/// An expression. Operands are evaluated from left to right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expression {
    /// A number.
    Integer(i64),
    /// 1 or 0.
    Boolean(bool),
    /// What the variable holds.
    Variable(Variable),
    /// The next number of the input.
    Read,
    /// An operator on one operand; a minus in front of a number is part of the number.
    Unary(UnaryOp, ExpressionId),
    /// An operator on two operands.
    Binary(BinaryOp, ExpressionId, ExpressionId),
    /// Whether both hold; the second is evaluated only if the first does.
    And(ExpressionId, ExpressionId),
    /// Whether one holds; the second is evaluated only if the first does not.
    Or(ExpressionId, ExpressionId),
    /// What the function returns, of which nothing is known.
    Call(Callee, List),
}

impl Program {
    /// Its functions, in the order of the source.
    pub fn functions(&self) -> &[Function] {
        &self.functions
    }

    /// The number of the function of that name.
    pub fn function_named(&self, name: &str) -> Option<usize> {
        self.functions.iter().position(|function| function.name == name)
    }

    /// The statements of `body`.
    ///
    /// # Panics
    /// If it is of another program; so for everything below.
    pub fn body(&self, body: Body) -> &[StatementId] {
        &self.bodies[body.start as usize..body.end as usize]
    }

    /// The expressions of `list`.
    pub fn list(&self, list: List) -> &[ExpressionId] {
        &self.lists[list.start as usize..list.end as usize]
    }

    /// The statement.
    pub fn statement(&self, id: StatementId) -> Statement {
        self.statements[id.0 as usize]
    }

    /// The expression.
    pub fn expression(&self, id: ExpressionId) -> Expression {
        self.expressions[id.0 as usize]
    }

    /// Where the statement begins and ends; of one with bodies, its first line up to the body.
    pub fn statement_span(&self, id: StatementId) -> Span {
        self.statement_spans[id.0 as usize]
    }

    /// Where the expression begins and ends, without parentheses around it.
    pub fn expression_span(&self, id: ExpressionId) -> Span {
        self.expression_spans[id.0 as usize]
    }

    /// The name of the called function.
    pub fn callee(&self, callee: Callee) -> &str {
        &self.callees[callee.0 as usize]
    }

    /// The number of the called function, if it is one of this program.
    pub fn called_function(&self, callee: Callee) -> Option<usize> {
        self.called_functions[callee.0 as usize]
    }

    /// `span` as people see it.
    pub fn place(&self, span: Span) -> Place {
        self.source.place(span)
    }
}

impl PartialEq for Program {
    fn eq(&self, other: &Self) -> bool {
        (self.is_bare, &self.functions, &self.statements, &self.expressions)
            == (other.is_bare, &other.functions, &other.statements, &other.expressions)
            && (&self.bodies, &self.lists, &self.callees) == (&other.bodies, &other.lists, &other.callees)
    }
}

impl Eq for Program {}

impl PartialEq for Function {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, &self.params, &self.variables, &self.labels, self.body)
            == (&other.name, &other.params, &other.variables, &other.labels, other.body)
    }
}

impl Eq for Function {}
