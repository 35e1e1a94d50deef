//! What is written does what the source does.

use super::written;
use ssaphire_js::source::SourceKind;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// No program runs as long, on any machine.
const PATIENCE: Duration = Duration::from_secs(100);

/// A test for each program, which logs what it sees.
macro_rules! programs {
    ($($test:ident: $name:literal,)*) => {
        $(
            #[test]
            fn $test() {
                does_what_it_did($name, include_str!(concat!("programs/", $name, ".js")));
            }
        )*
    };
}

programs! {
    loops_do_what_they_did: "loops",
    exceptions_do_what_they_did: "exceptions",
    closures_do_what_they_did: "closures",
    generators_do_what_they_did: "generators",
    async_functions_do_what_they_did: "async",
    classes_do_what_they_did: "classes",
    patterns_do_what_they_did: "patterns",
    expressions_do_what_they_did: "expressions",
    names_do_what_they_did: "names",
    verbatim_functions_do_what_they_did: "verbatim",
    corners_do_what_they_did: "corners",
}

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
    let start = Instant::now();
    while node.try_wait().expect("node is waited for here alone").is_none() {
        if start.elapsed() > PATIENCE {
            node.kill().expect("node can be stopped");
            panic!("it does not end:\n{source}");
        }
        sleep(Duration::from_millis(5));
    }
    let output = node.wait_with_output().expect("node has ended");
    assert!(output.status.success(), "{}\n{source}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[track_caller]
fn does_what_it_did(name: &str, source: &str) {
    let Some(expected) = run(source) else { return };
    assert!(expected.lines().count() > 3, "{name}: logs something");
    let text = written(source, SourceKind::SCRIPT);
    let Some(found) = run(&text) else { return };
    assert_eq!(found, expected, "{name}:\n{text}");
    // What has been written can be read and written again.
    let again = written(&text, SourceKind::SCRIPT);
    assert_eq!(run(&again), Some(expected), "{name}, twice:\n{again}");
}

#[test]
fn a_wrong_program_is_found() {
    let source = "console.log(1 - 2);";
    let text = written(source, SourceKind::SCRIPT).replace("1 - 2", "2 - 1");
    if let (Some(expected), Some(found)) = (run(source), run(&text)) {
        assert_ne!(expected, found);
    }
}
