//! Where an obligation goes from its block: up the dominator tree, or back by the incoming edges.

use super::ancestry::Rpo;
use super::blame::Reason;
use super::climb::{Place, climb};
use super::obligations::Obligation;
use super::{Content, Judgement, Mode, Outcome};
use crate::definitions::Site;

/// Where an obligation goes from its block.
pub(super) enum Way {
    /// Up the dominator tree.
    Up(Outcome),
    /// Back by the incoming edges.
    Back,
}

impl Judgement<'_> {
    /// An obligation that has just arrived at a block, where it goes from there: most hold at once, and are not kept.
    pub(super) fn raised(&self, outcome: Outcome) -> Outcome {
        match outcome {
            Outcome::Needs(obligation) => match self.way(obligation) {
                Way::Up(further) => further,
                Way::Back => outcome,
            },
            decided => decided,
        }
    }

    /// Whether `obligation` stays at its block, and else what it comes to further up.
    pub(super) fn way(&self, obligation: Obligation) -> Way {
        let ancestry = &self.memory.ancestry;
        let Some(below) = ancestry.number(obligation.block) else { return Way::Back };
        let site = obligation.claimed.map_or(Site::Nowhere, |value| self.frame.definitions.site(value));
        // A phi stands at the top of its block, everything else above the end of it.
        let made = match site {
            Site::Phi(block) => Some((block, Place::Top as fn(Rpo) -> Place)),
            Site::ValueEvent(block) => Some((block, Place::End as fn(Rpo) -> Place)),
            Site::Global | Site::Nowhere => None,
        };
        let mut limit = None;
        if let Some((block, place)) = made {
            match ancestry.number(block).filter(|&above| ancestry.dominates(above, below)) {
                Some(above) if above == below => return Way::Back,
                Some(above) => limit = Some((above, place(above))),
                None => return self.without_definition(obligation),
            }
        }
        let place = match obligation.content {
            Content::Entering(variable) => climb(ancestry, self.memory.writes.of(variable), below),
            Content::Result(_) => Place::Top(Rpo::ENTRY),
        };
        self.up(obligation, below, self.limited(place, limit))
    }

    /// The lower one of `place` and the place where the claimed value is made.
    fn limited(&self, place: Place, limit: Option<(Rpo, Place)>) -> Place {
        let Some((made, limit)) = limit else { return place };
        let level = |number| self.memory.ancestry.node(number).level;
        match place {
            Place::Top(top) if level(top) <= level(made) => limit,
            Place::End(end) if level(end) < level(made) => limit,
            _ => place,
        }
    }

    /// What `obligation` comes to at `place`, which dominates its block.
    fn up(&self, obligation: Obligation, below: Rpo, place: Place) -> Way {
        match place {
            Place::Top(top) if top == below => Way::Back,
            Place::Top(top) => {
                let block = self.memory.ancestry.block(top);
                Way::Up(Outcome::Needs(Obligation { block, ..obligation }))
            }
            Place::End(end) => {
                let block = self.memory.ancestry.block(end);
                Way::Up(self.compare_at_end(block, obligation.content, obligation.claimed))
            }
        }
    }

    /// The value claimed is not defined on some path: only where the variable is undefined, that can be right.
    fn without_definition(&self, obligation: Obligation) -> Way {
        match self.mode {
            Mode::Exact => Way::Up(Outcome::Fails(obligation.block, Reason::Missing)),
            Mode::Refine => Way::Back,
        }
    }
}
