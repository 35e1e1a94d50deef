//! Rebuilds a complete function with its operations folded.

use super::convert::put_block_in_front;
use super::{BuildError, FunctionBuilder};
use crate::dialect::Semantics;
use crate::fold::Folding;
use crate::function::{Action, Arg, Dest, Function, InstRef, List, ValueKind};
use ssaphire::graph::{DominatorTree, FlatCfg, IdMap, LoopForest};
use ssaphire::{Block, Certified, SsaBuilder, Value, Variable};
use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Converts a function in variable, mixed or SSA form to canonical SSA form, and folds operations during construction.
/// `ssa` can certify the result.
///
/// Blocks are filled in reverse post-order, with loops contiguous, as long as they are reachable: blocks that folded
/// branches make unreachable are not built. Phis of the function are treated as variables, written at the ends of the
/// predecessors.
///
/// # Errors
/// As [`to_ssa`](crate::to_ssa).
///
/// # Complexity
/// Expected O(size of the function), and O(*n* log *n*), plus the construction.
pub fn to_ssa_folded<D: Semantics, B: SsaBuilder>(
    function: &Function<D>,
    ssa: &mut Certified<B>,
    folding: &mut Folding<D>,
) -> Result<Function<D>, BuildError> {
    let mut source = Cow::Borrowed(function);
    if function.num_blocks() > 0 && !function.block(function.entry()).incoming().is_empty() {
        put_block_in_front(source.to_mut());
    }
    let cfg = FlatCfg::new(&*source)?;
    let dominators = DominatorTree::new(&cfg);
    let loops = LoopForest::new(&cfg, &dominators);
    let mut builder = FunctionBuilder::new(ssa, source.name());
    builder.fold_with(folding);
    let mut rebuilding = Rebuilding {
        source: &source,
        cfg: &cfg,
        builder,
        values: IdMap::filled(source.num_values(), None),
        phis: IdMap::filled(source.num_values(), None),
        pending: IdMap::filled(source.num_blocks(), 0),
        pending_from_above: IdMap::filled(source.num_blocks(), 0),
        is_reducible: loops.is_reducible(),
        place: IdMap::filled(source.num_blocks(), None),
        state: IdMap::filled(source.num_blocks(), State::Unseen),
        ready: BinaryHeap::new(),
    };
    for (place, block) in loops.rpo_by_loops(&dominators).into_iter().enumerate() {
        rebuilding.place[block] = Some(place);
    }
    rebuilding.declare()?;
    rebuilding.fill_all()?;
    let mut function = rebuilding.builder.finish_as_numbered()?;
    order_edges(&mut function);
    function.canonicalize();
    Ok(function)
}

