//! Unknown names.

use std::fmt;

/// A name that does not exist among those of its kind.
///
/// # Examples
/// ```
/// use ssaphire_ir::analysis::Analysis;
///
/// assert_eq!("liveness".parse(), Ok(Analysis::Liveness));
/// let error = "live".parse::<Analysis>().unwrap_err();
/// let words = "\"live\": unknown analysis; choose one of domtree, frontiers, control-deps, liveness, defuse";
/// assert_eq!((error.given.as_str(), error.to_string().as_str()), ("live", words));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownName {
    /// The kind of the name, in one word.
    pub kind: &'static str,
    /// The name.
    pub given: String,
    /// The existing names, in order; empty if they are too many to list.
    pub known: Vec<&'static str>,
}

impl UnknownName {
    /// The error of `given`, where `known` are the names of that kind.
    pub fn new(kind: &'static str, given: &str, known: impl IntoIterator<Item = &'static str>) -> Self {
        Self { kind, given: given.to_owned(), known: known.into_iter().collect() }
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, given, known } = self;
        write!(f, "{given:?}: unknown {kind}")?;
        if known.is_empty() { Ok(()) } else { write!(f, "; choose one of {}", known.join(", ")) }
    }
}

impl std::error::Error for UnknownName {}
