//! Comparisons: mistakes in a promotion are refused.

use ssaphire::check::certificate::{HEADER, Reader};
use ssaphire::check::{Mode, validate};
use ssaphire_llvm::{Equivalence, Module, certify_promotion, judge_promotion};

const BEFORE: &str = "\
define i32 @f(i1 %c, i32 %x, ptr %q) {
entry:
  %s = alloca i32, align 4
  %t = alloca i32, align 4
  store i32 %x, ptr %s, align 4
  store i32 3, ptr %t, align 4
  br label %loop

loop:
  %i = load i32, ptr %s, align 4
  %j = load i32, ptr %t, align 4
  %n = add i32 %i, %j
  store i32 %n, ptr %s, align 4
  store i32 %i, ptr %t, align 4
  store i32 %n, ptr %q, align 4
  br i1 %c, label %loop, label %end

end:
  %r = load i32, ptr %s, align 4
  %u = load i32, ptr %t, align 4
  %z = sub i32 %r, %u
  ret i32 %z
}
";

const AFTER: &str = "\
define i32 @f(i1 %c, i32 %x, ptr %q) {
entry:
  br label %loop

loop:
  %s.0 = phi i32 [ %x, %entry ], [ %n, %loop ]
  %t.0 = phi i32 [ 3, %entry ], [ %s.0, %loop ]
  %n = add i32 %s.0, %t.0
  store i32 %n, ptr %q, align 4
  br i1 %c, label %loop, label %end

end:
  %z = sub i32 %n, %s.0
  ret i32 %z
}
";

fn is_accepted(before: &str, after: &str) -> bool {
    judge_promotion(&Module::new(before), &Module::new(after), 1).iter().all(|judged| judged.result.is_ok())
}

#[test]
fn a_store_to_a_constant_address_from_a_slot_is_accepted() {
    let before = "@g = global i8 0\n@h = global i8 0\n\ndefine void @f(i8 %x) {\n  %s = alloca ptr\n  store ptr @g, ptr %s\n  \
                  %p = load ptr, ptr %s\n  store i8 %x, ptr %p\n  %q = load ptr, ptr %s\n  store i8 7, ptr %q\n  ret void\n}\n";
    let after = "@g = global i8 0\n@h = global i8 0\n\ndefine void @f(i8 %x) {\n  store i8 %x, ptr @g\n  store i8 7, ptr @g\n  \
                 ret void\n}\n";
    assert!(is_accepted(before, after));
    for (right, wrong) in
        [("%x, ptr @g", "%x, ptr @h"), ("7, ptr @g", "7, ptr @h"), ("i8 7", "i8 8"), ("i8 %x", "i8 7")]
    {
        assert!(!is_accepted(before, &after.replace(right, wrong)), "{wrong}");
    }
}

#[test]
fn values_for_what_is_undefined_are_told() {
    let before = "define i32 @f(i1 %c) {\nentry:\n  %s = alloca i32\n  br i1 %c, label %then, label %end\n\nthen:\n  \
                  store i32 7, ptr %s\n  br label %end\n\nend:\n  %r = load i32, ptr %s\n  ret i32 %r\n}\n";
    let exact = "define i32 @f(i1 %c) {\nentry:\n  br i1 %c, label %then, label %end\n\nthen:\n  br label %end\n\nend:\n  \
                 %s = phi i32 [ undef, %entry ], [ 7, %then ]\n  ret i32 %s\n}\n";
    let by_us = crate::promoted(before);
    let how = |after: &str| judge_promotion(&Module::new(before), &Module::new(after), 2).remove(0).result.unwrap();
    assert_eq!((how(&by_us), how(exact)), (Equivalence::Refining, Equivalence::Exact));
    // A phi of one value and undefined ones stays where that is exact.
    let two = before.replace("  store i32 7, ptr %s\n", "  %d = add i32 1, 1\n  store i32 %d, ptr %s\n");
    let phi = exact.replace("  br label %end\n", "  %d = add i32 1, 1\n  br label %end\n").replace("[ 7,", "[ %d,");
    let judged = judge_promotion(&Module::new(&two), &Module::new(&phi), 1).remove(0).result.unwrap();
    assert_eq!(judged, Equivalence::Exact);
}

#[test]
fn what_promotion_writes_is_accepted() {
    assert_eq!(crate::promoted(BEFORE), AFTER);
    assert!(is_accepted(BEFORE, AFTER));
}

