//! The syntax tree of a program.
//!
//! Nodes stand in arrays and refer to each other by number, a parent before
//! its parts: however deep a program is, walking its arrays and dropping it
//! are flat loops. Variables and labels are numbered per function, in the
//! order in which they are first mentioned, parameters first.

use ssaphire_ir::Variable;
use ssaphire_ir::basic::{BinaryOp, Type, UnaryOp};
use ssaphire_ir::source::{Place, Source, Span};

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
    /// The names of fields, by number.
    pub(crate) fields: Vec<String>,
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
    /// The types of its variables, by number.
    pub types: Vec<Type>,
    /// Whether the first thing that it returns is an array.
    pub returns_array: bool,
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

/// The name of a field, by number. The number is also the index of the element that the field is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Field(pub(crate) u32);

impl Field {
    /// The index of the element that the field is, in every record of the file.
    pub fn index(self) -> i64 {
        self.0.into()
    }
}

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
    /// Makes the array variable hold another array: with what the second expression yields at the index that the first one does.
    Update(Variable, ExpressionId, ExpressionId),
    /// Stores such an element in the storage of the array variable, of whose other elements nothing is known then.
    HiddenUpdate(Variable, ExpressionId, ExpressionId),
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
    /// The element at an index of the array that the variable holds.
    Access(Variable, ExpressionId),
    /// The index of a field; only where an index is wanted.
    Field(Field),
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

    /// Whether it is a list of statements, without a `func` around it.
    pub fn is_bare(&self) -> bool {
        self.is_bare
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

    /// The name of the field.
    pub fn field(&self, field: Field) -> &str {
        &self.fields[field.0 as usize]
    }

    /// The type of what the expression yields, which is one of `function`.
    pub fn expression_type(&self, function: &Function, id: ExpressionId) -> Type {
        let is_array = match self.expression(id) {
            Expression::Variable(variable) => return function.types[variable.index()],
            Expression::Call(callee, _) => {
                self.called_function(callee).is_some_and(|callee| self.functions[callee].returns_array)
            }
            _ => false,
        };
        if is_array { Type::Array } else { Type::Number }
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
            && (&self.bodies, &self.lists) == (&other.bodies, &other.lists)
            && (&self.callees, &self.fields) == (&other.callees, &other.fields)
    }
}

impl Eq for Program {}

impl PartialEq for Function {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, &self.params, &self.variables, &self.labels, self.body)
            == (&other.name, &other.params, &other.variables, &other.labels, other.body)
            && (&self.types, self.returns_array) == (&other.types, other.returns_array)
    }
}

impl Eq for Function {}
