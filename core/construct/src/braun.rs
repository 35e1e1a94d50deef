//! On-the-fly construction.
//!
//! Values are looked up backwards from each read; a phi is made only where a
//! lookup meets a join, and dropped again when it proves trivial.
//!
//! | Braun et al. 2013 | here |
//! |---|---|
//! | Alg. 1, local numbering | [`Builder::write_variable`], [`Builder::read_variable`] |
//! | Alg. 2, global numbering | `lookup` |
//! | Alg. 3, trivial phis | `trivial` |
//! | Alg. 4, incomplete graphs | [`Builder::seal_block`], `seal` |
//! | Alg. 5, irreducible graphs | [`crate::minimize::components`] |
//! | section 3.3, marker algorithm | `lookup`, engine [`Engine::Marker`] |
//!
//! # Complexity
//! Memory: O(*a* + *e* + cells), where a cell is one (block, variable) that a
//! lookup stored: the block asked, each join passed, and every 16th block of a
//! chain. Time: O(*a*) table accesses plus one step per block passed by
//! lookups; section 4.1 bounds it by O(*n*·*v*) blocks without removals.
//!
//! # Departures
//! Lookup uses a work list: the paper recurses, and block chains may be long.
//! Pass-through blocks are not all memoised (Algorithm 2 stores in each).
//! A block is marked sealed before its incomplete phis get operands, since
//! host callbacks would otherwise see it unsealed.
//! A removed phi is forwarded, not rewritten: whoever still holds it resolves it.
//! Lookups that meet unreachable code end there with the undefined value.

mod blocks;
mod definitions;
mod finish;
mod lookup;
mod phis;
mod report;
mod seal;
mod trivial;
mod values;

use crate::error::{EdgeError, EntryError, ReadError, ReplaceError, Stopped, WriteError};
use crate::host::PhiHost;
use crate::observe::{Event, Observer, Reason};
use crate::options::{Engine, Options};
use crate::stats::Stats;
use alloc::vec::Vec;
use blocks::Blocks;
use definitions::Definitions;
use phis::{PhiId, Phis, State};
use ssaphire_graph::{Block, Cfg, IdMap, Value, Variable};
use values::Values;

/// Builds the SSA form of one function after another, while the caller walks it.
///
/// The caller names blocks, variables and values by dense ids of its own
/// choosing; the builder grows on first mention. Per block: record its
/// accesses with [`write_variable`](Self::write_variable) and
/// [`read_variable`](Self::read_variable), then [`terminate`](Self::terminate)
/// it; [`seal_block`](Self::seal_block) as soon as all edges into it are
/// there. At the end [`finish`](Self::finish) hands over the phis.
///
/// # Contract
/// Every value handed out stays valid until `finish`, and may by then stand
/// for another. The entry is block 0 unless [`set_entry`](Self::set_entry)
/// names another; it has no incoming edges. Each call `x` panics where `try_x`
/// returns an error, with the same words.
///
/// # Examples
/// See the front page of the crate `ssaphire`.
#[derive(Clone, Debug)]
pub struct Builder<O: Observer = ()> {
    options: Options,
    observer: O,
    stopped: Option<Stopped>,
    entry: Block,
    blocks: Blocks,
    definitions: Definitions,
    values: Values,
    phis: Phis,
    /// What the host said an undefined variable holds.
    undefined: IdMap<Variable, Option<Value>>,
    lookup: lookup::Scratch,
    trivial: trivial::Scratch,
    seal: seal::Scratch,
    finish: finish::Scratch,
    /// Reads that carried a site number.
    sites: Vec<report::Site>,
    stats: Stats,
}

impl Default for Builder {
    fn default() -> Self {
        Self::new(Options::default())
    }
}

impl Builder {
    /// A builder that works as the options say.
    pub fn new(options: Options) -> Self {
        Self::with_observer(options, ())
    }
}

