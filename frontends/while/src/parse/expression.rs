//! Parses expressions by operator precedence, with an explicit stack.

use super::{Parser, Refused};
use crate::error::ErrorKind;
use crate::token::Token;
use crate::tree::{Callee, Expression, ExpressionId, List};
use ssaphire_ir::Variable;
use ssaphire_ir::basic::{BinaryOp, UnaryOp};
use ssaphire_ir::source::Span;

/// A construct that waits for the operand being parsed.
pub(super) enum Frame {
    /// A prefix operator, and its span.
    Unary(UnaryOp, Span),
    /// An operator and its left operand.
    Infix(Infix, ExpressionId),
    /// `(`.
    Parenthesis,
    /// `f(`, its span, and the number of pending arguments at that point.
    Call(Callee, Span, usize),
    /// `a[`, and its span.
    Access(Variable, Span),
}

/// An operator between two operands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Infix {
    Or,
    And,
    Binary(BinaryOp),
}

/// Infix operators as written, with their precedence.
pub(crate) const INFIX: [(&str, Infix, u8); 18] = [
    ("||", Infix::Or, 1),
    ("&&", Infix::And, 2),
    ("==", Infix::Binary(BinaryOp::Eq), COMPARISON),
    ("!=", Infix::Binary(BinaryOp::Ne), COMPARISON),
    ("<", Infix::Binary(BinaryOp::Lt), COMPARISON),
    ("<=", Infix::Binary(BinaryOp::Le), COMPARISON),
    (">", Infix::Binary(BinaryOp::Gt), COMPARISON),
    (">=", Infix::Binary(BinaryOp::Ge), COMPARISON),
    ("|", Infix::Binary(BinaryOp::Or), 4),
    ("^", Infix::Binary(BinaryOp::Xor), 5),
    ("&", Infix::Binary(BinaryOp::And), 6),
    ("<<", Infix::Binary(BinaryOp::Shl), 7),
    (">>", Infix::Binary(BinaryOp::Shr), 7),
    ("+", Infix::Binary(BinaryOp::Add), 8),
    ("-", Infix::Binary(BinaryOp::Sub), 8),
    ("*", Infix::Binary(BinaryOp::Mul), 9),
    ("/", Infix::Binary(BinaryOp::Div), 9),
    ("%", Infix::Binary(BinaryOp::Rem), 9),
];

/// The precedence of comparisons, which do not chain.
pub(crate) const COMPARISON: u8 = 3;

/// Prefix operators bind more tightly than any between two operands.
pub(crate) const PREFIX: [(&str, UnaryOp); 3] = [("-", UnaryOp::Neg), ("~", UnaryOp::Not), ("!", UnaryOp::LogicalNot)];

/// The precedence of an infix operator.
fn precedence(infix: Infix) -> u8 {
    INFIX.iter().find(|entry| entry.1 == infix).map_or(0, |entry| entry.2)
}

/// The expression that applies an operator to its operands.
fn combine(infix: Infix, left: ExpressionId, right: ExpressionId) -> Expression {
    match infix {
        Infix::Or => Expression::Or(left, right),
        Infix::And => Expression::And(left, right),
        Infix::Binary(op) => Expression::Binary(op, left, right),
    }
}

impl<'s> Parser<'s> {
    /// Parses the longest expression at the current token.
    pub(super) fn parse_expression(&mut self) -> Result<ExpressionId, Refused> {
        self.frames.clear();
        let num_arguments = self.arguments.len();
        let parsed = self.parse_operands_and_operators();
        self.arguments.truncate(num_arguments);
        parsed
    }

    /// Parses expressions separated by commas.
    pub(super) fn parse_list(&mut self) -> Result<List, Refused> {
        let first = self.arguments.len();
        loop {
            let expression = self.parse_expression()?;
            self.arguments.push(expression);
            if !self.eat(",") {
                return Ok(self.finish_list(first));
            }
        }
    }

