//! The slots of a function, their accesses, and which slots can become values.

use super::MOST_ROUNDS;
use crate::dialect::Syntax;
use crate::function::{Action, Arg, Dest, Function, InstRef};
use crate::memory::{Memory, MemoryOp, MemoryType};
use ssaphire_graph::{Block, IdMap, Value, Variable};
use std::fmt;

/// A slot that cannot become a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NotPromotable {
    /// Its address.
    pub slot: Value,
    /// The block where it shows.
    pub block: Block,
    /// What keeps it.
    pub refusal: Refusal,
}

/// What keeps a slot from becoming a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// It is not made in the entry, so it may be made again and again.
    NotInEntry,
    /// A load or store is volatile.
    Volatile,
    /// Its address is stored.
    AddressStored,
    /// Its address is used otherwise: by an operation, a copy, or a phi.
    AddressUsed,
    /// A value is stored whose type is no subtype of the slot's, or loaded as a type that is no supertype of it.
    OtherType,
    /// It can become a value now that others did, but those took [`MOST_ROUNDS`] rounds.
    TooManyRounds,
}

impl fmt::Display for NotPromotable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { slot, block, refusal } = self;
        match refusal {
            Refusal::NotInEntry => write!(f, "{slot}: created in {block}, which is not the entry"),
            Refusal::Volatile => write!(f, "{slot}: a volatile access in {block}"),
            Refusal::AddressStored => write!(f, "{slot}: its address is stored in {block}"),
            Refusal::AddressUsed => write!(f, "{slot}: its address is used in {block}"),
            Refusal::OtherType => write!(f, "{slot}: accessed as another type in {block}"),
            Refusal::TooManyRounds => {
                write!(f, "{slot}: created in {block}, promotable after {MOST_ROUNDS} rounds only")
            }
        }
    }
}

impl std::error::Error for NotPromotable {}

/// A load or store of a slot, or a marker of its lifetime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Access {
    pub(super) block: Block,
    /// The position of the instruction.
    pub(super) index: u32,
    pub(super) kind: AccessKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AccessKind {
    /// What is loaded.
    Load(Value),
    /// What is stored.
    Store(Value),
    /// The lifetime begins or ends: a store of an undefined value.
    Clear,
}

/// A slot that can become a value.
#[derive(Clone, Debug)]
pub(super) struct Slot<D: Syntax> {
    pub(super) address: Value,
    pub(super) name: Option<Variable>,
    /// The type of what it holds.
    pub(super) ty: MemoryType<D::Type>,
    /// In order of blocks and positions.
    pub(super) accesses: Vec<Access>,
}

impl<D: Syntax> Slot<D> {
    /// Whether anything loads it.
    pub(super) fn is_loaded(&self) -> bool {
        self.accesses.iter().any(|access| matches!(access.kind, AccessKind::Load(_)))
    }

    /// What defines its content: stores and lifetime markers.
    pub(super) fn definitions(&self) -> impl Iterator<Item = Access> + '_ {
        self.accesses.iter().copied().filter(|access| !matches!(access.kind, AccessKind::Load(_)))
    }

    /// How many stores there are, markers left out.
    pub(super) fn num_stores(&self) -> usize {
        self.accesses.iter().filter(|access| matches!(access.kind, AccessKind::Store(_))).count()
    }
}

/// The slots of a function.
pub(super) struct Slots<D: Syntax> {
    /// Those that can become values, in the order they are made.
    pub(super) slots: Vec<Slot<D>>,
    pub(super) kept: Vec<NotPromotable>,
}

impl<D: Syntax> Slots<D> {
    pub(super) fn of(function: &Function<Memory<D>>) -> Self {
        let mut collector = Collector { function, slots: Vec::new(), by_address: IdMap::new() };
        collector.collect_slots();
        function.blocks().for_each(|block| collector.look_at(block));
        let mut result = Self { slots: Vec::new(), kept: Vec::new() };
        for Candidate { slot, refusal } in collector.slots {
            match refusal {
                None => result.slots.push(slot),
                Some((block, refusal)) => result.kept.push(NotPromotable { slot: slot.address, block, refusal }),
            }
        }
        result
    }
}

/// A slot, and what was found first that keeps it.
struct Candidate<D: Syntax> {
    slot: Slot<D>,
    refusal: Option<(Block, Refusal)>,
}

