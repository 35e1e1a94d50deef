//! The check of folded operations: the value that replaces an operation must be its result.
//!
//! A program may contain, for a value, the operator and the values that compute it; and, for an operator that the
//! source applies, the existing value that replaces its result. Claims about reads are judged elsewhere; here, an
//! application that was folded has to
//! * name a value and arguments whose definitions dominate it, and
//! * be *congruent* to the computation of that value: the same operator, applied to the same values; or
//! * follow from an equation: the application is an instance of its left side, and the value of its right side.
//!
//! Arguments count as their definitions: so a phi that was dropped, because only folded operations had it as an
//! argument, is in the program as evidence, and the reads that return it are claimed like others.
//!
//! A decided branch names its targets by slot. Its equation gives the slot, and the one edge that leaves the block must
//! enter the target of that slot.
//!
//! Equations are taken as given; the values that one names are globals. A nested term matches a value that the term's
//! operator computes. A value that was folded after an instruction had computed it ([`Application::late`]) is the same
//! as the value to which it was folded wherever its place dominates.
//!
//! # Why it is right
//! Take the arguments of a computation, the computed value, and a place that relies on the value: the definition of
//! each dominates the next. After control passed an argument's definition for the last time, it passed that of the
//! value before it reached the place; otherwise a path without the value's definition would lead to the place. So at
//! the place, the value is still the operator's result for the arguments' current contents. Blocks are visited in
//! preorder of the dominator tree, so each claim relies only on claims that have been judged before, and none relies on
//! itself.
//!
//! | verification by certificates | here |
//! |---|---|
//! | congruence: same operator, equal arguments | [`Grounds::Congruent`], but for [`Grounds::Opaque`] |
//! | constant table | an [`Equation`] without variables |
//! | listed identities | an [`Equation`] with variables |
//!
//! # Complexity
//! O(*n* + events + arguments + symbols of the equations), besides dominance tests. An application that relies on an
//! equation is matched with its symbols. All applications together may match [`SYMBOLS_PER_PART`] symbols for each
//! argument, symbol and application of the program; later ones that rely on an equation are refused. An equation of a
//! folder has about as many symbols as its operations have arguments.
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

/// Number of symbols that are matched for each part of a program: application, argument, and symbol of an equation.
const SYMBOLS_PER_PART: usize = 64;

/// The memory of judging folded operations.
#[derive(Debug, Default)]
pub(crate) struct Folds {
    computations: IdMap<Row, Computation>,
    /// By value: the first computation of it.
    computed_by: IdMap<Value, PackedOption<Row>>,
    uses: Uses,
    /// By number of an equation: whether claims may rely on it.
    can_be_given: IdMap<EquationId, bool>,
    /// By number of a [`Symbol::Any`]: the value bound to it.
    bound: Vec<Option<Value>>,
    /// Values that the next symbols have to match, the next one last.
    pending: Vec<Value>,
    /// Number of symbols that may still be matched.
    budget: usize,
}

/// The computation of a value, perhaps before it was folded.
#[derive(Clone, Copy, Debug)]
struct Computation {
    block: Block,
    application: Application,
    /// For a late one that was judged: the value to which it was folded, which has a definition.
    is: PackedOption<Value>,
}

/// The application that is judged, with its block.
#[derive(Clone, Copy)]
struct Place<'a> {
    program: &'a Program,
    frame: &'a Frame,
    block: Block,
    application: Application,
}

impl Place<'_> {
    /// Whether the block has one outgoing edge, to the target of this slot among `of` targets of its branch.
    fn leaves_by(self, slot: u32, of: u32) -> bool {
        let targets = self.program.target_list(self.application);
        let is_left_to = |target: &Block| self.frame.cfg.targets(self.block) == [*target];
        targets.len() == of as usize && targets.get(slot as usize).is_some_and(is_left_to)
    }
}

