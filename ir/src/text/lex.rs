//! One line of text as tokens.

use super::error::SyntaxErrorKind;
use std::fmt::{self, Write};

/// What a token is, by its first character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// Letters, digits, `_`, `$` and dots.
    Word,
    /// A number, as far as letters, digits and dots go; `-` may lead.
    Number,
    /// `%x.3`, `%7`, `%'odd name'.3`.
    Value,
    /// A name in single quotes, with a `.3` after it if there is one.
    Quoted,
    /// A string in double quotes.
    Text,
    /// Anything else: one character, or `<-`.
    Mark,
}

/// A part of a line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token<'t> {
    pub(crate) kind: TokenKind,
    pub(crate) text: &'t str,
    /// Byte offset in the line.
    pub(crate) offset: usize,
}

/// Splits `line` into `tokens`; a comment ends it.
///
/// On an error: what is wrong, and at which byte.
pub(crate) fn lex<'t>(line: &'t str, tokens: &mut Vec<Token<'t>>) -> Result<(), (SyntaxErrorKind, usize)> {
    tokens.clear();
    let mut offset = 0;
    loop {
        let rest = &line[offset..];
        let blank = rest.len() - rest.trim_start().len();
        offset += blank;
        let rest = &rest[blank..];
        if rest.is_empty() || rest.starts_with(';') {
            return Ok(());
        }
        let (kind, len) = token(rest).map_err(|(kind, at)| (kind, offset + at))?;
        tokens.push(Token { kind, text: &rest[..len], offset });
        offset += len;
    }
}

/// Kind and length of the token at the beginning of `rest`, which is not empty.
fn token(rest: &str) -> Result<(TokenKind, usize), (SyntaxErrorKind, usize)> {
    let mut chars = rest.chars();
    let first = chars.next().unwrap_or(' ');
    let second = chars.next().unwrap_or(' ');
    match first {
        '\'' => Ok((TokenKind::Quoted, with_version(rest, quoted_len(rest, '\'', 0)?))),
        '"' => Ok((TokenKind::Text, quoted_len(rest, '"', 0)?)),
        '%' if second == '\'' => Ok((TokenKind::Value, with_version(rest, quoted_len(rest, '\'', 1)?))),
        '%' => Ok((TokenKind::Value, 1 + word_len(&rest[1..]))),
        '-' if second.is_ascii_alphanumeric() => Ok((TokenKind::Number, 1 + word_len(&rest[1..]))),
        '<' if second == '-' => Ok((TokenKind::Mark, 2)),
        _ if first.is_ascii_digit() => Ok((TokenKind::Number, word_len(rest))),
        _ if is_word_char(first) => Ok((TokenKind::Word, word_len(rest))),
        _ if first.is_ascii_graphic() => Ok((TokenKind::Mark, 1)),
        _ => Err((SyntaxErrorKind::UnexpectedCharacter(first), 0)),
    }
}

fn is_word_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.')
}

fn word_len(rest: &str) -> usize {
    rest.find(|c| !is_word_char(c)).unwrap_or(rest.len())
}

/// Length of the quoted part that begins at byte `begin`, with both quotes.
fn quoted_len(rest: &str, quote: char, begin: usize) -> Result<usize, (SyntaxErrorKind, usize)> {
    let mut escaped = false;
    for (place, c) in rest.char_indices().skip_while(|&(place, _)| place <= begin) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return Ok(place + 1),
            _ => {}
        }
    }
    Err((SyntaxErrorKind::UnterminatedQuote, begin))
}

fn with_version(rest: &str, len: usize) -> usize {
    let digits = |tail: &str| tail.len() - tail.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    match rest[len..].strip_prefix('.') {
        Some(tail) if digits(tail) > 0 => len + 1 + digits(tail),
        _ => len,
    }
}

/// Whether `name` can stand without quotes.
pub(crate) fn is_plain_name(name: &str) -> bool {
    let starts_well = name.starts_with(|c: char| is_word_char(c) && c != '.' && !c.is_ascii_digit());
    starts_well && name.chars().all(|c| is_word_char(c) && c != '.') && name != "undef"
}

/// Writes `text` between two `quote`s: the inverse of [`unquote_string`].
///
/// Of what has a meaning in text, backslashes, quotes and control characters
/// are escaped, so that a string never ends a line or a comment early.
///
/// # Errors
/// If the writer fails.
pub fn quote_string(text: &str, quote: char, out: &mut dyn Write) -> fmt::Result {
    out.write_char(quote)?;
    for c in text.chars() {
        match c {
            '\\' => out.write_str("\\\\")?,
            '\n' => out.write_str("\\n")?,
            _ if c == quote => write!(out, "\\{c}")?,
            // The line separators of Unicode would not end a line here, but in an editor.
            _ if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') => write!(out, "\\u{{{:x}}}", u32::from(c))?,
            _ => out.write_char(c)?,
        }
    }
    out.write_char(quote)
}

/// The string that `token` spells, quotes included; `None` if it is no such token.
pub fn unquote_string(token: &str) -> Option<String> {
    let quote = token.chars().next().filter(|&c| c == '"' || c == '\'')?;
    let inner = token.strip_prefix(quote)?.strip_suffix(quote)?;
    let mut text = String::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => text.push(unescape(&mut chars)?),
            _ if c == quote => return None,
            _ => text.push(c),
        }
    }
    Some(text)
}

/// The character that an escape stands for, after its backslash.
fn unescape(chars: &mut std::str::Chars<'_>) -> Option<char> {
    match chars.next()? {
        'n' => Some('\n'),
        c @ ('\\' | '\'' | '"') => Some(c),
        'u' => {
            let (digits, rest) = chars.as_str().strip_prefix('{')?.split_once('}')?;
            *chars = rest.chars();
            char::from_u32(u32::from_str_radix(digits, 16).ok()?)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(line: &str) -> Vec<&str> {
        let mut tokens = Vec::new();
        lex(line, &mut tokens).expect("the line has good tokens");
        tokens.iter().map(|token| token.text).collect()
    }

    #[test]
    fn a_line_falls_apart_where_one_would_think() {
        assert_eq!(texts("  %x.1=phi 0,%'a;b'.2 ; end"), ["%x.1", "=", "phi", "0", ",", "%'a;b'.2"]);
        assert_eq!(texts("b: <- 'my b'.1,c-d"), ["b", ":", "<-", "'my b'.1", ",", "c", "-d"]);
        assert_eq!(texts("x = -5 -0x1p3 \"a\\\";\""), ["x", "=", "-5", "-0x1p3", "\"a\\\";\""]);
    }

    #[test]
    fn any_string_survives_quoting() {
        for text in ["", "a b", "it's", "\"\\", "line\nbreak\r\u{2028}\u{0}", "naïve"] {
            for quote in ['"', '\''] {
                let mut token = String::new();
                quote_string(text, quote, &mut token).expect("a string takes everything");
                assert_eq!(texts(&token), [token.as_str()]);
                assert_eq!(unquote_string(&token).as_deref(), Some(text));
            }
        }
    }

    #[test]
    fn an_open_quote_is_an_error_at_its_place() {
        let error = lex("x = \"abc", &mut Vec::new()).expect_err("the quote is open");
        assert_eq!(error, (SyntaxErrorKind::UnterminatedQuote, 4));
        assert_eq!(unquote_string("'\\u{110000}'"), None);
        assert_eq!(unquote_string("'"), None);
    }
}
