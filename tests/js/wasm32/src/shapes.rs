//! Sources that are long, sources that are deep, and numbers that are large.

use crate::programs::judged;
use ssaphire::{Block, Builder, ValueCounter, Variable};
use ssaphire_js::facts::{Facts, Idioms};
use ssaphire_js::source::{SourceKind, with_parsed};

/// Lines that may be repeated: none of them makes a file deeper.
const FLAT: &[&str] = &[
    "f(a, [b, { c: d }], `x${e}y`);\n",
    "function NAME(a) { if (a) { return a.b.c; } else { return [a]; } }\n",
    "const NAME = (a) => ({ a, b: a + 1 })\n",
    "if (a) b(); else if (c) d(); else e()\n",
    "for (let i = 0; i < 10; i++) { a[i] = b(i) / 2; }\n",
    "x = { a: [1, 2, 3], 'b)': /[)\\]/]/.test(c), c: ((a + b) / 2) }; // it's ( a comment\n",
    "class NAME { a() { return 1 } static b = 2; get c() { return [3] } }\n",
    "switch (a) { case 1: b(); break; default: c() }\n",
];

/// Source that nests: what comes before the middle and after it, both repeated, and the middle.
const NESTED: &[[&str; 3]] = &[
    ["(", "1", ")"],
    ["[", "1", "]"],
    ["[", "a", "] = 1"],
    ["a(", "1", ")"],
    ["a[", "0", "]"],
    ["", "a", ".b"],
    ["", "a", "()"],
    ["", "a", "?.b"],
    ["", "1", " + 1"],
    ["1 ** ", "1", ""],
    ["!", "1", ""],
    ["a = ", "1", ""],
    ["a ? ", "1", " : 2"],
    ["a ? b : ", "1", ""],
    ["a => ", "1", ""],
    ["() => { return ", "1", " }"],
    ["(a = ", "1", ") => 1"],
    ["{", "", "}"],
    ["if (a) ", ";", ""],
    ["if (a) ; else ", ";", ""],
    ["for (;;) ", ";", ""],
    ["do ", ";", " while (a);"],
    ["while (a) { ", ";", " }"],
    ["try {", ";", "} finally {}"],
    ["switch (a) { case 1: ", ";", " }"],
    ["function f() {", "", "}"],
    ["x = class { a() { ", "", " } }"],
    ["x = { a: ", "1", " }"],
    ["x = `${", "1", "}`"],
    ["a\n`", "", "`"],
    ["var [", "a", "] = 1"],
    ["<a>", "", "</a>"],
    ["new ", "a", ""],
    ["typeof ", "a", ""],
    ["a\n/ ", "1", ""],
    ["a: ", ";", ""],
    ["a: b: c, d: ", ";", ""],
    ["if (a) if (b) c; else ", ";", ""],
    ["x = class\nA extends B { [", "a", "]() {} }"],
];

fn read(source: &str) -> Result<(), String> {
    judged(source, SourceKind::from_extension("jsx").ok_or("no language")?)?;
    let kind = SourceKind::SCRIPT;
    // What only this kind refuses is no matter here.
    let found =
        with_parsed(source, kind, |parsed| Facts::new(&parsed).map(|facts| facts.findings(Idioms::Reported).len()));
    found.map_or(Ok(()), |found| found.map(drop).map_err(|error| error.to_string()))
}

/// All of them are read.
pub(crate) fn check_flat() -> Result<(), String> {
    for line in FLAT {
        let lines = (0..1000).map(|number| line.replace("NAME", &format!("name{number}")));
        read(&lines.collect::<String>()).map_err(|error| format!("{line}: {error}"))?;
    }
    Ok(())
}

/// None ends otherwise than with an answer; what nests ten times is read.
pub(crate) fn check_nested() -> Result<(), String> {
    for &[before, middle, after] in NESTED {
        for depth in [10, 30, 100, 300, 1_000, 3_000, 10_000, 100_000] {
            let source = format!("{}{middle}{}", before.repeat(depth), after.repeat(depth));
            match read(&source) {
                // An error with a place is one of syntax.
                Err(error) if depth == 10 && !error.contains(':') => return Err(format!("{source}: {error}")),
                _ => {}
            }
        }
    }
    Ok(())
}

/// None of two that nest by turns does, either.
pub(crate) fn check_mixed() -> Result<(), String> {
    for &[before, middle, after] in NESTED {
        for &[before_inner, _, after_inner] in NESTED {
            for depth in [32, 64, 96, 128, 192] {
                let before = [before, before_inner].concat().repeat(depth);
                let after = [after_inner, after].concat().repeat(depth);
                let _ = read(&format!("{before}{middle}{after}"));
            }
        }
    }
    Ok(())
}

/// 1,023 blocks in a line, the last of which writes a variable whose number would make 1,024 rows of 4 MiB each: as a product
/// of 32 bits, that is 0.
pub(crate) fn check_large_number() -> Result<(), String> {
    let (mut host, mut ssa) = (ValueCounter::default(), Builder::default());
    let (small, large) = (Variable::new(0), Variable::new((1 << 20) - 1));
    for number in 0..1_023 {
        let (block, next, value) = (Block::new(number), Block::new(number + 1), host.fresh());
        ssa.write_variable(block, small, value);
        ssa.terminate(block, &[next]);
        ssa.seal_block(&mut host, next);
    }
    let (last, value) = (Block::new(1_023), host.fresh());
    ssa.write_variable(last, large, value);
    if ssa.read_variable(&mut host, last, large) == value { Ok(()) } else { Err("another value is read".to_owned()) }
}
