//! The operators, with their names, immediates and arities.
//!
//! Everything is derived from `wasmparser`'s list of operators; the few tables
//! here supply the rest.

use ssaphire_ir::{Properties, UnknownName};
use std::collections::HashMap;
use std::str::FromStr;
use std::sync::LazyLock;
use wasmparser::Operator;

/// The immediates in the text of an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// None, or only immediates that become arguments, constants, types or targets.
    None,
    Index,
    Indices,
    Callee,
    Lane,
    Lanes,
    Memory,
    MemoryLane,
    Heap,
    Cast,
    /// Only the order of an atomic operation, which may also precede other immediates.
    Fence,
    OrderedIndex,
    OrderedIndices,
}

/// The form for the names of an operator's immediates.
macro_rules! form {
    (function_index) => {
        Form::Callee
    };
    (lane) => {
        Form::Lane
    };
    (lanes) => {
        Form::Lanes
    };
    (memarg) => {
        Form::Memory
    };
    (memarg lane) => {
        Form::MemoryLane
    };
    (hty) => {
        Form::Heap
    };
    (relative_depth from_ref_type to_ref_type) => {
        Form::Cast
    };
    (relative_depth) => {
        Form::None
    };
    (blockty) => {
        Form::None
    };
    (try_table) => {
        Form::None
    };
    (targets) => {
        Form::None
    };
    (value) => {
        Form::None
    };
    (ty) => {
        Form::None
    };
    (tys) => {
        Form::None
    };
    (ordering) => {
        Form::Fence
    };
    (ordering $index:ident) => {
        Form::OrderedIndex
    };
    (ordering $first:ident $second:ident) => {
        Form::OrderedIndices
    };
    (cont_type_index resume_table) => {
        Form::Index
    };
    (cont_type_index tag_index resume_table) => {
        Form::Indices
    };
    ($index:ident) => {
        Form::Index
    };
    ($first:ident $second:ident) => {
        Form::Indices
    };
    ($($other:ident)*) => {
        Form::None
    };
}

/// Numbers of arguments and results, if the operator alone determines them.
macro_rules! arity {
    (arity custom) => {
        None
    };
    (arity memarg $args:literal -> $results:literal) => {
        Some(($args, $results))
    };
    (arity $args:literal -> $results:literal) => {
        Some(($args, $results))
    };
}

macro_rules! define_opcodes {
    ($( @$proposal:ident $op:ident $({ $($arg:ident: $argty:ty),* })? => $visit:ident ($($ann:tt)*) )*) => {
        /// An operator without its immediates: those of `wasmparser`, and three of this dialect.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[allow(missing_docs, reason = "the variants are the operators of WebAssembly")]
        pub enum Opcode {
            $($op,)*
            /// Begins a handler that receives the payload of an exception with a given tag, and the exception itself.
            CatchRef,
            /// Begins a handler that receives the exception.
            CatchAllRef,
            /// Begins the target of a suspension: it defines the payload of the tag, and the continuation.
            Suspended,
        }

        impl Opcode {
            /// The name of an operator, and the proposal it belongs to.
            pub(crate) fn origin(operator: &Operator<'_>) -> (&'static str, &'static str) {
                #[allow(unreachable_patterns, reason = "the list may be complete")]
                match operator {
                    $(Operator::$op { .. } => (Self::$op.name(), stringify!($proposal)),)*
                    _ => ("operator", "unknown"),
                }
            }

            /// The operator without its immediates, or `None` if `wasmparser` does not list it.
            pub fn of(operator: &Operator<'_>) -> Option<Self> {
                #[allow(unreachable_patterns, reason = "the list may be complete")]
                match operator {
                    $(Operator::$op { .. } => Some(Self::$op),)*
                    _ => None,
                }
            }
        }

        const OPERATORS: &[(Opcode, &str, Form, Option<(usize, usize)>)] = &[
            $((Opcode::$op, stringify!($visit), form!($($($arg)*)?), arity!($($ann)*)),)*
            (Opcode::CatchRef, "visit_catch_ref", Form::Index, None),
            (Opcode::CatchAllRef, "visit_catch_all_ref", Form::None, Some((0, 1))),
            (Opcode::Suspended, "visit_suspended", Form::Index, None),
        ];
    };
}

wasmparser::for_each_operator!(define_opcodes);

/// Words that precede the dot of a name.
const PREFIXES: &[&str] = &[
    "i32", "i64", "f32", "f64", "v128", "i8x16", "i16x8", "i32x4", "i64x2", "f32x4", "f64x2", "local", "global",
    "memory", "table", "data", "elem", "ref", "struct", "array", "i31", "any", "extern", "atomic", "cont",
];