impl Folds {
    /// Reports every application whose claim is not shown to be right.
    ///
    /// Needs: the frame of `program`, whose structure has no violation.
    pub(crate) fn check(&mut self, program: &Program, frame: &Frame, violations: &mut Vec<Violation>) {
        self.check_equations(program, violations);
        if program.blocks().all(|block| program.application_list(block).is_empty()) {
            return;
        }
        self.collect(program, frame, violations);
        self.uses.clear();
        for &block in frame.tree.preorder() {
            let mut events = program.event_list(block).iter().enumerate().peekable();
            for &application in program.application_list(block) {
                while let Some((_, &event)) = events.next_if(|&(index, _)| (index as u32) < application.position) {
                    self.pass(program, event);
                }
                self.judge(Place { program, frame, block, application }, violations);
            }
            events.for_each(|(_, &event)| self.pass(program, event));
        }
    }

    /// Reports equations that are malformed, or name values other than globals.
    fn check_equations(&mut self, program: &Program, violations: &mut Vec<Violation>) {
        self.can_be_given.clear();
        self.budget = program.num_folding_parts().saturating_mul(SYMBOLS_PER_PART);
        for equation in program.equation_list() {
            let number = EquationId::new(self.can_be_given.len());
            let local = equation.left.iter().chain(&equation.right).find_map(|&symbol| match symbol {
                Symbol::Global(value) if !program.is_global(value) => Some(value),
                _ => None,
            });
            let violation = match local {
                _ if !equation.is_well_formed() => Some(Violation::BadEquation { equation: number }),
                // A reader of the law takes the value for the constant of that name, not for a value that depends on
                // the path.
                Some(value) => Some(Violation::EquationNotGlobal { equation: number, value }),
                None => None,
            };
            self.can_be_given.push(violation.is_none());
            violations.extend(violation);
        }
    }

