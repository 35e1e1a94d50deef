//! Reads an instruction: its text becomes a template, its names become operands.

use super::statements::Statement;
use super::{Reader, bare, offset_in};
use crate::dialect::{Constant, EDGES, Llvm, Op, RESULT, Type};
use crate::error::{ReadError, ReadErrorKind};
use crate::scan::{comment_len, name_len, string_len, table_of, type_len, until_comma};
use crate::template::push_text;
use ssaphire::{Block, Value};
use ssaphire_ir::{Action, Arg, Dest, Inst, List};

/// By byte, whether it begins a name, a string or a comment, or is a brace, which a template doubles.
const IS_SPECIAL: [bool; 256] = table_of(b"%\";{}");

/// What an instruction consists of.
#[derive(Default)]
struct Parts {
    template: String,
    args: List<Arg, 2>,
    targets: List<Block, 4>,
}

impl<'t> Reader<'_, 't> {
    pub(super) fn read_inst(
        &mut self,
        statement: &Statement<'t>,
        insts: &mut Vec<Inst<Llvm>>,
    ) -> Result<(), ReadError> {
        let mut parts = Parts { template: std::mem::take(&mut self.template), ..Parts::default() };
        parts.template.clear();
        match stored_constant(statement.body) {
            Some((ty, value)) => {
                let at = offset_in(statement.body, value);
                self.add_text(&statement.body[..at], &mut parts)?;
                parts.template.push_str("{}");
                parts.args.push(Arg::Value(self.constant(value, ty)));
                self.add_text(&statement.body[at + value.len()..], &mut parts)?;
            }
            None => self.add_text(statement.body, &mut parts)?,
        }
        let Parts { template, args, targets } = parts;
        let result = statement.value.map(Dest::Value);
        let op = self.ops.op(&template);
        self.template = template;
        if result.is_none() && op.kind().has_result(op.text()) {
            return self.error(statement.body, ReadErrorKind::Unnamed);
        }
        if let (true, Some(result)) = (op.kind().is_terminator(), result) {
            let op = Op::joined(RESULT, op.text());
            insts.push(inst(op, args, List::new()).with_results([result]));
            insts.push(inst(Op::new(EDGES), List::new(), targets));
        } else {
            insts.push(inst(op, args, targets).with_results(result));
        }
        Ok(())
    }

    /// The value of a constant operand.
    pub(super) fn constant(&mut self, text: &'t str, ty: &str) -> Value {
        match text {
            "undef" => self.function.undefined_of_type(Type::new(ty)),
            _ => *self.constants.entry(text).or_insert_with(|| self.function.constant(Constant::new(text))),
        }
    }

    /// Adds text to a template, with names of values and blocks as operands.
    fn add_text(&self, text: &'t str, parts: &mut Parts) -> Result<(), ReadError> {
        let bytes = text.as_bytes();
        let has_block_address = self.context.has_block_addresses && text.contains(BLOCK_ADDRESS);
        let (mut at, mut copied) = (0, 0);
        while let Some(found) = bytes[at..].iter().position(|&byte| IS_SPECIAL[usize::from(byte)]) {
            at += found;
            match bytes[at] {
                b'"' => {
                    parts.template.push_str(&text[copied..at]);
                    copied = at + string_len(&bytes[at..]);
                    push_text(&text[at..copied], &mut parts.template);
                    at = copied;
                }
                b';' => {
                    parts.template.push_str(text[copied..at].trim_ascii_end());
                    at += comment_len(&bytes[at..]);
                    copied = at;
                }
                b'%' => {
                    let name = &text[at..at + 1 + name_len(&bytes[at + 1..])];
                    let is_label = text[..at].ends_with("label ");
                    let is_other =
                        || has_block_address && is_in_block_address(&text[..at]) || self.is_type(name, at, text);
                    let is_operand = name.len() > 1 && (is_label || !is_other());
                    parts.template.push_str(&text[copied..at]);
                    match is_operand {
                        true => self.add_name(name, parts)?,
                        false => push_text(name, &mut parts.template),
                    }
                    at += name.len();
                    copied = at;
                }
                _ => {
                    at += 1;
                    parts.template.push_str(&text[copied..at]);
                    copied = at - 1;
                }
            }
            if at >= bytes.len() {
                break;
            }
        }
        parts.template.push_str(&text[copied.min(text.len())..]);
        Ok(())
    }

    fn add_name(&self, name: &'t str, parts: &mut Parts) -> Result<(), ReadError> {
        if parts.template.ends_with("label ") {
            let Some(block) = self.blocks.get(bare(name)) else {
                return self.error(name, ReadErrorKind::UnknownBlock(name.to_owned()));
            };
            parts.targets.push(block);
            parts.template.push_str("{b}");
            return Ok(());
        }
        let Some(value) = self.values.get(bare(name)) else {
            return self.error(name, ReadErrorKind::UnknownValue(name.to_owned()));
        };
        parts.args.push(Arg::Value(value));
        parts.template.push_str("{}");
        Ok(())
    }

    /// Whether a name with a sigil, at a place of a text, means a type.
    fn is_type(&self, name: &'t str, at: usize, text: &str) -> bool {
        self.context.is_type(name)
            && (self.values.get(bare(name)).is_none() || is_type_at(&text[..at], &text[at + name.len()..]))
    }
}

