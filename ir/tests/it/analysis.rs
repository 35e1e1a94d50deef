//! Analyses shown: what they say of small programs.

use serde_json::Value as Json;
use ssaphire::Certified;
use ssaphire_ir::analysis::{Analysis, AnalysisError, FORMAT, Style, print};
use ssaphire_ir::text::{NameStyle, parse};
use ssaphire_ir::{Basic, Block, Function, Inst, to_ssa};
use std::fmt::Write;

fn shown(function: &Function<Basic>, analysis: Analysis, style: Style) -> String {
    let mut text = String::new();
    print(function, analysis, style, NameStyle::Source, &mut text).unwrap();
    text
}

fn json(function: &Function<Basic>, analysis: Analysis) -> Json {
    serde_json::from_str(&shown(function, analysis, Style::Json)).unwrap()
}

fn built(source: &str) -> Function<Basic> {
    to_ssa(&parse(source).unwrap(), &mut Certified::default()).unwrap()
}

fn cytron() -> Function<Basic> {
    parse(include_str!("../../../corpus/cytron/fig5-frontiers.ssa")).unwrap()
}

fn react() -> Function<Basic> {
    parse(include_str!("../../../corpus/react/seven-blocks.ssa")).unwrap()
}

/// A call that may throw, an endless loop with two edges back, and a block that nothing leads to.
const CORNERS: &str = "\
func corners(n) {
top:
  x = call g(n) to next, catch
next:
  branch x, spin, end
spin:
  y = add x, 1
  jump again
again:
  n = add n, n
  branch y, spin, spin
lost:
  z = add n, 2
  jump end
catch:
  return 0
end:
  return n
}
";

#[test]
fn the_dominator_tree_is_a_tree() {
    let expected = "\
func frontiers: dominator tree
entry: entry, level 0
  block1: idom entry, level 1
    block2: idom block1, level 2
      block3: idom block2, level 3
        block4: idom block3, level 4
        block5: idom block3, level 4
        block6: idom block3, level 4
      block7: idom block2, level 3
      block8: idom block2, level 3
        block9: idom block8, level 4
          block10: idom block9, level 5
          block11: idom block9, level 5
            block12: idom block11, level 6
  exit: idom entry, level 1
";
    assert_eq!(shown(&cytron(), Analysis::DominatorTree, Style::Text), expected);
    let expected = "\
func seven_blocks: dominator tree
bb1: entry, level 0
  bb2: idom bb1, level 1
    bb3: idom bb2, level 2
    bb4: idom bb2, level 2
    bb6: idom bb2, level 2
  bb5: idom bb1, level 1
  bb7: idom bb1, level 1
";
    assert_eq!(shown(&react(), Analysis::DominatorTree, Style::Text), expected);
}

#[test]
fn frontiers_are_those_of_the_papers() {
    let expected = "\
func frontiers: dominance frontiers
entry: frontier -
block1: frontier exit
block2: frontier block2, exit
block3: frontier block8
block4: frontier block6
block5: frontier block6
block6: frontier block8
block7: frontier block8
block8: frontier block2, exit
block9: frontier block2, block9, exit
block10: frontier block11
block11: frontier block2, block9, exit
block12: frontier block2, exit
exit: frontier -
";
    assert_eq!(shown(&cytron(), Analysis::Frontiers, Style::Text), expected);
    let expected = "\
func seven_blocks: dominance frontiers
bb1: frontier -
bb2: frontier bb7
bb3: frontier bb6
bb4: frontier bb6
bb5: frontier bb7
bb6: frontier bb7
bb7: frontier -
";
    assert_eq!(shown(&react(), Analysis::Frontiers, Style::Text), expected);
}

