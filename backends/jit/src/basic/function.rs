//! A function: its blocks, its phis as block parameters, its values.

use super::program::Shared;
use super::site::{Site, Why};
use crate::Error;
use crate::context::{STACK_LIMIT, STEPS, TRAP};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, BlockArg, InstBuilder, MemFlagsData, Type, Value, types};
use cranelift_codegen::isa::TargetFrontendConfig;
use ssaphire_cranelift::{FunctionBuilder, FunctionBuilderContext};
use ssaphire_graph::{Block, FlatCfg, Order};
use ssaphire_ir::basic::{BinaryOp, Op};
use ssaphire_ir::{Action, Arg, Basic, Dest, Function, InstRef, ValueKind};

/// A value in Cranelift's function.
#[derive(Clone, Copy)]
pub(super) struct Held {
    pub(super) number: Value,
    /// 1 if the value is undefined, 0 if `number` is a number, 2 if it is the number of an array; `None` if all values
    /// are defined numbers.
    pub(super) undefined: Option<Value>,
}

impl Held {
    pub(super) fn known(number: Value) -> Self {
        Self { number, undefined: None }
    }
}

/// Translates function number `number`, which is in SSA form, into an empty function with its signature.
pub(super) fn lower(
    function: &Function<Basic>,
    number: usize,
    func: &mut ir::Function,
    context: &mut FunctionBuilderContext,
    config: TargetFrontendConfig,
    shared: &mut Shared,
) -> Result<(), Error> {
    let refused = |message: String| Error::Refused { function: function.name().to_owned(), message };
    let graph = FlatCfg::new(function).map_err(|error| refused(error.to_string()))?;
    let order = Order::new(&graph);
    let mut lowering = Lowering {
        function,
        number,
        config,
        graph: &graph,
        builder: FunctionBuilder::new(func, context),
        base: Value::from_u32(0),
        held: vec![None; function.num_values()],
        blocks: vec![None; function.num_blocks()],
        traps: Vec::new(),
        at: (function.entry(), 0),
        ended: None,
        shared,
    };
    lowering.begin(&order);
    for block in order.rpo() {
        lowering.block(block)?;
    }
    lowering.end();
    lowering.builder.try_finalize(config).map_err(|error| refused(error.to_string()))
}

/// A function being translated.
pub(super) struct Lowering<'a, 'f> {
    pub(super) function: &'a Function<Basic>,
    number: usize,
    pub(super) config: TargetFrontendConfig,
    graph: &'a FlatCfg,
    pub(super) builder: FunctionBuilder<'f>,
    /// The address of the context.
    pub(super) base: Value,
    /// The translated values, by value.
    held: Vec<Option<Held>>,
    /// The translated blocks, by block; `None` for unreachable ones.
    blocks: Vec<Option<ir::Block>>,
    /// The blocks that end a run, each with its site.
    traps: Vec<(ir::Block, u64)>,
    /// The current instruction.
    at: (Block, usize),
    /// The block in which the function returns early.
    ended: Option<ir::Block>,
    pub(super) shared: &'a mut Shared,
}

impl Lowering<'_, '_> {
    /// Creates all blocks with their parameters, and jumps from the function's parameters to its entry.
    fn begin(&mut self, order: &Order) {
        let first = self.builder.create_block();
        self.builder.append_block_params_for_function_params(first);
        self.builder.switch_to_block(first);
        let params = self.builder.block_params(first).to_vec();
        self.base = params[0];
        let per_param = if self.shared.has_companions { 2 } else { 1 };
        for (param, held) in self.function.params().iter().zip(params[1..].chunks(per_param)) {
            self.held[param.value.index()] = Some(Held { number: held[0], undefined: held.get(1).copied() });
        }
        for block in order.rpo() {
            let made = self.builder.create_block();
            for phi in self.function.block(block).phis().iter() {
                let number = self.builder.append_block_param(made, types::I64);
                let undefined = self.shared.has_companions.then(|| self.builder.append_block_param(made, types::I8));
                self.held[phi.value.index()] = Some(Held { number, undefined });
            }
            self.blocks[block.index()] = Some(made);
        }
        self.check_stack();
        if let Some(entry) = self.blocks[self.function.entry().index()] {
            self.builder.ins().jump(entry, &[]);
        }
    }

