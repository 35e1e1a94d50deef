//! An updater that walks back for each use, as LLVM's `SSAUpdater` does.
//!
//! A query for the value at the end of a block lists the blocks from there
//! back to those whose values are recorded, computes their dominators, and
//! places phis where more than one value arrives. It records phis, and what
//! the joins hold that it passed; the next query begins anew. A query for the
//! value within a block that has a recorded one asks at the ends of its
//! predecessors. Before a phi is inserted, those that stand in its block are
//! tried one by one.
//!
//! # Departures
//! It is written from what LLVM's documentation and its issues tell of the
//! algorithm. Tables are indexed by block, where LLVM hashes; operands come
//! last, where LLVM's phis have none of a block that is still to be looked at.

mod list;

use super::problem::{Accesses, Defined, Problem};
use super::solution::Solution;
use list::{BlockList, Node};
use ssaphire::graph::IdMap;
use ssaphire::repair::Position;
use ssaphire::{Block, SsaForm, Value, ValueCounter};

/// Whose marks are cleared when a phi does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Clearing {
    /// Those of the blocks that have been marked, as since 2024 ([llvm/llvm-project#100281](https://github.com/llvm/llvm-project/pull/100281)).
    Marked,
    /// Those of all blocks that are listed, as before.
    Listed,
}

/// Repairs the variables of `problem`.
pub(super) fn solve(problem: &Problem, clearing: Clearing) -> Solution {
    let mut walk = Walk {
        problem,
        clearing,
        host: ValueCounter::starting_at(problem.num_values()),
        defined: IdMap::filled(problem.graph().num_blocks(), None),
        recorded: IdMap::filled(problem.graph().num_blocks(), None),
        has_record: Vec::new(),
        undefined: None,
        inserted: Inserted::new(problem),
        list: BlockList::new(problem.graph().num_blocks()),
        solution: Solution::default(),
    };
    for accesses in &problem.variables {
        walk.begin(accesses);
        for used in &accesses.uses {
            let answer = match walk.defined[used.block] {
                Some((position, value)) if sees(used.position, position) => value,
                _ if used.position == Position::End => walk.at_end(used.block),
                _ => walk.in_middle(used.block),
            };
            walk.solution.answers.push(answer);
        }
        accesses.definitions.iter().for_each(|definition| walk.defined[definition.block] = None);
    }
    walk.solution
}

/// Whether a use sees a definition of its block.
pub(super) fn sees(used: Position, defined: Position) -> bool {
    defined < used || defined == used && !matches!(used, Position::At(_))
}

struct Walk<'p> {
    problem: &'p Problem,
    clearing: Clearing,
    host: ValueCounter,
    /// By block: where the variable is defined there, and as what.
    defined: IdMap<Block, Option<(Position, Value)>>,
    /// By block: what the variable holds at its end, as far as that has been recorded.
    recorded: IdMap<Block, Option<Value>>,
    /// The blocks for which something has been.
    has_record: Vec<Block>,
    undefined: Option<Value>,
    inserted: Inserted,
    list: BlockList,
    solution: Solution,
}

/// The phis that were inserted: numbers of a solution's phis.
struct Inserted {
    /// By block: the last one.
    last: IdMap<Block, Option<usize>>,
    /// By phi: the one before it in its block.
    before: Vec<Option<usize>>,
    /// By value, from the first one that was made on.
    of_value: Vec<Option<usize>>,
    first_value: usize,
}

impl Inserted {
    fn new(problem: &Problem) -> Self {
        Self {
            last: IdMap::filled(problem.graph().num_blocks(), None),
            before: Vec::new(),
            of_value: Vec::new(),
            first_value: problem.num_values(),
        }
    }

    /// Adds the next phi.
    fn push(&mut self, block: Block, value: Value) {
        let phi = self.before.len();
        self.before.push(self.last[block].replace(phi));
        let index = value.index() - self.first_value;
        self.of_value.resize(self.of_value.len().max(index + 1), None);
        self.of_value[index] = Some(phi);
    }

    /// The phi that a value is.
    fn phi(&self, value: Value) -> Option<usize> {
        self.of_value.get(value.index().checked_sub(self.first_value)?).copied().flatten()
    }
}

