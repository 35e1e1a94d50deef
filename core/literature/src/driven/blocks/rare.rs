//! What few blocks have: expected edges, late edges, hints.

use super::{Blocks, LateId};
use ssaphire_graph::{Block, Edge, PackedOption, Variable};

/// What few blocks have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rare {
    /// How many incoming edges there will be, if it was said.
    expected: Option<u32>,
    /// Edges into the block among those being checked; zero between calls.
    num_checked: u32,
    /// Of a graph that was announced, the incoming edge that was there first.
    pub(super) first_added: PackedOption<Edge>,
    /// Outgoing edges that were added late.
    pub(super) first_late: PackedOption<LateId>,
    pub(super) last_late: PackedOption<LateId>,
    pub(super) num_late: u32,
    /// The hint of this header is `hints[first_hint..][..num_hints]`, if it has one.
    has_hint: bool,
    first_hint: u32,
    num_hints: u32,
}

impl Rare {
    const NOTHING: Self = Self {
        expected: None,
        num_checked: 0,
        first_added: PackedOption::NONE,
        first_late: PackedOption::NONE,
        last_late: PackedOption::NONE,
        num_late: 0,
        has_hint: false,
        first_hint: 0,
        num_hints: 0,
    };
}

impl Blocks {
    pub(crate) fn rare(&self, block: Block) -> &Rare {
        self.rare.get(block).unwrap_or(&Rare::NOTHING)
    }

    pub(crate) fn rare_mut(&mut self, block: Block) -> &mut Rare {
        self.rare.grow_to(block, Rare::NOTHING);
        &mut self.rare[block]
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
            if let Some(rare) = self.rare.get_mut(to) {
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
        (rare.has_hint, rare.first_hint, rare.num_hints) = (true, first as u32, variables.len() as u32);
    }

    /// The variables in the hint of the block, if it has one and one edge so far.
    pub(crate) fn hint(&self, block: Block) -> Option<&[Variable]> {
        let rare = self.rare(block);
        if !rare.has_hint || self.get(block).num_in != 1 {
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
