//! The validator names exactly the reads that are wrong on some path.

use crate::model::{Model, Random, Step, named_reads};
use ssaphire_check::{Mode, Program, Thresholds, Validator, naive};
use std::collections::BTreeSet;

/// The wrong reads, as the decision finds them that visits every block on the way.
fn by_block_by_block(program: &Program, mode: Mode) -> BTreeSet<(usize, usize)> {
    naive::wrong_uses(program, mode).into_iter().map(|(block, event)| (block.index(), event)).collect()
}

/// Judges models in both modes, and counts what became of them.
#[derive(Default)]
struct Bench {
    program: Program,
    validator: Validator,
    accepted: usize,
    refused: usize,
}

impl Bench {
    #[track_caller]
    fn check(&mut self, model: &Model) {
        model.write(&mut self.program);
        for mode in [Mode::Exact, Mode::Refine] {
            let expected = model.wrong_reads(mode == Mode::Refine);
            let found = self.validator.validate(&self.program, mode).err().unwrap_or_default();
            assert_eq!(named_reads(&found), expected, "{mode:?} {found:?}\n{model:?}\n{:?}", self.program);
            assert_eq!(by_block_by_block(&self.program, mode), expected, "{mode:?} {model:?}\n{:?}", self.program);
            if expected.is_empty() { self.accepted += 1 } else { self.refused += 1 }
        }
    }

    /// Checks `model` with each claim and each phi operand replaced by each other value.
    fn check_mutants(&mut self, model: &Model) {
        let mut mutant = model.clone();
        for block in 0..model.incoming.len() {
            for (phi, edge) in (0..model.phis[block].len()).flat_map(|phi| (0..2).map(move |edge| (phi, edge))) {
                let Some(&right) = model.phis[block][phi].1.get(edge) else { continue };
                for wrong in (0..model.num_values()).filter(|&value| value != right) {
                    mutant.phis[block][phi].1[edge] = wrong;
                    self.check(&mutant);
                }
                mutant.phis[block][phi].1[edge] = right;
            }
            for index in 0..model.steps[block].len() {
                let Step::Use(variable, right) = model.steps[block][index] else { continue };
                for wrong in (0..model.num_values()).filter(|&value| value != right) {
                    mutant.steps[block][index] = Step::Use(variable, wrong);
                    self.check(&mutant);
                }
                mutant.steps[block][index] = model.steps[block][index];
            }
        }
    }
}

/// A source: incoming edges, and events with claims still to be made.
struct Source {
    incoming: Vec<Vec<usize>>,
    steps: Vec<Vec<Step>>,
    /// What each variable holds at the entry.
    initial: Vec<usize>,
}

/// The source with a phi for every variable in every block that has predecessors.
///
/// Values: one undefined value per variable, then one global, then results and phis.
/// In a function whose entry has predecessors, what is claimed before the first
/// write there is wrong.
fn maximal(source: &Source) -> Model {
    let (num_blocks, num_variables) = (source.incoming.len(), source.initial.len());
    let mut model = Model {
        globals: vec![num_variables],
        undefined: (0..num_variables).collect(),
        initial: source.initial.iter().copied().enumerate().collect(),
        incoming: source.incoming.clone(),
        phis: vec![Vec::new(); num_blocks],
        steps: source.steps.clone(),
    };
    let mut next = num_variables + 1;
    let mut at_end = vec![Vec::new(); num_blocks];
    for (block, end) in at_end.iter_mut().enumerate() {
        let mut current = source.initial.clone();
        if block != 0 && !source.incoming[block].is_empty() {
            current = (next..next + num_variables).collect();
            next += num_variables;
            model.phis[block] = current.iter().map(|&phi| (phi, Vec::new())).collect();
        }
        for step in &mut model.steps[block] {
            match step {
                Step::Def(variable, value) => {
                    if *value != num_variables {
                        *value = next;
                        next += 1;
                    }
                    current[*variable] = *value;
                }
                Step::Use(variable, value) => *value = current[*variable],
                Step::Copy(dst, src) => current[*dst] = current[*src],
            }
        }
        *end = current;
    }
    for block in 0..num_blocks {
        for (variable, (_, operands)) in model.phis[block].iter_mut().enumerate() {
            operands.extend(source.incoming[block].iter().map(|&source| at_end[source][variable]));
        }
    }
    model
}

/// Takes trivial phis out, as long as there are any.
fn simplify(model: &mut Model) {
    loop {
        let trivial = model.phis.iter().enumerate().flat_map(|(block, phis)| phis.iter().map(move |phi| (block, phi)));
        let mut trivial = trivial.filter_map(|(block, (phi, operands))| {
            let mut others = operands.iter().copied().filter(|operand| operand != phi);
            let other = others.next()?;
            others.all(|operand| operand == other).then_some((block, *phi, other))
        });
        let Some((block, phi, other)) = trivial.next() else { return };
        drop(trivial);
        model.phis[block].retain(|&(value, _)| value != phi);
        let operands = model.phis.iter_mut().flatten().flat_map(|(_, operands)| operands);
        let uses = model.steps.iter_mut().flatten().filter_map(|step| match step {
            Step::Use(_, value) => Some(value),
            _ => None,
        });
        operands.chain(uses).filter(|value| **value == phi).for_each(|value| *value = other);
    }
}

