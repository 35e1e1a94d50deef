//! What a dialect sees of the text: one instruction, being written or read.

use super::error::{SyntaxError, SyntaxErrorKind};
use super::lex::{Token, TokenKind, unquote_string};
use super::scope::Scope;
use super::spell::{Speller, plain_or_quoted};
use crate::dialect::Syntax;
use crate::function::{Arg, Dest, List};
use ssaphire_graph::Block;
use std::fmt::{self, Write};
use std::ops::Range;
use std::str::FromStr;

/// An instruction being written, after its results.
///
/// Whatever the dialect writes here, it must write the arguments in their
/// order, then the targets in theirs: that is how they are read back. No
/// parenthesis may follow a target, for there its edge passes what block
/// parameters get. It implements [`fmt::Write`] for all that is not an operand.
///
/// It is the same for all dialects, so that one can be made of another's operations and some more.
pub struct InstPrinter<'a> {
    pub(super) out: &'a mut dyn Write,
    pub(super) spell: &'a dyn Spell,
    pub(super) block: Block,
    pub(super) args: &'a [Arg],
    pub(super) results: &'a [Dest],
    pub(super) targets: &'a [Block],
}

/// How operands are spelled, in a function of any dialect.
pub(crate) trait Spell {
    /// Whether operations are written as calls of functions, as continuations have them.
    fn writes_calls(&self) -> bool {
        false
    }

    fn arg(&self, arg: Arg, out: &mut dyn Write) -> fmt::Result;
    fn dest(&self, dest: Dest, out: &mut dyn Write) -> fmt::Result;
    fn target(&self, source: Block, slot: usize, target: Block, out: &mut dyn Write) -> fmt::Result;
}

impl<D: Syntax> Spell for Speller<'_, D> {
    fn arg(&self, arg: Arg, out: &mut dyn Write) -> fmt::Result {
        Speller::arg(self, arg, out)
    }

    fn dest(&self, dest: Dest, out: &mut dyn Write) -> fmt::Result {
        Speller::dest(self, dest, out)
    }

    fn target(&self, source: Block, slot: usize, target: Block, out: &mut dyn Write) -> fmt::Result {
        Speller::target(self, source, slot, target, out)
    }
}

impl Write for InstPrinter<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.out.write_str(text)
    }
}

impl<'a> InstPrinter<'a> {
    /// Writes instructions with operands as `spell` has them.
    pub(crate) fn with_spelling(
        out: &'a mut dyn Write,
        spell: &'a dyn Spell,
        args: &'a [Arg],
        results: &'a [Dest],
        targets: &'a [Block],
    ) -> Self {
        Self { out, spell, block: Block::new(0), args, results, targets }
    }
}

impl InstPrinter<'_> {
    /// Whether the instruction is written as [continuations](crate::cps) have it, where a call of a function takes its continuations
    /// as further arguments.
    ///
    /// The order of operands may be another one then: such a text is not read back.
    pub fn is_in_cps(&self) -> bool {
        self.spell.writes_calls()
    }

    /// Writes `name`, all arguments, and all targets, with commas between.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn plain(&mut self, name: &str) -> fmt::Result {
        self.out.write_str(name)?;
        let (args, targets) = (self.num_args(), self.num_targets());
        if self.is_in_cps() {
            return self.call_operands();
        }
        if args + targets == 0 {
            // Without the parentheses `x = read` would be a copy from a variable of that name.
            return self.out.write_str(if self.num_results() > 0 { "()" } else { "" });
        }
        self.out.write_str(" ")?;
        self.args(0..args)?;
        self.out.write_str(if args > 0 && targets > 0 { ", " } else { "" })?;
        self.targets(0..targets)
    }

    /// Writes all arguments and all targets in parentheses, with commas between: what an operation takes as [continuations](crate::cps)
    /// have it.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn call_operands(&mut self) -> fmt::Result {
        let (args, targets) = (self.num_args(), self.num_targets());
        self.out.write_str("(")?;
        self.args(0..args)?;
        self.out.write_str(if args > 0 && targets > 0 { ", " } else { "" })?;
        self.targets(0..targets)?;
        self.out.write_str(")")
    }

    /// Number of arguments.
    pub fn num_args(&self) -> usize {
        self.args.len()
    }

    /// Number of results, which are written already.
    pub fn num_results(&self) -> usize {
        self.results.len()
    }

    /// Number of targets.
    pub fn num_targets(&self) -> usize {
        self.targets.len()
    }

    /// Writes one argument.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn arg(&mut self, index: usize) -> fmt::Result {
        self.args.get(index).map_or(Ok(()), |&arg| self.spell.arg(arg, self.out))
    }

    /// Writes some arguments with commas between.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn args(&mut self, range: Range<usize>) -> fmt::Result {
        self.list(range, Self::arg)
    }

    /// Writes the name of one result once more.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn result(&mut self, index: usize) -> fmt::Result {
        self.results.get(index).map_or(Ok(()), |&dest| self.spell.dest(dest, self.out))
    }

    /// Writes one target.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn target(&mut self, slot: usize) -> fmt::Result {
        let Some(&target) = self.targets.get(slot) else { return Ok(()) };
        self.spell.target(self.block, slot, target, self.out)
    }

    /// Writes some targets with commas between.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn targets(&mut self, range: Range<usize>) -> fmt::Result {
        self.list(range, Self::target)
    }

    /// Writes a name, in single quotes if it needs them: [`InstParser::name`] reads it.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn name(&mut self, name: &str) -> fmt::Result {
        plain_or_quoted(name, self.out)
    }

    /// Writes a string in double quotes: [`InstParser::string`] reads it.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn string(&mut self, text: &str) -> fmt::Result {
        super::lex::quote_string(text, '"', self.out)
    }

    fn list(&mut self, range: Range<usize>, item: fn(&mut Self, usize) -> fmt::Result) -> fmt::Result {
        for index in range.clone() {
            self.out.write_str(if index == range.start { "" } else { ", " })?;
            item(self, index)?;
        }
        Ok(())
    }
}

