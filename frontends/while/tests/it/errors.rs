//! What is refused, and how it is said.

use ssaphire_while::{Error, ErrorKind, Options, parse};

/// The errors are printed as `expected` has them.
#[track_caller]
fn check_with(options: &Options, source: &str, expected: &str) {
    let errors = parse(source, options).expect_err("something is wrong");
    let printed: Vec<String> = errors.iter().map(Error::to_string).collect();
    assert_eq!(printed.join("\n"), expected.trim_matches('\n'), "\n{}", printed.join("\n"));
}

#[track_caller]
fn check(source: &str, expected: &str) {
    check_with(&Options::default(), source, expected);
}

/// Of each error: line, column and kind; without the excerpt.
#[track_caller]
fn check_brief(source: &str, expected: &str) {
    let errors = parse(source, &Options::default()).expect_err("something is wrong");
    let printed: Vec<String> =
        errors.iter().map(|error| error.to_string().lines().next().unwrap().to_owned()).collect();
    assert_eq!(printed.join("; "), expected, "{source}");
}

#[test]
fn the_place_is_shown() {
    check(
        "x := 1;\nwhile x < {\n  x := 2;\n}\n",
        r"
2:11: expected an expression, found `{`
    2 | while x < {
      |           ^
",
    );
    check(
        "x := 1; goto nowhere;",
        r"
1:14: `nowhere`: the function has no such label
    1 | x := 1; goto nowhere;
      |              ^^^^^^^
",
    );
}

#[test]
fn tabs_line_ends_and_the_byte_order_mark_do_not_move_the_place() {
    check(
        "\u{feff}x := 1;\r\n\ty := (1 + ;\r\n",
        "
2:12: expected an expression, found `;`
    2 | \ty := (1 + ;
      | \t          ^
",
    );
    check("\u{feff}1;", "\n1:1: expected a statement, found `1`\n    1 | 1;\n      | ^\n");
    check("/* ä */ x := é;", "\n1:14: unexpected character 'é'\n    1 | /* ä */ x := é;\n      |              ^\n");
}

#[test]
fn of_a_long_line_a_part_is_shown() {
    let source = format!("{}x := );{}", "skip; ".repeat(100), " skip;".repeat(100));
    let errors = parse(&source, &Options::default()).expect_err("something is wrong");
    let place = &errors[0].place;
    assert_eq!((place.line, place.column, errors.len()), (1, 606, 1));
    assert!(place.excerpt.len() < 150, "{}", place.excerpt);
    assert_eq!(place.excerpt.chars().nth(place.indent), Some(')'));
}

#[test]
fn tokens() {
    check_brief("x := 12ab;", "1:6: `12ab`: neither a number nor a name");
    check_brief("x := 0x;", "1:6: `0x`: neither a number nor a name");
    check_brief("x := 9223372036854775808;", "1:6: `9223372036854775808` is not a signed 64-bit integer");
    check_brief("x := -9223372036854775809;", "1:7: `9223372036854775809` is not a signed 64-bit integer");
    check_brief("x := 99999999999999999999;", "1:6: `99999999999999999999` is not a signed 64-bit integer");
    check_brief("skip; /* more\n", "1:7: comment without `*/`");
    check_brief("x := 1 # 2;", "1:8: unexpected character '#'");
    assert!(parse("x := -9223372036854775808; y := -0x8000000000000000 /* least */;", &Options::default()).is_ok());
}

#[test]
fn statements() {
    check_brief("x", "1:2: expected `:=`, `:`, `(`, `[` or `.` after the name, found the end of the file");
    check_brief("x y", "1:3: expected `:=`, `:`, `(`, `[` or `.` after the name, found `y`");
    check_brief("x := 1\ny := 2;", "2:1: expected `;`, found `y`");
    check_brief("if x skip;", "1:6: expected `{`, found `skip`");
    check_brief("if x { } else skip;", "1:15: expected `{`, found `skip`");
    check_brief("repeat { } x := 1;", "1:12: expected `until`, found `x`");
    check_brief("print;", "1:6: expected an expression, found `;`");
    check_brief("goto 1;", "1:6: expected a label, found `1`");
    check_brief("}", "1:1: expected a statement, found `}`");
    check_brief("else { }", "1:1: expected a statement, found `else`");
    check_brief("if x { if y {\n", "2:1: expected `}` for the `{` of line 1, found the end of the file");
    check_brief("f(x) + 1;", "1:1: only calls can be expression statements");
    check_brief("break;", "1:1: `break` outside a loop");
    check_brief("while x { } continue;", "1:13: `continue` outside a loop");
}

#[test]
fn expressions() {
    check_brief("if x = 1 { }", "1:6: `=` assigns; `==` compares");
    check_brief("x := a < b < c;", "1:12: comparisons do not chain: join them with `&&`, or use parentheses");
    check_brief("x := (1 + 2;", "1:12: expected `)`, found `;`");
    check_brief("x := f(1;", "1:9: expected `,` or `)`, found `;`");
    check_brief("x := f(1,);", "1:10: expected an expression, found `)`");
    check_brief("x := ();", "1:7: expected an expression, found `)`");
    check_brief("x := read;", "1:10: expected `(`, found `;`");
    check_brief("x := 1 2;", "1:8: expected `;`, found `2`");
    assert!(parse("x := (a < b) == (c < d) ; y := a < b && b < c;", &Options::default()).is_ok());
}

#[test]
fn functions_and_names() {
    check_brief("func f() { } x := 1;", "1:14: a statement outside the functions of this file");
    check_brief("x := 1; func f() { }", "1:9: a function after statements");
    check_brief("func f() { func g() { } }", "1:12: a function after statements");
    check_brief("func f(a, b, a) { }", "1:14: `a`: already a parameter");
    check_brief("func f(a b) { }", "1:10: expected a parameter or `)`, found `b`");
    check_brief("func f() { }\nfunc f() { }", "2:6: `f`: already a function in line 1");
    check_brief("l: skip;\nl: skip;", "2:1: `l`: already a label in line 1");
    check_brief("func f() { l: } func g() { goto l; }", "1:33: `l`: the function has no such label");
    check_brief("func f(a) { g(); } func g(a, b) { f(1); }", "1:13: `g`: wrong number of arguments: expected 2, got 0");
}

#[test]
fn all_errors_are_found_in_one_go() {
    check_brief(
        "x := ;\nif { y := 1; } else { z := 2; }\nwhile x { a := 1 }\nb := 1 +;\nwhile x { break; c := *; } goto l;",
        "1:6: expected an expression, found `;`; 2:4: expected an expression, found `{`; \
         4:9: expected an expression, found `;`; 5:23: expected an expression, found `*`",
    );
    let many = parse(&"x := ;".repeat(1000), &Options::default()).expect_err("something is wrong");
    assert_eq!(many.len(), Error::LIMIT);
}

#[test]
fn strictly_only_the_thesis_language_is_accepted() {
    let strict = Options::strict();
    let everything = "x := -1; y = (x + 1) * 2 / 3 % 4 - 5; b := true && !(x < y || x == y);
        if b { skip; } else if x >= 1 { skip } while x != y { x := y; }";
    assert!(parse(everything, &strict).is_ok());
    check_with(
        &strict,
        "x := read();",
        "\n1:6: `read`: not in the thesis's While language\n    1 | x := read();\n      |      ^^^^\n",
    );
    let superset = [
        ("func f() { }", "a function"),
        ("f();", "a call"),
        ("x := 1 + f(2);", "a call"),
        ("print 1;", "`print`"),
        ("return;", "`return`"),
        ("repeat { } until true;", "`repeat`"),
        ("while true { break; }", "`break`"),
        ("while true { continue; }", "`continue`"),
        ("l: skip;", "a label"),
        ("while true { } goto l; l:", "`goto`"),
        ("x := 1 & 2;", "a bit operator"),
        ("x := 1 >> 2;", "a bit operator"),
        ("x := ~1;", "a bit operator"),
        ("array a;", "`array`"),
    ];
    for (source, construct) in superset {
        assert!(parse(source, &Options::default()).is_ok(), "{source}");
        let errors = parse(source, &strict).expect_err("it is not in the language");
        assert!(matches!(errors[0].kind, ErrorKind::NotStrict(named) if named == construct), "{source}: {}", errors[0]);
    }
}
