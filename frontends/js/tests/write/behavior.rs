//! What is written does what the source does.

use super::{written, written_in_part};
use ssaphire_js::source::SourceKind;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// No program runs as long, on any machine.
const PATIENCE: Duration = Duration::from_secs(100);

/// A test for each program, which logs what it sees.
macro_rules! programs {
    ($($test:ident: $name:literal, $kind:ident;)*) => {
        $(
            #[test]
            fn $test() {
                does_what_it_did($name, include_str!(concat!("programs/", $name, ".js")), SourceKind::$kind);
            }
        )*
    };
}

programs! {
    loops_do_what_they_did: "loops", SCRIPT;
    exceptions_do_what_they_did: "exceptions", SCRIPT;
    closures_do_what_they_did: "closures", SCRIPT;
    generators_do_what_they_did: "generators", SCRIPT;
    async_functions_do_what_they_did: "async", SCRIPT;
    classes_do_what_they_did: "classes", SCRIPT;
    patterns_do_what_they_did: "patterns", SCRIPT;
    expressions_do_what_they_did: "expressions", SCRIPT;
    names_do_what_they_did: "names", SCRIPT;
    verbatim_functions_do_what_they_did: "verbatim", SCRIPT;
    corners_do_what_they_did: "corners", SCRIPT;
    assignments_to_elements_do_what_they_did: "elements", SCRIPT;
    loops_over_keys_do_what_they_did: "keys", SCRIPT;
    commonjs_does_what_it_did: "commonjs", COMMON_JS;
    what_is_restored_does_what_it_did: "restored", SCRIPT;
    intrinsics_do_what_they_did: "intrinsics", MODULE;
}

/// Runs the function of a CommonJS module.
const COMPILE: &str = "new (require('module'))('/x.cjs')._compile(require('fs').readFileSync(0, 'utf8'), '/x.cjs')";

/// How Node reads a program from its input.
fn arguments(kind: SourceKind) -> &'static [&'static str] {
    match kind {
        SourceKind::MODULE => &["--input-type=module", "-"],
        SourceKind::COMMON_JS => &["-e", COMPILE],
        _ => &["-"],
    }
}

/// What `source` prints in Node; none where there is no Node.
fn run(source: &str, kind: SourceKind) -> Option<String> {
    let node = Command::new("node")
        .args(arguments(kind))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
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

/// What Node prints, if there is one.
pub(crate) fn node(arguments: &[&str]) -> Option<String> {
    match Command::new("node").args(arguments).output() {
        Ok(output) => {
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            Some(String::from_utf8_lossy(&output.stdout).into_owned())
        }
        Err(error) => {
            assert!(std::env::var_os("SSAPHIRE_NO_SKIP").is_none(), "node: {error}");
            println!("skipped: no engine");
            None
        }
    }
}

#[track_caller]
fn does_what_it_did(name: &str, source: &str, kind: SourceKind) {
    let Some(expected) = run(source, kind) else { return };
    assert!(expected.lines().count() > 3, "{name}: logs something");
    let text = written(source, kind);
    let Some(found) = run(&text, kind) else { return };
    assert_eq!(found, expected, "{name}:\n{text}");
    assert_eq!(written_in_part(source, kind, |_| true), source, "{name}: what is unchanged stays");
    for part in 0..3 {
        let text = written_in_part(source, kind, |number| number % 3 == part || number % 7 == part);
        assert_eq!(run(&text, kind).as_ref(), Some(&expected), "{name}, in part {part}:\n{text}");
    }
    let text = written_in_part(source, kind, |number| number > 0);
    assert_eq!(run(&text, kind).as_ref(), Some(&expected), "{name}, but for the top:\n{text}");
    // What has been written can be read and written again.
    let again = written(&text, kind);
    assert_eq!(run(&again, kind), Some(expected), "{name}, twice:\n{again}");
}

#[test]
fn a_wrong_program_is_found() {
    let source = "console.log(1 - 2);";
    let text = written(source, SourceKind::SCRIPT).replace("1 - 2", "2 - 1");
    if let (Some(expected), Some(found)) = (run(source, SourceKind::SCRIPT), run(&text, SourceKind::SCRIPT)) {
        assert_ne!(expected, found);
    }
}
