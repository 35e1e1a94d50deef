//! The calls of a builder, each forwarded and recorded.

use super::{Certified, end};
use crate::claims::Recorded;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use ssaphire_construct::fold::Note;
use ssaphire_construct::parts::InCall;
use ssaphire_construct::{Call, CallError, Options, PhiHost, Recorder, Ssa, SsaBuilder, Stats, Stopped, UndefinedRead};
use ssaphire_graph::{Block, FlatCfg, Value, Variable};

impl<B: SsaBuilder> SsaBuilder for Certified<B> {
    fn options(&self) -> &Options {
        self.builder.options()
    }

    fn stats(&self) -> &Stats {
        self.builder.stats()
    }

    fn entry(&self) -> Block {
        self.builder.entry()
    }

    fn is_new(&self) -> bool {
        self.builder.is_new()
    }

    fn target(&self, from: Block, slot: u32) -> Option<Block> {
        self.builder.target(from, slot)
    }

    fn is_filled(&self, block: Block) -> bool {
        self.builder.is_filled(block)
    }

    fn unfilled_blocks(&self) -> Vec<Block> {
        self.builder.unfilled_blocks()
    }

    fn is_sealed(&self, block: Block) -> bool {
        self.builder.is_sealed(block)
    }

    fn is_unreachable(&self, block: Block) -> bool {
        self.builder.is_unreachable(block)
    }

    fn known_dominator(&self, block: Block) -> Option<Block> {
        self.builder.known_dominator(block)
    }

    fn stopped(&self) -> Option<Stopped> {
        self.builder.stopped()
    }

    fn undefined_reads(&self) -> &[UndefinedRead] {
        self.builder.undefined_reads()
    }

    fn describe(&self, error: &dyn fmt::Display) -> String {
        self.builder.describe(error)
    }

    fn set_work_limit(&mut self, steps: Option<u64>) {
        self.builder.set_work_limit(steps);
    }

    fn resolve(&mut self, value: Value) -> Value {
        self.builder.resolve(value)
    }

    fn clear(&mut self) {
        self.builder.clear();
        self.journal.clear();
        self.claims.clear();
        self.is_recording = self.records_next;
        self.has_begun = false;
        self.is_announced = false;
    }

    fn set_entry(&mut self, entry: Block) -> Result<(), CallError> {
        self.builder.set_entry(entry)?;
        if self.has_begun {
            self.journal.enter_at(entry);
        }
        Ok(())
    }

