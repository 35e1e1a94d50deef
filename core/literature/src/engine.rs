//! The list of all constructors.

use crate::complete::{self, Constructor};
use alloc::borrow::ToOwned;
use alloc::string::String;
use core::fmt;
use core::str::FromStr;

/// A construction.
///
/// The first seven decide while the caller walks the function; the others
/// [decide at the end](Self::decides_at_end), and are there to be compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Engine {
    /// The default engine, ours: `marker`, with an incremental dominator tree that shows where no phi is needed.
    #[default]
    Auto,
    /// Algorithms 1 to 4: a phi at each join a lookup meets; users of a removed phi are checked again.
    Braun,
    /// The same, for hosts and memory budgets without users: after a phi is removed only the value it stood for is
    /// checked again (section 3.1's unique-operand variant). Not minimal without `minimize`.
    BraunOperand,
    /// Algorithms 1 to 4 again, but a removed phi has those phis checked that rely on it not being another value: by
    /// two watched operands for each phi. The phis left are those of `braun`.
    BraunWatched,
    /// No phi but where different values enter a cycle: no temporary phis in sealed code (section 3.3).
    Scc,
    /// No phi but where different values meet first, found by dominators: the phis of `scc` without its worst case.
    /// Blocks sealed together are decided together.
    Region,
    /// Creates a phi only when a lookup detects a cycle: no temporary phis in acyclic code (section 3.3).
    Marker,
    /// Phis at iterated dominance frontiers, by Fig. 11 over explicit frontiers; then renaming (Cytron et al. 1991).
    Cytron,
    /// The same for variables that a block reads before writing them (Briggs et al. 1998).
    SemiPruned,
    /// The same where the variable is live (Choi et al. 1991), frontiers found with a heap.
    Pruned,
    /// The same, frontiers found in linear time with buckets (Sreedhar and Gao 1995).
    SreedharGao,
    /// A phi for each variable in each block, then two rules (Aycock and Horspool 2000). Memory: variables times
    /// blocks.
    AycockHorspool,
    /// A phi for each variable at each join, then the same rules (Click and Paleczny 1995).
    AllLocals,
    /// Phis at headers for what loops write, and at joins for what the ways to them write (Brandis and Moessenboeck
    /// 1994). Refuses irreducible graphs.
    Structured,
    /// The functional construction of Ullrich 2013, with a depth-first search.
    Functional,
    /// The same as the thesis writes it first, visiting all paths: exponential, so set a
    /// [work limit](ssaphire_construct::Options::with_work_limit). Not one of [`ALL`](Self::ALL).
    FunctionalLiteral,
    /// React Compiler's `enterSSA` and `eliminateRedundantPhi`.
    React,
}

impl Engine {
    /// The engines that decide while the caller walks the function, in the order of the table in the README.
    pub const ON_THE_FLY: &'static [Self] =
        &[Self::Auto, Self::Marker, Self::Braun, Self::BraunOperand, Self::BraunWatched, Self::Scc, Self::Region];

    /// The engines that decide at the end, but for [`FunctionalLiteral`](Self::FunctionalLiteral).
    pub const AT_THE_END: &'static [Self] = &[
        Self::Cytron,
        Self::SemiPruned,
        Self::Pruned,
        Self::SreedharGao,
        Self::AycockHorspool,
        Self::AllLocals,
        Self::Structured,
        Self::Functional,
        Self::React,
    ];

    /// All engines but [`FunctionalLiteral`](Self::FunctionalLiteral), which is exponential.
    pub const ALL: &'static [Self] = &{
        let mut all = [Self::Auto; Self::ON_THE_FLY.len() + Self::AT_THE_END.len()];
        let (mut index, first) = (0, Self::ON_THE_FLY.len());
        while index < all.len() {
            all[index] = if index < first { Self::ON_THE_FLY[index] } else { Self::AT_THE_END[index - first] };
            index += 1;
        }
        all
    };

    /// The engine's name, as on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Braun => "braun",
            Self::BraunOperand => "braun-operand",
            Self::BraunWatched => "braun-watched",
            Self::Scc => "scc",
            Self::Region => "region",
            Self::Marker => "marker",
            Self::Cytron => "cytron",
            Self::SemiPruned => "semi-pruned",
            Self::Pruned => "pruned",
            Self::SreedharGao => "sreedhar-gao",
            Self::AycockHorspool => "aycock-horspool",
            Self::AllLocals => "all-locals",
            Self::Structured => "structured",
            Self::Functional => "functional",
            Self::FunctionalLiteral => "functional-literal",
            Self::React => "react",
        }
    }

    /// The constructor for complete functions, if the engine is one.
    pub(crate) const fn constructor(self) -> Option<&'static dyn Constructor> {
        Some(match self {
            Self::Cytron => &complete::Cytron,
            Self::SemiPruned => &complete::SemiPruned,
            Self::Pruned => &complete::Pruned,
            Self::SreedharGao => &complete::SreedharGao,
            Self::AycockHorspool => &complete::AycockHorspool,
            Self::AllLocals => &complete::AllLocals,
            Self::Structured => &complete::Structured,
            Self::Functional => &complete::Functional,
            Self::FunctionalLiteral => &complete::FunctionalLiteral,
            Self::React => &complete::React,
            Self::Auto
            | Self::Braun
            | Self::BraunOperand
            | Self::BraunWatched
            | Self::Scc
            | Self::Region
            | Self::Marker => return None,
        })
    }

    /// Whether the engine decides nothing before `finish`, when the function is complete.
    ///
    /// Until then, a read that its block cannot answer gets an incomplete phi,
    /// also in a sealed block; those that are not phis in the end are replaced by other values.
    /// Without `minimize`, the result has all phis that the constructor
    /// leaves, used or not.
    pub const fn decides_at_end(self) -> bool {
        self.constructor().is_some()
    }

    /// Whether the engine accepts any graph. Only `structured` does not: it refuses irreducible ones.
    pub const fn takes_any_graph(self) -> bool {
        !matches!(self, Self::Structured)
    }

    /// Whether the engine leaves phis that have become trivial to `minimize`.
    ///
    /// The other engines that decide on the fly check the users of a removed phi.
    pub const fn leaves_trivial_phis(self) -> bool {
        matches!(self, Self::Auto | Self::BraunOperand) || self.decides_at_end()
    }

    /// All engines, the exponential one included.
    fn named() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().chain([Self::FunctionalLiteral])
    }
}

impl FromStr for Engine {
    type Err = UnknownEngine;

    /// The engine of that [name](Self::name).
    fn from_str(name: &str) -> Result<Self, UnknownEngine> {
        Self::named().find(|engine| engine.name() == name).ok_or_else(|| UnknownEngine { given: name.to_owned() })
    }
}

/// A name that no engine has.
///
/// # Examples
/// ```
/// use ssaphire_literature::Engine;
///
/// assert_eq!("semi-pruned".parse(), Ok(Engine::SemiPruned));
/// let error = "cytron91".parse::<Engine>().unwrap_err();
/// assert_eq!(error.given, "cytron91");
/// assert!(error.to_string().starts_with("\"cytron91\": unknown engine; choose one of auto, marker, "));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownEngine {
    /// The name.
    pub given: String,
}

impl fmt::Display for UnknownEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: unknown engine; choose one of ", self.given)?;
        let mut separator = "";
        for engine in Engine::named() {
            write!(f, "{separator}{engine}")?;
            separator = ", ";
        }
        Ok(())
    }
}

impl core::error::Error for UnknownEngine {}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
