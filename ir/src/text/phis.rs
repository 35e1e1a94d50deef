//! Phis as they are read: lists of operands, block parameters, upsilons.
//!
//! The operands of a phi are found when the order of the incoming edges is
//! known. Nothing is put together before the counts agree, so that what is
//! made of a text is no larger than the text.

use super::error::{SyntaxError, SyntaxErrorKind};
use super::lex::{Token, TokenKind};
use super::reader::{FunctionReader, eat};
use super::scope::Place;
use super::spell::operand_indices;
use crate::dialect::Syntax;
use crate::function::Phi;
use smallvec::SmallVec;
use ssaphire_graph::{Block, IdMap, Value};
use std::mem;
use std::ops::Range;

/// A phi, before the edges of its block are known.
pub(super) struct ReadPhi {
    pub(super) block: Block,
    pub(super) value: Value,
    pub(super) operands: ReadOperands,
    pub(super) place: Place,
}

/// Where the operands of a phi stand.
pub(super) enum ReadOperands {
    /// After `phi`; none if upsilons give them.
    Listed(SmallVec<[Value; 4]>),
    /// At the ends of the edges' sources, by upsilons; here in order.
    Given(SmallVec<[Value; 4]>),
    /// At each edge to the block: the phi is this parameter of it.
    Passed(usize),
}

/// What the text says of phis away from their blocks.
#[derive(Default)]
pub(super) struct PhiOperands {
    /// By block, then slot: what each edge passes.
    passed: Vec<PassedOperands>,
    /// The values passed, of all edges.
    values: Vec<Value>,
    upsilons: Vec<Upsilon>,
}

/// What an edge passes to the parameters of its target.
struct PassedOperands {
    source: Block,
    slot: u32,
    /// Range of the values.
    values: Range<usize>,
    place: Place,
}

/// `upsilon phi = operand`, perhaps with `on slot`.
struct Upsilon {
    source: Block,
    slot: Option<u32>,
    phi: Value,
    operand: Value,
    place: Place,
}

/// An upsilon whose phi and edge are known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct UpsilonOperand {
    /// Index of the phi among those read.
    phi: usize,
    /// Index of the operand.
    position: u32,
    place: Place,
    operand: Value,
}

