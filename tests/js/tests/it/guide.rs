//! The functions in the guide are what the program makes of them.

use ssaphire_js::source::SourceKind;
use ssaphire_js_tests::{USUAL, keeping};
use std::path::Path;

#[test]
fn functions_become_what_the_guide_says() {
    let guide = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/javascript.md"))
        .expect("the guide");
    let (_, section) = guide.split_once("### Ten functions").expect("a section with functions");
    let section = section.split("\n## ").next().unwrap_or_default();
    let mut parts = section.split("```js\n").skip(1).map(|part| part.split_once("```").expect("a block that ends"));
    let mut count = 0;
    while let Some((source, then)) = parts.next() {
        let becomes = then.trim() == "becomes";
        assert!(becomes || then.trim().starts_with("stays"), "{then}");
        let expected = if becomes { parts.next().expect("what it becomes").0 } else { source };
        assert_eq!(keeping(source, SourceKind::MODULE, USUAL).as_deref(), Ok(expected));
        count += 1;
    }
    assert_eq!(count, 10);
}
