//! A passive recorder of a host's calls to a builder.
//!
//! The journal records the public calls and never inspects the builder. It keeps the calls in one log, in any order of
//! blocks; [`Journal::close`] sorts the log by block and writes the [`Program`] for the judge.
//!
//! # Translation of calls
//! A host moves contents between variables through values, so the journal has to record the origin of each written
//! value's content. It does so with temporary variables, one per value that needs it, numbered after the host's:
//!
//! | value `v`, as returned at the time | at its origin | at a read of `y` | at a write of `x` |
//! |---|---|---|---|
//! | a global: constant, parameter, undefined value | `global v` | `use y r` | `def x v` |
//! | made by an instruction, written once, no `define` | nothing | `use y r` | `def x v` |
//! | made by an instruction, otherwise | `def t v` | `use y r` | `copy x t` |
//! | first seen as the answer of a read, never written | | `use y r` | |
//! | first seen as the answer of a read, also written | | `use y r`, `copy t y` | `copy x t` |
//!
//! where the claim resolves `v` to `r`. A value is made at its `define`, or else at its first write in order of calls;
//! a host that fills blocks in another order than control takes, and writes one value several times, calls
//! [`Journal::define`]. A read that returns a value after its definition needs no copy: the temporary of the value
//! changes only when control passes the definition again.
//!
//! An operation ([`Journal::computed`], [`Journal::folded`]) becomes an application at the place of its call, with its
//! resolved arguments and result. If one of them is a dropped phi, the phi is evidence: it is written with the dropped
//! phis among its operands, and the reads that return them are claimed.
//!
//! Only reads and applications are resolved. Definitions and globals belong to the source: if they were resolved, a
//! result could merge two constants without being caught. In an application, too, the result of an instruction stays
//! itself, or becomes its replacement by the host.

mod evidence;
mod folding;
mod translate;

pub use folding::Rewriting;

use crate::program::{Program, ProgramError, ProgramWriter};
use alloc::vec::Vec;
use evidence::Evidence;
use folding::{AppliedId, Folding};
use ssaphire_graph::{Block, IdLists, IdMap, PackedOption, Value, Variable};
use translate::Translation;

/// The result to judge.
pub trait Claim {
    /// The value that `value` resolves to; `value` is an id that was returned at some time.
    fn resolve(&self, value: Value) -> Value;

    /// Shows each phi: its block, its value, and its operands by incoming edge.
    fn visit_phis(&self, visit: &mut dyn FnMut(Block, Value, &[Value]));

    /// Whether `value`, as it was returned, resolves to a phi that was dropped.
    ///
    /// If a host reports its real uses, phis are dropped that only reads with unused results returned. The certificate
    /// claims nothing for such reads, and only for them: code that does not use the result cannot be wrong, and code
    /// that uses it has no definition. If a folded operation used the result, the read is claimed.
    fn is_dropped(&self, value: Value) -> bool {
        let _ = value;
        false
    }

    /// Shows each phi that was dropped: its block, its value, and its operands by incoming edge, as they were returned.
    /// A phi that is not shown cannot be evidence: the judge refuses an operation whose folding relied on it.
    fn visit_dropped(&self, visit: &mut dyn FnMut(Block, Value, &[Value])) {
        let _ = visit;
    }
}

#[derive(Clone, Copy, Debug)]
enum Entry {
    Read(Variable, Value),
    Write(Variable, Value),
    /// The first call about a value: unless `define` names a better place, it is made here.
    FirstWrite(Variable, Value),
    Copy(Variable, Variable),
    Make(Value),
    Apply(AppliedId),
}

/// The origin of a value, as far as the calls show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    Unseen,
    Global,
    /// Made by an instruction: at a call of `define`, or else at its first write.
    Made,
    /// First seen as the result of a read.
    Answered,
}

