//! The body of a function as blocks of statements.

use super::names::number_of;
use crate::dialect::Kind;
use crate::scan::{comment_len, first_word, line_len, name_len, type_len};
use ssaphire::Value;
use std::ops::Range;

/// The blocks of a body.
#[derive(Default)]
pub(super) struct Outline<'t> {
    pub(super) blocks: Vec<BlockText<'t>>,
    pub(super) statements: Vec<Statement<'t>>,
}

/// A block.
pub(super) struct BlockText<'t> {
    /// Its label without colon, if the text has one.
    pub(super) label: Option<&'t str>,
    /// Its number, if it has no label.
    pub(super) number: u32,
    /// Its statements, by index.
    pub(super) statements: Range<usize>,
}

/// An instruction or a record.
#[derive(Clone, Copy)]
pub(super) struct Statement<'t> {
    /// The name of its result, with the sigil.
    pub(super) result: Option<&'t str>,
    /// The number of its result, if that has no name.
    pub(super) number: Option<u32>,
    /// Its result, once that is declared.
    pub(super) value: Option<Value>,
    /// The text after the result.
    pub(super) body: &'t str,
}

impl Statement<'_> {
    pub(super) fn is_phi(&self) -> bool {
        self.body.starts_with("phi") && first_word(self.body) == "phi"
    }

    /// The type of the values in the slot that it creates, if it creates one.
    pub(super) fn slot_type(&self) -> Option<&str> {
        let mut rest = self.body.strip_prefix("alloca ")?.trim_ascii_start();
        for word in ["inalloca ", "swifterror "] {
            rest = rest.strip_prefix(word).unwrap_or(rest);
        }
        Some(&rest[..type_len(rest)])
    }

    /// Whether it has a result that the text does not name.
    fn has_unnamed_result(&self) -> bool {
        let is_void = || self.body.starts_with('#') || self.body.starts_with("call void ");
        // The most frequent words of instructions without results.
        let is_without = || matches!(first_word(self.body), "br" | "ret" | "store" | "switch" | "unreachable");
        let is_known = || is_void() || is_without();
        self.result.is_none() && !is_known() && Kind::of(self.body).has_result(self.body)
    }

    fn ends_block(&self) -> bool {
        // Nearly all others begin with another letter.
        if !matches!(self.body.as_bytes().first(), Some(b'b' | b'c' | b'i' | b'r' | b's' | b'u')) {
            return false;
        }
        matches!(
            first_word(self.body),
            "br" | "callbr"
                | "catchret"
                | "catchswitch"
                | "cleanupret"
                | "indirectbr"
                | "invoke"
                | "resume"
                | "ret"
                | "switch"
                | "unreachable"
        )
    }
}

/// Whether the line at the start goes on with the statement before, by its first word.
fn is_continuation(text: &str) -> bool {
    matches!(text.as_bytes().first(), Some(b't' | b'u' | b'c' | b'f'))
        && matches!(first_word(text), "to" | "unwind" | "catch" | "filter" | "cleanup")
        && label_at(text).is_none()
}

impl<'t> Outline<'t> {
    /// The blocks in the text between the braces of a function.
    pub(super) fn of(text: &'t str) -> Self {
        // Few statements are shorter.
        let mut outline = Self { statements: Vec::with_capacity(text.len() / 32), ..Self::default() };
        let mut is_open = false;
        let mut at = 0;
        loop {
            at += blank_len(&text[at..]);
            let rest = &text[at..];
            if rest.is_empty() || rest.starts_with('}') {
                return outline;
            }
            if let Some(label) = label_at(rest) {
                outline.begin(Some(label));
                is_open = true;
                at += label.len() + 1;
                continue;
            }
            let statement = statement_at(rest);
            at += statement.len().max(1);
            // Orders of uses are about values that may be gone.
            if statement.starts_with("uselistorder") {
                continue;
            }
            if !is_open {
                outline.begin(None);
            }
            let statement = split(statement);
            is_open = !statement.ends_block();
            outline.statements.push(statement);
            if let Some(block) = outline.blocks.last_mut() {
                block.statements.end = outline.statements.len();
            }
        }
    }

