//! Whether two functions in SSA form are the same function with other numbers.

use crate::dialect::Syntax;
use crate::function::{Action, Arg, BlockRef, Dest, Function, ValueKind};
use ssaphire_graph::{Block, IdMap, Value};
use std::collections::HashMap;

/// Whether two functions in SSA form are the same up to the numbers of blocks and values, their names, and the order of
/// incoming edges.
///
/// Reachable blocks are compared: they have the same instructions and phis, in the same order. A function with variables
/// is isomorphic to none.
///
/// # Complexity
/// Linear in the size of the functions.
///
/// # Examples
/// ```
/// use ssaphire_ir::{Basic, Function, are_isomorphic, text};
///
/// let parse = |source: &str| text::parse::<Basic>(source);
/// let one = parse("func f(%x.0) {\na:\n  %y.0 = add %x.0, 1\n  return %y.0\n}\n")?;
/// let same = parse("func f(%a.0) {\nstart:\n  %b.0 = add %a.0, 1\n  return %b.0\n}\n")?;
/// let other = parse("func f(%x.0) {\na:\n  %y.0 = add %x.0, 2\n  return %y.0\n}\n")?;
/// assert!(are_isomorphic(&one, &same));
/// assert!(!are_isomorphic(&one, &other));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn are_isomorphic<D: Syntax>(one: &Function<D>, other: &Function<D>) -> bool {
    let values = IdMap::filled(one.num_values(), None);
    let blocks = IdMap::filled(one.num_blocks(), None);
    let partners = IdMap::filled(other.num_blocks(), None);
    Comparison { one, other, blocks, partners, values }.run().is_some()
}

/// Two functions and what corresponds in them. Methods return `None` where something does not.
struct Comparison<'f, D: Syntax> {
    one: &'f Function<D>,
    other: &'f Function<D>,
    /// By block of the first function, that of the other.
    blocks: IdMap<Block, Option<Block>>,
    /// By block of the other function, that of the first.
    partners: IdMap<Block, Option<Block>>,
    /// By value of the first function that a parameter, phi or instruction defines, that of the other.
    values: IdMap<Value, Option<Value>>,
}

impl<'f, D: Syntax> Comparison<'f, D> {
    fn run(&mut self) -> Option<()> {
        let (params, others) = (self.one.params(), self.other.params());
        holds(params.len() == others.len())?;
        for (param, other) in params.iter().zip(others) {
            self.define(param.value, other.value)?;
        }
        let pairs = self.match_blocks()?;
        pairs.iter().try_for_each(|&(one, other)| self.match_definitions(one, other))?;
        pairs.iter().try_for_each(|&(one, other)| self.match_uses(one, other))
    }

    /// The reachable blocks, each with the one that is reached in the other function by the same edges.
    fn match_blocks(&mut self) -> Option<Vec<(Block, Block)>> {
        let mut pairs = Vec::new();
        // A function that is not built yet has no blocks.
        holds(self.one.num_blocks() > 0 && self.other.num_blocks() > 0)?;
        let mut work = vec![(self.one.entry(), self.other.entry())];
        while let Some((one, other)) = work.pop() {
            match (self.blocks[one], self.partners[other]) {
                (None, None) => {}
                (known, _) => {
                    holds(known == Some(other))?;
                    continue;
                }
            }
            (self.blocks[one], self.partners[other]) = (Some(other), Some(one));
            pairs.push((one, other));
            let (one, other) = (self.one.block(one).terminator()?, self.other.block(other).terminator()?);
            holds(one.targets.len() == other.targets.len())?;
            work.extend(one.targets.iter().copied().zip(other.targets.iter().copied()));
        }
        Some(pairs)
    }

    fn match_definitions(&mut self, one: Block, other: Block) -> Option<()> {
        let (one, other) = (self.one.block(one), self.other.block(other));
        holds(one.insts().len() == other.insts().len() && one.phis().len() == other.phis().len())?;
        for (phi, partner) in one.phis().iter().zip(other.phis().iter()) {
            self.define(phi.value, partner.value)?;
        }
        for (inst, partner) in one.insts().iter().zip(other.insts().iter()) {
            let is_same = match (inst.action, partner.action) {
                (Action::Op(op), Action::Op(other)) => op == other,
                (Action::Copy, Action::Copy) => true,
                _ => false,
            };
            holds(is_same && inst.args.len() == partner.args.len() && inst.results.len() == partner.results.len())?;
            for pair in inst.results.iter().zip(partner.results) {
                let (&Dest::Value(value), &Dest::Value(partner)) = pair else { return None };
                self.define(value, partner)?;
            }
        }
        Some(())
    }

    fn define(&mut self, value: Value, partner: Value) -> Option<()> {
        holds(self.one.value(value).ty == self.other.value(partner).ty)?;
        self.values[value] = Some(partner);
        Some(())
    }

    fn match_uses(&self, one: Block, other: Block) -> Option<()> {
        let (one, other) = (self.one.block(one), self.other.block(other));
        for (inst, partner) in one.insts().iter().zip(other.insts().iter()) {
            for pair in inst.args.iter().zip(partner.args) {
                let (&Arg::Value(value), &Arg::Value(partner)) = pair else { return None };
                self.match_value(value, partner)?;
            }
        }
        let places = self.places(one, other)?;
        for (phi, partner) in one.phis().iter().zip(other.phis().iter()) {
            for (&operand, &place) in phi.operands.iter().zip(&places) {
                if let Some(place) = place {
                    self.match_value(operand, *partner.operands.get(place)?)?;
                }
            }
        }
        Some(())
    }

    /// By incoming edge of a block with phis, its place among those of the other block; none if it is unreachable.
    fn places(&self, one: BlockRef<'f, D>, other: BlockRef<'f, D>) -> Option<Vec<Option<usize>>> {
        if one.phis().is_empty() {
            return Some(Vec::new());
        }
        let edges = other.incoming().iter().enumerate();
        let place_of: HashMap<(Block, u32), usize> =
            edges.map(|(place, edge)| ((edge.source, edge.slot), place)).collect();
        let place = |source: Block, slot| match self.blocks[source] {
            Some(source) => place_of.get(&(source, slot)).map(|&place| Some(place)),
            None => Some(None),
        };
        one.incoming().iter().map(|edge| place(edge.source, edge.slot)).collect()
    }

    fn match_value(&self, value: Value, partner: Value) -> Option<()> {
        if let Some(known) = self.values[value] {
            return holds(known == partner);
        }
        // What no block defines is bound before control enters.
        let (kind, other) = (self.one.value(value).kind, self.other.value(partner).kind);
        holds(matches!(kind, ValueKind::Constant(_) | ValueKind::Undefined) && kind == other)
    }
}

fn holds(condition: bool) -> Option<()> {
    condition.then_some(())
}
