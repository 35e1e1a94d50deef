//! The situations of LLVM's tests of `mem2reg`, and those that only text has.

use crate::promoted;
use ssaphire_llvm::{Module, certify_promotion, judge_promotion};

/// Asserts what the body of a function becomes, and that the change is accepted as a promotion.
#[track_caller]
pub(crate) fn becomes(header: &str, body: &str, expected: &str) {
    let (source, expected) = (format!("{header} {{\n{body}}}\n"), format!("{header} {{\n{expected}}}\n"));
    let written = promoted(&source);
    assert_eq!(written, expected);
    let judged = certify_promotion(&Module::new(&source), &Module::new(&written), 1);
    for judged in judged {
        assert!(judged.result.is_ok(), "{}: {}", judged.name, judged.result.unwrap_err());
        assert!(judged.certificate.is_some(), "{} has no certificate", judged.name);
    }
    assert_eq!(promoted(&written), written, "nothing is left to promote");
}

#[track_caller]
fn stays(header: &str, body: &str) {
    becomes(header, body, body);
}

const DIAMOND: &str = "define i32 @f(i1 %c, i32 %x)";

#[test]
fn a_store_in_one_arm_makes_a_phi() {
    becomes(
        DIAMOND,
        "  %s = alloca i32\n  store i32 %x, ptr %s\n  br i1 %c, label %a, label %b\n\na:\n  store i32 1, ptr %s\n  br label %b\n\n\
         b:\n  %v = load i32, ptr %s\n  ret i32 %v\n",
        "  br i1 %c, label %a, label %b\n\na:\n  br label %b\n\nb:\n  %s.0 = phi i32 [ %x, %0 ], [ 1, %a ]\n  ret i32 %s.0\n",
    );
}

#[test]
fn a_single_store_of_a_constant_is_loaded_everywhere() {
    becomes(
        DIAMOND,
        "  %s = alloca i32\n  br i1 %c, label %a, label %b\n\na:\n  store i32 1, ptr %s\n  br label %b\n\nb:\n  \
         %v = load i32, ptr %s\n  ret i32 %v\n",
        "  br i1 %c, label %a, label %b\n\na:\n  br label %b\n\nb:\n  ret i32 1\n",
    );
}

#[test]
fn what_was_not_stored_is_undefined() {
    becomes("define i32 @f()", "  %s = alloca i32\n  %v = load i32, ptr %s\n  ret i32 %v\n", "  ret i32 undef\n");
}

#[test]
fn a_phi_of_a_value_and_undefined_ones_is_the_value_where_it_is_available() {
    // Here `%y` is not available in the last block, and there it is.
    becomes(
        "define i32 @f(i1 %c, i32 noundef %x)",
        "  %s = alloca i32\n  br i1 %c, label %a, label %b\n\na:\n  %y = add i32 %x, 1\n  store i32 %y, ptr %s\n  br label %b\n\n\
         b:\n  %v = load i32, ptr %s\n  ret i32 %v\n",
        "  br i1 %c, label %a, label %b\n\na:\n  %y = add i32 %x, 1\n  br label %b\n\nb:\n  \
         %s.0 = phi i32 [ undef, %0 ], [ %y, %a ]\n  ret i32 %s.0\n",
    );
    becomes(
        "define i32 @f(i1 %c, i32 noundef %x)",
        "  %s = alloca i32\n  %y = add i32 %x, 1\n  br i1 %c, label %a, label %b\n\na:\n  store i32 %y, ptr %s\n  br label %b\n\n\
         b:\n  %v = load i32, ptr %s\n  ret i32 %v\n",
        "  %y = add i32 %x, 1\n  br i1 %c, label %a, label %b\n\na:\n  br label %b\n\nb:\n  ret i32 %y\n",
    );
}

