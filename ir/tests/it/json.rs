//! The JSON of a function as a reader of it sees it.

use ssaphire_ir::memory::{Memory, to_memory};
use ssaphire_ir::text::parse;
use ssaphire_ir::{Basic, Function, Syntax, json};

const CALL: &str = "\
func f(%n.0) {
top:
  %a.0, x, z = call 'g \"h\"'(%n.0, -9223372036854775808) modifies x, maybe z
  %b.0 = %a.0
  return %b.0, x, z
}
";

#[test]
fn immediates_and_constants_are_fields() {
    let function: Function<Basic> = parse(CALL).expect("a function");
    let json: serde_json::Value = serde_json::from_str(&json::to_string(&function)).expect("it is JSON");
    let call = &json["blocks"][0]["insts"][0];
    assert_eq!(call["op"], "call");
    let immediates = serde_json::json!({ "callee": "g \"h\"", "modifies": 1, "maybe": 1, "uses": 0 });
    assert_eq!(call["immediates"], immediates);
    assert_eq!(json["values"][1]["constant"], serde_json::json!({ "value": i64::MIN }));
    assert_eq!(json["blocks"][0]["insts"][1]["op"], serde_json::Value::Null, "a copy");
}

#[test]
fn a_memory_form_is_named_for_what_it_is_made_of() {
    assert_eq!((Memory::<Basic>::NAME, Memory::<Memory<Basic>>::NAME), ("memory.basic", "memory.memory.basic"));
    let function = to_memory(&parse::<Basic>(CALL).expect("a function"));
    let json: serde_json::Value = serde_json::from_str(&json::to_string(&function)).expect("it is JSON");
    assert_eq!(json["dialect"], "memory.basic");
    let first = &json["blocks"][0]["insts"][0];
    assert_eq!((&first["op"], &first["immediates"]), (&"slot".into(), &serde_json::json!({ "type": null })));
}

#[test]
fn the_page_shows_what_is_written() {
    let page = include_str!("../../../docs/function-json.md");
    let block = |language: &str| {
        let (_, rest) = page.split_once(&format!("```{language}\n")).expect("the page has such a block");
        rest.split_once("```").expect("the block ends").0
    };
    let function: Function<Basic> = parse(block("text")).unwrap_or_else(|errors| panic!("{errors}"));
    let shown: serde_json::Value = serde_json::from_str(block("json")).expect("it is JSON");
    let written: serde_json::Value = serde_json::from_str(&json::to_string(&function)).expect("it is JSON");
    assert_eq!(shown, written);
}
