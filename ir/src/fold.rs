//! Folding during construction: operations on constants, identities, common subexpressions, decided branches.
//!
//! [`Folding`] is passed to a [`FunctionBuilder`](crate::FunctionBuilder),
//! which then emits an instruction only where one is needed. The dialect
//! defines the operations: [`Semantics::evaluate`], [`Semantics::identities`],
//! [`Properties::computes`](crate::Properties::computes), [`Semantics::chosen_slot`].
//!
//! The judge checks the replacement of each operation;
//! [`Folding::judge_equations`] checks that the equations on which the judge
//! relies are laws of the dialect.
//!
//! | Braun et al. 2013, section 3.1 | here |
//! |---|---|
//! | optimizing constructors of instructions | [`FunctionBuilder::push_one`](crate::FunctionBuilder::push_one) |
//! | Fig. 4 | [`FunctionBuilder::terminate`](crate::FunctionBuilder::terminate), [`FunctionBuilder::is_unreachable`](crate::FunctionBuilder::is_unreachable) |
//!
//! # Departures
//! See [`ssaphire::fold`].

mod host;
mod identity;
mod laws;
mod operators;

pub(crate) use host::FoldingHost;
pub use identity::{Identity, IdentityError, Pattern, identities};

use crate::dialect::Semantics;
use crate::function::{Function, ValueKind};
use operators::Operators;
use ssaphire::Value;
use ssaphire::fold::{FoldOptions, FoldStats, Folder};

/// The folding state for functions of a dialect, built one after the other.
///
/// # Examples
/// ```
/// use ssaphire::Certified;
/// use ssaphire::fold::FoldOptions;
/// use ssaphire_ir::basic::{BinaryOp, Op, Type};
/// use ssaphire_ir::fold::Folding;
/// use ssaphire_ir::{Basic, FunctionBuilder};
///
/// # fn main() -> Result<(), ssaphire_ir::BuildError> {
/// let (mut ssa, mut folding) = (Certified::default(), Folding::<Basic>::new(FoldOptions::ALL));
/// let mut builder = FunctionBuilder::new(&mut ssa, "f");
/// builder.fold_with(&mut folding);
/// let x = builder.declare("x", Type::Number);
/// let parameter = builder.param(x)?;
/// let entry = builder.create_block();
/// builder.switch_to(entry);
/// let zero = builder.constant(0);
/// let sum = builder.push_one(Op::Binary(BinaryOp::Add), &[parameter, zero], Type::Number)?;
/// assert_eq!(sum, parameter);
/// builder.terminate(Op::Return, &[sum], &[])?;
/// assert_eq!(builder.finish()?.to_string(), "func f(%x.0) {\nblock0:\n  return %x.0\n}\n");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Folding<D: Semantics> {
    pub(crate) folder: Folder,
    pub(crate) state: State<D>,
}

/// Facts about operations, and about the current function.
#[derive(Clone, Debug)]
pub(crate) struct State<D: Semantics> {
    operators: Operators<D>,
    /// Values whose instructions must be removed.
    pub(crate) removed: Vec<Value>,
    /// Values that branches would have used, but for which they use others instead.
    pub(crate) maybe_unused: Vec<Value>,
    /// The constants of the last function, with their numbers in the certificate.
    constants: Vec<(Value, D::Constant)>,
}

impl<D: Semantics> Folding<D> {
    /// Folds as `options` say.
    ///
    /// # Panics
    /// If the dialect lists an invalid [identity](identities).
    pub fn new(options: FoldOptions) -> Self {
        let state =
            State { operators: Operators::new(), removed: Vec::new(), maybe_unused: Vec::new(), constants: Vec::new() };
        Self { folder: Folder::new(options), state }
    }

    /// The options.
    pub fn options(&self) -> FoldOptions {
        self.folder.options()
    }

    /// Counters of the last function.
    pub fn stats(&self) -> &FoldStats {
        self.folder.stats()
    }

    /// Clears the state of the previous function.
    pub(crate) fn clear(&mut self) {
        self.folder.clear();
        self.state.removed.clear();
        self.state.maybe_unused.clear();
        self.state.constants.clear();
    }
}

impl<D: Semantics> State<D> {
    /// The number of an operation, if folding considers it.
    pub(crate) fn number(&mut self, op: &D::Op) -> Option<ssaphire::Operator> {
        D::properties(op).computes.then(|| self.operators.number(op))
    }

    /// The number of an operation by which [results are known](Semantics::known_as).
    pub(crate) fn number_opaque(&mut self, op: &D::Op) -> ssaphire::Operator {
        self.operators.number(op)
    }

    pub(crate) fn op(&self, operator: ssaphire::Operator) -> Option<&D::Op> {
        self.operators.op(operator)
    }

    /// The number of an operation that only branches.
    pub(crate) fn number_branch(&mut self, op: &D::Op) -> Option<ssaphire::Operator> {
        D::properties(op).only_branches.then(|| self.operators.number(op))
    }

    /// Records the constants with their numbers in the certificate.
    pub(crate) fn keep_constants(&mut self, function: &Function<D>) {
        for value in function.values() {
            if let ValueKind::Constant(constant) = function.value(value).kind {
                self.constants.push((value, constant.clone()));
            }
        }
    }
}
