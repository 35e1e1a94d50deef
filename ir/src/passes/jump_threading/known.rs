//! Which values are constants at the ends of blocks, in the graph as it is planned.
//!
//! A value of a block that is copied is what a variable is that the block and its copies write. It is a constant where
//! all that reaches is that constant; so is a phi. Whatever is asked for is decided together with all that it depends
//! on, from below: each begins as nothing, and rises with what flows into it. The answers are kept.
//!
//! A constant stays one while more is copied: a copy takes over ways of its block, and the way it adds elsewhere
//! carries what the block would have carried there, coming by those ways. An answer other than a constant may become
//! too weak, and is given again all the same: the next round will know.
//!
//! # Complexity
//! O(places, and ways into their blocks): each value is decided once for each block, in a round.

use super::plan::Plan;
use crate::dialect::Semantics;
use crate::function::{Function, InstRef};
use foldhash::fast::RandomState;
use ssaphire::graph::{Id, IdLists, IdMap};
use ssaphire::{Block, Value};
use ssaphire_graph::internal_id;
use std::collections::HashMap;

internal_id!(
    /// Number of a value that is held at the end of a block.
    Place, "place"
);

/// What defines a value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Definition {
    Phi(Block, usize),
    Inst(Block),
    /// Whatever is not copied.
    Other,
}

/// What is known of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Held {
    /// No path leads here.
    Nothing,
    Constant(Value),
    Anything,
}

/// What a value is at the end of a block.
#[derive(Clone, Copy)]
enum Reaching {
    Held(Held),
    /// What that value is at the end of that block, whose ways decide it.
    Ways(Block, Value),
}

/// What is known of values, as far as somebody asked.
pub(super) struct Known<'f, D: Semantics> {
    function: &'f Function<D>,
    definitions: IdMap<Value, Definition>,
    number: HashMap<(Block, Value), Place, RandomState>,
    places: IdMap<Place, (Block, Value)>,
    held: IdMap<Place, Held>,
    /// What flows into places that are being decided.
    risen: Vec<(Place, Held)>,
    /// The source and the target of what flows between them.
    flows: Vec<(Place, Place)>,
    targets: IdLists<Place, Place>,
    /// How often anything was listed that flows into a place.
    pub(super) num_sources: usize,
}

impl Held {
    fn meet(self, other: Self) -> Self {
        match (self, other) {
            (Self::Nothing, held) | (held, Self::Nothing) => held,
            _ if self == other => self,
            _ => Self::Anything,
        }
    }
}

impl<'f, D: Semantics> Known<'f, D> {
    pub(super) fn new(function: &'f Function<D>) -> Self {
        let mut definitions = IdMap::filled(function.num_values(), Definition::Other);
        for block in function.blocks() {
            let data = function.block(block);
            for (index, phi) in data.phis().iter().enumerate() {
                definitions[phi.value] = Definition::Phi(block, index);
            }
            let results = data.body().iter().flat_map(InstRef::defined_values);
            results.for_each(|value| definitions[value] = Definition::Inst(block));
        }
        Self {
            function,
            definitions,
            number: HashMap::default(),
            places: IdMap::new(),
            held: IdMap::new(),
            risen: Vec::new(),
            flows: Vec::new(),
            targets: IdLists::new(),
            num_sources: 0,
        }
    }

    pub(super) fn definition(&self, value: Value) -> Definition {
        self.definitions[value]
    }

    /// What passes for `value` in `block` where control comes in by operand `index`: itself, or what its phi is given.
    pub(super) fn passed(&self, block: Block, index: usize, value: Value) -> Value {
        match self.definitions[value] {
            Definition::Phi(home, phi) if home == block => {
                let phi = self.function.block(home).phis().get(phi);
                phi.expect("a phi is where it was found").operands[index]
            }
            _ => value,
        }
    }

    /// The constant that `value` is at the end of `block`.
    pub(super) fn at_end(&mut self, plan: &Plan, block: Block, value: Value) -> Option<Value> {
        let held = match self.reaching(plan, block, value) {
            Reaching::Held(held) => held,
            Reaching::Ways(block, value) => match self.number.get(&(block, value)) {
                Some(&place) => self.held[place],
                None => self.decide(plan, block, value),
            },
        };
        if let Held::Constant(constant) = held { Some(constant) } else { None }
    }

    fn reaching(&self, plan: &Plan, block: Block, value: Value) -> Reaching {
        if self.function.as_constant(value).is_some() {
            return Reaching::Held(Held::Constant(value));
        }
        let (home, is_phi) = match self.definitions[value] {
            Definition::Phi(home, _) => (home, true),
            Definition::Inst(home) => (home, false),
            Definition::Other => return Reaching::Held(Held::Anything),
        };
        // Without copies the one definition reaches, wherever that is.
        let block = if plan.is_copied(home) { block } else { home };
        if !is_phi && plan.original(block) == home {
            return Reaching::Held(Held::Anything);
        }
        Reaching::Ways(block, value)
    }

    /// Finds what a value is at the end of a block, and at all places from which it may come.
    fn decide(&mut self, plan: &Plan, block: Block, value: Value) -> Held {
        let first = self.places.len();
        let asked = self.place(block, value);
        let mut next = first;
        while next < self.places.len() {
            self.list_flows(plan, Place::new(next), first);
            next += 1;
        }
        let from_first = |&(source, target): &(Place, Place)| (Place::new(source.index() - first), target);
        self.targets.rebuild(self.places.len() - first, self.flows.iter().map(from_first));
        while let Some((place, held)) = self.risen.pop() {
            let met = self.held[place].meet(held);
            if met != self.held[place] {
                self.held[place] = met;
                let targets = self.targets.of(Place::new(place.index() - first));
                self.risen.extend(targets.iter().map(|&target| (target, met)));
            }
        }
        self.flows.clear();
        self.held[asked]
    }

    fn place(&mut self, block: Block, value: Value) -> Place {
        let places = &mut self.places;
        let new = || places.push((block, value));
        let place = *self.number.entry((block, value)).or_insert_with(new);
        if place.index() == self.held.len() {
            self.held.push(Held::Nothing);
        }
        place
    }

    /// Lists what flows into a place; those before `first` are decided.
    fn list_flows(&mut self, plan: &Plan, place: Place, first: usize) {
        let (block, value) = self.places[place];
        let original = plan.original(block);
        for way in plan.ways(block) {
            self.num_sources += 1;
            let passed = self.passed(original, way.index, value);
            match self.reaching(plan, way.edge.source, passed) {
                Reaching::Held(held) => self.risen.push((place, held)),
                Reaching::Ways(block, value) => {
                    let source = self.place(block, value);
                    if source.index() < first {
                        self.risen.push((place, self.held[source]));
                    } else {
                        self.flows.push((source, place));
                    }
                }
            }
        }
    }
}