/// Cytron et al. 1991, Fig. 15, without the arc from entry to exit: by source, what depends on one of its edges.
#[test]
fn control_dependences_are_those_of_the_paper() {
    let object = json(&cytron(), Analysis::ControlDependence);
    let blocks = object["blocks"].as_array().unwrap();
    let mut found = String::new();
    for (source, block) in blocks.iter().enumerate() {
        let depends = |other: &&Json| {
            other["controllers"].as_array().unwrap().iter().any(|edge| edge["source"].as_u64() == Some(source as u64))
        };
        let dependents: Vec<&str> = blocks.iter().filter(depends).map(label).collect();
        if !dependents.is_empty() {
            writeln!(found, "{}: {}", label(block), dependents.join(" ")).unwrap();
        }
    }
    let expected = "\
entry: block1 block2 block8 block9 block11 block12
block2: block3 block6 block7
block3: block4 block5
block9: block10
block11: block9 block11
block12: block2 block8 block9 block11 block12
";
    assert_eq!(found, expected);
    let always: Vec<&str> = blocks.iter().filter(|block| block["always"] == true).map(label).collect();
    assert_eq!(always, ["entry", "exit"], "these depend on the arc");
}

fn label(block: &Json) -> &str {
    block["label"].as_str().unwrap()
}

#[test]
fn the_edges_that_control_a_block_are_named() {
    let expected = "\
func seven_blocks: control dependence
bb1: always executed
bb2: controlled by bb1.0 -> bb2
bb3: controlled by bb2.0 -> bb3
bb4: controlled by bb2.1 -> bb4
bb5: controlled by bb1.1 -> bb5
bb6: controlled by bb1.0 -> bb2
bb7: always executed
";
    assert_eq!(shown(&react(), Analysis::ControlDependence, Style::Text), expected);
}

#[test]
fn json_says_what_it_is_and_numbers_blocks_and_values() {
    let function = built(CORNERS);
    for &analysis in Analysis::ALL {
        let object = json(&function, analysis);
        let head = (&object["format"], &object["kind"], &object["name"], &object["entry"]);
        assert_eq!(head, (&FORMAT.into(), &analysis.name().into(), &"corners".into(), &0.into()));
        let blocks = object["blocks"].as_array().unwrap();
        let labels: Vec<&str> = blocks.iter().map(label).collect();
        assert_eq!(labels, ["top", "next", "spin", "again", "lost", "catch", "end"]);
        let lost: Vec<&str> = blocks.iter().filter(|block| block["reachable"] == false).map(label).collect();
        assert_eq!(lost, ["lost"]);
    }
    let tree = &json(&function, Analysis::DominatorTree)["blocks"];
    assert_eq!((&tree[3]["idom"], &tree[3]["level"]), (&2.into(), &3.into()));
    assert_eq!((&tree[4]["idom"], &tree[4]["level"]), (&Json::Null, &Json::Null));
    let control = &json(&function, Analysis::ControlDependence)["blocks"][2];
    let expected = r#"{"always":false,"controllers":[{"slot":0,"source":1,"target":2},{"slot":0,"source":2,"target":3}],"endless_end":true,"label":"spin","reachable":true}"#;
    assert_eq!(*control, serde_json::from_str::<Json>(expected).unwrap());
    let live = json(&function, Analysis::Liveness);
    let names: Vec<&Json> = ids(&live["blocks"][3]["live_out"]).map(|id| &live["values"][id]).collect();
    assert_eq!(names, ["%x.0", "%n.2"]);
    let chains = json(&function, Analysis::DefUse);
    let thrown = &chains["definitions"][1];
    assert_eq!(thrown["def"], serde_json::json!({ "block": 0, "position": 0, "target": 1 }));
    let phi = &chains["definitions"][0]["uses"][1];
    let expected = serde_json::json!({ "block": 2, "position": 0, "operand": 0, "edge": { "source": 1, "slot": 0 } });
    assert_eq!(*phi, expected);
}

fn ids(list: &Json) -> impl Iterator<Item = usize> {
    list.as_array().unwrap().iter().map(|id| id.as_u64().unwrap() as usize)
}

