//! A file as a list of functions.

mod module;

pub use module::{
    Attributes, AttributesKeyword, Export, ForwardedExport, Import, ImportBinding, ImportClause, ImportPhase, Imported,
    Local,
};

use crate::dialect::{Js, JsString, Name};
use crate::source::Span;
use ssaphire_ir::Function;
use std::fmt;

/// The index of a function in its [`Program`]: the file itself is 0, and a function comes after the one that contains
/// it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionId(pub u32);

impl FunctionId {
    /// The code at the top of the file.
    pub const TOP: Self = Self(0);

    /// Its index in [`Program::functions`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A file, all of its functions in SSA form.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// The functions, each after the one that contains it; the first one is the top-level code.
    pub functions: Vec<JsFunction>,
    /// The classes, by the index in `class` operations.
    pub classes: Vec<Class>,
    /// The top-level declarations that other code sees.
    pub top: Top,
    /// The names that nothing in the file declares, each with a function whose text mentions it, also where control
    /// never comes.
    pub free: Vec<(FunctionId, Name)>,
    /// The comments that precede a token, in source order.
    pub comments: Vec<Comment>,
    /// Whether the source has types, which the functions have no more.
    pub has_erased_types: bool,
}

/// A comment, with the token that follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comment {
    /// Its span, with its delimiters.
    pub span: Span,
    /// The byte where the token begins.
    pub before: u32,
}

/// The top-level declarations of a file that other code sees.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Top {
    /// The first line, if it begins with `#!`.
    pub hashbang: Option<String>,
    /// Whether it begins with `"use strict"`, in a script.
    pub is_strict: bool,
    /// The declarations of a module that request other modules, in source order.
    pub imports: Vec<Import>,
    /// The bindings of a module that it exports.
    pub exports: Vec<Export>,
    /// `var`s of a script.
    pub vars: Vec<Name>,
    /// Functions that a script declares, in source order: the last one of each name.
    ///
    /// They exist before any code runs, and no instruction creates them.
    pub functions: Vec<(Name, FunctionId)>,
    /// `let`s, `const`s and classes of a script.
    pub lexical: Vec<(Name, LexicalKind)>,
}

/// The declaration of a name in a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LexicalKind {
    /// `let`.
    Let,
    /// `const`.
    Const,
    /// `class`.
    Class,
}

/// A function with its properties.
#[derive(Clone, Debug, PartialEq)]
pub struct JsFunction {
    /// Its blocks and instructions.
    ///
    /// Its parameters are those of the source that take one argument each, before defaults and patterns are applied; if
    /// the last one is a [rest parameter](Params::has_rest), it is the array of the remaining arguments.
    pub body: Function<Js>,
    /// The kind of function.
    pub kind: FunctionKind,
    /// Whether it is `async`.
    pub is_async: bool,
    /// Whether it is a generator.
    pub is_generator: bool,
    /// Whether its code is strict.
    pub is_strict: bool,
    /// Its property `name`, where that is known and another than what its place gives it; the key of a method is in its object or class. Of
    /// an initializer that [names its value](Self::names_value): that name, where the key is known.
    pub name: Option<JsString>,
    /// The name of a function expression, if its body mentions it by [`Native`](crate::dialect::Opcode::Native).
    pub self_name: Option<Name>,
    /// Its parameters.
    pub params: Params,
    /// The names of the variables whose cells it captures, by number.
    pub captures: Vec<Name>,
    /// The function that contains it.
    pub parent: Option<FunctionId>,
    /// Its span in the source.
    pub span: Span,
    /// What stands in its text before its parameters.
    pub head: Head,
    /// The reasons why variables of it are in memory and not in SSA form.
    pub memory: Vec<InMemory>,
    /// Whether it is a declaration, whose variable has it from the beginning of the block on.
    pub is_declaration: bool,
    /// Whether it is an arrow function whose body is an expression.
    pub is_concise: bool,
    /// Whether it is the initializer of a field whose value is an anonymous function or class, which gets the name of the field.
    pub names_value: bool,
    /// Whether it must be written exactly as in the source: a direct `eval` or a `with` inside of it, at any depth,
    /// accesses its variables by name. Functions inside of it that contain neither access its variables with
    /// [`GetName`](crate::dialect::Opcode::GetName) and similar operations, and can be rewritten.
    pub is_verbatim: bool,
}

