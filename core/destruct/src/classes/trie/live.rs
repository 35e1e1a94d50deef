//! Members of a set in whose blocks a name is live at the end.
//!
//! Each branch holds the union of what is live at the ends of the blocks below it, found when it is asked for and forgotten when
//! a name is added below.

use super::{BITS, Tree, Trie};
use crate::live::LiveRanges;
use crate::names::Name;
use crate::sets::Set;
use alloc::vec::Vec;
use ssaphire_graph::Id;

impl Trie {
    /// The first member that is `from` or comes after it, and at the end of whose block `wanted` is live.
    ///
    /// Needs: live sets.
    pub(in crate::classes) fn first_live(
        &mut self,
        root: Tree,
        from: Name,
        wanted: Name,
        live: &mut LiveRanges<'_>,
    ) -> Option<Name> {
        self.unite(root, live);
        // What comes after the path to `from`, nearest last.
        let mut after = [root; BITS + 1];
        let mut num_after = 0;
        let mut push = |tree| {
            after[num_after] = tree;
            num_after += 1;
        };
        let mut at = root;
        loop {
            match at {
                Tree::Branch(number) if self.branches[number.index()].covers(from) => {
                    let branch = &self.branches[number.index()];
                    let side = branch.side(from);
                    if side == 0 {
                        push(branch.children[1]);
                    }
                    at = branch.children[side];
                    continue;
                }
                Tree::Branch(number) if self.branches[number.index()].member > from => push(at),
                Tree::Leaf(leaf) if leaf >= from => push(at),
                _ => {}
            }
            break;
        }
        let is_live = |tree: Tree| live.is_in(self.live_below(tree, live), wanted);
        let mut at = *after[..num_after].iter().rev().find(|&&tree| is_live(tree))?;
        loop {
            match at {
                Tree::Leaf(leaf) => return Some(leaf),
                Tree::Branch(number) => {
                    let [first, last] = self.branches[number.index()].children;
                    at = if is_live(first) { first } else { last };
                }
            }
        }
    }

    /// Finds the unions of all branches that have none.
    fn unite(&mut self, root: Tree, live: &mut LiveRanges<'_>) {
        let mut work = Vec::from([root]);
        while let Some(&tree) = work.last() {
            let Tree::Branch(number) = tree else {
                work.pop();
                continue;
            };
            let children = self.branches[number.index()].children;
            let before = work.len();
            work.extend(children.into_iter().filter(|&child| self.is_forgotten(child)));
            if work.len() == before {
                let [one, other] = children.map(|child| self.live_below(child, live));
                self.branches[number.index()].live = Some(live.union(one, other));
                work.pop();
            }
        }
    }

    fn is_forgotten(&self, tree: Tree) -> bool {
        matches!(tree, Tree::Branch(number) if self.branches[number.index()].live.is_none())
    }

    /// What is live at the end of some block below. Needs: the union.
    fn live_below(&self, tree: Tree, live: &LiveRanges<'_>) -> Set {
        match tree {
            Tree::Leaf(name) => live.at_end_of(name),
            Tree::Branch(number) => self.branches[number.index()].live.unwrap_or_default(),
        }
    }
}
