//! The memory that running code uses: the context, whose address is the first argument of each function.

use std::mem::offset_of;
use std::ptr;

/// The number of functions that running code can call back.
pub(crate) const NUM_CALLBACKS: usize = 5;

/// The state shared by running code and the functions it calls back.
///
/// Running code has its address and knows the offsets below; every field has 64 bits.
#[repr(C)]
pub(crate) struct Context {
    /// The reason why the run ended early, as a number; 0 if it did not.
    pub(crate) trap: u64,
    /// The lowest address down to which the stack may grow.
    pub(crate) stack_limit: u64,
    /// Operations that may still be executed.
    pub(crate) steps: u64,
    /// Calls that have not returned.
    pub(crate) frames: u64,
    /// The most calls that may be active at once.
    pub(crate) max_frames: u64,
    /// The buffer of the arguments and results that are not passed in registers.
    pub(crate) buffer: *mut u64,
    /// The number of results in the buffer, if it is not known statically.
    pub(crate) num_results: u64,
    /// The functions for work that is left to the host, by purpose.
    pub(crate) callbacks: [usize; NUM_CALLBACKS],
    /// The host, on which the callbacks operate.
    pub(crate) host: *mut u8,
    /// The bytes of the memory.
    pub(crate) memory: *mut u8,
    /// Their number.
    pub(crate) memory_len: u64,
    /// The globals, 8 bytes each.
    pub(crate) globals: *mut u64,
    /// The elements of the table.
    pub(crate) table: *const Element,
    /// Their number.
    pub(crate) table_len: u64,
    /// By function, the address of its code.
    pub(crate) functions: *const u64,
    /// The number of the called function, for code shared by many functions.
    pub(crate) callee: u64,
}

/// An element of a table.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Element {
    /// The number of its function, or [`NO_FUNCTION`].
    pub(crate) function: u64,
    /// The number of its type.
    pub(crate) ty: u64,
}

/// The number that stands for no function.
pub(crate) const NO_FUNCTION: u64 = u64::MAX;

pub(crate) const TRAP: i32 = offset_of!(Context, trap) as i32;
pub(crate) const STACK_LIMIT: i32 = offset_of!(Context, stack_limit) as i32;
pub(crate) const STEPS: i32 = offset_of!(Context, steps) as i32;
pub(crate) const FRAMES: i32 = offset_of!(Context, frames) as i32;
pub(crate) const MAX_FRAMES: i32 = offset_of!(Context, max_frames) as i32;
pub(crate) const BUFFER: i32 = offset_of!(Context, buffer) as i32;
pub(crate) const NUM_RESULTS: i32 = offset_of!(Context, num_results) as i32;
pub(crate) const MEMORY: i32 = offset_of!(Context, memory) as i32;
pub(crate) const MEMORY_LEN: i32 = offset_of!(Context, memory_len) as i32;
pub(crate) const GLOBALS: i32 = offset_of!(Context, globals) as i32;
pub(crate) const TABLE: i32 = offset_of!(Context, table) as i32;
pub(crate) const TABLE_LEN: i32 = offset_of!(Context, table_len) as i32;
pub(crate) const FUNCTIONS: i32 = offset_of!(Context, functions) as i32;
pub(crate) const CALLEE: i32 = offset_of!(Context, callee) as i32;

/// The offset in the context of the address of this callback.
pub(crate) const fn callback(number: usize) -> i32 {
    (offset_of!(Context, callbacks) + number * size_of::<usize>()) as i32
}

impl Default for Context {
    fn default() -> Self {
        Self {
            trap: 0,
            stack_limit: 0,
            steps: u64::MAX,
            frames: 0,
            max_frames: u64::MAX,
            buffer: ptr::null_mut(),
            num_results: 0,
            callbacks: [0; NUM_CALLBACKS],
            host: ptr::null_mut(),
            memory: ptr::null_mut(),
            memory_len: 0,
            globals: ptr::null_mut(),
            table: ptr::null(),
            table_len: 0,
            functions: ptr::null(),
            callee: NO_FUNCTION,
        }
    }
}