/// Whether a line is an upsilon, and not an operation of that name.
pub(super) fn is_upsilon(tokens: &[Token<'_>]) -> bool {
    let is = |index: usize, kind, text: &str| tokens.get(index).is_some_and(|t| t.kind == kind && t.text == text);
    is(0, TokenKind::Word, "upsilon")
        && tokens.get(1).is_some_and(|token| token.kind == TokenKind::Value)
        && is(2, TokenKind::Mark, "=")
}

impl PhiOperands {
    /// Records the arguments that the targets of an instruction of `source` pass, by slot.
    pub(super) fn record_passed(
        &mut self,
        source: Block,
        passed: impl IntoIterator<Item = (Place, Range<usize>)>,
        values: &[Value],
    ) {
        let first = self.values.len();
        self.values.extend_from_slice(values);
        for (slot, (place, Range { start, end })) in passed.into_iter().enumerate() {
            let values = first + start..first + end;
            self.passed.push(PassedOperands { source, slot: slot as u32, values, place });
        }
    }

    /// The arguments of the edge in slot `slot` of `source`.
    fn passed_on_edge(&self, source: Block, slot: u32) -> &[Value] {
        let found = self.passed.binary_search_by_key(&(source, slot), |passed| (passed.source, passed.slot));
        found.map_or(&[], |index| &self.values[self.passed[index].values.clone()])
    }
}

impl<'t, D: Syntax> FunctionReader<'t, D> {
    /// `(%x.0, %y.0: type)` after a label: the parameters of the block.
    pub(super) fn read_block_params(&mut self, tokens: &[Token<'t>], position: &mut usize) -> Result<(), SyntaxError> {
        let block = self.current_block();
        if !eat(tokens, position, "(") || eat(tokens, position, ")") {
            return Ok(());
        }
        for index in 0.. {
            let at = *position;
            let is_value = tokens.get(at).is_some_and(|token| token.kind == TokenKind::Value);
            if !is_value {
                return Err(self.scope.error(tokens, at, SyntaxErrorKind::Expected("a value: `%x.3` or `%7`")));
            }
            let value = self.defined_value(tokens, position)?;
            let place = Place { line: self.scope.line, offset: tokens[at].offset };
            self.phis.push(ReadPhi { block, value, operands: ReadOperands::Passed(index), place });
            if !eat(tokens, position, ",") {
                break;
            }
        }
        self.expect(tokens, position, ")")
    }

    /// `upsilon phi = operand`, perhaps with `on slot 1`.
    pub(super) fn read_upsilon(&mut self, tokens: &[Token<'t>]) -> Result<(), SyntaxError> {
        let source = self.current_block();
        if self.scope.function.block(source).terminator().is_some() {
            return Err(self.scope.error(tokens, 0, SyntaxErrorKind::AfterTerminator));
        }
        let place = Place { line: self.scope.line, offset: tokens[1].offset };
        let mut position = 1;
        let phi = self.scope.value(tokens, &mut position)?;
        self.expect(tokens, &mut position, "=")?;
        let operand = self.scope.value(tokens, &mut position)?;
        let slot = if eat(tokens, &mut position, "on") {
            self.expect(tokens, &mut position, "slot")?;
            let slot = tokens.get(position).and_then(|token| token.text.parse().ok());
            let expected = SyntaxErrorKind::Expected("the number of a slot");
            Some(slot.ok_or_else(|| self.scope.error(tokens, position, expected))?)
        } else {
            None
        };
        position += usize::from(slot.is_some());
        self.end_of_line(tokens, position)?;
        self.phi_operands.upsilons.push(Upsilon { source, slot, phi, operand, place });
        Ok(())
    }

    /// Puts the phis into their blocks, with operands by incoming edge.
    pub(super) fn place_phis(&mut self) {
        let operands = mem::take(&mut self.phi_operands);
        let mut phis = mem::take(&mut self.phis);
        let agree = self.check_passed(&operands, &phis);
        self.assign_upsilons(&operands.upsilons, &mut phis);
        for ReadPhi { block, value, operands: read, place } in phis {
            let edges = self.scope.function.block(block).incoming().len();
            let list = match read {
                // The edges of this block may be correct, but the function is not returned.
                ReadOperands::Passed(_) if !agree => continue,
                ReadOperands::Passed(index) => {
                    let incoming = self.scope.function.block(block).incoming().iter();
                    incoming
                        .filter_map(|edge| operands.passed_on_edge(edge.source, edge.slot).get(index).copied())
                        .collect()
                }
                ReadOperands::Listed(list) | ReadOperands::Given(list) if list.len() != edges => {
                    let kind = SyntaxErrorKind::PhiArity { operands: list.len(), edges };
                    self.report(self.scope.error_at(place, kind));
                    list
                }
                ReadOperands::Listed(list) => {
                    if edges > 1 && !self.is_listed.contains(block) {
                        let place = self.places[block.index()];
                        self.report(self.scope.error_at(place, SyntaxErrorKind::IncomingNotListed));
                    }
                    list
                }
                ReadOperands::Given(list) => list,
            };
            let variable = self.scope.function.value(value).name;
            self.scope.function.push_phi(block, Phi { value, variable, operands: list });
        }
    }

    /// Whether each edge passes as many values as its target has parameters.
    fn check_passed(&mut self, operands: &PhiOperands, phis: &[ReadPhi]) -> bool {
        let mut num_params = IdMap::<Block, usize>::filled(self.scope.function.num_blocks(), 0);
        for phi in phis {
            num_params[phi.block] += usize::from(matches!(phi.operands, ReadOperands::Passed(_)));
        }
        let mut agree = true;
        for &PassedOperands { source, slot, ref values, place } in &operands.passed {
            let target = self.scope.function.block(source).targets()[slot as usize];
            let (given, params) = (values.len(), num_params[target]);
            if given != params {
                agree = false;
                let label = self.scope.function.label(target);
                self.report(self.scope.error_at(place, SyntaxErrorKind::BlockArguments { label, given, params }));
            }
        }
        agree
    }

    /// Gives phis their operands from upsilons.
    fn assign_upsilons(&mut self, upsilons: &[Upsilon], phis: &mut [ReadPhi]) {
        if upsilons.is_empty() {
            return;
        }
        let mut numbers = IdMap::<Value, Option<usize>>::filled(self.scope.function.num_values(), None);
        for (number, phi) in phis.iter().enumerate() {
            let may_be = matches!(&phi.operands, ReadOperands::Listed(list) if list.is_empty());
            numbers[phi.value] = may_be.then_some(number);
        }
        let positions = operand_indices(&self.scope.function);
        let mut given = Vec::new();
        for upsilon in upsilons {
            match self.locate_operand(upsilon, phis, &numbers, &positions) {
                Ok(operand) => given.push(operand),
                Err(kind) => self.report(self.scope.error_at(upsilon.place, kind)),
            }
        }
        given.sort_unstable();
        for pair in given.windows(2) {
            if (pair[0].phi, pair[0].position) == (pair[1].phi, pair[1].position) {
                self.report(self.scope.error_at(pair[1].place, SyntaxErrorKind::DuplicateUpsilon));
            }
        }
        for of_phi in given.chunk_by(|one, other| one.phi == other.phi) {
            phis[of_phi[0].phi].operands = ReadOperands::Given(of_phi.iter().map(|given| given.operand).collect());
        }
    }

    /// The phi and the index of the operand that an upsilon defines.
    fn locate_operand(
        &self,
        upsilon: &Upsilon,
        phis: &[ReadPhi],
        numbers: &IdMap<Value, Option<usize>>,
        positions: &IdMap<Block, Vec<u32>>,
    ) -> Result<UpsilonOperand, SyntaxErrorKind> {
        let &Upsilon { source, slot, phi, operand, place } = upsilon;
        let targets = self.scope.function.block(source).targets();
        // An edge without number is the only one.
        let is_clear = slot.is_some() || targets.len() == 1;
        let edge = targets.get(slot.unwrap_or(0) as usize).filter(|_| is_clear);
        let &target = edge.ok_or(SyntaxErrorKind::UpsilonSlot { targets: targets.len() })?;
        let number = numbers[phi].filter(|&number| phis[number].block == target);
        let number = number.ok_or_else(|| SyntaxErrorKind::UpsilonWithoutPhi {
            value: self.scope.token_at(place),
            label: self.scope.function.label(target),
        })?;
        let position = positions[source][slot.unwrap_or(0) as usize];
        Ok(UpsilonOperand { phi: number, position, place, operand })
    }
}
