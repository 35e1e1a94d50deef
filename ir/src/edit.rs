//! Edits of a function: blocks, variables, values, instructions, edges, phis.
//!
//! Edges follow the terminators: setting a terminator connects its edges. Phis
//! always have one operand per incoming edge. Removing an edge removes its
//! operands; a new edge into a block with phis gets the undefined value until
//! [`Function::set_operand`] changes it.

mod blocks;
mod compact;
mod edges;
mod insts;
mod jumps;

pub(crate) use edges::Incoming;
pub use edges::NotTheIncomingEdges;

use crate::dialect::Syntax;
use crate::function::{
    Arg, BlockData, Code, Function, IncomingEdge, Labels, Name, Param, Phi, PhiData, PhiRef, Phis, Pool, ValueKind,
    Values, Variables, taken,
};
use ssaphire_graph::{Block, IdMap, Value, Variable};
use std::mem;
use std::sync::Arc;

/// # Building
impl<D: Syntax> Function<D> {
    /// A function without blocks. The first one created is its entry.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into().into(), ..Self::empty() }
    }

    /// A function without name and blocks.
    pub(crate) fn empty() -> Self {
        Self {
            name: Arc::default(),
            params: Vec::new(),
            entry: Block::new(0),
            blocks: IdMap::new(),
            labels: Labels::default(),
            code: Code::default(),
            phis: Pool::default(),
            operands: Pool::default(),
            incoming: Pool::default(),
            variables: Variables::default(),
            values: Values::default(),
        }
    }

    /// Removes all contents; keeps memory.
    pub fn clear(&mut self) {
        self.name = Arc::default();
        self.params.clear();
        self.entry = Block::new(0);
        self.blocks.clear();
        self.labels.clear();
        self.code.clear();
        self.phis.clear();
        self.operands.clear();
        self.incoming.clear();
        self.variables.clear();
        self.values.clear();
    }

    /// Moves the contents to a function without spare capacity; this one is empty then, and keeps its memory.
    ///
    /// Many functions can thus be [built in the memory of one](crate::FunctionBuilder::reusing): each result takes a
    /// few allocations of the right size, instead of tables that grow again and again.
    #[must_use]
    pub fn take(&mut self) -> Self {
        let function = Self {
            name: mem::take(&mut self.name),
            params: taken(&mut self.params),
            entry: self.entry,
            blocks: self.blocks.take(),
            labels: mem::take(&mut self.labels),
            code: self.code.take(),
            phis: self.phis.take(),
            operands: self.operands.take(),
            incoming: self.incoming.take(),
            variables: self.variables.take(),
            values: self.values.take(),
        };
        self.entry = Block::new(0);
        function
    }

    /// Changes its name.
    pub fn set_name(&mut self, name: impl Into<String>) {
        self.name = name.into().into();
    }

    /// Appends an empty block.
    pub fn create_block(&mut self) -> Block {
        let block = self.blocks.push(BlockData::default());
        // An older block may have been given the name that this one would print as.
        if !self.labels.taken.is_empty() {
            let default_label = block.to_string();
            if self.labels.taken.get(&default_label).is_some() {
                self.set_block_name(block, &default_label);
            }
        }
        block
    }

    /// Appends an empty block that prints as `name`, with a suffix if the name is taken.
    pub fn create_named_block(&mut self, name: &str) -> Block {
        let block = self.blocks.push(BlockData::default());
        self.set_block_name(block, name);
        block
    }

    /// Makes `block` print as `name`, with a suffix if the name is taken.
    pub fn set_block_name(&mut self, block: Block, name: &str) {
        self.labels.remove(block);
        let mut names = mem::take(&mut self.labels.taken);
        let is_label = |name: &str| self.block_of_default_label(name).is_some_and(|other| other != block);
        let name = names.unique(name.into(), is_label);
        self.labels.taken = names;
        if *name != *block.to_string() {
            self.labels.set(block, name);
        }
    }

    /// Makes `block` the entry.
    pub fn set_entry(&mut self, block: Block) {
        self.entry = block;
    }

    /// Adds a variable called `name`, with a suffix if the name is taken.
    pub fn add_variable(&mut self, name: impl Into<Name>, ty: D::Type) -> Variable {
        self.variables.push(name.into(), ty)
    }

    /// Adds a parameter that is the initial value of `variable`; the value has its name and type.
    pub fn add_param(&mut self, variable: Variable) -> Value {
        let ty = self.variable_type(variable).clone();
        self.push_param(Some(variable), Some(variable), ty)
    }

    /// Adds a parameter that is bound to no variable; `name` is the variable it is a version of.
    pub fn add_value_param(&mut self, name: Option<Variable>, ty: D::Type) -> Value {
        self.push_param(None, name, ty)
    }

    pub(crate) fn push_param(&mut self, variable: Option<Variable>, name: Option<Variable>, ty: D::Type) -> Value {
        let value = self.values.push(ValueKind::Param(self.params.len() as u32), ty, name);
        self.params.push(Param { value, variable });
        value
    }

    /// Unbinds the parameters from their variables.
    pub fn unbind_params(&mut self) {
        for param in &mut self.params {
            param.variable = None;
        }
    }
}

