//! Changing a function: blocks, variables, values, instructions, edges, phis.
//!
//! Edges follow the terminators: whoever sets one has connected the edges.
//! Phis keep one operand per incoming edge through all of this. An edge that
//! goes takes its operands along; a new edge into a block with phis brings the
//! undefined value until [`Function::set_operand`] says better.

use crate::dialect::Dialect;
use crate::function::{
    Action, Arg, BlockData, Dest, Function, IncomingEdge, Inst, Lookup, Param, Phi, ValueData, ValueKind, VariableData,
};
use ssaphire_graph::{Block, IdMap, Value, Variable};
use std::collections::hash_map::Entry;
use std::sync::Arc;

/// The order given for the incoming edges of a block is not one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotTheIncomingEdges {
    /// The block in question.
    pub block: Block,
}

impl std::fmt::Display for NotTheIncomingEdges {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: the edges listed are not its incoming edges, those of one source by ascending slot", self.block)
    }
}

impl std::error::Error for NotTheIncomingEdges {}

/// # Building
impl<D: Dialect> Function<D> {
    /// A function without blocks. The first one created is its entry.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            params: Vec::new(),
            entry: Block::new(0),
            blocks: IdMap::new(),
            variables: IdMap::new(),
            values: IdMap::new(),
            lookup: Lookup::default(),
        }
    }

    /// Changes its name.
    pub fn set_name(&mut self, name: impl Into<String>) {
        self.name = name.into();
    }

    /// Appends an empty block.
    pub fn create_block(&mut self) -> Block {
        let block = self.blocks.push(BlockData::new(None));
        // An older block may have been given the name that this one would print as.
        if !self.lookup.blocks.is_empty() {
            let default_label = block.to_string();
            if self.lookup.blocks.get(&default_label).is_some() {
                self.set_block_name(block, &default_label);
            }
        }
        block
    }

    /// Appends an empty block that prints as `name`, or with a suffix where that is taken.
    pub fn create_named_block(&mut self, name: &str) -> Block {
        let block = self.blocks.push(BlockData::new(None));
        self.set_block_name(block, name);
        block
    }

    /// Makes `block` print as `name`, or with a suffix where that is taken.
    pub fn set_block_name(&mut self, block: Block, name: &str) {
        if let Some(old) = self.blocks[block].name.take() {
            self.lookup.blocks.remove(&old);
        }
        let mut names = std::mem::take(&mut self.lookup.blocks);
        let is_label = |name: &str| self.block_of_default_label(name).is_some_and(|other| other != block);
        let name = names.unique(name.into(), is_label);
        self.lookup.blocks = names;
        if *name != *block.to_string() {
            self.lookup.blocks.insert(name.clone(), block);
            self.blocks[block].name = Some(name);
        }
    }

    /// Makes `block` the one where control enters.
    pub fn set_entry(&mut self, block: Block) {
        self.entry = block;
    }

    /// Adds a variable called `name`, or with a suffix where that is taken.
    pub fn add_variable(&mut self, name: impl Into<Arc<str>>, ty: D::Type) -> Variable {
        let name = self.lookup.variables.unique(name.into(), |_| false);
        let variable = self.variables.push(VariableData { name: name.clone(), ty });
        self.lookup.variables.insert(name, variable);
        variable
    }

    /// Adds a parameter that `variable` holds when control enters; its value has that name and type.
    pub fn add_param(&mut self, variable: Variable) -> Value {
        let ty = self.variables[variable].ty.clone();
        self.push_param(Some(variable), Some(variable), ty)
    }

    /// Adds a parameter that no variable holds; `name` is the variable it is a version of.
    pub fn add_value_param(&mut self, name: Option<Variable>, ty: D::Type) -> Value {
        self.push_param(None, name, ty)
    }

    pub(crate) fn push_param(&mut self, variable: Option<Variable>, name: Option<Variable>, ty: D::Type) -> Value {
        let kind = ValueKind::Param(self.params.len() as u32);
        let value = self.values.push(ValueData { kind, ty, name });
        self.params.push(Param { value, variable });
        value
    }

    /// Leaves the parameters to values alone: no variable holds one any more.
    pub fn unbind_params(&mut self) {
        for param in &mut self.params {
            param.variable = None;
        }
    }
}

