//! A function in SSA form, whatever its dialect.

use crate::arguments::Emit;
use crate::construction::CertifiedBuilder;
use ssaphire::CfgError;
use ssaphire::check::isomorphic::isomorphic_by;
use ssaphire::destruct::{Counted, DestructError, Method, destruct};
use ssaphire_ir::analysis::{self, AnalysisError, Style};
use ssaphire_ir::cps::{self, Cps, Layout, NotSsa, scheme};
use ssaphire_ir::judge::{Demands, Inspector, Judgement, Needless, Refusal, Unproved, prove_translation};
use ssaphire_ir::memory::{Agreement, agreement};
use ssaphire_ir::passes::{Pass, PassOptions, count_unused};
use ssaphire_ir::text::{self, PrintOptions};
use ssaphire_ir::{Basic, DestructView, Dialect, Function, LeaveError, Left, Syntax, dot, json, leave_ssa};
use std::any::Any;
use std::fmt;
use std::ops::AddAssign;

/// A function in SSA form: what the commands do with it.
pub(crate) trait Built: Send {
    /// Its name.
    fn name(&self) -> &str;

    /// The name of its dialect.
    fn dialect(&self) -> &'static str;

    /// Numbers of its blocks, variables and phis.
    fn size(&self) -> Size;

    /// Writes it, or what is computed from it; a certificate is not the function's to write.
    ///
    /// # Errors
    /// Where `out` has one, or there is nothing to compute from.
    fn emit(&self, writing: Writing, out: &mut dyn fmt::Write) -> Result<(), EmitError>;

    /// What is to be said of it, as `ssa` has built it.
    fn judge(&self, inspector: &mut Inspector, ssa: &mut CertifiedBuilder, demands: Demands) -> Judgement;

    /// Why it is refused, as `ssa` has built it, if it is.
    fn refusals(&self, inspector: &mut Inspector, ssa: &mut CertifiedBuilder, demands: Demands) -> Vec<Refusal>;

    /// Rules of functions and of SSA form that it breaks.
    fn broken_rules(&self, inspector: &mut Inspector) -> Vec<Refusal>;

    /// Phis that it does not need.
    fn needless(&self, inspector: &mut Inspector) -> Needless;

    /// Instructions and phis that it has and nothing uses.
    fn num_unused(&self) -> u64;

    /// The copies in place of its phis, where it leaves SSA form by `method`.
    ///
    /// # Errors
    /// If it is not in SSA form.
    fn count_copies(&self, method: Method) -> Result<Counted, DestructError>;

    /// Itself out of SSA form, and what that took.
    ///
    /// # Errors
    /// If it is not in SSA form, or values of one storage are needed at once.
    fn leave(&self, method: Method) -> Result<(Box<dyn Built>, Copies), LeaveError>;

    /// Itself, out of SSA form, as a program in the While language; as statements alone if it `is_bare`.
    ///
    /// # Errors
    /// Why the language cannot say what it does.
    fn program(&self, is_bare: bool) -> Result<String, String>;

    /// Runs a pass on it: how much that has done.
    ///
    /// # Errors
    /// If its graph breaks the contract.
    fn run_pass(&mut self, pass: Pass, options: PassOptions) -> Result<usize, CfgError>;

    /// [`run_pass`](Self::run_pass), and whether it is proven to do what it did before.
    ///
    /// # Errors
    /// As there.
    fn run_judged_pass(&mut self, pass: Pass, options: PassOptions) -> Result<JudgedPass, CfgError>;

    /// Numbers its values anew, without those that are gone.
    fn canonicalize(&mut self);

    /// What keeps it from being the same as `other` up to the names of values.
    fn difference(&self, other: &dyn Built) -> Option<String>;

    /// How `other`, made over memory, is beside it; `None` if they cannot be compared.
    fn agreement(&self, other: &dyn Built) -> Option<Agreement>;

    /// Itself, to be compared with another one.
    fn as_any(&self) -> &dyn Any;

    /// Itself, for a downcast.
    fn into_any(self: Box<Self>) -> Box<dyn Any>;
}

