//! Folded operations: did the source's operator give the value that the result has in its place?
//!
//! A program may say of a value by which operator it is computed from which values, and of an operator that the source
//! applies that it was not computed again, for its result is there. What is claimed of reads is judged elsewhere; here,
//! an application that was folded has to
//! * name a value whose definition dominates it, and
//! * be *congruent* to the computation of that value: the same operator, applied to the same values; or
//! * follow from an equation: the application is an instance of its left side, and the value of its right side.
//!
//! Equations are taken as given. A nested term matches a value that is computed so.
//!
//! # Why it is right
//! A value, the values it is computed from, and the place that relies on both: each one's definition dominates the
//! next. After control passed the first for the last time it passed the second before it came to the place, or a path
//! without the second would lead to the place. So at the place the value is still what the operator gives for what
//! its arguments are there.
//!
//! | verification by certificates | here |
//! |---|---|
//! | congruence: same operator, equal arguments | [`Grounds::Congruent`] |
//! | constant table | an [`Equation`] without variables |
//! | listed identities | an [`Equation`] with variables |
//!
//! # Complexity
//! O(*n* + events + arguments + symbols of the equations used), beside dominance tests.
//!
//! # Departures
//! None: no paper judges folding during construction.

use crate::frame::Frame;
use crate::program::{Application, EquationId, Grounds, Program, ProgramEvent, Symbol};
use crate::rules::Uses;
use crate::violation::Violation;
use alloc::vec::Vec;
use ssaphire_graph::{Block, Id, IdMap, Operator, PackedOption, SsaForm, Value, internal_id};

#[cfg(doc)]
use crate::program::Equation;

internal_id!(
    /// Number of a computation among all.
    Row, "computation", u32::MAX as usize
);

/// The memory of judging folded operations.
#[derive(Debug, Default)]
pub(crate) struct Folds {
    computations: Vec<Application>,
    /// By value: the first computation of it.
    computed_by: IdMap<Value, PackedOption<Row>>,
    uses: Uses,
    matching: Matching,
}

/// The memory of matching one equation.
#[derive(Debug, Default)]
struct Matching {
    /// By number of a [`Symbol::Any`]: what it stands for.
    bound: Vec<Option<Value>>,
    /// Values that the next symbols have to match, the next one last.
    pending: Vec<Value>,
}

/// A computation or a claim, where it stands.
#[derive(Clone, Copy)]
struct Place {
    block: Block,
    application: Application,
}

impl Folds {
    /// Reports every application that is not what is said of it.
    ///
    /// Needs: the frame of `program`, and that nothing is wrong with its structure.
    pub(crate) fn check(&mut self, program: &Program, frame: &Frame, violations: &mut Vec<Violation>) {
        let equations = program.equation_list().iter().enumerate();
        violations.extend(
            equations
                .filter(|(_, equation)| !equation.is_well_formed())
                .map(|(number, _)| Violation::BadEquation { equation: EquationId::new(number) }),
        );
        if program.blocks().all(|block| program.application_list(block).is_empty()) {
            return;
        }
        self.collect(program, frame, violations);
        self.uses.clear();
        for block in program.blocks().filter(|&block| frame.is_reachable(block)) {
            let mut events = program.event_list(block).iter().enumerate().peekable();
            for &application in program.application_list(block) {
                while let Some((_, &event)) = events.next_if(|&(index, _)| (index as u32) < application.position) {
                    self.pass(program, event);
                }
                self.check_application(program, frame, Place { block, application }, violations);
            }
            events.for_each(|(_, &event)| self.pass(program, event));
        }
    }

    /// Finds how values are computed.
    fn collect(&mut self, program: &Program, frame: &Frame, violations: &mut Vec<Violation>) {
        self.computations.clear();
        self.computed_by.reset(program.num_values(), PackedOption::NONE);
        for block in program.blocks() {
            for &application in program.application_list(block) {
                let (Grounds::Computed, Some(value)) = (application.grounds, application.value) else { continue };
                let next = program.event_list(block).get(application.position as usize);
                let defines = matches!(next, Some(&ProgramEvent::Def { value: defined, .. }) if defined == value);
                if !defines || program.is_global(value) {
                    violations.push(Violation::NotComputed { block, value });
                } else if self.computed_by[value].is_some() {
                    // The structure has no violation, so the two stand before one definition.
                    violations.push(Violation::NotComputed { block, value });
                } else if frame.is_reachable(block) {
                    self.computed_by[value] = Row::new(self.computations.len()).into();
                    self.computations.push(application);
                }
            }
        }
    }