/// The journal's data about one value.
#[derive(Clone, Copy, Debug)]
struct Known {
    origin: Origin,
    /// Whether `define` was called for it.
    is_defined: bool,
    /// The number of moves of its content: 1 for a write, 2 for a replacement with it, which always needs a temporary.
    moves: u8,
    replacement: Option<Value>,
    /// A replacement seen here first: it counts as made where this value is made.
    makes: Option<Value>,
    temporary: Option<Variable>,
    /// The operation that computes it.
    computed: PackedOption<AppliedId>,
}

const UNKNOWN: Known = Known {
    origin: Origin::Unseen,
    is_defined: false,
    moves: 0,
    replacement: None,
    makes: None,
    temporary: None,
    computed: PackedOption::NONE,
};

/// A phi of the claim: its operands are `operands[start..start + len]`.
#[derive(Clone, Copy, Debug)]
struct ClaimedPhi {
    block: Block,
    value: Value,
    is_dropped: bool,
    start: usize,
    len: usize,
}

/// Records the source half of a certificate, call by call.
///
/// # Complexity
/// O(1) per call; [`Journal::close`] is linear in the calls, the ids used and
/// the operands of the phis. Memory is used again for the next function.
#[derive(Debug, Default)]
pub struct Journal {
    entry: Option<Block>,
    num_blocks: usize,
    num_variables: usize,
    edges: Vec<(Block, Block)>,
    /// By block, the first of the edges that its terminator added.
    first_out: IdMap<Block, u32>,
    initial: Vec<(Variable, Value)>,
    undefined: Vec<Value>,
    log: Vec<(Block, Entry)>,
    folding: Folding,
    evidence: Evidence,
    known: IdMap<Value, Known>,
    num_trusted: usize,
    num_unclaimed: usize,
    phis: Vec<ClaimedPhi>,
    operands: Vec<Value>,
    /// By block: the sources of its incoming edges, its phis by number, and its entries of the log by number.
    sources: IdLists<Block, Block>,
    phi_order: IdLists<Block, u32>,
    log_order: IdLists<Block, u32>,
}

impl Journal {
    /// A journal without calls.
    pub fn new() -> Self {
        Self::default()
    }

    /// Drops the calls; keeps capacity.
    pub fn clear(&mut self) {
        self.entry = None;
        self.num_blocks = 0;
        self.num_variables = 0;
        self.edges.clear();
        self.first_out.clear();
        self.initial.clear();
        self.undefined.clear();
        self.log.clear();
        self.folding.clear();
        self.known.clear();
        self.num_trusted = 0;
        self.num_unclaimed = 0;
    }

    /// Begins a function at `entry`; drops earlier calls.
    pub fn begin(&mut self, entry: Block) {
        self.clear();
        self.mention_block(entry);
        self.entry = Some(entry);
    }

    /// Changes the entry of the function to `entry`; keeps earlier calls.
    pub fn enter_at(&mut self, entry: Block) {
        self.mention_block(entry);
        self.entry = Some(entry);
    }

    /// Records that `block` ends with edges to `targets`, in slot order.
    pub fn terminate(&mut self, block: Block, targets: &[Block]) {
        self.mention_block(block);
        if !targets.is_empty() {
            self.first_out.grow_to(block, 0);
            self.first_out[block] = self.edges.len() as u32;
        }
        for &target in targets {
            self.add_edge(block, target);
        }
    }

    /// Records an edge. The order of calls is the order of the incoming edges of `to`.
    pub fn add_edge(&mut self, from: Block, to: Block) {
        self.mention_block(from);
        self.mention_block(to);
        self.edges.push((from, to));
    }

    /// Redirects the edge that leaves `from` by `slot` to `to`, as if it had always entered `to`.
    pub fn redirect_edge(&mut self, from: Block, slot: u32, to: Block) {
        self.mention_block(to);
        self.folding.redirect(from, to);
        let first = self.first_out.get(from).copied().unwrap_or(0) as usize;
        // The edges of a terminator are consecutive, late edges anywhere after them.
        let mut of_block = self.edges[first..].iter_mut().filter(|edge| edge.0 == from);
        if let Some(edge) = of_block.nth(slot as usize) {
            edge.1 = to;
        }
    }

