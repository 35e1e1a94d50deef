//! Builders that are wrong about values which only folded operations used: the judge finds it.

use ssaphire::fold::{Applied, FoldHost, FoldOptions, Folder, Simplified};
use ssaphire::graph::FlatCfg;
use ssaphire::{
    Block, Builder, CallError, Certified, Operator, Options, PhiHost, Recorder, Ssa, SsaBuilder, SsaBuilderExt, Stats,
    Stopped, UndefinedRead, Uses, Value, Variable,
};

const SUB: Operator = Operator::new(0);
const BRANCH: Operator = Operator::new(1);

/// Values that are constants or not; nothing uses any of them but what `used` lists.
#[derive(Default)]
struct Ir {
    values: Vec<Option<i64>>,
    used: Vec<Value>,
}

impl Ir {
    fn value(&mut self, constant: Option<i64>) -> Value {
        self.values.push(constant);
        Value::new(self.values.len() - 1)
    }
}

impl PhiHost for Ir {
    fn new_phi(&mut self, _: Block, _: Variable) -> Value {
        self.value(None)
    }

    fn undefined(&mut self, _: Variable) -> Value {
        self.value(None)
    }

    fn visit_uses(&self, visit: &mut dyn FnMut(Value)) -> Uses {
        self.used.iter().for_each(|&value| visit(value));
        Uses::Visited
    }
}

impl FoldHost for Ir {
    fn is_constant(&self, value: Value) -> bool {
        self.values[value.index()].is_some()
    }

    fn is_repeatable(&self, _: Operator) -> bool {
        true
    }

    fn exchanged(&self, _: Operator) -> Option<Operator> {
        None
    }

    fn evaluate(&mut self, _: Operator, _: &[Value]) -> Option<Value> {
        None
    }

    /// `x - x = 0`, and `x - 0 = x`.
    fn simplify(&mut self, applied: Applied<'_>, _: &mut Vec<Value>) -> Option<Simplified> {
        let &[x, y] = applied.args else { return None };
        match self.values[y.index()] {
            Some(0) => Some(Simplified::Value(x)),
            _ => (x == y).then(|| Simplified::Value(self.value(Some(0)))),
        }
    }

    fn chosen_slot(&self, _: Operator, args: &[Value], _: usize) -> Option<u32> {
        Some(u32::from(self.values[args[0].index()]? == 0))
    }

    fn append(&mut self, _: Block, _: Operator, _: &[Value]) -> Value {
        self.value(None)
    }

    fn remove(&mut self, _: Value) {}
}

/// How a builder is wrong.
#[derive(Clone, Copy)]
enum Mistake {
    /// Every read is answered with what this variable holds.
    Reads(Variable),
    /// Until the end the first value is said to stand for the other.
    Resolves(Value, Value),
}

/// A builder that makes this mistake, if there is one.
struct Wrongly(Builder, Option<Mistake>);

impl Wrongly {
    fn read(&self, variable: Variable) -> Variable {
        if let Some(Mistake::Reads(always)) = self.1 { always } else { variable }
    }

    fn resolved(&mut self, value: Value) -> Value {
        match self.1 {
            Some(Mistake::Resolves(from, to)) if value == from => to,
            _ => self.0.resolve(value),
        }
    }
}

/// Passes a call on.
macro_rules! pass_on {
    ($self:ident, try_read_variable($host:ident, $block:ident, $variable:ident)) => {
        $self.0.try_read_variable($host, $block, $self.read($variable))
    };
    ($self:ident, resolve($value:ident)) => {
        $self.resolved($value)
    };
    ($self:ident, $call:ident($($arg:ident),*)) => {
        $self.0.$call($($arg),*)
    };
}

macro_rules! implement {
    (
        shared { $($ask:ident($($asked:ident: $ask_type:ty),*) -> $answer:ty;)* }
        exclusive { $($call:ident($($arg:ident: $type:ty),*) $(-> $result:ty)?;)* }
    ) => {
        impl SsaBuilder for Wrongly {
            $(fn $ask(&self, $($asked: $ask_type),*) -> $answer {
                self.0.$ask($($asked),*)
            })*
            $(fn $call(&mut self, $($arg: $type),*) $(-> $result)? {
                pass_on!(self, $call($($arg),*))
            })*
        }
    };
}

ssaphire_construct::with_calls!(implement);

