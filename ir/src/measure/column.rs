//! The columns that come of the counts.

use super::{Measurements, Summary};
use crate::UnknownName;
use std::str::FromStr;

/// One figure of a function: a count, or the ratio of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// [`Measurements::statements`].
    Statements,
    /// [`Measurements::blocks`].
    Blocks,
    /// [`Measurements::edges`].
    Edges,
    /// [`Measurements::frontiers`].
    Frontiers,
    /// [`Measurements::control_dependences`].
    ControlDependences,
    /// [`Measurements::phis`].
    Phis,
    /// Frontiers by statements.
    FrontiersPerStatement,
    /// Control dependences by statements.
    ControlDependencesPerStatement,
    /// Phis by statements.
    PhisPerStatement,
    /// The frontier of a block, on average over the assignments of the SSA form.
    #[doc(alias = "avrgDF")]
    AverageFrontier,
    /// Assignments of the SSA form by those of the variable form.
    AssignmentExpansion,
    /// Mentions in the SSA form by those in the variable form.
    MentionExpansion,
}

impl Measure {
    /// All of them.
    pub const ALL: &'static [Self] = &[
        Self::Statements,
        Self::Blocks,
        Self::Edges,
        Self::Frontiers,
        Self::ControlDependences,
        Self::Phis,
        Self::FrontiersPerStatement,
        Self::ControlDependencesPerStatement,
        Self::PhisPerStatement,
        Self::AverageFrontier,
        Self::AssignmentExpansion,
        Self::MentionExpansion,
    ];

    /// What it is called, in the paper's words where it has some.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Statements => "statements",
            Self::Blocks => "blocks",
            Self::Edges => "edges",
            Self::Frontiers => "frontiers",
            Self::ControlDependences => "control-deps",
            Self::Phis => "phis",
            Self::FrontiersPerStatement => "frontiers/statements",
            Self::ControlDependencesPerStatement => "control-deps/statements",
            Self::PhisPerStatement => "phis/statements",
            Self::AverageFrontier => "avrgDF",
            Self::AssignmentExpansion => "A_tot/A_orig",
            Self::MentionExpansion => "M_tot/M_orig",
        }
    }

    /// Whether it is a ratio, which need not be a whole number.
    pub const fn is_ratio(self) -> bool {
        use Measure::{Blocks, ControlDependences, Edges, Frontiers, Phis, Statements};
        !matches!(self, Statements | Blocks | Edges | Frontiers | ControlDependences | Phis)
    }

    /// The figure of a function with these counts; none for a ratio to nothing.
    pub fn of(self, counts: &Measurements) -> Option<f64> {
        let ratio = |part: u64, whole: u64| (whole > 0).then(|| part as f64 / whole as f64);
        match self {
            Self::Statements => Some(counts.statements as f64),
            Self::Blocks => Some(counts.blocks as f64),
            Self::Edges => Some(counts.edges as f64),
            Self::Frontiers => Some(counts.frontiers as f64),
            Self::ControlDependences => Some(counts.control_dependences as f64),
            Self::Phis => Some(counts.phis as f64),
            Self::FrontiersPerStatement => ratio(counts.frontiers, counts.statements),
            Self::ControlDependencesPerStatement => ratio(counts.control_dependences, counts.statements),
            Self::PhisPerStatement => ratio(counts.phis, counts.statements),
            Self::AverageFrontier => ratio(counts.polls, counts.all_assignments()),
            Self::AssignmentExpansion => ratio(counts.all_assignments(), counts.assignments),
            Self::MentionExpansion => ratio(counts.all_mentions(), counts.mentions),
        }
    }

    /// What is usual in functions with these counts; none where none has such a figure.
    ///
    /// The correlation is that with the statements.
    pub fn summary<'c>(self, counts: impl IntoIterator<Item = &'c Measurements>) -> Option<Summary> {
        let point = |counts: &Measurements| Some((counts.statements as f64, self.of(counts)?));
        let points: Vec<(f64, f64)> = counts.into_iter().filter_map(point).collect();
        Summary::of(&points)
    }
}

impl FromStr for Measure {
    type Err = UnknownName;

    /// The measure of that [name](Self::name).
    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let found = Self::ALL.iter().copied().find(|measure| measure.name() == name);
        found.ok_or_else(|| UnknownName::new("measure", name, Self::ALL.iter().map(|measure| measure.name())))
    }
}

#[cfg(test)]
mod tests {
    use super::{Measure, Measurements};

    #[test]
    fn ratios_to_nothing_are_none() {
        let nothing = Measurements::default();
        for &measure in Measure::ALL {
            assert_eq!(measure.of(&nothing), (!measure.is_ratio()).then_some(0.0), "{}", measure.name());
        }
        assert_eq!(Measure::AverageFrontier.summary([&nothing]), None);
    }
}
