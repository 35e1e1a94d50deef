//! The syntax tree of a program.
//!
//! Nodes are stored in arrays and refer to each other by number, a parent
//! before its children: however deep a program is, walking its arrays and
//! dropping it are flat loops. Variables and labels are numbered per function,
//! in the order of their first mention, parameters first.

use ssaphire_ir::Variable;
use ssaphire_ir::basic::{BinaryOp, Type, UnaryOp};
use ssaphire_ir::source::{Place, Source, Span};

/// A parsed program.
///
/// Two programs are equal if their trees are; spans are not compared.
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
    /// The statements of all bodies; those of one body are adjacent.
    pub(crate) bodies: Vec<StatementId>,
    /// The expressions of all lists; those of one list are adjacent.
    pub(crate) lists: Vec<ExpressionId>,
    pub(crate) callees: Vec<String>,
    /// The names of fields, by number.
    pub(crate) fields: Vec<String>,
    /// By callee, the number of the function, if it is one of this program.
    pub(crate) called_functions: Vec<Option<usize>>,
}

/// A function of a program.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name; `main` if the file is a list of statements.
    pub name: String,
    /// Its parameters.
    pub params: Vec<Variable>,
    /// The names of its variables, by number.
    pub variables: Vec<String>,
    /// The types of its variables, by number.
    pub types: Vec<Type>,
    /// Whether its first result is an array.
    pub returns_array: bool,
    /// The names of its labels, by number.
    pub labels: Vec<String>,
    /// What it does.
    pub body: Body,
    /// The span of its name.
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

/// The name of a field, by number, which is also the index of the field's element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Field(pub(crate) u32);

impl Field {
    /// The index of the field's element, in every record of the file.
    pub fn index(self) -> i64 {
        self.0.into()
    }
}

/// Consecutive statements; see [`Program::body`]. All empty bodies are equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Body {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// Consecutive expressions; see [`Program::list`]. All empty lists are equal.
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
    /// Assigns the value of the expression.
    Assign(Variable, ExpressionId),
    /// Assigns an updated array to the array variable: with the value of the second expression at the index given by
    /// the first.
    Update(Variable, ExpressionId, ExpressionId),
    /// Stores an element in place, with the same operands; afterwards, the other elements of the array are unknown.
    HiddenUpdate(Variable, ExpressionId, ExpressionId),
    /// Evaluates a call, and discards the result.
    Evaluate(ExpressionId),
    /// Prints the values of the expressions.
    Print(List),
    /// Chooses between two bodies.
    If(ExpressionId, Body, Body),
    /// Runs the body while the condition holds.
    While(ExpressionId, Body),
    /// Runs the body until the condition holds afterwards.
    Repeat(Body, ExpressionId),
    /// Leaves the innermost loop.
    Break,
    /// Jumps to the condition of the innermost loop.
    Continue,
    /// A target of `goto`.
    Label(Label),
    /// Jumps to the label, anywhere in the function.
    Goto(Label),
    /// Returns the values of the expressions.
    Return(List),
}

/// An expression. Operands are evaluated from left to right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expression {
    /// A number.
    Integer(i64),
    /// A truth value: 1 or 0.
    Boolean(bool),
    /// The value of the variable.
    Variable(Variable),
    /// An element of the variable's array, at an index.
    Access(Variable, ExpressionId),
    /// The index of a field; only as the index of an access.
    Field(Field),
    /// The next number of the input.
    Read,
    /// A unary operator; a minus before a number is part of the number.
    Unary(UnaryOp, ExpressionId),
    /// A binary operator.
    Binary(BinaryOp, ExpressionId, ExpressionId),
    /// Short-circuit conjunction: the second operand is evaluated only if the first is true.
    And(ExpressionId, ExpressionId),
    /// Short-circuit disjunction: the second operand is evaluated only if the first is false.
    Or(ExpressionId, ExpressionId),
    /// The result of a call.
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

    /// The number of the function with this name.
    pub fn function_named(&self, name: &str) -> Option<usize> {
        self.functions.iter().position(|function| function.name == name)
    }

    /// The statements of `body`.
    ///
    /// # Panics
    /// If it belongs to another program; the same is true of all methods below.
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

    /// The source range of the statement; for one with bodies, its first line up to the body.
    pub fn statement_span(&self, id: StatementId) -> Span {
        self.statement_spans[id.0 as usize]
    }

    /// The source range of the expression, without enclosing parentheses.
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

    /// The type of the expression, which belongs to `function`.
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

    /// The line and columns of `span`.
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
