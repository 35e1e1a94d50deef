//! Random locations and moves: what is accepted does on every walk what the function does.

mod sample;

use super::*;
use alloc::vec;
use sample::{Random, Sample};
use ssaphire_graph::{Cfg, FlatCfg, SsaForm};

/// A form with locations and moves, right or not.
#[derive(Debug)]
struct Placed {
    form: Sample,
    location: Vec<Option<u32>>,
    moves: Vec<(InsertionPoint, u32, Moved)>,
}

impl Cfg for Placed {
    fn num_blocks(&self) -> usize {
        self.form.cfg.num_blocks()
    }

    fn entry(&self) -> Block {
        self.form.cfg.entry()
    }

    fn successors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.form.cfg.successors(block)
    }

    fn predecessors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.form.cfg.predecessors(block)
    }
}

impl SsaForm for Placed {
    fn num_values(&self) -> usize {
        self.form.num_values
    }

    fn globals(&self) -> impl Iterator<Item = Value> {
        (0..self.form.num_globals).map(Value::new)
    }

    fn phis(&self, block: Block) -> impl Iterator<Item = Value> {
        self.form.phis[block.index()].iter().map(|phi| phi.0)
    }

    fn operands(&self, block: Block, phi: Value) -> impl Iterator<Item = Value> {
        let found = self.form.phis[block.index()].iter().find(|candidate| candidate.0 == phi);
        found.into_iter().flat_map(|phi| phi.1.iter().copied())
    }

    fn events(&self, block: Block) -> impl Iterator<Item = ValueEvent> {
        self.form.events[block.index()].iter().copied()
    }
}

impl InsertionPoints for Placed {
    fn num_results_at_top(&self, _: Block) -> usize {
        0
    }

    fn num_terminator_uses(&self, _: Block) -> usize {
        0
    }
}

impl Located for Placed {
    fn location(&self, value: Value) -> Option<u32> {
        self.location[value.index()]
    }

    fn moves(&self, point: InsertionPoint) -> impl Iterator<Item = (u32, Moved)> {
        self.moves.iter().filter(move |found| found.0 == point).map(|&(_, to, from)| (to, from))
    }
}

impl Placed {
    /// Each variable has a location of its own, and moves do what its copies do; then some of it is changed.
    fn random(random: &mut Random) -> Self {
        let (form, variable_of) = Sample::random(random);
        let mut location: Vec<Option<u32>> = variable_of.into_iter().map(|variable| Some(variable as u32)).collect();
        if random.one_in(3) {
            // A constant, which is moved to where it is needed.
            location[random.below(form.num_globals)] = None;
        }
        for _ in 0..random.below(3) {
            let value = random.below(location.len());
            location[value] = Some(random.below(4) as u32);
        }
        let mut moves = Vec::new();
        for block in form.cfg.blocks() {
            for &edge in form.cfg.incoming(block) {
                let (source, slot) = (form.cfg.source(edge), form.cfg.slot(edge));
                let index = form.cfg.incoming(block).iter().position(|&other| other == edge).unwrap();
                for (phi, operands) in &form.phis[block.index()] {
                    let (to, from) = (location[phi.index()], location[operands[index].index()]);
                    let moved = from.map_or(Moved::Value(operands[index]), Moved::Location);
                    if to != from && !random.one_in(8) {
                        moves.extend(to.map(|to| (InsertionPoint::Edge(IncomingEdge { source, slot }), to, moved)));
                    }
                }
            }
        }
        for _ in 0..random.below(2) {
            let block = Block::new(random.below(form.cfg.num_blocks()));
            let point = if random.one_in(2) { InsertionPoint::Top(block) } else { InsertionPoint::End(block) };
            moves.push((point, random.below(4) as u32, Moved::Location(random.below(4) as u32)));
        }
        Self { form, location, moves }
    }

