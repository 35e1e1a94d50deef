//! Which slots are promotable.
//!
//! As in LLVM's `isAllocaPromotable`, a slot of the first block is promotable if every use is a load of its type or a store of its
//! type to it, not volatile, a marker of its lifetime, a fake use, an assumption about it, or a record for debuggers; or an address computed
//! from it that only such markers and assumptions use.

use crate::dialect::{Access, Kind, Llvm, Type};
use crate::scan::{is_same_type, size_of};
use ssaphire::graph::IdMap;
use ssaphire::{Block, Value, Variable};
use ssaphire_ir::{Action, Arg, Dest, Function, InstRef, ValueKind};

/// A promotable slot.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    /// The variable that stands for it.
    pub(crate) variable: Variable,
    /// The type of its accesses, if that is another than its own.
    pub(crate) ty: Option<Type>,
    pub(crate) load_blocks: LoadBlocks,
    pub(crate) num_stores: u32,
    /// What the last store stores.
    pub(crate) stored: Option<Value>,
}

/// The blocks in which a slot is loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LoadBlocks {
    None,
    One(Block),
    Several,
}

/// What the uses of an address are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// No slot of the first block.
    None,
    /// A slot, by number.
    Slot(u32),
    /// Computed from the address of a slot, and used by markers alone so far.
    Derived(u32),
}

/// The promotable slots of a function.
#[derive(Debug)]
pub(crate) struct Slots {
    pub(crate) slots: Vec<Slot>,
    /// By value: the slot whose address it is, or is computed from it.
    of_value: IdMap<Value, Option<u32>>,
}

impl Slots {
    /// Finds the promotable slots.
    ///
    /// # Complexity
    /// O(size of the function).
    pub(crate) fn of(function: &Function<Llvm>, by_size: Option<u64>) -> Self {
        let mut finder = Finder::new(function, by_size, Moves::Keep);
        finder.find();
        finder.close()
    }

    /// Whether there may be promotable slots once the variables of a function are values and its phis are replaced: no other instruction
    /// than copies keeps a slot.
    ///
    /// # Complexity
    /// O(size of the function).
    pub(crate) fn may_be_found(function: &Function<Llvm>, by_size: Option<u64>) -> bool {
        let mut finder = Finder::new(function, by_size, Moves::Pass);
        finder.find();
        finder.is_kept.contains(&false)
    }

    /// The slot whose address a value is, or is computed from it.
    pub(crate) fn of_value(&self, value: Value) -> Option<u32> {
        self.of_value.get(value).copied().flatten()
    }

    /// The slot that an instruction creates, accesses or marks, if it goes with the slot.
    pub(crate) fn of_inst(&self, inst: &InstRef<'_, Llvm>) -> Option<u32> {
        let Action::Op(op) = inst.action else { return None };
        let arg = |index: usize| match inst.args.get(index) {
            Some(&Arg::Value(value)) => self.of_value(value),
            _ => None,
        };
        match op.kind() {
            Kind::Alloca(_) => match inst.results {
                [Dest::Value(value)] => self.of_value(*value),
                _ => None,
            },
            Kind::Store(_) => arg(1),
            Kind::Load(_) | Kind::Address => arg(0),
            Kind::Lifetime | Kind::FakeUse | Kind::Promise | Kind::Declare | Kind::Debug => {
                (0..inst.args.len()).find_map(arg)
            }
            _ => None,
        }
    }
}

/// What copies and phis of the address of a slot do.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Moves {
    /// They keep the slot in memory.
    Keep,
    /// They may be gone later.
    Pass,
}

struct Finder<'f> {
    function: &'f Function<Llvm>,
    moves: Moves,
    /// The bits of a pointer, if types of the same size will do.
    by_size: Option<u64>,
    states: IdMap<Value, State>,
    slots: Vec<Slot>,
    /// By slot, its type as a template has it.
    types: Vec<&'f str>,
    /// By slot.
    is_kept: Vec<bool>,
}

impl<'f> Finder<'f> {
    fn new(function: &'f Function<Llvm>, by_size: Option<u64>, moves: Moves) -> Self {
        let states = IdMap::filled(function.num_values(), State::None);
        Self { function, moves, by_size, states, slots: Vec::new(), types: Vec::new(), is_kept: Vec::new() }
    }

    fn find(&mut self) {
        self.collect();
        if !self.slots.is_empty() {
            self.visit_uses();
        }
    }

    /// The slots of the first block.
    fn collect(&mut self) {
        let function = self.function;
        for inst in function.block(function.entry()).insts().iter() {
            let (Action::Op(op), [Dest::Value(address)]) = (inst.action, inst.results) else { continue };
            let Kind::Alloca(access) = op.kind() else { continue };
            let Some(variable) = function.value(*address).name else { continue };
            let ty = access.ty(op.text());
            self.states[*address] = State::Slot(self.slots.len() as u32);
            self.slots.push(Slot { variable, ty: None, load_blocks: LoadBlocks::None, num_stores: 0, stored: None });
            self.types.push(ty);
            self.is_kept.push(!access.is_plain);
        }
    }

