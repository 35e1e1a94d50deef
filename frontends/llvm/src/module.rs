//! A module as a list of functions and of everything between them.

use crate::function::Rules;
use crate::read::end_in_line;
use crate::scan::{comment_len, len_until, name_len, string_len};
use foldhash::fast::RandomState;
use std::collections::HashSet;

/// A module: its text, cut into functions with bodies and the text between them.
///
/// # Complexity
/// [`Module::new`] takes O(*n*) for *n* bytes and allocates for the lists only.
#[derive(Clone, Debug)]
pub struct Module<'t> {
    text: &'t str,
    items: Vec<Item<'t>>,
    context: Context<'t>,
}

/// A part of a module.
#[derive(Clone, Copy, Debug)]
pub enum Item<'t> {
    /// Anything but functions with bodies: globals, types, declarations, metadata, comments, blank lines.
    Text(&'t str),
    /// A function with a body.
    Function(FunctionText<'t>),
}

/// A function with a body, not yet read.
#[derive(Clone, Copy, Debug)]
pub struct FunctionText<'t> {
    /// The name with its sigil: `@main`, `@"a b"`.
    pub name: &'t str,
    /// From `define` to the closing brace; a line break that follows is not part of it.
    pub text: &'t str,
    /// The offset of the text in the module, in bytes.
    pub offset: usize,
    /// Whether the closing brace was found.
    pub(crate) is_closed: bool,
}

/// Facts about a module that the reader of its functions needs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Context<'t> {
    /// The names of types, with their sigils.
    pub(crate) types: HashSet<&'t str, RandomState>,
    /// Whether a name of a type begins with a digit.
    has_numbered_types: bool,
    /// Whether `/*` occurs anywhere.
    has_block_comments: bool,
    /// Whether addresses of blocks occur anywhere.
    pub(crate) has_block_addresses: bool,
    /// The version of LLVM whose rules are followed: the newest if `None`.
    version: Option<u32>,
    /// If slots are promoted by size, the bits of a pointer.
    pub(crate) by_size: Option<u64>,
}

impl Context<'_> {
    /// The first comment in a text that starts with `/*`.
    pub(crate) fn block_comment_in<'s>(&self, text: &'s str) -> Option<&'s str> {
        let bytes = text.as_bytes();
        // Slashes are rare.
        if !self.has_block_comments || !text.match_indices('/').any(|(at, _)| bytes.get(at + 1) == Some(&b'*')) {
            return None;
        }
        let mut at = 0;
        loop {
            at += bytes[at..].iter().position(|byte| matches!(byte, b'"' | b';' | b'/'))?;
            match bytes[at] {
                b'"' => at = bytes.len().min(at + string_len(&bytes[at..])),
                b';' => at += comment_len(&bytes[at..]),
                _ if bytes[at..].starts_with(b"/*") => return Some(&text[at..]),
                _ => at += 1,
            }
        }
    }

    /// Whether a name with its sigil is that of a type; a value may have it, too.
    pub(crate) fn is_type(&self, name: &str) -> bool {
        (self.has_numbered_types || !begins_with_digit(name)) && self.types.contains(name)
    }

    /// The rules of the version of LLVM.
    pub(crate) fn rules(&self) -> Rules {
        Rules::of(self.version)
    }
}

impl<'t> Module<'t> {
    /// Cuts a text into functions and what is between them. Nothing else is checked.
    pub fn new(text: &'t str) -> Self {
        let context = Context {
            types: HashSet::default(),
            has_numbered_types: false,
            has_block_comments: text.contains("/*"),
            has_block_addresses: text.contains("blockaddress"),
            version: version_of(text),
            by_size: None,
        };
        let mut module = Self { text, items: Vec::new(), context };
        let (mut at, mut start) = (0, 0);
        // A string may go on over several lines, and so may a comment.
        let mut inside = Inside::Nothing;
        while at < text.len() {
            let line = line_at(text, at);
            let blanks = line.len() - line.trim_ascii_start().len();
            let is_definition = line[blanks..].strip_prefix("define").is_some_and(|rest| rest.starts_with([' ', '\t']));
            if is_definition && inside == Inside::Nothing {
                at += blanks;
                module.push_text(&text[start..at]);
                let function = function_at(text, at);
                at += function.text.len();
                start = at;
                module.items.push(Item::Function(function));
            } else {
                module.note_type(line);
                inside = inside.after(line);
                at += line.len();
            }
        }
        module.push_text(&text[start..]);
        module
    }

