//! Memory: bytes that grow by pages, and the accesses to them.

use super::Fault;
use super::number::Number;
use crate::dialect::{self, Opcode};
use wasmparser::MemoryType;

/// The most bytes of memory that this machine gives to a module.
const MOST_BYTES: u64 = 1 << 30;

/// The logarithm of the page size in bytes, unless the memory type gives another.
const PAGE_BITS: u32 = 16;

/// A memory: bytes that grow by pages.
pub struct Memory {
    bytes: Vec<u8>,
    /// The logarithm of the bytes of a page.
    page_bits: u32,
    maximum: u64,
    is_64: bool,
}

impl Memory {
    /// A memory of this type, or `None` if it is larger than this machine allows.
    pub(super) fn new(ty: &MemoryType) -> Option<Self> {
        let page_bits = ty.page_size_log2.unwrap_or(PAGE_BITS);
        let most = MOST_BYTES.checked_shr(page_bits)?;
        let maximum = ty.maximum.unwrap_or(most).min(most);
        let bytes = (ty.initial <= most).then(|| vec![0; (ty.initial << page_bits) as usize])?;
        Some(Self { bytes, page_bits, maximum, is_64: ty.memory64 })
    }

    /// The contents.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The contents, to be changed.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }

    /// Whether addresses have 64 bits.
    pub fn is_64(&self) -> bool {
        self.is_64
    }

    /// Grows the memory by `pages`; returns the previous number of pages, or `None` if it cannot grow that much.
    pub fn grow_by(&mut self, pages: u64) -> Option<u64> {
        let old = self.pages();
        let new = old.checked_add(pages).filter(|&new| new <= self.maximum)?;
        self.bytes.resize((new << self.page_bits) as usize, 0);
        Some(old)
    }

    fn pages(&self) -> u64 {
        self.bytes.len() as u64 >> self.page_bits
    }

    fn count(&self, pages: u64) -> Number {
        if self.is_64 { Number::I64(pages as i64) } else { Number::I32(pages as i32) }
    }

    pub(super) fn size(&self) -> Number {
        self.count(self.pages())
    }

    /// Grows the memory; returns the previous number of pages, or -1 if it cannot grow that much.
    pub(super) fn grow(&mut self, by: Number) -> Number {
        let old = address(by).and_then(|by| self.grow_by(by));
        self.count(old.unwrap_or(u64::MAX))
    }

    /// Copies a segment in.
    pub(super) fn write(&mut self, begin: Number, data: &[u8]) -> Result<(), Fault> {
        let begin = address(begin).ok_or(Fault::MemoryBounds)?;
        self.range(begin, data.len())?.copy_from_slice(data);
        Ok(())
    }

    /// A copy of `len` bytes from `begin` on.
    pub(super) fn copied(&mut self, begin: Number, len: Number) -> Result<Vec<u8>, Fault> {
        let (begin, len) = self.place(begin, len)?;
        Ok(self.range(begin, len)?.to_vec())
    }

    /// Fills `len` bytes with one value.
    pub(super) fn fill(&mut self, begin: Number, value: Number, len: Number) -> Result<(), Fault> {
        let (begin, len) = self.place(begin, len)?;
        let Number::I32(value) = value else { return Err(Fault::Mismatch) };
        self.range(begin, len)?.fill(value as u8);
        Ok(())
    }

    fn place(&self, begin: Number, len: Number) -> Result<(u64, usize), Fault> {
        let len = address(len).filter(|&len| len <= self.bytes.len() as u64).ok_or(Fault::MemoryBounds)?;
        Ok((address(begin).ok_or(Fault::MemoryBounds)?, len as usize))
    }

    fn range(&mut self, begin: u64, len: usize) -> Result<&mut [u8], Fault> {
        let end = begin.checked_add(len as u64).filter(|&end| end <= self.bytes.len() as u64);
        end.map(|end| &mut self.bytes[begin as usize..end as usize]).ok_or(Fault::MemoryBounds)
    }

    fn access(&mut self, at: Number, access: dialect::Memory, len: usize) -> Result<&mut [u8], Fault> {
        let begin = address(at).and_then(|at| at.checked_add(access.offset)).ok_or(Fault::MemoryBounds)?;
        self.range(begin, len)
    }

    pub(super) fn load(&mut self, opcode: Opcode, access: dialect::Memory, at: Number) -> Result<Number, Fault> {
        let bytes = self.access(at, access, width(opcode))?;
        let mut wide = [0; 8];
        wide[..bytes.len()].copy_from_slice(bytes);
        let bits = u64::from_le_bytes(wide);
        Ok(match opcode {
            Opcode::I32Load8S => Number::I32((bits as i8).into()),
            Opcode::I32Load16S => Number::I32((bits as i16).into()),
            Opcode::I32Load | Opcode::I32Load8U | Opcode::I32Load16U => Number::I32(bits as i32),
            Opcode::I64Load8S => Number::I64((bits as i8).into()),
            Opcode::I64Load16S => Number::I64((bits as i16).into()),
            Opcode::I64Load32S => Number::I64((bits as i32).into()),
            Opcode::F32Load => Number::F32(bits as u32),
            Opcode::F64Load => Number::F64(bits),
            _ => Number::I64(bits as i64),
        })
    }

    pub(super) fn store(
        &mut self,
        opcode: Opcode,
        access: dialect::Memory,
        at: Number,
        number: Number,
    ) -> Result<(), Fault> {
        let bits = match number {
            Number::I32(number) => number as u64,
            Number::I64(number) => number as u64,
            Number::F32(bits) => bits.into(),
            Number::F64(bits) => bits,
            _ => return Err(Fault::Mismatch),
        };
        let bytes = self.access(at, access, width(opcode))?;
        bytes.copy_from_slice(&bits.to_le_bytes()[..bytes.len()]);
        Ok(())
    }
}

/// An address in memory, an index of a table, or a number of pages.
pub(super) fn address(number: Number) -> Option<u64> {
    match number {
        Number::I32(number) => Some((number as u32).into()),
        Number::I64(number) => Some(number as u64),
        _ => None,
    }
}

pub(super) fn is_load(opcode: Opcode) -> bool {
    (Opcode::I32Load..=Opcode::I64Load32U).contains(&opcode)
}

pub(super) fn is_store(opcode: Opcode) -> bool {
    (Opcode::I32Store..=Opcode::I64Store32).contains(&opcode)
}

/// The number of bytes that a load or store accesses.
fn width(opcode: Opcode) -> usize {
    match opcode {
        Opcode::I32Load8S
        | Opcode::I32Load8U
        | Opcode::I64Load8S
        | Opcode::I64Load8U
        | Opcode::I32Store8
        | Opcode::I64Store8 => 1,
        Opcode::I32Load16S
        | Opcode::I32Load16U
        | Opcode::I64Load16S
        | Opcode::I64Load16U
        | Opcode::I32Store16
        | Opcode::I64Store16 => 2,
        Opcode::I32Load
        | Opcode::F32Load
        | Opcode::I64Load32S
        | Opcode::I64Load32U
        | Opcode::I32Store
        | Opcode::F32Store
        | Opcode::I64Store32 => 4,
        _ => 8,
    }
}
