//! WebAssembly functions, directly from bytecode to SSA form.
//!
//! [`load`] reads and validates a module, in the binary or the text format,
//! with all proposals that `wasmparser` supports. A function with an
//! unsupported operator is refused with the operator's name
//! ([`Reason::Unsupported`]); the other functions are still translated.
//! [`translate()`] builds the SSA form of one function, [`translate_all`] that
//! of all functions in parallel. The operators stay those of WebAssembly, as
//! the dialect [`Wasm`]. [`Instance`] runs modules that use WebAssembly 1.0.
//!
//! # Examples
//! ```
//! use ssaphire::Certified;
//! use ssaphire_wasm::{TranslateOptions, load, translate};
//!
//! let module = load("(module (func $double (param $x i32) (result i32)
//!     (local $y i32)
//!     (local.set $y (local.get $x))
//!     (i32.add (local.get $x) (local.get $y))))")?;
//! let function = translate(&module, 0, &mut Certified::default(), TranslateOptions::default())?;
//! assert!(function.to_string().contains("i32.add %x.0, %x.0"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod dialect;
mod error;
mod machine;
mod module;
mod parallel;
mod pool;
mod text;
mod translate;

pub use dialect::{Constant, FunctionName, Immediates, Memory, Op, Opcode, Type, Wasm};
pub use error::{Error, FunctionError, Reason};
pub use machine::{Fault, Initial, Instance, MadeImport, Memory as InstanceMemory, MissingImports, Number, RunError};
pub use module::{Module, Uses, load, load_with};
pub use parallel::{Translated, translate_all};
pub use pool::Pool;
pub use text::{Located, TextMap, TextPlace};
pub use translate::{TranslateOptions, Translator, translate};
