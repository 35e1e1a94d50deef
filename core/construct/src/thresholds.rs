//! Limits at which builders change their data structures or give up a fast path.

/// Limits at which a builder changes to another data structure, or gives up a fast path.
///
/// They affect how long a builder takes, never whether its result is right.
/// The defaults are fast on real programs.
/// Set to their minimum, they make small functions take the paths that otherwise only large functions take, for tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Thresholds {
    /// The default engine keeps rows while they take at most this many bytes for each access and edge so far,
    /// plus [`row_bytes`](Self::row_bytes). Default: 64.
    pub row_bytes_per_event: u64,
    /// Bytes that rows may take in any function. Default: 4 MiB.
    pub row_bytes: u64,
    /// Number of accesses and edges after which the default engine gives up rows of any size; 0 means before the first.
    /// Default: none.
    pub row_events: Option<u64>,
    /// If there are more than 64 variables, the default engine gives up rows once the number of phis created and edges
    /// followed needlessly exceeds this number for each access and edge so far. Default: 16.
    pub needless_per_event: u32,
    /// Steps that a climb may take before it uses jumps, beyond those of
    /// [`climb_steps_per_block`](Self::climb_steps_per_block). Default: 64.
    pub climb_steps: u32,
    /// Steps without jumps that all climbs together may take for each block and edge. Default: 4.
    pub climb_steps_per_block: u32,
    /// Steps that linking may take for each block and edge of the function. Blocks that wait for one another, and are
    /// linked together, may take as many for each edge into one of them. Blocks that would take more stay roots.
    /// Default: 64.
    pub link_steps_per_block: u32,
    /// Up to this many blocks that wait for one another are linked together even if that takes more steps, as long as
    /// steps for all linking are left. Default: 32.
    pub linked_group: usize,
    /// After the default engine has given up rows: once a lookup has followed the edges of a join needlessly, the
    /// engine finds the variables that are written between the dominator and the join, if the join has at least this
    /// many edges. Default: 2.
    pub region_edges: usize,
    /// Steps that finding these variables may take for each edge followed needlessly; with 0 they are never found.
    /// Default: 8.
    pub region_steps_per_edge: u32,
    /// After the default engine has given up rows: a lookup that passes more dominators than this stores a definition
    /// at each. Default: 4.
    pub passed_dominators: u32,
    /// Maximum number of definitions of a block in a list; a block with more has a hash table. Engines of
    /// `ssaphire-literature`. Default: 20.
    pub listed_definitions: u8,
    /// Binary logarithm of the number of cells of a new hash table; at least 2. Engines of `ssaphire-literature`.
    /// Default: 5.
    pub table_bits: u8,
    /// One of this many blocks on a chain that a lookup passes stores the result; 0 means 1.
    /// Engines of `ssaphire-literature`. Default: 16.
    pub memo_stride: u32,
    /// Phis up to this number are sorted by comparisons, more by counting. Engines of `ssaphire-literature`. Default:
    /// 16.
    pub compared_phis: usize,
}

impl Thresholds {
    /// The defaults.
    pub const DEFAULT: Self = Self {
        row_bytes_per_event: 64,
        row_bytes: 1 << 22,
        row_events: None,
        needless_per_event: 16,
        climb_steps: 64,
        climb_steps_per_block: 4,
        link_steps_per_block: 64,
        linked_group: 32,
        region_edges: 2,
        region_steps_per_edge: 8,
        passed_dominators: 4,
        listed_definitions: 20,
        table_bits: 5,
        memo_stride: 16,
        compared_phis: 16,
    };
    /// Each at its minimum: everything that can be given up is given up at once.
    pub const LEAST: Self = Self {
        row_bytes_per_event: 0,
        row_bytes: 0,
        row_events: Some(0),
        needless_per_event: 0,
        climb_steps: 0,
        climb_steps_per_block: 0,
        link_steps_per_block: 0,
        linked_group: 0,
        region_edges: 0,
        region_steps_per_edge: 0,
        passed_dominators: 0,
        listed_definitions: 0,
        table_bits: 2,
        memo_stride: 1,
        compared_phis: 0,
    };
}

impl Default for Thresholds {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Limits at which a [`Folder`](crate::fold::Folder) stops searching for an operation that was computed before.
///
/// An operation that is not found is computed again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct FoldThresholds {
    /// Entries of the table that a lookup compares. Default: 32.
    pub entries: u32,
    /// Dominators of a block whose operations count. Default: 64.
    pub dominators: u32,
}

impl FoldThresholds {
    /// The defaults.
    pub const DEFAULT: Self = Self { entries: 32, dominators: 64 };
    /// Each at its minimum: no operation is found.
    pub const LEAST: Self = Self { entries: 0, dominators: 0 };
}

impl Default for FoldThresholds {
    fn default() -> Self {
        Self::DEFAULT
    }
}
