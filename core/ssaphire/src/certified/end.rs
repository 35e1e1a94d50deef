//! The end of a function: its result, its certificate, and the comparison with the host's code.

use super::{Certified, CertifyError};
use crate::claims::Claims;
use crate::ranker::Ranked;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use ssaphire_check::{Journal, Mode, Program, ProgramError, Violation};
use ssaphire_construct::{PhiHost, SsaBuilder};
use ssaphire_graph::{Block, Value, Variable};

/// Writes the certificate of a finished function.
fn close(journal: &mut Journal, claims: &mut Claims, program: &mut Program) -> Result<(), ProgramError> {
    for (variable, value) in core::mem::take(&mut claims.undefined) {
        // Where the caller gave an initial value, only unreachable code made the builder ask for this one.
        if !claims.initial.contains(variable) {
            // If the value is a constant or a parameter, the variable has this value; otherwise it is undefined.
            let is_undefined = !claims.globals.contains(value);
            journal.initial(variable, value, is_undefined);
        }
    }
    journal.close(claims, program)
}

/// Judges a finished function.
///
/// # Panics
/// If the judge refuses it, or it does not fit the form of certificates.
pub(super) fn judge(journal: &mut Journal, claims: &mut Claims) {
    let mut program = Program::new();
    if let Err(error) = close(journal, claims, &mut program) {
        panic!("the SSA form cannot be judged: {error}");
    }
    let violations = ssaphire_check::validate(&program, Mode::Exact).err().unwrap_or_default();
    let reasons: Vec<String> = violations.iter().map(ToString::to_string).collect();
    assert!(reasons.is_empty(), "the judge refuses the SSA form: {}", reasons.join("; "));
}

impl<B: SsaBuilder> Certified<B> {
    /// Compares the code that the host has written with the result: see [`differences`](Self::differences).
    ///
    /// Call it once, after [`finish`](SsaBuilder::finish) and before any further change to the code. If nothing was
    /// recorded, or the host [does not show](PhiHost::visit_code) its code, it does nothing.
    ///
    /// # Complexity
    /// O(*u* log *u* + *p*), for *u* uses and *p* operands of phis.
    pub fn compare(&mut self, host: &dyn PhiHost) {
        if self.claims.is_complete {
            self.claims.compare(host);
        }
    }

    /// Writes the certificate for the judge: the journal of this function, and the result.
    ///
    /// The certificate claims a value for each read, except for reads that returned a phi that was dropped.
    ///
    /// The judge checks the builder's result. To check the host's code, too, [`compare`](Self::compare) it with the
    /// result, and pass it as an [`SsaForm`](ssaphire_graph::SsaForm) to [`rules`](ssaphire_check::rules()) and
    /// [`quality`](ssaphire_check::quality()).
    ///
    /// # Errors
    /// If the journal was off, nothing was finished, or the function does not fit the form of certificates.
    ///
    /// # Complexity
    /// Linear in the calls recorded and the operands of the phis.
    pub fn certify(&mut self, program: &mut Program) -> Result<(), CertifyError> {
        program.clear();
        if !self.is_recording {
            return Err(CertifyError::NotRecorded);
        }
        if !self.claims.is_complete {
            return Err(CertifyError::NotFinished);
        }
        Ok(close(&mut self.journal, &mut self.claims, program)?)
    }

    /// Does what [`certify`](Self::certify) does, and adds proofs that the result is minimal and pruned.
    ///
    /// The certificate claims each of the two properties if the result has it; the return value reports which. The
    /// result may lack them if `minimize` was switched off, or if only instructions of unreachable blocks use a phi.
    ///
    /// # Errors
    /// As [`certify`](Self::certify).
    ///
    /// # Complexity
    /// That of [`certify`](Self::certify), plus that of [`Ranker::rank`](crate::Ranker::rank).
    pub fn certify_ranked(&mut self, program: &mut Program) -> Result<Ranked, CertifyError> {
        self.certify(program)?;
        Ok(self.ranker.rank(program))
    }

    /// A message for each error in the result; none if it is correct. For tests, in one call:
    ///
    /// * It is equivalent to the recorded calls on every path: [`validate`](ssaphire_check::validate), in exact mode.
    /// * It is pruned, and minimal if the options [minimize](ssaphire_construct::Options::minimize):
    ///   [`quality`](ssaphire_check::quality()).
    /// * The host's code agrees with the result, if the host shows it and [`compare`](Self::compare) was called.
    /// * A function was recorded and finished; otherwise that is a complaint.
    ///
    /// # Complexity
    /// That of the judge: near linear in the calls and operands, except on graphs that are far from reducible.
    ///
    /// # Examples
    /// ```
    /// # use ssaphire::{Block, Certified, PhiHost, Value, Variable};
    /// # struct Ir;
    /// # impl PhiHost for Ir {
    /// #     fn new_phi(&mut self, _: Block, _: Variable) -> Value { Value::new(1) }
    /// #     fn undefined(&mut self, _: Variable) -> Value { Value::new(2) }
    /// # }
    /// # let (mut ir, entry, x) = (Ir, Block::new(0), Variable::new(0));
    /// let mut ssa = Certified::default();
    /// ssa.write_variable(entry, x, Value::new(0));
    /// ssa.read_variable(&mut ir, entry, x);
    /// ssa.terminate(entry, &[]);
    /// ssa.finish(&mut ir)?;
    /// assert_eq!(ssa.complaints(), [""; 0]);
    /// # Ok::<(), ssaphire::CallError>(())
    /// ```
    pub fn complaints(&mut self) -> Vec<String> {
        let mut program = Program::new();
        if let Err(error) = self.certify(&mut program) {
            return alloc::vec![self.describe(&error)];
        }
        let mut violations = ssaphire_check::validate(&program, Mode::Exact).err().unwrap_or_default();
        if self.options().minimize {
            violations.extend(ssaphire_check::quality(&program));
        }
        violations.extend_from_slice(self.differences().unwrap_or_default());
        violations.iter().map(|violation| self.describe(violation)).collect()
    }

    /// The differences between the host's code and the result, found by [`compare`](Self::compare), or `None` if
    /// nothing was compared: the host [does not show](PhiHost::visit_code) its code, or nothing was recorded.
    ///
    /// They locate each forwarded value that is still in use, and each phi that differs from the result.
    pub fn differences(&self) -> Option<&[Violation]> {
        self.claims.is_compared.then_some(&*self.claims.differences)
    }

    /// Number of reads for which the last certificate claims nothing, because they returned a phi that was dropped.
    pub fn num_unclaimed(&self) -> usize {
        self.journal.num_unclaimed()
    }

    /// Number of values that the host replaced, which the certificate takes on trust.
    pub fn num_trusted(&self) -> usize {
        self.journal.num_trusted()
    }

    /// The phis of the result, by block and creation: block, variable, value.
    pub fn kept_phis(&self) -> &[(Block, Variable, Value)] {
        &self.claims.phis
    }

    /// The values of the operands of all phis of the result, in order.
    pub fn kept_operands(&self) -> &[Value] {
        &self.claims.operands
    }
}
