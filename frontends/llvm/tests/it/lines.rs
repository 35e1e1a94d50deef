//! Lines, comments and numbers as people may write them, and orders of uses.

use crate::promoted;
use ssaphire_llvm::{Equivalence, Module, judge_promotion, promote};

const BEFORE: &str = "\
define i32 @f(i32 %x) {
  %s = alloca i32
  store i32 %x, ptr %s
  %v = load i32, ptr %s
  ret i32 %v
}
";

const AFTER: &str = "define i32 @f(i32 %x) {\n  ret i32 %x\n}\n";

fn judged(before: &str, after: &str) -> Result<Equivalence, String> {
    let judged = judge_promotion(&Module::new(before), &Module::new(after), 1).remove(0);
    judged.result.map_err(|refusal| refusal.to_string())
}

#[test]
fn line_ends_stay_as_they_are() {
    let crlf = |text: &str| text.replace('\n', "\r\n");
    assert_eq!(promoted(&crlf(BEFORE)), crlf(AFTER));
    // Each function has its own.
    assert_eq!(
        promoted(&format!("{BEFORE}{}", crlf(&BEFORE.replace("@f", "@g")))),
        format!("{AFTER}{}", crlf(&AFTER.replace("@f", "@g")))
    );
    let string = "  call void @p(ptr c\"a\nb\")\n  ret";
    let (before, after) = (BEFORE.replace("  ret", string), AFTER.replace("  ret", string));
    let expected = crlf(&after).replace("a\r\nb", "a\nb");
    assert_eq!(promoted(&crlf(&before).replace("a\r\nb", "a\nb")), expected, "a line feed in a string is part of it");
    let load = "%p = load ptr, ptr %s, !nonnull !0, !noundef !0\n  call void @u(ptr %p)\n  ret void\n}\n\n!0 = !{}\n";
    let before = format!("define void @f(ptr %x) {{\n  %s = alloca ptr\n  store ptr %x, ptr %s\n  {load}");
    let after = promoted(&crlf(&before));
    assert!(after.contains("declare void @llvm.assume("), "{after}");
    assert_eq!(after.replace("\r\n", "").matches('\n').count(), 0, "{after}");
}

#[test]
fn nothing_is_lost_after_a_closing_brace() {
    let one_line = BEFORE.replace("\n  ", " ; c\n  ").replace("\n}\n", " }");
    for (tail, kept) in [
        (" ; c\n", " ; c\n"),
        (" declare void @g()\n", " declare void @g()\n"),
        (" define void @g() { ret void }\n", " define void @g() { ret void }\n"),
        (" @g = global i32 0\n", " @g = global i32 0\n"),
        (" !0 = !{}\n", " !0 = !{}\n"),
    ] {
        assert_eq!(promoted(&format!("{}{tail}", BEFORE.trim_end())), format!("{}{kept}", AFTER.trim_end()), "{tail}");
        assert_eq!(promoted(&format!("{one_line}{tail}")), format!("{}{kept}", AFTER.trim_end()), "{tail}");
    }
    // Two functions with slots in one line, the first of them without another line.
    let flat = "define void @a() { ret void } define void @b() prefix { i8 } { i8 1 } { ret void }";
    let names = |text: &str| Module::new(text).functions().map(|function| function.text.to_owned()).collect::<Vec<_>>();
    assert_eq!(names(flat), [&flat[..29], &flat[30..]]);
    let both = format!("define void @a() {{ ret void }} {BEFORE}");
    assert_eq!(promoted(&both), format!("define void @a() {{ ret void }} {AFTER}"));
    let twice = format!("{} {}", BEFORE.trim_end(), BEFORE.replace("@f", "@g"));
    assert_eq!(promoted(&twice), format!("{} {}", AFTER.trim_end(), AFTER.replace("@f", "@g")));
}

#[test]
fn functions_in_block_comments_are_none() {
    let commented = format!("/* \"\n{BEFORE}*/ ; /*\n@s = constant [2 x i8] c\"/*\"\n{}", BEFORE.replace("@f", "@g"));
    let expected = format!("/* \"\n{BEFORE}*/ ; /*\n@s = constant [2 x i8] c\"/*\"\n{}", AFTER.replace("@f", "@g"));
    assert_eq!(promoted(&commented), expected);
    // In a function, one is no reason to lose it.
    let inside = BEFORE.replace("%v =", "/* } */ %v =");
    let mut written = Vec::new();
    let promotion = promote(&inside, &mut written).unwrap();
    assert_eq!((promotion.promoted, promotion.skipped.len()), (0, 1));
    assert_eq!(String::from_utf8(written).unwrap(), inside);
    let words = BEFORE.replace("%v =", "; /* c\n  %v =");
    assert_eq!(promoted(&words), AFTER);
}

