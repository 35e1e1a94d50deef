//! Lookups by strongly connected components: no temporary phi in sealed code.
//!
//! A lookup walks backwards over open blocks (see `boundary`) and finds strongly
//! connected components. When a component is found, all blocks that it reaches
//! further back are decided. If one value enters it, each of its blocks holds
//! that value. If several do, the blocks with an incoming edge from outside, its
//! *heads*, get phis. These cut the component, and lookups start in the rest of
//! it: first for the operands of the phis, then in the blocks that these lookups
//! did not pass.
//!
//! | Braun et al. 2013, section 3.3, SCC algorithm | here |
//! |---|---|
//! | Tarjan's algorithm while recursing | `step_visit` |
//! | the values that enter a cycle | `find_entering_values` |
//! | phis where a predecessor is outside the cycle | `decide` |
//! | the lookup for their operands | `step_component` |
//!
//! A component reaches no block that is still on the path of the run that found
//! it; otherwise that block would be in the component. So a run that starts in it
//! visits only its blocks, decided ones, and the boundary. All runs share one
//! table of discovery times, and no run sees an unfinished block of another.
//!
//! In sealed code each phi is necessary. Different values enter the heads, and
//! they arrive on disjoint paths, since a block holds one value at its end. So
//! all phis are kept, except those whose block was unsealed when a lookup
//! reached it.
//!
//! # Complexity
//! O(*e*) per level of nested components. Few levels are usual; a path of *n*
//! blocks with edges in both directions, which different values enter at both
//! ends, has *n*/2 levels, and so have *n*/2 nested loops whose body writes:
//! O(*n*²). The engine `region` decides such components at once.
//! Memory: one definition for each block passed.
//!
//! # Departures
//! The paper recurses; here runs and components are tasks on one stack.
//! Every block passed stores its value.

use crate::driven::blocks::Incoming;
use crate::driven::phis::State;
use crate::driven::{Driven, Strategy};
use alloc::vec::Vec;
use ssaphire_construct::PhiHost;
use ssaphire_construct::Stopped;
use ssaphire_construct::{Event, Observer};
use ssaphire_graph::{Block, IdMap, Value, Variable};

/// The SCC algorithm.
#[derive(Clone, Debug, Default)]
pub struct Scc {
    tasks: Vec<Task>,
    /// Blocks that have been discovered and are not decided, in the order of discovery.
    members: Vec<Block>,
    /// Sources to visit, of all tasks.
    sources: Vec<Block>,
    /// Heads of the components in progress.
    heads: Vec<Block>,
    /// Operands found for the current phi of each component.
    operands: Vec<Value>,
    /// The last discovery time of each block. Times before the start of a run do not count in it.
    met: IdMap<Block, u64>,
    time: u64,
}

#[derive(Clone, Copy, Debug)]
enum Task {
    Visit(Visit),
    Component(Component),
}

/// A block on the path of Tarjan's algorithm.
#[derive(Clone, Copy, Debug)]
struct Visit {
    met: u64,
    /// The discovery time of the earliest block that is known to be in the same component.
    lowlink: u64,
    /// The time at which the run started.
    run: u64,
    /// Its place among the members.
    member: usize,
    /// The positions of its first source, and of the next one to visit.
    first_source: usize,
    next_source: usize,
}

/// A component that several values enter: the last of the members.
#[derive(Clone, Copy, Debug)]
struct Component {
    first_member: usize,
    next_member: usize,
    first_head: usize,
    next_head: usize,
    first_source: usize,
    first_operand: usize,
}

/// The values that enter a component.
enum EnteringValues {
    Nothing,
    One(Value),
    Several,
}

impl Strategy for Scc {
    fn clear(&mut self) {
        self.tasks.clear();
        self.members.clear();
        self.sources.clear();
        self.heads.clear();
        self.operands.clear();
        self.met.clear();
        self.time = 0;
    }

    fn look_up<O: Observer>(
        builder: &mut Driven<Self, O>,
        host: &mut dyn PhiHost,
        block: Block,
        variable: Variable,
    ) -> Result<Value, Stopped> {
        builder.look_up_components(host, block, variable)
    }
}

