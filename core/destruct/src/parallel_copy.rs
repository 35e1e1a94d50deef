//! Parallel copies, one move after the other.
//!
//! A *parallel copy* reads all of its sources before it writes any target. As a
//! list of moves it is executed one move at a time, and the order decides
//! whether a source is overwritten before it is read.
//!
//! A move is *ready* if no pending move reads its target. Once a source has
//! been moved, its content is in two places, and later moves read the copy; the
//! source itself may be overwritten. When nothing is ready, the pending moves
//! are cycles, which a temporary breaks, or exchanges.
//!
//! | Boissinot et al. 2009, Algorithm 1 | here |
//! |---|---|
//! | `pred` | `Place::source` |
//! | `loc` | `Place::content` |
//! | `ready`, `to_do` | `Sequentializer::ready`, `Sequentializer::targets` |
//!
//! # Complexity
//! O(moves). The tables grow with the largest id and are cleared move by move.
//!
//! The number of moves is the least possible: one for each target that is not its own source, and one more for each
//! cycle that no other target reads from. With exchanges a cycle of *k* targets takes *k* - 1.
//!
//! # Departures
//! The paper infers that a move is done from where its source is, which is
//! wrong as soon as two targets have one source; here a move is marked as done.
//! Exchanges are not in the paper.

use alloc::vec::Vec;
use core::fmt;
use ssaphire_graph::{Id, IdMap, PackedOption};

/// One step of a parallel copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move<L> {
    /// Moves the content of `from` to `to`.
    Copy {
        /// The location that is written.
        to: L,
        /// The location that is read.
        from: L,
    },
    /// Exchanges the contents of the two locations.
    Exchange(L, L),
}

/// The reason why pairs of locations are not a parallel copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParallelCopyError<L> {
    /// A location is the target of two sources.
    TwoSources {
        /// The location.
        to: L,
    },
    /// The temporary is one of the locations that are copied.
    TemporaryInUse {
        /// The temporary.
        temporary: L,
    },
}

impl<L: fmt::Display> fmt::Display for ParallelCopyError<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TwoSources { to } => write!(f, "{to}: is the target of two moves in a parallel copy"),
            Self::TemporaryInUse { temporary } => {
                write!(f, "{temporary}: is the temporary, but also part of the parallel copy")
            }
        }
    }
}

impl<L: fmt::Debug + fmt::Display> core::error::Error for ParallelCopyError<L> {}

/// Sequentializes the parallel copy `copies`, pairs of target and source.
///
/// A [`Sequentializer`] does the same for many parallel copies in the same memory, and can use exchanges.
///
/// # Errors
/// If a location is the target of two sources, or `temporary` is one of the locations.
///
/// # Examples
/// ```
/// use ssaphire::Value;
/// use ssaphire::destruct::sequentialize;
///
/// let [a, b, c, temporary] = [0, 1, 2, 3].map(Value::new);
/// let chain = sequentialize(&[(b, a), (c, b)], temporary)?;
/// assert_eq!(chain, [(c, b), (b, a)]);
/// let swap = sequentialize(&[(a, b), (b, a)], temporary)?;
/// assert_eq!(swap, [(temporary, a), (a, b), (b, temporary)]);
/// // The second copy of `b` is what breaks the cycle.
/// let swap_with_fan_out = sequentialize(&[(a, b), (b, a), (c, b)], temporary)?;
/// assert_eq!(swap_with_fan_out, [(c, b), (b, a), (a, c)]);
/// # Ok::<(), ssaphire::destruct::ParallelCopyError<Value>>(())
/// ```
pub fn sequentialize<L: Id>(copies: &[(L, L)], temporary: L) -> Result<Vec<(L, L)>, ParallelCopyError<L>> {
    let mut moves = Vec::with_capacity(copies.len());
    let emit = |step| {
        if let Move::Copy { to, from } = step {
            moves.push((to, from));
        }
    };
    Sequentializer::new().sequentialize(copies, |_| Some(temporary), emit)?;
    Ok(moves)
}

/// Sequentializes parallel copies, one after the other, in the same memory.
#[derive(Clone, Debug)]
pub struct Sequentializer<L: Id> {
    places: IdMap<L, Place<L>>,
    ready: Vec<L>,
    /// The targets that are not their own sources, the first one last.
    targets: Vec<L>,
}

/// The state of a location.
#[derive(Clone, Copy, Debug)]
struct Place<L: Id> {
    /// The location whose content it still has to get.
    source: PackedOption<L>,
    /// The current location of its original content; none if no move reads that.
    content: PackedOption<L>,
}

