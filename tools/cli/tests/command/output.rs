//! Streams: broken pipes, full disks, help.

use crate::support::{Folder, SUM};
use std::fs::File;
use std::io::Read;

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