#[test]
fn what_may_be_poison_does_not_replace_an_undefined_value() {
    // The value may be poison if a parameter is, or if the addition overflows: from LLVM 20 on, the phi stays.
    for (header, value) in [("define i32 @f(i1 %c, i32 %x)", "%x"), ("define i32 @f(i1 %c, i32 noundef %x)", "%y")] {
        let before = format!(
            "  %s = alloca i32\n  %y = add nsw i32 %x, 1\n  br i1 %c, label %a, label %b\n\na:\n  store i32 {value}, ptr %s\n  \
             br label %b\n\nb:\n  %v = load i32, ptr %s\n  ret i32 %v\n"
        );
        let after = format!(
            "  %y = add nsw i32 %x, 1\n  br i1 %c, label %a, label %b\n\na:\n  br label %b\n\nb:\n  \
             %s.0 = phi i32 [ undef, %0 ], [ {value}, %a ]\n  ret i32 %s.0\n"
        );
        becomes(header, &before, &after);
        let old = format!("{header} {{\n{before}}}\n!0 = !{{!\"clang version 19.1.7\"}}\n");
        assert!(promoted(&old).contains(&format!("ret i32 {value}\n")), "{}", promoted(&old));
    }
}

#[test]
fn labels_may_be_called_as_types_are() {
    let source = "\
%b = type { i32 }

define i32 @f(i1 %c) {
  %s = alloca i32
  store i32 7, ptr %s
  br i1 %c, label %b, label %b

b:
  %x = load i32, ptr %s
  ret i32 %x
}
";
    assert!(promoted(source).contains("br i1 %c, label %b, label %b\n\nb:\n  ret i32 7\n"), "{}", promoted(source));
    let wrong = promoted(source).replace("ret i32 7", "ret i32 9");
    assert!(judge_promotion(&Module::new(source), &Module::new(&wrong), 1)[0].result.is_err());
}

#[test]
fn constants_stand_in_front_of_words() {
    becomes(
        "define i64 @f()",
        "  %s = alloca i32\n  store i32 7, ptr %s\n  %v = load i32, ptr %s\n  %w = sext i32 %v to i64\n  ret i64 %w\n",
        "  %w = sext i32 7 to i64\n  ret i64 %w\n",
    );
}

#[test]
fn strings_are_no_code() {
    stays(
        "define i32 @f()",
        "  %s = alloca i32, align 4\n  store i32 7, ptr %s, align 4\n  \
         call void asm sideeffect \"# @llvm.dbg.value( @llvm.lifetime.start.p0(\", \"r\"(ptr %s)\n  %r = load i32, ptr %s, align 4\n  \
         ret i32 %r\n",
    );
    let text = "@s = constant [21 x i8] c\"blockaddress(@f, %2)\\00\"\n@t = constant ptr blockaddress( @\"f\" , %2 )\n\
                define void @f() {\n  %1 = alloca i32\n  br label %2\n\n2:\n  ret void\n}\n";
    let written = promoted(text);
    assert!(
        written.contains("c\"blockaddress(@f, %2)") && written.contains("blockaddress( @\"f\" , %1 )"),
        "{written}"
    );
    assert!(judge_promotion(&Module::new(text), &Module::new(&written), 1).iter().all(|judged| judged.result.is_ok()));
}

#[test]
fn a_promoted_slot_frees_the_slot_whose_address_it_held() {
    becomes(
        "define i32 @f(i32 %x)",
        "  %s = alloca i32\n  %p = alloca ptr\n  store ptr %s, ptr %p\n  %q = load ptr, ptr %p\n  store i32 %x, ptr %q\n  \
         %v = load i32, ptr %s\n  ret i32 %v\n",
        "  ret i32 %x\n",
    );
}

#[test]
fn other_uses_keep_a_slot() {
    for body in [
        "  %s = alloca i32\n  call void @g(ptr %s)\n  ret void\n",
        "  %s = alloca i32\n  store volatile i32 1, ptr %s\n  ret void\n",
        "  %s = alloca i32\n  %v = load volatile i32, ptr %s\n  ret void\n",
        "  %s = alloca i32\n  store i16 1, ptr %s\n  ret void\n",
        "  %s = alloca i32\n  store ptr %s, ptr %x\n  ret void\n",
        "  %s = alloca [2 x i32]\n  %e = getelementptr [2 x i32], ptr %s, i64 0, i64 1\n  store i32 1, ptr %e\n  ret void\n",
        "  %s = alloca i32\n  %p = select i1 true, ptr %s, ptr %x\n  ret void\n",
        "  br label %b\n\nb:\n  %s = alloca i32\n  store i32 1, ptr %s\n  ret void\n",
        "  %s = alloca ptr\n  store ptr %s, ptr %x\n  ret void\n",
        "  %s = alloca i32\n  %p = getelementptr i8, ptr %s, i64 1\n  call void @llvm.lifetime.start.p0(i64 4, ptr %p)\n  ret void\n",
        "  %s = alloca i32\n  br i1 true, label %a, label %b\n\na:\n  br label %b\n\nb:\n  \
         %p = phi ptr [ %x, %0 ], [ %s, %a ]\n  store i32 1, ptr %p\n  ret void\n",
    ] {
        stays("define void @f(ptr %x)", body);
    }
}

