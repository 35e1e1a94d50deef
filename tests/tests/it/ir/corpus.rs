//! Every corpus file says why it exists, and what it says holds.

use super::json_form::json_says;
use super::spelled::check_spellings;
use super::support::{dominates, is_reducible, reachable};
use ssaphire::Certified;
use ssaphire::graph::{FlatCfg, IdSet};
use ssaphire_ir::memory::to_memory;
use ssaphire_ir::{Arg, Basic, Block, Function, PhiRef, Value, to_ssa};
use ssaphire_literature::{AnyBuilder, Engine};
use ssaphire_tests::corpus::Case;
use ssaphire_tests::corpus_cases;
use ssaphire_tests::functions::maximal_ssa;

fn each(mut check: impl FnMut(&str, Case)) {
    for (path, case) in corpus_cases() {
        check(&path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(), case);
    }
}

#[test]
fn files_read_back_in_every_spelling() {
    each(|_, case| {
        check_spellings(&case.function);
        check_spellings(&maximal_ssa(&case.function));
        check_spellings(&to_memory(&case.function));
        json_says(&case.function);
        for &engine in Engine::ALL {
            // Not every engine takes every graph.
            if let Ok(ssa) = to_ssa(&case.function, &mut Certified::with_builder(AnyBuilder::new(engine))) {
                check_spellings(&ssa);
            }
        }
    });
}

#[test]
fn runs_do_what_the_header_says_in_both_forms() {
    each(|name, case| {
        for run in &case.header.runs {
            let behavior = run.behavior(&case.function);
            assert!(run.is_met_by(&behavior), "{name}: {run:?}\n{behavior}");
            assert!(run.behavior(&maximal_ssa(&case.function)).agrees_with(&behavior), "{name}");
        }
    });
}

#[test]
fn graphs_are_what_the_header_says() {
    each(|name, case| {
        let flat = FlatCfg::new(&case.function).expect("a function is a graph");
        assert_eq!(case.header.is_reducible, Some(is_reducible(&flat)), "{name}");
        let block = |label: &str| case.function.block_labeled(label).expect("the label exists");
        let live = reachable(&flat, None);
        let strictly = |a, b| a != b && dominates(&flat, a, b);
        for (label, idom) in &case.header.idoms {
            let others: Vec<_> = flat.blocks().filter(|&other| strictly(other, block(label))).collect();
            let nearest = others.iter().find(|&&one| others.iter().all(|&other| dominates(&flat, other, one)));
            assert_eq!(nearest, Some(&block(idom)), "{name}: idom of {label}");
        }
        for (label, frontier) in &case.header.frontiers {
            let from = block(label);
            let ends = |to: Block| {
                let edges = flat.incoming(to).iter().map(|&edge| flat.source(edge));
                let mut live_edges = edges.filter(|source| live[source.index()]);
                live_edges.any(|source| dominates(&flat, from, source)) && !strictly(from, to)
            };
            let mut expected: Vec<_> = frontier.iter().map(|label| block(label)).collect();
            expected.sort();
            let found: Vec<_> = flat.blocks().filter(|&to| live[to.index()] && ends(to)).collect();
            assert_eq!(found, expected, "{name}: frontier of {label}");
        }
    });
}

#[test]
fn as_many_phis_are_needed_as_the_header_says() {
    let mut wrong = Vec::new();
    each(|name, case| {
        let needed = needed_phis(&maximal_ssa(&case.function));
        if case.header.phis != Some(needed) {
            wrong.push(format!("{name}: {needed}"));
        }
    });
    assert_eq!(wrong, [""; 0]);
}

/// By definition: while there is a set of phis that only merge each other and one value, it becomes that value.
fn needed_phis(ssa: &Function<Basic>) -> usize {
    let flat = FlatCfg::new(ssa).expect("a function is a graph");
    let live = reachable(&flat, None);
    let operands = |block: Block, phi: PhiRef<'_>| -> Vec<Value> {
        let edges = ssa.block(block).incoming().iter().zip(phi.operands);
        edges.filter(|(edge, _)| live[edge.source.index()]).map(|(_, &operand)| operand).collect()
    };
    let live_blocks: Vec<_> = ssa.blocks().filter(|block| live[block.index()]).collect();
    let all = live_blocks.iter().flat_map(|&block| ssa.block(block).phis().iter().map(move |phi| (block, phi)));
    let mut phis: Vec<(Value, Vec<Value>)> = all.map(|(block, phi)| (phi.value, operands(block, phi))).collect();
    let uses = live_blocks.iter().flat_map(|&block| ssa.block(block).insts().iter()).flat_map(|inst| inst.args);
    let mut used: Vec<Value> =
        uses.filter_map(|arg| if let Arg::Value(value) = *arg { Some(value) } else { None }).collect();
    while let Some((set, value)) = redundant_set(ssa, &phis) {
        phis.retain(|(phi, _)| !set.contains(*phi));
        let replaced = phis.iter_mut().flat_map(|(_, operands)| operands).chain(&mut used);
        replaced.filter(|operand| set.contains(**operand)).for_each(|operand| *operand = value);
    }
    let mut needed = IdSet::new();
    while let Some(value) = used.pop() {
        if let Some((_, operands)) = phis.iter().find(|(phi, _)| *phi == value)
            && needed.insert(value)
        {
            used.extend(operands);
        }
    }
    needed.len()
}

fn redundant_set(ssa: &Function<Basic>, phis: &[(Value, Vec<Value>)]) -> Option<(IdSet<Value>, Value)> {
    ssa.values().find_map(|value| {
        let mut set: IdSet<Value> = phis.iter().map(|&(phi, _)| phi).filter(|&phi| phi != value).collect();
        loop {
            let is_outside = |operand: &Value| *operand != value && !set.contains(*operand);
            let out = phis.iter().find(|(phi, operands)| set.contains(*phi) && operands.iter().any(is_outside));
            match out {
                Some(&(phi, _)) => set.remove(phi),
                None => return (!set.is_empty()).then_some((set, value)),
            };
        }
    })
}
