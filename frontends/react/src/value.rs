//! The computations of instructions.

use super::function::{ClosureId, Place};
use oxc_syntax::operator::{BinaryOperator, UnaryOperator};
use ssaphire_js::dialect::{Constant, JsString, Name};

/// The computation of an instruction, under React Compiler's names.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the fields are the operands, as they are called in JavaScript")]
pub enum Value {
    LoadLocal {
        place: Place,
    },
    LoadContext {
        place: Place,
    },
    LoadGlobal(Global),
    StoreLocal {
        kind: StoreKind,
        target: Place,
        value: Place,
    },
    StoreContext {
        kind: StoreKind,
        target: Place,
        value: Place,
    },
    StoreGlobal {
        name: Name,
        value: Place,
    },
    DeclareLocal {
        kind: StoreKind,
        target: Place,
    },
    DeclareContext {
        kind: StoreKind,
        target: Place,
    },
    Destructure {
        kind: StoreKind,
        pattern: Pattern,
        value: Place,
    },
    Primitive(Constant),
    JsxText(String),
    TemplateLiteral {
        quasis: Vec<Quasi>,
        operands: Vec<Place>,
    },
    TaggedTemplate {
        tag: Place,
        raw: String,
    },
    RegExp {
        pattern: String,
        flags: String,
    },
    MetaProperty {
        meta: &'static str,
        property: &'static str,
    },
    Binary {
        operator: BinaryOperator,
        left: Place,
        right: Place,
    },
    Unary {
        operator: UnaryOperator,
        operand: Place,
    },
    PrefixUpdate {
        target: Place,
        is_increment: bool,
        value: Place,
    },
    PostfixUpdate {
        target: Place,
        is_increment: bool,
        value: Place,
    },
    Call {
        callee: Place,
        arguments: Vec<Element>,
    },
    MethodCall {
        receiver: Place,
        property: Place,
        arguments: Vec<Element>,
    },
    New {
        callee: Place,
        arguments: Vec<Element>,
    },
    PropertyLoad {
        object: Place,
        property: PropertyName,
    },
    PropertyStore {
        object: Place,
        property: PropertyName,
        value: Place,
    },
    PropertyDelete {
        object: Place,
        property: PropertyName,
    },
    ComputedLoad {
        object: Place,
        property: Place,
    },
    ComputedStore {
        object: Place,
        property: Place,
        value: Place,
    },
    ComputedDelete {
        object: Place,
        property: Place,
    },
    Object(Vec<Property>),
    Array(Vec<Element>),
    Jsx {
        tag: JsxTag,
        attributes: Vec<JsxAttribute>,
        children: Option<Vec<Place>>,
    },
    JsxFragment(Vec<Place>),
    Function(ClosureId),
    ObjectMethod(ClosureId),
    TypeCast {
        value: Place,
        ty: CastType,
    },
    Await(Place),
    GetIterator {
        collection: Place,
    },
    IteratorNext {
        iterator: Place,
        collection: Place,
    },
    NextPropertyOf(Place),
    Debugger,
    /// Where a hook is loaded whose call has been replaced; with its list of dependencies, if it has one.
    StartMemoize {
        dependencies: Option<Vec<Dependency>>,
    },
    /// Where the hook was called.
    FinishMemoize {
        declaration: Place,
    },
    UnsupportedNode(&'static str),
}

/// A dependency of a hook.
#[derive(Clone, Debug, PartialEq)]
pub struct Dependency {
    /// The variable.
    pub root: DependencyRoot,
    /// The property path from it; each property is marked if it follows a `?.`.
    pub path: Vec<(PropertyName, bool)>,
}

/// The variable that a dependency begins with.
#[derive(Clone, Debug, PartialEq)]
pub enum DependencyRoot {
    /// A name that the nest does not bind.
    Global(Name),
    /// A variable.
    Local(Place),
}

/// How a variable is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "named like the declarations of JavaScript")]
pub enum StoreKind {
    Const,
    Let,
    Reassign,
    Catch,
    Function,
    HoistedConst,
    HoistedLet,
    HoistedFunction,
}

impl StoreKind {
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Const => "Const",
            Self::Let => "Let",
            Self::Reassign => "Reassign",
            Self::Catch => "Catch",
            Self::Function => "Function",
            Self::HoistedConst => "HoistedConst",
            Self::HoistedLet => "HoistedLet",
            Self::HoistedFunction => "HoistedFunction",
        }
    }
}

