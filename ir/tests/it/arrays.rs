//! Arrays: what they hold, what operations make of them, and what passes leave of that.

use ssaphire_ir::basic::{Array, BasicMachine, Datum, Op, Type, behavior};
use ssaphire_ir::interp::{Arity, Content, Flow, Limits, Machine, TrapKind};
use ssaphire_ir::memory::{Memory, MemoryOp};
use ssaphire_ir::passes::{Options, PhiTags, hoist_loop_invariants, number_values, remove_dead_code};
use ssaphire_ir::text::{SyntaxErrorKind, parse};
use ssaphire_ir::{Basic, FormError, Function, Inst, Part, Storage, Value};
use std::collections::BTreeMap;

type Held = Content<Datum>;

fn execute(op: &Op, args: &[Held]) -> Result<Held, TrapKind> {
    let mut results = Vec::new();
    let flow = BasicMachine::new(0, Vec::new()).execute(op, args, Arity { results: 1, targets: 0 }, &mut results)?;
    assert_eq!((flow, results.len()), (Flow::Next, 1));
    Ok(results.remove(0))
}

fn known(number: i64) -> Held {
    Content::Known(Datum::Number(number))
}

fn access(array: &Held, index: i64) -> Held {
    execute(&Op::Access, &[array.clone(), known(index)]).expect("it never traps")
}

fn update(array: &Held, index: i64, x: &Held) -> Held {
    execute(&Op::Update, &[array.clone(), known(index), x.clone()]).expect("it never traps")
}

/// An array by definition: what was stored last at an index, or else what was there before any store.
#[derive(Clone)]
struct Model {
    base: Held,
    stored: BTreeMap<i64, Held>,
}

impl Model {
    fn element(&self, index: i64) -> Held {
        self.stored.get(&index).cloned().unwrap_or_else(|| access(&self.base, index))
    }

    /// Whether both hold the same at every index of `indices`, before any store too.
    fn holds_the_same(&self, other: &Self, indices: &[i64]) -> bool {
        self.base == other.base && indices.iter().all(|&index| self.element(index) == other.element(index))
    }
}

/// Indices that share few digits, many, and all but the highest.
const INDICES: [i64; 12] = [0, 1, 2, 15, 16, 17, 256, 1 << 40, -1, -16, i64::MIN, i64::MAX];

/// Numbers below a limit that look random and follow from a seed (SplitMix64).
struct Rng(u64);

impl Rng {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % limit as u64) as usize
    }
}

#[test]
pub(crate) fn arrays_hold_what_was_stored_last_and_never_change() {
    let mut rng = Rng(1);
    let (mut equal, mut different) = (0, 0);
    for round in 0..300 {
        let base = if round % 3 == 0 { known(round) } else { Content::Undefined };
        let mut made = vec![(base.clone(), Model { base, stored: BTreeMap::new() })];
        for _ in 0..40 {
            let (array, model) = &made[rng.below(made.len())];
            let index = INDICES[rng.below(INDICES.len())];
            let x = match rng.below(4) {
                0 => Content::Undefined,
                1 => access(&model.base, index),
                number => known(number as i64),
            };
            let (array, mut model) = (update(array, index, &x), model.clone());
            model.stored.insert(index, x);
            made.push((array, model));
        }
        for (array, model) in &made {
            assert!(INDICES.iter().all(|&index| access(array, index) == model.element(index)), "{array}");
            assert_eq!(access(array, 99), access(&model.base, 99), "{array}");
            let (other, other_model) = &made[rng.below(made.len())];
            let is_equal = model.holds_the_same(other_model, &INDICES);
            assert_eq!(array == other, is_equal, "{array} and {other}");
            *if is_equal { &mut equal } else { &mut different } += 1;
        }
    }
    assert!(equal > 500 && different > 5000, "{equal} {different}");
}

#[test]
pub(crate) fn what_is_undefined_is_undefined_and_nothing_traps() {
    let undefined = Content::Undefined;
    let array = update(&undefined, 3, &known(5));
    assert_eq!(access(&undefined, 0), undefined);
    assert_eq!(access(&array, 2), undefined);
    assert_eq!(execute(&Op::Access, &[array.clone(), undefined.clone()]), Ok(undefined.clone()));
    assert_eq!(execute(&Op::Update, &[array.clone(), undefined.clone(), known(1)]), Ok(undefined.clone()));
    assert_eq!(execute(&Op::HiddenUpdate, &[undefined.clone(), known(1)]), Ok(undefined.clone()));
    // An array of which nothing is known is the undefined one.
    assert_eq!(update(&array, 3, &undefined), undefined);
}

#[test]
pub(crate) fn a_hidden_update_makes_an_array_with_one_element() {
    assert_eq!(execute(&Op::HiddenUpdate, &[known(3), known(5)]), Ok(update(&Content::Undefined, 3, &known(5))));
}

