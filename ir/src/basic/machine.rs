//! The semantics of the operations.
//!
//! Undefined contents propagate through arithmetic: an operator with an
//! undefined operand has an undefined result, so dropping or moving one is
//! unobservable. `print`, `return` and `call` show it as `undef`. Only
//! `branch`, `switch` and divisions need a defined operand: they trap, as an
//! undefined divisor may be zero.
//!
//! The same is true of arrays: an element that was not stored is undefined, and
//! so is an element at an undefined index. An update at an undefined index may
//! have changed any element, so no element of its result is known. No index is
//! out of range. Operations on arrays thus never trap, and unused ones can be
//! removed: Cytron et al. count on that for initializations. The result of a
//! hidden update has one known element, so any access to another element reads
//! an undefined one.
//!
//! | Cytron et al. 1991, section 3.1.1 | here |
//! |---|---|
//! | `Access(A, i)` | [`Op::Access`], `access` |
//! | `Update(A, i, V)` | [`Op::Update`], `update` |
//! | `HiddenUpdate(i, V)` | [`Op::HiddenUpdate`]: an update of the undefined array |
//!
//! # Departures
//! Cytron et al. let a hidden update change storage, and do not define the
//! contents of an array into which nothing was stored. Here both have a meaning
//! without storage, so that every pass can be checked by running its result.

use super::datum::{self, Datum, access, number, update};
use super::{Basic, Call, Op};
use crate::function::Function;
use crate::interp::{Arity, Content, Flow, Interpreter, Limits, Machine, TrapKind};
use std::collections::HashMap;
use std::fmt;

/// Runs operations of [`Basic`], and records their observable effects.
#[derive(Clone, Debug)]
pub struct BasicMachine {
    /// The numbers of the functions that calls resolve to, by name; other calls are opaque.
    functions: HashMap<String, usize>,
    seed: u64,
    input: Vec<i64>,
    next_input: usize,
    trace: Vec<Observation>,
    num_calls: u64,
}

/// An observable effect of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Observation {
    /// It printed these.
    Print(Vec<Content<Datum>>),
    /// It read this number from the input.
    Read(i64),
    /// It called an opaque function, with these arguments, implicit ones included.
    Call(String, Vec<Content<Datum>>),
}

/// The observable behavior of a run. Two forms of one function have equal behaviors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Behavior {
    /// Its observable effects, in order.
    pub trace: Vec<Observation>,
    /// The returned contents, or the reason why it did not return.
    pub outcome: Result<Vec<Content<Datum>>, TrapKind>,
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
    /// Whether this is a possible behavior of a transformed program whose original behaved like `before`: where the
    /// original has something undefined, the transformed program may have anything.
    ///
    /// After an opaque call with an undefined argument, and after an operation that needed a defined operand, anything
    /// is possible.
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

/// Whether the contents are equal except where they were undefined before.
fn all_refine(now: &[Content<Datum>], before: &[Content<Datum>]) -> bool {
    now.len() == before.len() && now.iter().zip(before).all(|(now, before)| datum::refines(now, before))
}

impl BasicMachine {
    /// A machine with this input; the results of opaque functions follow from `seed`.
    pub fn new(seed: u64, input: Vec<i64>) -> Self {
        Self { functions: HashMap::new(), seed, input, next_input: 0, trace: Vec::new(), num_calls: 0 }
    }

    /// Registers `functions` by name: calls to them, if they list no effects, run them.
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

    /// The effects so far.
    pub fn trace(&self) -> &[Observation] {
        &self.trace
    }

    /// An opaque call: every result follows from the seed, the name, the arguments and the number of earlier calls.
    fn call(&mut self, call: &Call, args: &[Content<Datum>], shape: Arity, results: &mut Vec<Content<Datum>>) -> Flow {
        let mut hash = mix(self.seed ^ self.num_calls);
        hash = call.callee.bytes().fold(hash, |hash, byte| mix(hash ^ u64::from(byte)));
        hash = args.iter().fold(hash, |hash, arg| mix(hash ^ hashed(arg)));
        self.num_calls += 1;
        self.trace.push(Observation::Call(call.callee.clone(), args.to_vec()));
        // In a protected region one call in four throws.
        if shape.targets > 1 && mix(hash).is_multiple_of(4) {
            let handler = 1 + (hash >> 32) as usize % (shape.targets - 1);
            return Flow::Slot(handler as u32);
        }
        let maybe = call.maybe as usize;
        let old = args.len().saturating_sub(maybe + call.uses as usize);
        for index in 0..shape.results {
            hash = mix(hash);
            // Small numbers, so that programs can count with them and meet some twice.
            let fresh = Content::Known(Datum::Number((hash >> 8) as i64 % 32));
            let place = (index + maybe).checked_sub(shape.results);
            let kept = place.filter(|_| hash & 1 == 0).and_then(|place| args.get(old + place).cloned());
            results.push(kept.unwrap_or(fresh));
        }
        Flow::Next
    }
}

