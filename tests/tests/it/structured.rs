//! Structured programs of all small graphs, and of random ones of every shape.

use ssaphire::Block;
use ssaphire::destruct::structure::{Handling, Irreducible, Options, Step, Structured, structure};
use ssaphire::graph::FlatCfg;
use ssaphire_tests::fuzzing::random_bytes;
use ssaphire_tests::fuzzing::structured::{check, check_graph, check_slot_orders, decode};
use ssaphire_tests::small::wide_graphs;
use ssaphire_tests::{Case, Choices, Rng, Shape, corpus_cases, generate, graphs, seeds, structured};

#[test]
fn every_graph_of_up_to_four_blocks() {
    let graphs: Vec<_> = (1..=4).flat_map(|num_blocks| wide_graphs(num_blocks).0).collect();
    let (mut num_graphs, mut num_irreducible) = (0, 0);
    for small in &graphs {
        let counts = check_slot_orders(small);
        num_graphs += counts.graphs;
        num_irreducible += counts.irreducible;
    }
    assert_eq!((graphs.len(), num_graphs, num_irreducible), (2_411, 12_297, 2_418));
}

/// All lists of up to three blocks.
fn lists(num_blocks: usize) -> Vec<Vec<Block>> {
    let mut lists = vec![vec![]];
    let mut first = 0;
    for _ in 0..3 {
        let longer: Vec<Vec<Block>> = lists[first..]
            .iter()
            .flat_map(|list| (0..num_blocks).map(|block| [&list[..], &[Block::new(block)]].concat()))
            .collect();
        first = lists.len();
        lists.extend(longer);
    }
    lists
}

#[test]
fn every_graph_of_three_blocks_with_up_to_three_slots_each() {
    let lists = lists(3);
    let (mut num_irreducible, mut num_forks) = (0, 0);
    for (first, second, third) in seeds(0..lists.len() as u64)
        .map(|number| &lists[number as usize])
        .inspect(|first| num_forks += usize::from([1, 2].iter().all(|&target| first.contains(&Block::new(target)))))
        .flat_map(|a| lists.iter().flat_map(move |b| [(a, b)]))
        .flat_map(|(a, b)| lists.iter().map(move |c| (a, b, c)))
    {
        let cfg = FlatCfg::from_successors(Block::new(0), &[first, second, third]).unwrap();
        num_irreducible += usize::from(!check_graph(&cfg, Irreducible::Dispatch).regions.is_empty());
    }
    // Block 0 leads to both others, and these to each other.
    assert_eq!((lists.len(), num_irreducible), (40, num_forks * 25 * 25));
}

/// The graph with every target moved to another slot, and any block the entry.
fn shuffled(cfg: &FlatCfg, rng: &mut Rng) -> FlatCfg {
    let mut targets: Vec<Vec<Block>> = cfg.blocks().map(|block| cfg.targets(block).to_vec()).collect();
    targets.iter_mut().for_each(|targets| rng.shuffle(targets));
    FlatCfg::from_successors(Block::new(rng.below(targets.len())), &targets).unwrap()
}

#[test]
fn random_graphs_of_every_shape() {
    let mut rng = Rng::new(1);
    for shape in Shape::ALL {
        let mut num_irreducible = 0;
        for limit in (0..20).cycle().take(400) {
            let mut cfg = generate(shape, false, &mut rng).cfg;
            if shape == Shape::EntryWithPredecessors {
                cfg = shuffled(&cfg, &mut rng);
            }
            let report = check_graph(&cfg, Irreducible::Dispatch);
            check_graph(&cfg, Irreducible::Split { limit });
            num_irreducible += usize::from(!report.regions.is_empty());
        }
        let is_reducible = matches!(shape, Shape::Structured | Shape::Reducible | Shape::OneBlock);
        assert_eq!(num_irreducible == 0, is_reducible, "{shape:?}: {num_irreducible}");
    }
}

#[test]
fn random_graphs_by_bytes() {
    (0..4_000).for_each(|seed| check(&random_bytes(seed)));
}

/// What happens to the graphs that bytes describe: none of the cases that the property is about is rare.
#[test]
fn irreducible_regions_are_dispatched_and_split() {
    let [mut dispatched, mut split, mut both, mut rounds] = [0; 4];
    for seed in 0..2_000 {
        let bytes = random_bytes(seed);
        let cfg = decode(&mut Choices::new(&bytes));
        let report = check_graph(&cfg, Irreducible::Split { limit: 8 });
        let is_split = |handling| matches!(handling, Handling::Split { .. });
        let num_split = report.regions.iter().filter(|region| is_split(region.handling)).count();
        dispatched += usize::from(report.limit_reached);
        split += usize::from(num_split > 0);
        both += usize::from(num_split > 0 && report.limit_reached);
        rounds += usize::from(num_split > 1);
    }
    assert!([dispatched, split, both, rounds].iter().all(|&count| count > 10), "{dispatched} {split} {both} {rounds}");
}

