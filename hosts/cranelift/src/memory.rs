//! Copies, fills and comparisons of memory: a few loads and stores, or calls of the C library.

use crate::FunctionBuilder;
use crate::versions::MemFlagsData;
use alloc::vec::Vec;
use core::num::NonZeroU8;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    AbiParam, ExtFuncData, ExternalName, FuncRef, Inst, InstBuilder, LibCall, Signature, Type, Value, types,
};
use cranelift_codegen::isa::TargetFrontendConfig;
use ssaphire::SsaBuilder;

/// The most accesses that are emitted inline; above that, the C library is called.
const MOST_ACCESSES: u64 = 4;

/// A split of `size` bytes into a few accesses of one size.
struct Pieces {
    ty: Type,
    count: u64,
}

impl Pieces {
    fn of(size: u64) -> Self {
        let bytes = (1 << size.trailing_zeros()).min(8);
        let ty = match bytes {
            1 => types::I8,
            2 => types::I16,
            4 => types::I32,
            _ => types::I64,
        };
        Self { ty, count: size / bytes }
    }

    fn bytes(&self) -> u64 {
        u64::from(self.ty.bytes())
    }

    fn offsets(&self) -> impl Iterator<Item = i32> + use<> {
        let bytes = self.ty.bytes() as i32;
        (0..self.count as i32).map(move |index| index * bytes)
    }
}

