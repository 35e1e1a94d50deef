//! The content of one certificate, in flat arrays.
//!
//! The source half is a program over variables: blocks with their incoming
//! edges, and events in order. The claim half is a result in SSA form: phis,
//! and the value claimed for each definition and each use.

mod fold;
mod views;
mod write;

pub(crate) use views::WithEvidence;

pub use fold::{Application, Applied, Equation, EquationId, Grounds, Replacement, Symbol, Term};
pub use write::{ProgramError, ProgramWriter};

use alloc::vec::Vec;
use ssaphire_graph::{Block, Id, IdLists, IdMap, PackedOption, Value, Variable, internal_id};

internal_id!(
    /// Number of the row of a block, in the order of writing.
    RowId, "row", u32::MAX as usize
);

internal_id!(
    /// Number of a phi, in the order of writing.
    PhiRow, "phi", u32::MAX as usize
);

/// One event of a block, after its phis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProgramEvent {
    /// The block assigns `value` to the variable: a new result that is made here, or a global.
    Def {
        /// The variable assigned.
        variable: Variable,
        /// The value that is the result.
        value: Value,
    },
    /// The variable is read, and the read is claimed to give `value`.
    Use {
        /// The variable read.
        variable: Variable,
        /// The value claimed.
        value: Value,
    },
    /// The block assigns the content of `src` to `dst`.
    Copy {
        /// The variable assigned.
        dst: Variable,
        /// The variable read, about which nothing is claimed.
        src: Variable,
    },
}

/// One phi of a [`Program`].
#[derive(Clone, Copy, Debug)]
pub struct ProgramPhi {
    /// The value of the phi.
    pub value: Value,
    /// The block of the phi.
    pub block: Block,
    /// Whether it is no phi of the result: it was dropped, since nothing in the result uses it, and is evidence for
    /// claims about reads that returned it and about folded operations.
    pub is_dropped: bool,
    start: u32,
    len: u32,
}

/// The claim that a phi is needed, and by which use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rank {
    /// The phi.
    pub phi: Value,
    /// Its rank: 0 for a phi with a use that is not a phi.
    pub rank: u32,
    /// A phi of smaller rank that has it as an operand, or `None` for rank 0.
    pub user: Option<Value>,
}

#[derive(Clone, Copy, Debug)]
struct Row {
    incoming: u32,
    phis: u32,
    events: u32,
    applications: u32,
}

/// The content of one certificate: a source program and the claims about it.
///
/// Two programs are equal if they have the same content, in the same order, for every block. Everything is kept in
/// arrays whose memory [`Program::rewrite`] uses again.
///
/// As a [`Cfg`](ssaphire_graph::Cfg) its successors come by target, then operand index: only the predecessor lists are
/// given. As a [`VariableForm`](ssaphire_graph::VariableForm) it is only the source half, as an
/// [`SsaForm`](ssaphire_graph::SsaForm) only the result. A definition with a global is no definition of that value, and
/// a copy is no event of the result; neither is a phi that was [dropped](ProgramPhi::is_dropped), nor a read that it
/// answers. Neither view contains the applications of operators.
#[derive(Clone)]
pub struct Program {
    entry: Block,
    globals: Vec<Value>,
    undefined: Vec<Value>,
    initial: Vec<(Variable, Value)>,
    numbers: Vec<(Value, u32)>,
    ranks: Vec<Rank>,
    /// By order of writing, with one more row at the end.
    rows: Vec<Row>,
    /// The block of each row.
    written: IdMap<RowId, Block>,
    /// Complete only once all is written.
    row_of: IdMap<Block, RowId>,
    incoming: Vec<Block>,
    phis: IdMap<PhiRow, ProgramPhi>,
    num_dropped: usize,
    operands: Vec<Value>,
    events: Vec<ProgramEvent>,
    folding: fold::Folding,
    /// By value, the first phi written with this value.
    phi_of: IdMap<Value, PackedOption<PhiRow>>,
    is_global: Vec<bool>,
    outgoing: IdLists<Block, Block>,
    num_values: usize,
    num_variables: usize,
}

impl Program {
    /// A program without blocks, which is refused.
    pub fn new() -> Self {
        Self {
            entry: Block::new(0),
            globals: Vec::new(),
            undefined: Vec::new(),
            initial: Vec::new(),
            numbers: Vec::new(),
            ranks: Vec::new(),
            rows: Vec::new(),
            written: IdMap::new(),
            row_of: IdMap::new(),
            incoming: Vec::new(),
            phis: IdMap::new(),
            num_dropped: 0,
            operands: Vec::new(),
            events: Vec::new(),
            folding: fold::Folding::default(),
            phi_of: IdMap::new(),
            is_global: Vec::new(),
            outgoing: IdLists::new(),
            num_values: 0,
            num_variables: 0,
        }
    }

    /// Drops the content; keeps capacity.
    pub fn clear(&mut self) {
        self.entry = Block::new(0);
        self.globals.clear();
        self.undefined.clear();
        self.initial.clear();
        self.numbers.clear();
        self.ranks.clear();
        self.rows.clear();
        self.written.clear();
        self.row_of.clear();
        self.incoming.clear();
        self.phis.clear();
        self.num_dropped = 0;
        self.operands.clear();
        self.events.clear();
        self.folding.clear();
        self.phi_of.clear();
        self.is_global.clear();
        self.outgoing.clear();
        self.num_values = 0;
        self.num_variables = 0;
    }

