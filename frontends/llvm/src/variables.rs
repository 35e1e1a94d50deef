//! From slots to variables: loads become reads, stores become writes.
//!
//! A load reads its slot into a variable of its own, which the uses of the loaded value read. So a value that is loaded from one
//! slot and stored to another keeps its identity, and no phi merges copies of it.
//!
//! | LLVM's `PromoteMemToReg` | here |
//! |---|---|
//! | a slot with a single store of a constant or parameter: all loads give that, even before the store | the same |
//! | loads in unreachable blocks give poison, unless the slot has a single store | the same |
//! | `ConvertDebugDeclareToDebugValue` | a record at each store, and after each phi |

use crate::assume::without_operands;
use crate::debug::{Record, is_of_computed_address, value_for_assignment};
use crate::dialect::{Access, Constant, Kind, Llvm, Op, Type};
use crate::function::{Frame, LlvmFunction, VariableInfo};
use crate::poison::{Values as Poison, may_trap};
use crate::promise::promise_of;
use crate::slots::{LoadBlocks, Slots, is_global};
use ssaphire::graph::{CfgError, DominatorTree, FlatCfg, IdMap, IdSet};
use ssaphire::{Block, Value, Variable};
use ssaphire_ir::{Action, Arg, Dest, Function, Inst, InstRef, List, Name};

/// What loads become.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Loads {
    /// Copies to variables of their own, or what LLVM replaces them with.
    Variables,
    /// Copies to variables of their own: what was not stored is undefined.
    Exact,
    /// Copies to values: there are no variables but slots.
    Values,
}

/// What the uses of a loaded value become.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Loaded {
    /// They stay.
    No,
    Variable(Variable),
    Value(Value),
}

/// The function with its promotable slots as variables; `None` if it has none.
///
/// # Complexity
/// O(size of the function), plus that of a dominator tree.
pub(crate) fn to_variables(function: &LlvmFunction, loads: Loads) -> Result<Option<LlvmFunction>, CfgError> {
    let slots = Slots::of(&function.body, function.frame.by_size);
    if slots.slots.is_empty() {
        return Ok(None);
    }
    let tree = DominatorTree::new(&FlatCfg::new(&function.body)?);
    let loaded = IdMap::filled(function.body.num_values(), Loaded::No);
    let (frame, mut body) = (Frame::clone(&function.frame), function.body.clone());
    let poison_constant = body.constant(Constant::new("poison"));
    let poison = (!frame.rules.has_undef_edges).then(|| Poison::of(&function.frame, &function.body));
    let variables = Vec::with_capacity(slots.slots.len());
    let source = &function.body;
    let mut rewriter =
        Rewriter { source, slots: &slots, variables, loads, tree, poison, poison_constant, frame, body, loaded };
    rewriter.name_slots();
    rewriter.choose_loads();
    rewriter.rewrite();
    let Rewriter { frame, body, .. } = rewriter;
    Ok(Some(LlvmFunction { frame: frame.into(), body }))
}

struct Rewriter<'f> {
    source: &'f Function<Llvm>,
    slots: &'f Slots,
    /// By slot, the variable that it becomes.
    variables: Vec<Variable>,
    loads: Loads,
    tree: DominatorTree,
    /// Which values may be poison, if that matters.
    poison: Option<Poison<'f>>,
    /// What loads in unreachable blocks give.
    poison_constant: Value,
    /// What becomes of both.
    frame: Frame,
    body: Function<Llvm>,
    loaded: IdMap<Value, Loaded>,
}

impl<'f> Rewriter<'f> {
    /// Collects the records of the variables of the source program.
    fn name_slots(&mut self) {
        for slot in &self.slots.slots {
            let mut variable = slot.variable;
            if let Some(ty) = &slot.ty {
                let info = self.frame.variables[variable.index()].clone();
                variable =
                    self.body.add_variable(info.name.clone().map_or(Name::fixed("slot"), Name::from), ty.clone());
                self.frame.variables.push(info);
            }
            self.frame.variables[variable.index()].is_slot = true;
            self.variables.push(variable);
        }
        let mut has_unknown_length = vec![false; self.variables.len()];
        for inst in self.source.blocks().flat_map(|block| self.source.block(block).insts().iter()) {
            let Action::Op(op) = inst.action else { continue };
            match (op.kind(), self.slots.of_inst(&inst)) {
                (Kind::Alloca(_), Some(slot)) => has_unknown_length[slot as usize] = !inst.args.is_empty(),
                (Kind::Declare, Some(slot)) => self.note_declaration(slot, op, has_unknown_length[slot as usize]),
                _ => {}
            }
        }
    }