struct Collector<'f, D: Syntax> {
    function: &'f Function<Memory<D>>,
    slots: Vec<Candidate<D>>,
    /// By address: the position in `slots`.
    by_address: IdMap<Value, Option<u32>>,
}

impl<D: Syntax> Collector<'_, D> {
    fn collect_slots(&mut self) {
        let function = self.function;
        self.by_address.reset(function.num_values(), None);
        for block in function.blocks() {
            for inst in function.block(block).insts().iter() {
                let (Action::Op(MemoryOp::Slot(ty)), Some(&Dest::Value(address))) = (inst.action, inst.results.first())
                else {
                    continue;
                };
                let name = function.value(address).name;
                let refusal = (block != function.entry()).then_some((block, Refusal::NotInEntry));
                // An entry with incoming edges is executed again.
                let is_again = !function.block(function.entry()).incoming().is_empty();
                let refusal = refusal.or(is_again.then_some((block, Refusal::NotInEntry)));
                self.by_address[address] = Some(self.slots.len() as u32);
                let slot = Slot { address, name, ty: ty.clone(), accesses: Vec::new() };
                self.slots.push(Candidate { slot, refusal });
            }
        }
    }

    fn look_at(&mut self, block: Block) {
        let function = self.function;
        for phi in function.block(block).phis().iter() {
            phi.operands.iter().for_each(|&operand| self.refuse(operand, block, Refusal::AddressUsed));
        }
        for (index, inst) in (0..).zip(function.block(block).insts().iter()) {
            self.look_at_inst(block, index, inst);
        }
    }

    fn look_at_inst(&mut self, block: Block, index: u32, inst: InstRef<'_, Memory<D>>) {
        let value = |arg: Option<&Arg>| match arg {
            Some(Arg::Value(value)) => Some(*value),
            _ => None,
        };
        match (inst.action, value(inst.args.first()), value(inst.args.get(1))) {
            (Action::Op(MemoryOp::Load { is_volatile }), Some(address), _) => {
                let Some(&Dest::Value(loaded)) = inst.results.first() else {
                    return self.refuse(address, block, Refusal::AddressUsed);
                };
                self.access(address, *is_volatile, Access { block, index, kind: AccessKind::Load(loaded) });
            }
            (Action::Op(MemoryOp::Store { is_volatile }), Some(stored), Some(address)) => {
                self.refuse(stored, block, Refusal::AddressStored);
                self.access(address, *is_volatile, Access { block, index, kind: AccessKind::Store(stored) });
            }
            (Action::Op(MemoryOp::LifetimeStart | MemoryOp::LifetimeEnd), Some(address), _) => {
                if let Some(Candidate { slot, .. }) = self.slot(address) {
                    slot.accesses.push(Access { block, index, kind: AccessKind::Clear });
                }
            }
            _ => {
                let values = inst.args.iter().filter_map(|arg| value(Some(arg)));
                values.for_each(|value| self.refuse(value, block, Refusal::AddressUsed));
            }
        }
    }

    /// The slot of which the value is the address, if it is one.
    fn slot(&mut self, value: Value) -> Option<&mut Candidate<D>> {
        let index = self.by_address.get(value).copied().flatten()?;
        self.slots.get_mut(index as usize)
    }

    fn refuse(&mut self, value: Value, block: Block, refusal: Refusal) {
        if let Some(candidate) = self.slot(value) {
            candidate.refusal.get_or_insert((block, refusal));
        }
    }

    fn access(&mut self, address: Value, is_volatile: bool, access: Access) {
        let function = self.function;
        let Some(Candidate { slot, refusal }) = self.slot(address) else { return };
        let fits = match access.kind {
            AccessKind::Load(loaded) => Memory::<D>::is_subtype(&slot.ty, function.value(loaded).ty),
            AccessKind::Store(stored) => Memory::<D>::is_subtype(function.value(stored).ty, &slot.ty),
            AccessKind::Clear => true,
        };
        if is_volatile {
            refusal.get_or_insert((access.block, Refusal::Volatile));
        } else if !fits {
            refusal.get_or_insert((access.block, Refusal::OtherType));
        }
        slot.accesses.push(access);
    }
}
