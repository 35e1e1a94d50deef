//! Texts in files: what is applied to them, and what comes out.
//!
//! `ir/README.md` describes the files in `ir/tests/files`.

mod commands;
mod format;

use commands::run;
use format::{Outcome, TestFile};
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Set to 1, the expected output is written instead of compared.
const BLESS: &str = "SSAPHIRE_BLESS";

/// All test files, in order.
fn files() -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut pending = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files")];
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            pending.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else if !path.ends_with("README.md") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// The file with the output that its commands have now, and what is wrong with it.
fn check(text: &str) -> (Option<String>, Vec<(usize, String)>) {
    let file = match TestFile::parse(text) {
        Ok(file) => file,
        Err(error) => return (None, vec![error]),
    };
    let (mut outcomes, mut errors): (Vec<Vec<Outcome>>, Vec<_>) = Default::default();
    for case in &file.cases {
        let results = case.commands.iter().map(|command| {
            // An assertion in a command is about this case.
            let result = catch_unwind(|| run(command, &case.input));
            result
                .unwrap_or_else(|_| Err("a panic; its message is above".to_owned()))
                .map_err(|why| format!("{command}: {why}"))
        });
        match results.collect::<Result<Vec<_>, _>>() {
            Ok(results) => {
                let found = case.render(&results);
                if case.expected.is_empty() {
                    errors.push((case.input_line, "no `; expect` or `; unchanged` line follows the input".to_owned()));
                } else if found != case.expected {
                    let (line, diff) = difference(&case.expected, &found);
                    errors.push((case.expected_line + line, diff));
                }
                outcomes.push(results);
            }
            Err(error) => errors.push((case.input_line, error)),
        }
    }
    let is_complete = outcomes.len() == file.cases.len();
    (is_complete.then(|| file.render(&outcomes)), errors)
}

/// The index of the first line that differs, and both texts from there to the last one.
fn difference(expected: &str, found: &str) -> (usize, String) {
    let [expected, found]: [Vec<&str>; 2] = [expected, found].map(|text| text.lines().collect());
    let same = |pairs: &mut dyn Iterator<Item = (&&str, &&str)>| pairs.take_while(|(one, other)| one == other).count();
    let start = same(&mut expected.iter().zip(&found));
    let end = same(&mut expected[start..].iter().rev().zip(found[start..].iter().rev()));
    let mut text = "the output differs".to_owned();
    let context = start.saturating_sub(2)..start;
    expected[context].iter().for_each(|line| text += &format!("\n  {line}"));
    expected[start..expected.len() - end].iter().for_each(|line| text += &format!("\n- {line}"));
    found[start..found.len() - end].iter().for_each(|line| text += &format!("\n+ {line}"));
    expected[expected.len() - end..].iter().take(2).for_each(|line| text += &format!("\n  {line}"));
    (start, text)
}

#[test]
fn files_have_the_expected_output() {
    let is_blessing = env::var(BLESS).is_ok_and(|value| value == "1");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut failures = Vec::new();
    let files = files();
    for path in &files {
        let shown = path.strip_prefix(root).unwrap_or(path).display();
        if path.extension().is_none_or(|extension| extension != "ssa") {
            failures.push(format!("{shown}: the name of a test file ends with `.ssa`"));
            continue;
        }
        let text = fs::read_to_string(path).unwrap();
        let (blessed, errors) = check(&text);
        match blessed {
            Some(blessed) if is_blessing => {
                if blessed != text {
                    fs::write(path, blessed).unwrap();
                }
            }
            _ => failures.extend(errors.into_iter().map(|(line, why)| format!("{shown}:{line}: {why}"))),
        }
    }
    assert!(files.len() > 100, "{} files", files.len());
    let hint = format!("{BLESS}=1 writes the output of today as the expected one");
    assert!(failures.is_empty(), "{}\n\n{} failures; {hint}", failures.join("\n\n"), failures.len());
}

const FOLDED: &str = "\
; A sum of constants.
; test: pass constants

func f() {
block0:
  %0 = add 1, 2
  return %0
}
; expect
func f() {
block0:
  return 3
}
; report: Propagated { constants: 1, branches: 0, blocks: 0, redundant_phis: 0 }
";

#[test]
fn a_file_is_refused_at_its_line_with_a_difference() {
    let errors = |text: &str| check(text).1;
    assert_eq!(errors(FOLDED), []);
    let (line, why) = &errors(&FOLDED.replace("return 3", "return 4"))[0];
    let diff = "the output differs\n  func f() {\n  block0:\n-   return 4\n+   return 3\n  }\n  ; report: ";
    assert_eq!((*line, why.starts_with(diff)), (12, true), "{why}");
    let unknown = errors(&FOLDED.replace("pass constants", "pass constant"));
    assert!(unknown[0].1.contains("\"constant\": unknown pass"), "{unknown:?}");
    let unknown = errors(&FOLDED.replace("pass constants", "passes"));
    assert_eq!(unknown, [(4, "passes: no such command".to_owned())]);
    let option = errors(&FOLDED.replace("pass constants", "pass constants loops"));
    assert_eq!(option, [(4, "pass constants loops: `loops` is no option of this command".to_owned())]);
    let (input, _) = FOLDED.split_once("; expect").unwrap();
    assert_eq!(errors(input), [(4, "no `; expect` or `; unchanged` line follows the input".to_owned())]);
    assert_eq!(check(input).0.as_deref(), Some(FOLDED), "blessed");
    let malformed = errors(&FOLDED.replace("return %0", "return %1"));
    assert_eq!(malformed, [(4, "pass constants: 4:10: %1: used but never defined".to_owned())]);
}