/// Names that do not follow from those of `wasmparser`.
const NAMES: &[(Opcode, &str)] = &[
    (Opcode::Br, "jump"),
    (Opcode::RefTestNonNull, "ref.test"),
    (Opcode::RefTestNullable, "ref.test_null"),
    (Opcode::RefCastNonNull, "ref.cast"),
    (Opcode::RefCastNullable, "ref.cast_null"),
    (Opcode::RefCastDescEqNonNull, "ref.cast_desc_eq"),
    (Opcode::RefCastDescEqNullable, "ref.cast_desc_eq_null"),
];

/// Operators that compute from their arguments alone although their names do not show it.
const COMPUTES: &[Opcode] = &[Opcode::Select, Opcode::RefFunc, Opcode::RefIsNull, Opcode::RefEq, Opcode::RefI31];

/// Other operators that do not write, trap or leave.
const PURE: &[Opcode] = &[
    Opcode::GlobalGet,
    Opcode::MemorySize,
    Opcode::TableSize,
    Opcode::RefTestNonNull,
    Opcode::RefTestNullable,
    Opcode::AnyConvertExtern,
    Opcode::ExternConvertAny,
    Opcode::StructNew,
    Opcode::StructNewDefault,
];

struct Table {
    rows: Vec<Row>,
    by_name: HashMap<String, Opcode>,
}

struct Row {
    name: String,
    form: Form,
    arity: Option<(usize, usize)>,
    properties: Properties,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let row = |&(opcode, visit, form, arity): &(Opcode, &str, Form, _)| {
        let name = name_of(opcode, visit);
        let computes = COMPUTES.contains(&opcode) || computes(&name);
        let is_pure = PURE.contains(&opcode) || computes && !may_trap(&name);
        // No value is undefined: a local starts as zero or null.
        let properties = Properties {
            has_effect: !is_pure,
            only_branches: opcode.is_branch(),
            may_throw: opcode.may_throw(),
            computes,
            ..Properties::REMOVABLE
        };
        Row { name, form, arity, properties }
    };
    let rows: Vec<_> = OPERATORS.iter().map(row).collect();
    let by_name = rows.iter().zip(OPERATORS).map(|(row, operator)| (row.name.clone(), operator.0)).collect();
    Table { rows, by_name }
});

fn name_of(opcode: Opcode, visit: &str) -> String {
    if let Some((_, name)) = NAMES.iter().find(|(other, _)| *other == opcode) {
        return (*name).to_owned();
    }
    let name = visit.strip_prefix("visit_").unwrap_or(visit);
    let Some((prefix, mut rest)) = name.split_once('_').filter(|(prefix, _)| PREFIXES.contains(prefix)) else {
        return name.to_owned();
    };
    let mut dotted = prefix.to_owned();
    // `i32_atomic_rmw8_add_u` is `i32.atomic.rmw8.add_u`.
    while let Some((word, after)) = rest.split_once('_').filter(|(word, _)| is_group(word)) {
        dotted.push('.');
        dotted.push_str(word);
        rest = after;
    }
    dotted + "." + rest
}

fn is_group(word: &str) -> bool {
    word == "atomic" || word.strip_prefix("rmw").is_some_and(|width| matches!(width, "" | "8" | "16" | "32"))
}

/// Whether the operator of this name computes numbers from its arguments alone.
fn computes(name: &str) -> bool {
    let Some((prefix, operation)) = name.split_once('.') else { return false };
    let is_numeric = prefix.contains(['2', '4', '6', '8']);
    is_numeric && !["load", "store", "atomic"].iter().any(|word| operation.starts_with(word))
}

/// Whether an operator on numbers has no result for some arguments.
fn may_trap(name: &str) -> bool {
    let Some((prefix, operation)) = name.split_once('.') else { return false };
    let divides = matches!(operation, "div_s" | "div_u" | "rem_s" | "rem_u");
    divides || matches!(prefix, "i32" | "i64") && operation.starts_with("trunc_f")
}

