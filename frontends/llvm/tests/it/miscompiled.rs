//! Historical mistakes of promotions, in functions of our own: each is refused, with its place in both files and a path.

use ssaphire_llvm::{Module, judge_promotion};
use std::fmt::Write;

/// A function before a promotion that is wrong and after it; the first line before says what the mistake is.
struct Pair {
    name: &'static str,
    before: &'static str,
    after: &'static str,
}

macro_rules! pairs {
    ($($name:literal),* $(,)?) => {
        &[$(Pair {
            name: $name,
            before: include_str!(concat!("../files/miscompiled/before/", $name, ".ll")),
            after: include_str!(concat!("../files/miscompiled/after/", $name, ".ll")),
        }),*]
    };
}

const PAIRS: &[Pair] = pairs![
    "address-given-to-a-call",
    "assumption-without-noundef",
    "atomic-order",
    "cast-to-another-address-space",
    "constant-that-traps",
    "flags-on-a-new-phi",
    "laundered-address",
    "load-before-the-store-of-its-block",
    "load-of-a-smaller-type",
    "missing-phi",
    "phi-of-another-iteration",
    "phi-of-poison-and-undefined",
    "poison-where-nothing-was-stored",
    "repeated-edges",
    "slot-gone-but-used",
    "slots-that-share-memory",
    "store-after-a-call-that-unwinds",
    "store-of-an-unreachable-block",
    "store-through-a-loaded-address",
    "swap",
    "unreachable-where-a-value-is-defined",
    "volatile-access",
];

/// The line at an offset, with its number.
fn line_at(text: &str, offset: usize) -> String {
    let start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    let line = text[start..].lines().next().unwrap();
    format!("{}: {}", text[..offset].matches('\n').count() + 1, line.trim())
}

#[test]
fn historical_mistakes_are_refused_with_places_and_paths() {
    let mut refusals = String::new();
    for &Pair { name, before, after } in PAIRS {
        assert!(before.starts_with("; "), "{name}: the first line says what the mistake is");
        let mut judged = judge_promotion(&Module::new(before), &Module::new(after), 1);
        let refusal = judged.remove(0).result.expect_err(name);
        assert!(judged.is_empty() && !refusal.path.is_empty(), "{name}: {judged:?}");
        let [at_before, at_after] = [(before, refusal.before), (after, refusal.after)]
            .map(|(text, offset)| line_at(text, offset.expect("a place")));
        writeln!(refusals, "{name}: {}", refusal.reason).unwrap();
        writeln!(refusals, "  before, line {at_before}\n  after, line {at_after}").unwrap();
        writeln!(refusals, "  path: {}\n", refusal.path.join(", ")).unwrap();
    }
    assert_eq!(refusals, include_str!("../files/miscompiled/refusals.txt"), "{refusals}");
}
