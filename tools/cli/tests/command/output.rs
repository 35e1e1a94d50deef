//! Streams: broken pipes, full disks, help.

use crate::support::{Folder, SUM};
use std::fs::File;
use std::io::Read;
use std::process::Command;

fn many() -> String {
    (0..3000).map(|number| SUM.replace("sum", &format!("sum{number}"))).collect()
}

#[test]
fn a_reader_that_leaves_early_ends_it_quietly() {
    let folder = Folder::with("output_pipe", "many.ssa", many());
    for command in ["build many.ssa", "build many.ssa --threads 2", "stats many.ssa"] {
        let mut child = folder.command(command).spawn().unwrap();
        let mut first = [0; 4];
        child.stdout.take().unwrap().read_exact(&mut first).unwrap();
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), stderr.as_str()), (Some(141), ""), "{command}");
    }
}

/// A device that takes nothing, where the system has one.
#[test]
#[cfg(target_os = "linux")]
fn output_that_cannot_be_written_is_an_error() {
    let folder = Folder::with("output_full", "sum.ssa", SUM);
    let full = File::options().write(true).open("/dev/full").unwrap();
    let output = folder.command("build sum.ssa").stdout(full).spawn().unwrap().wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.starts_with("error: standard output: "), "{stderr}");
}

/// Results that nobody can get are an error; `/dev/null` and a command without results are fine.
#[test]
#[cfg(unix)]
fn a_closed_standard_output_is_an_error() {
    let folder = Folder::with("output_closed_stdout", "sum.ssa", SUM);
    folder.file("nothing.while", "skip;");
    let expected = |is_error| match is_error {
        true => (Some(2), "error: standard output: it is closed\n"),
        false => (Some(0), ""),
    };
    for (arguments, is_error) in [
        ("build sum.ssa -q >&-", true),
        ("check sum.ssa >&-", true),
        ("stats sum.ssa >&-", true),
        ("run sum.ssa --args 4 >&-", true),
        ("man >&-", true),
        ("--help >&-", true),
        ("build sum.ssa -q >/dev/null", false),
        ("build sum.ssa -q <>/dev/null >&0", false),
        ("build sum.ssa -q -o out >&-", false),
        ("run nothing.while >&-", false),
    ] {
        let line = format!("\"$0\" {arguments}");
        let mut shell = Command::new("sh");
        shell.args(["-c", &line, env!("CARGO_BIN_EXE_ssaphire")]).current_dir(folder.path(""));
        let output = shell.output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), stderr.as_str()), expected(is_error), "{arguments}");
    }
}

#[test]
fn standard_error_may_be_closed() {
    let folder = Folder::new("output_closed");
    let mut child = folder.command("build nothing.ssa").spawn().unwrap();
    drop(child.stderr.take());
    assert_eq!(child.wait().unwrap().code(), Some(2));
}

#[test]
fn help_has_examples_and_ends_well() {
    let folder = Folder::new("output_help");
    for command in ["--help", "build --help", "check --help", "stats --help", "run --help"] {
        let text = folder.stdout(command);
        assert!(text.contains("Examples:\n  ssaphire "), "{command}: {text}");
        assert!(!text.contains('\x1b'), "no colors where nobody sees them");
    }
    assert_eq!(folder.stdout("--version"), concat!("ssaphire ", env!("CARGO_PKG_VERSION"), "\n"));
}
