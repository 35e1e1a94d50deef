//! Records for debuggers: what says where a variable of the source program is, becomes what says which value it has.
//!
//! | a slot | a value |
//! |---|---|
//! | `call void @llvm.dbg.declare(metadata ptr %x, metadata !1, metadata !DIExpression()), !dbg !2` | `call void @llvm.dbg.value(metadata i32 %v, metadata !1, metadata !DIExpression()), !dbg !2` |
//! | `#dbg_declare(ptr %x, !1, !DIExpression(), !2)` | `#dbg_value(i32 %v, !1, !DIExpression(), !2)` |
//! | `call void @llvm.dbg.addr(..)`, which LLVM 16 is the last to know | the same as for `declare` |
//! | `#dbg_declare(..)` of a slot that is not the whole variable | `#dbg_value(i32 poison, !1, !DIExpression(), !2)` at stores, and nothing at phis |
//! | `#dbg_assign(i32 %v, !1, !DIExpression(), !3, ptr %x, !DIExpression(), !2)` | `#dbg_value(i32 %v, !1, !DIExpression(), !2)` |
//!
//! A slot is not the whole variable if it is an array whose length is not known, or if the variable is at an address computed from that in
//! the slot. LLVM also compares sizes, and here they are not known.

use crate::scan::len_until;
use crate::template::push_text;
use std::sync::Arc;

/// The record of a value of a variable of the source program.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub(crate) text: Arc<str>,
    /// Whether the text has a hole for the value: the slot contains the whole variable. Otherwise, the record says that the value is not
    /// known.
    pub(crate) has_hole: bool,
}

impl Record {
    /// The record for the declaration of a slot with values of the type; `unknown` is what is written for a value that is not known.
    pub(crate) fn of_declaration(declaration: &str, ty: &str, unknown: Option<&str>) -> Option<Self> {
        let text = value_for_declaration(declaration, ty, unknown.unwrap_or("{}"))?.into();
        Some(Self { text, has_hole: unknown.is_none() })
    }
}

/// Whether the variable of a declaration is at an address that is computed from the one in the slot.
pub(crate) fn is_of_computed_address(declaration: &str) -> bool {
    declaration.contains("!DIExpression(DW_OP_deref, ")
}

/// The record of a value in place of the declaration of a slot with values of the type.
fn value_for_declaration(declaration: &str, ty: &str, value: &str) -> Option<String> {
    let (start, operands, rest) = operands_of(declaration)?;
    let [_, others @ ..] = &operands[..] else { return None };
    let is_call = !start.starts_with('#');
    let mut record = String::from(if is_call { "call void @llvm.dbg.value(metadata " } else { "#dbg_value(" });
    push_text(ty, &mut record);
    record.push(' ');
    record.push_str(value);
    for operand in others {
        record.push_str(", ");
        record.push_str(operand);
    }
    record.push_str(rest);
    Some(record)
}

/// The record of a value in place of one that also says to which slot it was assigned.
///
/// It has the holes of the old one up to the first operand.
pub(crate) fn value_for_assignment(assignment: &str) -> Option<String> {
    let (start, operands, rest) = operands_of(assignment)?;
    let is_call = !start.starts_with('#');
    let (name, place) = if is_call { ("call void @llvm.dbg.value(", None) } else { ("#dbg_value(", operands.get(6)) };
    let kept = operands.get(..3)?;
    let mut record = String::from(name);
    record.push_str(&kept.join(", "));
    if let Some(place) = place {
        record.push_str(", ");
        record.push_str(place);
    }
    record.push_str(rest);
    Some(record)
}

/// The text before the parenthesis, the operands, and the text from the closing one on.
fn operands_of(text: &str) -> Option<(&str, Vec<&str>, &str)> {
    let open = text.find('(')?;
    let inner = &text[open + 1..];
    let close = len_until(inner.as_bytes(), |_| false);
    let mut operands = Vec::new();
    let mut rest = &inner[..close];
    while !rest.is_empty() {
        let len = len_until(rest.as_bytes(), |byte| byte == b',');
        operands.push(rest[..len].trim_ascii());
        rest = rest.get(len + 1..).unwrap_or("");
    }
    Some((&text[..open], operands, &inner[close..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_become_values() {
        let old = "call void @llvm.dbg.declare(metadata ptr {}, metadata !1, metadata !DIExpression()), !dbg !2";
        let new = "call void @llvm.dbg.value(metadata {{ i32 }} {}, metadata !1, metadata !DIExpression()), !dbg !2";
        assert_eq!(value_for_declaration(old, "{ i32 }", "{}").as_deref(), Some(new));
        let old = "#dbg_declare(ptr {}, !1, !DIExpression(DW_OP_plus_uconst, 4), !2)";
        let new = "#dbg_value(i32 {}, !1, !DIExpression(DW_OP_plus_uconst, 4), !2)";
        assert_eq!(value_for_declaration(old, "i32", "{}").as_deref(), Some(new));
    }

    #[test]
    fn assignments_become_values() {
        let old = "#dbg_assign(i32 {}, !1, !DIExpression(), !3, ptr {}, !DIExpression(), !2)";
        assert_eq!(value_for_assignment(old).as_deref(), Some("#dbg_value(i32 {}, !1, !DIExpression(), !2)"));
        let old = "call void @llvm.dbg.assign(metadata i32 5, metadata !1, metadata !DIExpression(), metadata !3, metadata ptr {}, metadata !DIExpression()), !dbg !2";
        let new = "call void @llvm.dbg.value(metadata i32 5, metadata !1, metadata !DIExpression()), !dbg !2";
        assert_eq!(value_for_assignment(old).as_deref(), Some(new));
    }
}