/// # Values
impl<D: Dialect> Function<D> {
    /// The value of a constant, one per constant.
    pub fn constant(&mut self, constant: D::Constant) -> Value {
        match self.lookup.bound(&self.values).constants.entry(constant) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                let ty = D::constant_type(entry.key());
                let kind = ValueKind::Constant(entry.key().clone());
                *entry.insert(self.values.push(ValueData { kind, ty, name: None }))
            }
        }
    }

    /// What `variable` holds before it is written: one value per variable.
    pub fn undefined(&mut self, variable: Variable) -> Value {
        let ty = self.variables[variable].ty.clone();
        self.intern_undefined(Some(variable), ty)
    }

    /// An undefined value of no particular variable: one per type.
    pub fn undefined_of_type(&mut self, ty: D::Type) -> Value {
        self.intern_undefined(None, ty)
    }

    pub(crate) fn intern_undefined(&mut self, name: Option<Variable>, ty: D::Type) -> Value {
        match self.lookup.bound(&self.values).undefined.entry((name, ty)) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                let ty = entry.key().1.clone();
                *entry.insert(self.values.push(ValueData { kind: ValueKind::Undefined, ty, name }))
            }
        }
    }

    /// A value that nothing defines yet: an instruction or a phi will, when it is given to one.
    pub fn new_value(&mut self, name: Option<Variable>, ty: D::Type) -> Value {
        self.values.push(ValueData { kind: ValueKind::Detached, ty, name })
    }

    /// A value that an instruction defines, which its block will have.
    pub(crate) fn new_result(&mut self, ty: D::Type) -> Value {
        self.values.push(ValueData { kind: ValueKind::Result, ty, name: None })
    }

    /// A value that nothing defines yet: a version of `variable`, of its type.
    pub fn new_version(&mut self, variable: Variable) -> Value {
        let ty = self.variables[variable].ty.clone();
        self.new_value(Some(variable), ty)
    }

    /// Says of which variable `value` is a version.
    pub fn set_value_name(&mut self, value: Value, name: Option<Variable>) {
        self.values[value].name = name;
    }

    /// Says that nothing defines or uses `value` any more; its id stays until [`Function::canonicalize`].
    ///
    /// Constants and undefined values may be asked for again, and then get a new id.
    pub fn drop_value(&mut self, value: Value) {
        let bound = self.lookup.bound(&self.values);
        let data = &mut self.values[value];
        match std::mem::replace(&mut data.kind, ValueKind::Detached) {
            ValueKind::Constant(constant) => drop(bound.constants.remove(&constant)),
            ValueKind::Undefined => drop(bound.undefined.remove(&(data.name, data.ty.clone()))),
            _ => {}
        }
    }

    /// Replaces every value that an instruction or a phi uses by what `new` says.
    pub fn map_uses(&mut self, mut new: impl FnMut(Value) -> Value) {
        for block in self.blocks.values_mut() {
            for operand in block.phis.iter_mut().flat_map(|phi| &mut phi.operands) {
                *operand = new(*operand);
            }
            for arg in block.insts.iter_mut().flat_map(|inst| &mut inst.args) {
                if let Arg::Value(value) = arg {
                    *value = new(*value);
                }
            }
        }
    }

    /// Rewrites what the instructions of `block` read and write, in place.
    ///
    /// Called once per instruction with its arguments and results; values
    /// that became results are marked as such afterwards.
    pub fn rewrite_block(&mut self, block: Block, mut rewrite: impl FnMut(&Action<D::Op>, &mut [Arg], &mut [Dest])) {
        for inst in &mut self.blocks[block].insts {
            rewrite(&inst.action, &mut inst.args, &mut inst.results);
            mark_results(&mut self.values, inst);
        }
    }
}

/// # Instructions
impl<D: Dialect> Function<D> {
    /// Appends an instruction to `block`. If it has targets, their edges are connected.
    ///
    /// A block is complete when its last instruction is a terminator.
    pub fn push_inst(&mut self, block: Block, inst: Inst<D>) {
        self.disconnect(block);
        mark_results(&mut self.values, &inst);
        let insts = &mut self.blocks[block].insts;
        if insts.is_empty() {
            // Most blocks are short, and a million of them are a lot of room kept for nothing.
            insts.reserve_exact(2);
        }
        insts.push(inst);
        self.connect(block);
    }

