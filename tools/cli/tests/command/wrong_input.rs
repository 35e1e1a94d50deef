//! Wrong use and unreadable input: status 2, a message with the place, and nothing that looks like a result.

use crate::support::{Folder, GCD, SUCCESSOR, SUM, refusal};

const COMMANDS: [&str; 4] = ["build", "check", "stats", "run"];

#[test]
fn no_arguments_are_answered_with_help() {
    let folder = Folder::new("wrong_nothing");
    assert!(folder.refusal("").contains("Usage: ssaphire [OPTIONS] <COMMAND>"));
    for command in COMMANDS {
        assert!(folder.refusal(command).contains("INPUT"), "{command}");
    }
    assert!(folder.refusal("biuld x.ssa").contains("build"));
    assert!(folder.refusal("build x.ssa --algorithm brown").contains("braun-operand"));
    assert!(folder.refusal("build x.ssa --threads 0").contains("--threads"));
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    let folder = Folder::new("wrong_file");
    std::fs::create_dir(folder.path("folder.ssa")).unwrap();
    for command in COMMANDS {
        assert!(folder.refusal(&format!("{command} none.ssa")).starts_with("error: none.ssa: "));
        assert!(folder.refusal(&format!("{command} folder.ssa")).starts_with("error: folder.ssa: "), "{command}");
    }
}

/// A link to itself: nobody can read it, whatever their rights.
#[test]
#[cfg(unix)]
fn a_file_that_the_system_refuses_is_named() {
    let folder = Folder::new("wrong_link");
    std::os::unix::fs::symlink("loop.wasm", folder.path("loop.wasm")).unwrap();
    assert!(folder.refusal("build loop.wasm").starts_with("error: loop.wasm: "));
}

#[test]
fn one_bad_input_among_good_ones_stops_all() {
    let folder = Folder::with("wrong_among", "sum.ssa", SUM);
    folder.file("bad.ssa", "func f() {\na:\n  retrun 1\n}\n");
    let message = folder.refusal("build sum.ssa bad.ssa none.ssa");
    assert!(message.starts_with("error: bad.ssa:3:"), "{message}");
    assert!(message.contains("\nerror: none.ssa: "), "all that is wrong: {message}");
}

#[test]
fn errors_in_texts_show_the_place() {
    let folder = Folder::with("wrong_text", "a.ssa", "func f() {\na:\n  x = frob 1\n  return x\n}\n");
    let expected = "error: a.ssa:3:7: `frob`: no such operation\n    3 |   x = frob 1\n      |       ^\n";
    assert_eq!(folder.refusal("build a.ssa"), expected);
    folder.file("a.while", "x := 1;\ny := x +;\n");
    let expected = "error: a.while:2:9: expected an expression, found `;`\n    2 | y := x +;\n      |         ^\n";
    assert_eq!(folder.refusal("check a.while"), expected);
    folder.file("a.wat", "(module\n  (func (i32.add)\n");
    let message = folder.refusal("stats a.wat");
    assert!(message.starts_with("error: a.wat:") && message.contains(" | ") && message.contains('^'), "{message}");
    folder.file("b.wat", "(module (func (result i32)))");
    let message = folder.refusal("build b.wat");
    assert!(
        message.starts_with("error: b.wat:1:10: function 0 `func0`: type"),
        "valid text of what is not valid: {message}"
    );
}

#[test]
fn errors_are_json_where_everything_is() {
    let folder = Folder::with("wrong_json", "a.while", "x := 1;\ny := x +;\n");
    let message: serde_json::Value = serde_json::from_str(&folder.refusal("build a.while --json")).unwrap();
    assert_eq!((&message["input"], &message["line"], &message["column"]), (&"a.while".into(), &2.into(), &9.into()));
}

#[test]
fn the_wrong_language_is_no_surprise() {
    let folder = Folder::with("wrong_language", "f.while", SUCCESSOR);
    let expected = "error: f.while: expected While, found a WebAssembly module\n";
    assert_eq!(folder.refusal("build f.while"), expected);
    folder.file("sum.txt", SUM);
    let message = folder.refusal("build sum.txt");
    let known = "ssa, while, wasm, wat, ll, bc, c, cpp, rs, f90, js, mjs, cjs, jsx, ts, mts, cts, tsx";
    assert_eq!(message, format!("error: sum.txt: unknown language; choose one with `--lang`: {known}\n"));
    assert!(folder.refusal("build sum.txt --lang cobol").contains("cobol"));
    assert!(folder.refusal("build sum.txt --lang while").starts_with("error: sum.txt:"));
    assert!(folder.refusal("build sum.txt --lang wasm").starts_with("error: sum.txt:1:"));
    assert_eq!(folder.run("build sum.txt --lang ssa").status, 0);
    folder.file("noise", SUCCESSOR);
    assert_eq!(folder.run("build noise").status, 0, "a module tells by how it begins");
}

