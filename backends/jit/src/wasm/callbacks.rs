//! The callbacks of running code: imports, and operations on the whole memory.

use super::callback::Callback;
use super::functions::Functions;
use super::setup::RunError;
use super::trap::{Reason, Stop};
use crate::Error;
use crate::context::{Context, NUM_CALLBACKS};
use ssaphire_wasm::{InstanceMemory, RunError as Refusal};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The addresses of the callbacks, by number.
pub(super) fn callbacks() -> [usize; NUM_CALLBACKS] {
    let mut addresses = [0; NUM_CALLBACKS];
    addresses[Callback::Import as usize] = import as *const () as usize;
    addresses[Callback::Grow as usize] = grow as *const () as usize;
    addresses[Callback::Copy as usize] = copy as *const () as usize;
    addresses[Callback::Fill as usize] = fill as *const () as usize;
    addresses[Callback::Compile as usize] = compile as *const () as usize;
    addresses
}

/// The state on which callbacks operate.
pub(super) struct Host<'i, 'm> {
    pub(super) functions: &'i mut Functions<'m>,
    pub(super) memory: Option<&'i mut InstanceMemory>,
    /// By imported function, whether it exists. Those that exist do nothing and return no results.
    pub(super) imports: &'i [Result<(), Refusal>],
    /// The reason why the run cannot continue, if it is not a trap.
    pub(super) refusal: Option<RunError>,
}

impl Host<'_, '_> {
    /// Updates the addresses of functions in the context.
    pub(super) fn show_functions(&self, context: &mut Context) {
        context.functions = self.functions.addresses().as_ptr();
    }

    /// Updates the address and length of the memory in the context.
    pub(super) fn show_memory(&mut self, context: &mut Context) {
        if let Some(memory) = &mut self.memory {
            let bytes = memory.bytes_mut();
            context.memory_len = bytes.len() as u64;
            context.memory = bytes.as_mut_ptr();
        }
    }

    /// Changes the memory.
    fn change<T>(&mut self, context: &mut Context, change: impl FnOnce(&mut InstanceMemory) -> Option<T>) -> Option<T> {
        let changed = change(self.memory.as_deref_mut()?);
        self.show_memory(context);
        changed
    }
}

/// The range of `len` bytes from `begin` on, if it is in bounds.
fn range(begin: u64, len: u64, bytes: &[u8]) -> Option<std::ops::Range<usize>> {
    let end = begin.checked_add(len).filter(|&end| end <= bytes.len() as u64)?;
    Some(begin as usize..end as usize)
}

/// The context and the host of a running instance.
///
/// # Safety
/// The context was created by [`Instance`](super::Instance), whose code is running and has called back.
#[expect(unsafe_code, reason = "machine code has passed it")]
unsafe fn parts<'c>(context: *mut Context) -> (&'c mut Context, &'c mut Host<'c, 'c>) {
    // SAFETY: while the code runs nobody else uses the context or the host, and it waits for us to return.
    unsafe {
        let context = &mut *context;
        let host = &mut *context.host.cast::<Host<'c, 'c>>();
        (context, host)
    }
}

#[expect(unsafe_code, reason = "machine code calls it")]
extern "C" fn import(context: *mut Context, function: u64) -> i64 {
    // SAFETY: only code of an instance calls this.
    let (context, host) = unsafe { parts(context) };
    match host.imports.get(function as usize) {
        Some(Err(absent)) => {
            host.refusal = Some(absent.clone().into());
            context.trap = Stop { reason: Reason::Refused, function: function as u32, operator: 0 }.number();
            1
        }
        _ => 0,
    }
}

#[expect(unsafe_code, reason = "machine code calls it")]
extern "C" fn grow(context: *mut Context, pages: u64) -> i64 {
    // SAFETY: only code of an instance calls this.
    let (context, host) = unsafe { parts(context) };
    let before = host.change(context, |memory| memory.grow_by(pages));
    before.map_or(-1, |before| before as i64)
}

#[expect(unsafe_code, reason = "machine code calls it")]
extern "C" fn copy(context: *mut Context, to: u64, from: u64, len: u64) -> i64 {
    // SAFETY: only code of an instance calls this.
    let (context, host) = unsafe { parts(context) };
    let copied = host.change(context, |memory| {
        let bytes = memory.bytes_mut();
        let (to, from) = (range(to, len, bytes)?, range(from, len, bytes)?);
        bytes.copy_within(from, to.start);
        Some(())
    });
    i64::from(copied.is_none())
}

#[expect(unsafe_code, reason = "machine code calls it")]
extern "C" fn fill(context: *mut Context, to: u64, value: u64, len: u64) -> i64 {
    // SAFETY: only code of an instance calls this.
    let (context, host) = unsafe { parts(context) };
    let filled = host.change(context, |memory| {
        let bytes = memory.bytes_mut();
        let to = range(to, len, bytes)?;
        bytes[to].fill(value as u8);
        Some(())
    });
    i64::from(filled.is_none())
}

#[expect(unsafe_code, reason = "machine code calls it")]
extern "C" fn compile(context: *mut Context) -> i64 {
    // SAFETY: only code of an instance calls this.
    let (context, host) = unsafe { parts(context) };
    let function = context.callee as u32;
    // Machine code cannot be unwound.
    let compiled = catch_unwind(AssertUnwindSafe(|| host.functions.compile(function)));
    let compiled = compiled.unwrap_or_else(|_| Err(Error::Machine("compiling it was stopped".to_owned()).into()));
    host.show_functions(context);
    match compiled {
        Ok(address) => address as i64,
        Err(error) => {
            host.refusal = Some(error);
            context.trap = Stop { reason: Reason::Refused, function, operator: 0 }.number();
            0
        }
    }
}
