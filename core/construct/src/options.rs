//! Which engine builds, and what may be switched.

use core::fmt;

/// An engine for construction on the fly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Engine {
    /// Ours, and the one to use: `marker` where a phi may be needed, and dominator intervals to see where none is.
    #[default]
    Auto,
    /// Algorithms 1 to 4: a phi at each join a lookup meets; users of a removed phi are checked again.
    Braun,
    /// The same, for hosts and memory budgets without users: after a phi is removed only the value it stood for is
    /// checked again (section 3.1's unique-operand variant). Not minimal without `minimize`.
    BraunOperand,
    /// No phi before a lookup comes back to where it was: no temporary phis in acyclic code (section 3.3).
    Marker,
}

impl Engine {
    /// All engines, in the order of the table in the README.
    pub const ALL: [Self; 4] = [Self::Auto, Self::Marker, Self::Braun, Self::BraunOperand];

    /// The engine's name, as on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Braun => "braun",
            Self::BraunOperand => "braun-operand",
            Self::Marker => "marker",
        }
    }

    /// Whether the engine leaves phis that have become trivial to `minimize`.
    ///
    /// The others check the users of a removed phi.
    pub const fn leaves_trivial_phis(self) -> bool {
        matches!(self, Self::Auto | Self::BraunOperand)
    }

    /// The engine of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|engine| engine.name() == name)
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
}

impl Default for Options {
    fn default() -> Self {
        Self {
            engine: Engine::default(),
            minimize: true,
            report_undefined_reads: false,
            verify_hints: cfg!(debug_assertions),
            work_limit: None,
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
}
