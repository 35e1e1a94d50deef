//! SSA construction in one call, for a complete function.

use alloc::vec::Vec;
use core::fmt;
use ssaphire_construct::{CallError, PhiHost, Ssa, SsaBuilder};
use ssaphire_graph::{
    Access, Block, CfgError, DominatorTree, Edge, FlatCfg, IdError, LoopForest, Order, Value, Variable, VariableForm,
    WithPreEntry, at_once,
};

/// A host with a complete function: it also allocates the values that writes define.
///
/// An access is identified by its block and its position in
/// [`VariableForm::accesses`], counted from 0; an [`Access::Tuple`] is not an access
/// and not counted. Keep a table from positions back to instructions.
pub trait FormHost: PhiHost {
    /// The value that access number `index` of `block`, a write of `variable`, defines.
    ///
    /// * Called: once per [`Access::Write`], accesses of a block in order.
    /// * State: the accesses before it have been handled.
    /// * May change: the host's value table.
    fn written(&mut self, block: Block, index: usize, variable: Variable) -> Value;

    /// Receives the value that access number `index` of `block`, a read or copy of `variable`, returned.
    ///
    /// * Called: once per [`Access::Read`] and [`Access::Copy`], accesses of a block in order.
    /// * State: the result may forward the value to another.
    /// * May change: the host's own tables.
    fn read(&mut self, block: Block, index: usize, variable: Variable, value: Value);
}

/// Why the SSA form of a complete function could not be built.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BatchError {
    /// The graph breaks its contract.
    Cfg(CfgError),
    /// The form has more blocks or variables than the [limit](ssaphire_construct::Options::ids).
    Id(IdError),
    /// An [`Access::Tuple`] announces more accesses than follow it, up to the next one or the end of the block.
    Tuple {
        /// The block.
        block: Block,
        /// Accesses it announces.
        announced: u32,
        /// Accesses that follow.
        found: u32,
    },
    /// The builder refused a call.
    Call(CallError),
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cfg(error) => error.fmt(f),
            Self::Id(error) => error.fmt(f),
            Self::Tuple { block, announced, found } => {
                write!(f, "{block}: a tuple announces {announced} accesses, but only {found} follow")
            }
            Self::Call(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for BatchError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Cfg(error) => error.source(),
            Self::Id(error) => error.source(),
            Self::Tuple { .. } => None,
            Self::Call(error) => error.source(),
        }
    }
}

macro_rules! from_errors {
    ($($variant:ident($error:ident)),*) => {$(
        impl From<$error> for BatchError {
            fn from(error: $error) -> Self {
                Self::$variant(error)
            }
        }
    )*};
}

from_errors!(Cfg(CfgError), Id(IdError), Call(CallError));

/// Builds the SSA form of `form`, block by block in [`fill_order`].
///
/// If the entry has incoming edges ([`WithPreEntry::is_needed`]), an empty block
/// before it becomes the entry, numbered `num_blocks`, with an edge to the old
/// entry. The host adds this block to its function: phis of the old entry have an
/// operand for its edge, and the instructions for undefined values belong there.
///
/// Before the call, a cleared `ssa` accepts initial values of variables
/// ([`try_set_initial`](SsaBuilder::try_set_initial)) and values defined before control enters
/// ([`try_global`](SsaBuilder::try_global)); if it has built something, it is cleared first. The site
/// of an undefined read is its position in the accesses of its block.
///
/// # Errors
/// If the graph breaks its contract, an id is not below its [limit](ssaphire_construct::Options::ids), or the work budget
/// is used up.
///
/// # Complexity
/// The builder's, plus that of [`fill_order`].
pub fn construct<'s, H: FormHost, B: SsaBuilder>(
    form: &impl VariableForm,
    host: &mut H,
    ssa: &'s mut B,
) -> Result<Ssa<'s>, BatchError> {
    match WithPreEntry::is_needed(form) {
        true => construct_view(&WithPreEntry::new(form), host, ssa),
        false => construct_view(form, host, ssa),
    }
}

