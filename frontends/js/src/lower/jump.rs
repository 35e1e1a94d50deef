//! `break`, `continue` and `return`, and what they pass on their way out.

use super::emit::Join;
use super::function::{Handler, Lowering};
use crate::dialect::{Constant, Immediates, Op, Opcode};
use crate::source::Span;
use ssaphire::{SsaBuilder, Value, Variable};
use std::sync::Arc;

/// A statement around what is lowered that jumps leave, or pass.
pub(super) enum Frame<'p> {
    /// `break` may leave it: a loop, a switch, a labeled statement.
    Breakable {
        labels: Vec<&'p str>,
        /// Whether `break` without a label means it.
        is_plain: bool,
        end: Join,
        /// Where `continue` goes, for a loop.
        next: Option<Join>,
    },
    /// A `try` with a `finally`, whose block every way out goes through.
    Finally(Finally),
    /// The iterator of a `for-of`, which is closed by what leaves the loop.
    Iterator { iterator: Value, is_async: bool, outer: Option<Handler> },
    /// A `with`.
    With,
}

/// A `finally` and the ways that lead to it.
pub(super) struct Finally {
    /// Where its block begins.
    pub(super) entry: Join,
    /// Says how control came there.
    pub(super) selector: Variable,
    /// The exception, or what is returned.
    pub(super) value: Variable,
    /// The jumps that go on behind it: the first one has number 2.
    pub(super) exits: Vec<Exit>,
}

/// Control came to a `finally` because of an exception.
pub(super) const THROWN: u32 = 0;
/// Control came to a `finally` from the end of the block before it.
pub(super) const ENDED: u32 = 1;

/// A way out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exit {
    /// Behind the frame of that number.
    Break(usize),
    /// To the next iteration of the loop of that number.
    Continue(usize),
    /// Out of the function.
    Return,
}

