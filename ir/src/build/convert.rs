//! Converts a complete function from variable or mixed form to SSA form.

use super::BuildError;
use super::host::Host;
use crate::dialect::Syntax;
use crate::function::{Action, Arg, Code, Dest, Function, Inst, InstData, ValueKind};
use ssaphire::graph::FlatCfg;
use ssaphire::{Block, Certified, SsaBuilder, Value, Variable, fill_order};

/// Converts a function in variable or mixed form to canonical SSA form. `ssa` can certify the result.
///
/// Copies to variables leave no instruction; those to values stay. If the entry has incoming edges, a new entry block
/// precedes it.
///
/// # Errors
/// If the graph violates its contract, or the work limit is exceeded.
///
/// # Complexity
/// The builder's, plus O(size of the function).
pub fn to_ssa<D: Syntax, B: SsaBuilder>(
    function: &Function<D>,
    ssa: &mut Certified<B>,
) -> Result<Function<D>, BuildError> {
    to_ssa_in_order(function, ssa, |blocks| blocks)
}

/// [`to_ssa`], with the blocks filled in the order that `reorder` derives from the usual one, [`fill_order`].
///
/// # Errors
/// As [`to_ssa`].
pub fn to_ssa_in_order<D: Syntax, B: SsaBuilder>(
    function: &Function<D>,
    ssa: &mut Certified<B>,
    reorder: impl FnOnce(Vec<Block>) -> Vec<Block>,
) -> Result<Function<D>, BuildError> {
    let mut host = Host { function: Box::new(function.clone()), connects: false, keeps_variables: false };
    put_block_in_front(&mut host.function);
    let cfg = FlatCfg::new(&*host.function)?;
    ssa.clear();
    ssa.announce(&cfg)?;
    for (value, data) in function.values().map(|value| (value, function.value(value))) {
        if matches!(data.kind, ValueKind::Param(_) | ValueKind::Constant(_) | ValueKind::Undefined) {
            ssa.global(value);
        }
    }
    for param in function.params() {
        if let Some(variable) = param.variable {
            ssa.try_set_initial(variable, param.value)?;
        }
    }
    let mut conversion = Conversion { host, ssa, written_at_top: Vec::new() };
    conversion.name_results_of_terminators();
    for block in reorder(fill_order(&cfg)) {
        conversion.fill(block)?;
        conversion.ssa.try_terminate(block, cfg.targets(block))?;
    }
    let Conversion { mut host, ssa, .. } = conversion;
    let result = ssa.finish(&mut host)?;
    host.write(&result);
    ssa.compare(&host);
    let mut function = host.function;
    function.canonicalize_in_place();
    Ok(*function)
}

/// Inserts a block that jumps to an entry with incoming edges.
pub(super) fn put_block_in_front<D: Syntax>(function: &mut Function<D>) {
    let old = function.entry();
    if function.num_blocks() == 0 || function.block(old).incoming().is_empty() {
        return;
    }
    let front = function.create_named_block("entry");
    function.set_terminator(front, Inst::op::<Value>(D::jump(), []).with_targets([old]));
    function.set_entry(front);
}

/// A conversion of a complete function.
struct Conversion<'a, D: Syntax, B: SsaBuilder> {
    host: Host<D>,
    ssa: &'a mut Certified<B>,
    /// By block, the writes of the predecessor's terminator (slot 0), which take place at its top.
    written_at_top: Vec<Vec<(Variable, Value)>>,
}

