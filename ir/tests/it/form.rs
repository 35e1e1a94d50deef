//! Functions made by hand, and what is wrong with them.

use ssaphire_ir::basic::{BinaryOp, Op, Type};
use ssaphire_ir::{
    Action, Arg, Basic, Block, Dest, FormError, Function, IncomingEdge, Inst, List, Phi, Value, ValueKind,
};

fn ret() -> Inst<Basic> {
    Inst::op(Op::Return, [] as [Arg; 0])
}

fn two_blocks() -> (Function<Basic>, Block, Block) {
    let mut function = Function::new("f");
    let (one, two) = (function.create_block(), function.create_block());
    function.push_inst(two, ret());
    (function, one, two)
}

#[test]
fn a_function_without_blocks_has_no_entry() {
    let function = Function::<Basic>::new("f");
    assert_eq!(function.check_form(), [FormError::NoEntry { entry: Block::new(0) }]);
}

#[test]
fn terminators_come_last_and_only_there() {
    let (mut function, one, two) = two_blocks();
    assert_eq!(function.check_form(), [FormError::Unterminated { block: one }]);
    function.push_inst(one, Inst::jump(two));
    assert_eq!(function.check_form(), []);
    function.push_inst(one, ret());
    assert_eq!(function.check_form(), [FormError::TerminatorNotLast { block: one, index: 0 }]);
    assert_eq!(function.block(two).incoming(), [], "the edges are those of the last instruction");
}

#[test]
fn targets_exist() {
    let (mut function, one, _) = two_blocks();
    function.push_inst(one, Inst::jump(Block::new(9)));
    assert_eq!(function.check_form(), [FormError::NoSuchTarget { block: one, slot: 0 }]);
}

#[test]
fn phis_have_an_operand_per_edge() {
    let (mut function, one, two) = two_blocks();
    function.push_inst(one, Inst::jump(two));
    let phi = function.new_value(None, Type::Number);
    function.push_phi(two, Phi { value: phi, variable: None, operands: List::new() });
    assert_eq!(function.check_form(), [FormError::PhiArity { block: two, phi, operands: 0, edges: 1 }]);
}

#[test]
fn operations_have_the_operands_they_take() {
    let (mut function, one, two) = two_blocks();
    let x = function.constant(1);
    function.push_inst(one, Inst::op(Op::Binary(BinaryOp::Add), [x]));
    let copy =
        Inst { action: Action::Copy, args: List::from_elem(x.into(), 1), results: List::new(), targets: List::new() };
    function.push_inst(one, copy);
    function.push_inst(one, Inst::jump(two));
    let errors: Vec<_> = function.check_form().iter().map(ToString::to_string).collect();
    let expected = [
        "block0: instruction 0 has the wrong number of arguments: expected 2, got 1",
        "block0: instruction 0 has the wrong number of results: expected 1, got 0",
        "block0: instruction 1 has the wrong number of arguments: expected 0, got 1",
    ];
    assert_eq!(errors, expected);
}

#[test]
fn values_are_defined_once_and_before_they_are_numbered_away() {
    let (mut function, one, two) = two_blocks();
    let (value, other) = (function.new_value(None, Type::Number), function.new_value(None, Type::Number));
    let constant = function.constant(1);
    function.push_inst(one, Inst::copy(value, constant));
    function.push_inst(one, Inst::copy(value, other));
    function.push_inst(one, Inst::jump(two));
    let twice = FormError::DefinedTwice { block: one, value };
    assert_eq!(function.check_form(), [twice, FormError::Undefined { block: one, value: other }]);
    function.map_uses(|value| if value == other { Value::new(77) } else { value });
    assert_eq!(function.check_form()[1], FormError::NoSuchValue { block: one, value: Value::new(77) });
}

#[test]
fn results_of_a_terminator_need_a_block_of_their_own() {
    let (mut function, one, two) = two_blocks();
    let x = function.add_variable("x", Type::Number);
    let call = Inst::op(Op::Call(ssaphire_ir::basic::Call::new("f")), [] as [Arg; 0]);
    function.push_inst(one, call.with_results([x]).with_targets([two, two]));
    assert_eq!(function.check_form(), [FormError::ResultsNeedOwnBlock { block: one }]);
}

