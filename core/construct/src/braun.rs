//! On-the-fly construction.
//!
//! Values are looked up backwards from each read; a phi is made only where a
//! lookup meets a join, and dropped again when it proves trivial.
//!
//! | Braun et al. 2013 | here |
//! |---|---|
//! | Alg. 1, local numbering | `write_variable`, `read_variable` |
//! | Alg. 2, global numbering | `lookup` |
//! | Alg. 3, trivial phis | `trivial` |
//! | Alg. 4, incomplete graphs | `seal` |
//! | Alg. 5, irreducible graphs | [`Minimizer::components`](crate::minimize::Minimizer::components) |
//! | section 3.3, marker algorithm | `lookup`, engine [`Engine::Marker`] |
//! | section 3.3, SCC algorithm | `scc`, engine [`Engine::Scc`]; by dominators in `region`, engine [`Engine::Region`] |
//!
//! Engines that [decide at the end](Engine::decides_at_end) are other papers';
//! `at_end` asks them.
//!
//! # Complexity
//! Memory: O(*a* + *e* + cells), where a cell is one (block, variable) that a
//! lookup stored: the block asked, each join passed, and every 16th block of a
//! chain.
//! Time: O(*a*) table accesses plus one step per block passed by
//! lookups; section 4.1 bounds it by O(*n*·*v*) blocks without removals.
//!
//! # Departures
//! Lookup uses a work list: the paper recurses, and block chains may be long.
//! Pass-through blocks are not all memoised (Algorithm 2 stores in each).
//! A block is marked sealed before its incomplete phis get operands, since
//! host callbacks would otherwise see it unsealed.
//! A removed phi is forwarded, not rewritten: whoever still holds it resolves it.
//! Lookups that meet unreachable code end there with the undefined value.

mod access;
mod at_end;
mod blocks;
mod boundary;
mod calls;
mod chain;
mod definitions;
mod edges;
mod finish;
mod hints;
mod lookup;
mod phis;
mod region;
mod report;
mod returned;
mod row;
mod scc;
mod seal;
mod tables;
mod trivial;
mod watched;

use crate::error::{EntryError, Stopped};
use crate::fault::{self, Fault};
use crate::host::PhiHost;
use crate::in_use;
use crate::observe::{Event, Observer, Reason, UndefinedRead};
use crate::options::{Engine, Options};
use crate::stats::Stats;
use crate::values::PhiId;
use crate::values::Values;
use alloc::vec::Vec;
use blocks::Blocks;
use definitions::Definitions;
use phis::{Phis, State};
use ssaphire_graph::{Block, IdMap, Value, Variable};

/// A builder of any engine but the default one: see [`SsaBuilder`](crate::SsaBuilder) for its calls.
#[derive(Clone, Debug)]
pub(crate) struct Builder<O: Observer = ()> {
    options: Options,
    observer: O,
    stopped: Option<Stopped>,
    entry: Block,
    /// Number of the block whose accesses the row answers; it is not filled. `NONE` where calls are to look closer.
    current: u32,
    blocks: Blocks,
    row: row::Row,
    definitions: Definitions,
    values: Values,
    in_use: in_use::InUse,
    phis: Phis,
    /// What variables hold when control enters, where the caller said so.
    initial: IdMap<Variable, Option<Value>>,
    /// What the host said an undefined variable holds.
    undefined: IdMap<Variable, Option<Value>>,
    lookup: lookup::Scratch,
    scc: scc::Scratch,
    region: region::Scratch,
    watched: watched::Watches,
    trivial: trivial::Scratch,
    seal: seal::Scratch,
    hints: hints::Scratch,
    finish: finish::Scratch,
    at_end: at_end::Scratch,
    /// Reads that carried a site number.
    sites: Vec<report::Site>,
    undefined_reads: Vec<UndefinedRead>,
    stats: Stats,
}

impl<O: Observer> Builder<O> {
    /// A builder that tells `observer` of every state change.
    pub(crate) fn with_observer(options: Options, observer: O) -> Self {
        let (blocks, row) = (Blocks::below(options.ids.blocks), row::Row::below(options.ids.variables));
        Self {
            options,
            observer,
            stopped: None,
            entry: Block::new(0),
            current: blocks::NONE,
            blocks,
            row,
            definitions: Definitions::default(),
            values: Values::default(),
            in_use: in_use::InUse::default(),
            phis: Phis::default(),
            initial: IdMap::new(),
            undefined: IdMap::new(),
            lookup: lookup::Scratch::default(),
            scc: scc::Scratch::default(),
            region: region::Scratch::default(),
            watched: watched::Watches::default(),
            trivial: trivial::Scratch::default(),
            seal: seal::Scratch::default(),
            hints: hints::Scratch::default(),
            finish: finish::Scratch::default(),
            at_end: at_end::Scratch::default(),
            sites: Vec::new(),
            undefined_reads: Vec::new(),
            stats: Stats::default(),
        }
    }

    /// Forgets the function and is ready for the next; keeps memory, options and observer.
    pub(crate) fn clear(&mut self) {
        self.stopped = None;
        self.entry = Block::new(0);
        self.current = blocks::NONE;
        self.blocks.clear();
        self.row.clear();
        self.definitions.clear();
        self.values.clear();
        self.in_use.clear();
        self.phis.clear();
        self.initial.clear();
        self.undefined.clear();
        self.lookup.clear();
        self.scc.clear();
        self.region.clear();
        self.watched.clear();
        self.trivial.clear();
        self.seal.clear();
        self.hints.clear();
        self.sites.clear();
        self.undefined_reads.clear();
        self.stats = Stats::default();
    }

