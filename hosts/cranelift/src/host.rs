//! The host: phis become block parameters.
//!
//! A phi has to be a value at once, and a parameter of its block only if it
//! stays. So it begins as a parameter of a limbo block, which is in no layout;
//! at the end the parameters that stay move to their blocks, and the others
//! become aliases. Nothing is ever taken from the middle of a list.
//!
//! # Complexity
//! O(1) per phi and per operand.

mod code;
mod of_builder;

use crate::error::FinalizeError;
use crate::ids::{self, clif_block, clif_value, clif_variable};
use crate::{Variable, undefined};
use alloc::vec::Vec;
use cranelift_codegen::entity::PrimaryMap;
use cranelift_codegen::ir::function::FunctionStencil;
use cranelift_codegen::ir::{self, Function, Type};
use ssaphire::{Block, KeptPhis, PhiHost, Placed, Shown, Ssa, Value};

pub(crate) use of_builder::HostOfBuilder;

/// Parameters that a block can have: Cranelift numbers them with 16 bits.
pub const MAX_PARAMS: usize = u16::MAX as usize;

/// A Cranelift function as the host of a [`ssaphire::Builder`] that is driven directly, by any engine and in any order.
///
/// [`FunctionBuilder`](crate::FunctionBuilder) does this for front ends that
/// build block after block. Here blocks, values and instructions are made
/// through `func`, and the builder is told of them by their numbers: see
/// [`ids`].
///
/// # Contract
/// The entry is the first block of the layout by the time a variable is read.
/// When the result is [written](Self::write), each block that has edges ends with the
/// instruction that they are of, and its destinations are the targets that
/// the builder was told, in that order.
///
/// # Examples
/// A conditional whose blocks are filled in any order, since the graph is announced:
/// ```
/// use cranelift_codegen::cursor::{Cursor, FuncCursor};
/// use cranelift_codegen::ir::{AbiParam, Function, InstBuilder, Signature, UserFuncName, types::I64};
/// use cranelift_codegen::isa::CallConv;
/// use ssaphire::graph::FlatCfg;
/// use ssaphire::{Builder, SsaBuilder};
/// use ssaphire_cranelift::{CraneliftHost, HostContext, ids};
///
/// let mut signature = Signature::new(CallConv::SystemV);
/// signature.params.push(AbiParam::new(I64));
/// signature.returns.push(AbiParam::new(I64));
/// let mut func = Function::with_name_signature(UserFuncName::default(), signature);
/// let blocks = [(); 4].map(|()| func.dfg.make_block());
/// blocks.map(|block| func.layout.append_block(block));
/// let [entry, left, right, join] = blocks;
/// let argument = func.dfg.append_block_param(entry, I64);
///
/// let mut context = HostContext::default();
/// let mut host = CraneliftHost::new(&mut func, &mut context);
/// let x = ids::variable(host.declare_var(I64));
/// let mut ssa = Builder::default();
/// let targets = [vec![left, right], vec![join], vec![join], vec![]];
/// let targets = targets.map(|targets| targets.into_iter().map(ids::block).collect::<Vec<_>>());
/// ssa.announce(&FlatCfg::from_successors(ids::block(entry), &targets).unwrap()).unwrap();
///
/// let result = ids::clif_value(ssa.read_variable(&mut host, ids::block(join), x));
/// FuncCursor::new(host.func).at_bottom(join).ins().return_(&[result]);
/// for (arm, number) in [(right, 2), (left, 1)] {
///     let mut cursor = FuncCursor::new(host.func).at_bottom(arm);
///     let value = cursor.ins().iconst(I64, number);
///     cursor.ins().jump(join, &[]);
///     ssa.write_variable(ids::block(arm), x, ids::value(value));
/// }
/// FuncCursor::new(host.func).at_bottom(entry).ins().brif(argument, left, &[], right, &[]);
/// for (block, targets) in blocks.into_iter().zip(&targets) {
///     ssa.terminate(ids::block(block), targets);
/// }
/// let ssa = ssa.finish(&mut host)?;
/// host.write(&ssa)?;
/// assert_eq!(func.dfg.block_params(join), [result]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct CraneliftHost<'f> {
    /// The function.
    pub func: &'f mut Function,
    context: &'f mut HostContext,
}

/// What a host knows besides the function; kept, its memory serves one function after another.
#[derive(Debug, Default)]
pub struct HostContext {
    pub(crate) types: PrimaryMap<Variable, Type>,
    /// Blocks in no layout, whose parameters are no block's yet; the last one has room.
    pub(crate) limbo: Vec<ir::Block>,
    written: code::Written,
}