#[test]
fn results_without_names_have_the_next_number() {
    let before = "\
declare i32 @g()
declare { i32, i1 } @h(ptr)
declare void @v()

define i32 @f(i32, i1 %c) {
  alloca i32
  store i32 %0, ptr %2
  call i32 @g()
  call void @v()
  call addrspace(1) void @v()
  call { i32, i1 } (ptr) @h(ptr null)
  br i1 %c, label %a, label %5

  load i32, ptr %2
  store i32 %3, ptr %2
  br label %a

a:
  phi i32 [ %3, %1 ], [ %6, %5 ]
  load i32, ptr %2
  add i32 %7, %8
  ret i32 %9
}
";
    let after = promoted(before);
    let expected = "\
define i32 @f(i32, i1 %c) {
  %2 = call i32 @g()
  call void @v()
  call addrspace(1) void @v()
  %3 = call { i32, i1 } (ptr) @h(ptr null)
  br i1 %c, label %a, label %4

4:
  br label %a

a:
  %5 = phi i32 [ %2, %1 ], [ %0, %4 ]
  %6 = phi i32 [ %0, %1 ], [ %2, %4 ]
  %7 = add i32 %5, %6
  ret i32 %7
}
";
    assert!(after.ends_with(expected), "{after}");
    assert_eq!(judged(before, &after), Ok(Equivalence::Exact));
}

#[test]
fn orders_of_uses_are_dropped_where_functions_change() {
    let order = "  uselistorder i32 %v, { 1, 0 }\n}\n";
    let globals = "\nuselistorder i32 1, { 1, 0 }\nuselistorder_bb @f, %a, { 1, 0 }\n; uselistorder\n";
    let before = format!("@u = global i32 0\n{}{globals}", BEFORE.replace("}\n", order));
    let mut written = Vec::new();
    let promotion = promote(&before, &mut written).unwrap();
    assert_eq!(promotion.dropped_orders, 3);
    assert_eq!(String::from_utf8(written).unwrap(), format!("@u = global i32 0\n{AFTER}\n; uselistorder\n"));
    // Where no function changes, all of them stay.
    let same = format!("{}{globals}", AFTER.replace("}\n", order));
    let mut written = Vec::new();
    assert_eq!(promote(&same, &mut written).unwrap().dropped_orders, 0);
    assert_eq!(String::from_utf8(written).unwrap(), same);
}

#[test]
fn fake_uses_of_slots_go_with_them() {
    let fake = "notail call void (...) @llvm.fake.use(";
    let before = BEFORE.replace("  ret", &format!("  {fake}ptr %s, i32 7)\n  {fake}i32 %v)\n  ret"));
    let after = AFTER.replace("  ret", &format!("  {fake}i32 %x)\n  ret"));
    assert_eq!(promoted(&before), after);
    assert_eq!(judged(&before, &after), Ok(Equivalence::Exact));
    // One of an address computed from it keeps the slot.
    let derived = before.replacen("  notail", "  %d = getelementptr i8, ptr %s, i64 0\n  notail", 1).replacen(
        "ptr %s, i32 7",
        "ptr %d",
        1,
    );
    assert_eq!(promoted(&derived), derived);
    let only = "define void @f() {\n  %s = alloca [2 x i32]\n  call void (...) @llvm.fake.use(ptr %s)\n  ret void\n}\n";
    assert_eq!(promoted(only), "define void @f() {\n  ret void\n}\n");
}

#[test]
fn a_cycle_of_phis_that_an_unreachable_edge_enters_is_accepted() {
    let before = "define void @f(i32 %x, i1 %c, ptr %q) {\nentry:\n  %s = alloca i32\n  store i32 %x, ptr %s\n  br label %a\n\na:\n  \
                  %v = load i32, ptr %s\n  store i32 %v, ptr %q\n  br i1 %c, label %a, label %b\n\nb:\n  br i1 %c, label %a, label %end\n\n\
                  dead:\n  br label %b\n\nend:\n  ret void\n}\n";
    let after = "define void @f(i32 %x, i1 %c, ptr %q) {\nentry:\n  br label %a\n\na:\n  \
                 %p = phi i32 [ %p, %a ], [ %r, %b ], [ %x, %entry ]\n  store i32 %p, ptr %q\n  br i1 %c, label %a, label %b\n\nb:\n  \
                 %r = phi i32 [ poison, %dead ], [ %p, %a ]\n  br i1 %c, label %a, label %end\n\ndead:\n  br label %b\n\nend:\n  \
                 ret void\n}\n";
    assert_eq!(judged(before, after), Ok(Equivalence::Exact));
    assert!(judged(before, &after.replace("[ %x, %entry ]", "[ 1, %entry ]")).is_err());
    assert!(judged(before, &after.replace("[ %p, %a ]\n", "[ poison, %a ]\n")).is_err());
}

#[test]
fn other_ends_and_predecessors_are_said() {
    let before =
        "define i32 @f(i1 %c) {\nentry:\n  br i1 %c, label %a, label %b\n\na:\n  br label %b\n\nb:\n  ret i32 0\n}\n";
    for (right, wrong, message) in [
        ("ret i32 0", "ret i32 1", "block `b` ends with `ret i32 1` instead of `ret i32 0`, on the path entry, b"),
        ("ret i32 0", "unreachable", "block `b` ends with `unreachable` instead of `ret i32 0`, on the path entry, b"),
        (
            "  br label %b",
            "  br label %a",
            "block `a` ends with `br label %a` instead of `br label %b`, on the path entry, a",
        ),
    ] {
        let refusal = judged(before, &before.replace(right, wrong)).unwrap_err();
        assert_eq!(refusal, format!("not a promotion: {message}"));
    }
}
