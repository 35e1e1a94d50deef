//! The HIR is that of React Compiler, to the last number.

use ssaphire_js::source::{SourceKind, with_types};
use ssaphire_react::{HirFunction, Root, Roots, Stage, Style, ZeroSigns, lower, print, run_to, side_by_side};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn lower_all(source: &str, kind: SourceKind, roots: Roots) -> Vec<Root> {
    with_types(source, kind, |parsed| lower(&parsed, roots)).unwrap_or_else(|errors| panic!("{errors}"))
}

fn lower_one(source: &str) -> HirFunction {
    let roots = lower_all(source, SourceKind::SCRIPT, Roots::TopLevel);
    assert_eq!(roots.len(), 1);
    roots.into_iter().next().unwrap().hir.unwrap()
}

fn at(hir: &HirFunction, stage: Stage) -> HirFunction {
    let mut form = hir.clone();
    run_to(&mut form, stage, ZeroSigns::AsInReact100).unwrap();
    form
}

/// Lines as the article has them: without white space at their beginning.
fn unindented(text: &str) -> String {
    text.lines().map(str::trim).collect::<Vec<_>>().join("\n")
}

fn check_article(source: &str, hir: &str, ssa: Option<&str>) {
    let lowered = lower_one(source);
    assert_eq!(unindented(&print(&lowered, Style::React2024)), unindented(hir.trim()));
    if let Some(ssa) = ssa {
        assert_eq!(unindented(&print(&at(&lowered, Stage::Ssa), Style::React2024)), unindented(ssa.trim()));
    }
}

#[test]
fn the_article_has_this_hir_of_a_branch() {
    let hir = "
        function foo
        bb0 (block):
        [1] $0 = 0
        [2] $2 = StoreLocal Let x$1 = $0
        [3] $7 = LoadLocal x$1
        [4] $8 = 3
        [5] $9 = Binary $7 > $8
        [6] If ($9) then:bb2 else:bb3 fallthrough=bb1
        bb2 (block):
        predecessor blocks: bb0
        [7] $3 = 5
        [8] $4 = StoreLocal Reassign x$1 = $3
        [9] Goto bb1
        bb3 (block):
        predecessor blocks: bb0
        [10] $5 = 10
        [11] $6 = StoreLocal Reassign x$1 = $5
        [12] Goto bb1
        bb1 (block):
        predecessor blocks: bb2 bb3
        [13] $10 = LoadLocal x$1
        [14] $11 = 2
        [15] $12 = Binary $10 + $11
        [16] $14 = StoreLocal Let y$13 = $12
        [17] $15 = <undefined>
        [18] Return $15";
    check_article("function foo() { let x = 0; if (x > 3) { x = 5; } else { x = 10; } let y = x + 2; }", hir, None);
}

#[test]
fn the_article_has_this_ssa_form_of_a_branch() {
    let hir = "
        function foo
        bb0 (block):
        [1] $0 = 333
        [2] $2 = StoreLocal Let y$1 = $0
        [3] $7 = LoadLocal y$1
        [4] $8 = 1
        [5] $9 = Binary $7 > $8
        [6] If ($9) then:bb2 else:bb3 fallthrough=bb1
        bb2 (block):
        predecessor blocks: bb0
        [7] $3 = 111
        [8] $4 = StoreLocal Reassign y$1 = $3
        [9] Goto bb1
        bb3 (block):
        predecessor blocks: bb0
        [10] $5 = 222
        [11] $6 = StoreLocal Reassign y$1 = $5
        [12] Goto bb1
        bb1 (block):
        predecessor blocks: bb2 bb3
        [13] $10 = LoadLocal y$1
        [14] $12 = StoreLocal Let x$11 = $10
        [15] $13 = <undefined>
        [16] Return $13";
    let ssa = "
        function foo
        bb0 (block):
        [1] $14 = 333
        [2] $16 = StoreLocal Let y$15 = $14
        [3] $17 = LoadLocal y$15
        [4] $18 = 1
        [5] $19 = Binary $17 > $18
        [6] If ($19) then:bb2 else:bb3 fallthrough=bb1
        bb2 (block):
        predecessor blocks: bb0
        [7] $20 = 111
        [8] $22 = StoreLocal Reassign y$21 = $20
        [9] Goto bb1
        bb3 (block):
        predecessor blocks: bb0
        [10] $23 = 222
        [11] $25 = StoreLocal Reassign y$24 = $23
        [12] Goto bb1
        bb1 (block):
        predecessor blocks: bb2 bb3
        y$26: phi(bb2: y$21, bb3: y$24)
        [13] $27 = LoadLocal y$26
        [14] $29 = StoreLocal Let x$28 = $27
        [15] $30 = <undefined>
        [16] Return $30";
    check_article(
        "function foo() { let y = 333; if (y > 1) { y = 111; } else { y = 222; } let x = y; }",
        hir,
        Some(ssa),
    );
}

