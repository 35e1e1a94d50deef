//! Live values, at the top and at the end of each block.

use super::Findings;
use super::subject::{Subject, list};
use crate::dialect::Syntax;
use crate::dot;
use serde_json::{Value as Json, json};
use ssaphire_graph::{Block, Cfg, Liveness, SsaForm, Value, ValueEvent};
use std::fmt::{self, Write};

pub(super) struct Shown<'s, 'f, D: Syntax> {
    subject: &'s Subject<'f, D>,
    live: Liveness<Value>,
}

impl<'s, 'f, D: Syntax> Shown<'s, 'f, D> {
    pub(super) fn new(subject: &'s Subject<'f, D>) -> Self {
        let live = Liveness::of_values(&Kept::new(subject), &subject.cfg, subject.tree.order());
        Self { subject, live }
    }

    /// In id order: versions of one variable stand in theirs.
    fn kept(&self, live: &[Value]) -> Vec<Value> {
        let mut kept: Vec<Value> = live.iter().copied().filter(|&value| !self.subject.is_everywhere(value)).collect();
        kept.sort_unstable();
        kept
    }

    fn list(&self, title: &str, live: &[Value], out: &mut dyn Write) -> fmt::Result {
        out.write_str(title)?;
        list(self.kept(live), out, |value, out| self.subject.value(value, out))
    }
}

impl<D: Syntax> Findings for Shown<'_, '_, D> {
    fn text(&self, out: &mut dyn Write) -> fmt::Result {
        self.subject.lines(out, |block, out| {
            self.list("live-in ", self.live.live_in(block), out)?;
            self.list("; live-out ", self.live.live_out(block), out)
        })
    }

    fn json(&self) -> Json {
        let ids = |live| self.kept(live).into_iter().map(Value::index).collect::<Json>();
        let block =
            |block| json!({ "live_in": ids(self.live.live_in(block)), "live_out": ids(self.live.live_out(block)) });
        json!({ "blocks": self.subject.json_blocks(block), "values": self.subject.json_values() })
    }

    fn dot(&self, out: &mut dyn Write) -> fmt::Result {
        self.subject.dot_nodes(out, |block, out| {
            self.list("\nin ", self.live.live_in(block), out)?;
            self.list("\nout ", self.live.live_out(block), out)?;
            out.write_str("\n")
        })?;
        dot::edges(self.subject.function, out)
    }
}

/// A view of a function in which all constants and undefined values are a single value.
///
/// They are used in distant places and have no definition: each would be live from the entry on, and many of them would
/// cost more than everything else.
struct Kept<'s, 'f, D: Syntax> {
    subject: &'s Subject<'f, D>,
    /// The value that represents all of them, if there are any.
    everywhere: Option<Value>,
}

impl<'s, 'f, D: Syntax> Kept<'s, 'f, D> {
    fn new(subject: &'s Subject<'f, D>) -> Self {
        Self { subject, everywhere: subject.function.values().find(|&value| subject.is_everywhere(value)) }
    }

    fn stand_in(&self, value: Value) -> Value {
        self.everywhere.filter(|_| self.subject.is_everywhere(value)).unwrap_or(value)
    }
}

impl<D: Syntax> Cfg for Kept<'_, '_, D> {
    fn num_blocks(&self) -> usize {
        self.subject.function.num_blocks()
    }

    fn entry(&self) -> Block {
        self.subject.function.entry()
    }

    fn successors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.subject.function.successors(block)
    }

    fn predecessors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.subject.function.predecessors(block)
    }
}

impl<D: Syntax> SsaForm for Kept<'_, '_, D> {
    fn num_values(&self) -> usize {
        self.subject.function.num_values()
    }

    fn globals(&self) -> impl Iterator<Item = Value> {
        self.subject.function.globals()
    }

    fn phis(&self, block: Block) -> impl Iterator<Item = Value> {
        self.subject.function.phis(block)
    }

    fn operands(&self, block: Block, phi: Value) -> impl Iterator<Item = Value> {
        self.subject.function.operands(block, phi).map(|operand| self.stand_in(operand))
    }

    fn events(&self, block: Block) -> impl Iterator<Item = ValueEvent> {
        self.subject.function.events(block).map(|event| match event {
            ValueEvent::Use(value) => ValueEvent::Use(self.stand_in(value)),
            ValueEvent::Def(value) => ValueEvent::Def(value),
        })
    }
}
