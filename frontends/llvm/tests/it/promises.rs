//! Loads with `!nonnull` and `!noundef`, which leave assumptions.

use crate::promoted;
use ssaphire_llvm::{Module, judge_promotion};

const LOAD: &str = "  %v = load ptr, ptr %s, !nonnull !0, !noundef !0\n";

/// A function that stores a pointer in a slot, does something else, and loads it.
fn source(version: &str, stored: &str, between: &str) -> String {
    let store = if stored.is_empty() { String::new() } else { format!("  store ptr {stored}, ptr %s\n") };
    format!(
        "@g = global i8 0\ndefine ptr @f(ptr %a, ptr nonnull %n, ptr dereferenceable(4) %d, i1 %c) {{\n  %s = alloca ptr\n\
         {store}{between}{LOAD}  ret ptr %v\n}}\n!0 = !{{}}\n; clang version {version}.0.0\n"
    )
}

/// The instructions that promotion adds in a version.
fn added(version: &str, stored: &str, between: &str) -> Vec<String> {
    let text = promoted(&source(version, stored, between));
    let is_added =
        |line: &&str| line.contains("icmp ne ptr") || line.contains("@llvm.assume(i1 %") || line.contains("store i1");
    text.lines().filter(is_added).map(|line| line.trim().to_owned()).collect()
}

fn assumption(value: &str) -> Vec<String> {
    vec![format!("%1 = icmp ne ptr {value}, null"), "call void @llvm.assume(i1 %1)".to_owned()]
}

#[test]
fn a_pointer_that_may_be_null_is_assumed_not_to_be() {
    for version in ["14", "16", "19", "22"] {
        assert_eq!(added(version, "%a", ""), assumption("%a"));
        assert_eq!(added(version, "null", ""), assumption("null"));
        for known in ["%n", "%d", "@g", "getelementptr inbounds (i8, ptr @g, i64 1)"] {
            assert_eq!(added(version, known, ""), Vec::<String>::new(), "{known}");
        }
    }
    let text = promoted(&source("22", "%a", ""));
    assert!(text.ends_with("\ndeclare void @llvm.assume(i1 noundef)\n"), "{text}");
    let declared = format!("{}declare void @llvm.assume(i1 noundef)\n", source("22", "%a", ""));
    assert_eq!(promoted(&declared).matches("declare void @llvm.assume").count(), 1);
}

#[test]
fn what_execution_has_passed_is_known() {
    for access in
        ["  %x = load volatile i8, ptr %a\n", "  store i8 1, ptr %a\n", "  br label %b\nb:\n  store i8 1, ptr %a\n"]
    {
        assert!(added("22", "%a", access).is_empty(), "{access}");
        assert_eq!(added("22", "%a", &access.replace("%a", "%d")), assumption("%a"));
    }
    let elsewhere = "  br i1 %c, label %t, label %b\nt:\n  store i8 1, ptr %a\n  br label %b\nb:\n";
    assert_eq!(added("22", "%a", elsewhere), assumption("%a"));
    let branch = |condition: &str, targets: &str| {
        let between = format!("  %k = {condition}\n  br i1 %k, {targets}\nt:\n  ret ptr %n\nb:\n");
        let text = promoted(&source("22", "%a", &between));
        text.contains("llvm.assume(i1 %1)")
    };
    assert!(
        !branch("icmp eq ptr %a, null", "label %t, label %b") && branch("icmp eq ptr %a, null", "label %b, label %t")
    );
    assert!(
        !branch("icmp ne ptr %a, null", "label %b, label %t") && branch("icmp ne ptr %a, null", "label %t, label %b")
    );
    assert!(branch("icmp eq ptr %n, null", "label %t, label %b") && branch("icmp ne ptr %a, %n", "label %b, label %t"));
    // The second time, it is known in this block only.
    let again = LOAD.replace("%v", "%w");
    assert_eq!(added("22", "%a", &again), assumption("%a"));
    assert_eq!(added("22", "%a", &format!("{again}  br label %b\nb:\n")).len(), 4);
}

#[test]
fn loads_of_what_is_undefined_are_marked() {
    let mark = vec!["store i1 true, ptr poison, align 1".to_owned()];
    assert_eq!((added("19", "", ""), added("22", "undef", "")), (mark.clone(), mark));
    assert_eq!((added("14", "", ""), added("16", "", "")), (Vec::new(), assumption("undef")));
    let integer = source("22", "", "").replace("ptr %s, !nonnull !0", "ptr %s").replace(" ptr %v", " i32 %v");
    let integer = integer.replace("alloca ptr", "alloca i32").replace("load ptr", "load i32");
    assert!(
        promoted(&integer).contains("  store i1 true, ptr poison, align 1\n  ret i32 undef\n"),
        "{}",
        promoted(&integer)
    );
}

#[test]
fn versions_differ_in_what_a_load_has_to_say() {
    let alone = |version: &str| {
        let source = source(version, "%a", "").replace(", !noundef !0", "");
        promoted(&source).contains("llvm.assume(i1")
    };
    assert!(alone("14") && !alone("16") && !alone("22"));
    let undefined = source("22", "%a", "").replace(", !nonnull !0", "");
    assert!(!promoted(&undefined).contains("assume"));
}

/// Whether a function after promotion with these lines before its return is accepted.
fn is_accepted(before: &str, lines: &str, returned: &str) -> bool {
    let start = before.find("  %s = alloca").unwrap();
    let end = before.find("}\n!0").unwrap();
    let after = format!("{}{lines}  ret ptr {returned}\n{}", &before[..start], &before[end..]);
    judge_promotion(&Module::new(before), &Module::new(&after), 1).iter().all(|judged| judged.result.is_ok())
}

#[test]
fn assumptions_of_promised_values_are_accepted_and_no_others() {
    let before = source("22", "%a", "");
    let assumed = |value: &str| format!("  %1 = icmp ne ptr {value}, null\n  call void @llvm.assume(i1 %1)\n");
    assert!(is_accepted(&before, &assumed("%a"), "%a") && is_accepted(&before, "", "%a"));
    assert!(!is_accepted(&before, &assumed("%n"), "%a") && !is_accepted(&before, &assumed("null"), "%a"));
    assert!(!is_accepted(&before, &assumed("%a").replace(" ne ", " eq "), "%a"));
    assert!(!is_accepted(&before, &assumed("%a").repeat(2).replacen("%1", "%2", 2), "%a"));
    // Another version's, which promises less.
    for kept in [", !nonnull !0", ", !noundef !0"] {
        assert!(!is_accepted(&before.replace(kept, ""), &assumed("%a"), "%a"), "{kept}");
    }
    assert!(is_accepted(&source("14", "%a", "").replace(", !noundef !0", ""), &assumed("%a"), "%a"));
    // A null that was stored is assumed away.
    assert!(is_accepted(&source("22", "null", ""), &assumed("null"), "null"));
    let mark = "  store i1 true, ptr poison, align 1\n";
    assert!(is_accepted(&source("22", "", ""), mark, "undef") && is_accepted(&source("22", "", ""), "", "undef"));
    assert!(!is_accepted(&before, mark, "%a"));
    // An assumption of the source is not one of promotion.
    let own = "  %k = icmp ne ptr %a, null\n  call void @llvm.assume(i1 %k)\n";
    let with_own = before.replace("  ret ptr", &format!("{own}  ret ptr"));
    assert!(is_accepted(&with_own, own, "%a") && is_accepted(&with_own, &(assumed("%a") + own), "%a"));
    assert!(!is_accepted(&with_own, "", "%a"));
}
