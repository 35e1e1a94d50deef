//! What is in reach at a place of a program.

/// What a variable most likely holds, so that programs do not only throw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    /// A primitive value.
    Primitive,
    /// An object with the properties `p`, `q` and `r`.
    Object,
    /// What can be iterated.
    Iterable,
    /// An ordinary function.
    Function,
    /// A generator.
    Generator,
    /// An async function.
    Async,
    /// An async generator.
    AsyncGenerator,
    /// A class.
    Class,
}

/// A variable that is in reach.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) holds: Holds,
    pub(super) is_constant: bool,
}

/// A block's variables.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    pub(super) variables: Vec<Variable>,
    /// Whether a `let` here may have the name of a variable outside.
    pub(super) may_shadow: bool,
}

/// A statement that `break` or `continue` may name.
#[derive(Clone, Debug)]
pub(super) struct Target {
    /// Its label.
    pub(super) label: Option<String>,
    pub(super) kind: TargetKind,
}

/// What `break` and `continue` may leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TargetKind {
    Loop,
    Switch,
    Block,
}

/// What the function around a place allows.
#[derive(Clone, Debug, Default)]
pub(super) struct Context {
    pub(super) can_yield: bool,
    pub(super) can_await: bool,
    pub(super) can_return: bool,
    /// `arguments`, and a `this` of its own.
    pub(super) has_arguments: bool,
    /// `super.m0`.
    pub(super) has_super: bool,
    /// Whether calls may stand here. Not where they would come before the function's own `tick()`.
    pub(super) is_calm: bool,
    /// Private names of the classes around.
    pub(super) privates: Vec<String>,
    /// Statements around that can be left, the innermost last.
    pub(super) targets: Vec<Target>,
}