#[test]
fn graphs_are_drawn() {
    let function = built("func f(n) {\na:\n  branch n, b, b\nb: <- a.0, a.1\n  %7 = phi 1, 2\n  return %7\n}\n");
    let drawn = |analysis| shown(&function, analysis, Style::Dot);
    let open = "digraph \"f\" {\n  node [shape=box, fontname=monospace];\n";
    let nodes = "  b0 [label=\"a\", penwidth=2];\n  b1 [label=\"b\"];\n";
    assert_eq!(drawn(Analysis::DominatorTree), format!("{open}{nodes}  b0 -> b1;\n}}\n"));
    assert_eq!(drawn(Analysis::Frontiers), format!("{open}{nodes}  b0 -> b1;\n}}\n"), "all frontiers are empty");
    let arrows = "  always [shape=plain];\n  always -> b0 [style=dashed];\n  always -> b1 [style=dashed];\n";
    assert_eq!(drawn(Analysis::ControlDependence), format!("{open}{nodes}{arrows}}}\n"));
    let boxes = "  b0 [label=\"a\\lin %n.0\\lout -\\l\", penwidth=2];\n  b1 [label=\"b\\lin -\\lout -\\l\"];\n";
    let arrows = "  b0 -> b1 [label=\"0\"];\n  b0 -> b1 [label=\"1\"];\n";
    assert_eq!(drawn(Analysis::Liveness), format!("{open}{boxes}{arrows}}}\n"));
    let chains = drawn(Analysis::DefUse);
    for line in [
        "  p0 [shape=plain, label=\"%n.0\"];\n",
        "  subgraph cluster_b1 {\n    label=\"b\";\n    b1_0 [label=\"%3 = phi 1, 2\"];\n    b1_1 [label=\"return %3\"];\n  }\n",
        "  p0 -> b0_0 [label=\"%n.0\"];\n",
        "  b1_0 -> b1_1 [label=\"%3\"];\n",
    ] {
        assert!(chains.contains(line), "{line}\n{chains}");
    }
    let corners = built(CORNERS);
    let tree = shown(&corners, Analysis::DominatorTree, Style::Dot);
    assert!(tree.contains("  b4 [label=\"lost\", style=dashed];\n") && !tree.contains("b4 ->"), "{tree}");
    let frontiers = shown(&corners, Analysis::Frontiers, Style::Dot);
    assert!(frontiers.contains("  b3 -> b2 [style=dashed, constraint=false];\n"), "{frontiers}");
    let control = shown(&corners, Analysis::ControlDependence, Style::Dot);
    assert!(control.contains("  b2 [label=\"spin\\lendless end\\l\"];\n"), "{control}");
    assert!(control.contains("  b1 -> b2 [label=\"0\"];\n  b2 -> b2 [label=\"0\"];\n"), "{control}");
}

/// No line begins far right, and each is written in steps that its depth does not count in.
#[test]
fn a_deep_tree_is_as_long_as_it_has_blocks() {
    let test = || {
        let mut function = Function::<Basic>::new("line");
        let blocks: Vec<Block> = (0..100_000).map(|_| function.create_block()).collect();
        blocks.windows(2).for_each(|pair| {
            function.push_inst(pair[0], Inst::jump(pair[1]));
        });
        let last = *blocks.last().unwrap();
        function.push_inst(last, Inst::jump(last));
        for &analysis in Analysis::ALL {
            for style in [Style::Text, Style::Dot] {
                let text = shown(&function, analysis, style);
                assert!(text.len() < 200 * blocks.len(), "{analysis:?} {style:?}: {}", text.len());
            }
        }
        assert!(shown(&function, Analysis::ControlDependence, Style::Json).ends_with("}\n"));
        let tree = shown(&function, Analysis::DominatorTree, Style::Text);
        assert!(tree.ends_with(" block99999: idom block99998, level 99999\n"));
    };
    std::thread::Builder::new().stack_size(256 << 10).spawn(test).unwrap().join().unwrap();
}

#[test]
fn a_function_without_blocks_is_an_error() {
    for &analysis in Analysis::ALL {
        let mut text = String::new();
        let error = print(&Function::<Basic>::new("none"), analysis, Style::Text, NameStyle::Source, &mut text);
        assert!(matches!(error, Err(AnalysisError::Graph(_))) && text.is_empty(), "{error:?}");
    }
}
