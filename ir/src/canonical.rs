//! The canonical numbering of values: in text order.

use crate::dialect::Syntax;
use crate::function::{Arg, Dest, Function, ValueKind};
use ssaphire_graph::{IdMap, Value};

impl<D: Syntax> Function<D> {
    /// Renumbers the values in text order, and drops those that are not mentioned.
    ///
    /// Parameters come first, then constants and undefined values in the order of their first use, then phis and
    /// results block by block. A canonical function equals the function that the parser reads from its text. Returns
    /// the new id of each old value that is kept.
    pub fn canonicalize(&mut self) -> IdMap<Value, Option<Value>> {
        let mut order = Order::default();
        self.canonicalize_with(&mut order);
        order.into_map()
    }

    /// [`canonicalize`](Self::canonicalize), in memory that is kept.
    pub(crate) fn canonicalize_in_place(&mut self) {
        let mut order = self.values.take_order();
        self.canonicalize_with(&mut order);
        self.values.keep_order(order);
    }

    fn canonicalize_with(&mut self, order: &mut Order) {
        self.name_phis();
        order.begin(self.num_values());
        self.number(order);
        order.settle();
        // Passes leave many functions as they are.
        if !(order.is_identity() && self.values.are_constants_in_order()) {
            self.rename(order);
            self.values.renumber(order.old());
        }
        self.compact_if_wasteful();
    }

    /// A phi and its value belong to one variable; constants belong to none.
    fn name_phis(&mut self) {
        for block in self.blocks.values() {
            for phi in self.phis.get_mut(block.phis) {
                let record = self.values.record_mut(phi.value);
                phi.variable = phi.variable.or(record.name());
                record.set_name(phi.variable);
            }
        }
    }

    fn number(&self, order: &mut Order) {
        for param in &self.params {
            order.add_bound(param.value);
        }
        for data in self.blocks.values() {
            for phi in self.phis.get(data.phis) {
                self.operands.get(phi.operands).iter().for_each(|&operand| self.number_use(operand, order));
                order.add_defined(phi.value);
            }
            for inst in self.code.insts.get(data.insts) {
                for arg in self.code.args.span(inst.args) {
                    if let Arg::Value(value) = *arg {
                        self.number_use(value, order);
                    }
                }
                for dest in self.code.results.span(inst.results) {
                    if let Dest::Value(value) = *dest {
                        order.add_defined(value);
                    }
                }
            }
        }
    }

    /// Numbers a value that is used, if it is bound before control enters.
    #[inline]
    fn number_use(&self, value: Value, order: &mut Order) {
        if order.is_numbered(value) {
            return;
        }
        match self.values.kind(value) {
            Some(ValueKind::Constant(_) | ValueKind::Undefined) => order.add_bound(value),
            Some(ValueKind::Detached) | None => order.has_undefined = true,
            Some(_) => {}
        }
    }

    /// Replaces the old ids with the new ones; values are numbered on their first visit.
    fn rename(&mut self, order: &mut Order) {
        self.params.iter_mut().for_each(|param| order.rename(&mut param.value));
        let is_dense = self.code.is_dense() && self.phis.is_dense() && self.operands.is_dense();
        if is_dense && !order.has_undefined {
            self.rename_everything(order);
        } else {
            self.rename_blocks(order);
        }
    }

    /// Where everything that is stored belongs to a block, and has a number: in the order in which it is stored.
    fn rename_everything(&mut self, order: &mut Order) {
        self.phis.all_mut().iter_mut().for_each(|phi| order.rename(&mut phi.value));
        self.operands.all_mut().iter_mut().for_each(|operand| order.rename(operand));
        for arg in self.code.args.all_mut() {
            if let Arg::Value(value) = arg {
                order.rename(value);
            }
        }
        for dest in self.code.results.all_mut() {
            if let Dest::Value(value) = dest {
                order.rename(value);
            }
        }
    }

    fn rename_blocks(&mut self, order: &mut Order) {
        for block in self.blocks.values() {
            for phi in self.phis.get_mut(block.phis) {
                order.rename(&mut phi.value);
                self.operands.get_mut(phi.operands).iter_mut().for_each(|operand| order.rename(operand));
            }
            for inst in self.code.insts.get(block.insts) {
                for arg in self.code.args.span_mut(inst.args) {
                    if let Arg::Value(value) = arg {
                        order.rename(value);
                    }
                }
                for dest in self.code.results.span_mut(inst.results) {
                    if let Dest::Value(value) = dest {
                        order.rename(value);
                    }
                }
            }
        }
    }
}

/// The new numbers of values: first those that are bound before control enters, then those of phis and results.
#[derive(Debug, Default)]
pub(crate) struct Order {
    /// By old number, the new one or none; until all are known, of a phi or result its place in `defined`, with the top
    /// bit set.
    new: IdMap<Value, u32>,
    bound: Vec<Value>,
    defined: Vec<Value>,
    /// Whether a value is used that has no definition.
    has_undefined: bool,
}

const NONE: u32 = u32::MAX;
/// Values are numbered below it.
const DEFINED: u32 = 1 << 31;

impl Order {
    fn begin(&mut self, num_values: usize) {
        self.new.reset(num_values, NONE);
        self.bound.clear();
        self.defined.clear();
        self.has_undefined = false;
    }

    #[inline]
    fn is_numbered(&self, value: Value) -> bool {
        self.new.get(value).is_some_and(|&new| new != NONE)
    }

    #[inline]
    fn add_bound(&mut self, value: Value) {
        // An id beyond the table is no value; it stays unchanged, for `check_form` to report.
        if let Some(new) = self.new.get_mut(value).filter(|new| **new == NONE) {
            *new = self.bound.len() as u32;
            self.bound.push(value);
        }
    }

    #[inline]
    fn add_defined(&mut self, value: Value) {
        if let Some(new) = self.new.get_mut(value).filter(|new| **new == NONE) {
            *new = DEFINED | self.defined.len() as u32;
            self.defined.push(value);
        }
    }

    /// Numbers phis and results behind all that is bound.
    fn settle(&mut self) {
        let behind = self.bound.len() as u32;
        for new in self.new.values_mut() {
            let is_defined = (*new & DEFINED != 0) & (*new != NONE);
            *new = if is_defined { (*new & !DEFINED) + behind } else { *new };
        }
    }

    #[inline]
    fn rename(&mut self, value: &mut Value) {
        match self.new.get(*value) {
            Some(&new) if new != NONE => *value = Value::new(new as usize),
            _ => self.rename_undefined(value),
        }
    }

    /// A use without a definition is malformed, but it is kept.
    #[cold]
    fn rename_undefined(&mut self, value: &mut Value) {
        let next = self.bound.len() + self.defined.len();
        if let Some(new) = self.new.get_mut(*value) {
            *new = next as u32;
            self.defined.push(*value);
            *value = Value::new(next);
        }
    }

    /// Whether every value keeps its number, and none is used without a definition.
    fn is_identity(&self) -> bool {
        let is_complete = self.bound.len() + self.defined.len() == self.new.len();
        is_complete && !self.has_undefined && self.old().enumerate().all(|(number, value)| value.index() == number)
    }

    /// The old ids, by the new ones.
    fn old(&self) -> impl Iterator<Item = Value> {
        self.bound.iter().chain(&self.defined).copied()
    }

    fn into_map(self) -> IdMap<Value, Option<Value>> {
        self.new.values().map(|&new| (new != NONE).then(|| Value::new(new as usize))).collect()
    }
}
