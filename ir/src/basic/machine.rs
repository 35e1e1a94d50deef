//! What the operations do.
//!
//! What is undefined stays undefined through arithmetic: an operator with an
//! undefined operand has an undefined result (unless it traps anyway, dividing
//! by zero), so that dropping or moving one changes nothing. `print`, `return`
//! and `call` show it as `undef`. Only `branch` and `switch` have to know, and
//! trap.

use super::{Basic, Call, Op};
use crate::function::Function;
use crate::interp::{Arity, Content, Flow, Interpreter, Limits, Machine, TrapKind};
use std::collections::HashMap;
use std::fmt;

/// Runs operations of [`Basic`], and writes down what can be seen from outside.
#[derive(Clone, Debug)]
pub struct BasicMachine {
    /// Numbers of the functions that calls by name lead to; others are opaque.
    functions: HashMap<String, usize>,
    seed: u64,
    input: Vec<i64>,
    next_input: usize,
    trace: Vec<Observation>,
    num_calls: u64,
}

/// Something a run did that can be seen from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Observation {
    /// It showed this.
    Print(Vec<Content<i64>>),
    /// It took this from the input.
    Read(i64),
    /// It called an opaque function, with these arguments, implicit ones included.
    Call(String, Vec<Content<i64>>),
}

/// All of a run that can be seen from outside. Two forms of one function have equal ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Behavior {
    /// What it did, in order.
    pub trace: Vec<Observation>,
    /// What it returned, or why it did not.
    pub outcome: Result<Vec<Content<i64>>, TrapKind>,
}

impl Behavior {
    /// Whether both can be behaviors of one program.
    ///
    /// Equal, or one of them was cut short by its limit of steps, which a
    /// changed program may reach earlier or later.
    pub fn agrees_with(&self, other: &Self) -> bool {
        let cut = |behavior: &Self| matches!(behavior.outcome, Err(TrapKind::OutOfSteps { .. }));
        match (cut(self), cut(other)) {
            (false, false) => self == other,
            (true, false) => other.trace.starts_with(&self.trace),
            (false, true) => self.trace.starts_with(&other.trace),
            (true, true) => self.trace.starts_with(&other.trace) || other.trace.starts_with(&self.trace),
        }
    }
}

impl Behavior {
    /// Whether this can be the behavior of what was made of the program that behaved like `before`: where that one had
    /// something undefined, this one may have anything.
    ///
    /// After an opaque call that was told what was undefined before, and after an operation that
    /// needed to know it, nothing can be said.
    pub fn refines(&self, before: &Self) -> bool {
        let cut = |behavior: &Self| matches!(behavior.outcome, Err(TrapKind::OutOfSteps { .. }));
        for (now, then) in self.trace.iter().zip(&before.trace) {
            match (now, then) {
                _ if now == then => {}
                (Observation::Print(now), Observation::Print(then)) if all_refine(now, then) => {}
                (Observation::Call(one, now), Observation::Call(other, then))
                    if one == other && all_refine(now, then) =>
                {
                    return true;
                }
                _ => return false,
            }
        }
        let (has_more, has_less) = (self.trace.len() > before.trace.len(), self.trace.len() < before.trace.len());
        match &before.outcome {
            Err(TrapKind::Undefined) => !has_less || cut(self),
            _ if has_more => cut(before),
            _ if has_less => cut(self),
            Ok(then) => cut(self) || matches!(&self.outcome, Ok(now) if all_refine(now, then)),
            Err(then) => cut(self) || cut(before) || matches!(&self.outcome, Err(now) if now == then),
        }
    }
}

/// Whether the contents are the same but where they were undefined before.
fn all_refine(now: &[Content<i64>], before: &[Content<i64>]) -> bool {
    let refines = |(now, then): (&Content<i64>, &Content<i64>)| now == then || *then == Content::Undefined;
    now.len() == before.len() && now.iter().zip(before).all(refines)
}

impl BasicMachine {
    /// A machine with this input; opaque functions return what follows from `seed`.
    pub fn new(seed: u64, input: Vec<i64>) -> Self {
        Self { functions: HashMap::new(), seed, input, next_input: 0, trace: Vec::new(), num_calls: 0 }
    }

    /// Makes the names of `functions` known: calls to them, with no effects listed, run them.
    #[must_use]
    pub fn with_functions(mut self, functions: &[Function<Basic>]) -> Self {
        self.functions = functions.iter().map(|function| function.name().to_owned()).zip(0..).collect();
        self
    }

    /// The number of the function that `call` runs; `None` if the call is opaque.
    pub fn callee(&self, call: &Call) -> Option<usize> {
        let Call { callee, must: 0, maybe: 0, uses: 0 } = call else { return None };
        self.functions.get(callee).copied()
    }

    /// What was seen so far.
    pub fn trace(&self) -> &[Observation] {
        &self.trace
    }

