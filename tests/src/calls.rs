//! Calls of the builder as data, and two ways to make them.

mod caller;
mod pair;

pub use caller::Caller;
pub use pair::Pair;

use crate::{FinishInto, Writes};
use ssaphire::graph::FlatCfg;
use ssaphire::{Block, Certified, Event, Observed, SsaBuilder, SsaBuilderExt, Stopped, Value, Variable};
use ssaphire_literature::AnyBuilder;
use std::fmt::Display;

/// One public call that can change a builder, or that asks it something.
#[derive(Clone, Debug)]
pub enum Call {
    /// `set_entry`.
    SetEntry(Block),
    /// `announce`.
    Announce(FlatCfg),
    /// `try_set_initial`.
    SetInitial(Variable, Value),
    /// `try_write_variable`.
    Write(Block, Variable, Value),
    /// `try_write_on_edge`.
    WriteOnEdge(Block, u32, Variable, Value),
    /// `try_read_variable`.
    Read(Block, Variable),
    /// `try_read_at_site`.
    ReadAt(Block, Variable, u32),
    /// `try_read_at_end`.
    ReadAtEnd(Block, Variable),
    /// `try_terminate`.
    Terminate(Block, Vec<Block>),
    /// `try_add_edge`.
    AddEdge(Block, Block),
    /// `try_redirect_edge`.
    RedirectEdge(Block, u32, Block),
    /// `try_seal_block`.
    Seal(Block),
    /// `try_seal_blocks`.
    SealBlocks(Vec<Block>),
    /// `try_seal_all_blocks`.
    SealAll,
    /// `try_replace`.
    Replace(Value, Value),
    /// `finish`.
    Finish,
}

/// What a call gives: the value of a read, or an error's words.
pub type Answer = Result<Option<Value>, String>;

/// A builder with or without a journal around it.
pub trait Subject: FinishInto {
    /// The builder itself.
    fn builder(&self) -> &AnyBuilder<Vec<Event>>;

    /// Forgets the function and its events.
    fn start_over(&mut self);

    /// What the builder has told.
    fn events(&self) -> &[Event] {
        self.builder().observer()
    }

    /// Why the builder accepts nothing but `clear`, as it has told.
    fn told_stop(&self) -> Option<Stopped> {
        self.events().iter().rev().find_map(|event| match event {
            Event::Stopped { why } => Some(*why),
            _ => None,
        })
    }

    /// Makes the call.
    fn call(&mut self, host: &mut dyn Writes, call: &Call) -> Answer {
        match call {
            Call::SetEntry(entry) => done(self.set_entry(*entry)),
            Call::Announce(cfg) => done(self.announce(cfg)),
            Call::SetInitial(variable, value) => done(self.try_set_initial(*variable, *value)),
            Call::Write(block, variable, value) => done(self.try_write_variable(*block, *variable, *value)),
            Call::WriteOnEdge(from, slot, variable, value) => {
                done(self.try_write_on_edge(*from, *slot, *variable, *value))
            }
            Call::Read(block, variable) => value(self.try_read_variable(host, *block, *variable)),
            Call::ReadAt(block, variable, site) => value(self.try_read_at_site(host, *block, *variable, *site)),
            Call::ReadAtEnd(block, variable) => value(self.try_read_at_end(host, *block, *variable, None)),
            Call::Terminate(block, targets) => done(self.try_terminate(*block, targets)),
            Call::AddEdge(from, to) => done(self.try_add_edge(*from, *to)),
            Call::RedirectEdge(from, slot, to) => done(self.try_redirect_edge(*from, *slot, *to).map(drop)),
            Call::Seal(block) => done(self.try_seal_block(host, *block)),
            Call::SealBlocks(blocks) => done(self.try_seal_blocks(host, blocks)),
            Call::SealAll => done(self.try_seal_all_blocks(host)),
            Call::Replace(old, new) => done(self.try_replace(host, *old, *new)),
            Call::Finish => done(self.finish_into(host)),
        }
    }
}

fn done<E: Display>(result: Result<(), E>) -> Answer {
    result.map(|()| None).map_err(|error| error.to_string())
}

fn value<E: Display>(result: Result<Value, E>) -> Answer {
    result.map(Some).map_err(|error| error.to_string())
}

impl Subject for AnyBuilder<Vec<Event>> {
    fn builder(&self) -> &AnyBuilder<Vec<Event>> {
        self
    }

    fn start_over(&mut self) {
        self.clear();
        self.observer_mut().clear();
    }
}

impl Subject for Certified<AnyBuilder<Vec<Event>>> {
    fn builder(&self) -> &AnyBuilder<Vec<Event>> {
        Certified::builder(self)
    }

    fn start_over(&mut self) {
        self.clear();
        self.observer_mut().clear();
    }
}

/// The same call in the form that panics; `None` where there is none.
pub fn call_or_panic(builder: &mut impl SsaBuilder, host: &mut dyn Writes, call: &Call) -> Option<()> {
    match call {
        Call::SetInitial(variable, value) => builder.set_initial(*variable, *value),
        Call::Write(block, variable, value) => builder.write_variable(*block, *variable, *value),
        Call::WriteOnEdge(from, slot, variable, value) => builder.write_on_edge(*from, *slot, *variable, *value),
        Call::Read(block, variable) => drop(builder.read_variable(host, *block, *variable)),
        Call::ReadAt(block, variable, site) => drop(builder.read_at_site(host, *block, *variable, *site)),
        Call::ReadAtEnd(block, variable) => drop(builder.read_at_end(host, *block, *variable)),
        Call::Terminate(block, targets) => builder.terminate(*block, targets),
        Call::AddEdge(from, to) => builder.add_edge(*from, *to),
        Call::RedirectEdge(from, slot, to) => drop(builder.redirect_edge(*from, *slot, *to)),
        Call::Seal(block) => builder.seal_block(host, *block),
        Call::SealBlocks(blocks) => builder.seal_blocks(host, blocks),
        Call::SealAll => builder.seal_all_blocks(host),
        Call::Replace(old, new) => builder.replace(host, *old, *new),
        Call::SetEntry(_) | Call::Announce(_) | Call::Finish => return None,
    }
    Some(())
}
