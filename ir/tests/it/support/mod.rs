//! Graph properties by definition, slow and plain; and texts before and after a pass.

pub(crate) mod json_form;

use ssaphire::check;
use ssaphire_graph::FlatCfg;
use ssaphire_ir::generate::Rng;
use ssaphire_ir::text::{NameStyle, PhiStyle, PrintOptions, parse, to_string};
use ssaphire_ir::{Basic, Block, Function, IncomingEdge, Syntax};

/// Which blocks the entry reaches without passing `avoided`.
pub(crate) fn reachable(flat: &FlatCfg, avoided: Option<Block>) -> Vec<bool> {
    let mut seen = vec![false; flat.num_blocks()];
    let mut work = vec![flat.entry()];
    while let Some(block) = work.pop() {
        if Some(block) != avoided && !std::mem::replace(&mut seen[block.index()], true) {
            work.extend(flat.targets(block));
        }
    }
    seen
}

/// By definition: without edges to dominators of their source, what is reachable has no cycle.
pub(crate) fn is_reducible(flat: &FlatCfg) -> bool {
    let all = reachable(flat, None);
    let forward = |block: Block| flat.targets(block).iter().copied().filter(move |&to| !dominates(flat, to, block));
    let mut degree = vec![0; flat.num_blocks()];
    let live: Vec<_> = flat.blocks().filter(|block| all[block.index()]).collect();
    live.iter().flat_map(|&block| forward(block)).for_each(|to| degree[to.index()] += 1);
    let mut work: Vec<_> = live.iter().copied().filter(|block| degree[block.index()] == 0).collect();
    let mut done = 0;
    while let Some(block) = work.pop() {
        done += 1;
        for to in forward(block) {
            degree[to.index()] -= 1;
            if degree[to.index()] == 0 {
                work.push(to);
            }
        }
    }
    done == live.len()
}

/// By definition: without `block`, the entry does not reach `other`. For reachable blocks.
pub(crate) fn dominates(flat: &FlatCfg, block: Block, other: Block) -> bool {
    block == other || !reachable(flat, Some(block))[other.index()]
}

/// Reads a function in SSA form, or with variables.
pub(crate) fn read(source: &str) -> Function<Basic> {
    let function = parse(source).unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(check::rules(&function), []);
    function
}

/// What `pass` makes of `source` is `expected`, but for variables that nothing is a version of any more.
#[track_caller]
pub(crate) fn check_pass<T>(source: &str, expected: &str, pass: impl Fn(&mut Function<Basic>) -> T) -> T {
    let mut function = read(source);
    let result = pass(&mut function);
    assert_eq!(function.check_form(), []);
    assert_eq!(check::rules(&function), []);
    function.canonicalize();
    let text = function.to_string();
    let lines = |text: &str| -> Vec<String> {
        text.lines().map(str::trim).filter(|line| !line.starts_with("var ")).map(str::to_owned).collect()
    };
    assert_eq!(lines(&text), lines(&read(expected).to_string()), "\n{text}");
    result
}

/// Puts the incoming edges of some blocks in another order, those of one source by slot.
pub(crate) fn shuffle_edges(function: &mut Function<Basic>, rng: &mut Rng) {
    for block in function.blocks() {
        let mut order: Vec<IncomingEdge> = function.block(block).incoming().to_vec();
        for place in (1..order.len()).rev() {
            order.swap(place, rng.below(place + 1));
        }
        let mut by_slot = order.clone();
        by_slot.sort();
        let mut taken = vec![false; by_slot.len()];
        let order: Vec<_> = order
            .iter()
            .map(|edge| {
                let next = (0..by_slot.len()).find(|&at| !taken[at] && by_slot[at].source == edge.source).unwrap();
                taken[next] = true;
                by_slot[next]
            })
            .collect();
        function.set_incoming_order(block, &order).expect("these are its edges, slots ascending");
    }
    function.canonicalize();
}

/// What is printed is read back as the same, however phis are spelled.
#[track_caller]
pub(crate) fn check_spellings<D: Syntax>(function: &Function<D>) {
    assert_eq!(function.check_form(), []);
    for phis in [PhiStyle::List, PhiStyle::Params, PhiStyle::Upsilon] {
        let text = to_string(function, PrintOptions { phis, names: NameStyle::Source });
        match parse::<D>(&text) {
            Ok(read) => assert!(read == *function, "{phis:?}: {text}\nread as\n{read}"),
            Err(errors) => panic!("{phis:?}: {text}\n{errors}"),
        }
    }
}
