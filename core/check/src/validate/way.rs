//! The next place of an obligation: up the dominator tree, or back along the incoming edges.

use super::ancestry::{Node, Rpo};
use super::blame::Reason;
use super::climb::{Headers, Place, climb};
use super::frontier::{Frontier, Join};
use super::obligations::Obligation;
use super::{Content, Judgement, Mode, Outcome};
use crate::definitions::Site;
use ssaphire_graph::Value;

/// The next place of an obligation.
pub(super) enum Way {
    /// Up the dominator tree.
    Up(Outcome),
    /// Back along the incoming edges.
    Back,
}

/// The place where a claimed value is made, as seen from a block.
enum Made {
    /// Before the entry, or nowhere.
    Before,
    /// At this place of a block that strictly dominates it.
    Above(Rpo, Place),
    /// In it.
    Here,
    /// In a block that does not dominate it.
    Elsewhere,
}

impl Judgement<'_> {
    /// Takes an obligation that has just arrived at a block further up, if it does not stay there: most hold at once,
    /// and are not kept.
    pub(super) fn raised(&self, outcome: Outcome) -> Outcome {
        match outcome {
            Outcome::Needs(obligation) => match self.way(obligation) {
                Way::Up(further) => further,
                Way::Back => outcome,
            },
            decided => decided,
        }
    }

    /// Whether `obligation` stays at its block; if not, its outcome further up.
    pub(super) fn way(&self, obligation: Obligation) -> Way {
        let ancestry = &self.memory.ancestry;
        let Some(below) = ancestry.number(obligation.block) else { return Way::Back };
        let limit = match self.made(obligation.claimed, below) {
            Made::Before => None,
            Made::Above(above, place) => Some((above, place)),
            Made::Here => return Way::Back,
            Made::Elsewhere => return self.without_definition(obligation),
        };
        // A global is the same everywhere, so only the definition of the claimed value stops the climb.
        let place = match obligation.content {
            Content::Entering(variable) => {
                let headers = match &self.memory.loops {
                    loops if loops.are_known() => Headers::Around(loops, variable),
                    _ => Headers::All,
                };
                climb(ancestry, headers, self.memory.writes.of(variable), below, self.memory.thresholds.rungs)
            }
            Content::Result(_) => Place::Top(Rpo::ENTRY),
        };
        self.up(obligation, below, self.limited(place, limit))
    }

    /// The outcome further up of `obligation`, which stays at a join, if no assignment below the immediate dominator
    /// [reaches](Frontier::reaches) the join.
    pub(super) fn past_join(&self, frontier: &mut Frontier, obligation: Obligation) -> Option<Outcome> {
        let Content::Entering(variable) = obligation.content else { return None };
        let ancestry = &self.memory.ancestry;
        let below = ancestry.number(obligation.block).filter(|&below| below != Rpo::ENTRY)?;
        let limit = match self.made(obligation.claimed, below) {
            Made::Before => None,
            Made::Above(above, place) => Some((above, place)),
            Made::Here | Made::Elsewhere => return None,
        };
        let writes = self.memory.writes.of(variable);
        let &Node { parent, first, end, low, high, header, .. } = ancestry.node(below);
        let top = ancestry.node(parent).first;
        // All positions of blocks on the way from the parent to the join (invariant 3 of `ancestry`). The range of a
        // group includes the blocks that its members dominate; those that a header dominates lie after `high`.
        let between = if ancestry.is_grouped(below) {
            [within(writes, low, high), &[]]
        } else if header == below.into() {
            [within(writes, low, high), within(writes, first, end)]
        } else {
            [within(writes, low, high), &[]]
        };
        let num_edges = self.frame.cfg.incoming(obligation.block).len();
        let max_steps = num_edges.saturating_mul(self.memory.thresholds.steps_per_edge as usize);
        let join = Join { block: below, max_steps };
        if frontier.reaches((&self.frame.cfg, ancestry), between, join) {
            return None;
        }
        // No assignment reaches the join, so the variable holds what it held at the end of the parent; if that does
        // not assign it, at its top.
        let is_written = writes.binary_search(&top).is_ok();
        let place = if is_written { Place::End(parent) } else { Place::Top(parent) };
        match self.up(obligation, below, self.limited(place, limit)) {
            Way::Up(outcome) => Some(self.raised(outcome)),
            Way::Back => None,
        }
    }

    /// Where the value claimed at `below` is made.
    fn made(&self, claimed: Option<Value>, below: Rpo) -> Made {
        let site = claimed.map_or(Site::Nowhere, |value| self.frame.definitions.site(value));
        let (block, place) = match site {
            // A phi is made at the top of its block, every other value before the end of it.
            Site::Phi(block) => (block, Place::Top as fn(Rpo) -> Place),
            Site::ValueEvent(block) => (block, Place::End as fn(Rpo) -> Place),
            Site::Global | Site::Nowhere => return Made::Before,
        };
        let ancestry = &self.memory.ancestry;
        match ancestry.number(block).filter(|&above| ancestry.dominates(above, below)) {
            Some(above) if above == below => Made::Here,
            Some(above) => Made::Above(above, place(above)),
            None => Made::Elsewhere,
        }
    }

    /// The lower one of `place` and the place where the claimed value is made.
    fn limited(&self, place: Place, limit: Option<(Rpo, Place)>) -> Place {
        let Some((made, limit)) = limit else { return place };
        let level = |number| self.memory.ancestry.node(number).level;
        match place {
            // Further up, the claimed value would be that of an earlier pass through its definition, if there was
            // one.
            Place::Top(top) if level(top) <= level(made) => limit,
            Place::End(end) if level(end) < level(made) => limit,
            _ => place,
        }
    }

    /// The outcome of `obligation` at `place`, which dominates its block.
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

/// The positions in `from..to`.
fn within(writes: &[u32], from: u32, to: u32) -> &[u32] {
    let writes = &writes[writes.partition_point(|&write| write < from)..];
    &writes[..writes.partition_point(|&write| write < to)]
}
