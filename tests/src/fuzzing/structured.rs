//! Any graph as a structured program: it does the same, with as few copies and labels as it says.

use crate::choices::Choices;
use crate::generate::is_reducible;
use crate::small::{SmallGraph, members};
use crate::structured;
use ssaphire::Block;
use ssaphire::destruct::Thresholds;
use ssaphire::destruct::structure::{
    Construct, Handling, Irreducible, Label, Options, Report, Selector, Step, Structured, structure,
};
use ssaphire::graph::{DominatorTree, FlatCfg, LoopForest, Order};

/// The structured programs of a graph, with and without copies, are right.
///
/// # Panics
/// If one is not.
pub fn check(bytes: &[u8]) {
    let mut choices = Choices::new(bytes);
    let limit = choices.pick(&[0, 1, 2, 3, 5, 10, 30, 1000]);
    let cfg = decode(&mut choices);
    check_graph(&cfg, Irreducible::Dispatch);
    check_graph(&cfg, Irreducible::Split { limit });
    if cfg.num_blocks() <= 8 {
        // Copies are at most exponential in the nesting of loops.
        let report = check_graph(&cfg, Irreducible::Split { limit: usize::MAX });
        assert!(!report.limit_reached, "{cfg:?}");
    }
}

/// A graph of one of several shapes.
pub fn decode(choices: &mut Choices<'_>) -> FlatCfg {
    let num_blocks = 1 + choices.below(14);
    let mut targets = vec![Vec::new(); num_blocks];
    // Paths to all blocks, or to some; many or few edges back; many or few of them repeated.
    let (unreachable, back, repeated) = (choices.pick(&[0, 10]), choices.pick(&[0, 20, 50]), choices.pick(&[0, 20]));
    for block in 1..num_blocks {
        if !choices.chance(unreachable) {
            // Deep graphs are more interesting than wide ones.
            let source = if choices.chance(50) { block - 1 } else { choices.below(block) };
            targets[source].push(Block::new(block));
        }
    }
    for _ in 0..choices.below(2 * num_blocks) {
        let source = choices.below(num_blocks);
        let is_back = choices.chance(back) || source + 1 == num_blocks;
        let target =
            if is_back { choices.below(source + 1) } else { source + 1 + choices.below(num_blocks - source - 1) };
        let place = choices.below(targets[source].len() + 1);
        targets[source].insert(place, Block::new(target));
        if choices.chance(repeated) {
            targets[source].push(Block::new(target));
        }
    }
    FlatCfg::from_successors(Block::new(0), &targets).expect("targets are blocks")
}

/// The structured program of `cfg` is right: what was reported.
///
/// # Panics
/// If it is not.
pub fn check_graph(cfg: &FlatCfg, irreducible: Irreducible) -> Report {
    let options = Options::default().with_irreducible(irreducible);
    if irreducible != Irreducible::Dispatch {
        // What is left after one round is dispatched.
        let mut thresholds = Thresholds::default();
        thresholds.split_rounds = 1;
        check_structured(cfg, options.with_thresholds(thresholds));
    }
    check_structured(cfg, options)
}

fn check_structured(cfg: &FlatCfg, options: Options) -> Report {
    let irreducible = options.irreducible;
    let structured = structure(cfg, options);
    let text = structured.to_string();
    let shown = || format!("{irreducible:?} {cfg:?} {:?}\n{text}", structured.report());
    structured::check(cfg, &text).unwrap_or_else(|problem| panic!("{problem}: {}", shown()));
    structured::check_needs(&text).unwrap_or_else(|problem| panic!("{problem}: {}", shown()));
    let has_dispatch = text.contains("next");
    assert_eq!(has_dispatch, structured.has_dispatch(), "{}", shown());
    check_report(cfg, irreducible, structured.report(), has_dispatch).unwrap_or_else(|()| panic!("{}", shown()));
    let places = structured::places(cfg.num_blocks(), &text).expect("the text was read before");
    let order = Order::new(cfg);
    let report = structured.report();
    assert_eq!(places.iter().sum::<usize>(), order.num_reachable() + report.num_copies, "{}", shown());
    assert!(cfg.blocks().all(|block| order.is_reachable(block) == (places[block.index()] > 0)), "{}", shown());
    check_steps(&structured).unwrap_or_else(|problem| panic!("{problem}: {}", shown()));
    if leaves_each_loop_for_one_block(cfg) {
        check_nesting(cfg, &structured).unwrap_or_else(|problem| panic!("{problem}: {}", shown()));
    }
    structured.report().clone()
}

/// How many graphs were checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// All of them.
    pub graphs: usize,
    /// Those with irreducible regions.
    pub irreducible: usize,
    /// Copies of blocks that made them reducible.
    pub copies: usize,
}

