//! Assignments and declarations: patterns become one `Destructure` for each level.

use super::builder::Open;
use super::names::{Meaning, NameAt};
use super::target::{Item, ObjectItem, Target, TargetKey};
use super::{Lowered, Lowering, unsupported};
use crate::function::{BlockKind, Place};
use crate::scope::BindingKind;
use crate::terminal::Terminal;
use crate::value::{Element, Key, Pattern, Property, StoreKind, Value};
use oxc_ast::ast::{Expression, MemberExpression};
use oxc_syntax::operator::BinaryOperator;
use ssaphire_js::dialect::Constant;

/// What a name is, as a target.
enum Written {
    Local(Place),
    Global,
}

/// Parts of a pattern that are assigned after it, each from its own temporary.
type Rest<'r, 't, 'a> = Vec<(Place, &'r Target<'t, 'a>)>;

impl<'a> Lowering<'_, 'a> {
    /// Assigns `value` to `target`. `is_pattern` says that a pattern stands in a declaration or assignment of its own: then a
    /// context variable in it is stored apart from it.
    pub(super) fn assign(
        &mut self,
        kind: StoreKind,
        target: &Target<'_, 'a>,
        value: Place,
        is_pattern: bool,
    ) -> Lowered<Value> {
        match target {
            Target::Name(name) => self.assign_name(kind, *name, value),
            Target::Member(member) => self.assign_member(member, value),
            Target::Array(items) => self.assign_array(kind, items, value, is_pattern),
            Target::Object(items) => self.assign_object(kind, items, value, is_pattern),
            Target::Default(target, default) => {
                let place = self.or_default(value, default)?;
                self.assign(kind, target, place, is_pattern)
            }
            Target::Other(what, span) => Err(unsupported(*what, *span)),
        }
    }

    /// The place of a parameter.
    pub(super) fn parameter(&mut self, name: NameAt<'a>) -> Lowered<Place> {
        match self.meaning(name)? {
            Meaning::Local(place, _) => Ok(place),
            Meaning::Global(_) => Err(unsupported("a parameter without a binding", name.span)),
        }
    }

    fn written(&mut self, kind: StoreKind, name: NameAt<'a>) -> Lowered<Written> {
        match self.meaning(name)? {
            Meaning::Global(_) if kind == StoreKind::Reassign => Ok(Written::Global),
            Meaning::Global(_) => Err(unsupported("a declaration without a binding", name.span)),
            Meaning::Local(_, id)
                if kind == StoreKind::Reassign && self.scopes.binding(id).kind == BindingKind::Const =>
            {
                Err(unsupported(format!("an assignment to the constant `{}`", name.text), name.span))
            }
            Meaning::Local(place, _) => Ok(Written::Local(place)),
        }
    }

    fn assign_name(&mut self, kind: StoreKind, name: NameAt<'a>, value: Place) -> Lowered<Value> {
        let target = match self.written(kind, name)? {
            Written::Local(target) => target,
            Written::Global => {
                let place = self.emit(Value::StoreGlobal { name: name.text.into(), value });
                return Ok(Value::LoadLocal { place });
            }
        };
        if !self.is_context(name) {
            let place = self.emit(Value::StoreLocal { kind, target, value });
            return Ok(Value::LoadLocal { place });
        }
        let is_hoisted = self.scopes.binding_at(name.span.start).is_some_and(|id| self.hoisted.contains(&id));
        if kind == StoreKind::Const && !is_hoisted {
            return Err(unsupported(format!("the constant `{}`, which is assigned elsewhere", name.text), name.span));
        }
        if kind == StoreKind::Catch {
            return Err(unsupported("a caught value that is a context variable", name.span));
        }
        let place = self.emit(Value::StoreContext { kind, target, value });
        Ok(Value::LoadLocal { place })
    }

    fn assign_member(&mut self, member: &MemberExpression<'a>, value: Place) -> Lowered<Value> {
        let object = self.expression_place(member.object())?;
        let property = self.member_property(member)?;
        let place = self.emit(property.store(object, value));
        Ok(Value::LoadLocal { place })
    }

    /// Whether a name in a pattern is bound by the pattern itself.
    fn binds_directly(&self, name: NameAt<'_>, is_pattern: bool) -> bool {
        !is_pattern || !self.is_context(name)
    }

    fn bind(&mut self, kind: StoreKind, name: NameAt<'a>) -> Lowered<Place> {
        match self.written(kind, name)? {
            Written::Local(place) => Ok(place),
            Written::Global => Err(unsupported("a global in a pattern", name.span)),
        }
    }

    fn promoted(&mut self) -> Place {
        let place = self.nest.temporary();
        self.nest.promote(place);
        place
    }

    fn assign_array(
        &mut self,
        kind: StoreKind,
        items: &[Option<Item<'_, 'a>>],
        value: Place,
        is_pattern: bool,
    ) -> Lowered<Value> {
        let all_apart = kind == StoreKind::Reassign && self.needs_temporaries(items)?;
        let mut elements = Vec::with_capacity(items.len());
        let mut rest = Rest::new();
        for item in items {
            let Some(Item { target, is_rest }) = item else {
                elements.push(Element::Hole);
                continue;
            };
            let place = match target {
                Target::Name(name) if !all_apart && self.binds_directly(*name, is_pattern) => self.bind(kind, *name)?,
                target => self.apart(target, &mut rest),
            };
            elements.push(if *is_rest { Element::Spread(place) } else { Element::Place(place) });
        }
        self.destructure(kind, Pattern::Array(elements), value, &rest, is_pattern)
    }

    /// Whether an assignment to an array pattern has anything but plain variables in it.
    fn needs_temporaries(&mut self, items: &[Option<Item<'_, 'a>>]) -> Lowered<bool> {
        let mut names = Vec::with_capacity(items.len());
        for item in items {
            match item {
                Some(Item { target: Target::Name(name), is_rest: false }) => names.push(*name),
                _ => return Ok(true),
            }
        }
        for name in names {
            if self.is_context(name) || !self.meaning(name)?.is_local() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn assign_object(
        &mut self,
        kind: StoreKind,
        items: &[ObjectItem<'_, 'a>],
        value: Place,
        is_pattern: bool,
    ) -> Lowered<Value> {
        let mut all_apart = false;
        for item in items.iter().filter(|_| kind == StoreKind::Reassign) {
            all_apart = match item {
                ObjectItem::Keyed(_, Target::Name(name)) => !self.meaning(*name)?.is_local(),
                _ => true,
            };
            if all_apart {
                break;
            }
        }
        let mut properties = Vec::with_capacity(items.len());
        let mut rest = Rest::new();
        for item in items {
            match item {
                ObjectItem::Rest(target) => {
                    let Target::Name(name) = target else {
                        return Err(unsupported("the rest of an object in anything but a variable", target.span()));
                    };
                    let is_direct = !all_apart && !self.is_context(*name);
                    let place = if is_direct { self.bind(kind, *name)? } else { self.apart(target, &mut rest) };
                    properties.push(Property::Spread(place));
                }
                ObjectItem::Keyed(key, target) => {
                    let key = self.target_key(key)?;
                    let place = match target {
                        Target::Name(name) if !all_apart && self.binds_directly(*name, is_pattern) => {
                            self.bind(kind, *name)?
                        }
                        target => self.apart(target, &mut rest),
                    };
                    properties.push(Property::Keyed(key, place));
                }
            }
        }
        self.destructure(kind, Pattern::Object(properties), value, &rest, is_pattern)
    }

    fn apart<'r, 't>(&mut self, target: &'r Target<'t, 'a>, rest: &mut Rest<'r, 't, 'a>) -> Place {
        let place = self.promoted();
        rest.push((place, target));
        place
    }

    fn target_key(&mut self, key: &TargetKey<'_, 'a>) -> Lowered<Key> {
        match key {
            TargetKey::Shorthand(name) => Ok(Key::Identifier(name.text.into())),
            TargetKey::Key(key) => self.property_key(key, false),
            TargetKey::Computed(span) => Err(unsupported("a computed key in a pattern", *span)),
        }
    }

    fn destructure(
        &mut self,
        kind: StoreKind,
        pattern: Pattern,
        value: Place,
        rest: &Rest<'_, '_, 'a>,
        is_pattern: bool,
    ) -> Lowered<Value> {
        let place = self.emit(Value::Destructure { kind, pattern, value });
        for (place, target) in rest {
            self.assign(kind, target, *place, is_pattern)?;
        }
        Ok(Value::LoadLocal { place })
    }

    /// `value`, or `default` if it is undefined.
    fn or_default(&mut self, value: Place, default: &Expression<'a>) -> Lowered<Place> {
        let place = self.nest.temporary();
        let test_block = self.reserve(BlockKind::Value);
        let next: Open = self.reserve(self.current_kind());
        let (test_id, next_id) = (test_block.id, next.id);
        let consequent = self.enter(BlockKind::Value, |this| {
            let default = this.reorderable(default)?;
            this.emit(Value::StoreLocal { kind: StoreKind::Const, target: place, value: default });
            Ok(Terminal::goto(next_id))
        })?;
        let alternate = self.enter(BlockKind::Value, |this| {
            this.emit(Value::StoreLocal { kind: StoreKind::Const, target: place, value });
            Ok(Terminal::goto(next_id))
        })?;
        self.end_with(Terminal::Ternary { test: test_id, fallthrough: next_id }, test_block);
        let undefined = self.emit(Value::Primitive(Constant::Undefined));
        let operator = BinaryOperator::StrictEquality;
        let test = self.emit(Value::Binary { operator, left: value, right: undefined });
        self.end_with(Terminal::Branch { test, consequent, alternate, fallthrough: next_id }, next);
        Ok(place)
    }
}