impl Scc {
    /// Starts a run at an open block.
    fn begin_run(&mut self, incoming: &Incoming, block: Block) {
        self.visit(incoming, block, self.time + 1);
    }

    fn visit(&mut self, incoming: &Incoming, block: Block, run: u64) {
        self.time += 1;
        let met = self.time;
        self.met.grow_to(block, 0);
        self.met[block] = met;
        let (member, first_source) = (self.members.len(), self.sources.len());
        self.members.push(block);
        self.sources.extend(incoming.of(block).iter().map(|edge| edge.source));
        self.tasks.push(Task::Visit(Visit { met, lowlink: met, run, member, first_source, next_source: first_source }));
    }

    /// Replaces the task at the top of the stack.
    fn replace_top(&mut self, task: Task) {
        if let Some(top) = self.tasks.last_mut() {
            *top = task;
        }
    }
}

impl<O: Observer> Driven<Scc, O> {
    /// The value of `variable` at the end of `block`, which has no definition of it.
    pub(crate) fn look_up_components(
        &mut self,
        host: &mut dyn PhiHost,
        block: Block,
        variable: Variable,
    ) -> Result<Value, Stopped> {
        debug_assert!(self.strategy.tasks.is_empty(), "lookups do not nest");
        if let Some(value) = self.boundary(host, block, variable)? {
            return Ok(value);
        }
        self.strategy.begin_run(&self.incoming, block);
        while let Some(&task) = self.strategy.tasks.last() {
            match task {
                Task::Visit(visit) => self.step_visit(host, variable, visit)?,
                Task::Component(component) => self.step_component(variable, component)?,
            }
        }
        let value = self.definition(block, variable).expect("every block met is decided");
        Ok(self.values.resolve(value))
    }

    /// Follows edges of the block up to one that leads to a new block; after the last edge, leaves the block.
    fn step_visit(&mut self, host: &mut dyn PhiHost, variable: Variable, mut visit: Visit) -> Result<(), Stopped> {
        while let Some(&source) = self.strategy.sources.get(visit.next_source) {
            visit.next_source += 1;
            if self.boundary(host, source, variable)?.is_some() {
                continue;
            }
            let met = self.strategy.met.get(source).copied().unwrap_or(0);
            if met < visit.run {
                self.strategy.replace_top(Task::Visit(visit));
                self.strategy.visit(&self.incoming, source, visit.run);
                return Ok(());
            }
            // Discovered by this run and not decided: it is on the path, or leads to a block on it.
            visit.lowlink = visit.lowlink.min(met);
        }
        self.strategy.tasks.pop();
        self.strategy.sources.truncate(visit.first_source);
        if let Some(Task::Visit(before)) = self.strategy.tasks.last_mut() {
            before.lowlink = before.lowlink.min(visit.lowlink);
        }
        if visit.lowlink == visit.met {
            self.decide(host, variable, visit.member)?;
        }
        Ok(())
    }

    /// Decides the component of the members from `first` on; all its other sources are decided.
    fn decide(&mut self, host: &mut dyn PhiHost, variable: Variable, first: usize) -> Result<(), Stopped> {
        let first_head = self.strategy.heads.len();
        let value = match self.find_entering_values(variable, first)? {
            EnteringValues::One(value) => Some(value),
            EnteringValues::Several => None,
            EnteringValues::Nothing => Some(self.undefined(host, variable)?),
        };
        if value.is_some() {
            self.strategy.heads.truncate(first_head);
        }
        self.report_component(variable, first, first_head);
        let Some(value) = value else {
            self.make_head_phis(host, variable, first_head)?;
            self.strategy.tasks.push(Task::Component(Component {
                first_member: first,
                next_member: first,
                first_head,
                next_head: first_head,
                first_source: self.strategy.sources.len(),
                first_operand: self.strategy.operands.len(),
            }));
            return Ok(());
        };
        while self.strategy.members.len() > first {
            if let Some(block) = self.strategy.members.pop() {
                self.define(block, variable, value);
            }
        }
        Ok(())
    }

