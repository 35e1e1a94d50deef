//! LLVM IR: what is read, promoted, compared, and refused.

use crate::support::{Folder, refusal};
use std::fs;

const SOURCE: &str = "\
declare void @use(i32)

define i32 @max(i32 %a, i32 %b) {
entry:
  %m = alloca i32, align 4
  store i32 %a, ptr %m, align 4
  %c = icmp slt i32 %a, %b
  br i1 %c, label %then, label %end

then:
  store i32 %b, ptr %m, align 4
  br label %end

end:
  %r = load i32, ptr %m, align 4
  ret i32 %r
}

define void @same() {
  call void @use(i32   7)
  ret void
}
";

const PROMOTED: &str = "\
declare void @use(i32)

define i32 @max(i32 %a, i32 %b) {
entry:
  %c = icmp slt i32 %a, %b
  br i1 %c, label %then, label %end

then:
  br label %end

end:
  %m.0 = phi i32 [ %a, %entry ], [ %b, %then ]
  ret i32 %m.0
}

define void @same() {
  call void @use(i32   7)
  ret void
}
";

#[test]
fn slots_are_promoted_and_the_rest_stays() {
    let folder = Folder::with("llvm_opt", "a.ll", SOURCE);
    assert_eq!(folder.stdout("opt a.ll -q"), PROMOTED);
    let summary = folder.run("opt a.ll").stderr;
    assert!(summary.contains("2 functions") && summary.contains("judged: none refused"), "{summary}");
    folder.file("b.ll", PROMOTED);
    assert_eq!(folder.stdout("opt b.ll -q"), PROMOTED);
    assert_eq!(folder.stdout("opt a.ll -q --passes redundant-phis,copies,unused"), PROMOTED);
    let message = folder.refusal("opt a.ll --passes dead-code");
    assert!(message.contains("the pass `dead-code` cannot be run on LLVM IR"), "{message}");
    assert!(folder.stdout("opt a.ll -q --emit ssa --passes dead-code").starts_with("dialect llvm\n"));
}

#[test]
fn every_function_is_built_by_every_engine_and_read_back() {
    let folder = Folder::with("llvm_build", "a.ll", SOURCE);
    let text = folder.stdout("build a.ll -q");
    assert!(
        text.contains("%m.0: i32 = phi %a.0, %b.0") && text.contains("icmp \"slt i32 {}, {}\" %a.0, %b.0"),
        "{text}"
    );
    folder.file("a.ssa", &text);
    assert_eq!(folder.stdout("build a.ssa -q"), text);
    assert!(folder.stdout("check a.ll").ends_with("every result is accepted\n"));
    assert!(folder.stdout("check a.ssa").ends_with("every result is accepted\n"));
    assert!(folder.stdout("build a.ll -q --emit cert").contains("max"));
    assert!(folder.stdout("build a.ll -q --fold").contains("phi"));
    assert!(folder.stdout("stats a.ll --table cytron").contains("A_tot/A_orig"));
    assert!(folder.stdout("stats a.ll --table braun1").contains("mem2reg"));
    let message = folder.refusal("run a.ll --entry max --args 1 --args 2");
    assert!(message.contains("LLVM IR cannot be interpreted"), "{message}");
}

#[test]
fn a_promotion_is_judged() {
    let folder = Folder::with("llvm_check", "a.ll", SOURCE);
    folder.file("b.ll", PROMOTED);
    assert_eq!(folder.stdout("check a.ll b.ll"), "b.ll: 2 functions of a.ll promoted, judged equivalent\n");
    folder.file("c.ll", PROMOTED.replace("[ %b, %then ]", "[ %a, %then ]"));
    let ended = folder.run("check a.ll c.ll");
    assert_eq!(
        (ended.status, &*ended.stdout),
        (1, "c.ll: 1 function of a.ll promoted, judged equivalent, 1 refused\n")
    );
    let expected = "error: c.ll:13:3: function `max`: not a promotion: `ret i32 %m.0` in block `end` depends on `%a` instead of `%b`, \
                    on the path entry, then, end (a.ll:14:1)\n   13 |   ret i32 %m.0\n";
    assert!(ended.stderr.starts_with(expected), "{}", ended.stderr);
    let json = folder.run("check a.ll c.ll --json");
    let json: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    let one = &json["promotions"][0];
    let refused = &one["refused"][0];
    assert_eq!((&one["accepted"], &refused["function"]), (&1.into(), &"max".into()));
    assert_eq!(
        (&refused["after"]["line"], &refused["path"]),
        (&13.into(), &serde_json::json!(["entry", "then", "end"]))
    );
    // With an engine, files are programs of their own.
    assert!(folder.stdout("check a.ll b.ll --algorithm auto").contains("every result is accepted"));
    for name in ["before", "after"] {
        fs::create_dir(folder.path(name)).unwrap();
    }
    folder.file("before/x.ll", SOURCE);
    assert!(folder.refusal("check before after").contains("no file"), "an empty folder is none of programs");
    folder.file("after/x.ll", PROMOTED);
    assert_eq!(
        folder.stdout("check before after"),
        "after/x.ll: 2 functions of before/x.ll promoted, judged equivalent\n"
    );
}

