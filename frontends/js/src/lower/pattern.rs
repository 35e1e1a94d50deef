//! Patterns, step by step: properties one after the other, and iterators, which are closed if a pattern ends before they do.

use super::access::Place;
use super::emit::Join;
use super::function::Lowering;
use super::literal::Hint;
use crate::dialect::{Constant, Immediates, Opcode};
use crate::source::Span;
use oxc_ast::ast::{
    self, AssignmentTargetMaybeDefault, AssignmentTargetProperty, BindingPattern, Expression, PropertyKey,
};
use oxc_span::GetSpan;
use oxc_str::Ident;
use ssaphire::{SsaBuilder, Value, Variable};
use std::sync::Arc;

/// An element of an array pattern: of a declaration or of an assignment.
#[derive(Clone, Copy)]
enum Element<'p, 'a> {
    Hole,
    Binding(&'p BindingPattern<'a>),
    Target(&'p AssignmentTargetMaybeDefault<'a>),
    BindingRest(&'p BindingPattern<'a>),
    TargetRest(&'p ast::AssignmentTarget<'a>),
}

/// The key of a property in a pattern.
enum Key<'a> {
    Name(Ident<'a>),
    Value(Value),
}

/// What an anonymous function is called that a pattern binds.
pub(super) fn name_hint<'a>(pattern: &BindingPattern<'a>) -> Hint<'a> {
    match pattern {
        BindingPattern::BindingIdentifier(id) => Hint::Identifier(id.name),
        _ => Hint::None,
    }
}

impl<'l, 'b, 'p, 'a, B: SsaBuilder> Lowering<'l, 'b, 'p, 'a, B> {
    /// Initializes what a pattern binds.
    pub(super) fn bind_pattern(&mut self, pattern: &'p BindingPattern<'a>, value: Value) {
        match pattern {
            BindingPattern::BindingIdentifier(id) => match super::binding::of_symbol(id) {
                Some(binding) => self.initialize(binding, value, id.span.into()),
                None => self.effect_named(Opcode::SetName, id.name, &[value], id.span),
            },
            BindingPattern::AssignmentPattern(assignment) => {
                let value = self.with_default(value, &assignment.right, name_hint(&assignment.left));
                self.bind_pattern(&assignment.left, value);
            }
            _ if self.bind_at_once(pattern, value, pattern.span().into()) => {}
            BindingPattern::ObjectPattern(object) => self.bind_object(object, value),
            BindingPattern::ArrayPattern(array) => {
                let elements = array.elements.iter().map(|element| match element {
                    Some(element) => Element::Binding(element),
                    None => Element::Hole,
                });
                let rest = array.rest.as_ref().map(|rest| Element::BindingRest(&rest.argument));
                self.array_pattern(elements.chain(rest).collect(), value, array.span);
            }
        }
    }

    pub(super) fn assign_array(&mut self, array: &'p ast::ArrayAssignmentTarget<'a>, value: Value) {
        if self.assign_array_at_once(array, value) {
            return;
        }
        let elements = array.elements.iter().map(|element| match element {
            Some(element) => Element::Target(element),
            None => Element::Hole,
        });
        let rest = array.rest.as_ref().map(|rest| Element::TargetRest(&rest.target));
        self.array_pattern(elements.chain(rest).collect(), value, array.span);
    }

    /// `value`, or the default if that is `undefined`.
    pub(super) fn with_default(&mut self, value: Value, default: &'p Expression<'a>, hint: Hint<'a>) -> Value {
        let result = self.temporary_for(&hint);
        self.default_in(result, value, default, hint)
    }

    /// The same, by way of this variable.
    pub(super) fn default_in(
        &mut self,
        result: Variable,
        value: Value,
        default: &'p Expression<'a>,
        hint: Hint<'a>,
    ) -> Value {
        let undefined = self.undefined();
        let is_missing = self.op(Opcode::StrictEq, &[value, undefined], Span::NOWHERE);
        self.write(result, value);
        let [missing, end] = self.branch(Opcode::Branch, is_missing);
        let mut end = Join(Some(end));
        self.begin_sealed(missing);
        let default = self.named_expression(default, hint);
        self.write(result, default);
        self.jump_to(&mut end);
        self.begin(end);
        self.read(result)
    }

    fn bind_object(&mut self, object: &'p ast::ObjectPattern<'a>, value: Value) {
        self.effect(Opcode::CheckCoercible, &[value], object.span);
        let mut taken = Vec::new();
        for property in &object.properties {
            let key = self.pattern_key(&property.key, object.rest.is_some());
            let found = self.pattern_property(value, &key, property.span);
            taken.push(key);
            self.bind_pattern(&property.value, found);
        }
        if let Some(rest) = &object.rest {
            let rest_value = self.object_rest(value, &taken, rest.span);
            self.bind_pattern(&rest.argument, rest_value);
        }
    }