#[test]
fn a_certificate_claims_each_operand() {
    let judged = certify_promotion(&Module::new(BEFORE), &Module::new(AFTER), 1).remove(0);
    let text = format!("{HEADER}\n{}", judged.certificate.unwrap());
    let is_right = |text: &str| {
        let (_, program) = Reader::new(text.lines()).next().unwrap().unwrap();
        validate(&program, Mode::Exact).is_ok()
    };
    assert!(is_right(&text));
    let claims: Vec<&str> = text.lines().filter(|line| line.starts_with("use ")).collect();
    // Of `add`, `store`, `br`, `sub` and `ret`.
    assert_eq!(claims.len(), 2 + 2 + 1 + 2 + 1);
    let values: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("global ")).collect();
    let mut num_refused = 0;
    for claim in claims {
        let (start, value) = claim.rsplit_once(' ').unwrap();
        for other in values.iter().filter(|&&other| other != value) {
            assert!(!is_right(&text.replacen(claim, &format!("{start} {other}"), 1)), "{claim}");
            num_refused += 1;
        }
    }
    assert!(num_refused >= 20, "{num_refused}");
}

#[test]
fn each_changed_operand_is_refused() {
    let values = ["%x", "3", "%n", "%s.0", "%t.0", "undef"];
    let mut num_refused = 0;
    for (at, _) in AFTER.match_indices('%').chain(AFTER.match_indices(" 3,")) {
        let start = if AFTER[at..].starts_with('%') { at } else { at + 1 };
        let len = AFTER[start..].find([',', ' ', '\n', ')']).unwrap();
        let old = &AFTER[start..start + len];
        let is_use = values.contains(&old) && !AFTER[start + len..].starts_with(" = ");
        for new in values.iter().filter(|new| is_use && **new != old) {
            let changed = format!("{}{new}{}", &AFTER[..start], &AFTER[start + len..]);
            assert!(!is_accepted(BEFORE, &changed), "{changed}");
            num_refused += 1;
        }
    }
    assert!(num_refused >= 40, "{num_refused}");
}

#[test]
fn changed_instructions_are_refused() {
    for (old, new) in [
        ("  store i32 %n, ptr %q, align 4\n", ""),
        ("  store i32 %n, ptr %q, align 4\n", "  store i32 %n, ptr %q, align 4\n  store i32 %n, ptr %q, align 4\n"),
        ("add i32", "sub i32"),
        ("sub i32", "sub nsw i32"),
        ("label %loop, label %end", "label %end, label %loop"),
        ("align 4\n  br", "align 8\n  br"),
        ("ret i32 %z", "ret i32 0"),
        ("define i32 @f", "define i64 @f"),
        ("define i32 @f", "define i32 @g"),
    ] {
        let changed = AFTER.replacen(old, new, 1);
        assert!(changed != AFTER && !is_accepted(BEFORE, &changed), "{changed}");
    }
}

#[test]
fn undefined_values_become_what_llvm_makes_of_them_and_nothing_becomes_undefined() {
    let before = "define i32 @f() {\n  %s = alloca i32\n  %v = load i32, ptr %s\n  ret i32 %v\n}\n";
    assert!(is_accepted(before, "define i32 @f() {\n  ret i32 undef\n}\n"));
    let before = |param: &str| {
        format!(
            "define i32 @f(i32{param} %x, i1 %c) {{\n  %s = alloca i32\n  br i1 %c, label %a, label %b\na:\n  store i32 %x, ptr %s\n  \
             br label %b\nb:\n  %v = load i32, ptr %s\n  ret i32 %v\n}}\n"
        )
    };
    let after = |param: &str, phi: &str, value: &str| {
        format!(
            "define i32 @f(i32{param} %x, i1 %c) {{\n  br i1 %c, label %a, label %b\na:\n  br label %b\nb:\n{phi}  ret i32 {value}\n}}\n"
        )
    };
    let phi = "  %p = phi i32 [ undef, %0 ], [ %x, %a ]\n";
    // The parameter may be poison, unless it is said not to be.
    assert!(is_accepted(&before(""), &after("", phi, "%p")) && !is_accepted(&before(""), &after("", "", "%x")));
    let defined = " noundef";
    assert!(
        is_accepted(&before(defined), &after(defined, phi, "%p"))
            && is_accepted(&before(defined), &after(defined, "", "%x"))
    );
    let before = "define i32 @f(i32 %x) {\n  %s = alloca i32\n  store i32 %x, ptr %s\n  %v = load i32, ptr %s\n  ret i32 %v\n}\n";
    assert!(is_accepted(before, "define i32 @f(i32 %x) {\n  ret i32 %x\n}\n"));
    assert!(!is_accepted(before, "define i32 @f(i32 %x) {\n  ret i32 undef\n}\n"));
}