impl HostContext {
    pub(crate) fn clear(&mut self) {
        self.types.clear();
        self.limbo.clear();
        self.written.clear();
    }
}

impl<'f> CraneliftHost<'f> {
    /// A host for `func`, without variables. What was left in the context is dropped.
    pub fn new(func: &'f mut Function, context: &'f mut HostContext) -> Self {
        context.clear();
        Self { func, context }
    }

    /// A new variable.
    pub fn declare_var(&mut self, ty: Type) -> Variable {
        self.context.types.push(ty)
    }

    /// The type of a variable, if it was declared.
    pub fn var_type(&self, variable: Variable) -> Option<Type> {
        self.context.types.get(variable).copied()
    }

    /// Writes the result into the function: parameters, arguments of branches, and aliases.
    ///
    /// # Errors
    /// [`FinalizeError::Parameters`] if a block would have more parameters than Cranelift can number. Nothing has been
    /// written then.
    pub fn write(&mut self, result: &Ssa<'_>) -> Result<(), FinalizeError> {
        self.check_room(&result.phis)?;
        self.settle(result);
        Ok(())
    }

    /// Whether every block has room for its parameters.
    fn check_room(&self, phis: &KeptPhis<'_>) -> Result<(), FinalizeError> {
        let mut phis = phis.iter().peekable();
        while let Some(first) = phis.next() {
            let mut count = self.func.dfg.num_block_params(clif_block(first.block)) + 1;
            while phis.next_if(|phi| phi.block == first.block).is_some() {
                count += 1;
            }
            if count > MAX_PARAMS {
                return Err(FinalizeError::Parameters { block: clif_block(first.block), count });
            }
        }
        Ok(())
    }

    /// Moves the parameters that stay to their blocks, appends arguments to branches, and makes the rest aliases.
    fn settle(&mut self, result: &Ssa<'_>) {
        let FunctionStencil { dfg, layout, .. } = &mut **self.func;
        for limbo in self.context.limbo.drain(..) {
            dfg.detach_block_params(limbo);
        }
        let kept = &result.phis;
        let (mut phis, mut of_block) = (kept.iter().peekable(), Vec::new());
        while let Some(first) = phis.next() {
            of_block.clear();
            of_block.push(first);
            while let Some(phi) = phis.next_if(|phi| phi.block == first.block) {
                of_block.push(phi);
            }
            for phi in &of_block {
                dfg.attach_block_param(clif_block(phi.block), clif_value(phi.value));
            }
            self.context.written.push(kept, first.block, of_block.len());
            // Edge by edge, so that each list of arguments grows once.
            for (place, edge) in first.edges.iter().enumerate() {
                let Some(branch) = layout.last_inst(clif_block(edge.source)) else { continue };
                let (tables, exceptions) = (&mut dfg.jump_tables, &mut dfg.exception_tables);
                let calls = dfg.insts[branch].branch_destination_mut(tables, exceptions);
                let arguments = of_block.iter().map(|phi| clif_value(phi.operands[place]));
                calls[edge.slot as usize].extend(arguments, &mut dfg.value_lists);
            }
        }
        for (from, to) in result.stands_for.iter() {
            dfg.change_to_alias(clif_value(from), clif_value(to));
        }
    }
}

impl PhiHost for CraneliftHost<'_> {
    fn new_phi(&mut self, _: Block, variable: ssaphire::Variable) -> Value {
        let (dfg, HostContext { types, limbo, .. }) = (&mut self.func.dfg, &mut *self.context);
        if limbo.last().is_none_or(|&limbo| dfg.num_block_params(limbo) == MAX_PARAMS) {
            limbo.push(dfg.make_block());
        }
        let limbo = limbo[limbo.len() - 1];
        ids::value(dfg.append_block_param(limbo, types[clif_variable(variable)]))
    }

    /// The zero of its type, made at the top of the entry.
    fn undefined(&mut self, variable: ssaphire::Variable) -> Value {
        let ty = self.context.types[clif_variable(variable)];
        let entry = self.func.layout.entry_block().expect("the layout has an entry before variables are read");
        ids::value(undefined::zero(self.func, entry, ty))
    }

    fn visit_code(&self, visit: &mut dyn FnMut(Placed<'_>)) -> Shown {
        visit_code(self.func, self.context, visit)
    }
}

/// Shows the code of a function as [`PhiHost::visit_code`] asks.
fn visit_code(func: &Function, context: &HostContext, visit: &mut dyn FnMut(Placed<'_>)) -> Shown {
    code::visit(func, context, visit);
    Shown::Everything
}
