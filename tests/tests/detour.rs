//! The detour over memory, on what front ends emit: variable form, slots, `mem2reg`; beside direct construction.

use ssaphire::check::quality::dead_phis;
use ssaphire::check::{isomorphic_by, rules};
use ssaphire::minimize::redundant_phis;
use ssaphire::{Certified, Value};
use ssaphire_ir::memory::{from_memory, mem2reg, to_memory};
use ssaphire_ir::{Dialect, Function};
use ssaphire_wasm::{Module, TranslateOptions, Translator};
use ssaphire_while::generate::{Shape, program};
use std::collections::HashMap;

fn num_phis<D: Dialect>(function: &Function<D>) -> usize {
    function.blocks().map(|block| function.block(block).phis().len()).sum()
}

/// The phis that stay when redundant sets and what nothing uses are gone.
fn needed_phis<D: Dialect>(mut function: Function<D>) -> usize {
    let found = redundant_phis(&function).unwrap();
    let stands_for: HashMap<Value, Value> = found.into_iter().filter_map(|(phi, value)| Some((phi, value?))).collect();
    let resolved = |mut value: Value| {
        while let Some(&next) = stands_for.get(&value) {
            value = next;
        }
        value
    };
    function.map_uses(resolved);
    for block in function.blocks() {
        function.retain_phis(block, |phi| !stands_for.contains_key(&phi.value));
    }
    num_phis(&function) - dead_phis(&function).len()
}

/// Whether the detour has fewer phis, since it took something defined for what is undefined.
#[track_caller]
fn check<D: Dialect>(direct: &Function<D>, variable_form: &Function<D>) -> bool {
    assert_eq!(variable_form.check_form(), [], "{variable_form}");
    let mut memory = to_memory(variable_form);
    assert_eq!(memory.check_form(), [], "{memory}");
    let promotion = mem2reg(&mut memory).unwrap();
    let detour = from_memory(&memory).unwrap();
    assert_eq!((detour.check_form(), rules(&detour)), (vec![], vec![]), "{detour}");
    let may_differ = promotion.phis_folded + promotion.early_loads > 0;
    if !may_differ && num_phis(&detour) == num_phis(direct) {
        assert_eq!(isomorphic_by(direct, &detour, |_, _| true), Ok(()), "{variable_form}\n{direct}\n{detour}");
    }
    let (left, wanted) = (needed_phis(detour), num_phis(direct));
    assert!(left == wanted || (left < wanted && may_differ), "{left}, {wanted}: {variable_form}\n{direct}\n{memory}");
    left < wanted
}

#[test]
fn while_programs_have_the_same_phis_both_ways() {
    let (mut num_programs, mut num_fewer) = (0, 0);
    for seed in 0..450 {
        let source = program(Shape::ALL[seed as usize % 3], 10 + seed as usize % 60, seed);
        let parsed = ssaphire_while::parse(&source, &ssaphire_while::Options::default()).unwrap();
        let direct = ssaphire_while::build(&parsed, 0, &mut Certified::default()).unwrap().function;
        num_fewer += usize::from(check(&direct, &ssaphire_while::build_variable_form(&parsed, 0).unwrap()));
        num_programs += 1;
    }
    assert!(num_fewer < num_programs / 4, "{num_fewer}");
}

#[test]
fn modules_have_the_same_phis_both_ways() {
    let text = "(module (func $gcd (param i32 i32) (result i32) (local i32)
          (block $out (loop $again
            (br_if $out (i32.eqz (local.get 1)))
            (local.set 2 (i32.rem_u (local.get 0) (local.get 1)))
            (local.set 0 (local.get 1)) (local.set 1 (local.get 2)) (br $again)))
          (local.get 0))
        (func (param i64) (result i64) (local i64 f32)
          (if (result i64) (i64.eqz (local.get 0))
            (then (local.set 1 (i64.const 5)) (local.get 1))
            (else (local.tee 1 (i64.add (local.get 0) (local.get 1)))))
          (drop) (local.get 1)))";
    let module: Module = ssaphire_wasm::load(text).unwrap();
    let mut options = TranslateOptions::default();
    options.keeps_variables = true;
    let (mut direct, mut kept) =
        (Translator::new(&module, TranslateOptions::default()), Translator::new(&module, options));
    for index in module.defined_functions() {
        let mut ssa = Certified::default();
        let built = direct.translate(index, &mut ssa).unwrap();
        let variable_form = kept.translate(index, &mut ssa).unwrap();
        assert!(variable_form.has_accesses() && num_phis(&built) > 0);
        check(&built, &variable_form);
    }
}