    pub(super) fn assign_object(&mut self, object: &'p ast::ObjectAssignmentTarget<'a>, value: Value) {
        if self.assign_object_at_once(object, value) {
            return;
        }
        self.effect(Opcode::CheckCoercible, &[value], object.span);
        let mut taken = Vec::new();
        for property in &object.properties {
            match property {
                AssignmentTargetProperty::AssignmentTargetPropertyIdentifier(property) => {
                    let key = Key::Name(property.binding.name);
                    let mut found = self.pattern_property(value, &key, property.span);
                    taken.push(key);
                    if let Some(default) = &property.init {
                        let hint = Hint::Identifier(property.binding.name);
                        found = self.with_default(found, default, hint);
                    }
                    self.write_reference(&property.binding, found);
                }
                AssignmentTargetProperty::AssignmentTargetPropertyProperty(property) => {
                    let key = self.pattern_key(&property.name, true);
                    let (target, default) = parts(&property.binding);
                    let place = target.and_then(|target| self.early_place(target));
                    let found = self.pattern_property(value, &key, property.span);
                    taken.push(key);
                    if let Some(target) = target {
                        self.assign_with_default(target, place.as_ref(), default, found);
                    }
                }
            }
        }
        if let Some(rest) = &object.rest {
            let place = self.early_place(&rest.target);
            let rest_value = self.object_rest(value, &taken, rest.span);
            self.assign_early(&rest.target, place.as_ref(), rest_value);
        }
    }

    fn assign_with_default(
        &mut self,
        target: &'p ast::AssignmentTarget<'a>,
        place: Option<&Place<'p, 'a>>,
        default: Option<&'p Expression<'a>>,
        value: Value,
    ) {
        let value = match default {
            Some(default) => {
                let hint = self.target_hint(target);
                self.with_default(value, default, hint)
            }
            None => value,
        };
        self.assign_early(target, place, value);
    }