impl<D: Syntax, B: SsaBuilder> Conversion<'_, D, B> {
    /// Creates values for the results of terminators before any block is filled: they are written in other blocks.
    fn name_results_of_terminators(&mut self) {
        self.written_at_top.resize(self.host.function.num_blocks(), Vec::new());
        for block in self.host.function.blocks() {
            let Some(&normal) = self.host.function.block(block).targets().first() else { continue };
            let Some(at) = self.host.function.blocks[block].insts.range().last() else { continue };
            for place in self.host.function.code.insts.all()[at].results.range() {
                match self.host.function.code.results.all()[place] {
                    Dest::Variable(variable) => {
                        let value = self.write_result(place, variable);
                        self.written_at_top[normal.index()].push((variable, value));
                    }
                    Dest::Value(value) => self.ssa.define(normal, value),
                }
            }
        }
    }

    /// Replaces the result at `place` with a new value.
    fn write_result(&mut self, place: usize, variable: Variable) -> Value {
        let value = self.host.function.new_version(variable);
        self.host.function.values.record_mut(value).kind = ValueKind::Result;
        self.host.function.code.results.all_mut()[place] = Dest::Value(value);
        value
    }

    /// Replaces the variables in the instructions of a block with values; removes copies to variables. Phis of the source define their
    /// values, which copies in several blocks may take.
    fn fill(&mut self, block: Block) -> Result<(), BuildError> {
        for phi in self.host.function.block(block).phis().iter() {
            self.ssa.define(block, phi.value);
        }
        for (variable, value) in std::mem::take(&mut self.written_at_top[block.index()]) {
            self.ssa.define(block, value);
            self.ssa.try_write_variable(block, variable, value)?;
        }
        let insts = self.host.function.blocks[block].insts.range();
        let mut loses_copies = false;
        for at in insts.clone() {
            self.fill_args(block, at)?;
            let inst = &self.host.function.code.insts.all()[at];
            match inst.action {
                Action::Copy => loses_copies |= !self.fill_copy(block, at)?,
                Action::Op(_) if inst.targets.len() == 0 => self.fill_results(block, at)?,
                Action::Op(_) => {}
            }
        }
        if loses_copies {
            let is_left = |inst: &InstData<D::Op>| !matches!(inst.action, Action::Copy) || inst.results.len() > 0;
            let kept: Vec<bool> = self.host.function.code.insts.all()[insts].iter().map(is_left).collect();
            self.host.function.keep_insts(block, |index| kept[index]);
        }
        Ok(())
    }

    fn fill_args(&mut self, block: Block, at: usize) -> Result<(), BuildError> {
        for place in self.host.function.code.insts.all()[at].args.range() {
            if let Arg::Variable(variable) = self.host.function.code.args.all()[place] {
                let value = self.ssa.try_read_variable(&mut self.host, block, variable)?;
                self.host.function.code.args.all_mut()[place] = Arg::Value(value);
            }
        }
        Ok(())
    }

    /// Treats a copy to a variable as a write of the copied value; copies to values stay. Returns whether there are
    /// any.
    fn fill_copy(&mut self, block: Block, at: usize) -> Result<bool, BuildError> {
        let Self { host, ssa, .. } = self;
        let Code { insts, args, results, .. } = &mut host.function.code;
        let inst = &mut insts.all_mut()[at];
        let (sources, dests) = (args.span_mut(inst.args), results.span_mut(inst.results));
        let mut kept = 0;
        for index in 0..dests.len() {
            match (dests[index], sources[index]) {
                (Dest::Variable(variable), Arg::Value(value)) => ssa.try_write_variable(block, variable, value)?,
                (Dest::Value(value), _) => {
                    ssa.define(block, value);
                    (dests[kept], sources[kept]) = (dests[index], sources[index]);
                    kept += 1;
                }
                (Dest::Variable(_), Arg::Variable(_)) => {}
            }
        }
        let lost = dests.len() - kept;
        (inst.args, inst.results) = (inst.args.truncated(kept), inst.results.truncated(kept));
        args.discard(lost);
        results.discard(lost);
        Ok(kept > 0)
    }

    fn fill_results(&mut self, block: Block, at: usize) -> Result<(), BuildError> {
        for place in self.host.function.code.insts.all()[at].results.range() {
            match self.host.function.code.results.all()[place] {
                Dest::Variable(variable) => {
                    let value = self.write_result(place, variable);
                    self.ssa.define(block, value);
                    self.ssa.try_write_variable(block, variable, value)?;
                }
                Dest::Value(value) => self.ssa.define(block, value),
            }
        }
        Ok(())
    }
}
