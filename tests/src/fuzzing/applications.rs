//! Anything said of operations in small certificates: what the judge accepts is right on every walk.
//!
//! Operators get a meaning in which all equations hold, arithmetic modulo 5, and random walks compute: a value that is not
//! defined yet holds anything. Small certificates grow by what the judge accepts, one line after the other. What it says
//! of them after one more change, anywhere in them, is what the definitions say.

use crate::choices::Choices;
use crate::naive;
use crate::rng::Rng;
use ssaphire::check::{Equation, EquationId, Grounds, Judge, Mode, Program, ProgramEvent, Symbol};
use ssaphire::{Block, Id, Operator, Value, Variable};

const MODULUS: usize = 5;

/// The operators, by number: each takes so many arguments.
const ARITIES: [usize; 4] = [2, 2, 2, 1];

fn apply(operator: usize, args: &[usize]) -> usize {
    let sum = match (operator, args) {
        (0, &[x, y]) => x + y,
        (1, &[x, y]) => x + MODULUS - y,
        (2, &[x, y]) => x * y,
        (3, &[x]) => MODULUS - x,
        // Nothing that anybody holds is known to be the next one.
        (BIT, []) => return MODULUS,
        (EQUAL, &[x, y]) => return usize::from(x != y),
        _ => panic!("{operator} of {args:?}"),
    };
    sum % MODULUS
}

/// The operator that gives 0 or 1, nobody knows why.
const BIT: usize = 4;

/// The branch that leaves by slot 0 if its arguments are equal, and by slot 1 otherwise.
const EQUAL: usize = 5;

/// Laws about values; those after them are about branches.
const NUM_LAWS_OF_VALUES: usize = 16;

/// Laws, as certificates spell them; the globals 1 to 5 are the numbers 0 to 4.
const LAWS: [&str; 19] = [
    "1/2 ?0 ?1 = 1/2 ?1 ?0",
    "1/2 ?0 1 = ?0",
    "2/2 ?0 ?0 = 1",
    "2/2 1/2 ?0 ?1 ?0 = ?1",
    "2/2 1/2 ?0 ?1 ?1 = ?0",
    "1/2 2/2 ?0 ?1 ?1 = ?0",
    "1/2 1/2 ?0 ?1 ?2 = 1/2 ?0 1/2 ?1 ?2",
    "3/2 ?0 1 = 1",
    "3/2 ?0 3 = 1/2 ?0 ?0",
    "4/1 4/1 ?0 = ?0",
    "2/2 1 ?0 = 4/1 ?0",
    "1/2 ?0 4/1 ?0 = 1",
    "1/2 3 3 = 5",
    "4/1 2 = 5",
    "3/2 ?0:5 ?0 = ?0",
    "3/2 ?0 ?0:5 = ?0",
    "6/2 ?0 ?0 = @0/2",
    "6/2 1 2 = @1/2",
    "6/2 5 1 = @1/2",
];

fn law(text: &str) -> Equation {
    let symbol = |word: &str| match (word.strip_prefix('?'), word.split_once('/')) {
        (Some(any), _) => match any.split_once(':') {
            None => Symbol::Any(any.parse().unwrap()),
            Some((number, operator)) => {
                Symbol::Result(Operator::new(operator.parse::<usize>().unwrap() - 1), number.parse().unwrap())
            }
        },
        (None, Some((slot, of))) if slot.starts_with('@') => {
            Symbol::Slot(slot[1..].parse().unwrap(), of.parse().unwrap())
        }
        (None, Some((operator, count))) => {
            Symbol::Apply(Operator::new(operator.parse::<usize>().unwrap() - 1), count.parse().unwrap())
        }
        _ => Symbol::Global(Value::new(word.parse::<usize>().unwrap() - 1)),
    };
    let (left, right) = text.split_once(" = ").unwrap();
    let [left, right] = [left, right].map(|side| side.split(' ').map(symbol).collect());
    Equation { left, right }
}

/// What was accepted: congruent operations and those by a law, and of each those that came late; and how many lines were refused.
#[derive(Clone, Copy, Debug, Default)]
pub struct Found {
    /// By kind.
    pub accepted: [u64; 4],
    /// Lines that were left out again.
    pub refused: u64,
}

