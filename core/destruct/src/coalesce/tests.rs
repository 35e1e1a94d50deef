//! Classes against their definition: all pairs of names, with liveness searched point by point.

use super::*;
use crate::names::{AT_END, Content};
use crate::sample::{self, Function, below, function};
use crate::seams::Seams;
use crate::{DestructError, Thresholds};
use alloc::collections::BTreeSet;
use alloc::vec;
use ssaphire_graph::{Block, Value, ValueEvent};

/// The points at which a name has content, each a block and a position, and the end of the block.
fn live_points(names: &Names, cfg: &FlatCfg, dominators: &DominatorTree, name: Name) -> BTreeSet<(u32, u32)> {
    let definition = names.definitions[name];
    let mut points = BTreeSet::from([(definition.block, definition.position)]);
    let mut work: Vec<(u32, u32)> = names.uses.of(name).to_vec();
    let mut at_end = BTreeSet::new();
    while let Some((block, position)) = work.pop() {
        let starts_here = block == definition.block && definition.position < position;
        // Live behind each position up to the one before the use.
        let first = if starts_here { definition.position } else { 0 };
        points.extend((first..position.min(1_000)).map(|position| (block, position)));
        if starts_here {
            continue;
        }
        points.insert((block, 0));
        for &edge in cfg.incoming(dominators.preorder()[block as usize]) {
            if let Some(source) = dominators.preorder_index(cfg.source(edge)) {
                if at_end.insert(source) {
                    work.push((source as u32, AT_END));
                }
            }
        }
    }
    points
}

/// All pairs, as they are defined.
struct Pairwise<'f> {
    names: &'f Names,
    points: Vec<BTreeSet<(u32, u32)>>,
    class: Vec<usize>,
}

impl Pairwise<'_> {
    fn intersect(&self, one: usize, other: usize) -> bool {
        let at = |name: usize| {
            (self.names.definitions[Name::new(name)].block, self.names.definitions[Name::new(name)].position)
        };
        self.points[one].contains(&at(other)) || self.points[other].contains(&at(one))
    }

    fn content(&self, name: usize) -> Content {
        self.names.definitions[Name::new(name)].content
    }

    fn merge(&mut self, one: Name, other: Name) -> bool {
        let [one, other] = [one, other].map(|name| self.class[name.index()]);
        let members =
            |class: usize| -> Vec<usize> { (0..self.class.len()).filter(|&name| self.class[name] == class).collect() };
        let interferes = |a: usize, b: usize| self.intersect(a, b) && self.content(a) != self.content(b);
        let may = one == other || !members(one).iter().any(|&a| members(other).iter().any(|&b| interferes(a, b)));
        if may {
            self.class.iter_mut().filter(|class| **class == other).for_each(|class| *class = one);
        }
        may
    }

    /// Whether a name of the class of `name` that is defined above it is live there, with the same content.
    fn is_copy_redundant(&self, name: Name) -> bool {
        let at = (self.names.definitions[name].block, self.names.definitions[name].position);
        (0..name.index()).any(|above| {
            self.class[above] == self.class[name.index()]
                && self.points[above].contains(&at)
                && self.content(above) == self.content(name.index())
        })
    }
}

#[test]
fn classes_are_those_of_pairwise_interference() {
    // Every class of two names or more is a search tree, or none; live ranges are searched for one by one all, in part or not at all.
    for (listed_class, live_range_edges) in [(32, 4), (1, 1), (1, 0), (32, 0)] {
        compare_with_pairs(Thresholds { listed_class, live_range_edges, ..Thresholds::default() });
    }
}

fn compare_with_pairs(thresholds: Thresholds) {
    let (mut merged, mut refused, mut shared) = (0, 0, 0);
    for seed in 0..400 {
        let function = function(seed);
        let seams = match Seams::new(&function) {
            Ok(seams) => seams,
            // Two edges between the same blocks.
            Err(DestructError::CannotSplit { .. }) => continue,
            Err(error) => panic!("seed {seed}: {error}"),
        };
        let dominators = DominatorTree::new(seams.split());
        let names = match Names::new(&function, &seams, &dominators) {
            Ok(names) => names,
            Err(error) => panic!("seed {seed}: {error}"),
        };
        let num_names = names.definitions.len();
        let mut coalescing = Coalescing::new(&names, seams.split(), &dominators, thresholds);
        let points = (0..num_names).map(|name| live_points(&names, seams.split(), &dominators, Name::new(name)));
        let class = (0..num_names).map(|name| coalescing.class(Name::new(name)).index()).collect();
        let mut pairwise = Pairwise { names: &names, points: points.collect(), class };
        // Copies, and pairs that no copy joins, until the classes are large.
        let mut state = seed;
        let copies = names.copies.iter().filter_map(|copy| match copy.from {
            Content::Of(from) => Some((copy.to, from)),
            Content::Constant(_) => None,
        });
        let mut pairs: Vec<(Name, Name)> = copies.collect();
        pairs.extend(
            (0..3 * num_names)
                .map(|_| (Name::new(below(&mut state, num_names)), Name::new(below(&mut state, num_names)))),
        );
        for (one, other) in pairs {
            let may = pairwise.merge(one, other);
            assert_eq!(coalescing.merge(one, other).is_ok(), may, "seed {seed}: {one} and {other}");
            merged += usize::from(may);
            refused += usize::from(!may);
        }
        for name in (0..num_names).map(Name::new) {
            let is_redundant = pairwise.is_copy_redundant(name);
            assert_eq!(coalescing.is_copy_redundant(name), is_redundant, "seed {seed}: {name}");
            shared += usize::from(is_redundant);
        }
    }
    assert!(merged > 5_000 && refused > 5_000 && shared > 200, "{merged} {refused} {shared}");
}

