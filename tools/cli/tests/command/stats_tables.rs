//! `ssaphire stats --table`.

use crate::support::{Folder, GCD, SUM};
use serde_json::{Value as Json, json};

/// [`SUM`] by hand.
///
/// Each of its 9 instructions is a statement. The frontiers of header and body are header.
/// Both depend on the edge to body: the loop goes on. In minimal form i, s and c have phis in header, though that of c
/// is dead. Of 5 assignments there are 1 in header and 2 in body, with the phis 6 that meet one
/// block each: avrgDF is 6/8. There are 5 assignments and 7 reads; 3 phis with 2 operands each are 9 mentions more.
const FIGURES_OF_SUM: &str = "9,4,4,2,2,3,0.2222222222222222,0.2222222222222222,0.3333333333333333,0.75,1.6,1.75";

/// Nothing is assigned.
const NO_VARIABLES: &str = "\
func no_variables() {
top:
  return
}
";

#[test]
fn the_spread_over_functions_and_the_sums_of_inputs_are_shown() {
    let folder = Folder::with("tables_both", "sum.ssa", SUM);
    folder.file("no.ssa", NO_VARIABLES);
    // Of two functions, the lesser one is the median. Two points are always on a line.
    let expected = "\
per function              min  median  95 %   max  correlation
statements                  1       1     9     9         1.00
blocks                      1       1     4     4         1.00
edges                       0       0     4     4         1.00
frontiers                   0       0     2     2         1.00
control-deps                0       0     2     2         1.00
phis                        0       0     3     3         1.00
frontiers/statements     0.00    0.00  0.22  0.22         1.00
control-deps/statements  0.00    0.00  0.22  0.22         1.00
phis/statements          0.00    0.00  0.33  0.33         1.00
avrgDF                   0.75    0.75  0.75  0.75            -
A_tot/A_orig             1.60    1.60  1.60  1.60            -
M_tot/M_orig             1.75    1.75  1.75  1.75            -

per input  functions  statements  frontiers  control-deps  phis  avrgDF  A_tot/A_orig  M_tot/M_orig
sum.ssa            1           9          2             2     3    0.75          1.60          1.75
no.ssa             1           1          0             0     0       -             -             -
";
    let table = folder.stdout("stats sum.ssa no.ssa --table cytron");
    assert_eq!(table, expected);
}

#[test]
fn every_language_is_measured_in_its_variable_form() {
    let folder = Folder::with("tables_languages", "gcd.while", GCD);
    // A loop that counts a local down: local.set, br_if; and the end of each block.
    folder.file(
        "down.wat",
        "(module (func (param i32) (loop (local.set 0 (i32.sub (local.get 0) (i32.const 1))) (br_if 0 (local.get 0)))))",
    );
    let csv = folder.stdout("stats gcd.while down.wat --table cytron --csv");
    let row = |number: usize| csv.lines().nth(number).unwrap().split(',').collect::<Vec<_>>();
    assert_eq!(row(0)[..6], ["input", "index", "function", "statements", "blocks", "edges"]);
    // gcd: jump, branch, three assignments, jump, return. In minimal form r, a and b have phis; main assigns nothing.
    assert_eq!(row(1)[2..9], ["gcd", "7", "4", "4", "2", "2", "3"]);
    assert_eq!(row(2)[2..9], ["main", "2", "1", "0", "0", "0", "0"]);
    assert_eq!(row(2)[12..], ["", "", ""]);
    // The parameter has a phi in the loop, which is one of its own frontier.
    assert_eq!((row(3)[6], row(3)[8]), ("1", "1"));
}

#[test]
fn csv_has_a_row_per_function() {
    let csv = Folder::with("tables_csv", "a,b.ssa", SUM).stdout("stats a,b.ssa --table cytron --csv");
    let head = "input,index,function,statements,blocks,edges,frontiers,control-deps,phis,frontiers/statements,\
                control-deps/statements,phis/statements,avrgDF,A_tot/A_orig,M_tot/M_orig";
    assert_eq!(csv, format!("{head}\n\"a,b.ssa\",0,sum,{FIGURES_OF_SUM}\n"));
}