#[test]
fn all_of_two_folders_is_judged() {
    let folder = Folder::with("llvm_folders", "a.ll", SOURCE);
    for name in ["before", "after"] {
        fs::create_dir(folder.path(name)).unwrap();
    }
    for name in ["b", "d", "e"] {
        folder.file(&format!("before/{name}.ll"), SOURCE);
    }
    folder.file("after/d.ll", PROMOTED);
    let ended = folder.run("check before after");
    assert_eq!(ended.status, 1);
    assert_eq!(ended.stdout, "after/d.ll: 2 functions of before/d.ll promoted, judged equivalent\n");
    let missing = |name: &str| format!("error: before/{name}.ll: no such file in `after`\n");
    assert_eq!(ended.stderr, missing("b") + &missing("e"));
    let json: serde_json::Value = serde_json::from_str(&folder.run("check before after --json").stdout).unwrap();
    assert_eq!(json["missing"], serde_json::json!(["before/b.ll", "before/e.ll"]));
    // A hundred are listed.
    let many: String = (0..150).map(|number| format!("define i32 @f{number}() {{\n  ret i32 1\n}}\n")).collect();
    folder.file("before/e.ll", &many);
    folder.file("after/e.ll", many.replace("ret i32 1", "ret i32 2"));
    let ended = folder.run("check before after");
    assert_eq!((ended.status, ended.stderr.matches("error: ").count()), (1, 100));
    assert!(
        ended
            .stdout
            .ends_with("0 functions of before/e.ll promoted, judged equivalent, 150 refused\nand 51 more refused\n")
    );
}

#[test]
fn what_differs_besides_functions_is_called_what_it_is_and_what_is_unchanged_is_accepted() {
    let source = format!("%T = type {{ i32 }}\n@g = global i32 0\ntarget triple = \"a\"\n{SOURCE}");
    let folder = Folder::with("llvm_globals", "a.ll", &source);
    let changed =
        source.replace("global i32 0", "global i32 1").replace("{ i32 }", "{ i64 }").replace("\"a\"", "\"b\"");
    folder.file("b.ll", changed.replace("@use(i32)", "@use(i64)"));
    let ended = folder.run("check a.ll b.ll");
    for word in ["type `%T`", "global `g`", "line `target triple`", "declaration `declare void @use(i64)`"] {
        assert!(
            ended.stderr.contains(&format!(": {word}: not a promotion: not so in the other file")),
            "{}",
            ended.stderr
        );
    }
    let expected =
        "a.ll: 2 functions of a.ll promoted, judged equivalent, 1 unchanged, with slots that could be promoted\n";
    assert_eq!(folder.stdout("check a.ll a.ll"), expected);
    let json: serde_json::Value = serde_json::from_str(&folder.stdout("check a.ll a.ll --json")).unwrap();
    assert_eq!(
        (&json["promotions"][0]["unchanged"], &json["promotions"][0]["accepted"]),
        (&serde_json::json!(["max"]), &2.into())
    );
}

