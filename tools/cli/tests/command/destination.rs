//! `-o`, `--color`, and output that cannot be written.

use crate::support::{Ended, Folder, SUM, SUM_LINE};
use std::fs;

fn folder(name: &str) -> Folder {
    Folder::with(name, "sum.ssa", SUM)
}

/// What the folder holds.
fn names(folder: &Folder) -> Vec<String> {
    let entries = fs::read_dir(folder.path("")).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn results_go_to_a_file_that_appears_when_they_are_there() {
    let folder = folder("destination_file");
    let expected = folder.stdout("build sum.ssa");
    let ended = folder.run("build sum.ssa -o out.ssa");
    assert_eq!(ended, Ended { status: 0, stdout: String::new(), stderr: SUM_LINE.to_owned() });
    assert_eq!(fs::read_to_string(folder.path("out.ssa")).unwrap(), expected);
    assert_eq!(names(&folder), ["out.ssa", "sum.ssa"]);
    assert_eq!(folder.stdout("build sum.ssa --output -"), expected, "standard output");
    assert_eq!(folder.run("build sum.ssa -q -o sum.ssa").status, 0);
    assert_eq!(fs::read_to_string(folder.path("sum.ssa")).unwrap(), expected, "the input is read before");
}

#[test]
fn every_command_writes_to_a_file() {
    let folder = folder("destination_commands");
    for command in ["build sum.ssa", "check sum.ssa", "stats sum.ssa", "run sum.ssa --args 4", "completions zsh", "man"]
    {
        let expected = folder.stdout(command);
        assert_eq!(folder.stdout(&format!("{command} -o out")), "", "{command}");
        assert_eq!(fs::read_to_string(folder.path("out")).unwrap(), expected, "{command}");
    }
}

#[test]
fn a_run_that_fails_leaves_the_file_as_it_was() {
    let folder = folder("destination_failure");
    folder.file("out", "before");
    for arguments in ["build none.ssa -o out", "build sum.ssa --function mus -o out", "run sum.ssa -o out"] {
        folder.refusal(arguments);
        assert_eq!(fs::read_to_string(folder.path("out")).unwrap(), "before", "{arguments}");
    }
    assert_eq!(names(&folder), ["out", "sum.ssa"], "nothing is left beside it");
    assert_eq!(folder.run("build sum.ssa --work-limit 1 -o out").status, 1);
    assert_eq!(fs::read_to_string(folder.path("out")).unwrap(), "", "a finding is a result");
}

#[test]
fn a_place_that_cannot_be_written_is_named() {
    let folder = folder("destination_wrong");
    assert!(folder.refusal("build sum.ssa -o none/out").starts_with("error: none/out: "));
    assert!(folder.refusal("build sum.ssa -o .").starts_with("error: .: "));
    let message = folder.refusal("build sum.ssa --json -o none/out");
    let message: serde_json::Value = serde_json::from_str(&message).unwrap();
    assert_eq!(message["input"], "none/out");
}

#[test]
#[cfg(unix)]
fn links_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder("destination_link");
    folder.file("out", "before");
    fs::set_permissions(folder.path("out"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("out", folder.path("link")).unwrap();
    assert_eq!(folder.run("build sum.ssa -o link").status, 0);
    assert!(fs::symlink_metadata(folder.path("link")).unwrap().is_symlink());
    assert!(fs::read_to_string(folder.path("out")).unwrap().starts_with("func sum"));
    assert_eq!(fs::metadata(folder.path("out")).unwrap().permissions().mode() & 0o777, 0o640);
}

/// Devices are written to, and never replaced by files.
#[test]
#[cfg(target_os = "linux")]
fn devices_are_no_files_to_replace() {
    let folder = folder("destination_device");
    assert_eq!(folder.run("build sum.ssa -o /dev/null").status, 0);
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
    let message = folder.refusal("build sum.ssa -o /dev/full");
    assert!(message.starts_with("error: /dev/full: "), "{message}");
}

/// Each command says that a disk is full, help included.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error_of_every_command() {
    let folder = folder("destination_full");
    for command in
        ["build sum.ssa", "check sum.ssa", "stats sum.ssa", "run sum.ssa --args 4", "man", "completions fish", "--help"]
    {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let output = folder.command(command).stdout(full).spawn().unwrap().wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{command}: {stderr}");
        assert!(stderr.starts_with("error: standard output: "), "{command}: {stderr}");
    }
}

#[test]
fn colors_are_used_when_they_are_asked_for() {
    let folder = folder("destination_color");
    for (when, is_colored) in [("always", true), ("never", false), ("auto", false)] {
        for arguments in ["check sum.ssa", "build none.ssa", "--help", "biuld"] {
            let Ended { stdout, stderr, .. } = folder.run(&format!("{arguments} --color {when}"));
            assert_eq!((stdout + &stderr).contains('\x1b'), is_colored, "{arguments} --color {when}");
        }
    }
    assert!(folder.run("--color=always check sum.ssa").stdout.contains('\x1b'), "before the command, too");
    assert!(folder.refusal("check sum.ssa --color sometimes").contains("auto, always, never"));
}
