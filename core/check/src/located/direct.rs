//! A function without phis as a program over variables: locations are variables, and moves are copies.
//!
//! Each use claims to find its value at the value's location. If the judge of such claims
//! ([`validate`](crate::validate())) accepts all of them, every use finds its value on every path, in near-linear time,
//! and without live sets. If it does not, or if the function cannot be written in this form, the checker with live sets
//! decides, and names the violations.

use super::{Checker, Located, Moved, results_at_top};
use crate::definitions::Site;
use crate::program::{Program, ProgramEvent, ProgramWriter};
use crate::validate::{Mode, Validator};
use alloc::vec::Vec;
use ssaphire_graph::{Block, Edge, IncomingEdge, InsertionPoint, Value, ValueEvent, Variable};

/// The function cannot be written as a program over variables, or is wrong.
pub(super) struct Undecided;

impl<F: Located> Checker<'_, F> {
    /// Whether every use is shown to find its value, without live sets. A function that is not accepted may be right
    /// all the same.
    ///
    /// Needs: `contents`.
    pub(super) fn is_accepted_directly(&self) -> bool {
        let mut program = Program::new();
        let mut writer = program.rewrite(self.frame.cfg.entry());
        if self.write(&mut writer).is_err() || writer.finish().is_err() {
            return false;
        }
        Validator::new().validate(&program, Mode::Exact).is_ok()
    }

    fn write(&self, writer: &mut ProgramWriter<'_>) -> Result<(), Undecided> {
        for value in self.form.globals() {
            writer.global(value);
            if let Some(location) = self.form.location(value) {
                writer.initial(self.variable(location)?, value);
            }
        }
        // Moves on an edge get a block of their own, after all others.
        let mut of_edges: Vec<Edge> = Vec::new();
        let num_blocks = self.frame.cfg.num_blocks();
        if num_blocks + self.frame.cfg.num_edges() > Block::LIMIT {
            return Err(Undecided);
        }
        for block in self.frame.cfg.blocks() {
            let incoming = self.frame.cfg.incoming(block);
            writer.block(block, []);
            for &edge in incoming {
                let source = self.frame.cfg.source(edge);
                if !self.frame.is_reachable(source) || self.form.moves(self.point(edge)).next().is_none() {
                    writer.incoming(source);
                } else {
                    writer.incoming(Block::new(num_blocks + of_edges.len()));
                    of_edges.push(edge);
                }
            }
            if incoming.len() != 1 || block == self.frame.cfg.entry() {
                for phi in self.form.phis(block) {
                    let operands = self.form.operands(block, phi).map(|operand| self.contents[operand]);
                    writer.phi(phi, operands);
                }
            }
            // Unreachable blocks are not judged.
            if self.frame.is_reachable(block) {
                self.write_block(block, writer)?;
            }
        }
        for (number, &edge) in of_edges.iter().enumerate() {
            writer.block(Block::new(num_blocks + number), [self.frame.cfg.source(edge)]);
            self.write_moves(self.point(edge), writer)?;
        }
        Ok(())
    }

    fn point(&self, edge: Edge) -> InsertionPoint {
        let (source, slot) = (self.frame.cfg.source(edge), self.frame.cfg.slot(edge));
        InsertionPoint::Edge(IncomingEdge { source, slot })
    }

    fn write_block(&self, block: Block, writer: &mut ProgramWriter<'_>) -> Result<(), Undecided> {
        let form = self.form;
        for value in results_at_top(form, block) {
            self.write_definition(value, writer)?;
        }
        self.write_moves(InsertionPoint::Top(block), writer)?;
        let num_events = form.events(block).count();
        let num_results = form.num_results_at_top(block).min(num_events);
        let body = num_events.saturating_sub(form.num_terminator_uses(block)).max(num_results);
        let mut overwriting = form.overwriting(block).skip_while(|next| next.first_event < num_results).peekable();
        let mut run: Vec<(u32, Value)> = Vec::new();
        for (index, event) in form.events(block).enumerate().skip(num_results) {
            if index == body {
                self.write_moves(InsertionPoint::End(block), writer)?;
            }
            if let Some(next) = overwriting.next_if(|next| next.first_event == index) {
                self.end_defining(&mut run)?;
                let [operand, result] = [next.operand, next.result].map(|value| form.location(value));
                if let Some(result) = result.filter(|_| operand != result) {
                    self.write_use(next.operand, writer)?;
                    self.write_content(result, next.operand, writer)?;
                }
            }
            match event {
                ValueEvent::Use(value) => {
                    self.end_defining(&mut run)?;
                    self.write_use(value, writer)?;
                }
                ValueEvent::Def(value) => {
                    let location = form.location(value).ok_or(Undecided)?;
                    run.push((location, self.contents[value]));
                    self.write_definition(value, writer)?;
                }
            }
        }
        if body == num_events {
            self.write_moves(InsertionPoint::End(block), writer)?;
        }
        self.end_defining(&mut run)
    }

    /// Checks that no value of a run, which is defined at once, overwrites another one of it.
    fn end_defining(&self, run: &mut Vec<(u32, Value)>) -> Result<(), Undecided> {
        run.sort_unstable();
        let is_shared = run.windows(2).any(|pair| pair[0].0 == pair[1].0 && pair[0].1 != pair[1].1);
        run.clear();
        if is_shared { Err(Undecided) } else { Ok(()) }
    }

    fn write_use(&self, value: Value, writer: &mut ProgramWriter<'_>) -> Result<(), Undecided> {
        match self.form.location(value) {
            Some(location) => {
                let value = self.contents[value];
                writer.event(ProgramEvent::Use { variable: self.variable(location)?, value });
                Ok(())
            }
            None if self.frame.definitions.site(value) == Site::Global => Ok(()),
            None => Err(Undecided),
        }
    }

    fn write_definition(&self, value: Value, writer: &mut ProgramWriter<'_>) -> Result<(), Undecided> {
        let Some(location) = self.form.location(value) else {
            // A result of a terminator at the top of a block needs no location if nothing uses it.
            return if self.used.contains(value) { Err(Undecided) } else { Ok(()) };
        };
        match self.form.copied(value) {
            None => {
                writer.event(ProgramEvent::Def { variable: self.variable(location)?, value });
                Ok(())
            }
            Some(copied) => self.write_content(location, copied, writer),
        }
    }

    /// Writes that `location` gets the content of the location of `value`, or `value` itself if it has none.
    fn write_content(&self, location: u32, value: Value, writer: &mut ProgramWriter<'_>) -> Result<(), Undecided> {
        let (dst, content) = (self.variable(location)?, self.contents[value]);
        match self.form.location(value) {
            Some(from) => writer.event(ProgramEvent::Copy { dst, src: self.variable(from)? }),
            None if self.frame.definitions.site(content) == Site::Global => {
                writer.event(ProgramEvent::Def { variable: dst, value: content });
            }
            None => return Err(Undecided),
        }
        Ok(())
    }

    fn write_moves(&self, point: InsertionPoint, writer: &mut ProgramWriter<'_>) -> Result<(), Undecided> {
        for (to, from) in self.form.moves(point) {
            match from {
                Moved::Location(from) => {
                    writer.event(ProgramEvent::Copy { dst: self.variable(to)?, src: self.variable(from)? });
                }
                Moved::Value(value) if self.form.location(value).is_none() => self.write_content(to, value, writer)?,
                Moved::Value(_) => return Err(Undecided),
            }
        }
        Ok(())
    }

    /// The variable of a location. A number far beyond those of values has none, since memory grows with the greatest
    /// number.
    fn variable(&self, location: u32) -> Result<Variable, Undecided> {
        let (location, limit) = (location as usize, 2 * self.form.num_values() + 64);
        if location < limit.min(Variable::LIMIT) { Ok(Variable::new(location)) } else { Err(Undecided) }
    }
}
