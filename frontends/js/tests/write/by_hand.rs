//! Programs that no source comes to.

use super::without_helpers;
use ssaphire_ir::text;
use ssaphire_js::dialect::Js;
use ssaphire_js::program::{
    ForwardedExport, FunctionKind, Head, Import, ImportBinding, ImportClause, ImportPhase, Imported, JsFunction,
    Params, Program, Top,
};
use ssaphire_js::source::Span;
use ssaphire_js::write::{Unwritable, WriteOptions, write};

/// A script with this function in SSA form, called `f`.
fn program(function: &str) -> Program {
    let describe = |body: &str, kind, parent| JsFunction {
        body: text::parse::<Js>(body).expect("a function"),
        kind,
        is_async: false,
        is_generator: false,
        is_strict: false,
        name: Some("f".into()),
        self_name: None,
        params: Params { length: 1, has_rest: false, are_simple: true },
        captures: Vec::new(),
        parent,
        span: Span::NOWHERE,
        head: Head::default(),
        memory: Vec::new(),
        is_declaration: false,
        is_concise: false,
        names_value: false,
        is_verbatim: false,
    };
    let top = "func top() {\nblock0:\n  %0 = closure 1\n  set_name \"f\" %0\n  return undefined\n}\n";
    let id = ssaphire_js::program::FunctionId::TOP;
    let functions =
        vec![describe(top, FunctionKind::Script, None), describe(function, FunctionKind::Function, Some(id))];
    Program {
        functions,
        classes: Vec::new(),
        top: Top::default(),
        free: Vec::new(),
        comments: Vec::new(),
        has_erased_types: false,
    }
}

#[test]
fn a_cycle_with_two_ways_in_dispatches() {
    let function = "\
func f(%a.0) {
block0:
  branch %a.0 to block1, block2
block1: <- block0, block2
  %1 = call %a.0, 1
  jump to block2
block2: <- block0, block1
  %2 = call %a.0, 2
  branch %2 to block1, block3
block3:
  return undefined
}
";
    let text = write(&program(function), "", &WriteOptions::default()).expect("text").text;
    assert!(text.contains("switch (next)"), "{text}");
}

#[test]
fn what_waits_is_computed_before_what_it_must_precede() {
    let function = "\
func f(%a.0) {
block0:
  %1 = get \"x\" %a.0
  %2 = get \"y\" %a.0
  %3 = sub %2, %1
  return %3
}
";
    let text = without_helpers(&write(&program(function), "", &WriteOptions::default()).expect("text").text);
    assert!(text.contains("const t = a.x;"), "{text}");
    assert!(text.contains("return a.y - t;"), "{text}");
}

#[test]
fn a_closure_that_captures_no_cell_is_refused() {
    let function = "\
func f(%a.0) {
block0:
  %1 = closure 1 7
  return %1
}
";
    let error = write(&program(function), "", &WriteOptions::default()).expect_err("no cell");
    assert_eq!(error.what, Unwritable::Capture);
}

#[test]
fn a_clause_without_a_syntax_of_its_own_becomes_several_declarations() {
    let clauses = [
        ImportClause::Bind {
            phase: ImportPhase::Evaluation,
            bindings: ["a", "b"]
                .map(|local| ImportBinding { imported: Imported::Namespace, local: local.into() })
                .into(),
        },
        ImportClause::Bind {
            phase: ImportPhase::Evaluation,
            bindings: [("c", Imported::Name("d".into())), ("e", Imported::Default), ("k", Imported::Default)]
                .into_iter()
                .chain([("g", Imported::Namespace)])
                .map(|(local, imported)| ImportBinding { imported, local: local.into() })
                .collect(),
        },
        ImportClause::Export(
            [("h", Imported::Default), ("i", Imported::Namespace)]
                .map(|(exported, imported)| ForwardedExport { imported, exported: exported.into() })
                .into(),
        ),
    ];
    let mut program = program("func f(%a.0) {\nblock0:\n  return undefined\n}\n");
    let import = |clause| Import { module: "m".into(), attributes: None, clause };
    program.top.imports = clauses.map(import).into();
    program.functions[0].kind = FunctionKind::Module;
    program.functions.iter_mut().for_each(|function| function.is_strict = true);
    let text = write(&program, "", &WriteOptions::default()).expect("text").text;
    let declarations: Vec<&str> = text.lines().filter(|line| line.ends_with("from \"m\";")).collect();
    let expected = [
        "import * as a from \"m\";",
        "import * as b from \"m\";",
        "import e, * as g from \"m\";",
        "import { d as c, default as k } from \"m\";",
        "export * as i from \"m\";",
        "export { default as h } from \"m\";",
    ];
    assert_eq!(declarations, expected, "{text}");
}
