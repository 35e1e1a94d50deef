//! The result of a construction: the phis to keep, and the forwarding of other values.
//!
//! The same phis are available in three forms: as a list per block
//! ([`KeptPhis::in_block`], one operand per incoming edge), as block parameters
//! ([`KeptPhis::edge_arguments`], one argument list per edge), and as
//! phi/upsilon ([`EdgeArguments::upsilons`], one write per edge and phi).

#![expect(
    clippy::implied_bounds_in_impls,
    reason = "without `Iterator<Item = ..>` written out, the documentation of a crate that re-exports loses the item"
)]

mod by_source;

pub use by_source::{OperandsDiffer, by_source};

use crate::observe::UndefinedRead;
use crate::values::{Meaning, Values};
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;
pub use ssaphire_graph::IncomingEdge;
use ssaphire_graph::{Block, Value, Variable};

/// The result of a construction. The host writes it into its function.
///
/// Three steps: replace each use of a [forwarded](Forwarding::iter) value by the value it resolves to, insert
/// the [phis](KeptPhis::iter), and erase the instructions made for [unused ones](KeptPhis::unused).
///
/// To reject a program for its [undefined reads](Self::undefined_reads), look at these before you write anything.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Ssa<'a> {
    /// The phis to keep.
    pub phis: KeptPhis<'a>,
    /// The value that each value resolves to.
    pub stands_for: Forwarding<'a>,
    /// The reads by [`read_at_site`](crate::SsaBuilder::try_read_at_site) that may see an undefined variable, in the
    /// order of the reads; reads in unreachable blocks are not reported, reads whose result is unused are.
    ///
    /// If all reads are made by `read_at_site` and none is reported, no path from the entry reaches a use of an
    /// undefined value. Empty unless [`Options::report_undefined_reads`](crate::Options::report_undefined_reads) is on.
    pub undefined_reads: &'a [UndefinedRead],
}

impl<'a> Ssa<'a> {
    /// The result of a construction that made `values`, and keeps the phis `kept`, ordered by block and creation.
    ///
    /// `operands` has their operands, none of them forwarded, and those of the phis in `dropped`; `unused` names the
    /// latter, in order of creation; `values` are [settled](Values::resolve_all).
    #[doc(hidden)]
    pub fn of(
        values: &'a Values,
        graph: &'a dyn IncomingEdges,
        (kept, operands, unused, dropped): (&'a [Kept], &'a [Value], &'a [Value], &'a [Kept]),
        undefined_reads: &'a [UndefinedRead],
    ) -> Self {
        Self {
            phis: KeptPhis { kept, operands, graph, unused, dropped },
            stands_for: Forwarding { meanings: values.meanings(), forwarded: &values.forwarded },
            undefined_reads,
        }
    }

    /// The value that `value` resolves to: the one it is forwarded to, or itself.
    ///
    /// # Complexity
    /// O(1).
    pub fn resolve(&self, value: Value) -> Value {
        self.stands_for.resolve(value)
    }
}

/// A phi to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KeptPhi<'a> {
    /// The value that `new_phi` returned for it.
    pub value: Value,
    /// The block that contains it.
    pub block: Block,
    /// The variable whose lookup created it.
    pub variable: Variable,
    /// Its operands, by incoming edge; none is a forwarded value.
    pub operands: &'a [Value],
    /// The incoming edges of `block`, in the same order.
    pub edges: &'a [IncomingEdge],
}

/// One operand of a phi with the edge it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Operand {
    /// The block the edge leaves.
    pub source: Block,
    /// The edge's position in the terminator of `source`.
    pub slot: u32,
    /// The operand.
    pub value: Value,
}

impl<'a> KeptPhi<'a> {
    /// The operands with their edges, by incoming edge.
    pub fn edge_operands(&self) -> impl Iterator<Item = Operand> + ExactSizeIterator + use<'a> {
        let pairs = self.edges.iter().zip(self.operands);
        pairs.map(|(edge, &value)| Operand { source: edge.source, slot: edge.slot, value })
    }
}

