//! Options of code generation.

use crate::Error;
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable};

/// Options of code generation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The options of SSA construction, where this crate constructs the SSA form.
    pub construction: ssaphire::Options,
    /// Whether Cranelift optimizes: slower to compile, faster to run.
    pub optimizes: bool,
    /// Whether Cranelift's verifier checks every function. Default: in debug builds.
    ///
    /// It takes time quadratic in the depth of the dominator tree.
    pub verifies: bool,
    /// The most blocks per function with which a program of the dialect [`Basic`](ssaphire_ir::Basic) is optimized.
    /// Default: 1,024.
    ///
    /// For each constant, Cranelift's optimizer walks the blocks that dominate its use, so its time is quadratic in the
    /// depth of the dominator tree. Each block of a program becomes several, which count its steps.
    pub most_optimized_blocks: usize,
}

impl Options {
    /// Options for fast compilation; the code runs slowly.
    pub fn quick() -> Self {
        Self { optimizes: false, ..Self::default() }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            construction: ssaphire::Options::default(),
            optimizes: true,
            verifies: cfg!(debug_assertions),
            most_optimized_blocks: 1 << 10,
        }
    }
}

/// This machine as a target of Cranelift, with or without the verifier.
///
/// # Errors
/// [`Error::Machine`] if Cranelift does not support it.
pub fn host_isa(optimizes: bool, verifies: bool) -> Result<OwnedTargetIsa, Error> {
    let mut flags = settings::builder();
    for (name, value) in [
        ("opt_level", if optimizes { "speed" } else { "none" }),
        ("enable_verifier", if verifies { "true" } else { "false" }),
        // Results are bit-identical on every machine, and identical to the interpreter's.
        ("enable_nan_canonicalization", "true"),
        // Instead, each function tests the stack at its beginning.
        ("enable_probestack", "false"),
        ("is_pic", "false"),
        ("unwind_info", "false"),
    ] {
        flags.set(name, value).map_err(Error::machine)?;
    }
    let builder = cranelift_native::builder().map_err(Error::machine)?;
    builder.finish(settings::Flags::new(flags)).map_err(Error::machine)
}