#[test]
pub(crate) fn arrays_where_numbers_are_wanted_are_malformed() {
    let array = update(&Content::Undefined, 3, &known(5));
    for (op, args) in [
        (Op::Access, vec![array.clone(), array.clone()]),
        (Op::Update, vec![array.clone(), array.clone(), known(1)]),
        (Op::Update, vec![array.clone(), known(1), array.clone()]),
        (Op::HiddenUpdate, vec![known(1), array.clone()]),
        (Op::Unary(ssaphire_ir::basic::UnaryOp::Neg), vec![array.clone()]),
        (Op::Binary(ssaphire_ir::basic::BinaryOp::Add), vec![known(1), array]),
    ] {
        assert_eq!(execute(&op, &args), Err(TrapKind::Malformed), "{op:?}");
    }
}

#[test]
pub(crate) fn arrays_are_shown_by_index() {
    let mut array = Content::Undefined;
    for (index, x) in [(2, 7), (-1, 4), (300, 0), (2, 8)] {
        array = update(&array, index, &known(x));
    }
    assert_eq!(array.to_string(), "[-1: 4, 2: 8, 300: 0]");
    assert_eq!(update(&array, -1, &Content::Undefined).to_string(), "[2: 8, 300: 0]");
    assert_eq!(update(&known(17), 1, &known(100)).to_string(), "17[1: 100]");
    assert_eq!(update(&known(17), 1, &Content::Undefined).to_string(), "17[1: undef]");
    let Content::Known(Datum::Array(array)) = array else { panic!("it is an array") };
    let shown = |array: &Array| (array.base(), array.changed().len(), array.element(2));
    assert_eq!(shown(&array), (Content::Undefined, 3, Content::Known(8)));
}

/// What `source` returns, called with 1, 2 and so on.
#[track_caller]
fn run(source: &str) -> String {
    let function: Function<Basic> = parse(source).unwrap_or_else(|errors| panic!("{errors}"));
    let args: Vec<i64> = (1..=function.params().len() as i64).collect();
    behavior(&function, &args, BasicMachine::new(7, Vec::new()), Limits::default()).to_string()
}

#[test]
pub(crate) fn opaque_calls_take_arrays_by_what_they_hold_and_return_some() {
    let with = |first: &str, second: &str| {
        run(&format!(
            "func f() {{\nb:\n  %0 = update undef:array, {first}\n  %1 = update %0, {second}\n  %2 = call g(%1)\n  return %2\n}}"
        ))
        .lines()
        .last()
        .map(str::to_owned)
    };
    assert_eq!(with("1, 5", "2, 6"), with("2, 6", "1, 5"));
    assert_ne!(with("1, 5", "2, 6"), with("1, 6", "2, 5"));
    assert_ne!(with("1, 5", "2, 6"), with("1, 5", "2, undef"));
    let returned = run(
        "func f() {\nb:\n  %0: array = call g()\n  %1 = access %0, 5\n  %2 = access %0, 5\n  %3 = eq %1, %2\n  return %3\n}",
    );
    assert_eq!(returned, "call g()\nreturn 1\n");
}

/// The function is refused there, for this reason.
#[track_caller]
fn check_refused(source: &str, line: usize, kind: &SyntaxErrorKind) {
    let errors = parse::<Basic>(source).expect_err("a type is wrong");
    let error = &errors.errors[0];
    assert_eq!((error.line, &error.kind), (line, kind), "{errors}");
}

#[test]
pub(crate) fn types_that_do_not_fit_are_refused_where_they_stand() {
    let arg = |place| SyntaxErrorKind::WrongType(Part::Arg(place));
    check_refused("func f(A: array, i) {\nb:\n  print A\n  x = access i, i\n  return x\n}", 4, &arg(0));
    check_refused("func f(A: array, i) {\nb:\n  A = update A, i, A\n  return\n}", 3, &arg(2));
    check_refused("func f(A: array, i) {\nb:\n  i = neg A\n  return\n}", 3, &arg(0));
    check_refused("func f(A: array) {\nb:\n  branch A, b, c\nc:\n  return\n}", 3, &arg(0));
    check_refused("func f(A: array) {\nb:\n  x = A\n  return\n}", 3, &arg(0));
    let below = "func f(A: array, i) {\nb:\n  branch i, c, d\nc:\n  jump d\nd: <- b, c\n  %2 = phi 1, 2\n  i = neg A\n  return %2\n}";
    check_refused(below, 8, &arg(0));
    let result = SyntaxErrorKind::WrongType(Part::Result(0));
    check_refused("func f(A: array) {\nb:\n  x = update A, 1, 2\n  return\n}", 3, &result);
    check_refused("func f(i) {\nvar A: array\nb:\n  A = read()\n  return\n}", 4, &result);
    let phi = SyntaxErrorKind::PhiType { operand: 1 };
    let source = "func f(%0, %1: array) {\nb:\n  branch %0, c, d\nc:\n  jump d\nd: <- b, c\n  %2: array = phi %1, %0\n  return\n}";
    check_refused(source, 7, &phi);
}