    /// Collects the computations of values.
    fn collect(&mut self, program: &Program, frame: &Frame, violations: &mut Vec<Violation>) {
        self.computations.clear();
        self.computed_by.reset(program.num_values(), PackedOption::NONE);
        for block in program.blocks() {
            for &application in program.application_list(block) {
                let is_computed = application.is_computed();
                let name = if is_computed { application.value } else { application.late };
                let Some(value) = name else { continue };
                let next = program.event_list(block).get(application.position as usize);
                let defines = matches!(next, Some(&ProgramEvent::Def { value: defined, .. }) if defined == value);
                if is_computed && (!defines || program.is_global(value)) {
                    violations.push(Violation::NotComputed { block, value });
                } else if !is_computed && !frame.definitions.is_nowhere(value) {
                    violations.push(Violation::LateDefined { block, value });
                } else if self.computed_by[value].is_some() {
                    violations.push(Violation::ComputedTwice { block, value });
                } else if frame.is_reachable(block) {
                    let row = self.computations.push(Computation { block, application, is: PackedOption::NONE });
                    self.computed_by[value] = row.into();
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

    fn judge(&mut self, place: Place<'_>, violations: &mut Vec<Violation>) {
        let Place { program, frame, block, application } = place;
        let Application { value, operator, grounds, late, .. } = application;
        let args = program.argument_list(application);
        if application.is_computed() {
            violations.extend(args.iter().filter_map(|&arg| self.uses.check_use(frame, block, arg)));
            return;
        }
        let num_before = violations.len();
        violations.extend(args.iter().chain(&value).filter_map(|&value| self.check_known(place, value)));
        if violations.len() > num_before {
            return;
        }
        let follows = match (grounds, value) {
            (Grounds::Equation(equation), _) => self.follows(place, equation),
            (_, Some(value)) => self.is_computed_so(place, value),
            (_, None) => false,
        };
        if !follows {
            violations.push(Violation::NotFolded { block, operator, value });
        } else if let (Some(row), Some(value)) = (late.and_then(|late| self.row(late)), value) {
            self.computations[row].is = self.resolve(place, value).into();
        }
    }

    /// The violation of a value that a folded operation names, if it is neither defined above nor folded later above.
    fn check_known(&self, place: Place<'_>, value: Value) -> Option<Violation> {
        let violation = self.uses.check_use(place.frame, place.block, value)?;
        self.late_above(place, value).is_none().then_some(violation)
    }

    fn row(&self, value: Value) -> Option<Row> {
        self.computed_by.get(value)?.expand()
    }

    /// The value to which `value` was folded late, if that was judged at a place that dominates this one.
    fn late_above(&self, place: Place<'_>, value: Value) -> Option<Value> {
        let Computation { block, is, .. } = self.computations[self.row(value)?];
        // A known value is in a block judged before, or further up in this one.
        is.expand().filter(|_| place.frame.tree.dominates(block, place.block))
    }

    /// The value itself, or the value to which it was folded late.
    fn resolve(&self, place: Place<'_>, value: Value) -> Value {
        self.late_above(place, value).unwrap_or(value)
    }

    /// The operator and the arguments that compute a value, unless it is opaque.
    fn computation<'p>(&self, place: Place<'p>, value: Value) -> Option<(Operator, &'p [Value])> {
        let application = self.application(value).filter(|found| found.grounds != Grounds::Opaque)?;
        Some((application.operator, place.program.argument_list(application)))
    }

    /// The application that computes a value.
    ///
    /// Needs: the value dominates the place that asks. The arguments there were checked, and so were the arguments of
    /// their computations, and so on.
    fn application(&self, value: Value) -> Option<Application> {
        Some(self.computations[self.row(value)?].application)
    }

    /// Whether the operator of this place computes the value from the same values.
    fn is_computed_so(&self, place: Place<'_>, value: Value) -> bool {
        let args = place.program.argument_list(place.application);
        let is_so = |value| {
            self.computation(place, value).is_some_and(|(operator, found)| {
                let is_same = |(&one, &other)| self.resolve(place, one) == self.resolve(place, other);
                operator == place.application.operator
                    && found.len() == args.len()
                    && found.iter().zip(args).all(is_same)
            })
        };
        is_so(value) || is_so(self.resolve(place, value))
    }

    /// Whether the application is an instance of the left side, and its value of the right one.
    fn follows(&mut self, place: Place<'_>, equation: EquationId) -> bool {
        let Place { program, application, .. } = place;
        if self.can_be_given.get(equation) != Some(&true) {
            return false;
        }
        let equation = &program.equation_list()[equation.index()];
        let args = program.argument_list(application);
        let Some((&head, rest)) = equation.left.split_first() else { return false };
        if head != Symbol::Apply(application.operator, args.len() as u32) {
            return false;
        }
        self.bound.clear();
        self.pending.clear();
        self.pending.extend(args.iter().rev());
        if !self.matches(place, rest, true) {
            return false;
        }
        match (application.value, &*equation.right) {
            (None, &[Symbol::Slot(slot, of)]) => application.late.is_none() && place.leaves_by(slot, of),
            (Some(value), right) => {
                self.pending.push(value);
                self.matches(place, right, false)
            }
            (None, _) => false,
        }
    }

    /// Whether all pending values match all the symbols. Only the left side binds variables.
    fn matches(&mut self, place: Place<'_>, symbols: &[Symbol], binds: bool) -> bool {
        for &symbol in symbols {
            let (Some(value), Some(budget)) = (self.pending.pop(), self.budget.checked_sub(1)) else { return false };
            self.budget = budget;
            let matches = match symbol {
                Symbol::Any(number) => self.is_bound(number, self.resolve(place, value), binds),
                Symbol::Result(operator, number) => {
                    let resolved = self.resolve(place, value);
                    let gives = |value| self.application(value).is_some_and(|found| found.operator == operator);
                    (gives(value) || gives(resolved)) && self.is_bound(number, resolved, binds)
                }
                Symbol::Global(global) => self.resolve(place, value) == global,
                Symbol::Slot(..) => false,
                Symbol::Apply(operator, count) => {
                    let is_so =
                        |&(found, args): &(Operator, &[Value])| (found, args.len()) == (operator, count as usize);
                    let resolved = self.resolve(place, value);
                    let found =
                        [value, resolved].into_iter().find_map(|value| self.computation(place, value).filter(is_so));
                    self.pending.extend(found.iter().flat_map(|(_, args)| args.iter().rev()));
                    found.is_some()
                }
            };
            if !matches {
                return false;
            }
        }
        self.pending.is_empty()
    }

    /// Whether `value` is bound to the variable; if `binds`, binds it to an unbound variable.
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
