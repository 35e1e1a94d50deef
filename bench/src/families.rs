//! Families of functions on which some construction was once quadratic, by size.
//!
//! | family | what it is | what it asks |
//! |---|---|---|
//! | `ifchain` | *n* conditionals in a row, each writes one of *m* variables | phis at joins, long ways back |
//! | `ifempty` | *n* empty conditionals in a row, *m* variables read afterwards | joins that need no phi |
//! | `nest` | *n* loops around each other, *m* variables read inside, one written | unsealed headers |
//! | `wideloop` | one loop that reads *m* variables and writes none | many phis that prove trivial |
//! | `switch` | *n* cases that each write *m* variables, and one join | many operands |
//! | `fallthru` | *n* cases, each reads and writes *m* variables and falls into the next | many edges of one terminator |
//! | `ladder` | two rows of *n* blocks, each with edges to the other row, sealed at the end; *m* variables are only read | irreducible code; 0 phis |
//! | `exits` | *n* blocks in a row, each with an edge to one join | paths that share their beginning |
//! | `diag` | a row of *n* blocks, the i-th writes the i-th variable; all are read at the end | one long way back for each variable |
//! | `comb` | a row of *n* blocks, each with a leaf that reads *m* variables written at its beginning | one way back for each leaf |
//! | `dead` | a loop around *n* conditionals, each writes one of *m* variables, of which one is read | phis that nobody needs ([golang/go#17926](https://github.com/golang/go/issues/17926)) |
//! | `joins` | *n* joins in a row, each by two edges of one block; *m* variables read at the end | joins that need no phi |
//! | `loops` | *n* loops in a row, each reads one of *m* variables; nothing is written | headers that need no phi |
//! | `leave` | *n* conditionals in a row, each writes one of *m* variables and leaves; it is read afterwards | writes beside the way |
//! | `cases` | *n* cases, each reads and writes one of *m* variables and falls into the next | as many edges as blocks |
//! | `spread` | *n* conditionals in a row, each writes one of *m* variables; all are read at the end | one phi and one way back for each variable |
//! | `tangle` | *n* irreducible loops of two blocks in a row, sealed at once; *m* variables are only read, at the end | irreducible code; 0 phis |
//!
//! A member of a family is a stream of builder calls, [`Calls`], never a list
//! of them: the same stream drives our builder, Cranelift's, and a tally.

mod calls;
mod cranelift;
mod figures;
mod generate;
mod judging;
mod judging_table;
mod ours;
mod table;

pub use calls::{Calls, Tally};
pub use cranelift::{CraneliftCalls, build_with_cranelift};
pub use figures::{Figures, PATIENCE, Subject, measure};
pub use judging::{Judged, judge, judge_times};
pub use judging_table::judging_table;
pub(crate) use ours::build_through;
pub use ours::{Built, OurCalls, build};
pub use table::{Entry, table};

use std::fmt;

/// A family of functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the table above says what they are")]
pub enum Family {
    IfChain,
    IfEmpty,
    Nest,
    WideLoop,
    Switch,
    FallThru,
    Ladder,
    Exits,
    Diag,
    Comb,
    Dead,
    Joins,
    Loops,
    Leave,
    Cases,
    Spread,
    Tangle,
}

/// Which member of a family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Number of conditionals, loops, cases or blocks in a row.
    pub n: u32,
    /// Number of variables.
    pub m: u32,
}

/// A family and which member of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// The family.
    pub family: Family,
    /// Which of its members.
    pub size: Size,
}

/// Members of one family, from the smallest to the largest: their costs are compared.
pub type Series = &'static [Size];

const fn size(n: u32, m: u32) -> Size {
    Size { n, m }
}

const fn long(m: u32) -> [Size; 4] {
    [size(1_000, m), size(10_000, m), size(100_000, m), size(1_000_000, m)]
}

