//! Blocks under construction.

use super::{Lowered, Lowering, unsupported};
use crate::function::{Block, BlockId, BlockKind, Instruction, Place};
use crate::terminal::Terminal;
use crate::value::Value;
use ssaphire_js::source::Span;

/// A block that has no terminal yet.
pub(super) struct Open {
    pub(super) id: BlockId,
    pub(super) kind: BlockKind,
    instructions: Vec<Instruction>,
}

/// What a `break` or `continue` can mean.
pub(super) struct Jump<'a> {
    pub(super) label: Option<&'a str>,
    pub(super) break_to: BlockId,
    pub(super) kind: JumpKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum JumpKind {
    Loop { continue_to: BlockId },
    Switch,
    Label,
}

/// The state of one function.
pub(super) struct Builder<'a> {
    pub(super) current: Open,
    pub(super) entry: BlockId,
    /// The blocks that are done.
    pub(super) completed: Vec<BlockId>,
    pub(super) jumps: Vec<Jump<'a>>,
    /// The handlers of the `try` statements around, innermost last.
    pub(super) handlers: Vec<BlockId>,
    /// How many elements around are translated text, in which white space counts.
    pub(super) fbt_depth: u32,
}

impl Default for Builder<'_> {
    fn default() -> Self {
        let entry = BlockId(0);
        let current = Open { id: entry, kind: BlockKind::Block, instructions: Vec::new() };
        Self { current, entry, completed: Vec::new(), jumps: Vec::new(), handlers: Vec::new(), fbt_depth: 0 }
    }
}

impl<'a> Lowering<'_, 'a> {
    /// A builder whose entry is a new block.
    pub(super) fn new_builder(&mut self) -> Builder<'a> {
        let current = self.reserve(BlockKind::Block);
        let entry = current.id;
        Builder { current, entry, ..Builder::default() }
    }

    /// A block to be filled later.
    pub(super) fn reserve(&mut self, kind: BlockKind) -> Open {
        let id = BlockId(self.nest.blocks.len() as u32);
        self.nest.blocks.push(None);
        Open { id, kind, instructions: Vec::new() }
    }

    pub(super) fn current_kind(&self) -> BlockKind {
        self.builder.current.kind
    }

    /// Appends an instruction. In a `try`, it ends the block: control may go to the handler.
    pub(super) fn push(&mut self, place: Place, value: Value) {
        self.builder.current.instructions.push(Instruction { order: 0, place, value });
        if let Some(&handler) = self.builder.handlers.last() {
            let next = self.reserve(self.current_kind());
            self.end_with(Terminal::MaybeThrow { continuation: next.id, handler }, next);
        }
    }

    /// Appends an instruction that computes `value`, and gives its place; but a temporary is its own.
    pub(super) fn emit(&mut self, value: Value) -> Place {
        if let Value::LoadLocal { place } = value
            && self.nest.identifiers[place.index()].name.is_none()
        {
            return place;
        }
        let place = self.nest.temporary();
        self.push(place, value);
        place
    }

    /// Ends the current block; `next` is the current one from now on.
    pub(super) fn end_with(&mut self, terminal: Terminal, next: Open) {
        let done = std::mem::replace(&mut self.builder.current, next);
        self.complete(done, terminal);
    }

    /// Ends the current block, and goes on in a block that nothing reaches.
    pub(super) fn end(&mut self, terminal: Terminal) {
        let next = self.reserve(BlockKind::Block);
        self.end_with(terminal, next);
    }

    /// Ends the current block as the last one of the function.
    pub(super) fn end_last(&mut self, terminal: Terminal) {
        let nowhere = Open { id: self.builder.entry, kind: BlockKind::Block, instructions: Vec::new() };
        self.end_with(terminal, nowhere);
    }

    fn complete(&mut self, open: Open, terminal: Terminal) {
        let Open { id, kind, instructions } = open;
        let block =
            Block { kind, phis: Vec::new(), instructions, terminal, terminal_order: 0, predecessors: Vec::new() };
        self.nest.blocks[id.index()] = Some(block);
        self.builder.completed.push(id);
    }

    /// Fills a new block of this kind by `fill`, which gives its terminal; the current block stays current.
    pub(super) fn enter(
        &mut self,
        kind: BlockKind,
        fill: impl FnOnce(&mut Self) -> Lowered<Terminal>,
    ) -> Lowered<BlockId> {
        let block = self.reserve(kind);
        let id = block.id;
        self.enter_reserved(block, fill)?;
        Ok(id)
    }

    /// Fills `block` by `fill`, which gives its terminal; the current block stays current.
    pub(super) fn enter_reserved(
        &mut self,
        block: Open,
        fill: impl FnOnce(&mut Self) -> Lowered<Terminal>,
    ) -> Lowered<()> {
        let outside = std::mem::replace(&mut self.builder.current, block);
        let terminal = fill(self)?;
        self.end_with(terminal, outside);
        Ok(())
    }

    /// Calls `fill` where `break` and `continue` can mean `jump`.
    pub(super) fn with_jump(&mut self, jump: Jump<'a>, fill: impl FnOnce(&mut Self) -> Lowered<()>) -> Lowered<()> {
        self.builder.jumps.push(jump);
        fill(self)?;
        self.builder.jumps.pop();
        Ok(())
    }

    pub(super) fn break_target(&self, label: Option<&str>, span: Span) -> Lowered<BlockId> {
        let meant = self.builder.jumps.iter().rev().find(|jump| match label {
            Some(_) => jump.label == label,
            None => jump.kind != JumpKind::Label,
        });
        meant.map(|jump| jump.break_to).ok_or_else(|| unsupported("a `break` outside of what it can leave", span))
    }

    pub(super) fn continue_target(&self, label: Option<&str>, span: Span) -> Lowered<BlockId> {
        let meant = self.builder.jumps.iter().rev().find_map(|jump| match jump.kind {
            JumpKind::Loop { continue_to } if label.is_none() || jump.label == label => Some(continue_to),
            _ => None,
        });
        meant.ok_or_else(|| unsupported("a `continue` outside of a loop", span))
    }
}
