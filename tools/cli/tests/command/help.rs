//! Help, completions and manual pages; what examples say works.

use crate::support::{COPIES, Folder, GCD, SUM};
use std::fs;
use std::path::Path;
use std::process::Command;

const COMMANDS: [&str; 7] = ["build", "check", "stats", "opt", "run", "completions", "man"];

/// A folder with the files that examples name.
fn folder() -> Folder {
    let folder = Folder::new("help_examples");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let [sieve, primes] =
        ["examples/sieve.wat", "examples/primes.while"].map(|file| fs::read(root.join(file)).unwrap());
    for inner in ["examples", "folder"] {
        fs::create_dir_all(folder.path(inner)).unwrap();
    }
    folder.file("examples/sieve.wat", &sieve);
    folder.file("examples/primes.while", primes);
    folder.file("sieve.wat", sieve);
    folder.file("folder/copies.ssa", COPIES);
    folder.file("gcd.while", GCD);
    folder.file("sum.while", "func sum(n) { s := 0; while n > 0 { s := s + n; n := n - 1; } return s; }");
    folder.file("loop.ssa", "func loop() {\nbefore:\n  i = 9\n  jump body\nbody:\n  i = sub i, 1\n  branch i, body, after\nafter:\n  return i\n}\n");
    folder.file("sum.ssa", SUM);
    folder.file("a.while", GCD);
    folder.file("b.while", "x := 1;");
    let module = "(module (func (export \"main\") (param i32) (result i32) (i32.add (local.get 0) (i32.const 1))))";
    folder.file("module.wat", module);
    let assembled = wast::parser::ParseBuffer::new(module).unwrap();
    let assembled = wast::parser::parse::<wast::Wat<'_>>(&assembled).unwrap().encode().unwrap();
    ["module.wasm", "a.wasm", "b.wasm"].iter().for_each(|file| folder.file(file, &assembled));
    assert_eq!(folder.stdout("build sum.ssa --emit cert -q -o result.cert"), "");
    folder
}

/// The examples in the help of `command`, up to what is another program's.
fn examples(folder: &Folder, command: &str) -> Vec<String> {
    let help = folder.stdout(&format!("{command} --help"));
    let (_, examples) = help.split_once("Examples:\n").unwrap_or_else(|| panic!("{command}: {help}"));
    let lines = examples.lines().map_while(|line| line.strip_prefix("  "));
    // Some are followed by what they do, others by a pipe.
    let own = |line: &str| line.split("   ").next().and_then(|line| line.split(" | ").next()).unwrap_or("").to_owned();
    lines.map(own).collect()
}

/// Each example of each command ends well, run by a shell.
#[test]
#[cfg(unix)]
fn examples_in_help_run() {
    let folder = folder();
    let binary = Path::new(env!("CARGO_BIN_EXE_ssaphire"));
    let path = format!("{}:{}", binary.parent().unwrap().display(), std::env::var("PATH").unwrap_or_default());
    for command in [""].into_iter().chain(COMMANDS) {
        let examples = examples(&folder, command);
        assert!(examples.len() > 1, "{command}: {examples:?}");
        for example in examples {
            assert!(example.starts_with("ssaphire "), "{example}");
            let shell =
                Command::new("sh").args(["-c", &example]).current_dir(folder.path("")).env("PATH", &path).output();
            let output = shell.unwrap();
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(0), "{example}: {stderr}");
            let has_file = example.contains(" > ") || example.contains(" -o ") || example.contains("--folder");
            assert_eq!(output.stdout.is_empty(), has_file, "{example}");
        }
    }
    for file in [
        "table.txt",
        "ssaphire.bash",
        "ssaphire.fish",
        "ssaphire.1",
        "counters.csv",
        "plots.svg",
        "man1/ssaphire-run.1",
    ] {
        assert!(fs::metadata(folder.path(file)).unwrap().len() > 0, "{file}");
    }
}

#[test]
fn help_names_every_language_and_every_pass() {
    let folder = Folder::new("help_names");
    let help = folder.stdout("help");
    for extension in ["ssa", "while", "wasm", "wat", "ll", "js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx"] {
        assert!(help.contains(&format!(".{extension}")), "{extension}: {help}");
    }
    let help = folder.stdout("opt --help");
    let (_, listed) = help.split_once("Passes run in the order").unwrap();
    let (_, values) = help.split_once("[possible values: constants,").unwrap();
    let (values, _) = values.split_once(']').unwrap();
    let passes = values.split(',').map(str::trim).chain(["constants"]);
    for pass in passes.filter(|&pass| pass != "none") {
        assert!(listed.lines().any(|line| line.trim_start().starts_with(&format!("{pass} "))), "{pass}: {listed}");
    }
}

#[test]
fn every_shell_gets_completions() {
    let folder = Folder::new("help_completions");
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = folder.stdout(&format!("completions {shell}"));
        for word in COMMANDS.iter().chain(&["via-memory"]) {
            assert!(script.contains(word), "{shell}: {word}");
        }
        // What values there are is nothing that these two are told.
        let has_values = !["elvish", "powershell"].contains(&shell);
        assert_eq!(script.contains("sreedhar-gao"), has_values, "{shell}");
    }
    assert!(folder.refusal("completions cmd").contains("bash"));
}

/// `bash` itself reads its script, where there is one.
#[test]
fn bash_completes() {
    let folder = Folder::new("help_bash");
    folder.file("script", folder.stdout("completions bash"));
    let complete = "source ./script; COMP_WORDS=(ssaphire build --al); COMP_CWORD=2; _ssaphire ssaphire --al build; echo ${COMPREPLY[@]}";
    match Command::new("bash").args(["-c", complete]).current_dir(folder.path("")).output() {
        Err(_) => {
            assert!(std::env::var_os("SSAPHIRE_NO_SKIP").is_none(), "there has to be a bash");
            println!("skipped: no bash");
        }
        Ok(output) => assert_eq!(String::from_utf8_lossy(&output.stdout), "--algorithm\n", "{output:?}"),
    }
}

#[test]
fn there_is_a_page_for_each_command() {
    let folder = Folder::new("help_man");
    let page = folder.stdout("man");
    assert!(page.contains(".TH ssaphire 1") && page.contains("Exit status"), "{page}");
    assert_eq!(folder.stdout("man --folder new/man1"), "");
    let mut pages: Vec<String> = fs::read_dir(folder.path("new/man1"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    pages.sort();
    let mut expected: Vec<String> = COMMANDS.iter().map(|command| format!("ssaphire-{command}.1")).collect();
    expected.push("ssaphire.1".to_owned());
    expected.sort();
    assert_eq!(pages, expected);
    let check = fs::read_to_string(folder.path("new/man1/ssaphire-check.1")).unwrap();
    assert!(check.contains("certificate") && check.contains("ssaphire check"), "{check}");
    folder.file("file", "");
    assert!(folder.refusal("man --folder file").starts_with("error: file: "));
}
