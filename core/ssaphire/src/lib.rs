//! SSA form for any IR, straight from a syntax tree or bytecode.
//!
//! # What to know first
//!
//! A compiler's own IR is a *host*. It numbers its blocks, variables and
//! values, and owes two functions ([`PhiHost`]): allocate a value for a phi, from
//! the counter that instructions use, and say
//! what an undefined variable holds. While the front end walks
//! a function it tells a [`Builder`] what is written and read where, which
//! edges there are, and when a block has all of them ([`SsaBuilder::seal_block`]).
//! [`SsaBuilder::finish`] returns the phis that are needed, and no others:
//! the form is minimal and pruned. The host inserts them, and replaces each operand
//! by what it stands for ([`Ssa::resolve`]).
//!
//! ```
//! use ssaphire::{Block, Builder, PhiHost, SsaBuilder, Value, Variable};
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
//! let (mut toy, mut ssa) = (Toy::default(), Builder::default());
//! let [before, header, body, after] = [0, 1, 2, 3].map(Block::new);
//! let i = Variable::new(0);
//!
//! let zero = toy.value();
//! ssa.write_variable(before, i, zero);          // block 0 is the entry: no edge leads to it, it needs no seal
//! ssa.terminate(before, &[header]);
//! ssa.terminate(header, &[body, after]);        // the header stays unsealed: the loop comes back to it
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
//! # Where to go from here
//!
//! | to | use |
//! |---|---|
//! | build while walking a function | [`Builder`], [`PhiHost`] |
//! | build a complete function from lists of accesses | [`rename()`], [`BlockAccesses`] |
//! | build a complete function that has views of its own | [`construct`], [`FormHost`] |
//! | have operands replaced by the library | [`finish_in_place`], [`OperandHost`] |
//! | refuse variables that may be unwritten | [`Options::with_undefined_reads`], [`Ssa::undefined_reads`] |
//! | have every result judged | [`Certified`], then [`check::validate`] |
//! | have it proved minimal and pruned | [`Certified::certify_ranked`], then [`check::judge()`] |
//! | judge an IR of one's own as it is | [`SsaForm`], then [`check::rules()`] and [`check::quality()`] |
//! | remove needless phis from finished SSA | [`minimize::redundant_phis`] |
//! | ask about a graph: dominators, loops, liveness | [`graph`] |
//! | limit the work, keep redundant phis | [`Options`] |
//! | build by another constructor | the feature `literature`, or the crate `ssaphire-literature` |
//! | see names in place of ids in errors | [`Names`], [`Named`] |
//! | watch a construction | [`Observer`], [`Event`] |
//!
//! # Features
//!
//! * `check`, on by default: certificates and the judge ([`check`], [`Certified`], [`Ranker`]). A program that judges
//!   nothing compiles in 60 % of the time without it; its size is the same.
//! * `literature`: the constructors of the papers as the module `literature`.
//!
//! # What to rely on
//!
//! * Same input, same output, to the last id.
//! * No recursion: a million blocks in a line pass on a small stack.
//! * Repeated edges, unreachable blocks, irreducible loops are ordinary input.
//! * A call out of order is a typed error that names block and variable.
//! * Nothing becomes zero in silence: the host decides what undefined means.
#![no_std]

extern crate alloc;

mod batch;
#[cfg(feature = "check")]
mod certified;
#[cfg(feature = "check")]
mod claims;
mod in_place;
mod names;
#[cfg(feature = "check")]
mod ranker;
mod rename;

pub use batch::{BatchError, FormHost, construct, construct_in_order};
#[cfg(feature = "check")]
pub use certified::{Certified, CertifyError};
pub use in_place::{OperandHost, finish_in_place};
pub use names::{Named, Names};
#[cfg(feature = "check")]
pub use ranker::{Ranked, Ranker};
pub use rename::{BlockAccesses, Definition, Renamed, RenamedPhi, rename, rename_by};
#[cfg(feature = "check")]
pub use ssaphire_check as check;
pub use ssaphire_construct::{
    Builder, Certainty, ContractError, EdgeArguments, EdgeError, EntryError, Event, FinishError, Forwarding,
    IncomingEdge, InitialError, KeptPhi, KeptPhis, Observed, Observer, Operand, OperandsDiffer, Options, PhiHost,
    Placed, ReadError, Reason, ReplaceError, SealError, Shown, Ssa, SsaBuilder, Stats, Stopped, Strict, UndefinedRead,
    UnsealedBlock, Upsilon, Uses, ValueCounter, WriteError, minimize,
};
pub use ssaphire_graph as graph;
pub use ssaphire_graph::{
    Access, Block, Cfg, CfgError, Edge, FlatCfg, Id, IdError, IdKind, IdLimits, Numbering, SsaForm, Value, ValueEvent,
    Variable, VariableForm, WithPreEntry,
};
#[cfg(feature = "literature")]
pub use ssaphire_literature as literature;