/// A number that follows from what is passed to an opaque call.
fn hashed(arg: &Content<Datum>) -> u64 {
    match arg {
        Content::Undefined => 0x5eed,
        Content::Known(Datum::Number(number)) => *number as u64,
        Content::Known(Datum::Array(array)) => array.hash(),
    }
}

/// Mixes every bit of `x` into all bits.
pub(super) fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

impl Machine<Basic> for BasicMachine {
    type Content = Datum;

    fn constant(&mut self, constant: &i64) -> Datum {
        Datum::Number(*constant)
    }

    fn execute(
        &mut self,
        op: &Op,
        args: &[Content<Datum>],
        shape: Arity,
        results: &mut Vec<Content<Datum>>,
    ) -> Result<Flow, TrapKind> {
        match (op, args) {
            (Op::Unary(op), [x]) => results.push(unary(*op, number(x)?)),
            (Op::Binary(op), [x, y]) => results.push(binary(*op, number(x)?, number(y)?)?),
            (Op::Access, [array, index]) => results.push(access(array, index)?),
            (Op::Update, [array, index, x]) => results.push(update(array, index, x)?),
            (Op::HiddenUpdate, [index, x]) => results.push(update(&Content::Undefined, index, x)?),
            (Op::Print, _) => self.trace.push(Observation::Print(args.to_vec())),
            (Op::Read, _) => {
                let number = *self.input.get(self.next_input).ok_or(TrapKind::EndOfInput)?;
                self.next_input += 1;
                self.trace.push(Observation::Read(number));
                results.push(Content::Known(Datum::Number(number)));
            }
            (Op::Call(call), _) => match self.callee(call) {
                Some(callee) => {
                    results.extend_from_slice(args);
                    return Ok(Flow::Call(callee));
                }
                None => return Ok(self.call(call, args, shape, results)),
            },
            (Op::Jump, _) => return Ok(Flow::Slot(0)),
            (Op::Branch | Op::Switch, [chosen]) => {
                let chosen = number(chosen)?.known().ok_or(TrapKind::Undefined)?;
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

fn unary(op: super::UnaryOp, x: Content<i64>) -> Content<Datum> {
    x.known().map_or(Content::Undefined, |x| Content::Known(Datum::Number(op.apply(x))))
}

fn binary(op: super::BinaryOp, x: Content<i64>, y: Content<i64>) -> Result<Content<Datum>, TrapKind> {
    let is_division = op.apply(0, 0).is_none();
    match (x, y) {
        (Content::Known(x), Content::Known(y)) => {
            let result = op.apply(x, y).ok_or(TrapKind::DivisionByZero)?;
            Ok(Content::Known(Datum::Number(result)))
        }
        (_, Content::Undefined) if is_division => Err(TrapKind::Undefined),
        // This traps for any dividend.
        (_, Content::Known(0)) if is_division => Err(TrapKind::DivisionByZero),
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
    let args = args.iter().map(|&arg| Content::Known(Datum::Number(arg))).collect();
    let outcome = Interpreter::new(functions, limits).run(&mut machine, start, args);
    Behavior { trace: machine.trace, outcome: outcome.map_err(|trap| trap.kind) }
}

struct List<'a>(&'a [Content<Datum>]);

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

/// One line for each effect, and one for the end.
impl fmt::Display for Behavior {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.trace.iter().try_for_each(|observation| writeln!(f, "{observation}"))?;
        match &self.outcome {
            Ok(returned) => writeln!(f, "return {}", List(returned)),
            Err(kind) => writeln!(f, "trap: {kind}"),
        }
    }
}
