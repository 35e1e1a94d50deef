//! Functions made instruction by instruction.

use ssaphire::Certified;
use ssaphire_ir::basic::{BinaryOp, Op, Type};
use ssaphire_ir::{Basic, Function, FunctionBuilder, ValueKind};

const ADD: Op = Op::Binary(BinaryOp::Add);

#[test]
fn a_block_may_be_left_and_gone_on_with() {
    let mut ssa = Certified::default();
    let mut builder = FunctionBuilder::<Basic>::new(&mut ssa, "f");
    let (first, second) = (builder.create_block(), builder.create_block());
    let (one, two) = (builder.constant(1), builder.constant(2));
    builder.switch_to(first);
    let sum = builder.push_one(ADD, &[one, two], Type::Number).unwrap();
    builder.switch_to(second);
    let other = builder.push_one(ADD, &[sum, one], Type::Number).unwrap();
    builder.switch_to(first);
    let more = builder.push(ADD, &[sum, two], &[Type::Number]).unwrap();
    builder.terminate(Op::Jump, &[], &[second]).unwrap();
    builder.seal(second).unwrap();
    builder.switch_to(second);
    builder.terminate(Op::Return, &[other, more[0]], &[]).unwrap();
    let function = builder.finish().unwrap();
    assert_eq!(function.check_form(), []);
    let text = "func f() {\nblock0:\n  %2 = add 1, 2\n  %3 = add %2, 2\n  jump block1\n\
                block1:\n  %4 = add %2, 1\n  return %4, %3\n}\n";
    assert_eq!(function.to_string(), text);
}

#[test]
fn constants_are_found_again_after_renumbering() {
    let mut function = Function::<Basic>::new("f");
    let x = function.add_variable("x", Type::Number);
    let (unused, one, undefined) = (function.constant(7), function.constant(1), function.undefined(x));
    let block = function.create_block();
    function.push_inst(block, ssaphire_ir::Inst::op(Op::Return, [one, undefined]));
    let new = function.canonicalize();
    assert_eq!((new[unused], new[one]), (None, Some(function.constant(1))));
    assert_eq!(new[undefined], Some(function.undefined(x)));
    assert_eq!(function.num_values(), 2);
    let again = function.constant(7);
    assert_eq!(function.value(again).kind, ValueKind::Constant(&7));
    function.drop_value(again);
    assert_ne!(function.constant(7), again);
}
