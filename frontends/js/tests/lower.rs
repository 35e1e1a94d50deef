//! Lowering: every construct of the language, judged, by every engine, and printed and parsed again.

use ssaphire::check::Mode;
use ssaphire::{Block, Builder, Certified, Options};
use ssaphire_ir::judge::{Demands, Inspector};
use ssaphire_ir::{Function, text, to_ssa};
use ssaphire_js::dialect::Js;
use ssaphire_js::program::{
    Attributes, AttributesKeyword, Export, ForwardedExport, FunctionKind, Import, ImportBinding, ImportClause,
    ImportPhase, Imported, Local, MemoryReason, Program,
};
use ssaphire_js::source::{SourceErrors, SourceKind, with_parsed};
use ssaphire_js::{lower, lower_to_variables, lower_with};
use ssaphire_literature::{AnyBuilder, Engine};
use std::fs;
use std::path::Path;

/// The programs of `tests/programs`: name, text, kind.
fn programs() -> Vec<(String, String, SourceKind)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let read = |path: &Path| {
        let kind = SourceKind::from_extension(path.extension().unwrap().to_str().unwrap()).unwrap();
        (path.display().to_string(), fs::read_to_string(path).unwrap(), kind)
    };
    paths.iter().map(|path| read(path)).collect()
}

fn lowered(source: &str, kind: SourceKind) -> Program {
    with_parsed(source, kind, |parsed| lower(&parsed)).unwrap().unwrap()
}

fn script(source: &str) -> Program {
    lowered(source, SourceKind::SCRIPT)
}

/// The text of the function at that place.
fn function(program: &Program, index: usize) -> String {
    program.functions[index].body.to_string()
}

#[test]
fn programs_are_judged() {
    let mut num_functions = 0;
    for (name, source, kind) in programs() {
        let options = Options::default();
        let demands = Demands::of(Mode::Exact, &options);
        with_parsed(&source, kind, |parsed| {
            let mut inspector = Inspector::default();
            let mut ssa = Certified::<Builder>::with_options(options);
            lower_with(&parsed, &mut ssa, |function, ssa| {
                let refusals = inspector.judge(&function.body, ssa, demands).refusals;
                assert_eq!(refusals, [], "{name}: {}", function.body);
                num_functions += 1;
            })
            .unwrap();
        })
        .unwrap_or_else(|errors| panic!("{name}: {errors}"));
    }
    assert!(num_functions > 80, "{num_functions}");
}

#[test]
fn every_engine_builds_all_phis_that_are_needed() {
    for (name, source, kind) in programs() {
        let count = |function: &Function<Js>| -> usize {
            function.blocks().map(|block| function.block(block).phis().len()).sum()
        };
        let expected: Vec<usize> = lowered(&source, kind).functions.iter().map(|one| count(&one.body)).collect();
        for &engine in Engine::ALL {
            let counts = with_parsed(&source, kind, |parsed| {
                let mut inspector = Inspector::default();
                let mut ssa = Certified::with_builder(AnyBuilder::new(engine));
                let mut counts = Vec::new();
                lower_with(&parsed, &mut ssa, |function, ssa| {
                    assert_eq!(inspector.judge_soundness(ssa), [], "{name}: {engine}: {}", function.body);
                    assert_eq!(inspector.broken_rules(&function.body), [], "{name}: {engine}");
                    counts.push(count(&function.body));
                })
                .unwrap();
                counts
            });
            let counts = counts.unwrap();
            // Constructors that place more than they need are told apart by the judge, not here.
            assert!(counts.iter().zip(&expected).all(|(found, least)| found >= least), "{name}: {engine}");
        }
    }
}

#[test]
fn the_variable_form_leads_to_as_many_phis() {
    for (name, source, kind) in programs() {
        let direct = lowered(&source, kind);
        let variables = with_parsed(&source, kind, |parsed| lower_to_variables(&parsed)).unwrap().unwrap();
        let mut ssa = Certified::<Builder>::default();
        for (one, other) in direct.functions.iter().zip(&variables.functions) {
            let other = to_ssa(&other.body, &mut ssa).unwrap();
            let count = |function: &Function<Js>| -> usize {
                function.blocks().map(|block| function.block(block).phis().len()).sum()
            };
            assert_eq!(count(&one.body), count(&other), "{name}: {} {other}", one.body);
        }
    }
}

