//! Exceptions: thrown, propagated, and referenced.

use super::{Fault, Number, State, known};
use crate::dialect::{Immediates, Op, Opcode};
use ssaphire_ir::interp::{Content, Flow, TrapKind};

/// A thrown exception.
#[derive(Clone, Debug)]
pub(super) struct Exception {
    tag: u32,
    payload: Vec<Content<Number>>,
}

/// The exceptions of an instance.
#[derive(Debug, Default)]
pub(super) struct Exceptions {
    /// The last thrown exception, and its number if it is referenced.
    thrown: Option<(Exception, Option<u32>)>,
    /// The exceptions that are or were referenced. They live as long as the instance.
    held: Vec<Exception>,
}

impl Exceptions {
    /// Throws a new exception.
    fn throw(&mut self, op: &Op, args: &[Content<Number>]) -> Result<Flow, TrapKind> {
        let Immediates::Index(tag) = op.immediates else { return Err(TrapKind::Malformed) };
        self.thrown = Some((Exception { tag, payload: args.to_vec() }, None));
        Ok(Flow::Throw)
    }

    /// Throws an existing exception.
    fn throw_ref(&mut self, exception: Number) -> Result<Flow, TrapKind> {
        let Number::Exception(number) = exception else { return Err(Fault::NullException.into()) };
        let exception = self.held.get(number as usize).ok_or(TrapKind::Malformed)?;
        self.thrown = Some((exception.clone(), Some(number)));
        Ok(Flow::Throw)
    }

    /// Whether a handler that begins with this operation catches the thrown exception.
    fn is_caught_by(&self, head: &Op) -> bool {
        let Some((exception, _)) = &self.thrown else { return false };
        match head.opcode {
            Opcode::CatchAll | Opcode::CatchAllRef => true,
            Opcode::Catch | Opcode::CatchRef => head.immediates == Immediates::Index(exception.tag),
            _ => false,
        }
    }

    /// The values that a handler receives: with `payload` those of the exception, with `by_reference` the exception
    /// itself.
    fn catch(
        &mut self,
        payload: bool,
        by_reference: bool,
        results: &mut Vec<Content<Number>>,
    ) -> Result<Flow, TrapKind> {
        let (exception, number) = self.thrown.take().ok_or(TrapKind::Malformed)?;
        if payload {
            results.extend_from_slice(&exception.payload);
        }
        if by_reference {
            let number = number.unwrap_or_else(|| {
                self.held.push(exception);
                self.held.len() as u32 - 1
            });
            results.push(Content::Known(Number::Exception(number)));
        }
        Ok(Flow::Next)
    }
}

impl State<'_> {
    /// The slot of the first handler that catches the thrown exception.
    pub(super) fn handler_among(&self, heads: &[Option<&Op>]) -> Option<u32> {
        let mut slots = (0..).zip(heads);
        slots.find(|(_, head)| head.is_some_and(|head| self.exceptions.is_caught_by(head))).map(|(slot, _)| slot)
    }

    /// Executes an operator that throws or catches.
    pub(super) fn exception(
        &mut self,
        op: &Op,
        args: &[Content<Number>],
        results: &mut Vec<Content<Number>>,
    ) -> Result<Flow, TrapKind> {
        match op.opcode {
            Opcode::Throw => self.exceptions.throw(op, args),
            Opcode::ThrowRef => self.exceptions.throw_ref(known(args, 0)?),
            opcode => {
                let payload = matches!(opcode, Opcode::Catch | Opcode::CatchRef);
                let by_reference = matches!(opcode, Opcode::CatchRef | Opcode::CatchAllRef);
                self.exceptions.catch(payload, by_reference, results)
            }
        }
    }
}
