//! Splitting live ranges and computing values again: text in, text out; and on random functions.

use crate::support::{check_pass, read};
use ssaphire_ir::passes::{LiveRangeError, rematerialize, split_live_range};
use ssaphire_ir::{Basic, Block, Dest, Function, Value};

const LOOP: &str = "func f(%n.0) {
         block0:
           %a.0 = add %n.0, 1
           jump block1
         block1: <- block0, block2
           %i.0 = phi %a.0, %i.1
           %c.0 = lt %i.0, %a.0
           branch %c.0, block2, block3
         block2:
           %i.1 = add %i.0, %a.0
           jump block1
         block3:
           return %a.0, %i.0
         }";

/// The first result of an instruction.
fn result(function: &Function<Basic>, block: usize, inst: usize) -> Value {
    match function.block(Block::new(block)).insts().get(inst).unwrap().results {
        [Dest::Value(value), ..] => *value,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_copy_in_a_loop_is_merged_with_what_enters_it() {
    let copies = check_pass(
        LOOP,
        "func f(%n.0) {
         block0:
           %a.0 = add %n.0, 1
           jump block1
         block1: <- block0, block2
           %i.0 = phi %a.0, %i.1
           %a.2 = phi %a.0, %a.1
           %c.0 = lt %i.0, %a.2
           branch %c.0, block2, block3
         block2:
           %a.1 = %a.2
           %i.1 = add %i.0, %a.1
           jump block1
         block3:
           return %a.2, %i.0
         }",
        |function| split_live_range(function, result(function, 0, 0), &[(Block::new(2), 0)]).unwrap(),
    );
    assert_eq!((copies.copies.len(), copies.phis), (1, 1));
}

#[test]
fn a_value_is_computed_again_for_one_instruction() {
    check_pass(
        LOOP,
        "func f(%n.0) {
         block0:
           %a.0 = add %n.0, 1
           jump block1
         block1: <- block0, block2
           %i.0 = phi %a.0, %i.1
           %c.0 = lt %i.0, %a.0
           branch %c.0, block2, block3
         block2:
           %a.1 = add %n.0, 1
           %i.1 = add %i.0, %a.1
           jump block1
         block3:
           return %a.0, %i.0
         }",
        |function| rematerialize(function, result(function, 0, 0), Block::new(2), 0).unwrap(),
    );
}

#[test]
fn what_is_not_available_or_not_computed_is_refused() {
    let before = read(LOOP);
    let mut function = before.clone();
    let [last, phi] = [result(&before, 2, 0), before.block(Block::new(1)).phis().get(0).unwrap().value];
    let refused = |value, block, inst| LiveRangeError::NotAvailable { value, block: Block::new(block), inst };
    let points = [(Block::new(2), 1), (Block::new(3), 0)];
    assert_eq!(split_live_range(&mut function, last, &points), Err(refused(last, 3, 0)));
    assert_eq!(split_live_range(&mut function, last, &[(Block::new(2), 0)]), Err(refused(last, 2, 0)));
    assert_eq!(split_live_range(&mut function, phi, &[(Block::new(3), 1)]), Err(refused(phi, 3, 1)));
    assert_eq!(rematerialize(&mut function, last, Block::new(3), 0), Err(refused(last, 3, 0)));
    let not_computed = LiveRangeError::NotComputed { value: phi };
    assert_eq!(rematerialize(&mut function, phi, Block::new(3), 0), Err(not_computed));
    assert_eq!(
        not_computed.to_string(),
        format!("{phi}: not the only result of an operation that can be executed again")
    );
    assert_eq!(function, before);
}
