//! Control dependence: per block, the edges on which its execution depends.
//!
//! Where control may never end, each part of the graph without exit is given a
//! supposed end; the block that gets it is called an endless end.

use super::Findings;
use super::subject::{Subject, list};
use crate::dialect::Syntax;
use crate::function::IncomingEdge;
use serde_json::{Value as Json, json};
use ssaphire_graph::{Block, ControlDependence, Edge, FlatCfg, IdSet, PostDominators};
use std::fmt::{self, Write};

pub(super) struct Shown<'s, 'f, D: Syntax> {
    subject: &'s Subject<'f, D>,
    always: IdSet<Block>,
    endless_ends: IdSet<Block>,
    /// Blocks and the edges that control them, in order.
    pairs: Vec<(Block, Edge)>,
}

impl<'s, 'f, D: Syntax> Shown<'s, 'f, D> {
    pub(super) fn new(subject: &'s Subject<'f, D>) -> Self {
        let post_dominators = PostDominators::new(&subject.cfg);
        let dependence = ControlDependence::new(&subject.cfg, &post_dominators);
        // All at once and then sorted: asking block by block costs what each post-dominates.
        let mut pairs: Vec<(Block, Edge)> = dependence.all().collect();
        pairs.sort_unstable();
        let always = set(dependence.always_executed());
        let endless_ends = set(post_dominators.endless_ends().iter().copied());
        Self { subject, always, endless_ends, pairs }
    }

    fn controllers(&self, block: Block) -> impl Iterator<Item = Edge> {
        let first = self.pairs.partition_point(|&(other, _)| other < block);
        self.pairs[first..].iter().take_while(move |&&(other, _)| other == block).map(|&(_, edge)| edge)
    }

    fn controller(&self, edge: Edge, out: &mut dyn Write) -> fmt::Result {
        self.subject.edge(outgoing(&self.subject.cfg, edge), out)?;
        out.write_str(" -> ")?;
        self.subject.label(self.subject.cfg.target(edge), out)
    }

    /// Never empty: a block that is not always executed depends on an edge by which control can miss it.
    fn line(&self, block: Block, out: &mut dyn Write) -> fmt::Result {
        let is_always = self.always.contains(block);
        out.write_str(if is_always { "always executed" } else { "" })?;
        if self.controllers(block).next().is_some() {
            out.write_str(if is_always { "; controlled by " } else { "controlled by " })?;
            list(self.controllers(block), out, |edge, out| self.controller(edge, out))?;
        }
        out.write_str(if self.endless_ends.contains(block) { "; endless end" } else { "" })
    }
}

impl<D: Syntax> Findings for Shown<'_, '_, D> {
    fn text(&self, out: &mut dyn Write) -> fmt::Result {
        self.subject.lines(out, |block, out| self.line(block, out))
    }

    fn json(&self) -> Json {
        let cfg = &self.subject.cfg;
        let controller = |edge| {
            let IncomingEdge { source, slot } = outgoing(cfg, edge);
            json!({ "source": source.index(), "slot": slot, "target": cfg.target(edge).index() })
        };
        let block = |block| {
            json!({
                "always": self.always.contains(block),
                "endless_end": self.endless_ends.contains(block),
                "controllers": self.controllers(block).map(controller).collect::<Json>(),
            })
        };
        json!({ "blocks": self.subject.json_blocks(block) })
    }

    fn dot(&self, out: &mut dyn Write) -> fmt::Result {
        let endless = |block| if self.endless_ends.contains(block) { "\nendless end\n" } else { "" };
        self.subject.dot_nodes(out, |block, out| out.write_str(endless(block)))?;
        out.write_str("  always [shape=plain];\n")?;
        for block in self.always.iter() {
            writeln!(out, "  always -> b{} [style=dashed];", block.index())?;
        }
        for &(block, edge) in &self.pairs {
            let IncomingEdge { source, slot } = outgoing(&self.subject.cfg, edge);
            writeln!(out, "  b{} -> b{} [label=\"{slot}\"];", source.index(), block.index())?;
        }
        Ok(())
    }
}

fn set(blocks: impl Iterator<Item = Block>) -> IdSet<Block> {
    let mut set = IdSet::new();
    blocks.for_each(|block| {
        set.insert(block);
    });
    set
}

fn outgoing(cfg: &FlatCfg, edge: Edge) -> IncomingEdge {
    IncomingEdge { source: cfg.source(edge), slot: cfg.slot(edge) }
}
