//! Targets of assignments and declarations, in one shape.

use super::names::NameAt;
use oxc_ast::ast::*;
use oxc_span::GetSpan;
use ssaphire_js::source::Span;

/// What a value can be assigned to.
pub(super) enum Target<'t, 'a> {
    Name(NameAt<'a>),
    Member(&'t MemberExpression<'a>),
    /// A pattern; its holes are `None`.
    Array(Vec<Option<Item<'t, 'a>>>),
    Object(Vec<ObjectItem<'t, 'a>>),
    Default(Box<Self>, &'t Expression<'a>),
    /// No HIR assigns to it.
    Other(&'static str, Span),
}

/// An element of an array pattern.
pub(super) struct Item<'t, 'a> {
    pub(super) target: Target<'t, 'a>,
    pub(super) is_rest: bool,
}

/// A property of an object pattern.
pub(super) enum ObjectItem<'t, 'a> {
    Keyed(TargetKey<'t, 'a>, Target<'t, 'a>),
    Rest(Target<'t, 'a>),
}

pub(super) enum TargetKey<'t, 'a> {
    /// `{ name }`
    Shorthand(NameAt<'a>),
    /// `{ key: .. }`
    Key(&'t PropertyKey<'a>),
    /// `{ [key]: .. }`
    Computed(Span),
}

impl<'t, 'a> TargetKey<'t, 'a> {
    fn new(key: &'t PropertyKey<'a>, is_computed: bool) -> Self {
        if is_computed { Self::Computed(key.span().into()) } else { Self::Key(key) }
    }
}

impl<'t, 'a> Target<'t, 'a> {
    pub(super) fn of_param(param: &'t FormalParameter<'a>) -> Self {
        let target = Self::of_binding(&param.pattern);
        match &param.initializer {
            Some(init) => Self::Default(Box::new(target), init),
            None => target,
        }
    }

    pub(super) fn of_binding(pattern: &'t BindingPattern<'a>) -> Self {
        let item = |target: Self, is_rest| Some(Item { target, is_rest });
        match pattern {
            BindingPattern::BindingIdentifier(name) => Self::Name(NameAt::new(name.name.as_str(), name.span)),
            BindingPattern::ArrayPattern(array) => {
                let elements = array.elements.iter().map(|element| item(Self::of_binding(element.as_ref()?), false));
                let rest = array.rest.iter().map(|rest| item(Self::of_binding(&rest.argument), true));
                Self::Array(elements.chain(rest).collect())
            }
            BindingPattern::ObjectPattern(object) => {
                let properties = object.properties.iter().map(|property| {
                    let key = TargetKey::new(&property.key, property.computed);
                    ObjectItem::Keyed(key, Self::of_binding(&property.value))
                });
                let rest = object.rest.iter().map(|rest| ObjectItem::Rest(Self::of_binding(&rest.argument)));
                Self::Object(properties.chain(rest).collect())
            }
            BindingPattern::AssignmentPattern(default) => {
                Self::Default(Box::new(Self::of_binding(&default.left)), &default.right)
            }
        }
    }

    pub(super) fn of_assignment(target: &'t AssignmentTarget<'a>) -> Self {
        match target {
            AssignmentTarget::ArrayAssignmentTarget(array) => Self::of_array(array),
            AssignmentTarget::ObjectAssignmentTarget(object) => Self::of_object(object),
            target => match target.as_simple_assignment_target() {
                Some(simple) => Self::of_simple(simple),
                None => Self::Other("an unknown target", target.span().into()),
            },
        }
    }

    fn of_simple(target: &'t SimpleAssignmentTarget<'a>) -> Self {
        match target {
            SimpleAssignmentTarget::AssignmentTargetIdentifier(name) => {
                Self::Name(NameAt::new(name.name.as_str(), name.span))
            }
            target => match target.as_member_expression() {
                Some(member) => Self::Member(member),
                None => Self::Other("an assignment through a type", target.span().into()),
            },
        }
    }

    fn of_array(array: &'t ArrayAssignmentTarget<'a>) -> Self {
        let item = |target: Self, is_rest| Some(Item { target, is_rest });
        let elements = array.elements.iter().map(|element| item(Self::of_maybe_default(element.as_ref()?), false));
        let rest = array.rest.iter().map(|rest| item(Self::of_assignment(&rest.target), true));
        Self::Array(elements.chain(rest).collect())
    }

    fn of_object(object: &'t ObjectAssignmentTarget<'a>) -> Self {
        let properties = object.properties.iter().map(|property| match property {
            AssignmentTargetProperty::AssignmentTargetPropertyIdentifier(property) => {
                let name = NameAt::new(property.binding.name.as_str(), property.binding.span);
                let target = match &property.init {
                    Some(init) => Self::Default(Box::new(Self::Name(name)), init),
                    None => Self::Name(name),
                };
                ObjectItem::Keyed(TargetKey::Shorthand(name), target)
            }
            AssignmentTargetProperty::AssignmentTargetPropertyProperty(property) => {
                let key = TargetKey::new(&property.name, property.computed);
                ObjectItem::Keyed(key, Self::of_maybe_default(&property.binding))
            }
        });
        let rest = object.rest.iter().map(|rest| ObjectItem::Rest(Self::of_assignment(&rest.target)));
        Self::Object(properties.chain(rest).collect())
    }

    fn of_maybe_default(target: &'t AssignmentTargetMaybeDefault<'a>) -> Self {
        match target {
            AssignmentTargetMaybeDefault::AssignmentTargetWithDefault(default) => {
                Self::Default(Box::new(Self::of_assignment(&default.binding)), &default.init)
            }
            target => match target.as_assignment_target() {
                Some(target) => Self::of_assignment(target),
                None => Self::Other("an unknown target", target.span().into()),
            },
        }
    }

    /// Where it is, unless it is a pattern.
    pub(super) fn span(&self) -> Span {
        match self {
            Self::Name(name) => name.span,
            Self::Member(member) => member.span().into(),
            Self::Other(_, span) => *span,
            Self::Array(_) | Self::Object(_) | Self::Default(..) => Span::NOWHERE,
        }
    }

    pub(super) fn is_pattern(&self) -> bool {
        matches!(self, Self::Array(_) | Self::Object(_))
    }
}
