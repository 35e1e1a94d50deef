//! What has to be known of a body before it is translated.

use std::ops::Range;
use wasmparser::{Catch, Operator, OperatorsReader, VisitOperator, VisitSimdOperator};

/// The loops and conditionals of a body, in the order they open.
#[derive(Default)]
pub(super) struct Outline {
    openings: Vec<Opening>,
    next: usize,
    /// The locals that are written, in order, without repetitions in a row.
    writes: Vec<u32>,
    frames: Vec<Open>,
    /// For each local, the last loop whose writes it was counted among.
    counted: Vec<u32>,
    /// How many more writes may be looked at for hints.
    hints_left: usize,
}

/// A loop or conditional.
#[derive(Clone, Debug, Default)]
pub(super) struct Opening {
    /// Of a loop: something branches to its header. Of a conditional: it has an `else`.
    pub(super) is_used: bool,
    /// Of a loop: what it writes.
    writes: Range<usize>,
}

/// A frame that is open.
#[derive(Clone, Copy)]
enum Open {
    Loop(usize),
    If(usize),
    Other,
}

/// Writes of a loop count again in each loop around it; hints may cost so many times the writes there are.
const HINTS_PER_WRITE: usize = 16;

impl Outline {
    /// Reads the operators of a body.
    pub(super) fn read(&mut self, mut operators: OperatorsReader<'_>) -> Result<(), wasmparser::Error> {
        self.openings.clear();
        self.writes.clear();
        self.frames.clear();
        self.counted.clear();
        self.next = 0;
        self.frames.push(Open::Other);
        while !operators.eof() {
            operators.visit_operator(self)??;
        }
        self.hints_left = HINTS_PER_WRITE * (self.writes.len() + 1);
        Ok(())
    }

    fn operator(&mut self, operator: &Operator<'_>) -> Result<(), wasmparser::Error> {
        match operator {
            Operator::Block { .. } => self.frames.push(Open::Other),
            Operator::Loop { .. } => self.open(Open::Loop),
            Operator::If { .. } => self.open(Open::If),
            Operator::TryTable { try_table } => {
                try_table.catches.iter().for_each(|catch| self.branch(label(*catch)));
                self.frames.push(Open::Other);
            }
            Operator::Else => {
                if let Some(&Open::If(opening)) = self.frames.last() {
                    self.openings[opening].is_used = true;
                }
            }
            Operator::End => {
                if let Some(Open::Loop(opening)) = self.frames.pop() {
                    self.openings[opening].writes.end = self.writes.len();
                }
            }
            Operator::Br { relative_depth }
            | Operator::BrIf { relative_depth }
            | Operator::BrOnNull { relative_depth }
            | Operator::BrOnNonNull { relative_depth }
            | Operator::BrOnCast { relative_depth, .. }
            | Operator::BrOnCastFail { relative_depth, .. } => self.branch(*relative_depth),
            Operator::BrTable { targets } => {
                for target in targets.targets() {
                    self.branch(target?);
                }
                self.branch(targets.default());
            }
            Operator::LocalSet { local_index } | Operator::LocalTee { local_index }
                if self.writes.last() != Some(local_index) =>
            {
                self.writes.push(*local_index);
            }
            _ => {}
        }
        Ok(())
    }

    fn open(&mut self, frame: impl FnOnce(usize) -> Open) {
        self.frames.push(frame(self.openings.len()));
        // A repetition in a row may begin before the loop, so the write before it counts too.
        let begin = self.writes.len().saturating_sub(1);
        self.openings.push(Opening { is_used: false, writes: begin..begin });
    }

    fn branch(&mut self, depth: u32) {
        let frame = self.frames.len().checked_sub(1 + depth as usize).and_then(|place| self.frames.get(place));
        if let Some(&Open::Loop(opening)) = frame {
            self.openings[opening].is_used = true;
        }
    }

    /// The next loop or conditional.
    pub(super) fn next(&mut self) -> Opening {
        let opening = self.openings.get(self.next).cloned().unwrap_or_default();
        self.next += 1;
        opening
    }

    /// The locals that a loop writes, each once; `None` where it would take too long to tell.
    pub(super) fn writes_of(&mut self, opening: &Opening, num_locals: usize) -> Option<Vec<u32>> {
        let writes = self.writes.get(opening.writes.clone())?;
        self.hints_left = self.hints_left.checked_sub(writes.len())?;
        self.counted.resize(num_locals, 0);
        let stamp = self.next as u32;
        let mut locals = Vec::new();
        for &local in writes {
            let counted = self.counted.get_mut(local as usize)?;
            if *counted != stamp {
                *counted = stamp;
                locals.push(local);
            }
        }
        Some(locals)
    }
}

/// Of all operators only these tell something.
macro_rules! note_one {
    ($self:ident Block $($arg:ident)*) => { note_one!(@ $self Block $($arg)*) };
    ($self:ident Loop $($arg:ident)*) => { note_one!(@ $self Loop $($arg)*) };
    ($self:ident If $($arg:ident)*) => { note_one!(@ $self If $($arg)*) };
    ($self:ident TryTable $($arg:ident)*) => { note_one!(@ $self TryTable $($arg)*) };
    ($self:ident Else $($arg:ident)*) => { note_one!(@ $self Else $($arg)*) };
    ($self:ident End $($arg:ident)*) => { note_one!(@ $self End $($arg)*) };
    ($self:ident Br $($arg:ident)*) => { note_one!(@ $self Br $($arg)*) };
    ($self:ident BrIf $($arg:ident)*) => { note_one!(@ $self BrIf $($arg)*) };
    ($self:ident BrTable $($arg:ident)*) => { note_one!(@ $self BrTable $($arg)*) };
    ($self:ident BrOnNull $($arg:ident)*) => { note_one!(@ $self BrOnNull $($arg)*) };
    ($self:ident BrOnNonNull $($arg:ident)*) => { note_one!(@ $self BrOnNonNull $($arg)*) };
    ($self:ident BrOnCast $($arg:ident)*) => { note_one!(@ $self BrOnCast $($arg)*) };
    ($self:ident BrOnCastFail $($arg:ident)*) => { note_one!(@ $self BrOnCastFail $($arg)*) };
    ($self:ident LocalSet $($arg:ident)*) => { note_one!(@ $self LocalSet $($arg)*) };
    ($self:ident LocalTee $($arg:ident)*) => { note_one!(@ $self LocalTee $($arg)*) };
    (@ $self:ident $op:ident $($arg:ident)*) => { $self.operator(&Operator::$op { $($arg),* }) };
    ($self:ident $op:ident $($arg:ident)*) => {{ $(let _ = $arg;)* Ok(()) }};
}

macro_rules! note {
    ($( @$proposal:ident $op:ident $({ $($arg:ident: $argty:ty),* })? => $visit:ident $ann:tt )*) => {
        $(fn $visit(&mut self $($(, $arg: $argty)*)?) -> Self::Output {
            note_one!(self $op $($($arg)*)?)
        })*
    };
}

impl<'a> VisitOperator<'a> for Outline {
    type Output = Result<(), wasmparser::Error>;

    fn simd_visitor(&mut self) -> Option<&mut dyn VisitSimdOperator<'a, Output = Self::Output>> {
        Some(self)
    }

    wasmparser::for_each_visit_operator!(note);
}

impl<'a> VisitSimdOperator<'a> for Outline {
    wasmparser::for_each_visit_simd_operator!(note);
}

fn label(catch: Catch) -> u32 {
    match catch {
        Catch::One { label, .. } | Catch::OneRef { label, .. } | Catch::All { label } | Catch::AllRef { label } => {
            label
        }
    }
}
