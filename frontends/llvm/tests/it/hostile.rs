//! Texts that are wrong, cut off or large: an error or a result, and never a panic.

use ssaphire_llvm::{Module, Skipped, promote};
use std::fmt::Write;

const SOURCE: &str = "\
; c
%T = type { i32, ptr }
@g = global i32 0
define dso_local i32 @\"f x\"(i32 noundef %0, ptr byval(%T) align 8 %\"a b\", ...) #0 personality ptr @p !dbg !5 {
  %3 = alloca i32, align 4
  %4 = alloca { i32, [2 x i8] }, align 4
    #dbg_declare(ptr %3, !1, !DIExpression(), !2)
  store i32 5, ptr %3, align 4
  %5 = invoke i32 @g(i32 %0, ptr %4)
          to label %6 unwind label %8

6:                                                ; preds = %2
  %7 = load i32, ptr %3, align 4
  switch i32 %7, label %10 [
    i32 1, label %10
    i32 2, label %\"q;r\"
  ], !prof !3

8:
  %9 = landingpad { ptr, i32 }
          catch ptr null
  br label %10

\"q;r\":
  store i32 %5, ptr %3, align 4
  br label %10

10:
  %11 = phi fast i32 [ %7, %6 ], [ %7, %6 ], [ 0, %8 ], [ 1, %\"q;r\" ]
  %12 = load i32, ptr %3, align 4
  %13 = add i32 %11, %12
  ret i32 %13
}
";

fn run(text: &str) -> (usize, Vec<String>) {
    let mut written = Vec::new();
    let promotion = promote(text, &mut written).unwrap();
    assert!(promotion.skipped.is_empty() || written.len() >= text.len().min(1));
    (promotion.promoted, promotion.skipped.iter().map(|(_, reason)| reason.to_string()).collect())
}

#[test]
fn every_prefix_and_every_lost_or_doubled_byte_is_survived() {
    assert_eq!(run(SOURCE), (1, Vec::new()));
    for at in 0..SOURCE.len() {
        run(&SOURCE[..at]);
        run(&format!("{}{}", &SOURCE[..at], &SOURCE[at + 1..]));
        run(&format!("{}{}", &SOURCE[..=at], &SOURCE[at..]));
        for sign in ['%', '"', '{', '}', ';', ':', '\n', '(', '=', '\u{e9}', '\u{2028}'] {
            run(&format!("{}{sign}{}", &SOURCE[..at], &SOURCE[at + 1..]));
        }
    }
}

#[test]
fn every_lost_line_is_survived() {
    let lines: Vec<&str> = SOURCE.lines().collect();
    for one in 0..lines.len() {
        for other in one..lines.len() {
            let kept = lines.iter().enumerate().filter(|&(at, _)| at != one && at != other).map(|(_, line)| *line);
            run(&kept.collect::<Vec<_>>().join("\n"));
        }
    }
}

#[test]
fn what_is_wrong_is_said_with_its_place_and_the_rest_is_promoted() {
    let good = "define i32 @h(i32 %x) {\n  %s = alloca i32\n  store i32 %x, ptr %s\n  %v = load i32, ptr %s\n  ret i32 %v\n}\n";
    for (body, place, message) in [
        ("  ret i32 %y\n", "%y", "the function does not define `%y`"),
        ("  br label %y\n", "%y", "the function has no block `%y`"),
        (
            "  %x = add i32 1, 2\n  %x = add i32 1, 2\n  ret i32 %x\n",
            "%x = add i32 1, 2\n  ret",
            "`%x` is defined twice",
        ),
        ("  br label %a\na:\n  br label %a\na:\n  ret i32 0\n", "a:\n  ret", "`a` is defined twice"),
        ("  %x = add i32 1, 2\n", "add i32 1, 2", "expected a terminator at the end of the block"),
        ("  br label %a\na:\n  %p = phi i32 [ 1, %b ]\n  ret i32 0\n", "%b", "the function has no block `%b`"),
        (
            "  br label %a\na:\n  %p = phi i32 [ 1, %a ]\n  ret i32 0\n",
            "phi i32",
            "expected one value for each block that branches here",
        ),
        (
            "  br label %a\na:\n  %p = phi i32 1\n  ret i32 0\n",
            "phi i32",
            "expected one value for each block that branches here",
        ),
        ("e:\n  br label %e\n", "define", "the first block must have no predecessors"),
        (
            "  ret i32 0 /* c */\n",
            "/* c",
            "a comment between `/*` and `*/` in a function cannot be kept: begin each line with `;`",
        ),
        ("", "define", "the function has no instruction"),
    ] {
        let text = format!("{good}define i32 @f() {{\n{body}}}\n{good}");
        let text = text.replacen("@h", "@k", 1);
        let mut written = Vec::new();
        let promotion = promote(&text, &mut written).unwrap();
        assert_eq!(promotion.promoted, 2, "{body}");
        let [(function, Skipped::Read(error))] = &promotion.skipped[..] else {
            panic!("{body}: {:?}", promotion.skipped)
        };
        assert_eq!((function.name, error.to_string()), ("@f", message.to_owned()), "{body}");
        assert!(text[error.offset..].starts_with(place), "{body}: {}", &text[error.offset..]);
        assert!(String::from_utf8(written).unwrap().contains(&format!("define i32 @f() {{\n{body}}}\n")));
    }
    assert_eq!(run("define i32 @f() {\n  ret i32 0\n").1, ["the function has no closing `}`"]);
    assert_eq!(run("define i32 {\n  ret i32 0\n}\n").1, ["expected a function name and a parameter list"]);
}

/// A function of `n` blocks, each of which reads and writes a slot.
fn chain(n: usize, slots: usize) -> String {
    let mut text = String::from("define i32 @f(i1 %c, i32 %x) {\nentry:\n");
    for slot in 0..slots {
        writeln!(text, "  %s{slot} = alloca i32\n  store i32 %x, ptr %s{slot}").unwrap();
    }
    text.push_str("  br label %b0\n");
    for block in 0..n {
        let (slot, next) = (block % slots, block + 1);
        writeln!(
            text,
            "b{block}:\n  %v{block} = load i32, ptr %s{slot}\n  %w{block} = add i32 %v{block}, 1\n  \
             store i32 %w{block}, ptr %s{slot}\n  br i1 %c, label %b{next}, label %b{}",
            block / 2
        )
        .unwrap();
    }
    writeln!(text, "b{n}:\n  %r = load i32, ptr %s0\n  ret i32 %r\n}}").unwrap();
    text
}

#[test]
fn large_functions_are_promoted() {
    assert_eq!(run(&chain(3_000, 1)).0, 1);
    assert_eq!(run(&chain(10, 3_000)).0, 1);
    let deep = format!(
        "define void @f() {{\n  %s = alloca {}i32{}\n  ret void\n}}\n",
        "[2 x ".repeat(50_000),
        "]".repeat(50_000)
    );
    assert_eq!(run(&deep).0, 1);
    let line =
        format!("define void @f() {{\n  call void @g({})\n  ret void\n}}\n", "i32 1, ".repeat(100_000) + "i32 2");
    assert_eq!(run(&line), (0, Vec::new()));
    assert_eq!(Module::new(&"define void @f() { ret void }\n".repeat(10_000)).functions().count(), 10_000);
}
