//! WebAssembly to machine code: one translation, by our builder and by `cranelift-frontend`'s.
//!
//! All functions of a module are translated to Cranelift's instructions, one
//! after the other in the same memory. The [`Skeleton`] does the same with
//! Cranelift's builder, but without its variables: a use is the value that was
//! written last, in whatever block. What a builder takes beyond that is its
//! share for SSA construction. [`Bare`] does without a builder.
//!
//! Code may end early in two ways, and both are measured: by trapping
//! instructions, as compilers do that handle signals; and by branches, which
//! make nearly three times as many blocks, and which can be run here.
//!
//! | what is compared | in |
//! |---|---|
//! | verifier, block parameters, time to compile, size of the code | `quality` |
//! | what the functions do | `execution` |

mod execution;
mod quality;
mod skeleton;
mod table;

pub use execution::{Execution, execute};
pub use quality::Quality;
pub use skeleton::{Bare, Skeleton};
pub use table::{Comparison, FORMS, Form};

use cranelift_codegen::ir::Function;
use cranelift_codegen::isa::TargetFrontendConfig;
use skeleton::{BareFunctions, Skeletons};
use ssaphire_jit::wasm::{TranslateError, TranslateOptions, Traps, translate};
use ssaphire_jit::{Builders, CraneliftsBuilder, Options, OurBuilder};
use ssaphire_wasm::Module;
use std::fmt;

/// Which builder a translation uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// None: the result is not right.
    Bare,
    /// That of `cranelift-frontend` without variables: the result is not right.
    Skeleton,
    /// Ours.
    Ours,
    /// That of `cranelift-frontend`.
    Cranelift,
}

/// Why a module was not translated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The function.
    pub function: String,
    /// In the words of who refused.
    pub reason: String,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "function `{}`: {}", self.function, self.reason)
    }
}

impl std::error::Error for Refused {}

impl Way {
    /// All ways, in the order of the table.
    pub const ALL: [Self; 4] = [Self::Bare, Self::Skeleton, Self::Cranelift, Self::Ours];

    /// Those whose results are right.
    pub const RIGHT: [Self; 2] = [Self::Cranelift, Self::Ours];

    /// Its name, as on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bare => "no builder",
            Self::Skeleton => "skeleton",
            Self::Ours => "ssaphire",
            Self::Cranelift => "cranelift",
        }
    }

    /// The way of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|way| way.name() == name)
    }

    /// Translates all functions and shows each.
    ///
    /// # Errors
    /// If one is not covered as a whole, or the builder refuses it.
    pub fn translate(
        self,
        module: &Module,
        config: TargetFrontendConfig,
        traps: Traps,
        show: impl FnMut(u32, &mut Function),
    ) -> Result<(), Refused> {
        match self {
            Self::Bare => translate_all(&BareFunctions, module, config, traps, show),
            Self::Skeleton => translate_all(&Skeletons, module, config, traps, show),
            Self::Ours => translate_all(&OurBuilder, module, config, traps, show),
            Self::Cranelift => translate_all(&CraneliftsBuilder, module, config, traps, show),
        }
    }
}

fn translate_all<B: Builders>(
    builders: &B,
    module: &Module,
    config: TargetFrontendConfig,
    traps: Traps,
    mut show: impl FnMut(u32, &mut Function),
) -> Result<(), Refused> {
    let mut context = builders.context(&Options::default());
    let mut func = Function::new();
    for index in module.defined_functions() {
        func.clear();
        let options = TranslateOptions { traps, ..TranslateOptions::default() };
        let translated = translate::<B::Builder<'_>>(module, index, &mut func, &mut context, config, options);
        let refused = |reason: String| Refused { function: module.function_name(index), reason };
        let not_covered = translated.map_err(|error: TranslateError| refused(error.to_string()))?;
        if let Some(first) = not_covered.first() {
            return Err(refused(first.to_string()));
        }
        show(index, &mut func);
    }
    Ok(())
}
