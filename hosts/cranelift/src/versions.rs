//! The code that depends on the version of `cranelift-codegen`.
//!
//! This package depends on version 0.135. The manifests that
//! `cargo xtask cranelift-frontend` writes name any version from 0.132 on,
//! and set `before_0_133` and `before_0_134` for older ones. The code is the
//! same for 0.134 and all later versions.
//!
//! | since | change | where else it shows |
//! |---|---|---|
//! | 0.133 | the flags of memory accesses are `MemFlagsData` | |
//! | 0.133 | an instruction may expand to several | `FuncInstBuilder::build_aux_inst` |
//! | 0.134 | `finalize` is given the target's configuration | `FunctionBuilder::finalize` |
//! | 0.134 | the accesses of stack maps belong to alias regions | `FunctionBuilder::make_stack_map_alias_region` |
//! | 0.134 | stack slots are accessed through their address | |

#[cfg(before_0_133)]
pub(crate) use cranelift_codegen::ir::MemFlags as MemFlagsData;
#[cfg(not(before_0_133))]
pub(crate) use cranelift_codegen::ir::MemFlagsData;

#[cfg(not(before_0_134))]
pub use by_address::MakeAliasRegion;
#[cfg(not(before_0_134))]
pub(crate) use by_address::SlotAccess;
#[cfg(before_0_134)]
pub(crate) use by_instruction::{MakeAliasRegion, SlotAccess};

/// From 0.134 on, code accesses stack slots through their addresses.
#[cfg(not(before_0_134))]
mod by_address {
    use super::MemFlagsData;
    use alloc::boxed::Box;
    use cranelift_codegen::cursor::FuncCursor;
    use cranelift_codegen::ir::{AliasRegion, AliasRegionSet, InstBuilder, StackSlot, Type, Value};

    /// Chooses the alias region of the store or load of a reference, from its type, the slot, and the offset in the
    /// slot.
    pub type MakeAliasRegion =
        Box<dyn Fn(&mut AliasRegionSet, Type, StackSlot, u32) -> Option<AliasRegion> + Send + Sync>;

    /// How references are stored to and loaded from stack slots.
    pub(crate) struct SlotAccess<'a> {
        pointer: Type,
        make_alias_region: Option<&'a MakeAliasRegion>,
    }

    impl<'a> SlotAccess<'a> {
        /// Accesses on a target whose pointers have this type.
        pub(crate) fn new(pointer: Type, make_alias_region: Option<&'a MakeAliasRegion>) -> Self {
            Self { pointer, make_alias_region }
        }

        /// Stores `value` to `slot`.
        pub(crate) fn store(&self, mut cursor: FuncCursor<'_>, value: Value, slot: StackSlot) {
            let ty = cursor.func.dfg.value_type(value);
            let flags = self.flags(&mut cursor, ty, slot);
            let address = cursor.ins().stack_addr(self.pointer, slot, 0);
            cursor.ins().store(flags, value, address, 0);
        }

        /// Loads a value of type `ty` from `slot`.
        pub(crate) fn load(&self, mut cursor: FuncCursor<'_>, ty: Type, slot: StackSlot) -> Value {
            let flags = self.flags(&mut cursor, ty, slot);
            let address = cursor.ins().stack_addr(self.pointer, slot, 0);
            cursor.ins().load(ty, flags, address, 0)
        }

        fn flags(&self, cursor: &mut FuncCursor<'_>, ty: Type, slot: StackSlot) -> MemFlagsData {
            let flags = MemFlagsData::trusted();
            let Some(make_alias_region) = self.make_alias_region else { return flags };
            flags.with_alias_region(make_alias_region(&mut cursor.func.dfg.alias_regions, ty, slot, 0))
        }
    }
}

/// Before 0.134, stack slots have load and store instructions of their own.
#[cfg(before_0_134)]
mod by_instruction {
    use core::marker::PhantomData;
    use cranelift_codegen::cursor::FuncCursor;
    use cranelift_codegen::ir::{InstBuilder, StackSlot, Type, Value};

    /// Uninhabited: alias regions do not exist yet.
    pub(crate) enum MakeAliasRegion {}

    /// How references are stored to and loaded from stack slots.
    pub(crate) struct SlotAccess<'a>(PhantomData<&'a MakeAliasRegion>);

    impl<'a> SlotAccess<'a> {
        /// Accesses on any target.
        pub(crate) fn new(_: Type, _: Option<&'a MakeAliasRegion>) -> Self {
            Self(PhantomData)
        }

        /// Stores `value` to `slot`.
        pub(crate) fn store(&self, mut cursor: FuncCursor<'_>, value: Value, slot: StackSlot) {
            cursor.ins().stack_store(value, slot, 0);
        }

        /// Loads a value of type `ty` from `slot`.
        pub(crate) fn load(&self, mut cursor: FuncCursor<'_>, ty: Type, slot: StackSlot) -> Value {
            cursor.ins().stack_load(ty, slot, 0)
        }
    }
}
