//! The operations of a dialect by number, with the laws that begin with them.

use super::identity::{Identity, Pattern, identities};
use crate::dialect::Semantics;
use crate::function::Function;
use foldhash::fast::RandomState;
use ssaphire::fold::{Applied, Simplified};
use ssaphire::graph::PackedOption;
use ssaphire::{Operator, Value};
use std::collections::HashMap;

/// The operations met so far, by number.
#[derive(Clone, Debug)]
pub(super) struct Operators<D: Semantics> {
    identities: Vec<Identity<D>>,
    numbers: HashMap<D::Op, Operator, RandomState>,
    /// By [index](Semantics::index).
    by_index: Vec<PackedOption<Operator>>,
    data: Vec<OperatorData<D>>,
}

#[derive(Clone, Debug)]
struct OperatorData<D: Semantics> {
    op: D::Op,
    computes: bool,
    laws: Laws<D>,
}

/// The identities that begin with an operation.
#[derive(Clone, Debug)]
pub(super) struct Laws<D: Semantics> {
    pub(super) exchanged: Option<Operator>,
    /// The laws that look at the arguments alone.
    pub(super) plain: Vec<Law<D>>,
    /// The laws that look through an argument to its definition, ordered by its index and the operator that defines it.
    pub(super) nested: Vec<Law<D>>,
    /// By number of an operator, a bit for each argument through which some law looks if this operator defines it.
    sees: Vec<u8>,
}

/// At most this many arguments are inspected before a law is tried.
const MOST_GLANCED: usize = 3;

/// The facts about arguments that are inspected before a law is tried.
pub(super) struct Glance<C> {
    are_equal: bool,
    constants: [Option<C>; MOST_GLANCED],
}

impl<C: Clone> Glance<C> {
    pub(super) fn at<'c>(args: &[Value], constant: impl Fn(Value) -> Option<&'c C>) -> Self
    where
        C: 'c,
    {
        let are_equal = matches!(args, [first, second, ..] if first == second);
        let constants = std::array::from_fn(|index| constant(*args.get(index)?).cloned());
        Self { are_equal, constants }
    }
}

/// The fact about an argument that a law requires.
#[derive(Clone, Debug)]
enum Need<C> {
    Nothing,
    AnyConstant,
    Constant(C),
}

/// An identity with operations by number.
#[derive(Clone, Debug)]
pub(super) struct Law<D: Semantics> {
    needs_equal: bool,
    needs: [Need<D::Constant>; MOST_GLANCED],
    pub(super) args: Vec<Term<D>>,
    pub(super) seen_through: Option<SeenThrough<D>>,
    pub(super) result: Outcome<D>,
}

/// The argument that a law looks through.
#[derive(Clone, Debug)]
pub(super) struct SeenThrough<D: Semantics> {
    pub(super) index: usize,
    /// The operator that must define it.
    pub(super) operator: Operator,
    /// The required operands of this operator, if they matter.
    pub(super) args: Option<Vec<Term<D>>>,
}

/// A law's pattern for one argument.
#[derive(Clone, Debug)]
pub(super) enum Term<D: Semantics> {
    Any(usize),
    Constant(D::Constant),
    AnyConstant(usize),
    /// The argument that is looked through.
    Inner,
    /// On the right side: the evaluation of an operation on constants.
    Evaluated(D::Op, Vec<Self>),
}

#[derive(Clone, Debug)]
pub(super) enum Outcome<D: Semantics> {
    Term(Term<D>),
    Apply(Operator, Vec<Term<D>>),
}

impl<D: Semantics> Operators<D> {
    pub(super) fn new() -> Self {
        let identities = identities().unwrap_or_else(|error| panic!("an identity of {}: {error}", D::NAME));
        Self { identities, numbers: HashMap::default(), by_index: Vec::new(), data: Vec::new() }
    }

    /// The number of an operation.
    pub(super) fn number(&mut self, op: &D::Op) -> Operator {
        let index = D::index(op);
        if let Some(number) = index.and_then(|index| self.by_index.get(index)?.expand()) {
            return number;
        }
        if let Some(&number) = self.numbers.get(op) {
            return number;
        }
        let number = self.number_new(op);
        if let Some(index) = index {
            let len = self.by_index.len().max(index + 1);
            self.by_index.resize(len, PackedOption::NONE);
            self.by_index[index] = number.into();
        }
        number
    }

    /// Assigns a number to a new operation.
    #[cold]
    fn number_new(&mut self, op: &D::Op) -> Operator {
        let mut next = self.data.len();
        let number = self.add(op);
        // The laws of an operation may mention others, whose laws must be known, too.
        while next < self.data.len() {
            self.data[next].laws = self.compile(next);
            next += 1;
        }
        number
    }

    /// The number of an operation, whose laws may not be loaded yet.
    fn add(&mut self, op: &D::Op) -> Operator {
        if let Some(&number) = self.numbers.get(op) {
            return number;
        }
        let number = Operator::new(self.data.len());
        let laws = Laws { exchanged: None, plain: Vec::new(), nested: Vec::new(), sees: Vec::new() };
        self.data.push(OperatorData { op: op.clone(), computes: D::properties(op).computes, laws });
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
        let mut laws = Laws { exchanged: None, plain: Vec::new(), nested: Vec::new(), sees: Vec::new() };
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
        // A stable sort: laws of one kind stay in list order.
        laws.nested.sort_by_key(Law::sees);
        for (index, inside) in laws.nested.iter().filter_map(Law::sees) {
            let len = laws.sees.len().max(inside.index() + 1);
            laws.sees.resize(len, 0);
            laws.sees[inside.index()] |= bit(index);
        }
        laws
    }

