//! Runs continuations on the machine of a dialect.
//!
//! A run does what [`crate::interp`] does with the original function: the same
//! operations in the same order, with the same traps at the same places, in the
//! same number of steps. All arguments are read before the parameters are
//! bound.
//!
//! Calls push a frame on a list; the interpreter is not recursive. It does not
//! check whether mentions are in scope: see
//! [`Nesting::broken_rules`](super::Nesting::broken_rules).

use super::{Continuation, Cps, Meaning, Tail, TailKind};
use crate::dialect::Syntax;
use crate::function::Action;
use crate::interp::{Arity, Content, Flow, Limits, Machine, Trap, TrapKind};
use ssaphire_graph::{Block, Value};
use std::mem;

/// A run of functions that may call each other.
pub struct Interpreter<'c, D: Syntax, M: Machine<D>> {
    functions: &'c [Cps<D>],
    frames: Vec<Frame<'c, D, M::Content>>,
    limits: Limits,
    steps: u64,
    args: Vec<Content<M::Content>>,
    results: Vec<Content<M::Content>>,
}

/// An active call.
struct Frame<'c, D: Syntax, V> {
    number: usize,
    cps: &'c Cps<D>,
    of: Continuation,
    /// The operation to execute next; in a frame that waits for a call, the calling operation.
    index: usize,
    /// The content of each value, once it is bound.
    values: Vec<Option<Content<V>>>,
}

impl<V: Clone, D: Syntax> Frame<'_, D, V> {
    fn read(&self, args: &[Value], out: &mut Vec<Content<V>>) -> Result<(), TrapKind> {
        out.clear();
        for &arg in args {
            out.push(self.values[arg.index()].clone().ok_or(TrapKind::NotDefined(arg))?);
        }
        Ok(())
    }

    /// Binds the first contents.
    fn bind(&mut self, values: &[Value], contents: &mut Vec<Content<V>>) -> Result<(), TrapKind> {
        let (wanted, given) = (values.len(), contents.len());
        if given < wanted {
            return Err(TrapKind::ResultCount { wanted, given });
        }
        for (value, content) in values.iter().zip(contents.drain(..)) {
            self.values[value.index()] = Some(content);
        }
        Ok(())
    }

    /// The current operation of the frame, with its numbers of results and targets.
    fn waiting(&self) -> Option<(&D::Op, Arity)> {
        if let Some(binding) = self.cps.bindings(self.of).nth(self.index) {
            let Action::Op(op) = binding.action else { return None };
            return Some((op, Arity { results: binding.results.len(), targets: 0 }));
        }
        let tail = self.cps.tail(self.of);
        Some((tail.op?, arity(self.cps, tail)))
    }
}

impl<'c, D: Syntax, M: Machine<D>> Interpreter<'c, D, M> {
    /// A run of `functions`, which call each other by their numbers here.
    pub fn new(functions: &'c [Cps<D>], limits: Limits) -> Self {
        Self { functions, frames: Vec::new(), limits, steps: 0, args: Vec::new(), results: Vec::new() }
    }

    /// Number of operations executed so far. Continuations that only forward the arguments of an edge do not count.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Runs function number `start` with `args`; returns its results.
    ///
    /// # Errors
    /// The trap, if the run does not return. Its place is the block and the position of the instruction.
    pub fn run(
        &mut self,
        machine: &mut M,
        start: usize,
        args: Vec<Content<M::Content>>,
    ) -> Result<Vec<Content<M::Content>>, Trap> {
        self.frames.clear();
        self.results = args;
        let entered = self.enter(machine, start);
        entered.map_err(|kind| Trap { kind, function: start, block: Block::new(0), index: 0 })?;
        while !self.frames.is_empty() {
            self.step(machine).map_err(|kind| self.trap(kind))?;
        }
        Ok(mem::take(&mut self.results))
    }

    fn trap(&self, kind: TrapKind) -> Trap {
        let (function, (block, index)) = match self.frames.last() {
            Some(frame) => (frame.number, place(frame)),
            None => (0, (Block::new(0), 0)),
        };
        Trap { kind, function, block, index }
    }

    /// Pushes a frame for function number `number`; the arguments are in `results`.
    fn enter(&mut self, machine: &mut M, number: usize) -> Result<(), TrapKind> {
        let cps = self.functions.get(number).ok_or(TrapKind::Malformed)?;
        if self.frames.len() >= self.limits.frames {
            return Err(TrapKind::TooManyFrames { limit: self.limits.frames });
        }
        let params = cps.params(Continuation::BODY);
        let (wanted, given) = (params.len(), self.results.len());
        if wanted != given {
            return Err(TrapKind::ArgumentCount { wanted, given });
        }
        let contents = (0..cps.num_values()).map(|value| match cps.meaning(Value::new(value)) {
            Meaning::Bound => None,
            Meaning::Constant(constant) => Some(Content::Known(machine.constant(constant))),
            Meaning::Undefined => Some(Content::Undefined),
        });
        let values = contents.collect();
        let mut frame = Frame { number, cps, of: Continuation::BODY, index: 0, values };
        frame.bind(params, &mut self.results)?;
        self.frames.push(frame);
        Ok(())
    }

