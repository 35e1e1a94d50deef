//! Sparse conditional constant propagation.
//!
//! Each value is *unseen*, a constant, or *varying*, and goes only up in this order; so is each edge not taken, then
//! taken. Two work lists, one of edges and one of values that went up, look at each edge and each use again when what
//! it depends on changes. What is unseen at the end is not executed, and a branch on a constant goes one way: both
//! discoveries help each other, which is why neither is a pass of its own.
//!
//! | Wegman and Zadeck 1991 | here |
//! |---|---|
//! | top, constants, bottom | [`Cell`] |
//! | the flow work list, `ExecutableFlag` | `edges`, `is_taken` |
//! | the SSA work list | `risen` |
//! | evaluating an expression, a branch | [`Semantics::evaluate`], [`Semantics::chosen_slot`] |
//!
//! # Complexity
//! O(uses + edges): a value goes up twice, an edge is taken once.
//!
//! # Departures
//! An undefined value varies: what it is must not be chosen differently at different uses. An edge is a block and a
//! slot, so that of two edges between the same blocks one may be taken. Where the paper leaves it to later passes,
//! edges that are not taken are removed here, with what they leave unreachable and the phis that become redundant.

use super::{remove_redundant_phis, remove_unreachable_blocks};
use crate::dialect::Semantics;
use crate::function::{Action, Arg, Dest, Function, InstRef, PhiRef, ValueKind};
use ssaphire::graph::{CfgError, FlatCfg, IdLists, IdMap};
use ssaphire::{Block, Edge, Value};

/// Counts of what [`propagate_constants`] has removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Propagated {
    /// Results of instructions and phis that are constants.
    pub constants: usize,
    /// Terminators that became jumps.
    pub branches: usize,
    /// Blocks that are never executed.
    pub blocks: usize,
    /// Phis that became redundant.
    pub redundant_phis: usize,
}

/// Replaces values of `function` that are always the same constant, and removes code that is never executed; returns
/// the counts.
///
/// # Errors
/// If the graph violates its contract.
///
/// # Complexity
/// O(size of the function).
pub fn propagate_constants<D: Semantics>(function: &mut Function<D>) -> Result<Propagated, CfgError> {
    let cfg = FlatCfg::new(function)?;
    let mut propagation = Propagation::new(function, &cfg);
    propagation.run();
    let (slots, cells) = (propagation.chosen_slots(), propagation.cells);
    let mut report = Propagated { constants: replace_constants(function, &cells), ..Propagated::default() };
    report.branches = slots.values().filter(|slot| slot.is_some()).count();
    function.keep_slots(&slots);
    report.blocks = remove_unreachable_blocks(function)?;
    report.redundant_phis = remove_redundant_phis(function)?;
    Ok(report)
}

/// The lattice of facts about a value.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Cell<C> {
    /// No executed instruction has defined it so far.
    Unseen,
    Known(C),
    Varying,
}

/// Where something is used.
#[derive(Clone, Copy, Debug)]
enum Use {
    /// Block, phi and operand.
    Operand(Block, u32, u32),
    /// Block and instruction.
    Inst(Block, u32),
}

struct Propagation<'f, D: Semantics> {
    function: &'f Function<D>,
    cfg: &'f FlatCfg,
    uses: IdLists<Value, Use>,
    cells: IdMap<Value, Cell<D::Constant>>,
    is_taken: IdMap<Edge, bool>,
    is_executed: IdMap<Block, bool>,
    /// Edges whose targets have not been told that they are taken.
    edges: Vec<Edge>,
    /// Values whose uses have not been told that they went up.
    risen: Vec<Value>,
}

impl<'f, D: Semantics> Propagation<'f, D> {
    fn new(function: &'f Function<D>, cfg: &'f FlatCfg) -> Self {
        let cell = |value| match function.value(value).kind {
            ValueKind::Constant(constant) => Cell::Known(constant.clone()),
            ValueKind::Phi | ValueKind::Result => Cell::Unseen,
            ValueKind::Param(_) | ValueKind::Undefined | ValueKind::Detached => Cell::Varying,
        };
        let mut uses = IdLists::new();
        uses.rebuild(function.num_values(), uses_of(function));
        Self {
            function,
            cfg,
            uses,
            cells: function.values().map(cell).collect(),
            is_taken: IdMap::filled(cfg.num_edges(), false),
            is_executed: IdMap::filled(cfg.num_blocks(), false),
            edges: Vec::new(),
            risen: Vec::new(),
        }
    }

