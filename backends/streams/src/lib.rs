//! The state of the standard streams when the process began.
//!
//! Before `main`, the standard library opens `/dev/null` in the place of a
//! closed standard stream. After that, a program with a closed output looks
//! like one whose output goes to `/dev/null`. So this crate looks before the
//! standard library does: the loader calls the functions listed in a section of
//! the program, and one of them is here.
//!
//! On systems other than Unix, every stream counts as open.

use std::sync::atomic::{AtomicBool, Ordering};

static STDOUT_WAS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Whether the process began without a standard output.
pub fn stdout_was_closed() -> bool {
    STDOUT_WAS_CLOSED.load(Ordering::Relaxed)
}

#[cfg(unix)]
mod before_main {
    use super::STDOUT_WAS_CLOSED;
    use std::sync::atomic::Ordering;

    // SAFETY: the section holds addresses of functions, which the loader calls in the C calling convention with up to
    // three arguments, and a function may take fewer. `look` uses nothing of the standard library that needs its
    // runtime: a system call and an atomic.
    #[expect(unsafe_code, reason = "the loader has to find it")]
    #[used]
    #[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
    #[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
    static LOOK: extern "C" fn() = look;

    extern "C" fn look() {
        let is_closed = rustix::io::fcntl_getfd(rustix::stdio::stdout()).is_err();
        STDOUT_WAS_CLOSED.store(is_closed, Ordering::Relaxed);
    }
}