const SSA_OF_LOOP: &str = "
        function foo
        bb0 (block):
        [1] $17 = 1
        [2] $19 = StoreLocal Let x$18 = $17
        [3] For init=bb3 test=bb1 loop=bb5 update=bb4 fallthrough=bb2
        bb3 (loop):
        predecessor blocks: bb0
        [4] $20 = 0
        [5] $22 = StoreLocal Let i$21 = $20
        [6] Goto bb1
        bb1 (loop):
        predecessor blocks: bb3 bb4
        i$23: phi(bb3: i$21, bb4: i$34)
        x$27: phi(bb3: x$18, bb4: x$31)
        [7] $24 = LoadLocal i$23
        [8] $25 = 10
        [9] $26 = Binary $24 < $25
        [10] Branch (<unknown> $26) then:bb5 else:bb2
        bb5 (block):
        predecessor blocks: bb1
        [11] $28 = LoadLocal x$27
        [12] $29 = 1
        [13] $30 = Binary $28 + $29
        [14] $32 = StoreLocal Reassign x$31 = $30
        [15] $33 = LoadLocal x$31
        [16] Goto(Continue) bb4
        bb4 (loop):
        predecessor blocks: bb5
        [17] $35 = PostfixUpdate i$34 = i$23 ++
        [18] Goto bb1
        bb2 (block):
        predecessor blocks: bb1
        [19] $36 = LoadLocal x$27
        [20] Return $36";

#[test]
fn the_article_has_this_ssa_form_of_a_loop() {
    let hir = "
        function foo
        bb0 (block):
        [1] $0 = 1
        [2] $2 = StoreLocal Let x$1 = $0
        [3] For init=bb3 test=bb1 loop=bb5 update=bb4 fallthrough=bb2
        bb3 (loop):
        predecessor blocks: bb0
        [4] $3 = 0
        [5] $5 = StoreLocal Let i$4 = $3
        [6] Goto bb1
        bb1 (loop):
        predecessor blocks: bb3 bb4
        [7] $12 = LoadLocal i$4
        [8] $13 = 10
        [9] $14 = Binary $12 < $13
        [10] Branch (<unknown> $14) then:bb5 else:bb2
        bb5 (block):
        predecessor blocks: bb1
        [11] $7 = LoadLocal x$1
        [12] $8 = 1
        [13] $9 = Binary $7 + $8
        [14] $10 = StoreLocal Reassign x$1 = $9
        [15] $11 = LoadLocal x$1
        [16] Goto(Continue) bb4
        bb4 (loop):
        predecessor blocks: bb5
        [17] $6 = PostfixUpdate i$4 = i$4 ++
        [18] Goto bb1
        bb2 (block):
        predecessor blocks: bb1
        [19] $15 = LoadLocal x$1
        [20] Return $15";
    let source = "function foo() { let x = 1; for (let i = 0; i < 10; i++) { x += 1; } return x; }";
    check_article(source, hir, Some(SSA_OF_LOOP));
}

/// The outermost functions of a file as `react-compiler/compare.js --expect` writes what React Compiler makes of them.
fn all_stages(source: &str, kind: SourceKind) -> String {
    let mut text = String::new();
    for root in lower_all(source, kind, Roots::TopLevel) {
        let forms = root.hir.and_then(|hir| {
            let forms = Stage::ALL.map(|stage| {
                let mut form = hir.clone();
                run_to(&mut form, stage, ZeroSigns::AsInReact100)
                    .map(|()| (stage.name(), print(&form, Style::React100)))
            });
            forms.into_iter().collect::<Result<Vec<_>, _>>()
        });
        let outcome = if forms.is_ok() { "ok" } else { "rejected" };
        let _ = writeln!(text, "== {} {outcome}", root.span.start);
        let mut last = String::new();
        for (stage, form) in forms.unwrap_or_default() {
            let _ = writeln!(text, "-- {stage}\n{}", if form == last { "=" } else { &form });
            last = form;
        }
    }
    text
}

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/react-compiler/cases");
    let mut cases: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    cases.retain(|path| path.extension().is_some_and(|extension| extension != "hir"));
    cases.sort();
    cases
}

