//! `ssaphire build --emit` of analyses.

use crate::support::{Ended, Folder, GCD, SUCCESSOR, SUM};
use serde_json::Value as Json;

const KINDS: [&str; 5] = ["domtree", "frontiers", "control-deps", "liveness", "defuse"];

/// A loop that never ends, and a block that nothing leads to.
const ENDLESS: &str = "\
func endless(c) {
top:
  branch c, spin, after
spin:
  jump spin
lost:
  jump after
after:
  return c
}
";

#[track_caller]
fn check(folder: &Folder, arguments: &str, expected: &str) {
    assert_eq!(folder.stdout(&format!("build {arguments} -q")), expected);
}

#[test]
fn each_analysis_has_a_line_per_block_or_definition() {
    let folder = Folder::with("emit_text", "sum.ssa", SUM);
    let tree = "\
func sum: dominator tree
before: entry, level 0
  header: idom before, level 1
    body: idom header, level 2
    after: idom header, level 2
";
    check(&folder, "sum.ssa --emit domtree", tree);
    let frontiers = "\
func sum: dominance frontiers
before: frontier -
header: frontier header
body: frontier header
after: frontier -
";
    check(&folder, "sum.ssa --emit frontiers", frontiers);
    let control = "\
func sum: control dependence
before: always executed
header: always executed; controlled by header.0 -> body
body: controlled by header.0 -> body
after: always executed
";
    check(&folder, "sum.ssa --emit control-deps", control);
    let live = "\
func sum: live values
before: live-in %n.0; live-out %n.0
header: live-in %n.0; live-out %n.0, %i.0, %s.0
body: live-in %n.0, %i.0, %s.0; live-out %n.0, %s.1, %i.1
after: live-in %s.0; live-out -
";
    check(&folder, "sum.ssa --emit liveness", live);
    let chains = "\
func sum: definitions and uses
%n.0: parameter 0; used at header[2]
%i.0: defined at header[0]; used at header[2], body[0], body[1]
%s.0: defined at header[1]; used at body[0], after[0]
%c.0: defined at header[2]; used at header[3]
%s.1: defined at body[0]; used at header[1] from body
%i.1: defined at body[1]; used at header[0] from body
";
    check(&folder, "sum.ssa --emit defuse", chains);
}

#[test]
fn the_result_is_judged_all_the_same() {
    let folder = Folder::with("emit_judged", "sum.ssa", SUM);
    for kind in KINDS {
        let Ended { status, stderr, .. } = folder.run(&format!("build sum.ssa --emit {kind}"));
        assert_eq!((status, stderr.as_str()), (0, "1 function, 4 blocks, 2 phis, judged: accepted\n"));
    }
}

#[test]
fn names_are_those_that_were_asked_for() {
    let folder = Folder::with("emit_names", "sum.ssa", SUM);
    let text = folder.stdout("build sum.ssa --emit defuse --names ssaval");
    assert!(text.starts_with("func sum: definitions and uses\nv0: parameter 0; used at header[2]\nv"), "{text}");
}

#[test]
fn unreachable_blocks_and_endless_loops_are_told() {
    let folder = Folder::with("emit_endless", "endless.ssa", ENDLESS);
    let expected = "\
func endless: control dependence
top: always executed
spin: controlled by top.0 -> spin, spin -> spin; endless end
lost: unreachable
after: controlled by top.1 -> after
";
    check(&folder, "endless.ssa --emit control-deps", expected);
    for kind in ["domtree", "frontiers", "liveness"] {
        let text = folder.stdout(&format!("build endless.ssa --emit {kind}"));
        assert!(text.contains("\nlost: unreachable\n"), "{kind}: {text}");
    }
}