#[test]
fn markers_and_their_casts_go_with_the_slot() {
    becomes(
        "define i32 @f(i32 %x)",
        "  %s = alloca i32, align 4\n  %p = bitcast i32* %s to i8*\n  \
         call void @llvm.lifetime.start.p0i8(i64 4, i8* %p)\n  store i32 %x, i32* %s, align 4\n  \
         %v = load i32, i32* %s, align 4\n  call void @llvm.lifetime.end.p0i8(i64 4, i8* %p)\n  ret i32 %v\n",
        "  ret i32 %x\n",
    );
    stays(
        "define void @f()",
        "  %s = alloca i32, align 4\n  %p = bitcast i32* %s to i8*\n  call void @g(i8* %p)\n  ret void\n",
    );
}

#[test]
fn atomic_accesses_and_arrays_of_slots_are_promoted_as_llvm_has_it() {
    becomes(
        "define i32 @f(i32 %x)",
        "  %s = alloca i32, i32 2, align 4\n  store atomic i32 %x, ptr %s seq_cst, align 4\n  \
         %v = load atomic i32, ptr %s monotonic, align 4\n  ret i32 %v\n",
        "  ret i32 %x\n",
    );
}

#[test]
fn unreachable_blocks_give_poison() {
    becomes(
        "define i32 @f(i32 %x)",
        "  %s = alloca i32\n  store i32 %x, ptr %s\n  br label %end\n\ndead:\n  %d = load i32, ptr %s\n  %e = add i32 %d, 1\n  \
         store i32 %e, ptr %s\n  br label %end\n\nend:\n  %v = load i32, ptr %s\n  ret i32 %v\n",
        "  br label %end\n\ndead:\n  %e = add i32 poison, 1\n  br label %end\n\nend:\n  ret i32 %x\n",
    );
    becomes(
        "define i32 @f()",
        "  %s = alloca i32\n  ret i32 0\n\ndead:\n  %d = load i32, ptr %s\n  store i32 %d, ptr %s\n  br label %dead\n",
        "  ret i32 0\n\ndead:\n  br label %dead\n",
    );
}

#[test]
fn results_of_terminators_are_stored_behind_them() {
    becomes(
        "define i32 @f() personality ptr @p",
        "  %s = alloca i32\n  store i32 0, ptr %s\n  %r = invoke i32 @g()\n          to label %a unwind label %b\n\na:\n  \
         store i32 %r, ptr %s\n  br label %end\n\nb:\n  %l = landingpad { ptr, i32 }\n          cleanup\n  br label %end\n\nend:\n  \
         %v = load i32, ptr %s\n  ret i32 %v\n",
        "  %r = invoke i32 @g()\n          to label %a unwind label %b\n\na:\n  br label %end\n\nb:\n  \
         %l = landingpad { ptr, i32 }\n          cleanup\n  br label %end\n\nend:\n  \
         %s.0 = phi i32 [ %r, %a ], [ 0, %b ]\n  ret i32 %s.0\n",
    );
}

#[test]
fn a_phi_has_an_operand_for_each_edge() {
    becomes(
        "define i32 @f(i32 %x)",
        "  %s = alloca i32\n  store i32 %x, ptr %s\n  switch i32 %x, label %a [\n    i32 1, label %b\n    i32 2, label %b\n  ]\n\na:\n  \
         store i32 5, ptr %s\n  br label %b\n\nb:\n  %v = load i32, ptr %s\n  ret i32 %v\n",
        "  switch i32 %x, label %a [\n    i32 1, label %b\n    i32 2, label %b\n  ]\n\na:\n  br label %b\n\nb:\n  \
         %s.0 = phi i32 [ %x, %0 ], [ %x, %0 ], [ 5, %a ]\n  ret i32 %s.0\n",
    );
}