    /// How the builder works.
    pub(crate) fn options(&self) -> &Options {
        &self.options
    }

    /// The observer.
    pub(crate) fn observer(&self) -> &O {
        &self.observer
    }

    /// The observer, to be changed.
    pub(crate) fn observer_mut(&mut self) -> &mut O {
        &mut self.observer
    }

    /// Counters of this function so far.
    pub(crate) fn stats(&self) -> &Stats {
        &self.stats
    }

    /// The block where control enters.
    pub(crate) fn entry(&self) -> Block {
        self.entry
    }

    /// Whether no block has been mentioned since the last [`clear`](Self::clear); initial values may have been given.
    pub(crate) fn is_new(&self) -> bool {
        self.stopped.is_none() && self.blocks.len() == 0
    }

    /// Makes `entry` the block where control enters. It must be the first call for a function.
    pub(crate) fn set_entry(&mut self, entry: Block) -> Result<(), EntryError> {
        self.running()?;
        if self.blocks.len() > 0 {
            return Err(EntryError::Late { entry });
        }
        self.options.ids.check_block(entry)?;
        self.entry = entry;
        self.blocks.mention(entry);
        self.observer.event(Event::Entry { block: entry });
        Ok(())
    }

    /// The block that the edge leaving `from` by `slot` enters.
    pub(crate) fn target(&self, from: Block, slot: usize) -> Option<Block> {
        self.blocks.edge_number(from, slot).map(|edge| self.blocks.edge(edge).target)
    }

    /// Whether all accesses of `block` are recorded.
    pub(crate) fn is_filled(&self, block: Block) -> bool {
        self.blocks.find(block).is_some_and(|data| data.is_filled)
    }

    /// Whether all incoming edges of `block` are known: it was sealed, or as many as it expects are there.
    pub(crate) fn is_sealed(&self, block: Block) -> bool {
        self.blocks.is_closed(block)
    }

    /// Whether `block` is known to be unreachable: sealed without incoming edges, and not the entry.
    pub(crate) fn is_unreachable(&self, block: Block) -> bool {
        block != self.entry && self.blocks.is_closed(block) && self.blocks.get(block).num_in == 0
    }

    /// Why the builder accepts nothing but [`clear`](Self::clear), if it does so.
    pub(crate) fn stopped(&self) -> Option<Stopped> {
        self.stopped
    }

    #[inline]
    fn running(&self) -> Result<(), Stopped> {
        if self.stopped.is_none() { Ok(()) } else { self.refuse() }
    }

    /// Out of the way of calls that go on: why the builder accepts nothing but `clear`.
    #[cold]
    #[inline(never)]
    fn refuse(&self) -> Result<(), Stopped> {
        self.stopped.map_or(Ok(()), Err)
    }

    fn stop(&mut self, why: Stopped) -> Stopped {
        self.stopped = Some(why);
        self.current = blocks::NONE;
        self.observer.event(Event::Stopped { why });
        why
    }

    /// Counts steps against the work budget.
    #[inline]
    fn spend(&mut self, steps: u64) -> Result<(), Stopped> {
        self.stats.work += steps;
        fault::check_work(self.stats.work);
        match self.options.work_limit {
            Some(limit) if self.stats.work > limit => Err(self.stop(Stopped::OutOfWork { limit })),
            _ => Ok(()),
        }
    }

    /// Changes the [work limit](Options::work_limit), for this function and those after it.
    pub(crate) fn set_work_limit(&mut self, steps: Option<u64>) {
        self.options.work_limit = steps;
    }

    /// What the host says `variable` holds where no write reaches.
    fn undefined(&mut self, host: &mut dyn PhiHost, variable: Variable) -> Result<Value, Stopped> {
        self.undefined.grow_to(variable, None);
        if let Some(value) = self.undefined[variable].filter(|_| !fault::is_on(Fault::EachUndefinedIsAnother)) {
            return Ok(self.values.resolve(value));
        }
        let value = host.undefined(variable);
        self.check_undefined(value, variable)?;
        self.undefined[variable] = Some(value);
        self.values.undefined.insert(value);
        self.observer.event(Event::Undefined { variable, value });
        Ok(self.values.resolve(value))
    }

    fn forward(&mut self, host: &mut dyn PhiHost, from: Value, to: Value, reason: Reason) {
        self.values.set_forward(from, to);
        host.forwarded(from, to);
        self.observer.event(Event::Forwarded { from, to, reason });
    }

    fn make_phi(
        &mut self,
        host: &mut dyn PhiHost,
        block: Block,
        variable: Variable,
        state: State,
    ) -> Result<PhiId, Stopped> {
        let value = host.new_phi(block, variable);
        self.check_phi(value, block, variable)?;
        let phi = self.phis.push(value, block, variable, state);
        self.values.set_phi(value, phi);
        self.stats.phis_made += 1;
        self.observer.event(match state {
            State::Incomplete => Event::IncompletePhi { block, variable, phi: value },
            _ => Event::PhiMade { block, variable, phi: value },
        });
        Ok(phi)
    }

    /// Whether the engine lists the users of each phi, to check them when it is removed.
    fn keeps_users(&self) -> bool {
        matches!(self.options.engine, Engine::Marker | Engine::Braun | Engine::Scc | Engine::Region)
    }
}