    /// Starts a new content, in the memory of the old one.
    pub fn rewrite(&mut self, entry: Block) -> ProgramWriter<'_> {
        self.clear();
        self.entry = entry;
        ProgramWriter::new(self)
    }

    /// All blocks, in id order.
    pub fn blocks(&self) -> impl DoubleEndedIterator<Item = Block> + ExactSizeIterator + Clone + use<> {
        self.row_of.keys()
    }

    /// Sources of the incoming edges of `block`, by operand index. A source may not exist: the judge checks this.
    pub fn incoming(&self, block: Block) -> &[Block] {
        let [row, next] = self.bounds(block);
        &self.incoming[row.incoming as usize..next.incoming as usize]
    }

    /// The phis of `block`, [dropped](ProgramPhi::is_dropped) ones included, in the order written.
    pub fn phi_list(&self, block: Block) -> &[ProgramPhi] {
        let [row, next] = self.bounds(block);
        &self.phis.as_slice()[row.phis as usize..next.phis as usize]
    }

    /// The operands of a phi of this program, by incoming edge.
    pub fn operand_list(&self, phi: ProgramPhi) -> &[Value] {
        &self.operands[phi.start as usize..(phi.start + phi.len) as usize]
    }

    /// The phi of `block` whose value is `value`: the first one written.
    pub fn phi_at(&self, block: Block, value: Value) -> Option<ProgramPhi> {
        let phi = *self.phis.find(*self.phi_of.get(value)?)?;
        if phi.block == block {
            return Some(phi);
        }
        // A value bound by two phis is refused; finding the second one here is a courtesy.
        self.phi_list(block).iter().copied().find(|phi| phi.value == value)
    }

    /// The events of `block`, in order.
    pub fn event_list(&self, block: Block) -> &[ProgramEvent] {
        let [row, next] = self.bounds(block);
        &self.events[row.events as usize..next.events as usize]
    }

    /// The operators applied in `block`, in order.
    pub fn application_list(&self, block: Block) -> &[Application] {
        let [row, next] = self.bounds(block);
        &self.folding.applications[row.applications as usize..next.applications as usize]
    }

    /// The row of the block, and the one after it.
    fn bounds(&self, block: Block) -> [Row; 2] {
        let row = self.row_of[block].index();
        [self.rows[row], self.rows[row + 1]]
    }

    /// Values that are bound before the entry: constants and parameters. Undefined values are not repeated here.
    pub fn global_list(&self) -> &[Value] {
        &self.globals
    }

    /// The distinguished undefined values, which are globals too.
    pub fn undefined_list(&self) -> &[Value] {
        &self.undefined
    }

    /// Whether `value` is bound before the entry.
    pub fn is_global(&self, value: Value) -> bool {
        self.is_global.get(value.index()).is_some_and(|&is_global| is_global)
    }

    /// The contents of variables at the entry. A variable that is not named has no content there.
    pub fn initial_list(&self) -> &[(Variable, Value)] {
        &self.initial
    }

    /// The numbering that proves minimality; empty if minimality is not claimed.
    pub fn number_list(&self) -> &[(Value, u32)] {
        &self.numbers
    }

    /// The ranks that prove prunedness; empty if prunedness is not claimed.
    pub fn rank_list(&self) -> &[Rank] {
        &self.ranks
    }

    /// Number of phis of the result.
    pub fn num_phis(&self) -> usize {
        self.phis.len() - self.num_dropped
    }

    /// Number of phis that are only evidence: see [`ProgramPhi::is_dropped`].
    pub fn num_dropped(&self) -> usize {
        self.num_dropped
    }

    /// Whether `value` is a phi that is only evidence.
    pub fn is_dropped(&self, value: Value) -> bool {
        let phi = || self.phis.find(*self.phi_of.get(value)?);
        self.num_dropped > 0 && phi().is_some_and(|phi| phi.is_dropped)
    }

    /// Number of events of all blocks.
    pub fn num_events(&self) -> usize {
        self.events.len()
    }
}

impl Default for Program {
    fn default() -> Self {
        Self::new()
    }
}

impl PartialEq for Program {
    fn eq(&self, other: &Self) -> bool {
        let same_application = |a: &Application, b: &Application| {
            a == b && self.argument_list(*a) == other.argument_list(*b) && self.target_list(*a) == other.target_list(*b)
        };
        let same_phi = |a: &ProgramPhi, b: &ProgramPhi| {
            (a.value, a.is_dropped) == (b.value, b.is_dropped) && self.operand_list(*a) == other.operand_list(*b)
        };
        self.entry == other.entry
            && self.globals == other.globals
            && self.undefined == other.undefined
            && self.initial == other.initial
            && self.numbers == other.numbers
            && self.ranks == other.ranks
            && self.row_of.len() == other.row_of.len()
            && self.folding.equations == other.folding.equations
            && self.folding.operator_names == other.folding.operator_names
            && self.folding.global_names == other.folding.global_names
            && self.blocks().all(|block| {
                let (phis, others) = (self.phi_list(block), other.phi_list(block));
                self.incoming(block) == other.incoming(block)
                    && self.event_list(block) == other.event_list(block)
                    && self.application_list(block).len() == other.application_list(block).len()
                    && self
                        .application_list(block)
                        .iter()
                        .zip(other.application_list(block))
                        .all(|(a, b)| same_application(a, b))
                    && phis.len() == others.len()
                    && phis.iter().zip(others).all(|(a, b)| same_phi(a, b))
            })
    }
}

impl Eq for Program {}