impl<B: SsaBuilder> FunctionBuilder<'_, B> {
    /// Imports a function of the C library.
    fn library(&mut self, config: TargetFrontendConfig, call: LibCall, params: [Type; 3], result: Type) -> FuncRef {
        let mut signature = Signature::new(config.default_call_conv);
        signature.params.extend(params.map(AbiParam::new));
        signature.returns.push(AbiParam::new(result));
        let signature = self.import_signature(signature);
        let name = ExternalName::LibCall(call);
        self.import_function(ExtFuncData { name, signature, colocated: false, patchable: false })
    }

    fn call_on_pointers(
        &mut self,
        config: TargetFrontendConfig,
        call: LibCall,
        args: [Value; 3],
        result: Type,
    ) -> Inst {
        let function = self.library(config, call, [config.pointer_type(); 3], result);
        self.ins().call(function, &args)
    }

    /// Calls `memcpy`: copies `size` bytes from `src` to `dest`, which do not overlap.
    pub fn call_memcpy(&mut self, config: TargetFrontendConfig, dest: Value, src: Value, size: Value) {
        self.call_on_pointers(config, LibCall::Memcpy, [dest, src, size], config.pointer_type());
    }

    /// Calls `memmove`: copies `size` bytes from `source` to `dest`, which may overlap.
    pub fn call_memmove(&mut self, config: TargetFrontendConfig, dest: Value, source: Value, size: Value) {
        self.call_on_pointers(config, LibCall::Memmove, [dest, source, size], config.pointer_type());
    }

    /// Calls `memset`: fills `size` bytes from `buffer` on with `ch`, an `i8`.
    pub fn call_memset(&mut self, config: TargetFrontendConfig, buffer: Value, ch: Value, size: Value) {
        let pointer = config.pointer_type();
        let function = self.library(config, LibCall::Memset, [pointer, types::I32, pointer], pointer);
        let ch = self.ins().uextend(types::I32, ch);
        self.ins().call(function, &[buffer, ch, size]);
    }

    /// Calls `memcmp`: zero if the first `size` bytes are the same, else an `i32` with the sign of the first
    /// difference.
    pub fn call_memcmp(&mut self, config: TargetFrontendConfig, left: Value, right: Value, size: Value) -> Value {
        let call = self.call_on_pointers(config, LibCall::Memcmp, [left, right, size], types::I32);
        self.func.dfg.first_result(call)
    }

    /// Copies `size` bytes, with loads and stores if few suffice.
    ///
    /// All loads come before all stores. The alignments are the known alignments of the pointers; if
    /// `non_overlapping`, the caller guarantees that the ranges do not overlap.
    ///
    /// # Panics
    /// If the largest power of two that divides `size` is below both alignments.
    #[expect(clippy::too_many_arguments, reason = "these are the arguments that its callers have")]
    pub fn emit_small_memory_copy(
        &mut self,
        config: TargetFrontendConfig,
        dest: Value,
        src: Value,
        size: u64,
        dest_align: u8,
        src_align: u8,
        non_overlapping: bool,
        mut flags: MemFlagsData,
    ) {
        if size == 0 {
            return;
        }
        check_alignment(size, dest_align.min(src_align));
        let pieces = Pieces::of(size);
        if pieces.count > MOST_ACCESSES {
            let size = self.ins().iconst(config.pointer_type(), size as i64);
            return match non_overlapping {
                true => self.call_memcpy(config, dest, src, size),
                false => self.call_memmove(config, dest, src, size),
            };
        }
        if u64::from(dest_align.min(src_align)) >= pieces.bytes() {
            flags.set_aligned();
        }
        let loaded: Vec<(Value, i32)> =
            pieces.offsets().map(|offset| (self.ins().load(pieces.ty, flags, src, offset), offset)).collect();
        for (value, offset) in loaded {
            self.ins().store(flags, value, dest, offset);
        }
    }

    /// Fills `size` bytes with `ch`, with stores if few suffice.
    ///
    /// # Panics
    /// If the largest power of two that divides `size` is below the alignment.
    pub fn emit_small_memset(
        &mut self,
        config: TargetFrontendConfig,
        buffer: Value,
        ch: u8,
        size: u64,
        buffer_align: u8,
        mut flags: MemFlagsData,
    ) {
        if size == 0 {
            return;
        }
        check_alignment(size, buffer_align);
        let pieces = Pieces::of(size);
        if pieces.count > MOST_ACCESSES {
            let ch = self.ins().iconst(types::I8, i64::from(ch));
            let size = self.ins().iconst(config.pointer_type(), size as i64);
            return self.call_memset(config, buffer, ch, size);
        }
        if u64::from(buffer_align) >= pieces.bytes() {
            flags.set_aligned();
        }
        let everywhere = u64::from_ne_bytes([ch; 8]) >> (64 - pieces.ty.bits());
        let value = self.ins().iconst(pieces.ty, everywhere as i64);
        for offset in pieces.offsets() {
            self.ins().store(flags, value, buffer, offset);
        }
    }

    /// Compares `size` bytes lexicographically as unsigned bytes: an `i8`, 1 if `int_cc` holds, otherwise 0.
    ///
    /// # Panics
    /// If `int_cc` is a signed comparison.
    #[expect(clippy::too_many_arguments, reason = "these are the arguments that its callers have")]
    pub fn emit_small_memory_compare(
        &mut self,
        config: TargetFrontendConfig,
        int_cc: IntCC,
        left: Value,
        right: Value,
        size: u64,
        left_align: NonZeroU8,
        right_align: NonZeroU8,
        flags: MemFlagsData,
    ) -> Value {
        // `memcmp` returns a signed result.
        let (of_result, holds_for_nothing) = match int_cc {
            IntCC::Equal => (int_cc, 1),
            IntCC::NotEqual => (int_cc, 0),
            IntCC::UnsignedLessThan => (IntCC::SignedLessThan, 0),
            IntCC::UnsignedLessThanOrEqual => (IntCC::SignedLessThanOrEqual, 1),
            IntCC::UnsignedGreaterThan => (IntCC::SignedGreaterThan, 0),
            IntCC::UnsignedGreaterThanOrEqual => (IntCC::SignedGreaterThanOrEqual, 1),
            _ => panic!("{int_cc}: bytes are compared unsigned"),
        };
        if size == 0 {
            return self.ins().iconst(types::I8, holds_for_nothing);
        }
        let at_once = u16::try_from(size).ok().and_then(Type::int_with_byte_size);
        // Integers are ordered like their bytes only if there is a single byte.
        if let Some(ty) = at_once.filter(|_| size == 1 || matches!(int_cc, IntCC::Equal | IntCC::NotEqual)) {
            let [left, right] = [(left, left_align), (right, right_align)].map(|(pointer, align)| {
                let mut flags = flags;
                if u64::from(align.get()) >= size {
                    flags.set_aligned();
                }
                self.ins().load(ty, flags, pointer, 0)
            });
            return self.ins().icmp(int_cc, left, right);
        }
        let size = self.ins().iconst(config.pointer_type(), size as i64);
        let difference = self.call_memcmp(config, left, right, size);
        let zero = self.ins().iconst(types::I32, 0);
        self.ins().icmp(of_result, difference, zero)
    }
}

#[track_caller]
fn check_alignment(size: u64, align: u8) {
    let bytes = 1_u64 << size.trailing_zeros();
    assert!(bytes >= u64::from(align), "{size} bytes: not a whole number of pieces aligned to {align}");
}
