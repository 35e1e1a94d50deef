//! What a fuzzer runs of the JavaScript front end: a target as those of [`ssaphire_tests::fuzzing`].
//!
//! No engine runs the programs here: `tests/js` compares what they do, in node.

use crate::Transformation;
use crate::random::generate_from;
use crate::syntax;
use ssaphire_js::facts::{Facts, Idioms};
use ssaphire_js::source::{SourceKind, with_parsed};
use ssaphire_tests::Choices;
use ssaphire_tests::fuzzing::Target;

/// The targets, by the names they have in `fuzz/`.
pub const TARGETS: [(&str, Target); 2] = [("javascript", check), ("syntax", check_tree)];

/// What is done to each program: nothing, all passes, and folding while it is built; and half of it stays as it is.
const ROUND_TRIPS: [Transformation; 4] = [
    Transformation::RoundTrip { passes: false },
    Transformation::RoundTrip { passes: true },
    Transformation::Folded,
    Transformation::Half { odd: true },
];

/// The most edits of a text.
const EDITS: usize = 4;

/// A program that the bytes describe goes through SSA form, is judged, and comes back as a program that does so, too. A
/// text with mistakes in it is refused, or does the same.
///
/// # Panics
/// If one does not.
pub fn check(bytes: &[u8]) {
    let (edits, rest) = bytes.split_at(bytes.len() / 8);
    let program = generate_from(rest);
    check_program(&program, SourceKind::SCRIPT);
    let kind = |choices: &mut Choices<'_>| choices.pick(&[SourceKind::SCRIPT, SourceKind::MODULE]);
    let mut choices = Choices::new(edits);
    check_text(&damaged(&program, &mut choices), kind(&mut choices));
    check_text(&String::from_utf8_lossy(bytes), kind(&mut choices));
}

/// The syntax tree that the bytes describe, as a script or a module, goes through SSA form, and comes back as a program.
///
/// # Panics
/// If it does not.
pub fn check_tree(bytes: &[u8]) {
    let is_module = bytes.first().is_some_and(|byte| byte % 2 == 1);
    let program = syntax::generate_from(bytes.get(1..).unwrap_or_default(), is_module);
    check_program(&program, if is_module { SourceKind::MODULE } else { SourceKind::SCRIPT });
}

/// A program that is right is accepted, and so is what is written of it.
fn check_program(program: &str, kind: SourceKind) {
    let apply = |transformation: Transformation, source: &str| {
        let applied = transformation.apply(source, kind);
        applied.unwrap_or_else(|error| panic!("{}: {error}\n{source}", transformation.name()))
    };
    apply(Transformation::Judged, program);
    for transformation in ROUND_TRIPS {
        let written = apply(transformation, program);
        apply(Transformation::Judged, &written);
        apply(Transformation::RoundTrip { passes: false }, &written);
    }
    find(program, kind).unwrap_or_else(|error| panic!("{error}\n{program}"));
}

/// Any text is refused with an error, or comes back as one that is not.
fn check_text(text: &str, kind: SourceKind) {
    let Ok(_) = Transformation::Judged.apply(text, kind) else { return };
    find(text, kind).unwrap_or_else(|error| panic!("{error}\n{text}"));
    for transformation in ROUND_TRIPS {
        // What SSA form can say, a program need not be able to.
        let Ok(written) = transformation.apply(text, kind) else { continue };
        let judged = Transformation::Judged.apply(&written, kind);
        judged.unwrap_or_else(|error| panic!("{}: {error}\n{text}\n{written}", transformation.name()));
    }
}

/// The number of doubtful accesses.
fn find(source: &str, kind: SourceKind) -> Result<usize, String> {
    let count =
        with_parsed(source, kind, |parsed| Facts::new(&parsed).map(|facts| facts.findings(Idioms::Reported).len()));
    count.map_err(|errors| errors.to_string())?.map_err(|error| error.to_string())
}

/// The program with pieces of lines left out, doubled, or put elsewhere.
fn damaged(program: &str, choices: &mut Choices<'_>) -> String {
    let mut pieces: Vec<&str> = program.split_inclusive([' ', '(', ')', ';', ',', '.', '\n']).collect();
    for _ in 0..1 + choices.below(EDITS) {
        let (at, other) = (choices.below(pieces.len()), choices.below(pieces.len()));
        match choices.below(3) {
            0 => drop(pieces.remove(at)),
            1 => pieces.insert(at, pieces[other]),
            _ => pieces.swap(at, other),
        }
        if pieces.is_empty() {
            break;
        }
    }
    pieces.concat()
}
