//! The table of operations.

use ssaphire_ir::Properties;

/// What stands in an instruction besides its operands: the variant of [`Immediates`](super::Immediates).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Nothing.
    None,
    /// A name: of a property, a binding, a private element; or the text of a message.
    Name,
    /// A number: of a function, a class, a parameter.
    Index,
    /// Two texts: the pattern and the flags of a regular expression, the kind and the message of an error.
    Pair,
    /// Constants: the cases of a switch.
    Cases,
    /// Strings, each as it is written and as it is meant: the parts of a template.
    Strings,
    /// The names of properties.
    Names,
    /// Which arguments are spread, by their numbers.
    Spreads,
    /// The elements of an object, array or JSX element.
    Layout,
    /// The parts of a pattern.
    Pattern,
}

/// What an operation may do besides computing its results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing, and its results depend on its arguments alone: it may be left out, and it may be done once for all.
    Computes,
    /// Nothing, but its results depend on more than its arguments, or are new each time: it may be left out.
    Pure,
    /// It throws if its argument is not as it should be, and does nothing else.
    Checks,
    /// It writes something that is its own to write, and cannot throw.
    Writes,
    /// Anything: it may throw, and run code of the program.
    Runs,
    /// It ends its block.
    Ends,
}

/// Numbers of arguments and results: the least, and whether there may be more.
pub(super) type Counts = (usize, bool, usize);

