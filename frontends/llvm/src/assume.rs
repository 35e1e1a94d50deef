//! Calls of `llvm.assume` that mention slots in operand bundles: `[ "align"(ptr %s, i64 16) ]`.
//!
//! Such a use keeps no slot in memory. When the slot is promoted, LLVM gives the bundle the tag `ignore`, and an undefined operand
//! (`Value::dropDroppableUse`).

use crate::template::{Piece, pieces, push_text};

/// The template of an assumption without the operands at the places that are dropped; `filler` stands for each of them.
pub(crate) fn without_operands(template: &str, is_dropped: impl Fn(usize) -> bool, filler: &str) -> String {
    let mut text = String::with_capacity(template.len());
    let mut place = 0;
    for piece in pieces(template) {
        match piece {
            Piece::Text(part) => push_text(part, &mut text),
            Piece::Target => text.push_str("{b}"),
            Piece::Arg => {
                match is_dropped(place) {
                    true => {
                        ignore_bundle(&mut text);
                        text.push_str(filler);
                    }
                    false => text.push_str("{}"),
                }
                place += 1;
            }
        }
    }
    text
}

/// Changes the tag of the bundle that is open at the end of a text.
fn ignore_bundle(text: &mut String) {
    let Some(end) = text.rfind("\"(") else { return };
    let Some(start) = text[..end].rfind('"') else { return };
    text.replace_range(start..=end, "\"ignore\"");
}

#[cfg(test)]
mod tests {
    use super::without_operands;

    #[test]
    fn bundles_of_dropped_operands_are_ignored() {
        let template = "call void @llvm.assume(i1 {}) [ \"align\"(ptr {}, i64 16), \"nonnull\"(ptr {}) ]";
        let expected = "call void @llvm.assume(i1 {}) [ \"ignore\"(ptr poison, i64 16), \"nonnull\"(ptr {}) ]";
        assert_eq!(without_operands(template, |place| place == 1, "poison"), expected);
    }
}