/// A certificate grows by lines that the judge accepts, and each of them is right on random walks.
///
/// # Panics
/// If one is not.
pub fn check(bytes: &[u8]) {
    grow(bytes);
}

/// Does what [`check`] does, and counts.
///
/// # Panics
/// As [`check`].
pub fn grow(bytes: &[u8]) -> Found {
    grown(bytes).1
}

/// Mutants of a certificate that has grown: how many were accepted, each right on random walks, and how many were refused.
/// The judge says of each what the definitions say.
///
/// # Panics
/// If a mutant that is accepted is wrong, or the judge says something else than the definitions.
pub fn mutate(bytes: &[u8], num_mutants: u64) -> [u64; 2] {
    let sketch = grown(bytes).0;
    let seed = bytes.iter().fold(1, |seed: u64, &byte| seed.rotate_left(8) ^ u64::from(byte));
    let (mut rng, mut program, mut judge) = (Rng::new(seed), Program::new(), Judge::new());
    let mut counts = [0; 2];
    for _ in 0..num_mutants {
        let mut mutant = sketch.clone();
        mutant.change(&mut rng);
        mutant.write(&mut program);
        let verdict = judge.judge(&program, Mode::Exact);
        let structure = ["defined-twice", "global-defined", "phi-in-entry", "unpaired-edges", "no-such-block"];
        if verdict.violations.iter().any(|violation| structure.contains(&violation.rule())) {
            assert!(!verdict.equivalent);
            counts[1] += 1;
            continue;
        }
        let wrong = naive::wrong_applications(&program);
        assert_eq!(verdict.equivalent, wrong.is_empty(), "{:?}\n{wrong:?}\n{program:?}", verdict.violations);
        if verdict.equivalent {
            (0..6).for_each(|_| mutant.walk(&mut rng));
        }
        counts[usize::from(!verdict.equivalent)] += 1;
    }
    counts
}

/// A few [mutants](mutate).
///
/// # Panics
/// As [`mutate`].
pub fn check_mutants(bytes: &[u8]) {
    mutate(bytes, 20);
}

fn grown(bytes: &[u8]) -> (Sketch, Found) {
    let (mut choices, mut rng) = (Choices::new(bytes), Rng::new(bytes.len() as u64));
    let (mut program, mut judge, mut found) = (Program::new(), Judge::new(), Found::default());
    let laws = LAWS.map(law);
    let mut sketch = Sketch::decode(&mut choices);
    while !choices.is_empty() {
        let block = choices.below(sketch.lines.len());
        let Some(line) = sketch.candidate(&laws, block, &mut choices) else { continue };
        let before = sketch.clone();
        sketch.num_values += 1;
        let place = choices.below(sketch.lines[block].len() + 1);
        sketch.lines[block].insert(place, line.clone());
        sketch.write(&mut program);
        if !judge.judge(&program, Mode::Exact).equivalent {
            found.refused += 1;
            sketch = before;
            continue;
        }
        (0..6).for_each(|_| sketch.walk(&mut rng));
        if let Line::Fold(_, _, law, late) = line {
            found.accepted[2 * usize::from(law.is_some()) + usize::from(late.is_some())] += 1;
            if late.is_none() && choices.chance(50) {
                sketch = before;
            }
        }
    }
    (sketch, found)
}