/// A name that no function of the nest binds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "named like the clauses of an import")]
pub enum Global {
    /// The file does not bind it either.
    Unbound(Name),
    /// The file binds it, or a function around the outermost one.
    Module(Name),
    ImportDefault {
        name: Name,
        module: JsString,
    },
    ImportNamespace {
        name: Name,
        module: JsString,
    },
    ImportSpecifier {
        name: Name,
        imported: JsString,
        module: JsString,
    },
}

impl Global {
    /// The name as it is used.
    pub fn name(&self) -> &Name {
        match self {
            Self::Unbound(name)
            | Self::Module(name)
            | Self::ImportDefault { name, .. }
            | Self::ImportNamespace { name, .. }
            | Self::ImportSpecifier { name, .. } => name,
        }
    }
}

/// The name of a property that is known.
#[derive(Clone, Debug, PartialEq)]
pub enum PropertyName {
    /// A name or a string.
    Text(JsString),
    /// A number.
    Number(f64),
}

/// A text part of a template literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quasi {
    /// The raw text.
    pub raw: String,
    /// The cooked text, if its escapes are valid.
    pub cooked: Option<JsString>,
}

/// An element of an array or of a pattern, or an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// One value.
    Place(Place),
    /// As many as there are, or the rest of them.
    Spread(Place),
    /// None.
    Hole,
}

impl Element {
    fn place_mut(&mut self) -> Option<&mut Place> {
        match self {
            Self::Place(place) | Self::Spread(place) => Some(place),
            Self::Hole => None,
        }
    }
}

/// A property of an object or of a pattern.
#[derive(Clone, Debug, PartialEq)]
pub enum Property {
    /// One property.
    Keyed(Key, Place),
    /// All properties, or the rest of them.
    Spread(Place),
}

/// The key of a property.
#[derive(Clone, Debug, PartialEq)]
pub enum Key {
    /// A name, or a number.
    Identifier(String),
    /// A string.
    String(JsString),
    /// A computed key.
    Computed(Place),
}

/// A pattern without patterns in it.
#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    /// `[a, , ...b]`
    Array(Vec<Element>),
    /// `{ a: b, ...c }`
    Object(Vec<Property>),
}

/// The tag of a JSX element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JsxTag {
    /// A component.
    Place(Place),
    /// An element of the platform.
    Builtin(String),
}

/// An attribute of a JSX element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JsxAttribute {
    /// `name={place}`
    Named(String, Place),
    /// `{...place}`
    Spread(Place),
}

/// The part of a type that React Compiler reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CastType {
    /// An array.
    Array,
    /// A primitive type.
    Primitive,
    /// Any other type.
    Other,
}

impl Value {
    /// The function that it creates, if it creates one.
    pub fn closure(&self) -> Option<ClosureId> {
        match *self {
            Self::Function(closure) | Self::ObjectMethod(closure) => Some(closure),
            _ => None,
        }
    }

