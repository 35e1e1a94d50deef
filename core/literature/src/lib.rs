//! The SSA construction algorithms of the literature, with one API.
//!
//! For comparison, teaching and testing. To build SSA form, use the default engine, [`ssaphire_construct::Builder`].
//!
//! [`Engine`] lists the algorithms; [`AnyBuilder`] is a builder that runs any of them, or the default engine.
//!
//! | engine | is | from |
//! |---|---|---|
//! | `braun`, `braun-operand`, `braun-watched` | [`Driven`]<[`Braun`]<[`Users`]>>, [`Operand`], [`Watched`] | Braun et al. 2013, Algorithms 1 to 4 |
//! | `marker` | [`Driven`]<[`Marker`]> | section 3.3 there |
//! | `scc` | [`Driven`]<[`Scc`]> | section 3.3 there |
//! | `region` | [`Driven`]<[`Region`]> | ours |
//! | `cytron` | `complete/cytron` | Cytron et al. 1991 |
//! | `semi-pruned` | `complete/semi_pruned` | Briggs et al. 1998 |
//! | `pruned`, `sreedhar-gao` | `complete/pruned` | Choi et al. 1991; Sreedhar and Gao 1995 |
//! | `aycock-horspool`, `all-locals` | `complete/maximal` | Aycock and Horspool 2000; Click and Paleczny 1995 |
//! | `structured` | `complete/structured` | Brandis and Moessenboeck 1994 |
//! | `functional`, `functional-literal` | `complete/functional` | Ullrich 2013 |
//! | `react` | `complete/react` | React Compiler |
//!
//! A constructor that finds values while the caller walks the function is a [`Strategy`] of [`Driven`], which
//! has all that they share: the state of blocks and edges, definitions, phis, the end. Those from `cytron` on take a
//! complete function: [`Deferred`] lets them be driven by the same calls, and [`whole`] gives them a `VariableForm`.
//! None knows of another.
//!
//! # Departures
//! Each file lists its own.
#![no_std]

extern crate alloc;

mod any;
mod boundary;
mod braun;
mod complete;
mod deferred;
mod driven;
mod engine;
mod marker;
mod region;
mod scc;
mod walk;
pub mod whole;

pub use any::AnyBuilder;
pub use braun::{Braun, Operand, Removal, Users, Watched};
pub use deferred::Deferred;
pub use driven::{Driven, Strategy};
pub use engine::{Engine, UnknownEngine};
pub use marker::Marker;
pub use region::Region;
pub use scc::Scc;