    fn check_stack(&mut self) {
        let limit = self.load(types::I64, STACK_LIMIT);
        let at = self.builder.ins().get_stack_pointer(types::I64);
        let is_below = self.builder.ins().icmp(IntCC::UnsignedLessThan, at, limit);
        self.trap_if(is_below, Why::Stack);
    }

    fn block(&mut self, block: Block) -> Result<(), Error> {
        let Some(made) = self.blocks[block.index()] else { return Ok(()) };
        self.builder.switch_to_block(made);
        let insts = self.function.block(block).insts();
        let mut counted = 0;
        for (index, inst) in insts.iter().enumerate() {
            self.at = (block, index);
            if index == counted {
                counted = self.count_steps(block, index);
            }
            match inst.action {
                Action::Copy => self.copy(inst)?,
                Action::Op(op) => self.operation(op, inst)?,
            }
        }
        Ok(())
    }

    /// Counts the steps of the stretch that begins at `index` and ends with an observable operation; returns the index
    /// after the stretch.
    fn count_steps(&mut self, block: Block, index: usize) -> usize {
        let insts = self.function.block(block).insts();
        let (mut end, mut count) = (index, 0);
        while let Some(inst) = insts.get(end) {
            end += 1;
            if let Action::Op(op) = inst.action {
                count += 1;
                if !is_unseen(op) {
                    break;
                }
            }
        }
        if count > 0 {
            let left = self.load(types::I64, STEPS);
            let count = self.builder.ins().iconst(types::I64, count);
            let is_less = self.builder.ins().icmp(IntCC::UnsignedLessThan, left, count);
            self.trap_if(is_less, Why::Steps);
            let left = self.builder.ins().isub(left, count);
            self.store(left, STEPS);
        }
        end
    }

    fn copy(&mut self, inst: InstRef<'_, Basic>) -> Result<(), Error> {
        let args = self.args(inst)?;
        self.define(inst, args);
        Ok(())
    }

    /// The operands of an instruction.
    pub(super) fn args(&mut self, inst: InstRef<'_, Basic>) -> Result<Vec<Held>, Error> {
        inst.args.iter().map(|&arg| self.arg(arg)).collect()
    }

    fn arg(&mut self, arg: Arg) -> Result<Held, Error> {
        match arg {
            Arg::Value(value) => self.value(value),
            Arg::Variable(_) => Err(self.not_ssa("it reads a variable".to_owned())),
        }
    }

    fn value(&mut self, value: ssaphire_graph::Value) -> Result<Held, Error> {
        match self.function.value(value).kind {
            ValueKind::Constant(&number) => Ok(Held::known(self.builder.ins().iconst(types::I64, number))),
            ValueKind::Undefined => {
                let number = self.builder.ins().iconst(types::I64, 0);
                let undefined = self.builder.ins().iconst(types::I8, 1);
                Ok(Held { number, undefined: Some(undefined) })
            }
            _ => {
                self.held[value.index()].ok_or_else(|| self.not_ssa(format!("{value} is used where it is not defined")))
            }
        }
    }

    fn not_ssa(&self, found: String) -> Error {
        Error::NotSsa { function: self.function.name().to_owned(), found }
    }

    /// Defines the results of an instruction.
    pub(super) fn define(&mut self, inst: InstRef<'_, Basic>, results: impl IntoIterator<Item = Held>) {
        for (&dest, held) in inst.results.iter().zip(results) {
            if let Dest::Value(value) = dest {
                self.held[value.index()] = Some(held);
            }
        }
    }

