//! Lookups by strongly connected components: no temporary phi in sealed code.
//!
//! A lookup walks backwards over open blocks (see `boundary`) and finds the
//! cycles in which they pass values on. When a component is found, all that it
//! reaches further back is decided. If one value enters it, every block of it
//! holds that value. If several do, the blocks that an edge from outside
//! enters, its *heads*, get phis; these cut the component, and what is left of
//! it is looked up anew: first for the operands of the phis, then for the
//! blocks that these lookups did not pass.
//!
//! | Braun et al. 2013, section 3.3, SCC algorithm | here |
//! |---|---|
//! | Tarjan's algorithm while recursing | `step_visit` |
//! | the values that enter a cycle | `entering` |
//! | phis where a predecessor is outside the cycle | `decide` |
//! | the look-up again, for their operands | `step_component` |
//!
//! A component that was found reaches no block that is still on the path of
//! the run that found it, else that block would be of the component. So a run
//! begun for it meets only its blocks, decided ones, and the boundary: runs
//! share one table of when a block was met, and none sees another half done.
//!
//! In sealed code each phi is necessary. Heads are entered by values that
//! differ, and these arrive on disjoint paths, since a block holds one value
//! at its end. So phis made are phis kept, but for those whose block was
//! unsealed when a lookup came to it.
//!
//! # Complexity
//! O(*e*) per level of components in components. Few levels are usual; a path
//! of *n* blocks with edges both ways, entered at both ends by different
//! values, has *n*/2 of them, as have *n*/2 nested loops whose body writes:
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
    /// Blocks met that belong to no decided component, in the order they were met.
    members: Vec<Block>,
    /// Sources still to be looked at, of all tasks.
    sources: Vec<Block>,
    /// Heads of the components under way.
    heads: Vec<Block>,
    /// Operands found for the phi under way of each component.
    found: Vec<Value>,
    /// When the block was met last. What was met before a run began was not met by it.
    met: IdMap<Block, u64>,
    now: u64,
}

#[derive(Clone, Copy, Debug)]
enum Task {
    Visit(Visit),
    Component(Component),
}

/// A block on the path of Tarjan's walk.
#[derive(Clone, Copy, Debug)]
struct Visit {
    met: u64,
    /// When the earliest block was met that is known to be of the same component.
    low: u64,
    /// When the run began.
    run: u64,
    /// Its place among the members.
    member: usize,
    /// Where its sources begin, and which is next.
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
    first_found: usize,
}

/// What enters a component.
enum Entering {
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
        self.found.clear();
        self.met.clear();
        self.now = 0;
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
    /// Begins a run at an open block.
    fn begin_run(&mut self, incoming: &Incoming, block: Block) {
        self.visit(incoming, block, self.now + 1);
    }

    fn visit(&mut self, incoming: &Incoming, block: Block, run: u64) {
        self.now += 1;
        let met = self.now;
        self.met.grow_to(block, 0);
        self.met[block] = met;
        let (member, first_source) = (self.members.len(), self.sources.len());
        self.members.push(block);
        self.sources.extend(incoming.of(block).iter().map(|edge| edge.source));
        self.tasks.push(Task::Visit(Visit { met, low: met, run, member, first_source, next_source: first_source }));
    }

