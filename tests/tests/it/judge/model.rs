//! A program that is easy to change, and the definition of a right one.

use ssaphire::check::{Program, ProgramEvent, Violation};
use ssaphire::graph::{Block, Value, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// An event, by numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    Def(usize, usize),
    Use(usize, usize),
    Copy(usize, usize),
}

/// A certificate by numbers, block by block. The entry is block 0.
#[derive(Clone, Debug, Default)]
pub(crate) struct Model {
    pub(crate) globals: Vec<usize>,
    pub(crate) undefined: Vec<usize>,
    pub(crate) initial: Vec<(usize, usize)>,
    pub(crate) incoming: Vec<Vec<usize>>,
    pub(crate) phis: Vec<Vec<(usize, Vec<usize>)>>,
    pub(crate) steps: Vec<Vec<Step>>,
}

impl Model {
    pub(crate) fn write(&self, program: &mut Program) {
        let mut writer = program.rewrite(Block::new(0));
        self.globals.iter().for_each(|&value| writer.global(Value::new(value)));
        self.undefined.iter().for_each(|&value| writer.undefined(Value::new(value)));
        for &(variable, value) in &self.initial {
            writer.initial(Variable::new(variable), Value::new(value));
        }
        for block in 0..self.incoming.len() {
            writer.block(Block::new(block), self.incoming[block].iter().map(|&source| Block::new(source)));
            for (phi, operands) in &self.phis[block] {
                writer.phi(Value::new(*phi), operands.iter().map(|&operand| Value::new(operand)));
            }
            for &step in &self.steps[block] {
                writer.event(event(step));
            }
        }
        writer.finish().unwrap();
    }

    /// One more than the greatest value.
    pub(crate) fn num_values(&self) -> usize {
        let header = self.globals.iter().chain(&self.undefined).copied();
        let phis = self.phis.iter().flatten().flat_map(|(phi, operands)| operands.iter().chain([phi]).copied());
        let steps = self.steps.iter().flatten().filter_map(|&step| match step {
            Step::Def(_, value) | Step::Use(_, value) => Some(value),
            Step::Copy(..) => None,
        });
        header.chain(phis).chain(steps).max().map_or(0, |value| value + 1)
    }

    fn num_variables(&self) -> usize {
        let initial = self.initial.iter().map(|&(variable, _)| variable);
        let steps = self.steps.iter().flatten().flat_map(|&step| match step {
            Step::Def(variable, _) | Step::Use(variable, _) => [variable, variable],
            Step::Copy(dst, src) => [dst, src],
        });
        initial.chain(steps).max().map_or(0, |variable| variable + 1)
    }

    fn is_global(&self, value: usize) -> bool {
        self.globals.contains(&value) || self.undefined.contains(&value)
    }

    /// The reads, as (block, index), that get something else than their variable holds on some path of any length.
    ///
    /// Contents are numbers: 0 for nothing, one for each global, and a new one
    /// for each result. Only which of them are equal matters, so states are
    /// renumbered by first occurrence, which leaves finitely many.
    pub(crate) fn wrong_reads(&self, refine: bool) -> BTreeSet<(usize, usize)> {
        let num_globals = self.num_values() + 1;
        let mut start = State { variables: vec![0; self.num_variables()], values: vec![0; self.num_values()] };
        for value in 0..self.num_values() {
            if self.is_global(value) {
                start.values[value] = value + 1;
            }
        }
        for &(variable, value) in &self.initial {
            start.variables[variable] = start.values[value];
        }
        let mut wrong = BTreeSet::new();
        let mut seen = BTreeSet::from([(0, start.clone())]);
        let mut pending = vec![(0, start)];
        while let Some((block, mut state)) = pending.pop() {
            self.walk(block, &mut state, refine, &mut wrong);
            for (target, sources) in self.incoming.iter().enumerate() {
                for (edge, _) in sources.iter().enumerate().filter(|&(_, &source)| source == block) {
                    let mut next = state.clone();
                    for (phi, operands) in &self.phis[target] {
                        next.values[*phi] = state.values[operands[edge]];
                    }
                    next.renumber(num_globals);
                    if seen.insert((target, next.clone())) {
                        pending.push((target, next));
                    }
                }
            }
        }
        wrong
    }

    fn walk(&self, block: usize, state: &mut State, refine: bool, wrong: &mut BTreeSet<(usize, usize)>) {
        for (index, &step) in self.steps[block].iter().enumerate() {
            match step {
                Step::Def(variable, value) => {
                    if !self.is_global(value) {
                        // Greater than every content there is.
                        state.values[value] = 1 + state.all().max().unwrap_or(0).max(self.num_values());
                    }
                    state.variables[variable] = state.values[value];
                }
                Step::Copy(dst, src) => state.variables[dst] = state.variables[src],
                Step::Use(variable, value) => {
                    let content = state.variables[variable];
                    let is_undefined = content > 0 && self.undefined.contains(&(content - 1));
                    let is_right = content != 0 && content == state.values[value];
                    if !(is_right || refine && is_undefined) {
                        wrong.insert((block, index));
                    }
                }
            }
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    variables: Vec<usize>,
    values: Vec<usize>,
}

impl State {
    fn all(&self) -> impl Iterator<Item = usize> + '_ {
        self.variables.iter().chain(&self.values).copied()
    }

    fn renumber(&mut self, num_globals: usize) {
        let mut names = BTreeMap::new();
        for content in self.variables.iter_mut().chain(&mut self.values) {
            if *content >= num_globals {
                let next = num_globals + names.len();
                *content = *names.entry(*content).or_insert(next);
            }
        }
    }
}

fn event(step: Step) -> ProgramEvent {
    match step {
        Step::Def(variable, value) => ProgramEvent::Def { variable: Variable::new(variable), value: Value::new(value) },
        Step::Use(variable, value) => ProgramEvent::Use { variable: Variable::new(variable), value: Value::new(value) },
        Step::Copy(dst, src) => ProgramEvent::Copy { dst: Variable::new(dst), src: Variable::new(src) },
    }
}

/// The reads that violations name; they name nothing else.
pub(crate) fn named_reads(violations: &[Violation]) -> BTreeSet<(usize, usize)> {
    let name = |violation: &Violation| match *violation {
        Violation::WrongValue { block, event, .. }
        | Violation::StaleValue { block, event, .. }
        | Violation::MissingValue { block, event, .. }
        | Violation::Uninitialized { block, event, .. } => (block.index(), event),
        other => panic!("{other}"),
    };
    violations.iter().map(name).collect()
}
