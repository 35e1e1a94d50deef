//! The parts of builders, for writing another one: `ssaphire-literature` builds the constructors of the papers from
//! them.
//!
//! Front ends and hosts need none of this.

pub use crate::at_ends::{AtEnd, values_at_ends};
pub use crate::entry_values::EntryValues;
pub use crate::error::InCall;
pub use crate::in_use::InUse;
pub use crate::protocol::{BlockData, Blocks, EdgeData, SealQueue, State as BlockState};
pub use crate::result::{IncomingEdges, Kept, by_source};
pub use crate::sited_reads::SitedReads;
pub use crate::used_phis::UsedPhis;
pub use crate::value_flow::{NodeId, Source, ValueFlow};
pub use crate::values::{PhiId, Values};
