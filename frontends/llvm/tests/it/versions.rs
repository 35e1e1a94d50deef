//! Undefined values, in which versions of LLVM differ; and several instructions in a line.

use crate::promoted;
use crate::situations::becomes;
use ssaphire_llvm::{Module, judge_promotion};

#[test]
fn the_version_is_that_of_the_module_or_of_the_reader() {
    let text = "define i32 @f(i1 %c, i32 %x) {\nentry:\n  %s = alloca i32\n  br i1 %c, label %a, label %b\na:\n  store i32 %x, ptr %s\n  \
                br label %b\nb:\n  %v = load i32, ptr %s\n  ret i32 %v\n}\n";
    let is_folded = |ident: &str, version: Option<u32>| {
        let text = format!("{text}!llvm.ident = !{{!0}}\n!0 = !{{!\"{ident}\"}}\n");
        let module = Module::new(&text);
        let module = version.into_iter().fold(module, Module::with_version);
        let function = module.read(&module.functions().next().unwrap()).unwrap();
        let promoted = function.promote(&mut ssaphire::Certified::<ssaphire::Builder>::default()).unwrap().unwrap();
        promoted.body().blocks().all(|block| promoted.body().block(block).phis().is_empty())
    };
    // A parameter may be poison, which versions before 20 did not ask.
    let of_module = ["clang version 16.0.6", "flang version 19.1.7", "rustc version 1.82.0", "clang version 22.1.8"];
    assert_eq!(of_module.map(|ident| is_folded(ident, Some(22))), [true, true, true, false]);
    assert!(is_folded("", Some(16)) && !is_folded("", None) && !is_folded("rustc version 1.95.0", None));
}

#[test]
fn instructions_in_one_line_are_not_lost() {
    for line in [
        "  %v = load i32, ptr %s call void @g()",
        "  %v = load i32, ptr %s, align 4 call void @g()",
        "  store i32 1, ptr %s call void @g()\n  %v = load i32, ptr %s",
        "  call void @llvm.lifetime.start.p0(i64 4, ptr %s) call void @g()\n  %v = load i32, ptr %s",
    ] {
        let source = format!("define i32 @f() {{\n  %s = alloca i32\n{line}\n  ret i32 %v\n}}\n");
        assert!(promoted(&source).contains("call void @g()"), "{}", promoted(&source));
    }
    let source = "define void @f() {\n  %s = alloca i32 call void @g()\n  ret void\n}\n";
    assert_eq!(promoted(source), source);
}

#[test]
fn undef_and_poison_are_undef() {
    let body = "  %s = alloca i32\n  store i32 undef, ptr %s\n  br i1 %c, label %a, label %b\n\na:\n  store i32 poison, ptr %s\n  \
                br label %b\n\nb:\n  %v = load i32, ptr %s\n  ret i32 %v\n";
    let expected = "  br i1 %c, label %a, label %b\n\na:\n  br label %b\n\nb:\n  ret i32 undef\n";
    becomes("define i32 @f(i1 %c)", body, expected);
    let other = body.replace("undef", "poison").replace("poison, ptr %s\n  br label", "undef, ptr %s\n  br label");
    becomes("define i32 @f(i1 %c)", &other, expected);
}

#[test]
fn a_single_store_counts_before_it_where_it_is_no_poison() {
    let of = |version: &str, body: &str| {
        let text = format!("define i32 @f(i1 %c, i32 %n) {{\n{body}}}\n; clang version {version}.0.0\n");
        promoted(&text)
    };
    let body = "  %s = alloca i32\n  br i1 %c, label %b, label %a\na:\n  store i32 %n, ptr %s\n  ret i32 1\nb:\n  \
                %v = load i32, ptr %s\n  ret i32 %v\n";
    assert!(of("16", body).contains("ret i32 %n\n") && of("19", body).contains("ret i32 undef\n"));
    // Who branches on it knows that it is no poison.
    let known = body.replace("i32 %n", "i1 %c").replace("alloca i32", "alloca i1").replace("load i32", "load i1");
    assert!(of("22", &known.replace("ret i32 %v", "ret i1 %v")).contains("ret i1 %c\n"));
}

#[test]
fn constants_that_divide_stay_where_they_were_stored() {
    let divided = "sdiv (i32 1, i32 ptrtoint (ptr @g to i32))";
    let source = |store: &str, load: &str, value: &str| {
        format!(
            "@g = external global i32\ndefine i32 @f(i1 %c) {{\n{store}  br i1 %c, label %a, label %b\n\na:\n  br label %b\n\nb:\n{load}  \
             ret i32 {value}\n}}\n; clang version 14.0.6\n"
        )
    };
    let before = source("  %s = alloca i32\n", "  %v = load i32, ptr %s\n", "%v")
        .replace("a:\n", &format!("a:\n  store i32 {divided}, ptr %s\n"));
    let by_us = promoted(&before);
    assert!(by_us.contains(&format!("phi i32 [ undef, %0 ], [ {divided}, %a ]")), "{by_us}");
    // What `mem2reg` of LLVM 14 leaves divides on the other path, too.
    let by_mem2reg = source("", "", divided);
    let judged = |after: &str| judge_promotion(&Module::new(&before), &Module::new(after), 1).remove(0).result;
    assert!(judged(&by_us).is_ok());
    let refusal = judged(&by_mem2reg).unwrap_err();
    assert_eq!(refusal.path, ["0", "b"]);
    // Where it was stored on every path, a load gives it.
    let dominating = before.replace("  br i1", &format!("  store i32 {divided}, ptr %s\n  br i1"));
    assert!(promoted(&dominating).contains(&format!("ret i32 {divided}")), "{}", promoted(&dominating));
}