    /// Appends instructions to `block`, of which only the last may have targets; `insts` is left empty.
    ///
    /// Their results are known as such.
    pub(crate) fn append_insts(&mut self, block: Block, insts: &mut Vec<Inst<D>>) {
        self.disconnect(block);
        let list = &mut self.blocks[block].insts;
        list.reserve_exact(insts.len());
        list.append(insts);
        self.connect(block);
    }

    /// Makes `inst` the terminator of `block`, in place of the one it has.
    ///
    /// If the targets are the same, the edges stay as they are.
    pub fn set_terminator(&mut self, block: Block, inst: Inst<D>) {
        let same_targets = *self.blocks[block].targets() == *inst.targets;
        if !same_targets {
            self.disconnect(block);
        }
        mark_results(&mut self.values, &inst);
        self.blocks[block].insts.pop_if(|old| old.is_terminator());
        self.blocks[block].insts.push(inst);
        if !same_targets {
            self.connect(block);
        }
    }

    /// Gives `block` these instructions in place of those it has.
    ///
    /// If the targets are the same, the edges stay as they are.
    pub fn set_insts(&mut self, block: Block, insts: Vec<Inst<D>>) {
        let same_targets = insts.last().map_or(&[][..], |last| &last.targets) == self.blocks[block].targets();
        if !same_targets {
            self.disconnect(block);
        }
        for inst in &insts {
            mark_results(&mut self.values, inst);
        }
        self.blocks[block].insts = insts;
        if !same_targets {
            self.connect(block);
        }
    }

    /// Puts an instruction without targets before number `index` of `block`.
    ///
    /// # Panics
    /// If the block has fewer instructions than `index`.
    pub fn insert_inst(&mut self, block: Block, index: usize, inst: Inst<D>) {
        if index == self.blocks[block].insts.len() {
            return self.push_inst(block, inst);
        }
        mark_results(&mut self.values, &inst);
        self.blocks[block].insts.insert(index, inst);
    }

    /// Keeps the instructions of `block` that `keep` accepts; if the terminator goes, so do its edges.
    pub fn retain_insts(&mut self, block: Block, mut keep: impl FnMut(&Inst<D>) -> bool) {
        let kept: Vec<bool> = self.blocks[block].insts.iter().map(&mut keep).collect();
        let loses_edges = kept.last() == Some(&false);
        if loses_edges {
            self.disconnect(block);
        }
        let mut kept = kept.into_iter();
        self.blocks[block].insts.retain(|_| kept.next().unwrap_or(true));
        if loses_edges {
            self.connect(block);
        }
    }

    /// Leads the edge that leaves `source` by `slot` to `target`: its operand index there.
    ///
    /// The phis of `target` get the undefined value for it.
    ///
    /// # Panics
    /// If there is no such edge or block.
    pub fn redirect_edge(&mut self, source: Block, slot: usize, target: Block) -> usize {
        let edge = IncomingEdge { source, slot: slot as u32 };
        let old = self.blocks[source].targets()[slot];
        self.remove_incoming(old, edge);
        if let Some(terminator) = self.blocks[source].insts.last_mut() {
            terminator.targets[slot] = target;
        }
        // Edges of one source stand by slot, or the k-th of the one end would not be the k-th of the other.
        let later = |other: &IncomingEdge| other.source == source && other.slot > edge.slot;
        let incoming = &self.blocks[target].incoming;
        let position = incoming.iter().position(later).unwrap_or(incoming.len());
        self.insert_incoming(target, position, edge);
        position
    }

