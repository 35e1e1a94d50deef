//! Literals of objects, arrays and JSX.

use super::ast::{ExprId, ExprKind, Item};
use super::builder::Builder;
use super::emit::Room;
use super::error::Unwritable;
use super::expr::{Expr, Throws};
use super::insts::num_args;
use crate::dialect::{Element, Opcode};
use ssaphire_ir::Arg;
use std::sync::Arc;

impl Builder<'_, '_> {
    /// An object, array or JSX element.
    pub(super) fn layout(
        &mut self,
        opcode: Opcode,
        elements: &Arc<[Element]>,
        args: &[Arg],
        throws: Throws,
    ) -> Result<Expr, Unwritable> {
        // Behind what runs code when it is put in, nothing else may be computed in place.
        let (mut first_running, mut dissolved) = (usize::MAX, vec![false; args.len()]);
        let mut at = 0;
        for element in &**elements {
            if matches!(element, Element::Spread)
                && let Some(arg) = args.get(at)
            {
                dissolved[at] = opcode == Opcode::Object && self.is_plain_object(*arg);
                first_running = if dissolved[at] { first_running } else { first_running.min(at) };
            }
            at += num_args(element);
        }
        if at != args.len() {
            return Err(Unwritable::Op(opcode.name().to_owned()));
        }
        let needs_strict = elements.iter().any(|element| self.needs_strict_place(element));
        let room = |index: usize| match needs_strict {
            // The object is made in an arrow function, which can neither `await` nor `yield`.
            true => Room::Atom,
            false if index > first_running => Room::Quiet,
            false => Room::Any,
        };
        let taken = self.take(args, throws, room);
        let mut values: Box<[ExprId]> = taken.iter().map(|value| value.id).collect();
        let kind = match opcode {
            Opcode::Array => ExprKind::Array(items(elements, &values)),
            Opcode::Object => {
                self.check_methods(elements)?;
                let (elements, values) = self.with_dissolved(elements, &values, &dissolved);
                ExprKind::Object { elements, values }
            }
            _ => {
                if let (Some(Element::Tag(name)), Some(tag)) = (elements.first(), taken.first())
                    && name.as_escaped().is_empty()
                {
                    values[0] = self.tag(tag);
                }
                ExprKind::Jsx { elements: elements.clone(), values }
            }
        };
        let mut value = self.ast.expr(kind).with(&taken);
        if needs_strict {
            value.id = self.ast.add(ExprKind::InStrictCode(value.id));
        }
        Ok(value)
    }

    /// Whether an object waits that is there to be copied, and consists of values: `{ ...a, ...b() }` is made of `{ ...a }`,
    /// since `a` is copied before `b` is called.
    fn is_plain_object(&self, arg: Arg) -> bool {
        let Arg::Variable(variable) = arg else { return false };
        let made = self.pending.iter().rfind(|pending| pending.variable == variable);
        made.and_then(|made| self.plain_object(made.value.id)).is_some()
    }

    fn plain_object(&self, id: ExprId) -> Option<(&Arc<[Element]>, &[ExprId])> {
        let ExprKind::Object { elements, values } = self.ast.kind(id) else { return None };
        let is_plain = |element: &Element| matches!(element, Element::Value(_) | Element::Computed | Element::Spread);
        elements.iter().all(is_plain).then_some((elements, values))
    }

    /// The elements and values of an object, with those of objects that are copied to it in their places.
    fn with_dissolved(
        &self,
        elements: &Arc<[Element]>,
        values: &[ExprId],
        dissolved: &[bool],
    ) -> (Arc<[Element]>, Box<[ExprId]>) {
        if !dissolved.contains(&true) {
            return (elements.clone(), values.into());
        }
        let (mut all, mut all_values, mut at) = (Vec::new(), Vec::new(), 0);
        for element in &**elements {
            let own = &values[at..at + num_args(element)];
            let copied = own.first().filter(|_| matches!(element, Element::Spread) && dissolved[at]);
            match copied.and_then(|&copied| self.plain_object(copied)) {
                Some((elements, values)) => {
                    all.extend(elements.iter().cloned());
                    all_values.extend(values);
                }
                _ => {
                    all.push(element.clone());
                    all_values.extend(own);
                }
            }
            at += own.len();
        }
        (all.into(), all_values.into())
    }

    /// Whether an element is a strict method whose parameters do not allow a `use strict` directive.
    fn needs_strict_place(&self, element: &Element) -> bool {
        matches!(element, Element::Method(method)
            if self.ast.built(method.function).is_some_and(|built| built.needs_strict_place))
    }

    /// Refuses elements that are none of an object, and methods of which there is no text.
    fn check_methods(&self, elements: &[Element]) -> Result<(), Unwritable> {
        elements.iter().try_for_each(|element| match element {
            Element::Value(_) | Element::Computed | Element::Spread | Element::Proto => Ok(()),
            Element::Method(method) => self.code(method.function).map(drop),
            _ => Err(Unwritable::Op("object".to_owned())),
        })
    }

    /// The tag of a JSX element that is a value: a name that cannot be taken for that of an HTML element, or a property.
    fn tag(&mut self, value: &Expr) -> ExprId {
        let is_tag = match *self.ast.kind(value.id) {
            ExprKind::Name(name) | ExprKind::Global(name) => {
                let name = self.ast.text_of(name);
                name == "this" || !name.starts_with(char::is_lowercase)
            }
            ExprKind::Member { .. } => self.ast.is_path(value.id),
            ExprKind::Word(word) => word == "this",
            _ => false,
        };
        if is_tag {
            return value.id;
        }
        let variable = self.temporary_like("Tag");
        self.assign(variable, value.clone(), false);
        self.variable(variable).id
    }
}

/// The items of an array.
fn items(elements: &[Element], values: &[ExprId]) -> Vec<Item> {
    let mut values = values.iter().copied();
    let item = |element: &Element| match element {
        Element::Hole => Item::Hole,
        Element::Spread => values.next().map_or(Item::Hole, Item::Spread),
        _ => values.next().map_or(Item::Hole, Item::Value),
    };
    elements.iter().map(item).collect()
}
