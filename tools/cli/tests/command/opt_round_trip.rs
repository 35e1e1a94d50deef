//! What `opt` writes is read again by every command, in every dialect and spelling, and does what it did.

use crate::read_back::LANGUAGES;
use crate::support::Folder;
use std::fs;
use std::path::Path;

/// All passes, those that find more after others a second time.
const ALL: &str = "constants,copies,jump-threading,value-numbering,loop-invariants,dead-code,redundant-phis,empty-blocks,\
                   unreachable-blocks,constants,value-numbering,dead-code";

const TAGS: [&str; 3] = ["block", "condition", "loop"];

#[test]
fn every_dialect_is_read_and_written_in_every_spelling() {
    let folder = Folder::new("opt_all");
    LANGUAGES.iter().for_each(|(file, content)| folder.file(file, content));
    for (file, _) in LANGUAGES {
        for emit in ["text", "memory"] {
            folder.file("built.ssa", folder.stdout(&format!("build {file} --emit {emit} -q")));
            for (phi, tags) in ["list", "params", "upsilon"].into_iter().zip(TAGS) {
                let case = format!("{file} --emit {emit} --phi {phi}");
                let written = folder.stdout(&format!("opt built.ssa --passes {ALL} --phi-tags {tags} --phi {phi} -q"));
                folder.file("again.ssa", &written);
                assert_eq!(folder.stdout(&format!("build again.ssa --phi {phi} -q")), written, "{case}");
                assert!(folder.stdout("check again.ssa").ends_with("every result is accepted\n"), "{case}");
                let again = folder.run(&format!("opt again.ssa --passes redundant-phis --phi {phi}"));
                assert_eq!((again.status, again.stdout), (0, written), "{case}");
                assert!(again.stderr.starts_with("changes: redundant-phis 0\n"), "{case}: {}", again.stderr);
            }
        }
    }
}

/// The `run` lines of a program: arguments of the command.
pub(crate) fn runs(source: &str) -> Vec<String> {
    let (mut input, mut runs) = (String::new(), Vec::new());
    for line in source.lines() {
        if let Some(values) = line.strip_prefix("// input: ") {
            input = format!("--input-values {}", values.replace(' ', ""));
        } else if let Some((args, _)) = line.strip_prefix("// run: (").and_then(|run| run.split_once(')')) {
            let args = if args.is_empty() { String::new() } else { format!("--args {}", args.replace(' ', "")) };
            runs.push(format!("{args} {input}"));
        }
    }
    runs
}

#[test]
fn while_programs_do_the_same_after_all_passes() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/while");
    let folder = Folder::new("opt_while");
    let (mut num_programs, mut num_runs) = (0, 0);
    for (below, strict) in [(corpus.clone(), ""), (corpus.join("strict"), "--strict-while")] {
        let mut paths: Vec<_> = fs::read_dir(below).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "while"));
        paths.sort();
        for path in paths {
            let (source, name) = (fs::read_to_string(&path).unwrap(), path.display());
            folder.file("program.while", &source);
            let tags = TAGS[num_programs % TAGS.len()];
            let opt = format!("opt program.while {strict} --emit ssa --passes {ALL} --phi-tags {tags} -q");
            folder.file("program.ssa", folder.stdout(&opt));
            for run in runs(&source) {
                let before = folder.run(&format!("run program.while {strict} {run}"));
                assert_eq!(folder.run(&format!("run program.ssa {run}")), before, "{name}: {run}");
                num_runs += 1;
            }
            num_programs += 1;
        }
    }
    assert!(num_programs > 15 && num_runs > 25, "{num_programs} {num_runs}");
}

#[test]
fn a_second_loop_that_runs_like_the_first_goes_by_its_tags() {
    let source = "\
func f(n, x) {
  i := 0; s := 0;
  while i < n { s := s + x; i := i + 1; }
  j := 0; t := 0;
  while j < n { t := t + x; j := j + 1; }
  return s, t;
}
";
    let folder = Folder::with("opt_loops", "two.while", source);
    for (tags, num_phis) in [("block", 4), ("condition", 4), ("loop", 2)] {
        let text =
            folder.stdout(&format!("opt two.while --emit ssa --passes value-numbering,dead-code --phi-tags {tags} -q"));
        assert_eq!(text.matches("phi").count(), num_phis, "{tags}: {text}");
        folder.file("two.ssa", text);
        assert_eq!(folder.stdout("run two.ssa --args 4,3"), "12\n12\n");
    }
}
