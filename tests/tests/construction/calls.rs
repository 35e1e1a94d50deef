//! Calls of the builder as data, and two ways to make them.

use ssaphire::graph::FlatCfg;
use ssaphire::{Block, Builder, Certified, Event, Observer, PhiHost, Stats, Stopped, Value, Variable};
use std::fmt::Display;

/// One public call that can change a builder, or that asks it something.
#[derive(Clone, Debug)]
pub(crate) enum Call {
    SetEntry(Block),
    Announce(FlatCfg),
    SetInitial(Variable, Value),
    Write(Block, Variable, Value),
    WriteOnEdge(Block, usize, Variable, Value),
    Read(Block, Variable),
    ReadAt(Block, Variable, u32),
    Terminate(Block, Vec<Block>),
    AddEdge(Block, Block),
    Seal(Block),
    SealBlocks(Vec<Block>),
    SealAll,
    Expect(Block, u32),
    Hint(Block, Vec<Variable>),
    Replace(Value, Value),
    Finish,
}

/// What a call gives: the value of a read, or an error's words.
pub(crate) type Answer = Result<Option<Value>, String>;

/// A builder with or without a journal around it.
pub(crate) trait Subject {
    fn call(&mut self, host: &mut dyn PhiHost, call: &Call) -> Answer;
    fn builder(&self) -> &Builder<Vec<Event>>;
    fn clear(&mut self);
    /// The value has its content before control enters.
    fn global(&mut self, value: Value);

    fn events(&self) -> &[Event] {
        self.builder().observer()
    }

    fn stats(&self) -> Stats {
        *self.builder().stats()
    }

    /// Why the builder accepts nothing but `clear`.
    fn stopped(&self) -> Option<Stopped> {
        self.events().iter().rev().find_map(|event| match event {
            Event::Stopped { why } => Some(*why),
            _ => None,
        })
    }
}

fn done<E: Display>(result: Result<(), E>) -> Answer {
    result.map(|()| None).map_err(|error| error.to_string())
}

fn value<E: Display>(result: Result<Value, E>) -> Answer {
    result.map(Some).map_err(|error| error.to_string())
}

impl Subject for Builder<Vec<Event>> {
    fn global(&mut self, _: Value) {}

    fn call(&mut self, host: &mut dyn PhiHost, call: &Call) -> Answer {
        match call {
            Call::SetEntry(entry) => done(self.set_entry(*entry)),
            Call::Announce(cfg) => done(self.announce(cfg)),
            Call::SetInitial(variable, value) => done(self.try_set_initial(*variable, *value)),
            Call::Write(block, variable, value) => done(self.try_write_variable(*block, *variable, *value)),
            Call::WriteOnEdge(from, slot, variable, value) => {
                done(self.try_write_on_edge(*from, *slot, *variable, *value))
            }
            Call::Read(block, variable) => value(self.try_read_variable(host, *block, *variable)),
            Call::ReadAt(block, variable, site) => value(self.try_read_variable_at(host, *block, *variable, *site)),
            Call::Terminate(block, targets) => done(self.try_terminate(*block, targets)),
            Call::AddEdge(from, to) => done(self.try_add_edge(*from, *to)),
            Call::Seal(block) => done(self.try_seal_block(host, *block)),
            Call::SealBlocks(blocks) => done(self.try_seal_blocks(host, blocks)),
            Call::SealAll => done(self.try_seal_all_blocks(host)),
            Call::Expect(block, edges) => done(self.try_expect_edges(*block, *edges)),
            Call::Hint(header, variables) => done(self.try_hint_loop_writes(*header, variables)),
            Call::Replace(old, new) => done(self.try_replace(host, *old, *new)),
            Call::Finish => done(self.finish(host)),
        }
    }

    fn builder(&self) -> &Builder<Vec<Event>> {
        self
    }

    fn clear(&mut self) {
        Builder::clear(self);
        self.observer_mut().clear();
    }
}

impl Subject for Certified<Vec<Event>> {
    fn global(&mut self, value: Value) {
        Certified::global(self, value);
    }

    fn call(&mut self, host: &mut dyn PhiHost, call: &Call) -> Answer {
        match call {
            Call::SetEntry(entry) => done(self.set_entry(*entry)),
            Call::Announce(cfg) => done(self.announce(cfg)),
            Call::SetInitial(variable, value) => done(self.try_set_initial(*variable, *value)),
            Call::Write(block, variable, value) => done(self.try_write_variable(*block, *variable, *value)),
            Call::WriteOnEdge(from, slot, variable, value) => {
                done(self.try_write_on_edge(*from, *slot, *variable, *value))
            }
            Call::Read(block, variable) => value(self.try_read_variable(host, *block, *variable)),
            Call::ReadAt(block, variable, site) => value(self.try_read_variable_at(host, *block, *variable, *site)),
            Call::Terminate(block, targets) => done(self.try_terminate(*block, targets)),
            Call::AddEdge(from, to) => done(self.try_add_edge(*from, *to)),
            Call::Seal(block) => done(self.try_seal_block(host, *block)),
            Call::SealBlocks(blocks) => done(self.try_seal_blocks(host, blocks)),
            Call::SealAll => done(self.try_seal_all_blocks(host)),
            Call::Expect(block, edges) => done(self.try_expect_edges(*block, *edges)),
            Call::Hint(header, variables) => done(self.try_hint_loop_writes(*header, variables)),
            Call::Replace(old, new) => done(self.try_replace(host, *old, *new)),
            Call::Finish => done(self.finish(host)),
        }
    }

    fn builder(&self) -> &Builder<Vec<Event>> {
        Certified::builder(self)
    }

    fn clear(&mut self) {
        Certified::clear(self);
        self.observer_mut().clear();
    }
}

/// The same call in the form that panics; `None` where there is none.
pub(crate) fn call_or_panic<O: Observer>(builder: &mut Builder<O>, host: &mut dyn PhiHost, call: &Call) -> Option<()> {
    match call {
        Call::SetInitial(variable, value) => builder.set_initial(*variable, *value),
        Call::Write(block, variable, value) => builder.write_variable(*block, *variable, *value),
        Call::WriteOnEdge(from, slot, variable, value) => builder.write_on_edge(*from, *slot, *variable, *value),
        Call::Read(block, variable) => drop(builder.read_variable(host, *block, *variable)),
        Call::ReadAt(block, variable, site) => drop(builder.read_variable_at(host, *block, *variable, *site)),
        Call::Terminate(block, targets) => builder.terminate(*block, targets),
        Call::AddEdge(from, to) => builder.add_edge(*from, *to),
        Call::Seal(block) => builder.seal_block(host, *block),
        Call::SealBlocks(blocks) => builder.seal_blocks(host, blocks),
        Call::SealAll => builder.seal_all_blocks(host),
        Call::Expect(block, edges) => builder.expect_edges(*block, *edges),
        Call::Hint(header, variables) => builder.hint_loop_writes(*header, variables),
        Call::Replace(old, new) => builder.replace(host, *old, *new),
        Call::SetEntry(_) | Call::Announce(_) | Call::Finish => return None,
    }
    Some(())
}
