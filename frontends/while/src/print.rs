//! Prints a syntax tree as source.
//!
//! Parsing the output gives the same tree. Parentheses are printed only where
//! they are needed. Indentation is limited, so the output is linear in the
//! tree, however deep it is.

use crate::parse::{COMPARISON, INFIX, Infix, PREFIX};
use crate::tree::{Body, Expression, ExpressionId, Function, List, Program, Statement, StatementId};
use ssaphire_ir::Variable;
use ssaphire_ir::basic::{Type, UnaryOp};
use std::fmt;

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, function) in self.functions.iter().enumerate() {
            let mut printer = Printer { program: self, function, out: &mut *f, depth: usize::from(!self.is_bare) };
            if self.is_bare {
                printer.declaration()?;
                printer.body(function.body)?;
                continue;
            }
            let blank_line = if number == 0 { "" } else { "\n" };
            printer.out.write_str(blank_line)?;
            printer.function_head()?;
            printer.body(function.body)?;
            writeln!(f, "}}")?;
        }
        Ok(())
    }
}

/// A pending step of printing statements.
enum Step {
    Body(Body),
    /// Close the first body of an `if`.
    Else(Body),
    Close,
    Until(ExpressionId),
}

/// A pending piece of an expression.
enum Piece {
    /// The expression, in parentheses if its precedence is lower than the given one.
    Expression(ExpressionId, u8),
    /// A comma and the list.
    Rest(List),
    Text(&'static str),
}

struct Printer<'p, 'f, 'o> {
    program: &'p Program,
    function: &'p Function,
    out: &'f mut fmt::Formatter<'o>,
    depth: usize,
}

