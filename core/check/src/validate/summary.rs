//! The effect of each block on the contents of variables.

use super::Content;
use crate::program::{Program, ProgramEvent};
use alloc::vec::Vec;
use ssaphire_graph::{Block, IdMap, Variable, VariableForm};

/// Per block, the variables it assigns and their contents at its end.
#[derive(Debug, Default)]
pub(super) struct Summaries {
    /// The summary of block `b` is `assigned[start[b]..start[b + 1]]`, by variable.
    start: Vec<u32>,
    assigned: Vec<(Variable, Content)>,
    /// By variable, the last block that has assigned it, and its content at the current place in that block.
    current: IdMap<Variable, (Block, Content)>,
}

impl Summaries {
    pub(super) fn clear(&mut self, program: &Program) {
        self.start.clear();
        self.start.push(0);
        self.assigned.clear();
        // The last block there can be, so that no other is taken for one that has assigned the variable.
        let nothing = (Block::new(Block::LIMIT - 1), Content::Entering(Variable::new(0)));
        self.current.reset(program.num_variables(), nothing);
    }

    /// The content of `variable` at the place reached in `block`, the block being summed up.
    pub(super) fn current(&self, block: Block, variable: Variable) -> Content {
        match self.current[variable] {
            (at, content) if at == block => content,
            _ => Content::Entering(variable),
        }
    }

    /// Applies an event of `block`.
    pub(super) fn pass(&mut self, block: Block, event: ProgramEvent) {
        let (variable, content) = match event {
            ProgramEvent::Def { variable, value } => (variable, Content::Result(value)),
            ProgramEvent::Copy { dst, src } => (dst, self.current(block, src)),
            ProgramEvent::Use { .. } => return,
        };
        if self.current[variable].0 != block {
            self.assigned.push((variable, content));
        }
        self.current[variable] = (block, content);
    }

    /// Ends `block`. Blocks are summed up in id order.
    pub(super) fn end_block(&mut self) {
        let start = self.start.last().map_or(0, |&start| start as usize);
        // An entry was made at the first assignment of the variable; the last one counts.
        for (variable, content) in &mut self.assigned[start..] {
            *content = self.current[*variable].1;
        }
        self.assigned[start..].sort_unstable_by_key(|&(variable, _)| variable);
        self.start.push(self.assigned.len() as u32);
    }

    /// The variables that `block` assigns, in order, with their contents at its end. Needs: all blocks summed up.
    pub(super) fn assigned(&self, block: Block) -> &[(Variable, Content)] {
        &self.assigned[self.start[block.index()] as usize..self.start[block.index() + 1] as usize]
    }

    /// The content of `variable` at the end of `block`. Needs: all blocks summed up.
    pub(super) fn at_end(&self, block: Block, variable: Variable) -> Content {
        let assigned = self.assigned(block);
        match assigned.binary_search_by_key(&variable, |&(variable, _)| variable) {
            Ok(index) => assigned[index].1,
            Err(_) => Content::Entering(variable),
        }
    }
}