    fn note_declaration(&mut self, slot: u32, declaration: &Op, has_unknown_length: bool) {
        let (variable, rules) = (self.variables[slot as usize], self.frame.rules);
        let is_computed = !rules.has_undef_edges && is_of_computed_address(declaration.text());
        let word = if rules.folds_to_poison { "undef" } else { "poison" };
        let unknown = (has_unknown_length || is_computed).then_some(word);
        let ty = self.body.variable_type(variable).text();
        let record = Record::of_declaration(declaration.text(), ty, unknown);
        self.frame.variables[variable.index()].records.extend(record);
    }

    /// Decides what each loaded value becomes.
    fn choose_loads(&mut self) {
        let poison = self.poison_constant;
        for block in self.source.blocks() {
            for inst in self.source.block(block).insts().iter() {
                if let (Loads::Variables | Loads::Exact, Some((slot, loaded))) = (self.loads, self.load(&inst)) {
                    self.loaded[loaded] = self.choose(slot, block, poison);
                }
            }
        }
    }

    /// The slot and the result of a load of a promotable slot.
    fn load(&self, inst: &InstRef<'_, Llvm>) -> Option<(u32, Value)> {
        match (inst.action, inst.results) {
            (Action::Op(op), &[Dest::Value(loaded)]) if matches!(op.kind(), Kind::Load(_)) => {
                Some((self.slots.of_inst(inst)?, loaded))
            }
            _ => None,
        }
    }

    fn choose(&mut self, slot: u32, block: Block, poison: Value) -> Loaded {
        let (variable, slot) = (self.variables[slot as usize], &self.slots.slots[slot as usize]);
        let only = slot.stored.filter(|_| slot.num_stores == 1);
        match only {
            Some(stored) if self.loads == Loads::Variables && self.is_there_early(stored, block) => {
                Loaded::Value(stored)
            }
            None if !self.tree.is_reachable(block) => Loaded::Value(poison),
            _ => {
                // Its only write dominates all reads, so that it has no phi, except where nothing has to dominate anything.
                let ty = match self.tree.is_reachable(block) {
                    true => Type::default(),
                    false => self.body.variable_type(variable).clone(),
                };
                Loaded::Variable(self.add_variable(ty))
            }
        }
    }

    /// Whether a load in a block may give a value that is stored only later: it is the same everywhere, and not poison there. LLVM 16
    /// does not ask for the latter, LLVM 19 does.
    fn is_there_early(&self, stored: Value, block: Block) -> bool {
        let is_good = |poison: &Poison<'_>| poison.is_never_poison_at(stored, block, &self.tree);
        is_global(self.source, stored) && !may_trap(self.source, stored) && self.poison.as_ref().is_none_or(is_good)
    }

    fn add_variable(&mut self, ty: Type) -> Variable {
        self.frame.variables.push(VariableInfo::default());
        self.body.add_variable(Name::fixed("load"), ty)
    }

    fn rewrite(&mut self) {
        let needs_copy = self.loads_with_copies();
        let mut body = std::mem::replace(&mut self.body, Function::new(""));
        body.set_all_insts(|block, insts| {
            let old = self.source.block(block).insts();
            old.iter().for_each(|inst| self.rewrite_inst(&inst, &needs_copy, insts));
        });
        self.body = body;
        // Operands of phis are values: loaded ones are copied there, and others are known.
        let loaded = &self.loaded;
        self.body.map_uses(|value| match loaded.get(value) {
            Some(&Loaded::Value(by)) => by,
            _ => value,
        });
    }

    /// The loaded values that phis use, whose operands are values; and those that nothing uses, for which LLVM places phis, too.
    fn loads_with_copies(&self) -> IdSet<Value> {
        let (mut of_phi, mut used) = (IdSet::new(), IdSet::new());
        for block in self.source.blocks() {
            for phi in self.source.block(block).phis().iter() {
                for &operand in phi.operands {
                    of_phi.insert(operand);
                }
            }
            for inst in self.source.block(block).insts().iter() {
                for arg in inst.args {
                    if let Arg::Value(value) = *arg {
                        used.insert(value);
                    }
                }
            }
        }
        for value in self.source.values() {
            if matches!(self.loaded[value], Loaded::Variable(_)) && !used.contains(value) {
                of_phi.insert(value);
            }
        }
        of_phi
    }

