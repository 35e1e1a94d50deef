//! Slots that hold one value at a time become values (LLVM's `mem2reg`, `PromoteMemToReg`).
//!
//! | LLVM | here |
//! |---|---|
//! | `isAllocaPromotable` | [`promotable`], `slots` |
//! | allocas without uses | `simple`: [`Promotion::unused`] |
//! | `rewriteSingleStoreAlloca` | `simple`: [`Promotion::single_store`] |
//! | `promoteSingleBlockAlloca` | `simple`: [`Promotion::single_block`] |
//! | `ComputeLiveInBlocks`, iterated dominance frontier | `general::place_phis` |
//! | `RenamePass` | `general::rename` |
//! | the last clean-up, `simplifyInstruction` | `clean_up` |
//!
//! # Complexity
//! O(size of the function), plus for each slot of the general kind its live blocks and its iterated frontier, plus
//! the operands of the phis that the clean-up looks at again.
//!
//! # Departures
//! Renaming waits in a list of steps and keeps one log of changes, where LLVM
//! copied all values for each successor. Positions in blocks are numbered once, since
//! nothing is inserted before all is decided. What is loaded in unreachable blocks is undefined.

mod clean_up;
mod general;
mod simple;
mod slots;

pub use slots::{NotPromotable, Refusal};

use super::{Memory, MemoryOp};
use crate::dialect::Dialect;
use crate::function::{Action, Arg, Dest, Function, Phi, ValueKind};
use general::NewPhi;
use slots::{Slot, Slots};
use ssaphire_graph::{Block, CfgError, DominatorTree, FlatCfg, IdMap, IdSet, Value};
use std::ops::AddAssign;

/// What became of the slots of a function, or of several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Promotion {
    /// Slots that became values: those of the next four lines together.
    pub promoted: usize,
    /// Slots that nothing loads.
    pub unused: usize,
    /// Slots with one store, which all loads take what it stores from.
    pub single_store: usize,
    /// Slots that one block alone loads and stores.
    pub single_block: usize,
    /// Slots for which phis were placed and loads renamed.
    pub general: usize,
    /// Loads that were replaced, and stores that went.
    pub accesses: usize,
    /// Loads that took what is stored after them, since it is there from the beginning and nothing else is.
    pub early_loads: usize,
    /// Phis that were placed.
    pub phis_placed: usize,
    /// Of these, the ones that the clean-up folded: they merged one value, perhaps with undefined ones.
    pub phis_folded: usize,
    /// Slots that stay, and why.
    pub kept: Vec<NotPromotable>,
}

impl AddAssign<&Self> for Promotion {
    fn add_assign(&mut self, other: &Self) {
        self.promoted += other.promoted;
        self.unused += other.unused;
        self.single_store += other.single_store;
        self.single_block += other.single_block;
        self.general += other.general;
        self.accesses += other.accesses;
        self.early_loads += other.early_loads;
        self.phis_placed += other.phis_placed;
        self.phis_folded += other.phis_folded;
        self.kept.extend_from_slice(&other.kept);
    }
}

/// The slots of the function that cannot become values, and why.
///
/// # Complexity
/// O(size of the function).
pub fn promotable<D: Dialect>(function: &Function<Memory<D>>) -> Vec<NotPromotable> {
    Slots::of(function).kept
}

/// What is known while slots are promoted.
struct State<'f, D: Dialect> {
    function: &'f mut Function<Memory<D>>,
    cfg: FlatCfg,
    tree: DominatorTree,
    /// By value: what a load that goes stands for, which may be another such load.
    stands_for: IdMap<Value, Option<Value>>,
    phis: Vec<NewPhi>,
    report: Promotion,
}

