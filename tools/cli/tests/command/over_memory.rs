//! `--via-memory` and `--emit memory`.

use crate::support::{COPIES, Folder, GCD, SUCCESSOR, SUM};
use serde_json::Value as Json;

/// What the arm writes is all that is there to be read, if anything is.
const ONE_PATH: &str = "\
func one_path(c) {
before:
  branch c, write, join
write:
  x = 7
  jump join
join:
  return x
}
";

/// `SUM` with slots.
const SUM_SLOTS: &str = "\
func sum(%n.0) {
before:
  %n.1 = slot _
  %i.0 = slot _
  %s.0 = slot _
  %c.0 = slot _
  store %n.0, %n.1
  store 0, %i.0
  store 0, %s.0
  jump header
header:
  %i.1 = load %i.0
  %n.2 = load %n.1
  %c.1 = lt %i.1, %n.2
  store %c.1, %c.0
  %c.2 = load %c.0
  branch %c.2, body, after
body:
  %s.1 = load %s.0
  %i.2 = load %i.0
  %s.2 = add %s.1, %i.2
  store %s.2, %s.0
  %i.3 = load %i.0
  %i.4 = add %i.3, 1
  store %i.4, %i.0
  jump header
after:
  %s.3 = load %s.0
  return %s.3
}
";

#[test]
fn mem2reg_makes_what_direct_construction_makes() {
    let folder = Folder::with("over_memory_build", "sum.ssa", SUM);
    folder.file("gcd.while", GCD);
    folder.file("f.wasm", SUCCESSOR);
    let ended = folder.run("build sum.ssa gcd.while f.wasm --via-memory");
    let expected = "\
4 functions, 10 blocks, 4 phis, judged: accepted
beside direct construction: 4 the same, 0 with values for undefined ones, 0 needless phis
";
    assert_eq!((ended.status, ended.stderr.as_str()), (0, expected));
    // Phis come in the order of the variables; directly, in that of the reads.
    let direct = folder.stdout("build sum.ssa gcd.while f.wasm");
    let by_reads = "  %b.1 = phi %b.0, %r.0\n  %a.1 = phi %a.0, %b.1\n";
    let by_variables = "  %a.1 = phi %a.0, %b.1\n  %b.1 = phi %b.0, %r.0\n";
    assert!(direct.contains(by_reads), "{direct}");
    assert_eq!(ended.stdout, direct.replace(by_reads, by_variables));
}

#[test]
fn memory_form_has_a_slot_for_each_variable() {
    let folder = Folder::with("over_memory_emit", "sum.ssa", SUM);
    let ended = folder.run("build sum.ssa --emit memory");
    let expected = "\
1 function, 4 blocks, 0 phis, judged: accepted
beside direct construction: 1 the same, 0 with values for undefined ones, 0 needless phis
";
    let slots = format!("dialect memory.basic\n\n{SUM_SLOTS}");
    assert_eq!((ended.status, ended.stdout.as_str(), ended.stderr.as_str()), (0, slots.as_str(), expected));
    assert_eq!(folder.stdout("build sum.ssa --emit memory --via-memory --as text"), slots);
    folder.file("f.wasm", SUCCESSOR);
    let module = "\
dialect memory.wasm

func f(%l0.0) {
block0:
  %l0.1 = slot _
  store %l0.0, %l0.1
  %l0.2 = load %l0.1
  %4 = i32.add %l0.2, 1
  return %4
}
";
    assert_eq!(folder.stdout("build f.wasm --emit memory"), module);
}

#[test]
fn memory_form_is_told_to_machines_and_drawn() {
    let folder = Folder::with("over_memory_json", "gcd.while", GCD);
    let json = folder.stdout("build gcd.while --emit memory --json");
    assert_eq!(json, folder.stdout("build gcd.while --emit memory --as json"));
    let functions: Vec<Json> = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((functions.len(), &functions[0]["dialect"]), (2, &"memory.basic".into()));
    assert_eq!(functions[0]["blocks"][0]["insts"][0]["op"], "slot");
    let dot = folder.stdout("build gcd.while --emit memory --as dot -f gcd");
    assert!(dot.starts_with("digraph \"gcd\" {\n") && dot.contains("store %a.0, %a.1\\l"), "{dot}");
}

#[test]
fn all_that_is_made_of_ssa_form_is_made_of_that_of_mem2reg() {
    let folder = Folder::with("over_memory_all", "sum.ssa", SUM);
    for options in ["--emit json", "--emit dot", "--emit defuse", "--emit liveness --as dot", "--phi params", "-f sum"]
    {
        let made = folder.stdout(&format!("build sum.ssa --via-memory {options}"));
        assert_eq!(made, folder.stdout(&format!("build sum.ssa {options}")), "{options}");
    }
}

