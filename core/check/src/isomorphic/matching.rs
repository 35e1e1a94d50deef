//! The correspondence of values, as far as it is known.

use super::{Difference, Place, dead};
use crate::reach::Reachable;
use alloc::vec::Vec;
use ssaphire_graph::{Block, IdMap, SsaForm, Value, ValueEvent};

/// The kind of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Reachable code does not define it.
    Undefined,
    Global,
    Def,
    Phi(Block),
}

/// A value of one function: its kind, and the value of the other one that it corresponds to.
#[derive(Clone, Copy, Debug)]
struct Entry {
    kind: Kind,
    partner: Option<Value>,
}

/// Whether two globals are the same.
type SameGlobal<'a> = &'a mut dyn FnMut(Value, Value) -> bool;

/// Two functions with equal graphs, and a one-to-one correspondence of some of their values.
pub(super) struct Matching<'a, A, B> {
    pub(super) first: &'a A,
    pub(super) second: &'a B,
    pub(super) reachable: &'a Reachable,
    same_global: SameGlobal<'a>,
    of_first: IdMap<Value, Entry>,
    of_second: IdMap<Value, Entry>,
    /// Corresponding phis, with their block, whose operands are still to be compared.
    work: Vec<(Block, Value, Value)>,
}

impl<'a, A: SsaForm, B: SsaForm> Matching<'a, A, B> {
    pub(super) fn new(first: &'a A, second: &'a B, reachable: &'a Reachable, same_global: SameGlobal<'a>) -> Self {
        let (of_first, of_second) = (entries(first, reachable), entries(second, reachable));
        Self { first, second, reachable, same_global, of_first, of_second, work: Vec::new() }
    }

    /// Makes the globals of both functions correspond in order, as far as both have some.
    pub(super) fn match_globals(&mut self) -> Result<(), Difference> {
        let (first, second) = (self.first, self.second);
        for (index, (first, second)) in first.globals().zip(second.globals()).enumerate() {
            self.correspond(Place::Global { index }, first, second)?;
        }
        Ok(())
    }

    /// Makes the values of events correspond, definitions before uses: the definition decides.
    pub(super) fn match_events(&mut self) -> Result<(), Difference> {
        self.compare_event_kinds()?;
        for definitions in [true, false] {
            for block in self.reachable.iter() {
                let events = self.first.events(block).zip(self.second.events(block)).enumerate();
                for (index, (first, second)) in events {
                    if matches!(first, ValueEvent::Def(_)) == definitions {
                        self.correspond(Place::ValueEvent { block, index }, value_of(first), value_of(second))?;
                    }
                }
            }
        }
        Ok(())
    }

    fn compare_event_kinds(&self) -> Result<(), Difference> {
        for block in self.reachable.iter() {
            let counts = [self.first.events(block).count(), self.second.events(block).count()];
            if counts[0] != counts[1] {
                return Err(Difference::NumEvents { block, first: counts[0], second: counts[1] });
            }
            for (index, (first, second)) in self.first.events(block).zip(self.second.events(block)).enumerate() {
                if matches!(first, ValueEvent::Def(_)) != matches!(second, ValueEvent::Def(_)) {
                    return Err(Difference::Events { block, index, first, second });
                }
            }
        }
        Ok(())
    }

    /// Makes the operands of corresponding phis correspond, theirs too if they are phis, and so on.
    pub(super) fn follow_operands(&mut self) -> Result<(), Difference> {
        while let Some((block, first, second)) = self.work.pop() {
            let (mut of_first, mut of_second) =
                (self.first.operands(block, first), self.second.operands(block, second));
            let mut sources = self.first.predecessors(block);
            for index in 0.. {
                let (one, other) = match (of_first.next(), of_second.next()) {
                    (None, None) => break,
                    (Some(one), Some(other)) => (one, other),
                    _ => return Err(Difference::NumOperands { block, first, second }),
                };
                // Operands beyond the last edge, where there should be none, are all compared.
                if sources.next().is_none_or(|source| self.reachable.contains(source)) {
                    self.correspond(Place::Operand { block, phi: first, index }, one, other)?;
                }
            }
        }
        Ok(())
    }

    /// Matches the dead phis.
    pub(super) fn match_dead_phis(&mut self) -> Result<(), Difference> {
        for block in self.reachable.iter() {
            let (first, second) = (self.first.phis(block).count(), self.second.phis(block).count());
            if first != second {
                return Err(Difference::NumPhis { block, first, second });
            }
        }
        dead::match_phis(self)
    }

    /// The value of the second function that corresponds to one of the first.
    pub(super) fn partner_of_first(&self, value: Value) -> Option<Value> {
        self.of_first.get(value)?.partner
    }

    /// The value of the first function that corresponds to one of the second.
    pub(super) fn partner_of_second(&self, value: Value) -> Option<Value> {
        self.of_second.get(value)?.partner
    }

    /// The block of a phi of the first function.
    pub(super) fn phi_block_of_first(&self, value: Value) -> Option<Block> {
        self.of_first.get(value)?.phi_block()
    }

    /// The block of a phi of the second function.
    pub(super) fn phi_block_of_second(&self, value: Value) -> Option<Block> {
        self.of_second.get(value)?.phi_block()
    }

    /// Makes two values at the same place correspond, unless one of them corresponds to another.
    pub(super) fn correspond(&mut self, place: Place, first: Value, second: Value) -> Result<(), Difference> {
        let different = Difference::Values { place, first, second };
        let (Some(of_first), Some(of_second)) = (self.of_first.get_mut(first), self.of_second.get_mut(second)) else {
            return Err(different);
        };
        if of_first.partner.is_some() || of_second.partner.is_some() {
            return if of_first.partner == Some(second) { Ok(()) } else { Err(different) };
        }
        let same_kind = of_first.kind == of_second.kind;
        let by_name = of_first.kind == Kind::Global && !matches!(place, Place::Global { .. });
        if !same_kind || by_name && !(self.same_global)(first, second) {
            return Err(different);
        }
        of_first.partner = Some(second);
        of_second.partner = Some(first);
        if let Kind::Phi(block) = of_first.kind {
            self.work.push((block, first, second));
        }
        Ok(())
    }
}

impl Entry {
    fn phi_block(&self) -> Option<Block> {
        if let Kind::Phi(block) = self.kind { Some(block) } else { None }
    }
}

fn value_of(event: ValueEvent) -> Value {
    match event {
        ValueEvent::Def(value) | ValueEvent::Use(value) => value,
    }
}

/// The kind of each value of `form`. For a value with several definitions, which no SSA form has, the last one counts.
fn entries(form: &impl SsaForm, reachable: &Reachable) -> IdMap<Value, Entry> {
    let mut entries = IdMap::filled(form.num_values(), Entry { kind: Kind::Undefined, partner: None });
    let mut set = |value: Value, kind: Kind| {
        if let Some(entry) = entries.get_mut(value) {
            entry.kind = kind;
        }
    };
    form.globals().for_each(|value| set(value, Kind::Global));
    for block in reachable.iter() {
        form.phis(block).for_each(|phi| set(phi, Kind::Phi(block)));
        for event in form.events(block) {
            if let ValueEvent::Def(value) = event {
                set(value, Kind::Def);
            }
        }
    }
    entries
}