/// The text of a function before its parameters, or of a file before its statements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// The byte of the source where it ends: where the parameters begin, with their parenthesis, or behind the
    /// directives of a file. It is empty where there is neither.
    pub end: u32,
}

/// The parameters of a function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Params {
    /// The number of parameters before the first one with a default: the function's `length`.
    pub length: u32,
    /// Whether the last one is a rest parameter.
    pub has_rest: bool,
    /// Whether all are plain names, so that `arguments` in sloppy code aliases them.
    pub are_simple: bool,
}

/// Kinds of functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FunctionKind {
    /// The code at the top of a script.
    Script,
    /// The code at the top of a module.
    Module,
    /// The code at the top of a CommonJS module: the body of a wrapper function that is not in the file.
    CommonJs,
    /// A function declaration or expression.
    Function,
    /// An arrow function: `this`, `arguments`, `super` and `new.target` are those of the function around it.
    Arrow,
    /// A method of an object or class.
    Method,
    /// A getter.
    Getter,
    /// A setter.
    Setter,
    /// The constructor of a class without superclass.
    Constructor,
    /// The constructor of a class with a superclass.
    DerivedConstructor,
    /// A function that computes the value of a field, and returns it.
    Field,
    /// A static block of a class.
    StaticBlock,
}

/// The reason why variables are in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InMemory {
    /// The construct that accesses them.
    pub reason: MemoryReason,
    /// Its span.
    pub span: Span,
}

/// The constructs that access variables other than by their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MemoryReason {
    /// A direct `eval` in sloppy or strict code: it can access all variables that are visible there.
    Eval,
    /// A `with` statement: a name inside of it may be a property of its object.
    With,
    /// `arguments` in sloppy code: it aliases the parameters.
    Arguments,
    /// The head of a class, its heritage or a computed key, uses the name that the class has inside, or one of its private
    /// names; or it assigns or deletes something in sloppy code, and is strict itself.
    ClassHead,
    /// A script: all other scripts see its top-level declarations.
    Global,
}

impl fmt::Display for MemoryReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Eval => "a direct eval reaches them",
            Self::With => "a with statement may give their names another meaning",
            Self::Arguments => "arguments aliases the parameters",
            Self::ClassHead => "the head of a class uses its name or its private names, or must be strict",
            Self::Global => "other scripts reach them",
        })
    }
}

/// A class, as its instruction creates it.
#[derive(Clone, Debug, PartialEq)]
pub struct Class {
    /// Its property `name`, if its syntactic position does not determine it.
    pub name: Option<JsString>,
    /// Its name as its own body mentions it, by [`Native`](crate::dialect::Opcode::Native).
    pub self_name: Option<Name>,
    /// Whether it is a declaration, and not an expression.
    pub is_declaration: bool,
    /// Whether it has a superclass, which is the first argument.
    pub has_superclass: bool,
    /// The constructor; `None` for the default one.
    pub constructor: Option<FunctionId>,
    /// Its elements in source order. Each computed key is an argument, in that order.
    pub elements: Vec<ClassElement>,
    /// The names of the variables whose cells its functions capture: the last arguments, by number. The functions use
    /// the same numbers.
    pub captures: Vec<Name>,
    /// Its span in the source.
    pub span: Span,
}

/// An element of a class.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassElement {
    /// Whether it is static.
    pub is_static: bool,
    /// Its key; a static block has none.
    pub key: ClassKey,
    /// The method, accessor, static block or field initializer; `None` for a field without initializer.
    pub function: Option<FunctionId>,
    /// The kind of element.
    pub kind: ClassElementKind,
}

/// Kinds of elements of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClassElementKind {
    /// A method, getter or setter, as the function's kind says.
    Method,
    /// A field.
    Field,
    /// An auto-accessor: `accessor x = 1`.
    Accessor,
    /// A static block.
    StaticBlock,
}

/// The key of an element of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClassKey {
    /// A name, a string, or a number as its string.
    Name(JsString),
    /// A private name, with its `#`.
    Private(Name),
    /// Computed and converted: the next argument of the instruction.
    Computed,
    /// None.
    None,
}
