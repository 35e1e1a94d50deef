//! Accesses to variables in SSA form: noted when a function is lowered, and examined by [`facts`](crate::facts).

use crate::source::Span;

/// The number of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SymbolId(pub u32);

impl SymbolId {
    /// Its index in [`Facts::symbols`](crate::facts::Facts::symbols).
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An access to a variable that is in SSA form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// The variable.
    pub symbol: SymbolId,
    /// The span of the access.
    pub span: Span,
    /// The kind of access.
    pub kind: AccessKind,
    /// The surrounding syntax.
    pub context: Context,
}

/// Kinds of accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AccessKind {
    /// It is read.
    Read,
    /// It is assigned.
    Assign,
    /// It is declared with a value, or bound by a pattern, a loop or a `catch`.
    Initialize,
    /// It receives an argument.
    Param,
    /// Its scope begins: a `var` becomes `undefined`, a variable with a dead zone is uninitialized.
    Begin,
    /// It is declared by `let` without a value, and becomes `undefined`.
    Declare,
}

/// The syntax around an access, as far as it indicates an intention.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Context {
    /// None of those below.
    #[default]
    Plain,
    /// Reads: an operand of `==` and similar operators, of `typeof`, `instanceof` or `!`, of `??`, `?.`, `||` or `&&`,
    /// or a condition.
    Tested,
    /// A declaration whose value is a literal, `undefined`, `[]`, `{}`, or an operator on a literal.
    Literal,
    /// An assignment of `null` or `undefined`.
    Cleared,
    /// An update or a compound assignment in an expression that uses its value, or an assignment whose value another one assigns.
    Nested,
    /// A name in a pattern that the others need: before the last one of an array, beside the rest of an object.
    Sibling,
    /// The variable of a `for-in` or `for-of`.
    LoopHead,
    /// The parameter of a `catch`.
    Catch,
    /// A function declaration in a block, which assigns a variable of the function around it.
    Function,
}
