//! Loads, stores, and the size of the memory.

use super::callback::Callback;
use super::translation::Translation;
use super::trap::Reason;
use crate::Front;
use crate::context;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Opcode, Type, Value, types};
use wasmparser::{MemArg, MemArgTarget, Operator};

/// The logarithm of the page size in bytes, unless the memory type gives another.
const PAGE_BITS: u32 = 16;

/// The access of a load or store: the instruction, the operand type, the number of bytes, and the memory immediate.
fn access(operator: &Operator<'_>) -> Option<(Opcode, Type, u64, MemArg)> {
    use types::{F32, F64, I32, I64};
    Some(match *operator {
        Operator::I32Load { memarg } => (Opcode::Load, I32, 4, memarg),
        Operator::I64Load { memarg } => (Opcode::Load, I64, 8, memarg),
        Operator::F32Load { memarg } => (Opcode::Load, F32, 4, memarg),
        Operator::F64Load { memarg } => (Opcode::Load, F64, 8, memarg),
        Operator::I32Load8S { memarg } => (Opcode::Sload8, I32, 1, memarg),
        Operator::I32Load8U { memarg } => (Opcode::Uload8, I32, 1, memarg),
        Operator::I32Load16S { memarg } => (Opcode::Sload16, I32, 2, memarg),
        Operator::I32Load16U { memarg } => (Opcode::Uload16, I32, 2, memarg),
        Operator::I64Load8S { memarg } => (Opcode::Sload8, I64, 1, memarg),
        Operator::I64Load8U { memarg } => (Opcode::Uload8, I64, 1, memarg),
        Operator::I64Load16S { memarg } => (Opcode::Sload16, I64, 2, memarg),
        Operator::I64Load16U { memarg } => (Opcode::Uload16, I64, 2, memarg),
        Operator::I64Load32S { memarg } => (Opcode::Sload32, I64, 4, memarg),
        Operator::I64Load32U { memarg } => (Opcode::Uload32, I64, 4, memarg),
        Operator::I32Store { memarg } => (Opcode::Store, I32, 4, memarg),
        Operator::I64Store { memarg } => (Opcode::Store, I64, 8, memarg),
        Operator::F32Store { memarg } => (Opcode::Store, F32, 4, memarg),
        Operator::F64Store { memarg } => (Opcode::Store, F64, 8, memarg),
        Operator::I32Store8 { memarg } => (Opcode::Istore8, I32, 1, memarg),
        Operator::I32Store16 { memarg } => (Opcode::Istore16, I32, 2, memarg),
        Operator::I64Store8 { memarg } => (Opcode::Istore8, I64, 1, memarg),
        Operator::I64Store16 { memarg } => (Opcode::Istore16, I64, 2, memarg),
        Operator::I64Store32 { memarg } => (Opcode::Istore32, I64, 4, memarg),
        _ => return None,
    })
}

impl<'f, F: Front<'f>> Translation<'_, 'f, F> {
    /// Translates an operator on memory.
    pub(super) fn access(&mut self, operator: &Operator<'_>) -> Option<()> {
        if !self.has_plain_memory() {
            return None;
        }
        match *operator {
            Operator::MemoryCopy { dst_mem: 0, src_mem: 0 } => self.bulk(Callback::Copy),
            Operator::MemoryFill { mem: 0 } => self.bulk(Callback::Fill),
            Operator::MemorySize { mem: 0 } => {
                let pages = self.pages();
                self.push(pages)
            }
            Operator::MemoryGrow { mem: 0 } => self.grow(),
            _ => {
                let (opcode, ty, bytes, memarg) = access(operator)?;
                self.load_or_store(opcode, ty, bytes, memarg)
            }
        }
    }

    fn pages(&mut self) -> Value {
        let len = self.context(types::I64, context::MEMORY_LEN);
        let bits = self.module.types().as_ref().memory_at(0).page_size_log2.unwrap_or(PAGE_BITS);
        let bits = self.builder.ins().iconst(types::I64, i64::from(bits));
        let pages = self.builder.ins().ushr(len, bits);
        self.builder.ins().ireduce(types::I32, pages)
    }

    fn grow(&mut self) -> Option<()> {
        let pages = self.pop()?;
        let pages = self.builder.ins().uextend(types::I64, pages);
        let before = self.call_back(Callback::Grow, &[pages]);
        let before = self.builder.ins().ireduce(types::I32, before);
        self.push(before)
    }

    /// Translates `memory.copy` or `memory.fill`, through a callback.
    fn bulk(&mut self, callback: Callback) -> Option<()> {
        let operands = self.pop_many(3)?;
        let wide: Vec<Value> =
            operands.into_iter().map(|operand| self.builder.ins().uextend(types::I64, operand)).collect();
        let is_beyond = self.call_back(callback, &wide);
        self.trap_if(is_beyond, Reason::MemoryBounds);
        Some(())
    }

    /// Whether memory 0 exists and has 32-bit addresses.
    fn has_plain_memory(&self) -> bool {
        let types = self.module.types().as_ref();
        types.memory_count() > 0 && !types.memory_at(0).memory64
    }

    fn load_or_store(&mut self, opcode: Opcode, ty: Type, bytes: u64, memarg: MemArg) -> Option<()> {
        if memarg.target != MemArgTarget::Memory(0) {
            return None;
        }
        let stored = if opcode.can_store() { Some(self.pop()?) } else { None };
        let index = self.pop()?;
        let address = self.address(index, memarg.offset, bytes)?;
        let flags = MemFlagsData::new();
        if let Some(value) = stored {
            match opcode {
                Opcode::Istore8 => self.builder.ins().istore8(flags, value, address, 0),
                Opcode::Istore16 => self.builder.ins().istore16(flags, value, address, 0),
                Opcode::Istore32 => self.builder.ins().istore32(flags, value, address, 0),
                _ => self.builder.ins().store(flags, value, address, 0),
            };
            return Some(());
        }
        let loaded = match opcode {
            Opcode::Sload8 => self.builder.ins().sload8(ty, flags, address, 0),
            Opcode::Uload8 => self.builder.ins().uload8(ty, flags, address, 0),
            Opcode::Sload16 => self.builder.ins().sload16(ty, flags, address, 0),
            Opcode::Uload16 => self.builder.ins().uload16(ty, flags, address, 0),
            Opcode::Sload32 => self.builder.ins().sload32(flags, address, 0),
            Opcode::Uload32 => self.builder.ins().uload32(flags, address, 0),
            _ => self.builder.ins().load(ty, flags, address, 0),
        };
        self.push(loaded)
    }

    /// The address of `bytes` bytes of the memory; traps if they are out of bounds.
    fn address(&mut self, index: Value, offset: u64, bytes: u64) -> Option<Value> {
        let index = self.builder.ins().uextend(types::I64, index);
        let past = self.builder.ins().iconst(types::I64, i64::try_from(offset + bytes).ok()?);
        let end = self.builder.ins().iadd(index, past);
        let len = self.context(types::I64, context::MEMORY_LEN);
        let is_beyond = self.builder.ins().icmp(IntCC::UnsignedGreaterThan, end, len);
        self.trap_if(is_beyond, Reason::MemoryBounds);
        let memory = self.context(types::I64, context::MEMORY);
        let place = self.builder.ins().iadd(memory, index);
        let offset = self.builder.ins().iconst(types::I64, offset as i64);
        Some(self.builder.ins().iadd(place, offset))
    }
}
