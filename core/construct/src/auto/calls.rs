//! The builder by the calls that all have.

use super::{Builder, Current};
use crate::calls::SsaBuilder;
use crate::error::{
    EdgeError, EntryError, FinishError, InitialError, ReadError, ReplaceError, SealError, Stopped, WriteError,
};
use crate::host::PhiHost;
use crate::observe::{Observer, UndefinedRead};
use crate::options::Options;
use crate::result::Ssa;
use crate::stats::Stats;
use alloc::vec::Vec;
use ssaphire_graph::{Block, FlatCfg, IdError, Value, Variable};

impl<O: Observer> SsaBuilder for Builder<O> {
    fn options(&self) -> &Options {
        &self.options
    }

    fn stats(&self) -> &Stats {
        &self.stats
    }

    fn entry(&self) -> Block {
        self.blocks.entry()
    }

    fn is_new(&self) -> bool {
        self.stopped.is_none() && self.blocks.num_mentioned() == 0
    }

    fn target(&self, from: Block, slot: u32) -> Option<Block> {
        self.blocks.edge_number(from, slot).map(|edge| self.blocks.edge(edge).target)
    }

    fn is_filled(&self, block: Block) -> bool {
        self.blocks.is_filled(block)
    }

    fn unfilled_blocks(&self) -> Vec<Block> {
        self.blocks.unfilled()
    }

    fn is_sealed(&self, block: Block) -> bool {
        self.blocks.is_closed(block)
    }

    fn is_unreachable(&self, block: Block) -> bool {
        block != self.blocks.entry() && self.blocks.is_closed(block) && self.blocks.get(block).num_in == 0
    }

    fn known_dominator(&self, block: Block) -> Option<Block> {
        let order = self.order_of(block)?;
        match self.tree.block(order) {
            above if above != block => Some(above),
            _ => self.tree.dominator(order).map(|above| self.tree.block(above)),
        }
    }

    fn stopped(&self) -> Option<Stopped> {
        self.stopped
    }

    fn undefined_reads(&self) -> &[UndefinedRead] {
        self.sited_reads.undefined()
    }

    fn clear(&mut self) {
        self.stopped = None;
        self.blocks.clear();
        self.current = Current::NONE;
        self.tree.clear();
        self.defs.clear();
        self.phis.clear();
        self.values.clear();
        self.on_entry.clear();
        self.copies.clear();
        self.in_use.clear();
        self.is_exact = true;
        self.joins.clear();
        self.regions.clear();
        self.num_needless = 0;
        self.lookup.clear();
        self.seal.clear();
        self.waiting.clear();
        self.linking.clear();
        self.deferred.clear();
        self.unwritten.clear();
        self.sited_reads.clear();
        self.stats = Stats::default();
    }

    fn set_work_limit(&mut self, steps: Option<u64>) {
        self.options.work_limit = steps;
    }

    fn set_entry(&mut self, entry: Block) -> Result<(), EntryError> {
        self.name_entry(entry)
    }

    fn announce(&mut self, cfg: &FlatCfg) -> Result<(), EntryError> {
        self.announce_graph(cfg)
    }

    fn try_set_initial(&mut self, variable: Variable, value: Value) -> Result<(), InitialError> {
        self.set_initial_value(variable, value)
    }

    fn try_global(&mut self, value: Value) -> Result<(), IdError> {
        self.options.ids.check_value(value)?;
        self.in_use.note_global(value);
        Ok(())
    }

    #[inline]
    fn try_write_variable(&mut self, block: Block, variable: Variable, value: Value) -> Result<(), WriteError> {
        self.write(block, variable, value)
    }

    #[inline]
    fn try_read_variable(
        &mut self,
        host: &mut dyn PhiHost,
        block: Block,
        variable: Variable,
    ) -> Result<Value, ReadError> {
        self.read(host, block, variable, None)
    }

    #[inline]
    fn try_read_variable_at(
        &mut self,
        host: &mut dyn PhiHost,
        block: Block,
        variable: Variable,
        site: u32,
    ) -> Result<Value, ReadError> {
        self.read(host, block, variable, Some(site))
    }

    #[inline]
    fn try_terminate(&mut self, block: Block, targets: &[Block]) -> Result<(), EdgeError> {
        self.terminate_block(block, targets)
    }

    fn try_write_on_edge(
        &mut self,
        from: Block,
        slot: u32,
        variable: Variable,
        value: Value,
    ) -> Result<(), WriteError> {
        self.write_along_edge(from, slot, variable, value)
    }

    fn try_add_edge(&mut self, from: Block, to: Block) -> Result<(), EdgeError> {
        self.add_late_edge(from, to)
    }

    fn try_redirect_edge(&mut self, from: Block, slot: u32, to: Block) -> Result<Block, EdgeError> {
        self.lead_edge_to(from, slot, to)
    }

    #[inline]
    fn try_seal_block(&mut self, host: &mut dyn PhiHost, block: Block) -> Result<(), SealError> {
        self.seal_one(host, block)
    }

    fn try_seal_blocks(&mut self, host: &mut dyn PhiHost, blocks: &[Block]) -> Result<(), SealError> {
        self.seal_several(host, blocks)
    }

    fn try_seal_all_blocks(&mut self, host: &mut dyn PhiHost) -> Result<(), SealError> {
        self.seal_all(host)
    }

    fn try_expect_edges(&mut self, block: Block, edges: u32) -> Result<(), SealError> {
        self.expect(block, edges)
    }

    fn try_replace(&mut self, host: &mut dyn PhiHost, old: Value, new: Value) -> Result<(), ReplaceError> {
        self.replace_value(host, old, new)
    }

    fn resolve(&mut self, value: Value) -> Value {
        self.values.resolve(value)
    }

    fn finish(&mut self, host: &mut dyn PhiHost) -> Result<Ssa<'_>, FinishError> {
        self.finish_function(host)
    }
}