/// The graph whose blocks have up to two different targets, none of them the entry, as `code` says.
fn graph(num_blocks: usize, mut code: usize) -> Vec<Vec<usize>> {
    let mut incoming = vec![Vec::new(); num_blocks];
    let ways = ways(num_blocks);
    for source in 0..num_blocks {
        let mut way = code % ways;
        code /= ways;
        let singles = num_blocks - 1;
        if way == 0 {
            continue;
        }
        way -= 1;
        if way < singles {
            incoming[way + 1].push(source);
            continue;
        }
        way -= singles;
        let pairs = (1..num_blocks).flat_map(|low| (low + 1..num_blocks).map(move |high| (low, high)));
        let (low, high) = pairs.clone().nth(way).unwrap();
        incoming[low].push(source);
        incoming[high].push(source);
    }
    incoming
}

/// In how many ways a block can end.
fn ways(num_blocks: usize) -> usize {
    let targets = num_blocks - 1;
    1 + targets + targets * (targets - 1) / 2
}

/// Per block nothing, a write, a read, or a read and a write of one variable, as `code` says.
fn contents(num_blocks: usize, code: usize) -> Vec<Vec<Step>> {
    let one = |block: usize| match code >> (2 * block) & 3 {
        0 => vec![],
        1 => vec![Step::Def(0, 0)],
        2 => vec![Step::Use(0, 0)],
        _ => vec![Step::Use(0, 0), Step::Def(0, 0)],
    };
    (0..num_blocks).map(one).collect()
}

#[test]
fn all_graphs_of_three_blocks_and_all_their_mutants() {
    let mut bench = Bench::default();
    for graph_code in 0..ways(3).pow(3) {
        for code in 0..1 << 6 {
            let source = Source { incoming: graph(3, graph_code), steps: contents(3, code), initial: vec![0] };
            let mut model = maximal(&source);
            bench.check(&model);
            simplify(&mut model);
            bench.check(&model);
            bench.check_mutants(&model);
        }
    }
    assert!(bench.accepted > 20_000 && bench.refused > 20_000, "{} {}", bench.accepted, bench.refused);
}

#[test]
fn all_graphs_of_four_blocks_and_some_of_their_mutants() {
    let mut bench = Bench::default();
    let mut random = Random(4);
    for graph_code in 0..ways(4).pow(4) {
        let source = Source { incoming: graph(4, graph_code), steps: contents(4, random.below(256)), initial: vec![0] };
        let mut model = maximal(&source);
        bench.check(&model);
        simplify(&mut model);
        bench.check(&model);
        if random.one_in(8) {
            bench.check_mutants(&model);
        }
    }
    assert!(bench.accepted > 9000 && bench.refused > 2000, "{} {}", bench.accepted, bench.refused);
}

/// A graph of some depth: each block has an edge from one shortly before it, and there are edges forwards and backwards.
fn deep_source(random: &mut Random) -> Source {
    let (num_blocks, num_variables) = (10 + random.below(50), 1 + random.below(6));
    let mut incoming = vec![Vec::new(); num_blocks];
    let (reach, density) = (1 + random.below(8), 1 + random.below(3));
    for (block, sources) in incoming.iter_mut().enumerate().skip(1) {
        sources.push(block - 1 - random.below(reach.min(block)));
    }
    for _ in 0..num_blocks * density / 3 {
        let (one, other) = (1 + random.below(num_blocks - 1), 1 + random.below(num_blocks - 1));
        let is_back = random.one_in(4);
        let (source, target) = if is_back == (one < other) { (other, one) } else { (one, other) };
        incoming[target].push(source);
    }
    let writes = 2 + random.below(8);
    let steps = |random: &mut Random| {
        let variable = random.below(num_variables);
        match random.below(writes + 4) {
            0 => Step::Def(variable, 0),
            1 if random.one_in(2) => Step::Def(variable, num_variables),
            1 => Step::Copy(variable, random.below(num_variables)),
            _ => Step::Use(variable, 0),
        }
    };
    let steps = (0..num_blocks).map(|_| (0..random.below(3)).map(|_| steps(random)).collect()).collect();
    Source { incoming, steps, initial: (0..num_variables).collect() }
}

/// Replaces a claim or an operand by some value.
fn mutate(model: &mut Model, random: &mut Random) {
    let num_values = model.num_values();
    let uses = model.steps.iter_mut().flatten().filter_map(|step| match step {
        Step::Use(_, value) => Some(value),
        _ => None,
    });
    let operands = model.phis.iter_mut().flatten().flat_map(|(_, operands)| operands);
    let mut places: Vec<&mut usize> = uses.chain(operands).collect();
    let count = places.len();
    if count > 0 {
        *places[random.below(count)] = random.below(num_values);
    }
}

