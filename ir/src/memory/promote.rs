//! Promotes slots to values (LLVM's `mem2reg`, `PromoteMemToReg`).
//!
//! | LLVM | here |
//! |---|---|
//! | `promoteMemoryToRegister`: again until nothing is promotable | [`mem2reg`]: rounds, up to [`MOST_ROUNDS`] |
//! | `isAllocaPromotable` | [`promotable`], `slots` |
//! | `removeIntrinsicUsers`: lifetime markers become stores of undefined values | `AccessKind::Clear` |
//! | allocas without uses | `simple`: [`Promotion::unused`] |
//! | `rewriteSingleStoreAlloca` | `simple`: [`Promotion::single_store`] |
//! | `promoteSingleBlockAlloca` | `simple`: [`Promotion::single_block`] |
//! | `ComputeLiveInBlocks`, iterated dominance frontier | `general::place_phis` |
//! | `RenamePass` | `general::rename` |
//! | the last clean-up, `simplifyInstruction` | `clean_up` |
//!
//! # Complexity
//! Each round takes O(size of the function), plus for each slot of the general kind its live blocks and its iterated
//! frontier, plus the operands of the phis that the clean-up looks at again. Following a chain of replaced loads halves
//! it, so that a look-up takes O(log *l*) amortized time for *l* loads.
//! A second round is needed only if a promoted slot held addresses, and there are at most [`MOST_ROUNDS`].
//!
//! # Departures
//! * Renaming walks the dominator tree where LLVM's walks the edges; both keep one log of changes.
//! * LLVM numbers the accesses of a block on demand. Here [`Slots`] numbers them as it collects them.
//! * In unreachable blocks, each load of a slot of the general kind is undefined; LLVM's renaming leaves those loads
//!   alone.
//! * A load that would stand for itself is undefined, as in LLVM. Here that includes loads that stand for each other in
//!   a cycle, through any number of slots.
//! * LLVM ignores the type a slot was made for, and requires that all accesses have one type. Here the slot's own type
//!   counts: stored values may have a subtype of it and loads a supertype, as [`Syntax::is_subtype`] says.
//! * LLVM repeats until nothing is promotable. Here [`MOST_ROUNDS`] bounds the time on a chain of slots that hold each
//!   other's addresses; the next slot of such a chain stays as [`Refusal::TooManyRounds`].

mod clean_up;
mod general;
mod simple;
mod slots;

pub use slots::{NotPromotable, Refusal};

use super::{Memory, MemoryOp, MemoryType};
use crate::dialect::Syntax;
use crate::function::{Action, Arg, Dest, Function, Phi, ValueKind};
use general::NewPhi;
use slots::{Slot, Slots};
use ssaphire_graph::{Block, CfgError, DominatorTree, FlatCfg, IdMap, IdSet, Value, Variable};
use std::ops::AddAssign;

/// The most rounds of promotion: a round promotes the slots whose addresses were stored only in slots promoted before.
pub const MOST_ROUNDS: usize = 64;

/// The fate of the slots of a function, or of several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Promotion {
    /// Slots that were promoted: the sum of the next four fields.
    pub promoted: usize,
    /// Slots that nothing loads.
    pub unused: usize,
    /// Slots with one store, whose value replaces all loads.
    pub single_store: usize,
    /// Slots that are loaded and stored in a single block.
    pub single_block: usize,
    /// Slots for which phis were placed and loads renamed.
    pub general: usize,
    /// Loads that were replaced, and stores that were removed.
    pub accesses: usize,
    /// Loads replaced with a value stored later, which is available from the beginning and is the only one.
    pub early_loads: usize,
    /// Phis that were placed.
    pub phis_placed: usize,
    /// Of these, the phis that the clean-up folded: they merged one value, possibly with undefined ones.
    pub phis_folded: usize,
    /// Rounds of promotion: more than one if the address of a slot was stored in another.
    pub rounds: usize,
    /// Slots that were not promoted, with the reasons.
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
        self.rounds += other.rounds;
        self.kept.extend_from_slice(&other.kept);
    }
}