/// The graph, its program and how much work that was, on a small stack; what the program does is read from its text.
fn structured_on_a_small_stack(cfg: FlatCfg, irreducible: Irreducible) -> (FlatCfg, Structured) {
    let run = move || {
        let structured = structure(&cfg, Options::default().with_irreducible(irreducible));
        structured::check(&cfg, &structured.to_string()).unwrap();
        (cfg, structured)
    };
    std::thread::Builder::new().stack_size(256 * 1024).spawn(run).unwrap().join().unwrap()
}

/// Twice the size takes about twice the work, and steps, slots and text are in proportion to the graph.
#[track_caller]
fn check_growth(family: impl Fn(usize) -> FlatCfg, size: usize, irreducible: Irreducible) {
    let [(_, small), (cfg, large)] =
        [size, 2 * size].map(|size| structured_on_a_small_stack(family(size), irreducible));
    let [small_work, large_work] = [&small, &large].map(|structured| structured.report().work);
    assert!(large_work * 10 <= small_work * 23, "{small_work} {large_work}");
    let graph_size = cfg.num_blocks() + cfg.num_edges() + large.report().num_copies;
    assert!(large.steps().len() <= 8 * graph_size, "{} {graph_size}", large.steps().len());
    let text_len = large.to_string().len();
    assert!(text_len <= 90 * large.steps().len() + 8 * cfg.num_edges(), "{text_len} {}", large.steps().len());
}

#[test]
fn twice_the_graph_takes_twice_the_work() {
    check_growth(graphs::line, 25_000, Irreducible::Dispatch);
    check_growth(graphs::nested_choices, 10_000, Irreducible::Dispatch);
    check_growth(|depth| graphs::leaving_choices(depth, false), 5_000, Irreducible::Dispatch);
    check_growth(|depth| graphs::leaving_choices(depth, true), 5_000, Irreducible::Dispatch);
    check_growth(graphs::nested_loops, 5_000, Irreducible::Dispatch);
    check_growth(graphs::switch, 10_000, Irreducible::Dispatch);
    check_growth(|size| graphs::reducible(size, &mut Rng::new(1)), 10_000, Irreducible::Dispatch);
}

#[test]
fn twice_the_irreducible_graph_takes_twice_the_work() {
    for irreducible in [Irreducible::Dispatch, Irreducible::Split { limit: 10_000 }] {
        check_growth(graphs::open_path, 2_500, irreducible);
        check_growth(|size| graphs::digraph(size, &mut Rng::new(1)), 5_000, irreducible);
        check_growth(graphs::irreducible_row, 2_500, irreducible);
    }
}

/// Sequences, choices and loops in each other, as programs without jumps have them.
fn program_without_jumps(rng: &mut Rng) -> FlatCfg {
    let mut targets = vec![vec![1], Vec::new()];
    for _ in 0..rng.below(12) {
        let source = rng.below(targets.len());
        if targets[source].is_empty() {
            continue;
        }
        let slot = rng.below(targets[source].len());
        let new = targets.len();
        let after = std::mem::replace(&mut targets[source][slot], new);
        match rng.below(5) {
            0 => targets.push(vec![after]),
            1 => targets.extend([vec![new + 1, after], vec![after]]),
            2 => targets.extend([vec![new + 1, new + 2], vec![new + 3], vec![new + 3], vec![after]]),
            3 => targets.extend([vec![new + 1, after], vec![new]]),
            _ => targets.extend([vec![new + 1], vec![new, after]]),
        }
    }
    Case::of_graph(0, &targets, 0).shuffled(rng).cfg
}

#[test]
fn programs_without_jumps_need_no_labeled_block_and_leave_one_loop_at_a_time() {
    let mut rng = Rng::new(1);
    for _ in 0..2_000 {
        let cfg = program_without_jumps(&mut rng);
        check_graph(&cfg, Irreducible::Dispatch);
        let structured = structure(&cfg, Options::default());
        let is_far = |step: &Step| match *step {
            Step::Labeled { .. } => true,
            Step::Exit { depth, .. } | Step::Repeat { depth, .. } => depth > 0,
            _ => false,
        };
        assert!(!structured.steps().iter().any(is_far), "{cfg:?}\n{structured}");
    }
}

#[test]
fn the_graphs_of_the_corpus() {
    for (path, case) in corpus_cases() {
        let cfg = FlatCfg::new(&case.function).unwrap();
        println!("{}", path.display());
        check_graph(&cfg, Irreducible::Dispatch);
        check_graph(&cfg, Irreducible::Split { limit: 100 });
    }
}

#[test]
fn same_graph_same_program() {
    for seed in 0..200 {
        let bytes = random_bytes(seed);
        let cfg = decode(&mut Choices::new(&bytes));
        let options = Options::default().with_irreducible(Irreducible::Split { limit: 5 });
        assert_eq!(structure(&cfg, options), structure(&cfg.clone(), options));
    }
}
