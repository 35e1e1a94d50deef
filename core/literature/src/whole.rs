//! A complete function and the reaching definition of each access, as plain numbers: no host, no builder.
//!
//! A [`Function`] is the flat copy of a [`VariableForm`]. Any engine that
//! [decides at the end](Engine::decides_at_end) solves it; the [`Answers`] are the placed phis and the
//! reaching definition of each access and operand. Variables are independent of each other until then, so the work
//! can be [divided](Function::solve_part) by variable among threads, and the results [merged](Function::merge).
//! The answers are the same for any number of parts.
//!
//! ```
//! use ssaphire_literature::Engine;
//! use ssaphire_literature::whole::{Answer, Function};
//! use ssaphire_graph::{Access, Block, Cfg, FlatCfg, Variable, VariableForm};
//!
//! /// `x = ..; if (..) x = ..; use x`
//! struct Conditional(FlatCfg);
//!
//! impl Cfg for Conditional {
//!     fn num_blocks(&self) -> usize {
//!         self.0.num_blocks()
//!     }
//!     fn entry(&self) -> Block {
//!         self.0.entry()
//!     }
//!     fn successors(&self, block: Block) -> impl Iterator<Item = Block> {
//!         self.0.successors(block)
//!     }
//!     fn predecessors(&self, block: Block) -> impl Iterator<Item = Block> {
//!         self.0.predecessors(block)
//!     }
//! }
//!
//! impl VariableForm for Conditional {
//!     fn num_variables(&self) -> usize {
//!         1
//!     }
//!     fn accesses(&self, block: Block) -> impl Iterator<Item = Access> {
//!         let x = Variable::new(0);
//!         [Access::Write(x), Access::Write(x), Access::Read(x)].into_iter().skip(block.index()).take(1)
//!     }
//! }
//!
//! let [entry, then, after] = [0, 1, 2].map(Block::new);
//! let cfg = FlatCfg::from_successors(entry, &[vec![then, after], vec![after], vec![]]).unwrap();
//! let function = Function::new(&Conditional(cfg)).unwrap();
//! for &engine in Engine::AT_THE_END {
//!     let answers = function.solve(engine).unwrap();
//!     assert_eq!(answers.read(after, 0), Some(Answer::Phi(0)));
//!     assert_eq!(answers.operands(0), [Answer::Write { block: entry, index: 0 }, Answer::Write { block: then, index: 0 }]);
//! }
//! ```

mod answers;
mod locals;
mod parts;

pub use answers::{Answer, Answers, PlacedPhi};
pub use parts::Part;

use crate::complete::{Accesses, Budget, Graph, Solution, Unsolved};
use crate::engine::Engine;
use core::fmt;
use locals::Locals;
use ssaphire_construct::{Call, CallError, CallErrorKind, Stopped};
use ssaphire_graph::{Block, CfgError, DominatorTree, FlatCfg, IdError, IdLimits, VariableForm};

/// The flat copy of a function whose variables are still read and written.
#[derive(Clone, Debug)]
pub struct Function {
    graph: Graph,
    /// The upward-exposed reads of blocks, and their last writes.
    accesses: Accesses,
    locals: Locals,
}

/// The reason why a [`Function`] cannot be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FunctionError {
    /// The graph breaks its contract.
    Cfg(CfgError),
    /// A block or a variable is not below its limit.
    Id(IdError),
    /// Edges enter the entry: add a block before it, see [`WithPreEntry`](ssaphire_graph::WithPreEntry).
    EntryHasEdges {
        /// The entry.
        entry: Block,
    },
}

/// The reason why an engine cannot solve a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SolveError {
    /// The engine decides on the fly: use a [builder](crate::AnyBuilder).
    OnTheFly {
        /// The engine.
        engine: Engine,
    },
    /// The work budget is used up.
    Stopped(Stopped),
    /// The engine takes structured programs only, and this block's loop can be entered elsewhere.
    Irreducible {
        /// The block.
        block: Block,
    },
    /// The constructor places more phis than can be numbered.
    TooManyPhis {
        /// Phis.
        phis: u64,
        /// Their operands.
        operands: u64,
    },
}

