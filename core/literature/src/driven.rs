//! The code that all constructors driven by calls share.
//!
//! The calls, and the blocks and edges that they record (`access`, `edges`, `seal`); the definitions of
//! blocks (`definitions`); phis, and the removal of trivial ones (`phis`, `trivial`); `finish` (`finish`, `report`).
//! A [`Strategy`] finds values: each constructor has its own.

mod access;
pub(crate) mod blocks;
mod calls;
pub(crate) mod definitions;
mod edges;
mod finish;
mod lookup;
pub(crate) mod phis;
mod returned;
mod row;
mod seal;
mod tables;
mod trivial;

use alloc::vec::Vec;
use blocks::{Blocks, Incoming, Links};
use core::fmt;
use definitions::Definitions;
use phis::{Phis, State};
use ssaphire_construct::Options;
use ssaphire_construct::PhiHost;
use ssaphire_construct::Stats;
use ssaphire_construct::parts::{EntryValues, InCall, InUse, PhiId, SitedReads, Values};
use ssaphire_construct::{Call, CallError, CallErrorKind, Recorder, Stopped};
use ssaphire_construct::{Event, Observer, Reason, UndefinedRead};
use ssaphire_graph::{Block, PackedOption, Value, Variable};

/// A lookup of reaching definitions: a constructor, apart from the calls that drive it.
///
/// The builder that contains it notifies it of events through these functions.
pub trait Strategy: Clone + fmt::Debug + Sized {
    /// Whether each phi lists the phis that use it.
    const KEEPS_USERS: bool = true;

    /// Whether reads that their block cannot answer get incomplete phis, in sealed code, too, which are decided at the
    /// end.
    const DECIDES_AT_END: bool = false;

    /// Forgets the function; keeps memory.
    fn clear(&mut self);

    /// The value of `variable` at the end of `block` so far; the block has no definition of it.
    ///
    /// # Errors
    /// If the work budget is used up, or the host breaks its contract.
    fn look_up<O: Observer>(
        builder: &mut Driven<Self, O>,
        host: &mut dyn PhiHost,
        block: Block,
        variable: Variable,
    ) -> Result<Value, Stopped>;

    /// All edges into the block are there; its incomplete phis have no operands yet.
    fn sealed<O: Observer>(builder: &mut Driven<Self, O>, block: Block) {
        let _ = (builder, block);
    }

    /// Seals the blocks, those that are not sealed, and completes their incomplete phis.
    ///
    /// # Errors
    /// As [`look_up`](Self::look_up).
    fn seal_together<O: Observer>(
        builder: &mut Driven<Self, O>,
        host: &mut dyn PhiHost,
        blocks: &[Block],
    ) -> Result<(), Stopped> {
        blocks.iter().try_for_each(|&block| builder.seal(host, block))
    }

    /// Queues the phis that may have become trivial since `phi` was replaced by `same`; returns the number looked at.
    fn queue_users<O: Observer>(
        builder: &mut Driven<Self, O>,
        phi: PhiId,
        same: Value,
        waiting: &mut Vec<PhiId>,
    ) -> u64 {
        builder.queue_listed_users(phi, same, waiting)
    }

    /// The phi was found not to be trivial; its witnesses were these `before`.
    fn examined<O: Observer>(builder: &mut Driven<Self, O>, phi: PhiId, before: (u32, u32)) {
        let _ = (builder, phi, before);
    }

    /// The host's value `from` is replaced by `to` from now on.
    fn replaced<O: Observer>(builder: &mut Driven<Self, O>, from: Value, to: Value) {
        let _ = (builder, from, to);
    }

    /// Makes the decisions that were deferred to the end.
    ///
    /// # Errors
    /// As [`look_up`](Self::look_up), or if there is no form for the function.
    fn decide_at_end<O: Observer>(builder: &mut Driven<Self, O>, host: &mut dyn PhiHost) -> Result<(), CallErrorKind> {
        let _ = (builder, host);
        Ok(())
    }
}

