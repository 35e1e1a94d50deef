//! Values: their kinds, types and names.

use super::inst::Dest;
use super::pool::taken;
use crate::canonical::Order;
use crate::dialect::Syntax;
use foldhash::fast::RandomState;
use ssaphire_graph::{IdMap, PackedOption, Value, Variable};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// The facts about a value besides its definition.
#[derive(Debug, PartialEq, Eq)]
pub struct ValueData<'f, D: Syntax> {
    /// The origin of its content.
    pub kind: ValueKind<&'f D::Constant>,
    /// Its type.
    pub ty: &'f D::Type,
    /// The source variable it is a version of, if any: `%x.3`.
    pub name: Option<Variable>,
}

// Derived, these would require `Clone` or `Copy` of types and constants.
impl<D: Syntax> Clone for ValueData<'_, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: Syntax> Copy for ValueData<'_, D> {}

/// The origin of a value's content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueKind<C> {
    /// The caller passes it; the number is its position in the parameter list.
    Param(u32),
    /// It is bound before control enters.
    Constant(C),
    /// It has no content, like a variable before its first write.
    Undefined,
    /// A phi defines it.
    Phi,
    /// An instruction defines it.
    Result,
    /// It has no definition: not yet, or not any more.
    Detached,
}

/// All values of a function.
#[derive(Debug)]
pub(crate) struct Values<D: Syntax> {
    records: IdMap<Value, Record<D::Type>>,
    constants: Vec<D::Constant>,
    /// The interned values, if `is_bound`, and more: built on the first lookup, and invalid after the values are
    /// renumbered. Most functions are never looked up again.
    spare: Option<Box<Spare<D>>>,
    is_bound: bool,
}

/// What helps with values for a while, and keeps its memory in between.
#[derive(Debug)]
struct Spare<D: Syntax> {
    bound: Bound<D>,
    order: Order,
    records: IdMap<Value, Record<D::Type>>,
    constants: Vec<D::Constant>,
}

impl<D: Syntax> Default for Spare<D> {
    fn default() -> Self {
        Self { bound: Bound::default(), order: Order::default(), records: IdMap::new(), constants: Vec::new() }
    }
}

/// A value as it is stored: of a constant, its place among the constants.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record<T> {
    pub(crate) kind: ValueKind<u32>,
    pub(crate) ty: T,
    name: PackedOption<Variable>,
}

impl<T> Record<T> {
    /// The constant that it is, of `all` constants.
    fn constant<'c, C>(&self, all: &'c [C]) -> Option<&'c C> {
        match self.kind {
            ValueKind::Constant(place) => all.get(place as usize),
            _ => None,
        }
    }

    pub(crate) fn name(&self) -> Option<Variable> {
        self.name.expand()
    }

    pub(crate) fn set_name(&mut self, name: Option<Variable>) {
        self.name = name.into();
    }
}

/// The values that are interned, by what they are.
#[derive(Clone, Debug)]
struct Bound<D: Syntax> {
    constants: Interned<D>,
    undefined: HashMap<(Option<Variable>, D::Type), Value, RandomState>,
}

impl<D: Syntax> Default for Bound<D> {
    fn default() -> Self {
        Self { constants: Interned { few: Vec::new(), many: HashMap::default() }, undefined: HashMap::default() }
    }
}

/// The values of constants: most functions have so few that comparing is cheaper than hashing.
#[derive(Clone, Debug)]
struct Interned<D: Syntax> {
    /// All of them, if `many` is empty.
    few: Vec<Value>,
    many: HashMap<D::Constant, Value, RandomState>,
}

/// The most constants that are compared one by one.
const FEW: usize = 8;

impl<D: Syntax> Interned<D> {
    fn find(
        &self,
        constant: &D::Constant,
        values: &IdMap<Value, Record<D::Type>>,
        all: &[D::Constant],
    ) -> Option<Value> {
        if !self.many.is_empty() {
            return self.many.get(constant).copied();
        }
        let is_it = |&value: &Value| values[value].constant(all) == Some(constant);
        self.few.iter().copied().find(is_it)
    }

    /// Adds a value that has been stored with its constant.
    fn insert(&mut self, value: Value, values: &IdMap<Value, Record<D::Type>>, all: &[D::Constant]) {
        if self.many.is_empty() && self.few.len() < FEW {
            return self.few.push(value);
        }
        for value in self.few.drain(..).chain([value]) {
            if let Some(constant) = values[value].constant(all) {
                self.many.insert(constant.clone(), value);
            }
        }
    }

