//! The functions of a text, with their dialects.
//!
//! A line `dialect NAME` sets the dialect of the functions below it, up to the
//! next such line. It belongs to the text and not to a function: a tool that
//! writes functions writes the line wherever the dialect changes.

use super::error::{SyntaxError, SyntaxErrorKind, SyntaxErrors};
use super::lex::{Token, TokenKind, lex};
use super::reader::FunctionReader;
use crate::dialect::Syntax;
use crate::function::Function;
use std::ops::Range;

/// What some editors begin a text with.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// The functions of a text, to be parsed one by one.
///
/// # Examples
/// ```
/// use ssaphire_ir::text::Outline;
/// use ssaphire_ir::{Basic, Syntax};
///
/// let text = "func f() {\nblock0:\n  return\n}\n\ndialect wasm\n\nfunc g() {\nblock0:\n  return 7_i64\n}\n";
/// let outline = Outline::new(text)?;
/// let dialects: Vec<_> = outline.functions().map(|function| function.dialect()).collect();
/// assert_eq!(dialects, [None, Some("wasm")]);
/// let basic = outline.functions().find(|function| function.dialect().is_none_or(|name| name == Basic::NAME));
/// assert_eq!(basic.unwrap().parse::<Basic>()?.name(), "f");
/// # Ok::<(), ssaphire_ir::text::SyntaxErrors>(())
/// ```
#[derive(Clone, Debug)]
pub struct Outline<'t> {
    lines: Vec<&'t str>,
    functions: Vec<Part<'t>>,
}

/// A function of an outline.
#[derive(Clone, Debug)]
struct Part<'t> {
    dialect: Option<DialectLine<'t>>,
    /// From the `func` line to the line that begins with `}`, both included.
    lines: Range<usize>,
}

/// `dialect NAME`.
#[derive(Clone, Copy, Debug)]
struct DialectLine<'t> {
    name: &'t str,
    /// Index of the line.
    line: usize,
    /// Byte offset of the name.
    offset: usize,
}

/// The text of one function.
#[derive(Clone, Copy, Debug)]
pub struct FunctionText<'o> {
    lines: &'o [&'o str],
    part: &'o Part<'o>,
}

impl<'t> Outline<'t> {
    /// Finds the functions of `text`. Skips a byte-order mark at its beginning.
    ///
    /// # Errors
    /// What is not in a function and does not belong there, and a function without end.
    pub fn new(text: &'t str) -> Result<Self, SyntaxErrors> {
        let lines: Vec<_> = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text).lines().collect();
        let mut functions = Vec::new();
        let mut dialect = None;
        let mut begin = None;
        for (line, &source) in lines.iter().enumerate() {
            let text = source.trim_start();
            match begin {
                Some(first) if text.starts_with('}') => {
                    functions.push(Part { dialect, lines: first..line + 1 });
                    begin = None;
                }
                // A `func` line inside a function is most likely the next one.
                Some(_) if is_head(text) => return Err(at_line(&lines, line, SyntaxErrorKind::MissingEnd)),
                None if is_head(text) => begin = Some(line),
                None if !text.is_empty() && !text.starts_with(';') => dialect = Some(dialect_line(&lines, line)?),
                _ => {}
            }
        }
        match begin {
            Some(_) => Err(at_line(&lines, lines.len().saturating_sub(1), SyntaxErrorKind::MissingEnd)),
            None => Ok(Self { lines, functions }),
        }
    }

    /// The functions, in order.
    pub fn functions(&self) -> impl ExactSizeIterator<Item = FunctionText<'_>> {
        self.functions.iter().map(|part| FunctionText { lines: &self.lines, part })
    }

    /// The only function.
    ///
    /// # Errors
    /// If there is none, or another one.
    pub(super) fn only_function(&self) -> Result<FunctionText<'_>, SyntaxErrors> {
        let mut functions = self.functions();
        let first = functions.next();
        if let Some(second) = functions.next() {
            return Err(at_line(&self.lines, second.part.lines.start, SyntaxErrorKind::SeveralFunctions));
        }
        let end = self.lines.len().saturating_sub(1);
        first.ok_or_else(|| at_line(&self.lines, end, SyntaxErrorKind::NoFunction))
    }
}

impl<'o> FunctionText<'o> {
    /// The number of its first line, from 1.
    pub fn line(&self) -> usize {
        self.part.lines.start + 1
    }

