//! What random functions do not come upon when they leave SSA form.

use ssaphire::check_destruction;
use ssaphire::destruct::{DestructError, DestructForm, Method, Options, Thresholds, destruct, destruct_with};
use ssaphire::graph::{IncomingEdge, InsertionPoints};
use ssaphire::{Block, Cfg, SsaForm, Value, ValueEvent};
use ssaphire_ir::{Basic, DestructView, Function, text};
use ssaphire_tests::shapes::Shape;

/// A function of which no edge can be split.
struct Unsplittable<'f>(DestructView<'f, Basic>);

impl Cfg for Unsplittable<'_> {
    fn num_blocks(&self) -> usize {
        self.0.num_blocks()
    }

    fn entry(&self) -> Block {
        self.0.entry()
    }

    fn successors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.0.successors(block)
    }

    fn predecessors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.0.predecessors(block)
    }
}

impl SsaForm for Unsplittable<'_> {
    fn num_values(&self) -> usize {
        self.0.num_values()
    }

    fn globals(&self) -> impl Iterator<Item = Value> {
        self.0.globals()
    }

    fn phis(&self, block: Block) -> impl Iterator<Item = Value> {
        self.0.phis(block)
    }

    fn operands(&self, block: Block, phi: Value) -> impl Iterator<Item = Value> {
        self.0.operands(block, phi)
    }

    fn events(&self, block: Block) -> impl Iterator<Item = ValueEvent> {
        self.0.events(block)
    }
}

impl InsertionPoints for Unsplittable<'_> {
    fn num_results_at_top(&self, block: Block) -> usize {
        self.0.num_results_at_top(block)
    }

    fn num_terminator_uses(&self, block: Block) -> usize {
        self.0.num_terminator_uses(block)
    }
}

impl DestructForm for Unsplittable<'_> {
    fn is_constant(&self, value: Value) -> bool {
        self.0.is_constant(value)
    }

    fn can_split(&self, _: IncomingEdge) -> bool {
        false
    }
}

fn switch(one: &str, other: &str) -> Function<Basic> {
    let source = format!(
        "func f(%x.0, %y.0) {{\nvar x, y\nblock0:\n  switch %x.0, [block1, block1], block2\n\
         block1: <- block0.0, block0.1\n  %1 = phi {one}, {other}\n  return %1\nblock2:\n  return %y.0\n}}\n"
    );
    text::parse(&source).unwrap()
}

#[test]
pub(crate) fn two_edges_that_cannot_be_split_have_one_place_for_their_copies() {
    for &method in Method::ALL {
        let same = switch("%y.0", "%y.0");
        let form = Unsplittable(DestructView::new(&same));
        assert_eq!(check_destruction(&form, &destruct(&form, method).unwrap()), [], "{method}");
        let different = switch("%x.0", "%y.0");
        let edge = IncomingEdge { source: Block::new(0), slot: 1 };
        let error = destruct(&Unsplittable(DestructView::new(&different)), method).unwrap_err();
        assert_eq!(error, DestructError::CannotSplit { edge }, "{method}");
    }
}

/// Where values live long: in lists of blocks or in sets, in classes that are lists or search trees.
#[test]
pub(crate) fn thresholds_change_nothing_where_values_live_to_the_end() {
    for name in ["joins", "exits-live", "nest-live", "handlers", "rethrow", "states", "pads"] {
        let function = Shape::from_name(name).unwrap().function(40);
        let view = DestructView::new(&function);
        let left = destruct(&view, Method::Coalescing).unwrap();
        assert_eq!(check_destruction(&view, &left), [], "{name}");
        for (listed_class, live_range_edges) in [(1, 1_000), (1, 1), (1, 0), (u32::MAX, 0)] {
            let mut thresholds = Thresholds::default();
            (thresholds.listed_class, thresholds.live_range_edges) = (listed_class, live_range_edges);
            let options = Options::new(Method::Coalescing).with_thresholds(thresholds);
            assert_eq!(destruct_with(&view, options).as_ref(), Ok(&left), "{name}: {thresholds:?}");
        }
    }
}