impl Opcode {
    fn row(self) -> &'static Row {
        &TABLE.rows[self as usize]
    }

    /// Its name in the text format.
    pub fn name(self) -> &'static str {
        &self.row().name
    }

    /// The operator with this name.
    ///
    /// Parsers call this for words that may be no operators. For input use `FromStr`, whose error says more.
    pub fn from_name(name: &str) -> Option<Self> {
        TABLE.by_name.get(name).copied()
    }

    /// Whether it only computes from its arguments and from memory or state that it reads: it does not write, trap or
    /// leave.
    pub fn is_pure(self) -> bool {
        !self.row().properties.has_effect
    }

    /// Whether its results depend on its arguments alone, and it has no effect other than a trap.
    ///
    /// A relaxed operator may choose its result, but it chooses consistently within one run.
    pub fn computes(self) -> bool {
        self.row().properties.computes
    }

    /// What passes may assume of it.
    pub(super) fn properties(self) -> Properties {
        self.row().properties
    }

    /// The numbers of its arguments and results, if they do not depend on its immediates.
    pub(crate) fn arity(self) -> Option<(usize, usize)> {
        self.row().arity
    }

    pub(super) fn form(self) -> Form {
        self.row().form
    }

    /// Whether it always ends its block.
    pub fn is_terminator(self) -> bool {
        self.is_branch()
            || matches!(
                self,
                Self::Return
                    | Self::Unreachable
                    | Self::ReturnCall
                    | Self::ReturnCallIndirect
                    | Self::ReturnCallRef
                    | Self::Throw
                    | Self::ThrowRef
            )
    }

    /// Whether it always has targets.
    pub fn is_branch(self) -> bool {
        matches!(self, Self::Br | Self::BrIf | Self::BrTable) || self.is_reference_branch()
    }

    /// Whether it branches on a reference, refines its type on the first edge, and may take another reference.
    pub(crate) fn is_reference_branch(self) -> bool {
        matches!(self, Self::BrOnNull | Self::BrOnNonNull | Self::BrOnCast | Self::BrOnCastFail)
            || self.compares_descriptor()
    }

    /// Whether it branches on a reference and takes a descriptor, too.
    pub(crate) fn compares_descriptor(self) -> bool {
        matches!(self, Self::BrOnCastDescEq | Self::BrOnCastDescEqFail)
    }

    /// Whether a handler in the same frame may catch an exception of this operator.
    ///
    /// A tail call leaves its frame first. A suspended computation may be resumed with an exception.
    pub fn may_throw(self) -> bool {
        matches!(self, Self::Call | Self::CallIndirect | Self::CallRef | Self::Throw | Self::ThrowRef)
            || matches!(self, Self::Suspend | Self::Switch)
            || self.resumes()
    }

    /// Whether it resumes a continuation, with targets for the next suspension.
    pub(crate) fn resumes(self) -> bool {
        matches!(self, Self::Resume | Self::ResumeThrow | Self::ResumeThrowRef)
    }

    /// Whether its arguments are printed in parentheses, because targets may follow.
    pub(super) fn has_parentheses(self) -> bool {
        self.may_throw() || matches!(self, Self::ReturnCall | Self::ReturnCallIndirect | Self::ReturnCallRef)
    }
}

impl FromStr for Opcode {
    type Err = UnknownName;

    /// The operator with this name. The error does not list the hundreds of candidates.
    fn from_str(name: &str) -> Result<Self, UnknownName> {
        Self::from_name(name).ok_or_else(|| UnknownName::new("operator", name, []))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_are_called_as_in_the_text_format_of_webassembly() {
        let named = [
            (Opcode::I32Add, "i32.add"),
            (Opcode::I64Load16U, "i64.load16_u"),
            (Opcode::I32AtomicRmw8CmpxchgU, "i32.atomic.rmw8.cmpxchg_u"),
            (Opcode::MemoryAtomicWait32, "memory.atomic.wait32"),
            (Opcode::I8x16RelaxedSwizzle, "i8x16.relaxed_swizzle"),
            (Opcode::CallIndirect, "call_indirect"),
            (Opcode::ArrayNewFixed, "array.new_fixed"),
            (Opcode::RefAsNonNull, "ref.as_non_null"),
            (Opcode::F32x4DemoteF64x2Zero, "f32x4.demote_f64x2_zero"),
            (Opcode::BrOnCastFail, "br_on_cast_fail"),
        ];
        for (opcode, name) in named {
            assert_eq!(opcode.name(), name);
        }
    }

    #[test]
    fn names_lead_back_to_their_operators() {
        for (index, &(opcode, ..)) in OPERATORS.iter().enumerate() {
            assert_eq!(opcode as usize, index);
            assert_eq!(opcode.name().parse(), Ok(opcode));
        }
        let error = "i32.plus".parse::<Opcode>().unwrap_err();
        assert_eq!(error.to_string(), "\"i32.plus\": unknown operator");
    }

    #[test]
    fn what_may_trap_is_not_pure() {
        let pure = [Opcode::I32Add, Opcode::F64Div, Opcode::I32TruncSatF32S, Opcode::F32Trunc, Opcode::V128Bitselect];
        let impure = [Opcode::I32DivU, Opcode::I64TruncF64S, Opcode::I32Load, Opcode::V128Load8Lane, Opcode::I31GetS];
        assert!(pure.iter().all(|opcode| opcode.is_pure()));
        assert!(!impure.iter().any(|opcode| opcode.is_pure()));
    }
}