#[test]
fn names_are_made_unique() {
    let mut function = Function::<Basic>::new("f");
    let names = ["x", "x", "x_2", "x"].map(|name| function.add_variable(name, Type::Number));
    let names: Vec<_> = names.iter().map(|&x| function.variable_name(x)).collect();
    assert_eq!(names, ["x", "x_2", "x_2_2", "x_3"]);
    let first = function.create_named_block("block1");
    let second = function.create_block();
    let third = function.create_named_block("block1");
    let fourth = function.create_named_block("block3");
    let labels = [first, second, third, fourth].map(|block| function.label(block));
    assert_eq!(labels, ["block1", "block1_2", "block1_3", "block3"]);
    assert!(labels.iter().zip([first, second, third, fourth]).all(|(l, b)| function.block_labeled(l) == Some(b)));
    assert_eq!(function.block(fourth).name(), None);
}

#[test]
fn constants_and_undefined_values_are_interned() {
    let mut function = Function::<Basic>::new("f");
    let x = function.add_variable("x", Type::Number);
    let five = function.constant(5);
    assert_eq!(function.constant(5), five);
    assert_eq!(function.undefined(x), function.undefined(x));
    assert_ne!(function.undefined(x), function.undefined_of_type(Type::Number));
    function.drop_value(five);
    assert_ne!(function.constant(5), five);
    assert_eq!(function.value(five).kind, ValueKind::Detached);
}

#[test]
fn edges_and_operands_move_together() {
    let mut function = Function::<Basic>::new("f");
    let [a, b, c] = [(); 3].map(|()| function.create_block());
    let [one, two, three] = [1, 2, 3].map(|number| function.constant(number));
    let branch = Inst::op(Op::Branch, [one]).with_targets([c, b]);
    function.push_inst(a, branch);
    function.push_inst(b, Inst::jump(c));
    let phi = function.new_value(None, Type::Number);
    function.insert_phi(c, phi, None, |edge| if edge.source == a { one } else { two });
    function.push_inst(c, Inst::op(Op::Return, [phi]));
    let edge = |source, slot| IncomingEdge { source, slot };
    function.set_incoming_order(c, &[edge(b, 0), edge(a, 0)]).expect("these are its edges");
    assert_eq!(function.block(c).phis().get(0).expect("a phi").operands, [two, one]);
    assert_eq!(function.set_incoming_order(c, &[edge(b, 0)]).map_err(|error| error.block), Err(c));

    // A second edge from `a` stands after its first one.
    assert_eq!(function.redirect_edge(a, 1, c), 2);
    function.set_operand(c, 0, 2, three);
    assert_eq!(function.block(c).incoming(), [edge(b, 0), edge(a, 0), edge(a, 1)]);
    assert_eq!(function.check_form(), []);

    // A terminator with the same targets leaves edges alone; another one takes its operands along.
    function.set_terminator(a, Inst::op(Op::Branch, [two]).with_targets([c, c]));
    assert_eq!(function.block(c).phis().get(0).expect("a phi").operands, [two, one, three]);
    function.set_terminator(a, Inst::jump(b));
    assert_eq!(function.block(c).phis().get(0).expect("a phi").operands, [two]);
    assert_eq!(function.check_form(), []);
}

#[test]
fn views_show_copies_tuples_and_late_results() {
    use ssaphire_graph::{Access, SsaForm, ValueEvent, VariableForm};
    let text = "func f(x) {\na:\n  x, y = y, x\n  z = x\n  z = 5\n  z = add z, %v.0\n  %v.0, w = call g(z) to b, c\n\
                b:\n  return w, %v.0\nc:\n  return\n}\n";
    let function: Function<Basic> = ssaphire_ir::text::parse(text).unwrap_or_else(|errors| panic!("{errors}"));
    let [x, y, z, w] = ["x", "y", "z", "w"].map(|name| function.variable_named(name).expect("a variable"));
    let [a, b] = [0, 1].map(Block::new);
    let expected = [
        Access::Tuple(2),
        Access::Copy(x, y),
        Access::Copy(y, x),
        Access::Copy(z, x),
        Access::Write(z),
        Access::Read(z),
        Access::Write(z),
        Access::Read(z),
    ];
    assert_eq!(function.accesses(a).collect::<Vec<_>>(), expected);
    assert_eq!(function.accesses(b).collect::<Vec<_>>(), [Access::Write(w), Access::Read(w)]);
    let [Dest::Value(v), _] = function.results_at_top(b) else { panic!("two results") };
    assert_eq!(function.events(b).collect::<Vec<_>>(), [ValueEvent::Def(*v), ValueEvent::Use(*v)]);
    assert!(function.events(a).any(|event| event == ValueEvent::Use(*v)));
    assert_eq!(function.globals().count(), 2);
}