/// A builder by a constructor of the literature: see [`SsaBuilder`](ssaphire_construct::SsaBuilder) for its calls.
///
/// # Complexity
/// Memory: O(*a* + *e* + cells), where a cell is one (block, variable) that the strategy stored.
#[derive(Clone, Debug)]
pub struct Driven<S, O: Observer = ()> {
    /// How values are found.
    pub(crate) strategy: S,
    pub(crate) options: Options,
    pub(crate) observer: O,
    stopped: Option<Stopped>,
    /// The block whose accesses the row answers; it is not filled. None where calls are to look closer.
    current: PackedOption<Block>,
    pub(crate) blocks: Blocks,
    pub(crate) incoming: Incoming,
    pub(crate) links: Links,
    row: row::Row,
    pub(crate) definitions: Definitions,
    pub(crate) values: Values,
    in_use: InUse,
    /// Number of variables that `declare_variable` has returned.
    num_declared: u32,
    pub(crate) phis: Phis,
    on_entry: EntryValues,
    trivial: trivial::Scratch,
    seal: seal::Scratch,
    pub(crate) finish: finish::Scratch,
    sited_reads: SitedReads,
    pub(crate) stats: Stats,
}

impl<S: Strategy + Default> Driven<S> {
    /// A builder with these options.
    pub fn with_options(options: Options) -> Self {
        Self::with_observer(S::default(), options, ())
    }
}

impl<S: Strategy, O: Observer> Driven<S, O> {
    /// A builder that reports every state change to `observer`.
    pub fn with_observer(strategy: S, options: Options, observer: O) -> Self {
        let (blocks, row) = (Blocks::below(options.ids.blocks), row::Row::below(options.ids.variables));
        Self {
            strategy,
            observer,
            stopped: None,
            current: PackedOption::NONE,
            blocks,
            incoming: Incoming::default(),
            links: Links::default(),
            row,
            definitions: Definitions::new(&options.thresholds),
            values: Values::default(),
            in_use: InUse::default(),
            num_declared: 0,
            phis: Phis::default(),
            on_entry: EntryValues::default(),
            trivial: trivial::Scratch::default(),
            seal: seal::Scratch::default(),
            finish: finish::Scratch::default(),
            sited_reads: SitedReads::default(),
            stats: Stats::default(),
            options,
        }
    }

    /// Forgets the function and is ready for the next; keeps memory, options and observer.
    pub(crate) fn clear(&mut self) {
        self.stopped = None;
        self.current = PackedOption::NONE;
        self.blocks.clear();
        self.incoming.clear();
        self.links.clear();
        self.row.clear();
        self.definitions.clear();
        self.values.clear();
        self.in_use.clear();
        self.num_declared = 0;
        self.phis.clear();
        self.on_entry.clear();
        self.strategy.clear();
        self.trivial.clear();
        self.seal.clear();
        self.sited_reads.clear();
        self.stats = Stats::default();
    }

    /// How the builder works.
    pub(crate) fn options(&self) -> &Options {
        &self.options
    }

    /// Counters of this function so far.
    pub(crate) fn stats(&self) -> &Stats {
        &self.stats
    }

    /// The block where control enters.
    pub(crate) fn entry(&self) -> Block {
        self.blocks.entry()
    }

    /// Whether no block has been mentioned since the last [`clear`](Self::clear); initial values may have been given.
    pub(crate) fn is_new(&self) -> bool {
        self.stopped.is_none() && self.blocks.num_mentioned() == 0
    }

    /// Makes `entry` the block where control enters. It must be the first call for a function.
    pub(crate) fn set_entry(&mut self, entry: Block) -> Result<(), CallError> {
        self.name_entry(entry).in_call(Call::SetEntry { entry })
    }

    fn name_entry(&mut self, entry: Block) -> Result<(), CallErrorKind> {
        self.running()?;
        self.blocks.name_entry(entry, &self.options.ids)?;
        self.observer.event(Event::Entry { block: entry });
        Ok(())
    }

