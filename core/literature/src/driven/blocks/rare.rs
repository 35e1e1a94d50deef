//! What few blocks have: expected edges, late edges, hints.

use super::{Blocks, NONE};
use ssaphire_graph::{Block, Variable};

/// What few blocks have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rare {
    /// How many incoming edges there will be, if it was said.
    expected: Option<u32>,
    /// Edges into the block among those being checked; zero between calls.
    num_checked: u32,
    /// Of a graph that was announced, the incoming edge that was there first.
    pub(crate) first_added: u32,
    pub(crate) first_late: u32,
    pub(crate) last_late: u32,
    pub(crate) num_late: u32,
    /// The hint of this header is `hints[first_hint..][..num_hints]`; `NONE` without a hint.
    first_hint: u32,
    num_hints: u32,
}

impl Rare {
    const NOTHING: Self = Self {
        expected: None,
        num_checked: 0,
        first_added: NONE,
        first_late: NONE,
        last_late: NONE,
        num_late: 0,
        first_hint: NONE,
        num_hints: 0,
    };
}

impl Blocks {
    pub(crate) fn rare(&self, block: Block) -> &Rare {
        self.rare.get(block.index()).unwrap_or(&Rare::NOTHING)
    }

    pub(crate) fn rare_mut(&mut self, block: Block) -> &mut Rare {
        if block.index() >= self.rare.len() {
            self.rare.resize(block.index() + 1, Rare::NOTHING);
        }
        &mut self.rare[block.index()]
    }

    /// How many incoming edges there will be, if it was said.
    pub(crate) fn expected(&self, block: Block) -> Option<u32> {
        self.rare(block).expected
    }

    pub(crate) fn set_expected(&mut self, block: Block, edges: u32) {
        self.mention(block).is_expecting = true;
        self.rare_mut(block).expected = Some(edges);
    }

    /// Counts one more edge among those being checked.
    pub(crate) fn count_checked(&mut self, block: Block) -> u32 {
        let rare = self.rare_mut(block);
        rare.num_checked += 1;
        rare.num_checked
    }

    /// Forgets the edges that were being checked.
    pub(crate) fn forget_checked(&mut self, targets: &[Block]) {
        for &to in targets {
            if let Some(rare) = self.rare.get_mut(to.index()) {
                rare.num_checked = 0;
            }
        }
    }

    /// Takes the hint that only `variables` are written in the loop of `header`.
    pub(crate) fn set_hint(&mut self, header: Block, variables: &[Variable]) {
        let first = self.hints.len();
        self.hints.extend_from_slice(variables);
        self.hints[first..].sort_unstable();
        self.mention(header);
        let rare = self.rare_mut(header);
        (rare.first_hint, rare.num_hints) = (first as u32, variables.len() as u32);
    }

    /// The variables in the hint of the block, if it has one and one edge so far.
    pub(crate) fn hint(&self, block: Block) -> Option<&[Variable]> {
        let rare = self.rare(block);
        if rare.first_hint == NONE || self.get(block).num_in != 1 {
            return None;
        }
        let first = rare.first_hint as usize;
        Some(&self.hints[first..first + rare.num_hints as usize])
    }

    /// Whether `block` is a header with a hint that leaves `variable` out, and one edge so far.
    ///
    /// Then the variable holds at the top of the block what it holds at the end of that edge's source.
    pub(crate) fn hint_leaves_out(&self, block: Block, variable: Variable) -> bool {
        self.hint(block).is_some_and(|variables| variables.binary_search(&variable).is_err())
    }
}