    /// Records that `value` has its content before the entry: a constant or a parameter. It may be written any number
    /// of times.
    pub fn global(&mut self, value: Value) {
        self.known(value).origin = Origin::Global;
    }

    /// Records that `variable` has `value` at the entry: a parameter, or the value that the host returned for an
    /// undefined variable.
    pub fn initial(&mut self, variable: Variable, value: Value, is_undefined: bool) {
        self.mention_variable(variable);
        self.global(value);
        self.initial.push((variable, value));
        if is_undefined {
            self.undefined.push(value);
        }
    }

    /// Records that an instruction of `block` makes `value`; call it before the value's first write in that block.
    ///
    /// Needed only if the value is not made at its first write.
    pub fn define(&mut self, block: Block, value: Value) {
        let known = self.known(value);
        known.is_defined = true;
        if known.origin != Origin::Global {
            known.origin = Origin::Made;
        }
        self.push(block, Entry::Make(value));
    }

    /// Records that a read of `variable` in `block` returned `value`.
    pub fn read(&mut self, block: Block, variable: Variable, value: Value) {
        self.mention_variable(variable);
        let known = self.known(value);
        if known.origin == Origin::Unseen {
            known.origin = Origin::Answered;
        }
        self.push(block, Entry::Read(variable, value));
    }

    /// Records that `block` assigns `value` to `variable`.
    pub fn write(&mut self, block: Block, variable: Variable, value: Value) {
        self.mention_variable(variable);
        let known = self.known(value);
        known.moves = known.moves.saturating_add(1);
        let is_first = known.origin == Origin::Unseen;
        if is_first {
            known.origin = Origin::Made;
        }
        let entry = if is_first { Entry::FirstWrite(variable, value) } else { Entry::Write(variable, value) };
        self.push(block, entry);
    }

    /// Records that `block` assigns the content of `src` to `dst`, without a value in between.
    pub fn copy(&mut self, block: Block, dst: Variable, src: Variable) {
        self.mention_variable(dst);
        self.mention_variable(src);
        self.push(block, Entry::Copy(dst, src));
    }

    /// Records that the host uses `new`, which has the content of `old` according to the host, in place of `old` from
    /// now on.
    ///
    /// The certificate trusts the host, unless [`Journal::folded_late`] gave the reason: where `old` was made, it takes
    /// the content of `new`. An initial value is replaced only by a global one: no other exists at the entry.
    /// [`Journal::num_trusted`] counts the calls without a reason. The certificate only trusts the replacement of a value
    /// that the host made; the judge still checks the result of a read. So if such a result has been forwarded to a
    /// value that the host made, and the host replaces it, `old` is that value.
    pub fn replace(&mut self, old: Value, new: Value) {
        self.num_trusted += usize::from(!self.is_folded(old));
        let (old, new) = (self.root(old), self.root(new));
        if old == new || self.known(old).origin == Origin::Answered {
            return;
        }
        let known = self.known(new);
        known.moves = known.moves.saturating_add(2);
        let is_first = known.origin == Origin::Unseen;
        if is_first {
            known.origin = Origin::Made;
            self.known(old).makes = Some(new);
        }
        self.known(old).replacement = Some(new);
    }

    /// Whether some call was about `value`.
    pub fn has_seen(&self, value: Value) -> bool {
        self.known.get(value).is_some_and(|known| known.origin != Origin::Unseen)
    }

    /// Number of replacements that the certificate does not cover.
    pub fn num_trusted(&self) -> usize {
        self.num_trusted
    }

    /// Whether some call was about an operation: then [`close`](Self::close) asks for [dropped
    /// phis](Claim::visit_dropped).
    pub fn has_operations(&self) -> bool {
        !self.folding.is_empty()
    }

    /// Number of reads about which the last program written claims nothing: they returned a phi that was dropped, and
    /// on which no claim relies.
    pub fn num_unclaimed(&self) -> usize {
        self.num_unclaimed
    }

