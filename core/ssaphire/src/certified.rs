//! A builder with a journal around it: every result can be judged.

mod end;
mod origins;
mod panicking;

use crate::claims::{Claims, Recorded};
use crate::ranker::Ranker;
use alloc::vec::Vec;
use core::fmt;
use ssaphire_check::{Journal, ProgramError};
use ssaphire_construct::{
    Builder, EdgeError, EntryError, InitialError, Observer, Options, PhiHost, ReadError, ReplaceError, SealError,
    Stats, UndefinedRead, WriteError,
};
use ssaphire_graph::{Block, FlatCfg, Value, Variable};

/// Why there is nothing to judge.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CertifyError {
    /// The journal was off.
    NotRecorded,
    /// No function has been finished since the last `clear`.
    NotFinished,
    /// The function does not fit the form of certificates.
    Program(ProgramError),
}

impl fmt::Display for CertifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotRecorded => f.write_str("nothing to judge: the journal is off"),
            Self::NotFinished => f.write_str("nothing to judge: no function has been finished"),
            Self::Program(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for CertifyError {}

impl From<ProgramError> for CertifyError {
    fn from(error: ProgramError) -> Self {
        Self::Program(error)
    }
}

/// A [`Builder`] and the journal of what was asked of it.
///
/// The calls are the builder's, by the same names; each is passed on and, if it
/// succeeded, written down. After [`finish`](Self::finish),
/// [`certify`](Self::certify) gives what the judge needs: the source as the
/// calls told it, and the result as it was handed to the host.
///
/// The journal never looks into the builder. It can be switched off.
#[derive(Debug)]
pub struct Certified<O: Observer = ()> {
    builder: Builder<O>,
    journal: Journal,
    claims: Claims,
    ranker: Ranker,
    is_recording: bool,
    /// Whether the next function is to be recorded.
    records_next: bool,
    has_begun: bool,
    /// The journal has the edges of the whole graph.
    is_announced: bool,
}

impl Default for Certified {
    fn default() -> Self {
        Self::new(Options::default())
    }
}

impl Certified {
    /// A recording builder that works as the options say.
    pub fn new(options: Options) -> Self {
        Self::with_observer(options, ())
    }
}

impl<O: Observer> Certified<O> {
    /// A recording builder that tells `observer` of every state change.
    pub fn with_observer(options: Options, observer: O) -> Self {
        let builder = Builder::with_observer(options, observer);
        Self {
            builder,
            journal: Journal::new(),
            claims: Claims::default(),
            ranker: Ranker::default(),
            is_recording: true,
            records_next: true,
            has_begun: false,
            is_announced: false,
        }
    }

    /// Switches the journal on or off, from the next function on; from this one on if nothing is known of it yet.
    pub fn set_recording(&mut self, is_recording: bool) {
        self.records_next = is_recording;
        if !self.has_begun && *self.stats() == Stats::default() {
            self.is_recording = is_recording;
        }
    }

    /// Whether the journal is on for this function.
    pub fn is_recording(&self) -> bool {
        self.is_recording
    }

    /// See [`Builder::set_work_limit`].
    pub fn set_work_limit(&mut self, steps: Option<u64>) {
        self.builder.set_work_limit(steps);
    }

    /// The builder.
    pub fn builder(&self) -> &Builder<O> {
        &self.builder
    }

    /// The observer.
    pub fn observer(&self) -> &O {
        self.builder.observer()
    }

    /// What `value` stands for at the moment.
    pub fn resolve(&mut self, value: Value) -> Value {
        self.builder.resolve(value)
    }

    /// The observer, to be changed.
    pub fn observer_mut(&mut self) -> &mut O {
        self.builder.observer_mut()
    }

    /// Counters of this function so far.
    pub fn stats(&self) -> &Stats {
        self.builder.stats()
    }

    /// See [`Builder::undefined_reads`].
    pub fn undefined_reads(&self) -> &[UndefinedRead] {
        self.builder.undefined_reads()
    }

    /// Forgets the function and is ready for the next; keeps memory.
    pub fn clear(&mut self) {
        self.builder.clear();
        self.journal.clear();
        self.claims.clear();
        self.is_recording = self.records_next;
        self.has_begun = false;
        self.is_announced = false;
    }

    /// See [`Builder::set_entry`].
    ///
    /// # Errors
    /// As there.
    pub fn set_entry(&mut self, entry: Block) -> Result<(), EntryError> {
        self.builder.set_entry(entry)?;
        if self.has_begun {
            self.journal.enter_at(entry);
        }
        Ok(())
    }

    /// See [`Builder::announce`].
    ///
    /// # Errors
    /// As there.
    pub fn announce(&mut self, cfg: &FlatCfg) -> Result<(), EntryError> {
        self.builder.announce(cfg)?;
        if self.is_recording {
            self.begin();
            self.journal.enter_at(cfg.entry());
            self.is_announced = true;
            for (block, &edge) in
                cfg.blocks().flat_map(|block| cfg.incoming(block).iter().map(move |edge| (block, edge)))
            {
                self.journal.add_edge(cfg.source(edge), block);
            }
        }
        Ok(())
    }

    /// See [`Builder::try_set_initial`].
    ///
    /// # Errors
    /// As there.
    pub fn try_set_initial(&mut self, variable: Variable, value: Value) -> Result<(), InitialError> {
        self.builder.try_set_initial(variable, value)?;
        if self.is_recording {
            self.begin();
            self.claims.globals.insert(value);
            self.claims.initial.insert(variable);
            self.journal.initial(variable, value, false);
        }
        Ok(())
    }

    /// See [`Builder::try_write_variable`].
    ///
    /// # Errors
    /// As there.
    #[inline]
    pub fn try_write_variable(&mut self, block: Block, variable: Variable, value: Value) -> Result<(), WriteError> {
        self.builder.try_write_variable(block, variable, value)?;
        if self.is_recording {
            self.begin();
            self.journal.write(block, variable, value);
        }
        Ok(())
    }

    /// See [`Builder::try_write_on_edge`].
    ///
    /// # Errors
    /// As there.
    pub fn try_write_on_edge(
        &mut self,
        from: Block,
        slot: usize,
        variable: Variable,
        value: Value,
    ) -> Result<(), WriteError> {
        self.builder.try_write_on_edge(from, slot, variable, value)?;
        if self.is_recording {
            self.begin();
            if let Some(target) = self.builder.target(from, slot) {
                self.journal.write(target, variable, value);
            }
        }
        Ok(())
    }

    /// See [`Builder::try_read_variable`].
    ///
    /// # Errors
    /// As there.
    #[inline]
    pub fn try_read_variable(
        &mut self,
        host: &mut dyn PhiHost,
        block: Block,
        variable: Variable,
    ) -> Result<Value, ReadError> {
        if !self.is_recording {
            // Most calls are reads, and most builders do not record: there is nothing to do but pass them on.
            return self.builder.try_read_variable(host, block, variable);
        }
        self.read(host, block, variable, None)
    }

    /// See [`Builder::try_read_variable_at`].
    ///
    /// # Errors
    /// As there.
    #[inline]
    pub fn try_read_variable_at(
        &mut self,
        host: &mut dyn PhiHost,
        block: Block,
        variable: Variable,
        site: u32,
    ) -> Result<Value, ReadError> {
        if !self.is_recording {
            return self.builder.try_read_variable_at(host, block, variable, site);
        }
        self.read(host, block, variable, Some(site))
    }

    fn read(
        &mut self,
        host: &mut dyn PhiHost,
        block: Block,
        variable: Variable,
        site: Option<u32>,
    ) -> Result<Value, ReadError> {
        let value = self.with_host(host, |builder, host| match site {
            Some(site) => builder.try_read_variable_at(host, block, variable, site),
            None => builder.try_read_variable(host, block, variable),
        })?;
        if self.is_recording {
            self.journal.read(block, variable, value);
        }
        Ok(value)
    }

    /// See [`Builder::try_terminate`].
    ///
    /// # Errors
    /// As there.
    #[inline]
    pub fn try_terminate(&mut self, block: Block, targets: &[Block]) -> Result<(), EdgeError> {
        self.builder.try_terminate(block, targets)?;
        if self.is_recording {
            self.begin();
            self.journal.terminate(block, if self.is_announced { &[] } else { targets });
        }
        Ok(())
    }

    /// See [`Builder::try_add_edge`].
    ///
    /// # Errors
    /// As there.
    pub fn try_add_edge(&mut self, from: Block, to: Block) -> Result<(), EdgeError> {
        self.builder.try_add_edge(from, to)?;
        if self.is_recording {
            self.begin();
            self.journal.add_edge(from, to);
        }
        Ok(())
    }

    /// See [`Builder::try_redirect_edge`].
    ///
    /// # Errors
    /// As there.
    pub fn try_redirect_edge(&mut self, from: Block, slot: usize, to: Block) -> Result<Block, EdgeError> {
        let before = self.builder.try_redirect_edge(from, slot, to)?;
        if self.is_recording {
            self.journal.redirect_edge(from, slot, to);
        }
        Ok(before)
    }

    /// See [`Builder::try_seal_block`].
    ///
    /// # Errors
    /// As there.
    #[inline]
    pub fn try_seal_block(&mut self, host: &mut dyn PhiHost, block: Block) -> Result<(), SealError> {
        if !self.is_recording {
            return self.builder.try_seal_block(host, block);
        }
        self.with_host(host, |builder, host| builder.try_seal_block(host, block))
    }

    /// See [`Builder::try_seal_blocks`].
    ///
    /// # Errors
    /// As there.
    pub fn try_seal_blocks(&mut self, host: &mut dyn PhiHost, blocks: &[Block]) -> Result<(), SealError> {
        self.with_host(host, |builder, host| builder.try_seal_blocks(host, blocks))
    }

    /// See [`Builder::try_seal_all_blocks`].
    ///
    /// # Errors
    /// As there.
    pub fn try_seal_all_blocks(&mut self, host: &mut dyn PhiHost) -> Result<(), SealError> {
        self.with_host(host, |builder, host| builder.try_seal_all_blocks(host))
    }

    /// See [`Builder::try_expect_edges`].
    ///
    /// # Errors
    /// As there.
    pub fn try_expect_edges(&mut self, block: Block, edges: u32) -> Result<(), SealError> {
        self.builder.try_expect_edges(block, edges)
    }

    /// See [`Builder::try_hint_loop_writes`].
    ///
    /// # Errors
    /// As there.
    pub fn try_hint_loop_writes(&mut self, header: Block, variables: &[Variable]) -> Result<(), SealError> {
        self.builder.try_hint_loop_writes(header, variables)
    }

    /// See [`Builder::try_replace`]. The certificate takes the host's word for it.
    ///
    /// # Errors
    /// As there.
    pub fn try_replace(&mut self, host: &mut dyn PhiHost, old: Value, new: Value) -> Result<(), ReplaceError> {
        // What the values stand for before the call: a phi handed out may by now stand for a value the host wrote.
        let (from, to) = (self.builder.resolve(old), self.builder.resolve(new));
        self.builder.try_replace(host, old, new)?;
        if self.is_recording {
            self.begin();
            self.journal.replace(from, to);
        }
        Ok(())
    }

    fn begin(&mut self) {
        if !self.has_begun {
            self.has_begun = true;
            self.journal.begin(self.builder.entry());
        }
    }

    fn with_host<T>(&mut self, host: &mut dyn PhiHost, call: impl FnOnce(&mut Builder<O>, &mut dyn PhiHost) -> T) -> T {
        if !self.is_recording {
            return call(&mut self.builder, host);
        }
        self.begin();
        let mut host = Recorded { host, journal: &mut self.journal, claims: &mut self.claims };
        call(&mut self.builder, &mut host)
    }
}

impl Certified<Vec<ssaphire_construct::Event>> {
    /// The events so far, taken.
    pub fn take_events(&mut self) -> Vec<ssaphire_construct::Event> {
        core::mem::take(self.builder.observer_mut())
    }
}