const LONG_1: Series = &long(1);
const LONG_2: Series = &long(2);
const LONG_100: Series = &long(100);
const WIDE: Series = &[size(1, 1_000), size(1, 10_000), size(1, 100_000), size(1, 1_000_000)];
const SQUARE: Series = &[size(100, 100), size(1_000, 1_000), size(10_000, 10_000)];
const SMALL_SQUARE: Series = &[size(32, 32), size(100, 100), size(1_000, 1_000)];
const LONG_SQUARE_FROM_100: Series =
    &[size(100, 100), size(1_000, 1_000), size(10_000, 10_000), size(100_000, 100_000), size(1_000_000, 1_000_000)];
const LONG_SQUARE: Series =
    &[size(1_000, 1_000), size(10_000, 10_000), size(100_000, 100_000), size(1_000_000, 1_000_000)];

const TEN_TO_ONE: Series =
    &[size(1_000, 100), size(3_000, 300), size(10_000, 1_000), size(30_000, 3_000), size(100_000, 10_000)];

impl Family {
    /// All families.
    pub const ALL: [Self; 17] = [
        Self::IfChain,
        Self::IfEmpty,
        Self::Nest,
        Self::WideLoop,
        Self::Switch,
        Self::FallThru,
        Self::Ladder,
        Self::Exits,
        Self::Diag,
        Self::Comb,
        Self::Dead,
        Self::Joins,
        Self::Loops,
        Self::Leave,
        Self::Cases,
        Self::Spread,
        Self::Tangle,
    ];

    /// Its name, as in the table.
    pub fn name(self) -> &'static str {
        match self {
            Self::IfChain => "ifchain",
            Self::IfEmpty => "ifempty",
            Self::Nest => "nest",
            Self::WideLoop => "wideloop",
            Self::Switch => "switch",
            Self::FallThru => "fallthru",
            Self::Ladder => "ladder",
            Self::Exits => "exits",
            Self::Diag => "diag",
            Self::Comb => "comb",
            Self::Dead => "dead",
            Self::Joins => "joins",
            Self::Loops => "loops",
            Self::Leave => "leave",
            Self::Cases => "cases",
            Self::Spread => "spread",
            Self::Tangle => "tangle",
        }
    }

    /// The family of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|family| family.name() == name)
    }

    /// The members that are measured: to *n* = 10^6, and to *n* x *m* = 10^8 where there are two parameters.
    ///
    /// In `nest`, engines other than the default one leave *n* x *m* phis in unsealed headers; it ends at 10^6 of them.
    pub fn series(self) -> &'static [Series] {
        match self {
            Self::IfChain | Self::Exits | Self::Ladder => &[LONG_2, SQUARE],
            Self::IfEmpty => &[LONG_100, SQUARE],
            Self::Nest => &[LONG_1, SMALL_SQUARE],
            Self::Switch | Self::FallThru => &[LONG_1, SQUARE],
            Self::WideLoop => &[WIDE],
            Self::Diag | Self::Joins | Self::Loops => &[LONG_SQUARE],
            Self::Leave | Self::Cases => &[LONG_1, LONG_SQUARE],
            Self::Dead => &[LONG_SQUARE_FROM_100],
            Self::Comb => &[LONG_1],
            Self::Spread => &[TEN_TO_ONE],
            Self::Tangle => &[LONG_100],
        }
    }

    /// The member of that size.
    pub fn member(self, n: u32, m: u32) -> Member {
        Member { family: self, size: Size { n, m } }
    }
}

impl Size {
    /// Whether there are at most so many blocks and accesses, or *n* x *m* of them.
    fn is_at_most(self, limit: u64) -> bool {
        u64::from(self.n) * u64::from(self.m) <= limit
    }
}

impl Member {
    /// Drives the builder through the function, from the entry to the last block.
    pub fn emit(self, calls: &mut impl Calls) {
        generate::emit(self, calls);
    }

    /// The number of events: blocks created, entered and sealed, reads, writes, terminators.
    pub fn events(self) -> u64 {
        let mut tally = Tally::default();
        self.emit(&mut tally);
        tally.events
    }
}

impl fmt::Display for Member {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}x{}", self.family.name(), self.size.n, self.size.m)
    }
}
