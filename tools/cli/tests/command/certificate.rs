//! `ssaphire check --certificate`, and `build --emit cert`.

use crate::support::{Folder, GCD, SUM, refusal};

/// One block: `x := new; use x`.
const RIGHT: &str = "ssacert 2\nprogram f\nentry 1\nblock 1\ndef 1 1\nuse 1 1\nend\n";

#[test]
fn what_build_writes_check_accepts() {
    let folder = Folder::with("certificate_both", "gcd.while", GCD);
    folder.file("sum.ssa", SUM);
    let certificate = folder.stdout("build gcd.while sum.ssa --emit cert -q");
    assert_eq!(certificate.matches("ssacert 2").count(), 1);
    folder.file("all.cert", &certificate);
    let expected = "\
all.cert: gcd: accepted: structurally valid, equivalent to the source, proved minimal, proved pruned
all.cert: main: accepted: structurally valid, equivalent to the source, proved minimal, proved pruned
all.cert: sum: accepted: structurally valid, equivalent to the source, proved minimal, proved pruned
";
    assert_eq!(folder.stdout("check --certificate all.cert"), expected);
    assert!(certificate.contains("\nnum ") && certificate.contains("\nlive "), "{certificate}");
    let piped = folder.pipe("check --certificate -", certificate.as_bytes());
    assert_eq!((piped.status, piped.stdout), (0, expected.replace("all.cert", "standard input")));
}

#[test]
fn a_wrong_claim_is_refused_with_the_rule_it_breaks() {
    // Two definitions, and the read is claimed to give the first one.
    let wrong = "ssacert 2\nprogram f\nentry 1\nblock 1\ndef 1 1\ndef 1 2\nuse 1 1\nend\n";
    let folder = Folder::with("certificate_wrong", "wrong.cert", wrong);
    folder.file("right.cert", RIGHT);
    let ended = folder.run("check --certificate right.cert wrong.cert");
    let expected = "\
right.cert: f: accepted: structurally valid, equivalent to the source, proved minimal, proved pruned
wrong.cert: f: refused: structurally valid, not equivalent to the source, proved minimal, proved pruned
  certificate [wrong-value]: x0: event 2 of block0 reads v0, but in block0 the variable holds v1 and the read gets v0
  (block0, x0 and v0 are the block, variable and value that the certificate calls 1)
";
    assert_eq!((ended.status, ended.stdout.as_str()), (1, expected));
    let json = folder.run("check --certificate wrong.cert --json");
    let verdicts: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    let verdict = &verdicts["programs"][0];
    assert_eq!((json.status, &verdict["accepted"], &verdict["equivalent"]), (1, &false.into(), &false.into()));
    assert_eq!(verdict["violations"][0]["rule"], "wrong-value");
}

#[test]
fn levels_that_are_not_reached_are_no_refusal() {
    // A phi of one value, which is read; and one that nothing reads.
    let text = "ssacert 2\nprogram f\nentry 1\nblock 1\ndef 1 1\nblock 2 1\nphi 2 1\nphi 3 1\nuse 1 2\nend\n";
    let ended = Folder::with("certificate_levels", "f.cert", text).run("check --certificate f.cert");
    let levels =
        "structurally valid, equivalent to the source, not minimal (2 redundant phis), not pruned (1 dead phi)";
    assert_eq!((ended.status, ended.stdout), (0, format!("f.cert: f: accepted: {levels}\n")));
}

/// What comes of the certificate of the loop if `line` of it reads `other`.
#[track_caller]
fn check_changed(folder: &Folder, line: &str, other: &str, expected: &str) {
    let certificate = folder.stdout("build sum.ssa --emit cert -q");
    assert!(certificate.contains(line), "{certificate}");
    folder.file("changed.cert", certificate.replace(line, other));
    let ended = folder.run("check --certificate changed.cert");
    let status = i32::from(expected.starts_with("refused"));
    let expected = expected.replace("..", "structurally valid, equivalent to the source");
    let (first, _) = ended.stdout.split_once("\n  (block0").unwrap_or((ended.stdout.trim_end(), ""));
    assert_eq!((ended.status, first), (status, format!("changed.cert: sum: {expected}").as_str()));
}

#[test]
fn a_wrong_proof_is_refused_and_one_that_is_missing_is_not() {
    let folder = Folder::with("certificate_proofs", "sum.ssa", SUM);
    check_changed(&folder, "end", "end", "accepted: .., proved minimal, proved pruned");
    let bad_number = "\n  certificate [bad-number]: v6: its operands in block1 are not numbered below and above it";
    let wrong = format!("refused: .., minimal (its proof is wrong), proved pruned{bad_number}");
    check_changed(&folder, "\nnum 7 1", "\nnum 7 5", &wrong);
    let bad_rank = "\n  certificate [bad-rank]: v6: a phi in block1 that v3 does not use with a smaller rank";
    let wrong = format!("refused: .., proved minimal, pruned (its proof is wrong){bad_rank}");
    check_changed(&folder, "\nlive 7 0 0", "\nlive 7 1 4", &wrong);
    let without = "accepted: .., proved minimal, pruned";
    check_changed(&folder, "\nlive 4 0 0\nlive 7 0 0", "", without);
}

#[test]
fn undefined_reads_may_be_anything_where_that_is_asked() {
    // `x` is undefined, and its read is claimed to give another global.
    let text = "ssacert 2\nprogram f\nentry 1\nundef 1\nglobal 2\ninitial 1 1\nblock 1\nuse 1 2\nend\n";
    let folder = Folder::with("certificate_refine", "f.cert", text);
    assert_eq!(folder.run("check --certificate f.cert").status, 1);
    let refined = folder.stdout("check --certificate f.cert --refine");
    assert!(refined.contains("equivalent to the source where it is defined"), "{refined}");
}

#[test]
fn what_is_malformed_is_refused_with_its_place_and_nothing_is_judged() {
    let folder = Folder::with("certificate_malformed", "bad.cert", RIGHT.replace("use 1 1", "use 1 x"));
    folder.file("right.cert", RIGHT);
    let expected = "error: bad.cert:6:7: expected a number\n    6 | use 1 x\n      |       ^\n";
    assert_eq!(folder.refusal("check --certificate right.cert bad.cert"), expected);
    folder.file("bad.cert", format!("{RIGHT}program g\nentry 1\n"));
    let expected = "error: bad.cert:10:1: the text ends inside a program\n";
    assert_eq!(folder.refusal("check --certificate bad.cert"), expected);
    folder.file("bad.cert", b"ssacert 2\nprogram \xff\n");
    let expected = "error: bad.cert:2:1: expected a certificate, found invalid UTF-8\n";
    assert_eq!(folder.refusal("check --certificate bad.cert"), expected);
    let message = refusal(folder.pipe("check --certificate -", b"func f() {"));
    assert!(message.starts_with("error: standard input:1:1: the first line of a certificate is"), "{message}");
}