    /// The key of a property in a pattern; one that is computed is converted if it is needed more than once.
    fn pattern_key(&mut self, key: &'p PropertyKey<'a>, is_converted: bool) -> Key<'a> {
        match key {
            PropertyKey::StaticIdentifier(id) => Key::Name(id.name),
            _ => {
                let Some(expression) = key.as_expression() else { return Key::Name(Ident::empty()) };
                let value = self.expression(expression);
                let is_constant = self.builder.function().as_constant(value).is_some();
                if is_converted && !is_constant {
                    return Key::Value(self.op(Opcode::ToKey, &[value], key.span()));
                }
                Key::Value(value)
            }
        }
    }

    fn pattern_property(&mut self, object: Value, key: &Key<'a>, span: oxc_span::Span) -> Value {
        match key {
            Key::Name(name) => self.op_named(Opcode::Get, *name, &[object], span),
            Key::Value(key) => self.op(Opcode::GetIndex, &[object, *key], span),
        }
    }

    fn object_rest(&mut self, object: Value, taken: &[Key<'a>], span: oxc_span::Span) -> Value {
        let (mut names, mut args) = (Vec::new(), vec![object]);
        for key in taken {
            match key {
                Key::Name(name) => names.push(self.interner.key(*name)),
                Key::Value(key) => args.push(*key),
            }
        }
        self.op_with(Opcode::ObjectRest, Immediates::Names(Arc::from(names)), &args, span)
    }

    /// Takes elements from an iterator. Whatever leaves the pattern before the iterator is done closes it.
    fn array_pattern(&mut self, elements: Vec<Element<'p, 'a>>, value: Value, span: oxc_span::Span) {
        if self.begins_cleanup(span.into()) {
            self.within_return_boundary(|lowering| lowering.array_pattern_inside(elements, value, span));
        } else {
            self.array_pattern_inside(elements, value, span);
        }
    }

    fn array_pattern_inside(&mut self, elements: Vec<Element<'p, 'a>>, value: Value, span: oxc_span::Span) {
        let iterator = self.op(Opcode::GetIterator, &[value], span);
        // Exceptions of the iterator itself find it done: nobody closes it then.
        let is_done = self.temporary();
        let (yes, no) = (self.constant(Constant::Boolean(true)), self.constant(Constant::Boolean(false)));
        self.write(is_done, no);
        self.cleanups += 1;
        self.protected(
            |lowering| {
                for element in elements {
                    lowering.array_element(iterator, is_done, element, [yes, no]);
                }
            },
            |lowering, exception| {
                let done = lowering.read(is_done);
                let [done, open] = lowering.branch(Opcode::Branch, done);
                lowering.begin_sealed(done);
                lowering.throw(exception, Span::NOWHERE);
                lowering.begin_sealed(open);
                lowering.abandon_iterator(iterator, false, exception);
            },
        );
        self.cleanups -= 1;
        let done = self.read(is_done);
        let [end, open] = self.branch(Opcode::Branch, done);
        self.begin_sealed(open);
        self.effect(Opcode::IteratorClose, &[iterator], span);
        let mut end = Join(Some(end));
        self.jump_to(&mut end);
        self.begin(end);
    }

    fn array_element(&mut self, iterator: Value, is_done: Variable, element: Element<'p, 'a>, flags: [Value; 2]) {
        match element {
            Element::Hole => self.skip_element(iterator, is_done, flags),
            Element::Binding(pattern) => {
                let value = self.next_element(iterator, is_done, flags);
                self.bind_pattern(pattern, value);
            }
            Element::Target(target) => {
                let (target, default) = parts(target);
                let Some(target) = target else { return };
                let place = self.early_place(target);
                let value = self.next_element(iterator, is_done, flags);
                self.assign_with_default(target, place.as_ref(), default, value);
            }
            Element::BindingRest(pattern) => {
                let value = self.rest_elements(iterator, is_done, flags);
                self.bind_pattern(pattern, value);
            }
            Element::TargetRest(target) => {
                let place = self.early_place(target);
                let value = self.rest_elements(iterator, is_done, flags);
                self.assign_early(target, place.as_ref(), value);
            }
        }
    }

    /// A step of which nobody reads the value.
    fn skip_element(&mut self, iterator: Value, is_done: Variable, [yes, no]: [Value; 2]) {
        let done = self.read(is_done);
        let [end, ask] = self.branch(Opcode::Branch, done);
        self.begin_sealed(ask);
        let mut end = Join(Some(end));
        self.step_to_result(iterator, is_done, yes, &mut end);
        self.write(is_done, no);
        self.jump_to(&mut end);
        self.begin(end);
    }

    /// One step of an iterator: its value, or where it ends `end` with no value.
    fn step(&mut self, iterator: Value, is_done: Variable, [yes, no]: [Value; 2], end: &mut Join) -> Value {
        let result = self.step_to_result(iterator, is_done, yes, end);
        let value = self.op(Opcode::IteratorValue, &[result], Span::NOWHERE);
        self.write(is_done, no);
        value
    }

    /// The result of a step that is not the end of the iterator.
    fn step_to_result(&mut self, iterator: Value, is_done: Variable, yes: Value, end: &mut Join) -> Value {
        // While it is asked it counts as done: if it throws, it is not closed.
        self.write(is_done, yes);
        let result = self.op(Opcode::IteratorNext, &[iterator], Span::NOWHERE);
        let ends = self.op(Opcode::IteratorDone, &[result], Span::NOWHERE);
        let next = self.builder.create_block();
        let target = *end.0.get_or_insert_with(|| self.builder.create_block());
        self.terminate(Opcode::Branch, &[ends], &[target, next]);
        self.begin_sealed(next);
        result
    }

    /// The next element, or `undefined`.
    fn next_element(&mut self, iterator: Value, is_done: Variable, flags: [Value; 2]) -> Value {
        let element = self.temporary();
        let undefined = self.undefined();
        self.write(element, undefined);
        let done = self.read(is_done);
        let [end, ask] = self.branch(Opcode::Branch, done);
        self.begin_sealed(ask);
        let mut end = Join(Some(end));
        let value = self.step(iterator, is_done, flags, &mut end);
        self.write(element, value);
        self.jump_to(&mut end);
        self.begin(end);
        self.read(element)
    }

    /// All elements that are left, in an array.
    fn rest_elements(&mut self, iterator: Value, is_done: Variable, flags: [Value; 2]) -> Value {
        let array = self.empty_array(Span::NOWHERE);
        let header = self.builder.create_block();
        let done = self.read(is_done);
        let mut end = Join::default();
        let target = *end.0.get_or_insert_with(|| self.builder.create_block());
        self.terminate(Opcode::Branch, &[done], &[target, header]);
        self.builder.switch_to(header);
        let value = self.step(iterator, is_done, flags, &mut end);
        self.effect(Opcode::Append, &[array, value], Span::NOWHERE);
        self.jump(header);
        self.seal(header);
        self.begin(end);
        array
    }
}

/// A target and its default.
pub(super) fn parts<'p, 'a>(
    target: &'p AssignmentTargetMaybeDefault<'a>,
) -> (Option<&'p ast::AssignmentTarget<'a>>, Option<&'p Expression<'a>>) {
    match target {
        AssignmentTargetMaybeDefault::AssignmentTargetWithDefault(target) => {
            (Some(&target.binding), Some(&target.init))
        }
        _ => (target.as_assignment_target(), None),
    }
}