    fn rewrite_inst(&self, inst: &InstRef<'f, Llvm>, needs_copy: &IdSet<Value>, insts: &mut Vec<Inst<Llvm>>) {
        let Some(slot) = self.slots.of_inst(inst) else {
            let mut inst = inst.to_inst();
            self.forget_slots(&mut inst);
            inst.args.iter_mut().for_each(|arg| *arg = self.current(*arg));
            insts.push(inst);
            return;
        };
        let variable = self.variables[slot as usize];
        let Action::Op(op) = inst.action else { return };
        match (op.kind(), inst.results) {
            (Kind::Load(access), &[Dest::Value(value)]) => {
                match self.loaded[value] {
                    Loaded::Variable(own) => {
                        insts.push(Inst::copy(own, variable));
                        if needs_copy.contains(value) {
                            insts.push(Inst::copy(value, own));
                        }
                    }
                    Loaded::Value(_) => {}
                    Loaded::No => insts.push(Inst::copy(value, variable)),
                }
                insts.extend(self.promise(op, access, value, slot));
            }
            (Kind::Store(_), _) => {
                let stored = self.current(inst.args[0]);
                insts.push(Inst::copy(variable, stored));
                let records = &self.frame.variables[variable.index()].records;
                insts.extend(records.iter().map(|record| record_of(record, stored)));
            }
            (Kind::Debug, _) => insts.extend(self.assignment(op, inst)),
            _ => {}
        }
    }

    /// What a load promises of its value.
    fn promise(&self, load: &Op, access: Access, value: Value, slot: u32) -> Option<Inst<Llvm>> {
        let arg = self.current(Arg::Value(value));
        let is_reached = !matches!(arg, Arg::Value(by) if self.poison_constant == by);
        let slot = &self.slots.slots[slot as usize];
        // LLVM 14 does not look at the loads of such a slot.
        let is_forgotten =
            self.frame.rules.assumes_nonnull && slot.num_stores == 0 && slot.load_blocks != LoadBlocks::Several;
        let is_kept = is_reached && !is_forgotten && self.loads != Loads::Values;
        let op = promise_of(load, access, self.frame.rules).filter(|_| is_kept)?;
        Some(Inst::op(op, [arg]))
    }

    /// Drops what an assumption says about promoted slots.
    fn forget_slots(&self, inst: &mut Inst<Llvm>) {
        let is_slot = |arg: &Arg| matches!(*arg, Arg::Value(value) if self.slots.of_value(value).is_some());
        let text = match &inst.action {
            Action::Op(op) if op.kind() == Kind::Assume && inst.args.iter().any(is_slot) => {
                let filler = if self.frame.rules.drops_to_undef { "undef" } else { "poison" };
                without_operands(op.text(), |place| inst.args.get(place).is_some_and(is_slot), filler)
            }
            _ => return,
        };
        inst.action = Action::Op(Op::new(&text));
        inst.args = inst.args.iter().filter(|arg| !is_slot(arg)).copied().collect();
    }

    /// What an argument becomes.
    fn current(&self, arg: Arg) -> Arg {
        let Arg::Value(value) = arg else { return arg };
        match self.loaded.get(value) {
            Some(&Loaded::Variable(variable)) => Arg::Variable(variable),
            Some(&Loaded::Value(by)) => Arg::Value(by),
            _ => arg,
        }
    }

    /// The record of an assigned value, without the slot.
    fn assignment(&self, op: &Op, inst: &InstRef<'f, Llvm>) -> Option<Inst<Llvm>> {
        if !op.text().contains("dbg_assign(") && !op.text().contains("dbg.assign(") {
            return None;
        }
        let op = Op::new(&value_for_assignment(op.text())?);
        let args: List<Arg, 2> = inst.args.iter().take(op.counts().0).map(|&arg| self.current(arg)).collect();
        let is_of_slot = |arg: &Arg| matches!(*arg, Arg::Value(value) if self.slots.of_value(value).is_some());
        (!args.iter().any(is_of_slot)).then(|| Inst::op(op, args))
    }
}

fn record_of(record: &Record, value: Arg) -> Inst<Llvm> {
    Inst::op(Op::new(&record.text), record.has_hole.then_some(value))
}
