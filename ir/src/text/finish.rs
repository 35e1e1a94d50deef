//! What can be checked only when all of a function has been read.

use super::error::{SyntaxError, SyntaxErrorKind};
use super::reader::{BlockHead, FunctionReader, Listed};
use crate::dialect::Syntax;
use crate::function::{Function, IncomingEdge};
use ssaphire_graph::Block;
use std::mem;

impl<D: Syntax> FunctionReader<'_, D> {
    /// The function, or all that is wrong with it.
    pub(super) fn finish(mut self) -> Result<Function<D>, Vec<SyntaxError>> {
        self.check_structure();
        if self.errors.is_empty() {
            self.scope.function.canonicalize();
        }
        self.into_function()
    }

    /// Puts edges and phis in order, and checks what the function is made of.
    pub(super) fn check_structure(&mut self) {
        if self.errors.is_empty() {
            self.order_edges();
            self.place_phis();
            self.check_values();
            self.check_variables();
            self.check_terminator_results();
            self.check_types();
        }
    }

    /// The function, unless something is wrong with it.
    pub(super) fn into_function(self) -> Result<Function<D>, Vec<SyntaxError>> {
        if self.errors.is_empty() { Ok(self.scope.function) } else { Err(self.errors) }
    }

    fn order_edges(&mut self) {
        for (index, BlockHead { place, listed }) in mem::take(&mut self.heads).into_iter().enumerate() {
            let block = Block::new(index);
            self.places.push(place);
            let Some(listed) = listed else { continue };
            let order = self.listed_edges(block, &listed);
            let ordered = order.is_some_and(|order| self.scope.function.set_incoming_order(block, &order).is_ok());
            self.is_listed.insert(block);
            if !ordered {
                self.report(self.scope.error_at(place, SyntaxErrorKind::WrongIncoming));
            }
        }
    }

    /// The edges that a label line lists; where no slot is given, the first one not yet named.
    fn listed_edges(&self, block: Block, listed: &[Listed]) -> Option<Vec<IncomingEdge>> {
        // Before they are ordered, edges stand by source, then slot: in the order of the terminators.
        let incoming = self.scope.function.block(block).incoming();
        let mut named = vec![0; incoming.len()];
        let edge = |edge: &Listed| {
            let first = incoming.partition_point(|other| other.source < edge.source);
            let Some(slot) = edge.slot else {
                let next = first + *named.get(first)?;
                named[first] += 1;
                return incoming.get(next).copied().filter(|next| next.source == edge.source);
            };
            Some(IncomingEdge { source: edge.source, slot })
        };
        listed.iter().map(edge).collect()
    }

    fn check_values(&mut self) {
        for (value, place) in mem::take(&mut self.scope.mentions) {
            if !self.scope.defined.contains(value) {
                let kind = SyntaxErrorKind::UndefinedValue(self.scope.token_at(place));
                self.report(self.scope.error_at(place, kind));
            }
        }
    }

    fn check_variables(&mut self) {
        for (variable, place) in mem::take(&mut self.scope.reads) {
            if !self.scope.known.contains(variable) {
                let name = self.scope.function.variable_name(variable).to_owned();
                self.report(self.scope.error_at(place, SyntaxErrorKind::NeverWritten(name)));
            }
        }
    }

    fn check_terminator_results(&mut self) {
        for block in self.scope.function.blocks() {
            let function = &self.scope.function;
            let terminator = function.block(block).terminator().filter(|inst| !inst.results.is_empty());
            let normal = terminator.and_then(|inst| inst.targets.first());
            if normal.is_some_and(|&normal| function.block(normal).incoming().len() != 1) {
                let place = self.places[block.index()];
                self.report(self.scope.error_at(place, SyntaxErrorKind::ResultsNeedOwnBlock));
            }
        }
    }
}
