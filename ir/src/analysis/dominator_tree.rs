//! The dominator tree, printed as a tree: a block's children are below it and indented further.

use super::Findings;
use super::subject::Subject;
use crate::dialect::Syntax;
use serde_json::{Value as Json, json};
use ssaphire_graph::Block;
use std::fmt::{self, Write};

/// No line begins further right than that of a block at this level: deep trees would be all blanks.
const DEEPEST: usize = 30;

pub(super) struct Shown<'s, 'f, D: Syntax>(&'s Subject<'f, D>);

impl<'s, 'f, D: Syntax> Shown<'s, 'f, D> {
    pub(super) fn new(subject: &'s Subject<'f, D>) -> Self {
        Self(subject)
    }

    fn line(&self, block: Block, out: &mut dyn Write) -> fmt::Result {
        let level = self.0.tree.level(block).unwrap_or_default();
        write!(out, "{:indent$}", "", indent = 2 * level.min(DEEPEST))?;
        self.0.label(block, out)?;
        out.write_str(": ")?;
        match self.0.tree.idom(block) {
            Some(idom) => {
                out.write_str("idom ")?;
                self.0.label(idom, out)?;
            }
            None => out.write_str("entry")?,
        }
        writeln!(out, ", level {level}")
    }
}

impl<D: Syntax> Findings for Shown<'_, '_, D> {
    fn text(&self, out: &mut dyn Write) -> fmt::Result {
        let mut work: Vec<Block> = self.0.tree.preorder().first().copied().into_iter().collect();
        while let Some(block) = work.pop() {
            self.line(block, out)?;
            let children = work.len();
            work.extend(self.0.tree.children(block));
            // The tree has them in the order of a walk; the next one is the last.
            work[children..].sort_unstable_by(|one, two| two.cmp(one));
        }
        let mut unreachable = self.0.function.blocks().filter(|&block| !self.0.is_reachable(block));
        unreachable.try_for_each(|block| {
            self.0.label(block, out)?;
            out.write_str(": unreachable\n")
        })
    }

    fn json(&self) -> Json {
        let block = |block| {
            let idom = self.0.tree.idom(block).map(Block::index);
            json!({ "idom": idom, "level": self.0.tree.level(block) })
        };
        json!({ "blocks": self.0.json_blocks(block) })
    }

    fn dot(&self, out: &mut dyn Write) -> fmt::Result {
        self.0.dot_nodes(out, |_, _| Ok(()))?;
        self.0.dot_tree(out)
    }
}
