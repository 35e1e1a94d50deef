//! How machine code is made.

use crate::Error;
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable};

/// How machine code is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// How the SSA form is built, where that is done here.
    pub construction: ssaphire::Options,
    /// Whether Cranelift optimizes. It takes more time to compile, and less to run.
    pub optimizes: bool,
    /// Whether Cranelift's verifier looks at every function. Default: in debug builds.
    ///
    /// It takes time quadratic in the depth of the dominator tree.
    pub verifies: bool,
    /// A program of the dialect [`Basic`](ssaphire_ir::Basic) with a function of more blocks is not optimized. Default: 1,024.
    ///
    /// For each constant, Cranelift's optimizer looks through the blocks that dominate its use, so it takes time quadratic
    /// in the depth of the dominator tree; and each block of a program becomes several, which count its steps.
    pub most_optimized_blocks: usize,
}

impl Options {
    /// Code is made quickly, and runs slowly.
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

/// The machine this program runs on, as a target of Cranelift; whether its verifier looks at every function.
///
/// # Errors
/// [`Error::Machine`] if Cranelift has no code for it.
pub fn host_isa(optimizes: bool, verifies: bool) -> Result<OwnedTargetIsa, Error> {
    let mut flags = settings::builder();
    for (name, value) in [
        ("opt_level", if optimizes { "speed" } else { "none" }),
        ("enable_verifier", if verifies { "true" } else { "false" }),
        // The same bits on every machine, and those of the interpreter.
        ("enable_nan_canonicalization", "true"),
        // The stack is tested at the beginning of each function instead.
        ("enable_probestack", "false"),
        ("is_pic", "false"),
        ("unwind_info", "false"),
    ] {
        flags.set(name, value).map_err(Error::machine)?;
    }
    let builder = cranelift_native::builder().map_err(Error::machine)?;
    builder.finish(settings::Flags::new(flags)).map_err(Error::machine)
}