    fn announce(&mut self, cfg: &FlatCfg) -> Result<(), CallError> {
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

    fn try_declare_variable(&mut self) -> Result<Variable, CallError> {
        self.builder.try_declare_variable()
    }

    fn try_set_initial(&mut self, variable: Variable, value: Value) -> Result<(), CallError> {
        self.builder.try_set_initial(variable, value)?;
        if self.is_recording {
            self.begin();
            self.claims.globals.insert(value);
            self.claims.initial.insert(variable);
            self.journal.initial(variable, value, false);
        }
        Ok(())
    }

    #[inline]
    fn try_global(&mut self, value: Value) -> Result<(), CallError> {
        self.builder.try_global(value)?;
        if self.is_recording {
            self.begin();
            self.claims.globals.insert(value);
            self.journal.global(value);
        }
        Ok(())
    }

    #[inline]
    fn recorder(&mut self) -> Option<&mut dyn Recorder> {
        if self.is_recording { Some(self) } else { None }
    }

    #[inline]
    fn try_write_variable(&mut self, block: Block, variable: Variable, value: Value) -> Result<(), CallError> {
        self.builder.try_write_variable(block, variable, value)?;
        if self.is_recording {
            self.begin();
            self.journal.write(block, variable, value);
        }
        Ok(())
    }

    fn try_write_on_edge(&mut self, from: Block, slot: u32, variable: Variable, value: Value) -> Result<(), CallError> {
        self.builder.try_write_on_edge(from, slot, variable, value)?;
        if self.is_recording {
            self.begin();
            if let Some(target) = self.builder.target(from, slot) {
                self.journal.write(target, variable, value);
            }
        }
        Ok(())
    }

    #[inline]
    fn try_read_variable(
        &mut self,
        host: &mut dyn PhiHost,
        block: Block,
        variable: Variable,
    ) -> Result<Value, CallError> {
        if !self.is_recording {
            // Most calls are reads, and most builders do not record, so this path only forwards the call.
            return self.builder.try_read_variable(host, block, variable);
        }
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
        if !self.is_recording {
            return self.builder.try_read_at_site(host, block, variable, site);
        }
        self.read(host, block, variable, Some(site))
    }

    fn try_read_at_end(
        &mut self,
        host: &mut dyn PhiHost,
        block: Block,
        variable: Variable,
        site: Option<u32>,
    ) -> Result<Value, CallError> {
        let value = self.with_host(host, |builder, host| builder.try_read_at_end(host, block, variable, site))?;
        if self.is_recording {
            self.journal.read(block, variable, value);
        }
        Ok(value)
    }

    #[inline]
    fn try_terminate(&mut self, block: Block, targets: &[Block]) -> Result<(), CallError> {
        self.builder.try_terminate(block, targets)?;
        if self.is_recording {
            self.begin();
            self.journal.terminate(block, if self.is_announced { &[] } else { targets });
        }
        Ok(())
    }

    fn try_add_edge(&mut self, from: Block, to: Block) -> Result<(), CallError> {
        self.builder.try_add_edge(from, to)?;
        if self.is_recording {
            self.begin();
            self.journal.add_edge(from, to);
        }
        Ok(())
    }

    fn try_redirect_edge(&mut self, from: Block, slot: u32, to: Block) -> Result<Block, CallError> {
        let before = self.builder.try_redirect_edge(from, slot, to)?;
        if self.is_recording {
            self.journal.redirect_edge(from, slot, to);
        }
        Ok(before)
    }

    #[inline]
    fn try_seal_block(&mut self, host: &mut dyn PhiHost, block: Block) -> Result<(), CallError> {
        if !self.is_recording {
            return self.builder.try_seal_block(host, block);
        }
        self.with_host(host, |builder, host| builder.try_seal_block(host, block))
    }

    fn try_seal_blocks(&mut self, host: &mut dyn PhiHost, blocks: &[Block]) -> Result<(), CallError> {
        self.with_host(host, |builder, host| builder.try_seal_blocks(host, blocks))
    }

    fn try_seal_all_blocks(&mut self, host: &mut dyn PhiHost) -> Result<(), CallError> {
        self.with_host(host, |builder, host| builder.try_seal_all_blocks(host))
    }

    fn try_replace(&mut self, host: &mut dyn PhiHost, old: Value, new: Value) -> Result<(), CallError> {
        // Resolved before the call: a phi that a read returned may by now be forwarded to a value that the host wrote,
        // or to another phi, which the journal has not seen.
        let (from, stands_for) = (self.builder.resolve(old), self.builder.resolve(new));
        // The value as a read returned it is better: that read is on the way to here, while the resolved value may have
        // been read only elsewhere.
        let is_new = from != stands_for && self.journal.has_seen(new);
        let to = if is_new || !self.journal.has_seen(stands_for) { new } else { stands_for };
        self.builder.try_replace(host, old, new)?;
        if self.is_recording {
            self.begin();
            self.journal.replace(from, to);
        }
        Ok(())
    }

    fn finish(&mut self, host: &mut dyn PhiHost) -> Result<Ssa<'_>, CallError> {
        if !self.is_recording {
            return self.builder.finish(host);
        }
        self.begin();
        let mut recorded = Recorded { host, journal: &mut self.journal, claims: &mut self.claims };
        let result = self.builder.finish(&mut recorded)?;
        self.claims.take(&result, self.journal.has_operations());
        self.claims.look(host);
        if cfg!(debug_assertions) && self.is_judging {
            end::judge(&mut self.journal, &mut self.claims);
        }
        Ok(result)
    }
}

impl<B: SsaBuilder> Certified<B> {
    fn read(
        &mut self,
        host: &mut dyn PhiHost,
        block: Block,
        variable: Variable,
        site: Option<u32>,
    ) -> Result<Value, CallError> {
        let value = self.with_host(host, |builder, host| match site {
            Some(site) => builder.try_read_at_site(host, block, variable, site),
            None => builder.try_read_variable(host, block, variable),
        })?;
        if self.is_recording {
            self.journal.read(block, variable, value);
        }
        Ok(value)
    }
}

impl<B: SsaBuilder> Recorder for Certified<B> {
    fn record_definition(&mut self, block: Block, value: Value) -> Result<(), CallError> {
        let (ids, call) = (self.options().ids, Call::Define { block, value });
        ids.check_block(block).in_call(call)?;
        ids.check_value(value).in_call(call)?;
        self.begin();
        self.journal.define(block, value);
        Ok(())
    }

    fn record_note(&mut self, block: Block, note: Note<'_>) -> Result<(), CallError> {
        self.keep_note(block, note).in_call(Call::Note { block })
    }
}
