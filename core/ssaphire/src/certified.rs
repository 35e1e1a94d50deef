//! A builder wrapped in a journal, so that every result can be judged.

mod calls;
mod end;
mod everyday;
mod notes;

use crate::claims::{Claims, Recorded};
use crate::ranker::Ranker;
use alloc::vec::Vec;
use core::fmt;
use ssaphire_check::{Journal, ProgramError};
use ssaphire_construct::{Builder, Event, Observed, Observer, Options, PhiHost, SsaBuilder, Stats};

/// Whether results are judged by default.
pub(crate) const JUDGES: bool = cfg!(feature = "judge");

/// Why there is no certificate.
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
            Self::NotRecorded => f.write_str("nothing to judge: recording is off"),
            Self::NotFinished => f.write_str("nothing to judge: no function has been finished"),
            Self::Program(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for CertifyError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        if let Self::Program(error) = self { error.source() } else { None }
    }
}

impl From<ProgramError> for CertifyError {
    fn from(error: ProgramError) -> Self {
        Self::Program(error)
    }
}

/// A builder with a journal of the calls made to it.
///
/// It has the builder's calls ([`SsaBuilder`]): each is forwarded to the builder
/// and, if it succeeded, recorded. After [`finish`](SsaBuilder::finish),
/// [`certify`](Self::certify) writes the certificate that the judge needs: the source program
/// as the calls described it, and the result.
///
/// The journal never inspects the builder's state. It can be switched off.
#[derive(Debug)]
pub struct Certified<B: SsaBuilder = Builder> {
    builder: B,
    journal: Journal,
    claims: Claims,
    ranker: Ranker,
    is_recording: bool,
    /// Whether the next function is to be recorded.
    records_next: bool,
    /// Whether `finish` judges the recorded function.
    is_judging: bool,
    has_begun: bool,
    /// Whether the journal has the edges of the complete graph.
    is_announced: bool,
}

impl Default for Certified {
    fn default() -> Self {
        Self::new()
    }
}

impl Certified {
    /// A recording builder with the default options.
    pub fn new() -> Self {
        Self::with_options(Options::default())
    }

    /// A recording builder with the given options.
    pub fn with_options(options: Options) -> Self {
        Self::with_builder(Builder::with_options(options))
    }
}

impl<O: Observer> Certified<Builder<O>> {
    /// A recording builder that reports every state change to `observer`.
    pub fn with_observer(options: Options, observer: O) -> Self {
        Self::with_builder(Builder::with_observer(options, observer))
    }
}

impl<B: SsaBuilder + Observed> Observed for Certified<B> {
    type Observer = B::Observer;

    fn observer(&self) -> &B::Observer {
        self.builder.observer()
    }

    fn observer_mut(&mut self) -> &mut B::Observer {
        self.builder.observer_mut()
    }
}

impl<B: SsaBuilder + Observed<Observer = Vec<Event>>> Certified<B> {
    /// Takes the events so far.
    pub fn take_events(&mut self) -> Vec<Event> {
        core::mem::take(self.builder.observer_mut())
    }
}

impl<B: SsaBuilder> Certified<B> {
    /// A recording builder around `builder`, which must be new.
    pub fn with_builder(builder: B) -> Self {
        Self {
            builder,
            journal: Journal::new(),
            claims: Claims::default(),
            ranker: Ranker::default(),
            is_recording: true,
            records_next: true,
            is_judging: JUDGES,
            has_begun: false,
            is_announced: false,
        }
    }

    /// Switches the journal on or off, from the next function on, or from this one on if it has had no calls yet.
    pub fn set_recording(&mut self, is_recording: bool) {
        self.records_next = is_recording;
        if !self.has_begun && *self.builder.stats() == Stats::default() {
            self.is_recording = is_recording;
        }
    }

    /// Switches judging on or off. In debug builds, [`finish`](SsaBuilder::finish) then judges each recorded result,
    /// and panics with the reasons if the judge refuses it, before the host sees it. It also panics if the function does not
    /// fit the form of certificates. In release builds nothing changes.
    ///
    /// Default: off; with the feature `judge`, on. It applies to every function of the crate that takes a builder:
    /// [`Driver`](crate::Driver), [`rename_by`](crate::rename_by), [`construct`](crate::construct).
    /// With the feature, [`rename`](crate::rename()) is judged, too.
    ///
    /// The judge decides whether the result is equivalent to the recorded calls, and not whether it is minimal: for
    /// that, and for the code into which the host writes the result, see [`complaints`](Self::complaints).
    ///
    /// # Examples
    /// ```
    /// use ssaphire::{Block, Certified, ValueCounter, Variable};
    ///
    /// let mut ssa = Certified::default();
    /// ssa.set_judging(true);
    /// let (mut host, x) = (ValueCounter::default(), Variable::new(0));
    /// let value = host.fresh();
    /// ssa.write_variable(Block::new(0), x, value);
    /// ssa.read_variable(&mut host, Block::new(0), x);
    /// ssa.terminate(Block::new(0), &[]);
    /// ssa.finish(&mut host)?; // Judged, in a debug build.
    /// # Ok::<(), ssaphire::CallError>(())
    /// ```
    pub fn set_judging(&mut self, is_judging: bool) {
        self.is_judging = is_judging;
    }

    /// Whether the journal is on for this function.
    pub fn is_recording(&self) -> bool {
        self.is_recording
    }

    /// The builder.
    pub fn builder(&self) -> &B {
        &self.builder
    }

    fn begin(&mut self) {
        if !self.has_begun {
            self.has_begun = true;
            self.journal.begin(self.builder.entry());
        }
    }

    fn with_host<T>(&mut self, host: &mut dyn PhiHost, call: impl FnOnce(&mut B, &mut dyn PhiHost) -> T) -> T {
        if !self.is_recording {
            return call(&mut self.builder, host);
        }
        self.begin();
        let mut host = Recorded { host, journal: &mut self.journal, claims: &mut self.claims };
        call(&mut self.builder, &mut host)
    }
}
