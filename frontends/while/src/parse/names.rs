//! Names: variables and labels of a function, callees and functions of a file.

use super::Parser;
use crate::error::ErrorKind;
use crate::tree::{Callee, Expression, Field, Label};
use ssaphire_ir::Variable;
use ssaphire_ir::basic::Type;
use ssaphire_ir::source::Span;
use std::collections::HashMap;

/// The name table of a file.
#[derive(Default)]
pub(super) struct ProgramNames<'s> {
    /// Numbers of the functions.
    functions: HashMap<&'s str, usize>,
    callees: HashMap<&'s str, Callee>,
    fields: HashMap<&'s str, Field>,
}

/// The name table of a function.
#[derive(Default)]
pub(super) struct FunctionNames<'s> {
    variables: HashMap<&'s str, Variable>,
    labels: HashMap<&'s str, Label>,
    /// By label, where it is defined and where it is first mentioned by a `goto`.
    label_places: Vec<LabelPlaces>,
}

#[derive(Clone, Copy, Default)]
struct LabelPlaces {
    defined: Option<Span>,
    wanted: Option<Span>,
}

impl<'s> Parser<'s> {
    /// The variable with this name in the current function.
    pub(super) fn variable(&mut self, name: &'s str) -> Variable {
        let Some(function) = self.program.functions.last_mut() else { return Variable::new(0) };
        *self.local.variables.entry(name).or_insert_with(|| {
            function.variables.push(name.to_owned());
            function.types.push(Type::Number);
            Variable::new(function.variables.len() - 1)
        })
    }

    pub(super) fn param(&mut self, name: &'s str, ty: Type, span: Span) {
        match self.new_variable(name, ty) {
            None => self.errors.push((ErrorKind::DuplicateParameter(name.to_owned()), span)),
            Some(param) => {
                if let Some(function) = self.program.functions.last_mut() {
                    function.params.push(param);
                }
            }
        }
    }

    pub(super) fn declare_array(&mut self, name: &'s str, span: Span) {
        if self.new_variable(name, Type::Array).is_none() {
            self.errors.push((ErrorKind::DuplicateVariable(name.to_owned()), span));
        }
    }

    /// Declares a variable with this name and type in the current function, unless the name is taken.
    fn new_variable(&mut self, name: &'s str, ty: Type) -> Option<Variable> {
        let num_variables = self.local.variables.len();
        let variable = self.variable(name);
        if self.local.variables.len() == num_variables {
            return None;
        }
        *self.program.functions.last_mut()?.types.last_mut()? = ty;
        Some(variable)
    }

    /// The field with this name, in all records of the file.
    pub(super) fn field(&mut self, name: &'s str) -> Field {
        let fields = &mut self.program.fields;
        *self.names.fields.entry(name).or_insert_with(|| {
            fields.push(name.to_owned());
            Field(fields.len() as u32 - 1)
        })
    }

    /// Defines the label with this name, at `span`.
    pub(super) fn define_label(&mut self, name: &'s str, span: Span) -> Label {
        let label = self.label(name);
        let places = &mut self.local.label_places[label.0 as usize];
        match places.defined {
            None => places.defined = Some(span),
            Some(first) => {
                let line = self.program.source.line(first.start);
                self.errors.push((ErrorKind::DuplicateLabel { name: name.to_owned(), line }, span));
            }
        }
        label
    }

    /// The label with this name, mentioned by a `goto` at `span`.
    pub(super) fn goto_label(&mut self, name: &'s str, span: Span) -> Label {
        let label = self.label(name);
        self.local.label_places[label.0 as usize].wanted.get_or_insert(span);
        label
    }

    fn label(&mut self, name: &'s str) -> Label {
        let Some(function) = self.program.functions.last_mut() else { return Label(0) };
        let places = &mut self.local.label_places;
        *self.local.labels.entry(name).or_insert_with(|| {
            function.labels.push(name.to_owned());
            places.push(LabelPlaces::default());
            Label(function.labels.len() as u32 - 1)
        })
    }

    pub(super) fn callee(&mut self, name: &'s str) -> Callee {
        let callees = &mut self.program.callees;
        *self.names.callees.entry(name).or_insert_with(|| {
            callees.push(name.to_owned());
            Callee(callees.len() as u32 - 1)
        })
    }

    /// Names the function that was pushed last.
    pub(super) fn define_function(&mut self, name: &'s str, span: Span) {
        let number = self.program.functions.len() - 1;
        let first = *self.names.functions.entry(name).or_insert(number);
        if first != number {
            let line = self.program.source.line(self.program.functions[first].span.start);
            self.errors.push((ErrorKind::DuplicateFunction { name: name.to_owned(), line }, span));
        }
    }

    /// Leaves the scope of the current function. Its labels must be defined, if its statements were parsed.
    pub(super) fn leave_function(&mut self) {
        let local = std::mem::take(&mut self.local);
        let Some(function) = self.program.functions.last() else { return };
        if self.errors.is_empty() {
            for (places, name) in local.label_places.iter().zip(&function.labels) {
                if let (None, Some(wanted)) = (places.defined, places.wanted) {
                    self.unknown_labels.push((name.clone(), wanted));
                }
            }
        }
    }

    /// Checks labels, and calls of functions of the file.
    pub(super) fn check_names(&mut self) {
        for (name, span) in std::mem::take(&mut self.unknown_labels) {
            self.errors.push((ErrorKind::UnknownLabel(name), span));
        }
        let functions = self.program.callees.iter().map(|name| self.names.functions.get(name.as_str()).copied());
        self.program.called_functions = functions.collect();
        for (expression, &span) in self.program.expressions.iter().zip(&self.program.expression_spans) {
            let &Expression::Call(callee, list) = expression else { continue };
            let Some(function) = self.program.called_function(callee) else { continue };
            let (wanted, given) = (self.program.functions[function].params.len(), self.program.list(list).len());
            if wanted != given {
                let name = self.program.callee(callee).to_owned();
                self.errors.push((ErrorKind::WrongArity { name, wanted, given }, span));
            }
        }
    }
}
