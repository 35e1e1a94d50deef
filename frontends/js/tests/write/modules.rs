//! Modules: what they import and export.

use super::written;
use ssaphire_ir::passes::{Pass, PassOptions};
use ssaphire_js::source::{SourceKind, with_parsed};
use ssaphire_js::write::{WriteOptions, write};

#[test]
fn a_module_exports_what_it_did() {
    let source = "\
import a, { b as c } from \"x\";
export let d = a + c;
export function e() {
  d++;
}
export default class {}
export * from \"y\";
";
    let text = written(source, SourceKind::MODULE);
    let expected = "\
import a, { b as c } from \"x\";
export * from \"y\";
export let d = a + c;
export function e() {
  d++;
}
export default class {}
";
    assert_eq!(text, expected, "{text}");
}

#[test]
fn exports_stand_where_they_are_declared() {
    let modules = [
        "export default function () {\n  return 1;\n}\n",
        "export default function main() {\n  return 1;\n}\nmain.x = 2;\n",
        "export default class A extends B {}\nnew A();\n",
        "export default () => 5;\n",
        "export default { a: 1, b: c };\n",
        "export default a({ b: 1 });\n",
        "export default (function a() {\n  a();\n});\n",
        "export default (function () {}).name;\n",
        "export const { a, b: [c = 2, ...d] } = e();\n",
        "export let a;\nexport function set(b) {\n  a = b;\n}\n",
        "export var a = f();\nexport async function* g() {\n  yield a++;\n}\n",
        "export class A {}\nexport { A as B, A as default };\n",
        "const a = f();\nexport { a as \"b c\" };\n",
        "export function f(b) {\n  const a = g(b, b);\n  return h(a, a);\n}\nexport const a = f();\n",
        "function a() {}\nexport { a as b };\n",
    ];
    for source in modules {
        let text = written(source, SourceKind::MODULE);
        assert_eq!(text, source, "{text}");
    }
    // Of several names, a declaration has one.
    let source = "const a = f(); export { a as b, a, a as c };";
    let expected = "export const a = f();\nexport { a as b, a as c };\n";
    assert_eq!(written(source, SourceKind::MODULE), expected);
}

#[test]
fn an_enumeration_in_a_module_needs_no_helper() {
    let source = "export const z = 1;\nenum E { A, B = 5 }\nexport class P { m() { return E.A; } }\n";
    let expected = "\
export const z = 1;
var E = (function (E) {
  E[\"A\"] = 0;
  E[0] = \"A\";
  E[\"B\"] = 5;
  E[5] = \"B\";
  return E;
})(E || {});
export class P {
  m() {
    return E.A;
  }
}
";
    let kind = SourceKind::from_extension("ts").expect("a language");
    let text = written(source, kind);
    assert_eq!(text, expected, "{text}");
}

#[test]
fn a_module_requests_what_it_did() {
    let source = "\
import 'a';
import {} from 'b' with { type: 'json', \"x-y\": \"\\ud800\" };
import c, * as d from 'c';
import { default as e, 'f g' as f, g } from 'd';
export * from 'g';
export * as j from 'h' assert { type: 'json' };
export * as 'k l' from 'i';
export { m, default, n as default_, o as 'p q', 'r s' } from 'j';
export {} from 'k';
export { c as 't', g, g as u };
f(d, e, g);
";
    let expected = "\
import \"a\";
import \"b\" with { type: \"json\", \"x-y\": \"\\ud800\" };
import c, * as d from \"c\";
import e, { \"f g\" as f, g } from \"d\";
export * from \"g\";
export * as j from \"h\" assert { type: \"json\" };
export * as \"k l\" from \"i\";
export { m, default, n as default_, o as \"p q\", \"r s\" } from \"j\";
export {} from \"k\";
f(d, e, g);
export { c as t, g, g as u };
";
    let text = written(source, SourceKind::MODULE);
    assert_eq!(text, expected, "{text}");
    assert_eq!(written(&text, SourceKind::MODULE), text);
}

#[test]
fn a_default_export_that_something_else_reads_has_a_name() {
    let source = "export default import.meta;\nexport const a = f(import.meta);\n";
    let text = with_parsed(source, SourceKind::MODULE, |parsed| {
        let mut program = ssaphire_js::lower(&parsed).expect("a program");
        for function in &mut program.functions {
            Pass::ValueNumbering
                .run(&mut function.body, PassOptions::default())
                .expect("a graph that keeps its contract");
        }
        write(&program, source, &WriteOptions::default()).expect("a program that can be written").text
    });
    let expected = "\
const _default_ = import.meta;
export const a = f(_default_);
export { _default_ as default };
";
    assert_eq!(text.expect("a module"), expected);
}
