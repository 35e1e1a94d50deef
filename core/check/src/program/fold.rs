//! The operations of a program: how results are computed, and which were folded on which grounds.

use super::Program;
use alloc::vec::Vec;
use core::fmt;
use ssaphire_graph::{Block, Operator, Value, internal_id};

internal_id!(
    /// Number of an equation, in the order of writing.
    pub EquationId, "equation", u32::MAX as usize
);

/// One symbol of a [`Term`], which is written in prefix order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Symbol {
    /// An operator, applied to this number of terms, which follow.
    Apply(Operator, u32),
    /// A variable of the equation: any value, and the same one for the same number on both sides.
    Any(u32),
    /// A value that is bound before the entry: a constant.
    Global(Value),
    /// Any result of this operator, with any arguments; numbered like [`Symbol::Any`]. Only on the left side.
    Result(Operator, u32),
    /// The slot that a branch takes, and its number of slots.
    Slot(u32, u32),
}

/// A term: symbols in prefix order.
pub type Term = Vec<Symbol>;

/// A law of the operators on which folding relies: both sides are equal for every value of each [`Symbol::Any`], and
/// for every result of the operator of each [`Symbol::Result`].
///
/// A computed constant is an equation without [`Symbol::Any`].
/// The judge does not know the operators, and takes equations as given; check them with a tool that does.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Equation {
    /// An operator, applied to terms.
    pub left: Term,
    /// The term that it equals.
    pub right: Term,
}

/// The grounds for the claim that an operator, applied to values, gives a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Grounds {
    /// An instruction computes it here: the next event is the definition.
    Computed,
    /// As [`Grounds::Computed`], but from more than the given values: no other result is the same. An example is a
    /// load.
    Opaque,
    /// It was computed before, by the same operator from the same values.
    Congruent,
    /// It follows from an equation.
    Equation(EquationId),
}

/// An operator that the source applies to values, and the outcome.
#[derive(Clone, Copy, Debug)]
pub struct Application {
    /// The result; `None` for a branch, which has no result but leaves by a slot to one of its
    /// [targets](Program::target_list).
    pub value: Option<Value>,
    /// The operator.
    pub operator: Operator,
    /// The grounds for this result.
    pub grounds: Grounds,
    /// The previous value of the result, which an instruction computed, if it was folded later. No instruction defines
    /// this value now, and only other applications name it.
    pub late: Option<Value>,
    /// Number of events of its block before it.
    pub position: u32,
    start: u32,
    len: u32,
    first_target: u32,
    num_targets: u32,
}

/// Applications, equations and names of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Folding {
    pub(super) applications: Vec<Application>,
    args: Vec<Value>,
    targets: Vec<Block>,
    pub(super) equations: Vec<Equation>,
    pub(super) operator_names: Vec<(Operator, alloc::string::String)>,
    pub(super) global_names: Vec<(Value, alloc::string::String)>,
}

impl Application {
    /// Whether an instruction computes the value here.
    pub fn is_computed(&self) -> bool {
        matches!(self.grounds, Grounds::Computed | Grounds::Opaque)
    }
}

impl PartialEq for Application {
    fn eq(&self, other: &Self) -> bool {
        let parts = |of: &Self| (of.value, of.operator, of.grounds, of.late, of.position, of.len, of.num_targets);
        parts(self) == parts(other)
    }
}

impl Eq for Application {}

impl Folding {
    pub(super) fn clear(&mut self) {
        self.applications.clear();
        self.args.clear();
        self.targets.clear();
        self.equations.clear();
        self.operator_names.clear();
        self.global_names.clear();
    }

    /// Whether there are more arguments, targets, applications or equations than 32 bits can count.
    pub(super) fn is_too_large(&self) -> bool {
        let lengths = [self.args.len(), self.targets.len(), self.applications.len(), self.equations.len()];
        lengths.iter().any(|&len| u32::try_from(len).is_err())
    }