    /// Executes an operation, or the tail of a continuation.
    fn step(&mut self, machine: &mut M) -> Result<(), TrapKind> {
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        let cps = frame.cps;
        let Some(binding) = cps.bindings(frame.of).nth(frame.index) else { return self.leave_continuation(machine) };
        frame.read(binding.args, &mut self.args)?;
        let Action::Op(op) = binding.action else {
            frame.bind(binding.results, &mut self.args)?;
            frame.index += 1;
            return Ok(());
        };
        let arity = Arity { results: binding.results.len(), targets: 0 };
        let flow = self.execute(machine, op, arity)?;
        self.go(machine, flow)
    }

    /// Executes the tail of the current continuation.
    fn leave_continuation(&mut self, machine: &mut M) -> Result<(), TrapKind> {
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        let tail = frame.cps.tail(frame.of);
        if tail.kind == TailKind::Jump {
            // The jump itself reads nothing; its arguments are read when it is taken.
            self.args.clear();
            if let Some(op) = tail.op {
                self.execute(machine, op, Arity { results: 0, targets: 1 })?;
            }
            return self.jump(tail);
        }
        frame.read(tail.args, &mut self.args)?;
        let op = tail.op.ok_or(TrapKind::Malformed)?;
        let arity = arity(frame.cps, tail);
        let flow = self.execute(machine, op, arity)?;
        self.go(machine, flow)
    }

    /// Calls a continuation with arguments, all of which are read before any is bound.
    fn jump(&mut self, tail: Tail<'c, D>) -> Result<(), TrapKind> {
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        let &to = tail.continuations.first().ok_or(TrapKind::Malformed)?;
        frame.read(tail.args, &mut self.args)?;
        frame.bind(frame.cps.params(to), &mut self.args)?;
        (frame.of, frame.index) = (to, 0);
        Ok(())
    }

    fn execute(&mut self, machine: &mut M, op: &D::Op, arity: Arity) -> Result<Flow, TrapKind> {
        self.results.clear();
        if self.steps == self.limits.steps {
            return Err(TrapKind::OutOfSteps { limit: self.limits.steps });
        }
        self.steps += 1;
        if let Some(frame) = self.frames.last() {
            let (block, index) = place(frame);
            machine.at(frame.number, block, index);
        }
        machine.execute(op, &self.args, arity, &mut self.results)
    }

    fn go(&mut self, machine: &mut M, flow: Flow) -> Result<(), TrapKind> {
        match flow {
            Flow::Next => self.go_on(0),
            Flow::Slot(slot) => self.go_on(slot),
            Flow::Return => self.return_(),
            Flow::Call(callee) => self.enter(machine, callee),
            Flow::Throw => self.unwind(machine),
        }
    }

    /// Continues after the current operation of the top frame, with its results; at a tail, in a continuation.
    fn go_on(&mut self, slot: u32) -> Result<(), TrapKind> {
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        let cps = frame.cps;
        if let Some(binding) = cps.bindings(frame.of).nth(frame.index) {
            frame.bind(binding.results, &mut self.results)?;
            frame.index += 1;
            return Ok(());
        }
        let &to = cps.tail(frame.of).continuations.get(slot as usize).ok_or(TrapKind::Malformed)?;
        // All others take no results.
        if slot == 0 {
            frame.bind(cps.params(to), &mut self.results)?;
        }
        (frame.of, frame.index) = (to, 0);
        Ok(())
    }

    /// Pops the frame; `results` are those of the calling operation.
    fn return_(&mut self) -> Result<(), TrapKind> {
        self.frames.pop();
        if self.frames.is_empty() { Ok(()) } else { self.go_on(0) }
    }

    /// Pops frames up to one whose call has a handler.
    fn unwind(&mut self, machine: &mut M) -> Result<(), TrapKind> {
        self.results.clear();
        while let Some(frame) = self.frames.last() {
            if let Some((op, arity)) = frame.waiting()
                && let Some(slot) = machine.handler(op, arity, &heads(frame))
            {
                return self.go_on(slot);
            }
            if self.frames.len() == 1 {
                break;
            }
            self.frames.pop();
        }
        Err(TrapKind::Uncaught)
    }
}

/// The numbers of results and targets that the tail had as an instruction.
fn arity<D: Syntax>(cps: &Cps<D>, tail: Tail<'_, D>) -> Arity {
    let results = tail.continuations.first().map_or(0, |&to| cps.params(to).len());
    let targets = if tail.kind == TailKind::Call { 0 } else { tail.continuations.len() };
    Arity { results, targets }
}

/// The block and the position of the next instruction.
fn place<D: Syntax, V>(frame: &Frame<'_, D, V>) -> (Block, usize) {
    // A continuation made for an edge executes nothing that could trap.
    let (block, first) = frame.cps.origin(frame.of).unwrap_or((Block::new(0), 0));
    (block, first + frame.index)
}

/// The first operations of the successors of the frame's current operation.
fn heads<'c, D: Syntax, V>(frame: &Frame<'c, D, V>) -> Vec<Option<&'c D::Op>> {
    let tail = frame.cps.tail(frame.of);
    let is_tail = frame.index == frame.cps.bindings(frame.of).len();
    if !is_tail || tail.kind != TailKind::Operation {
        return Vec::new();
    }
    tail.continuations.iter().map(|&to| head(frame.cps, to)).collect()
}

fn head<D: Syntax>(cps: &Cps<D>, of: Continuation) -> Option<&D::Op> {
    let is_for_edge = cps.origin(of).is_none();
    let of = if is_for_edge { *cps.tail(of).continuations.first()? } else { of };
    match cps.bindings(of).next() {
        Some(binding) => match binding.action {
            Action::Op(op) => Some(op),
            Action::Copy => None,
        },
        None => cps.tail(of).op,
    }
}