    fn begin(&mut self, label: Option<&'t str>) {
        let next = self.statements.len();
        self.blocks.push(BlockText { label, number: 0, statements: next..next });
    }

    /// Numbers blocks without labels and results without names, in the order of the text, as LLVM does; parameters have the numbers
    /// below `next`.
    pub(super) fn number(&mut self, mut next: u32) {
        for block in &mut self.blocks {
            block.number = next;
            next = match block.label {
                Some(label) => number_of(label).map_or(next, |number| next.max(number.saturating_add(1))),
                None => next.saturating_add(1),
            };
            for statement in &mut self.statements[block.statements.clone()] {
                if let Some(name) = statement.result {
                    let number = name.strip_prefix('%').and_then(number_of);
                    next = number.map_or(next, |number| next.max(number.saturating_add(1)));
                } else if statement.has_unnamed_result() {
                    statement.number = Some(next);
                    next = next.saturating_add(1);
                }
            }
        }
    }
}

/// The length of the blanks and comments at the start.
fn blank_len(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b';' => at += comment_len(&bytes[at..]),
            _ if byte.is_ascii_whitespace() => at += 1,
            _ => break,
        }
    }
    at
}

/// The label at the start, without its colon.
fn label_at(text: &str) -> Option<&str> {
    let len = name_len(text.as_bytes());
    (len > 0 && text.as_bytes().get(len) == Some(&b':')).then(|| &text[..len])
}

/// The statement at the start: a line, and the lines after it that belong to it.
fn statement_at(text: &str) -> &str {
    let bytes = text.as_bytes();
    let mut end = 0;
    loop {
        end += line_len(&bytes[end..]);
        let statement = trim_end(&text[..end]);
        if bytes.get(end) != Some(&b'\n') {
            return statement;
        }
        let next = end + blank_len(&text[end..]);
        if !statement.ends_with(',') && !is_continuation(&text[next..]) {
            return statement;
        }
        end = next;
    }
}

/// A text without blanks at its end; there are rarely any.
fn trim_end(text: &str) -> &str {
    if text.as_bytes().last().is_some_and(u8::is_ascii_graphic) { text } else { text.trim_ascii_end() }
}

/// A text without blanks at its start; there are rarely any.
fn trim_start(text: &str) -> &str {
    if text.as_bytes().first().is_some_and(u8::is_ascii_graphic) { text } else { text.trim_ascii_start() }
}

/// The result and the rest.
fn split(text: &str) -> Statement<'_> {
    if text.starts_with('%') {
        let name = &text[..1 + name_len(&text.as_bytes()[1..])];
        let rest = &text[name.len()..];
        // Nearly always, these are the blanks.
        let body = rest.strip_prefix(" = ").or_else(|| rest.trim_ascii_start().strip_prefix('='));
        if let Some(body) = body {
            return Statement { result: Some(name), number: None, value: None, body: trim_start(body) };
        }
    }
    Statement { result: None, number: None, value: None, body: text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_make_blocks() {
        let text = "\n  %x = call i32 @f(i32 1,\n    i32 2) ; c\n  switch i32 %x, label %a [\n    i32 1, label %b ; d\n  ]\n\n\
                    a:                                                ; preds = %0\n  %r = invoke i32 @g()\n          \
                    to label %b unwind label %c\n\"b c\": ret void\n  unreachable\nc:\n  %l = landingpad { ptr, i32 }\n     \
                    cleanup\n  resume { ptr, i32 } %l\n}\n";
        let outline = Outline::of(text);
        let blocks: Vec<_> = outline.blocks.iter().map(|block| (block.label, block.statements.len())).collect();
        assert_eq!(blocks, [(None, 2), (Some("a"), 1), (Some("\"b c\""), 1), (None, 1), (Some("c"), 2)]);
        assert_eq!(outline.statements[0].result, Some("%x"));
        assert_eq!(outline.statements[2].body, "invoke i32 @g()\n          to label %b unwind label %c");
        assert_eq!(outline.statements[5].body, "landingpad { ptr, i32 }\n     cleanup");
    }
}
