//! What few blocks have: expected edges and late edges.

use super::{Blocks, LateId};
use ssaphire_graph::{Block, Edge, PackedOption};

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
}

impl Rare {
    const NOTHING: Self = Self {
        expected: None,
        num_checked: 0,
        first_added: PackedOption::NONE,
        first_late: PackedOption::NONE,
        last_late: PackedOption::NONE,
        num_late: 0,
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
}