    /// Puts the incoming edges of `block` in this order; the operands of its phis move along.
    ///
    /// # Errors
    /// If `order` is not its incoming edges, each once, those of one source by ascending slot.
    pub fn set_incoming_order(&mut self, block: Block, order: &[IncomingEdge]) -> Result<(), NotTheIncomingEdges> {
        let data = &mut self.blocks[block];
        if *order == *data.incoming {
            return Ok(());
        }
        let mut old: Vec<_> = data.incoming.iter().copied().zip(0..).collect();
        old.sort_unstable();
        let mut new: Vec<_> = order.iter().copied().zip(0..).collect();
        // By source, then by place in `order`: the slots must then ascend, and the edges be the same.
        new.sort_unstable_by_key(|&(edge, place): &(IncomingEdge, usize)| (edge.source, place));
        if !old.iter().map(|&(edge, _)| edge).eq(new.iter().map(|&(edge, _)| edge)) {
            return Err(NotTheIncomingEdges { block });
        }
        let mut old_position = vec![0; order.len()];
        for (&(_, from), &(_, to)) in old.iter().zip(&new) {
            old_position[to] = from;
        }
        data.incoming = order.into();
        for phi in &mut data.phis {
            let operands = old_position.iter().filter_map(|&from: &usize| phi.operands.get(from).copied()).collect();
            phi.operands = operands;
        }
        Ok(())
    }

    /// Connects the edges of the last instruction of `block`.
    fn connect(&mut self, block: Block) {
        for slot in 0..self.blocks[block].targets().len() {
            let target = self.blocks[block].targets()[slot];
            // A target that does not exist is for `check_form` to report.
            if let Some(data) = self.blocks.get(target) {
                let end = data.incoming.len();
                self.insert_incoming(target, end, IncomingEdge { source: block, slot: slot as u32 });
            }
        }
    }

    fn disconnect(&mut self, block: Block) {
        for slot in (0..self.blocks[block].targets().len()).rev() {
            let target = self.blocks[block].targets()[slot];
            self.remove_incoming(target, IncomingEdge { source: block, slot: slot as u32 });
        }
    }

    fn insert_incoming(&mut self, target: Block, position: usize, edge: IncomingEdge) {
        self.blocks[target].incoming.insert(position, edge);
        for index in 0..self.blocks[target].phis.len() {
            let phi = &self.blocks[target].phis[index];
            let (variable, ty) = (phi.variable, self.values[phi.value].ty.clone());
            let undefined = self.intern_undefined(variable, ty);
            let operands = &mut self.blocks[target].phis[index].operands;
            operands.insert(position.min(operands.len()), undefined);
        }
    }

    fn remove_incoming(&mut self, target: Block, edge: IncomingEdge) {
        let Some(data) = self.blocks.get_mut(target) else { return };
        let Some(position) = data.incoming.iter().rposition(|&other| other == edge) else { return };
        data.incoming.remove(position);
        for phi in &mut data.phis {
            if position < phi.operands.len() {
                phi.operands.remove(position);
            }
        }
    }
}

/// # Phis
impl<D: Dialect> Function<D> {
    /// Appends a phi to those of `block`, with one operand for each incoming edge.
    ///
    /// `value` is one made by [`Function::new_value`]; `operand` is asked with
    /// the source and the slot of each edge, in operand order.
    pub fn insert_phi(
        &mut self,
        block: Block,
        value: Value,
        variable: Option<Variable>,
        mut operand: impl FnMut(IncomingEdge) -> Value,
    ) {
        let operands = self.blocks[block].incoming.iter().map(|&edge| operand(edge)).collect();
        self.push_phi(block, Phi { value, variable, operands });
    }

    /// Appends a phi to those of `block`, as it is.
    pub fn push_phi(&mut self, block: Block, phi: Phi) {
        self.values[phi.value].kind = ValueKind::Phi;
        self.blocks[block].phis.push(phi);
    }

    /// Changes one operand of phi number `index` of `block`.
    ///
    /// # Panics
    /// If there is no such operand.
    pub fn set_operand(&mut self, block: Block, index: usize, operand_index: usize, value: Value) {
        self.blocks[block].phis[index].operands[operand_index] = value;
    }

    /// Keeps the phis of `block` that `keep` accepts; the values of the others are dropped.
    pub fn retain_phis(&mut self, block: Block, mut keep: impl FnMut(&Phi) -> bool) {
        let values = &mut self.values;
        self.blocks[block].phis.retain(|phi| {
            let kept = keep(phi);
            if !kept {
                values[phi.value].kind = ValueKind::Detached;
            }
            kept
        });
    }
}

fn mark_results<D: Dialect>(values: &mut IdMap<Value, ValueData<D>>, inst: &Inst<D>) {
    for dest in &inst.results {
        if let Dest::Value(value) = *dest {
            values[value].kind = ValueKind::Result;
        }
    }
}
