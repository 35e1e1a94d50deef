//! Traces replayed: through the library, through its rivals, and through nothing at all.

mod floor;

pub use floor::{Decoder, Floor};
