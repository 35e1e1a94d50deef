//! The canonical numbering of values: in text order.

use crate::dialect::Syntax;
use crate::function::{Arg, Dest, Function};
use ssaphire_graph::{IdMap, Value};

impl<D: Syntax> Function<D> {
    /// Renumbers the values in text order, and drops those that are not mentioned.
    ///
    /// Parameters come first, then constants and undefined values in the order of their first use, then phis and
    /// results block by block. A canonical function equals the function that the parser reads from its text. Returns
    /// the new id of each old value that is kept.
    pub fn canonicalize(&mut self) -> IdMap<Value, Option<Value>> {
        self.name_phis();
        let mut order =
            Order { new: IdMap::filled(self.num_values(), None), old: Vec::with_capacity(self.num_values()) };
        self.number(&mut order);
        self.rename(&mut order);
        self.values.renumber(&order.old);
        self.compact_if_wasteful();
        order.new
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
            order.add(param.value);
        }
        for data in self.blocks.values() {
            for phi in self.phis.get(data.phis) {
                self.operands.get(phi.operands).iter().for_each(|&operand| self.number_bound(operand, order));
            }
            for inst in self.code.insts.get(data.insts) {
                for arg in self.code.args.span(inst.args) {
                    if let Arg::Value(value) = *arg {
                        self.number_bound(value, order);
                    }
                }
            }
        }
        for data in self.blocks.values() {
            self.phis.get(data.phis).iter().for_each(|phi| order.add(phi.value));
            for inst in self.code.insts.get(data.insts) {
                for dest in self.code.results.span(inst.results) {
                    if let Dest::Value(value) = *dest {
                        order.add(value);
                    }
                }
            }
        }
    }

    /// Numbers a value that is bound before control enters.
    #[inline]
    fn number_bound(&self, value: Value, order: &mut Order) {
        if self.values.is_bound(value) {
            order.add(value);
        }
    }

    /// Replaces the old ids with the new ones; values are numbered on their first visit.
    fn rename(&mut self, order: &mut Order) {
        self.params.iter_mut().for_each(|param| order.rename(&mut param.value));
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

struct Order {
    new: IdMap<Value, Option<Value>>,
    old: Vec<Value>,
}

impl Order {
    #[inline]
    fn add(&mut self, value: Value) {
        // An id beyond the table is no value; it stays unchanged, for `check_form` to report.
        if let Some(new @ None) = self.new.get_mut(value) {
            *new = Some(Value::new(self.old.len()));
            self.old.push(value);
        }
    }

    #[inline]
    fn rename(&mut self, value: &mut Value) {
        match self.new.get(*value) {
            Some(&Some(new)) => *value = new,
            _ => self.rename_undefined(value),
        }
    }

    /// A use without a definition is malformed, but it is kept.
    #[cold]
    fn rename_undefined(&mut self, value: &mut Value) {
        self.add(*value);
        *value = self.new.get(*value).copied().flatten().unwrap_or(*value);
    }
}