    /// The block that the edge leaving `from` by `slot` enters.
    pub(crate) fn target(&self, from: Block, slot: u32) -> Option<Block> {
        self.blocks.edge_number(from, slot).map(|edge| self.blocks.edge(edge).target)
    }

    /// Whether all accesses of `block` are recorded.
    pub(crate) fn is_filled(&self, block: Block) -> bool {
        self.blocks.is_filled(block)
    }

    /// The blocks that were mentioned and are not filled, in id order.
    pub(crate) fn unfilled_blocks(&self) -> Vec<Block> {
        self.blocks.unfilled()
    }

    /// Whether all incoming edges of `block` are known: it was sealed, or has as many as in the announced graph.
    pub(crate) fn is_sealed(&self, block: Block) -> bool {
        self.blocks.is_closed(block)
    }

    /// Whether `block` is known to be unreachable: sealed without incoming edges, and not the entry.
    pub(crate) fn is_unreachable(&self, block: Block) -> bool {
        block != self.blocks.entry() && self.blocks.is_closed(block) && self.blocks.get(block).num_in == 0
    }

    /// The source of the only incoming edge of a sealed block.
    pub(crate) fn known_dominator(&self, block: Block) -> Option<Block> {
        let only = self.blocks.only_edge(block).filter(|_| self.blocks.is_closed(block));
        only.map(|edge| edge.source).filter(|&source| source != block)
    }

    /// After `finish`: the sited reads that may see an undefined variable, in the order of the reads.
    pub(crate) fn undefined_reads(&self) -> &[UndefinedRead] {
        self.sited_reads.undefined()
    }

    /// The builder does not record.
    #[expect(clippy::unused_self, reason = "called like the other calls")]
    pub(crate) fn recorder(&mut self) -> Option<&mut dyn Recorder> {
        None
    }

    /// Why the builder accepts nothing but [`clear`](Self::clear), if it does so.
    pub(crate) fn stopped(&self) -> Option<Stopped> {
        self.stopped
    }

    #[inline]
    pub(crate) fn running(&self) -> Result<(), Stopped> {
        if self.stopped.is_none() { Ok(()) } else { self.refuse() }
    }

    /// Fails if the builder accepts only `clear`. Out of line, away from the calls that succeed.
    #[cold]
    #[inline(never)]
    fn refuse(&self) -> Result<(), Stopped> {
        self.stopped.map_or(Ok(()), Err)
    }

    pub(crate) fn stop(&mut self, why: Stopped) -> Stopped {
        self.stopped = Some(why);
        self.current = PackedOption::NONE;
        self.observer.event(Event::Stopped { why });
        why
    }

    /// Counts steps against the work budget.
    #[inline]
    pub(crate) fn spend(&mut self, steps: u64) -> Result<(), Stopped> {
        self.stats.work += steps;
        match self.options.work_limit {
            Some(limit) if self.stats.work > limit => Err(self.stop(Stopped::OutOfWork { limit })),
            _ => Ok(()),
        }
    }

    /// Changes the [work limit](Options::work_limit), for this function and those after it.
    pub(crate) fn set_work_limit(&mut self, steps: Option<u64>) {
        self.options.work_limit = steps;
    }

    /// The host's value of `variable` where no write reaches.
    pub(crate) fn undefined(&mut self, host: &mut dyn PhiHost, variable: Variable) -> Result<Value, Stopped> {
        if let Some(value) = self.on_entry.undefined(variable) {
            return Ok(self.values.resolve(value));
        }
        let value = host.undefined(variable);
        self.check_undefined(value, variable)?;
        self.on_entry.set_undefined(variable, value);
        self.values.undefined.insert(value);
        self.observer.event(Event::Undefined { variable, value });
        Ok(self.values.resolve(value))
    }

    pub(crate) fn forward(&mut self, host: &mut dyn PhiHost, from: Value, to: Value, reason: Reason) {
        self.values.set_forward(from, to);
        host.forwarded(from, to);
        self.observer.event(Event::Forwarded { from, to, reason });
    }

    pub(crate) fn make_phi(
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
}