#[test]
fn several_modules_are_not_written_into_one() {
    let folder = Folder::with("llvm_several", "a.ll", SOURCE);
    folder.file("b.ll", "define void @other() {\n  ret void\n}\n");
    for command in ["opt a.ll b.ll", "opt a.ll b.ll -o c.ll", "opt ."] {
        let refusal = folder.refusal(command);
        assert!(refusal.contains("LLVM IR is written as a program file by file"), "{refusal}");
    }
    assert!(!folder.path("c.ll").exists());
    assert!(folder.stdout("opt a.ll b.ll -q --emit ssa").contains("func other"));
}

#[test]
fn dropped_orders_of_uses_are_counted() {
    let order = "  ret i32 %r\n  uselistorder i32 %a, { 1, 0 }\n}";
    let source = SOURCE.replace("  ret i32 %r\n}", order) + "uselistorder ptr @use, { 0 }\n";
    let folder = Folder::with("llvm_orders", "a.ll", source);
    let ended = folder.run("opt a.ll -q");
    assert_eq!((ended.status, &*ended.stdout), (0, PROMOTED));
    let message = "warning: a.ll: 2 orders of uses (`uselistorder`) dropped, because functions have changed\n";
    assert_eq!(ended.stderr, message);
}

#[test]
fn certificates_of_a_promotion_are_judged() {
    let folder = Folder::with("llvm_certify", "a.ll", SOURCE);
    folder.file("b.ll", PROMOTED);
    folder.stdout("check a.ll b.ll --certify c.cert");
    let text = fs::read_to_string(folder.path("c.cert")).unwrap();
    assert!(text.starts_with("ssacert 2\nprogram max\n") && text.ends_with("end\n"), "{text}");
    assert!(folder.stdout("check --certificate c.cert").contains("accepted"));
    folder.file("wrong.cert", text.replacen("\nuse ", "\nuse 9", 1));
    assert_eq!(folder.run("check --certificate wrong.cert").status, 1);
    // A refused function has none.
    folder.file("d.ll", PROMOTED.replace("[ %b, %then ]", "[ %a, %then ]"));
    assert_eq!(folder.run("check a.ll d.ll --certify d.cert").status, 1);
    assert_eq!(fs::read_to_string(folder.path("d.cert")).unwrap(), "ssacert 2\n");
    // Slots of slots take two rounds.
    let chain = "define i32 @f(i32 %x) {\n  %s = alloca i32\n  %t = alloca ptr\n  store ptr %s, ptr %t\n  \
                 store i32 %x, ptr %s\n  %p = load ptr, ptr %t\n  %r = load i32, ptr %p\n  ret i32 %r\n}\n";
    folder.file("e.ll", chain);
    folder.file("f.ll", folder.stdout("opt e.ll -q"));
    folder.stdout("check e.ll f.ll --certify e.cert");
    assert_eq!(fs::read_to_string(folder.path("e.cert")).unwrap().matches("program f\n").count(), 2);
    // Where something undefined gets a value, that is to be asked for; an instruction that has moved has no certificate.
    let two = "define i32 @f(i1 %c, i32 noundef %x) {\n  %s = alloca i32\n  %d = add i32 %x, 1\n  br i1 %c, label %a, label %b\na:\n  \
               store i32 %x, ptr %s\n  br label %b\nb:\n  %v = load i32, ptr %s\n  %w = sub i32 %v, %d\n  ret i32 %w\n}\n";
    folder.file("g.ll", two);
    let result = folder.stdout("opt g.ll -q");
    folder.file("h.ll", &result);
    folder.stdout("check g.ll h.ll --certify g.cert");
    assert_eq!(folder.run("check --certificate g.cert").status, 1);
    assert!(folder.stdout("check --certificate g.cert --refine").contains("accepted"));
    let add = "  %d = add i32 %x, 1\n";
    let end = "  %w = sub";
    folder.file("i.ll", result.replace(add, "").replace(end, &format!("{add}{end}")));
    let verdict = folder.stdout("check g.ll i.ll --certify i.cert");
    assert!(verdict.ends_with("1 with values for what was undefined, 1 without a certificate\n"), "{verdict}");
    assert_eq!(fs::read_to_string(folder.path("i.cert")).unwrap(), "ssacert 2\n");
    for (command, message) in [
        ("check a.ll --certify c.cert", "`--certify` requires two files or folders in LLVM IR"),
        ("check a.ll b.ll --certify -", "`--certify` requires a file"),
    ] {
        let refusal = folder.refusal(command);
        assert!(refusal.contains(message), "{refusal}");
    }
}

