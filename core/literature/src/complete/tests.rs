//! The graphs of the papers, and what grows how.

extern crate std;

use super::*;
use crate::engine::Engine;
use alloc::vec;
use alloc::vec::Vec;
use ssaphire_graph::{DominanceFrontiers, Variable};

/// A graph with blocks `0..targets.len()`, and for each what it reads first and writes then.
struct Program {
    graph: Graph,
    accesses: Accesses,
}

impl Program {
    fn new(targets: &[Vec<usize>], accesses: impl Fn(usize) -> (Vec<usize>, Vec<usize>)) -> Self {
        let targets: Vec<Vec<Block>> =
            targets.iter().map(|targets| targets.iter().copied().map(Block::new).collect()).collect();
        let cfg = FlatCfg::from_successors(Block::new(0), &targets).unwrap();
        let tree = DominatorTree::new(&cfg);
        let mut told = Accesses::default();
        told.begin(0);
        for block in 0..targets.len() {
            let (reads, writes) = accesses(block);
            reads.into_iter().for_each(|variable| told.read(Variable::new(variable)));
            writes.into_iter().for_each(|variable| told.write(Variable::new(variable)));
            told.end_block();
        }
        Self { graph: Graph { cfg, tree }, accesses: told }
    }

    fn solve(&self, engine: Engine) -> (Solution, u64) {
        let mut budget = Budget::new(u64::MAX);
        let constructor = engine.constructor().expect("it decides at the end");
        let solution = constructor.solve(&self.graph, &self.accesses, &mut budget).unwrap();
        (solution, budget.spent())
    }

    fn phis(&self, engine: Engine) -> Vec<(usize, usize)> {
        let phis = self.solve(engine).0.phis;
        phis.iter().map(|phi| (phi.block.index(), phi.variable.index())).collect()
    }
}

/// Loops around each other, each left at its end: block `i` enters the next, block `2n - 1 - i` goes back to it.
fn nest(depth: usize) -> Program {
    let mut targets: Vec<Vec<usize>> = (0..=2 * depth).map(|block| vec![block + 1]).collect();
    targets.push(vec![]);
    for level in 1..=depth {
        targets[2 * depth + 1 - level].push(level);
    }
    // Read everywhere, written in the innermost block alone.
    Program::new(&targets, |block| (vec![0], if block == depth + 1 { vec![0] } else { vec![] }))
}

/// A value that is read after so many conditionals with empty arms.
fn conditionals(count: usize) -> Program {
    let mut targets = Vec::new();
    for number in 0..count {
        let first = 4 * number;
        targets.extend([vec![first + 1, first + 2], vec![first + 3], vec![first + 3], vec![first + 4]]);
    }
    targets.push(vec![]);
    let last = targets.len() - 1;
    Program::new(&targets, |block| match block {
        0 => (vec![], vec![0]),
        _ => (if block == last { vec![0] } else { vec![] }, vec![]),
    })
}

#[test]
fn a_nest_of_loops_has_quadratic_frontiers_and_linear_iterated_ones() {
    let size = |depth| {
        let Graph { cfg, tree } = nest(depth).graph;
        DominanceFrontiers::new(&cfg, &tree).size()
    };
    let steps = |engine, depth| nest(depth).solve(engine).1;
    assert!(size(200) > 350 * size(10) && size(400) > 3 * size(200), "{} {}", size(200), size(400));
    for engine in [Engine::Pruned, Engine::SreedharGao, Engine::SemiPruned] {
        assert!(steps(engine, 400) < 21 * steps(engine, 20), "{engine}");
        assert_eq!(nest(400).phis(engine).len(), 400, "{engine}");
    }
    assert!(steps(Engine::Cytron, 400) > 3 * steps(Engine::Cytron, 200));
}

/// Figure 11 of the thesis.
#[test]
fn all_paths_are_exponentially_many_and_a_search_is_linear() {
    let steps = |engine, count| conditionals(count).solve(engine).1;
    let literal: Vec<u64> = (6..12).map(|count| steps(Engine::FunctionalLiteral, count)).collect();
    assert!(literal.windows(2).all(|pair| pair[1] > 19 * pair[0] / 10), "{literal:?}");
    let (small, large) = (steps(Engine::Functional, 1_000), steps(Engine::Functional, 10_000));
    assert!(large < 11 * small, "{small} {large}");
    let (graph, accesses) = (conditionals(60).graph, conditionals(60).accesses);
    let limited = FunctionalLiteral.solve(&graph, &accesses, &mut Budget::new(100_000));
    assert_eq!(limited.err(), Some(Unsolved::OutOfWork));
}