    fn pass(&mut self, program: &Program, event: ProgramEvent) {
        match event {
            ProgramEvent::Def { value, .. } if !program.is_global(value) => self.uses.pass(value),
            _ => {}
        }
    }

    fn check_application(&mut self, program: &Program, frame: &Frame, place: Place, violations: &mut Vec<Violation>) {
        let Place { block, application } = place;
        let Application { value, operator, grounds, .. } = application;
        let args = program.argument_list(application);
        if grounds == Grounds::Computed {
            violations.extend(args.iter().filter_map(|&arg| self.uses.check_use(frame, block, arg)));
            return;
        }
        if let Some(violation) = value.and_then(|value| self.uses.check_use(frame, block, value)) {
            violations.push(violation);
            return;
        }
        let follows = match (grounds, value) {
            (Grounds::Equation(equation), _) => self.follows(program, frame, place, equation),
            (_, Some(value)) => self.computation(program, value) == Some((operator, args)),
            (_, None) => false,
        };
        let leaves_once = value.is_some() || frame.cfg.outgoing(block).count() == 1;
        if !follows || !leaves_once {
            violations.push(Violation::NotFolded { block, operator, value });
        }
    }

    /// How a value is computed: by which operator, from which values.
    fn computation<'p>(&self, program: &'p Program, value: Value) -> Option<(Operator, &'p [Value])> {
        let row = self.computed_by.get(value)?.expand()?;
        let application = self.computations[row.index()];
        Some((application.operator, program.argument_list(application)))
    }

    /// Whether the application is an instance of the left side, and its value of the right one.
    fn follows(&mut self, program: &Program, frame: &Frame, place: Place, equation: EquationId) -> bool {
        let Place { block, application } = place;
        let equation = program.equation_list().get(equation.index()).filter(|equation| equation.is_well_formed());
        let Some(equation) = equation else { return false };
        let args = program.argument_list(application);
        let Some((&head, rest)) = equation.left.split_first() else { return false };
        if head != Symbol::Apply(application.operator, args.len() as u32) {
            return false;
        }
        let mut matching = core::mem::take(&mut self.matching);
        matching.bound.clear();
        matching.pending.clear();
        matching.pending.extend(args.iter().rev());
        let mut follows = self.matches(program, frame, block, rest, &mut matching, true);
        follows &= match (application.value, &*equation.right) {
            (None, &[Symbol::Slot(..)]) => true,
            (Some(value), right) => {
                matching.pending.push(value);
                self.matches(program, frame, block, right, &mut matching, false)
            }
            (None, _) => false,
        };
        self.matching = matching;
        follows
    }

    /// Whether the pending values match the symbols, all of both. Variables are bound by the left side alone.
    fn matches(
        &self,
        program: &Program,
        frame: &Frame,
        block: Block,
        symbols: &[Symbol],
        matching: &mut Matching,
        binds: bool,
    ) -> bool {
        for &symbol in symbols {
            let Some(value) = matching.pending.pop() else { return false };
            let matches = match symbol {
                Symbol::Any(number) => matching.is_bound(number, value, binds),
                Symbol::Global(global) => value == global,
                Symbol::Slot(..) => false,
                Symbol::Apply(operator, count) => {
                    let is_there = self.uses.check_use(frame, block, value).is_none();
                    match self.computation(program, value) {
                        Some((found, args)) if is_there && found == operator && args.len() as u32 == count => {
                            matching.pending.extend(args.iter().rev());
                            true
                        }
                        _ => false,
                    }
                }
            };
            if !matches {
                return false;
            }
        }
        matching.pending.is_empty()
    }
}

impl Matching {
    /// Whether the variable stands for `value`; binds it where nothing did and `binds` says so.
    fn is_bound(&mut self, number: u32, value: Value, binds: bool) -> bool {
        let index = number as usize;
        // In a well-formed equation such numbers are below the number of its symbols.
        if binds && self.bound.len() <= index {
            self.bound.resize(index + 1, None);
        }
        match self.bound.get_mut(index) {
            Some(Some(bound)) => *bound == value,
            Some(free) if binds => {
                *free = Some(value);
                true
            }
            _ => false,
        }
    }
}