/// A phi to keep, whose operands are stored elsewhere.
#[derive(Clone, Copy, Debug)]
pub struct Kept {
    /// The value that `new_phi` returned for it.
    pub value: Value,
    /// The block that contains it.
    pub block: Block,
    /// The variable whose lookup created it.
    pub variable: Variable,
    /// The index of its first operand; the others follow.
    pub first_operand: u32,
    /// Number of its operands.
    pub num_operands: u32,
}

/// The incoming edges of a constructed function, by block.
pub trait IncomingEdges {
    /// The incoming edges of the block, by operand index; none for a block that was never mentioned.
    fn incoming(&self, block: Block) -> &[IncomingEdge];

    /// Whether a path leads from the entry to the block.
    fn is_reachable(&self, block: Block) -> bool;
}

/// The phis to keep, ordered by block and creation; none is in an unreachable block.
#[derive(Clone, Copy)]
pub struct KeptPhis<'a> {
    kept: &'a [Kept],
    operands: &'a [Value],
    graph: &'a dyn IncomingEdges,
    unused: &'a [Value],
    dropped: &'a [Kept],
}

impl fmt::Debug for KeptPhis<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<'a> KeptPhis<'a> {
    /// Number of phis.
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Whether there are no phis to keep.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// The phis, ordered by block and, in a block, by creation.
    pub fn iter(&self) -> impl Iterator<Item = KeptPhi<'a>> + DoubleEndedIterator + ExactSizeIterator + use<'a> {
        let view = *self;
        // The edges are looked up once for each block.
        let mut last: Option<(Block, &'a [IncomingEdge])> = None;
        self.kept.iter().map(move |phi| {
            let edges = match last {
                Some((block, edges)) if block == phi.block => edges,
                _ => view.incoming(phi.block),
            };
            last = Some((phi.block, edges));
            view.view(phi, edges)
        })
    }

    /// The phis of `block`, in order of creation: its block parameters.
    ///
    /// # Complexity
    /// O(log *p*).
    #[doc(alias = "block_params")]
    pub fn in_block(
        &self,
        block: Block,
    ) -> impl Iterator<Item = KeptPhi<'a>> + DoubleEndedIterator + ExactSizeIterator + use<'a> {
        let (view, edges) = (*self, self.incoming(block));
        self.kept[self.range(block)].iter().map(move |phi| view.view(phi, edges))
    }

    /// The incoming edges of `block`, by operand index; none for a block that was never mentioned.
    pub fn incoming(&self, block: Block) -> &'a [IncomingEdge] {
        self.graph.incoming(block)
    }

    /// Whether a path leads from the entry to `block`.
    ///
    /// The operands on edges from other blocks are undefined values, which nothing reads.
    pub fn is_reachable(&self, block: Block) -> bool {
        self.graph.is_reachable(block)
    }

    /// The phis without uses, in order of creation.
    ///
    /// Each value that `new_phi` returned is the value of a phi that is kept, one of these, or
    /// [forwarded](Forwarding::iter).
    ///
    /// If the host made an instruction for each phi, it erases these.
    pub fn unused(&self) -> &'a [Value] {
        self.unused
    }

    /// The phis without uses, in the order of [`unused`](Self::unused), with their operands.
    ///
    /// The result does not need them; they show a judge how their values were used before.
    ///
    /// Their operands may be forwarded values or undefined: [resolve](Ssa::resolve) them, and ignore those on edges
    /// from unreachable blocks.
    #[doc(hidden)]
    pub fn dropped(&self) -> impl Iterator<Item = KeptPhi<'a>> + ExactSizeIterator + use<'a> {
        let view = *self;
        self.dropped.iter().map(move |phi| view.view(phi, view.incoming(phi.block)))
    }

    /// The block-parameter view: for each edge into a block with phis, the arguments it passes, in the order of
    /// [`in_block`](Self::in_block). None is a forwarded value: nothing is left to resolve.
    ///
    /// # Complexity
    /// O(operands log operands).
    #[doc(alias = "block_params")]
    pub fn edge_arguments(&self) -> EdgeArguments {
        EdgeArguments::new(self)
    }

    fn range(&self, block: Block) -> Range<usize> {
        let start = self.kept.partition_point(|phi| phi.block < block);
        let len = self.kept[start..].partition_point(|phi| phi.block == block);
        start..start + len
    }

    fn view(&self, phi: &Kept, edges: &'a [IncomingEdge]) -> KeptPhi<'a> {
        let Kept { value, block, variable, first_operand, num_operands } = *phi;
        let operands = &self.operands[first_operand as usize..][..num_operands as usize];
        KeptPhi { value, block, variable, operands, edges }
    }
}