impl fmt::Display for FunctionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cfg(error) => error.fmt(f),
            Self::Id(error) => error.fmt(f),
            Self::EntryHasEdges { entry } => write!(f, "{entry}: edges enter the entry: insert a block before it"),
        }
    }
}

impl core::error::Error for FunctionError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Cfg(error) => error.source(),
            Self::Id(error) => error.source(),
            Self::EntryHasEdges { .. } => None,
        }
    }
}

impl fmt::Display for SolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::OnTheFly { engine } => {
                write!(f, "{engine} works on the fly and cannot solve a complete function: use a builder")
            }
            Self::Stopped(stopped) => stopped.fmt(f),
            Self::Irreducible { block } => CallError::new(Call::Finish, CallErrorKind::Irreducible { block }).fmt(f),
            Self::TooManyPhis { phis, operands } => {
                CallError::new(Call::Finish, CallErrorKind::TooManyPhis { phis, operands }).fmt(f)
            }
        }
    }
}

impl core::error::Error for SolveError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        if let Self::Stopped(stopped) = self { stopped.source() } else { None }
    }
}

impl Function {
    /// The flat copy of `form`, with ids below the [default limits](IdLimits::default).
    ///
    /// # Errors
    /// If its graph breaks its contract, edges enter the entry, or an id is not below its limit.
    ///
    /// # Complexity
    /// O(*n* + *e* + *a* + *v*).
    pub fn new(form: &impl VariableForm) -> Result<Self, FunctionError> {
        Self::new_within(form, &IdLimits::default())
    }

    /// Like [`new`](Self::new), with other limits of ids.
    ///
    /// # Errors
    /// As there.
    pub fn new_within(form: &impl VariableForm, limits: &IdLimits) -> Result<Self, FunctionError> {
        // The form says how large tables are to be: looked at before there are any.
        limits.check_num_blocks(form.num_blocks()).map_err(FunctionError::Id)?;
        limits.check_num_variables(form.num_variables()).map_err(FunctionError::Id)?;
        let cfg = FlatCfg::new(form).map_err(FunctionError::Cfg)?;
        if !cfg.incoming(cfg.entry()).is_empty() {
            return Err(FunctionError::EntryHasEdges { entry: cfg.entry() });
        }
        let tree = DominatorTree::new(&cfg);
        let (accesses, locals) = locals::number(form, cfg.num_blocks(), limits).map_err(FunctionError::Id)?;
        Ok(Self { graph: Graph { cfg, tree }, accesses, locals })
    }

    /// The reaching definitions of all accesses, computed with `engine`.
    ///
    /// # Errors
    /// If the engine decides on the fly, or cannot build the function.
    ///
    /// # Complexity
    /// That of the engine.
    pub fn solve(&self, engine: Engine) -> Result<Answers, SolveError> {
        self.solve_within(engine, u64::MAX)
    }

    /// Like [`solve`](Self::solve), with a limit on the number of steps.
    ///
    /// # Errors
    /// As there, and if they are used up.
    pub fn solve_within(&self, engine: Engine, steps: u64) -> Result<Answers, SolveError> {
        let solution = self.decide(engine, &self.accesses, steps)?;
        Ok(Answers::new(self, &solution))
    }

    fn decide(&self, engine: Engine, accesses: &Accesses, steps: u64) -> Result<Solution, SolveError> {
        let constructor = engine.constructor().ok_or(SolveError::OnTheFly { engine })?;
        debug_assert!(accesses.fits(&self.graph), "accesses are told for each block");
        constructor.solve(&self.graph, accesses, &mut Budget::new(steps)).map_err(|unsolved| match unsolved {
            Unsolved::OutOfWork => SolveError::Stopped(Stopped::OutOfWork { limit: steps }),
            Unsolved::Irreducible { block } => SolveError::Irreducible { block },
            Unsolved::TooManyPhis { phis, operands } => SolveError::TooManyPhis { phis, operands },
        })
    }
}
