//! The phis of the reachable blocks, in flat arrays.

use crate::reach::Reachable;
use alloc::vec::Vec;
use ssaphire_graph::{Block, Id, IdMap, PackedOption, SsaForm, Value, internal_id};

internal_id!(
    /// Place of a phi in the table.
    Place, "place"
);

/// The phis of the reachable blocks with their operands over edges from reachable blocks.
///
/// Every operand is a value of the function; every phi occurs once.
#[derive(Debug, Default)]
pub(super) struct PhiTable {
    reachable: Reachable,
    /// By incoming edge of the current block: whether it leaves a reachable block.
    counts: Vec<bool>,
    phis: IdMap<Place, (Block, Value)>,
    /// `start[i]..start[i + 1]` are the operands of phi `i`.
    start: Vec<u32>,
    operands: Vec<Value>,
    /// By value: its place in the table, if it is a phi.
    place_of: IdMap<Value, PackedOption<Place>>,
}

/// One phi of the table.
pub(super) struct Phi<'a> {
    pub(super) block: Block,
    pub(super) value: Value,
    pub(super) operands: &'a [Value],
}

impl Phi<'_> {
    /// The only operand besides the phi itself, or the phi where there is none; `None` if there are several.
    pub(super) fn only_operand(&self) -> Option<Value> {
        let mut others = self.operands.iter().copied().filter(|&operand| operand != self.value);
        let first = others.next().unwrap_or(self.value);
        others.all(|other| other == first).then_some(first)
    }
}

impl PhiTable {
    pub(super) fn rebuild(&mut self, form: &impl SsaForm) {
        self.reachable.rebuild(form);
        self.phis.clear();
        self.operands.clear();
        self.start.clear();
        self.start.push(0);
        self.place_of.reset(form.num_values(), PackedOption::NONE);
        for block in self.reachable.iter() {
            self.counts.clear();
            for phi in form.phis(block) {
                let Some(place) = self.place_of.get_mut(phi).filter(|place| place.is_none()) else { continue };
                *place = self.phis.push((block, phi)).into();
                if self.counts.is_empty() {
                    let reachable = &self.reachable;
                    self.counts.extend(form.predecessors(block).map(|source| reachable.contains(source)));
                }
                let by_edge = form.operands(block, phi).zip(&self.counts);
                let flowing = by_edge.filter(|&(value, &counts)| counts && value.index() < form.num_values());
                self.operands.extend(flowing.map(|(value, _)| value));
                self.start.push(self.operands.len() as u32);
            }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.phis.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.phis.len()
    }

    /// Number of values of the function.
    pub(super) fn num_values(&self) -> usize {
        self.place_of.len()
    }

    pub(super) fn operands(&self, index: usize) -> &[Value] {
        &self.operands[self.start[index] as usize..self.start[index + 1] as usize]
    }

    /// The place of the phi `value` in the table, or `None` if it is no phi.
    pub(super) fn index_of(&self, value: Value) -> Option<usize> {
        self.place_of.get(value)?.expand().map(Place::index)
    }

    /// The phis, by block, then in the order the host lists them.
    pub(super) fn iter(&self) -> impl Iterator<Item = Phi<'_>> + Clone {
        let phis = self.phis.iter();
        phis.map(|(place, &(block, value))| Phi { block, value, operands: self.operands(place.index()) })
    }

    /// The reachable blocks, in id order.
    pub(super) fn blocks(&self) -> impl Iterator<Item = Block> + '_ {
        self.reachable.iter()
    }
}
