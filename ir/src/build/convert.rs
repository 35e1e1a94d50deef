//! A whole function, from variable or mixed form into SSA form.

use super::BuildError;
use super::host::Host;
use crate::dialect::Dialect;
use crate::function::{Action, Arg, Dest, Function, Inst, ValueKind};
use ssaphire::graph::{FlatCfg, Order};
use ssaphire::{Block, Certified, Observer, Value, Variable};

/// The SSA form of a function in variable or mixed form, canonical. `ssa` can certify it.
///
/// Copies leave no instruction. If the entry has incoming edges, a block in front of it takes its place.
///
/// # Errors
/// If the graph breaks its contract, or the work budget is used up.
///
/// # Complexity
/// The builder's, plus O(size of the function).
pub fn to_ssa<D: Dialect, O: Observer>(
    function: &Function<D>,
    ssa: &mut Certified<O>,
) -> Result<Function<D>, BuildError> {
    to_ssa_in_order(function, ssa, |blocks| blocks)
}

/// [`to_ssa`], with the blocks filled in the order that `reorder` makes of reverse post-order.
///
/// # Errors
/// As [`to_ssa`].
pub fn to_ssa_in_order<D: Dialect, O: Observer>(
    function: &Function<D>,
    ssa: &mut Certified<O>,
    reorder: impl FnOnce(Vec<Block>) -> Vec<Block>,
) -> Result<Function<D>, BuildError> {
    let mut host = Host { function: function.clone() };
    put_block_in_front(&mut host.function);
    let cfg = FlatCfg::new(&host.function)?;
    ssa.clear();
    ssa.announce(&cfg)?;
    for (value, data) in function.values().map(|value| (value, function.value(value))) {
        if matches!(data.kind, ValueKind::Param(_) | ValueKind::Constant(_)) {
            ssa.global(value);
        }
    }
    for param in function.params() {
        if let Some(variable) = param.variable {
            ssa.try_set_initial(variable, param.value)?;
        }
    }
    let order = Order::new(&cfg);
    let unreachable = cfg.blocks().filter(|&block| !order.is_reachable(block));
    let blocks: Vec<Block> = order.rpo().chain(unreachable).collect();
    let mut conversion = Conversion { host, ssa, written_at_top: Vec::new() };
    conversion.name_results_of_terminators();
    for block in reorder(blocks) {
        conversion.fill(block)?;
        conversion.ssa.try_terminate(block, cfg.targets(block))?;
    }
    let Conversion { mut host, ssa, .. } = conversion;
    ssa.finish(&mut host)?;
    let mut function = host.function;
    function.canonicalize();
    Ok(function)
}

/// An entry with incoming edges gets a block in front that jumps to it.
fn put_block_in_front<D: Dialect>(function: &mut Function<D>) {
    let old = function.entry();
    if function.num_blocks() == 0 || function.block(old).incoming().is_empty() {
        return;
    }
    let front = function.create_named_block("entry");
    function.set_terminator(front, Inst::op::<Value>(D::jump(), []).with_targets([old]));
    function.set_entry(front);
}

/// A whole function on its way into SSA form.
struct Conversion<'a, D: Dialect, O: Observer> {
    host: Host<D>,
    ssa: &'a mut Certified<O>,
    /// By block: what the terminator that leads here by slot 0 writes, to be written at the top.
    written_at_top: Vec<Vec<(Variable, Value)>>,
}

impl<D: Dialect, O: Observer> Conversion<'_, D, O> {
    /// Gives the results of terminators values, before any block is filled: they are written in other blocks.
    fn name_results_of_terminators(&mut self) {
        self.written_at_top.resize(self.host.function.num_blocks(), Vec::new());
        for block in self.host.function.blocks() {
            let Some(&normal) = self.host.function.block(block).targets().first() else { continue };
            let Some(mut inst) = self.host.function.blocks[block].insts.pop() else { continue };
            for dest in &mut inst.results {
                if let Dest::Variable(variable) = *dest {
                    let value = self.new_result(variable);
                    *dest = Dest::Value(value);
                    self.written_at_top[normal.index()].push((variable, value));
                } else if let Dest::Value(value) = *dest {
                    self.ssa.define(normal, value);
                }
            }
            self.host.function.blocks[block].insts.push(inst);
        }
    }

    fn new_result(&mut self, variable: Variable) -> Value {
        let value = self.host.function.new_version(variable);
        self.host.function.values[value].kind = ValueKind::Result;
        value
    }

    /// Replaces the variables in the instructions of a block by values; copies of variables go.
    fn fill(&mut self, block: Block) -> Result<(), BuildError> {
        for (variable, value) in std::mem::take(&mut self.written_at_top[block.index()]) {
            self.ssa.define(block, value);
            self.ssa.try_write_variable(block, variable, value)?;
        }
        // The edges stay as they are: the same terminator comes back.
        let mut insts = std::mem::take(&mut self.host.function.blocks[block].insts);
        for inst in &mut insts {
            for arg in &mut inst.args {
                if let Arg::Variable(variable) = *arg {
                    *arg = Arg::Value(self.ssa.try_read_variable(&mut self.host, block, variable)?);
                }
            }
            match inst.action {
                Action::Copy => self.fill_copy(block, inst)?,
                Action::Op(_) if inst.targets.is_empty() => self.fill_results(block, inst)?,
                Action::Op(_) => {}
            }
        }
        insts.retain(|inst| !matches!(inst.action, Action::Copy) || !inst.results.is_empty());
        self.host.function.blocks[block].insts = insts;
        Ok(())
    }

    /// A copy to a variable is a write of the value copied; copies to values stay.
    fn fill_copy(&mut self, block: Block, inst: &mut Inst<D>) -> Result<(), BuildError> {
        let pairs: Vec<(Dest, Arg)> = inst.results.drain(..).zip(inst.args.drain(..)).collect();
        for (dest, arg) in pairs {
            match (dest, arg) {
                (Dest::Variable(variable), Arg::Value(value)) => self.ssa.try_write_variable(block, variable, value)?,
                (Dest::Value(value), _) => {
                    self.ssa.define(block, value);
                    inst.results.push(dest);
                    inst.args.push(arg);
                }
                (Dest::Variable(_), Arg::Variable(_)) => {}
            }
        }
        Ok(())
    }

    fn fill_results(&mut self, block: Block, inst: &mut Inst<D>) -> Result<(), BuildError> {
        for dest in &mut inst.results {
            match *dest {
                Dest::Variable(variable) => {
                    let value = self.new_result(variable);
                    *dest = Dest::Value(value);
                    self.ssa.define(block, value);
                    self.ssa.try_write_variable(block, variable, value)?;
                }
                Dest::Value(value) => self.ssa.define(block, value),
            }
        }
        Ok(())
    }
}
