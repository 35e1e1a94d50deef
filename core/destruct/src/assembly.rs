//! Locations and copies put together, in the order in which a host needs them.

use crate::frequency::Frequencies;
use crate::result::{Destruction, Location, Point, Source};
use crate::seams::{Seam, Seams};
use crate::{Counted, DestructForm};
use ssaphire_graph::{Block, Edge, Id, IdMap, InsertionPoint, PackedOption, Value};

/// A [`Destruction`] in the making.
#[derive(Debug)]
pub(crate) struct Assembly {
    pub(crate) destruction: Destruction,
    /// The point at which a location was written last.
    written: IdMap<Location, PackedOption<PointId>>,
}

ssaphire_graph::internal_id!(
    /// The number of a point, in the order of the assembly.
    PointId, "point"
);

impl Assembly {
    pub(crate) fn new(num_values: usize) -> Self {
        let locations = IdMap::filled(num_values, PackedOption::NONE);
        Self { destruction: Destruction { locations, ..Destruction::default() }, written: IdMap::new() }
    }

    /// A new location.
    pub(crate) fn location(&mut self, class: u32) -> Location {
        self.written.push(PackedOption::NONE);
        self.destruction.classes.push(class)
    }

    pub(crate) fn place(&mut self, value: Value, location: Location) {
        self.destruction.locations[value] = location.into();
    }

    /// Inserts the next copies at `point`, which comes only once.
    pub(crate) fn begin(&mut self, point: InsertionPoint, frequency: u64) {
        self.end();
        let start = self.destruction.copies.len();
        self.destruction.points.push(Point { point, frequency, copies: start..start });
    }

    /// Adds a copy, unless it has nothing to do, or another one at this point writes the same there.
    pub(crate) fn copy(&mut self, to: Location, from: Source) {
        let here = PointId::new(self.destruction.points.len());
        if from != Source::Location(to) && self.written[to].replace(here) != here.into() {
            self.destruction.copies.push((to, from));
        }
    }

    fn end(&mut self) {
        let Destruction { points, copies, .. } = &mut self.destruction;
        if let Some(last) = points.last_mut() {
            last.copies.end = copies.len();
            if last.copies.is_empty() {
                points.pop();
            }
        }
    }

    /// The result, points in order.
    pub(crate) fn finish(
        mut self,
        function: &impl DestructForm,
        blocks: &[Block],
        frequencies: &Frequencies,
    ) -> Destruction {
        self.end();
        self.destruction.points.sort_unstable_by_key(|point| point.point);
        let mut counted = Counted::default();
        for &block in blocks {
            for tied in function.tied(block) {
                let [operand, result] = [tied.operand, tied.result].map(|value| self.destruction.location(value));
                counted.add(u64::from(operand != result), frequencies.of(block));
            }
        }
        self.destruction.tied = counted;
        self.destruction
    }

    /// Copies the operands of all phis on their edges, from and to the locations assigned to the values.
    pub(crate) fn copy_operands(
        &mut self,
        function: &impl DestructForm,
        seams: &Seams,
        blocks: &[Block],
        frequencies: &Frequencies,
    ) {
        let mut isolated: IdMap<Value, PackedOption<Location>> = IdMap::new();
        for &block in blocks.iter().filter(|&&block| seams.is_isolated(block)) {
            self.begin(InsertionPoint::Top(block), frequencies.of(block));
            for phi in function.phis(block) {
                let location = self.location(function.class(phi));
                isolated.grow_to(phi, PackedOption::NONE);
                isolated[phi] = location.into();
                if let Some(to) = self.destruction.location(phi) {
                    self.copy(to, Source::Location(location));
                }
            }
        }
        for &block in blocks {
            let way_in = seams.cfg.incoming(block).first().copied();
            if let Some(edge) = way_in.filter(|&edge| seams.seam(edge) == Seam::Top) {
                self.begin(InsertionPoint::Top(block), frequencies.of(block));
                self.copy_arguments(edge, seams, &isolated);
            }
            self.begin(InsertionPoint::End(block), frequencies.of(block));
            for edge in seams.cfg.outgoing(block).filter(|&edge| seams.seam(edge) == Seam::End) {
                self.copy_arguments(edge, seams, &isolated);
            }
        }
        for (number, &edge) in seams.split_edges().iter().enumerate() {
            let block = Block::new(seams.cfg.num_blocks() + number);
            self.begin(InsertionPoint::Edge(seams.named(edge)), frequencies.of(block));
            self.copy_arguments(edge, seams, &isolated);
        }
    }

    fn copy_arguments(&mut self, edge: Edge, seams: &Seams, isolated: &IdMap<Value, PackedOption<Location>>) {
        for argument in seams.arguments(edge) {
            let isolated = isolated.get(argument.phi).and_then(|location| location.expand());
            let Some(to) = isolated.or_else(|| self.destruction.location(argument.phi)) else { continue };
            let from = self.destruction.location(argument.operand);
            self.copy(to, from.map_or(Source::Constant(argument.operand), Source::Location));
        }
    }
}
