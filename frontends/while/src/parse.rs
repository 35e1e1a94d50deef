//! From source to syntax tree.
//!
//! Statements and expressions are read by hand-written loops over explicit
//! stacks, so nesting costs heap and no stack. After an error the rest of the
//! statement is skipped, braces included, and parsing goes on behind it. What
//! depends on the whole file (labels, calls of its functions, types) is checked at
//! the end, and only where nothing else is wrong.

mod expression;
mod names;
mod statement;
mod types;

use crate::error::{Error, ErrorKind};
use crate::options::Options;
use crate::token::{Lexer, Token};
use crate::tree::{Expression, ExpressionId, Program, Statement, StatementId};
pub(crate) use expression::{COMPARISON, INFIX, Infix, PREFIX};
use names::{FunctionNames, ProgramNames};
use ssaphire_ir::source::{Source, Span};
use statement::Open;

/// Parses a program.
///
/// # Complexity
/// O(length of the source).
///
/// # Errors
/// What is wrong with it, in the order of the source, at most [`Error::LIMIT`] of them; never empty.
pub fn parse(source: &str, options: &Options) -> Result<Program, Vec<Error>> {
    let limit = u32::MAX as usize;
    if source.len() > limit {
        let kind = ErrorKind::SourceTooLong { given: source.len(), limit };
        return Err(vec![Error::new(kind, Span::default(), &Source::new(""))]);
    }
    let mut parser = Parser::new(source, *options);
    parser.parse_file();
    if parser.errors.is_empty() {
        parser.check_names();
    }
    if parser.errors.is_empty() {
        parser.check_types();
    }
    parser.finish()
}

/// An error has been recorded; the statement it is in makes no sense.
struct Refused;

struct Parser<'s> {
    lexer: Lexer<'s>,
    /// The token in front, and where it is.
    token: Token<'s>,
    span: Span,
    /// Where the token before it is.
    previous: Span,
    options: Options,
    program: Program,
    /// What is open around the current place, outermost first.
    open: Vec<Open>,
    /// Finished statements of the open bodies; those of the innermost body are last.
    pending: Vec<StatementId>,
    /// Finished arguments of the open lists; those of the innermost list are last.
    arguments: Vec<ExpressionId>,
    frames: Vec<expression::Frame>,
    num_loops: usize,
    /// Names of the file, and of the function around the current place.
    names: ProgramNames<'s>,
    local: FunctionNames<'s>,
    /// By function: the numbers of its first statement and its first expression.
    starts: Vec<(usize, usize)>,
    /// Labels that are gone to but stand nowhere.
    unknown_labels: Vec<(String, Span)>,
    errors: Vec<(ErrorKind, Span)>,
}

impl<'s> Parser<'s> {
    fn new(source: &'s str, options: Options) -> Self {
        let mut parser = Self {
            lexer: Lexer::new(source),
            token: Token::End,
            span: Span::default(),
            previous: Span::default(),
            options,
            program: Program { source: Source::new(source), ..Program::default() },
            open: Vec::new(),
            pending: Vec::new(),
            arguments: Vec::new(),
            frames: Vec::new(),
            num_loops: 0,
            names: ProgramNames::default(),
            local: FunctionNames::default(),
            starts: Vec::new(),
            unknown_labels: Vec::new(),
            errors: Vec::new(),
        };
        parser.advance();
        parser
    }

    fn finish(mut self) -> Result<Program, Vec<Error>> {
        if self.errors.is_empty() {
            return Ok(self.program);
        }
        // What is no token is reported one token before it matters.
        self.errors.sort_by_key(|(_, span)| *span);
        self.errors.truncate(Error::LIMIT);
        let source = &self.program.source;
        Err(self.errors.into_iter().map(|(kind, span)| Error::new(kind, span, source)).collect())
    }

    /// Goes to the next token. What is no token is reported here, and nowhere else.
    fn advance(&mut self) {
        self.previous = self.span;
        (self.token, self.span) = self.lexer.next().unwrap_or_else(|unreadable| {
            self.errors.push((unreadable.kind, unreadable.span));
            (Token::Unreadable, unreadable.span)
        });
    }

    /// The token behind the one in front.
    fn peek(&self) -> Token<'s> {
        let mut lexer = self.lexer;
        lexer.next().map_or(Token::End, |(token, _)| token)
    }

    fn is(&self, mark: &str) -> bool {
        matches!(self.token, Token::Mark(token) if token == mark)
    }

    fn eat(&mut self, mark: &str) -> bool {
        let found = self.is(mark);
        if found {
            self.advance();
        }
        found
    }

    /// Passes `mark`, which `wanted` spells in quotes.
    fn expect(&mut self, mark: &str, wanted: &'static str) -> Result<(), Refused> {
        if self.eat(mark) { Ok(()) } else { self.expected(wanted) }
    }

    fn expect_name(&mut self, wanted: &'static str) -> Result<(&'s str, Span), Refused> {
        let Token::Name(name) = self.token else { return self.expected(wanted) };
        let span = self.span;
        self.advance();
        Ok((name, span))
    }

    fn expected<T>(&mut self, wanted: &'static str) -> Result<T, Refused> {
        let found = match self.token {
            Token::Unreadable => return Err(Refused),
            Token::End => "the end of the file".to_owned(),
            _ => format!("`{}`", self.program.source.slice(self.span)),
        };
        self.refuse(ErrorKind::Expected { wanted, found }, self.span)
    }

    fn refuse<T>(&mut self, kind: ErrorKind, span: Span) -> Result<T, Refused> {
        self.errors.push((kind, span));
        Err(Refused)
    }

    /// Reports `construct` if only the thesis's language is accepted.
    fn superset(&mut self, construct: &'static str, span: Span) {
        if self.options.strict {
            self.errors.push((ErrorKind::NotStrict(construct), span));
        }
    }

    fn push_statement(&mut self, statement: Statement, span: Span) -> StatementId {
        let id = StatementId(self.program.statements.len() as u32);
        self.program.statements.push(statement);
        self.program.statement_spans.push(span);
        self.pending.push(id);
        id
    }

    fn push_expression(&mut self, expression: Expression, span: Span) -> ExpressionId {
        let id = ExpressionId(self.program.expressions.len() as u32);
        self.program.expressions.push(expression);
        self.program.expression_spans.push(span);
        id
    }
}