/// What a pass has done to a function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JudgedPass {
    /// How much.
    pub(crate) changes: usize,
    /// Whether the function does what it did before.
    pub(crate) proof: Result<(), Unproved>,
}

/// Why a function was not written.
#[derive(Debug)]
pub(crate) enum EmitError {
    /// An analysis has no answer.
    Analysis(AnalysisError),
    /// There are no continuations.
    NotSsa(NotSsa),
    /// Scheme was asked for.
    NotBasic {
        /// The dialect that the function has.
        dialect: &'static str,
    },
    /// The writer failed.
    Output(fmt::Error),
}

impl fmt::Display for EmitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Analysis(error) => error.fmt(f),
            Self::NotSsa(error) => error.fmt(f),
            Self::NotBasic { dialect } => {
                write!(f, "of dialect `{dialect}`, but `--emit scheme` requires dialect `{}`", Basic::NAME)
            }
            Self::Output(error) => error.fmt(f),
        }
    }
}

impl From<AnalysisError> for EmitError {
    fn from(error: AnalysisError) -> Self {
        Self::Analysis(error)
    }
}

impl From<NotSsa> for EmitError {
    fn from(error: NotSsa) -> Self {
        Self::NotSsa(error)
    }
}

impl From<fmt::Error> for EmitError {
    fn from(error: fmt::Error) -> Self {
        Self::Output(error)
    }
}

/// What it took to leave SSA form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Copies {
    /// In place of phis.
    pub(crate) all: u64,
    /// Of whole arrays.
    pub(crate) of_arrays: u64,
    /// Blocks on edges.
    pub(crate) split_edges: u64,
}

impl AddAssign for Copies {
    fn add_assign(&mut self, other: Self) {
        self.all += other.all;
        self.of_arrays += other.of_arrays;
        self.split_edges += other.split_edges;
    }
}

/// What is written of a function, and how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Writing {
    pub(crate) emit: Emit,
    pub(crate) printing: PrintOptions,
    /// How memory form or an analysis is written.
    pub(crate) style: Style,
}

impl Writing {
    /// Whether people read it: with a line before each input, and an empty one between functions.
    pub(crate) fn is_text(self) -> bool {
        match self.emit {
            Emit::Memory | Emit::Analysis(_) => self.style == Style::Text,
            emit => matches!(emit, Emit::Text | Emit::Cps | Emit::CpsFlat | Emit::Scheme),
        }
    }

    /// Whether functions are written in the text form of the reference IR, and not what is computed from them.
    pub(crate) fn is_function_text(self) -> bool {
        self.is_text() && matches!(self.emit, Emit::Text | Emit::Memory)
    }
}

/// The dialects of functions that are written one after the other.
#[derive(Debug, Default)]
pub(crate) struct Dialects {
    last: Option<&'static str>,
}

impl Dialects {
    /// The line that a text has before a function of `dialect`, if that is not the one before; a text that says nothing
    /// is of `basic`.
    pub(crate) fn line_before(&mut self, dialect: &'static str) -> Option<String> {
        let changes = self.last.unwrap_or(Basic::NAME) != dialect;
        if changes {
            self.last = Some(dialect);
        }
        changes.then(|| format!("dialect {dialect}"))
    }
}

/// Numbers of parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) blocks: u64,
    pub(crate) variables: u64,
    pub(crate) phis: u64,
    pub(crate) insts: u64,
}

impl AddAssign for Size {
    fn add_assign(&mut self, other: Self) {
        self.blocks += other.blocks;
        self.variables += other.variables;
        self.phis += other.phis;
        self.insts += other.insts;
    }
}

impl<D: Dialect<Op: Send, Type: Send, Constant: Send>> Built for Function<D> {
    fn name(&self) -> &str {
        self.name()
    }

