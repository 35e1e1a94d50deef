//! Analyses shown say what the views say, on random functions.

use serde_json::Value as Json;
use ssaphire::graph::{FlatCfg, Liveness, Order, SsaForm, ValueEvent};
use ssaphire::{Certified, Value};
use ssaphire_ir::analysis::{Analysis, Style, print};
use ssaphire_ir::text::NameStyle;
use ssaphire_ir::{Basic, Function, ValueKind, to_ssa};
use ssaphire_tests::functions::{self, Shape, maximal_ssa};

fn shown(function: &Function<Basic>, analysis: Analysis, style: Style) -> String {
    let mut text = String::new();
    print(function, analysis, style, NameStyle::Source, &mut text).unwrap();
    text
}

fn json(function: &Function<Basic>, analysis: Analysis) -> Json {
    serde_json::from_str(&shown(function, analysis, Style::Json)).unwrap()
}

fn ids(list: &Json) -> impl Iterator<Item = usize> {
    list.as_array().unwrap().iter().map(|id| id.as_u64().unwrap() as usize)
}

/// Random functions of every shape, in two SSA forms.
fn each(mut check: impl FnMut(Function<Basic>)) {
    for &shape in Shape::ALL {
        for seed in 0..40 {
            let function = functions::generate(shape, 1 + seed as usize % 13, seed);
            check(maximal_ssa(&function));
            if let Ok(built) = to_ssa(&function, &mut Certified::default()) {
                check(built);
            }
        }
    }
}

fn is_kept(function: &Function<Basic>, value: Value) -> bool {
    !matches!(function.value(value).kind, ValueKind::Constant(_) | ValueKind::Undefined)
}

#[test]
fn live_values_are_those_of_the_whole_function_but_for_constants() {
    each(|function| {
        let cfg = FlatCfg::new(&function).unwrap();
        let live = Liveness::of_values(&function, &cfg, &Order::new(&cfg));
        let object = json(&function, Analysis::Liveness);
        for block in function.blocks() {
            let found = &object["blocks"][block.index()];
            for (list, all) in [("live_in", live.live_in(block)), ("live_out", live.live_out(block))] {
                let mut expected: Vec<usize> =
                    all.iter().filter(|&&value| is_kept(&function, value)).map(|value| value.index()).collect();
                expected.sort_unstable();
                assert_eq!(ids(&found[list]).collect::<Vec<_>>(), expected, "{list} {block}\n{function}");
            }
        }
    });
}

#[test]
fn each_definition_has_all_its_uses() {
    each(|function| {
        let mut uses = vec![0; function.num_values()];
        let mut defs = vec![0; function.num_values()];
        function.params().iter().for_each(|param| defs[param.value.index()] += 1);
        for block in function.blocks() {
            for phi in function.block(block).phis().iter() {
                defs[phi.value.index()] += 1;
                phi.operands.iter().for_each(|operand| uses[operand.index()] += 1);
            }
            for event in function.events(block) {
                match event {
                    ValueEvent::Def(value) => defs[value.index()] += 1,
                    ValueEvent::Use(value) => uses[value.index()] += 1,
                }
            }
        }
        let object = json(&function, Analysis::DefUse);
        let mut found = vec![None; function.num_values()];
        for definition in object["definitions"].as_array().unwrap() {
            let value = definition["value"].as_u64().unwrap() as usize;
            let previous = found[value].replace(definition["uses"].as_array().unwrap().len());
            assert_eq!(previous, None, "a definition is listed once\n{function}");
        }
        for value in function.values() {
            let expected = (is_kept(&function, value) && defs[value.index()] > 0).then_some(uses[value.index()]);
            assert_eq!(found[value.index()], expected, "{value}\n{function}");
        }
    });
}
