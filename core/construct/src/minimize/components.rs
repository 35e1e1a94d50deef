//! Redundant sets by strongly connected components.
//!
//! | Braun et al. 2013, Algorithm 5 | here |
//! |---|---|
//! | `removeRedundantPhis` | [`Minimizer::components`] |
//! | `computePhiSCCs`, topological order | `Tarjan::run`, which emits operands first |
//! | `processSCC` | `process` |
//!
//! # Complexity
//! O(phis + operands) per round, of which there are at most as many as phis and one more (section 4.1: each round
//! but the first takes a proper subset of a component); a path of phis with arcs both ways takes half as many as it has
//! phis. [`Minimizer::rounds`] counts both.
//!
//! # Departures
//! Levels are frames on a stack. A component of one phi is examined like any
//! other: an inner one may have become trivial. Inner phis are finished before the next component.

use super::dominated::Minimizer;
use super::{PhiGraph, Replacement};
use alloc::vec::Vec;
use ssaphire_graph::{IdMap, Value};

const NONE: u32 = u32::MAX;

/// Memory of Algorithm 5.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    number: IdMap<Value, u32>,
    /// By phi: what it stands for.
    stands_for: Vec<StandsFor>,
    /// By phi: the set under way it belongs to.
    set: Vec<u32>,
    num_sets: u32,
    tarjan: Tarjan,
    rounds: Rounds,
}

/// What Algorithm 5 counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rounds {
    /// Sets of phis whose components were computed: all phis, then the inner phis of components.
    pub rounds: u64,
    /// Operands looked at, in computing components and in collecting what flows into each.
    pub operands_scanned: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StandsFor {
    Itself,
    Phi(u32),
    Value(Value),
    Nothing,
}

/// The components of one level, in topological order, and which is next.
struct Level {
    components: Vec<Vec<u32>>,
    next: usize,
}

impl Minimizer {
    /// The redundant phis of the graph with what they stand for, in the order of its phis (Algorithm 5).
    pub fn components(&mut self, graph: &PhiGraph) -> &[Replacement] {
        let scratch = &mut self.components;
        scratch.begin(graph);
        let all: Vec<u32> = (0..graph.phis().len() as u32).collect();
        let mut levels = alloc::vec![scratch.level(graph, &all)];
        while let Some(level) = levels.last_mut() {
            let Some(component) = level.components.get_mut(level.next) else {
                levels.pop();
                continue;
            };
            level.next += 1;
            let component = core::mem::take(component);
            if let Some(inner) = scratch.process(graph, &component) {
                levels.push(scratch.level(graph, &inner));
            }
        }
        self.replacements.clear();
        for (index, &phi) in graph.phis().iter().enumerate() {
            match scratch.resolve(index as u32) {
                StandsFor::Itself => {}
                StandsFor::Phi(other) if other == index as u32 => {}
                StandsFor::Phi(other) => self.replacements.push((phi, Some(graph.phis()[other as usize]))),
                StandsFor::Value(value) => self.replacements.push((phi, Some(value))),
                StandsFor::Nothing => self.replacements.push((phi, None)),
            }
            scratch.number[phi] = NONE;
        }
        &self.replacements
    }

    /// What the last call of [`components`](Self::components) counted.
    pub fn rounds(&self) -> Rounds {
        self.components.rounds
    }
}

impl Scratch {
    fn begin(&mut self, graph: &PhiGraph) {
        self.stands_for.clear();
        self.stands_for.resize(graph.phis().len(), StandsFor::Itself);
        self.set.clear();
        self.set.resize(graph.phis().len(), NONE);
        self.num_sets = 0;
        self.rounds = Rounds::default();
        for (index, &phi) in graph.phis().iter().enumerate() {
            self.number.grow_to(phi, NONE);
            self.number[phi] = index as u32;
        }
    }

    /// What a phi stands for: `Phi` of itself if it stays. Halves the path on the way.
    fn resolve(&mut self, phi: u32) -> StandsFor {
        let mut at = phi;
        loop {
            match self.stands_for[at as usize] {
                StandsFor::Itself => return StandsFor::Phi(at),
                StandsFor::Phi(next) => {
                    if let over @ StandsFor::Phi(_) = self.stands_for[next as usize] {
                        self.stands_for[at as usize] = over;
                    }
                    at = next;
                }
                end => return end,
            }
        }
    }

