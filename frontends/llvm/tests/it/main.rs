//! Promotion of texts, comparisons, and texts that are wrong.

mod compare;
mod hostile;
mod hostile_files;
mod lines;
mod mem2reg;
mod miscompiled;
mod mutations;
mod promises;
mod situations;
mod versions;

/// What a text becomes; all of it has to be readable.
fn promoted(text: &str) -> String {
    let mut written = Vec::new();
    let promotion = ssaphire_llvm::promote(text, &mut written).unwrap();
    if let Some((function, reason)) = promotion.skipped.first() {
        panic!("{}: {reason}", function.name);
    }
    String::from_utf8(written).unwrap()
}
