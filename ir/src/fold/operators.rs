//! The operations of a dialect by number, with the laws that begin with them.

use super::identity::{Identity, Pattern, identities};
use crate::dialect::Dialect;
use crate::function::Function;
use foldhash::fast::RandomState;
use ssaphire::fold::{Applied, Simplified};
use ssaphire::{Operator, Value};
use std::collections::HashMap;

/// The operations met so far, by number.
#[derive(Clone, Debug)]
pub(super) struct Operators<D: Dialect> {
    identities: Vec<Identity<D>>,
    numbers: HashMap<D::Op, Operator, RandomState>,
    data: Vec<OperatorData<D>>,
}

#[derive(Clone, Debug)]
struct OperatorData<D: Dialect> {
    op: D::Op,
    computes: bool,
    laws: Laws<D>,
}

/// The identities that begin with an operation.
#[derive(Clone, Debug)]
pub(super) struct Laws<D: Dialect> {
    pub(super) exchanged: Option<Operator>,
    /// Those that look at the arguments alone.
    pub(super) plain: Vec<Law<D>>,
    /// Those that see through an argument, ordered by its index and what computes it.
    pub(super) nested: Vec<Law<D>>,
}

/// What is seen of arguments at a glance, and what a law needs to see: a bit for each of the first ones that is a constant, and
/// the last bit, if the first two are equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Glance(u8);

impl Glance {
    const EQUAL: u8 = 1 << 7;

    fn note_constant(&mut self, index: usize) {
        // Of arguments further behind nothing is noted, so that no law needs it.
        self.0 |= if index < 7 { 1 << index } else { 0 };
    }

    pub(super) fn at(args: &[Value], is_constant: impl Fn(Value) -> bool) -> Self {
        let mut glance = Self::default();
        for (index, &arg) in args.iter().enumerate() {
            if is_constant(arg) {
                glance.note_constant(index);
            }
        }
        if matches!(args, [first, second, ..] if first == second) {
            glance.0 |= Self::EQUAL;
        }
        glance
    }

    fn has(self, needed: Self) -> bool {
        self.0 & needed.0 == needed.0
    }
}

/// An identity with operations by number.
#[derive(Clone, Debug)]
pub(super) struct Law<D: Dialect> {
    needs: Glance,
    pub(super) args: Vec<Term<D>>,
    /// The argument that is seen through, and the operation that has to compute it.
    pub(super) seen_through: Option<(usize, Operator, Vec<Term<D>>)>,
    pub(super) result: Outcome<D>,
}

/// What a law says of one argument.
#[derive(Clone, Debug)]
pub(super) enum Term<D: Dialect> {
    Any(usize),
    Constant(D::Constant),
    AnyConstant(usize),
    /// It is seen through.
    Inner,
    /// On the right: what an operation gives for constants.
    Evaluated(D::Op, Vec<Self>),
}

#[derive(Clone, Debug)]
pub(super) enum Outcome<D: Dialect> {
    Term(Term<D>),
    Apply(Operator, Vec<Term<D>>),
}

impl<D: Dialect> Operators<D> {
    pub(super) fn new() -> Self {
        let identities = identities().unwrap_or_else(|error| panic!("an identity of {}: {error}", D::NAME));
        Self { identities, numbers: HashMap::default(), data: Vec::new() }
    }

    /// The number of an operation.
    pub(super) fn number(&mut self, op: &D::Op) -> Operator {
        if let Some(&number) = self.numbers.get(op) {
            return number;
        }
        let mut next = self.data.len();
        let number = self.add(op);
        // The laws of an operation may speak of others, whose laws have to be known, too.
        while next < self.data.len() {
            self.data[next].laws = self.compile(next);
            next += 1;
        }
        number
    }

    /// The number of an operation, whose laws may not be known yet.
    fn add(&mut self, op: &D::Op) -> Operator {
        if let Some(&number) = self.numbers.get(op) {
            return number;
        }
        let number = Operator::new(self.data.len());
        let laws = Laws { exchanged: None, plain: Vec::new(), nested: Vec::new() };
        self.data.push(OperatorData { op: op.clone(), computes: D::computes(op), laws });
        self.numbers.insert(op.clone(), number);
        number
    }

    pub(super) fn op(&self, operator: Operator) -> Option<&D::Op> {
        self.data.get(operator.index()).map(|data| &data.op)
    }

    pub(super) fn computes(&self, operator: Operator) -> bool {
        self.data.get(operator.index()).is_some_and(|data| data.computes)
    }

    /// The laws of the operator, in the order of the dialect's list.
    pub(super) fn laws(&self, operator: Operator) -> Option<&Laws<D>> {
        self.data.get(operator.index()).map(|data| &data.laws)
    }

    fn compile(&mut self, operator: usize) -> Laws<D> {
        let op = self.data[operator].op.clone();
        let own: Vec<Identity<D>> = self.identities.iter().filter(|identity| identity.op == op).cloned().collect();
        let mut laws = Laws { exchanged: None, plain: Vec::new(), nested: Vec::new() };
        for identity in own {
            match identity.exchange() {
                Some(exchanged) => laws.exchanged = Some(self.add(exchanged)),
                None => {
                    let law = self.compile_identity(&identity);
                    let list = if law.seen_through.is_some() { &mut laws.nested } else { &mut laws.plain };
                    list.push(law);
                }
            }
        }
        // A stable sort: those of one kind stay in the order of the list.
        laws.nested.sort_by_key(Law::sees);
        laws
    }