#[test]
pub(crate) fn types_that_do_not_fit_are_no_form() {
    let mut function = Function::<Basic>::new("f");
    let array = function.add_value_param(None, Type::Array);
    let block = function.create_block();
    let sum = function.new_value(None, Type::Number);
    function.push_inst(block, Inst::op(Op::Unary(ssaphire_ir::basic::UnaryOp::Neg), [array]).with_results([sum]));
    function.push_inst(block, Inst::op::<Value>(Op::Return, []));
    let wrong = FormError::WrongType { block, index: 0, part: Part::Arg(0) };
    assert_eq!(function.check_form(), [wrong]);
    assert_eq!(wrong.to_string(), "block0: argument 0 of instruction 0 has the wrong type");
}

#[test]
pub(crate) fn an_update_is_tied_to_the_array_and_a_hidden_one_to_its_variable() {
    let ops = [Op::Access, Op::Update, Op::HiddenUpdate, Op::Print];
    let tied = ops.clone().map(|op| Basic::tied(&op));
    assert_eq!(tied, [None, Some((0, 0)), None, None]);
    assert_eq!(ops.clone().map(|op| Basic::shares_storage(&op)), [false, false, true, false]);
    let over_memory = ops.map(MemoryOp::Inner);
    assert_eq!(over_memory.clone().map(|op| Memory::<Basic>::tied(&op)), tied);
    assert_eq!(over_memory.map(|op| Memory::<Basic>::shares_storage(&op)), [false, false, true, false]);
}

/// The pass leaves `source` as it is.
#[track_caller]
fn check_unchanged<T>(source: &str, pass: impl Fn(&mut Function<Basic>) -> T) {
    let mut function: Function<Basic> = parse(source).unwrap_or_else(|errors| panic!("{errors}"));
    let before = function.to_string();
    pass(&mut function);
    assert_eq!(function.to_string(), before);
}

#[test]
pub(crate) fn hidden_updates_are_in_different_storage_and_stay_where_they_are() {
    let number = |function: &mut Function<Basic>| number_values(function, PhiTags::default()).unwrap();
    let hoist = |function: &mut Function<Basic>| hoist_loop_invariants(function).unwrap();
    let twice = "func f(%0) {\nb:\n%1 = hidden_update 0, %0\n%2 = hidden_update 0, %0\nreturn %1, %2\n}";
    check_unchanged(twice, number);
    let in_a_loop =
        "func f(%0) {\nb:\njump c\nc:\n%1 = hidden_update 0, %0\nprint %1\n%2 = read()\nbranch %2, c, d\nd:\nreturn\n}";
    check_unchanged(in_a_loop, hoist);
}

#[test]
pub(crate) fn an_element_may_be_undefined_so_that_a_branch_on_it_stays() {
    let source = "func f(%0: array, %1) {\nb:\n%2 = access %0, %1\nbranch %2, c, c\nc:\nreturn\n}";
    check_unchanged(source, |function| remove_dead_code(function, Options::default()).unwrap());
}

#[test]
pub(crate) fn stores_that_nobody_reads_go() {
    let source = "func f(%0: array) {\nb:\n%1 = update %0, 1, 2\n%2 = hidden_update 3, 4\n%3 = access %1, 5\nreturn\n}";
    let mut function: Function<Basic> = parse(source).unwrap_or_else(|errors| panic!("{errors}"));
    remove_dead_code(&mut function, Options::default()).unwrap();
    assert_eq!(function.to_string(), "func f(%0: array) {\nb:\n  return\n}\n");
}

#[test]
pub(crate) fn a_million_updates_take_memory_and_time_in_proportion() {
    let source = "func f(n) {\nvar n, i, c, x\nvar A: array\nb:\n  i = 0\n  jump h\nh:\n  c = lt i, n\n  branch c, d, e\n\
                  d:\n  A = update A, i, i\n  i = add i, 1\n  jump h\ne:\n  x = access A, 777777\n  return x, i\n}";
    let function: Function<Basic> = parse(source).unwrap_or_else(|errors| panic!("{errors}"));
    let limits = Limits { steps: 10_000_000, frames: 1 };
    let run = behavior(&function, &[1_000_000], BasicMachine::new(0, Vec::new()), limits);
    assert_eq!(run.to_string(), "return 777777, 1000000\n");
}