#[test]
fn numbers_close_up_and_labels_keep_their_names() {
    becomes(
        "define i32 @f(i1 %0, i32 %1)",
        "  %3 = alloca i32, align 4\n  store i32 %1, ptr %3, align 4\n  br i1 %0, label %4, label %7\n\n4:\n  \
         %5 = load i32, ptr %3, align 4\n  %6 = mul i32 %5, 3\n  store i32 %6, ptr %3, align 4\n  br label %7\n\n7:\n  \
         %8 = load i32, ptr %3, align 4\n  ret i32 %8\n",
        "  br i1 %0, label %3, label %5\n\n3:\n  %4 = mul i32 %1, 3\n  br label %5\n\n5:\n  \
         %6 = phi i32 [ %1, %2 ], [ %4, %3 ]\n  ret i32 %6\n",
    );
}

#[test]
fn addresses_of_blocks_follow_the_numbers() {
    let source = "\
@t = constant [2 x ptr] [ptr blockaddress(@f, %4), ptr blockaddress(@f, %6)]

define i32 @f(i32 %0) {
  %2 = alloca i32
  store i32 %0, ptr %2
  %3 = load ptr, ptr @t
  indirectbr ptr %3, [label %4, label %6]

4:
  %5 = load i32, ptr %2
  ret i32 %5

6:
  ret i32 0
}

define ptr @g() {
  ret ptr blockaddress(@f, %6)
}
";
    let expected = "\
@t = constant [2 x ptr] [ptr blockaddress(@f, %3), ptr blockaddress(@f, %4)]

define i32 @f(i32 %0) {
  %2 = load ptr, ptr @t
  indirectbr ptr %2, [label %3, label %4]

3:
  ret i32 %0

4:
  ret i32 0
}

define ptr @g() {
  ret ptr blockaddress(@f, %4)
}
";
    assert_eq!(promoted(source), expected);
}

#[test]
fn types_and_values_may_share_a_name() {
    let source = "\
%x = type { i32 }

define i32 @f(ptr %p, i32 %x) {
  %s = alloca i32
  %t = alloca %x
  store i32 %x, ptr %s
  %g = getelementptr %x, ptr %t, i32 0, i32 0
  %v = load i32, ptr %s
  store i32 %v, ptr %g
  ret i32 %x
}
";
    let expected = "\
%x = type { i32 }

define i32 @f(ptr %p, i32 %x) {
  %t = alloca %x
  %g = getelementptr %x, ptr %t, i32 0, i32 0
  store i32 %x, ptr %g
  ret i32 %x
}
";
    assert_eq!(promoted(source), expected);
}

#[test]
fn a_loaded_value_may_be_called_as_a_type_is() {
    let source = "%x = type { i32 }\n\ndefine i32 @f(i32 %a) {\n  %t = alloca %x\n  %s = alloca i32\n  store i32 %a, ptr %s\n  \
                  %x = load i32, ptr %s\n  %g = getelementptr %x, ptr %t, i32 0, i32 0\n  store i32 %x, ptr %g\n  ret i32 %x\n}\n";
    let expected = "%x = type { i32 }\n\ndefine i32 @f(i32 %a) {\n  %t = alloca %x\n  %g = getelementptr %x, ptr %t, i32 0, i32 0\n  \
                    store i32 %a, ptr %g\n  ret i32 %a\n}\n";
    assert_eq!(promoted(source), expected);
}

#[test]
fn phis_of_the_source_get_what_was_loaded() {
    becomes(
        "define i32 @f(i1 %c, i32 %x)",
        "  %s = alloca i32\n  store i32 %x, ptr %s\n  %v = load i32, ptr %s\n  br i1 %c, label %a, label %b\n\na:\n  \
         br label %b\n\nb:\n  %p = phi i32 [ %v, %0 ], [ 1, %a ]\n  ret i32 %p\n",
        "  br i1 %c, label %a, label %b\n\na:\n  br label %b\n\nb:\n  %p = phi i32 [ %x, %0 ], [ 1, %a ]\n  ret i32 %p\n",
    );
}

