//! WebAssembly of the first version, with the operators that came soon after it.
//!
//! | step | file |
//! |---|---|
//! | a function: locals as variables, traps | `translate` |
//! | calls | `call` |
//! | what is not covered | `coverage` |
//! | blocks, loops, branches | `control` |
//! | operators that compute | `numeric` |
//! | loads, stores, memory | `memory` |
//! | steps and calls that are counted | `meter` |
//! | why a run ends early | `trap` |
//! | functions that are compiled, at once or when they are called | `functions` |
//! | a module that runs | `instance` |
//! | what running code leaves to us | `callbacks` |
//!
//! Beside the first version: sign extension, conversions that saturate, several
//! results, and `memory.copy` and `memory.fill`.

mod call;
mod callbacks;
mod control;
mod coverage;
mod functions;
mod instance;
mod memory;
mod meter;
mod numeric;
mod translate;
mod trap;

pub use coverage::{NotCovered, TranslateError};
pub use functions::Compile;
pub use instance::{Instance, RunError, Setup};
pub use translate::{Calls, TranslateOptions, Traps, signature, translate};