    fn compile_identity(&mut self, identity: &Identity<D>) -> Law<D> {
        let seen_through = identity.args.iter().enumerate().find_map(|(index, arg)| match arg {
            Pattern::Apply(op, args) => {
                Some(SeenThrough { index, operator: self.add(op), args: Some(args.iter().map(term).collect()) })
            }
            Pattern::Result(op, _) => Some(SeenThrough { index, operator: self.add(op), args: None }),
            _ => None,
        });
        let result = match &identity.result {
            Pattern::Apply(op, args) => Outcome::Apply(self.add(op), args.iter().map(right_term).collect()),
            leaf => Outcome::Term(term(leaf)),
        };
        let args: Vec<Term<D>> = identity.args.iter().map(term).collect();
        let needs = std::array::from_fn(|index| match args.get(index) {
            Some(Term::AnyConstant(_)) => Need::AnyConstant,
            Some(Term::Constant(constant)) => Need::Constant(constant.clone()),
            _ => Need::Nothing,
        });
        let needs_equal = matches!(*args, [Term::Any(first), Term::Any(second), ..] if first == second);
        Law { needs_equal, needs, args, seen_through, result }
    }
}

fn term<D: Semantics>(pattern: &Pattern<D>) -> Term<D> {
    match pattern {
        Pattern::Any(number) | Pattern::Result(_, number) => Term::Any(*number),
        Pattern::Constant(constant) => Term::Constant(constant.clone()),
        Pattern::AnyConstant(number) => Term::AnyConstant(*number),
        Pattern::Apply(..) => Term::Inner,
    }
}

/// An argument on the right side.
fn right_term<D: Semantics>(pattern: &Pattern<D>) -> Term<D> {
    match pattern {
        Pattern::Apply(op, args) => Term::Evaluated(op.clone(), args.iter().map(term).collect()),
        leaf => term(leaf),
    }
}

/// The bit of an argument; those with large indices share one.
fn bit(index: usize) -> u8 {
    1 << index.min(7)
}

/// The most distinct variables in an identity.
pub(super) const MOST_ANY: usize = 3;

impl<D: Semantics> Laws<D> {
    /// The laws that look at the arguments alone, or through the given one.
    pub(super) fn that_see(&self, through: Option<(usize, Operator)>) -> &[Law<D>] {
        if through.is_none() {
            return &self.plain;
        }
        let first = self.nested.partition_point(|law| law.sees() < through);
        let end = self.nested.partition_point(|law| law.sees() <= through);
        &self.nested[first..end]
    }

    /// Whether some law looks through the argument if this operator defines it.
    pub(super) fn may_see(&self, index: usize, inside: Operator) -> bool {
        self.sees.get(inside.index()).is_some_and(|bits| bits & bit(index) != 0)
    }

    /// All of them.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Law<D>> {
        self.plain.iter().chain(&self.nested)
    }
}

impl<D: Semantics> Law<D> {
    /// The argument that the law looks through, and the operator that must define it.
    fn sees(&self) -> Option<(usize, Operator)> {
        self.seen_through.as_ref().map(|seen| (seen.index, seen.operator))
    }

    /// Whether the law may apply to arguments with these facts.
    pub(super) fn may_apply(&self, glance: &Glance<D::Constant>) -> bool {
        let mut pairs = self.needs.iter().zip(&glance.constants);
        (glance.are_equal || !self.needs_equal)
            && pairs.all(|pair| match pair {
                (Need::Nothing, _) => true,
                (Need::AnyConstant, constant) => constant.is_some(),
                (Need::Constant(wanted), constant) => constant.as_ref() == Some(wanted),
            })
    }

    /// The result of the law for these values; the arguments of another operator are appended to `args`.
    ///
    /// Needs: `through` matches the argument that the law looks through.
    pub(super) fn apply(
        &self,
        function: &mut Function<D>,
        applied: Applied<'_>,
        args: &mut Vec<Value>,
    ) -> Option<Simplified> {
        let mut bound = Bound::default();
        let inner = self.seen_through.as_ref().zip(applied.seen_through);
        let matches = inner.is_none_or(|(seen, (_, _, values))| {
            seen.args.as_ref().is_none_or(|terms| bound.match_all(function, terms, values))
        }) && bound.match_all(function, &self.args, applied.args);
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

/// The values bound to the variables of a law, and the constants.
#[derive(Default)]
struct Bound {
    any: [Option<Value>; MOST_ANY],
    constants: [Option<Value>; MOST_ANY],
}

impl Bound {
    fn match_all<D: Semantics>(&mut self, function: &Function<D>, terms: &[Term<D>], values: &[Value]) -> bool {
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

    fn value<D: Semantics>(&self, function: &mut Function<D>, term: &Term<D>) -> Option<Value> {
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