    fn push_text(&mut self, text: &'t str) {
        if !text.is_empty() {
            self.items.push(Item::Text(text));
        }
    }

    fn note_type(&mut self, line: &'t str) {
        if line.starts_with('%') {
            let name = &line[..1 + name_len(&line.as_bytes()[1..])];
            let rest = line[name.len()..].trim_ascii_start().strip_prefix('=').map_or("", str::trim_ascii_start);
            if rest.starts_with("type") {
                self.context.types.insert(name);
                self.context.has_numbered_types |= begins_with_digit(name);
            }
        }
    }

    /// The module, with the rules of that version of LLVM if it does not say itself which one it comes from, as clang and rustc have it
    /// and flang before version 22 has not. Without either, they are those of the newest.
    #[must_use]
    pub fn with_version(mut self, version: u32) -> Self {
        self.context.version.get_or_insert(version);
        self
    }

    /// Another text, to be read as this one is.
    pub(crate) fn with_text<'o>(&self, text: &'o str) -> Module<'o> {
        let mut module = Module::new(text);
        (module.context.version, module.context.by_size) = (self.context.version, self.context.by_size);
        module
    }

    /// The module, with further promotable slots: those whose accesses all have one type of the same size. rustc makes an array of
    /// bytes of every slot, which `mem2reg` leaves in memory, and `sroa` does not.
    #[must_use]
    pub fn with_slots_by_size(mut self, is_by_size: bool) -> Self {
        self.context.by_size = is_by_size.then(|| pointer_bits(self.text));
        self
    }

    /// The bits of a pointer.
    pub(crate) fn pointer_bits(&self) -> u64 {
        pointer_bits(self.text)
    }

    /// The whole text.
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// The parts, in order; together they are the whole text.
    pub fn items(&self) -> &[Item<'t>] {
        &self.items
    }

    /// The functions with bodies, in order.
    pub fn functions(&self) -> impl DoubleEndedIterator<Item = FunctionText<'t>> + '_ {
        self.items.iter().filter_map(|item| match item {
            Item::Function(function) => Some(*function),
            Item::Text(_) => None,
        })
    }

    pub(crate) fn context(&self) -> &Context<'t> {
        &self.context
    }
}

/// Whether a digit follows the sigil of a name: unquoted, it is a number.
fn begins_with_digit(name: &str) -> bool {
    name.as_bytes().get(1).is_some_and(u8::is_ascii_digit)
}

/// The version of LLVM by which a compiler has written the module, as metadata at the end of it says.
fn version_of(text: &str) -> Option<u32> {
    let after = |words: &str| {
        let (_, version) = text.rsplit_once(words)?;
        version[..version.bytes().take_while(u8::is_ascii_digit).count()].parse().ok()
    };
    after("clang version ")
        .or_else(|| after("flang version "))
        .or_else(|| after("rustc version 1.").and_then(llvm_of_rustc))
}

/// The version of LLVM in rustc 1.`minor`; `None` for the newest.
fn llvm_of_rustc(minor: u32) -> Option<u32> {
    /// The first release with each version.
    const FIRST: [(u32, u32); 6] = [(87, 20), (82, 19), (78, 18), (73, 17), (70, 16), (65, 15)];
    match FIRST.iter().find(|&&(first, _)| minor >= first) {
        Some(&(_, 20)) => None,
        Some(&(_, version)) => Some(version),
        None => Some(14),
    }
}

/// The size of a pointer by the layout of the target: 64 bits if that does not say.
fn pointer_bits(text: &str) -> u64 {
    let layout = text.split_once("\ntarget datalayout = \"").and_then(|(_, layout)| layout.split('"').next());
    let bits = layout
        .and_then(|layout| layout.split('-').find_map(|part| part.strip_prefix("p:")?.split(':').next()?.parse().ok()));
    bits.unwrap_or(64)
}