    /// Ends the function: writes the program for the judge.
    ///
    /// The calls are kept, so that another claim can be judged against them.
    ///
    /// # Errors
    /// If no function was begun, or a count does not fit into 32 bits. The program then has no blocks.
    pub fn close(&mut self, claim: &dyn Claim, program: &mut Program) -> Result<(), ProgramError> {
        self.take_phis(claim);
        self.find_evidence(claim);
        self.sort();
        let mut writer = program.rewrite(self.entry.unwrap_or(Block::new(0)));
        self.write_header(&mut writer);
        self.folding.write_equations(&mut writer);
        let said = (&self.folding, &self.evidence);
        let mut translation = Translation::new(&mut self.known, said, self.num_variables, claim);
        for block in (0..self.num_blocks).map(Block::new) {
            writer.block(block, self.sources.of(block).iter().copied());
            for &phi in self.phi_order.of(block) {
                let ClaimedPhi { value, is_dropped, start, len, .. } = self.phis[phi as usize];
                let operands = self.operands[start..start + len].iter().copied();
                if is_dropped { writer.dropped_phi(value, operands) } else { writer.phi(value, operands) }
            }
            for &entry in self.log_order.of(block) {
                translation.write(self.log[entry as usize].1, &mut writer);
            }
        }
        self.num_unclaimed = translation.num_unclaimed;
        writer.finish()
    }

    fn take_phis(&mut self, claim: &dyn Claim) {
        let Self { phis, operands, num_blocks, .. } = self;
        phis.clear();
        operands.clear();
        claim.visit_phis(&mut |block, value, list| {
            *num_blocks = (*num_blocks).max(block.index() + 1);
            let (is_dropped, start, len) = (false, operands.len(), list.len());
            phis.push(ClaimedPhi { block, value, is_dropped, start, len });
            operands.extend_from_slice(list);
        });
    }

    fn sort(&mut self) {
        self.sources.rebuild(self.num_blocks, self.edges.iter().map(|&(from, to)| (to, from)));
        self.phi_order.rebuild(self.num_blocks, (0..).zip(&self.phis).map(|(phi, claimed)| (claimed.block, phi)));
        self.log_order.rebuild(self.num_blocks, (0..).zip(&self.log).map(|(entry, &(block, _))| (block, entry)));
    }

    fn write_header(&mut self, writer: &mut ProgramWriter<'_>) {
        for (value, known) in self.known.iter() {
            if known.origin == Origin::Global {
                writer.global(value);
            }
        }
        for &value in &self.undefined {
            writer.undefined(value);
        }
        for &(variable, value) in &self.initial {
            // A replacement that an instruction makes does not exist at the entry yet.
            let root = root(&mut self.known, value);
            let is_global = self.known[root].origin == Origin::Global;
            writer.initial(variable, if is_global { root } else { value });
        }
    }

    fn push(&mut self, block: Block, entry: Entry) {
        self.mention_block(block);
        self.log.push((block, entry));
    }

    fn known(&mut self, value: Value) -> &mut Known {
        self.known.grow_to(value, UNKNOWN);
        &mut self.known[value]
    }

    fn root(&mut self, value: Value) -> Value {
        self.known.grow_to(value, UNKNOWN);
        root(&mut self.known, value)
    }

    fn mention_block(&mut self, block: Block) {
        self.num_blocks = self.num_blocks.max(block.index() + 1);
    }

    fn mention_variable(&mut self, variable: Variable) {
        self.num_variables = self.num_variables.max(variable.index() + 1);
    }
}

/// The end of the chain of replacements that begins with `value`. Halves the chain on the way.
fn root(known: &mut IdMap<Value, Known>, mut value: Value) -> Value {
    while let Some(next) = known[value].replacement {
        if let Some(after) = known[next].replacement {
            known[value].replacement = Some(after);
        }
        value = next;
    }
    value
}