const BLOCK_ADDRESS: &str = "blockaddress";

/// Whether the address of a block is open at the end of a text: a name that follows means the block.
fn is_in_block_address(before: &str) -> bool {
    before.rfind(BLOCK_ADDRESS).is_some_and(|start| !before[start..].contains(')'))
}

fn inst(op: Op, args: List<Arg, 2>, targets: List<Block, 4>) -> Inst<Llvm> {
    Inst { action: Action::Op(op), args, results: List::new(), targets }
}

/// The type and the text of the value that a store stores, if that is no local value.
fn stored_constant(body: &str) -> Option<(&str, &str)> {
    let mut rest = body.strip_prefix("store ")?.trim_ascii_start();
    for word in ["atomic ", "volatile "] {
        rest = rest.strip_prefix(word).unwrap_or(rest).trim_ascii_start();
    }
    let ty = &rest[..type_len(rest)];
    let value = until_comma(rest)[ty.len()..].trim_ascii();
    (!value.is_empty() && !value.starts_with('%')).then_some((ty, value))
}

/// Whether a name that types and values share means the type, by what stands around it.
///
/// A value follows a type and is followed by a comma, a bracket or a word; a type follows a word of an operation, a bracket or a comma,
/// or is followed by a value.
fn is_type_at(before: &str, after: &str) -> bool {
    let after = after.trim_ascii_start();
    if after.starts_with(['*', '%', '@', '(', '{', '"', '<'])
        || after.starts_with(|c: char| c.is_ascii_digit() || c == '-')
    {
        return true;
    }
    let before = before.trim_ascii_end();
    let word = before.rsplit(|c: char| c.is_ascii_whitespace() || matches!(c, '(' | ',' | '{' | '[' | '<')).next();
    let has_word = |words: &[&str]| word.is_some_and(|word| words.contains(&word));
    before.ends_with(['(', '{', '<'])
        || has_word(&["alloca", "load", "getelementptr", "inbounds", "nuw", "nusw", "to", "x", "volatile", "atomic"])
        || ["null", "undef", "poison", "zeroinitializer", "true", "false"].iter().any(|word| after.starts_with(word))
}

#[cfg(test)]
mod tests {
    use super::{is_type_at, stored_constant};

    #[test]
    fn constants_are_found_in_stores() {
        assert_eq!(stored_constant("store i32 5, ptr %p, align 4"), Some(("i32", "5")));
        assert_eq!(
            stored_constant("store atomic { i32, i1 } { i32 1, i1 true }, ptr @g seq_cst"),
            Some(("{ i32, i1 }", "{ i32 1, i1 true }"))
        );
        assert_eq!(stored_constant("store i32 %x, ptr %p"), None);
        assert_eq!(stored_constant("store void ()* @f, void ()** %p"), Some(("void ()*", "@f")));
    }

    #[test]
    fn types_are_told_from_values() {
        assert!(is_type_at("alloca ", ", align 4") && is_type_at("getelementptr inbounds ", ", ptr %1"));
        assert!(is_type_at("call void @f(ptr byval(", ") %x)") && is_type_at("ret ", " %x"));
        assert!(
            !is_type_at("add i32 ", ", 1")
                && !is_type_at("ret i32 ", "")
                && !is_type_at("store i32 1, ptr ", ", align 4")
        );
    }
}
