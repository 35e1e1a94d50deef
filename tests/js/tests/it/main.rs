//! The front end beside node, in the short forms of the long commands.

mod coverage;
mod fuzzing;
mod guide;
mod programs;
mod random;
mod stack;
mod suite;
mod wasm32;

use ssaphire_js_tests::node;
use ssaphire_tests::skipped;

/// Whether there is node; if not, the calling test is skipped.
fn has_node() -> bool {
    let has = node::version().is_some();
    if !has {
        skipped("no node");
    }
    has
}
