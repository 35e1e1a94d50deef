//! The state that is kept from function to function: memory, and build options.

use crate::error::FinalizeError;
use crate::host::HostContext;
use crate::versions::MakeAliasRegion;
use crate::{Undefined, Variable};
use alloc::vec::Vec;
use core::fmt;
use cranelift_codegen::entity::{EntitySet, SecondaryMap};
use cranelift_codegen::ir::{Block, Value};
use ssaphire::check::{Mode, Program, validate};
use ssaphire::{Builder, Certified, CertifyError, Options, SsaBuilder, Stats};

/// Whether functions are judged by default.
const JUDGES: bool = cfg!(all(feature = "judge", debug_assertions));

/// The reusable memory of a [`FunctionBuilder`](crate::FunctionBuilder).
pub struct FunctionBuilderContext<B: SsaBuilder = Builder> {
    pub(crate) ssa: Certified<B>,
    pub(crate) state: State,
    pub(crate) undefined: Undefined,
    pub(crate) make_alias_region: Option<MakeAliasRegion>,
    /// Whether each function is judged before it is handed over.
    pub(crate) is_judging: bool,
}

impl Default for FunctionBuilderContext {
    /// [`new`](Self::new).
    fn default() -> Self {
        Self::new()
    }
}

impl<B: SsaBuilder> fmt::Debug for FunctionBuilderContext<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FunctionBuilderContext").field("undefined", &self.undefined).finish_non_exhaustive()
    }
}

/// The state of the builder of one function, besides the function.
#[derive(Debug, Default)]
pub(crate) struct State {
    pub(crate) entry: Option<Block>,
    pub(crate) blocks: SecondaryMap<Block, BlockState>,
    pub(crate) host: HostContext,
    /// Blocks that were empty and without incoming branches when they were passed to the builder; branches may have
    /// come later.
    pub(crate) deserted: Vec<Block>,
    /// The first error.
    pub(crate) error: Option<FinalizeError>,
    /// Variables and values that go into stack maps.
    pub(crate) mapped_variables: EntitySet<Variable>,
    pub(crate) mapped_values: EntitySet<Value>,
    /// Values whose defining block is in a journal.
    pub(crate) placed: EntitySet<Value>,
    pub(crate) targets: Vec<ssaphire::Block>,
}

/// The progress of a block.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BlockState {
    /// Whether the block has an instruction or a use of a variable.
    pub(crate) is_started: bool,
    pub(crate) is_filled: bool,
    /// Whether it was sealed while no branch to it existed. The call reaches the builder only when the block becomes
    /// current.
    pub(crate) is_sealed_early: bool,
    /// Number of branches to it so far.
    pub(crate) num_branches: u32,
}

impl State {
    pub(crate) fn clear(&mut self) {
        self.entry = None;
        self.host.clear();
        self.deserted.clear();
        self.blocks.clear();
        self.error = None;
        self.mapped_variables.clear();
        self.mapped_values.clear();
        self.placed.clear();
    }

    /// The progress of `block`, to be changed.
    ///
    /// Makes room for many blocks at once: their numbers are consecutive.
    #[inline]
    pub(crate) fn block_mut(blocks: &mut SecondaryMap<Block, BlockState>, block: Block) -> &mut BlockState {
        if blocks.get(block).is_none() {
            blocks.resize((block.as_u32() as usize + 1).next_power_of_two());
        }
        &mut blocks[block]
    }

    /// Remembers a block that was passed to the builder, if nothing requires it to be filled so far.
    pub(crate) fn note_if_deserted(&mut self, block: Block) {
        let BlockState { is_started, num_branches, .. } = self.blocks[block];
        if !is_started && num_branches == 0 && self.entry != Some(block) {
            self.deserted.push(block);
        }
    }

    /// Keeps the first error.
    pub(crate) fn fail(&mut self, error: FinalizeError) {
        self.error.get_or_insert(error);
    }
}

impl FunctionBuilderContext {
    /// A context that reports undefined variables as errors.
    pub fn new() -> Self {
        Self::with_undefined(Undefined::default())
    }

    /// A context that treats undefined variables as `undefined` says.
    pub fn with_undefined(undefined: Undefined) -> Self {
        Self::with_options(undefined, Options::default())
    }

    /// A context whose functions are built with `options`, except for undefined variables.
    pub fn with_options(undefined: Undefined, mut options: Options) -> Self {
        options.report_undefined_reads = undefined == Undefined::Error;
        Self::with_builder(undefined, Builder::with_options(options))
    }
}

impl<B: SsaBuilder> FunctionBuilderContext<B> {
    /// A context whose functions are built by `builder`, which must be new. If undefined variables are
    /// [errors](Undefined::Error), the builder [reports](Options::report_undefined_reads) reads of them.
    pub fn with_builder(undefined: Undefined, builder: B) -> Self {
        let mut ssa = Certified::with_builder(builder);
        // A violation is an error here, not a panic.
        ssa.set_judging(false);
        ssa.set_recording(JUDGES);
        Self { ssa, state: State::default(), undefined, make_alias_region: None, is_judging: JUDGES }
    }

    /// Sets whether the next functions are judged. [`try_finalize`](crate::FunctionBuilder::try_finalize) then returns
    /// [`FinalizeError::Refused`] if the judge finds that the result differs from the program that the calls describe,
    /// or that the function differs from the result. Judging implies recording.
    ///
    /// Default: no; with the feature `judge`, yes in debug builds.
    ///
    /// # Complexity
    /// Near linear in the calls and operands: about as much as building.
    pub fn set_judging(&mut self, is_judging: bool) {
        self.is_judging = is_judging;
        self.ssa.set_recording(is_judging);
    }

    /// Sets whether the next functions are recorded, to be judged: see [`certify`](Self::certify). Default: no.
    pub fn set_recording(&mut self, is_recording: bool) {
        self.ssa.set_recording(is_recording);
    }

    /// Writes the judge's input for the last finalized function.
    ///
    /// # Errors
    /// If it was not recorded, or not finalized.
    pub fn certify(&mut self, program: &mut Program) -> Result<(), CertifyError> {
        self.ssa.certify(program)
    }

    /// Judges the function that was just finalized.
    ///
    /// # Errors
    /// If the judge refuses it, or cannot judge it.
    pub(crate) fn judge(&mut self) -> Result<(), FinalizeError> {
        // A function that was started before recording was switched on has no certificate.
        if !self.ssa.is_recording() {
            return Ok(());
        }
        let mut program = Program::new();
        self.ssa.certify(&mut program).map_err(FinalizeError::NotCertified)?;
        let mut violations = validate(&program, Mode::Exact).err().unwrap_or_default();
        violations.extend_from_slice(self.ssa.differences().unwrap_or_default());
        if violations.is_empty() { Ok(()) } else { Err(FinalizeError::Refused(violations)) }
    }

    /// Counters of the last finalized function.
    pub fn stats(&self) -> &Stats {
        self.ssa.stats()
    }

    pub(crate) fn clear(&mut self) {
        self.ssa.clear();
        self.state.clear();
        self.make_alias_region = None;
    }
}