#[test]
fn what_is_not_text_is_refused_with_its_place() {
    let folder = Folder::with("wrong_bytes", "a.while", b"x := 1;\ny := \xff;\n");
    assert_eq!(
        folder.refusal("build a.while"),
        "error: a.while:2:6: expected While, found invalid UTF-8 at byte 0xd\n"
    );
    let binary: Vec<u8> = (0..=255).rev().collect();
    for language in ["ssa", "while", "wasm", "wat"] {
        let message = refusal(folder.pipe(&format!("build - --lang {language}"), &binary));
        assert!(message.starts_with("error: standard input:"), "{language}: {message}");
    }
    assert!(refusal(folder.pipe("build -", &binary)).contains("unknown language"));
    assert!(folder.refusal("build - - --lang ssa").contains("more than once"));
}

#[test]
fn empty_files_hold_nothing_to_build() {
    let folder = Folder::with("wrong_empty", "e.ssa", "");
    assert_eq!(folder.refusal("build e.ssa"), "error: e.ssa: expected a function\n");
    folder.file("e.wasm", "");
    assert!(folder.refusal("build e.wasm").starts_with("error: e.wasm: byte 0x0: "));
    folder.file("e.while", "");
    let ended = folder.run("build e.while");
    assert_eq!((ended.status, ended.stdout.as_str()), (0, "func main() {\nblock0:\n  return\n}\n"), "no statements");
}

#[test]
fn no_input_reaches_the_terminal_as_a_command() {
    let folder = Folder::with("wrong_control", "a.while", "x := \x1b[31m 1;\n");
    let message = folder.refusal("build a.while");
    assert!(message.starts_with("error: a.while:1:6: unexpected") && !message.contains('\x1b'), "{message}");
    folder.file("b.ssa", "func \"\\u{1b}[2J\"() {\na:\n  return %1\n}\n");
    assert!(!folder.refusal("build b.ssa").contains('\x1b'));
}

#[test]
fn a_certificate_is_no_program_and_a_module_has_a_magic_number() {
    let folder = Folder::with("wrong_kind", "sum.ssa", SUM);
    assert_eq!(folder.stdout("build sum.ssa -q --emit cert -o x.cert"), "");
    for command in COMMANDS {
        let expected =
            "error: x.cert: expected a program, found a certificate: use `ssaphire check --certificate x.cert`\n";
        assert_eq!(folder.refusal(&format!("{command} x.cert")), expected);
    }
    let expected =
        "error: f.wasm: byte 0x0: expected a WebAssembly module, which begins with the magic number `\\0asm`\n";
    for bytes in [&b""[..], b"\0as", b"GIF89a", b"asm\x01\0\0\0", &SUCCESSOR[1..], b"\xff\xfe(module)"] {
        folder.file("f.wasm", bytes);
        assert_eq!(folder.refusal("build f.wasm"), expected, "{bytes:?}");
    }
    folder.file("f.wat", b"(module \xff)");
    let message = folder.refusal("build f.wat");
    let expected = "error: f.wat:1:9: expected WebAssembly text, found invalid UTF-8 at byte 0x8\n";
    assert!(message.starts_with(expected), "{message}");
    folder.file("f.wasm", "(module)");
    assert_eq!(folder.run("build f.wasm").status, 0, "the text format in a file of that name");
}

#[test]
fn an_unknown_function_is_answered_with_similar_names() {
    let folder = Folder::with("wrong_function", "gcd.while", GCD);
    for command in ["build", "check", "stats"] {
        let message = folder.refusal(&format!("{command} gcd.while --function mian"));
        assert_eq!(
            message,
            "error: `--function mian`: no function in gcd.while has this name or number; did you mean `main`?\n",
            "{command}"
        );
    }
    let message = folder.refusal("build gcd.while gcd.while -f zzz -f 9");
    let line =
        |name: &str| format!("error: `--function {name}`: no function in any of 2 inputs has this name or number\n");
    assert_eq!(message, line("zzz") + &line("9"));
    assert_eq!(
        folder.refusal("run gcd.while --entry 7"),
        "error: `--entry 7`: no function in gcd.while has this name or number\n"
    );
}

#[test]
fn a_module_cut_short_is_refused_at_every_length() {
    let folder = Folder::new("wrong_truncated");
    // At these lengths a module ends between two sections, and lacks nothing.
    let whole = [8, 16];
    for len in 0..SUCCESSOR.len() {
        folder.file("cut.wasm", &SUCCESSOR[..len]);
        let ended = folder.run("build cut.wasm");
        if whole.contains(&len) {
            assert_eq!((ended.status, ended.stdout.as_str()), (0, ""), "{len} bytes");
        } else {
            assert!(refusal(ended).starts_with("error: cut.wasm: byte 0x"), "{len} bytes");
        }
    }
}

