//! `ssaphire build`.

use crate::support::{COPIES, Folder, GCD, SUCCESSOR, SUM};

const SUM_BUILT: &str = "\
func sum(%n.0) {
before:
  jump header
header: <- before, body
  %i.0 = phi 0, %i.1
  %s.0 = phi 0, %s.1
  %c.0 = lt %i.0, %n.0
  branch %c.0, body, after
body:
  %s.1 = add %s.0, %i.0
  %i.1 = add %i.0, 1
  jump header
after:
  return %s.0
}
";

#[test]
fn it_prints_the_ssa_form_and_says_that_it_was_judged() {
    let ended = Folder::with("build_text", "sum.ssa", SUM).run("build sum.ssa");
    assert_eq!((ended.status, ended.stdout.as_str()), (0, SUM_BUILT));
    assert_eq!(ended.stderr, "1 function, 4 blocks, 2 phis, judged: accepted\n");
}

#[test]
fn what_it_prints_can_be_built_again() {
    let folder = Folder::with("build_again", "sum.ssa", SUM_BUILT);
    assert_eq!(folder.stdout("build sum.ssa -q"), SUM_BUILT);
}

#[test]
fn phis_can_be_block_parameters_or_upsilons() {
    let folder = Folder::with("build_phi", "sum.ssa", SUM);
    let params = folder.stdout("build sum.ssa --phi params --names ssaval");
    assert!(params.contains("header(v3, v4):\n") && params.contains("jump header(v7, v6)\n"), "{params}");
    let upsilon = folder.stdout("build sum.ssa --phi upsilon");
    assert!(upsilon.contains("  upsilon %i.0 = %i.1\n"), "{upsilon}");
    let index = folder.stdout("build sum.ssa --names index");
    assert!(index.contains("  %3 = phi 1, %7\n") || index.contains("  %3 = phi 0, %7\n"), "{index}");
}

