//! Type checking: numbers where numbers are expected, and arrays where arrays are.
//!
//! Variables are declared with their types, and the type of a call is that of
//! its function, so each statement and expression is checked by itself.

use super::Parser;
use crate::error::ErrorKind;
use crate::tree::{Callee, Expression, ExpressionId, Function, List, Program, Statement, StatementId};
use ssaphire_ir::Variable;
use ssaphire_ir::basic::Type;
use ssaphire_ir::source::Span;

impl Parser<'_> {
    /// Needs: the functions that are called are known.
    pub(super) fn check_types(&mut self) {
        let end = (self.program.statements.len(), self.program.expressions.len());
        let ends = self.starts.iter().skip(1).chain([&end]);
        for ((function, start), end) in self.program.functions.iter().zip(&self.starts).zip(ends) {
            let mut check = Check { program: &self.program, function, errors: &mut self.errors };
            (start.0..end.0).for_each(|id| check.statement(StatementId(id as u32)));
            (start.1..end.1).for_each(|id| check.expression(ExpressionId(id as u32)));
        }
    }
}

/// A function whose types are checked.
struct Check<'p> {
    program: &'p Program,
    function: &'p Function,
    errors: &'p mut Vec<(ErrorKind, Span)>,
}

impl Check<'_> {
    fn statement(&mut self, id: StatementId) {
        let span = self.program.statement_span(id);
        match self.program.statement(id) {
            Statement::Assign(variable, expression) => self.want(self.type_of(variable), expression),
            Statement::Update(array, index, element) | Statement::HiddenUpdate(array, index, element) => {
                self.want_array(array, span);
                self.want(Type::Number, index);
                self.want(Type::Number, element);
            }
            Statement::If(condition, ..) | Statement::While(condition, _) | Statement::Repeat(_, condition) => {
                self.want(Type::Number, condition);
            }
            Statement::Return(list) => self.returned(list),
            _ => {}
        }
    }

    fn expression(&mut self, id: ExpressionId) {
        match self.program.expression(id) {
            Expression::Unary(_, operand) => self.want(Type::Number, operand),
            Expression::Binary(_, left, right) | Expression::And(left, right) | Expression::Or(left, right) => {
                self.want(Type::Number, left);
                self.want(Type::Number, right);
            }
            Expression::Access(array, index) => {
                self.want_array(array, self.program.expression_span(id));
                self.want(Type::Number, index);
            }
            Expression::Call(callee, list) => self.call(callee, list),
            _ => {}
        }
    }

    /// Opaque functions take arguments of any type.
    fn call(&mut self, callee: Callee, list: List) {
        let Some(callee) = self.program.called_function(callee) else { return };
        let callee = &self.program.functions[callee];
        for (param, &arg) in callee.params.iter().zip(self.program.list(list)) {
            self.want(callee.types[param.index()], arg);
        }
    }

    /// Nobody calls a list of statements: it may return anything.
    fn returned(&mut self, list: List) {
        if let Some(&first) = self.program.list(list).first().filter(|_| !self.program.is_bare) {
            self.want(if self.function.returns_array { Type::Array } else { Type::Number }, first);
        }
    }

    fn type_of(&self, variable: Variable) -> Type {
        self.function.types[variable.index()]
    }

    fn want(&mut self, wanted: Type, id: ExpressionId) {
        if self.program.expression_type(self.function, id) != wanted {
            self.errors.push((ErrorKind::WrongType { wanted }, self.program.expression_span(id)));
        }
    }

    /// The name of the variable begins `span`.
    fn want_array(&mut self, variable: Variable, span: Span) {
        if self.type_of(variable) != Type::Array {
            let name = self.function.variables[variable.index()].clone();
            let span = Span { end: span.start + name.len() as u32, ..span };
            self.errors.push((ErrorKind::NotAnArray(name), span));
        }
    }
}