#[test]
fn phis_that_stand_for_another_value_stay_and_are_counted() {
    let folder = Folder::with("over_memory_copies", "copies.ssa", COPIES);
    let ended = folder.run("build copies.ssa --via-memory");
    let expected = "\
1 function, 5 blocks, 2 phis, judged: accepted
beside direct construction: 1 the same, 0 with values for undefined ones, 2 needless phis
";
    assert_eq!((ended.status, ended.stderr.as_str()), (0, expected));
    assert_eq!(ended.stdout.matches(" = phi ").count(), 2, "{}", ended.stdout);
}

#[test]
fn an_undefined_value_may_become_another_and_is_warned_of_all_the_same() {
    let folder = Folder::with("over_memory_undefined", "one.ssa", ONE_PATH);
    let direct = folder.stdout("build one.ssa");
    assert!(direct.contains(" = phi undef.x, 7\n") && direct.contains("return %x.0"), "{direct}");
    let ended = folder.run("build one.ssa --via-memory");
    assert!(ended.stdout.contains("  return 7\n"), "{}", ended.stdout);
    let agreement = "beside direct construction: 0 the same, 1 with values for undefined ones, 0 needless phis\n";
    assert!(ended.status == 0 && ended.stderr.ends_with(agreement), "{}", ended.stderr);
    folder.file("w.while", "func f(c) {\n  if c { x := 1; }\n  return x;\n}\n");
    let warned = folder.run("build w.while --via-memory -q");
    assert_eq!(warned.stderr, folder.run("build w.while -q").stderr);
    assert!(warned.stderr.starts_with("warning: w.while:3:10: "), "{}", warned.stderr);
}

#[test]
fn counters_are_those_of_mem2reg() {
    let ended = Folder::with("over_memory_stats", "sum.ssa", SUM).run("build sum.ssa --via-memory --stats --no-judge");
    let expected = "\
1 function, 4 blocks, 2 phis, not judged
4 slots: 0 unused, 2 with one store, 0 of one block, 2 others
13 loads and stores, 0 of them early; 2 phis placed, 0 folded
";
    assert_eq!((ended.status, ended.stderr.as_str()), (0, expected));
}

#[test]
fn the_table_of_engines_has_a_line_for_it() {
    let folder = Folder::with("over_memory_check", "sum.ssa", SUM);
    folder.file("copies.ssa", COPIES);
    folder.file("one.ssa", ONE_PATH);
    let expected = "\
input       engine   functions  made  kept  redundant  dead  differ  accepted  refused
sum.ssa     marker           1     3     2          0     0       0         1        0
sum.ssa     mem2reg          1     2     2          0     0       0         1        0
copies.ssa  marker           1     4     0          0     0       0         1        0
copies.ssa  mem2reg          1     2     2          2     0       0         1        0
one.ssa     marker           1     1     1          0     0       0         1        0
one.ssa     mem2reg          1     0     0          0     0       1         1        0
mem2reg has defined values in place of undefined ones in 1 function
every result is accepted
";
    let arguments = "check sum.ssa copies.ssa one.ssa --via-memory --algorithm marker";
    assert_eq!(folder.stdout(&format!("{arguments} --by engine")), expected);
    let report: Json = serde_json::from_str(&folder.stdout(&format!("{arguments} --json"))).unwrap();
    let line = &report["results"][5];
    assert_eq!((&line["engine"], &line["differ"], &line["refined"]), (&"mem2reg".into(), &1.into(), &1.into()));
    assert!(folder.stdout("check sum.ssa --via-memory --by engine").contains("\nmem2reg "), "after all engines");
}

#[test]
fn the_output_is_the_same_for_any_number_of_threads() {
    let functions: String = (0..300).map(|number| SUM.replace("sum", &format!("sum{number}"))).collect();
    let folder = Folder::with("over_memory_threads", "many.ssa", functions);
    for command in ["build many.ssa --via-memory", "check many.ssa --via-memory --algorithm marker"] {
        let one = folder.run(&format!("{command} --threads 1"));
        assert!(folder.run(&format!("{command} --threads 3")) == one, "{command}");
    }
}

#[test]
fn what_does_not_go_together_is_refused() {
    let folder = Folder::with("over_memory_wrong", "sum.ssa", SUM);
    for name in ["--via-memory", "--emit memory"] {
        for (option, value) in [("--algorithm", "auto"), ("--no-minimize", ""), ("--work-limit", "9")] {
            let message = folder.refusal(&format!("build sum.ssa {name} {option} {value}"));
            let expected =
                format!("error: `{option}` applies to direct construction only and conflicts with `{name}`\n");
            assert_eq!(message, expected);
        }
    }
    let message = folder.refusal("build sum.ssa --via-memory --emit cert");
    assert_eq!(
        message,
        "error: `--emit cert`: certificates come from direct construction, so it conflicts with `--via-memory`\n"
    );
    assert!(folder.refusal("build sum.ssa --emit memory --as dot --phi params").contains("`--phi` requires text"));
    assert!(folder.refusal("build sum.ssa --emit memory --as svg").contains("text, json, dot"));
    assert!(folder.refusal("check --certificate x.cert --via-memory").contains("cannot be used with"));
    assert!(
        folder.refusal("stats sum.ssa --via-memory").contains("--via-memory"),
        "counters are of direct construction"
    );
}
