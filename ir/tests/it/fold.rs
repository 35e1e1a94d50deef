//! The identities that the dialect lists, tried on contents.

use ssaphire_ir::basic::{BasicMachine, Behavior, Datum, Op, Type};
use ssaphire_ir::fold::{Identity, Pattern, identities};
use ssaphire_ir::interp::{Arity, Content, Machine, TrapKind};
use ssaphire_ir::{Basic, Syntax};

/// What a pattern is where these contents stand for anything; `None` if it traps.
fn evaluate(pattern: &Pattern<Basic>, any: &[Content<Datum>]) -> Option<Content<Datum>> {
    match pattern {
        Pattern::Any(number) => any.get(*number).cloned(),
        Pattern::Constant(constant) => Some(Content::Known(Datum::Number(*constant))),
        Pattern::AnyConstant(number) => any.get(1 + *number).cloned(),
        Pattern::Result(op, _) => panic!("{op:?} gives any number"),
        Pattern::Apply(op, args) => {
            let args = args.iter().map(|arg| evaluate(arg, any)).collect::<Option<Vec<_>>>()?;
            let (shape, mut results) = (Arity { results: 1, targets: 0 }, Vec::new());
            BasicMachine::new(0, Vec::new()).execute(op, &args, shape, &mut results).ok()?;
            results.pop()
        }
    }
}

/// Whether the pattern has an array where the number stands for anything.
fn is_array(pattern: &Pattern<Basic>, any: usize) -> bool {
    let Pattern::Apply(op, args) = pattern else { return false };
    args.iter().enumerate().any(|(index, arg)| match arg {
        Pattern::Any(number) => *number == any && Basic::arg_type(op, index) == Some(Type::Array),
        inner => is_array(inner, any),
    })
}

/// Numbers, and something undefined.
fn numbers() -> Vec<Content<Datum>> {
    let numbers = [0, 1, -1, 2, 3, 7, 63, 64, 65, -64, i64::MAX, i64::MIN, i64::MIN + 1, 1 << 40, -12345];
    let known = numbers.into_iter().map(|number| Content::Known(Datum::Number(number)));
    known.chain([Content::Undefined]).collect()
}

/// Arrays: an undefined one, one that a call returns, and what a few updates make of these.
fn arrays() -> Vec<Content<Datum>> {
    let mut arrays = vec![Content::Undefined, Content::Known(Datum::Number(5))];
    for (index, x) in [(0, Content::Known(1)), (63, Content::Known(7)), (i64::MIN, Content::Undefined)] {
        for array in arrays.clone() {
            let (x, index) =
                (x.known().map_or(Content::Undefined, |x| Content::Known(Datum::Number(x))), Datum::from(index));
            let (args, mut results) = ([array, Content::Known(index), x], Vec::new());
            let shape = Arity { results: 1, targets: 0 };
            BasicMachine::new(0, Vec::new()).execute(&Op::Update, &args, shape, &mut results).expect("it never traps");
            arrays.append(&mut results);
        }
    }
    arrays
}

#[test]
fn identities_hold_for_all_contents_that_were_tried() {
    let (numbers, arrays) = (numbers(), arrays());
    let list = identities::<Basic>().expect("the list is well-formed");
    assert!(list.len() > 70);
    for Identity { op, args, result } in &list {
        let left = Pattern::Apply(op.clone(), args.clone());
        let has_array = is_array(&left, 0);
        for x in if has_array { &arrays } else { &numbers } {
            for y in &numbers {
                let z = match (x, y) {
                    (Content::Known(Datum::Number(x)), Content::Known(Datum::Number(y))) => {
                        Content::Known(Datum::Number(x ^ y))
                    }
                    _ => y.clone(),
                };
                let any = [x.clone(), y.clone(), z];
                let returned = |pattern| Behavior {
                    trace: Vec::new(),
                    outcome: evaluate(pattern, &any).map(|content| vec![content]).ok_or(TrapKind::Malformed),
                };
                let (before, after) = (returned(&left), returned(result));
                assert!(after.refines(&before), "{left:?} = {result:?} for {any:?}: {before}{after}");
            }
        }
    }
}
