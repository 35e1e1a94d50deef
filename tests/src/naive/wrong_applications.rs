//! Operations that were computed and folded, by definition.

use super::dominates;
use ssaphire::check::{Application, Grounds, Program, ProgramEvent, Symbol};
use ssaphire::graph::{Block, Cfg, Id, Value};
use std::collections::BTreeSet;

/// An application: its block, and its index among those of the block.
type Place = (Block, usize);

/// The applications in reachable blocks whose claims do not follow from the program and its
/// equations: block, and index of the application.
///
/// * The next event defines a computed value, and the value is computed once.
/// * Every value named has a definition that dominates the application, or a right application that dominates it has
///   folded it late. The arguments of an instruction have definitions.
/// * The same operator computes the value from the same values, or application and value are an instance of the
///   equation, in which a nested term is a value that the term's operator computes.
/// * A branch takes the slot of its equation, to the target of that slot.
///
/// Needs: a program whose structure has no violation, and equations of globals that are well-formed.
///
/// # Complexity
/// No useful bound: the function judges the applications repeatedly, until it finds no more that are right.
pub fn wrong_applications(program: &Program) -> BTreeSet<Place> {
    let reached = super::reached_from(program, &[program.entry()], None);
    let places = super::blocks(program).filter(|block| reached[block.index()]);
    let places: Vec<Place> =
        places.flat_map(|block| (0..program.application_list(block).len()).map(move |index| (block, index))).collect();
    let mut search = Search { program, places: &places, right: BTreeSet::new() };
    loop {
        let right = places.iter().copied().filter(|&place| search.is_right(place)).collect();
        if right == search.right {
            return places.iter().copied().filter(|place| !search.right.contains(place)).collect();
        }
        search.right = right;
    }
}

struct Search<'a> {
    program: &'a Program,
    places: &'a [Place],
    /// The applications known to be right.
    right: BTreeSet<Place>,
}

impl<'a> Search<'a> {
    fn application(&self, (block, index): Place) -> Application {
        self.program.application_list(block)[index]
    }

