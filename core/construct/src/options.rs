//! Which engine builds, and what may be switched.

use core::fmt;
use ssaphire_graph::IdLimits;

/// A construction.
///
/// The first seven decide while the caller walks the function; the others
/// [decide at the end](Self::decides_at_end), and are there to be compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Engine {
    /// Ours, and the one to use: `marker` where a phi may be needed, and a dominator tree that grows to see where none is.
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
    /// No phi before a lookup comes back to where it was: no temporary phis in acyclic code (section 3.3).
    Marker,
    /// Phis at iterated dominance frontiers, by Fig. 11 over explicit frontiers; then renaming (Cytron et al. 1991).
    Cytron,
    /// The same for variables that a block reads before writing them (Briggs et al. 1998).
    SemiPruned,
    /// The same where the variable is live (Choi et al. 1991), frontiers found with a heap.
    Pruned,
    /// The same, frontiers found in linear time with buckets (Sreedhar and Gao 1995).
    SreedharGao,
    /// A phi for each variable in each block, then two rules (Aycock and Horspool 2000). Memory: variables times blocks.
    AycockHorspool,
    /// A phi for each variable at each join, then the same rules (Click and Paleczny 1995).
    AllLocals,
    /// Phis at headers for what loops write, and at joins for what the ways to them write (Brandis and Moessenboeck
    /// 1994). Refuses irreducible graphs.
    Structured,
    /// The functional construction of Ullrich 2013, with a depth-first search.
    Functional,
    /// The same as the thesis writes it first, visiting all paths: exponential, so set a
    /// [work limit](Options::with_work_limit). Not one of [`ALL`](Self::ALL).
    FunctionalLiteral,
    /// React Compiler's `enterSSA` and `eliminateRedundantPhi`.
    React,
}

impl Engine {
    /// The engines that decide while the caller walks the function, in the order of the table in the README.
    pub const ON_THE_FLY: [Self; 7] =
        [Self::Auto, Self::Marker, Self::Braun, Self::BraunOperand, Self::BraunWatched, Self::Scc, Self::Region];

    /// The engines that decide at the end, but for [`FunctionalLiteral`](Self::FunctionalLiteral).
    pub const AT_THE_END: [Self; 9] = [
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
    pub const ALL: [Self; 16] = {
        let mut all = [Self::Auto; 16];
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

    /// Whether the engine decides nothing before `finish`, when the function is there as a whole.
    ///
    /// Until then, a read that its block cannot answer gets an incomplete phi,
    /// also in a sealed block: of these, the ones that are not phis in the end stand for something else.
    /// Hints change nothing. Without `minimize` all phis are handed over that the constructor
    /// leaves, whether anything uses them or not.
    pub const fn decides_at_end(self) -> bool {
        !matches!(
            self,
            Self::Auto
                | Self::Braun
                | Self::BraunOperand
                | Self::BraunWatched
                | Self::Scc
                | Self::Region
                | Self::Marker
        )
    }

    /// Whether the engine takes any graph. One does not: `structured` refuses irreducible ones.
    pub const fn takes_any_graph(self) -> bool {
        !matches!(self, Self::Structured)
    }

    /// Whether the engine leaves phis that have become trivial to `minimize`.
    ///
    /// The other engines that decide on the fly check the users of a removed phi.
    pub const fn leaves_trivial_phis(self) -> bool {
        matches!(self, Self::Auto | Self::BraunOperand) || self.decides_at_end()
    }

    /// The engine of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().chain([Self::FunctionalLiteral]).find(|engine| engine.name() == name)
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How a builder works. The default is the one to use.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// The engine. Default: `auto`.
    pub engine: Engine,
    /// Whether `finish` removes redundant sets of phis, so that the result is irredundant on any graph. Default: yes.
    ///
    /// Runs in any case where unreachable code has edges into reachable code,
    /// since such an edge is known to be ignored only at the end.
    pub minimize: bool,
    /// Whether reads that carry a site number are reported when they may see an undefined variable. Default: no.
    pub report_undefined_reads: bool,
    /// Whether `finish` verifies the hints given at loop headers. Default: in debug builds.
    pub verify_hints: bool,
    /// Steps allowed per function: each block a lookup passes and each operand counts one. Default: no limit.
    ///
    /// What it costs is told by [`Stats::work`](crate::Stats::work).
    pub work_limit: Option<u64>,
    /// How large the ids of blocks, variables and values may be. Default: below 2^24, 2^24 and 2^26.
    ///
    /// Tables grow with the largest id mentioned: by about a hundred bytes for a block, a few dozen for a variable, and
    /// for a value a few bytes, most of them only if it is a phi or stands for another.
    pub ids: IdLimits,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            engine: Engine::default(),
            minimize: true,
            report_undefined_reads: false,
            verify_hints: cfg!(debug_assertions),
            work_limit: None,
            ids: IdLimits::default(),
        }
    }
}

impl Options {
    /// The default options with another engine.
    pub fn with_engine(engine: Engine) -> Self {
        Self { engine, ..Self::default() }
    }

    /// The same options, with or without removing redundant sets of phis.
    #[must_use]
    pub fn with_minimize(mut self, minimize: bool) -> Self {
        self.minimize = minimize;
        self
    }

    /// The same options, with reads that carry a site number reported if they may see an undefined variable.
    #[must_use]
    pub fn with_undefined_reads(mut self) -> Self {
        self.report_undefined_reads = true;
        self
    }

    /// The same options, with so many steps allowed per function.
    ///
    /// A few hundred steps per access and edge leave room for any program that is not hostile.
    /// Whoever sets a limit makes the `try_` calls: the others panic where it is reached.
    #[must_use]
    pub fn with_work_limit(mut self, steps: u64) -> Self {
        self.work_limit = Some(steps);
        self
    }

    /// The same options, with other limits of ids.
    ///
    /// The `try_` calls return an error for an id that is not below its limit, the others panic.
    #[must_use]
    pub fn with_ids(mut self, ids: IdLimits) -> Self {
        self.ids = ids;
        self
    }
}