/// The arguments that edges pass to block parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EdgeArguments {
    edges: Vec<(IncomingEdge, Block, Range<usize>)>,
    arguments: Vec<(Value, Value)>,
}

/// One write of the phi/upsilon form: at the end of `source`, if control leaves by `slot`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Upsilon {
    /// The block that writes.
    pub source: Block,
    /// The edge's position in the terminator of `source`.
    pub slot: u32,
    /// The phi written.
    pub phi: Value,
    /// The value written to it.
    pub value: Value,
}

impl EdgeArguments {
    fn new(kept: &KeptPhis<'_>) -> Self {
        let mut result = Self::default();
        let mut rest = kept.kept;
        while let Some(&Kept { block, .. }) = rest.first() {
            let len = rest.partition_point(|phi| phi.block == block);
            let (phis, others) = rest.split_at(len);
            for (index, &edge) in kept.incoming(block).iter().enumerate() {
                let start = result.arguments.len();
                let argument = |phi: &Kept| (phi.value, kept.operands[phi.first_operand as usize + index]);
                result.arguments.extend(phis.iter().map(argument));
                result.edges.push((edge, block, start..result.arguments.len()));
            }
            rest = others;
        }
        result.edges.sort_unstable_by_key(|&(edge, ..)| edge);
        result
    }

    /// Edges that pass arguments, by source and slot: edge, target, and a `(parameter, argument)` per phi of the
    /// target.
    pub fn iter(&self) -> impl Iterator<Item = (IncomingEdge, Block, &[(Value, Value)])> + ExactSizeIterator {
        self.edges.iter().map(|(edge, target, range)| (*edge, *target, &self.arguments[range.clone()]))
    }

    /// The arguments of the edge that leaves `source` by `slot`: a `(parameter, argument)` per phi of its target.
    pub fn of_edge(&self, source: Block, slot: u32) -> &[(Value, Value)] {
        let found = self.edges.binary_search_by_key(&IncomingEdge { source, slot }, |&(edge, ..)| edge);
        found.map_or(&[], |place| &self.arguments[self.edges[place].2.clone()])
    }

    /// The phi/upsilon view: the writes at the end of blocks, by source, slot and phi.
    pub fn upsilons(&self) -> impl Iterator<Item = Upsilon> {
        self.iter().flat_map(|(edge, _, arguments)| {
            let upsilon = move |&(phi, value)| Upsilon { source: edge.source, slot: edge.slot, phi, value };
            arguments.iter().map(upsilon)
        })
    }
}

/// The value that each value resolves to at the end of a construction.
///
/// `Debug` shows a map from each forwarded value to the value it resolves to.
#[derive(Clone, Copy)]
pub struct Forwarding<'a> {
    /// By value: the value it resolves to; a value beyond the end resolves to itself.
    meanings: &'a [Meaning],
    /// The forwarded values, in id order.
    forwarded: &'a [Value],
}

impl<'a> Forwarding<'a> {
    /// The value that `value` resolves to: the one it is forwarded to, or itself.
    ///
    /// # Complexity
    /// O(1).
    pub fn resolve(&self, value: Value) -> Value {
        self.meanings.get(value.index()).and_then(|meaning| meaning.other()).unwrap_or(value)
    }

    /// Each forwarded value with the value it resolves to, in order of the forwarded values.
    pub fn iter(&self) -> impl Iterator<Item = (Value, Value)> + DoubleEndedIterator + ExactSizeIterator + use<'a> {
        let view = *self;
        self.forwarded.iter().map(move |&value| (value, view.resolve(value)))
    }
}

impl fmt::Debug for Forwarding<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}