#[test]
fn what_is_printed_is_parsed_as_the_same_function() {
    for (name, source, kind) in programs() {
        for function in lowered(&source, kind).functions {
            let printed = function.body.to_string();
            let parsed: Function<Js> =
                text::parse(&printed).unwrap_or_else(|error| panic!("{name}: {error}\n{printed}"));
            assert_eq!(parsed, function.body, "{name}");
        }
    }
}

#[test]
fn what_is_no_pattern_is_refused() {
    let parse = |parts: &str, results: &str, args: &str| {
        let source =
            format!("func f(%x.0) {{\nblock0:\n  {results} = destructure [ {parts} ] {args}\n  return 0\n}}\n");
        text::parse::<Js>(&source).map_err(|error| error.to_string())
    };
    for (parts, results, args) in [
        ("array value hole default value rest value end", "%a.0, %b.0, %c.0", "%x.0, 1"),
        ("array rest array value end end", "%a.0", "%x.0"),
        (r#"object property "k" default object property "l" value end rest member "m" end"#, "%a.0", "%x.0, 1, %x.0"),
        (r#"array value index member "k" end"#, "%a.0", "%x.0, %x.0, 1, %x.0"),
    ] {
        let function = parse(parts, results, args).unwrap();
        assert!(function.to_string().contains(&format!("destructure [ {parts} ]")), "{function}");
    }
    for parts in [
        "",
        "value",
        "array value",
        "array value end value",
        "array value end array value end",
        "array rest value value end",
        "array rest default value end",
        "array default hole end",
        "array default default value end",
        "array rest end",
        r#"array property "k" value end"#,
        "object value end",
        "object default value end",
        r#"object property "k" end"#,
        "object rest array value end end",
        "array values end",
    ] {
        let error = parse(parts, "%a.0", "%x.0").unwrap_err();
        assert!(error.contains("pattern"), "{parts}: {error}");
    }
}

#[test]
fn a_handler_sees_variables_as_they_were_before_the_operation() {
    let program = script("function f(g) { let x = 1; try { x = g(); x = g(); } catch { return x; } }");
    let text = function(&program, 1);
    assert!(text.contains("= phi 1, %x.0\n"), "{text}");
}

#[test]
fn each_iteration_has_a_cell_of_its_own() {
    let text = function(&script("function f(a) { for (let i = 0; i < 3; i++) a.push(() => i); }"), 1);
    let header = text.split("<- ").nth(1).unwrap();
    assert!(header.contains("new_cell \"i\""), "{text}");
    assert!(!text.contains("cell.0 = phi") && !text.contains("cell.1 = phi"), "{text}");
}

#[test]
fn dead_zones_are_checked_only_where_they_may_be_entered() {
    let checks = |source: &str| {
        let program = script(source);
        let texts = program.functions.iter().map(|function| function.body.to_string());
        texts.map(|text| text.matches("check").count()).sum::<usize>()
    };
    assert_eq!(checks("function f() { const x = 1; return () => x; }"), 0);
    assert_eq!(checks("function f() { const x = 1; for (;;) { x; { x; } } }"), 0);
    assert_eq!(checks("function f() { x; const x = 1; }"), 1);
    assert_eq!(checks("function f() { g(); const x = 1; function g() { return x; } }"), 1);
    assert_eq!(checks("function f(v) { switch (v) { case 1: let x = 1; x; case 2: x; } }"), 1);
}

#[test]
fn what_reaches_variables_by_other_ways_is_said() {
    let reasons = |source: &str| {
        let memory = script(source).functions[1].memory.clone();
        memory.into_iter().map(|memory| memory.reason).collect::<Vec<_>>()
    };
    assert_eq!(reasons("function f(x) { eval('x'); }"), [MemoryReason::Eval]);
    assert_eq!(reasons("function f(x) { with (x) y; }"), [MemoryReason::With]);
    assert_eq!(reasons("function f(x) { x = 1; return arguments; }"), [MemoryReason::Arguments]);
    assert_eq!(reasons("function f() { class C extends g(() => C) {} }"), [MemoryReason::ClassHead]);
    assert_eq!(reasons("function f() { class C { [g(() => C)]() {} } }"), [MemoryReason::ClassHead]);
    assert_eq!(reasons("function f() { class C { [(C, 1)]() {} } }"), [MemoryReason::ClassHead]);
    assert_eq!(reasons("function f() { class C { #x; [y || #x in z]() {} } }"), [MemoryReason::ClassHead]);
    assert_eq!(reasons("function f() { class C { static [g(o => o.#x)] = 1; #x() {} } }"), [MemoryReason::ClassHead]);
    assert_eq!(reasons("function f() { class C { #x; [class { #y; m() { return this.#y; } }]() { this.#x; } } }"), []);
    assert_eq!(reasons("function f(a) { class C extends (a.b = g) {} }"), [MemoryReason::ClassHead]);
    assert_eq!(reasons("function f(a) { class C { [delete a.b]() {} } }"), [MemoryReason::ClassHead]);
    assert_eq!(reasons("function f(a) { 'use strict'; class C { [a.b++]() {} } }"), []);
    assert_eq!(reasons("function f(a) { class C extends g(b => b.c = 1) { [a]() { a.b = 1; } } }"), []);
    assert_eq!(reasons("function f() { class C extends g(() => 1) { [g]() { return () => C; } x = () => C; } }"), []);
    assert_eq!(reasons("function f(x) { return arguments[0]; }"), []);
    assert_eq!(reasons("function f(x) { 'use strict'; x = 1; return arguments; }"), []);
    assert_eq!(reasons("function f(x) { (0, eval)('x'); }"), []);
}

#[test]
fn the_phi_of_zero_and_minus_zero_is_no_constant() {
    let mut body = script("function f(c) { let v; if (c) v = 0; else v = -0; return 1 / v; }").functions.remove(1).body;
    ssaphire_ir::passes::propagate_constants(&mut body).unwrap();
    let text = body.to_string();
    assert!(text.contains("phi 0, -0") && text.contains("div 1, %v"), "{text}");
    let mut same =
        script("function f(c) { let v; if (c) v = -0; else v = -0; return 1 / v; }").functions.remove(1).body;
    ssaphire_ir::passes::propagate_constants(&mut same).unwrap();
    assert!(same.to_string().contains("return -Infinity"), "{same}");
}

#[test]
fn nesting_and_length_take_no_stack_but_the_parsers() {
    let nested = format!("{}f();{}", "{".repeat(100_000), "}".repeat(100_000));
    assert_eq!(script(&nested).functions[0].kind, FunctionKind::Script);
    let sums = format!("x = {}1;", "a + ".repeat(100_000));
    assert_eq!(script(&sums).functions.len(), 1);
    let choices = format!("{}f();", "if (a) b(); else ".repeat(20_000));
    assert!(script(&choices).functions[0].body.num_blocks() > 40_000);
}

#[test]
fn a_million_statements_in_a_row_are_lowered_on_a_small_stack() {
    let source = format!("function f(a, b) {{ {} return a; }}", "a = a + b;\n".repeat(1_000_000));
    let lower = move || script(&source).functions[1].body.block(Block::new(0)).insts().len();
    let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(lower).unwrap();
    assert_eq!(thread.join().unwrap(), 1_000_001);
}

#[test]
fn errors_have_places() {
    let fails = |source: &str| -> SourceErrors { with_parsed(source, SourceKind::SCRIPT, |_| ()).unwrap_err() };
    let errors = fails("let x;\nlet x;\n");
    assert_eq!(&"let x;\nlet x;\n"[errors.0[0].span.range()], "x");
    assert!(!fails("f(").0.is_empty() && !fails("return 1").0.is_empty());
    let lowered = with_parsed("@d class C {}", SourceKind::SCRIPT, |parsed| lower(&parsed).map(|_| ()));
    assert_eq!(lowered.unwrap().unwrap_err().span().start, 0);
    let regexp = with_parsed("/(/;", SourceKind::SCRIPT, |parsed| lower(&parsed).map(|_| ()));
    assert!(regexp.unwrap().unwrap_err().to_string().contains("Invalid regular expression"));
}

#[test]
fn what_the_parser_mistakes_is_right() {
    let place = |source: &str| match with_parsed(source, SourceKind::SCRIPT, |_| ()) {
        Ok(()) => None,
        Err(errors) => Some(source[errors.0[0].span.range()].to_owned()),
    };
    // `in` in functions in the head of a `for`.
    for body in [
        "'x' in a",
        "if ('x' in a && 1 <= 2) a = b <= 3",
        "a = f('x' in a in b); 'y' in a",
        "b => { for (k in a) 'y' in b; }",
    ] {
        assert_eq!(place(&format!("for (f = a => {{ {body} }}, i = 0; i in b; );")), None, "{body}");
    }
    assert!(place("for (f = a => { 'x' in a }, i = 'x' in b; ; );").is_some());
    assert!(place("for (f = a => 'x' in a; ; );").is_some());
    assert_eq!(place("for (f = a => { if ('x' in a) b }, i = 3 4; ; );"), Some("4".into()));
    assert_eq!(place("for (f = a => { if ('x' in in a) b }; ; );"), Some("in".into()));
    assert!(place("for (f = a => { 'x' int a }; ; );").is_some());
    let many = |count| format!("for (f = a => {{ {} }}; ; );", "'x' in a;".repeat(count));
    assert!(place(&many(32)).is_none() && place(&many(33)).is_some());
    // `arguments` beside the targets of strict code.
    let strict = |body: &str| place(&format!("'use strict'; function f() {{ {body} }}"));
    for body in
        ["[a[arguments[0]]] = b", "({ a = arguments, [eval]: arguments.b } = c)", "[...a[arguments.length++]] = b"]
    {
        assert_eq!(strict(body), None, "{body}");
    }
    for body in
        ["[arguments] = b", "({ arguments = 1 } = c)", "[...arguments] = b", "[a = arguments++] = b", "arguments += 1"]
    {
        assert_eq!(strict(body), Some("arguments".into()), "{body}");
    }
    assert_eq!(strict("[a, { b: [eval] }] = c"), Some("eval".into()));
}

#[test]
fn imports_and_exports_are_data() {
    let source = "\
import a, { b as c, 'd e' as f, type T } from 'x' with { type: 'json' };
import type { U } from 'y';
export { default as g, type V } from 'z';
export * from 'z';
export { c as h };
export let i = a + f;
export type W = T | U;
";
    let top = lowered(source, SourceKind::from_extension("ts").unwrap()).top;
    let bind = |imported, local: &str| ImportBinding { imported, local: local.into() };
    // The erasure of types removes imports that no value uses, and knows `b`, `d e` and the default as values.
    let bindings = vec![
        bind(Imported::Default, "a"),
        bind(Imported::Name("b".into()), "c"),
        bind(Imported::Name("d e".into()), "f"),
    ];
    let attributes = Attributes { keyword: AttributesKeyword::With, entries: vec![("type".into(), "json".into())] };
    let forwarded = ForwardedExport { imported: Imported::Default, exported: "g".into() };
    let import = |module: &str, attributes, clause| Import { module: module.into(), attributes, clause };
    let expected = [
        import("x", Some(attributes), ImportClause::Bind { phase: ImportPhase::Evaluation, bindings }),
        import("z", None, ImportClause::Export(vec![forwarded])),
        import("z", None, ImportClause::ExportAll),
    ];
    assert_eq!(top.imports, expected);
    let [h, i] = &top.exports[..] else { panic!("{:?}", top.exports) };
    assert_eq!(*h, Export { local: Local::Import("c".into()), exported: "h".into() });
    assert!(matches!(i.local, Local::Cell(_)) && i.exported == "i".into(), "{i:?}");
}

#[test]
fn what_finally_holds_is_looked_for_nowhere_else() {
    for depth in [10, 40] {
        let tries = "try { if (a.x()) return 1; if (a.y()) break; ".repeat(depth);
        let ends = "} finally { a.z(); } ".repeat(depth);
        let program = script(&format!("function f(a) {{ for (;;) {{ {tries} a.w(); {ends} }} }}"));
        let body = &program.functions[1].body;
        let num_phis: usize = body.blocks().map(|block| body.block(block).phis().len()).sum();
        assert_eq!(num_phis, 2 * depth);
    }
}
