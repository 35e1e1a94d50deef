//! The host: phis become block parameters.
//!
//! A phi must be a value at once, but a parameter of its block only if it is
//! kept. So it starts as a parameter of a limbo block, which is in no layout.
//! At the end, the parameters that are kept move to their blocks, and the
//! others become aliases. No parameter is ever removed from the middle of a
//! list.
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

/// The most parameters that a block can have: Cranelift numbers them with 16 bits.
pub const MAX_PARAMS: usize = u16::MAX as usize;

/// A Cranelift function as the host of a [`ssaphire::Builder`] that is driven directly, by any engine and in any order.
///
/// [`FunctionBuilder`](crate::FunctionBuilder) does this for front ends that build block after block. Here, the caller
/// creates blocks, values and instructions through `func`, and passes their numbers to the builder: see [`ids`].
///
/// # Contract
/// The entry is the first block of the layout by the time a variable is read. When the result is
/// [written](Self::write), each block with outgoing edges ends with its branch instruction, and the destinations of
/// that instruction are the targets that were passed to the builder, in that order.
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

/// The state of a host besides the function; keep it to reuse its memory for the next function.
#[derive(Debug, Default)]
pub struct HostContext {
    pub(crate) types: PrimaryMap<Variable, Type>,
    /// Blocks in no layout, which own the parameters that do not belong to a block yet; the last one has room.
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
    /// A host for `func`, without variables. Clears the context.
    pub fn new(func: &'f mut Function, context: &'f mut HostContext) -> Self {
        context.clear();
        Self { func, context }
    }

    /// Declares a new variable.
    pub fn declare_var(&mut self, ty: Type) -> Variable {
        self.context.types.push(ty)
    }

    /// The type of a variable, or `None` if it was not declared.
    pub fn var_type(&self, variable: Variable) -> Option<Type> {
        self.context.types.get(variable).copied()
    }

    /// Writes the result into the function: block parameters, branch arguments, and aliases.
    ///
    /// # Errors
    /// [`FinalizeError::Parameters`] if a block would have more parameters than Cranelift can number. Then nothing has
    /// been written.
    pub fn write(&mut self, result: &Ssa<'_>) -> Result<(), FinalizeError> {
        self.check_room(&result.phis)?;
        self.settle(result);
        Ok(())
    }

    /// Checks that every block has room for its parameters.
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

    /// Moves the parameters that are kept to their blocks, appends arguments to branches, and turns the rest into
    /// aliases.
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
            // Edge by edge, so that each argument list grows once.
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

    /// The zero of the variable's type, created at the top of the entry.
    fn undefined(&mut self, variable: ssaphire::Variable) -> Value {
        let ty = self.context.types[clif_variable(variable)];
        let entry = self.func.layout.entry_block().expect("the layout has an entry before variables are read");
        ids::value(undefined::zero(self.func, entry, ty))
    }

    fn visit_code(&self, visit: &mut dyn FnMut(Placed<'_>)) -> Shown {
        visit_code(self.func, self.context, visit)
    }
}

/// Visits the code of a function as [`PhiHost::visit_code`] requires.
fn visit_code(func: &Function, context: &HostContext, visit: &mut dyn FnMut(Placed<'_>)) -> Shown {
    code::visit(func, context, visit);
    Shown::Everything
}