impl<L: Id> Place<L> {
    const UNUSED: Self = Self { source: PackedOption::NONE, content: PackedOption::NONE };
}

impl<L: Id> Default for Sequentializer<L> {
    fn default() -> Self {
        Self { places: IdMap::new(), ready: Vec::new(), targets: Vec::new() }
    }
}

impl<L: Id> Sequentializer<L> {
    /// One that has done nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Calls `emit` for each move, in order.
    ///
    /// `copies` are pairs of target and source; a pair may be repeated. Each cycle asks `temporary` for a location into
    /// which the location that it is given can be saved; where there is none, the cycle is made of exchanges.
    ///
    /// # Errors
    /// If a location is the target of two sources; nothing has been emitted then. If a temporary is one of the
    /// locations; moves have been emitted then.
    pub fn sequentialize(
        &mut self,
        copies: &[(L, L)],
        temporary: impl FnMut(L) -> Option<L>,
        emit: impl FnMut(Move<L>),
    ) -> Result<(), ParallelCopyError<L>> {
        let result = self.begin(copies).and_then(|()| self.emit_all(temporary, emit));
        for &(to, from) in copies {
            for location in [to, from] {
                if let Some(place) = self.places.get_mut(location) {
                    *place = Place::UNUSED;
                }
            }
        }
        self.ready.clear();
        self.targets.clear();
        result
    }

    /// Records the source of each target, and the targets that no copy reads.
    fn begin(&mut self, copies: &[(L, L)]) -> Result<(), ParallelCopyError<L>> {
        for &(to, from) in copies {
            self.places.grow_to(to.max(from), Place::UNUSED);
            let known = self.places[to].source.replace(from);
            if known.is_none() {
                self.targets.push(to);
            } else if known != from.into() {
                return Err(ParallelCopyError::TwoSources { to });
            }
            self.places[from].content = from.into();
        }
        let places = &mut self.places;
        self.targets.retain(|&target| {
            let moves = places[target].source != target.into();
            if !moves {
                places[target].source = PackedOption::NONE;
            }
            moves
        });
        self.ready.extend(self.targets.iter().copied().filter(|&target| places[target].content.is_none()));
        self.targets.reverse();
        self.ready.reverse();
        Ok(())
    }

    fn emit_all(
        &mut self,
        mut temporary: impl FnMut(L) -> Option<L>,
        mut emit: impl FnMut(Move<L>),
    ) -> Result<(), ParallelCopyError<L>> {
        loop {
            while let Some(to) = self.ready.pop() {
                self.emit_ready(to, &mut emit);
            }
            // Only cycles remain, and each location on one is read only by the next target of its cycle.
            let Some(on_cycle) = self.targets.pop() else { return Ok(()) };
            if self.places[on_cycle].source.is_none() {
                continue;
            }
            let Some(temporary) = temporary(on_cycle) else {
                self.exchange(on_cycle, &mut emit);
                continue;
            };
            if self.is_in_use(temporary) {
                return Err(ParallelCopyError::TemporaryInUse { temporary });
            }
            emit(Move::Copy { to: temporary, from: on_cycle });
            self.places[on_cycle].content = temporary.into();
            self.ready.push(on_cycle);
        }
    }

    /// Moves into a target that no pending move reads.
    fn emit_ready(&mut self, to: L, emit: &mut impl FnMut(Move<L>)) {
        let Some(source) = self.places[to].source.expand() else { return };
        let Some(from) = self.places[source].content.replace(to).expand() else { return };
        emit(Move::Copy { to, from });
        self.places[to].source = PackedOption::NONE;
        // The content of the source is in `to` as well now.
        if from == source && self.places[source].source.is_some() {
            self.ready.push(source);
        }
    }

    /// Moves along a cycle. The content of `first` is passed on until its own target has it.
    fn exchange(&mut self, first: L, emit: &mut impl FnMut(Move<L>)) {
        let mut to = first;
        while let Some(from) = self.places[to].source.expand() {
            self.places[to].source = PackedOption::NONE;
            if from != first {
                emit(Move::Exchange(to, from));
                to = from;
            }
        }
    }

    fn is_in_use(&self, location: L) -> bool {
        // Whatever is copied has had a source or a reader, and content outlives both, but for targets that nobody
        // reads.
        self.places.get(location).is_some_and(|place| place.content.is_some() || place.source.is_some())
    }
}

#[cfg(test)]
mod tests;