#[test]
fn what_is_used_and_not_defined_is_an_error() {
    let mut function = function(1);
    function.events[0].insert(0, ValueEvent::Use(Value::new(function.num_values)));
    function.num_values += 1;
    function.copied.push(None);
    let error = crate::destruct(&function, crate::Method::Coalescing).unwrap_err();
    let value = Value::new(function.num_values - 1);
    assert_eq!(error, DestructError::NotDefined { value, block: Block::new(0) });
    assert_eq!(crate::destruct(&function, crate::Method::Coloring).unwrap_err(), error);
}

#[test]
fn a_value_beyond_those_there_are_is_an_error() {
    let mut function = function(1);
    let value = Value::new(function.num_values);
    function.events[0].insert(0, ValueEvent::Def(value));
    let error = DestructError::NoSuchValue { value, num_values: function.num_values };
    for &method in crate::Method::ALL {
        assert_eq!(crate::destruct(&function, method), Err(error), "{method}");
    }
}

/// `n` blocks in a row, each with an edge to one handler, which joins eight variables that the blocks write in turn.
fn handlers(n: usize) -> Function {
    let handler = Block::new(n + 1);
    let mut targets: Vec<Vec<Block>> = (0..n).map(|at| vec![Block::new(at + 1), handler]).collect();
    targets.extend([vec![], vec![]]);
    let mut current = [Value::new(0); 8];
    let mut phis = vec![Vec::new(); n + 2];
    phis[n + 1] = (0..8).map(|variable| (Value::new(n + 1 + variable), Vec::new())).collect();
    let mut events: Vec<Vec<ValueEvent>> = Vec::new();
    for at in 0..n {
        for variable in 0..8 {
            phis[n + 1][variable].1.push(current[variable]);
        }
        let value = Value::new(at + 1);
        events.push(vec![ValueEvent::Use(current[(at + 3) % 8]), ValueEvent::Def(value), ValueEvent::Use(current[0])]);
        current[at % 8] = value;
    }
    events.extend([vec![], (0..8).map(|variable| ValueEvent::Use(Value::new(n + 1 + variable))).collect()]);
    let cfg = FlatCfg::from_successors(Block::new(0), &targets).unwrap();
    Function { cfg, num_values: n + 9, phis, events, copied: vec![None; n + 9], unsplittable: false }
}

fn num_comparisons(function: &Function) -> usize {
    let seams = Seams::new(function).unwrap();
    let dominators = DominatorTree::new(seams.split());
    let names = Names::new(function, &seams, &dominators).unwrap();
    let mut coalescing = Coalescing::new(&names, seams.split(), &dominators, Thresholds::default());
    for copy in &names.copies {
        if let Content::Of(from) = copy.from {
            let _ = coalescing.merge(copy.to, from);
        }
    }
    let sets = coalescing.live.sets.as_ref().map_or(0, |live| live.sets().steps as usize);
    coalescing.num_comparisons + sets
}

/// Values that live to the end are compared with names of classes that grow with the function.
#[test]
fn live_ranges_as_long_as_the_function_are_not_walked_through_one_by_one() {
    for (name, shape) in [("nest", sample::nest as fn(usize) -> Function), ("exits", sample::exits)] {
        let [small, large] = [1_000, 16_000].map(|n| num_comparisons(&shape(n)));
        assert!(large < 40 * small, "{name}: {small} steps, then {large}");
    }
}

/// Below a short live range lie many blocks in which it is dead: those with members are passed over at once.
#[test]
fn names_below_dead_blocks_are_not_looked_at_one_by_one() {
    let [small, large] = [100, 1_000].map(|n| num_comparisons(&handlers(n)));
    assert!(large < 15 * small, "{small} comparisons, then {large}");
}

/// A class that is a search tree holds unions of live sets; one that is a list is gone through.
#[test]
fn the_first_member_whose_block_a_name_leaves_alive_is_that_of_a_list() {
    let mut num_found = 0;
    for seed in 0..300 {
        let function = function(seed);
        let Ok(seams) = Seams::new(&function) else { continue };
        let dominators = DominatorTree::new(seams.split());
        let names = Names::new(&function, &seams, &dominators).unwrap();
        let thresholds = Thresholds { live_range_edges: 0, ..Thresholds::default() };
        let mut live = LiveRanges::new(&names, seams.split(), &dominators, thresholds);
        let all: Vec<Name> = (0..names.definitions.len()).map(Name::new).collect();
        all.iter().for_each(|&name| _ = live.next_live_out(name, 0));
        if live.sets.is_none() {
            continue;
        }
        let mut state = seed;
        let [mut tree, mut list] = [1, u32::MAX].map(|small| Classes::new(names.subtree_ends(&dominators), small));
        let mut members = Vec::from([all[0]]);
        for _ in 0..10 {
            let other = all[below(&mut state, all.len())];
            if tree.class(other) != all[0] {
                members.push(other);
                tree.merge(all[0], other, &[other]);
                list.merge(all[0], other, &[other]);
            }
            for &wanted in &all {
                let from = all[below(&mut state, all.len())];
                let found = tree.first_live(all[0], from, wanted, &mut live);
                assert_eq!(
                    found,
                    list.first_live(all[0], from, wanted, &mut live),
                    "seed {seed}: {wanted} from {from}"
                );
                num_found += usize::from(found.is_some());
            }
        }
    }
    assert!(num_found > 1_000, "{num_found}");
}
