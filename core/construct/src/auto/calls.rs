//! The calls of every builder.

use super::{Builder, Current};
use crate::calls::SsaBuilder;
use crate::error::{Call, CallError, InCall, Stopped};
use crate::host::PhiHost;
use crate::observe::{Observer, UndefinedRead};
use crate::options::Options;
use crate::result::Ssa;
use crate::stats::Stats;
use alloc::vec::Vec;
use ssaphire_graph::{Block, FlatCfg, Value, Variable};

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
        let node = self.node_of(block)?;
        match self.tree.block(node) {
            above if above != block => Some(above),
            _ => self.tree.dominator(node).map(|above| self.tree.block(above)),
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
        self.num_declared = 0;
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

    fn set_entry(&mut self, entry: Block) -> Result<(), CallError> {
        self.name_entry(entry).in_call(Call::SetEntry { entry })
    }

    fn announce(&mut self, cfg: &FlatCfg) -> Result<(), CallError> {
        self.announce_graph(cfg).in_call(Call::Announce { entry: cfg.entry() })
    }

    fn try_declare_variable(&mut self) -> Result<Variable, CallError> {
        self.next_variable().in_call(Call::DeclareVariable)
    }

    fn try_set_initial(&mut self, variable: Variable, value: Value) -> Result<(), CallError> {
        self.set_initial_value(variable, value).in_call(Call::SetInitial { variable })
    }

    fn try_global(&mut self, value: Value) -> Result<(), CallError> {
        self.options.ids.check_value(value).in_call(Call::Global { value })?;
        self.in_use.note_global(value);
        Ok(())
    }

    #[inline]
    fn try_write_variable(&mut self, block: Block, variable: Variable, value: Value) -> Result<(), CallError> {
        self.write(block, variable, value)
    }

    #[inline]
    fn try_read_variable(
        &mut self,
        host: &mut dyn PhiHost,
        block: Block,
        variable: Variable,
    ) -> Result<Value, CallError> {
        self.read(host, block, variable, None)
    }

    #[inline]
    fn try_read_at_site(
        &mut self,
        host: &mut dyn PhiHost,
        block: Block,
        variable: Variable,
        site: u32,
    ) -> Result<Value, CallError> {
        self.read(host, block, variable, Some(site))
    }

    fn try_read_at_end(
        &mut self,
        host: &mut dyn PhiHost,
        block: Block,
        variable: Variable,
        site: Option<u32>,
    ) -> Result<Value, CallError> {
        self.read_filled(host, block, variable, site).in_call(Call::ReadAtEnd { block, variable })
    }

    #[inline]
    fn try_terminate(&mut self, block: Block, targets: &[Block]) -> Result<(), CallError> {
        self.terminate_block(block, targets)
    }

    fn try_write_on_edge(&mut self, from: Block, slot: u32, variable: Variable, value: Value) -> Result<(), CallError> {
        self.write_along_edge(from, slot, variable, value)
    }

    fn try_add_edge(&mut self, from: Block, to: Block) -> Result<(), CallError> {
        self.add_late_edge(from, to).in_call(Call::AddEdge { from, to })
    }

    fn try_redirect_edge(&mut self, from: Block, slot: u32, to: Block) -> Result<Block, CallError> {
        self.lead_edge_to(from, slot, to).in_call(Call::RedirectEdge { from, slot, to })
    }

    #[inline]
    fn try_seal_block(&mut self, host: &mut dyn PhiHost, block: Block) -> Result<(), CallError> {
        self.seal_one(host, block)
    }

    fn try_seal_blocks(&mut self, host: &mut dyn PhiHost, blocks: &[Block]) -> Result<(), CallError> {
        self.seal_several(host, blocks).in_call(Call::SealBlocks)
    }

    fn try_seal_all_blocks(&mut self, host: &mut dyn PhiHost) -> Result<(), CallError> {
        self.seal_all(host).in_call(Call::SealAllBlocks)
    }

    fn try_replace(&mut self, host: &mut dyn PhiHost, old: Value, new: Value) -> Result<(), CallError> {
        self.replace_value(host, old, new).in_call(Call::Replace { old, new })
    }

    fn resolve(&mut self, value: Value) -> Value {
        self.values.resolve(value)
    }

    fn finish(&mut self, host: &mut dyn PhiHost) -> Result<Ssa<'_>, CallError> {
        self.finish_function(host).in_call(Call::Finish)
    }
}