impl<O: Observer> Builder<O> {
    /// A builder that tells `observer` of every state change.
    pub fn with_observer(options: Options, observer: O) -> Self {
        Self {
            options,
            observer,
            stopped: None,
            entry: Block::new(0),
            blocks: Blocks::default(),
            definitions: Definitions::default(),
            values: Values::default(),
            phis: Phis::default(),
            undefined: IdMap::new(),
            lookup: lookup::Scratch::default(),
            trivial: trivial::Scratch::default(),
            seal: seal::Scratch::default(),
            finish: finish::Scratch::default(),
            sites: Vec::new(),
            stats: Stats::default(),
        }
    }

    /// Forgets the function and is ready for the next; keeps memory, options and observer.
    pub fn clear(&mut self) {
        self.stopped = None;
        self.entry = Block::new(0);
        self.blocks.clear();
        self.definitions.clear();
        self.values.clear();
        self.phis.clear();
        self.undefined.clear();
        self.lookup.clear();
        self.trivial.clear();
        self.seal.clear();
        self.sites.clear();
        self.stats = Stats::default();
    }

    /// How the builder works.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The observer.
    pub fn observer(&self) -> &O {
        &self.observer
    }

    /// The observer, to be changed.
    pub fn observer_mut(&mut self) -> &mut O {
        &mut self.observer
    }

    /// Counters of this function so far.
    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    /// The block where control enters.
    pub fn entry(&self) -> Block {
        self.entry
    }

    /// Makes `entry` the block where control enters. It must be the first call for a function.
    ///
    /// # Errors
    /// If a block was mentioned before.
    pub fn set_entry(&mut self, entry: Block) -> Result<(), EntryError> {
        if self.blocks.len() > 0 {
            return Err(EntryError::Late { entry });
        }
        self.entry = entry;
        self.blocks.mention(entry);
        Ok(())
    }

    /// The block that the edge leaving `from` by `slot` enters.
    ///
    /// # Complexity
    /// O(slot).
    pub fn target(&self, from: Block, slot: usize) -> Option<Block> {
        self.blocks.find(from)?;
        self.blocks.outgoing(from).nth(slot).map(|edge| edge.target)
    }

    /// Whether all accesses of `block` are recorded.
    pub fn is_filled(&self, block: Block) -> bool {
        self.blocks.find(block).is_some_and(|data| data.is_filled)
    }

    /// Whether all incoming edges of `block` are known.
    pub fn is_sealed(&self, block: Block) -> bool {
        self.blocks.find(block).is_some_and(|data| data.is_sealed)
    }

    /// Whether `block` is known to be unreachable: sealed without incoming edges, and not the entry.
    ///
    /// Code that only unreachable blocks lead to is found at `finish`.
    pub fn is_unreachable(&self, block: Block) -> bool {
        block != self.entry && self.blocks.find(block).is_some_and(|data| data.is_sealed && data.num_in == 0)
    }

    /// From here to the end of `block`, or to its next write, `variable` holds `value` (Algorithm 1).
    ///
    /// # Errors
    /// If the block is filled.
    ///
    /// # Complexity
    /// O(1) expected.
    pub fn try_write_variable(&mut self, block: Block, variable: Variable, value: Value) -> Result<(), WriteError> {
        self.running()?;
        let data = self.blocks.mention(block);
        if data.is_filled {
            return Err(WriteError::Filled { block, variable });
        }
        data.is_accessed = true;
        self.values.mention(value);
        self.definitions.set(block, variable, value);
        self.stats.writes += 1;
        self.observer.event(Event::Write { block, variable, value });
        Ok(())
    }

    /// [`try_write_variable`](Self::try_write_variable), for callers that know the block is not filled.
    ///
    /// # Panics
    /// Where that returns an error.
    #[track_caller]
    pub fn write_variable(&mut self, block: Block, variable: Variable, value: Value) {
        self.try_write_variable(block, variable, value).unwrap_or_else(|error| panic!("{error}"));
    }

