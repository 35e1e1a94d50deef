//! Memory form: its runs, and the slots that stay.

use ssaphire_ir::memory::{Memory, Obstacle, OverMemory, Refusal, from_memory, mem2reg, promotable, to_memory};
use ssaphire_ir::text::parse;
use ssaphire_ir::{Basic, Function};

type MemoryFunction = Function<Memory<Basic>>;

fn read(text: &str) -> MemoryFunction {
    parse(text).unwrap_or_else(|errors| panic!("{errors}"))
}

#[test]
fn slots_stay_for_a_reason() {
    let source = "func f(%c.0) {\nblock0:\n  %1 = slot _\n  %2 = slot _\n  %3 = slot _\n  %4 = slot _\n  store volatile 1, %1\n  \
         store %2, %3\n  call g(%4)\n  jump block1\nblock1: <- block0, block1\n  %5 = slot _\n  store 1, %5\n  \
         branch %c.0, block1, block2\nblock2:\n  %6 = load %2\n  return %6\n}\n";
    let refusals: Vec<Refusal> = promotable(&read(source)).into_iter().map(|kept| kept.refusal).collect();
    let expected =
        [Refusal::Volatile, Refusal::AddressStored, Refusal::OtherType, Refusal::AddressUsed, Refusal::NotInEntry];
    assert_eq!(refusals, expected);
    let mut function = read(source);
    let before = function.to_string();
    assert_eq!(mem2reg(&mut function).unwrap().kept.len(), 5);
    assert_eq!(function.to_string(), before);
    assert_eq!(from_memory(&function).unwrap_err().index, 0);
}

#[test]
fn parameters_are_stored_and_bound_to_no_variable() {
    let source: Function<Basic> = parse("func f(x) {\nblock0:\n  return x\n}\n").unwrap();
    let slots = to_memory(&source);
    assert!(slots.params().iter().all(|param| param.variable.is_none()), "{slots}");
}

#[test]
fn the_first_reason_for_a_slot_to_stay_is_reported() {
    let source = "func f(%s.0: address) {\nb:\n  %1 = slot _\n  store %1, %s.0\n  call g(%1)\n  return\n}\n";
    let error = OverMemory::from_slots(parse::<Memory<Basic>>(source).unwrap()).unwrap_err();
    assert!(matches!(error, Obstacle::Kept(kept) if kept.refusal == Refusal::AddressStored), "{error}");
}