/// Orders incoming edges by source and slot, as in a text that does not list them.
fn order_edges<D: Semantics>(function: &mut Function<D>) {
    for block in function.blocks() {
        let mut incoming = function.block(block).incoming().to_vec();
        if incoming.is_sorted() {
            continue;
        }
        incoming.sort_unstable();
        // They are the same edges.
        let _ = function.set_incoming_order(block, &incoming);
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// No edge leads to it so far.
    Unseen,
    Ready,
    Filled,
    /// No edge will lead to it.
    Dead,
}

struct Rebuilding<'a, 'b, D: Semantics, B: SsaBuilder> {
    source: &'a Function<D>,
    cfg: &'a FlatCfg,
    /// Its blocks and variables have the numbers of the source's; additional ones follow.
    builder: FunctionBuilder<'b, D, B>,
    values: IdMap<Value, Option<Value>>,
    /// By phi of the source, the variable that replaces it.
    phis: IdMap<Value, Option<Variable>>,
    /// By block, the number of incoming edges from blocks that may still be filled; and of those, the number from
    /// blocks earlier in this order.
    pending: IdMap<Block, usize>,
    pending_from_above: IdMap<Block, usize>,
    /// Whether control first reaches each block from an earlier one.
    is_reducible: bool,
    /// By block, its index in [the order by loops](LoopForest::rpo_by_loops).
    place: IdMap<Block, Option<usize>>,
    state: IdMap<Block, State>,
    /// Blocks with an incoming edge, earliest in this order first.
    ready: BinaryHeap<Reverse<(usize, Block)>>,
}

impl<D: Semantics, B: SsaBuilder> Rebuilding<'_, '_, D, B> {
    /// Declares variables, blocks, and the values bound before the entry.
    fn declare(&mut self) -> Result<(), BuildError> {
        let source = self.source;
        for variable in source.variables() {
            self.builder.declare(source.declared_name(variable).clone(), source.variable_type(variable).clone());
        }
        for block in source.blocks() {
            match source.block(block).name() {
                Some(name) => self.builder.create_named_block(name),
                None => self.builder.create_block(),
            };
            for source in self.cfg.incoming(block).iter().map(|&edge| self.cfg.source(edge)) {
                self.pending[block] += usize::from(self.place[source].is_some());
                self.pending_from_above[block] += usize::from(self.is_above(source, block));
            }
        }
        if source.num_blocks() > 0 {
            self.builder.host.function.set_entry(source.entry());
            self.builder.ssa.set_entry(source.entry())?;
        }
        for param in source.params() {
            let data = source.value(param.value);
            let value = match param.variable {
                Some(variable) => self.builder.param(variable)?,
                None => {
                    let value = self.builder.host.function.add_value_param(data.name, data.ty.clone());
                    self.builder.ssa.try_global(value)?;
                    value
                }
            };
            self.values[param.value] = Some(value);
        }
        for value in source.values() {
            let data = source.value(value);
            self.values[value] = match data.kind {
                ValueKind::Constant(constant) => Some(self.builder.constant(constant.clone())),
                ValueKind::Undefined => Some(self.undefined(data.name, data.ty)),
                _ => continue,
            };
        }
        for block in source.blocks() {
            for phi in source.block(block).phis().iter() {
                let name = phi.variable.map_or("phi", |variable| source.variable_name(variable));
                let ty = source.value(phi.value).ty.clone();
                self.phis[phi.value] = Some(self.builder.declare(name, ty));
            }
        }
        Ok(())
    }

    fn undefined(&mut self, name: Option<Variable>, ty: &D::Type) -> Value {
        match name {
            None => self.builder.undefined_of_type(ty.clone()),
            Some(variable) => {
                let value = self.builder.host.function.undefined(variable);
                self.builder.ssa.global(value);
                value
            }
        }
    }

    fn fill_all(&mut self) -> Result<(), BuildError> {
        let source = self.source;
        if source.num_blocks() > 0 {
            self.reach(source.entry());
        }
        while let Some(Reverse((_, block))) = self.ready.pop() {
            self.fill(block)?;
        }
        // In an irreducible graph, edges from unreachable blocks may have kept some blocks open.
        let is_filled = |state: &State| *state == State::Filled;
        for block in source.blocks() {
            if block != source.entry() && !self.builder.ssa.is_sealed(block) {
                self.builder.seal(block)?;
            }
            if !is_filled(&self.state[block]) {
                self.builder.skip(block)?;
            }
        }
        Ok(())
    }

    /// Notes an edge to the block.
    fn reach(&mut self, block: Block) {
        if let (State::Unseen, Some(place)) = (self.state[block], self.place[block]) {
            self.state[block] = State::Ready;
            self.ready.push(Reverse((place, block)));
        }
    }

    fn fill(&mut self, block: Block) -> Result<(), BuildError> {
        let source = self.source;
        self.state[block] = State::Filled;
        self.builder.switch_to(block);
        for phi in source.block(block).phis().iter() {
            if let Some(variable) = self.phis[phi.value] {
                self.values[phi.value] = Some(self.builder.read(variable)?);
            }
        }
        let mut insts = source.block(block).insts().iter();
        let terminator = if source.block(block).terminator().is_some() { insts.next_back() } else { None };
        for inst in insts {
            self.push(inst)?;
        }
        if let Some(terminator) = terminator {
            self.terminate(block, terminator)?;
        }
        let targets: List<Block, 4> = self.builder.function().block(block).targets().iter().copied().collect();
        for target in targets {
            // A block on a split edge has one successor.
            let target = if target.index() < source.num_blocks() { Some(target) } else { self.beyond(target) };
            target.into_iter().for_each(|target| self.reach(target));
        }
        self.settle(block)
    }

    /// Whether the first block is reachable, and precedes the second one in that order.
    fn is_above(&self, first: Block, second: Block) -> bool {
        self.place[first].is_some_and(|first| self.place[second].is_some_and(|second| first < second))
    }

    /// Notes that the outgoing edges of the block are final: seals blocks that wait for no other edges, and treats
    /// blocks that no edge has reached as dead.
    fn settle(&mut self, block: Block) -> Result<(), BuildError> {
        let source = self.source;
        let mut settled = vec![block];
        while let Some(block) = settled.pop() {
            for &target in source.block(block).targets() {
                self.pending[target] -= 1;
                self.pending_from_above[target] -= usize::from(self.is_above(block, target));
                let waits_for = if self.is_reducible { &self.pending_from_above } else { &self.pending };
                if self.state[target] == State::Unseen && waits_for[target] == 0 {
                    self.state[target] = State::Dead;
                    settled.push(target);
                }
                if self.pending[target] == 0 && target != source.entry() && !self.builder.ssa.is_sealed(target) {
                    self.builder.seal(target)?;
                }
            }
        }
        Ok(())
    }

    fn beyond(&self, block: Block) -> Option<Block> {
        self.builder.function().block(block).targets().first().copied()
    }

    fn args(&mut self, args: &[Arg]) -> Result<List<Value, 4>, BuildError> {
        args.iter()
            .map(|&arg| match arg {
                Arg::Variable(variable) => self.builder.read(variable),
                Arg::Value(value) => Ok(self.value(value)),
            })
            .collect()
    }

    /// The new value of a value of the source. A value without a definition on any path here is undefined.
    fn value(&mut self, value: Value) -> Value {
        if let Some(found) = self.values[value] {
            return found;
        }
        let data = self.source.value(value);
        self.builder.undefined_of_type(data.ty.clone())
    }

    fn push(&mut self, inst: InstRef<'_, D>) -> Result<(), BuildError> {
        let args = self.args(inst.args)?;
        let op = match inst.action {
            Action::Copy => return self.copy(&args, inst.results),
            Action::Op(op) => op.clone(),
        };
        if let &[dest] = inst.results {
            let (ty, name) = self.type_and_name(dest);
            let value = self.builder.push_one(op, &args, ty)?;
            self.name(value, name);
            return self.define(dest, value);
        }
        let types: List<D::Type, 4> = inst.results.iter().map(|&dest| self.type_and_name(dest).0).collect();
        let results = self.builder.push(op, &args, &types)?;
        for (&dest, &value) in inst.results.iter().zip(&results) {
            let name = self.type_and_name(dest).1;
            self.name(value, name);
            self.define(dest, value)?;
        }
        Ok(())
    }

    fn copy(&mut self, args: &[Value], results: &[Dest]) -> Result<(), BuildError> {
        for (&dest, &arg) in results.iter().zip(args) {
            let value = match dest {
                Dest::Variable(_) => arg,
                Dest::Value(value) => {
                    let data = self.source.value(value);
                    let copied = self.builder.push_copy(arg)?;
                    self.name(copied, data.name);
                    copied
                }
            };
            self.define(dest, value)?;
        }
        Ok(())
    }

    fn type_and_name(&self, dest: Dest) -> (D::Type, Option<Variable>) {
        match dest {
            Dest::Variable(variable) => (self.source.variable_type(variable).clone(), Some(variable)),
            Dest::Value(value) => {
                let data = self.source.value(value);
                (data.ty.clone(), data.name)
            }
        }
    }

    /// Names a result that has no name yet.
    fn name(&mut self, value: Value, name: Option<Variable>) {
        let data = self.builder.function().value(value);
        if data.name.is_none() && data.kind == ValueKind::Result {
            self.builder.function_mut().set_value_name(value, name);
        }
    }

    fn define(&mut self, dest: Dest, value: Value) -> Result<(), BuildError> {
        match dest {
            Dest::Variable(variable) => self.builder.write(variable, value),
            Dest::Value(defined) => {
                self.values[defined] = Some(value);
                Ok(())
            }
        }
    }

    fn terminate(&mut self, block: Block, terminator: InstRef<'_, D>) -> Result<(), BuildError> {
        let args = self.args(terminator.args)?;
        let (Action::Op(op), source) = (terminator.action, self.source) else { return Ok(()) };
        let mut targets: List<Block, 4> = terminator.targets.iter().copied().collect();
        let mut on_edges = Vec::new();
        for slot in 0..targets.len() {
            self.write_operands(block, slot, &mut targets, &mut on_edges)?;
        }
        let op = op.clone();
        if terminator.results.is_empty() {
            self.builder.terminate(op, &args, &targets)?;
        } else {
            let types: List<D::Type, 4> = terminator.results.iter().map(|&dest| self.type_and_name(dest).0).collect();
            let results = self.builder.terminate_with_results(op, &args, &targets, &types)?;
            let normal = terminator.targets[0];
            self.builder.seal(normal)?;
            for (&dest, &value) in terminator.results.iter().zip(&results) {
                let name = self.type_and_name(dest).1;
                self.name(value, name);
                match dest {
                    Dest::Variable(variable) => self.builder.write_on_edge(block, 0, variable, value)?,
                    Dest::Value(defined) => self.values[defined] = Some(value),
                }
            }
        }
        for OnEdge { block: between, target, operands } in on_edges {
            self.builder.seal(between)?;
            if self.builder.is_unreachable(between) {
                self.builder.skip(between)?;
                continue;
            }
            self.builder.switch_to(between);
            for (phi, operand) in source.block(target).phis().iter().zip(operands) {
                if let Some(variable) = self.phis[phi.value] {
                    self.builder.write(variable, operand)?;
                }
            }
            self.builder.terminate(D::jump(), &[], &[target])?;
        }
        Ok(())
    }

    /// Writes the operands of phis for the edge in slot `slot`: at the end of the block, or, if another edge from it
    /// enters the same target with other operands, in a new block on the edge.
    fn write_operands(
        &mut self,
        block: Block,
        slot: usize,
        targets: &mut [Block],
        on_edges: &mut Vec<OnEdge>,
    ) -> Result<(), BuildError> {
        let (source, target) = (self.source, targets[slot]);
        let phis = source.block(target).phis();
        if phis.is_empty() {
            return Ok(());
        }
        let operands_by = |slot: usize| {
            let edge = self.cfg.outgoing(block).nth(slot);
            edge.map_or(0, |edge| self.cfg.operand_index(edge))
        };
        let index = operands_by(slot);
        let is_first = source.block(block).targets().iter().position(|&other| other == target) == Some(slot);
        let operands: Vec<Value> = phis.iter().map(|phi| phi.operands[index]).collect();
        let operands: Vec<Value> = operands.into_iter().map(|operand| self.value(operand)).collect();
        if is_first {
            for (phi, operand) in phis.iter().zip(operands) {
                if let Some(variable) = self.phis[phi.value] {
                    self.builder.write(variable, operand)?;
                }
            }
            return Ok(());
        }
        let between = self.builder.create_block();
        targets[slot] = between;
        on_edges.push(OnEdge { block: between, target, operands });
        Ok(())
    }
}

/// A block on an edge, with the operands of the target's phis.
struct OnEdge {
    block: Block,
    target: Block,
    operands: Vec<Value>,
}
