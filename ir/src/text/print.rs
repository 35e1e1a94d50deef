//! Printing.

/// How phis are spelled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PhiStyle {
    /// `%i.1 = phi 0, %i.2`, operands in the order of the incoming edges. The only one that is read back.
    #[default]
    List,
    /// `block1(%i.1):`, and `jump block1(0)` at each edge.
    Params,
    /// `upsilon %i.1 = 0` before the terminator of each edge's source.
    Upsilon,
}

/// How values are called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NameStyle {
    /// `%x.3`, the third version of `x`; `%7` where a value is a version of no variable.
    #[default]
    Source,
    /// `%7`, for value number 7. Read back, but the names of variables are lost.
    Index,
    /// `v7`. Not read back.
    SsaVal,
}
