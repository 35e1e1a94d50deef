//! `in` in the body of an arrow function in the head of a `for`, which the parser takes for the `in` of the head.
//!
//! Such an operator is parsed as `<=`, which has its length, its precedence and its associativity, and becomes `in` again in
//! the tree.

use super::Span;
use oxc_allocator::Allocator;
use oxc_ast::ast::{BinaryExpression, BinaryOperator, ForStatement, FunctionBody, Program};
use oxc_ast_visit::{VisitMut, walk_mut};
use oxc_span::GetSpan;

/// How many operators of a file are mended; each takes another run of the parser.
const LIMIT: usize = 32;

/// The text of a file, and the operators in it that stand for `in`.
pub(super) struct Mended<'a> {
    pub(super) text: &'a str,
    places: Vec<u32>,
}

impl<'a> Mended<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self { text, places: Vec::new() }
    }

    /// The text with one more operator replaced, if it is an `in` at which the parser stopped.
    pub(super) fn without_in(mut self, allocator: &'a Allocator, stopped: Span) -> Option<Self> {
        let rest = self.text.get(stopped.start as usize..)?;
        let place = self.text.len() - rest.trim_ascii_start().len();
        let is_word =
            |byte: Option<&u8>| byte.is_some_and(|&byte| byte.is_ascii_alphanumeric() || b"_$\\".contains(&byte));
        let (before, after) = (&self.text[..place], self.text[place..].strip_prefix("in")?);
        if self.places.len() == LIMIT || is_word(before.as_bytes().last()) || is_word(after.as_bytes().first()) {
            return None;
        }
        self.places.push(u32::try_from(place).ok()?);
        self.text = allocator.alloc_str(&[before, "<=", after].concat());
        Some(self)
    }

    /// Makes `in` of each operator again; whether each stands where the grammar allows it.
    pub(super) fn restore(&self, program: &mut Program<'a>) -> bool {
        let mut restore = Restore { places: &self.places, is_in_head: false, is_in_body: false, restored: 0 };
        restore.visit_program(program);
        restore.restored == self.places.len()
    }
}

struct Restore<'m> {
    places: &'m [u32],
    is_in_head: bool,
    /// Whether a function is between the operator and the head.
    is_in_body: bool,
    restored: usize,
}

impl<'a> VisitMut<'a> for Restore<'_> {
    fn visit_for_statement(&mut self, statement: &mut ForStatement<'a>) {
        if let Some(init) = &mut statement.init {
            let outer = (self.is_in_head, self.is_in_body);
            (self.is_in_head, self.is_in_body) = (true, false);
            self.visit_for_statement_init(init);
            (self.is_in_head, self.is_in_body) = outer;
        }
        statement.test.iter_mut().for_each(|test| self.visit_expression(test));
        statement.update.iter_mut().for_each(|update| self.visit_expression(update));
        self.visit_statement(&mut statement.body);
    }

    fn visit_function_body(&mut self, body: &mut FunctionBody<'a>) {
        let outer = std::mem::replace(&mut self.is_in_body, self.is_in_head);
        walk_mut::walk_function_body(self, body);
        self.is_in_body = outer;
    }

    fn visit_binary_expression(&mut self, binary: &mut BinaryExpression<'a>) {
        let between = binary.left.span().end..binary.right.span().start;
        if self.is_in_body
            && binary.operator == BinaryOperator::LessEqualThan
            && self.places.iter().any(|place| between.contains(place))
        {
            binary.operator = BinaryOperator::In;
            self.restored += 1;
        }
        walk_mut::walk_binary_expression(self, binary);
    }
}