    fn dialect(&self) -> &'static str {
        D::NAME
    }

    fn size(&self) -> Size {
        let phis = self.blocks().map(|block| self.block(block).phis().len() as u64).sum();
        let insts = self.blocks().map(|block| self.block(block).insts().len() as u64).sum();
        Size { blocks: self.num_blocks() as u64, variables: self.num_variables() as u64, phis, insts }
    }

    fn emit(&self, writing: Writing, out: &mut dyn fmt::Write) -> Result<(), EmitError> {
        let Writing { emit, printing, style } = writing;
        match (emit, style) {
            (Emit::Text, _) | (Emit::Memory, Style::Text) => text::print(self, printing, out)?,
            (Emit::Json, _) | (Emit::Memory, Style::Json) => {
                json::print(self, out)?;
                writeln!(out)?;
            }
            (Emit::Dot, _) | (Emit::Memory, Style::Dot) => dot::print(self, printing.names, out)?,
            // Neither is the function's to write.
            (Emit::Cert | Emit::Hir, _) => {}
            (Emit::Cps, _) => cps::print(&Cps::of(self)?, Layout::Nested, out)?,
            (Emit::CpsFlat, _) => cps::print(&Cps::of(self)?, Layout::Flat, out)?,
            (Emit::Scheme, _) => {
                let basic = self.as_any().downcast_ref::<Function<Basic>>();
                let basic = basic.ok_or(EmitError::NotBasic { dialect: D::NAME })?;
                scheme::print(&Cps::of(basic)?, out)?;
            }
            (Emit::Analysis(wanted), _) => analysis::print(self, wanted, style, printing.names, out)?,
        }
        Ok(())
    }

    fn judge(&self, inspector: &mut Inspector, ssa: &mut CertifiedBuilder, demands: Demands) -> Judgement {
        inspector.judge(self, ssa, demands)
    }

    fn refusals(&self, inspector: &mut Inspector, ssa: &mut CertifiedBuilder, demands: Demands) -> Vec<Refusal> {
        inspector.refusals(self, ssa, demands)
    }

    fn broken_rules(&self, inspector: &mut Inspector) -> Vec<Refusal> {
        inspector.broken_rules(self)
    }

    fn needless(&self, inspector: &mut Inspector) -> Needless {
        inspector.needless(self)
    }

    fn num_unused(&self) -> u64 {
        count_unused(self) as u64
    }

    fn count_copies(&self, method: Method) -> Result<Counted, DestructError> {
        Ok(destruct(&DestructView::new(self), method)?.count())
    }

    fn leave(&self, method: Method) -> Result<(Box<dyn Built>, Copies), LeaveError> {
        let Left { function, copies, array_copies, split_edges, .. } = leave_ssa(self, method)?;
        let copies = Copies { all: copies.copies, of_arrays: array_copies, split_edges: split_edges as u64 };
        Ok((Box::new(function), copies))
    }

    fn program(&self, is_bare: bool) -> Result<String, String> {
        let other = || format!("functions of dialect `{}` cannot be written as While programs", D::NAME);
        let function = (self as &dyn Any).downcast_ref::<Function<Basic>>().ok_or_else(other)?;
        ssaphire_while::write(function, is_bare).map_err(|error| error.to_string())
    }

    fn run_pass(&mut self, pass: Pass, options: PassOptions) -> Result<usize, CfgError> {
        pass.run(self, options)
    }

    fn run_judged_pass(&mut self, pass: Pass, options: PassOptions) -> Result<JudgedPass, CfgError> {
        let before = self.clone();
        let changes = pass.run(self, options)?;
        Ok(JudgedPass { changes, proof: prove_translation(&before, self) })
    }

    fn canonicalize(&mut self) {
        self.canonicalize();
    }

    fn difference(&self, other: &dyn Built) -> Option<String> {
        let Some(other) = other.as_any().downcast_ref::<Self>() else { return Some("the dialects differ".to_owned()) };
        let same_global = |one, two| self.value(one).kind == other.value(two).kind;
        isomorphic_by(self, other, same_global).err().map(|difference| difference.to_string())
    }

    fn agreement(&self, other: &dyn Built) -> Option<Agreement> {
        agreement(self, other.as_any().downcast_ref::<Self>()?).ok()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}