#[test]
fn what_was_undefined_may_get_a_value() {
    let before = "define i32 @f(i1 %c) {\nentry:\n  %s = alloca i32\n  br i1 %c, label %then, label %end\n\nthen:\n  \
                  store i32 7, ptr %s\n  br label %end\n\nend:\n  %r = load i32, ptr %s\n  ret i32 %r\n}\n";
    let folder = Folder::with("llvm_refining", "a.ll", before);
    folder.file("b.ll", folder.stdout("opt a.ll -q"));
    let rest = "1 function of a.ll promoted, judged equivalent";
    assert_eq!(folder.stdout("check a.ll b.ll"), format!("b.ll: {rest}, 1 with values for what was undefined\n"));
    let json: serde_json::Value = serde_json::from_str(&folder.stdout("check a.ll b.ll --json")).unwrap();
    assert_eq!(json["promotions"][0]["refining"], serde_json::json!(["f"]));
    let exact = "define i32 @f(i1 %c) {\nentry:\n  br i1 %c, label %then, label %end\n\nthen:\n  br label %end\n\nend:\n  \
                 %s = phi i32 [ undef, %entry ], [ 7, %then ]\n  ret i32 %s\n}\n";
    folder.file("c.ll", exact);
    assert_eq!(folder.stdout("check a.ll c.ll"), format!("c.ll: {rest}\n"));
}

#[test]
fn other_languages_are_read_through_their_compilers() {
    let source =
        "pub fn max(a: i32, b: i32) -> i32 {\n    let mut m = a;\n    if b > a {\n        m = b;\n    }\n    m\n}\n";
    let folder = Folder::with("llvm_compiled", "a.rs", source);
    assert!(folder.stdout("build a.rs -q").contains("i32 = phi"));
    assert!(!folder.stdout("opt a.rs -q").contains("alloca"), "the file is written in LLVM IR");
    folder.file("wrong.rs", "pub fn f() -> i32 { x }\n");
    let message = folder.refusal("build wrong.rs");
    let expected = "error: wrong.rs: `rustc` failed: exit status: 1\nerror[E0425]: cannot find value `x`";
    assert!(message.starts_with(expected), "{message}");
    // A folder is read without other programs, and no file of one.
    assert!(folder.refusal("build .").contains("contains no file in a known language"));
    folder.file("a.c", "int f(void) { return 1; }\n");
    let ended = folder.command("build a.c").env("PATH", "").output().unwrap();
    let message = String::from_utf8(ended.stderr).unwrap();
    let hint = "clang -S -emit-llvm -O0 -Xclang -disable-O0-optnone -o - a.c > x.ll";
    assert_eq!((ended.status.code(), ended.stdout), (Some(2), Vec::new()));
    assert_eq!(message, format!("error: a.c: C is read as LLVM IR, and `clang` is not installed: {hint}\n"));
    let message = refusal(folder.pipe("build - --lang f90", b"end\n"));
    assert_eq!(message, "error: standard input: Fortran is not read from standard input\n");
}

#[test]
fn a_function_that_cannot_be_read_keeps_none_from_being_promoted() {
    let broken = "\ndefine void @broken() {\n  call void @use(i32 %x)\n  ret void\n}\n";
    let folder = Folder::with("llvm_broken", "a.ll", format!("{SOURCE}{broken}"));
    let ended = folder.run("opt a.ll -q");
    assert_eq!((ended.status, ended.stdout), (1, format!("{PROMOTED}{broken}")));
    let message =
        "error: a.ll:25:22: function 2 `broken`: the function does not define `%x`\n   25 |   call void @use(i32 %x)\n";
    assert!(ended.stderr.starts_with(message), "{}", ended.stderr);
    folder.file("none.ll", "declare void @f()\n");
    assert_eq!(folder.stdout("opt none.ll -q"), "declare void @f()\n");
    folder.file("other.ll", "hello\n");
    assert!(folder.refusal("opt other.ll").contains("expected LLVM IR: found neither functions nor globals"));
    folder.file("latin.ll", b"define void @f() {\n  ret void ; caf\xe9\n}\n");
    assert!(folder.refusal("opt latin.ll").contains("expected LLVM IR, found invalid UTF-8"));
}

