//! Files that are cut off, shuffled or overgrown, made from those of other tests: a result or an error with its place, never a panic.

use ssaphire_llvm::{Module, Skipped, judge_promotion, promote};
use std::collections::BTreeSet;
use std::ops::Range;
use std::panic::catch_unwind;

/// One in so many files is tried; all of them with `SSAPHIRE_LLVM_HOSTILE=1`.
const STEP: usize = 307;

const SOURCES: [&str; 10] = [
    include_str!("../files/mem2reg/assumptions.ll"),
    include_str!("../files/mem2reg/debug-calls.ll"),
    include_str!("../files/mem2reg/debug-records.ll"),
    include_str!("../files/mem2reg/kept.ll"),
    include_str!("../files/mem2reg/lifetimes.ll"),
    include_str!("../files/mem2reg/promises.ll"),
    include_str!("../files/mem2reg/spaces.ll"),
    include_str!("../files/mem2reg/unreachable.ll"),
    include_str!("../files/mem2reg/values.ll"),
    include_str!("../files/mem2reg/22/values.ll"),
];

/// A token of LLVM IR; what only separates tokens is none.
struct Token {
    place: Range<usize>,
    /// What it is, so that two tokens of a kind are read alike: a word is a kind of its own.
    kind: String,
}

fn tokens(text: &str) -> Vec<Token> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-' | b'$');
    let bytes = text.as_bytes();
    let word_end = |start: usize| (start..bytes.len()).find(|&at| !is_word(bytes[at])).unwrap_or(bytes.len());
    let (mut tokens, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let (end, kind) = match bytes[at] {
            b' ' => (at + 1, String::new()),
            b';' => (at + text[at..].find('\n').unwrap_or(text.len() - at), ";".to_owned()),
            b'"' => (at + 1 + text[at + 1..].find('"').map_or(text.len() - at - 1, |len| len + 1), "string".to_owned()),
            sigil @ (b'%' | b'@' | b'!' | b'#') => {
                let is_number = bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
                (word_end(at + 1), format!("{}{}", sigil as char, if is_number { "0" } else { "" }))
            }
            byte if byte.is_ascii_digit() => (word_end(at), "0".to_owned()),
            byte if is_word(byte) => (word_end(at), text[at..word_end(at)].to_owned()),
            _ => (at + 1, text[at..at + 1].to_owned()),
        };
        if !kind.is_empty() {
            tokens.push(Token { place: at..end, kind });
        }
        at = end;
    }
    tokens
}

/// The text with something else in a place.
fn with(text: &str, place: Range<usize>, new: &str) -> String {
    format!("{}{new}{}", &text[..place.start], &text[place.end..])
}

/// Each function of a file with all that is no function.
fn parts(text: &str) -> Vec<String> {
    let module = Module::new(text);
    let functions: Vec<Range<usize>> =
        module.functions().map(|function| function.offset..function.offset + function.text.len()).collect();
    let without_others = |kept: usize| {
        let mut part = text.to_owned();
        functions
            .iter()
            .enumerate()
            .rev()
            .filter(|&(number, _)| number != kept)
            .for_each(|(_, place)| part.replace_range(place.clone(), ""));
        part
    };
    (0..functions.len()).map(without_others).collect()
}

/// Files that are cut off in a token of each kind, and before and after it.
fn cut(text: &str, tokens: &[Token], files: &mut Vec<String>) {
    let mut kinds = BTreeSet::new();
    for Token { place, kind } in tokens.iter().filter(|token| kinds.insert(&token.kind)) {
        let _ = kind;
        let middle = place.start + place.len() / 2;
        files.extend([place.start, middle, place.end].map(|end| text[..end].to_owned()));
    }
}

/// Files with a line less or twice.
fn lines(text: &str, files: &mut Vec<String>) {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let place = start..start + line.len();
        start = place.end;
        files.push(with(text, place.clone(), ""));
        files.push(with(text, place.end..place.end, line));
    }
}

