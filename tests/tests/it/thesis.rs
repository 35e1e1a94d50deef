//! Ullrich 2013, Fig. 10: one path through the running example, in both forms, side by side.
//!
//! A state maps a variable to the block of its last definition. In SSA form it
//! maps it to the value that holds it, and to the block whose definition gave
//! that value its content: a phi hands the content of its operand on.
//!
//! # Departures
//! Only variables that the path writes are compared; the figure leaves the conditions' out.

use ssaphire::{Block, Certified, Value};
use ssaphire_ir::text::parse;
use ssaphire_ir::{Basic, Dest, Function, ValueKind, to_ssa};
use std::collections::BTreeMap;

/// The example in the form in which no block defines and uses a variable: block 5 is split.
const SPLIT: &str = "func running_example(a) {
    block1:
      x = add a, 0
      jump block2
    block2:
      c = read()
      branch c, block4, block3
    block3:
      return x
    block4:
      d = read()
      branch d, block5, block6
    block5:
      y = add x, 1
      jump block7
    block7:
      x = add y, 0
      jump block6
    block6:
      jump block2
    }";

/// The path 1, 2, 4, 5.
const PATH: [&str; 4] = ["block1", "block2", "block4", "block5"];

fn path(function: &Function<Basic>) -> Vec<Block> {
    PATH.iter().map(|label| function.block_labeled(label).unwrap()).collect()
}

/// Which block defined each variable last.
fn state(function: &Function<Basic>) -> BTreeMap<String, String> {
    let mut state = BTreeMap::new();
    for block in path(function) {
        for dest in function.block(block).insts().iter().flat_map(|inst| inst.results) {
            if let Dest::Variable(variable) = *dest {
                state.insert(function.variable_name(variable).to_owned(), function.label(block));
            }
        }
    }
    state
}

/// Per variable: where the value that holds it is defined, whether by a phi, and whose definition made its content.
fn ssa_state(function: &Function<Basic>) -> BTreeMap<String, (String, bool, String)> {
    let mut state = BTreeMap::new();
    let mut origin: BTreeMap<Value, String> = BTreeMap::new();
    let mut before = None;
    for block in path(function) {
        let data = function.block(block);
        let edge = data.incoming().iter().position(|edge| Some(edge.source) == before);
        // All phis read before any of them is written.
        let phis = data.phis().iter().map(|phi| (phi.value, origin[&phi.operands[edge.unwrap()]].clone()));
        let results = data.insts().iter().flat_map(|inst| inst.results).map(|dest| match *dest {
            Dest::Value(value) => (value, function.label(block)),
            Dest::Variable(variable) => panic!("{variable} in SSA form"),
        });
        let defined: Vec<_> = phis.chain(results).collect();
        for (value, made_in) in defined {
            let data = function.value(value);
            if let Some(variable) = data.name {
                let is_phi = data.kind == ValueKind::Phi;
                let name = function.variable_name(variable).to_owned();
                state.insert(name, (function.label(block), is_phi, made_in.clone()));
            }
            origin.insert(value, made_in);
        }
        before = Some(block);
    }
    state
}

#[test]
fn the_states_after_1_2_4_5_are_those_of_the_figure() {
    let source: Function<Basic> = parse(SPLIT).unwrap();
    let built = to_ssa(&source, &mut Certified::default()).unwrap();
    let plain = state(&source);
    assert_eq!((plain["x"].as_str(), plain["y"].as_str()), ("block1", "block5"));
    let ssa = ssa_state(&built);
    assert_eq!(ssa["x"], ("block2".to_owned(), true, "block1".to_owned()));
    assert_eq!(ssa["y"], ("block5".to_owned(), false, "block5".to_owned()));
    // The original definitions of the one are the state of the other.
    for (variable, (_, _, made_in)) in &ssa {
        assert_eq!(plain.get(variable), Some(made_in), "{variable}");
    }
}
