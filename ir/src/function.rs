//! A function: blocks with phis and instructions, variables, values.
//!
//! A function may be in variable form (instructions read and write variables),
//! in SSA form (phis and values only), or mixed. Terminators are instructions;
//! a block's outgoing edges are the targets of its last instruction, by slot.
//! Its incoming edges have an explicit order, which is the order of its phis'
//! operands.
//!
//! A function is a few flat arrays, whatever the number of its blocks: a block
//! is three ranges in them (see [`BlockRef`]), and an instruction is an
//! operation and three more ranges ([`InstRef`]). An instruction outside of a
//! function is an [`Inst`], which owns its lists.
//!
//! The `edit` module changes functions; this one only reads them.

mod block;
mod inst;
mod pool;
mod value;
mod variable;

pub(crate) use block::{BlockData, PhiData};
pub use block::{BlockRef, IncomingEdge, Phi, PhiRef, Phis};
pub use inst::{Action, Arg, Dest, Inst, InstRef, Insts, List};
pub(crate) use inst::{Code, InstData};
pub(crate) use pool::{Pool, Span, taken};
pub(crate) use value::Values;
pub use value::{ValueData, ValueKind};
pub use variable::Name;
pub(crate) use variable::{Labels, Variables};

use crate::dialect::Syntax;
use ssaphire_graph::{Block, IdMap, Value, Variable};
use std::sync::Arc;

/// A function of the reference IR.
#[derive(Clone, Debug)]
pub struct Function<D: Syntax> {
    pub(crate) name: Arc<str>,
    pub(crate) params: Vec<Param>,
    pub(crate) entry: Block,
    pub(crate) blocks: IdMap<Block, BlockData>,
    pub(crate) labels: Labels,
    pub(crate) code: Code<D>,
    pub(crate) phis: Pool<PhiData>,
    /// Operands of phis.
    pub(crate) operands: Pool<Value>,
    pub(crate) incoming: Pool<IncomingEdge>,
    pub(crate) variables: Variables<D::Type>,
    pub(crate) values: Values<D>,
}

/// A parameter of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Param {
    /// The value that the caller passes.
    pub value: Value,
    /// The variable that it initializes, if any.
    pub variable: Option<Variable>,
}

/// Equal in all ids, names and edge orders. Compare canonical functions.
impl<D: Syntax> PartialEq for Function<D> {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, &self.params, self.entry) == (&other.name, &other.params, other.entry)
            && self.variables == other.variables
            && self.values == other.values
            && self.block_refs().eq(other.block_refs())
    }
}

impl<D: Syntax> Eq for Function<D> {}

impl<D: Syntax> Function<D> {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its parameters, in order.
    pub fn params(&self) -> &[Param] {
        &self.params
    }

    /// The block where control enters: the first one, unless another was chosen.
    pub fn entry(&self) -> Block {
        self.entry
    }

    /// Number of blocks, reachable or not.
    pub fn num_blocks(&self) -> usize {
        self.blocks.len()
    }

    /// Number of variables.
    pub fn num_variables(&self) -> usize {
        self.variables.len()
    }

    /// Number of values, detached ones included.
    pub fn num_values(&self) -> usize {
        self.values.len()
    }

    /// The ids of the blocks, in order.
    pub fn blocks(&self) -> impl DoubleEndedIterator<Item = Block> + ExactSizeIterator + use<D> {
        self.blocks.keys()
    }

    /// The ids of the variables, in order.
    pub fn variables(&self) -> impl DoubleEndedIterator<Item = Variable> + ExactSizeIterator + use<D> {
        self.variables.keys()
    }

    /// The ids of the values, in order.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = Value> + ExactSizeIterator + use<D> {
        self.values.keys()
    }

    /// The contents of `block`.
    ///
    /// # Panics
    /// If there is no such block.
    pub fn block(&self, block: Block) -> BlockRef<'_, D> {
        BlockRef { function: self, block, data: &self.blocks[block] }
    }

    /// The contents of `block`, if it exists.
    pub(crate) fn get_block(&self, block: Block) -> Option<BlockRef<'_, D>> {
        self.blocks.get(block).map(|data| BlockRef { function: self, block, data })
    }

    /// The contents of the blocks, in order.
    pub(crate) fn block_refs(&self) -> impl Iterator<Item = BlockRef<'_, D>> {
        self.blocks.iter().map(|(block, data)| BlockRef { function: self, block, data })
    }

    /// The name of `variable`, which no other variable of the function has.
    ///
    /// # Panics
    /// If there is no such variable.
    pub fn variable_name(&self, variable: Variable) -> &str {
        self.variables.name(variable).unwrap_or_else(|| panic!("{variable}: no such variable"))
    }

    /// The name that `variable` was declared with, which several variables may share.
    ///
    /// # Panics
    /// If there is no such variable.
    pub fn declared_name(&self, variable: Variable) -> &Name {
        self.variables.declared_name(variable).unwrap_or_else(|| panic!("{variable}: no such variable"))
    }

    /// The type of `variable`.
    ///
    /// # Panics
    /// If there is no such variable.
    pub fn variable_type(&self, variable: Variable) -> &D::Type {
        self.variables.ty(variable).unwrap_or_else(|| panic!("{variable}: no such variable"))
    }

    /// The kind, type and name of `value`.
    ///
    /// # Panics
    /// If there is no such value.
    pub fn value(&self, value: Value) -> ValueData<'_, D> {
        self.values.get(value).unwrap_or_else(|| panic!("{value}: no such value"))
    }

    /// The variable with this name.
    pub fn variable_named(&self, name: &str) -> Option<Variable> {
        self.variables.named(name)
    }

    /// The block that prints as `label`.
    pub fn block_labeled(&self, label: &str) -> Option<Block> {
        let by_name = self.labels.taken.get(label);
        by_name.or_else(|| self.block_of_default_label(label))
    }

    /// The printed label of `block`: its name, or `block` and its number.
    pub fn label(&self, block: Block) -> String {
        self.labels.name(block).map_or_else(|| block.to_string(), str::to_owned)
    }

    /// The parameter that initializes `variable`, or `None` if the variable starts undefined.
    ///
    /// A construction returns it where no write reaches. It is not an access of the entry, because control may enter
    /// the entry again.
    pub fn initial_value(&self, variable: Variable) -> Option<Value> {
        self.params.iter().find(|param| param.variable == Some(variable)).map(|param| param.value)
    }

    /// The constant that `value` is, if it is one.
    pub fn as_constant(&self, value: Value) -> Option<&D::Constant> {
        match self.values.get(value)?.kind {
            ValueKind::Constant(constant) => Some(constant),
            _ => None,
        }
    }

    /// Whether instructions read or write variables.
    pub fn has_accesses(&self) -> bool {
        self.block_refs().flat_map(|block| block.insts().iter()).any(|inst| {
            let reads = inst.args.iter().any(|arg| matches!(arg, Arg::Variable(_)));
            reads || inst.results.iter().any(|dest| matches!(dest, Dest::Variable(_)))
        })
    }

    /// The unnamed block whose number `label` spells.
    pub(crate) fn block_of_default_label(&self, label: &str) -> Option<Block> {
        let digits = label.strip_prefix("block")?;
        let block = Block::try_new(digits.parse().ok()?)?;
        // Of several spellings of a number (`block07`), only the printed one counts.
        let unnamed = block.index() < self.num_blocks() && self.labels.name(block).is_none();
        (unnamed && block.to_string() == label).then_some(block)
    }
}
