//! Dominance frontiers: as a graph, broken arrows on the dominator tree.

use super::Findings;
use super::subject::{Subject, block_ids, list};
use crate::dialect::Syntax;
use serde_json::{Value as Json, json};
use ssaphire_graph::DominanceFrontiers;
use std::fmt::{self, Write};

pub(super) struct Shown<'s, 'f, D: Syntax> {
    subject: &'s Subject<'f, D>,
    frontiers: DominanceFrontiers,
}

impl<'s, 'f, D: Syntax> Shown<'s, 'f, D> {
    pub(super) fn new(subject: &'s Subject<'f, D>) -> Self {
        Self { subject, frontiers: DominanceFrontiers::new(&subject.cfg, &subject.tree) }
    }
}

impl<D: Syntax> Findings for Shown<'_, '_, D> {
    fn text(&self, out: &mut dyn Write) -> fmt::Result {
        self.subject.lines(out, |block, out| {
            out.write_str("frontier ")?;
            list(self.frontiers.of(block), out, |&block, out| self.subject.label(block, out))
        })
    }

    fn json(&self) -> Json {
        let block = |block| json!({ "frontier": block_ids(self.frontiers.of(block)) });
        json!({ "blocks": self.subject.json_blocks(block) })
    }

    fn dot(&self, out: &mut dyn Write) -> fmt::Result {
        self.subject.dot_nodes(out, |_, _| Ok(()))?;
        self.subject.dot_tree(out)?;
        for block in self.subject.function.blocks() {
            for end in self.frontiers.of(block) {
                writeln!(out, "  b{} -> b{} [style=dashed, constraint=false];", block.index(), end.index())?;
            }
        }
        Ok(())
    }
}
