//! WebAssembly 1.0, with the operators added soon after it.
//!
//! | step | file |
//! |---|---|
//! | a function: locals as variables, traps | `translate` |
//! | calls | `call` |
//! | unsupported operators | `coverage` |
//! | blocks, loops, branches | `control` |
//! | operators that compute | `numeric` |
//! | loads, stores, memory | `memory` |
//! | counting of steps and calls | `meter` |
//! | the reasons why a run ends early | `trap` |
//! | compilation of functions, at once or on their first call | `functions` |
//! | a running module | `instance` |
//! | callbacks of running code | `callbacks` |
//!
//! Beyond 1.0: sign extension, saturating conversions, multiple results, and
//! `memory.copy` and `memory.fill`.

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
