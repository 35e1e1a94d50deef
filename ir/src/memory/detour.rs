//! SSA construction by way of memory form: variables to slots, and slots to values.

use super::{HasSlots, Memory, NotPromotable, Promotion, from_memory, mem2reg, to_memory};
use crate::dialect::Syntax;
use crate::function::Function;
use ssaphire_graph::CfgError;
use std::fmt;

/// A function in SSA form that was constructed by way of memory form.
///
/// # Examples
/// ```
/// use ssaphire::Certified;
/// use ssaphire_ir::memory::{Agreement, OverMemory, agreement};
/// use ssaphire_ir::{Basic, Function, text, to_ssa};
///
/// let source: Function<Basic> = text::parse("\
/// func f(c) {
/// top:
///   branch c, left, bottom
/// left:
///   c = neg c
///   jump bottom
/// bottom:
///   return c
/// }
/// ")?;
/// let made = OverMemory::of(&source).unwrap();
/// let direct = to_ssa(&source, &mut Certified::default()).unwrap();
/// assert_eq!((made.promotion.promoted, agreement(&direct, &made.function)), (1, Ok(Agreement::Same)));
/// # Ok::<(), text::SyntaxErrors>(())
/// ```
#[derive(Clone, Debug)]
pub struct OverMemory<D: Syntax> {
    /// The function, canonical.
    pub function: Function<D>,
    /// The fate of its slots.
    pub promotion: Promotion,
}

/// The reason why a function cannot be constructed by way of memory form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Obstacle {
    /// Its edges do not form a valid graph.
    Cfg(CfgError),
    /// A slot cannot be promoted: the first one.
    Kept(NotPromotable),
    /// It uses slots that it does not create.
    Slots(HasSlots),
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cfg(error) => error.fmt(f),
            Self::Kept(kept) => kept.fmt(f),
            Self::Slots(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Obstacle {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Cfg(error) => error.source(),
            Self::Kept(kept) => kept.source(),
            Self::Slots(error) => error.source(),
        }
    }
}

impl<D: Syntax> OverMemory<D> {
    /// Constructs the SSA form of `function`, which is in variable form.
    ///
    /// # Errors
    /// If its edges do not form a valid graph, or a value is written to a variable of an incompatible type.
    pub fn of(function: &Function<D>) -> Result<Self, Obstacle> {
        Self::from_slots(to_memory(function))
    }

    /// Constructs the SSA form of a function whose variables are slots.
    ///
    /// # Errors
    /// If its edges do not form a valid graph, or a slot cannot be promoted.
    pub fn from_slots(mut slots: Function<Memory<D>>) -> Result<Self, Obstacle> {
        let promotion = mem2reg(&mut slots).map_err(Obstacle::Cfg)?;
        if let Some(&kept) = promotion.kept.first() {
            return Err(Obstacle::Kept(kept));
        }
        let function = from_memory(&slots).map_err(Obstacle::Slots)?;
        Ok(Self { function, promotion })
    }
}