    fn apply(&self, point: InsertionPoint, store: &mut [usize], holds: &[usize]) {
        for (to, from) in self.moves(point) {
            store[to as usize] = match from {
                Moved::Location(from) => store[from as usize],
                Moved::Value(value) => holds[value.index()],
            };
        }
    }

    /// Walks along edges: whether each use finds its value.
    fn runs(&self, random: &mut Random) -> bool {
        let mut next = 100;
        let mut holds: Vec<usize> = (0..self.form.num_values).collect();
        let mut store = vec![usize::MAX; 8];
        for global in self.globals() {
            if let Some(location) = self.location(global) {
                store[location as usize] = holds[global.index()];
            }
        }
        let mut block = self.entry();
        for _ in 0..20 {
            self.apply(InsertionPoint::Top(block), &mut store, &holds);
            for event in self.events(block) {
                match event {
                    ValueEvent::Use(value) => {
                        let is_there = |location: u32| store[location as usize] == holds[value.index()];
                        if !self.location(value).is_none_or(is_there) {
                            return false;
                        }
                    }
                    ValueEvent::Def(value) => {
                        next += 1;
                        holds[value.index()] = next;
                        let Some(location) = self.location(value) else { return false };
                        store[location as usize] = next;
                    }
                }
            }
            self.apply(InsertionPoint::End(block), &mut store, &holds);
            let edges: Vec<Edge> = self.form.cfg.outgoing(block).collect();
            if edges.is_empty() {
                return true;
            }
            let edge = edges[random.below(edges.len())];
            let slot = self.form.cfg.slot(edge);
            self.apply(InsertionPoint::Edge(IncomingEdge { source: block, slot }), &mut store, &holds);
            block = self.form.cfg.target(edge);
            let index = self.form.cfg.incoming(block).iter().position(|&other| other == edge).unwrap();
            let before = holds.clone();
            for (phi, operands) in &self.form.phis[block.index()] {
                holds[phi.index()] = before[operands[index].index()];
            }
        }
        true
    }
}

fn frame(form: &impl Located) -> Frame {
    let mut frame = Frame::default();
    frame.rebuild(form, &mut Vec::new());
    frame
}

fn is_accepted_directly(form: &impl Located) -> bool {
    Checker::new(form, &frame(form)).is_accepted_directly()
}

#[test]
fn what_is_accepted_runs_and_what_live_sets_accept_is_accepted_directly() {
    let mut counts = [0; 3];
    for seed in 0..6_000 {
        let mut random = Random::new(seed);
        let placed = Placed::random(&mut random);
        if !rules(&placed).is_empty() {
            continue;
        }
        let found = locations(&placed);
        let (is_direct, by_live_sets) =
            (is_accepted_directly(&placed), Checker::new(&placed, &frame(&placed)).check_by_live_sets());
        assert!(is_direct || !by_live_sets.is_empty(), "{placed:?}");
        assert_eq!(found.is_empty(), is_direct, "{placed:?}");
        if is_direct {
            assert!((0..20).all(|_| placed.runs(&mut random)), "{placed:?}");
        } else {
            assert_eq!(found, by_live_sets);
        }
        counts[usize::from(is_direct) + usize::from(is_direct && !by_live_sets.is_empty())] += 1;
    }
    assert!(counts[0] > 1_000 && counts[1] > 1_000 && counts[2] > 0, "{counts:?}");
}

#[test]
fn a_location_of_any_number_is_judged() {
    let form = Sample {
        cfg: FlatCfg::from_successors(Block::new(0), &[vec![Block::new(1)], vec![]]).unwrap(),
        num_values: 1,
        num_globals: 0,
        phis: vec![vec![]; 2],
        events: vec![vec![ValueEvent::Def(Value::new(0))], vec![ValueEvent::Use(Value::new(0))]],
    };
    let mut placed = Placed { form, location: vec![Some(u32::MAX)], moves: vec![] };
    assert!(!is_accepted_directly(&placed));
    assert_eq!(locations(&placed), []);
    placed.location = vec![Some(3)];
    assert!(is_accepted_directly(&placed));
}
