//! Records for debuggers: what says where a variable of the source program is, becomes what says which value it has.
//!
//! | a slot | a value |
//! |---|---|
//! | `call void @llvm.dbg.declare(metadata ptr %x, metadata !1, metadata !DIExpression()), !dbg !2` | `call void @llvm.dbg.value(metadata i32 %v, metadata !1, metadata !DIExpression()), !dbg !2` |
//! | `#dbg_declare(ptr %x, !1, !DIExpression(), !2)` | `#dbg_value(i32 %v, !1, !DIExpression(), !2)` |
//! | `#dbg_assign(i32 %v, !1, !DIExpression(), !3, ptr %x, !DIExpression(), !2)` | `#dbg_value(i32 %v, !1, !DIExpression(), !2)` |

use crate::scan::len_until;
use crate::template::push_text;

/// The record of a value, with a hole for it, in place of the declaration of a slot with values of the type.
pub(crate) fn value_for_declaration(declaration: &str, ty: &str) -> Option<String> {
    let (start, operands, rest) = operands_of(declaration)?;
    let [_, others @ ..] = &operands[..] else { return None };
    let is_call = !start.starts_with('#');
    let mut record = String::from(if is_call { "call void @llvm.dbg.value(metadata " } else { "#dbg_value(" });
    push_text(ty, &mut record);
    record.push_str(" {}");
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
        operands.push(rest[..len].trim());
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
        assert_eq!(value_for_declaration(old, "{ i32 }").as_deref(), Some(new));
        let old = "#dbg_declare(ptr {}, !1, !DIExpression(DW_OP_plus_uconst, 4), !2)";
        let new = "#dbg_value(i32 {}, !1, !DIExpression(DW_OP_plus_uconst, 4), !2)";
        assert_eq!(value_for_declaration(old, "i32").as_deref(), Some(new));
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