#[test]
fn parameters_without_names_have_numbers() {
    let source = "define i32 @f(i32, i32) {\n  %s = alloca i32\n  store i32 %1, ptr %s\n  %v = load i32, ptr %s\n  \
                  %w = sub i32 %0, %v\n  ret i32 %w\n}\n";
    assert!(promoted(source).contains("%w = sub i32 %0, %1\n"), "{}", promoted(source));
}

#[test]
fn new_phis_take_no_name_of_the_source() {
    becomes(
        "define i32 @f(i1 %c, i32 %s.0)",
        "  %s = alloca i32\n  store i32 %s.0, ptr %s\n  br i1 %c, label %a, label %\"s.1\"\n\na:\n  store i32 1, ptr %s\n  \
         br label %\"s.1\"\n\n\"s.1\":\n  %v = load i32, ptr %s\n  ret i32 %v\n",
        "  br i1 %c, label %a, label %s.1\n\na:\n  br label %s.1\n\ns.1:\n  \
         %s.2 = phi i32 [ %s.0, %0 ], [ 1, %a ]\n  ret i32 %s.2\n",
    );
}

#[test]
fn declared_variables_become_records_of_values() {
    let source = "\
define i32 @f(i1 %c, i32 %x) {
entry:
  %s = alloca i32, align 4
    #dbg_declare(ptr %s, !1, !DIExpression(), !2)
  store i32 %x, ptr %s, align 4, !dbg !3
  br i1 %c, label %a, label %b, !dbg !3

a:
  store i32 1, ptr %s, align 4, !dbg !3
  br label %b, !dbg !3

b:
  %v = load i32, ptr %s, align 4, !dbg !3
  ret i32 %v, !dbg !3
}
";
    let expected = "\
define i32 @f(i1 %c, i32 %x) {
entry:
    #dbg_value(i32 %x, !1, !DIExpression(), !2)
  br i1 %c, label %a, label %b, !dbg !3

a:
    #dbg_value(i32 1, !1, !DIExpression(), !2)
  br label %b, !dbg !3

b:
  %s.0 = phi i32 [ %x, %entry ], [ 1, %a ]
    #dbg_value(i32 %s.0, !1, !DIExpression(), !2)
  ret i32 %s.0, !dbg !3
}
";
    assert_eq!(promoted(source), expected);
    let call = |text: &str| {
        text.replace(
            "    #dbg_declare(ptr %s, !1, !DIExpression(), !2)",
            "  call void @llvm.dbg.declare(metadata ptr %s, metadata !1, metadata !DIExpression()), !dbg !2",
        )
    };
    let written = promoted(&call(source));
    assert!(
        written.contains(
            "  call void @llvm.dbg.value(metadata i32 %s.0, metadata !1, metadata !DIExpression()), !dbg !2\n"
        )
    );
    // A module that has not declared the function that the records call has to.
    assert!(written.ends_with("\ndeclare void @llvm.dbg.value(metadata, metadata, metadata)\n"), "{written}");
    let declared = call(source) + "declare void @llvm.dbg.value(metadata, metadata, metadata) #1\n";
    assert_eq!(promoted(&declared).matches("declare void @llvm.dbg.value").count(), 1);
}

#[test]
fn texts_that_people_write_are_read() {
    let source = "define i32 @f(i32, i32 %x) { ; comment\r\n  %s = alloca i32 ; slot\r\n  store i32 %0, ptr %s\r\n  br label %next\r\nnext: \
                  %v = load i32,\r\n    ptr %s\r\n  ret i32 %v }\r\n";
    assert!(promoted(source).contains("ret i32 %0\r\n}"), "{}", promoted(source));
}