    /// Writes `variable` on the edge that leaves the filled block `from` by `slot`: at the head of its target.
    ///
    /// For operations that end their block because they may throw: the result
    /// is there in the normal successor, and the handler sees the variables as
    /// they were before.
    ///
    /// # Errors
    /// If there is no such edge, or its target is not sealed with that edge
    /// alone, or has accesses already (results of the same edge excepted).
    pub fn try_write_on_edge(
        &mut self,
        from: Block,
        slot: usize,
        variable: Variable,
        value: Value,
    ) -> Result<(), WriteError> {
        self.running()?;
        let Some(target) = self.target(from, slot) else {
            return Err(WriteError::NoSuchEdge { block: from, slot, variable });
        };
        let data = self.blocks.get(target);
        if !data.is_sealed || data.num_in != 1 {
            return Err(WriteError::SharedSuccessor { block: target, variable });
        }
        if data.is_accessed {
            return Err(WriteError::SuccessorInUse { block: target, variable });
        }
        self.try_write_variable(target, variable, value)?;
        self.blocks.get_mut(target).is_accessed = false;
        Ok(())
    }

    /// [`try_write_on_edge`](Self::try_write_on_edge), for callers that know the edge is the only one into its target.
    ///
    /// # Panics
    /// Where that returns an error.
    #[track_caller]
    pub fn write_on_edge(&mut self, from: Block, slot: usize, variable: Variable, value: Value) {
        self.try_write_on_edge(from, slot, variable, value).unwrap_or_else(|error| panic!("{error}"));
    }

    /// What `variable` holds at this point of `block`, or at its end if it is filled (Algorithms 1 and 2).
    ///
    /// # Errors
    /// If the work budget is used up, or a wrong hint came to light.
    ///
    /// # Complexity
    /// O(1) expected if the block knows; else one step per block passed, each passed once per variable in sealed code
    /// up to a factor of 16.
    pub fn try_read_variable(
        &mut self,
        host: &mut dyn PhiHost,
        block: Block,
        variable: Variable,
    ) -> Result<Value, ReadError> {
        self.read(host, block, variable, None)
    }

    /// [`try_read_variable`](Self::try_read_variable), for callers without a work budget and wrong hints.
    ///
    /// # Panics
    /// Where that returns an error.
    #[track_caller]
    pub fn read_variable(&mut self, host: &mut dyn PhiHost, block: Block, variable: Variable) -> Value {
        self.try_read_variable(host, block, variable).unwrap_or_else(|error| panic!("{error}"))
    }

    /// A read with a number of the caller's, under which it is reported if it may see an undefined variable.
    ///
    /// See [`Options::report_undefined_reads`] and [`Event::UndefinedRead`].
    ///
    /// # Errors
    /// As [`try_read_variable`](Self::try_read_variable).
    pub fn try_read_variable_at(
        &mut self,
        host: &mut dyn PhiHost,
        block: Block,
        variable: Variable,
        site: u32,
    ) -> Result<Value, ReadError> {
        self.read(host, block, variable, Some(site))
    }

    /// [`try_read_variable_at`](Self::try_read_variable_at), for callers without a work budget and wrong hints.
    ///
    /// # Panics
    /// Where that returns an error.
    #[track_caller]
    pub fn read_variable_at(&mut self, host: &mut dyn PhiHost, block: Block, variable: Variable, site: u32) -> Value {
        self.try_read_variable_at(host, block, variable, site).unwrap_or_else(|error| panic!("{error}"))
    }

    fn read(
        &mut self,
        host: &mut dyn PhiHost,
        block: Block,
        variable: Variable,
        site: Option<u32>,
    ) -> Result<Value, ReadError> {
        self.running()?;
        self.settle(host)?;
        self.blocks.mention(block).is_accessed = true;
        self.stats.reads += 1;
        let value = self.lookup(host, block, variable)?;
        self.values.handed_out.insert(value);
        if let (Some(site), true) = (site, self.options.report_undefined_reads) {
            self.sites.push(report::Site { site, block, variable, value });
        }
        self.observer.event(Event::Read { block, variable, value, site });
        Ok(value)
    }

