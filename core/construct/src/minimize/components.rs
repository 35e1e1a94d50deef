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
use super::phi_graph::PhiNumber;
use super::{PhiGraph, Replacement};
use alloc::vec::Vec;
use ssaphire_graph::internal_id;
use ssaphire_graph::{Id, IdMap, PackedOption, Value};

/// Memory of Algorithm 5.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    /// By value: the phi it is; none between calls.
    number: IdMap<Value, PackedOption<PhiNumber>>,
    /// By phi: the value or phi that it stands for.
    stands_for: IdMap<PhiNumber, StandsFor>,
    /// By phi: the current set it belongs to; sets count from 1.
    set: IdMap<PhiNumber, u32>,
    num_sets: u32,
    tarjan: Tarjan,
    rounds: Rounds,
}

/// The work of Algorithm 5.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rounds {
    /// Sets of phis whose components were computed: all phis, then the inner phis of components.
    pub rounds: u64,
    /// Operands looked at, in computing components and in collecting the outer operands of each.
    pub operands_scanned: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StandsFor {
    Itself,
    Phi(PhiNumber),
    Value(Value),
    Nothing,
}

/// The components of one level, in topological order, and which is next.
struct Level {
    components: Vec<Vec<PhiNumber>>,
    next: usize,
}

impl Minimizer {
    /// The redundant phis of the graph, with the values they stand for, in the order of its phis (Algorithm 5).
    pub fn components(&mut self, graph: &PhiGraph) -> &[Replacement] {
        let scratch = &mut self.components;
        scratch.begin(graph);
        let all: Vec<PhiNumber> = graph.numbers().collect();
        let mut levels = alloc::vec![scratch.level(graph, &all)];
        while let Some(level) = levels.last_mut() {
            let Some(component) = level.components.get_mut(level.next) else {
                levels.pop();
                continue;
            };
            level.next += 1;
            let component = core::mem::take(component);
            // Inner phis come before the next component: its operands may be among them, and are compared as what
            // they stand for.
            if let Some(inner) = scratch.process(graph, &component) {
                levels.push(scratch.level(graph, &inner));
            }
        }
        self.replacements.clear();
        for (number, phi) in graph.numbered() {
            match scratch.resolve(number) {
                StandsFor::Itself => {}
                StandsFor::Phi(other) if other == number => {}
                StandsFor::Phi(other) => self.replacements.push((phi, Some(graph.phi(other)))),
                StandsFor::Value(value) => self.replacements.push((phi, Some(value))),
                StandsFor::Nothing => self.replacements.push((phi, None)),
            }
            scratch.number[phi] = PackedOption::NONE;
        }
        &self.replacements
    }

    /// The work of the last call of [`components`](Self::components).
    pub fn rounds(&self) -> Rounds {
        self.components.rounds
    }
}

impl Scratch {
    fn begin(&mut self, graph: &PhiGraph) {
        self.stands_for.reset(graph.phis().len(), StandsFor::Itself);
        self.set.reset(graph.phis().len(), 0);
        self.num_sets = 0;
        self.rounds = Rounds::default();
        for (number, phi) in graph.numbered() {
            self.number.grow_to(phi, PackedOption::NONE);
            self.number[phi] = number.into();
        }
    }

    /// The value or phi that a phi stands for: `Phi` of itself if it stays. Halves the path on the way, which need not
    /// end at a phi.
    fn resolve(&mut self, phi: PhiNumber) -> StandsFor {
        let mut at = phi;
        loop {
            match self.stands_for[at] {
                StandsFor::Itself => return StandsFor::Phi(at),
                StandsFor::Phi(next) => {
                    if let over @ StandsFor::Phi(_) = self.stands_for[next] {
                        self.stands_for[at] = over;
                    }
                    at = next;
                }
                end => return end,
            }
        }
    }

    /// The value or phi that an operand stands for by now.
    fn operand(&mut self, operand: Value) -> StandsFor {
        match self.number.get(operand).and_then(|number| number.expand()) {
            Some(number) => self.resolve(number),
            None => StandsFor::Value(operand),
        }
    }