#[test]
fn json_is_one_line_per_function_in_two_spellings() {
    let folder = Folder::with("emit_json", "gcd.while", GCD);
    for kind in KINDS {
        let ended = folder.run(&format!("build gcd.while --emit {kind} --json"));
        assert_eq!((ended.status, ended.stderr.as_str()), (0, ""), "{kind}");
        assert_eq!(ended.stdout, folder.stdout(&format!("build gcd.while --emit {kind} --as json")));
        let objects: Vec<Json> = ended.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let names: Vec<&str> = objects.iter().map(|object| object["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["gcd", "main"], "{kind}");
        for object in objects {
            assert_eq!((&object["format"], &object["kind"]), (&"ssaphire-analysis/1".into(), &kind.into()));
            assert!(object["blocks"][0]["label"].is_string() && object["blocks"][0]["reachable"] == true, "{object}");
        }
    }
}

#[test]
fn a_graph_is_drawn_of_each_analysis() {
    let folder = Folder::with("emit_dot", "sum.ssa", SUM);
    for kind in KINDS {
        let dot = folder.stdout(&format!("build sum.ssa --emit {kind} --as dot"));
        assert!(dot.starts_with("digraph \"sum\" {\n") && dot.ends_with("}\n"), "{kind}: {dot}");
        assert!(dot.contains(" -> "), "{kind}: {dot}");
    }
    let tree = folder.stdout("build sum.ssa --emit domtree --as dot");
    assert!(tree.contains("  b1 -> b2;\n  b1 -> b3;\n"), "{tree}");
}

#[test]
fn functions_are_chosen_and_told_apart() {
    let folder = Folder::with("emit_function", "gcd.while", GCD);
    let main = folder.stdout("build gcd.while --emit domtree --function main");
    assert!(main.starts_with("func main: dominator tree\n"), "{main}");
    let gcd = folder.stdout("build gcd.while --emit domtree -f gcd");
    assert_eq!(folder.stdout("build gcd.while --emit domtree --as text"), format!("{gcd}\n{main}"));
}

#[test]
fn every_language_has_them() {
    let folder = Folder::with("emit_languages", "f.wasm", SUCCESSOR);
    folder.file("sum.ssa", SUM);
    let expected = "func f: definitions and uses\n%l0.0: parameter 0; used at block0[0]\n\
                    %2: defined at block0[0]; used at block0[1]\n";
    check(&folder, "f.wasm --emit defuse", expected);
    check(&folder, "f.wasm --emit liveness", "func f: live values\nblock0: live-in %l0.0; live-out -\n");
    let both = folder.stdout("build f.wasm sum.ssa --emit control-deps");
    assert!(both.starts_with("; f.wasm\nfunc f: control dependence\nblock0: always executed\n\n; sum.ssa\n"), "{both}");
    let objects = folder.stdout("build f.wasm sum.ssa --emit control-deps --json");
    assert_eq!(objects.lines().count(), 2, "{objects}");
}

#[test]
fn the_output_is_the_same_for_any_number_of_threads() {
    let functions: String = (0..300).map(|number| SUM.replace("sum", &format!("sum{number}"))).collect();
    let folder = Folder::with("emit_threads", "many.ssa", functions);
    for kind in KINDS {
        let one = folder.stdout(&format!("build many.ssa --emit {kind} --threads 1"));
        assert!(folder.stdout(&format!("build many.ssa --emit {kind} --threads 3")) == one, "{kind}");
    }
}

#[test]
fn what_does_not_go_together_is_refused() {
    let folder = Folder::with("emit_wrong", "sum.ssa", SUM);
    let names = "domtree|frontiers|control-deps|liveness|defuse";
    for emit in ["", "--emit text", "--emit json", "--emit dot", "--emit cert"] {
        let message = folder.refusal(&format!("build sum.ssa {emit} --as dot"));
        let expected = format!("error: `--as` requires `--emit memory|{names}`\n");
        assert_eq!(message, expected, "{emit}");
    }
    for emit in ["text", "dot", "cert"] {
        let message = folder.refusal(&format!("build sum.ssa --emit {emit} --json"));
        let error: Json = serde_json::from_str(&message).unwrap();
        assert!(error["message"].as_str().unwrap().starts_with("`--json` requires `--emit json`"), "{message}");
    }
    let twice = folder.refusal("build sum.ssa --emit domtree --as dot --json");
    assert!(twice.contains("'--as <STYLE>' cannot be used with '--json'"), "{twice}");
    assert!(folder.refusal("build sum.ssa --emit domtree --as svg").contains("text, json, dot"));
    assert!(folder.refusal("build sum.ssa --emit dominators").contains("domtree"));
    assert!(folder.refusal("build sum.ssa --emit liveness --phi params").contains("`--phi` requires text"));
    assert!(folder.refusal("build sum.ssa --emit liveness -f mus").contains("no function in sum.ssa has this name"));
}