impl Walk<'_> {
    fn begin(&mut self, accesses: &Accesses) {
        for block in self.has_record.drain(..) {
            self.recorded[block] = None;
        }
        self.undefined = None;
        for &Defined { block, position, value } in &accesses.definitions {
            self.defined[block] = Some((position, value));
            self.record(block, value);
        }
    }

    fn record(&mut self, block: Block, value: Value) {
        self.recorded[block] = Some(value);
        self.has_record.push(block);
    }

    /// What the variable holds at the end of `block`.
    fn at_end(&mut self, block: Block) -> Value {
        if let Some(value) = self.recorded[block] {
            return value;
        }
        let cfg = self.problem.graph();
        self.list.walk_back(cfg, &self.recorded, block);
        self.list.find_dominators(cfg);
        self.list.place_phis(cfg);
        self.give_values();
        self.record_joins();
        self.insert_phis();
        let value = self.list.held(self.list.number(block));
        self.list.forget();
        value
    }

    /// What the variable holds in `block` before what the block records for its end.
    fn in_middle(&mut self, block: Block) -> Value {
        if self.recorded[block].is_none() {
            return self.at_end(block);
        }
        let cfg = self.problem.graph();
        let sources = cfg.incoming(block).iter().map(|&edge| cfg.source(edge));
        let operands: Vec<Value> = sources.map(|source| self.at_end(source)).collect();
        let Some(&first) = operands.first() else { return self.undefined() };
        if operands.iter().all(|&operand| operand == first) {
            return first;
        }
        let mut next = self.inserted.last[block];
        while let Some(phi) = next {
            let inserted = &self.solution.phis[phi];
            if *self.solution.operands(inserted) == *operands {
                return inserted.value;
            }
            next = self.inserted.before[phi];
        }
        if let Some((value, _)) = self.problem.standing(block).find(|(_, standing)| *standing == operands) {
            return value;
        }
        let value = self.host.fresh();
        self.push_phi(block, value, operands);
        value
    }

    fn undefined(&mut self) -> Value {
        *self.undefined.get_or_insert_with(|| self.host.fresh())
    }

    fn push_phi(&mut self, block: Block, value: Value, operands: Vec<Value>) {
        self.solution.push_phi(block, value, operands);
        self.inserted.push(block, value);
    }

    /// Gives a value to each listed block that needs a phi, the last ones first, and to those into which nothing leads.
    fn give_values(&mut self) {
        for number in self.list.numbers() {
            if self.list.nodes[number].is_root && self.list.nodes[number].value.is_none() {
                self.list.nodes[number].value = Some(self.undefined());
            }
        }
        for number in self.list.numbers().rev() {
            if self.list.needs_value(number) && !self.find_phi(number) {
                let value = self.host.fresh();
                let node = &mut self.list.nodes[number];
                (node.value, node.is_new) = (Some(value), true);
                let block = node.block;
                self.record(block, value);
            }
        }
    }

    /// Looks for a phi that is there already, those inserted last first: whether there is one.
    fn find_phi(&mut self, number: usize) -> bool {
        let (problem, block) = (self.problem, self.list.nodes[number].block);
        let mut next = self.inserted.last[block];
        while let Some(phi) = next {
            if self.take_if_it_fits(number, self.solution.phis[phi].value) {
                return true;
            }
            next = self.inserted.before[phi];
        }
        problem.standing(block).any(|(standing, _)| self.take_if_it_fits(number, standing))
    }

    /// Lets a phi, and those that have to fit with it, hold what is needed in their blocks, if it fits.
    fn take_if_it_fits(&mut self, number: usize, phi: Value) -> bool {
        if !self.fits(number, phi) {
            self.list.clear_marks(self.clearing);
            return false;
        }
        for number in std::mem::take(&mut self.list.marked) {
            let Node { block, mark, .. } = self.list.nodes[number];
            self.list.nodes[number].value = mark;
            mark.into_iter().for_each(|phi| self.record(block, phi));
        }
        true
    }

    /// Whether `phi` has the operands that are needed; blocks whose phis have to fit with it are marked.
    fn fits(&mut self, number: usize, phi: Value) -> bool {
        let cfg = self.problem.graph();
        self.list.mark(number, phi);
        let mut work = vec![(number, phi)];
        while let Some((number, phi)) = work.pop() {
            let block = self.list.nodes[number].block;
            for (index, &edge) in cfg.incoming(block).iter().enumerate() {
                let (_, operands) = self.phi(phi).expect("what is marked is a phi");
                let operand = operands.get(index).copied();
                let holder = self.list.holder(self.list.number(cfg.source(edge)));
                let Node { block, value, mark, .. } = self.list.nodes[holder];
                if let Some(wanted) = value.or(mark) {
                    if operand != Some(wanted) {
                        return false;
                    }
                    continue;
                }
                let Some(operand) = operand.filter(|&operand| self.phi(operand).is_some_and(|(of, _)| of == block))
                else {
                    return false;
                };
                self.list.mark(holder, operand);
                work.push((holder, operand));
            }
        }
        true
    }

    /// The block and the operands of a phi that stands there or was inserted.
    fn phi(&self, value: Value) -> Option<(Block, &[Value])> {
        let inserted = self.inserted.phi(value).map(|phi| &self.solution.phis[phi]);
        let inserted = inserted.map(|phi| (phi.block, self.solution.operands(phi)));
        inserted.or_else(|| self.problem.standing_phi(value))
    }

    /// Records what the joins hold that were passed.
    fn record_joins(&mut self) {
        let cfg = self.problem.graph();
        for number in self.list.numbers() {
            let block = self.list.nodes[number].block;
            if self.list.holder(number) != number && cfg.incoming(block).len() > 1 {
                let value = self.list.held(number);
                self.record(block, value);
            }
        }
    }

    /// Inserts the phis that are new.
    fn insert_phis(&mut self) {
        let cfg = self.problem.graph();
        for number in self.list.numbers() {
            let Node { block, value: Some(value), is_new: true, .. } = self.list.nodes[number] else { continue };
            let sources = cfg.incoming(block).iter().map(|&edge| cfg.source(edge));
            let operands = sources.map(|source| self.list.held(self.list.number(source))).collect();
            self.push_phi(block, value, operands);
        }
    }
}
