//! What is done to a function.

use super::family::{Family, Member};
use ssaphire::FlatCfg;
use ssaphire::destruct::structure::{Options, structure};
use ssaphire::destruct::{Method, destruct};
use ssaphire_ir::DestructView;
use ssaphire_ir::passes::{Pass, PassOptions, rematerialize, split_live_range};

/// What is done to a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// A pass is run.
    Pass(Pass),
    /// The live range of the value that all steps use is split at each of them.
    Split,
    /// That value is computed again for the last step.
    Rematerialize,
    /// Locations and copies are found to leave SSA form by.
    Leave(Method),
    /// The control flow is structured.
    Structure,
}

impl Way {
    /// All ways.
    pub fn all() -> Vec<Self> {
        let passes = Pass::ALL.iter().map(|&pass| Self::Pass(pass));
        let leave = Method::ALL.iter().map(|&method| Self::Leave(method));
        passes.chain([Self::Split, Self::Rematerialize]).chain(leave).chain([Self::Structure]).collect()
    }

    /// Its name, as in the table.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pass(pass) => pass.name(),
            Self::Split => "split",
            Self::Rematerialize => "rematerialize",
            Self::Leave(method) => method.name(),
            Self::Structure => "structure",
        }
    }

    /// The way of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().into_iter().find(|way| way.name() == name)
    }

    /// Whether it can be gone on a family: of a value, all steps must be reachable.
    pub fn is_for(self, family: Family) -> bool {
        !matches!(self, Self::Split | Self::Rematerialize) || family.has_reachable_steps()
    }

    /// Goes it: how much it changes.
    ///
    /// # Panics
    /// If the function cannot be changed like that.
    pub fn go(self, member: &mut Member) -> u64 {
        let Member { function, value, steps } = member;
        let changes = match self {
            Self::Pass(pass) => {
                pass.run(function, PassOptions::default()).unwrap_or_else(|error| panic!("{}: {error}", pass.name()))
            }
            Self::Split => {
                let split = split_live_range(function, *value, steps).unwrap_or_else(|error| panic!("split: {error}"));
                split.copies.len() + split.phis
            }
            Self::Rematerialize => {
                let Some(&(block, inst)) = steps.last() else { return 0 };
                rematerialize(function, *value, block, inst).unwrap_or_else(|error| panic!("rematerialize: {error}"));
                1
            }
            Self::Leave(method) => {
                let left = destruct(&DestructView::new(function), method);
                return left.unwrap_or_else(|error| panic!("{method}: {error}")).count().copies;
            }
            Self::Structure => {
                let cfg = FlatCfg::new(&*function).unwrap_or_else(|error| panic!("structure: {error}"));
                structure(&cfg, Options::default()).steps().len()
            }
        };
        changes as u64
    }
}
