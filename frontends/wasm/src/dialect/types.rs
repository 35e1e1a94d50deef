//! Types and their spelling.
//!
//! A reference type is spelled as in the text format of WebAssembly, with dots
//! for parentheses: `(ref null func)` is `ref.null.func`, `(ref 5)` is
//! `ref.5`. Type indices are the module's.
//!
//! Subtyping follows the specification, as far as it can be decided without the
//! module: the definitions behind type indices were checked when the module was
//! validated.

use std::fmt;
use wasmparser::{AbstractHeapType, HeapType, PackedIndex, RefType, UnpackedIndex, ValType};

/// The type of a value or variable; `i32` is the one that is not printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Type(pub ValType);

impl Default for Type {
    fn default() -> Self {
        Self(ValType::I32)
    }
}

impl From<ValType> for Type {
    fn from(ty: ValType) -> Self {
        Self(ty)
    }
}

const ABSTRACT: [(AbstractHeapType, &str); 14] = [
    (AbstractHeapType::Func, "func"),
    (AbstractHeapType::Extern, "extern"),
    (AbstractHeapType::Any, "any"),
    (AbstractHeapType::None, "none"),
    (AbstractHeapType::NoExtern, "noextern"),
    (AbstractHeapType::NoFunc, "nofunc"),
    (AbstractHeapType::Eq, "eq"),
    (AbstractHeapType::Struct, "struct"),
    (AbstractHeapType::Array, "array"),
    (AbstractHeapType::I31, "i31"),
    (AbstractHeapType::Exn, "exn"),
    (AbstractHeapType::NoExn, "noexn"),
    (AbstractHeapType::Cont, "cont"),
    (AbstractHeapType::NoCont, "nocont"),
];

pub(super) fn print_type(ty: ValType, out: &mut dyn fmt::Write) -> fmt::Result {
    match ty {
        ValType::I32 => out.write_str("i32"),
        ValType::I64 => out.write_str("i64"),
        ValType::F32 => out.write_str("f32"),
        ValType::F64 => out.write_str("f64"),
        ValType::V128 => out.write_str("v128"),
        ValType::Ref(ty) => print_ref_type(ty, out),
    }
}

pub(super) fn parse_type(word: &str) -> Option<ValType> {
    match word {
        "i32" => Some(ValType::I32),
        "i64" => Some(ValType::I64),
        "f32" => Some(ValType::F32),
        "f64" => Some(ValType::F64),
        "v128" => Some(ValType::V128),
        _ => parse_ref_type(word).map(ValType::Ref),
    }
}

pub(super) fn print_ref_type(ty: RefType, out: &mut dyn fmt::Write) -> fmt::Result {
    out.write_str(if ty.is_nullable() { "ref.null." } else { "ref." })?;
    print_heap_type(ty.heap_type(), out)
}

pub(super) fn parse_ref_type(word: &str) -> Option<RefType> {
    let word = word.strip_prefix("ref.")?;
    let heap = word.strip_prefix("null.");
    RefType::new(heap.is_some(), parse_heap_type(heap.unwrap_or(word))?)
}

pub(super) fn print_heap_type(ty: HeapType, out: &mut dyn fmt::Write) -> fmt::Result {
    match ty {
        HeapType::Abstract { shared, ty } => {
            let name = ABSTRACT.iter().find(|(other, _)| *other == ty).map_or("?", |(_, name)| name);
            write!(out, "{}{name}", if shared { "shared." } else { "" })
        }
        HeapType::Concrete(index) => write!(out, "{}", number(index)),
        HeapType::Exact(index) => write!(out, "exact.{}", number(index)),
    }
}

pub(super) fn parse_heap_type(word: &str) -> Option<HeapType> {
    let index = |digits: &str| {
        let index = PackedIndex::from_module_index(digits.parse().ok()?)?;
        index.as_module_index().map(UnpackedIndex::Module)
    };
    if word.starts_with(|c: char| c.is_ascii_digit()) {
        return index(word).map(HeapType::Concrete);
    }
    if let Some(digits) = word.strip_prefix("exact.") {
        return index(digits).map(HeapType::Exact);
    }
    let name = word.strip_prefix("shared.");
    let (ty, _) = ABSTRACT.into_iter().find(|(_, other)| *other == name.unwrap_or(word))?;
    Some(HeapType::Abstract { shared: name.is_some(), ty })
}

/// Whether a value of type `sub` may be used as one of type `of`; true if this depends on the module's types.
pub(super) fn is_subtype(sub: ValType, of: ValType) -> bool {
    match (sub, of) {
        (ValType::Ref(sub), ValType::Ref(of)) => {
            (of.is_nullable() || !sub.is_nullable()) && is_heap_subtype(sub.heap_type(), of.heap_type())
        }
        _ => sub == of,
    }
}