#[test]
fn a_module_with_a_wrong_byte_is_built_or_refused() {
    let folder = Folder::new("wrong_mutated");
    let mut refused = 0;
    for place in 0..SUCCESSOR.len() {
        for change in [0x01, 0x80] {
            let mut bytes = SUCCESSOR.to_vec();
            bytes[place] ^= change;
            folder.file("changed.wasm", &bytes);
            let ended = folder.run("build changed.wasm");
            if ended.status != 0 {
                refused += 1;
                let message = refusal(ended);
                assert!(message.starts_with("error: changed.wasm:"), "byte {place}: {message}");
            }
        }
    }
    assert!(refused > 2 * SUCCESSOR.len() / 2, "{refused} were refused");
}

#[test]
fn a_function_that_cannot_be_built_stops_no_other() {
    let module = "(module
      (func $first (result i32) (i32.const 1))
      (func $long (param $x i32) (result i32) (loop (local.set $x (local.get $x)) (br_if 0 (local.get $x))) (local.get $x))
      (func $last (result i32) (i32.const 3)))";
    let folder = Folder::with("wrong_function_of_many", "m.wat", module);
    for threads in 1..=2 {
        let ended = folder.run(&format!("build m.wat --work-limit 1 --threads {threads}"));
        let expected =
            "dialect wasm\n\nfunc first() {\nblock0:\n  return 1\n}\n\nfunc last() {\nblock0:\n  return 3\n}\n";
        assert_eq!((ended.status, ended.stdout.as_str()), (1, expected));
        let (first, rest) = ended.stderr.split_once('\n').unwrap();
        assert!(first.starts_with("error: m.wat:3:") && first.contains(": function 1 `long`: "), "{first}");
        let (_, rest) = rest.split_once("^\n").unwrap();
        assert_eq!(rest, "2 functions, 1 not built, 2 blocks, 0 phis, judged: accepted\n");
    }
    let checked = folder.run("check m.wat --work-limit 1");
    assert!(checked.status == 1 && checked.stdout.contains("1 function could not be built\n"), "{checked:?}");
    assert_eq!(folder.run("stats m.wat --work-limit 1").status, 1);
}

/// Every call in a protected region is an edge to its handler, where each variable has a phi.
#[test]
fn kilobytes_that_stand_for_millions_of_phi_operands_are_refused() {
    let folder = Folder::new("wrong_operands");
    let count = 2_100;
    let declared: String = (0..count).map(|number| format!("let v{number} = 0;")).collect();
    let assigned: String = (0..count).map(|number| format!("v{number} = g();")).collect();
    let read: String = (0..count).map(|number| format!("g(v{number});")).collect();
    let handled = format!("g();\nfunction f(g) {{ {declared} try {{ {assigned} }} catch {{ {read} }} }}\n");
    folder.file("handled.js", handled);
    folder.file("branches.ssa", branches(count));
    let files = [("branches.ssa", "branches.ssa:5:1"), ("handled.js", "handled.js:2:1")];
    let files = if cfg!(feature = "js") { &files[..] } else { &files[..1] };
    let both = ["build", "check", "opt"].into_iter().flat_map(|command| files.iter().map(move |file| (command, file)));
    for (command, &(file, place)) in both {
        let ended = folder.run(&format!("{command} {file}"));
        let message = ended.stderr;
        assert_eq!(ended.status, 1, "{command}: {message}");
        assert!(message.contains("too many operands: the limit is 4194304"), "{command}: {message}");
        assert!(message.contains(place) && message.contains("`f`"), "{command}: {message}");
        assert!(command != "opt" || message.matches("too many operands").count() == 1, "{message}");
    }
}

/// Two functions, the second with `count` branches to one block, where as many variables are read.
fn branches(count: usize) -> String {
    let blocks: String = (0..count)
        .map(|number| format!("b{number}:\n v{number} = read()\n branch v{number}, end, b{}\n", number + 1))
        .collect();
    let read: Vec<String> = (0..count).map(|number| format!("v{number}")).collect();
    format!(
        "func first() {{\nentry:\n return\n}}\nfunc f() {{\n{blocks}b{count}:\n jump end\nend:\n print {}\n return\n}}\n",
        read.join(", ")
    )
}

#[test]
fn a_construction_that_takes_too_many_steps_says_so() {
    let folder = Folder::new("wrong_steps");
    folder.file("branches.ssa", branches(7_000));
    let ended = folder.run("build branches.ssa");
    let message = ended.stderr;
    assert_eq!(ended.status, 1, "{message}");
    assert!(message.contains("takes more than") && message.contains("--work-limit"), "{message}");
    assert!(message.contains("branches.ssa:5:1") && message.contains("`f`"), "{message}");
}