    /// The destination of an edge of the current block, and the arguments that the edge passes.
    pub(super) fn edge(&mut self, slot: u32) -> Result<(ir::Block, Vec<BlockArg>), Error> {
        let (block, _) = self.at;
        let edge = self.graph.edge_at(block, slot).ok_or_else(|| self.not_ssa(format!("no edge at slot {slot}")))?;
        let (target, place) = (self.graph.target(edge), self.graph.operand_index(edge));
        let mut args = Vec::new();
        for phi in self.function.block(target).phis().iter() {
            let operand = *phi.operands.get(place).ok_or_else(|| self.not_ssa("an operand is missing".to_owned()))?;
            let held = self.value(operand)?;
            args.push(held.number.into());
            if self.shared.has_companions {
                args.push(self.undefined(held).into());
            }
        }
        let made = self.blocks[target.index()];
        Ok((made.ok_or_else(|| self.not_ssa("the graph is broken".to_owned()))?, args))
    }

    /// The companion of the value: 1 if it is undefined.
    pub(super) fn undefined(&mut self, held: Held) -> Value {
        held.undefined.unwrap_or_else(|| self.builder.ins().iconst(types::I8, 0))
    }

    pub(super) fn load(&mut self, ty: Type, offset: i32) -> Value {
        self.builder.ins().load(ty, MemFlagsData::trusted(), self.base, offset)
    }

    pub(super) fn store(&mut self, value: Value, offset: i32) {
        self.builder.ins().store(MemFlagsData::trusted(), value, self.base, offset);
    }

    /// Creates a site at the current instruction; returns its number.
    pub(super) fn site(&mut self, why: Why) -> u64 {
        let (block, index) = self.at;
        let number = self.shared.sites.len() as u64;
        self.shared.sites.push(Site { function: self.number as u32, block, index: index as u32, why });
        number
    }

    /// Creates a block that ends the run at the current instruction.
    pub(super) fn trap_block(&mut self, why: Why) -> ir::Block {
        let site = self.site(why);
        self.trap_block_of(site)
    }

    fn trap_block_of(&mut self, site: u64) -> ir::Block {
        let block = self.builder.create_block();
        self.builder.set_cold_block(block);
        self.traps.push((block, site));
        block
    }

    /// Continues only if `condition` is zero; otherwise ends the run at an existing site.
    pub(super) fn trap_at(&mut self, condition: Value, site: u64) {
        let block = self.trap_block_of(site);
        self.go_on_unless(condition, block);
    }

    /// Continues only if `condition` is zero; otherwise ends the run at the current instruction.
    pub(super) fn trap_if(&mut self, condition: Value, why: Why) {
        let block = self.trap_block(why);
        self.go_on_unless(condition, block);
    }

    /// The block in which the function returns because the run has ended.
    pub(super) fn ended(&mut self) -> ir::Block {
        *self.ended.get_or_insert_with(|| {
            let block = self.builder.create_block();
            self.builder.set_cold_block(block);
            block
        })
    }

    pub(super) fn go_on_unless(&mut self, condition: Value, other: ir::Block) {
        let next = self.builder.create_block();
        self.builder.ins().brif(condition, other, &[], next, &[]);
        self.builder.switch_to_block(next);
    }

    /// Fills the blocks that end the run.
    ///
    /// Each returns by itself. With a common exit block, Cranelift would compute its dominator from each of them, and
    /// they lie as deep in the dominator tree as the program is long.
    fn end(&mut self) {
        for (block, site) in std::mem::take(&mut self.traps) {
            self.builder.switch_to_block(block);
            let number = self.builder.ins().iconst(types::I64, site as i64 + 1);
            self.store(number, TRAP);
            self.builder.ins().return_(&[]);
        }
        if let Some(ended) = self.ended {
            self.builder.switch_to_block(ended);
            self.builder.ins().return_(&[]);
        }
        self.builder.seal_all_blocks();
    }
}

/// Whether an operation is unobservable from outside: it only computes, and control continues after it.
fn is_unseen(op: &Op) -> bool {
    match op {
        Op::Unary(_) => true,
        Op::Binary(op) => !matches!(op, BinaryOp::Div | BinaryOp::Rem),
        _ => false,
    }
}
