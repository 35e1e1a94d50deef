//! SSA form for any IR, straight from a syntax tree or bytecode.
//!
//! # Overview
//!
//! The compiler's own IR is the *host*. It numbers its blocks, variables and
//! values, and implements two functions ([`PhiHost`]): one allocates a value for a phi,
//! from the same counter as instructions; the other returns the value of an
//! undefined variable. While the front end walks a function, it records each
//! write, read and terminator with a [`Builder`], and seals a block once all of
//! its incoming edges are known ([`Builder::seal_block`]).
//! [`Builder::finish`] returns the phis of minimal, pruned SSA form, and no
//! others. The host inserts them, and replaces each operand with the value it
//! resolves to ([`Ssa::resolve`]).
//!
//! ```
//! use ssaphire::{Block, Builder, PhiHost, Value, Variable};
//!
//! /// An IR that numbers its values.
//! #[derive(Default)]
//! struct Toy { num_values: usize }
//!
//! impl Toy {
//!     fn value(&mut self) -> Value { self.num_values += 1; Value::new(self.num_values - 1) }
//! }
//!
//! impl PhiHost for Toy {
//!     fn new_phi(&mut self, _: Block, _: Variable) -> Value { self.value() }
//!     fn undefined(&mut self, _: Variable) -> Value { self.value() }
//! }
//!
//! // i = 0; while (..) { i = i + 1 } return i
//! let (mut toy, mut ssa) = (Toy::default(), Builder::new());
//! let [before, header, body, after] = [0, 1, 2, 3].map(Block::new);
//! let i = Variable::new(0);
//!
//! let zero = toy.value();
//! ssa.write_variable(before, i, zero);          // block 0 is the entry: it has no incoming edges, no need to seal it
//! ssa.terminate(before, &[header]);
//! ssa.terminate(header, &[body, after]);        // the header stays unsealed until its back edge is there
//! ssa.seal_block(&mut toy, body);
//! let old = ssa.read_variable(&mut toy, body, i);
//! let new = toy.value();                        // new = old + 1
//! ssa.write_variable(body, i, new);
//! ssa.terminate(body, &[header]);
//! ssa.seal_block(&mut toy, header);
//! ssa.seal_block(&mut toy, after);
//! assert_eq!(ssa.read_variable(&mut toy, after, i), old);
//! ssa.terminate(after, &[]);
//! let result = ssa.finish(&mut toy).unwrap();
//! let phi = |phi: ssaphire::KeptPhi<'_>| format!("{}: {} = phi {:?}", phi.block, phi.value, phi.operands);
//! assert_eq!(result.phis.iter().map(phi).collect::<Vec<_>>(), ["block1: v1 = phi [v0, v2]"]);
//! ```
//!
//! The crate is `no_std` with `alloc`, has no dependencies outside of the project, and supports Rust 1.85 and later.
//!
//! # Guide
//!
//! * [Port your IR]: when to seal, how to write the result back, what each error means, with complete ports to copy from.
//! * [JSON round trip]: blocks of JSON into SSA form and out again, in one program.
//! * [Fold while building], [Repair SSA form], [Leave SSA form]: what to do during and after construction.
//! * [The default engine]: how the default works, with its invariants; [Algorithms]: the constructors of the papers.
//! * [Contracts]: what callers, hosts and builders may rely on.
//!
//! [Port your IR]: https://github.com/ssaphire/ssaphire/blob/main/docs/port-your-ir.md
//! [JSON round trip]: https://github.com/ssaphire/ssaphire/blob/main/docs/json-round-trip.md
//! [Fold while building]: https://github.com/ssaphire/ssaphire/blob/main/docs/fold-while-building.md
//! [Repair SSA form]: https://github.com/ssaphire/ssaphire/blob/main/docs/repair-ssa.md
//! [Leave SSA form]: https://github.com/ssaphire/ssaphire/blob/main/docs/leave-ssa.md
//! [The default engine]: https://github.com/ssaphire/ssaphire/blob/main/docs/default-engine.md
//! [Algorithms]: https://github.com/ssaphire/ssaphire/blob/main/docs/algorithms.md
//! [Contracts]: https://github.com/ssaphire/ssaphire/blob/main/docs/contracts.md
//!
//! # Where to go from here
//!
//! | to | use |
//! |---|---|
//! | build while walking a function | [`Builder`], [`PhiHost`] |
//! | build with keys of your own instead of dense ids | [`Driver`], [`KeyedHost`] |
//! | build a complete function from lists of accesses | [`rename()`], [`Renamed`] |
//! | build a complete function through traits on your IR | [`construct`], [`FormHost`] |
//! | reject reads of variables that may be undefined | [`Options::with_undefined_reads`], [`Ssa::undefined_reads`] |
//! | know what a variable holds at the end of each block | [`Builder::values_at_ends`], [`Renamed::values_at_ends`] |
//! | leave SSA form | [`destruct::destruct`], [`destruct::DestructForm`] |
//! | check every result | [`Certified`], then [`check::validate`] |
//! | prove a result minimal and pruned | [`Certified::certify_ranked`], then [`check::judge()`] |
//! | check the SSA form of your own IR | [`SsaForm`], then [`check::rules()`] and [`check::quality()`] |
//! | fold operations while building | [`fold::Folder`], [`fold::FoldHost`] |
//! | repair SSA form where a transformation gave a value several definitions | [`repair::Repair`] |
//! | remove redundant phis from existing SSA form | [`minimize::redundant_phis`] |
//! | analyze a graph: dominators, loops, liveness | [`graph`] |
//! | limit the work, keep redundant phis | [`Options`] |
//! | use another constructor | the feature `literature`, or the crate `ssaphire-literature` |
//! | show names instead of ids in errors | [`Names`], [`Named`] |
//! | watch a construction | [`Observer`], [`Event`] |
//!
//! # Features
//!
//! * `check`, on by default: certificates and their independent checker, the judge ([`check`], [`Certified`],
//!   [`Ranker`]). Without it, a program that checks no result compiles in 60 % of the time; its size is the same.
//! * `judge`: in debug builds, every [`Certified`] judges each of its results in `finish`, and [`rename()`] is judged,
//!   too. If the judge refuses a result, the call panics; see [`Certified::set_judging`], the same without the feature.
//! * `literature`: the constructors of the papers as the module `literature`.
//!
//! # Guarantees
//!
//! * Deterministic: same input, same output, to the last id.
//! * No recursion: a chain of a million blocks needs only a small stack.
//! * Repeated edges, unreachable blocks, irreducible loops are ordinary input.
//! * A call out of order is a typed error that names the block and the variable.
//! * No variable silently becomes zero: the host decides what an undefined variable holds.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]