fn is_heap_subtype(sub: HeapType, of: HeapType) -> bool {
    use AbstractHeapType::{Any, Array, Cont, Eq, Func, NoCont, NoFunc, None, Struct};
    match (sub, of) {
        (HeapType::Abstract { shared, ty }, HeapType::Abstract { shared: of_shared, ty: of }) => {
            shared == of_shared && is_abstract_subtype(ty, of)
        }
        (HeapType::Abstract { ty, .. }, _) => matches!(ty, None | NoFunc | NoCont),
        (_, HeapType::Abstract { ty, .. }) => matches!(ty, Any | Eq | Struct | Array | Func | Cont),
        (HeapType::Concrete(_), HeapType::Exact(_)) => false,
        (HeapType::Exact(sub), HeapType::Exact(of)) => sub == of,
        (_, HeapType::Concrete(_)) => true,
    }
}

fn is_abstract_subtype(sub: AbstractHeapType, of: AbstractHeapType) -> bool {
    use AbstractHeapType::{Any, Array, Cont, Eq, Exn, Extern, Func, I31};
    use AbstractHeapType::{NoCont, NoExn, NoExtern, NoFunc, None, Struct};
    let is_below = match of {
        Any => matches!(sub, Eq | I31 | Struct | Array | None),
        Eq => matches!(sub, I31 | Struct | Array | None),
        I31 | Struct | Array => sub == None,
        Func => sub == NoFunc,
        Extern => sub == NoExtern,
        Exn => sub == NoExn,
        Cont => sub == NoCont,
        None | NoFunc | NoExtern | NoExn | NoCont => false,
    };
    is_below || sub == of
}

fn number(index: UnpackedIndex) -> u32 {
    match index {
        UnpackedIndex::Module(index) | UnpackedIndex::RecGroup(index) => index,
        // A module replaces ids with indices before types get here.
        UnpackedIndex::Id(_) => u32::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_survive_printing() {
        let words =
            ["i32", "v128", "ref.func", "ref.null.extern", "ref.7", "ref.null.0", "ref.exact.3", "ref.shared.any"];
        for word in words {
            let ty = parse_type(word).unwrap_or_else(|| panic!("{word} is a type"));
            let mut text = String::new();
            print_type(ty, &mut text).expect("a string takes everything");
            assert_eq!(text, word);
        }
    }

    #[test]
    fn references_have_subtypes() {
        let is_below = |sub: &str, of: &str| {
            let [sub, of] = [sub, of].map(|word| parse_type(word).unwrap_or_else(|| panic!("{word} is a type")));
            assert!(is_subtype(sub, sub) && is_subtype(of, of));
            is_subtype(sub, of) && (sub == of || !is_subtype(of, sub))
        };
        for (sub, of) in [
            ("ref.func", "ref.null.func"),
            ("ref.null.nofunc", "ref.null.func"),
            ("ref.null.none", "ref.null.eq"),
            ("ref.i31", "ref.eq"),
            ("ref.struct", "ref.null.any"),
            ("ref.5", "ref.func"),
            ("ref.exact.5", "ref.null.struct"),
            ("ref.none", "ref.null.7"),
            ("ref.exact.5", "ref.5"),
            ("ref.null.shared.none", "ref.null.shared.any"),
        ] {
            assert!(is_below(sub, of), "{sub} {of}");
        }
        for (sub, of) in [
            ("i32", "i64"),
            ("i64", "ref.null.any"),
            ("ref.null.func", "ref.func"),
            ("ref.func", "ref.null.any"),
            ("ref.null.extern", "ref.null.any"),
            ("ref.5", "ref.null.extern"),
            ("ref.i31", "ref.struct"),
            ("ref.5", "ref.exact.5"),
            ("ref.exact.5", "ref.exact.6"),
            ("ref.extern", "ref.5"),
            ("ref.shared.none", "ref.any"),
            ("ref.i31", "ref.none"),
        ] {
            assert!(!is_below(sub, of), "{sub} {of}");
        }
        // Which of the two it is, the module knows.
        let [one, other] = ["ref.5", "ref.6"].map(|word| parse_type(word).expect("these are types"));
        assert!(is_subtype(one, other) && is_subtype(other, one));
    }

    #[test]
    fn what_is_no_type_is_none() {
        for word in ["", "ref", "ref.", "ref.null", "i33", "ref.99999999999", "ref.4194304", "func"] {
            assert_eq!(parse_type(word), None, "{word}");
        }
    }
}
