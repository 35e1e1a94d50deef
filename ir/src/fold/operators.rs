//! The operations of a dialect by number, with the laws that begin with them.

use super::identity::{Identity, Pattern, identities};
use crate::dialect::Dialect;
use crate::function::{Function, ValueKind};
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
    pub(super) list: Vec<Law<D>>,
}

/// An identity with operations by number.
#[derive(Clone, Debug)]
pub(super) struct Law<D: Dialect> {
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
    /// It is seen through.
    Inner,
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
        let laws = Laws { exchanged: None, list: Vec::new() };
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
        let mut laws = Laws { exchanged: None, list: Vec::new() };
        for identity in own {
            match identity.exchange() {
                Some(exchanged) => laws.exchanged = Some(self.add(exchanged)),
                None => laws.list.push(self.compile_identity(&identity)),
            }
        }
        laws
    }

    fn compile_identity(&mut self, identity: &Identity<D>) -> Law<D> {
        let seen_through = identity.args.iter().enumerate().find_map(|(index, arg)| match arg {
            Pattern::Apply(op, args) => Some((index, self.add(op), args.iter().map(term).collect())),
            _ => None,
        });
        let result = match &identity.result {
            Pattern::Apply(op, args) => Outcome::Apply(self.add(op), args.iter().map(term).collect()),
            leaf => Outcome::Term(term(leaf)),
        };
        Law { args: identity.args.iter().map(term).collect(), seen_through, result }
    }
}

fn term<D: Dialect>(pattern: &Pattern<D>) -> Term<D> {
    match pattern {
        Pattern::Any(number) => Term::Any(*number),
        Pattern::Constant(constant) => Term::Constant(constant.clone()),
        Pattern::Apply(..) => Term::Inner,
    }
}

/// So many different things an identity may speak of.
pub(super) const MOST_ANY: usize = 3;

impl<D: Dialect> Law<D> {
    /// What the law makes of the values; the arguments of another operator go into `args`.
    pub(super) fn apply(
        &self,
        function: &mut Function<D>,
        applied: Applied<'_>,
        args: &mut Vec<Value>,
    ) -> Option<Simplified> {
        let mut bound = [None; MOST_ANY];
        let constant = |value: Value| match function.value(value).kind {
            ValueKind::Constant(constant) => Some(constant),
            _ => None,
        };
        let mut matches = |terms: &[Term<D>], values: &[Value]| {
            terms.len() == values.len()
                && terms.iter().zip(values).all(|(term, &value)| match term {
                    Term::Any(number) => *bound[*number].get_or_insert(value) == value,
                    Term::Constant(wanted) => constant(value) == Some(wanted),
                    Term::Inner => true,
                })
        };
        let sees = match (&self.seen_through, applied.seen_through) {
            (None, None) => true,
            (Some((index, operator, terms)), Some((through, inner, inner_args))) => {
                *index == through && *operator == inner && matches(terms, inner_args)
            }
            _ => false,
        };
        if !sees || !matches(&self.args, applied.args) {
            return None;
        }
        let mut value = |term: &Term<D>| match term {
            Term::Any(number) => bound[*number],
            Term::Constant(constant) => Some(function.constant(constant.clone())),
            Term::Inner => None,
        };
        match &self.result {
            Outcome::Term(term) => value(term).map(Simplified::Value),
            Outcome::Apply(operator, terms) => {
                for term in terms {
                    args.push(value(term)?);
                }
                Some(Simplified::Operator(*operator))
            }
        }
    }
}
