//! Calls, and the handlers that see what they throw.
//!
//! Inside a `try_table`, an operation that may throw ends its block. Its
//! results belong to the edge to the next block, so a handler sees the locals
//! as they were before. The other edges lead to *landing* blocks, one for each
//! clause of the `try_table`s around it, from the inside out as far as a
//! clause that catches all. A landing block takes what the exception carries
//! and goes to the label of its clause. It gets edges as long as its
//! `try_table` is open, and is sealed and filled at its end.

use super::structure::Kind;
use super::{Outcome, Translation, bare};
use crate::dialect::{Immediates, Op, Opcode, Type};
use ssaphire::{Block, Observer};
use wasmparser::{Catch, FrameKind, RefType, TryTable, ValType, WasmModuleResources};

/// A clause of a `try_table`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clause {
    catch: Catch,
    /// Where exceptions for it arrive; `None` as long as nothing throws any.
    landing: Option<Block>,
}

impl Clause {
    fn catches_all(&self) -> bool {
        matches!(self.catch, Catch::All { .. } | Catch::AllRef { .. })
    }
}

impl<O: Observer> Translation<'_, '_, O> {
    pub(super) fn open_try(&mut self, table: &TryTable) -> Outcome {
        let clauses: Vec<_> = table.catches.iter().map(|&catch| Clause { catch, landing: None }).collect();
        if !clauses.is_empty() {
            self.scratch.handlers.push(self.scratch.frames.len());
        }
        self.frame = Some(FrameKind::TryTable);
        self.open(Kind::Try { clauses }, table.ty);
        Ok(())
    }

    /// An operation that may throw: it takes all operands but the lowest `rest`, and leaves `results`.
    pub(super) fn throwing(&mut self, op: Op, rest: usize, results: usize) -> Outcome {
        let throws = matches!(op.opcode, Opcode::Throw | Opcode::ThrowRef);
        if self.scratch.handlers.is_empty() && !throws {
            return self.append(op, self.scratch.stack.len() - rest, results);
        }
        let landings = self.landings()?;
        if throws {
            self.builder.terminate(op, &self.scratch.stack[rest..], &landings)?;
            self.scratch.stack.truncate(rest);
            return Ok(());
        }
        let types = self.result_types(results);
        let args = &self.scratch.stack[rest..];
        let next = self.builder.create_block();
        let mut targets = vec![next];
        targets.extend(landings);
        let results = self.builder.terminate_with_results(op, args, &targets, &types)?;
        self.builder.seal(next)?;
        self.builder.switch_to(next);
        self.scratch.stack.truncate(rest);
        self.scratch.stack.extend_from_slice(&results);
        Ok(())
    }

    /// Where an exception may arrive, in the order that clauses are tried.
    fn landings(&mut self) -> Outcome<Vec<Block>> {
        let mut landings = Vec::new();
        'all: for &frame in self.scratch.handlers.iter().rev() {
            let Kind::Try { clauses } = &mut self.scratch.frames[frame].kind else { continue };
            for clause in clauses {
                let landing = *clause.landing.get_or_insert_with(|| self.builder.create_block());
                landings.push(landing);
                if clause.catches_all() {
                    break 'all;
                }
            }
        }
        self.spend(landings.len())?;
        Ok(landings)
    }

    /// Fills the landing blocks of a `try_table` that ends.
    pub(super) fn land(&mut self, clauses: Vec<Clause>) -> Outcome {
        if clauses.is_empty() {
            return Ok(());
        }
        self.scratch.handlers.pop();
        let current = self.builder.current();
        for Clause { catch, landing } in clauses {
            let Some(landing) = landing else { continue };
            self.builder.seal(landing)?;
            self.builder.switch_to(landing);
            let (op, types, label) = self.caught(catch);
            let payload = self.builder.push(op, &[], &types)?;
            // The frame that ends is still open here; labels of clauses count from outside of it.
            self.carry(label + 1, &payload)?;
        }
        if let Some(current) = current {
            self.builder.switch_to(current);
        }
        Ok(())
    }

    /// What a handler begins with, the types of what it gets, and its label.
    fn caught(&self, catch: Catch) -> (Op, Vec<Type>, u32) {
        let exception = Type(ValType::Ref(RefType::EXN));
        let payload = |tag| {
            let params = self.validator.resources().tag_at(tag).map_or(&[][..], |ty| ty.params());
            params.iter().map(|&ty| self.module.numbered(ty)).collect::<Vec<_>>()
        };
        let tagged = |opcode, tag| Op { opcode, immediates: Immediates::Index(tag) };
        match catch {
            Catch::One { tag, label } => (tagged(Opcode::Catch, tag), payload(tag), label),
            Catch::OneRef { tag, label } => {
                let mut types = payload(tag);
                types.push(exception);
                (tagged(Opcode::CatchRef, tag), types, label)
            }
            Catch::All { label } => (bare(Opcode::CatchAll), Vec::new(), label),
            Catch::AllRef { label } => (bare(Opcode::CatchAllRef), vec![exception], label),
        }
    }
}
