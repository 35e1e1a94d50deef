//! What deciding takes where many ways meet: in proportion to the program and to what the result reads and merges.

use ssaphire_check::{Mode, Program, ProgramEvent, Validator};
use ssaphire_graph::{Block, Value, Variable};

/// A program in the making. Each definition has a variable of its own choice and a new value.
struct Sketch {
    incoming: Vec<Vec<usize>>,
    phis: Vec<Vec<(usize, Vec<usize>)>>,
    events: Vec<Vec<ProgramEvent>>,
    num_values: usize,
}

impl Sketch {
    fn new(num_blocks: usize) -> Self {
        let (incoming, phis, events) =
            (vec![Vec::new(); num_blocks], vec![Vec::new(); num_blocks], vec![Vec::new(); num_blocks]);
        Self { incoming, phis, events, num_values: 0 }
    }

    fn edge(&mut self, from: usize, to: usize) {
        self.incoming[to].push(from);
    }

    fn value(&mut self) -> usize {
        self.num_values += 1;
        self.num_values - 1
    }

    fn define(&mut self, block: usize, variable: usize) -> usize {
        let value = self.value();
        let (variable, defined) = (Variable::new(variable), Value::new(value));
        self.events[block].push(ProgramEvent::Def { variable, value: defined });
        value
    }

    fn phi(&mut self, block: usize, operands: Vec<usize>) -> usize {
        let value = self.value();
        self.phis[block].push((value, operands));
        value
    }

    fn read(&mut self, block: usize, variable: usize, value: usize) {
        let (variable, value) = (Variable::new(variable), Value::new(value));
        self.events[block].push(ProgramEvent::Use { variable, value });
    }

    fn program(&self) -> Program {
        let mut program = Program::new();
        let mut writer = program.rewrite(Block::new(0));
        for (block, incoming) in self.incoming.iter().enumerate() {
            writer.block(Block::new(block), incoming.iter().map(|&source| Block::new(source)));
            for (phi, operands) in &self.phis[block] {
                writer.phi(Value::new(*phi), operands.iter().map(|&operand| Value::new(operand)));
            }
            self.events[block].iter().for_each(|&event| writer.event(event));
        }
        writer.finish().unwrap();
        program
    }
}

/// `n` checks that jump to one label, and `n` variables that are set before them and again when all went well; the
/// label leads to where all are read. With `again`, the label leads back to the first check, too, and is read; with
/// `twice`, there are two labels that lead to each other.
fn failure_label(n: usize, again: bool, twice: bool) -> Sketch {
    let (fail, other, set, done) = (n + 1, n + 2, n + 3, n + 4);
    let mut sketch = Sketch::new(n + 5);
    let first: Vec<usize> = (0..n).map(|variable| sketch.define(0, variable)).collect();
    for check in 1..=n {
        sketch.edge(check - 1, check);
        sketch.edge(check, if twice && check % 2 == 0 { other } else { fail });
    }
    sketch.edge(n, set);
    sketch.edge(set, done);
    sketch.edge(fail, done);
    if twice {
        sketch.edge(fail, other);
        sketch.edge(other, fail);
    }
    if again {
        sketch.edge(fail, 1);
    }
    for (variable, first) in first.into_iter().enumerate() {
        let second = sketch.define(set, variable);
        let merged = sketch.phi(done, vec![second, first]);
        sketch.read(done, variable, merged);
        if again {
            sketch.read(1, variable, first);
        }
    }
    sketch
}

/// Steps of judging it, which is right, and its size.
fn judged(sketch: &Sketch) -> (usize, usize) {
    let (program, mut validator) = (sketch.program(), Validator::new());
    let mut steps = 0;
    for mode in [Mode::Exact, Mode::Refine] {
        assert_eq!(validator.validate(&program, mode), Ok(()));
        steps = validator.num_obligations() + validator.num_steps() as usize;
    }
    let edges: usize = sketch.incoming.iter().map(Vec::len).sum();
    let operands: usize = sketch.phis.iter().flatten().map(|phi| phi.1.len()).sum();
    (steps, edges + operands + program.num_events())
}

#[test]
fn a_label_for_failures_costs_what_leads_to_it() {
    for again in [false, true] {
        for n in [100, 1_000, 10_000] {
            let (steps, size) = judged(&failure_label(n, again, false));
            assert!(steps <= 3 * size, "{n} {again}: {steps} steps for a size of {size}");
        }
    }
}

#[test]
fn labels_that_lead_to_each_other_cost_what_leads_to_them() {
    for again in [false, true] {
        for n in [100, 1_000, 10_000] {
            let (steps, size) = judged(&failure_label(n, again, true));
            assert!(steps <= 4 * size, "{n} {again}: {steps} steps for a size of {size}");
        }
    }
}

#[test]
fn a_wrong_claim_beyond_a_label_is_found() {
    for again in [false, true] {
        for twice in [false, true] {
            let mut sketch = failure_label(50, again, twice);
            let (one, other) = (sketch.phis[54][7].1[1], sketch.phis[54][8].1[1]);
            (sketch.phis[54][7].1[1], sketch.phis[54][8].1[1]) = (other, one);
            let found = Validator::new().validate(&sketch.program(), Mode::Exact).unwrap_err();
            assert_eq!(found.len(), 2, "{found:?}");
        }
    }
}