/// The structured programs of a small graph are right, whatever the order of the slots of its blocks.
///
/// # Panics
/// If one is not.
pub fn check_slot_orders(small: &SmallGraph) -> Counts {
    let in_order: Vec<Vec<Block>> =
        (0..small.num_blocks).map(|block| small.targets(block).map(Block::new).collect()).collect();
    let mut counts = Counts::default();
    for reversed in 0..1 << small.num_blocks {
        let mut targets = in_order.clone();
        for block in members(reversed) {
            targets[block].reverse();
        }
        if members(reversed).any(|block| targets[block] == in_order[block]) {
            continue;
        }
        let cfg = FlatCfg::from_successors(Block::new(0), &targets).expect("targets are blocks");
        counts.graphs += 1;
        if !check_graph(&cfg, Irreducible::Dispatch).regions.is_empty() {
            counts.irreducible += 1;
            let split = check_graph(&cfg, Irreducible::Split { limit: usize::MAX });
            assert!(!split.limit_reached, "{cfg:?}");
            counts.copies += split.num_copies;
            (0..split.num_copies).for_each(|limit| _ = check_graph(&cfg, Irreducible::Split { limit }));
        }
    }
    counts
}

/// The report is about that graph, and what was asked for.
fn check_report(cfg: &FlatCfg, irreducible: Irreducible, report: &Report, has_dispatch: bool) -> Result<(), ()> {
    let limit = if let Irreducible::Split { limit } = irreducible { limit } else { 0 };
    let copies = report.regions.iter().map(|region| match region.handling {
        Handling::Split { num_copies } => num_copies,
        _ => 0,
    });
    let are_regions = report.regions.iter().all(|region| {
        let has_entries = !matches!(region.handling, Handling::Dispatched { num_targets: ..2 });
        region.num_blocks >= 2 && has_entries
    });
    let is_so = are_regions
        && report.regions.is_empty() == is_reducible(cfg)
        && copies.sum::<usize>() == report.num_copies
        && report.num_copies <= limit
        && report.limit_reached == (has_dispatch && irreducible != Irreducible::Dispatch);
    is_so.then_some(()).ok_or(())
}

/// Whether the graph is reducible and all edges that leave a loop lead to the same block, for each loop.
fn leaves_each_loop_for_one_block(cfg: &FlatCfg) -> bool {
    let loops = LoopForest::new(cfg, &DominatorTree::new(cfg));
    let leaves_for_one = |header: Block| {
        let targets = loops.blocks(header).iter().flat_map(|&block| cfg.targets(block));
        let outside: Vec<Block> = targets.copied().filter(|&target| !loops.contains(header, target)).collect();
        outside.windows(2).all(|pair| pair[0] == pair[1])
    };
    loops.is_reducible() && loops.headers().all(leaves_for_one)
}

/// Blocks stand in as many loops as they are in.
fn check_nesting(cfg: &FlatCfg, structured: &Structured) -> Result<(), String> {
    let loops = LoopForest::new(cfg, &DominatorTree::new(cfg));
    let mut depth = 0;
    for &step in structured.steps() {
        match step {
            Step::Loop { .. } => depth += 1,
            Step::End(Construct::Loop(_)) => depth -= 1,
            Step::Execute(block) => expect(loops.depth(block) == depth, step)?,
            _ => {}
        }
    }
    Ok(())
}

/// What steps open they close, in order; depths count what is between; forks stand behind their blocks.
fn check_steps(structured: &Structured) -> Result<(), String> {
    let mut open: Vec<Step> = Vec::new();
    let mut before = None;
    for &step in structured.steps() {
        match step {
            Step::Loop { .. } | Step::Labeled { .. } | Step::Fork(_) | Step::Arm(_) => {
                if let Step::Fork(Selector::Terminator(block)) = step {
                    expect(before == Some(Step::Execute(block)), step)?;
                }
                if let Step::Arm(arm) = step {
                    expect(matches!(open.last(), Some(Step::Fork(_))), step)?;
                    expect(structured.slots(arm).is_sorted() && !structured.slots(arm).is_empty(), step)?;
                }
                open.push(step);
            }
            Step::End(_) if matches!(before, Some(Step::Arm(_) | Step::Fork(_))) => expect(false, step)?,
            Step::End(construct) => expect(open.pop().is_some_and(|opened| closes(construct, opened)), step)?,
            Step::Exit { label, depth } | Step::Repeat { label, depth } => {
                let labels = open.iter().rev().filter_map(|&opened| scope(opened));
                let named = labels.into_iter().nth(depth as usize);
                expect(named == Some(Some(label)), step)?;
            }
            Step::Execute(_) | Step::SetDispatch(_) => {}
        }
        before = Some(step);
    }
    if open.is_empty() { Ok(()) } else { Err("something is left open".to_owned()) }
}

fn expect(is_so: bool, step: Step) -> Result<(), String> {
    if is_so { Ok(()) } else { Err(format!("{step:?} cannot stand where it does")) }
}

fn closes(construct: Construct, opened: Step) -> bool {
    match construct {
        Construct::Loop(label) => opened == Step::Loop { label },
        Construct::Labeled(label) => opened == Step::Labeled { label },
        Construct::Fork => matches!(opened, Step::Fork(_)),
        Construct::Arm => matches!(opened, Step::Arm(_)),
    }
}

/// The label of a loop or labeled block, which a loop may lack; `None` for what cannot be left.
fn scope(opened: Step) -> Option<Option<Label>> {
    match opened {
        Step::Loop { label } => Some(label),
        Step::Labeled { label } => Some(Some(label)),
        _ => None,
    }
}
