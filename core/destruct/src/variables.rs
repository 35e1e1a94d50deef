//! Coalescing that keeps the variables of the source apart.
//!
//! A class of names belongs to the first variable of which it has a version; what is no version of any can join every
//! class. Copies are tried as always, unless they join two variables. Then the versions of each variable that no copy
//! joins are: one with the last one before it, or with the first one, if that dominates it in the same loop or is a
//! parameter. So a counter of two loops in a row stays two locations, each of which can be declared at its loop.
//!
//! # Complexity
//! Two merges per value at most, besides those of the copies.

use crate::DestructForm;
use crate::coalesce::Coalescing;
use crate::names::{Name, Names};
use alloc::vec::Vec;
use ssaphire_graph::{DominatorTree, IdMap, LoopForest, PackedOption, Value, Variable};

/// The variables of which names hold versions.
pub(crate) struct Variables<'f> {
    names: &'f Names,
    dominators: &'f DominatorTree,
    /// By class.
    of_class: IdMap<Name, PackedOption<Variable>>,
    /// The versions of each variable, in preorder.
    versions: Vec<(Variable, Name)>,
    /// Whether a name is there before the first instruction.
    is_global: IdMap<Name, bool>,
}

impl<'f> Variables<'f> {
    pub(crate) fn new(
        function: &impl DestructForm,
        names: &'f Names,
        dominators: &'f DominatorTree,
        coalescing: &Coalescing<'_>,
    ) -> Self {
        let num_names = names.definitions.len();
        let mut of_class = IdMap::filled(num_names, PackedOption::NONE);
        let (mut versions, mut is_global) = (Vec::new(), IdMap::filled(num_names, false));
        for value in (0..names.of_value.len()).map(Value::new) {
            let Some(variable) = function.variable(value) else { continue };
            let name = names.of_value[value].expand();
            versions.extend(name.map(|name| (variable, name)));
            for joined in name.into_iter().chain(names.webs.of(value).iter().copied()) {
                let of_class = &mut of_class[coalescing.class(joined)];
                *of_class = of_class.expand().unwrap_or(variable).into();
            }
        }
        for value in function.globals() {
            if let Some(name) = names.of_value[value].expand() {
                is_global[name] = true;
            }
        }
        versions.sort_unstable();
        Self { names, dominators, of_class, versions, is_global }
    }

    /// Merges along copies, and then the versions of each variable.
    pub(crate) fn share(
        mut self,
        coalescing: &mut Coalescing<'_>,
        copies: impl Iterator<Item = (Name, Name)>,
        loops: &LoopForest,
    ) {
        copies.for_each(|(one, other)| self.merge(coalescing, one, other));
        let versions = core::mem::take(&mut self.versions);
        for of_variable in versions.chunk_by(|(one, _), (other, _)| one == other) {
            let (_, first) = of_variable[0];
            for pair in of_variable.windows(2) {
                let (last, name) = (pair[0].1, pair[1].1);
                if self.follows(last, name, loops) {
                    self.merge(coalescing, last, name);
                }
                if self.is_global[first] || self.follows(first, name, loops) {
                    self.merge(coalescing, first, name);
                }
            }
        }
    }

    /// Whether `name` is defined where `last` is defined already, and as often.
    fn follows(&self, last: Name, name: Name, loops: &LoopForest) -> bool {
        let block = |name: Name| self.dominators.preorder()[self.names.definitions[name].block as usize];
        let (above, below) = (block(last), block(name));
        loops.innermost(above) == loops.innermost(below) && self.dominators.dominates(above, below)
    }

    fn merge(&mut self, coalescing: &mut Coalescing<'_>, one: Name, other: Name) {
        let of = [one, other].map(|name| self.of_class[coalescing.class(name)].expand());
        let is_of_two = matches!(of, [Some(one), Some(other)] if one != other);
        if !is_of_two && coalescing.merge(one, other).is_ok() {
            self.of_class[coalescing.class(one)] = of[0].or(of[1]).into();
        }
    }
}