    /// The components of the subgraph that `phis` induce, operands first.
    fn level(&mut self, graph: &PhiGraph, phis: &[PhiNumber]) -> Level {
        self.num_sets += 1;
        self.rounds.rounds += 1;
        for &phi in phis {
            self.set[phi] = self.num_sets;
            self.rounds.operands_scanned += graph.operands_of(phi).len() as u64;
        }
        let mut tarjan = core::mem::take(&mut self.tarjan);
        let components = tarjan.run(self, graph, phis);
        self.tarjan = tarjan;
        Level { components, next: 0 }
    }

    /// Forwards the component if it is redundant. Otherwise returns its inner phis, if any, to be decomposed further.
    fn process(&mut self, graph: &PhiGraph, component: &[PhiNumber]) -> Option<Vec<PhiNumber>> {
        self.num_sets += 1;
        for &phi in component {
            self.set[phi] = self.num_sets;
        }
        let mut outer = None;
        let mut has_several = false;
        let mut inner = Vec::new();
        for &phi in component {
            let mut is_inner = true;
            self.rounds.operands_scanned += graph.operands_of(phi).len() as u64;
            for &operand in graph.operands_of(phi) {
                let operand = self.operand(operand);
                if matches!(operand, StandsFor::Phi(other) if self.set[other] == self.num_sets) {
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
        // The outer value is resolved and not a member, so forwarding makes no cycle.
        let same = outer.unwrap_or(StandsFor::Nothing);
        for &phi in component {
            self.stands_for[phi] = same;
        }
        None
    }
}

internal_id!(
    /// When a phi was visited.
    Visit, "visit"
);

/// Strongly connected components without recursion.
#[derive(Clone, Debug, Default)]
struct Tarjan {
    index: IdMap<PhiNumber, PackedOption<Visit>>,
    /// None, which comes after all visits, for the phis of finished components.
    low: IdMap<PhiNumber, PackedOption<Visit>>,
    stack: Vec<PhiNumber>,
    frames: Vec<(PhiNumber, usize)>,
    num_visited: usize,
}

impl Tarjan {
    fn run(&mut self, scratch: &mut Scratch, graph: &PhiGraph, phis: &[PhiNumber]) -> Vec<Vec<PhiNumber>> {
        for &phi in phis {
            self.index.grow_to(phi, PackedOption::NONE);
            self.low.grow_to(phi, PackedOption::NONE);
            // Left over from another level. `low` is set at the visit.
            self.index[phi] = PackedOption::NONE;
        }
        self.num_visited = 0;
        let mut components = Vec::new();
        for &root in phis {
            if self.index[root].is_none() {
                self.visit(root);
                self.search(scratch, graph, &mut components);
            }
        }
        components
    }

    fn visit(&mut self, phi: PhiNumber) {
        let visit = Visit::new(self.num_visited).into();
        self.index[phi] = visit;
        self.low[phi] = visit;
        self.num_visited += 1;
        self.stack.push(phi);
        self.frames.push((phi, 0));
    }

    fn search(&mut self, scratch: &mut Scratch, graph: &PhiGraph, components: &mut Vec<Vec<PhiNumber>>) {
        while let Some((phi, next)) = self.frames.last_mut() {
            let phi = *phi;
            let Some(&operand) = graph.operands_of(phi).get(*next) else {
                self.frames.pop();
                self.leave(phi, components);
                continue;
            };
            *next += 1;
            let StandsFor::Phi(other) = scratch.operand(operand) else { continue };
            if scratch.set[other] != scratch.num_sets {
                continue;
            }
            match self.index[other].expand() {
                None => self.visit(other),
                // Finished components lower nothing.
                Some(_) => self.low[phi] = self.low[phi].min(self.low[other]),
            }
        }
    }

    fn leave(&mut self, phi: PhiNumber, components: &mut Vec<Vec<PhiNumber>>) {
        let low = self.low[phi];
        if let Some(&(parent, _)) = self.frames.last() {
            // If the component of `phi` ends here, its lowest visit is later than that of the parent, for which
            // nothing changes.
            self.low[parent] = self.low[parent].min(low);
        }
        if low != self.index[phi] {
            return;
        }
        // From the end, so that only members of the component are passed.
        let start = self.stack.iter().rposition(|&other| other == phi).unwrap_or(0);
        let component: Vec<PhiNumber> = self.stack.drain(start..).collect();
        for &member in &component {
            self.low[member] = PackedOption::NONE;
        }
        components.push(component);
    }
}