impl Printer<'_, '_, '_> {
    /// Deeper bodies are indented no further.
    const MAX_DEPTH: usize = 40;

    /// The precedence of prefix operators.
    const TIGHTEST: u8 = u8::MAX;

    /// The line with the function's name, and its array declaration.
    fn function_head(&mut self) -> fmt::Result {
        let function = self.function;
        write!(self.out, "func {}(", function.name)?;
        for (place, &param) in function.params.iter().enumerate() {
            let comma = if place == 0 { "" } else { ", " };
            let brackets = brackets(function.types[param.index()] == Type::Array);
            write!(self.out, "{comma}{}{brackets}", function.variables[param.index()])?;
        }
        writeln!(self.out, "){} {{", brackets(function.returns_array))?;
        self.declaration()
    }

    /// Declares the arrays that are not parameters.
    fn declaration(&mut self) -> fmt::Result {
        let function = self.function;
        let arrays = function.types.iter().enumerate().skip(function.params.len());
        let mut names = arrays.filter(|(_, ty)| **ty == Type::Array).map(|(number, _)| &*function.variables[number]);
        let Some(first) = names.next() else { return Ok(()) };
        write!(self.out, "{:1$}array {first}", "", 2 * self.depth)?;
        names.try_for_each(|name| write!(self.out, ", {name}"))?;
        self.out.write_str(";\n")
    }

    fn body(&mut self, body: Body) -> fmt::Result {
        let mut steps = vec![Step::Body(body)];
        while let Some(step) = steps.pop() {
            match step {
                Step::Body(Body { start, end }) => {
                    let body = Body { start, end: end.min(start + 1) };
                    if let &[statement] = self.program.body(body) {
                        steps.push(Step::Body(Body { start: start + 1, end }));
                        self.statement(statement, &mut steps)?;
                    }
                }
                Step::Else(body) => self.else_body(body, &mut steps)?,
                Step::Close => self.close("}\n")?,
                Step::Until(condition) => {
                    self.close("} until ")?;
                    self.expression(condition)?;
                    self.out.write_str(";\n")?;
                }
            }
        }
        Ok(())
    }

    fn statement(&mut self, id: StatementId, steps: &mut Vec<Step>) -> fmt::Result {
        write!(self.out, "{:1$}", "", 2 * self.depth.min(Self::MAX_DEPTH))?;
        match self.program.statement(id) {
            Statement::Skip => self.out.write_str("skip")?,
            Statement::Assign(variable, expression) => {
                write!(self.out, "{} := ", self.function.variables[variable.index()])?;
                self.expression(expression)?;
            }
            Statement::Update(array, index, element) => self.update(array, index, " := ", element)?,
            Statement::HiddenUpdate(array, index, element) => self.update(array, index, " <- ", element)?,
            Statement::Evaluate(expression) => self.expression(expression)?,
            Statement::Print(list) => self.list("print ", list)?,
            Statement::If(condition, then, otherwise) => {
                steps.push(Step::Else(otherwise));
                return self.head("if ", condition, then, steps);
            }
            Statement::While(condition, body) => {
                steps.push(Step::Close);
                return self.head("while ", condition, body, steps);
            }
            Statement::Repeat(body, condition) => {
                steps.extend([Step::Until(condition), Step::Body(body)]);
                self.depth += 1;
                return self.out.write_str("repeat {\n");
            }
            Statement::Break => self.out.write_str("break")?,
            Statement::Continue => self.out.write_str("continue")?,
            Statement::Label(label) => return writeln!(self.out, "{}:", self.function.labels[label.0 as usize]),
            Statement::Goto(label) => write!(self.out, "goto {}", self.function.labels[label.0 as usize])?,
            Statement::Return(list) if self.program.list(list).is_empty() => self.out.write_str("return")?,
            Statement::Return(list) => self.list("return ", list)?,
        }
        self.out.write_str(";\n")
    }

    fn update(&mut self, array: Variable, index: ExpressionId, arrow: &str, element: ExpressionId) -> fmt::Result {
        let mut pieces = Vec::new();
        self.element(array, index, &mut pieces)?;
        self.pieces(pieces)?;
        self.out.write_str(arrow)?;
        self.expression(element)
    }

    /// Prints the beginning of an element; the index is pushed as a pending piece.
    fn element(&mut self, array: Variable, index: ExpressionId, pieces: &mut Vec<Piece>) -> fmt::Result {
        let name = &self.function.variables[array.index()];
        if let Expression::Field(field) = self.program.expression(index) {
            return write!(self.out, "{name}.{}", self.program.field(field));
        }
        pieces.extend([Piece::Text("]"), Piece::Expression(index, 0)]);
        write!(self.out, "{name}[")
    }

    fn head(&mut self, keyword: &str, condition: ExpressionId, body: Body, steps: &mut Vec<Step>) -> fmt::Result {
        self.out.write_str(keyword)?;
        self.expression(condition)?;
        self.depth += 1;
        steps.push(Step::Body(body));
        self.out.write_str(" {\n")
    }

    /// Closes a body, with `text`.
    fn close(&mut self, text: &str) -> fmt::Result {
        self.depth -= 1;
        write!(self.out, "{:1$}{text}", "", 2 * self.depth.min(Self::MAX_DEPTH))
    }

    /// Closes the first body of an `if` whose second is `body`.
    fn else_body(&mut self, body: Body, steps: &mut Vec<Step>) -> fmt::Result {
        match *self.program.body(body) {
            [] => self.close("}\n"),
            [only] if let Statement::If(condition, then, otherwise) = self.program.statement(only) => {
                self.close("} else ")?;
                steps.push(Step::Else(otherwise));
                self.head("if ", condition, then, steps)
            }
            _ => {
                self.close("} else {\n")?;
                self.depth += 1;
                steps.extend([Step::Close, Step::Body(body)]);
                Ok(())
            }
        }
    }

    fn list(&mut self, keyword: &str, list: List) -> fmt::Result {
        self.out.write_str(keyword)?;
        let mut pieces = Vec::new();
        self.push_list(list, &mut pieces);
        self.pieces(pieces)
    }

    fn expression(&mut self, id: ExpressionId) -> fmt::Result {
        self.pieces(vec![Piece::Expression(id, 0)])
    }

    fn pieces(&mut self, mut pieces: Vec<Piece>) -> fmt::Result {
        while let Some(piece) = pieces.pop() {
            match piece {
                Piece::Text(text) => self.out.write_str(text)?,
                Piece::Expression(id, least) => self.part(id, least, &mut pieces)?,
                Piece::Rest(list) if list.start == list.end => {}
                Piece::Rest(list) => {
                    self.out.write_str(", ")?;
                    self.push_list(list, &mut pieces);
                }
            }
        }
        Ok(())
    }

    fn push_list(&self, list: List, pieces: &mut Vec<Piece>) {
        if let Some(&first) = self.program.list(list).first() {
            pieces.extend([Piece::Rest(List { start: list.start + 1, ..list }), Piece::Expression(first, 0)]);
        }
    }

    /// Prints the beginning of an expression; the operands are pushed as pending pieces.
    fn part(&mut self, id: ExpressionId, least: u8, pieces: &mut Vec<Piece>) -> fmt::Result {
        let (infix, left, right) = match self.program.expression(id) {
            Expression::Integer(number) => return write!(self.out, "{number}"),
            Expression::Boolean(boolean) => return write!(self.out, "{boolean}"),
            Expression::Variable(variable) => {
                return self.out.write_str(&self.function.variables[variable.index()]);
            }
            Expression::Access(array, index) => return self.element(array, index, pieces),
            Expression::Field(field) => return write!(self.out, "{}", field.index()),
            Expression::Read => return self.out.write_str("read()"),
            Expression::Unary(op, operand) => {
                let text = PREFIX.iter().find(|prefix| prefix.1 == op).map_or("", |prefix| prefix.0);
                // A minus would become part of the number.
                let is_number = matches!(self.program.expression(operand), Expression::Integer(number) if number >= 0);
                match op {
                    UnaryOp::Neg if is_number => push_in_parentheses(operand, pieces),
                    _ => pieces.push(Piece::Expression(operand, Self::TIGHTEST)),
                }
                return self.out.write_str(text);
            }
            Expression::Call(callee, list) => {
                pieces.push(Piece::Text(")"));
                self.push_list(list, pieces);
                return write!(self.out, "{}(", self.program.callee(callee));
            }
            Expression::Binary(op, left, right) => (Infix::Binary(op), left, right),
            Expression::And(left, right) => (Infix::And, left, right),
            Expression::Or(left, right) => (Infix::Or, left, right),
        };
        let (text, precedence) =
            INFIX.iter().find(|entry| entry.1 == infix).map_or(("", 0), |entry| (entry.0, entry.2));
        if precedence < least {
            push_in_parentheses(id, pieces);
            return Ok(());
        }
        let left_least = if precedence == COMPARISON { precedence + 1 } else { precedence };
        let right = Piece::Expression(right, precedence + 1);
        pieces.extend([
            right,
            Piece::Text(" "),
            Piece::Text(text),
            Piece::Text(" "),
            Piece::Expression(left, left_least),
        ]);
        Ok(())
    }
}

/// The brackets after the name of something that is, or returns, an array.
fn brackets(is_array: bool) -> &'static str {
    if is_array { "[]" } else { "" }
}

fn push_in_parentheses(id: ExpressionId, pieces: &mut Vec<Piece>) {
    pieces.extend([Piece::Text(")"), Piece::Expression(id, 0), Piece::Text("(")]);
}