/// A function of two variables that differ in both arms of a conditional and are read after it, by `then`; the complaints
/// about it.
fn complaints(
    mistake: Option<Mistake>,
    then: impl FnOnce(&mut Ir, &mut Certified<Wrongly>, &mut Folder, Block) -> Vec<Value>,
) -> Vec<String> {
    let mut ir = Ir::default();
    let written = [(); 4].map(|()| ir.value(None));
    let mut ssa = Certified::with_builder(Wrongly(Builder::default(), mistake));
    // The complaints are counted, with the feature `judge`, too.
    ssa.set_judging(false);
    let mut folder = Folder::new(FoldOptions::ALL);
    let [top, left, right, join] = [0, 1, 2, 3].map(Block::new);
    let variables = [0, 1].map(Variable::new);
    ssa.terminate(top, &[left, right]);
    ssa.seal_blocks(&mut ir, &[left, right]);
    for (block, written) in [(left, &written[..2]), (right, &written[2..])] {
        ssa.write_variable(block, variables[0], written[0]);
        ssa.write_variable(block, variables[1], written[1]);
        ssa.terminate(block, &[join]);
    }
    ssa.seal_block(&mut ir, join);
    ir.used = then(&mut ir, &mut ssa, &mut folder, join);
    ssa.terminate(join, &[]);
    let result = ssa.finish(&mut ir).unwrap();
    assert_eq!(result.phis.len(), 0);
    ssa.complaints()
}

/// `a - b`, where the phis of both are dropped.
fn difference(ir: &mut Ir, ssa: &mut Certified<Wrongly>, folder: &mut Folder, join: Block) -> Vec<Value> {
    let args = [0, 1].map(|variable| ssa.read_variable(ir, join, Variable::new(variable)));
    let result = folder.apply(ssa, ir, join, SUB, &args).unwrap();
    if ir.is_constant(result) { vec![result] } else { Vec::new() }
}

#[test]
pub(crate) fn a_wrong_read_whose_answer_was_dropped_is_found() {
    assert_eq!(complaints(None, difference), [""; 0]);
    let found = complaints(Some(Mistake::Reads(Variable::new(0))), difference);
    assert!(found.iter().any(|words| words.starts_with("x1: event ")), "{found:?}");
}

/// Is `x - y` 0? The answers of the two reads are told apart by the reads alone, which are right.
#[test]
pub(crate) fn a_builder_that_takes_one_value_for_another_while_folding_is_found() {
    let [x, y] = [0, 1].map(Variable::new);
    for in_block in [false, true] {
        let difference = |ir: &mut Ir, ssa: &mut Certified<Wrongly>, folder: &mut Folder, join| {
            if in_block {
                for variable in [x, y] {
                    let value = ir.value(None);
                    ssa.write_variable(join, variable, value);
                }
            }
            difference(ir, ssa, folder, join)
        };
        assert_eq!(complaints(None, difference), [""; 0]);
        // Values of both: those that the host writes last, or phis.
        let mistake = Mistake::Resolves(Value::new(5), Value::new(4));
        let found = complaints(Some(mistake), difference);
        assert!(found.iter().any(|words| words.ends_with("but the certificate does not prove it")), "{found:?}");
    }
}

#[test]
fn an_operation_on_one_phi_that_was_dropped_is_right() {
    let twice = |ir: &mut Ir, ssa: &mut Certified<Wrongly>, folder: &mut Folder, join| {
        let read = ssa.read_variable(ir, join, Variable::new(0));
        let again = ssa.read_variable(ir, join, Variable::new(0));
        let unused = ssa.read_variable(ir, join, Variable::new(1));
        assert_ne!(read, unused);
        let zero = folder.apply(ssa, ir, join, SUB, &[read, again]).unwrap();
        assert_eq!(folder.apply(ssa, ir, join, SUB, &[again, zero]).unwrap(), read);
        vec![zero]
    };
    assert_eq!(complaints(None, twice), [""; 0]);
}

#[test]
fn a_decided_branch_follows_its_edge_when_that_is_redirected() {
    let (mut ir, mut ssa, mut folder) = (Ir::default(), Certified::default(), Folder::new(FoldOptions::ALL));
    let [entry, then, other, late] = [0, 1, 2, 3].map(Block::new);
    let zero = ir.value(Some(0));
    ssa.global(zero);
    assert_eq!(folder.terminate(&mut ssa, &ir, entry, (BRANCH, &[zero]), &[then, other]), Ok(Some(1)));
    ssa.redirect_edge(entry, 0, late);
    for block in [then, other, late] {
        ssa.seal_block(&mut ir, block);
        ssa.terminate(block, &[]);
    }
    ssa.finish(&mut ir).unwrap();
    assert_eq!(ssa.complaints(), [""; 0]);
}
