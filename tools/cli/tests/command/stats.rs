//! `ssaphire stats`.

use crate::support::{Folder, GCD, SUM};

/// The table without its last column: how many steps a construction takes is its own affair.
fn without_steps(table: &str) -> String {
    let line = |line: &str| format!("{}\n", line.rsplit_once(' ').unwrap().0.trim_end());
    table.lines().map(line).collect()
}

#[test]
fn counters_come_per_function_and_in_sum() {
    let expected = "\
function  blocks  variables  accesses  made  removed  kept
gcd            4          3         9     2        0     2
main           1          0         0     0        0     0
sum of 2       5          3         9     2        0     2
";
    let table = Folder::with("stats_table", "gcd.while", GCD).stdout("stats gcd.while");
    assert_eq!(without_steps(&table), expected);
    assert!(table.starts_with("function  blocks  variables  accesses  made  removed  kept  steps\n"), "{table}");
}

#[test]
fn the_highest_come_first_where_some_are_left_out() {
    let folder = Folder::with("stats_top", "gcd.while", GCD);
    folder.file("sum.ssa", SUM);
    let expected = "\
input    function  blocks  variables  accesses  made  removed  kept
sum.ssa  sum            4          4        12     3        1     2
         sum of 3       9          7        21     5        1     4
";
    let table = folder.stdout("stats gcd.while sum.ssa --top 1 --by variables");
    assert_eq!(without_steps(&table), expected);
}

#[test]
fn values_with_commas_are_quoted() {
    let folder = Folder::with("stats_csv", "a,b.ssa", SUM);
    let csv = folder.stdout("stats a,b.ssa --csv");
    let (head, row) = csv.split_once('\n').unwrap();
    assert_eq!(head, "input,index,function,blocks,variables,accesses,made,removed,kept,steps");
    assert!(row.starts_with("\"a,b.ssa\",0,sum,4,4,12,3,1,2,"), "{row}");
}

#[test]
fn json_has_the_same_counters() {
    let text = Folder::with("stats_json", "sum.ssa", SUM).stdout("stats sum.ssa --json --algorithm braun");
    let stats: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&stats["num_functions"], &stats["sum"]["kept"]), (&1.into(), &2.into()));
    assert_eq!(stats["functions"][0]["name"], "sum");
}

#[test]
fn a_name_of_65536_characters_is_a_name() {
    let name = "a".repeat(1 << 16);
    let folder = Folder::with("stats_long", "a.wat", format!("(module (func ${name} (result i32) (i32.const 1)))"));
    assert!(folder.stdout("stats a.wat").contains(&name));
    for command in ["check a.wat", "build a.wat", "opt a.wat", "stats a.wat --table cytron", "run a.wat"] {
        assert_eq!(folder.run(command).status, 0, "{command}");
    }
}