/// Validators with each threshold at its least, with all of them, and as they are.
fn validators() -> [Validator; 8] {
    let usual = Thresholds::default();
    let with = |change: fn(&mut Thresholds)| {
        let mut thresholds = usual;
        change(&mut thresholds);
        Validator::new().with_thresholds(thresholds)
    };
    [
        with(|_| {}),
        with(|thresholds| thresholds.rungs = 0),
        with(|thresholds| thresholds.rungs = 1),
        with(|thresholds| thresholds.steps_per_edge = 0),
        with(|thresholds| thresholds.loops = 0),
        with(|thresholds| (thresholds.steps_per_edge, thresholds.loops) = (0, 0)),
        with(|thresholds| thresholds.slots_per_event = 0),
        with(|thresholds| (thresholds.rungs, thresholds.steps_per_edge, thresholds.slots_per_event) = (0, 0, 0)),
    ]
}

/// What visits every block on the way refuses the same reads, in graphs that are deep enough to climb in.
#[test]
fn deep_graphs_are_decided_as_block_by_block() {
    let (mut program, mut validators, mut random) = (Program::new(), validators(), Random(7));
    let (mut accepted, mut refused) = (0, 0);
    for round in 0..2000 {
        let mut model = maximal(&deep_source(&mut random));
        if round % 4 > 0 {
            simplify(&mut model);
        }
        for changes in 0..4 {
            model.write(&mut program);
            for mode in [Mode::Exact, Mode::Refine] {
                let expected = by_block_by_block(&program, mode);
                for (number, validator) in validators.iter_mut().enumerate() {
                    let found = validator.validate(&program, mode).err().unwrap_or_default();
                    assert_eq!(named_reads(&found), expected, "{number} {mode:?} {changes}: {found:?}\n{program:?}");
                }
                if expected.is_empty() { accepted += 1 } else { refused += 1 }
            }
            mutate(&mut model, &mut random);
        }
    }
    assert!(accepted > 4000 && refused > 3000, "{accepted} {refused}");
}

/// Any graph: repeated edges, unreachable blocks, an entry with predecessors.
fn random_source(random: &mut Random) -> Source {
    let num_blocks = 1 + random.below(5);
    let num_variables = 1 + random.below(3);
    let first = usize::from(!random.one_in(4)).min(num_blocks - 1);
    let mut incoming = vec![Vec::new(); num_blocks];
    for _ in 0..num_blocks + random.below(num_blocks + 2) {
        if num_blocks > first {
            let target = first + random.below(num_blocks - first);
            if target != 0 || first == 0 {
                incoming[target].push(random.below(num_blocks));
            }
        }
    }
    let steps = |random: &mut Random| {
        let variable = random.below(num_variables);
        match random.below(5) {
            0 => Step::Def(variable, 0),
            1 => Step::Def(variable, num_variables),
            2 => Step::Copy(variable, random.below(num_variables)),
            _ => Step::Use(variable, 0),
        }
    };
    let steps = (0..num_blocks).map(|_| (0..random.below(5)).map(|_| steps(random)).collect()).collect();
    // Undefined, or the global.
    let initial = |variable| if random.one_in(3) { num_variables } else { variable };
    Source { incoming, steps, initial: (0..num_variables).map(initial).collect() }
}

#[test]
fn random_programs_with_copies_globals_and_any_graph() {
    let mut bench = Bench::default();
    let mut random = Random(5);
    for _ in 0..8000 {
        let mut model = maximal(&random_source(&mut random));
        if random.one_in(2) {
            simplify(&mut model);
        }
        if random.one_in(3) {
            model.initial.pop();
        }
        bench.check(&model);
        if random.one_in(8) {
            bench.check_mutants(&model);
        }
    }
    assert!(bench.accepted > 8000 && bench.refused > 8000, "{} {}", bench.accepted, bench.refused);
}

/// The program with up to 20 empty blocks on every edge, numbered after the others.
fn stretch(model: &Model, random: &mut Random) -> Model {
    let mut long = model.clone();
    for block in 0..model.incoming.len() {
        for edge in 0..model.incoming[block].len() {
            for _ in 0..random.below(21) {
                let source = long.incoming[block][edge];
                long.incoming[block][edge] = long.incoming.len();
                long.incoming.push(vec![source]);
                long.phis.push(Vec::new());
                long.steps.push(Vec::new());
            }
        }
    }
    long
}

#[test]
fn long_edges_change_nothing() {
    let (mut program, mut validator, mut random) = (Program::new(), Validator::new(), Random(6));
    let mut refused = 0;
    for _ in 0..3000 {
        let mut model = maximal(&random_source(&mut random));
        let num_values = model.num_values();
        for (_, operands) in model.phis.iter_mut().flatten().skip(random.below(8)).take(1) {
            operands[0] = random.below(num_values);
        }
        stretch(&model, &mut random).write(&mut program);
        let expected = model.wrong_reads(false);
        let found = validator.validate(&program, Mode::Exact).err().unwrap_or_default();
        assert_eq!(named_reads(&found), expected, "{found:?}\n{program:?}");
        refused += usize::from(!expected.is_empty());
    }
    assert!((300..2500).contains(&refused), "{refused}");
}
