//! The rules of SSA form, with the places in the text where they are broken.
//!
//! The judge says which value breaks a rule in which block. The place of the
//! use is looked up afterwards, in the lines of that block: nothing is kept of
//! a text that is right.

use super::error::{BrokenRule, SyntaxError, SyntaxErrorKind, SyntaxErrors};
use super::lex::{Token, TokenKind, lex};
use super::phis::is_upsilon;
use super::reader::{FunctionReader, Line, classify, has_results};
use super::scope::Place;
use crate::dialect::Syntax;
use crate::function::Function;
use ssaphire::check::{self, Violation};
use ssaphire_graph::{Block, IdMap, Value};
use std::ops::Range;

/// A function that was read, with what leads from its values back to the text.
struct Located<'r, 't, D: Syntax> {
    reader: &'r mut FunctionReader<'t, D>,
    /// The canonical value of each value as it was read.
    canonical: IdMap<Value, Option<Value>>,
    tokens: Vec<Token<'t>>,
}

impl<D: Syntax> FunctionReader<'_, D> {
    /// The function, or all that is wrong with it; what breaks a rule of SSA form is wrong.
    pub(super) fn finish_valid(mut self) -> Result<Function<D>, Vec<SyntaxError>> {
        self.check_structure();
        if self.errors.is_empty() {
            let canonical = self.scope.function.canonicalize();
            let mut located = Located { reader: &mut self, canonical, tokens: Vec::new() };
            located.check_entry();
            located.check_rules();
        }
        self.into_function()
    }
}

