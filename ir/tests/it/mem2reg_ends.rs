//! `mem2reg` of many slots: it ends, needs no stack, and promotes addresses of slots in a limited number of rounds.

use ssaphire::check::rules;
use ssaphire_ir::basic::{Op, Type};
use ssaphire_ir::memory::{MOST_ROUNDS, Memory, MemoryOp, MemoryType, Refusal, mem2reg};
use ssaphire_ir::text::parse;
use ssaphire_ir::{Basic, Block, Function, Inst, Value};
use std::thread;

type MemoryFunction = Function<Memory<Basic>>;

fn on_a_small_stack(test: impl FnOnce() + Send + 'static) {
    let thread = thread::Builder::new().stack_size(256 << 10).spawn(test).expect("a thread can be made");
    thread.join().expect("the test passes on a small stack");
}

/// So many slots for what `ty` says, made in the entry.
fn slots(count: usize, ty: impl Fn(usize) -> MemoryType<Type>) -> (MemoryFunction, Block, Vec<Value>) {
    let mut function = Function::new("f");
    let entry = function.create_block();
    let make = |number| {
        let address = function.new_value(None, MemoryType::Address);
        function.push_inst(entry, Inst::op::<Value>(MemoryOp::Slot(ty(number)), []).with_results([address]));
        address
    };
    let slots = (0..count).map(make).collect();
    (function, entry, slots)
}

fn store(value: Value, slot: Value) -> Inst<Memory<Basic>> {
    Inst::op(MemoryOp::Store { is_volatile: false }, [value, slot])
}

fn load(slot: Value, value: Value) -> Inst<Memory<Basic>> {
    Inst::op(MemoryOp::Load { is_volatile: false }, [slot]).with_results([value])
}

fn give_back(value: Value) -> Inst<Memory<Basic>> {
    Inst::op(MemoryOp::Inner(Op::Return), [value])
}

/// Each load takes what the next one loads, and so on round the ring: followed from any of them, all are passed.
#[test]
fn a_hundred_thousand_slots_hand_each_other_their_loads() {
    on_a_small_stack(|| {
        for ring in [false, true] {
            let count = 100_000;
            let (mut function, entry, slots) = slots(count, |_| MemoryType::default());
            let seven = function.constant(7);
            let never = function.create_block();
            let loaded: Vec<Value> = slots.iter().map(|_| function.new_value(None, MemoryType::default())).collect();
            let next = |number: usize| {
                if number + 1 < count {
                    loaded[number + 1]
                } else if ring {
                    loaded[0]
                } else {
                    seven
                }
            };
            for (number, &slot) in slots.iter().enumerate() {
                function.push_inst(never, store(next(number), slot));
                function.push_inst(never, load(slot, loaded[number]));
            }
            function.push_inst(entry, give_back(seven));
            function.push_inst(never, give_back(loaded[0]));
            let promotion = mem2reg(&mut function).expect("the graph is one");
            assert_eq!((promotion.single_store, promotion.accesses), (count, 2 * count));
            function.canonicalize();
            let returned = if ring { "undef" } else { "7" };
            assert_eq!(
                function.to_string(),
                format!("func f() {{\nblock0:\n  return 7\nblock1:\n  return {returned}\n}}\n")
            );
        }
    });
}

/// The first slot holds the address of the second, and so on, and the last one holds a number.
fn chain(count: usize) -> MemoryFunction {
    let ty = |number| if number + 1 < count { MemoryType::Address } else { MemoryType::default() };
    let (mut function, entry, slots) = slots(count, ty);
    let seven = function.constant(7);
    for (number, &slot) in slots.iter().enumerate() {
        let stored = slots.get(number + 1).copied().unwrap_or(seven);
        function.push_inst(entry, store(stored, slot));
    }
    let mut at = slots[0];
    for number in 0..count {
        let loaded = function.new_value(None, ty(number));
        function.push_inst(entry, load(at, loaded));
        at = loaded;
    }
    function.push_inst(entry, give_back(at));
    function
}

#[test]
fn each_round_promotes_the_slots_whose_addresses_the_last_one_held() {
    let mut function = chain(MOST_ROUNDS);
    let promotion = mem2reg(&mut function).unwrap();
    assert_eq!((promotion.promoted, promotion.rounds, promotion.kept), (MOST_ROUNDS, MOST_ROUNDS, vec![]));
    function.canonicalize();
    assert_eq!(function.to_string(), "func f() {\nblock0:\n  return 7\n}\n");
}

#[test]
fn a_longer_chain_of_addresses_stays_from_there_on_and_says_so() {
    let mut function = chain(5_000);
    let promotion = mem2reg(&mut function).unwrap();
    assert_eq!(
        (promotion.promoted, promotion.rounds, promotion.kept.len()),
        (MOST_ROUNDS, MOST_ROUNDS, 5_000 - MOST_ROUNDS)
    );
    let refusals = |refusal| promotion.kept.iter().filter(|kept| kept.refusal == refusal).count();
    assert_eq!((refusals(Refusal::TooManyRounds), refusals(Refusal::AddressStored)), (1, 5_000 - MOST_ROUNDS - 1));
    let first = promotion.kept.iter().find(|kept| kept.refusal == Refusal::TooManyRounds).unwrap();
    assert_eq!(first.to_string(), "v64: created in block0, promotable after 64 rounds only");
    assert_eq!((function.check_form(), rules(&function)), (vec![], vec![]));
    // Who wants the rest asks again.
    assert_eq!(mem2reg(&mut function).unwrap().promoted, MOST_ROUNDS);
}

#[test]
fn slots_that_hold_their_own_addresses_stay() {
    for text in [
        "func f() {\nblock0:\n  %0 = slot address\n  store %0, %0\n  %1: address = load %0\n  return %1\n}\n",
        "func f() {\nblock0:\n  %0 = slot address\n  %1 = slot address\n  store %0, %1\n  store %1, %0\n  return\n}\n",
    ] {
        let mut function: MemoryFunction = parse(text).unwrap();
        let promotion = mem2reg(&mut function).unwrap();
        assert!(promotion.promoted == 0 && promotion.rounds == 0, "{promotion:?}");
        assert!(promotion.kept.iter().all(|kept| kept.refusal == Refusal::AddressStored), "{promotion:?}");
        assert_eq!(function.to_string(), text);
    }
}