#[test]
fn assumptions_keep_no_slot() {
    let bundle = |tag: &str, operand: &str| {
        format!(
            "  call void @llvm.assume(i1 true) [ \"{tag}\"(ptr {operand}, i64 16), \"align\"(ptr %p, i64 8) ]\n  ret i32 7\n"
        )
    };
    let slot = "  %s = alloca i32\n  store i32 7, ptr %s\n  %d = getelementptr i8, ptr %s, i64 0\n";
    for address in ["%s", "%d"] {
        let body = format!("{slot}{}", bundle("align", address));
        becomes("define i32 @f(ptr %p)", &body, &bundle("ignore", "poison"));
    }
    // An older version leaves another constant.
    let source =
        format!("define i32 @f(ptr %p) {{\n{slot}{}}}\n!0 = !{{!\"clang version 19.1.7\"}}\n", bundle("align", "%s"));
    assert!(promoted(&source).contains(&bundle("ignore", "undef")), "{}", promoted(&source));
    // What the condition is computed from is a use like others.
    stays(
        "define void @f()",
        "  %s = alloca i32\n  %c = icmp ne ptr %s, null\n  call void @llvm.assume(i1 %c)\n  ret void\n",
    );
}

#[test]
fn slots_for_errors_and_arguments_are_slots() {
    for word in ["swifterror", "inalloca"] {
        let body = format!("  %s = alloca {word} ptr\n  store ptr %p, ptr %s\n  %v = load ptr, ptr %s\n  ret ptr %v\n");
        becomes("define ptr @f(ptr %p)", &body, "  ret ptr %p\n");
        stays(
            "define void @f(ptr %p)",
            &format!("  %s = alloca {word} ptr\n  call void @g(ptr {word} %s)\n  ret void\n"),
        );
    }
}

#[test]
fn quotes_that_a_name_does_not_need_mean_nothing() {
    becomes(
        "define i32 @f(i32 %x)",
        "  %\"s\" = alloca i32\n  store i32 %x, ptr %s\n  %\"5\" = load i32, ptr %\"s\"\n  %1 = add i32 %\"5\", %\"x\"\n  ret i32 %1\n",
        "  %1 = add i32 %x, %x\n  ret i32 %1\n",
    );
}

#[test]
fn slots_of_bytes_are_promoted_by_size_if_asked() {
    let by_size = |slot: &str, rest: &str| {
        let text = format!("define i32 @f(i32 %x) {{\n  %s = alloca {slot}\n  store i32 %x, ptr %s\n{rest}}}\n");
        let module = Module::new(&text).with_slots_by_size(true);
        let function = module.read(&module.functions().next().unwrap()).unwrap();
        function.to_variables().unwrap().is_some()
    };
    let load = "  %v = load i32, ptr %s\n  ret i32 %v\n";
    let is_promoted =
        ["[4 x i8]", "i32", "float", "[2 x i16]", "[8 x i8]", "i24", "{ i32 }"].map(|slot| by_size(slot, load));
    assert_eq!(is_promoted, [true, true, true, true, false, false, false]);
    assert!(!by_size("[4 x i8]", "  %f = load float, ptr %s\n  %v = load i32, ptr %s\n  ret i32 %v\n"));
    assert!(!by_size("[4 x i8]", "  %v = load i32, ptr %s\n  store float 1.0, ptr %s\n  ret i32 %v\n"));
    stays("define i32 @f(i32 %x)", &format!("  %s = alloca [4 x i8]\n  store i32 %x, ptr %s\n{load}"));
}

#[test]
fn a_further_round_is_expected_only_for_slots_that_no_instruction_keeps() {
    let may_free_others = |use_: &str| {
        let source = format!(
            "define i32 @f() {{\n  %x = alloca i32\n  %p = alloca ptr\n  store ptr %x, ptr %p\n  %q = load ptr, ptr %p\n  {use_}\n  \
             %v = load i32, ptr %q\n  ret i32 %v\n}}\n"
        );
        let module = Module::new(&source);
        let function = module.read(&module.functions().next().unwrap()).unwrap();
        function.to_variables().unwrap().unwrap().may_free_others()
    };
    assert!(may_free_others("store i32 1, ptr %x"));
    assert!(may_free_others("call void @g(ptr %q)"), "found out when `%q` is `%x`");
    assert!(!may_free_others("call void @g(ptr %x)"));
    assert!(!may_free_others("store i64 1, ptr %x"));
}
