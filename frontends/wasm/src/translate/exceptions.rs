//! Calls, and the handlers that catch their exceptions.
//!
//! Inside a protected region, an operation that may throw ends its block. Its
//! results belong to the edge to the next block, so a handler sees the locals
//! as they were before. The other edges lead to *landing* blocks, one for each
//! clause of the enclosing regions, from the innermost outwards up to a clause
//! that catches all. A landing block defines the payload of the exception. It
//! gains edges as long as its region is open, and is sealed at the region's
//! end. That of a `try_table` jumps to the label of its clause; that of a `try`
//! is where the part after its `catch` begins (`legacy`).

use super::structure::Kind;
use super::{Outcome, Translation};
use crate::dialect::{Immediates, Op, Opcode, Type};
use ssaphire::{Block, SsaBuilder, Value};
use ssaphire_ir::List;
use wasmparser::{Catch, RefType, TryTable, ValType, WasmModuleResources};

/// A clause of a protected region: its tag and its landing block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clause {
    /// The tag; `None` where it catches all.
    tag: Option<u32>,
    /// Whether it receives the exception itself besides the payload.
    pub(super) is_by_reference: bool,
    /// The landing block; `None` as long as nothing can throw to it.
    pub(super) landing: Option<Block>,
}

/// An open protected region.
#[derive(Clone, Copy, Debug)]
pub(super) struct Region {
    /// Its frame; frame numbers increase from the outermost region to the innermost.
    pub(super) frame: usize,
    /// The number of regions that can catch what it does not: the regions with lower indices.
    pub(super) outer: usize,
}

impl Clause {
    pub(super) fn new(tag: Option<u32>, is_by_reference: bool) -> Self {
        Self { tag, is_by_reference, landing: None }
    }

    /// A clause of a `try_table`, and its label.
    fn of(catch: Catch) -> (Self, u32) {
        match catch {
            Catch::One { tag, label } => (Self::new(Some(tag), false), label),
            Catch::OneRef { tag, label } => (Self::new(Some(tag), true), label),
            Catch::All { label } => (Self::new(None, false), label),
            Catch::AllRef { label } => (Self::new(None, true), label),
        }
    }
}

impl<B: SsaBuilder> Translation<'_, '_, B> {
    pub(super) fn open_try(&mut self, table: &TryTable) -> Outcome {
        let (clauses, labels): (Vec<_>, _) = table.catches.iter().map(|&catch| Clause::of(catch)).unzip();
        if !clauses.is_empty() {
            self.protect(self.scratch.regions.len());
        }
        self.open(Kind::TryTable { clauses, labels }, table.ty);
        Ok(())
    }

    /// Begins a protected region in the frame that opens next. The first `outer` regions can catch what it does not.
    pub(super) fn protect(&mut self, outer: usize) {
        let frame = self.scratch.frames.len();
        self.scratch.regions.push(Region { frame, outer });
    }

    /// Translates an operation that may throw: it takes all operands but the lowest `rest`, and leaves `results`.
    pub(super) fn throwing(&mut self, op: Op, rest: usize, results: usize) -> Outcome {
        self.throwing_past(op, rest, results, &[])
    }

    /// [`throwing`](Self::throwing), with further targets before the handlers.
    pub(super) fn throwing_past(&mut self, op: Op, rest: usize, results: usize, others: &[Block]) -> Outcome {
        let throws = matches!(op.opcode, Opcode::Throw | Opcode::ThrowRef);
        let landings = self.landings()?;
        if landings.is_empty() && others.is_empty() && !throws {
            return self.append(op, self.scratch.stack.len() - rest, results);
        }
        if throws {
            self.builder.terminate(op, &self.scratch.stack[rest..], &landings)?;
            self.scratch.stack.truncate(rest);
            return Ok(());
        }
        let types = self.result_types(results);
        let args = &self.scratch.stack[rest..];
        let next = self.builder.create_block();
        let mut targets = vec![next];
        targets.extend_from_slice(others);
        targets.extend(landings);
        let results = self.builder.terminate_with_results(op, args, &targets, &types)?;
        self.builder.seal(next)?;
        self.builder.switch_to(next);
        self.scratch.stack.truncate(rest);
        self.scratch.stack.extend_from_slice(&results);
        Ok(())
    }

    /// The landing blocks for an exception thrown here, in the order in which the clauses are tried.
    fn landings(&mut self) -> Outcome<Vec<Block>> {
        let mut landings = Vec::new();
        let mut regions = self.scratch.regions.len();
        'all: while let Some(&Region { frame, outer }) = regions.checked_sub(1).map(|last| &self.scratch.regions[last])
        {
            regions = outer;
            for clause in self.scratch.frames[frame].kind.clauses_mut() {
                let landing = *clause.landing.get_or_insert_with(|| self.builder.create_block());
                landings.push(landing);
                if clause.tag.is_none() {
                    break 'all;
                }
            }
        }
        self.spend(landings.len())?;
        Ok(landings)
    }

    /// Fills the landing blocks of a `try_table` at its end.
    pub(super) fn land(&mut self, clauses: &[Clause], labels: &[u32]) -> Outcome {
        if clauses.is_empty() {
            return Ok(());
        }
        self.scratch.regions.pop();
        let current = self.builder.current();
        for (clause, label) in clauses.iter().zip(labels) {
            if let Some(caught) = self.begin_landing(clause)? {
                // The ending frame is still open here; labels of clauses count from outside of it.
                self.carry(label + 1, &caught)?;
            }
        }
        if let Some(current) = current {
            self.builder.switch_to(current);
        }
        Ok(())
    }

    /// Continues in the landing block of a clause whose region has ended; returns the values it receives, the exception
    /// last.
    ///
    /// If nothing can throw to the clause, returns `None` and does nothing.
    pub(super) fn begin_landing(&mut self, clause: &Clause) -> Outcome<Option<List<Value, 4>>> {
        let Some(landing) = clause.landing else { return Ok(None) };
        self.builder.seal(landing)?;
        self.builder.switch_to(landing);
        let (op, types) = self.caught(clause);
        Ok(Some(self.builder.push(op, &[], &types)?))
    }

    /// The first operation of a handler, and the types of its results.
    fn caught(&self, clause: &Clause) -> (Op, Vec<Type>) {
        let params =
            clause.tag.and_then(|tag| self.validator.resources().tag_at(tag)).map_or(&[][..], |ty| ty.params());
        let mut types: Vec<_> = params.iter().map(|&ty| self.module.numbered(ty)).collect();
        if clause.is_by_reference {
            types.push(Type(ValType::Ref(RefType::EXN)));
        }
        let opcode = match (clause.tag, clause.is_by_reference) {
            (Some(_), false) => Opcode::Catch,
            (Some(_), true) => Opcode::CatchRef,
            (None, false) => Opcode::CatchAll,
            (None, true) => Opcode::CatchAllRef,
        };
        (Op { opcode, immediates: clause.tag.map_or(Immediates::None, Immediates::Index) }, types)
    }
}
