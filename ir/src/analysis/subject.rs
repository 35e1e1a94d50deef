//! The analyzed function: its graph, and the spelling of its blocks and values.

use crate::dialect::Syntax;
use crate::dot;
use crate::function::{Function, IncomingEdge, ValueKind};
use crate::text::{NameStyle, PhiStyle, PrintOptions, Printer, plain_or_quoted};
use serde_json::{Value as Json, json};
use ssaphire_graph::{Block, CfgError, DominatorTree, FlatCfg, Value};
use std::fmt::{self, Write};

/// A list without members.
const NOTHING: &str = "-";

/// The state that all analyses need.
pub(super) struct Subject<'f, D: Syntax> {
    pub(super) function: &'f Function<D>,
    pub(super) cfg: FlatCfg,
    pub(super) tree: DominatorTree,
    pub(super) printer: Printer<'f, D>,
}

impl<'f, D: Syntax> Subject<'f, D> {
    pub(super) fn new(function: &'f Function<D>, names: NameStyle) -> Result<Self, CfgError> {
        let cfg = FlatCfg::new(function)?;
        let tree = DominatorTree::new(&cfg);
        let printer = Printer::new(function, PrintOptions { phis: PhiStyle::List, names });
        Ok(Self { function, cfg, tree, printer })
    }

    pub(super) fn is_reachable(&self, block: Block) -> bool {
        self.tree.is_reachable(block)
    }

    /// Whether `value` is available everywhere without a definition: a constant or an undefined value.
    pub(super) fn is_everywhere(&self, value: Value) -> bool {
        let kind = self.function.values.get(value).map(|data| data.kind);
        matches!(kind, Some(ValueKind::Constant(_) | ValueKind::Undefined))
    }

    pub(super) fn heading(&self, title: &str, out: &mut dyn Write) -> fmt::Result {
        out.write_str("func ")?;
        plain_or_quoted(self.function.name(), out)?;
        writeln!(out, ": {title}")
    }

    /// One line per block, in order: its label, and the text that `finding` writes if it is reachable.
    pub(super) fn lines(
        &self,
        out: &mut dyn Write,
        finding: impl Fn(Block, &mut dyn Write) -> fmt::Result,
    ) -> fmt::Result {
        for block in self.function.blocks() {
            self.label(block, out)?;
            out.write_str(": ")?;
            match self.is_reachable(block) {
                true => finding(block, out),
                false => out.write_str("unreachable"),
            }?;
            out.write_str("\n")?;
        }
        Ok(())
    }

    pub(super) fn label(&self, block: Block, out: &mut dyn Write) -> fmt::Result {
        self.printer.spell.label(block, out)
    }

    pub(super) fn value(&self, value: Value, out: &mut dyn Write) -> fmt::Result {
        self.printer.spell.value(value, out)
    }

    /// The source of an edge, with the slot where it has several edges.
    pub(super) fn edge(&self, edge: IncomingEdge, out: &mut dyn Write) -> fmt::Result {
        self.label(edge.source, out)?;
        let is_one_of_several = self.cfg.targets(edge.source).len() > 1;
        if is_one_of_several { write!(out, ".{}", edge.slot) } else { Ok(()) }
    }

    /// The objects of all blocks: the result of `finding` for each, with its label.
    pub(super) fn json_blocks(&self, finding: impl Fn(Block) -> Json) -> Json {
        let object = |block| {
            let mut object = finding(block);
            object["label"] = self.function.label(block).into();
            object["reachable"] = self.is_reachable(block).into();
            object
        };
        self.function.blocks().map(object).collect()
    }

    /// The names of all values, by id.
    pub(super) fn json_values(&self) -> Json {
        let name = |value| written(|out| self.value(value, out));
        self.function.values().map(name).collect()
    }

    /// One node per block: its label and the text that `more` writes below it; unreachable blocks have a broken
    /// outline.
    pub(super) fn dot_nodes(
        &self,
        out: &mut dyn Write,
        more: impl Fn(Block, &mut dyn Write) -> fmt::Result,
    ) -> fmt::Result {
        self.function.blocks().try_for_each(|block| {
            let text = written(|out| self.label(block, out).and_then(|()| more(block, out)));
            write!(out, "  b{} [label=", block.index())?;
            dot::escaped(&text, "\\l", out)?;
            out.write_str(if block == self.function.entry() { ", penwidth=2" } else { "" })?;
            out.write_str(if self.is_reachable(block) { "];\n" } else { ", style=dashed];\n" })
        })
    }

    /// The arrows of the dominator tree.
    pub(super) fn dot_tree(&self, out: &mut dyn Write) -> fmt::Result {
        let mut pairs = self.function.blocks().filter_map(|block| Some((self.tree.idom(block)?, block)));
        pairs.try_for_each(|(idom, block)| writeln!(out, "  b{} -> b{};", idom.index(), block.index()))
    }
}

/// Writes `items` with commas between.
pub(super) fn list<T>(
    items: impl IntoIterator<Item = T>,
    out: &mut dyn Write,
    write: impl Fn(T, &mut dyn Write) -> fmt::Result,
) -> fmt::Result {
    let mut items = items.into_iter();
    let Some(first) = items.next() else { return out.write_str(NOTHING) };
    write(first, out)?;
    items.try_for_each(|item| {
        out.write_str(", ")?;
        write(item, out)
    })
}

/// The ids of `blocks`.
pub(super) fn block_ids(blocks: &[Block]) -> Json {
    blocks.iter().map(|block| block.index()).collect()
}

pub(super) fn json_edge(edge: IncomingEdge) -> Json {
    json!({ "source": edge.source.index(), "slot": edge.slot })
}

/// The string that `write` writes.
pub(super) fn written(write: impl FnOnce(&mut dyn Write) -> fmt::Result) -> String {
    let mut text = String::new();
    // Writing to a string never fails.
    let _ = write(&mut text);
    text
}
