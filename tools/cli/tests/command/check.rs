//! `ssaphire check`, with programs.

use crate::support::{COPIES, Folder, GCD, SUCCESSOR, SUM};
use std::collections::BTreeSet;

#[test]
fn a_line_tells_of_a_file_under_all_engines() {
    let folder = Folder::with("check_files", "sum.ssa", SUM);
    folder.file("gcd.while", GCD);
    let expected = "\
file       functions  results  phis  accepted  differ  refused  not built
sum.ssa            1       16     2        16       0        0          0
gcd.while          2       32     2        32       0        0          0
every result is accepted
";
    assert_eq!(folder.stdout("check sum.ssa gcd.while"), expected);
    let one = folder.stdout("check sum.ssa --algorithm scc,braun --no-minimize");
    assert!(one.starts_with("file     functions  results  phis  accepted  refused  not built\n"), "{one}");
}

#[test]
fn functions_that_are_not_built_have_no_results() {
    let folder = Folder::with("check_limit", "sum.ssa", SUM);
    let ended = folder.run("check sum.ssa --work-limit 1");
    let expected = "\
file     functions  results  phis  accepted  differ  refused  not built
sum.ssa          0        0     0         0       0        0          1
1 function could not be built
nothing to judge
";
    assert_eq!((ended.status, ended.stdout.as_str()), (1, expected));
}

#[test]
fn where_there_is_no_function_there_is_nothing_to_judge() {
    let folder = Folder::with("check_nothing", "empty.wat", "(module)");
    let table = folder.run("check empty.wat");
    assert_eq!((table.status, table.stdout.lines().last()), (0, Some("nothing to judge")));
    let built = folder.run("build empty.wat");
    assert_eq!((built.status, built.stdout.as_str()), (0, ""));
    assert_eq!(built.stderr, "0 functions, 0 blocks, 0 phis, nothing to judge\n");
    let over_memory = folder.run("build empty.wat --via-memory");
    assert_eq!((over_memory.status, over_memory.stderr), (0, built.stderr));
    folder.file("empty.cert", "ssacert 2\n");
    let judged = folder.run("check --certificate empty.cert");
    assert_eq!((judged.status, judged.stdout.as_str()), (0, "nothing to judge\n"));
}

/// `--help` has a line for each column, of either table, and for none besides.
#[test]
fn help_explains_the_columns() {
    let folder = Folder::with("check_columns", "sum.ssa", SUM);
    let help = folder.stdout("check --help");
    let (_, columns) = help.split_once("Columns, with a line per file:\n").unwrap();
    let explained = columns.lines().filter_map(|line| line.strip_prefix("  "));
    let explained: BTreeSet<&str> = explained.filter_map(|line| Some(line.split_once("  ")?.0)).collect();
    let tables = [folder.stdout("check sum.ssa"), folder.stdout("check sum.ssa --by engine")];
    let shown = tables.iter().flat_map(|table| table.lines().next().unwrap().split("  ").map(str::trim));
    // The first column of each is what the line is about, and times are for terminals.
    let shown = shown.filter(|title| !["", "file", "engine"].contains(title)).chain(["time"]);
    assert_eq!(explained, shown.collect());
}

#[test]
fn one_table_tells_of_every_engine() {
    let ended = Folder::with("check_table", "sum.ssa", SUM).run("check sum.ssa --by engine");
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
    assert_eq!(folder.stdout("check f.wasm gcd.while --algorithm braun --by engine"), expected);
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
    assert_eq!(
        folder.stdout("check copies.ssa --algorithm braun,braun-operand,braun --no-minimize --by engine"),
        expected
    );
}

#[test]
fn a_refusal_is_listed_with_its_rule() {
    let text = "func f(c) {\na:\n  branch c, b, b\nb: <- a.0, a.1\n  %7 = phi 1, 2\n  return 0\n}\n";
    let ended = Folder::with("check_refused", "dead.ssa", text).run("check dead.ssa --algorithm marker --by engine");
    let expected = "\
engine  functions  made  kept  redundant  dead  differ  accepted  refused
marker          1     0     1          0     1       0         0        1
dead.ssa: function 0 `f`: marker: result [dead-phi]: v4: a dead phi in block1, used by no instruction
refused: 1 result
";
    assert_eq!((ended.status, ended.stdout.as_str()), (1, expected));
}

/// A text may have them: they are no engine's, and counted like any other.
#[test]
fn phis_that_a_text_brings_are_counted() {
    let text = "func f(c, x) {\na:\n  branch c, b, d\nb:\n  y = 1\n  jump d\nd: <- a, b\n  %7 = phi x, x\n  print %7, y\n  return\n}\n";
    let text = text.replace("phi x, x", "phi %9, %9").replace("a:\n", "a:\n  %9 = read()\n");
    let folder = Folder::with("check_brought", "brought.ssa", text);
    for more in ["", " --no-minimize"] {
        let table = folder.stdout(&format!("check brought.ssa --algorithm auto --by engine{more}"));
        let head: Vec<&str> = table.lines().next().unwrap().split_whitespace().collect();
        let row: Vec<&str> = table.lines().nth(1).unwrap().split_whitespace().collect();
        let of = |title: &str| row[head.iter().position(|&other| other == title).unwrap()];
        assert_eq!(["made", "kept", "redundant", "dead", "refused"].map(of), ["1", "2", "1", "0", "0"], "{table}");
    }
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
    let one = folder.stdout("check many.ssa --threads 1 --by engine");
    assert!(one.contains("marker                 600  1800  1200  "), "{one}");
    assert_eq!(folder.stdout("check many.ssa --threads 3 --by engine"), one);
}

#[test]
fn a_table_fits_a_narrow_terminal() {
    let folder = Folder::with("check_narrow", "sum.ssa", SUM);
    let lines_of = |columns: usize| {
        let mut command = folder.command("check sum.ssa --algorithm marker --by engine");
        let output = command.env("COLUMNS", columns.to_string()).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.lines().all(|line| line.len() <= columns), "{text}");
        text
    };
    let text = lines_of(60);
    assert!(
        text.starts_with("engine  functions  made  kept  accepted\nmarker          1     3     2         1\n"),
        "{text}"
    );
    assert!(text.contains("\nall zero: redundant, dead, differ, refused\n"), "{text}");
    let text = lines_of(30);
    assert!(text.starts_with("marker\n  functions  1\n  made       3\n"), "{text}");
}

#[test]
fn a_phi_of_the_source_may_be_copied_in_several_blocks() {
    let source = "func f(c) {\nvar x, y\nentry:\n  jump head\nhead: <- entry, left, right\n  %5 = phi 0, 1, 2\n  branch c, left, right\n\
                  left:\n  x = %5\n  print x\n  jump head\nright:\n  y = %5\n  print y\n  jump head\n}\n";
    let folder = Folder::with("check_copied_phi", "f.ssa", source);
    assert!(folder.stdout("check f.ssa").ends_with("every result is accepted\n"));
}