#[test]
fn numbers_of_metadata_do_not_count_but_what_it_says() {
    let before = "define i32 @f(ptr %p) {\n  %s = alloca i32\n  %v = load i32, ptr %p, !range !1\n  store i32 %v, ptr %s\n  \
                  %w = load i32, ptr %s\n  ret i32 %w\n}\n!1 = !{i32 0, i32 5}\n";
    let after = |node: &str| {
        format!("define i32 @f(ptr %p) {{\n  %v = load i32, ptr %p, !range !7\n  ret i32 %v\n}}\n!7 = !{{{node}}}\n")
    };
    assert!(is_accepted(before, &after("i32 0, i32 5")));
    assert!(!is_accepted(before, &after("i32 0, i32 4")));
}

#[test]
fn globals_flags_of_phis_and_poison_are_compared() {
    let before = "@g = global i32 1\ndefine float @f(i1 %c, float %x) {\n  %s = alloca float\n  br i1 %c, label %a, label %b\na:\n  \
                  store float %x, ptr %s\n  br label %b\nb:\n  %p = phi float [ 1.0, %0 ], [ 2.0, %a ]\n  \
                  %v = load float, ptr %s\n  %w = fadd float %v, %p\n  ret float %w\n}\n";
    let after = |global: u32, flags: &str, undefined: &str| {
        format!(
            "@g = global i32 {global}\ndefine float @f(i1 %c, float %x) {{\n  br i1 %c, label %a, label %b\na:\n  br label %b\nb:\n  \
             %p = phi {flags}float [ 1.0, %0 ], [ 2.0, %a ]\n  %q = phi float [ {undefined}, %0 ], [ %x, %a ]\n  \
             %w = fadd float %q, %p\n  ret float %w\n}}\n"
        )
    };
    assert!(is_accepted(before, &after(1, "", "undef")));
    assert!(!is_accepted(before, &after(2, "", "undef")));
    assert!(!is_accepted(before, &format!("@h = global i32 1\n{}", after(1, "", "undef"))));
    assert!(!is_accepted(before, &after(1, "nnan ", "undef")));
    assert!(!is_accepted(before, &after(1, "", "poison")));
}

/// A loop whose slot contains 0 or what it contained, with an edge from a block without predecessors.
const ALWAYS_ZERO: [&str; 2] = [
    "\
define void @f(i1 %c, ptr %q) {
entry:
  %s = alloca float
  store float 0.0, ptr %s
  br label %a

a:
  %v = load float, ptr %s
  %w = fadd nsz float %v, 1.0
  store float %w, ptr %q
  br i1 %c, label %b, label %d

b:
  store float 0.0, ptr %s
  br label %e

d:
  %x = load float, ptr %s
  store float %x, ptr %s
  br label %e

dead:
  br label %e

e:
  %o = phi fast float [ 0.0, %b ], [ 0.0, %d ], [ 1.0, %dead ]
  store float %o, ptr %q
  br label %a
}
",
    "\
define void @f(i1 %c, ptr %q) {
entry:
  br label %a

a:
  %p = phi float [ 0.0, %entry ], [ %r, %e ]
  %w = fadd nsz float %p, 1.0
  store float %w, ptr %q
  br i1 %c, label %b, label %d

b:
  br label %e

d:
  br label %e

dead:
  br label %e

e:
  %r = phi float [ 0.0, %b ], [ %p, %d ], [ poison, %dead ]
  %o = phi fast float [ 0.0, %b ], [ 0.0, %d ], [ 1.0, %dead ]
  store float %o, ptr %q
  br label %a
}
",
];

#[test]
fn phis_that_merge_only_a_constant_may_stay_or_go() {
    let [before, after] = ALWAYS_ZERO;
    assert!(is_accepted(before, after));
    for (right, wrong) in [
        ("[ 0.0, %entry ]", "[ 1.0, %entry ]"),
        ("%r = phi float [ 0.0,", "%r = phi float [ 1.0,"),
        ("[ %p, %d ]", "[ poison, %d ]"),
        ("%w, ptr", "%p, ptr"),
        ("fadd nsz", "fadd fast"),
    ] {
        assert!(!is_accepted(before, &after.replace(right, wrong)), "{wrong}");
    }
    assert!(is_accepted(before, &after.replace("fadd nsz float %p", "fadd nsz float 0.0")));
    // A phi with flags may be poison, so that it is not the value that it merges.
    assert!(!is_accepted(before, &after.replace("%r = phi float", "%r = phi fast float")));
    assert!(!is_accepted(before, &after.replace("%o = phi fast float", "%o = phi float")));
    assert!(!is_accepted(before, &after.replace("store float %o", "store float 0.0")));
}