impl<'l, 'b, 'p, 'a, B: SsaBuilder> Lowering<'l, 'b, 'p, 'a, B> {
    pub(super) fn break_to(&mut self, label: Option<&str>) {
        let is_meant = |frame: &Frame<'_>| match (frame, label) {
            (Frame::Breakable { labels, .. }, Some(label)) => labels.contains(&label),
            (Frame::Breakable { is_plain, .. }, None) => *is_plain,
            _ => false,
        };
        if let Some(target) = self.frames.iter().rposition(is_meant) {
            self.leave_by(Exit::Break(target), None, Span::NOWHERE);
        }
    }

    pub(super) fn continue_to(&mut self, label: Option<&str>) {
        let is_meant = |frame: &Frame<'_>| match frame {
            Frame::Breakable { labels, next: Some(_), .. } => label.is_none_or(|label| labels.contains(&label)),
            _ => false,
        };
        if let Some(target) = self.frames.iter().rposition(is_meant) {
            self.leave_by(Exit::Continue(target), None, Span::NOWHERE);
        }
    }

    /// Returns from the function, by way of what is around.
    pub(super) fn return_value(&mut self, value: Value, span: Span) {
        self.leave_by(Exit::Return, Some(value), span);
    }

    /// Leaves frame after frame. A `finally` on the way takes over, and goes on at its end.
    pub(super) fn leave_by(&mut self, exit: Exit, value: Option<Value>, span: Span) {
        let target = match exit {
            Exit::Break(target) | Exit::Continue(target) => target + 1,
            Exit::Return => 0,
        };
        let (handler, cleanups) = (self.handler, self.cleanups);
        for place in (target..self.frames.len()).rev() {
            if !self.is_reachable() {
                break;
            }
            match &mut self.frames[place] {
                Frame::Breakable { .. } => {}
                Frame::With => self.effect(Opcode::LeaveWith, &[], Span::NOWHERE),
                // The frame of an iterator is right above that of its loop.
                Frame::Iterator { .. } if exit == Exit::Continue(place.wrapping_sub(1)) => {}
                Frame::Iterator { iterator, is_async, outer } => {
                    let (iterator, is_async) = (*iterator, *is_async);
                    self.handler = *outer;
                    self.close_iterator(iterator, is_async);
                }
                Frame::Finally(finally) => {
                    let known = finally.exits.iter().position(|&known| known == exit);
                    let number = known.unwrap_or_else(|| {
                        finally.exits.push(exit);
                        finally.exits.len() - 1
                    });
                    let entry = *finally.entry.0.get_or_insert_with(|| self.builder.create_block());
                    let (selector, held) = (finally.selector, finally.value);
                    let number = self.constant(Constant::number(number as f64 + 2.0));
                    self.write(selector, number);
                    // Without this, reading the variable would place phis at every join before the `try`.
                    let value = value.unwrap_or_else(|| self.undefined());
                    self.write(held, value);
                    self.jump(entry);
                }
            }
        }
        (self.handler, self.cleanups) = (handler, cleanups);
        if self.is_reachable() {
            self.arrive(exit, value, span);
        }
    }

    fn arrive(&mut self, exit: Exit, value: Option<Value>, span: Span) {
        let builder = &mut self.builder;
        let block = match (exit, value) {
            (Exit::Return, value) => {
                let value = value.unwrap_or_else(|| self.undefined());
                return self.terminate_with(Op { span, ..Op::new(Opcode::Return) }, &[value], &[]);
            }
            (Exit::Break(target), _) => match &mut self.frames[target] {
                Frame::Breakable { end, .. } => *end.0.get_or_insert_with(|| builder.create_block()),
                _ => return,
            },
            (Exit::Continue(target), _) => match &mut self.frames[target] {
                Frame::Breakable { next: Some(next), .. } => *next.0.get_or_insert_with(|| builder.create_block()),
                _ => return,
            },
        };
        self.jump(block);
    }

    /// Begins something that `break` may leave.
    pub(super) fn push_breakable(&mut self, is_plain: bool, is_loop: bool) {
        let labels = std::mem::take(&mut self.labels);
        let next = is_loop.then(Join::default);
        self.frames.push(Frame::Breakable { labels, is_plain, end: Join::default(), next });
    }

    /// Ends it: where `break`s lead, and `continue`s.
    pub(super) fn pop_breakable(&mut self) -> (Join, Join) {
        match self.frames.pop() {
            Some(Frame::Breakable { end, next, .. }) => (end, next.unwrap_or_default()),
            _ => (Join::default(), Join::default()),
        }
    }

    /// Where `continue`s of the innermost loop lead. There will be no more.
    pub(super) fn take_next(&mut self) -> Join {
        match self.frames.last_mut() {
            Some(Frame::Breakable { next: Some(next), .. }) => std::mem::take(next),
            _ => Join::default(),
        }
    }

    /// Goes on as the selector of a `finally` says.
    pub(super) fn dispatch(&mut self, finally: Finally, has_ended: bool, has_thrown: bool) {
        if !self.is_reachable() {
            return;
        }
        let mut cases = Vec::new();
        let mut blocks = Vec::new();
        let mut add = |lowering: &mut Self, number: u32| {
            cases.push(Constant::number(f64::from(number)));
            blocks.push(lowering.builder.create_block());
        };
        if has_ended {
            add(self, ENDED);
        }
        for number in 0..finally.exits.len() as u32 {
            add(self, number + 2);
        }
        if has_thrown {
            add(self, THROWN);
        }
        // The last one is the default.
        cases.pop();
        if cases.is_empty() {
            blocks.iter().for_each(|&block| self.jump(block));
        } else {
            let selector = self.read(finally.selector);
            let op =
                Op { opcode: Opcode::Switch, span: Span::NOWHERE, immediates: Immediates::Cases(Arc::from(cases)) };
            self.terminate_with(op, &[selector], &blocks);
        }
        let mut rest = &blocks[usize::from(has_ended)..];
        let exits = finally.exits;
        for exit in exits {
            let Some((&block, others)) = rest.split_first() else { break };
            rest = others;
            self.begin_sealed(block);
            let value = (exit == Exit::Return).then(|| self.read(finally.value));
            self.leave_by(exit, value, Span::NOWHERE);
        }
        if let Some(&block) = rest.first() {
            self.begin_sealed(block);
            let value = self.read(finally.value);
            self.throw(value, Span::NOWHERE);
        }
        if has_ended {
            self.begin_sealed(blocks[0]);
        }
    }
}