    /// Writes the task at the top back.
    fn update(&mut self, task: Task) {
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

    /// Looks along edges of the block up to one that leads to a new block; at the end of them leaves the block.
    fn step_visit(&mut self, host: &mut dyn PhiHost, variable: Variable, mut visit: Visit) -> Result<(), Stopped> {
        while let Some(&source) = self.strategy.sources.get(visit.next_source) {
            visit.next_source += 1;
            if self.boundary(host, source, variable)?.is_some() {
                continue;
            }
            let met = self.strategy.met.get(source).copied().unwrap_or(0);
            if met < visit.run {
                self.strategy.update(Task::Visit(visit));
                self.strategy.visit(&self.incoming, source, visit.run);
                return Ok(());
            }
            // Met by this run and not decided: it is on the path, or leads to a block on it.
            visit.low = visit.low.min(met);
        }
        self.strategy.tasks.pop();
        self.strategy.sources.truncate(visit.first_source);
        if let Some(Task::Visit(before)) = self.strategy.tasks.last_mut() {
            before.low = before.low.min(visit.low);
        }
        if visit.low == visit.met {
            self.decide(host, variable, visit.member)?;
        }
        Ok(())
    }

    /// Decides the component of the members from `first` on; all its other sources are decided.
    fn decide(&mut self, host: &mut dyn PhiHost, variable: Variable, first: usize) -> Result<(), Stopped> {
        let first_head = self.strategy.heads.len();
        let value = match self.entering(variable, first)? {
            Entering::One(value) => Some(value),
            Entering::Several => None,
            Entering::Nothing => Some(self.undefined(host, variable)?),
        };
        if value.is_some() {
            self.strategy.heads.truncate(first_head);
        }
        self.tell_component(variable, first, first_head);
        let Some(value) = value else {
            self.make_head_phis(host, variable, first_head)?;
            self.strategy.tasks.push(Task::Component(Component {
                first_member: first,
                next_member: first,
                first_head,
                next_head: first_head,
                first_source: self.strategy.sources.len(),
                first_found: self.strategy.found.len(),
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

    /// What enters the component from outside; its heads become the last of the heads.
    fn entering(&mut self, variable: Variable, first: usize) -> Result<Entering, Stopped> {
        let mut entering = Entering::Nothing;
        for member in first..self.strategy.members.len() {
            let block = self.strategy.members[member];
            let mut is_head = false;
            let first_source = self.strategy.sources.len();
            self.strategy.sources.extend(self.incoming.of(block).iter().map(|edge| edge.source));
            for index in first_source..self.strategy.sources.len() {
                // Outside means decided.
                let Some(value) = self.definition(self.strategy.sources[index], variable) else { continue };
                let value = self.values.resolve(value);
                is_head = true;
                entering = match entering {
                    Entering::Nothing => Entering::One(value),
                    Entering::One(other) if other == value => entering,
                    _ => Entering::Several,
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

    fn tell_component(&mut self, variable: Variable, first: usize, first_head: usize) {
        let blocks = (self.strategy.members.len() - first) as u32;
        if blocks > 1 {
            let (block, phis) = (self.strategy.members[first], (self.strategy.heads.len() - first_head) as u32);
            self.observer.event(Event::Component { block, variable, blocks, phis });
        }
    }

    /// From here on the heads have definitions, and no walk passes them.
    fn make_head_phis(&mut self, host: &mut dyn PhiHost, variable: Variable, first_head: usize) -> Result<(), Stopped> {
        for index in first_head..self.strategy.heads.len() {
            let block = self.strategy.heads[index];
            let phi = self.make_phi(host, block, variable, State::InProgress)?;
            self.define(block, variable, self.phis.get(phi).value);
        }
        Ok(())
    }

    /// Goes on with a component: finds the next operand, completes a phi, or sees to the next member.
    fn step_component(&mut self, variable: Variable, mut component: Component) -> Result<(), Stopped> {
        if let Some(&head) = self.strategy.heads.get(component.next_head) {
            return self.step_head(variable, head, component);
        }
        while let Some(&member) = self.strategy.members.get(component.next_member) {
            component.next_member += 1;
            self.spend(1)?;
            if self.definition(member, variable).is_none() {
                self.strategy.update(Task::Component(component));
                self.strategy.begin_run(&self.incoming, member);
                return Ok(());
            }
        }
        self.strategy.tasks.pop();
        self.strategy.members.truncate(component.first_member);
        self.strategy.heads.truncate(component.first_head);
        Ok(())
    }

    /// Finds operands of the head's phi up to one that has to be looked up; at the end of them completes the phi.
    fn step_head(&mut self, variable: Variable, head: Block, mut component: Component) -> Result<(), Stopped> {
        let Component { first_source, first_found, .. } = component;
        if self.strategy.sources.len() == first_source {
            self.strategy.sources.extend(self.incoming.of(head).iter().map(|edge| edge.source));
        }
        loop {
            let next = first_source + (self.strategy.found.len() - first_found);
            let Some(&source) = self.strategy.sources.get(next) else { break };
            self.spend(1)?;
            let Some(value) = self.definition(source, variable) else {
                // When the task is at the top again the source will have a definition.
                self.strategy.begin_run(&self.incoming, source);
                return Ok(());
            };
            self.strategy.found.push(value);
        }
        let phi = self.definition(head, variable).and_then(|value| self.values.phi(value));
        let found = core::mem::take(&mut self.strategy.found);
        if let Some(phi) = phi {
            self.give_operands(phi, &found[first_found..])?;
        }
        self.strategy.found = found;
        self.strategy.found.truncate(first_found);
        self.strategy.sources.truncate(first_source);
        component.next_head += 1;
        self.strategy.update(Task::Component(component));
        Ok(())
    }
}
