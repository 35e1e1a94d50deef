//! Folders as inputs.

use crate::support::{Folder, GCD, SUCCESSOR, SUM, SUM_LINE};
use std::fs;

/// A folder `in` with files of three languages, at several depths.
fn tree(name: &str) -> Folder {
    let folder = Folder::new(name);
    for inner in ["in/b/deep", "in/.hidden", "in/empty"] {
        fs::create_dir_all(folder.path(inner)).unwrap();
    }
    folder.file("in/b/deep/sum.ssa", SUM);
    folder.file("in/b.while", GCD);
    folder.file("in/a.WASM", SUCCESSOR);
    folder.file("in/notes.txt", "not a program");
    folder.file("in/.hidden/bad.ssa", "not a program");
    folder.file("in/.bad.ssa", "not a program");
    folder
}

/// The inputs that `arguments` build, in order.
#[track_caller]
fn check(folder: &Folder, arguments: &str, expected: &[&str]) {
    let text = folder.stdout(&format!("build {arguments}"));
    let inputs: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("; ")).collect();
    assert_eq!(inputs, expected, "{arguments}");
}

#[test]
fn the_files_of_a_folder_come_in_the_order_of_their_names() {
    let folder = tree("folders_order");
    check(&folder, "in", &["in/a.WASM", "in/b/deep/sum.ssa", "in/b.while"]);
    check(
        &folder,
        "in/b.while in/b in",
        &["in/b.while", "in/b/deep/sum.ssa", "in/a.WASM", "in/b/deep/sum.ssa", "in/b.while"],
    );
    let table = folder.stdout("check in");
    assert_eq!(
        table.lines().skip(1).map(|line| line.split(' ').next().unwrap()).collect::<Vec<_>>()[..3],
        ["in/a.WASM", "in/b/deep/sum.ssa", "in/b.while"]
    );
}

#[test]
fn a_language_that_is_given_chooses_the_files() {
    let folder = tree("folders_language");
    assert_eq!(folder.run("build in --lang ssa").stderr, SUM_LINE);
}

#[test]
fn a_folder_without_programs_is_refused() {
    let folder = tree("folders_empty");
    assert_eq!(folder.refusal("build in/empty"), "error: in/empty: the folder contains no file in a known language\n");
    let expected = "error: in: the folder contains no certificate (.cert)\n";
    assert_eq!(folder.refusal("check --certificate in"), expected);
    assert!(folder.refusal("run in").starts_with("error: in: "), "one program runs");
}

#[test]
fn certificates_are_found_in_folders() {
    let folder = tree("folders_certificates");
    assert_eq!(folder.stdout("build in/b -q --emit cert -o in/b/sum.cert"), "");
    assert!(folder.stdout("check --certificate in").starts_with("in/b/sum.cert: sum: accepted: "));
}

#[test]
#[cfg(unix)]
fn links_do_not_lead_in_circles() {
    use std::os::unix::fs::symlink;
    let folder = tree("folders_links");
    symlink("..", folder.path("in/b/up.ssa")).unwrap();
    symlink("deep/sum.ssa", folder.path("in/b/also.ssa")).unwrap();
    check(&folder, "in/b", &["in/b/also.ssa", "in/b/deep/sum.ssa"]);
    symlink("nowhere", folder.path("in/b/lost.ssa")).unwrap();
    let ended = folder.run("build in/b");
    assert!(ended.stderr.starts_with("error: in/b/lost.ssa: "), "nothing is passed over in silence: {ended:?}");
    assert_eq!((ended.status, ended.stdout.matches("func sum").count()), (2, 2), "and nothing else is kept from work");
}

#[test]
fn a_deep_folder_needs_no_stack() {
    let folder = Folder::new("folders_deep");
    let inner = "d/".repeat(1000);
    fs::create_dir_all(folder.path(&inner)).unwrap();
    folder.file(&format!("{inner}sum.ssa"), SUM);
    assert_eq!(folder.run("build d").stderr, SUM_LINE);
}

#[test]
fn a_file_that_cannot_be_read_stops_no_other_of_its_folder() {
    let folder = tree("folders_unreadable");
    folder.file("in/b/bad.ssa", "func f() {\na:\n  retrun 1\n}\n");
    folder.file("in/b/bad.while", b"x := \xff;\n");
    for command in ["build in", "check in", "opt in", "stats in", "build in -o out", "check in --json"] {
        let ended = folder.run(command);
        assert_eq!(ended.status, 2, "{command}: {ended:?}");
        let (first, rest) = ended.stderr.split_once('\n').unwrap();
        assert!(first.contains("in/b/bad.ssa") && rest.contains("in/b/bad.while"), "{command}: {ended:?}");
        let written =
            if command.ends_with("out") { fs::read_to_string(folder.path("out")).unwrap() } else { ended.stdout };
        assert!(written.contains("sum") && !written.contains("bad"), "{command}: {written}");
    }
    let message = folder.refusal("build in in/b/bad.ssa");
    assert!(message.starts_with("error: in/b/bad.ssa:3:"), "what is named itself stops all: {message}");
    fs::create_dir(folder.path("bad")).unwrap();
    folder.file("bad/one.ssa", "");
    assert_eq!(folder.refusal("build bad"), "error: bad/one.ssa: expected a function\n", "there is nothing else");
}

#[test]
fn a_certificate_that_cannot_be_read_stops_no_other_of_its_folder() {
    let folder = tree("folders_bad_certificate");
    assert_eq!(folder.stdout("build in/b -q --emit cert -o in/b/sum.cert"), "");
    folder.file("in/b/bad.cert", "ssacert 2\nnonsense\n");
    let ended = folder.run("check --certificate in");
    assert!(ended.status == 2 && ended.stderr.starts_with("error: in/b/bad.cert:2:"), "{ended:?}");
    assert!(ended.stdout.starts_with("in/b/sum.cert: sum: accepted: "), "{ended:?}");
}