    pub(super) fn push(&mut self, operator: Operator, value: Option<Value>, grounds: Grounds, position: u32) {
        let (start, first_target) = (self.args.len() as u32, self.targets.len() as u32);
        let (late, len, num_targets) = (None, 0, 0);
        let application =
            Application { value, operator, grounds, late, position, start, len, first_target, num_targets };
        self.applications.push(application);
    }

    /// Names the result of the last application.
    pub(super) fn name_last(&mut self, name: Value) {
        if let Some(last) = self.applications.last_mut() {
            last.late = Some(name);
        }
    }

    /// Adds an argument to the last application.
    pub(super) fn push_arg(&mut self, arg: Value) {
        if let Some(last) = self.applications.last_mut() {
            last.len += 1;
            self.args.push(arg);
        }
    }

    /// Adds a target to the last application.
    pub(super) fn push_target(&mut self, target: Block) {
        if let Some(last) = self.applications.last_mut() {
            last.num_targets += 1;
            self.targets.push(target);
        }
    }

    pub(super) fn args(&self, application: Application) -> &[Value] {
        &self.args[application.start as usize..(application.start + application.len) as usize]
    }

    pub(super) fn targets(&self, application: Application) -> &[Block] {
        &self.targets[application.first_target as usize..(application.first_target + application.num_targets) as usize]
    }
}

impl Program {
    /// The equations on which folded results rely, in order.
    pub fn equation_list(&self) -> &[Equation] {
        &self.folding.equations
    }

    /// The arguments of an application of this program.
    pub fn argument_list(&self, application: Application) -> &[Value] {
        self.folding.args(application)
    }

    /// Number of applications, of their arguments, and of symbols of equations.
    pub(crate) fn num_folding_parts(&self) -> usize {
        let symbols = |equation: &Equation| equation.left.len() + equation.right.len();
        let num_symbols: usize = self.folding.equations.iter().map(symbols).sum();
        num_symbols + self.folding.applications.len() + self.folding.args.len()
    }

    /// The targets of a branch in the source, by slot; none for an application that is no branch.
    pub fn target_list(&self, application: Application) -> &[Block] {
        self.folding.targets(application)
    }

    /// The names of operators, in the order written.
    pub fn operator_names(&self) -> impl ExactSizeIterator<Item = (Operator, &str)> {
        self.folding.operator_names.iter().map(|(operator, name)| (*operator, &**name))
    }

    /// The names of globals, in the order written.
    pub fn global_names(&self) -> impl ExactSizeIterator<Item = (Value, &str)> {
        self.folding.global_names.iter().map(|(value, name)| (*value, &**name))
    }

    /// Names an operator, for readers who know it by name. The judge ignores names.
    pub fn name_operator(&mut self, operator: Operator, name: impl Into<alloc::string::String>) {
        self.folding.operator_names.push((operator, name.into()));
    }

    /// Names a global, for readers who know the constant by name. The judge ignores names.
    pub fn name_global(&mut self, value: Value, name: impl Into<alloc::string::String>) {
        self.folding.global_names.push((value, name.into()));
    }
}

/// An operator applied to values, one of which may be seen through to the operator that computes it.
#[derive(Clone, Copy, Debug)]
pub struct Applied<'a> {
    /// The operator.
    pub operator: Operator,
    /// Its arguments.
    pub args: &'a [Value],
    /// The index of the argument that is seen through, and the operator and the arguments that compute it.
    pub seen_through: Option<(usize, Operator, &'a [Value])>,
}

/// The replacement of an application.
#[derive(Clone, Copy, Debug)]
pub enum Replacement<'a> {
    /// A value.
    Value(Value),
    /// The result of another operator for these values.
    Operator(Operator, &'a [Value]),
    /// For a branch: the slot that it takes, and its number of slots.
    Slot(u32, u32),
}

