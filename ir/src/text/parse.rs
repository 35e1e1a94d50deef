//! Parsing.
//!
//! A function is read in passes over its lines: first the labels and the
//! declared variables, for they may be mentioned before their line, then head
//! and blocks. What needs the whole function is checked at the end.

use super::error::{SyntaxError, SyntaxErrorKind, SyntaxErrors};
use super::lex::{Token, TokenKind, lex};
use super::reader::FunctionReader;
use crate::dialect::Dialect;
use crate::function::Function;
use std::ops::Range;

/// Reads a text that holds one function: a canonical one.
///
/// # Errors
/// All that is wrong with the text, up to [`SyntaxErrors::LIMIT`]; never a panic.
///
/// # Complexity
/// Linear in the length of the text, but for sorting edges and hashing names.
pub fn parse<D: Dialect>(text: &str) -> Result<Function<D>, SyntaxErrors> {
    let lines: Vec<_> = text.lines().collect();
    let ranges = function_ranges(&lines)?;
    match &ranges[..] {
        [range] => parse_function(&lines, range.clone()),
        [_, second, ..] => Err(at_line(&lines, second.start, SyntaxErrorKind::SeveralFunctions)),
        [] => Err(at_line(&lines, lines.len().saturating_sub(1), SyntaxErrorKind::NoFunction)),
    }
}

/// Reads a text that holds any number of functions.
///
/// # Errors
/// As [`parse`], for the first function with errors.
pub fn parse_all<D: Dialect>(text: &str) -> Result<Vec<Function<D>>, SyntaxErrors> {
    let lines: Vec<_> = text.lines().collect();
    function_ranges(&lines)?.into_iter().map(|range| parse_function(&lines, range)).collect()
}

/// From the `func` line to the line that begins with `}`, both included.
fn function_ranges(lines: &[&str]) -> Result<Vec<Range<usize>>, SyntaxErrors> {
    let mut ranges = Vec::new();
    let mut begin = None;
    for (line, text) in lines.iter().enumerate() {
        let text = text.trim_start();
        let ends = text.starts_with('}');
        match begin {
            Some(first) if ends => {
                ranges.push(first..line + 1);
                begin = None;
            }
            // A `func` line inside a function is most likely the next one.
            Some(_) if is_head(text) => return Err(at_line(lines, line, SyntaxErrorKind::MissingEnd)),
            None if is_head(text) => begin = Some(line),
            None if !text.is_empty() && !text.starts_with(';') => {
                return Err(at_line(lines, line, SyntaxErrorKind::JunkAfterEnd));
            }
            _ => {}
        }
    }
    match begin {
        Some(_) => Err(at_line(lines, lines.len().saturating_sub(1), SyntaxErrorKind::MissingEnd)),
        None => Ok(ranges),
    }
}

fn is_head(line: &str) -> bool {
    if !line.starts_with("func") {
        return false;
    }
    let mut tokens = Vec::new();
    // A head with a bad token still is one; the error is reported where it is read.
    let _ = lex(line, &mut tokens);
    let is_name = |token: &Token<'_>| matches!(token.kind, TokenKind::Word | TokenKind::Quoted);
    tokens.first().is_some_and(|token| token.text == "func") && tokens.get(1).is_some_and(is_name)
}

fn at_line(lines: &[&str], line: usize, kind: SyntaxErrorKind) -> SyntaxErrors {
    let source = lines.get(line).copied().unwrap_or("");
    let column = source.len() - source.trim_start().len();
    let column = source[..column].chars().count() + 1;
    SyntaxErrors { errors: vec![SyntaxError { line: line + 1, column, source: source.to_owned(), kind }] }
}

fn parse_function<D: Dialect>(lines: &[&str], range: Range<usize>) -> Result<Function<D>, SyntaxErrors> {
    let mut reader = FunctionReader::new(lines);
    reader.prepare(range.clone());
    reader.read(range);
    reader.finish().map_err(|mut errors| {
        errors.sort_by_key(|error| (error.line, error.column));
        errors.dedup();
        errors.truncate(SyntaxErrors::LIMIT);
        SyntaxErrors { errors }
    })
}
