//! The validator names exactly the reads that are wrong on some path.

use super::model::{Model, Step, named_reads};
use super::random::Random;
use super::sources::{Source, by_block_by_block, deep_source, maximal, mutate, random_source, simplify, validators};
use ssaphire::check::{Mode, Program, Validator};
use ssaphire_tests::{seeds, share};

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
        for code in seeds(0..1 << 6) {
            let source = Source { incoming: graph(3, graph_code), steps: contents(3, code as usize), initial: vec![0] };
            let mut model = maximal(&source);
            bench.check(&model);
            simplify(&mut model);
            bench.check(&model);
            bench.check_mutants(&model);
        }
    }
    let least = share(20_000);
    assert!(bench.accepted > least && bench.refused > least, "{} {}", bench.accepted, bench.refused);
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

/// What visits every block on the way refuses the same reads, in graphs that are deep enough to climb in.
#[test]
fn deep_graphs_are_decided_as_block_by_block() {
    let (mut program, mut validators) = (Program::new(), validators());
    let (mut accepted, mut refused) = (0, 0);
    for seed in seeds(0..2000) {
        let mut random = Random(seed);
        let mut model = maximal(&deep_source(&mut random));
        if seed % 4 > 0 {
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
    assert!(accepted > share(4000) && refused > share(3000), "{accepted} {refused}");
}

#[test]
fn random_programs_with_copies_globals_and_any_graph() {
    let mut bench = Bench::default();
    for seed in seeds(0..8000) {
        let mut random = Random(seed);
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
    let least = share(8000);
    assert!(bench.accepted > least && bench.refused > least, "{} {}", bench.accepted, bench.refused);
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
