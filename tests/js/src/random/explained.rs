//! Programs that differ without a mistake of the round trip.

/// The seeds up to 10,000 of programs that differ, and why each may.
const EXPLAINED: &[(u64, &str)] = &[
    (
        3394,
        "the parser takes an object in the default of a target for a target, and `arguments` in it for an assignment",
    ),
    (
        3609,
        "what an asynchronous generator returns through `finally` is awaited before it, and `return` awaits it again",
    ),
    (4807, "V8 evaluates the object of a first target before it looks whether there is anything to destructure"),
];

/// Why the program of a seed may differ, if that is known.
pub fn explanation(seed: u64) -> Option<&'static str> {
    EXPLAINED.iter().find(|&&(explained, _)| explained == seed).map(|&(_, why)| why)
}
