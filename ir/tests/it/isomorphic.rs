//! Functions that are the same up to numbers, names and the order of edges, and functions that are not.

use ssaphire_ir::{Basic, Function, are_isomorphic, text};

fn parse(source: &str) -> Function<Basic> {
    text::parse(source).unwrap_or_else(|errors| panic!("{source}\n{errors}"))
}

const LOOP: &str = "\
func f(%x.0) {
a:
  jump b
b: <- a, c
  %i.0 = phi 0, %j.0
  %t.0 = lt %i.0, %x.0
  branch %t.0, c, d
c:
  %j.0 = add %i.0, 1
  jump b
d:
  return %i.0
}
";

#[test]
fn numbers_names_and_orders_do_not_count() {
    let other = "\
func g(%a.0) {
start:
  jump head
out:
  return %k.0
head: <- body, start
  %k.0 = phi %next.0, 0
  %c.0 = lt %k.0, %a.0
  branch %c.0, body, out
body:
  %next.0 = add %k.0, 1
  jump head
}
";
    assert!(are_isomorphic(&parse(LOOP), &parse(other)));
    assert!(are_isomorphic(&parse(other), &parse(LOOP)));
}

#[test]
fn each_change_counts() {
    let original = parse(LOOP);
    let changes = [
        ("add %i.0, 1", "add %i.0, 2"),
        ("add %i.0, 1", "add %x.0, 1"),
        ("add %i.0, 1", "add %j.0, 1"),
        ("add %i.0, 1", "sub %i.0, 1"),
        ("add %i.0, 1", "add %i.0, undef"),
        ("phi 0, %j.0", "phi %j.0, 0"),
        ("phi 0, %j.0", "phi 1, %j.0"),
        ("phi 0, %j.0", "phi %x.0, %j.0"),
        ("c, d", "d, c"),
        ("return %i.0", "return %x.0"),
        ("return %i.0", "return undef"),
        ("  %j.0 = add", "  %k.0 = add %i.0, 1\n  %j.0 = add"),
        ("func f(%x.0)", "func f(%x.0, %y.0)"),
        ("  jump b\nb:", "  jump e\ne:\n  jump b\nb:"),
    ];
    for (from, to) in changes {
        let text = LOOP
            .replacen(from, to, 1)
            .replace("b: <- a, c", if to.contains("e:") { "b: <- e, c" } else { "b: <- a, c" });
        let changed = parse(&text);
        assert!(!are_isomorphic(&original, &changed), "{text}");
        assert!(!are_isomorphic(&changed, &original), "{text}");
    }
}

#[test]
fn blocks_correspond_one_to_one() {
    let twice = "func f(%x.0) {\na:\n  branch %x.0, b, b\nb:\n  return\n}\n";
    let apart = "func f(%x.0) {\na:\n  branch %x.0, b, c\nb:\n  return\nc:\n  return\n}\n";
    assert!(!are_isomorphic(&parse(twice), &parse(apart)));
    assert!(!are_isomorphic(&parse(apart), &parse(twice)));
}

#[test]
fn code_that_is_not_reached_does_not_count() {
    let with = LOOP.replace("d:\n", "e:\n  return 7\nd:\n");
    assert!(are_isomorphic(&parse(LOOP), &parse(&with)));
    assert!(are_isomorphic(&parse(&with), &parse(LOOP)));
    let into = LOOP.replace("b: <- a, c\n  %i.0 = phi 0, %j.0", "e:\n  jump b\nb: <- a, e, c\n  %i.0 = phi 0, 9, %j.0");
    assert!(are_isomorphic(&parse(&into), &parse(LOOP)));
}

#[test]
fn a_function_with_variables_is_isomorphic_to_none() {
    let variables = parse("func f(x) {\na:\n  x = add x, 1\n  return x\n}\n");
    assert!(!are_isomorphic(&variables, &variables));
}