extern crate alloc;

mod batch;
#[cfg(feature = "check")]
mod certified;
#[cfg(feature = "check")]
mod claims;
#[cfg(feature = "check")]
mod destroyed;
mod driver;
mod names;
#[cfg(feature = "check")]
mod ranker;
mod rename;

pub use batch::{BatchError, FormHost, construct, fill_order};
#[cfg(feature = "check")]
pub use certified::{Certified, CertifyError};
#[cfg(feature = "check")]
pub use destroyed::check_destruction;
pub use driver::{Driver, KeyedEdge, KeyedHost, KeyedOperand, KeyedPhi, KeyedSsa};
pub use names::{Named, Names};
#[cfg(feature = "check")]
pub use ranker::{Ranked, Ranker};
pub use rename::{Definition, Renamed, RenamedPhi, rename, rename_by};
#[cfg(feature = "check")]
pub use ssaphire_check as check;
pub use ssaphire_construct::{
    Builder, Call, CallError, CallErrorKind, Certainty, ContractError, EdgeArguments, Event, Forwarding, IncomingEdge,
    KeptPhi, KeptPhis, Observed, Observer, Operand, OperandsDiffer, Options, PhiHost, Placed, Reason, Recorder, Shown,
    Ssa, SsaBuilder, SsaBuilderExt, Stats, Stopped, Strict, Thresholds, UndefinedRead, UnsealedBlock, Upsilon, Uses,
    ValueCounter, fold, minimize, repair,
};
pub use ssaphire_destruct as destruct;
pub use ssaphire_graph as graph;
pub use ssaphire_graph::{
    Access, Block, Cfg, CfgError, Edge, FlatCfg, Id, IdError, IdKind, IdLimits, Numbering, Operator, SsaForm, Value,
    ValueEvent, Variable, VariableForm, WithPreEntry,
};
#[cfg(feature = "literature")]
pub use ssaphire_literature as literature;