/// A line of a block.
#[derive(Clone, Debug)]
enum Line {
    /// Something unknown makes the value.
    Make(usize),
    Compute(usize, Applied),
    /// [`BIT`] gives the value.
    Opaque(usize),
    /// It gives the value, by a law or without, and was called otherwise before.
    Fold(usize, Applied, Option<usize>, Option<usize>),
    /// A branch is decided by a law: it leaves to one of these blocks.
    Branch(Applied, usize, Vec<usize>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Applied {
    operator: usize,
    args: Vec<usize>,
}

#[derive(Clone, Debug)]
struct Sketch {
    incoming: Vec<Vec<usize>>,
    phis: Vec<Vec<(usize, Vec<usize>)>>,
    /// The phis were dropped.
    is_dropped: bool,
    lines: Vec<Vec<Line>>,
    num_values: usize,
}

impl Sketch {
    /// A graph with phis of anything.
    fn decode(choices: &mut Choices<'_>) -> Self {
        let num_blocks = 2 + choices.below(5);
        let mut incoming = vec![Vec::new(); num_blocks];
        for (block, sources) in incoming.iter_mut().enumerate().skip(1) {
            sources.push(choices.below(block));
        }
        for _ in 0..choices.below(num_blocks + 1) {
            incoming[1 + choices.below(num_blocks - 1)].push(choices.below(num_blocks));
        }
        let mut num_values = MODULUS;
        let mut phis = vec![Vec::new(); num_blocks];
        for block in 1..num_blocks {
            for _ in 0..choices.below(2) {
                phis[block].push((num_values, incoming[block].iter().map(|_| choices.below(12)).collect()));
                num_values += 1;
            }
        }
        // Operands may be lines that come later.
        let (is_dropped, lines) = (choices.chance(50), vec![Vec::new(); num_blocks]);
        Self { incoming, phis, is_dropped, lines, num_values: num_values.max(12) }
    }

    fn write(&self, program: &mut Program) {
        let mut writer = program.rewrite(Block::new(0));
        (0..MODULUS).for_each(|value| writer.global(Value::new(value)));
        for text in LAWS {
            writer.equation(law(text));
        }
        let mut next = 0;
        let mut define = |value: &usize| {
            next += 1;
            ProgramEvent::Def { variable: Variable::new(next), value: Value::new(*value) }
        };
        for block in 0..self.incoming.len() {
            writer.block(Block::new(block), self.incoming[block].iter().map(|&source| Block::new(source)));
            for (phi, operands) in &self.phis[block] {
                let operands = operands.iter().map(|&operand| Value::new(operand));
                match self.is_dropped {
                    true => writer.dropped_phi(Value::new(*phi), operands),
                    false => writer.phi(Value::new(*phi), operands),
                }
            }
            for line in &self.lines[block] {
                let args = |applied: &Applied| applied.args.clone().into_iter().map(Value::new);
                match line {
                    Line::Make(value) => writer.event(define(value)),
                    Line::Compute(value, applied) => {
                        let (operator, value_there) = (Operator::new(applied.operator), Value::new(*value));
                        writer.application(operator, Some(value_there), Grounds::Computed, args(applied));
                        writer.event(define(value));
                    }
                    Line::Opaque(value) => {
                        writer.application(Operator::new(BIT), Some(Value::new(*value)), Grounds::Opaque, []);
                        writer.event(define(value));
                    }
                    Line::Fold(value, applied, law, late) => {
                        let grounds = law.map_or(Grounds::Congruent, |law| Grounds::Equation(EquationId::new(law)));
                        let operator = Operator::new(applied.operator);
                        writer.application(operator, Some(Value::new(*value)), grounds, args(applied));
                        late.iter().for_each(|&late| writer.late(Value::new(late)));
                    }
                    Line::Branch(applied, law, targets) => {
                        let grounds = Grounds::Equation(EquationId::new(*law));
                        writer.application(Operator::new(applied.operator), None, grounds, args(applied));
                        targets.iter().for_each(|&target| writer.target(Block::new(target)));
                    }
                }
            }
        }
        writer.finish().unwrap();
    }

    /// Walks along edges, and computes.
    fn walk(&self, rng: &mut Rng) {
        let mut holds: Vec<usize> = (0..self.num_values).map(|_| rng.below(MODULUS)).collect();
        (0..MODULUS).for_each(|value| holds[value] = value);
        let mut block = 0;
        for _ in 0..20 {
            for line in &self.lines[block] {
                let result = |applied: &Applied, holds: &[usize]| {
                    apply(applied.operator, &applied.args.iter().map(|&arg| holds[arg]).collect::<Vec<_>>())
                };
                match line {
                    // A constant is only assigned to a variable.
                    Line::Make(value) if *value < MODULUS => {}
                    Line::Make(value) => holds[*value] = rng.below(MODULUS),
                    Line::Compute(value, applied) => holds[*value] = result(applied, &holds),
                    Line::Opaque(value) => holds[*value] = rng.below(2),
                    Line::Fold(value, applied, _, late) => {
                        let result = result(applied, &holds);
                        assert_eq!(result, holds[*value], "{line:?} in block {block} of {self:?}");
                        late.iter().for_each(|&late| holds[late] = result);
                    }
                    Line::Branch(applied, _, targets) => {
                        let target = targets[result(applied, &holds)];
                        assert_eq!(self.targets(block), [target], "{line:?} in block {block} of {self:?}");
                    }
                }
            }
            let into = |target: usize| (0..self.incoming[target].len()).map(move |edge| (target, edge));
            let edges = (0..self.incoming.len()).flat_map(into);
            let edges: Vec<_> = edges.filter(|&(target, edge)| self.incoming[target][edge] == block).collect();
            if edges.is_empty() {
                return;
            }
            let (target, edge) = edges[rng.below(edges.len())];
            let before = holds.clone();
            for (phi, operands) in &self.phis[target] {
                holds[*phi] = before[operands[edge]];
            }
            block = target;
        }
    }

    /// The targets of the edges that leave the block.
    fn targets(&self, block: usize) -> Vec<usize> {
        let into = |target: usize| self.incoming[target].iter().map(move |&source| (source, target));
        (0..self.incoming.len()).flat_map(into).filter(|edge| edge.0 == block).map(|edge| edge.1).collect()
    }

    fn applied(&self, choices: &mut Choices<'_>) -> Applied {
        let operator = choices.below(ARITIES.len());
        Applied { operator, args: (0..ARITIES[operator]).map(|_| choices.below(self.num_values)).collect() }
    }

    /// A line that is there already, as a rule: its value, and how that is computed.
    fn known(&self, choices: &mut Choices<'_>) -> Option<(usize, Applied)> {
        let known = self.lines.iter().flatten().filter_map(|line| match line {
            Line::Make(_) | Line::Opaque(_) | Line::Branch(..) => None,
            Line::Compute(value, applied) => Some((*value, applied)),
            Line::Fold(value, applied, _, late) => Some((late.unwrap_or(*value), applied)),
        });
        let known: Vec<_> = known.collect();
        (!known.is_empty()).then(|| known[choices.below(known.len())]).map(|(value, applied)| (value, applied.clone()))
    }

    /// A value that [`BIT`] gives.
    fn opaque(&self, choices: &mut Choices<'_>) -> Option<usize> {
        let opaque = |line: &Line| if let Line::Opaque(value) = line { Some(*value) } else { None };
        let opaque: Vec<usize> = self.lines.iter().flatten().filter_map(opaque).collect();
        (!opaque.is_empty()).then(|| choices.pick(&opaque))
    }

    /// An instance of a law, as a rule: what it is about, and its value.
    fn instance(&self, law_of: &Equation, choices: &mut Choices<'_>) -> Option<(usize, Applied)> {
        let mut bound = [(); 3].map(|()| choices.below(self.num_values));
        let is_result = |symbol: &&Symbol| matches!(symbol, Symbol::Result(..));
        if let (Some(Symbol::Result(_, number)), Some(value)) =
            (law_of.left.iter().find(is_result), self.opaque(choices))
        {
            bound[*number as usize] = value;
        }
        let mut args = Vec::new();
        let mut symbols = law_of.left[1..].iter();
        while let Some(&symbol) = symbols.next() {
            args.push(match symbol {
                Symbol::Any(number) | Symbol::Result(_, number) => bound[number as usize],
                Symbol::Global(value) => value.index(),
                // A value that is computed so, or not; its arguments bind.
                _ => {
                    let (value, inner) = self.known(choices)?;
                    for &arg in &inner.args {
                        if let Some(&Symbol::Any(number)) = symbols.next() {
                            bound[number as usize] = arg;
                        }
                    }
                    value
                }
            });
        }
        let Symbol::Apply(operator, count) = law_of.left[0] else { return None };
        args.truncate(count as usize);
        let value = match *law_of.right {
            [Symbol::Any(number)] => bound[number as usize],
            [Symbol::Global(value)] => value.index(),
            _ => self.known(choices)?.0,
        };
        (args.len() == count as usize).then_some((value, Applied { operator: operator.index(), args }))
    }

    /// A line that may be right.
    fn candidate(&self, laws: &[Equation], block: usize, choices: &mut Choices<'_>) -> Option<Line> {
        let fresh = self.num_values;
        match choices.below(14) {
            13 => return self.branch(block, choices),
            0 => return Some(Line::Make(fresh)),
            1 => return Some(Line::Opaque(fresh)),
            2 | 3 => return Some(Line::Compute(fresh, self.applied(choices))),
            _ => {}
        }
        let law = choices.chance(50).then(|| choices.below(NUM_LAWS_OF_VALUES));
        let (mut value, mut applied) = match law {
            // Another result of it is never the same.
            None if choices.chance(5) => (self.opaque(choices)?, Applied { operator: BIT, args: Vec::new() }),
            None => self.known(choices)?,
            Some(law) => self.instance(&laws[law], choices)?,
        };
        if choices.chance(25) {
            value = choices.below(self.num_values);
        }
        if choices.chance(33) && !applied.args.is_empty() {
            let arg = choices.below(applied.args.len());
            let other = if choices.chance(30) { self.opaque(choices) } else { None };
            applied.args[arg] = other.unwrap_or_else(|| choices.below(self.num_values));
        }
        if choices.chance(10) {
            applied.operator = (applied.operator + choices.below(3)) % 3;
            applied.args.resize(2, value);
        }
        // Now and then the name is none that is free.
        let late = if choices.chance(6) { choices.below(self.num_values) } else { fresh };
        Some(Line::Fold(value, applied, law, choices.chance(50).then_some(late)))
    }
    /// A branch that may leave where the block does.
    fn branch(&self, block: usize, choices: &mut Choices<'_>) -> Option<Line> {
        let target = *self.targets(block).first()?;
        let law = NUM_LAWS_OF_VALUES + choices.below(LAWS.len() - NUM_LAWS_OF_VALUES);
        let any = choices.below(self.num_values);
        let args = [vec![any; 2], vec![0, 1], vec![4, 0]][law - NUM_LAWS_OF_VALUES].clone();
        let mut targets = vec![choices.below(self.incoming.len() + 1); 2];
        targets[usize::from(law > NUM_LAWS_OF_VALUES)] = target;
        Some(Line::Branch(Applied { operator: EQUAL, args }, law, targets))
    }

    /// Changes one thing, anywhere.
    fn change(&mut self, rng: &mut Rng) {
        let num_blocks = self.incoming.len();
        let block = rng.below(num_blocks);
        if rng.below(8) == 0 {
            self.change_edge_or_phi(block, rng);
            return;
        }
        let blocks: Vec<usize> = (0..num_blocks).filter(|&block| !self.lines[block].is_empty()).collect();
        if blocks.is_empty() {
            return;
        }
        let block = blocks[rng.below(blocks.len())];
        let place = rng.below(self.lines[block].len());
        self.num_values += 1;
        let other = rng.below(self.num_values);
        if rng.below(12) == 0 {
            let line = self.lines[block].remove(place);
            let block = rng.below(num_blocks);
            let place = rng.below(self.lines[block].len() + 1);
            self.lines[block].insert(place, line);
            return;
        }
        let which = rng.below(2);
        let change_arg = |applied: &mut Applied| {
            let num_args = applied.args.len();
            if let Some(arg) = applied.args.get_mut(which % num_args.max(1)) {
                *arg = other;
            }
        };
        match &mut self.lines[block][place] {
            Line::Make(value) | Line::Opaque(value) => *value = other,
            Line::Compute(_, applied) => change_arg(applied),
            Line::Fold(value, applied, law, late) => match rng.below(8) {
                0 => *value = other,
                1 => *law = (rng.below(3) > 0).then(|| rng.below(LAWS.len())),
                2 => *late = (rng.below(3) > 0).then_some(other),
                3 => applied.operator = rng.below(3),
                4 => applied.args.reverse(),
                _ => change_arg(applied),
            },
            Line::Branch(applied, law, targets) => match rng.below(6) {
                0 => *law = rng.below(LAWS.len()),
                1 => targets.reverse(),
                2 => targets.push(other % num_blocks),
                3 | 4 => targets[rng.below(2)] = rng.below(num_blocks),
                _ => change_arg(applied),
            },
        }
    }

    fn change_edge_or_phi(&mut self, block: usize, rng: &mut Rng) {
        let num_blocks = self.incoming.len();
        if let (Some((_, operands)), true) = (self.phis[block].first_mut(), rng.below(2) == 0) {
            if !operands.is_empty() {
                let operand = rng.below(operands.len());
                operands[operand] = rng.below(self.num_values);
            }
        } else if !self.incoming[block].is_empty() {
            let edge = rng.below(self.incoming[block].len());
            self.incoming[block][edge] = rng.below(num_blocks);
        }
    }
}