/// # Values
impl<D: Syntax> Function<D> {
    /// The value of a constant; equal constants share one.
    pub fn constant(&mut self, constant: D::Constant) -> Value {
        self.values.constant(constant)
    }

    /// The initial undefined value of `variable`: one value per variable.
    pub fn undefined(&mut self, variable: Variable) -> Value {
        let ty = self.variable_type(variable).clone();
        self.values.undefined(Some(variable), ty)
    }

    /// An undefined value of no particular variable: one per type.
    pub fn undefined_of_type(&mut self, ty: D::Type) -> Value {
        self.values.undefined(None, ty)
    }

    /// Creates a value without definition, for an instruction or a phi.
    pub fn new_value(&mut self, name: Option<Variable>, ty: D::Type) -> Value {
        self.values.push(ValueKind::Detached, ty, name)
    }

    /// Creates a value without definition: a version of `variable`, of its type.
    pub fn new_version(&mut self, variable: Variable) -> Value {
        let ty = self.variable_type(variable).clone();
        self.new_value(Some(variable), ty)
    }

    /// Sets the variable of which `value` is a version.
    pub fn set_value_name(&mut self, value: Value, name: Option<Variable>) {
        self.values.record_mut(value).set_name(name);
    }

    /// Marks `value` as neither defined nor used; its id stays until [`Function::canonicalize`].
    ///
    /// Constants and undefined values may be requested again, and then get a new id.
    pub fn drop_value(&mut self, value: Value) {
        self.values.drop_value(value);
    }

    /// Visits every value that an instruction or a phi uses, once for each use, including leftovers of edits.
    pub(crate) fn for_each_use(&self, mut show: impl FnMut(Value)) {
        for arg in self.code.args.all() {
            if let Arg::Value(value) = *arg {
                show(value);
            }
        }
        for phi in self.blocks.values().flat_map(|data| self.phis.get(data.phis)) {
            self.operands.get(phi.operands).iter().for_each(|&operand| show(operand));
        }
    }

    /// Replaces every value that an instruction or a phi uses with the result of `new`.
    pub fn map_uses(&mut self, mut new: impl FnMut(Value) -> Value) {
        for data in self.blocks.values() {
            for phi in self.phis.get(data.phis) {
                self.operands.get_mut(phi.operands).iter_mut().for_each(|operand| *operand = new(*operand));
            }
        }
        self.map_args(new);
    }
}

/// # Phis
impl<D: Syntax> Function<D> {
    /// Appends a phi to `block`, with one operand for each incoming edge.
    ///
    /// `value` comes from [`Function::new_value`]; `operand` is called with the source and the slot of each edge, in
    /// operand order.
    pub fn insert_phi(
        &mut self,
        block: Block,
        value: Value,
        variable: Option<Variable>,
        operand: impl FnMut(IncomingEdge) -> Value,
    ) {
        let operands = self.block(block).incoming().iter().copied().map(operand).collect();
        self.push_phi(block, Phi { value, variable, operands });
    }

    /// Appends a phi to `block`, unchanged.
    pub fn push_phi(&mut self, block: Block, phi: Phi) {
        self.values.record_mut(phi.value).kind = ValueKind::Phi;
        let operands = self.operands.add_list(phi.operands);
        let data = PhiData { value: phi.value, variable: phi.variable, operands };
        self.phis.push(&mut self.blocks[block].phis, data);
        self.compact_if_wasteful();
    }

    /// Changes one operand of phi number `index` of `block`.
    ///
    /// # Panics
    /// If there is no such operand.
    pub fn set_operand(&mut self, block: Block, index: usize, operand_index: usize, value: Value) {
        let operands = self.phis.get(self.blocks[block].phis)[index].operands;
        self.operands.get_mut(operands)[operand_index] = value;
    }

    /// Keeps the phis of `block` for which `keep` returns true; drops the values of the others.
    pub fn retain_phis(&mut self, block: Block, mut keep: impl FnMut(PhiRef<'_>) -> bool) {
        let list = self.blocks[block].phis;
        let phis = Phis { list: self.phis.get(list), operands: &self.operands };
        let kept: Vec<bool> = phis.iter().map(&mut keep).collect();
        for (phi, _) in self.phis.get(list).iter().zip(&kept).filter(|(_, kept)| !**kept) {
            self.values.record_mut(phi.value).kind = ValueKind::Detached;
            self.operands.discard(phi.operands.len());
        }
        self.phis.retain(&mut self.blocks[block].phis, |index| kept[index]);
        self.compact_if_wasteful();
    }
}
