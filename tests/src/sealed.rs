//! Functions told graph first: every block is filled and sealed before anything is read.

use crate::FinishInto;
use crate::case::Case;
use crate::host::TestHost;
use ssaphire::{Access, Block, Certified, FormHost, SsaBuilder, Strict};
use std::error::Error;

impl Case {
    /// The same function, but that each block writes before it reads, and copies nothing.
    pub fn writes_first(&self) -> Self {
        let mut case = self.clone();
        for accesses in &mut case.accesses {
            accesses.retain(|access| matches!(access, Access::Write(_) | Access::Read(_)));
            accesses.sort_by_key(|access| matches!(access, Access::Read(_)));
        }
        case
    }
}

/// Tells `ssa` the graph and the writes of `case`, seals every block, and then reads at the ends of `reads`, in that order.
///
/// # Errors
/// What the builder refused, as text: a work budget is the only reason, if each block writes before it reads.
pub fn drive_sealed<B: SsaBuilder>(
    case: &Case,
    reads: impl IntoIterator<Item = Block>,
    host: &mut TestHost,
    ssa: &mut Certified<B>,
) -> Result<(), Box<dyn Error>> {
    host.begin(case);
    ssa.clear();
    let mut strict = Strict::new(std::mem::take(host));
    let result = tell(case, reads, &mut strict, ssa);
    *host = strict.into_inner();
    result
}

fn tell<B: SsaBuilder>(
    case: &Case,
    reads: impl IntoIterator<Item = Block>,
    host: &mut Strict<TestHost>,
    ssa: &mut Certified<B>,
) -> Result<(), Box<dyn Error>> {
    ssa.set_entry(case.cfg.entry())?;
    for block in case.blocks() {
        for (index, &access) in case.accesses[block.index()].iter().enumerate() {
            if let Access::Write(variable) = access {
                let value = host.written(block, index, variable);
                ssa.try_write_variable(block, variable, value)?;
            }
        }
        ssa.try_terminate(block, case.cfg.targets(block))?;
    }
    ssa.try_seal_all_blocks(host)?;
    for block in reads {
        for (index, &access) in case.accesses[block.index()].iter().enumerate() {
            if let Access::Read(variable) = access {
                let value = ssa.try_read_at_end(host, block, variable, None)?;
                host.read(block, index, variable, value);
            }
        }
    }
    ssa.finish_into(host)?;
    Ok(())
}
