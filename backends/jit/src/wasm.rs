//! WebAssembly 1.0, with the operators added soon after it.
//!
//! | step | file |
//! |---|---|
//! | a function, operator by operator: locals as variables | `translate` |
//! | what a translation holds, traps | `translation` |
//! | calls | `call` |
//! | unsupported operators | `coverage` |
//! | blocks, loops, branches | `control` |
//! | operators that compute | `numeric` |
//! | loads, stores, memory | `memory` |
//! | counting of steps and calls | `meter` |
//! | the reasons why a run ends early | `trap` |
//! | compilation of functions, at once or on their first call | `functions` |
//! | a running module, its options | `instance`, `setup` |
//! | callbacks of running code, their numbers | `callbacks`, `callback` |
//!
//! Beyond 1.0: sign extension, saturating conversions, multiple results, and
//! `memory.copy` and `memory.fill`.

mod call;
mod callback;
mod callbacks;
mod control;
mod coverage;
mod functions;
mod instance;
mod memory;
mod meter;
mod numeric;
mod setup;
mod translate;
mod translation;
mod trap;

pub use coverage::{NotCovered, TranslateError};
pub use instance::Instance;
pub use setup::{Compile, RunError, Setup};
pub use translate::{TranslateOptions, translate};
pub use translation::{Calls, Traps, signature};
