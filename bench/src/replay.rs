//! Traces replayed: through the library, through its rival, and through nothing at all.

mod cranelift;
mod engine;
mod floor;
mod host;
#[cfg(test)]
mod tests;
mod whole;

pub use cranelift::{CraneliftReplay, Params};
pub use engine::EngineReplay;
pub use floor::{Decoder, Floor};
pub use host::{ReplayHost, TakenPhi};
pub use whole::WholeReplay;
