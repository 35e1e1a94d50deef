//! The detour over memory, on what front ends emit: variable form, slots, `mem2reg`; beside direct construction.

use ssaphire::Certified;
use ssaphire::check::rules;
use ssaphire_ir::memory::{Agreement, MemoryOp, OverMemory, agreement, to_memory};
use ssaphire_ir::{Action, Arg, Dest, Dialect, Function};
use ssaphire_tests::programs::{self, Shape};
use ssaphire_wasm::{Module, TranslateOptions, Translator};
use std::collections::HashMap;

/// Whether the detour has something else, since it took something defined for what is undefined.
#[track_caller]
fn check<D: Dialect>(direct: &Function<D>, variable_form: &Function<D>) -> bool {
    assert_eq!(variable_form.check_form(), [], "{variable_form}");
    let slots = to_memory(variable_form);
    assert_eq!(slots.check_form(), [], "{slots}");
    let OverMemory { function, promotion } = &OverMemory::from_slots(slots).unwrap();
    assert_eq!((function.check_form(), rules(function)), (vec![], vec![]), "{function}");
    let may_differ = promotion.phis_folded + promotion.early_loads > 0;
    let agreement = agreement(direct, function).unwrap();
    let is_good = agreement == Agreement::Same || agreement == Agreement::Refines && may_differ;
    assert!(is_good, "{agreement:?}: {variable_form}\n{direct}\n{function}");
    agreement == Agreement::Refines
}

#[test]
fn while_programs_have_the_same_phis_both_ways() {
    let (mut num_programs, mut num_refined) = (0, 0);
    for seed in 0..450 {
        let source = programs::generate(Shape::ALL[seed as usize % 3], 10 + seed as usize % 60, seed);
        let parsed = ssaphire_while::parse(&source, &ssaphire_while::Options::default()).unwrap();
        let direct = ssaphire_while::build(&parsed, 0, &mut Certified::default()).unwrap().function;
        num_refined += usize::from(check(&direct, &ssaphire_while::build_variable_form(&parsed, 0).unwrap()));
        num_programs += 1;
    }
    assert!(num_refined < num_programs / 4, "{num_refined}");
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
    let mut num_phis = 0;
    for index in module.defined_functions() {
        let mut ssa = Certified::default();
        let built = direct.translate(index, &mut ssa).unwrap();
        let variable_form = kept.translate(index, &mut ssa).unwrap();
        assert!(variable_form.has_accesses());
        num_phis += built.blocks().map(|block| built.block(block).phis().len()).sum::<usize>();
        assert!(!check(&built, &variable_form));
    }
    assert!(num_phis > 2, "{num_phis}");
}

/// A local of a reference type is written with values of its subtypes: the slot becomes a value all the same.
#[test]
fn slots_take_values_of_subtypes() {
    let text = "(module
        (type $leaf (sub (struct (field i32)))) (type $node (sub $leaf (struct (field i32) (field i32))))
        (func $one) (elem declare func $one)
        (func (param i32) (result funcref) (local funcref)
          (if (local.get 0) (then (local.set 1 (ref.func $one))))
          (local.get 1))
        (func (param i32 externref) (result externref) (local externref)
          (if (local.get 0) (then (local.set 2 (extern.convert_any (ref.i31 (local.get 0)))))
            (else (local.set 2 (ref.null noextern))))
          (local.get 2))
        (func (param i32) (result i32) (local anyref (ref null $leaf))
          (loop $again
            (if (local.get 0)
              (then (local.set 1 (ref.i31 (i32.const 3))) (local.set 2 (struct.new $node (local.get 0) (i32.const 2))))
              (else (local.set 1 (local.get 2)) (local.set 2 (struct.new $leaf (i32.const 1)))))
            (br_if $again (ref.is_null (local.get 1))))
          (struct.get $leaf 0 (local.get 2))))";
    let module: Module = ssaphire_wasm::load(text).unwrap();
    let mut options = TranslateOptions::default();
    options.keeps_variables = true;
    let (mut direct, mut kept) =
        (Translator::new(&module, TranslateOptions::default()), Translator::new(&module, options));
    let mut num_others = 0;
    for index in module.defined_functions() {
        let built = direct.translate(index, &mut Certified::default()).unwrap();
        let variable_form = kept.translate(index, &mut Certified::default()).unwrap();
        assert!(!check(&built, &variable_form), "{variable_form}");
        num_others += num_stores_of_subtypes(&variable_form);
    }
    assert!(num_others > 5, "{num_others}");
}

/// How many slots are stored a value of another type than their own.
fn num_stores_of_subtypes<D: Dialect>(variable_form: &Function<D>) -> usize {
    let slots = to_memory(variable_form);
    let mut types = HashMap::new();
    let mut count = 0;
    for inst in slots.blocks().flat_map(|block| slots.block(block).insts().to_vec()) {
        match (inst.action, &inst.args[..], &inst.results[..]) {
            (Action::Op(MemoryOp::Slot(ty)), [], &[Dest::Value(slot)]) => drop(types.insert(slot, ty)),
            (Action::Op(MemoryOp::Store { .. }), &[Arg::Value(stored), Arg::Value(slot)], _) => {
                count += usize::from(types[&slot] != *slots.value(stored).ty);
            }
            _ => {}
        }
    }
    count
}