    fn args(&self, place: Place) -> &'a [Value] {
        self.program.argument_list(self.application(place))
    }

    fn is_right(&self, place: Place) -> bool {
        let Application { value, operator, grounds, late, .. } = self.application(place);
        let (args, program) = (self.args(place), self.program);
        if application_names(&self.application(place)).is_some_and(|name| self.named(name).len() != 1) {
            return false;
        }
        if self.application(place).is_computed() {
            let next = program.event_list(place.0).get(self.application(place).position as usize);
            let is_next = matches!(next, Some(ProgramEvent::Def { value: defined, .. }) if Some(*defined) == value);
            return is_next
                && value.is_some_and(|value| !program.is_global(value))
                && args.iter().all(|&arg| self.is_defined(place, arg));
        }
        if late.is_some_and(|late| self.has_definition(late)) || late.is_some() && value.is_none() {
            return false;
        }
        if !args.iter().chain(&value).all(|&value| self.is_defined(place, value) || self.late(place, value).is_some()) {
            return false;
        }
        match (grounds, value) {
            (Grounds::Congruent, Some(value)) => [value, self.meaning(place, value)].into_iter().any(|value| {
                let is_same = |computed: Place| {
                    let others = self.args(computed);
                    self.application(computed).operator == operator
                        && others.len() == args.len()
                        && others.iter().zip(args).all(|(&one, &other)| self.is_same(place, one, other))
                };
                self.transparent(value).is_some_and(is_same)
            }),
            (Grounds::Equation(equation), _) => {
                let equation = &program.equation_list()[equation.index()];
                let mut bound = Vec::new();
                let Some((&Symbol::Apply(head, count), inner)) = equation.left.split_first() else { return false };
                let mut rest = inner;
                let fits = (head, count as usize) == (operator, args.len());
                fits && args.iter().all(|&arg| self.matches(place, arg, &mut rest, Some(&mut bound)).is_some())
                    && match (value, &*equation.right) {
                        (Some(value), mut right) => self.holds(place, value, &mut right, &bound),
                        (None, &[Symbol::Slot(slot, of)]) => self.leaves_by(place, slot, of),
                        (None, _) => false,
                    }
            }
            _ => false,
        }
    }

    /// Whether the one edge that leaves the block enters the target of that slot.
    fn leaves_by(&self, place: Place, slot: u32, of: u32) -> bool {
        let targets = self.program.target_list(self.application(place));
        let edges: Vec<Block> = self.program.successors(place.0).collect();
        targets.len() == of as usize && edges.len() == 1 && targets.get(slot as usize) == edges.first()
    }

    /// Matches the first term of `symbols` with a value, and removes it; left sides bind.
    fn matches(
        &self,
        place: Place,
        value: Value,
        symbols: &mut &[Symbol],
        bound: Option<&mut Vec<(u32, Value)>>,
    ) -> Option<()> {
        let mut bound = bound;
        let (&symbol, rest) = symbols.split_first()?;
        *symbols = rest;
        let meaning = self.meaning(place, value);
        let mut is_bound = |number: u32| {
            let bound = bound.as_mut()?;
            match bound.iter().find(|&&(known, _)| known == number) {
                Some(&(_, other)) => (other == meaning).then_some(()),
                None => {
                    bound.push((number, meaning));
                    Some(())
                }
            }
        };
        match symbol {
            Symbol::Any(number) => is_bound(number),
            Symbol::Global(global) => (meaning == global).then_some(()),
            Symbol::Slot(..) => None,
            Symbol::Result(operator, number) => {
                let gives = |value| self.computed(value).is_some_and(|at| self.application(at).operator == operator);
                if gives(value) || gives(meaning) { is_bound(number) } else { None }
            }
            Symbol::Apply(operator, count) => {
                let is_so =
                    |at: &Place| (self.application(*at).operator, self.args(*at).len()) == (operator, count as usize);
                let found = [value, meaning].into_iter().find_map(|value| self.transparent(value).filter(is_so))?;
                self.args(found).iter().try_for_each(|&arg| self.matches(place, arg, symbols, bound.as_deref_mut()))
            }
        }
    }

    /// Whether the value is the first term of `symbols` under the bindings `bound`.
    fn holds(&self, place: Place, value: Value, symbols: &mut &[Symbol], bound: &[(u32, Value)]) -> bool {
        let mut bound = bound.to_vec();
        self.matches(place, value, symbols, Some(&mut bound)).is_some() && symbols.is_empty()
    }

    /// Whether a definition of the value dominates the application.
    fn is_defined(&self, place: Place, value: Value) -> bool {
        let program = self.program;
        let (block, position) = (place.0, self.application(place).position as usize);
        let is_above = |at: Block| dominates(program, at, block);
        let is_definition =
            |event: &ProgramEvent| matches!(event, ProgramEvent::Def { value: defined, .. } if *defined == value);
        program.is_global(value)
            || super::blocks(program).any(|at| {
                let here = if at == block { position } else { program.event_list(at).len() };
                let is_phi = program.phi_list(at).iter().any(|phi| phi.value == value);
                is_above(at) && (is_phi || program.event_list(at)[..here].iter().any(is_definition))
            })
    }

    fn has_definition(&self, value: Value) -> bool {
        let program = self.program;
        program.is_global(value)
            || super::blocks(program).any(|block| {
                program.phi_list(block).iter().any(|phi| phi.value == value)
                    || program
                        .event_list(block)
                        .iter()
                        .any(|event| matches!(event, ProgramEvent::Def { value: defined, .. } if *defined == value))
            })
    }

    /// The applications, in any block, that compute the value, or did before it was folded late.
    fn named(&self, value: Value) -> Vec<Place> {
        let program = self.program;
        let all = super::blocks(program)
            .flat_map(|block| (0..program.application_list(block).len()).map(move |index| (block, index)));
        all.filter(|&place| application_names(&self.application(place)) == Some(value)).collect()
    }

    /// The reachable application that computes the value, or did before it was folded late.
    fn computed(&self, value: Value) -> Option<Place> {
        self.places.iter().copied().find(|&place| application_names(&self.application(place)) == Some(value))
    }

    /// As [`computed`](Self::computed), if it is not opaque.
    fn transparent(&self, value: Value) -> Option<Place> {
        self.computed(value).filter(|&place| self.application(place).grounds != Grounds::Opaque)
    }

    /// The right application above `place` that has folded `value` late.
    fn late(&self, place: Place, value: Value) -> Option<Place> {
        let found = self.computed(value).filter(|&at| self.application(at).late == Some(value))?;
        let is_above = if found.0 == place.0 { found.1 < place.1 } else { dominates(self.program, found.0, place.0) };
        (is_above && self.right.contains(&found)).then_some(found)
    }

    /// The value itself, or the value to which it was folded late.
    fn meaning(&self, place: Place, value: Value) -> Value {
        match self.late(place, value) {
            Some(at) => self.application(at).value.map_or(value, |folded| self.meaning(at, folded)),
            None => value,
        }
    }

    fn is_same(&self, place: Place, one: Value, other: Value) -> bool {
        self.meaning(place, one) == self.meaning(place, other)
    }
}

/// The value that the application computes, or did before it was folded late.
fn application_names(application: &Application) -> Option<Value> {
    if application.is_computed() { application.value } else { application.late }
}
