//! Modules of LLVM IR made of lines that go together more or less.

use ssaphire_llvm::{Module, NotPromotion, judge_promotion, promote};

/// Lines of functions and of what is between them; a byte chooses one.
const LINES: [&str; 64] = [
    "define i32 @f(i32 %x, ptr %p) {",
    "define void @g() personality ptr @h {",
    "define i32 @f2(i32 %0, i1 %c) #0 !dbg !3 {",
    "}",
    "entry:",
    "a:",
    "b:                                                ; preds = %entry",
    "\"a b\":",
    "  %s = alloca i32, align 4",
    "  %t = alloca ptr",
    "  %u = alloca [4 x i8]",
    "  %1 = alloca { i32, i1 }, align 8",
    "  %sw = alloca swifterror ptr",
    "  store i32 %x, ptr %s, align 4",
    "  store i32 7, ptr %s",
    "  store ptr %s, ptr %t",
    "  store i32 undef, ptr %u",
    "  store volatile i32 1, ptr %s",
    "  store atomic i32 %x, ptr %s seq_cst, align 4",
    "  store { i32, i1 } { i32 1, i1 true }, ptr %1",
    "  %v = load i32, ptr %s, align 4",
    "  %w = load i32, ptr %s, !range !1",
    "  %q = load ptr, ptr %t, !nonnull !2",
    "  %y = load i32, ptr %q",
    "  %z = load i32, ptr %u",
    "  %2 = load { i32, i1 }, ptr %1",
    "  %sum = add nsw i32 %v, %w",
    "  %k = icmp slt i32 %v, %x",
    "  %phi = phi i32 [ %v, %a ], [ 1, %entry ]",
    "  %phi2 = phi i32 [ %w, %a ]",
    "  %d = getelementptr i8, ptr %s, i64 0",
    "  %e = addrspacecast ptr %s to ptr addrspace(1)",
    "  call void @llvm.lifetime.start.p0(i64 4, ptr %s)",
    "  call void @llvm.lifetime.end.p0(i64 4, ptr %d)",
    "  call void @llvm.assume(i1 true) [ \"align\"(ptr %s, i64 8) ]",
    "  call void @llvm.dbg.declare(metadata ptr %s, metadata !5, metadata !DIExpression()), !dbg !7",
    "    #dbg_declare(ptr %s, !5, !DIExpression(), !7)",
    "    #dbg_value(i32 %v, !5, !DIExpression(), !7)",
    "  call void @use(i32 %v, ptr %s)",
    "  %r = invoke i32 @may(i32 %v) to label %a unwind label %b",
    "  %l = landingpad { ptr, i32 } cleanup",
    "  resume { ptr, i32 } %l",
    "  br label %a",
    "  br label %b",
    "  br label %\"a b\"",
    "  br i1 %c, label %a, label %b",
    "  br i1 %k, label %b, label %b",
    "  switch i32 %v, label %a [",
    "    i32 1, label %b",
    "  ]",
    "  indirectbr ptr %q, [label %a, label %b]",
    "  unreachable",
    "  ret void",
    "  ret i32 %v",
    "  ret i32 %sum",
    "  uselistorder i32 %x, { 1, 0 }",
    "@g1 = global i32 0",
    "@g2 = global ptr blockaddress(@f, %a)",
    "@g3 = constant [3 x i8] c\"}\\0A\\22\"",
    "%T = type { i32, ptr }",
    "declare void @use(i32, ptr)",
    "; define void @comment() {",
    "!1 = !{i32 0, i32 9}",
    "",
];

/// What defines most of the names in those lines.
const START: &str = "define i32 @f(i32 %x, ptr %p, i1 %c) {\nentry:\n";

/// The lines that define most of the names, by number.
const DEFINITIONS: [usize; 13] = [8, 9, 10, 11, 13, 14, 20, 21, 22, 24, 26, 27, 30];

/// The module that bytes stand for: any lines; or, if the first is even, a function of three blocks with lines that have no result.
fn text_of(bytes: &[u8]) -> String {
    let mut text = String::new();
    let Some((first, rest)) = bytes.split_first().filter(|(first, _)| *first % 2 == 0) else {
        bytes.iter().for_each(|byte| add_line(*byte, LINES[usize::from(*byte) % LINES.len()], &mut text));
        return text;
    };
    text += START;
    let without_result: Vec<&str> = LINES.into_iter().filter(|line| is_inner(line)).collect();
    let line_of = |byte: &u8| without_result[usize::from(*byte) % without_result.len()];
    let (one, two) = rest.split_at(rest.len() / 2);
    DEFINITIONS
        .iter()
        .filter(|&&place| place % 8 != usize::from(first / 2))
        .for_each(|&place| add_line(0, LINES[place], &mut text));
    text += "  br i1 %c, label %a, label %b\na:\n";
    one.iter().for_each(|byte| add_line(*byte, line_of(byte), &mut text));
    text += if first / 2 % 2 == 0 { "  br label %b\nb:\n" } else { "  br i1 %c, label %a, label %b\nb:\n" };
    two.iter().for_each(|byte| add_line(*byte, line_of(byte), &mut text));
    text += "  %last = load i32, ptr %s\n  ret i32 %last\n}\n";
    text
}

/// Whether a line is an instruction without result that ends no block, or a record.
fn is_inner(line: &str) -> bool {
    let is_of_body = ["  store", "  call", "    #"].iter().any(|start| line.starts_with(start));
    is_of_body && !line.contains(" = ")
}

fn add_line(byte: u8, line: &str, text: &mut String) {
    text.push_str(line);
    // Some lines end otherwise.
    text.push_str(match byte / 64 {
        0 | 1 => "\n",
        2 => "\r\n",
        _ => " ; c\n",
    });
}

/// Promotes a module, and compares both: whatever it is, that ends, what is written is promoted no further, and a function of the
/// second kind is accepted.
///
/// # Panics
/// If not.
pub fn check(bytes: &[u8]) {
    let text = text_of(bytes);
    let written = promoted(&text);
    if text.starts_with(START) {
        for judged in judge_promotion(&Module::new(&text), &Module::new(&written), 1) {
            let is_unread = matches!(&judged.result, Err(refusal) if matches!(refusal.reason, NotPromotion::Before(_)));
            assert!(is_unread || judged.result.is_ok(), "{text}\n{written}\n{}", judged.result.unwrap_err());
        }
    }
    assert_eq!(promoted(&written), written, "{text}");
    for by_size in [false, true] {
        let modules = [&text, &written].map(|text| Module::new(text).with_slots_by_size(by_size));
        judge_promotion(&modules[0], &modules[1], 1);
        judge_promotion(&modules[1], &modules[0], 2);
    }
}

fn promoted(text: &str) -> String {
    let mut written = Vec::new();
    promote(text, &mut written).expect("a vector takes everything");
    String::from_utf8(written).expect("what is written is text")
}
