//! Folding while a function is built: operations on constants, identities, common subexpressions, decided branches.
//!
//! [`Folding`] goes to a [`FunctionBuilder`](crate::FunctionBuilder), whose operations then leave an instruction only where one is needed.
//! What operations are, the dialect says: [`Dialect::evaluate`], [`Dialect::identities`], [`Dialect::computes`],
//! [`Dialect::chosen_slot`].
//!
//! The judge checks what became of each operation; that the equations on which it relies are laws of the dialect,
//! [`Folding::judge_equations`] checks.
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

use crate::dialect::Dialect;
use crate::function::{Function, ValueKind};
use operators::Operators;
use ssaphire::Value;
use ssaphire::fold::{FoldOptions, FoldStats, Folder};

/// What is folded in functions of a dialect, built one after the other.
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
pub struct Folding<D: Dialect> {
    pub(crate) folder: Folder,
    pub(crate) state: State<D>,
}

/// What is known of operations, and of the function at hand.
#[derive(Clone, Debug)]
pub(crate) struct State<D: Dialect> {
    operators: Operators<D>,
    /// Values whose instructions have to go.
    pub(crate) removed: Vec<Value>,
    /// Values that branches would have used, which use others instead.
    pub(crate) maybe_unused: Vec<Value>,
    /// The constants of the last function, as its certificate numbers them.
    constants: Vec<(Value, D::Constant)>,
}

impl<D: Dialect> Folding<D> {
    /// Folds what the options say.
    ///
    /// # Panics
    /// If the dialect lists something that is no [identity](identities).
    pub fn new(options: FoldOptions) -> Self {
        let state =
            State { operators: Operators::new(), removed: Vec::new(), maybe_unused: Vec::new(), constants: Vec::new() };
        Self { folder: Folder::new(options), state }
    }

    /// What is folded.
    pub fn options(&self) -> FoldOptions {
        self.folder.options()
    }

    /// How much was folded in the last function.
    pub fn stats(&self) -> &FoldStats {
        self.folder.stats()
    }

    /// Forgets the function before.
    pub(crate) fn clear(&mut self) {
        self.folder.clear();
        self.state.removed.clear();
        self.state.maybe_unused.clear();
        self.state.constants.clear();
    }
}

impl<D: Dialect> State<D> {
    /// The number of an operation, if it is one that folding asks about.
    pub(crate) fn number(&mut self, op: &D::Op) -> Option<ssaphire::Operator> {
        D::computes(op).then(|| self.operators.number(op))
    }

    /// The number of an operation by which [results are known](Dialect::known_as).
    pub(crate) fn number_opaque(&mut self, op: &D::Op) -> ssaphire::Operator {
        self.operators.number(op)
    }

    pub(crate) fn op(&self, operator: ssaphire::Operator) -> Option<&D::Op> {
        self.operators.op(operator)
    }

    /// The number of a branch that does nothing else.
    pub(crate) fn number_branch(&mut self, op: &D::Op) -> Option<ssaphire::Operator> {
        D::only_branches(op).then(|| self.operators.number(op))
    }

    /// Takes note of the constants, as they are numbered in the certificate.
    pub(crate) fn keep_constants(&mut self, function: &Function<D>) {
        for value in function.values() {
            if let ValueKind::Constant(constant) = function.value(value).kind {
                self.constants.push((value, constant.clone()));
            }
        }
    }
}
