//! What is written does what the source does.

use super::written;
use ssaphire_js::source::SourceKind;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// Programs that log what they see.
const PROGRAMS: &[(&str, &str)] = &[
    ("loops", include_str!("programs/loops.js")),
    ("exceptions", include_str!("programs/exceptions.js")),
    ("closures", include_str!("programs/closures.js")),
    ("generators", include_str!("programs/generators.js")),
    ("async", include_str!("programs/async.js")),
    ("classes", include_str!("programs/classes.js")),
    ("patterns", include_str!("programs/patterns.js")),
    ("expressions", include_str!("programs/expressions.js")),
    ("names", include_str!("programs/names.js")),
    ("verbatim", include_str!("programs/verbatim.js")),
];

/// What `source` prints in Node; none where there is no Node.
fn run(source: &str) -> Option<String> {
    let node =
        Command::new("node").arg("-").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut node = match node {
        Ok(node) => node,
        Err(error) => {
            assert!(std::env::var_os("SSAPHIRE_NO_SKIP").is_none(), "node: {error}");
            println!("skipped: no engine");
            return None;
        }
    };
    node.stdin.take()?.write_all(source.as_bytes()).expect("node reads");
    let output = node.wait_with_output().expect("node ends");
    assert!(output.status.success(), "{}\n{source}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn programs_do_what_they_did() {
    for (name, source) in PROGRAMS {
        let Some(expected) = run(source) else { return };
        assert!(expected.lines().count() > 3, "{name}: logs something");
        let text = written(source, SourceKind::SCRIPT);
        let Some(found) = run(&text) else { return };
        assert_eq!(found, expected, "{name}:\n{text}");
        // What has been written can be read and written again.
        let again = written(&text, SourceKind::SCRIPT);
        assert_eq!(run(&again), Some(expected), "{name}, twice:\n{again}");
    }
}

#[test]
fn a_wrong_program_is_found() {
    let source = "console.log(1 - 2);";
    let text = written(source, SourceKind::SCRIPT).replace("1 - 2", "2 - 1");
    if let (Some(expected), Some(found)) = (run(source), run(&text)) {
        assert_ne!(expected, found);
    }
}