    /// What an operand is by now.
    fn operand(&mut self, operand: Value) -> StandsFor {
        match self.number.get(operand) {
            Some(&number) if number != NONE => self.resolve(number),
            _ => StandsFor::Value(operand),
        }
    }

    /// The components of the subgraph that `phis` induce, operands first.
    fn level(&mut self, graph: &PhiGraph, phis: &[u32]) -> Level {
        self.num_sets += 1;
        self.rounds.rounds += 1;
        for &phi in phis {
            self.set[phi as usize] = self.num_sets;
            self.rounds.operands_scanned += graph.operands(phi as usize).len() as u64;
        }
        let mut tarjan = core::mem::take(&mut self.tarjan);
        let components = tarjan.run(self, graph, phis);
        self.tarjan = tarjan;
        Level { components, next: 0 }
    }

    /// Forwards the component if it is redundant; else its inner phis, to be decomposed further.
    fn process(&mut self, graph: &PhiGraph, component: &[u32]) -> Option<Vec<u32>> {
        self.num_sets += 1;
        for &phi in component {
            self.set[phi as usize] = self.num_sets;
        }
        let mut outer = None;
        let mut has_several = false;
        let mut inner = Vec::new();
        for &phi in component {
            let mut is_inner = true;
            self.rounds.operands_scanned += graph.operands(phi as usize).len() as u64;
            for &operand in graph.operands(phi as usize) {
                let operand = self.operand(operand);
                if matches!(operand, StandsFor::Phi(other) if self.set[other as usize] == self.num_sets) {
                    continue;
                }
                is_inner = false;
                has_several |= *outer.get_or_insert(operand) != operand;
            }
            if is_inner {
                inner.push(phi);
            }
        }
        if has_several {
            return (!inner.is_empty()).then_some(inner);
        }
        let same = outer.unwrap_or(StandsFor::Nothing);
        for &phi in component {
            self.stands_for[phi as usize] = same;
        }
        None
    }
}

/// Strongly connected components without recursion.
#[derive(Clone, Debug, Default)]
struct Tarjan {
    index: Vec<u32>,
    low: Vec<u32>,
    stack: Vec<u32>,
    frames: Vec<(u32, usize)>,
    num_visited: u32,
}

impl Tarjan {
    fn run(&mut self, scratch: &mut Scratch, graph: &PhiGraph, phis: &[u32]) -> Vec<Vec<u32>> {
        self.index.resize(graph.phis().len(), NONE);
        self.low.resize(graph.phis().len(), NONE);
        for &phi in phis {
            self.index[phi as usize] = NONE;
        }
        self.num_visited = 0;
        let mut components = Vec::new();
        for &root in phis {
            if self.index[root as usize] == NONE {
                self.visit(root);
                self.search(scratch, graph, &mut components);
            }
        }
        components
    }

    fn visit(&mut self, phi: u32) {
        self.index[phi as usize] = self.num_visited;
        self.low[phi as usize] = self.num_visited;
        self.num_visited += 1;
        self.stack.push(phi);
        self.frames.push((phi, 0));
    }

    fn search(&mut self, scratch: &mut Scratch, graph: &PhiGraph, components: &mut Vec<Vec<u32>>) {
        while let Some((phi, next)) = self.frames.last_mut() {
            let phi = *phi;
            let Some(&operand) = graph.operands(phi as usize).get(*next) else {
                self.frames.pop();
                self.leave(phi, components);
                continue;
            };
            *next += 1;
            let StandsFor::Phi(other) = scratch.operand(operand) else { continue };
            if scratch.set[other as usize] != scratch.num_sets {
                continue;
            }
            match self.index[other as usize] {
                NONE => self.visit(other),
                // Finished components have `low` at the largest number, and lower nothing.
                _ => self.low[phi as usize] = self.low[phi as usize].min(self.low[other as usize]),
            }
        }
    }

    fn leave(&mut self, phi: u32, components: &mut Vec<Vec<u32>>) {
        let low = self.low[phi as usize];
        if let Some(&(parent, _)) = self.frames.last() {
            self.low[parent as usize] = self.low[parent as usize].min(low);
        }
        if low != self.index[phi as usize] {
            return;
        }
        let start = self.stack.iter().rposition(|&other| other == phi).unwrap_or(0);
        let component: Vec<u32> = self.stack.drain(start..).collect();
        for &member in &component {
            self.low[member as usize] = NONE;
        }
        components.push(component);
    }
}