impl Equation {
    /// The most general equation of which a replacement is an instance: constants stay, and any other value becomes a
    /// variable. An argument that is seen through, and that the replacement needs, becomes a variable for any result of
    /// its operator.
    ///
    /// # Complexity
    /// O(arguments squared).
    pub fn generalizing(
        applied: Applied<'_>,
        replacement: Replacement<'_>,
        is_constant: &dyn Fn(Value) -> bool,
    ) -> Self {
        let mut values = Vec::new();
        let mut symbol = |value: Value| {
            if is_constant(value) {
                return Symbol::Global(value);
            }
            let found = values.iter().position(|&known| known == value);
            let number = found.unwrap_or_else(|| {
                values.push(value);
                values.len() - 1
            });
            Symbol::Any(number as u32)
        };
        let is_needed = |arg: Value| match replacement {
            Replacement::Value(value) => value == arg,
            Replacement::Operator(_, args) => args.contains(&arg),
            Replacement::Slot(..) => false,
        };
        // A value elsewhere on the left is bound there.
        let stays = |arg: Value, inner: &[Value]| {
            let num_places = applied.args.iter().chain(inner).filter(|&&other| other == arg).count();
            is_needed(arg) && num_places == 1
        };
        let mut left = alloc::vec![Symbol::Apply(applied.operator, applied.args.len() as u32)];
        for (index, &arg) in applied.args.iter().enumerate() {
            match applied.seen_through {
                Some((through, operator, inner)) if through == index && stays(arg, inner) => {
                    left.push(match symbol(arg) {
                        Symbol::Any(number) => Symbol::Result(operator, number),
                        constant => constant,
                    });
                }
                Some((through, operator, args)) if through == index => {
                    left.push(Symbol::Apply(operator, args.len() as u32));
                    left.extend(args.iter().map(|&arg| symbol(arg)));
                }
                _ => left.push(symbol(arg)),
            }
        }
        let right = match replacement {
            Replacement::Value(value) => alloc::vec![symbol(value)],
            Replacement::Operator(operator, args) => {
                let mut right = alloc::vec![Symbol::Apply(operator, args.len() as u32)];
                right.extend(args.iter().map(|&arg| symbol(arg)));
                right
            }
            Replacement::Slot(slot, of) => alloc::vec![Symbol::Slot(slot, of)],
        };
        Self { left, right }
    }

    /// Whether both sides are terms, the left one an operator, applied; every [`Symbol::Any`] of the right side is on
    /// the left, perhaps as a [`Symbol::Result`]; and the numbers of these are below the number of symbols of the left
    /// side.
    pub fn is_well_formed(&self) -> bool {
        let is_small = |symbol: &Symbol| match *symbol {
            Symbol::Any(number) | Symbol::Result(_, number) => (number as usize) < self.left.len(),
            _ => true,
        };
        let applies = matches!(self.left.first(), Some(Symbol::Apply(..)));
        applies
            && is_term(&self.left)
            && is_term(&self.right)
            && self.left.iter().all(is_small)
            && self.right.iter().all(is_small)
            && self.binds_right_side()
    }

    /// Whether every [`Symbol::Any`] of the right side is on the left. Needs: their numbers are small.
    fn binds_right_side(&self) -> bool {
        let mut is_bound = alloc::vec![false; self.left.len()];
        for &symbol in &self.left {
            if let Symbol::Any(number) | Symbol::Result(_, number) = symbol {
                is_bound[number as usize] = true;
            }
        }
        self.right.iter().all(|&symbol| match symbol {
            Symbol::Any(number) => is_bound[number as usize],
            Symbol::Result(..) => false,
            _ => true,
        })
    }
}

/// Whether the symbols are exactly one term.
fn is_term(symbols: &[Symbol]) -> bool {
    let mut missing = 1_u64;
    for symbol in symbols {
        let Some(rest) = missing.checked_sub(1) else { return false };
        missing = rest;
        if let Symbol::Apply(_, count) = symbol {
            missing += u64::from(*count);
        }
    }
    missing == 0
}

/// The spelling in the text of certificates.
impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Apply(operator, count) => write!(f, "{}/{count}", operator.index() + 1),
            Self::Any(number) => write!(f, "?{number}"),
            Self::Result(operator, number) => write!(f, "?{number}:{}", operator.index() + 1),
            Self::Global(value) => write!(f, "{}", value.index() + 1),
            Self::Slot(slot, of) => write!(f, "@{slot}/{of}"),
        }
    }
}
