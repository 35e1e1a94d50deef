//! Large programs need no stack, and their text does not nest more than they do.

use super::written;
use ssaphire_js::source::SourceKind;

/// The deepest nesting of braces.
fn depth(text: &str) -> usize {
    let mut depth = 0usize;
    text.chars().fold(0, |most, c| {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        most.max(depth)
    })
}

#[test]
fn statements_in_a_row_do_not_nest() {
    let statements = [
        "if (a.x) a.y();\n",
        "if (a.x) return a;\n",
        "if (a.x) { a.y(); } else { a.z(); }\n",
        "for (const x of a) x();\n",
        "try { a(); } catch { a.b(); }\n",
        "a = a.x ? a.y : a.z;\n",
        "while (a.x()) { a.y(); }\n",
        "switch (a.x) { case 1: a(); break; case 2: a.b(); }\n",
        "var [x, y] = a;\n",
    ];
    for statement in statements {
        let source = format!("function f(a) {{\n{}}}\n", statement.repeat(500));
        let text = written(&source, SourceKind::SCRIPT);
        assert!(depth(&text) < 12, "{statement}: {} deep", depth(&text));
    }
}

#[test]
fn else_if_may_go_on_for_ever() {
    let chain: String = (0..3000).map(|n| format!("if (a === {n}) {{ return b({n}); }} else ")).collect();
    let text = written(&format!("function f(a, b) {{ {chain} return 0; }}"), SourceKind::SCRIPT);
    assert!(depth(&text) < 5, "{} deep", depth(&text));
}

#[test]
fn deep_expressions_are_cut() {
    let sum = "a + ".repeat(5000);
    let text = written(&format!("function f(a) {{ return {sum}a; }}"), SourceKind::SCRIPT);
    assert!(text.lines().all(|line| line.len() < 1000));
}

#[test]
fn deep_blocks_need_no_stack() {
    let (open, close) = ("while (a()) { if (a) {\n".repeat(3000), "} }".repeat(3000));
    let text = written(&format!("function f(a) {{ {open} a(); {close} }}"), SourceKind::SCRIPT);
    assert!(depth(&text) >= 3000);
}