    /// Fills `block` and adds its edges: slot *i* leads to `targets[i]`.
    ///
    /// # Errors
    /// If the block is filled already, or a target is the entry, sealed, or
    /// has all the edges it expects. Then no edge has been added.
    ///
    /// # Complexity
    /// O(targets).
    pub fn try_terminate(&mut self, block: Block, targets: &[Block]) -> Result<(), EdgeError> {
        self.running()?;
        if self.is_filled(block) {
            return Err(EdgeError::Filled { block });
        }
        self.check_edges(block, targets)?;
        self.blocks.mention(block).is_filled = true;
        self.observer.event(Event::Filled { block });
        for &target in targets {
            self.insert_edge(block, target);
        }
        Ok(())
    }

    /// [`try_terminate`](Self::try_terminate), for callers that keep the order of calls.
    ///
    /// # Panics
    /// Where that returns an error.
    #[track_caller]
    pub fn terminate(&mut self, block: Block, targets: &[Block]) {
        self.try_terminate(block, targets).unwrap_or_else(|error| panic!("{error}"));
    }

    /// Adds a late edge: `from` is filled, and the edge takes the slot after those it has.
    ///
    /// # Errors
    /// If `from` is not filled, or `to` is the entry, sealed, or has all the edges it expects.
    pub fn try_add_edge(&mut self, from: Block, to: Block) -> Result<(), EdgeError> {
        self.running()?;
        if !self.is_filled(from) {
            return Err(EdgeError::NotFilled { from, to });
        }
        self.check_edges(from, &[to])?;
        self.insert_edge(from, to);
        Ok(())
    }

    /// [`try_add_edge`](Self::try_add_edge), for callers that keep the order of calls.
    ///
    /// # Panics
    /// Where that returns an error.
    #[track_caller]
    pub fn add_edge(&mut self, from: Block, to: Block) {
        self.try_add_edge(from, to).unwrap_or_else(|error| panic!("{error}"));
    }

    /// Whether the edges may all be added. Nothing has changed when it returns.
    fn check_edges(&mut self, from: Block, targets: &[Block]) -> Result<(), EdgeError> {
        let mut result = Ok(());
        let mut checked = 0;
        while checked < targets.len() && result.is_ok() {
            let to = targets[checked];
            result = self.check_edge(from, to);
            checked += 1;
        }
        for &to in &targets[..checked] {
            if let Some(data) = self.blocks.find_mut(to) {
                data.num_checked = 0;
            }
        }
        result
    }

    fn check_edge(&mut self, from: Block, to: Block) -> Result<(), EdgeError> {
        if to == self.entry {
            return Err(EdgeError::IntoEntry { from, entry: to });
        }
        let Some(data) = self.blocks.find_mut(to) else { return Ok(()) };
        // A target named twice needs room for two edges.
        data.num_checked += 1;
        match data.expected() {
            Some(expected) if data.num_in + data.num_checked > expected => {
                Err(EdgeError::Unexpected { from, to, expected })
            }
            _ if data.is_sealed => Err(EdgeError::IntoSealed { from, to }),
            _ => Ok(()),
        }
    }

    fn insert_edge(&mut self, from: Block, to: Block) {
        self.blocks.mention(to);
        let (slot, index) = self.blocks.add_edge(from, to);
        self.stats.edges += 1;
        self.observer.event(Event::EdgeAdded { from, slot, to, index });
        self.note_if_ready(to);
    }