/// The order in which [`construct`] fills the blocks of a graph: the entry, then the unreachable blocks, then reverse
/// post-order with the blocks of a loop [side by side](LoopForest::rpo_by_loops).
///
/// Any order gives the same result up to names. This one fills a single-entry loop completely before a block after the
/// loop reads a variable: so the read neither waits for the loop nor gets a temporary phi at its header. Nor does a
/// block wait for its edges from unreachable code.
///
/// # Complexity
/// O(*n* + *e*) without loops; with loops, that of a [`DominatorTree`] and a [`LoopForest`].
pub fn fill_order(cfg: &FlatCfg) -> Vec<Block> {
    let order = Order::new(cfg);
    let has_loops = (0..cfg.num_edges()).map(Edge::new).any(|edge| order.is_retreating(cfg, edge));
    let mut blocks = if has_loops {
        let dominators = DominatorTree::new(cfg);
        LoopForest::new(cfg, &dominators).rpo_by_loops(&dominators)
    } else {
        order.rpo().collect()
    };
    let num_reachable = blocks.len();
    blocks.extend(cfg.blocks().filter(|&block| !order.is_reachable(block)));
    blocks[1..].rotate_left(num_reachable - 1);
    blocks
}

fn construct_view<'s, H: FormHost, B: SsaBuilder>(
    form: &impl VariableForm,
    host: &mut H,
    ssa: &'s mut B,
) -> Result<Ssa<'s>, BatchError> {
    // The form determines the size of tables, so it is checked before there are any.
    let ids = ssa.options().ids;
    ids.check_num_blocks(form.num_blocks())?;
    ids.check_num_variables(form.num_variables())?;
    let cfg = FlatCfg::new(form)?;
    if !ssa.is_new() {
        ssa.clear();
    }
    ssa.announce(&cfg)?;
    let mut walk = Walk { host, ssa: &mut *ssa, together: Vec::new(), reads: Vec::new() };
    for block in fill_order(&cfg) {
        walk.fill(form, block)?;
        walk.ssa.try_terminate(block, cfg.targets(block))?;
    }
    Ok(ssa.finish(host)?)
}

struct Walk<'a, H, B: SsaBuilder> {
    host: &'a mut H,
    ssa: &'a mut B,
    /// Accesses that happen in parallel.
    together: Vec<Access>,
    /// The values that the reads among them returned.
    reads: Vec<Value>,
}

impl<H: FormHost, B: SsaBuilder> Walk<'_, H, B> {
    fn fill(&mut self, form: &impl VariableForm, block: Block) -> Result<(), BatchError> {
        let mut together = core::mem::take(&mut self.together);
        let mut index = 0;
        for (access, is_last) in at_once(form.accesses(block)) {
            together.push(access);
            if is_last {
                self.access_at_once(block, index, &together)?;
                index += together.len();
                together.clear();
            }
        }
        self.together = together;
        Ok(())
    }

    /// Performs all reads, then all writes.
    fn access_at_once(&mut self, block: Block, first: usize, tuple: &[Access]) -> Result<(), BatchError> {
        self.reads.clear();
        for (index, &access) in (first..).zip(tuple) {
            if let Access::Read(variable) | Access::Copy(_, variable) = access {
                let value = self.ssa.try_read_at_site(self.host, block, variable, index as u32)?;
                self.host.read(block, index, variable, value);
                self.reads.push(value);
            }
        }
        let mut reads = self.reads.iter();
        for (index, &access) in (first..).zip(tuple) {
            match access {
                Access::Write(variable) => {
                    let value = self.host.written(block, index, variable);
                    self.ssa.try_write_variable(block, variable, value)?;
                }
                Access::Copy(variable, _) => {
                    if let Some(&value) = reads.next() {
                        self.ssa.try_write_variable(block, variable, value)?;
                    }
                }
                Access::Read(_) => drop(reads.next()),
                Access::Tuple(_) => {}
            }
        }
        Ok(())
    }
}