/// An instruction being read, after its name.
///
/// The results are known. Arguments and targets that are read become those of
/// the instruction, in the order they are read.
pub struct InstParser<'p, 't> {
    pub(super) scope: &'p mut dyn Operands<'t>,
    pub(super) tokens: &'p [Token<'t>],
    pub(super) position: usize,
    pub(super) args: List<Arg, 2>,
    pub(super) results: List<Dest, 2>,
    pub(super) targets: List<Block, 4>,
}

/// How operands are read, in a function of any dialect.
pub(super) trait Operands<'t> {
    fn arg(&mut self, tokens: &[Token<'t>], position: &mut usize) -> Result<Arg, SyntaxError>;
    fn dest(&mut self, tokens: &[Token<'t>], position: &mut usize) -> Result<Dest, SyntaxError>;
    fn target(&mut self, tokens: &[Token<'t>], position: &mut usize) -> Result<Block, SyntaxError>;
    fn name(&mut self, tokens: &[Token<'t>], position: &mut usize) -> Result<String, SyntaxError>;
    fn error(&self, tokens: &[Token<'_>], position: usize, kind: SyntaxErrorKind) -> SyntaxError;
}

impl<'t, D: Syntax> Operands<'t> for Scope<'t, D> {
    fn arg(&mut self, tokens: &[Token<'t>], position: &mut usize) -> Result<Arg, SyntaxError> {
        Scope::arg(self, tokens, position)
    }

    fn dest(&mut self, tokens: &[Token<'t>], position: &mut usize) -> Result<Dest, SyntaxError> {
        Scope::dest(self, tokens, position)
    }

    fn target(&mut self, tokens: &[Token<'t>], position: &mut usize) -> Result<Block, SyntaxError> {
        Scope::target(self, tokens, position)
    }

    fn name(&mut self, tokens: &[Token<'t>], position: &mut usize) -> Result<String, SyntaxError> {
        Scope::name(self, tokens, position)
    }

    fn error(&self, tokens: &[Token<'_>], position: usize, kind: SyntaxErrorKind) -> SyntaxError {
        Scope::error(self, tokens, position, kind)
    }
}

impl<'t> InstParser<'_, 't> {
    /// Reads that many arguments, then that many targets, with commas between.
    ///
    /// # Errors
    /// If there is anything else.
    pub fn plain(&mut self, args: usize, targets: usize) -> Result<(), SyntaxError> {
        for index in 0..args + targets {
            if index > 0 {
                self.expect(",")?;
            }
            if index < args { self.arg()? } else { self.target()? }
        }
        Ok(())
    }

    /// Reads an argument: a variable, a value, a constant, or `undef`.
    ///
    /// # Errors
    /// If there is none.
    pub fn arg(&mut self) -> Result<(), SyntaxError> {
        let arg = self.scope.arg(self.tokens, &mut self.position)?;
        self.args.push(arg);
        Ok(())
    }

    /// Reads arguments with commas between, as far as they go; there may be none.
    ///
    /// # Errors
    /// If after a comma there is no argument.
    pub fn args(&mut self) -> Result<(), SyntaxError> {
        if self.tokens.get(self.position).is_none_or(|token| token.kind == TokenKind::Mark) {
            return Ok(());
        }
        self.arg()?;
        while self.eat(",") {
            self.arg()?;
        }
        Ok(())
    }

    /// Reads the label of a target, and what its edge passes to the parameters of the block.
    ///
    /// An opening parenthesis after the label belongs to the target.
    ///
    /// # Errors
    /// If there is none, or no block has it.
    pub fn target(&mut self) -> Result<(), SyntaxError> {
        let target = self.scope.target(self.tokens, &mut self.position)?;
        self.targets.push(target);
        Ok(())
    }

    /// Reads one or more targets with commas between.
    ///
    /// # Errors
    /// If there is something else.
    pub fn targets(&mut self) -> Result<(), SyntaxError> {
        self.target()?;
        while self.eat(",") {
            self.target()?;
        }
        Ok(())
    }

    /// Reads the name of one of the results: its index.
    ///
    /// # Errors
    /// If it is none of them.
    pub fn result(&mut self) -> Result<usize, SyntaxError> {
        let at = self.position;
        let dest = self.scope.dest(self.tokens, &mut self.position)?;
        let index = self.results.iter().position(|&result| result == dest);
        index.ok_or_else(|| self.error_at(at, SyntaxErrorKind::Expected("one of the results")))
    }

    /// The results, which were read before the name.
    pub fn results(&self) -> &[Dest] {
        &self.results
    }

    /// The arguments read so far.
    pub fn args_so_far(&self) -> &[Arg] {
        &self.args
    }

    /// The next token, if there is one.
    pub fn peek(&self) -> Option<&'t str> {
        self.tokens.get(self.position).map(|token| token.text)
    }

    /// Whether everything has been read.
    pub fn is_at_end(&self) -> bool {
        self.position == self.tokens.len()
    }

    /// Takes the next token if it is this one.
    pub fn eat(&mut self, token: &str) -> bool {
        let eaten = self.peek() == Some(token);
        self.position += usize::from(eaten);
        eaten
    }

    /// Takes the next token, which has to be this one.
    ///
    /// # Errors
    /// If it is another.
    pub fn expect(&mut self, token: &str) -> Result<(), SyntaxError> {
        if self.eat(token) { Ok(()) } else { Err(self.error(SyntaxErrorKind::ExpectedToken(token.to_owned()))) }
    }

    /// Takes the next token, whatever it is.
    ///
    /// # Errors
    /// If there is none.
    pub fn token(&mut self) -> Result<&'t str, SyntaxError> {
        let token = self.peek().ok_or_else(|| self.error(SyntaxErrorKind::Expected("more on this line")))?;
        self.position += 1;
        Ok(token)
    }

    /// Takes a name, with or without single quotes.
    ///
    /// # Errors
    /// If there is none.
    pub fn name(&mut self) -> Result<String, SyntaxError> {
        self.scope.name(self.tokens, &mut self.position)
    }

    /// Takes a string in double quotes.
    ///
    /// # Errors
    /// If there is none.
    pub fn string(&mut self) -> Result<String, SyntaxError> {
        let text = self.peek().filter(|token| token.starts_with('"')).and_then(unquote_string);
        let text = text.ok_or_else(|| self.error(SyntaxErrorKind::Expected("a string in double quotes")))?;
        self.position += 1;
        Ok(text)
    }

    /// Takes a token that is a number of this type.
    ///
    /// # Errors
    /// If there is none.
    pub fn number<T: FromStr>(&mut self) -> Result<T, SyntaxError> {
        let number = self.peek().and_then(|token| token.parse().ok());
        let number = number.ok_or_else(|| self.error(SyntaxErrorKind::Expected("a number in range")))?;
        self.position += 1;
        Ok(number)
    }

    /// The error that something is wrong with the next token.
    pub fn error(&self, kind: SyntaxErrorKind) -> SyntaxError {
        self.error_at(self.position, kind)
    }

    /// The error that there is no operation of this name.
    pub fn unknown_op(&self) -> SyntaxError {
        let name = self.position.checked_sub(1);
        let text = name.and_then(|name| self.tokens.get(name)).map_or("", |token| token.text);
        self.error_at(name.unwrap_or(0), SyntaxErrorKind::UnknownOp(text.to_owned()))
    }

    fn error_at(&self, position: usize, kind: SyntaxErrorKind) -> SyntaxError {
        self.scope.error(self.tokens, position, kind)
    }
}