#[test]
fn slots_of_bytes_are_promoted_by_their_size() {
    let before = SOURCE.replace("alloca i32", "alloca [4 x i8]");
    let folder = Folder::with("llvm_by_size", "a.ll", &before);
    assert_eq!(folder.stdout("opt a.ll -q"), before, "as mem2reg leaves it");
    assert_eq!(folder.stdout("opt a.ll -q --slots-by-size"), PROMOTED);
    folder.file("b.ll", PROMOTED);
    assert_eq!(folder.stdout("check a.ll b.ll"), "b.ll: 2 functions of a.ll promoted, judged equivalent\n");
    assert!(folder.stdout("build a.ll -q --slots-by-size").contains(": i32 = phi"));
    for other in ["alloca [8 x i8]", "alloca i24"] {
        let source = SOURCE.replace("alloca i32", other);
        folder.file("c.ll", &source);
        assert_eq!(folder.stdout("opt c.ll -q --slots-by-size"), source, "{other}");
    }
    // An access of another type keeps the slot.
    let source =
        before.replace("%r = load i32, ptr %m, align 4", "%f = load float, ptr %m\n  %r = fptosi float %f to i32");
    folder.file("d.ll", &source);
    assert_eq!(folder.stdout("opt d.ll -q --slots-by-size"), source);
}

#[test]
fn functions_are_written_in_order_by_any_number_of_threads() {
    let many = |text: &str| {
        let (start, end) = (text.find("define").unwrap(), text.find("}\n").unwrap() + 2);
        let function =
            |number: u32| format!("; {number}\n{}\n", text[start..end].replace("@max", &format!("@max{number}")));
        let functions: String = (0..2000).map(function).collect();
        format!("{}{functions}{}!0 = !{{}}\n", &text[..start], &text[end..])
    };
    let folder = Folder::with("llvm_threads", "a.ll", many(SOURCE));
    let expected = many(PROMOTED);
    for threads in ["1", "2", "16"] {
        let ended = folder.run(&format!("opt a.ll -o b.ll --threads {threads}"));
        assert_eq!(ended.status, 0, "{}", ended.stderr);
        assert!(ended.stderr.contains("2001 functions"), "{}", ended.stderr);
        assert_eq!(fs::read_to_string(folder.path("b.ll")).unwrap(), expected, "{threads} threads");
        assert_eq!(folder.stdout(&format!("opt a.ll -q --threads {threads}")), expected, "{threads} threads");
    }
    let one = folder.stdout("opt a.ll -q --function max1000");
    assert_eq!(one.matches("alloca").count(), 1999);
    assert!(one.contains("%m.0 = phi"));
}

#[test]
fn addresses_of_blocks_are_renumbered_before_and_after_their_function() {
    let source = "\
@table = constant ptr blockaddress(@jump, %4)

declare void @use(ptr)

define void @before() {
  call void @use(ptr blockaddress(@jump, %4))
  ret void
}

define void @jump(ptr %0) {
  %2 = alloca ptr
  store ptr %0, ptr %2
  %3 = load ptr, ptr %2
  indirectbr ptr %3, [label %4]

4:
  ret void
}

define void @after(ptr %a) {
  %s = alloca ptr
  store ptr %a, ptr %s
  %r = load ptr, ptr %s
  store ptr blockaddress(@jump, %4), ptr %r
  ret void
}
";
    let folder = Folder::with("llvm_addresses", "a.ll", source);
    let ended = folder.run("opt a.ll");
    assert!(ended.stderr.contains("3 functions"), "{}", ended.stderr);
    assert_eq!(ended.stdout.matches("blockaddress(@jump, %2)").count(), 3, "{}", ended.stdout);
    assert!(ended.stdout.contains("  indirectbr ptr %0, [label %2]\n\n2:\n"), "{}", ended.stdout);
    folder.file("b.ll", &ended.stdout);
    assert!(folder.stdout("check a.ll b.ll").starts_with("b.ll: 3 functions of a.ll promoted"));
    // A function that stays keeps its numbers.
    let other = folder.stdout("opt a.ll -q --function after");
    assert_eq!((other.matches("blockaddress(@jump, %4)").count(), other.matches("alloca").count()), (3, 1));
}