    fn compile_identity(&mut self, identity: &Identity<D>) -> Law<D> {
        let seen_through = identity.args.iter().enumerate().find_map(|(index, arg)| match arg {
            Pattern::Apply(op, args) => Some((index, self.add(op), args.iter().map(term).collect())),
            _ => None,
        });
        let result = match &identity.result {
            Pattern::Apply(op, args) => Outcome::Apply(self.add(op), args.iter().map(right_term).collect()),
            leaf => Outcome::Term(term(leaf)),
        };
        let args: Vec<Term<D>> = identity.args.iter().map(term).collect();
        let mut needs = Glance::default();
        for (index, arg) in args.iter().enumerate() {
            if matches!(arg, Term::Constant(_) | Term::AnyConstant(_)) {
                needs.note_constant(index);
            }
        }
        if matches!(*args, [Term::Any(first), Term::Any(second), ..] if first == second) {
            needs.0 |= Glance::EQUAL;
        }
        Law { needs, args, seen_through, result }
    }
}

fn term<D: Dialect>(pattern: &Pattern<D>) -> Term<D> {
    match pattern {
        Pattern::Any(number) => Term::Any(*number),
        Pattern::Constant(constant) => Term::Constant(constant.clone()),
        Pattern::AnyConstant(number) => Term::AnyConstant(*number),
        Pattern::Apply(..) => Term::Inner,
    }
}

/// An argument on the right side.
fn right_term<D: Dialect>(pattern: &Pattern<D>) -> Term<D> {
    match pattern {
        Pattern::Apply(op, args) => Term::Evaluated(op.clone(), args.iter().map(term).collect()),
        leaf => term(leaf),
    }
}

/// So many different things an identity may speak of.
pub(super) const MOST_ANY: usize = 3;

impl<D: Dialect> Laws<D> {
    /// The laws that look at the arguments alone, or that see through this one.
    pub(super) fn that_see(&self, through: Option<(usize, Operator)>) -> &[Law<D>] {
        if through.is_none() {
            return &self.plain;
        }
        let first = self.nested.partition_point(|law| law.sees() < through);
        let rest = &self.nested[first..];
        &rest[..rest.iter().take_while(|law| law.sees() == through).count()]
    }

    /// All of them.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Law<D>> {
        self.plain.iter().chain(&self.nested)
    }
}

impl<D: Dialect> Law<D> {
    /// Which argument it sees through, and the operator that has to compute that.
    fn sees(&self) -> Option<(usize, Operator)> {
        self.seen_through.as_ref().map(|(index, operator, _)| (*index, *operator))
    }

    /// Whether the law may have something to say of arguments that look like this.
    pub(super) fn may_apply(&self, glance: Glance) -> bool {
        glance.has(self.needs)
    }

    /// What the law makes of the values; the arguments of another operator go into `args`.
    ///
    /// Needs: it sees through what is seen through.
    pub(super) fn apply(
        &self,
        function: &mut Function<D>,
        applied: Applied<'_>,
        args: &mut Vec<Value>,
    ) -> Option<Simplified> {
        let mut bound = Bound::default();
        let inner = self.seen_through.as_ref().zip(applied.seen_through);
        let matches = inner.is_none_or(|((_, _, terms), (_, _, values))| bound.match_all(function, terms, values))
            && bound.match_all(function, &self.args, applied.args);
        if !matches {
            return None;
        }
        match &self.result {
            Outcome::Term(term) => bound.value(function, term).map(Simplified::Value),
            Outcome::Apply(operator, terms) => {
                for term in terms {
                    args.push(bound.value(function, term)?);
                }
                Some(Simplified::Operator(*operator))
            }
        }
    }
}

/// What stands for anything, and for any constant.
#[derive(Default)]
struct Bound {
    any: [Option<Value>; MOST_ANY],
    constants: [Option<Value>; MOST_ANY],
}

impl Bound {
    fn match_all<D: Dialect>(&mut self, function: &Function<D>, terms: &[Term<D>], values: &[Value]) -> bool {
        terms.len() == values.len()
            && terms.iter().zip(values).all(|(term, &value)| match term {
                Term::Any(number) => *self.any[*number].get_or_insert(value) == value,
                Term::Constant(wanted) => function.as_constant(value) == Some(wanted),
                Term::AnyConstant(number) => {
                    function.as_constant(value).is_some() && *self.constants[*number].get_or_insert(value) == value
                }
                Term::Inner => true,
                Term::Evaluated(..) => false,
            })
    }

    fn value<D: Dialect>(&self, function: &mut Function<D>, term: &Term<D>) -> Option<Value> {
        match term {
            Term::Any(number) => self.any[*number],
            Term::AnyConstant(number) => self.constants[*number],
            Term::Constant(constant) => Some(function.constant(constant.clone())),
            Term::Evaluated(op, terms) => {
                let constant = |term: &Term<D>| match term {
                    Term::AnyConstant(number) => function.as_constant(self.constants[*number]?).cloned(),
                    Term::Constant(constant) => Some(constant.clone()),
                    _ => None,
                };
                let constants = terms.iter().map(constant).collect::<Option<Vec<_>>>()?;
                let result = D::evaluate(op, &constants)?;
                Some(function.constant(result))
            }
            Term::Inner => None,
        }
    }
}
