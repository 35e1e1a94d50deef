//! What is built: whether it is right, how many block parameters it has, what compiling it takes.

use super::{Refused, Way};
use crate::measure;
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::Function;
use cranelift_codegen::isa::TargetIsa;
use cranelift_codegen::{Context, verify_function};
use ssaphire_jit::wasm::Traps;
use ssaphire_wasm::Module;
use std::time::Duration;

/// What came of all functions of a module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Quality {
    /// Functions.
    pub functions: u64,
    /// Those that Cranelift's verifier refuses.
    pub refused: u64,
    /// By function, its block parameters, those of the entry left out.
    pub params: Vec<u64>,
    /// The same after Cranelift's `remove_constant_phis`.
    pub params_left: Vec<u64>,
    /// Time to compile all functions, optimized.
    pub compile_time: Duration,
    /// Bytes of machine code.
    pub code_size: u64,
}

impl Quality {
    /// Translates, verifies and compiles all functions.
    ///
    /// # Errors
    /// If the translation refuses one.
    pub fn measure(way: Way, module: &Module, traps: Traps, isa: &dyn TargetIsa) -> Result<Self, Refused> {
        let mut quality = Self::default();
        let mut context = Context::new();
        way.translate(module, isa.frontend_config(), traps, |_, func| {
            quality.functions += 1;
            quality.refused += u64::from(verify_function(func, isa).is_err());
            quality.params.push(num_params(func));
            context.clear();
            context.func = func.clone();
            context.compute_cfg();
            context.compute_domtree();
            if context.remove_constant_phis(isa).is_err() {
                quality.refused += 1;
            }
            quality.params_left.push(num_params(&context.func));
            context.clear();
            context.func = func.clone();
            let (compiled, time) = measure::time(|| context.compile(isa, &mut ControlPlane::default()).is_ok());
            quality.compile_time += time;
            quality.refused += u64::from(!compiled);
            quality.code_size += context.compiled_code().map_or(0, |code| code.code_buffer().len() as u64);
        })?;
        Ok(quality)
    }

    /// Functions that have more parameters than the same function of `other`, before or after `remove_constant_phis`.
    pub fn num_worse_than(&self, other: &Self) -> usize {
        let ours = self.params.iter().zip(&self.params_left);
        let theirs = other.params.iter().zip(&other.params_left);
        ours.zip(theirs)
            .filter(|((ours, ours_left), (theirs, theirs_left))| ours > theirs || ours_left > theirs_left)
            .count()
    }
}

/// Parameters of all blocks but the entry.
fn num_params(func: &Function) -> u64 {
    func.layout.blocks().skip(1).map(|block| func.dfg.num_block_params(block) as u64).sum()
}