/// What a place in the text of a module is inside of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    Nothing,
    String,
    /// What starts with `/*`.
    Comment,
}

impl Inside {
    /// What the end of a line is inside of, if its start is inside of this.
    fn after(mut self, line: &str) -> Self {
        if !line.contains(['"', '/']) {
            return self;
        }
        let bytes = line.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let is_pair = |pair: &[u8]| bytes[at..].starts_with(pair);
            (self, at) = match self {
                Self::Nothing if is_pair(b"/*") => (Self::Comment, at + 2),
                Self::Comment if is_pair(b"*/") => (Self::Nothing, at + 2),
                Self::Nothing if bytes[at] == b'"' => (Self::String, at + 1),
                Self::String if bytes[at] == b'"' => (Self::Nothing, at + 1),
                Self::Nothing if bytes[at] == b';' => break,
                _ => (self, at + 1),
            };
        }
        self
    }
}

/// The line that starts at a byte, with its line break.
fn line_at(text: &str, at: usize) -> &str {
    let end = text[at..].find('\n').map_or(text.len(), |found| at + found + 1);
    &text[at..end]
}

/// The function that starts with the line at this byte: up to a line that starts with a closing brace.
fn function_at(text: &str, offset: usize) -> FunctionText<'_> {
    let line = line_at(text, offset);
    // All of it may be in one line.
    let end_in_line = line.contains('}').then(|| end_in_line(line)).flatten();
    let mut end = end_in_line.map(|end| offset + end);
    let mut at = offset + line.len();
    while end.is_none() && at < text.len() {
        let next = text[at..].find('}').map_or(text.len(), |found| at + found);
        // Without an end, it stops at the next one.
        if text[at - 1..next].contains("\ndefine ")
            && let Some(found) = text[at - 1..next].find("\ndefine ")
        {
            at += found;
            break;
        }
        let start = text[at..next].rfind('\n').map_or(at, |found| at + found + 1);
        let line = line_at(text, start);
        match closing_brace(line) {
            Some(brace) => end = Some(start + brace + 1),
            None => at = start + line.len(),
        }
    }
    let text = &text[offset..end.unwrap_or(at)];
    FunctionText { name: name_of(text), text, offset, is_closed: end.is_some() }
}

/// Where a line has a closing brace that it has not opened.
fn closing_brace(line: &str) -> Option<usize> {
    if line.starts_with('}') {
        return Some(0);
    }
    if !line.contains('}') {
        return None;
    }
    let at = len_until(line.as_bytes(), |_| false);
    line[at..].starts_with('}').then_some(at)
}

/// The name after `define` and all that may stand between.
fn name_of(text: &str) -> &str {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'@' => return &text[at..at + 1 + name_len(&bytes[at + 1..])],
            b'"' => at += string_len(&bytes[at..]),
            b';' => at += comment_len(&bytes[at..]),
            _ => at += 1,
        }
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_make_the_whole_again() {
        let text = "%T = type { i32 }\n; c\ndefine { i32, i1 } @f(i32 %x) {\n  ret void ; }\n}\n\ndeclare void @g()\n\
                    define void @\"a b\"() { ret void }\n!0 = !{}";
        let module = Module::new(text);
        let whole: String = module
            .items()
            .iter()
            .map(|item| match item {
                Item::Text(text) => text,
                Item::Function(function) => function.text,
            })
            .collect();
        assert_eq!(whole, text);
        let names: Vec<&str> = module.functions().map(|function| function.name).collect();
        assert_eq!(names, ["@f", "@\"a b\""]);
        assert!(module.context().types.contains("%T"));
    }

    #[test]
    fn a_function_without_an_end_stops_at_the_next() {
        let text = "@s = constant [9 x i8] c\"\ndefine void @h() {\n}\"\n  define void @g() {\n  ret void\n  }\n";
        assert_eq!(Module::new(text).functions().map(|function| function.name).collect::<Vec<_>>(), ["@g"]);
        let module = Module::new("define void @f() {\n  ret void\ndefine void @g() {\n  ret void\n}\n");
        let closed: Vec<bool> = module.functions().map(|function| function.is_closed).collect();
        assert_eq!(closed, [false, true]);
    }
}
