//! Legacy exceptions: `try`, `catch`, `delegate`, `rethrow`.
//!
//! A `try` is a protected region up to its first `catch`. Each part after a
//! `catch` is ordinary code, like an `else`: it begins with the payload of the
//! exception, and continues after the end of the `try`. An operation in the
//! region needs its edges before the first `catch` is read, so `outline` finds
//! in advance what the `try` catches and rethrows, and where it delegates to.
//!
//! A `try` that delegates has no clauses. Exceptions in it go to the regions
//! that are open around the frame it names, that frame included.
//!
//! `rethrow` becomes `throw_ref`: the exception is a value, which the landing
//! block of its `catch` defines.

use super::exceptions::{Clause, Region};
use super::structure::Kind;
use super::{Outcome, Translation, bare, invalid};
use crate::dialect::Opcode;
use ssaphire::{SsaBuilder, Value};
use std::mem;
use wasmparser::BlockType;

/// The state of a `try`.
#[derive(Debug, Default)]
pub(super) struct Try {
    pub(super) clauses: Vec<Clause>,
    /// Whether the current part is the protected region, with clauses or a `delegate` to receive exceptions.
    is_protected: bool,
    /// The number of `catch`es so far.
    num_begun: usize,
    /// The exception caught by the current part, if it is rethrown.
    exception: Option<Value>,
}

impl<B: SsaBuilder> Translation<'_, '_, B> {
    pub(super) fn open_legacy_try(&mut self, ty: BlockType) -> Outcome {
        let opening = self.scratch.outline.next();
        let caught = self.scratch.outline.catches_of(&opening).iter();
        let clauses: Vec<_> = caught.map(|caught| Clause::new(caught.tag, caught.is_rethrown)).collect();
        let is_protected = !clauses.is_empty() || opening.delegate.is_some();
        if is_protected {
            let outer = opening.delegate.map_or(Ok(self.scratch.regions.len()), |depth| self.regions_around(depth));
            self.protect(outer?);
        }
        self.open(Kind::Try(Try { clauses, is_protected, ..Try::default() }), ty);
        Ok(())
    }

    /// The number of regions that can catch exceptions of the frame at this depth.
    ///
    /// Skips regions that delegate: only here is a chain of them walked.
    fn regions_around(&self, depth: u32) -> Outcome<usize> {
        let frame = self.frame_at(depth)?;
        let regions = &self.scratch.regions;
        let around = regions.partition_point(|region| region.frame <= frame);
        Ok(match around.checked_sub(1).map(|last| &regions[last]) {
            Some(&Region { frame, outer }) if self.scratch.frames[frame].kind.clauses().is_empty() => outer,
            _ => around,
        })
    }

    /// Translates `catch` and `catch_all`: the part before them jumps to the end of the `try`.
    pub(super) fn catch(&mut self) -> Outcome {
        let frame = self.scratch.frames.len().checked_sub(1).ok_or_else(invalid)?;
        if self.is_live() {
            let target = self.branch_target(frame)?;
            self.jump(target)?;
        }
        let data = &mut self.scratch.frames[frame];
        let Kind::Try(state) = &mut data.kind else { return Err(invalid()) };
        let clause = *state.clauses.get(state.num_begun).ok_or_else(invalid)?;
        state.num_begun += 1;
        state.exception = None;
        if mem::take(&mut state.is_protected) {
            self.scratch.regions.pop();
        }
        self.scratch.stack.truncate(data.height);
        let Some(mut caught) = self.begin_landing(&clause)? else { return Ok(()) };
        if clause.is_by_reference
            && let Kind::Try(state) = &mut self.scratch.frames[frame].kind
        {
            state.exception = caught.pop();
        }
        self.scratch.stack.extend_from_slice(&caught);
        Ok(())
    }

    /// Ends the region of a `try` without `catch`.
    pub(super) fn close_legacy_try(&mut self, state: &Try) {
        if state.is_protected {
            self.scratch.regions.pop();
        }
    }

    /// Translates `rethrow` of the exception of the `catch` at this depth.
    pub(super) fn rethrow(&mut self, depth: u32) -> Outcome {
        let frame = self.frame_at(depth)?;
        let Kind::Try(Try { exception: Some(exception), .. }) = self.scratch.frames[frame].kind else {
            return Err(invalid());
        };
        let rest = self.scratch.stack.len();
        self.scratch.stack.push(exception);
        self.throwing(bare(Opcode::ThrowRef), rest, 0)
    }
}
