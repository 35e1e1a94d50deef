//! Phi graphs as plain lists, and what their words mean.

use ssaphire_construct::minimize::{Minimizer, PhiGraph};
use ssaphire_graph::Value;

/// Values `0..num_values` are from outside; value `num_values + i` is a phi with the operands `phis[i]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Graph {
    pub(crate) num_values: usize,
    pub(crate) phis: Vec<Vec<usize>>,
}

impl Graph {
    /// The number of values of both kinds.
    pub(crate) fn len(&self) -> usize {
        self.num_values + self.phis.len()
    }

    /// The phis, by value.
    pub(crate) fn phis(&self) -> impl Iterator<Item = (usize, &[usize])> {
        (self.num_values..).zip(self.phis.iter().map(Vec::as_slice))
    }

    /// As the library wants it.
    pub(crate) fn to_phi_graph(&self) -> PhiGraph {
        let mut graph = PhiGraph::default();
        for (phi, operands) in self.phis() {
            graph.begin_phi(Value::new(phi));
            operands.iter().for_each(|&operand| graph.push_operand(Value::new(operand)));
        }
        graph
    }

    /// Whether every phi has an operand before it and one after it.
    pub(crate) fn is_ordered(&self, order: &[Value]) -> bool {
        let mut place = vec![None; self.len()];
        for (number, value) in order.iter().enumerate() {
            if place[value.index()].replace(number).is_some() {
                return false;
            }
        }
        self.phis().all(|(phi, operands)| {
            let has = |is: fn(&Option<usize>, &Option<usize>) -> bool| {
                operands.iter().any(|&operand| place[operand].is_some() && is(&place[operand], &place[phi]))
            };
            place[phi].is_some() && has(PartialOrd::lt) && has(PartialOrd::gt)
        })
    }

    /// Whether some phis have, besides themselves, at most one operand: all sets are tried.
    pub(crate) fn has_redundant_set(&self) -> bool {
        let is_in = |set: u32, value: usize| value >= self.num_values && set >> (value - self.num_values) & 1 != 0;
        (1..1_u32 << self.phis.len()).any(|set| {
            let members = self.phis().filter(|&(phi, _)| is_in(set, phi));
            let mut outer = members.flat_map(|(_, operands)| operands).filter(|&&operand| !is_in(set, operand));
            let first = outer.next();
            outer.all(|operand| Some(operand) == first)
        })
    }

    /// By value, whether a value from outside flows into it on a way that avoids `without`.
    pub(crate) fn reached(&self, without: Option<usize>) -> Vec<bool> {
        let mut reached: Vec<bool> = (0..self.len()).map(|value| value < self.num_values).collect();
        without.into_iter().for_each(|value| reached[value] = false);
        let mut grows = true;
        while grows {
            grows = false;
            for (phi, operands) in self.phis() {
                if !reached[phi] && Some(phi) != without && operands.iter().any(|&operand| reached[operand]) {
                    reached[phi] = true;
                    grows = true;
                }
            }
        }
        reached
    }

    /// Whether all that flows into `below` passes `above`, another value.
    pub(crate) fn strictly_dominates(&self, above: usize, below: usize) -> bool {
        above != below && self.reached(None)[below] && !self.reached(Some(above))[below]
    }

    /// What is left if each redundant phi is replaced by what it stands for; `None` if nothing flows into some phi.
    pub(crate) fn minimized(&self) -> Option<Self> {
        let mut stands_for: Vec<usize> = (0..self.len()).collect();
        for &(phi, value) in Minimizer::default().dominated(&self.to_phi_graph()) {
            stands_for[phi.index()] = value?.index();
        }
        let mut name: Vec<usize> = (0..self.num_values).collect();
        let mut num_left = self.num_values;
        for (phi, _) in self.phis() {
            name.push(num_left);
            num_left += usize::from(stands_for[phi] == phi);
        }
        let left = self.phis().filter(|&(phi, _)| stands_for[phi] == phi);
        let phis = left.map(|(_, operands)| operands.iter().map(|&operand| name[stands_for[operand]]).collect());
        Some(Self { num_values: self.num_values, phis: phis.collect() })
    }
}
