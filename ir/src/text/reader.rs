//! Reading a function line by line.

use super::error::{SyntaxError, SyntaxErrorKind, SyntaxErrors};
use super::inst::InstParser;
use super::lex::{Token, TokenKind, lex};
use super::phis::{PhiOperands, ReadOperands, ReadPhi, is_upsilon};
use super::scope::{Place, Scope, constant, is_undef};
use crate::dialect::{Count, Syntax};
use crate::function::{Action, Dest, Inst, List};
use smallvec::{SmallVec, smallvec};
use ssaphire_graph::{Block, IdSet, Value, Variable};
use std::ops::Range;

/// What a line is, by its first tokens.
pub(super) enum Line {
    Blank,
    Head,
    Declaration,
    Entry,
    Label,
    Upsilon,
    Inst,
    End,
}

pub(super) fn classify(tokens: &[Token<'_>]) -> Line {
    let is_name =
        |index: usize| tokens.get(index).is_some_and(|t| matches!(t.kind, TokenKind::Word | TokenKind::Quoted));
    let text = |index: usize| tokens.get(index).map_or("", |token| token.text);
    match text(0) {
        "" => Line::Blank,
        "}" => Line::End,
        "func" if is_name(1) => Line::Head,
        "var" if is_name(1) => Line::Declaration,
        "entry" if text(1) == ":" && is_name(2) => Line::Entry,
        _ if is_name(0) && (text(1) == ":" || has_block_params(tokens)) => Line::Label,
        "upsilon" if is_upsilon(tokens) => Line::Upsilon,
        _ => Line::Inst,
    }
}

/// Whether a colon follows the first parentheses, which stand behind a name.
fn has_block_params(tokens: &[Token<'_>]) -> bool {
    let is_mark = |index: usize, text: &str| tokens.get(index).is_some_and(|token| token.text == text);
    let close = tokens.iter().position(|token| token.text == ")");
    is_mark(1, "(") && close.is_some_and(|close| is_mark(close + 1, ":"))
}

pub(super) struct FunctionReader<'t, D: Syntax> {
    pub(super) scope: Scope<'t, D>,
    pub(super) errors: Vec<SyntaxError>,
    /// Number of label lines read so far.
    num_labels: usize,
    pub(super) heads: Vec<BlockHead>,
    pub(super) phis: Vec<ReadPhi>,
    pub(super) phi_operands: PhiOperands,
    /// The places of the labels, once `heads` has been consumed.
    pub(super) places: Vec<Place>,
    /// Blocks that list their incoming edges.
    pub(super) is_listed: IdSet<Block>,
    /// Whether the current block has an error already, so that what follows from it is not reported.
    is_damaged: bool,
    /// Variables of `var` lines.
    declared: IdSet<Variable>,
    /// Variables of the parameter list.
    bound: IdSet<Variable>,
}

/// The label line of a block.
pub(super) struct BlockHead {
    pub(super) place: Place,
    /// The edges after `<-`.
    pub(super) listed: Option<Vec<Listed>>,
}

/// An edge as a label line lists it.
pub(super) struct Listed {
    pub(super) source: Block,
    pub(super) slot: Option<u32>,
}

impl<'t, D: Syntax> FunctionReader<'t, D> {
    pub(super) fn new(lines: &'t [&'t str]) -> Self {
        Self {
            scope: Scope::new(lines),
            errors: Vec::new(),
            num_labels: 0,
            heads: Vec::new(),
            phis: Vec::new(),
            phi_operands: PhiOperands::default(),
            places: Vec::new(),
            is_listed: IdSet::new(),
            is_damaged: false,
            declared: IdSet::new(),
            bound: IdSet::new(),
        }
    }

    pub(super) fn report(&mut self, error: SyntaxError) {
        self.is_damaged = true;
        // Only the first ones are shown; collecting them all would cost a line of text each.
        if self.errors.len() < 4 * SyntaxErrors::LIMIT {
            self.errors.push(error);
        }
    }

    /// Creates the blocks and the declared variables.
    pub(super) fn prepare(&mut self, range: Range<usize>) {
        let mut tokens = Vec::new();
        for line in range {
            self.scope.line = line;
            // Bad tokens are reported when the line is read; a label before them still counts.
            let _ = lex(self.scope.lines[line], &mut tokens);
            let result = match classify(&tokens) {
                Line::Label => self.create_block(&tokens),
                Line::Declaration if self.scope.function.num_blocks() == 0 => self.read_declaration(&tokens),
                _ => Ok(()),
            };
            if let Err(error) = result {
                self.report(error);
            }
        }
    }

    fn create_block(&mut self, tokens: &[Token<'t>]) -> Result<(), SyntaxError> {
        let label = match self.scope.name(tokens, &mut 0) {
            Ok(label) => label,
            Err(error) => {
                // Create the block nevertheless: otherwise all later lines would be attributed to the wrong block.
                self.scope.function.create_block();
                return Err(error);
            }
        };
        let is_taken = self.scope.function.block_labeled(&label).is_some();
        self.scope.function.create_named_block(&label);
        if is_taken {
            return Err(self.scope.error(tokens, 0, SyntaxErrorKind::DuplicateLabel(label)));
        }
        Ok(())
    }

    /// `var x, y: type`.
    fn read_declaration(&mut self, tokens: &[Token<'t>]) -> Result<(), SyntaxError> {
        let mut position = 1;
        let mut variables = Vec::new();
        loop {
            let at = position;
            let variable = self.scope.variable(tokens, &mut position)?;
            if !self.declared.insert(variable) {
                let name = self.scope.function.variable_name(variable).to_owned();
                return Err(self.scope.error(tokens, at, SyntaxErrorKind::DuplicateVariable(name)));
            }
            self.scope.known.insert(variable);
            variables.push(variable);
            if tokens.get(position).is_none_or(|token| token.text != ",") {
                break;
            }
            position += 1;
        }
        if let Some(ty) = self.scope.annotation(tokens, &mut position)? {
            for variable in variables {
                self.scope.function.variables.set_type(variable, ty.clone());
            }
        }
        self.end_of_line(tokens, position)
    }

    pub(super) fn read(&mut self, range: Range<usize>) {
        let mut tokens = Vec::new();
        for line in range {
            self.scope.line = line;
            let result = match lex(self.scope.lines[line], &mut tokens) {
                Ok(()) => self.read_line(&tokens),
                Err((kind, offset)) => {
                    if matches!(classify(&tokens), Line::Label) {
                        self.start_block(&tokens);
                    }
                    Err(self.scope.error_at(Place { line, offset }, kind))
                }
            };
            if let Err(error) = result {
                self.report(error);
            }
        }
    }

    fn read_line(&mut self, tokens: &[Token<'t>]) -> Result<(), SyntaxError> {
        match classify(tokens) {
            Line::Blank => Ok(()),
            Line::Head => self.read_head(tokens),
            Line::Declaration if self.num_labels == 0 => Ok(()),
            Line::Entry if self.num_labels == 0 => {
                let mut position = 2;
                let entry = self.scope.label(tokens, &mut position)?;
                self.scope.function.set_entry(entry);
                self.end_of_line(tokens, position)
            }
            Line::Label => self.read_label(tokens),
            Line::End => self.read_end(tokens),
            _ if self.num_labels == 0 => Err(self.scope.error(tokens, 0, SyntaxErrorKind::Expected("a label"))),
            Line::Upsilon => self.read_upsilon(tokens),
            _ => self.read_inst(tokens),
        }
    }

    /// The block whose lines are being read.
    pub(super) fn current_block(&self) -> Block {
        Block::new(self.num_labels - 1)
    }

    fn read_end(&mut self, tokens: &[Token<'t>]) -> Result<(), SyntaxError> {
        self.end_block();
        if self.scope.function.num_blocks() == 0 && self.errors.is_empty() {
            return Err(self.scope.error(tokens, 0, SyntaxErrorKind::NoBlocks));
        }
        self.end_of_line(tokens, 1)
    }

    /// `func name(x, %y.0: type, x = %z.0) {`.
    fn read_head(&mut self, tokens: &[Token<'t>]) -> Result<(), SyntaxError> {
        let mut position = 1;
        let name = self.scope.name(tokens, &mut position)?;
        self.scope.function.set_name(name);
        self.expect(tokens, &mut position, "(")?;
        if !eat(tokens, &mut position, ")") {
            self.read_param(tokens, &mut position)?;
            while eat(tokens, &mut position, ",") {
                self.read_param(tokens, &mut position)?;
            }
            self.expect(tokens, &mut position, ")")?;
        }
        self.expect(tokens, &mut position, "{")?;
        self.end_of_line(tokens, position)
    }

    fn read_param(&mut self, tokens: &[Token<'t>], position: &mut usize) -> Result<(), SyntaxError> {
        let at = *position;
        let bound = match self.scope.dest(tokens, position)? {
            Dest::Variable(variable) => Some(variable),
            Dest::Value(_) => None,
        };
        if bound.is_some_and(|variable| !self.bound.insert(variable)) {
            let kind = SyntaxErrorKind::DuplicateVariable(tokens[at].text.to_owned());
            return Err(self.scope.error(tokens, at, kind));
        }
        if bound.is_some() && eat(tokens, position, "=") {
            let is_value = tokens.get(*position).is_some_and(|token| token.kind == TokenKind::Value);
            if !is_value {
                return Err(self.scope.error(tokens, *position, SyntaxErrorKind::Expected("a value")));
            }
            *position += 1;
        }
        let value = match bound {
            Some(variable) if *position == at + 1 => self.scope.first_version(variable, tokens[at].offset),
            _ => self.scope.value(tokens, &mut (*position - 1))?,
        };
        if !self.scope.defined.insert(value) {
            let kind = SyntaxErrorKind::DuplicateValue(tokens[at].text.to_owned());
            return Err(self.scope.error(tokens, at, kind));
        }
        let ty = self.scope.annotation(tokens, position)?;
        self.scope.bind_param(value, bound, ty, &self.declared);
        Ok(())
    }

    /// `label:`, perhaps with `(%x.0)` before the colon, and with `<- a, b.1` after it.
    fn read_label(&mut self, tokens: &[Token<'t>]) -> Result<(), SyntaxError> {
        self.start_block(tokens);
        let mut position = 1;
        self.read_block_params(tokens, &mut position)?;
        self.expect(tokens, &mut position, ":")?;
        if !eat(tokens, &mut position, "<-") {
            return self.end_of_line(tokens, position);
        }
        let mut listed = vec![self.read_edge(tokens, &mut position)?];
        while eat(tokens, &mut position, ",") {
            listed.push(self.read_edge(tokens, &mut position)?);
        }
        self.heads[self.num_labels - 1].listed = Some(listed);
        self.end_of_line(tokens, position)
    }

    fn start_block(&mut self, tokens: &[Token<'t>]) {
        self.end_block();
        self.num_labels += 1;
        self.is_damaged = false;
        let offset = tokens.first().map_or(0, |token| token.offset);
        self.heads.push(BlockHead { place: Place { line: self.scope.line, offset }, listed: None });
    }

    /// `label` or `label.slot`.
    fn read_edge(&mut self, tokens: &[Token<'t>], position: &mut usize) -> Result<Listed, SyntaxError> {
        let token = tokens.get(*position).copied();
        // A dot before the closing quote belongs to the label.
        let token = token.filter(|token| !token.text.ends_with('\''));
        let split = token.and_then(|token| Some((token, token.text.rsplit_once('.')?)));
        let Some((token, (label, slot))) = split else {
            let source = self.scope.label(tokens, position)?;
            return Ok(Listed { source, slot: None });
        };
        let Ok(slot) = slot.parse() else {
            return Err(self.scope.error(tokens, *position, SyntaxErrorKind::Expected("a label and a slot")));
        };
        let source = self.scope.label(&[Token { text: label, ..token }], &mut 0)?;
        *position += 1;
        Ok(Listed { source, slot: Some(slot) })
    }

    fn end_block(&mut self) {
        let Some(block) = self.num_labels.checked_sub(1).map(Block::new) else { return };
        if !self.is_damaged && self.scope.function.block(block).terminator().is_none() {
            let kind = SyntaxErrorKind::Unterminated(self.scope.function.label(block));
            self.report(self.scope.error_at(self.heads[block.index()].place, kind));
        }
    }

    /// `a, %b.1: type = op args`, where what is on the left may be missing.
    fn read_inst(&mut self, tokens: &[Token<'t>]) -> Result<(), SyntaxError> {
        let block = self.current_block();
        let mut position = 0;
        let has_results = has_results(tokens);
        let results = if has_results { self.read_results(tokens, &mut position)? } else { List::new() };
        let is_op = tokens.get(position).is_some_and(|token| self.is_op(token))
            && (!has_results || tokens.get(position + 1).is_some_and(|token| token.text != ","));
        if is_op && has_results && tokens[position].text == "phi" {
            return self.read_phi(block, tokens, position, &results);
        }
        if !is_op && !has_results {
            return Err(self.scope.error(tokens, position, SyntaxErrorKind::Expected("an operation")));
        }
        let inst =
            if is_op { self.read_op(tokens, position, results)? } else { self.read_copy(tokens, position, results)? };
        if self.scope.function.block(block).terminator().is_some() {
            return Err(self.scope.error(tokens, 0, SyntaxErrorKind::AfterTerminator));
        }
        self.scope.function.push_inst(block, inst);
        self.phi_operands.record_passed(block, self.scope.passed.drain(..), &self.scope.passed_values);
        Ok(())
    }

    fn is_op(&self, token: &Token<'t>) -> bool {
        token.kind == TokenKind::Word && !is_undef(token) && constant::<D>(token).is_none()
    }

    fn read_results(&mut self, tokens: &[Token<'t>], position: &mut usize) -> Result<List<Dest, 2>, SyntaxError> {
        let mut results = List::new();
        loop {
            let is_value = tokens.get(*position).is_some_and(|token| token.kind == TokenKind::Value);
            results.push(if is_value {
                Dest::Value(self.defined_value(tokens, position)?)
            } else {
                let dest = self.scope.dest(tokens, position)?;
                if let Dest::Variable(variable) = dest {
                    self.scope.known.insert(variable);
                }
                dest
            });
            if !eat(tokens, position, ",") {
                self.expect(tokens, position, "=")?;
                return Ok(results);
            }
        }
    }

    /// Takes a value where it is defined, with its type if that is there.
    pub(super) fn defined_value(&mut self, tokens: &[Token<'t>], position: &mut usize) -> Result<Value, SyntaxError> {
        let at = *position;
        let value = self.scope.value(tokens, position)?;
        if !self.scope.defined.insert(value) {
            let kind = SyntaxErrorKind::DuplicateValue(tokens[at].text.to_owned());
            return Err(self.scope.error(tokens, at, kind));
        }
        if let Some(ty) = self.scope.annotation(tokens, position)? {
            self.scope.function.values.record_mut(value).ty = ty;
        }
        Ok(value)
    }

    fn read_phi(&mut self, block: Block, tokens: &[Token<'t>], at: usize, results: &[Dest]) -> Result<(), SyntaxError> {
        let &[Dest::Value(value)] = results else {
            return Err(self.scope.error(tokens, 0, SyntaxErrorKind::Expected("one value that the phi defines")));
        };
        if !self.scope.function.block(block).insts().is_empty() {
            return Err(self.scope.error(tokens, at, SyntaxErrorKind::LatePhi));
        }
        let mut position = at + 1;
        let mut operands = SmallVec::new();
        if !is_empty_list(tokens, &mut position) {
            operands.push(self.scope.value(tokens, &mut position)?);
            while eat(tokens, &mut position, ",") {
                operands.push(self.scope.value(tokens, &mut position)?);
            }
        }
        self.end_of_line(tokens, position)?;
        let place = Place { line: self.scope.line, offset: tokens[at].offset };
        self.phis.push(ReadPhi { block, value, operands: ReadOperands::Listed(operands), place });
        Ok(())
    }

    fn read_copy(
        &mut self,
        tokens: &[Token<'t>],
        mut position: usize,
        results: List<Dest, 2>,
    ) -> Result<Inst<D>, SyntaxError> {
        let at = position;
        let mut args = smallvec![self.scope.arg(tokens, &mut position)?];
        while eat(tokens, &mut position, ",") {
            args.push(self.scope.arg(tokens, &mut position)?);
        }
        self.end_of_line(tokens, position)?;
        self.check_count("arguments", Count::Exactly(results.len()), args.len(), tokens, at)?;
        Ok(Inst { action: Action::Copy, args, results, targets: List::new() })
    }

    fn read_op(&mut self, tokens: &[Token<'t>], at: usize, results: List<Dest, 2>) -> Result<Inst<D>, SyntaxError> {
        let mut position = at + 1;
        is_empty_list(tokens, &mut position);
        let (args, targets) = (List::new(), List::new());
        self.scope.passed.clear();
        self.scope.passed_values.clear();
        let mut input = InstParser { scope: &mut self.scope, tokens, position, args, results, targets };
        let op = D::parse_inst(tokens[at].text, &mut input)?;
        let InstParser { position: end, args, results, targets, .. } = input;
        self.end_of_line(tokens, end)?;
        let shape = D::shape(&op);
        self.check_count("arguments", shape.args, args.len(), tokens, at)?;
        self.check_count("results", shape.results, results.len(), tokens, at)?;
        self.check_count("targets", shape.targets, targets.len(), tokens, at)?;
        for (index, dest) in results.iter().enumerate() {
            if let (Dest::Value(value), Some(ty)) = (*dest, D::result_type(&op, index)) {
                let record = self.scope.function.values.record_mut(value);
                // An annotation takes precedence.
                if record.ty == D::Type::default() {
                    record.ty = ty;
                }
            }
        }
        Ok(Inst { action: Action::Op(op), args, results, targets })
    }

    fn check_count(
        &self,
        what: &'static str,
        wanted: Count,
        given: usize,
        tokens: &[Token<'t>],
        at: usize,
    ) -> Result<(), SyntaxError> {
        if wanted.allows(given) {
            return Ok(());
        }
        Err(self.scope.error(tokens, at, SyntaxErrorKind::OperandCount { what, wanted, given }))
    }

    pub(super) fn expect(&self, tokens: &[Token<'t>], position: &mut usize, token: &str) -> Result<(), SyntaxError> {
        if eat(tokens, position, token) {
            return Ok(());
        }
        Err(self.scope.error(tokens, *position, SyntaxErrorKind::ExpectedToken(token.to_owned())))
    }

    pub(super) fn end_of_line(&self, tokens: &[Token<'t>], position: usize) -> Result<(), SyntaxError> {
        if position < tokens.len() {
            return Err(self.scope.error(tokens, position, SyntaxErrorKind::JunkAtEndOfLine));
        }
        Ok(())
    }
}

pub(super) fn eat(tokens: &[Token<'_>], position: &mut usize, token: &str) -> bool {
    let eaten = tokens.get(*position).is_some_and(|next| next.text == token);
    *position += usize::from(eaten);
    eaten
}

/// Whether an instruction has results, which come before `=`.
pub(super) fn has_results(tokens: &[Token<'_>]) -> bool {
    tokens.get(1).is_some_and(|token| matches!(token.text, "=" | "," | ":"))
}

/// Takes `()` at the end of a line, if that is all there is.
fn is_empty_list(tokens: &[Token<'_>], position: &mut usize) -> bool {
    let is_empty = matches!(&tokens[*position..], [open, close] if open.text == "(" && close.text == ")");
    *position += if is_empty { 2 } else { 0 };
    is_empty
}