/// Makes values of the slots that allow it. A function without other slots is then in SSA form.
///
/// Values keep their numbers; those that are gone are still among them.
///
/// # Errors
/// If the graph of the function breaks its contract.
///
/// # Examples
/// ```
/// use ssaphire_ir::memory::{Memory, from_memory, mem2reg};
/// use ssaphire_ir::{Basic, Function, text};
///
/// let source = "\
/// func f(%c.0) {
/// block0:
///   %1 = slot _
///   store 1, %1
///   branch %c.0, block1, block2
/// block1:
///   store 2, %1
///   jump block2
/// block2:
///   %2 = load %1
///   return %2
/// }
/// ";
/// let mut function: Function<Memory<Basic>> = text::parse(source)?;
/// let promotion = mem2reg(&mut function).unwrap();
/// assert_eq!((promotion.general, promotion.phis_placed), (1, 1));
/// assert!(from_memory(&function).unwrap().to_string().contains("phi 1, 2"));
/// # Ok::<(), text::SyntaxErrors>(())
/// ```
pub fn mem2reg<D: Dialect>(function: &mut Function<Memory<D>>) -> Result<Promotion, CfgError> {
    let cfg = FlatCfg::new(&*function)?;
    let tree = DominatorTree::new(&cfg);
    let Slots { slots, kept } = Slots::of(function);
    let stands_for = IdMap::filled(function.num_values(), None);
    let report = Promotion { kept, promoted: slots.len(), ..Promotion::default() };
    let mut state = State { function, cfg, tree, stands_for, phis: Vec::new(), report };
    let promoted = slots.iter().map(|slot| slot.address).collect();
    let general: Vec<Slot<D>> = slots.into_iter().filter_map(|slot| state.promote_simply(slot)).collect();
    state.report.general = general.len();
    state.place_phis(&general);
    state.rename(&general);
    state.clean_up();
    state.apply(&promoted);
    Ok(state.report)
}

impl<D: Dialect> State<'_, D> {
    /// What the value stands for.
    fn resolve(&mut self, value: Value) -> Value {
        let mut at = value;
        while let Some(next) = self.stands_for.get(at).copied().flatten() {
            if let Some(over) = self.stands_for.get(next).copied().flatten() {
                self.stands_for[at] = Some(over);
            }
            at = next;
        }
        at
    }

    fn replace(&mut self, loaded: Value, by: Value) {
        self.stands_for.grow_to(loaded, None);
        self.stands_for[loaded] = Some(by);
        self.report.accesses += 1;
    }

    /// What a slot holds into which nothing was stored.
    fn undefined(&mut self, slot: &Slot<D>) -> Value {
        match slot.name {
            Some(variable) if *self.function.variable_type(variable) == slot.value_type() => {
                self.function.undefined(variable)
            }
            _ => self.function.undefined_of_type(slot.value_type()),
        }
    }

    /// Whether the value is there wherever control is: a constant, a parameter or an undefined value.
    fn is_global(&self, value: Value) -> bool {
        matches!(self.function.value(value).kind, ValueKind::Constant(_) | ValueKind::Param(_) | ValueKind::Undefined)
    }

    /// Changes the function: loads, stores and slots go, uses take what loads stand for, phis come.
    fn apply(&mut self, promoted: &IdSet<Value>) {
        let blocks: Vec<Block> = self.function.blocks().collect();
        for block in blocks {
            self.function.retain_insts(block, |inst| !uses_slot(inst.action, inst.args, inst.results, promoted));
        }
        let meant: Vec<Value> = (0..self.stands_for.len()).map(|index| self.resolve(Value::new(index))).collect();
        let resolved = |value: Value| meant.get(value.index()).copied().unwrap_or(value);
        self.function.map_uses(resolved);
        for phi in std::mem::take(&mut self.phis) {
            if resolved(phi.value) == phi.value {
                let operands = phi.operands.iter().map(|&operand| resolved(operand)).collect();
                let (value, variable) = (phi.value, phi.name);
                self.function.push_phi(phi.block, Phi { value, variable, operands });
            }
        }
    }
}

/// Whether an instruction makes, loads, stores or marks one of the slots.
fn uses_slot<O, T>(action: &Action<MemoryOp<O, T>>, args: &[Arg], results: &[Dest], slots: &IdSet<Value>) -> bool {
    let is_slot = |arg: Option<&Arg>| matches!(arg, Some(Arg::Value(value)) if slots.contains(*value));
    match action {
        Action::Op(MemoryOp::Slot(_)) => {
            matches!(results.first(), Some(Dest::Value(value)) if slots.contains(*value))
        }
        Action::Op(MemoryOp::Load { .. } | MemoryOp::LifetimeStart | MemoryOp::LifetimeEnd) => is_slot(args.first()),
        Action::Op(MemoryOp::Store { .. }) => is_slot(args.get(1)),
        _ => false,
    }
}
