//! A bound on the stack that the parser needs for a source.
//!
//! The parser recurses into nested syntax, and so do the passes over its tree.
//! Each level of nesting needs an opening bracket, an operator or a keyword. So
//! their total number bounds the depth: overcounting, in strings, comments and
//! long flat files, only costs address space that is never touched.
//!
//! The calling thread may have less stack than this bound asks for; there [`nesting`](super::nesting) computes a tighter one.

use super::nesting::deepest;
use super::{SourceErrors, SourceKind, Span};

/// Bytes of stack for a level of brackets, and for one of operators.
#[derive(Clone, Copy)]
pub(super) struct Costs {
    pub(super) bracket: u64,
    pub(super) operator: u64,
}

/// Functions take most of all brackets, about 3,900 by two of them without optimization; assignments of all operators, about 1,400.
const COSTS: Costs = if cfg!(debug_assertions) {
    Costs { bracket: 4 << 10, operator: 3 << 9 }
} else {
    Costs { bracket: 3 << 10, operator: 1 << 10 }
};
/// Bytes of stack for anything.
const LEAST: u64 = 8 << 20;
/// A thread gets at most this: half of the address space, if that is small.
const MOST: u64 = if usize::BITS < 64 { 1 << 30 } else { 12 << 30 };

/// The same on the calling thread. In WebAssembly the engine has another stack, for locals without an address.
const ON_STACK: Costs = if cfg!(debug_assertions) {
    Costs { bracket: 16 << 10, operator: 8 << 10 }
} else {
    Costs { bracket: 4 << 10, operator: 2 << 10 }
};
/// Bytes of stack for everything that does not nest.
const SPARE: u64 = 256 << 10;

/// Words that nest what follows them.
pub(super) const WORDS: &[&[u8]] = &[
    b"as",
    b"asserts",
    b"async",
    b"await",
    b"class",
    b"delete",
    b"do",
    b"else",
    b"extends",
    b"in",
    b"infer",
    b"instanceof",
    b"is",
    b"keyof",
    b"new",
    b"readonly",
    b"satisfies",
    b"typeof",
    b"unique",
    b"void",
    b"yield",
];

/// Whether a byte is a part of an operator that nests.
pub(super) fn is_operator(byte: u8) -> bool {
    matches!(
        byte,
        b'!' | b'~'
            | b'+'
            | b'-'
            | b'*'
            | b'/'
            | b'%'
            | b'&'
            | b'|'
            | b'^'
            | b'<'
            | b'='
            | b'>'
            | b'?'
            | b':'
            | b'.'
            | b'`'
    )
}

/// The longest of [`WORDS`].
const LONGEST: usize = 10;

/// By first letter and length, whether there are such words.
const HAS_WORDS: [[bool; LONGEST + 1]; 26] = {
    let mut table = [[false; LONGEST + 1]; 26];
    let mut at = 0;
    while at < WORDS.len() {
        table[(WORDS[at][0] - b'a') as usize][WORDS[at].len()] = true;
        at += 1;
    }
    table
};

/// By byte, whether it is a part of a word.
const IS_IN_WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = (byte as u8).is_ascii_alphanumeric() || byte as u8 == b'_' || byte as u8 == b'$';
        byte += 1;
    }
    table
};

/// Bytes of the source whose counts fit a byte; a multiple of what processors compare at once.
const CHUNK: usize = 192;

/// The numbers of all brackets and operators.
fn count(source: &str) -> (u64, u64) {
    let (brackets, signs) = count_signs(source.as_bytes());
    (brackets, signs + count_words(source.as_bytes()))
}

/// At least as many, in one pass of a few instructions for sixteen bytes: what is nearly an operator counts, and each
/// word that begins with a small letter.
fn overcount(source: &str) -> (u64, u64) {
    let bytes = source.as_bytes();
    let Some(rest) = bytes.get(1..) else { return (0, 0) };
    // Of the first byte nothing is looked at. In a chunk, both numbers fit a byte.
    let mut counts = (1, 1);
    for (before, chunk) in bytes.chunks(CHUNK).zip(rest.chunks(CHUNK)) {
        let (mut brackets, mut operators) = (0u8, 0u8);
        for (&before, &byte) in before.iter().zip(chunk) {
            brackets += u8::from(is_bracket(byte));
            operators += u8::from(may_be_operator(byte) | may_begin_word(before, byte));
        }
        counts.0 += u64::from(brackets);
        counts.1 += u64::from(operators);
    }
    counts
}

fn is_bracket(byte: u8) -> bool {
    (byte == b'(') | (byte | 0x20 == b'{')
}

