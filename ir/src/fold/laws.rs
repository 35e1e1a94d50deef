//! Checks that the equations on which a certificate relies are laws of the dialect.

use super::operators::{Law, MOST_ANY, Outcome, SeenThrough, Term};
use super::{Folding, State};
use crate::dialect::Semantics;
use crate::judge::Refusal;
use ssaphire::check::{Equation, Program, Symbol};
use ssaphire::{Operator, Value};

impl<D: Semantics> Folding<D> {
    /// Refuses each equation of the certificate that is neither an evaluation of the dialect's operations on constants
    /// nor an instance of an [identity that it lists](Semantics::identities).
    ///
    /// Needs: `program` is the certificate of the last function built.
    ///
    /// # Complexity
    /// O(equations), times the identities that begin with one operation.
    pub fn judge_equations(&self, program: &Program) -> Vec<Refusal> {
        let equations = program.equation_list().iter();
        let state = &self.state;
        equations.filter(|equation| !state.is_law(equation)).map(Refusal::of_equation).collect()
    }

    /// Names the operators and the constants in the certificate of the last function built.
    pub fn name_operators(&self, program: &mut Program) {
        let mut used: Vec<Operator> = Vec::new();
        for block in program.blocks() {
            used.extend(program.application_list(block).iter().map(|application| application.operator));
        }
        let applied = |symbol: &Symbol| match symbol {
            Symbol::Apply(operator, _) | Symbol::Result(operator, _) => Some(*operator),
            _ => None,
        };
        let symbols =
            || program.equation_list().iter().flat_map(|equation| equation.left.iter().chain(&equation.right));
        used.extend(symbols().filter_map(applied));
        used.sort_unstable();
        used.dedup();
        let mut constants: Vec<Value> = symbols()
            .filter_map(|symbol| if let Symbol::Global(value) = symbol { Some(*value) } else { None })
            .collect();
        constants.sort_unstable();
        constants.dedup();
        for operator in used {
            if let Some(op) = self.state.operators.op(operator) {
                program.name_operator(operator, D::op_name(op));
            }
        }
        for value in constants {
            if let Some(constant) = self.state.constant(value) {
                let mut name = String::new();
                // Writing to a string never fails.
                let _ = D::print_constant(constant, &mut name);
                program.name_global(value, name);
            }
        }
    }
}

impl<D: Semantics> State<D> {
    fn is_law(&self, equation: &Equation) -> bool {
        let Some((&Symbol::Apply(operator, count), args)) = equation.left.split_first() else { return false };
        let Some(op) = self.operators.op(operator) else { return false };
        if args.len() == count as usize
            && let Some(constants) = args.iter().map(|symbol| self.constant_of(*symbol)).collect::<Option<Vec<_>>>()
        {
            let computed = match *equation.right {
                [Symbol::Slot(slot, of)] => D::chosen_slot(op, &constants, of as usize) == Some(slot),
                [right @ Symbol::Global(_)] => {
                    let result = D::evaluate(op, &constants);
                    result.is_some() && result == self.constant_of(right)
                }
                _ => false,
            };
            if computed {
                return true;
            }
        }
        let Some(laws) = self.operators.laws(operator) else { return false };
        if let (Some(exchanged), &[first, second], &[Symbol::Apply(right, 2), a, b]) =
            (laws.exchanged, args, &*equation.right)
            && (exchanged, second, first) == (right, a, b)
        {
            return true;
        }
        laws.iter().any(|law| self.is_instance(law, args, &equation.right))
    }

    /// Whether the arguments are an instance of the law's left side, and `right` is its right side then.
    fn is_instance(&self, law: &Law<D>, args: &[Symbol], right: &[Symbol]) -> bool {
        let mut bound = Bound { state: self, any: [None; MOST_ANY], constants: [None; MOST_ANY] };
        let mut rest = args;
        for (index, term) in law.args.iter().enumerate() {
            let is_match = match &law.seen_through {
                Some(SeenThrough { index: through, operator, args: None }) if *through == index => {
                    let Some((&Symbol::Result(found, number), after)) = rest.split_first() else { return false };
                    rest = after;
                    found == *operator && bound.is(term, Symbol::Any(number))
                }
                Some(SeenThrough { index: through, operator, args: Some(terms) }) if *through == index => {
                    let Some((&Symbol::Apply(found, count), after)) = rest.split_first() else { return false };
                    rest = after;
                    (found, count as usize) == (*operator, terms.len())
                        && terms.iter().all(|term| bound.matches(term, &mut rest))
                }
                _ => bound.matches(term, &mut rest),
            };
            if !is_match {
                return false;
            }
        }
        rest.is_empty() && self.says(&bound, &law.result, right)
    }

