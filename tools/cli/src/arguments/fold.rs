//! What `--fold` says.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use ssaphire::fold::FoldOptions;

/// A word of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fold {
    None,
    All,
    Constants,
    Identities,
    Common,
    Copies,
    Branches,
    Late,
}

const WORDS: &[(&str, Fold)] = &[
    ("none", Fold::None),
    ("all", Fold::All),
    ("constants", Fold::Constants),
    ("identities", Fold::Identities),
    ("common", Fold::Common),
    ("copies", Fold::Copies),
    ("branches", Fold::Branches),
    ("late", Fold::Late),
];

pub(super) fn fold() -> impl TypedValueParser<Value = Fold> {
    PossibleValuesParser::new(WORDS.iter().map(|(word, _)| PossibleValue::new(*word))).map(|word| {
        let found = WORDS.iter().find(|(other, _)| *other == word);
        found.map_or(Fold::None, |&(_, fold)| fold)
    })
}

/// What is folded, if anything is.
pub(super) fn fold_options(words: &[Fold]) -> Option<FoldOptions> {
    let mut options = FoldOptions::NONE;
    for word in words {
        match word {
            Fold::None => {}
            Fold::All => options = FoldOptions::ALL,
            Fold::Constants => options.constants = true,
            Fold::Identities => options.identities = true,
            Fold::Common => options.common = true,
            Fold::Copies => options.copies = true,
            Fold::Branches => options.branches = true,
            Fold::Late => options.late = true,
        }
    }
    (options != FoldOptions::NONE).then_some(options)
}
