//! The example that compiles to LLVM IR: what it writes is in SSA form, and does what the program does, where there is an `lli`.

#[path = "../examples/to_llvm.rs"]
#[expect(dead_code, reason = "it is a program of its own")]
mod to_llvm;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// An `lli` of a version that knows opaque pointers.
fn lli() -> Option<String> {
    let versions = (15..=30).rev().map(|version| format!("lli-{version}"));
    versions.chain(["lli".to_owned()]).find(|name| {
        let Ok(output) = Command::new(name).arg("--version").output() else { return false };
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let version = text.split_once("version ").and_then(|(_, rest)| rest.split('.').next()?.parse::<u32>().ok());
        version.is_some_and(|version| version >= 15)
    })
}

/// Compiles a program, and requires that it prints that, where it can be executed.
#[track_caller]
fn prints(name: &str, source: &str, arguments: &[&str], input: &str, expected: &str) {
    let text = to_llvm::compile(source).unwrap_or_else(|message| panic!("{name}: {message}"));
    let of_program = text.split("define private [").skip(1).map(|part| part.split("\n}").next().unwrap_or(""));
    assert!(of_program.clone().count() > 0 && !of_program.clone().any(|text| text.contains("alloca")), "{name}");
    let Some(lli) = lli() else { return };
    let file = std::env::temp_dir().join(format!("ssaphire-{name}-{}.ll", std::process::id()));
    fs::write(&file, text).expect("a file");
    let mut command = Command::new(lli);
    command.arg(&file).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it has said its version");
    // A program that reads nothing may have ended.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("its end");
    let _ = fs::remove_file(&file);
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        expected,
        "{name}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// The results are in comments: `// run: (10) -> 4`.
#[test]
fn the_examples_print_what_they_should() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut num_runs = 0;
    for name in ["automaton", "collatz", "primes", "sum", "thesis"] {
        let source = fs::read_to_string(folder.join(name).with_extension("while")).expect("an example");
        let input = source.lines().find_map(|line| line.strip_prefix("// input: ")).unwrap_or("").replace(',', " ");
        for run in source.lines().filter_map(|line| line.strip_prefix("// run: (")) {
            let (arguments, result) = run.split_once(") ->").expect("a result");
            let arguments: Vec<&str> = arguments.split(", ").filter(|argument| !argument.is_empty()).collect();
            // What it prints before is in no comment.
            let silent: String =
                source.lines().filter(|line| !line.trim_start().starts_with("print ")).collect::<Vec<_>>().join("\n");
            prints(name, &silent, &arguments, &input, &format!("{}\n", result.trim_start()));
            num_runs += 1;
        }
    }
    assert!(num_runs >= 3, "{num_runs}");
}

#[test]
fn operators_are_those_of_while() {
    let source = "\
func f(x, y) {
  print x / y, x % y, -x, !x, x << 65, x >> 1, x && y, x || 0, x < y, x <= y, x == y, x != y;
  least := 1 << 63;
  print least / -1, least % -1, least - 1;
  return read() + 5;
}
";
    let expected = "-3, -1, 7, 0, -14, -4, 1, 1, 1, 1, 0, 1\n-9223372036854775808, 0, 9223372036854775807\n6\n";
    prints("operators", source, &["-7", "2"], "1\n", expected);
}

#[test]
fn what_is_not_compiled_is_refused() {
    let refused = |source: &str| to_llvm::compile(source).expect_err(source);
    assert!(refused("func f(x) { return g(x); }").contains("`g` is no function of the program"));
    assert!(refused("func f(x) {").contains("expected"));
}