    /// An opaque call: every result follows from the seed, the name, the arguments and the number of earlier calls.
    fn call(&mut self, call: &Call, args: &[Content<i64>], shape: Arity, results: &mut Vec<Content<i64>>) -> Flow {
        let mut hash = mix(self.seed ^ self.num_calls);
        hash = call.callee.bytes().fold(hash, |hash, byte| mix(hash ^ u64::from(byte)));
        hash = args.iter().fold(hash, |hash, arg| mix(hash ^ arg.known().map_or(0x5eed, |arg| arg as u64)));
        self.num_calls += 1;
        self.trace.push(Observation::Call(call.callee.clone(), args.to_vec()));
        // In a protected region one call in four throws.
        if shape.targets > 1 && mix(hash).is_multiple_of(4) {
            let handler = 1 + (hash >> 32) as usize % (shape.targets - 1);
            return Flow::Slot(handler);
        }
        let maybe = call.maybe as usize;
        let old = args.len().saturating_sub(maybe + call.uses as usize);
        for index in 0..shape.results {
            hash = mix(hash);
            // Small numbers, so that programs can count with them and meet some twice.
            let fresh = Content::Known((hash >> 8) as i64 % 32);
            let place = (index + maybe).checked_sub(shape.results);
            let kept = place.filter(|_| hash & 1 == 0).and_then(|place| args.get(old + place).copied());
            results.push(kept.unwrap_or(fresh));
        }
        Flow::Next
    }
}

/// Spreads every bit of `x` over all bits.
fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

impl Machine<Basic> for BasicMachine {
    type Content = i64;

    fn constant(&mut self, constant: &i64) -> i64 {
        *constant
    }

    fn execute(
        &mut self,
        op: &Op,
        args: &[Content<i64>],
        shape: Arity,
        results: &mut Vec<Content<i64>>,
    ) -> Result<Flow, TrapKind> {
        match (op, args) {
            (Op::Unary(_), &[Content::Undefined]) => results.push(Content::Undefined),
            (Op::Unary(op), &[Content::Known(x)]) => results.push(Content::Known(op.apply(x))),
            (Op::Binary(op), &[x, y]) => results.push(binary(*op, x, y)?),
            (Op::Print, _) => self.trace.push(Observation::Print(args.to_vec())),
            (Op::Read, _) => {
                let number = *self.input.get(self.next_input).ok_or(TrapKind::EndOfInput)?;
                self.next_input += 1;
                self.trace.push(Observation::Read(number));
                results.push(Content::Known(number));
            }
            (Op::Call(call), _) => match self.callee(call) {
                Some(callee) => {
                    results.extend_from_slice(args);
                    return Ok(Flow::Call(callee));
                }
                None => return Ok(self.call(call, args, shape, results)),
            },
            (Op::Jump, _) => return Ok(Flow::Slot(0)),
            (Op::Branch | Op::Switch, &[chosen]) => {
                let chosen = chosen.known().ok_or(TrapKind::Undefined)?;
                return op.chosen_slot(&[chosen], shape.targets).map(Flow::Slot).ok_or(TrapKind::Malformed);
            }
            (Op::Return, _) => {
                results.extend_from_slice(args);
                return Ok(Flow::Return);
            }
            (Op::Unreachable, _) => return Err(TrapKind::Unreachable),
            _ => return Err(TrapKind::Malformed),
        }
        Ok(Flow::Next)
    }
}

fn binary(op: super::BinaryOp, x: Content<i64>, y: Content<i64>) -> Result<Content<i64>, TrapKind> {
    match (x, y) {
        (Content::Known(x), Content::Known(y)) => op.apply(x, y).map(Content::Known).ok_or(TrapKind::DivisionByZero),
        // Whatever the first is, this traps.
        (Content::Undefined, Content::Known(0)) if op.apply(0, 0).is_none() => Err(TrapKind::DivisionByZero),
        _ => Ok(Content::Undefined),
    }
}

/// Runs `function` alone; all calls are opaque.
pub fn behavior(function: &Function<Basic>, args: &[i64], machine: BasicMachine, limits: Limits) -> Behavior {
    behavior_of(std::slice::from_ref(function), 0, args, machine, limits)
}

/// Runs function number `start`.
pub fn behavior_of(
    functions: &[Function<Basic>],
    start: usize,
    args: &[i64],
    mut machine: BasicMachine,
    limits: Limits,
) -> Behavior {
    let args = args.iter().map(|&arg| Content::Known(arg)).collect();
    let outcome = Interpreter::new(functions, limits).run(&mut machine, start, args);
    Behavior { trace: machine.trace, outcome: outcome.map_err(|trap| trap.kind) }
}

struct List<'a>(&'a [Content<i64>]);

impl fmt::Display for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, content) in self.0.iter().enumerate() {
            write!(f, "{}{content}", if index == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

impl fmt::Display for Observation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Print(contents) => write!(f, "print {}", List(contents)),
            Self::Read(number) => write!(f, "read {number}"),
            Self::Call(callee, args) => write!(f, "call {callee}({})", List(args)),
        }
    }
}

/// One line for each thing seen, and one for the end.
impl fmt::Display for Behavior {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.trace.iter().try_for_each(|observation| writeln!(f, "{observation}"))?;
        match &self.outcome {
            Ok(returned) => writeln!(f, "return {}", List(returned)),
            Err(kind) => writeln!(f, "trap: {kind}"),
        }
    }
}
