//! What may be longer than the limits: tables, opcode matches, and traits with their documentation.

/// A file or function that may be long.
pub(crate) struct Exemption {
    /// The file.
    pub(crate) path: &'static str,
    /// The function, or `None` for the file as a whole.
    pub(crate) function: Option<&'static str>,
    /// Why it is better in one piece.
    pub(crate) reason: &'static str,
}

/// All exemptions; one that is no longer needed is a finding.
pub(crate) const EXEMPTIONS: &[Exemption] = &[];