    fn run(&mut self) {
        let entry = self.cfg.entry();
        // What holds when control enters is no operand.
        for phi in self.function.block(entry).phis().iter() {
            self.raise(phi.value, Cell::Varying);
        }
        self.execute(entry);
        loop {
            if let Some(edge) = self.edges.pop() {
                self.evaluate_phis(edge);
                let target = self.cfg.target(edge);
                if !self.is_executed[target] {
                    self.execute(target);
                }
            } else if let Some(value) = self.risen.pop() {
                for place in self.uses.range(value) {
                    self.evaluate_use(self.uses.members()[place]);
                }
            } else {
                return;
            }
        }
    }

    /// Evaluates the instructions of a block, which is reached for the first time.
    fn execute(&mut self, block: Block) {
        self.is_executed[block] = true;
        for inst in self.function.block(block).insts().iter() {
            self.evaluate_inst(block, inst);
        }
    }

    fn evaluate_use(&mut self, use_: Use) {
        match use_ {
            Use::Operand(block, index, operand) => {
                let edge = self.cfg.incoming(block)[operand as usize];
                if let Some(phi) = self.function.block(block).phis().get(index as usize)
                    && self.is_taken[edge]
                {
                    self.meet_operand(phi, operand as usize);
                }
            }
            Use::Inst(block, index) => {
                if let Some(inst) = self.function.block(block).insts().get(index as usize)
                    && self.is_executed[block]
                {
                    self.evaluate_inst(block, inst);
                }
            }
        }
    }

    /// An edge is taken: the phis of its target get what it brings.
    fn evaluate_phis(&mut self, edge: Edge) {
        let operand = self.cfg.operand_index(edge);
        for phi in self.function.block(self.cfg.target(edge)).phis().iter() {
            self.meet_operand(phi, operand);
        }
    }

    /// The content of a phi is the meet of its operands on executable edges. Contents change in one direction only, so
    /// meeting with the operand that has changed suffices: a phi with many operands is not evaluated again for each.
    fn meet_operand(&mut self, phi: PhiRef<'_>, operand: usize) {
        let met = self.cells[phi.value].clone().meet(&self.cells[phi.operands[operand]]);
        self.raise(phi.value, met);
    }

    fn evaluate_inst(&mut self, block: Block, inst: InstRef<'_, D>) {
        match inst.action {
            Action::Copy => {
                for (dest, arg) in inst.results.iter().zip(inst.args) {
                    if let Dest::Value(value) = *dest {
                        self.raise(value, self.cell(arg).clone());
                    }
                }
            }
            Action::Op(op) => {
                let result = self.apply(inst, |args| D::evaluate(op, args));
                let mut results = inst.defined_values();
                if let (Some(value), None) = (results.next(), results.next()) {
                    self.raise(value, result);
                } else {
                    inst.defined_values().for_each(|value| self.raise(value, Cell::Varying));
                }
                self.take_edges(block, inst);
            }
        }
    }

    fn take_edges(&mut self, block: Block, inst: InstRef<'_, D>) {
        if inst.targets.is_empty() {
            return;
        }
        let chosen = match self.chosen_slot(inst) {
            Cell::Unseen => return,
            Cell::Known(slot) => Some(slot),
            Cell::Varying => None,
        };
        for (slot, edge) in (0..).zip(self.cfg.outgoing(block)) {
            let is_chosen = chosen.is_none_or(|chosen| chosen == slot);
            if is_chosen && !std::mem::replace(&mut self.is_taken[edge], true) {
                self.edges.push(edge);
            }
        }
    }

    /// The slot by which a terminator leaves: the first one if it is an operation that could throw, and gives a
    /// constant.
    fn chosen_slot(&self, inst: InstRef<'_, D>) -> Cell<u32> {
        let Action::Op(op) = inst.action else { return Cell::Varying };
        if !D::properties(op).only_branches {
            return match inst.results.len() {
                1 => self.apply(inst, |args| D::evaluate(op, args).map(|_| 0)),
                _ => Cell::Varying,
            };
        }
        self.apply(inst, |args| D::chosen_slot(op, args, inst.targets.len()))
    }