    /// The name of the dialect, if the text gives it: the [`Syntax::NAME`] of its reader.
    pub fn dialect(&self) -> Option<&'o str> {
        self.part.dialect.map(|dialect| dialect.name)
    }

    /// The function: a canonical one.
    ///
    /// A function without a given dialect may be read as any.
    ///
    /// # Errors
    /// All that is wrong with the text, up to [`SyntaxErrors::LIMIT`]; another dialect. Never a panic.
    ///
    /// # Complexity
    /// Linear in the length of the text, but for sorting edges and hashing names.
    pub fn parse<D: Syntax>(&self) -> Result<Function<D>, SyntaxErrors> {
        self.read::<D>()?.finish().map_err(sorted)
    }

    /// The function, if its values keep the rules of SSA form besides: what is [`parse`](Self::parse)d is
    /// well-formed, and may use a value where its definition does not dominate.
    ///
    /// Construction takes a function in variable or mixed form for granted in this respect, so what
    /// people have written is to be read by this.
    ///
    /// # Errors
    /// As [`parse`](Self::parse); uses before a definition or not dominated by it, but for those in
    /// unreachable blocks; and phis in the entry, which control enters by no edge.
    ///
    /// # Complexity
    /// That of [`parse`](Self::parse), plus a dominator tree.
    pub fn parse_valid<D: Syntax>(&self) -> Result<Function<D>, SyntaxErrors> {
        self.read::<D>()?.finish_valid().map_err(sorted)
    }

    /// The error that the dialect is unknown.
    pub fn unknown_dialect(&self) -> SyntaxErrors {
        let name = self.dialect().unwrap_or_default().to_owned();
        self.at_dialect(SyntaxErrorKind::UnknownDialect(name))
    }

    /// The error that functions of the dialect are not read here, with the reason.
    pub fn refused_dialect(&self, reason: impl Into<String>) -> SyntaxErrors {
        self.at_dialect(SyntaxErrorKind::Dialect(reason.into()))
    }

    fn read<D: Syntax>(&self) -> Result<FunctionReader<'o, D>, SyntaxErrors> {
        if let Some(said) = self.dialect().filter(|&said| said != D::NAME) {
            return Err(self.at_dialect(SyntaxErrorKind::WrongDialect { said: said.to_owned(), wanted: D::NAME }));
        }
        let mut reader = FunctionReader::new(self.lines);
        reader.prepare(self.part.lines.clone());
        reader.read(self.part.lines.clone());
        Ok(reader)
    }

    /// An error about the name of the dialect; at the head of the function where it is not said.
    fn at_dialect(&self, kind: SyntaxErrorKind) -> SyntaxErrors {
        let place = self.part.dialect.map(|dialect| (dialect.line, dialect.offset));
        let (line, offset) = place.unwrap_or((self.part.lines.start, 0));
        at(self.lines, line, offset, kind)
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

/// A line outside of functions that is neither empty nor a comment.
fn dialect_line<'t>(lines: &[&'t str], line: usize) -> Result<DialectLine<'t>, SyntaxErrors> {
    let mut tokens = Vec::new();
    let source = lines[line];
    let result = lex(source, &mut tokens);
    if tokens.first().is_none_or(|token| token.text != "dialect") {
        return Err(at_line(lines, line, SyntaxErrorKind::JunkAfterEnd));
    }
    result.map_err(|(kind, offset)| at(lines, line, offset, kind))?;
    match &tokens[..] {
        [_, name] if name.kind == TokenKind::Word => Ok(DialectLine { name: name.text, line, offset: name.offset }),
        [_, name, junk, ..] if name.kind == TokenKind::Word => {
            Err(at(lines, line, junk.offset, SyntaxErrorKind::JunkAtEndOfLine))
        }
        _ => {
            let offset = tokens.get(1).map_or(source.trim_end().len(), |token| token.offset);
            Err(at(lines, line, offset, SyntaxErrorKind::Expected("the name of a dialect")))
        }
    }
}

/// An error at the first character of a line that is no blank.
fn at_line(lines: &[&str], line: usize, kind: SyntaxErrorKind) -> SyntaxErrors {
    let source = lines.get(line).copied().unwrap_or("");
    at(lines, line, source.len() - source.trim_start().len(), kind)
}

fn at(lines: &[&str], line: usize, offset: usize, kind: SyntaxErrorKind) -> SyntaxErrors {
    let source = lines.get(line).copied().unwrap_or("");
    let column = source[..offset].chars().count() + 1;
    SyntaxErrors { errors: vec![SyntaxError { line: line + 1, column, source: source.to_owned(), kind }] }
}

fn sorted(mut errors: Vec<SyntaxError>) -> SyntaxErrors {
    errors.sort_by_key(|error| (error.line, error.column));
    errors.dedup();
    errors.truncate(SyntaxErrors::LIMIT);
    SyntaxErrors { errors }
}