#[test]
fn the_search_finds_what_all_paths_find() {
    let random = &mut 7u64;
    let mut below = |limit: usize| {
        *random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*random >> 33) as usize % limit
    };
    for _ in 0..3_000 {
        let num_blocks = 2 + below(7);
        let targets: Vec<Vec<usize>> =
            (0..num_blocks).map(|_| (0..below(3)).map(|_| 1 + below(num_blocks - 1)).collect()).collect();
        let accesses: Vec<(Vec<usize>, Vec<usize>)> = (0..num_blocks)
            .map(|block| {
                let mut some = |odds| (0..2).filter(|_| below(odds) == 0).collect::<Vec<usize>>();
                (if block == 0 { vec![] } else { some(2) }, some(3))
            })
            .collect();
        let program = Program::new(&targets, |block| accesses[block].clone());
        let [(literal, _), (search, _)] =
            [Engine::FunctionalLiteral, Engine::Functional].map(|engine| program.solve(engine));
        assert_eq!((&literal.phis, &literal.operands, &literal.reads), (&search.phis, &search.operands, &search.reads));
    }
}

/// Cytron et al. 1991, Fig. 5 to 9: the graph, with the writes of `I` (0), `J`, `K`, `L`.
#[test]
fn figure_9_places_the_phis_of_figure_6() {
    let targets: Vec<Vec<usize>> =
        [&[1, 13][..], &[2], &[3, 7], &[4, 5], &[6], &[6], &[8], &[8], &[9], &[10, 11], &[11], &[9, 12], &[2, 13], &[]]
            .iter()
            .map(|targets| targets.to_vec())
            .collect();
    let [i, j, k, l] = [0, 1, 2, 3];
    let program = Program::new(&targets, |block| match block {
        1 => (vec![], vec![i, j, k, l]),
        3 => (vec![i], vec![j]),
        4 | 5 => (vec![], vec![l]),
        6 | 7 => (vec![k], vec![k]),
        8 => (vec![i, j, k, l], vec![]),
        10 => (vec![l], vec![l]),
        12 => (vec![i], vec![i]),
        _ => (vec![], vec![]),
    });
    // At the exit, too, where the way that leaves out the program meets it.
    let exit = [(13, i), (13, j), (13, k), (13, l)];
    let figure = [(2, i), (2, j), (2, k), (2, l), (6, l), (8, j), (8, k), (8, l), (9, l), (11, l)];
    let both: Vec<(usize, usize)> = figure.into_iter().chain(exit).collect();
    for engine in [Engine::Cytron, Engine::SemiPruned, Engine::AycockHorspool, Engine::AllLocals, Engine::Structured] {
        assert_eq!(program.phis(engine), both, "{engine}");
    }
    for engine in [Engine::Pruned, Engine::SreedharGao, Engine::React] {
        assert_eq!(program.phis(engine), figure, "{engine}");
    }
    let live_joins = program.phis(Engine::Functional);
    assert!(figure.iter().all(|phi| live_joins.contains(phi)) && live_joins.len() > figure.len());
}

#[test]
fn an_irreducible_loop_is_not_structured() {
    let program = Program::new(&[vec![1, 2], vec![2], vec![1, 3], vec![]], |_| (vec![0], vec![0]));
    let solved = Structured.solve(&program.graph, &program.accesses, &mut Budget::new(u64::MAX));
    assert!(matches!(solved, Err(Unsolved::Irreducible { block }) if [1, 2].contains(&block.index())));
}

#[test]
fn more_phis_than_can_be_numbered_are_refused() {
    let count = 70_000;
    let targets: Vec<Vec<usize>> =
        (0..count).map(|block| if block + 1 < count { vec![block + 1] } else { vec![] }).collect();
    let program = Program::new(&targets, |block| (vec![], vec![block]));
    let solved = AycockHorspool.solve(&program.graph, &program.accesses, &mut Budget::new(u64::MAX));
    let phis = count as u64 * (count as u64 - 1);
    assert_eq!(solved.err(), Some(Unsolved::TooManyPhis { phis, operands: phis }));
}

#[test]
fn long_lines_and_many_edges_need_no_stack() {
    let count = 100_000;
    let line: Vec<Vec<usize>> =
        (0..count).map(|block| if block + 1 < count { vec![block + 1] } else { vec![] }).collect();
    let accesses = move |block| match block {
        0 => (vec![], vec![0]),
        _ => (if block + 1 == count { vec![0] } else { vec![] }, vec![]),
    };
    let fan: Vec<Vec<usize>> = (0..10_002)
        .map(|block| match block {
            0 => (1..=10_000).collect(),
            10_001 => vec![],
            _ => vec![10_001],
        })
        .collect();
    let small = std::thread::Builder::new().stack_size(128 << 10);
    let check = move || {
        for engine in Engine::AT_THE_END.iter().copied().chain([Engine::FunctionalLiteral]) {
            let phis = Program::new(&line, accesses).phis(engine);
            assert_eq!(phis, [], "{engine}");
            let phis =
                Program::new(&fan, |block| (if block == 10_001 { vec![0] } else { vec![] }, vec![0])).phis(engine);
            assert_eq!(phis, [(10_001, 0)], "{engine}");
        }
    };
    small.spawn(check).unwrap().join().unwrap();
}
