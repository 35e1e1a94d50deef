//! Parses source into a syntax tree.
//!
//! Statements and expressions are parsed by hand-written loops over explicit
//! stacks, so nesting uses heap, not stack. After an error, the parser skips
//! the rest of the statement, braces included, and continues after it.
//! Properties of the whole file (labels, calls of its functions, types) are
//! checked at the end, and only if there are no other errors.

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
/// All errors in source order, at most [`Error::LIMIT`] of them; never empty.
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

/// An error has been recorded, and the current statement is abandoned.
struct Refused;

struct Parser<'s> {
    lexer: Lexer<'s>,
    /// The current token, and its span.
    token: Token<'s>,
    span: Span,
    /// The span of the previous token.
    previous: Span,
    options: Options,
    program: Program,
    /// The open constructs, outermost first.
    open: Vec<Open>,
    /// Finished statements of the open bodies; the innermost body's are last.
    pending: Vec<StatementId>,
    /// Finished arguments of the open lists; the innermost list's are last.
    arguments: Vec<ExpressionId>,
    frames: Vec<expression::Frame>,
    num_loops: usize,
    /// The names of the file, and of the current function.
    names: ProgramNames<'s>,
    local: FunctionNames<'s>,
    /// By function, the numbers of its first statement and its first expression.
    starts: Vec<(usize, usize)>,
    /// Labels that are targets of a `goto` but not defined.
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
        // An unreadable token is reported one token early, as lookahead.
        self.errors.sort_by_key(|(_, span)| *span);
        self.errors.truncate(Error::LIMIT);
        let source = &self.program.source;
        Err(self.errors.into_iter().map(|(kind, span)| Error::new(kind, span, source)).collect())
    }

    /// Advances to the next token. Only this function reports unreadable tokens.
    fn advance(&mut self) {
        self.previous = self.span;
        (self.token, self.span) = self.lexer.next().unwrap_or_else(|unreadable| {
            self.errors.push((unreadable.kind, unreadable.span));
            (Token::Unreadable, unreadable.span)
        });
    }

    /// The token after the current one.
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

    /// Consumes `mark`, whose quoted spelling is `wanted`.
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
