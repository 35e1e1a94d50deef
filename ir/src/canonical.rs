//! The canonical numbering of values: the order in which the text names them.

use crate::dialect::Dialect;
use crate::function::{Arg, Dest, Function, Inst, ValueKind};
use ssaphire_graph::{IdMap, Value};
use std::mem;

impl<D: Dialect> Function<D> {
    /// Renumbers the values in textual order, and drops those that nothing mentions.
    ///
    /// Parameters come first, then constants and undefined values in the order
    /// of their first use, then phis and results block by block. A function
    /// that is canonical is equal to what the parser makes of its text.
    /// Returns the new id of each old value that is still there.
    pub fn canonicalize(&mut self) -> IdMap<Value, Option<Value>> {
        self.agree_on_names();
        let mut order = Order { new: IdMap::filled(self.num_values(), None), old: Vec::new() };
        self.number(&mut order);
        let values = mem::take(&mut self.values);
        let mut data: Vec<_> = values.values().cloned().map(Some).collect();
        self.values = order.old.iter().filter_map(|old| data[old.index()].take()).collect();
        self.rename(&order.new);
        self.rebuild_lookup();
        order.new
    }

    /// A phi and its value belong to one variable; constants to none.
    fn agree_on_names(&mut self) {
        for phi in self.blocks.values_mut().flat_map(|block| &mut block.phis) {
            let name = &mut self.values[phi.value].name;
            *name = phi.variable.or(*name);
            phi.variable = *name;
        }
        for data in self.values.values_mut().filter(|data| matches!(data.kind, ValueKind::Constant(_))) {
            data.name = None;
        }
    }

    fn number(&self, order: &mut Order) {
        for param in &self.params {
            order.add(param.value);
        }
        let is_bound = |value: &Value| {
            let data = self.values.get(*value);
            data.is_some_and(|data| matches!(data.kind, ValueKind::Constant(_) | ValueKind::Undefined))
        };
        self.uses_in_order().filter(is_bound).for_each(|value| order.add(value));
        for block in self.blocks.values() {
            block.phis.iter().for_each(|phi| order.add(phi.value));
            block.insts.iter().flat_map(results).for_each(|value| order.add(value));
        }
        // What is used without a definition is malformed, but not lost.
        self.uses_in_order().for_each(|value| order.add(value));
    }

    fn uses_in_order(&self) -> impl Iterator<Item = Value> {
        self.blocks.values().flat_map(|block| {
            let operands = block.phis.iter().flat_map(|phi| phi.operands.iter().copied());
            operands.chain(block.insts.iter().flat_map(|inst| &inst.args).filter_map(|arg| match *arg {
                Arg::Value(value) => Some(value),
                Arg::Variable(_) => None,
            }))
        })
    }

    fn rename(&mut self, new: &IdMap<Value, Option<Value>>) {
        let rename = |value: &mut Value| *value = new.get(*value).copied().flatten().unwrap_or(*value);
        self.params.iter_mut().for_each(|param| rename(&mut param.value));
        for block in self.blocks.values_mut() {
            for phi in &mut block.phis {
                rename(&mut phi.value);
                phi.operands.iter_mut().for_each(rename);
            }
            for inst in &mut block.insts {
                for arg in &mut inst.args {
                    if let Arg::Value(value) = arg {
                        rename(value);
                    }
                }
                for dest in &mut inst.results {
                    if let Dest::Value(value) = dest {
                        rename(value);
                    }
                }
            }
        }
    }

    fn rebuild_lookup(&mut self) {
        self.lookup.constants.clear();
        self.lookup.undefined.clear();
        for (value, data) in self.values.iter() {
            match &data.kind {
                ValueKind::Constant(constant) => drop(self.lookup.constants.insert(constant.clone(), value)),
                ValueKind::Undefined => drop(self.lookup.undefined.insert((data.name, data.ty.clone()), value)),
                _ => {}
            }
        }
    }
}

struct Order {
    new: IdMap<Value, Option<Value>>,
    old: Vec<Value>,
}

impl Order {
    fn add(&mut self, value: Value) {
        // An id beyond the table belongs to no value; it stays what it is, for `check_form` to report.
        if let Some(new @ None) = self.new.get_mut(value) {
            *new = Some(Value::new(self.old.len()));
            self.old.push(value);
        }
    }
}

fn results<D: Dialect>(inst: &Inst<D>) -> impl Iterator<Item = Value> {
    inst.results.iter().filter_map(|dest| match *dest {
        Dest::Value(value) => Some(value),
        Dest::Variable(_) => None,
    })
}