    /// The host says that `old`, which it wrote, is the same as `new`: it deleted, merged or folded `old`.
    ///
    /// Phis that merge both are found trivial at the latest by `finish`.
    ///
    /// # Errors
    /// If `old` stands for a phi of this builder or for an undefined variable.
    pub fn try_replace(&mut self, host: &mut dyn PhiHost, old: Value, new: Value) -> Result<(), ReplaceError> {
        self.running()?;
        self.values.mention(old);
        self.values.mention(new);
        let (from, to) = (self.values.resolve(old), self.values.resolve(new));
        if from == to {
            return Ok(());
        }
        if self.values.phi(from).is_some() {
            return Err(ReplaceError::Phi { value: from });
        }
        if self.values.undefined.contains(from) {
            return Err(ReplaceError::Undefined { value: from });
        }
        self.stats.replaced += 1;
        self.forward(host, from, to, Reason::Replaced);
        Ok(())
    }

    /// [`try_replace`](Self::try_replace), for values the host itself wrote.
    ///
    /// # Panics
    /// Where that returns an error.
    #[track_caller]
    pub fn replace(&mut self, host: &mut dyn PhiHost, old: Value, new: Value) {
        self.try_replace(host, old, new).unwrap_or_else(|error| panic!("{error}"));
    }

    /// What `value` stands for at the moment.
    pub fn resolve(&mut self, value: Value) -> Value {
        self.values.mention(value);
        self.values.resolve(value)
    }

    fn running(&self) -> Result<(), Stopped> {
        self.stopped.map_or(Ok(()), Err)
    }

    fn stop(&mut self, why: Stopped) -> Stopped {
        self.stopped = Some(why);
        self.observer.event(Event::Stopped { why });
        why
    }

    /// Counts steps against the work budget.
    #[inline]
    fn spend(&mut self, steps: u64) -> Result<(), Stopped> {
        self.stats.work += steps;
        match self.options.work_limit {
            Some(limit) if self.stats.work > limit => Err(self.stop(Stopped::OutOfWork { limit })),
            _ => Ok(()),
        }
    }

    /// What the host says `variable` holds where no write reaches.
    fn undefined(&mut self, host: &mut dyn PhiHost, variable: Variable) -> Value {
        self.undefined.grow_to(variable, None);
        if let Some(value) = self.undefined[variable] {
            return self.values.resolve(value);
        }
        let value = host.undefined(variable);
        self.values.mention(value);
        self.undefined[variable] = Some(value);
        self.values.undefined.insert(value);
        self.observer.event(Event::Undefined { variable, value });
        self.values.resolve(value)
    }

    fn forward(&mut self, host: &mut dyn PhiHost, from: Value, to: Value, reason: Reason) {
        self.values.set_forward(from, to);
        host.forwarded(from, to);
        self.observer.event(Event::Forwarded { from, to, reason });
    }

    fn make_phi(&mut self, host: &mut dyn PhiHost, block: Block, variable: Variable, state: State) -> PhiId {
        let value = host.new_phi(block, variable);
        self.values.mention(value);
        let phi = self.phis.push(value, block, variable, state);
        self.values.set_phi(value, phi);
        self.stats.phis_made += 1;
        self.observer.event(match state {
            State::Incomplete => Event::IncompletePhi { block, variable, phi: value },
            _ => Event::PhiMade { block, variable, phi: value },
        });
        phi
    }

    /// Whether the engine checks the users of a removed phi.
    fn keeps_users(&self) -> bool {
        self.options.engine != Engine::BraunOperand
    }

    /// Announces the edges of a finished graph: each block is sealed by itself when its last edge has been added.
    ///
    /// Blocks without incoming edges are sealed at once. Must be the first call for a function.
    ///
    /// # Errors
    /// If a block was mentioned before.
    ///
    /// # Complexity
    /// O(*n* + *e*).
    pub fn announce(&mut self, cfg: &impl Cfg) -> Result<(), EntryError> {
        self.set_entry(cfg.entry())?;
        for block in (0..cfg.num_blocks()).map(Block::new) {
            self.blocks.set_expected(block, cfg.predecessors(block).count() as u32);
            self.note_if_ready(block);
        }
        Ok(())
    }
}
