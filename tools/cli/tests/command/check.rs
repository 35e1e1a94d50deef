//! `ssaphire check`, with programs.

use crate::support::{COPIES, Folder, GCD, SUCCESSOR, SUM};

#[test]
fn one_table_tells_of_every_engine() {
    let ended = Folder::with("check_table", "sum.ssa", SUM).run("check sum.ssa");
    let expected = "\
engine           functions  made  kept  redundant  dead  differ  accepted  refused
auto                     1     3     2          0     0       0         1        0
marker                   1     3     2          0     0       0         1        0
braun                    1     3     2          0     0       0         1        0
braun-operand            1     3     2          0     0       0         1        0
braun-watched            1     3     2          0     0       0         1        0
scc                      1     3     2          0     0       0         1        0
region                   1     3     2          0     0       0         1        0
cytron                   1     3     2          0     0       0         1        0
semi-pruned              1     2     2          0     0       0         1        0
pruned                   1     2     2          0     0       0         1        0
sreedhar-gao             1     2     2          0     0       0         1        0
aycock-horspool          1    12     2          0     0       0         1        0
all-locals               1     4     2          0     0       0         1        0
structured               1     3     2          0     0       0         1        0
functional               1     3     2          0     0       0         1        0
react                    1     3     2          0     0       0         1        0
every result is accepted
";
    assert_eq!((ended.status, ended.stdout.as_str(), ended.stderr.as_str()), (0, expected, ""));
}

#[test]
fn several_inputs_share_the_table() {
    let folder = Folder::with("check_several", "f.wasm", SUCCESSOR);
    folder.file("gcd.while", GCD);
    let expected = "\
input      engine  functions  made  kept  redundant  dead  differ  accepted  refused
f.wasm     braun           1     0     0          0     0       0         1        0
gcd.while  braun           2     2     2          0     0       0         2        0
every result is accepted
";
    assert_eq!(folder.stdout("check f.wasm gcd.while --algorithm braun"), expected);
}

#[test]
fn redundant_phis_are_counted_where_they_may_stay() {
    let folder = Folder::with("check_redundant", "copies.ssa", COPIES);
    let expected = "\
engine         functions  made  kept  redundant  dead  accepted  refused
braun                  1     6     2          2     0         1        0
braun-operand          1     6     2          2     0         1        0
every result is accepted
";
    assert_eq!(folder.stdout("check copies.ssa --algorithm braun,braun-operand,braun --no-minimize"), expected);
}

#[test]
fn a_refusal_is_listed_with_its_rule() {
    let text = "func f(c) {\na:\n  branch c, b, b\nb: <- a.0, a.1\n  %7 = phi 1, 2\n  return 0\n}\n";
    let ended = Folder::with("check_refused", "dead.ssa", text).run("check dead.ssa --algorithm marker");
    let expected = "\
engine  functions  made  kept  redundant  dead  differ  accepted  refused
marker          1     0     0          0     1       0         0        1
dead.ssa: function 0 `f`: marker: result [dead-phi]: v4: a phi in block1 that no instruction needs
refused: 1 result
";
    assert_eq!((ended.status, ended.stdout.as_str()), (1, expected));
}

#[test]
fn json_has_the_numbers_of_the_table() {
    let ended = Folder::with("check_json", "sum.ssa", SUM).run("check sum.ssa --json");
    let report: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!((ended.status, &report["format"]), (0, &"ssaphire-check/1".into()));
    assert_eq!(report["results"].as_array().unwrap().len(), 16);
    let marker = &report["results"][1];
    assert_eq!((&marker["engine"], &marker["made"], &marker["kept"]), (&"marker".into(), &3.into(), &2.into()));
    assert_eq!(report["refusals"], serde_json::json!([]));
}

#[test]
fn the_output_is_the_same_for_any_number_of_threads() {
    let functions: String = (0..600).map(|number| SUM.replace("sum", &format!("sum{number}"))).collect();
    let folder = Folder::with("check_threads", "many.ssa", functions);
    let one = folder.stdout("check many.ssa --threads 1");
    assert!(one.contains("marker                 600  1800  1200  "), "{one}");
    assert_eq!(folder.stdout("check many.ssa --threads 3"), one);
}

#[test]
fn a_narrow_terminal_gets_a_line_per_number() {
    let folder = Folder::with("check_narrow", "sum.ssa", SUM);
    let output = folder.command("check sum.ssa --algorithm marker").env("COLUMNS", "60").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("marker\n  functions  1\n  made       3\n"), "{text}");
    assert!(text.lines().all(|line| line.len() <= 60), "{text}");
}
