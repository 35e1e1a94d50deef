//! `ssaphire opt`: passes on files, and what is read back.

use crate::support::{Ended, Folder, GCD, SUM};

/// Cytron et al. 1991, Fig. 16, with the dead phi that value numbering brings to life.
const FIGURE_16: &str = "\
func f(%p.0, %x.0) {
block0:
  branch %p.0, block1, block2
block1:
  print 1
  jump block3
block2:
  print %x.0
  jump block3
block3: <- block1, block2
  %y.0 = phi 1, %x.0
  branch %p.0, block4, block5
block4:
  jump block6
block5:
  jump block6
block6: <- block4, block5
  %z.0 = phi 1, %x.0
  return %z.0
}
";

#[test]
fn value_numbering_by_condition_makes_the_second_conditional_dead() {
    let folder = Folder::with("opt_figure", "figure.ssa", FIGURE_16);
    let Ended { status, stdout, stderr } =
        folder.run("opt figure.ssa --passes value-numbering,dead-code --phi-tags condition");
    let expected = "\
func f(%p.0, %x.0) {
var p, x, y, z
block0:
  branch %p.0, block1, block2
block1:
  print 1
  jump block3
block2:
  print %x.0
  jump block3
block3: <- block1, block2
  %y.0 = phi 1, %x.0
  jump block4
block4:
  return %y.0
}
";
    let summary = "\
changes: value-numbering 1, dead-code 3
after passes: 0 results judged equivalent, form checked: value-numbering 1, dead-code 1
1 function, blocks 7 -> 5, phis 2 -> 1, instructions 9 -> 7, judged: none refused
";
    assert_eq!((status, stdout.as_str(), stderr.as_str()), (0, expected, summary));
    // By block the two phis are different.
    let by_block = folder.stdout("opt figure.ssa --passes value-numbering,dead-code -q");
    assert!(by_block.contains("%z.0 = phi 1, %x.0") && !by_block.contains("%y.0"), "{by_block}");
}

#[test]
fn what_is_written_is_read_back_and_does_the_same() {
    let folder = Folder::with("opt_run", "gcd.while", GCD);
    folder.file("sum.ssa", SUM);
    let all = "constants,jump-threading,value-numbering,dead-code,redundant-phis,empty-blocks,unreachable-blocks";
    for phi in ["list", "params", "upsilon"] {
        assert_eq!(folder.run(&format!("opt gcd.while --emit ssa --passes {all} --phi {phi} -o gcd.ssa -q")).status, 0);
        assert_eq!(folder.stdout("run gcd.ssa --entry gcd --args 12,18"), "6\n");
        assert_eq!(folder.run(&format!("opt sum.ssa --passes {all} --phi {phi} -o out.ssa -q")).status, 0);
        assert_eq!(folder.stdout("run out.ssa --args 4"), folder.stdout("run sum.ssa --args 4"));
    }
}

#[test]
fn texts_of_several_dialects_say_which() {
    let folder = Folder::with("opt_dialects", "sum.ssa", SUM);
    let memory = folder.stdout("build sum.ssa --emit memory -q");
    folder.file("memory.ssa", &memory);
    let text = folder.stdout("opt sum.ssa memory.ssa --passes dead-code -q");
    assert_eq!(text.matches("dialect memory.basic").count(), 1, "{text}");
    folder.file("both.ssa", text);
    assert_eq!(folder.run("opt both.ssa --passes constants -q").status, 0);
}

#[test]
fn a_comment_of_its_language_stands_before_each_of_several_programs() {
    let folder = Folder::with("comments", "a.while", "x := 1;");
    folder.file("b.while", "y := 2;");
    assert_eq!(folder.stdout("opt a.while b.while -q"), "// a.while\nreturn;\n\n// b.while\nreturn;\n");
    assert!(folder.stdout("opt a.while b.while -q --emit ssa").starts_with("; a.while\n"));
}

#[test]
fn the_usual_passes_run_where_none_are_named() {
    let folder = Folder::with("opt_usual", "sum.ssa", SUM);
    let ended = folder.run("opt sum.ssa");
    let usual = "constants,copies,dead-code,empty-blocks,unused";
    assert_eq!(ended.stdout, folder.stdout(&format!("opt sum.ssa --passes {usual} -q")));
    assert!(ended.stderr.starts_with("changes: constants "), "{}", ended.stderr);
}

#[test]
fn what_is_no_pass_is_refused() {
    let folder = Folder::with("opt_wrong", "sum.ssa", SUM);
    let refusal = folder.refusal("opt sum.ssa --passes constants,inlining");
    assert!(refusal.contains("inlining") && refusal.contains("jump-threading"), "{refusal}");
}