impl<'t, D: Syntax> Located<'_, 't, D> {
    fn function(&self) -> &Function<D> {
        &self.reader.scope.function
    }

    fn check_entry(&mut self) {
        let entry = self.function().entry();
        let Some(phi) = self.function().block(entry).phis().get(0) else { return };
        let place = self.find_definition(entry, phi.value);
        let value = self.reader.scope.token_at(place);
        self.report(place, BrokenRule::PhiInEntry(value));
    }

    fn check_rules(&mut self) {
        let violations = check::rules(self.function());
        // Phis in the entry were looked for already, in every spelling.
        let others = violations.into_iter().filter(|violation| !matches!(violation, Violation::PhiInEntry { .. }));
        for violation in others.take(4 * SyntaxErrors::LIMIT) {
            let place = self.place(&violation);
            let value = self.reader.scope.token_at(place);
            let label = |block| self.function().label(block);
            let rule = match violation {
                Violation::UsedBeforeDefined { .. } => BrokenRule::UsedBeforeDefined(value),
                Violation::NotDominated { definition, .. } => {
                    BrokenRule::NotDominated { value, definition: label(definition) }
                }
                Violation::OperandNotDominated { definition, source, .. } => {
                    let (definition, source) = (label(definition), label(source));
                    BrokenRule::OperandNotDominated { value, definition, source }
                }
                // The structure was found to be right, so no other rule can be broken.
                other => BrokenRule::Other(other),
            };
            self.report(place, rule);
        }
    }

    fn report(&mut self, place: Place, rule: BrokenRule) {
        let error = self.reader.scope.error_at(place, SyntaxErrorKind::Rule(rule));
        self.reader.report(error);
    }

    /// Where the text breaks the rule.
    fn place(&mut self, violation: &Violation) -> Place {
        match *violation {
            Violation::UsedBeforeDefined { value, block } | Violation::NotDominated { value, block, .. } => {
                self.find_use(block, value)
            }
            Violation::OperandNotDominated { value, phi, block, operand, source, .. } => {
                let slot = self.function().block(block).incoming()[operand].slot;
                let listed = self.find_listed_operand(block, phi, operand);
                let upsilon = listed.or_else(|| self.find_upsilon(source, slot, phi));
                // Where an edge passes a value that is not there at its source, no use in that block is right.
                upsilon.unwrap_or_else(|| self.find_use(source, value))
            }
            _ => self.reader.places[self.function().entry().index()],
        }
    }

    /// The first place in a block where an instruction, or one of its edges, uses the value.
    fn find_use(&mut self, block: Block, value: Value) -> Place {
        self.find_or_label(block, |located, line| {
            let tokens = &located.tokens;
            let first = if has_results(tokens) { tokens.iter().position(|token| token.text == "=")? } else { 0 };
            let is_phi = tokens.get(first + 1).is_some_and(|token| token.text == "phi");
            let is_inst = matches!(classify(tokens), Line::Inst) && !(is_phi && first > 0);
            let used = tokens[first..].iter().filter(|_| is_inst);
            located.find_mention(line, used, value)
        })
    }

    /// The place where the block defines the value as its phi.
    fn find_definition(&mut self, block: Block, value: Value) -> Place {
        self.find_or_label(block, |located, line| located.find_mention(line, located.tokens.iter(), value))
    }

    /// The place where the block lists that operand of the phi, if it lists operands.
    fn find_listed_operand(&mut self, block: Block, phi: Value, operand: usize) -> Option<Place> {
        self.find_in_block(block, |located, line| {
            let tokens = &located.tokens;
            let is_phi = has_results(tokens) && located.value(tokens.first()?) == Some(phi);
            let at = tokens.iter().position(|token| token.text == "phi").filter(|_| is_phi)?;
            let commas = tokens.iter().enumerate().skip(at).filter(|(_, token)| token.text == ",");
            let before = if operand == 0 { at } else { commas.map(|(index, _)| index).nth(operand - 1)? };
            let token = tokens.get(before + 1).filter(|token| token.kind == TokenKind::Value)?;
            Some(Place { line, offset: token.offset })
        })
    }

    /// The place of the upsilon of `source` that defines the phi's operand for the edge in slot `slot`.
    fn find_upsilon(&mut self, source: Block, slot: u32, phi: Value) -> Option<Place> {
        self.find_in_block(source, |located, line| {
            let tokens = &located.tokens;
            let is_of_phi = is_upsilon(tokens) && located.value(&tokens[1]) == Some(phi);
            let named = tokens.iter().skip_while(|token| token.text != "slot").nth(1);
            let is_of_edge = named.is_none_or(|named| named.text.parse() == Ok(slot));
            let token = tokens.get(3).filter(|_| is_of_phi && is_of_edge)?;
            Some(Place { line, offset: token.offset })
        })
    }

    /// The first place that `search` finds in a line of the block, or else the block's label.
    fn find_or_label(&mut self, block: Block, search: impl FnMut(&Self, usize) -> Option<Place>) -> Place {
        self.find_in_block(block, search).unwrap_or(self.reader.places[block.index()])
    }

    /// The first place that `found` finds in a line of the block; the tokens of the line are in `self.tokens`.
    fn find_in_block(&mut self, block: Block, mut found: impl FnMut(&Self, usize) -> Option<Place>) -> Option<Place> {
        self.lines(block).find_map(|line| {
            // All lines have been read without errors.
            let _ = lex(self.reader.scope.lines[line], &mut self.tokens);
            found(self, line)
        })
    }

    /// From the label of the block to the next one, or to the end of the function.
    fn lines(&self, block: Block) -> Range<usize> {
        let places = &self.reader.places;
        let end = places.get(block.index() + 1).map_or(self.reader.scope.line, |place| place.line);
        places[block.index()].line..end
    }

    fn find_mention<'l>(&self, line: usize, tokens: impl Iterator<Item = &'l Token<'t>>, value: Value) -> Option<Place>
    where
        't: 'l,
    {
        let mut tokens = tokens.filter(|token| self.value(token) == Some(value));
        tokens.next().map(|token| Place { line, offset: token.offset })
    }

    /// The canonical value that a token names.
    fn value(&self, token: &Token<'t>) -> Option<Value> {
        let read = (token.kind == TokenKind::Value).then(|| self.reader.scope.known_value(token))?;
        *self.canonical.get(read?)?
    }
}