/// All bytes of [`is_operator`], and a few more, in few comparisons.
fn may_be_operator(byte: u8) -> bool {
    // `!` to `&`; `*` to `/` and `:` to `?`; `^` and `~`, `\` and `|`, `@` and the backtick.
    let is_early = byte.wrapping_sub(b'!') < 6;
    let is_middle = (byte | 0x10).wrapping_sub(b':') < 6;
    is_early | is_middle | (byte | 0x22 == b'~') | (byte | 0x20 == b'`')
}

/// Whether a word that begins with a small letter may begin at `byte`, which comes behind `before`.
fn may_begin_word(before: u8, byte: u8) -> bool {
    ((before | 0x20).wrapping_sub(b'a') >= 26) & (byte.wrapping_sub(b'a') < 26)
}

/// The numbers of brackets, and of operators that are no words.
fn count_signs(bytes: &[u8]) -> (u64, u64) {
    // A few instructions for sixteen bytes at a time, as long as nothing depends on the bytes before.
    let count = |is_it: fn(u8) -> bool| {
        // In a chunk, they fit a byte.
        let in_chunk = |chunk: &[u8]| u64::from(chunk.iter().map(|&byte| u8::from(is_it(byte))).sum::<u8>());
        bytes.chunks(CHUNK).map(in_chunk).sum()
    };
    (count(|byte| matches!(byte, b'(' | b'[' | b'{')), count(is_operator))
}

/// The number of words that nest what follows them; the end of the source ends none.
fn count_words(bytes: &[u8]) -> u64 {
    let (mut count, mut at) = (0, 0);
    while at < bytes.len() {
        if !IS_IN_WORD[bytes[at] as usize] {
            at += 1;
            continue;
        }
        let start = at;
        while at < bytes.len() && IS_IN_WORD[bytes[at] as usize] {
            at += 1;
        }
        let (first, length) = (bytes[start].wrapping_sub(b'a') as usize, at - start);
        if length <= LONGEST && at < bytes.len() && HAS_WORDS.get(first).is_some_and(|lengths| lengths[length]) {
            count += u64::from(WORDS.contains(&&bytes[start..at]));
        }
    }
    count
}

/// Bytes of a stack of its own that are enough for `source`.
pub(super) fn stack_for(source: &str) -> Result<usize, SourceErrors> {
    let fitting = |(brackets, operators)| {
        let bytes = LEAST + brackets * COSTS.bracket + operators * COSTS.operator;
        usize::try_from(bytes).ok().filter(|_| bytes <= MOST)
    };
    if let Some(stack) = fitting(overcount(source)) {
        return Ok(stack);
    }
    let (brackets, operators) = count(source);
    fitting((brackets, operators)).ok_or_else(|| too_large(brackets, operators))
}

fn too_large(brackets: u64, operators: u64) -> SourceErrors {
    let message = format!(
        "too large: with {brackets} brackets and {operators} operators it may be nested deeper than there is stack for"
    );
    SourceErrors::one(message, Span::NOWHERE)
}

/// Refuses `source` unless `stack` bytes are certainly enough for it.
pub(super) fn require_fit(source: &str, kind: SourceKind, stack: usize) -> Result<(), SourceErrors> {
    let room = (stack as u64).saturating_sub(SPARE);
    let (brackets, operators) = count(source);
    if brackets * ON_STACK.bracket + operators * ON_STACK.operator <= room {
        return Ok(());
    }
    match deepest(source, ON_STACK, kind.has_types, kind.has_jsx) {
        Some(bytes) if bytes <= room => Ok(()),
        Some(_) => Err(SourceErrors::one("too deep: it may be nested deeper than there is stack for", Span::NOWHERE)),
        None => Err(too_large(brackets, operators)),
    }
}

#[cfg(test)]
mod tests {
    use super::{count, is_operator, may_be_operator, overcount};

    #[test]
    fn words_count_as_operators_where_they_are_whole() {
        assert_eq!(count("typeof a in(b)"), (1, 2));
        assert_eq!(count("newer renew new1 $new _in \u{e9}in in\u{e9}x in"), (0, 2));
        assert_eq!(count("a instanceof b; x => { y[0] += `z` }"), (2, 7));
        assert_eq!(count(&"([{+-".repeat(1000)), (3000, 2000));
    }

    #[test]
    fn what_is_counted_fast_is_at_least_as_many() {
        assert!((0..=255).all(|byte| may_be_operator(byte) || !is_operator(byte)));
        let texts =
            ["", "in", "(", "typeof a in(b)", "a instanceof b; x => { y[0] += `z` }", "a?b:[...{}]\u{e9}in in "];
        for text in texts.iter().flat_map(|text| [1, 7, 400].map(|times| text.repeat(times))) {
            let (exact, fast) = (count(&text), overcount(&text));
            assert!(exact.0 <= fast.0 && exact.1 <= fast.1, "{exact:?} {fast:?} {text}");
        }
    }
}