    fn parse_operands_and_operators(&mut self) -> Result<ExpressionId, Refused> {
        loop {
            let Some(mut operand) = self.parse_operand()? else { continue };
            loop {
                if let Some((infix, precedence)) = self.infix_in_front() {
                    self.push_infix(infix, precedence, operand)?;
                    break;
                }
                operand = self.reduce(operand, 0);
                match (self.frames.last(), self.token) {
                    (Some(Frame::Call(..)), Token::Mark(",")) => {
                        self.arguments.push(operand);
                        self.advance();
                        break;
                    }
                    (Some(Frame::Call(..) | Frame::Parenthesis), Token::Mark(")"))
                    | (Some(Frame::Access(..)), Token::Mark("]")) => operand = self.close(operand),
                    (_, Token::Mark("=" | ":=")) => return self.refuse(ErrorKind::EqualsSign, self.span),
                    (Some(Frame::Call(..)), _) => return self.expected("`,` or `)`"),
                    (Some(Frame::Access(..)), _) => return self.expected("`]`"),
                    (Some(_), _) => return self.expected("`)`"),
                    (None, _) => return Ok(operand),
                }
            }
        }
    }

    /// Parses an operand; or pushes a frame for what precedes one, and returns `None`.
    fn parse_operand(&mut self) -> Result<Option<ExpressionId>, Refused> {
        let (token, span) = (self.token, self.span);
        let expression = match token {
            Token::Integer(_) => return self.parse_integer(false, span).map(Some),
            Token::Name(name) if self.peek() == Token::Mark("(") => return Ok(self.parse_callee(name)),
            Token::Name(name) if self.peek() == Token::Mark("[") => {
                let array = self.parse_array(name);
                self.frames.push(Frame::Access(array, span));
                return Ok(None);
            }
            Token::Name(name) if self.peek() == Token::Mark(".") => {
                let array = self.parse_array(name);
                let index = self.parse_field()?;
                return Ok(Some(self.push_expression(Expression::Access(array, index), span.to(self.previous))));
            }
            Token::Name(name) => Expression::Variable(self.variable(name)),
            Token::Mark("true") => Expression::Boolean(true),
            Token::Mark("false") => Expression::Boolean(false),
            Token::Mark("read") => return self.parse_read().map(Some),
            Token::Mark("(") => {
                self.advance();
                self.frames.push(Frame::Parenthesis);
                return Ok(None);
            }
            Token::Mark(mark) => {
                let Some(&(_, op)) = PREFIX.iter().find(|prefix| prefix.0 == mark) else {
                    return self.expected("an expression");
                };
                self.advance();
                if let (UnaryOp::Neg, Token::Integer(_)) = (op, self.token) {
                    return self.parse_integer(true, span.to(self.span)).map(Some);
                }
                if op == UnaryOp::Not {
                    self.superset("a bit operator", span);
                }
                self.frames.push(Frame::Unary(op, span));
                return Ok(None);
            }
            Token::Unreadable | Token::End => return self.expected("an expression"),
        };
        self.advance();
        Ok(Some(self.push_expression(expression, span)))
    }

    fn parse_integer(&mut self, is_negative: bool, span: Span) -> Result<ExpressionId, Refused> {
        let Token::Integer(magnitude) = self.token else { return self.expected("a number") };
        let number = i128::from(magnitude);
        let Ok(number) = i64::try_from(if is_negative { -number } else { number }) else {
            let text = self.program.source.slice(self.span).to_owned();
            return self.refuse(ErrorKind::IntegerOutOfRange(text), self.span);
        };
        self.advance();
        Ok(self.push_expression(Expression::Integer(number), span))
    }

    fn parse_read(&mut self) -> Result<ExpressionId, Refused> {
        let span = self.span;
        self.superset("`read`", span);
        self.advance();
        self.expect("(", "`(`")?;
        self.expect(")", "`)`")?;
        Ok(self.push_expression(Expression::Read, span.to(self.previous)))
    }

