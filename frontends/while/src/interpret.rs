//! Runs a program on its syntax tree.
//!
//! A big-step interpreter: statements are executed in the tree, variables are
//! cells, and the next statement follows from the place in the tree. It has no
//! notion of blocks, and it shares no code with the builder: the two must agree
//! independently. The semantics of operations and opaque calls are those of the
//! reference IR's [`BasicMachine`].
//!
//! Statements have no state of their own, so a place in the tree is all the
//! control state of a run; that is why a `goto` into a loop is no harder than
//! any other.
//!
//! # Departures
//! The thesis gives a meaning to paths through the graph of a program; here the
//! tree itself is run.

mod frame;
mod places;

use crate::tree::Program;
use frame::{Frame, Outcome, Task};
use places::{Places, Point, first};
use ssaphire_ir::basic::{BasicMachine, Behavior, Datum};
use ssaphire_ir::interp::{Content, Limits, TrapKind};

/// The treatment of calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Calls {
    /// All are opaque.
    #[default]
    Opaque,
    /// A call of a function of the program runs it.
    Direct,
}

/// Runs function number `index` of `program`; returns its observable behavior.
///
/// A variable that was not written is undefined, with the same consequences as in the reference IR. The steps in
/// `limits` are statements, conditions and parts of expressions; their number differs from that of the SSA form.
///
/// # Panics
/// If there is no such function.
pub fn interpret(
    program: &Program,
    index: usize,
    args: &[i64],
    machine: BasicMachine,
    limits: Limits,
    calls: Calls,
) -> Behavior {
    let mut run = Run { program, places: Places::new(program), machine, limits, calls, steps: 0, frames: Vec::new() };
    let args = args.iter().map(|&arg| Content::Known(Datum::Number(arg))).collect();
    let outcome = run.run(index, args);
    Behavior { trace: run.machine.trace().to_vec(), outcome }
}

/// The contents of several variables or expressions.
type Contents = Vec<Content<Datum>>;

struct Run<'p> {
    program: &'p Program,
    places: Places,
    machine: BasicMachine,
    limits: Limits,
    calls: Calls,
    steps: u64,
    frames: Vec<Frame>,
}

impl Run<'_> {
    fn run(&mut self, index: usize, args: Contents) -> Result<Contents, TrapKind> {
        self.enter(index, args, false)?;
        let mut returned = Contents::new();
        while let Some(frame) = self.frames.last_mut() {
            if self.steps == self.limits.steps {
                return Err(TrapKind::OutOfSteps { limit: self.limits.steps });
            }
            self.steps += 1;
            let outcome = match (frame.tasks.pop(), frame.point) {
                (Some(Task::Call(callee, num_args, has_result)), _) if self.calls == Calls::Direct => {
                    match self.program.called_function(callee) {
                        Some(function) => Outcome::Enter { function, args: frame.pop_operands(num_args), has_result },
                        None => frame.call(self.program, &mut self.machine, callee, num_args, has_result)?,
                    }
                }
                (Some(task), _) => frame.execute_task(self.program, &mut self.machine, task)?,
                (None, Point::Statement(id)) => frame.execute(self.program, &self.places, id),
                (None, Point::Condition(id)) => frame.execute_condition(self.program, &self.places, id),
                (None, Point::End) => Outcome::Leave(Contents::new()),
            };
            match outcome {
                Outcome::GoOn => {}
                Outcome::Enter { function, args, has_result } => self.enter(function, args, has_result)?,
                Outcome::Leave(contents) => returned = self.leave(contents)?,
            }
        }
        Ok(returned)
    }

    fn enter(&mut self, function: usize, args: Contents, has_result: bool) -> Result<(), TrapKind> {
        let data = &self.program.functions()[function];
        if self.frames.len() >= self.limits.frames {
            return Err(TrapKind::TooManyFrames { limit: self.limits.frames });
        }
        let (wanted, given) = (data.params.len(), args.len());
        if wanted != given {
            return Err(TrapKind::ArgumentCount { wanted, given });
        }
        let mut variables = vec![Content::Undefined; data.variables.len()];
        for (param, arg) in data.params.iter().zip(args) {
            variables[param.index()] = arg;
        }
        let point = first(self.program, data.body, Point::End);
        self.frames.push(Frame::new(function, point, variables, has_result));
        Ok(())
    }

    /// Pops the frame and passes its results to the caller, or returns them if there is none.
    fn leave(&mut self, contents: Contents) -> Result<Contents, TrapKind> {
        let has_result = self.frames.pop().is_some_and(|frame| frame.has_result);
        let Some(caller) = self.frames.last_mut() else { return Ok(contents) };
        if has_result {
            let result = contents.into_iter().next().ok_or(TrapKind::ResultCount { wanted: 1, given: 0 })?;
            caller.operands.push(result);
        }
        Ok(Contents::new())
    }
}