    fn visit_uses(&mut self) {
        let function = self.function;
        // Addresses that are computed from those of slots come first, for an instruction may use them in an earlier block.
        for inst in function.blocks().flat_map(|block| function.block(block).insts().iter()) {
            if let (Action::Op(op), &[Arg::Value(base)], &[Dest::Value(result)]) =
                (inst.action, inst.args, inst.results)
                && op.kind() == Kind::Address
                && let State::Slot(slot) = self.states[base]
            {
                match is_same_address(op.text()) {
                    true => self.states[result] = State::Derived(slot),
                    false => self.is_kept[slot as usize] = true,
                }
            }
        }
        for block in function.blocks() {
            for inst in function.block(block).insts().iter() {
                self.visit(&inst, block);
            }
            if self.moves == Moves::Keep {
                function
                    .block(block)
                    .phis()
                    .iter()
                    .flat_map(|phi| phi.operands)
                    .for_each(|&operand| self.keep(operand));
            }
        }
    }

    fn keep(&mut self, value: Value) {
        if let State::Slot(slot) | State::Derived(slot) = self.states[value] {
            self.is_kept[slot as usize] = true;
        }
    }

    fn visit(&mut self, inst: &InstRef<'f, Llvm>, block: Block) {
        let (kind, text) = match inst.action {
            Action::Op(op) => (op.kind(), op.text()),
            Action::Copy if self.moves == Moves::Pass => return,
            Action::Copy => (Kind::Other, ""),
        };
        for (index, arg) in inst.args.iter().enumerate() {
            let &Arg::Value(value) = arg else { continue };
            let state = self.states[value];
            match (kind, state) {
                (_, State::None) => {}
                _ if goes_with_slot(kind, state) => {}
                (Kind::Load(access), State::Slot(slot)) if self.is_promotable(slot, access, text) => {
                    let blocks = &mut self.slots[slot as usize].load_blocks;
                    *blocks = match *blocks {
                        LoadBlocks::None => LoadBlocks::One(block),
                        LoadBlocks::One(other) if other == block => *blocks,
                        _ => LoadBlocks::Several,
                    };
                }
                (Kind::Store(access), State::Slot(slot)) if index == 1 && self.is_promotable(slot, access, text) => {
                    let data = &mut self.slots[slot as usize];
                    data.num_stores += 1;
                    data.stored = match inst.args[0] {
                        Arg::Value(stored) => Some(stored),
                        Arg::Variable(_) => None,
                    };
                }
                (Kind::Address, State::Slot(_)) if inst.args.len() == 1 => {}
                _ => self.keep(value),
            }
        }
    }

    /// Whether an access does not keep the slot in memory; notes its type, if that is another one of the same size.
    fn is_promotable(&mut self, slot: u32, access: Access, text: &'f str) -> bool {
        let (ty, own) = (access.ty(text), self.types[slot as usize]);
        if !access.is_plain || is_same_type(ty, own) {
            return access.is_plain;
        }
        let data = &mut self.slots[slot as usize];
        let is_first = data.load_blocks == LoadBlocks::None && data.num_stores == 0;
        let is_of_size = |bits| size_of(ty, bits).is_some() && size_of(ty, bits) == size_of(own, bits);
        if !is_first || !self.by_size.is_some_and(is_of_size) {
            return false;
        }
        // From here on, this is its type.
        data.ty = Some(Type::new(ty));
        self.types[slot as usize] = ty;
        true
    }

    fn close(self) -> Slots {
        let Self { mut states, slots, is_kept, .. } = self;
        let mut numbers = vec![None; slots.len()];
        let mut kept = Vec::new();
        for (number, slot) in slots.into_iter().enumerate() {
            if !is_kept[number] {
                numbers[number] = Some(kept.len() as u32);
                kept.push(slot);
            }
        }
        let mut of_value = IdMap::filled(states.len(), None);
        for value in (0..states.len()).map(Value::new) {
            if let State::Slot(slot) | State::Derived(slot) = std::mem::replace(&mut states[value], State::None) {
                of_value[value] = numbers[slot as usize];
            }
        }
        Slots { slots: kept, of_value }
    }
}

/// Whether an instruction of this kind keeps no slot of which it has the address.
fn goes_with_slot(kind: Kind, address: State) -> bool {
    match kind {
        Kind::Lifetime | Kind::Assume | Kind::Promise | Kind::Declare | Kind::Debug => true,
        // LLVM has it so for the address itself alone.
        Kind::FakeUse => matches!(address, State::Slot(_)),
        _ => false,
    }
}

/// Whether an address computation gives the address it is given: a cast, or one with zeros for indices.
fn is_same_address(text: &str) -> bool {
    if !text.starts_with("getelementptr") {
        return true;
    }
    let Some((_, indices)) = text.split_once("{}") else { return false };
    let indices =
        indices.split(" !").next().unwrap_or("").split(',').map(str::trim_ascii).filter(|index| !index.is_empty());
    indices.into_iter().all(|index| index.ends_with(" 0"))
}

/// Whether a value is there in every block: a constant, a parameter or an undefined value.
pub(crate) fn is_global(function: &Function<Llvm>, value: Value) -> bool {
    matches!(function.value(value).kind, ValueKind::Constant(_) | ValueKind::Param(_) | ValueKind::Undefined)
}
