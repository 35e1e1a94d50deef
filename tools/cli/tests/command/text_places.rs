//! Errors in the text format of WebAssembly: line and column, the function, a caret.

use crate::support::Folder;

/// The text of `m.wat` is refused with this message.
#[track_caller]
fn check(name: &str, text: &str, expected: &str) {
    assert_eq!(Folder::with(name, "m.wat", text).refusal("build m.wat"), expected);
}

#[test]
fn an_instruction_that_is_not_valid_is_shown() {
    let text = "(module\n  (func $first)\n  (func $second (param i64) (result i32)\n    (i32.add (i32.const 1) (local.get 0))))\n";
    let expected = "\
error: m.wat:4:6: function 1 `second`: type mismatch: expected i32, found i64
    4 |     (i32.add (i32.const 1) (local.get 0))))
      |      ^
";
    check("places_instruction", text, expected);
}

#[test]
fn the_end_of_a_function_is_shown_as_the_function() {
    let text = "(module (func (export \"f\") (result i32)))";
    let expected = "\
error: m.wat:1:10: function 0 `f`: type mismatch: expected i32 but nothing on stack
    1 | (module (func (export \"f\") (result i32)))
      |          ^
";
    check("places_end", text, expected);
}

#[test]
fn other_fields_are_shown() {
    let text = "(module\n  (global i32 (i32.const 1))\n  (global $wrong i64 (i32.const 1)))";
    let expected = "\
error: m.wat:3:4: type mismatch: expected i64, found i32
    3 |   (global $wrong i64 (i32.const 1)))
      |    ^
";
    check("places_global", text, expected);
}

#[test]
fn a_function_that_cannot_be_built_is_shown() {
    let text =
        "(module\n  (func $f (param $x i32)\n    (loop (local.set $x (local.get $x)) (br_if 0 (local.get $x)))))";
    let folder = Folder::with("places_limit", "m.wat", text);
    for command in ["build", "check", "stats"] {
        let ended = folder.run(&format!("{command} m.wat --work-limit 1"));
        assert_eq!(ended.status, 1, "{command}: {ended:?}");
        assert!(ended.stderr.starts_with("error: m.wat:3:"), "{command}: {}", ended.stderr);
        assert!(
            ended.stderr.contains(": function 0 `f`: ") && ended.stderr.contains("\n    3 |     (loop"),
            "{}",
            ended.stderr
        );
    }
}

#[test]
fn json_has_the_place_and_the_function() {
    let folder = Folder::with("places_json", "m.wat", "(module (func $f (result i32)))");
    let message: serde_json::Value = serde_json::from_str(&folder.refusal("build m.wat --json")).unwrap();
    assert_eq!((&message["line"], &message["column"]), (&1.into(), &10.into()));
    assert_eq!(message["function"], serde_json::json!({ "index": 0, "name": "f" }));
}