#[test]
fn json_is_one_line_per_function() {
    let folder = Folder::with("build_json", "gcd.while", GCD);
    let ended = folder.run("build gcd.while --json");
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""));
    assert_eq!(ended.stdout, folder.stdout("build gcd.while --emit json"));
    let functions: Vec<serde_json::Value> =
        ended.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: Vec<&str> = functions.iter().map(|function| function["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["gcd", "main"]);
    assert_eq!(functions[0]["format"], "ssaphire-function/2");
}

#[test]
fn a_graph_is_drawn_for_graphviz() {
    let dot = Folder::with("build_dot", "sum.ssa", SUM).stdout("build sum.ssa --emit dot");
    assert!(dot.starts_with("digraph \"sum\" {\n") && dot.contains("  b1 -> b2 [label=\"0\"];\n"), "{dot}");
}

#[test]
fn functions_are_chosen_by_name_or_number() {
    let folder = Folder::with("build_function", "gcd.while", GCD);
    let main = folder.stdout("build gcd.while --function main");
    assert!(main.starts_with("func main() {"), "{main}");
    assert_eq!(folder.stdout("build gcd.while -f 1"), main);
    let both = folder.stdout("build gcd.while -f main -f gcd");
    assert_eq!(both, folder.stdout("build gcd.while"), "each once, in the order of the file");
}

#[test]
fn several_inputs_of_several_languages_are_told_apart() {
    let folder = Folder::with("build_several", "sum.ssa", SUM);
    folder.file("f.wasm", SUCCESSOR);
    let ended = folder.run("build sum.ssa f.wasm");
    let expected = format!(
        "; sum.ssa\n{SUM_BUILT}\n; f.wasm\ndialect wasm\n\nfunc f(%l0.0) {{\nblock0:\n  %2 = i32.add %l0.0, 1\n  return %2\n}}\n"
    );
    assert_eq!((ended.status, ended.stdout), (0, expected));
    assert_eq!(ended.stderr, "2 functions, 5 blocks, 2 phis, judged: accepted\n");
}

#[test]
fn standard_input_has_the_language_it_is_said_to_have() {
    let folder = Folder::new("build_stdin");
    assert_eq!(folder.pipe("build - --lang ssa", SUM.as_bytes()).stdout, SUM_BUILT);
    let module = folder.pipe("build -", SUCCESSOR);
    assert_eq!(module.status, 0, "a module tells by how it begins: {module:?}");
    let text = folder.pipe("build - --lang wat", b"(module (func (param i32)))");
    assert!(text.stdout.starts_with("dialect wasm\n\nfunc func0("), "{text:?}");
}

#[test]
fn the_output_is_the_same_for_any_number_of_threads() {
    let functions: String = (0..700).map(|number| SUM.replace("sum", &format!("sum{number}"))).collect();
    let folder = Folder::with("build_threads", "many.ssa", functions);
    let one = folder.stdout("build many.ssa --threads 1 -q");
    assert_eq!(one.matches("func ").count(), 700);
    for threads in ["2", "5"] {
        assert!(folder.stdout(&format!("build many.ssa --threads {threads} -q")) == one, "{threads} threads");
    }
}

#[test]
fn every_engine_can_be_named() {
    let folder = Folder::with("build_engines", "copies.ssa", COPIES);
    for engine in ["auto", "marker", "braun", "braun-operand", "braun-watched", "scc", "region"] {
        let text = folder.stdout(&format!("build copies.ssa --algorithm {engine}"));
        assert!(!text.contains("phi"), "{engine}: {text}");
    }
    let kept = folder.stdout("build copies.ssa --algorithm braun --no-minimize");
    assert_eq!(kept.matches("= phi").count(), 2, "{kept}");
}

#[test]
fn a_result_that_is_refused_is_a_finding() {
    // SSA form to begin with, and nothing needs its phi.
    let text = "func f(c) {\na:\n  branch c, b, b\nb: <- a.0, a.1\n  %7 = phi 1, 2\n  return 0\n}\n";
    let folder = Folder::with("build_refused", "dead.ssa", text);
    let ended = folder.run("build dead.ssa");
    assert_eq!(ended.status, 1);
    let (first, rest) = ended.stderr.split_once('\n').unwrap();
    assert!(first.starts_with("error: dead.ssa: function 0 `f`: refused: result [dead-phi]: v"), "{first}");
    assert_eq!(rest, "1 function, 2 blocks, 1 phi, judged: 1 refused\n");
    let unseen = folder.run("build dead.ssa --no-judge");
    assert_eq!((unseen.status, unseen.stderr.as_str()), (0, "1 function, 2 blocks, 1 phi, not judged\n"));
}

#[test]
fn a_read_of_what_may_not_be_written_is_a_warning() {
    let folder = Folder::with("build_warning", "w.while", "func f(c) {\n  if c { x := 1; }\n  return x;\n}\n");
    let ended = folder.run("build w.while -q");
    let expected =
        "warning: w.while:3:10: `x`: may be read before it is written\n    3 |   return x;\n      |          ^\n";
    assert_eq!((ended.status, ended.stderr.as_str()), (0, expected));
}

#[test]
fn counters_come_after_the_summary() {
    let ended = Folder::with("build_stats", "sum.ssa", SUM).run("build sum.ssa --stats");
    assert_eq!(ended.status, 0);
    let lines: Vec<&str> = ended.stderr.lines().collect();
    assert_eq!(lines[0], "1 function, 4 blocks, 2 phis, judged: accepted");
    assert!(lines[1].starts_with("7 reads and 5 writes of 4 variables, "), "{}", lines[1]);
    assert!(lines[2].ends_with(", 2 kept"), "{}", lines[2]);
}

/// The first command of the README.
#[test]
fn the_sieve_of_the_examples_is_built() {
    let sieve = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/sieve.wat");
    let ended = Folder::new("build_sieve").run(&format!("build {sieve}"));
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    assert!(ended.stdout.contains("%count.0 = phi 0, %count."), "{}", ended.stdout);
    assert!(ended.stderr.ends_with("judged: accepted\n"), "{}", ended.stderr);
}