    /// Calls `visit` with each place that it uses, in order. What a function captures is in [`Function::context`].
    ///
    /// [`Function::context`]: super::Function::context
    #[allow(clippy::match_same_arms, reason = "a table by the kinds of values")]
    pub(super) fn operands(&mut self, visit: &mut dyn FnMut(&mut Place)) {
        match self {
            Self::LoadLocal { place } | Self::LoadContext { place } | Self::Await(place) => visit(place),
            Self::StoreLocal { value, .. } | Self::StoreGlobal { value, .. } | Self::Destructure { value, .. } => {
                visit(value);
            }
            Self::PrefixUpdate { value, .. } | Self::PostfixUpdate { value, .. } | Self::TypeCast { value, .. } => {
                visit(value);
            }
            Self::StoreContext { target: first, value: second, .. }
            | Self::Binary { left: first, right: second, .. }
            | Self::PropertyStore { object: first, value: second, .. }
            | Self::ComputedLoad { object: first, property: second }
            | Self::ComputedDelete { object: first, property: second }
            | Self::IteratorNext { iterator: first, collection: second } => [first, second].into_iter().for_each(visit),
            Self::ComputedStore { object, property, value } => [object, property, value].into_iter().for_each(visit),
            Self::Unary { operand, .. } => visit(operand),
            Self::PropertyLoad { object, .. } | Self::PropertyDelete { object, .. } => visit(object),
            Self::GetIterator { collection } => visit(collection),
            Self::NextPropertyOf(object) => visit(object),
            Self::TaggedTemplate { tag, .. } => visit(tag),
            Self::FinishMemoize { declaration } => visit(declaration),
            Self::StartMemoize { dependencies } => {
                for dependency in dependencies.iter_mut().flatten() {
                    if let DependencyRoot::Local(place) = &mut dependency.root {
                        visit(place);
                    }
                }
            }
            Self::TemplateLiteral { operands, .. } | Self::JsxFragment(operands) => operands.iter_mut().for_each(visit),
            Self::Array(elements) => elements.iter_mut().filter_map(Element::place_mut).for_each(visit),
            Self::Call { .. } | Self::New { .. } | Self::MethodCall { .. } => self.call_operands(visit),
            Self::Object(properties) => properties.iter_mut().for_each(|property| property.operands(visit)),
            Self::Jsx { .. } => self.jsx_operands(visit),
            Self::LoadGlobal(_)
            | Self::DeclareLocal { .. }
            | Self::DeclareContext { .. }
            | Self::Primitive(_)
            | Self::JsxText(_)
            | Self::RegExp { .. }
            | Self::MetaProperty { .. }
            | Self::Function(_)
            | Self::ObjectMethod(_)
            | Self::Debugger
            | Self::UnsupportedNode(_) => {}
        }
    }

    fn call_operands(&mut self, visit: &mut dyn FnMut(&mut Place)) {
        let arguments = match self {
            Self::Call { callee, arguments } | Self::New { callee, arguments } => {
                visit(callee);
                arguments
            }
            Self::MethodCall { receiver, property, arguments } => {
                visit(receiver);
                visit(property);
                arguments
            }
            _ => return,
        };
        arguments.iter_mut().filter_map(Element::place_mut).for_each(visit);
    }

    fn jsx_operands(&mut self, visit: &mut dyn FnMut(&mut Place)) {
        let Self::Jsx { tag, attributes, children } = self else { return };
        if let JsxTag::Place(place) = tag {
            visit(place);
        }
        for attribute in attributes {
            let (JsxAttribute::Named(_, place) | JsxAttribute::Spread(place)) = attribute;
            visit(place);
        }
        children.iter_mut().flatten().for_each(visit);
    }

    /// Calls `visit` with each variable that it writes, in order; a context variable has one version, which it does not define.
    pub(super) fn targets(&mut self, visit: &mut dyn FnMut(&mut Place)) {
        match self {
            Self::DeclareLocal { target, .. }
            | Self::StoreLocal { target, .. }
            | Self::PrefixUpdate { target, .. }
            | Self::PostfixUpdate { target, .. } => visit(target),
            Self::Destructure { pattern: Pattern::Array(elements), .. } => {
                elements.iter_mut().filter_map(Element::place_mut).for_each(visit);
            }
            Self::Destructure { pattern: Pattern::Object(properties), .. } => {
                for property in properties {
                    let (Property::Keyed(_, place) | Property::Spread(place)) = property;
                    visit(place);
                }
            }
            _ => {}
        }
    }
}

impl Property {
    fn operands(&mut self, visit: &mut dyn FnMut(&mut Place)) {
        match self {
            Self::Keyed(key, place) => {
                if let Key::Computed(key) = key {
                    visit(key);
                }
                visit(place);
            }
            Self::Spread(place) => visit(place),
        }
    }
}
