//! The source as tokens, one at a time.

use crate::error::ErrorKind;
use ssaphire_ir::source::{Source, Span};

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token<'s> {
    /// A letter or `_`, then letters, digits and `_`.
    Name(&'s str),
    /// A number without sign: at most 2^63, which fits in an `i64` only after a minus.
    Integer(u64),
    /// A keyword or an operator.
    Mark(&'static str),
    /// An unreadable token.
    Unreadable,
    /// The end of the source.
    End,
}

/// Reserved words.
pub(crate) const KEYWORDS: [&str; 16] = [
    "array", "break", "continue", "else", "false", "func", "goto", "if", "print", "read", "repeat", "return", "skip",
    "true", "until", "while",
];

/// Longer symbols come before their prefixes.
const SYMBOLS: [&str; 32] = [
    ":=", "==", "!=", "<=", ">=", "<<", ">>", "&&", "||", "=", "<", ">", "&", "|", "^", "~", "!", "+", "-", "*", "/",
    "%", "(", ")", "{", "}", "[", "]", ",", ";", ":", ".",
];

/// Input that is not a token.
pub(crate) struct Unreadable {
    pub(crate) kind: ErrorKind,
    pub(crate) span: Span,
}

/// Reads tokens from a source. Copy it to look ahead.
#[derive(Clone, Copy)]
pub(crate) struct Lexer<'s> {
    text: &'s str,
    offset: usize,
}

impl<'s> Lexer<'s> {
    pub(crate) fn new(text: &'s str) -> Self {
        let offset = text.len() - text.strip_prefix(Source::BYTE_ORDER_MARK).unwrap_or(text).len();
        Self { text, offset }
    }

    /// The next token, with its span. After an error, it continues after the unreadable input.
    pub(crate) fn next(&mut self) -> Result<(Token<'s>, Span), Unreadable> {
        self.skip_blanks()?;
        let (start, rest) = (self.offset, self.rest());
        let (token, len) = match rest.chars().next() {
            None => (Ok(Token::End), 0),
            Some(c) if c.is_ascii_digit() => {
                let word = &rest[..word_len(rest)];
                (integer(word), word.len())
            }
            Some(c) if is_word(c) => {
                let word = &rest[..word_len(rest)];
                let keyword = KEYWORDS.iter().find(|&&keyword| keyword == word);
                (Ok(keyword.map_or(Token::Name(word), |keyword| Token::Mark(keyword))), word.len())
            }
            Some(c) => match SYMBOLS.iter().find(|&&symbol| rest.starts_with(symbol)) {
                Some(symbol) => (Ok(Token::Mark(symbol)), symbol.len()),
                None => (Err(ErrorKind::UnexpectedCharacter(c)), c.len_utf8()),
            },
        };
        self.offset += len;
        let span = Span { start: start as u32, end: self.offset as u32 };
        match token {
            Ok(token) => Ok((token, span)),
            Err(kind) => Err(Unreadable { kind, span }),
        }
    }

    fn rest(&self) -> &'s str {
        &self.text[self.offset..]
    }

    fn skip_blanks(&mut self) -> Result<(), Unreadable> {
        loop {
            let rest = self.rest();
            let blanks = rest.len() - rest.trim_start().len();
            let rest = &rest[blanks..];
            self.offset += blanks;
            if rest.starts_with("//") {
                self.offset += rest.find('\n').unwrap_or(rest.len());
            } else if let Some(comment) = rest.strip_prefix("/*") {
                let Some(len) = comment.find("*/") else {
                    let span = Span { start: self.offset as u32, end: self.offset as u32 + 2 };
                    self.offset = self.text.len();
                    return Err(Unreadable { kind: ErrorKind::UnclosedComment, span });
                };
                self.offset += len + 4;
            } else {
                return Ok(());
            }
        }
    }
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn word_len(rest: &str) -> usize {
    rest.find(|c| !is_word(c)).unwrap_or(rest.len())
}

/// The number that `word` spells: decimal, or hexadecimal after `0x`.
fn integer<'s>(word: &str) -> Result<Token<'s>, ErrorKind> {
    let (digits, radix) = word.strip_prefix("0x").map_or((word, 10), |digits| (digits, 16));
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
        return Err(ErrorKind::MalformedInteger(word.to_owned()));
    }
    match u64::from_str_radix(digits, radix) {
        Ok(number) if number <= 1 << 63 => Ok(Token::Integer(number)),
        _ => Err(ErrorKind::IntegerOutOfRange(word.to_owned())),
    }
}
