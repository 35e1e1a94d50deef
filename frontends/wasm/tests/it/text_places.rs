//! From offsets of a module back to its text.

use ssaphire_wasm::{Error, Located, TextMap, load};
use wasmparser::{Parser, Payload};

/// One of everything that has a section, with imports and exports written in place.
const ALL: &str = "\
(module
  (type $pair (func (param i32 i32) (result i32)))
  (rec (type $a (struct)) (type $b (struct (field (ref $a)))))
  (import \"env\" \"g\" (func $g (param f64)))
  (memory (export \"memory\") 1)
  (table $t 4 funcref)
  (tag $stop (param i64))
  (global $depth (export \"depth\") (mut i32) (i32.const 7))
  (func $max (export \"max\") (type $pair)
    (if (result i32) (i32.gt_s (local.get 0) (local.get 1))
      (then (local.get 0))
      (else local.get 1)))
  (func (export \"again\") (param i64)
    block $out
      local.get 0
      i64.eqz
      br_if $out
    end)
  (start $begin)
  (func $begin (call $g (f64.const 1)))
  (elem (i32.const 1) $max)
  (data (i32.const 8) \"text\"))
";

/// The words of the text at each place, for all offsets of the module, repeated ones once.
fn words(text: &str) -> Vec<String> {
    let module = load(text).unwrap();
    let map = TextMap::new(text).unwrap();
    let (mut words, mut last) = (Vec::new(), None);
    for offset in 0..module.bytes().len() as u64 {
        let Some(Located { place, function }) = map.locate(module.bytes(), offset) else { continue };
        assert_eq!(text.lines().nth(place.line - 1), Some(place.source.as_str()));
        let rest = &place.source[place.column - 1..];
        let word = rest.split([' ', ')']).next().unwrap();
        let function = function.map_or_else(String::new, |(index, name)| format!(" in {index} {name}"));
        if last.as_ref() != Some(&place) {
            words.push(format!("{}:{word}{function}", place.line));
        }
        last = Some(place);
    }
    words
}

#[test]
fn every_part_of_a_module_has_its_place() {
    let words = words(ALL);
    let sections: Vec<&str> = words.iter().map(String::as_str).filter(|word| !word.contains(" in ")).collect();
    assert_eq!(
        sections,
        [
            // Types; those of functions are nowhere, so at the beginning.
            "2:type",
            "3:rec",
            "1:(module",
            "4:import",
            "9:func",
            "13:func",
            "20:func",
            "6:table",
            "5:memory",
            "7:tag",
            "8:global",
            // Exports stand where what they export does.
            "5:memory",
            "8:global",
            "9:func",
            "13:func",
            "19:$begin",
            "21:elem",
            "22:data",
        ]
    );
    let max: Vec<&str> = words.iter().filter_map(|word| word.strip_suffix(" in 1 max")).collect();
    assert_eq!(
        max,
        [
            "9:func",
            "10:local.get",
            "10:local.get",
            "10:i32.gt_s",
            "10:if",
            "11:local.get",
            "12:else",
            "12:local.get",
            "12:",
            "9:func",
        ]
    );
    let again: Vec<&str> = words.iter().filter_map(|word| word.strip_suffix(" in 2 again")).collect();
    assert_eq!(again, ["13:func", "14:block", "15:local.get", "16:i64.eqz", "17:br_if", "18:end", "13:func"]);
}

/// Each operator of a body leads to an instruction with a place of its own, and all of them are there.
#[test]
fn operators_and_instructions_are_as_many() {
    let module = load(ALL).unwrap();
    let map = TextMap::new(ALL).unwrap();
    for payload in Parser::new(0).parse_all(module.bytes()) {
        let Payload::CodeSectionEntry(body) = payload.unwrap() else { continue };
        let operators = body.get_operators_reader().unwrap().into_iter_with_offsets();
        let offsets: Vec<u64> = operators.map(|operator| operator.unwrap().1).collect();
        let places: Vec<_> = offsets.iter().map(|&offset| map.locate(module.bytes(), offset).unwrap().place).collect();
        let (end, instructions) = places.split_last().unwrap();
        assert!(end.source.contains("(func"), "{end}");
        assert!(instructions.iter().all(|place| !place.source[place.column - 1..].starts_with("func")));
    }
}

#[test]
fn what_is_not_valid_says_where() {
    let text = "(module\n\t(func $f (result i64)\n\t\ti32.const 1))";
    let Err(Error::Invalid { located, .. }) = load(text) else { panic!("an i32 is no i64") };
    assert_eq!(located.function, Some((0, "f".to_owned())));
    let error = load(text).unwrap_err().to_string();
    assert!(error.contains(": function 0 `f`: type mismatch"), "{error}");
    assert!(error.lines().nth(2).unwrap().trim_start_matches([' ', '|', '\t']).starts_with('^'), "{error}");
}

#[test]
fn bytes_in_a_text_keep_their_offsets() {
    let error = load("(module binary \"\\00asm\\01\\00\\00\\00\\ff\\00\")").unwrap_err();
    assert!(matches!(error, Error::Binary { .. }), "{error}");
    assert!(TextMap::new("(module binary \"\")").is_none() && TextMap::new("(component)").is_none());
}

/// Many functions, each located: the text is read once.
#[test]
fn places_of_many_functions_are_found() {
    let functions: String =
        (0..2000).map(|number| format!("  (func $f{number} (drop (i32.const {number})))\n")).collect();
    let text = format!("(module\n{functions})");
    let (module, map) = (load(text.as_str()).unwrap(), TextMap::new(&text).unwrap());
    for index in [0, 1, 999, 1999] {
        let offset = module.body(index).unwrap().range().start + 1;
        let located = map.locate(module.bytes(), offset).unwrap();
        assert_eq!((located.place.line, located.function), (index as usize + 2, Some((index, format!("f{index}")))));
    }
}