    /// Parses `name(`, and `)` if there are no arguments.
    fn parse_callee(&mut self, name: &'s str) -> Option<ExpressionId> {
        let span = self.span;
        self.superset("a call", span);
        let callee = self.callee(name);
        self.advance();
        self.advance();
        let first = self.arguments.len();
        if self.eat(")") {
            return Some(self.finish_call(callee, span, first));
        }
        self.frames.push(Frame::Call(callee, span, first));
        None
    }

    /// Parses the name of an array, and the `[` or `.` after it.
    pub(super) fn parse_array(&mut self, name: &'s str) -> Variable {
        self.superset("an array", self.span);
        let array = self.variable(name);
        self.advance();
        self.advance();
        array
    }

    /// Parses the name of a field, as an index.
    pub(super) fn parse_field(&mut self) -> Result<ExpressionId, Refused> {
        let (name, span) = self.expect_name("a field")?;
        let field = self.field(name);
        Ok(self.push_expression(Expression::Field(field), span))
    }

    fn infix_in_front(&self) -> Option<(Infix, u8)> {
        let Token::Mark(mark) = self.token else { return None };
        INFIX.iter().find(|entry| entry.0 == mark).map(|&(_, infix, precedence)| (infix, precedence))
    }

    /// Consumes an infix operator; `operand` is the end of its left operand.
    fn push_infix(&mut self, infix: Infix, binding: u8, operand: ExpressionId) -> Result<(), Refused> {
        let span = self.span;
        let left = if binding == COMPARISON {
            let left = self.reduce(operand, COMPARISON + 1);
            if matches!(self.frames.last(), Some(&Frame::Infix(before, _)) if precedence(before) == COMPARISON) {
                return self.refuse(ErrorKind::ChainedComparison, span);
            }
            left
        } else {
            self.reduce(operand, binding)
        };
        if let 4..=7 = binding {
            self.superset("a bit operator", span);
        }
        self.advance();
        self.frames.push(Frame::Infix(infix, left));
        Ok(())
    }

    /// Applies the innermost operators of precedence `least` or higher; `operand` is the right operand of the last one.
    fn reduce(&mut self, mut operand: ExpressionId, least: u8) -> ExpressionId {
        loop {
            let end = self.previous;
            operand = match self.frames.last() {
                Some(&Frame::Unary(op, start)) => self.push_expression(Expression::Unary(op, operand), start.to(end)),
                Some(&Frame::Infix(infix, left)) if precedence(infix) >= least => {
                    let start = self.program.expression_span(left);
                    self.push_expression(combine(infix, left, operand), start.to(end))
                }
                _ => return operand,
            };
            self.frames.pop();
        }
    }

    /// Consumes the `)` or `]` after `operand`, which is a parenthesized expression, a last argument, or an index.
    fn close(&mut self, operand: ExpressionId) -> ExpressionId {
        self.advance();
        match self.frames.pop() {
            Some(Frame::Call(callee, start, first)) => {
                self.arguments.push(operand);
                self.finish_call(callee, start, first)
            }
            Some(Frame::Access(array, start)) => {
                self.push_expression(Expression::Access(array, operand), start.to(self.previous))
            }
            _ => operand,
        }
    }

    fn finish_call(&mut self, callee: Callee, start: Span, first: usize) -> ExpressionId {
        let list = self.finish_list(first);
        self.push_expression(Expression::Call(callee, list), start.to(self.previous))
    }

    /// The pending arguments from index `first` on, as a list.
    fn finish_list(&mut self, first: usize) -> List {
        if self.arguments.len() == first {
            return List::default();
        }
        let start = self.program.lists.len() as u32;
        self.program.lists.extend(self.arguments.drain(first..));
        List { start, end: self.program.lists.len() as u32 }
    }
}
