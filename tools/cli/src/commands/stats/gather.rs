//! Something measured of each function of all inputs.

use crate::console::Console;
use crate::construction::{CertifiedBuilder, Construction};
use crate::diagnostic::Failure;
use crate::input::Input;
use crate::pipeline::Pipeline;
use crate::source::{Translator, Untranslated};
use std::ops::AddAssign;

/// One function.
pub(super) struct Row<T> {
    /// The input's number.
    pub(super) input: usize,
    /// The function's number.
    pub(super) index: usize,
    pub(super) name: String,
    pub(super) counts: T,
}

/// What was measured.
pub(super) struct Gathered<'i, T> {
    pub(super) inputs: &'i [Input],
    pub(super) rows: Vec<Row<T>>,
    /// Functions that could not be measured.
    pub(super) failed: usize,
}

impl<'i, T: Copy + Default + AddAssign + Send> Gathered<'i, T> {
    /// Measures all functions; where a construction is part of it, it is this one.
    pub(super) fn new(
        inputs: &'i [Input],
        construction: &Construction,
        pipeline: &Pipeline,
        console: &Console,
        measure: impl Fn(&mut dyn Translator, &mut CertifiedBuilder, usize) -> Result<T, Untranslated> + Sync,
    ) -> Self {
        let new_worker = |input: &'i Input| {
            let mut ssa = construction.builder();
            ssa.set_recording(false);
            (input.source.translator(construction.fold), ssa)
        };
        let work = |(translator, ssa): &mut (Box<dyn Translator + 'i>, CertifiedBuilder), index| {
            measure(&mut **translator, ssa, index)
        };
        Self::by_workers(inputs, pipeline, console, new_worker, work)
    }

    /// Measures all functions by workers that are made for each input.
    pub(super) fn by_workers<W: Send>(
        inputs: &'i [Input],
        pipeline: &Pipeline,
        console: &Console,
        new_worker: impl Fn(&'i Input) -> W + Sync,
        work: impl Fn(&mut W, usize) -> Result<T, Untranslated> + Sync,
    ) -> Self {
        let mut gathered = Self { inputs, rows: Vec::new(), failed: 0 };
        for (number, input) in inputs.iter().enumerate() {
            let take = |index, counts| {
                gathered.take(number, index, counts, console);
                Ok::<(), Failure>(())
            };
            // What `take` returns is never an error.
            let _ = pipeline.run(&input.functions, || new_worker(input), &work, take);
        }
        gathered
    }

    fn take(&mut self, input: usize, index: usize, counts: Result<T, Untranslated>, console: &Console) {
        let name = self.inputs[input].source.name(index);
        match counts {
            Ok(counts) => self.rows.push(Row { input, index, name, counts }),
            Err(Untranslated { reason, byte }) => {
                self.failed += 1;
                console.error(&self.inputs[input].problem(index, reason, byte));
            }
        }
    }

    /// Of the functions of one input: their number, and the sum of their counts.
    pub(super) fn sum(&self, input: usize) -> (usize, T) {
        let rows = self.rows.iter().filter(|row| row.input == input);
        rows.fold((0, T::default()), |(number, mut sum), row| {
            sum += row.counts;
            (number + 1, sum)
        })
    }
}