    /// Whether the right side is the result of the law for the bound variables.
    fn says(&self, bound: &Bound<'_, D>, result: &Outcome<D>, right: &[Symbol]) -> bool {
        match (result, right) {
            (Outcome::Term(term), &[symbol]) => bound.says(term, symbol),
            (Outcome::Apply(operator, terms), [Symbol::Apply(found, count), symbols @ ..]) => {
                let fits = *count as usize == terms.len() && symbols.len() == terms.len();
                let exchanged = self.operators.laws(*operator).and_then(|laws| laws.exchanged);
                let mut pairs = terms.iter().zip(symbols);
                // If the arguments may be exchanged, the law applies to either order.
                let mut turned = terms.iter().zip(symbols.iter().rev());
                fits && (operator == found && pairs.all(|(term, &symbol)| bound.says(term, symbol))
                    || exchanged == Some(*found)
                        && terms.len() == 2
                        && turned.all(|(term, &symbol)| bound.says(term, symbol)))
            }
            _ => false,
        }
    }

    fn constant_of(&self, symbol: Symbol) -> Option<D::Constant> {
        let Symbol::Global(value) = symbol else { return None };
        self.constant(value).cloned()
    }

    fn constant(&self, value: Value) -> Option<&D::Constant> {
        let found = self.constants.binary_search_by_key(&value.index(), |(value, _)| value.index());
        found.ok().map(|place| &self.constants[place].1)
    }
}

/// The parts of an equation that are bound to the variables of a law.
struct Bound<'s, D: Semantics> {
    state: &'s State<D>,
    any: [Option<Symbol>; MOST_ANY],
    constants: [Option<Symbol>; MOST_ANY],
}

impl<D: Semantics> Bound<'_, D> {
    /// Whether the next symbol, which is no operator, matches the term; consumes it.
    fn matches(&mut self, term: &Term<D>, rest: &mut &[Symbol]) -> bool {
        let Some((&symbol, after)) = rest.split_first() else { return false };
        if matches!(symbol, Symbol::Apply(..) | Symbol::Result(..)) {
            return false;
        }
        *rest = after;
        self.is(term, symbol)
    }

    /// Whether the symbol matches the term on the left side; binds variables.
    fn is(&mut self, term: &Term<D>, symbol: Symbol) -> bool {
        match term {
            Term::Any(number) => *self.any[*number].get_or_insert(symbol) == symbol,
            Term::Constant(constant) => self.state.constant_of(symbol).as_ref() == Some(constant),
            Term::AnyConstant(number) => {
                self.state.constant_of(symbol).is_some() && *self.constants[*number].get_or_insert(symbol) == symbol
            }
            Term::Inner | Term::Evaluated(..) => false,
        }
    }

    /// Whether the symbol matches the term on the right side.
    fn says(&self, term: &Term<D>, symbol: Symbol) -> bool {
        match term {
            Term::Any(number) => self.any[*number] == Some(symbol),
            Term::Constant(constant) => self.state.constant_of(symbol).as_ref() == Some(constant),
            Term::AnyConstant(number) => self.constants[*number] == Some(symbol),
            Term::Evaluated(op, terms) => {
                let constant = |term: &Term<D>| match term {
                    Term::AnyConstant(number) => self.state.constant_of(self.constants[*number]?),
                    Term::Constant(constant) => Some(constant.clone()),
                    _ => None,
                };
                let found = terms.iter().map(constant).collect::<Option<Vec<_>>>();
                let result = found.and_then(|constants| D::evaluate(op, &constants));
                result.is_some() && result == self.state.constant_of(symbol)
            }
            Term::Inner => false,
        }
    }
}
