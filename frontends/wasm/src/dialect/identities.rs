//! The algebraic identities of the numeric operators.
//!
//! Floats have few: the payload of a NaN may change in an operation.

use std::sync::LazyLock;

/// Those of the integers of one width: `I` stands for `i32` or `i64`, and after a number for the suffix of its type.
const INTEGERS: &str = include_str!("integers.txt");
/// Those between types, of floats, and of `select`.
const OTHERS: &str = include_str!("others.txt");

static ALL: LazyLock<String> = LazyLock::new(|| {
    let of_width = |name: &str, suffix: &str| {
        let named = INTEGERS.replace("I.", &format!("{name}."));
        named.replace('I', suffix)
    };
    [of_width("i32", ""), of_width("i64", "_i64"), OTHERS.to_owned()].concat()
});

pub(super) fn all() -> &'static str {
    &ALL
}
