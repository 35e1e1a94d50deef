//! Runs of functions of memory form.

use ssaphire_ir::basic::{BasicMachine, Behavior};
use ssaphire_ir::interp::{Content, Interpreter, Limits};
use ssaphire_ir::memory::{Memory, MemoryContent, MemoryMachine};
use ssaphire_ir::{Basic, Function};

/// The behavior of a function of memory form; an address that it returns shows as undefined.
pub(crate) fn memory_behavior(
    function: &Function<Memory<Basic>>,
    args: &[i64],
    machine: BasicMachine,
    limits: Limits,
) -> Behavior {
    let mut machine = MemoryMachine::new(machine);
    let args = args.iter().map(|&arg| Content::Known(MemoryContent::Inner(arg.into()))).collect();
    let outcome = Interpreter::new(std::slice::from_ref(function), limits).run(&mut machine, 0, args);
    let inner = |content| match content {
        Content::Known(MemoryContent::Inner(datum)) => Content::Known(datum),
        _ => Content::Undefined,
    };
    let outcome = outcome.map(|contents| contents.into_iter().map(inner).collect()).map_err(|trap| trap.kind);
    Behavior { trace: machine.inner.trace().to_vec(), outcome }
}