    fn remove(&mut self, value: Value, constant: &D::Constant) {
        self.few.retain(|&other| other != value);
        self.many.remove(constant);
    }

    fn clear(&mut self) {
        self.few.clear();
        forget(&mut self.many);
    }
}

/// The lookup table is not cloned: most functions are never looked up again.
impl<D: Syntax> Clone for Values<D> {
    fn clone(&self) -> Self {
        Self { records: self.records.clone(), constants: self.constants.clone(), spare: None, is_bound: false }
    }
}

impl<D: Syntax> Default for Values<D> {
    fn default() -> Self {
        Self { records: IdMap::new(), constants: Vec::new(), spare: None, is_bound: false }
    }
}

impl<D: Syntax> Values<D> {
    pub(crate) fn len(&self) -> usize {
        self.records.len()
    }

    pub(crate) fn keys(&self) -> impl DoubleEndedIterator<Item = Value> + ExactSizeIterator + use<D> {
        self.records.keys()
    }

    pub(crate) fn get(&self, value: Value) -> Option<ValueData<'_, D>> {
        self.records.get(value).map(|record| self.view(record))
    }

    /// Whether the value is a constant.
    pub(crate) fn is_constant(&self, value: Value) -> bool {
        self.records.get(value).is_some_and(|record| matches!(record.kind, ValueKind::Constant(_)))
    }

    /// All values, in the order of their numbers.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = ValueData<'_, D>> {
        self.records.values().map(|record| self.view(record))
    }

    /// The kind of the value; of a constant, with its place among the constants.
    #[inline]
    pub(crate) fn kind(&self, value: Value) -> Option<ValueKind<u32>> {
        self.records.get(value).map(|record| record.kind)
    }

    fn view<'f>(&'f self, record: &'f Record<D::Type>) -> ValueData<'f, D> {
        let kind = match record.kind {
            ValueKind::Constant(place) => ValueKind::Constant(&self.constants[place as usize]),
            ValueKind::Param(index) => ValueKind::Param(index),
            ValueKind::Undefined => ValueKind::Undefined,
            ValueKind::Phi => ValueKind::Phi,
            ValueKind::Result => ValueKind::Result,
            ValueKind::Detached => ValueKind::Detached,
        };
        ValueData { kind, ty: &record.ty, name: record.name() }
    }

    /// Whether the value has no definition so far.
    #[inline]
    pub(crate) fn is_detached(&self, value: Value) -> bool {
        self.records.get(value).is_some_and(|record| matches!(record.kind, ValueKind::Detached))
    }

    #[inline]
    pub(crate) fn record(&self, value: Value) -> &Record<D::Type> {
        &self.records[value]
    }

    #[inline]
    pub(crate) fn record_mut(&mut self, value: Value) -> &mut Record<D::Type> {
        &mut self.records[value]
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, kind: ValueKind<u32>, ty: D::Type, name: Option<Variable>) -> Value {
        self.records.push(Record { kind, ty, name: name.into() })
    }

    /// The value of a constant.
    pub(crate) fn constant(&mut self, constant: D::Constant) -> Value {
        let (bound, records, constants) = self.bound();
        if let Some(value) = bound.constants.find(&constant, records, constants) {
            return value;
        }
        let (ty, kind) = (D::constant_type(&constant), ValueKind::Constant(constants.len() as u32));
        constants.push(constant);
        let value = records.push(Record { kind, ty, name: PackedOption::NONE });
        bound.constants.insert(value, records, constants);
        value
    }

    /// The undefined value of that name and type.
    pub(crate) fn undefined(&mut self, name: Option<Variable>, ty: D::Type) -> Value {
        let (bound, records, _) = self.bound();
        match bound.undefined.entry((name, ty)) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                let record = Record { kind: ValueKind::Undefined, ty: entry.key().1.clone(), name: name.into() };
                *entry.insert(records.push(record))
            }
        }
    }

    /// Marks the values among these results as such.
    pub(crate) fn mark_results(&mut self, results: &[Dest]) {
        for dest in results {
            if let Dest::Value(value) = *dest {
                self.records[value].kind = ValueKind::Result;
            }
        }
    }

    /// Marks these phis or results as values without definition.
    pub(crate) fn detach(&mut self, values: impl IntoIterator<Item = Value>) {
        for value in values {
            self.records[value].kind = ValueKind::Detached;
        }
    }

    /// Marks `value` as neither defined nor used.
    pub(crate) fn drop_value(&mut self, value: Value) {
        let (bound, records, constants) = self.bound();
        let record = &mut records[value];
        match std::mem::replace(&mut record.kind, ValueKind::Detached) {
            ValueKind::Constant(place) => bound.constants.remove(value, &constants[place as usize]),
            ValueKind::Undefined => drop(bound.undefined.remove(&(record.name(), record.ty.clone()))),
            _ => {}
        }
    }

    /// Keeps the values in `order`, in that order; constants lose their variables.
    pub(crate) fn renumber(&mut self, order: impl Iterator<Item = Value>) {
        self.forget_bound();
        let Spare { records, constants, .. } = &mut **self.spare.get_or_insert_default();
        std::mem::swap(records, &mut self.records);
        std::mem::swap(constants, &mut self.constants);
        order.for_each(|old| {
            let mut record = records[old].clone();
            if let ValueKind::Constant(place) = &mut record.kind {
                self.constants.push(constants[*place as usize].clone());
                (*place, record.name) = (self.constants.len() as u32 - 1, PackedOption::NONE);
            }
            self.records.push(record);
        });
        records.clear();
        constants.clear();
    }

    /// Whether the constants are those of the values, in the order of these, and belong to no variable.
    pub(crate) fn are_constants_in_order(&self) -> bool {
        let mut next = 0;
        let mut is_next = |record: &Record<D::Type>| match record.kind {
            ValueKind::Constant(place) => {
                next += 1;
                place + 1 == next && record.name.is_none()
            }
            _ => true,
        };
        self.records.values().all(&mut is_next) && next as usize == self.constants.len()
    }

    /// The tables of the last renumbering, for the next one.
    pub(crate) fn take_order(&mut self) -> Order {
        std::mem::take(&mut self.spare.get_or_insert_default().order)
    }

    pub(crate) fn keep_order(&mut self, order: Order) {
        self.spare.get_or_insert_default().order = order;
    }

    /// Clears the lookup of constants, until it is needed again.
    fn forget_bound(&mut self) {
        if let Some(spare) = self.spare.as_mut().filter(|_| std::mem::take(&mut self.is_bound)) {
            spare.bound.constants.clear();
            forget(&mut spare.bound.undefined);
        }
    }

    /// Moves all values to where there is no room to spare; this keeps its memory.
    pub(crate) fn take(&mut self) -> Self {
        let values = Self { records: self.records.take(), constants: taken(&mut self.constants), ..Self::default() };
        self.forget_bound();
        values
    }

    /// Forgets all values; keeps memory.
    pub(crate) fn clear(&mut self) {
        self.records.clear();
        self.constants.clear();
        self.forget_bound();
    }

    #[expect(clippy::type_complexity, reason = "its own three parts, once")]
    fn bound(&mut self) -> (&mut Bound<D>, &mut IdMap<Value, Record<D::Type>>, &mut Vec<D::Constant>) {
        let Self { records, constants, spare, is_bound } = self;
        let bound = &mut spare.get_or_insert_default().bound;
        if !std::mem::replace(is_bound, true) {
            bound.fill(records, constants);
        }
        (bound, records, constants)
    }
}

