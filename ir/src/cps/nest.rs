//! The nesting of the continuations.
//!
//! A continuation is defined in the body of its immediate dominator. Everything
//! that a continuation mentions is defined there or further out, because
//! definitions dominate uses. The continuations defined in one body form a
//! group, in which each may call the others.

use super::{Continuation, Cps, Meaning, Tail};
use crate::dialect::Syntax;
use ssaphire_graph::{Block, DominatorTree, FlatCfg, Value};
use std::fmt;

/// The nesting of the continuations: for each, the one whose body contains its definition.
///
/// # Complexity
/// O(*n* + *e*), besides the dominator tree.
#[derive(Clone, Debug)]
pub struct Nesting {
    tree: DominatorTree,
    /// By continuation, where those that are defined in it begin; one more for the end.
    first: Vec<u32>,
    defined: Vec<Continuation>,
}

/// A mention of something that is not in scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BrokenScope {
    /// A value is used where it is not bound.
    Value {
        /// The continuation that uses it.
        user: Continuation,
        /// The value.
        value: Value,
    },
    /// A continuation is mentioned where it is not defined.
    Continuation {
        /// The continuation that mentions it.
        user: Continuation,
        /// The one mentioned.
        mentioned: Continuation,
    },
}

impl fmt::Display for BrokenScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value { user, value } => write!(f, "{value}: used in {user}, where it is not bound"),
            Self::Continuation { user, mentioned } => {
                write!(f, "{mentioned}: mentioned in {user}, where it is not defined")
            }
        }
    }
}

impl std::error::Error for BrokenScope {}

impl Nesting {
    /// The nesting of the continuations of a function.
    pub fn new<D: Syntax>(cps: &Cps<D>) -> Self {
        let cfg = graph(cps);
        let tree = DominatorTree::new(&cfg);
        let num = cps.num_continuations();
        let mut first = vec![0; num + 1];
        for of in cps.continuations().skip(1) {
            let count = tree.idom(node(of)).map_or(0, |idom| idom.index() + 1);
            first[count] += 1;
        }
        // What no way leads to would be counted at 0, where nothing begins.
        first[0] = 0;
        for index in 1..=num {
            first[index] += first[index - 1];
        }
        let mut next = first.clone();
        let mut defined = vec![Continuation::BODY; first[num] as usize];
        for of in cps.continuations().skip(1) {
            if let Some(idom) = tree.idom(node(of)) {
                let place = &mut next[idom.index()];
                defined[*place as usize] = of;
                *place += 1;
            }
        }
        Self { tree, first, defined }
    }

    /// The continuation whose body contains the definition of `of`; `None` for the body of the function.
    pub fn definer(&self, of: Continuation) -> Option<Continuation> {
        self.tree.idom(node(of)).map(continuation)
    }

    /// The continuations defined in the body of `of`, as one group, in order.
    pub fn group(&self, of: Continuation) -> &[Continuation] {
        &self.defined[self.first[of.index()] as usize..self.first[of.index() + 1] as usize]
    }

    /// Whether `inner` is `outer`, or is nested in it.
    pub fn contains(&self, outer: Continuation, inner: Continuation) -> bool {
        self.tree.dominates(node(outer), node(inner))
    }

    /// The nesting depth of the definition of `of`.
    pub fn level(&self, of: Continuation) -> usize {
        self.tree.level(node(of)).unwrap_or_default()
    }

    /// The continuations in the order of their definitions in the nested form: each before those nested in it.
    pub fn in_text_order(&self) -> Vec<Continuation> {
        let (mut order, mut work) = (Vec::new(), vec![Continuation::BODY]);
        while let Some(of) = work.pop() {
            order.push(of);
            work.extend(self.group(of).iter().rev());
        }
        order
    }

    /// All mentions that are out of scope, in the order of the continuations; none, if the function is in SSA form.
    ///
    /// # Complexity
    /// O(size of the function).
    pub fn broken_rules<D: Syntax>(&self, cps: &Cps<D>) -> Vec<BrokenScope> {
        let mut scopes = Scopes { cps, nesting: self, bound: vec![None; cps.num_values()], broken: Vec::new() };
        for of in cps.continuations() {
            cps.params(of).iter().for_each(|&value| scopes.bind(of, 0, value));
            for (index, binding) in cps.bindings(of).enumerate() {
                binding.results.iter().for_each(|&value| scopes.bind(of, index as u32 + 1, value));
            }
        }
        for of in cps.continuations() {
            let num_bindings = cps.bindings(of).len() as u32;
            for (index, binding) in cps.bindings(of).enumerate() {
                binding.args.iter().for_each(|&value| scopes.use_(of, index as u32, value));
            }
            let Tail { args, continuations, .. } = cps.tail(of);
            args.iter().for_each(|&value| scopes.use_(of, num_bindings, value));
            continuations.iter().for_each(|&mentioned| scopes.mention(of, mentioned));
        }
        scopes.broken
    }
}

/// What is bound where.
struct Scopes<'c, D: Syntax> {
    cps: &'c Cps<D>,
    nesting: &'c Nesting,
    /// By value, the continuation that binds it and behind how many of its operations.
    bound: Vec<Option<(Continuation, u32)>>,
    broken: Vec<BrokenScope>,
}

impl<D: Syntax> Scopes<'_, D> {
    fn bind(&mut self, of: Continuation, behind: u32, value: Value) {
        self.bound[value.index()] = Some((of, behind));
    }

    fn use_(&mut self, user: Continuation, behind: u32, value: Value) {
        let is_bound = match self.bound[value.index()] {
            _ if self.cps.meaning(value) != Meaning::Bound => true,
            Some((of, place)) if of == user => place <= behind,
            Some((of, _)) => self.nesting.contains(of, user),
            None => false,
        };
        if !is_bound {
            self.broken.push(BrokenScope::Value { user, value });
        }
    }

    fn mention(&mut self, user: Continuation, mentioned: Continuation) {
        let definer = self.nesting.definer(mentioned);
        if !definer.is_some_and(|definer| self.nesting.contains(definer, user)) {
            self.broken.push(BrokenScope::Continuation { user, mentioned });
        }
    }
}

/// The graph in which an edge leads from each continuation to those that its tail names.
fn graph<D: Syntax>(cps: &Cps<D>) -> FlatCfg {
    let successors: Vec<Vec<Block>> =
        cps.continuations().map(|of| cps.tail(of).continuations.iter().map(|&target| node(target)).collect()).collect();
    // Each target is a continuation, and the first one is there.
    FlatCfg::from_successors(Block::new(0), &successors).unwrap_or_default()
}

fn node(of: Continuation) -> Block {
    Block::new(of.index())
}

fn continuation(node: Block) -> Continuation {
    Continuation::new(node.index() as u32)
}