#[test]
fn all_cases_are_as_react_compiler_has_them() {
    let cases = cases();
    assert_eq!(cases.len(), 7);
    for path in cases {
        let extension = path.extension().unwrap().to_str().unwrap();
        let source = std::fs::read_to_string(&path).unwrap();
        let expected = std::fs::read_to_string(format!("{}.hir", path.display())).unwrap();
        let found = all_stages(&source, SourceKind::from_extension(extension).unwrap());
        let differ = expected.lines().zip(found.lines()).position(|(expected, found)| expected != found);
        let name = path.file_name().unwrap().to_string_lossy();
        if let Some(line) = differ {
            let show = |text: &str| text.lines().nth(line).unwrap_or_default().to_owned();
            panic!("{name}, line {}:\n  theirs: {}\n  ours:   {}", line + 1, show(&expected), show(&found));
        }
        assert_eq!(expected.lines().count(), found.lines().count(), "{name}");
    }
}

#[test]
fn a_phi_of_both_zeros_is_no_constant() {
    let hir = lower_one("function f(a) { let x; if (a) { x = 0; } else { x = -0; } return 1 / x; }");
    let result = |signs| {
        let mut form = hir.clone();
        run_to(&mut form, Stage::ConstantPropagation, signs).unwrap();
        print(&form, Style::React100)
    };
    assert!(result(ZeroSigns::Distinct).contains("Binary"));
    // What 1.0.0 makes of it: the quotient of one of the zeros.
    assert!(!result(ZeroSigns::AsInReact100).contains("Binary"));
}

#[test]
fn what_has_no_hir_says_why_and_where() {
    let reason = |source: &str| {
        let roots = lower_all(source, SourceKind::SCRIPT, Roots::TopLevel);
        let error = roots[0].hir.as_ref().expect_err(source);
        (error.reason.clone(), source[error.span.start as usize..error.span.end as usize].to_owned())
    };
    let found = |reason: &str, place: &str| (reason.to_owned(), place.to_owned());
    assert_eq!(reason("function f() { var a = 1; }"), found("`var`", "var a = 1;"));
    assert_eq!(reason("function f() { return this.x; }"), found("`this`", "this"));
    assert_eq!(reason("function f() { (class {}); }"), found("a class", "class {}"));
    assert_eq!(reason("function f() { try { } finally { } }"), found("`try` without `catch`", "try { } finally { }"));
    assert_eq!(reason("function* f() { yield 1; }"), found("`yield`", "yield 1"));
    assert_eq!(reason("function f(o) { o.a ||= 1; }"), found("a logical assignment", "o.a ||= 1"));
    assert_eq!(reason("function f() { return 1n; }"), found("a BigInt", "1n"));
}

#[test]
fn only_functions_right_in_the_file_are_outermost() {
    let source =
        "function a() { return () => 1; } const b = () => a; class C { m() { return () => 2; } } { function c() {} }
        const d = { m() { return () => 3; }, p: function () {} };";
    let starts = |roots| {
        let roots = lower_all(source, SourceKind::SCRIPT, roots);
        roots.iter().map(|root| source[root.span.start as usize..][..12].trim_end().to_owned()).collect::<Vec<_>>()
    };
    let outermost = ["function a()", "() => a; cla", "function ()"];
    assert_eq!(starts(Roots::TopLevel), outermost);
    let all =
        ["function a()", "() => 1; } c", "() => a; cla", "() => 2; } }", "function c()", "() => 3; },", "function ()"];
    assert_eq!(starts(Roots::All), all);
}

#[test]
fn a_phi_stands_alone_in_the_columns() {
    let hir = lower_one("function f(a) { let x = 1; if (a) { x = 2; } return x; }");
    let text = side_by_side(&hir, &at(&hir, Stage::Ssa), Style::React2024);
    let rows: Vec<&str> = text.lines().map(str::trim_end).collect();
    let phi = rows.iter().find(|row| row.contains("phi(")).unwrap();
    assert!(phi.trim_start().starts_with("|   x$"), "{phi}");
    let store = rows.iter().find(|row| row.contains("StoreLocal Reassign")).unwrap();
    assert_eq!(store.matches("StoreLocal Reassign").count(), 2, "{store}");
    assert_eq!(rows.iter().filter(|row| row.contains('|')).count(), 1, "{text}");
}

/// 100,000 blocks in a row, on little stack.
#[test]
fn many_blocks_need_no_stack() {
    let source = format!("function f(c) {{ let a = 0; {} return a; }}", "if (c) { a = c; }\n".repeat(50_000));
    let hir = lower_one(&source);
    let passes = move || {
        let mut form = hir;
        run_to(&mut form, Stage::ConstantPropagation, ZeroSigns::Distinct).unwrap();
        let text = print(&form, Style::React100);
        (form.functions[0].order.len(), text.matches(": phi(").count())
    };
    let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(passes).unwrap();
    assert_eq!(thread.join().unwrap(), (100_001, 50_000));
}
