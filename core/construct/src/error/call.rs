//! The calls that a builder can refuse.

use ssaphire_graph::{Block, Value, Variable};

/// A call of a builder, with the arguments that its errors name.
///
/// Each stands for the `try_` form and the panicking form of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Call {
    /// `set_entry`
    SetEntry {
        /// The requested entry.
        entry: Block,
    },
    /// `announce`
    Announce {
        /// The entry of the graph.
        entry: Block,
    },
    /// `declare_variable`
    DeclareVariable,
    /// `set_initial`
    SetInitial {
        /// The variable.
        variable: Variable,
    },
    /// `global`
    Global {
        /// The value.
        value: Value,
    },
    /// `define`
    Define {
        /// The block of the definition.
        block: Block,
        /// The value defined.
        value: Value,
    },
    /// [`Recorder::record_note`](crate::Recorder::record_note)
    Note {
        /// The block of the operation.
        block: Block,
    },
    /// `write_variable`
    Write {
        /// The block to write in.
        block: Block,
        /// The variable to write.
        variable: Variable,
    },
    /// `write_on_edge`
    WriteOnEdge {
        /// The block that the edge leaves.
        from: Block,
        /// The slot of the edge.
        slot: u32,
        /// The variable to write.
        variable: Variable,
    },
    /// `read_variable` or `read_at_site`
    Read {
        /// The block to read in.
        block: Block,
        /// The variable to read.
        variable: Variable,
    },
    /// `read_at_end`
    ReadAtEnd {
        /// The block to read at the end of.
        block: Block,
        /// The variable to read.
        variable: Variable,
    },
    /// `terminate`
    Terminate {
        /// The block to fill.
        block: Block,
    },
    /// `add_edge`
    AddEdge {
        /// The block that the edge leaves.
        from: Block,
        /// The block that the edge enters.
        to: Block,
    },
    /// `redirect_edge`
    RedirectEdge {
        /// The block that the edge leaves.
        from: Block,
        /// The slot of the edge.
        slot: u32,
        /// The block that the edge is to enter.
        to: Block,
    },
    /// `seal_block`
    Seal {
        /// The block to seal.
        block: Block,
    },
    /// `seal_blocks`
    SealBlocks,
    /// `seal_all_blocks`
    SealAllBlocks,
    /// `replace`
    Replace {
        /// The value to replace.
        old: Value,
        /// The value to use in its place.
        new: Value,
    },
    /// `finish`
    Finish,
}