/// The slots of the function that cannot be promoted in its current form, with the reasons.
///
/// [`mem2reg`] may leave fewer: when a slot is promoted, the slots whose addresses it contained may follow.
///
/// # Complexity
/// O(size of the function).
pub fn promotable<D: Syntax>(function: &Function<Memory<D>>) -> Vec<NotPromotable> {
    Slots::of(function).kept
}

/// The state of a promotion.
struct State<'f, D: Syntax> {
    function: &'f mut Function<Memory<D>>,
    cfg: FlatCfg,
    tree: DominatorTree,
    /// By removed load, the value that replaces it, which may be another such load; without cycles.
    stands_for: IdMap<Value, Option<Value>>,
    phis: Vec<NewPhi>,
    report: Promotion,
}

/// Promotes slots to values where possible. A function without other slots is then in SSA form.
///
/// Values keep their numbers, and removed values stay in the tables.
///
/// # Errors
/// If the graph of the function violates its contract.
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
pub fn mem2reg<D: Syntax>(function: &mut Function<Memory<D>>) -> Result<Promotion, CfgError> {
    let cfg = FlatCfg::new(&*function)?;
    let tree = DominatorTree::new(&cfg);
    let (stands_for, report) = (IdMap::new(), Promotion::default());
    let mut state = State { function, cfg, tree, stands_for, phis: Vec::new(), report };
    while state.promote() {}
    Ok(state.report)
}

impl<D: Syntax> State<'_, D> {
    /// One round: promotes the slots that are promotable now. Returns whether more slots may be promotable afterwards,
    /// whose addresses were stored.
    fn promote(&mut self) -> bool {
        let Slots { slots, kept } = Slots::of(self.function);
        self.report.kept = kept;
        if self.report.rounds == MOST_ROUNDS {
            let (block, refusal) = (self.function.entry(), Refusal::TooManyRounds);
            let left = slots.iter().map(|slot| NotPromotable { slot: slot.address, block, refusal });
            self.report.kept.extend(left);
            return false;
        }
        let frees_others = slots.iter().any(|slot| slot.ty == MemoryType::Address);
        self.report.rounds += usize::from(!slots.is_empty());
        self.report.promoted += slots.len();
        self.stands_for.reset(self.function.num_values(), None);
        let promoted = slots.iter().map(|slot| slot.address).collect();
        let general: Vec<Slot<D>> = slots.into_iter().filter_map(|slot| self.promote_simply(slot)).collect();
        self.report.general += general.len();
        self.place_phis(&general);
        self.rename(&general);
        self.clean_up();
        self.apply(&promoted);
        frees_others
    }

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

    /// Replaces a load with a value. If that is the load itself, nothing was ever stored, and it is undefined.
    ///
    /// This happens only in unreachable code, which may store the value that it loads, in one slot or through several.
    fn replace(&mut self, loaded: Value, by: Value) {
        let mut by = self.resolve(by);
        if by == loaded {
            let data = self.function.value(loaded);
            let (name, ty) = (data.name, data.ty.clone());
            by = self.undefined_version(name, ty);
        }
        self.stands_for.grow_to(loaded, None);
        self.stands_for[loaded] = Some(by);
        self.report.accesses += 1;
    }

    /// The content of a slot to which nothing was stored.
    fn undefined(&mut self, slot: &Slot<D>) -> Value {
        self.undefined_version(slot.name, slot.ty.clone())
    }

    /// An undefined value of the type: a version of the variable, if that is of the same type.
    fn undefined_version(&mut self, name: Option<Variable>, ty: MemoryType<D::Type>) -> Value {
        match name {
            Some(variable) if *self.function.variable_type(variable) == ty => self.function.undefined(variable),
            _ => self.function.undefined_of_type(ty),
        }
    }

    /// Whether the value is available everywhere: a constant, a parameter or an undefined value.
    fn is_global(&self, value: Value) -> bool {
        matches!(self.function.value(value).kind, ValueKind::Constant(_) | ValueKind::Param(_) | ValueKind::Undefined)
    }

    /// Changes the function: removes loads, stores and slots, replaces uses of loads, and inserts phis.
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