    /// What follows from the arguments of an instruction if all of them are constants.
    fn apply<T>(&self, inst: InstRef<'_, D>, answer: impl FnOnce(&[D::Constant]) -> Option<T>) -> Cell<T> {
        let mut constants = Vec::with_capacity(inst.args.len());
        for arg in inst.args {
            match self.cell(arg) {
                Cell::Varying => return Cell::Varying,
                Cell::Known(constant) => constants.push(constant.clone()),
                Cell::Unseen => {}
            }
        }
        if constants.len() < inst.args.len() {
            return Cell::Unseen;
        }
        answer(&constants).map_or(Cell::Varying, Cell::Known)
    }

    fn cell(&self, arg: &Arg) -> &Cell<D::Constant> {
        match *arg {
            Arg::Value(value) => &self.cells[value],
            Arg::Variable(_) => &Cell::Varying,
        }
    }

    /// Lets a value go up to what it was found to be.
    fn raise(&mut self, value: Value, found: Cell<D::Constant>) {
        if self.cells[value] != found {
            debug_assert!(self.cells[value] != Cell::Varying, "{value}: nothing goes down");
            self.cells[value] = found;
            self.risen.push(value);
        }
    }

    /// By block: the slot that its terminator always takes, if that has others.
    fn chosen_slots(&self) -> IdMap<Block, Option<u32>> {
        let slot = |block: Block| {
            let terminator = self.function.block(block).terminator().filter(|inst| inst.targets.len() > 1)?;
            match self.chosen_slot(terminator) {
                Cell::Known(slot) if self.is_executed[block] => Some(slot),
                _ => None,
            }
        };
        self.function.blocks().map(slot).collect()
    }
}

impl<C: Clone + PartialEq> Cell<C> {
    fn meet(self, other: &Self) -> Self {
        match (&self, other) {
            (Self::Unseen, _) => other.clone(),
            (_, Self::Unseen) => self,
            (Self::Known(one), Self::Known(another)) if one == another => self,
            _ => Self::Varying,
        }
    }
}

/// The uses of all values, by value.
fn uses_of<D: Semantics>(function: &Function<D>) -> impl Iterator<Item = (Value, Use)> + Clone {
    (0..function.num_blocks()).map(Block::new).flat_map(move |block| {
        let (phis, insts) = (function.block(block).phis(), function.block(block).insts());
        let in_phis = (0..).zip(phis.iter()).flat_map(move |(index, phi): (u32, PhiRef<'_>)| {
            (0..).zip(phi.operands).map(move |(place, &operand)| (operand, Use::Operand(block, index, place)))
        });
        let in_insts = (0..).zip(insts.iter()).flat_map(move |(index, inst): (u32, InstRef<'_, D>)| {
            inst.args.iter().filter_map(move |arg| match *arg {
                Arg::Value(value) => Some((value, Use::Inst(block, index))),
                Arg::Variable(_) => None,
            })
        });
        in_phis.chain(in_insts)
    })
}

/// Puts constants in place of the phis and results that are ones: how many there were.
fn replace_constants<D: Semantics>(function: &mut Function<D>, cells: &IdMap<Value, Cell<D::Constant>>) -> usize {
    let mut constant_of: IdMap<Value, Option<Value>> = IdMap::filled(function.num_values(), None);
    let mut num_constants = 0;
    for (value, cell) in cells.iter() {
        let Cell::Known(constant) = cell else { continue };
        let data = function.value(value);
        let is_defined = matches!(data.kind, ValueKind::Phi | ValueKind::Result);
        if is_defined && D::is_subtype(&D::constant_type(constant), data.ty) {
            constant_of[value] = Some(function.constant(constant.clone()));
            num_constants += 1;
        }
    }
    if num_constants == 0 {
        return 0;
    }
    let constant_of = |value: Value| constant_of.get(value).copied().flatten();
    for block in function.blocks() {
        function.retain_phis(block, |phi| constant_of(phi.value).is_none());
        function.retain_insts(block, |inst| {
            let is_constant = |dest: &Dest| matches!(*dest, Dest::Value(value) if constant_of(value).is_some());
            // What ends a block is replaced by a jump.
            !inst.targets.is_empty() || inst.results.is_empty() || !inst.results.iter().all(is_constant)
        });
    }
    function.map_uses(|value| constant_of(value).unwrap_or(value));
    num_constants
}