/// The capacity that a table always keeps.
const ROOM: usize = 4096;

/// Empties a table. That takes time in proportion to its capacity, so a table with far more capacity than contents is
/// dropped: one function with many constants must not slow down all later ones.
fn forget<K, V>(table: &mut HashMap<K, V, RandomState>) {
    if table.capacity() > ROOM.max(32 * table.len()) {
        *table = HashMap::default();
    } else {
        table.clear();
    }
}

impl<D: Syntax> Bound<D> {
    fn fill(&mut self, records: &IdMap<Value, Record<D::Type>>, constants: &[D::Constant]) {
        for (value, record) in records.iter() {
            match record.kind {
                ValueKind::Constant(_) => self.constants.insert(value, records, constants),
                ValueKind::Undefined => {
                    self.undefined.insert((record.name(), record.ty.clone()), value);
                }
                _ => {}
            }
        }
    }
}

impl<D: Syntax> PartialEq for Values<D> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

#[cfg(test)]
mod tests {
    use super::{HashMap, ROOM, forget};

    #[test]
    fn a_table_is_emptied_in_the_time_it_was_filled_in() {
        let mut table: HashMap<u32, u32, _> = (0..100_000).map(|key| (key, key)).collect();
        let room = table.capacity();
        forget(&mut table);
        assert_eq!((table.len(), table.capacity()), (0, room));
        table.insert(1, 1);
        forget(&mut table);
        assert!(table.is_empty() && table.capacity() <= ROOM, "{}", table.capacity());
    }
}