    /// The values that enter the component from outside. Appends its heads.
    fn find_entering_values(&mut self, variable: Variable, first: usize) -> Result<EnteringValues, Stopped> {
        let mut entering = EnteringValues::Nothing;
        for member in first..self.strategy.members.len() {
            let block = self.strategy.members[member];
            let mut is_head = false;
            let first_source = self.strategy.sources.len();
            self.strategy.sources.extend(self.incoming.of(block).iter().map(|edge| edge.source));
            for index in first_source..self.strategy.sources.len() {
                // Decided blocks are outside, and all others are in the component.
                let Some(value) = self.definition(self.strategy.sources[index], variable) else { continue };
                let value = self.values.resolve(value);
                is_head = true;
                entering = match entering {
                    EnteringValues::Nothing => EnteringValues::One(value),
                    EnteringValues::One(other) if other == value => entering,
                    _ => EnteringValues::Several,
                };
            }
            self.spend((self.strategy.sources.len() - first_source) as u64)?;
            self.strategy.sources.truncate(first_source);
            if is_head {
                self.strategy.heads.push(block);
            }
        }
        Ok(entering)
    }

    fn report_component(&mut self, variable: Variable, first: usize, first_head: usize) {
        let blocks = (self.strategy.members.len() - first) as u32;
        if blocks > 1 {
            let (block, phis) = (self.strategy.members[first], (self.strategy.heads.len() - first_head) as u32);
            self.observer.event(Event::Component { block, variable, blocks, phis });
        }
    }

    /// Creates the phis of the heads, which then have definitions, so that no run passes them.
    fn make_head_phis(&mut self, host: &mut dyn PhiHost, variable: Variable, first_head: usize) -> Result<(), Stopped> {
        for index in first_head..self.strategy.heads.len() {
            let block = self.strategy.heads[index];
            let phi = self.make_phi(host, block, variable, State::InProgress)?;
            self.define(block, variable, self.phis.get(phi).value);
        }
        Ok(())
    }

    /// One step of a component: finds the next operand, completes a phi, or decides the next member.
    fn step_component(&mut self, variable: Variable, mut component: Component) -> Result<(), Stopped> {
        if let Some(&head) = self.strategy.heads.get(component.next_head) {
            return self.step_head(variable, head, component);
        }
        while let Some(&member) = self.strategy.members.get(component.next_member) {
            component.next_member += 1;
            self.spend(1)?;
            if self.definition(member, variable).is_none() {
                self.strategy.replace_top(Task::Component(component));
                self.strategy.begin_run(&self.incoming, member);
                return Ok(());
            }
        }
        self.strategy.tasks.pop();
        self.strategy.members.truncate(component.first_member);
        self.strategy.heads.truncate(component.first_head);
        Ok(())
    }

    /// Finds operands of the head's phi up to one that needs a lookup; after the last one, completes the phi.
    fn step_head(&mut self, variable: Variable, head: Block, mut component: Component) -> Result<(), Stopped> {
        let Component { first_source, first_operand, .. } = component;
        if self.strategy.sources.len() == first_source {
            self.strategy.sources.extend(self.incoming.of(head).iter().map(|edge| edge.source));
        }
        loop {
            let next = first_source + (self.strategy.operands.len() - first_operand);
            let Some(&source) = self.strategy.sources.get(next) else { break };
            self.spend(1)?;
            let Some(value) = self.definition(source, variable) else {
                // When the task is at the top again, the source has a definition.
                self.strategy.begin_run(&self.incoming, source);
                return Ok(());
            };
            self.strategy.operands.push(value);
        }
        let phi = self.definition(head, variable).and_then(|value| self.values.phi(value));
        let operands = core::mem::take(&mut self.strategy.operands);
        if let Some(phi) = phi {
            self.give_operands(phi, &operands[first_operand..])?;
        }
        self.strategy.operands = operands;
        self.strategy.operands.truncate(first_operand);
        self.strategy.sources.truncate(first_source);
        component.next_head += 1;
        self.strategy.replace_top(Task::Component(component));
        Ok(())
    }
}
