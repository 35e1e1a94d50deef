//! Benchmarks: the engines of the library beside other SSA constructions.
//!
//! A [`trace`] holds the calls a compiler made of its builder. It is recorded
//! from WebAssembly ([`wasm`]) and replayed ([`replay`]) through every engine,
//! through `cranelift-frontend`, and through nothing but a table, in one
//! program; [`measure`] takes time and memory.
//!
//! Beside the traces: [`families`] of functions on which some construction was
//! once quadratic, the program of [`figure11`], [`whole`] modules, modules to
//! machine code ([`native`]), over memory ([`detour`]) and out of SSA form
//! ([`leaving`]); [`repair`] of finished functions, and [`passes`]
//! over them, by size ([`growth`]).

pub mod cachegrind;
pub mod child;
pub mod command;
pub mod comparison;
pub mod counter;
pub mod detour;
pub mod failure;
pub mod families;
pub mod figure11;
mod figures;
pub mod growth;
pub mod input;
pub mod judge;
pub mod leaving;
pub mod measure;
pub mod native;
pub mod passes;
pub mod record;
pub mod repair;
pub mod replay;
pub mod results;
pub mod subject;
pub mod table;
pub mod times;
pub mod trace;
pub mod wasm;
pub mod ways;
pub mod whole;
