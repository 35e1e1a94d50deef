//! The result of SSA destruction: locations and copies.

use crate::parallel_copy::{Move, Sequentializer};
use alloc::vec::Vec;
use core::ops::Range;
use ssaphire_graph::{IdMap, InsertionPoint, PackedOption, Value, internal_id};

internal_id!(
    /// The location of values out of SSA form: a variable, a register, a stack slot. Dense per function.
    pub Location, "r"
);

/// The source of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// The content of the location.
    Location(Location),
    /// The value itself, which needs no location.
    Constant(Value),
}

/// Locations of values, and the copies that replace the phis.
///
/// A definition writes the location of its value; a use reads it. An operand that is a constant has no location.
/// Phis are dropped. The copies of each [`InsertionPoint`] are one parallel
/// copy, reading all sources before writing any target; [`Destruction::moves`] has
/// them one after the other. Between two instructions whose result has a [tied](crate::Tied) operand, or that are
/// [copies](crate::DestructForm::copied), the locations say what is left to do.
///
/// # Examples
/// See [`destruct`](crate::destruct()).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Destruction {
    pub(crate) locations: IdMap<Value, PackedOption<Location>>,
    pub(crate) classes: IdMap<Location, u32>,
    pub(crate) points: Vec<Point>,
    pub(crate) copies: Vec<(Location, Source)>,
    pub(crate) tied: Counted,
}

/// An insertion point with copies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Point {
    pub(crate) point: InsertionPoint,
    pub(crate) frequency: u64,
    pub(crate) copies: Range<usize>,
}

/// A number of copies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// Copies in the function.
    pub copies: u64,
    /// Copies executed, if a loop is executed ten times for each time it is entered. Saturating.
    pub executed: u64,
}

impl Counted {
    pub(crate) fn add(&mut self, copies: u64, frequency: u64) {
        self.copies += copies;
        self.executed = self.executed.saturating_add(copies.saturating_mul(frequency));
    }
}

impl Destruction {
    /// The location of `value`; `None` for a constant, and for a value that is never defined.
    pub fn location(&self, value: Value) -> Option<Location> {
        self.locations.get(value).and_then(|location| location.expand())
    }

    /// Number of locations; ids are `0..num_locations`.
    pub fn num_locations(&self) -> usize {
        self.classes.len()
    }

    /// The register class of the values at `location`.
    ///
    /// # Panics
    /// If there is no such location.
    pub fn class(&self, location: Location) -> u32 {
        self.classes[location]
    }

    /// The insertion points that have copies, in order, each with its parallel copy: targets and sources. No target
    /// occurs twice.
    pub fn parallel_copies(&self) -> impl ExactSizeIterator<Item = (InsertionPoint, &[(Location, Source)])> {
        self.points.iter().map(|point| (point.point, &self.copies[point.copies.clone()]))
    }

    /// The copies in place of phis.
    pub fn count(&self) -> Counted {
        let mut counted = Counted::default();
        for point in &self.points {
            counted.add(point.copies.len() as u64, point.frequency);
        }
        counted
    }

    /// The copies for instructions whose result is not at the location of its tied operand.
    pub fn count_tied(&self) -> Counted {
        self.tied
    }

    /// Number of edges that need a block for their copies.
    pub fn num_split_edges(&self) -> usize {
        self.points.iter().filter(|point| matches!(point.point, InsertionPoint::Edge(_))).count()
    }

    /// The copies as moves, one after the other.
    ///
    /// # Complexity
    /// O(copies) and the number of locations.
    pub fn moves(&self) -> Moves {
        let mut moves = Moves { classes: self.classes.clone(), ..Moves::default() };
        let mut sequentializer = Sequentializer::new();
        let mut pairs = Vec::new();
        for (point, copies) in self.parallel_copies() {
            let start = moves.moves.len();
            pairs.clear();
            pairs.extend(copies.iter().filter_map(|&(to, from)| match from {
                Source::Location(from) => Some((to, from)),
                Source::Constant(_) => None,
            }));
            let Moves { classes, temporaries, moves: list, .. } = &mut moves;
            let temporary = |location: Location| Some(temporary(classes, temporaries, location));
            let emit = |step| {
                if let Move::Copy { to, from } = step {
                    list.push((to, Source::Location(from)));
                }
            };
            let sequentialized = sequentializer.sequentialize(&pairs, temporary, emit);
            debug_assert!(sequentialized.is_ok(), "targets are distinct, and temporaries are locations of their own");
            // A constant reads nothing that the moves before it have overwritten.
            list.extend(copies.iter().filter(|(_, from)| matches!(from, Source::Constant(_))));
            let end = list.len();
            moves.points.push((point, start..end));
        }
        moves
    }
}

/// The temporary for locations of the class of `location`: a location of its own.
fn temporary(
    classes: &mut IdMap<Location, u32>,
    temporaries: &mut Vec<(u32, Location)>,
    location: Location,
) -> Location {
    let class = classes[location];
    // There are few classes.
    let known = temporaries.iter().find(|(of, _)| *of == class).map(|&(_, temporary)| temporary);
    known.unwrap_or_else(|| {
        let temporary = classes.push(class);
        temporaries.push((class, temporary));
        temporary
    })
}

/// The copies of a [`Destruction`], one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moves {
    classes: IdMap<Location, u32>,
    temporaries: Vec<(u32, Location)>,
    points: Vec<(InsertionPoint, Range<usize>)>,
    moves: Vec<(Location, Source)>,
}

impl Moves {
    /// Number of locations, temporaries included, which come after all others.
    pub fn num_locations(&self) -> usize {
        self.classes.len()
    }

    /// The register class of `location`.
    ///
    /// # Panics
    /// If there is no such location.
    pub fn class(&self, location: Location) -> u32 {
        self.classes[location]
    }

    /// The insertion points that have moves, in order, each with its moves: target and source.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (InsertionPoint, &[(Location, Source)])> {
        self.points.iter().map(|(point, moves)| (*point, &self.moves[moves.clone()]))
    }

    /// The moves at `point`. O(log points).
    pub fn at(&self, point: InsertionPoint) -> &[(Location, Source)] {
        let found = self.points.binary_search_by_key(&point, |&(point, _)| point);
        found.map_or(&[], |place| &self.moves[self.points[place].1.clone()])
    }
}