#[test]
fn json_has_functions_inputs_and_the_summary() {
    let text = Folder::with("tables_json", "sum.ssa", SUM).stdout("stats sum.ssa --table cytron --json");
    let stats: Json = serde_json::from_str(&text).unwrap();
    assert_eq!(stats["format"], "ssaphire-stats-cytron/1");
    assert_eq!((&stats["functions"][0]["name"], &stats["functions"][0]["phis"]), (&json!("sum"), &json!(3)));
    assert_eq!((&stats["inputs"][0]["name"], &stats["inputs"][0]["M_tot/M_orig"]), (&json!("sum.ssa"), &json!(1.75)));
    let expected = json!({ "min": 1.6, "median": 1.6, "p95": 1.6, "max": 1.6, "correlation": null });
    assert_eq!(stats["summary"]["A_tot/A_orig"], expected);
}

#[test]
fn svg_has_three_plots_with_the_points_at_their_places() {
    let svg = Folder::with("tables_svg", "sum.ssa", SUM).stdout("stats sum.ssa --table cytron --svg");
    well_formed(&svg);
    assert_eq!((svg.matches("<g ").count(), svg.matches("<circle ").count()), (3, 3));
    // Both axes are one power of ten and 320 long: 320 log 9 = 305.4, and 320 - 320 log 2 = 223.7, for 3: 167.3.
    let points: Vec<&str> = svg.lines().filter(|line| line.starts_with("<circle")).collect();
    for (point, top) in points.iter().zip(["223.7", "167.3", "223.7"]) {
        assert!(point.contains(&format!("cx=\"305.4\" cy=\"{top}\"")), "{point}");
    }
}

#[test]
fn no_function_makes_no_points() {
    let folder = Folder::with("tables_empty", "empty.wat", "(module)");
    let svg = folder.stdout("stats empty.wat --table cytron --svg");
    well_formed(&svg);
    assert!(!svg.contains("<circle"), "{svg}");
    assert_eq!(folder.stdout("stats empty.wat --table cytron --csv").lines().count(), 1);
    let table = folder.stdout("stats empty.wat --table cytron");
    assert_eq!(table.lines().next().map(str::trim_end), Some("per function  min  median  95 %  max  correlation"));
}

#[test]
fn what_says_how_an_engine_works_has_no_place_beside_a_table() {
    let folder = Folder::with("tables_wrong", "sum.ssa", SUM);
    for wrong in ["--top 3", "--by phis", "--algorithm marker", "--no-minimize", "--svg --csv", "--svg --json"] {
        folder.refusal(&format!("stats sum.ssa --table cytron {wrong}"));
    }
    folder.refusal("stats sum.ssa --svg");
    folder.refusal("stats sum.ssa --table braun1 --svg");
    folder.refusal("stats sum.ssa --table nobody");
}

/// In memory form: the 4 slots of i, s, c and n, one store of the parameter, 9 instructions of which the two copies are
/// stores, 7 loads, and a store for each of 3 results: 24, of which 4 + 1 + 2 + 7 + 3 are about memory.
/// After all that, the copies are gone, too, and i and s have phis: 7 + 2.
#[test]
fn the_detour_over_memory_is_counted() {
    let folder = Folder::with("tables_braun1", "sum.ssa", SUM);
    let csv = folder.stdout("stats sum.ssa --table braun1 --csv");
    assert_eq!(csv.lines().nth(1), Some("sum.ssa,0,sum,24,17,9,0,2,9,0,2"));
    let stats: Json = serde_json::from_str(&folder.stdout("stats sum.ssa --table braun1 --json")).unwrap();
    assert_eq!((&stats["inputs"][0]["ratio"], &stats["functions"][0]["mem2reg_phis"]), (&json!(1.0), &json!(2)));
    let table = folder.stdout("stats sum.ssa --table braun1");
    let rows: Vec<String> = table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(rows[1..], ["sum.ssa 1 memory form 24 17 0", "mem2reg 9 0 2", "direct 9 0 2 1.000"]);
}

#[test]
fn a_function_that_takes_too_long_is_a_finding() {
    let ended = Folder::with("tables_limit", "sum.ssa", SUM).run("stats sum.ssa --table cytron --csv --work-limit 1");
    assert_eq!((ended.status, ended.stdout.lines().count()), (1, 1));
    assert!(ended.stderr.contains("sum"), "{}", ended.stderr);
}

/// Each element that is opened is closed, the last one first.
#[track_caller]
fn well_formed(svg: &str) {
    let mut open = Vec::new();
    for tag in svg.split('<').skip(1).map(|rest| rest.split_once('>').expect("a tag ends").0) {
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        let name = tag.trim_start_matches('/').split(' ').next();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "{tag}");
        } else if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert_eq!(open, []);
}
