//! Types that do not fit, with the places in the text where they stand.
//!
//! A value may be used before the line that defines it, so types are known only
//! when all lines are read. The line of an instruction is looked up afterwards:
//! nothing is kept of a text that is right.

use super::error::SyntaxErrorKind;
use super::lex::{Token, TokenKind, lex};
use super::reader::{FunctionReader, Line, classify, has_results};
use super::scope::Place;
use crate::dialect::Syntax;
use crate::form::FormError;
use ssaphire_graph::{Block, Value};

impl<'t, D: Syntax> FunctionReader<'t, D> {
    /// Needs: the edges are in order.
    pub(super) fn check_types(&mut self) {
        if !D::checks_types() || !self.errors.is_empty() {
            return;
        }
        for error in self.scope.function.check_types() {
            let (place, kind) = match error {
                FormError::WrongType { block, index, part } => {
                    (self.inst_place(block, index), SyntaxErrorKind::WrongType(part))
                }
                FormError::PhiType { block, phi, operand } => {
                    (self.phi_place(block, phi), SyntaxErrorKind::PhiType { operand })
                }
                _ => continue,
            };
            self.report(self.scope.error_at(place, kind));
        }
    }

    /// Where the block defines the phi: a line of its own, or the label with its parameters.
    fn phi_place(&self, block: Block, phi: Value) -> Place {
        let place = |line, tokens: &[Token<'_>]| {
            let first = tokens.first().filter(|token| token.kind == TokenKind::Value && has_results(tokens))?;
            let is_phi = self.scope.known_value(first) == Some(phi);
            is_phi.then_some(Place { line, offset: first.offset })
        };
        self.in_lines(block, place).next().unwrap_or(self.places[block.index()])
    }

    /// Where instruction number `index` of the block begins.
    fn inst_place(&self, block: Block, index: usize) -> Place {
        let place = |line, tokens: &[Token<'_>]| {
            let op = tokens.iter().position(|token| token.text == "=").filter(|_| has_results(tokens));
            let is_phi = op.is_some_and(|op| tokens.get(op + 1).is_some_and(|token| token.text == "phi"));
            let is_inst = matches!(classify(tokens), Line::Inst) && !is_phi;
            tokens.first().filter(|_| is_inst).map(|token| Place { line, offset: token.offset })
        };
        self.in_lines(block, place).nth(index).unwrap_or(self.places[block.index()])
    }

    /// What `found` finds in the lines of the block, but for that of its label.
    fn in_lines<'l>(
        &'l self,
        block: Block,
        found: impl Fn(usize, &[Token<'t>]) -> Option<Place> + 'l,
    ) -> impl Iterator<Item = Place> + 'l {
        let label = self.places[block.index()];
        let end = self.places.get(block.index() + 1).map_or(self.scope.line, |place| place.line);
        let mut tokens = Vec::new();
        (label.line + 1..end).filter_map(move |line| {
            // All lines have been read.
            let _ = lex(self.scope.lines[line], &mut tokens);
            found(line, &tokens)
        })
    }
}
