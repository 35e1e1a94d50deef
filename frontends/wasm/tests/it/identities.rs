//! The identities that the dialect lists hold.

use ssaphire_ir::fold::{Folding, Identity, Pattern, identities};
use ssaphire_ir::{Semantics, Syntax};
use ssaphire_wasm::{Constant, Wasm};

/// Numbers of all types, as small and large as they come, and what is not a number.
fn samples() -> Vec<Constant> {
    let mut samples = Vec::new();
    for number in [0, 1, -1, 2, 31, 32, 255, 256, 65_535, 65_536, i32::MAX, i32::MIN, -12345] {
        samples.push(Constant::I32(number));
    }
    for number in
        [0, 1, -1, 63, 64, 255, 256, 65_535, 65_536, (1 << 32) - 1, 1 << 32, i64::MAX, i64::MIN, 1 << 40, -(1 << 35)]
    {
        samples.push(Constant::I64(number));
    }
    for number in [0.0, -0.0, 1.5, -2.25, f32::INFINITY, f32::MIN_POSITIVE] {
        samples.push(Constant::F32(number.to_bits()));
        samples.push(Constant::F64(f64::from(number).to_bits()));
    }
    samples.extend([0x7fc0_0000, 0xffc0_0000, 0x7fa0_0001].map(Constant::F32));
    samples.extend([0x7ff8_0000_0000_0000, 0xfff8_0000_0000_0001].map(Constant::F64));
    samples
}

/// What a pattern is where these constants stand for anything.
fn evaluate(pattern: &Pattern<Wasm>, any: &[Constant]) -> Option<Constant> {
    match pattern {
        Pattern::Any(number) | Pattern::AnyConstant(number) => any.get(*number).copied(),
        Pattern::Constant(constant) => Some(*constant),
        Pattern::Result(load, number) => any.get(*number).copied().filter(|&value| is_loaded(load, value)),
        Pattern::Apply(op, args) => {
            let args = args.iter().map(|arg| evaluate(arg, any)).collect::<Option<Vec<_>>>()?;
            Wasm::evaluate(op, &args)
        }
    }
}

/// Whether the load can give the value.
fn is_loaded(load: &ssaphire_wasm::Op, value: Constant) -> bool {
    let name = Wasm::op_name(load);
    let bits = match value {
        Constant::I32(value) if name.starts_with("i32.") => u64::from(value as u32),
        Constant::I64(value) if name.starts_with("i64.") => value as u64,
        _ => return false,
    };
    let width = ["8_u", "16_u", "32_u"].iter().position(|&end| name.ends_with(end)).expect("a narrow load");
    bits >> (8 << width) == 0
}

#[test]
fn identities_hold_for_all_numbers_that_were_tried() {
    let list = identities::<Wasm>().expect("the list is well-formed");
    assert!(list.len() > 200);
    let samples = samples();
    for Identity { op, args, result } in &list {
        let left = Pattern::Apply(op.clone(), args.clone());
        let mut tried = 0;
        for &x in &samples {
            for &y in &samples {
                let any = [x, y, y];
                // Most of them have other types.
                let Some(value) = evaluate(&left, &any) else { continue };
                tried += 1;
                assert_eq!(Some(value), evaluate(result, &any), "{left:?} = {result:?} for {any:?}");
            }
        }
        assert!(tried > 0, "{left:?} = {result:?}");
    }
    // Whoever folds finds the list well-formed, too.
    drop(Folding::<Wasm>::new(ssaphire::fold::FoldOptions::ALL));
}