/// Files with one token changed, or two of them swapped.
fn shuffled(text: &str, tokens: &[Token], files: &mut Vec<String>) {
    for (number, Token { place, kind }) in tokens.iter().enumerate() {
        if let Some(next) = tokens.get(number + 1) {
            let between = &text[place.end..next.place.start];
            let swapped = format!("{}{between}{}", &text[next.place.clone()], &text[place.clone()]);
            files.push(with(text, place.start..next.place.end, &swapped));
        }
        let news: &[&str] = match &**kind {
            "0" | "%0" | "!0" | "#0" => &["99999999999999999999", "-1", "4294967296", "18446744073709551615"],
            "(" | ")" | "[" | "]" | "{" | "}" | "string" | "<" | ">" => &["", "((", "}", "]", "\""],
            _ => &[],
        };
        let sigil = if kind.len() == 2 { &kind[..1] } else { "" };
        files.extend(news.iter().map(|new| with(text, place.clone(), &format!("{sigil}{new}"))));
        let odd = ["\0", "\u{e9}", "\u{ff}\u{fe}", "\r", "\t\u{b}", "\u{2028}"];
        files.push(with(text, place.start..place.start, odd[number % odd.len()]));
    }
}

/// Files with other ends of lines, a mark at the start, or types that are very deep.
fn overgrown(text: &str, tokens: &[Token], files: &mut Vec<String>) {
    files.extend([
        text.replace('\n', "\r\n"),
        text.replace('\n', "\r"),
        format!("\u{feff}{text}"),
        text.replace('\n', " "),
    ]);
    let depth = 2_000;
    let deep = [
        format!("{}i32{}", "{ ".repeat(depth), " }".repeat(depth)),
        format!("{}i32{}", "[2 x ".repeat(depth), "]".repeat(depth)),
        format!("{}i32{}", "<2 x ".repeat(depth), ">".repeat(depth)),
        format!("i32{}", "*".repeat(depth)),
        format!("i32{}{}", " (i32".repeat(depth), ")".repeat(depth)),
        "(".repeat(depth),
    ];
    let types = tokens.iter().filter(|token| matches!(&*token.kind, "i8" | "i16" | "i32" | "i64" | "ptr"));
    files.extend(types.zip(deep.iter().cycle()).map(|(token, deep)| with(text, token.place.clone(), deep)));
    // The same type everywhere, so that slots are promotable.
    files.extend(deep[..4].iter().map(|deep| text.replace("i32", deep)));
}

/// Whether a place is one of the text.
fn is_place(text: &str, offset: usize) -> bool {
    offset <= text.len() && text.is_char_boundary(offset)
}

/// Promotes a file and judges the result; whether nothing was skipped.
fn is_read(text: &str) -> bool {
    let mut written = Vec::new();
    let promotion = promote(text, &mut written).unwrap();
    let written = String::from_utf8(written).unwrap();
    for (function, reason) in &promotion.skipped {
        assert!(written.contains(function.text), "it stays as it is");
        if let Skipped::Read(error) = reason {
            let place = function.offset..=function.offset + function.text.len();
            assert!(place.contains(&error.offset) && is_place(text, error.offset), "{error}");
        }
    }
    for judged in judge_promotion(&Module::new(text), &Module::new(&written), 1) {
        if let Err(refusal) = judged.result {
            let is_located = refusal.before.is_none_or(|offset| is_place(text, offset))
                && refusal.after.is_none_or(|offset| is_place(&written, offset));
            assert!(is_located, "{refusal}");
        }
    }
    promotion.skipped.is_empty()
}

#[test]
fn hostile_files_give_a_result_or_an_error_with_its_place() {
    let step = if std::env::var_os("SSAPHIRE_LLVM_HOSTILE").is_some() { 1 } else { STEP };
    let mut files = Vec::new();
    for text in SOURCES.iter().flat_map(|source| parts(source)) {
        let tokens = tokens(&text);
        cut(&text, &tokens, &mut files);
        lines(&text, &mut files);
        shuffled(&text, &tokens, &mut files);
        overgrown(&text, &tokens, &mut files);
    }
    let (mut num_results, mut num_errors) = (0, 0);
    for text in files.iter().step_by(step) {
        match catch_unwind(|| is_read(text)) {
            Ok(true) => num_results += 1,
            Ok(false) => num_errors += 1,
            Err(_) => panic!("the file:\n{text}"),
        }
    }
    println!("{} files: {num_results} with a result, {num_errors} with an error", num_results + num_errors);
    assert!(num_results + num_errors >= 300 && num_errors >= 50, "{num_results}, {num_errors}");
}
