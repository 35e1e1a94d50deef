//! `--fold`: operations folded while building.

use crate::support::{Ended, Folder};

/// Braun et al. 2013, Fig. 4.
const FIGURE_4: &str = "func f(x) {\n  mask := 0;\n  if x & mask { res := 0; } else { res := x; }\n  return res;\n}\n";

/// A sum that is read twice, and a constant that is known once the loop is there.
const LOOP: &str = "\
func main(n) {
  y := 5;
  while n > 0 {
    print n + y;
    n := n - 1;
  }
  a := y + n;
  return n + y, a;
}
";

#[test]
fn figure_4_is_a_row_of_jumps() {
    let folder = Folder::with("fold_figure", "figure.while", FIGURE_4);
    let Ended { status, stdout, stderr } = folder.run("build figure.while --fold");
    let expected = "\
func f(%x.0) {
var x, mask, res
block0:
  jump block1
block1:
  jump block2
block2:
  return %x.0
}
";
    let summary = "1 function, 3 blocks, 0 phis, 1 of 1 operations folded, judged: accepted\n";
    assert_eq!((status, stdout.as_str(), stderr.as_str()), (0, expected, summary));
    let none = folder.run("build figure.while --fold=none");
    assert_eq!(none.stdout, folder.stdout("build figure.while -q"));
    assert_eq!(none.stderr, "1 function, 4 blocks, 1 phi, judged: accepted\n");
    let counters = folder.run("build figure.while --fold=identities --stats").stderr;
    assert!(
        counters.contains("1 operation: 0 constant, 1 simplified, 0 common, 0 late; branches decided: 0"),
        "{counters}"
    );
}

#[test]
fn a_folded_function_does_what_it_did_in_every_command() {
    let folder = Folder::with("fold_loop", "loop.while", LOOP);
    let plain = folder.stdout("run loop.while --args 3");
    assert_eq!(plain, folder.stdout("run loop.while --args 3 --fold"));
    let text = folder.stdout("opt loop.while --emit ssa --fold --passes dead-code,empty-blocks -q");
    folder.file("loop.ssa", &text);
    assert_eq!(plain, folder.stdout("run loop.ssa --args 3"));
    assert_eq!(plain, folder.stdout("run loop.ssa --args 3 --fold"));
    // A sum of the same two values is computed once.
    assert_eq!(folder.stdout("build loop.while --fold -q").matches("= add").count(), 2, "{text}");
    assert_eq!(folder.stdout("build loop.while -q").matches("= add").count(), 3);
}

#[test]
fn the_certificate_says_why() {
    let folder = Folder::with("fold_certificate", "loop.while", LOOP);
    let certificate = folder.stdout("build loop.while --fold --emit cert -q");
    for line in ["operator 1 gt\n", "compute ", "op ", "equation "] {
        assert!(certificate.contains(line), "{line:?}\n{certificate}");
    }
    folder.file("loop.cert", &certificate);
    let Ended { status, stdout, .. } = folder.run("check --certificate loop.cert");
    assert_eq!(status, 0, "{stdout}");
    // The claim of another sum is refused.
    let line = certificate.lines().find(|line| line.starts_with("op ")).expect("a sum is there already");
    let (rest, last) = line.rsplit_once(' ').expect("it has arguments");
    let other = if last == "1" { "2" } else { "1" };
    folder.file("wrong.cert", certificate.replace(line, &format!("{rest} {other}")));
    let Ended { status, stdout, stderr } = folder.run("check --certificate wrong.cert");
    assert_eq!(status, 1, "{stdout}{stderr}");
    assert!((stdout + &stderr).contains("the certificate does not prove it"));
}

#[test]
fn what_is_folded_is_chosen_by_name() {
    let folder = Folder::with("fold_names", "figure.while", FIGURE_4);
    let Ended { status, stdout, stderr } = folder.run("build figure.while --fold=strength");
    assert_eq!((status, stdout.as_str()), (2, ""));
    assert!(stderr.contains("[possible values: none, all, constants, identities, common, copies, branches, late]"));
    let branches = folder.stdout("build figure.while --fold=constants,branches -q");
    assert!(branches.contains("and %x.0, 0"), "{branches}");
}

#[test]
fn table_3_counts_nodes_on_both_ways() {
    let folder = Folder::with("fold_table", "figure.while", FIGURE_4);
    folder.file("loop.while", LOOP);
    let csv = folder.stdout("stats figure.while loop.while --table braun3 --csv");
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows[0][3..5], ["nodes", "nodes_folded"]);
    // Without folding: an operation, a branch, two jumps, a phi and a return.
    assert_eq!(rows[1][..5], ["figure.while", "0", "f", "6", "3"]);
    assert_eq!(rows[2][..5], ["loop.while", "0", "main", "11", "10"]);
    let table = folder.stdout("stats figure.while loop.while --table braun3");
    assert!(table.lines().any(|line| line.starts_with("sum ") && line.contains(" 17 ")), "{table}");
    assert!(table.lines().last().is_some_and(|line| line.contains("folded, %") && line.contains(" 76.5 ")), "{table}");
    let json = folder.stdout("stats figure.while --table braun3 --json");
    assert!(json.contains("\"nodes_ratio\":0.5"), "{json}");
    assert_eq!(folder.run("stats figure.while --table braun3 --svg").status, 2);
}

/// A loaded byte has no bits above the eighth: the mask goes, and the load stays.
#[test]
fn a_mask_of_a_loaded_byte_goes() {
    let wat = "(module (memory 1) (func (export \"f\") (param i32) (result i32) \
        (i32.and (i32.load8_u offset=3 (local.get 0)) (i32.const 255)) \
        (i32.and (i32.load8_s (local.get 0)) (i32.const 255)) i32.add))";
    let folder = Folder::with("fold_load", "load.wat", wat);
    let Ended { status, stdout, stderr } = folder.run("build load.wat --fold");
    assert_eq!((status, stdout.matches("i32.and").count()), (0, 1), "{stdout}");
    assert!(stderr.ends_with("1 of 3 operations folded, judged: accepted\n"), "{stderr}");
    let certificate = folder.stdout("build load.wat --fold --emit cert -q");
    let number = |name: &str| {
        let line = certificate.lines().find(|line| line.starts_with("operator ") && line.ends_with(name));
        line.and_then(|line| line.split(' ').nth(1)).unwrap_or_else(|| panic!("{name}\n{certificate}"))
    };
    let (and, load) = (number(" i32.and"), number(" i32.load8_u"));
    assert!(certificate.contains(&format!("equation {and}/2 ?0:{load} ")), "{certificate}");
    assert!(certificate.lines().any(|line| line.starts_with("opaque ") && line.ends_with(&format!(" {load}"))));
    folder.file("load.cert", &certificate);
    let Ended { status, stdout, .. } = folder.run("check --certificate load.cert");
    assert_eq!(status, 0, "{stdout}");
}
