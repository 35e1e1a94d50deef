//! A function of a module, in the reference IR.

use crate::debug::Record;
use crate::dialect::{Kind, Llvm};
use crate::slots::Slots;
use ssaphire::Variable;
use ssaphire_ir::{Action, Function, InstRef, PhiRef};
use std::sync::Arc;

/// A function: its body, and what its text needs besides.
#[derive(Clone, Debug)]
pub struct LlvmFunction {
    pub(crate) frame: Arc<Frame>,
    pub(crate) body: Function<Llvm>,
}

/// What the text of a function needs besides its body: the header, names, labels and records for debuggers.
#[derive(Clone, Debug)]
pub struct Frame {
    /// With a hole for the name of each parameter that has one.
    pub(crate) header: Arc<str>,
    /// By parameter: whether the header has a hole for it.
    pub(crate) has_hole: Vec<bool>,
    /// By parameter.
    pub(crate) params: Vec<ParamInfo>,
    pub(crate) rules: Rules,
    /// Whether slots are promoted whose accesses have one type of their size, and not only those of their own type; with the size of
    /// pointers.
    pub(crate) by_size: Option<u64>,
    /// By block.
    pub(crate) labels: Vec<Label>,
    /// By variable. Variables are slots, phis of the source, and whatever has a name.
    pub(crate) variables: Vec<VariableInfo>,
}

/// In what versions of LLVM promote differently.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rules {
    /// Up to 19: a phi of a value and undefined ones becomes the value also if that may be poison.
    pub(crate) folds_to_poison: bool,
    /// Up to 20: what an assumption said of a promoted slot becomes `undef`, and not `poison`.
    pub(crate) drops_to_undef: bool,
    /// Up to 16: edges from unreachable blocks give new phis `undef`, and not `poison`, and a load before the only store of a slot may
    /// give what that stores even if it is poison.
    pub(crate) has_undef_edges: bool,
    /// Up to 16: nothing marks the load of an undefined value that was `!noundef`.
    pub(crate) forgets_noundef: bool,
    /// Up to 15: a load with `!nonnull` need not have `!noundef` to become an assumption.
    pub(crate) assumes_nonnull: bool,
}

impl Rules {
    /// Those of a version; of the newest, if that is not known. 15, 17, 18 and 21 were not tried: they count as the one before or after in
    /// which the rule was seen. 20 was tried with `sroa`, which promotes as `mem2reg` does.
    pub(crate) fn of(version: Option<u32>) -> Self {
        let is_up_to = |last| version.is_some_and(|version| version <= last);
        Self {
            folds_to_poison: is_up_to(19),
            drops_to_undef: is_up_to(20),
            has_undef_edges: is_up_to(16),
            forgets_noundef: is_up_to(16),
            assumes_nonnull: is_up_to(15),
        }
    }
}

/// What the header of a function says of a parameter.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ParamInfo {
    /// Whether it is `noundef`.
    pub(crate) is_defined: bool,
    /// Whether it is a pointer that is not null.
    pub(crate) is_nonnull: bool,
}

/// The label of a block in the source.
#[derive(Clone, Debug)]
pub(crate) enum Label {
    Number(u32),
    Name(Arc<str>),
}

/// What is known of a variable besides its type.
#[derive(Clone, Debug, Default)]
pub(crate) struct VariableInfo {
    /// Its name without sigil; `None` if values of it are numbered.
    pub(crate) name: Option<Arc<str>>,
    /// Flags of its phi in the source: `fast `.
    pub(crate) flags: Arc<str>,
    /// Metadata of its phi in the source: `, !dbg !7`.
    pub(crate) metadata: Arc<str>,
    /// Whether it stands for a promoted slot: its phis have names of their own.
    pub(crate) is_slot: bool,
    /// Variables of the source program that the slot holds: records of their values.
    pub(crate) records: Vec<Record>,
}

impl LlvmFunction {
    /// The function in the reference IR.
    pub fn body(&self) -> &Function<Llvm> {
        &self.body
    }

    /// The function in the reference IR, by itself.
    pub fn into_body(self) -> Function<Llvm> {
        self.body
    }

    /// Whether its promotion may make further slots promotable: a slot may have been stored in one of its variables, and is not used in any
    /// way that keeps it in memory.
    ///
    /// # Complexity
    /// O(size of the function).
    pub fn may_free_others(&self) -> bool {
        let is_slot =
            |inst: InstRef<'_, Llvm>| matches!(inst.action, Action::Op(op) if matches!(op.kind(), Kind::Alloca(_)));
        let holds_address = |(variable, info): (Variable, &VariableInfo)| {
            let ty = self.body.variable_type(variable).text();
            info.is_slot && (ty.starts_with("ptr") || ty.ends_with('*'))
        };
        let entry = self.body.block(self.body.entry());
        entry.insts().iter().any(is_slot)
            && self.body.variables().zip(&self.frame.variables).any(holds_address)
            && Slots::may_be_found(&self.body, self.frame.by_size)
    }

    /// The function with slots promoted by size, if there are such slots.
    pub(crate) fn with_slots_by_size(&self, pointer_bits: u64) -> Option<Self> {
        let count = |by_size| Slots::of(&self.body, by_size).slots.len();
        (count(Some(pointer_bits)) > count(None)).then(|| {
            let frame = Frame { by_size: Some(pointer_bits), ..Frame::clone(&self.frame) };
            Self { frame: frame.into(), body: self.body.clone() }
        })
    }

    /// The flags of a phi of the source, such as `fast `; none for one of a promoted slot.
    pub(crate) fn flags_of(&self, phi: PhiRef<'_>) -> &str {
        phi.variable.and_then(|variable| self.frame.info(variable)).map_or("", |info| &info.flags)
    }

    /// What the text of the function needs besides.
    pub fn frame(&self) -> &Arc<Frame> {
        &self.frame
    }
}

impl Frame {
    /// The function with this frame and a body that was made of the one that the frame comes from; `None` if that has other blocks.
    pub fn around(self: &Arc<Self>, body: Function<Llvm>) -> Option<LlvmFunction> {
        (body.num_blocks() == self.labels.len()).then(|| LlvmFunction { frame: self.clone(), body })
    }

    /// Whether slots of the function have become variables.
    pub fn has_promoted_slots(&self) -> bool {
        self.variables.iter().any(|info| info.is_slot)
    }

    pub(crate) fn info(&self, variable: Variable) -> Option<&VariableInfo> {
        self.variables.get(variable.index())
    }
}