macro_rules! opcodes {
    ($($(#[doc = $doc:literal])+ $variant:ident $name:literal $form:ident $least:literal $more:ident $results:literal $effect:ident;)*) => {
        /// An operation without its immediates. Arguments are named in the order in which they are given.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs, reason = "each variant has its line in the table")]
        pub enum Opcode {
            $($(#[doc = $doc])+ $variant,)*
        }

        impl Opcode {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// How texts spell it.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// The one that texts spell like this.
            pub fn from_name(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$variant),)*
                    _ => None,
                }
            }

            /// What stands in it besides operands.
            pub const fn form(self) -> Form {
                match self {
                    $(Self::$variant => Form::$form,)*
                }
            }

            /// What it may do besides computing results.
            pub const fn effect(self) -> Effect {
                match self {
                    $(Self::$variant => Effect::$effect,)*
                }
            }

            pub(super) const fn counts(self) -> Counts {
                match self {
                    $(Self::$variant => ($least, opcodes!(@more $more), $results),)*
                }
            }
        }
    };
    (@more only) => { false };
    (@more more) => { true };
}

opcodes! {
    // Control.
    /// Goes to its only target.
    Jump "jump" None 0 only 0 Ends;
    /// To the first target if the argument is truthy, else to the second.
    Branch "branch" None 1 only 0 Ends;
    /// To the first target if the argument is `undefined` or `null`, else to the second.
    BranchNullish "branch_nullish" None 1 only 0 Ends;
    /// To the target of the first case that is strictly equal to the argument, else to the last target.
    Switch "switch" Cases 1 only 0 Ends;
    /// Returns the argument.
    Return "return" None 1 only 0 Ends;
    /// Throws the argument: out of the function, or to its target, a handler.
    Throw "throw" None 1 only 0 Ends;
    /// Throws a new error of this kind (`TypeError`, ..) with this message.
    ThrowError "throw_error" Pair 0 only 0 Ends;
    /// Control does not come here.
    Unreachable "unreachable" None 0 only 0 Ends;
    /// What was thrown, in the first instruction of a handler.
    Catch "catch" None 0 only 1 Writes;
    /// Where the call of a generator function ends and the first `next()` goes on: what stands before it is done by the call.
    StartGenerator "start_generator" None 0 only 0 Writes;
    /// `debugger`.
    Debugger "debugger" None 0 only 0 Runs;

    // What a function finds.
    /// `this`. It throws in a derived constructor before `super()`.
    This "this" None 0 only 1 Pure;
    /// `this` where it may not be there yet: in derived constructors and in arrow functions inside of them.
    ThisChecked "this_checked" None 0 only 1 Runs;
    /// `new.target`.
    NewTarget "new_target" None 0 only 1 Computes;
    /// `import.meta`.
    ImportMeta "import_meta" None 0 only 1 Computes;
    /// The object `arguments`, always the same one. In arrow functions that of the function around them.
    Arguments "arguments" None 0 only 1 Computes;

    // Accesses to variables, in functions that are lowered for their facts.
    /// Assigns the argument, in the access with this index.
    Define "define" Index 1 only 1 Writes;
    /// Reads the argument, in the access with this index.
    Mention "mention" Index 1 only 0 Writes;

    // Bindings that are not SSA values.
    /// What a name means here that the source text binds natively: a function expression's or class's own name inside of it, an import.
    Native "native" Name 0 only 1 Runs;
    /// A global variable, or a name that `with` or `eval` may have given any meaning. Throws if there is none.
    GetName "get_name" Name 0 only 1 Runs;
    /// `typeof` such a name, which need not be there.
    TypeofName "typeof_name" Name 0 only 1 Runs;
    /// Assigns to such a name.
    SetName "set_name" Name 1 only 0 Runs;
    /// `delete` such a name.
    DeleteName "delete_name" Name 0 only 1 Runs;
    /// Initializes a `let`, `const` or `class` of a script.
    InitName "init_name" Name 1 only 0 Writes;
    /// Begins a `with` on an object.
    EnterWith "enter_with" None 1 only 0 Runs;
    /// Ends the innermost `with`.
    LeaveWith "leave_with" None 0 only 0 Writes;
    /// A new cell, for a variable of that name that closures capture: with the argument in it, or uninitialized.
    NewCell "new_cell" Name 0 more 1 Pure;
    /// The captured cell with this index.
    Captured "captured" Index 0 only 1 Computes;
    /// The cell of the parameter with this index, which `arguments` aliases.
    ParamCell "param_cell" Index 0 only 1 Computes;
    /// Other modules see what is in this cell, from when the module begins: it stays, whatever happens to it here.
    Export "export" None 1 only 0 Writes;
    /// What is in a cell, which is initialized.
    CellGet "cell_get" None 1 only 1 Pure;
    /// What is in a cell that is initialized and never written again.
    CellGetConst "cell_get_const" None 1 only 1 Computes;
    /// What is in a cell; throws a `ReferenceError` about this name if it is uninitialized.
    CellGetChecked "cell_get_checked" Name 1 only 1 Checks;
    /// Cell, value: writes a cell, for the first time or again.
    CellSet "cell_set" None 2 only 0 Writes;
    /// Cell, value: writes a cell again; throws a `ReferenceError` about this name if it is uninitialized.
    CellSetChecked "cell_set_checked" Name 2 only 0 Runs;
    /// The argument; throws a `ReferenceError` about this name if it is the constant `uninitialized`.
    CheckInitialized "check_initialized" Name 1 only 1 Checks;

    // Properties.
    /// `object.name`.
    Get "get" Name 1 only 1 Runs;
    /// `object[key]`.
    GetIndex "get_index" None 2 only 1 Runs;
    /// `object.name = value`; in strict code it throws where that fails.
    Set "set" Name 2 only 0 Runs;
    /// Object, key, value: `object[key] = value`.
    SetIndex "set_index" None 3 only 0 Runs;
    /// `delete object.name`.
    Delete "delete" Name 1 only 1 Runs;
    /// `delete object[key]`.
    DeleteIndex "delete_index" None 2 only 1 Runs;
    /// `super.name`.
    SuperGet "super_get" Name 0 only 1 Runs;
    /// `super[key]`.
    SuperGetIndex "super_get_index" None 1 only 1 Runs;
    /// `super.name = value`.
    SuperSet "super_set" Name 1 only 0 Runs;
    /// Key, value: `super[key] = value`.
    SuperSetIndex "super_set_index" None 2 only 0 Runs;
    /// `object.#name`.
    GetPrivate "get_private" Name 1 only 1 Runs;
    /// `object.#name = value`.
    SetPrivate "set_private" Name 2 only 0 Runs;
    /// `#name in object`.
    HasPrivate "has_private" Name 1 only 1 Runs;
    /// Object, key: the property key that `key` is converted to, after a check that `object` is neither `undefined` nor `null`.
    ToKeyOf "to_key_of" None 2 only 1 Runs;
    /// The property key that the argument is converted to.
    ToKey "to_key" None 1 only 1 Runs;
    /// Throws if the argument is `undefined` or `null`: what object patterns do first.
    CheckCoercible "check_coercible" None 1 only 0 Runs;
    /// Value, arguments of the pattern: takes the value apart. There is a result for each `value` of the pattern; its cells
    /// and properties are assigned in order, before later elements are read. Defaults are arguments.
    Destructure "destructure" Pattern 1 more 0 Runs;
    /// Object, further keys: a new object with all own enumerable properties but those with these names and keys.
    ObjectRest "object_rest" Names 1 more 1 Runs;

    // Calls.
    /// Callee, arguments: a call without a receiver. A spread argument is number 1 or higher.
    Call "call" Spreads 1 more 1 Runs;
    /// Callee, receiver, arguments.
    CallThis "call_this" Spreads 2 more 1 Runs;
    /// A direct `eval` of its arguments.
    CallEval "call_eval" Spreads 0 more 1 Runs;
    /// Callee, arguments: `new callee(..)`.
    New "new" Spreads 1 more 1 Runs;
    /// `super(..)`.
    SuperCall "super_call" Spreads 0 more 1 Runs;
    /// Callee, receiver, array: a call with the elements of an array that the program does not see.
    CallArray "call_array" None 3 only 1 Runs;
    /// Callee, array.
    NewArray "new_array" None 2 only 1 Runs;
    /// Array.
    SuperCallArray "super_call_array" None 1 only 1 Runs;
    /// `import(specifier)`, or with options as second argument. The name is a phase (`source`, `defer`), or empty.
    Import "import" Name 1 more 1 Runs;

    // Literals.
    /// A new regular expression.
    RegExp "regexp" Pair 0 only 1 Pure;
    /// The object that a tag of a template gets, the same one each time.
    TemplateObject "template_object" Strings 0 only 1 Pure;
    /// A template with the arguments between its strings.
    Template "template" Strings 0 more 1 Runs;
    /// A new object. Arguments are what its elements take, in their order.
    Object "object" Layout 0 more 1 Runs;
    /// A new array.
    Array "array" Layout 0 more 1 Runs;
    /// Array, value: appends an element to an array that the program does not see yet.
    Append "append" None 2 only 0 Writes;
    /// Array, iterable: appends all elements.
    AppendSpread "append_spread" None 2 only 0 Runs;
    /// Array: appends a hole.
    AppendHole "append_hole" None 1 only 0 Writes;
    /// Cells: a new closure of the function with this index, which captures them.
    Closure "closure" Index 0 more 1 Pure;
    /// Key, cells: the same; the function is called by that property key.
    ClosureNamed "closure_named" Index 1 more 1 Pure;
    /// Superclass if there is one, keys, cells: the class with this index.
    Class "class" Index 0 more 1 Runs;
    /// Key, the same: the class is called by that property key.
    ClassNamed "class_named" Index 1 more 1 Runs;
    /// A JSX element or fragment.
    Jsx "jsx" Layout 0 more 1 Runs;

    // Operators.
    /// `a + b`.
    Add "add" None 2 only 1 Runs;
    /// `a - b`.
    Sub "sub" None 2 only 1 Runs;
    /// `a * b`.
    Mul "mul" None 2 only 1 Runs;
    /// `a / b`.
    Div "div" None 2 only 1 Runs;
    /// `a % b`.
    Rem "rem" None 2 only 1 Runs;
    /// `a ** b`.
    Pow "pow" None 2 only 1 Runs;
    /// `a << b`.
    Shl "shl" None 2 only 1 Runs;
    /// `a >> b`.
    Shr "shr" None 2 only 1 Runs;
    /// `a >>> b`.
    UShr "ushr" None 2 only 1 Runs;
    /// `a & b`.
    And "and" None 2 only 1 Runs;
    /// `a | b`.
    Or "or" None 2 only 1 Runs;
    /// `a ^ b`.
    Xor "xor" None 2 only 1 Runs;
    /// `a == b`.
    Eq "eq" None 2 only 1 Runs;
    /// `a != b`.
    Ne "ne" None 2 only 1 Runs;
    /// `a === b`.
    StrictEq "strict_eq" None 2 only 1 Computes;
    /// `a !== b`.
    StrictNe "strict_ne" None 2 only 1 Computes;
    /// `a < b`.
    Lt "lt" None 2 only 1 Runs;
    /// `a <= b`.
    Le "le" None 2 only 1 Runs;
    /// `a > b`.
    Gt "gt" None 2 only 1 Runs;
    /// `a >= b`.
    Ge "ge" None 2 only 1 Runs;
    /// `a in b`.
    In "in" None 2 only 1 Runs;
    /// `a instanceof b`.
    InstanceOf "instance_of" None 2 only 1 Runs;
    /// `-a`.
    Neg "neg" None 1 only 1 Runs;
    /// `+a`.
    ToNumber "to_number" None 1 only 1 Runs;
    /// `!a`.
    Not "not" None 1 only 1 Computes;
    /// `~a`.
    BitNot "bit_not" None 1 only 1 Runs;
    /// `typeof a`.
    Typeof "typeof" None 1 only 1 Computes;
    /// The number or BigInt that `a++` gives.
    ToNumeric "to_numeric" None 1 only 1 Runs;
    /// One more than a number or BigInt.
    Inc "inc" None 1 only 1 Computes;
    /// One less than a number or BigInt.
    Dec "dec" None 1 only 1 Computes;
    /// The string that a template makes of the argument.
    ToString "to_string" None 1 only 1 Runs;

    // Iteration.
    /// The iterator of an iterable, with its method `next`, which is read once.
    GetIterator "get_iterator" None 1 only 1 Runs;
    /// The same for `for await`: by `Symbol.asyncIterator`, or a synchronous iterator whose results are awaited.
    GetAsyncIterator "get_async_iterator" None 1 only 1 Runs;
    /// Calls `next`; throws if the result is no object.
    IteratorNext "iterator_next" None 1 only 1 Runs;
    /// Calls `next`, whose result is to be awaited.
    IteratorCall "iterator_call" None 1 only 1 Runs;
    /// Throws if the argument is no object: the result of an iterator.
    CheckResult "check_result" None 1 only 0 Runs;
    /// Whether the result of an iterator says that it is done.
    IteratorDone "iterator_done" None 1 only 1 Runs;
    /// The value in the result of an iterator.
    IteratorValue "iterator_value" None 1 only 1 Runs;
    /// Calls `return` if there is one; throws if the result is no object.
    IteratorClose "iterator_close" None 1 only 0 Runs;
    /// Calls `return` if there is one, and ignores what comes of it, exceptions included.
    IteratorAbandon "iterator_abandon" None 1 only 0 Runs;
    /// The method `return`, or `undefined`.
    IteratorReturn "iterator_return" None 1 only 1 Runs;
    /// The iterator as the program knows it.
    IteratorObject "iterator_object" None 1 only 1 Computes;
    /// Enumerates the properties of an object, as `for-in` does; nothing of `undefined` and `null`.
    ForIn "for_in" None 1 only 1 Runs;
    /// The next result of the enumeration, as an iterator gives them: its value is a key.
    ForInNext "for_in_next" None 1 only 1 Runs;

    // Generators and async functions.
    /// `yield a`, where `return()` has nothing to do but to end the generator.
    Yield "yield" None 1 only 1 Runs;
    /// `yield* a`, likewise.
    Delegate "delegate" None 1 only 1 Runs;
    /// `yield a`; `return(b)` throws a completion that holds `b`.
    YieldInside "yield_inside" None 1 only 1 Runs;
    /// `yield* a`, likewise.
    DelegateInside "delegate_inside" None 1 only 1 Runs;
    /// Whether the argument is a completion that [`YieldInside`](Self::YieldInside) has thrown.
    IsReturn "is_return" None 1 only 1 Computes;
    /// What such a completion holds.
    ReturnValue "return_value" None 1 only 1 Computes;
    /// `await a`.
    Await "await" None 1 only 1 Runs;
}

/// By opcode, so that a query is a load.
static PROPERTIES: [Properties; Opcode::ALL.len()] = {
    let mut table = [Properties::KEPT; Opcode::ALL.len()];
    let mut index = 0;
    while index < table.len() {
        table[index] = properties(Opcode::ALL[index]);
        index += 1;
    }
    table
};

/// No value is undefined in a valid function: `undefined` is a constant.
const fn properties(opcode: Opcode) -> Properties {
    Properties {
        has_effect: !matches!(opcode.effect(), Effect::Computes | Effect::Pure),
        only_branches: matches!(opcode, Opcode::Jump | Opcode::Branch | Opcode::BranchNullish | Opcode::Switch),
        may_throw: opcode.may_throw(),
        needs_defined: false,
        makes_undefined: false,
        computes: matches!(opcode.effect(), Effect::Computes),
        // A cell is identified by the instruction that creates it, and so is the object that a template's tag receives.
        may_copy: !matches!(opcode, Opcode::NewCell | Opcode::TemplateObject | Opcode::StartGenerator),
    }
}

impl Opcode {
    /// What passes may assume of it, whatever its immediates are.
    #[inline]
    pub(super) fn properties(self) -> Properties {
        PROPERTIES[self as usize]
    }

    /// Whether it ends its block even without targets.
    pub fn is_terminator(self) -> bool {
        self.effect() == Effect::Ends
    }

    /// Whether it may throw.
    pub const fn may_throw(self) -> bool {
        match self.effect() {
            Effect::Checks | Effect::Runs => true,
            Effect::Ends => matches!(self, Self::Throw | Self::ThrowError),
            Effect::Computes | Effect::Pure | Effect::Writes => false,
        }
    }
}
