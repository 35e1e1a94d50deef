//! Ids that no caller sees.

pub(crate) use ssaphire_graph::internal_id;
