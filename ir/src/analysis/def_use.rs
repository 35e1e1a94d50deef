//! Definitions and uses of values; as a graph, an arrow from each definition to each use.

mod chains;

use super::Findings;
use super::subject::{Subject, json_edge, list, written};
use crate::dialect::Syntax;
use crate::dot;
use crate::text::print_inst;
use chains::{Chains, Definition, Origin, Site, Use};
use serde_json::{Value as Json, json};
use ssaphire_graph::Block;
use std::fmt::{self, Write};

pub(super) struct Shown<'s, 'f, D: Syntax> {
    subject: &'s Subject<'f, D>,
    chains: Chains,
}

impl<'s, 'f, D: Syntax> Shown<'s, 'f, D> {
    pub(super) fn new(subject: &'s Subject<'f, D>) -> Self {
        Self { subject, chains: Chains::new(subject) }
    }

    fn origin(&self, origin: Origin, out: &mut dyn Write) -> fmt::Result {
        match origin {
            Origin::Param(index) => write!(out, "parameter {index}"),
            Origin::Site(site) => {
                out.write_str("defined at ")?;
                self.site(site, out)
            }
            Origin::Edge(site, target) => {
                out.write_str("defined at ")?;
                self.site(site, out)?;
                out.write_str(" to ")?;
                self.subject.label(target, out)
            }
        }
    }

    fn site(&self, site: Site, out: &mut dyn Write) -> fmt::Result {
        self.subject.label(site.block, out)?;
        write!(out, "[{}]", site.position)?;
        out.write_str(if self.subject.is_reachable(site.block) { "" } else { " (unreachable)" })
    }

    fn use_(&self, use_: &Use, out: &mut dyn Write) -> fmt::Result {
        self.site(use_.site, out)?;
        let Some(edge) = use_.edge else { return Ok(()) };
        out.write_str(" from ")?;
        self.subject.edge(edge, out)
    }

    fn json_definition(&self, definition: &Definition) -> Json {
        let uses = self.chains.uses(definition.value).map(|use_| {
            let mut object = json_site(use_.site);
            object["operand"] = use_.operand.into();
            if let Some(edge) = use_.edge {
                object["edge"] = json_edge(edge);
            }
            object
        });
        let def = match definition.origin {
            Origin::Param(index) => json!({ "param": index }),
            Origin::Site(site) => json_site(site),
            Origin::Edge(site, target) => {
                let mut object = json_site(site);
                object["target"] = target.index().into();
                object
            }
        };
        json!({ "value": definition.value.index(), "def": def, "uses": uses.collect::<Json>() })
    }

    /// A box per block, with its phis and instructions as nodes.
    fn dot_block(&self, block: Block, out: &mut dyn Write) -> fmt::Result {
        write!(out, "  subgraph cluster_b{} {{\n    label=", block.index())?;
        dot::escaped(&written(|out| self.subject.label(block, out)), "\\l", out)?;
        out.write_str(if self.subject.is_reachable(block) { ";\n" } else { ";\n    style=dashed;\n" })?;
        let data = self.subject.function.block(block);
        for (position, phi) in data.phis().iter().enumerate() {
            dot_line(block, position, &written(|out| self.subject.printer.phi(phi, out)), out)?;
        }
        for (index, inst) in data.insts().iter().enumerate() {
            let text = written(|out| print_inst(&self.subject.printer.spell, block, inst, out));
            dot_line(block, data.phis().len() + index, &text, out)?;
        }
        out.write_str("  }\n")
    }
}

impl<D: Syntax> Findings for Shown<'_, '_, D> {
    fn text(&self, out: &mut dyn Write) -> fmt::Result {
        self.chains.definitions().iter().try_for_each(|definition| {
            self.subject.value(definition.value, out)?;
            out.write_str(": ")?;
            self.origin(definition.origin, out)?;
            out.write_str("; used at ")?;
            list(self.chains.uses(definition.value), out, |use_, out| self.use_(use_, out))?;
            out.write_str("\n")
        })
    }

    fn json(&self) -> Json {
        let definitions = self.chains.definitions().iter().map(|definition| self.json_definition(definition));
        json!({
            "blocks": self.subject.json_blocks(|_| json!({})),
            "values": self.subject.json_values(),
            "definitions": definitions.collect::<Json>(),
        })
    }

    fn dot(&self, out: &mut dyn Write) -> fmt::Result {
        for (index, param) in self.subject.function.params().iter().enumerate() {
            write!(out, "  p{index} [shape=plain, label=")?;
            dot::escaped(&written(|out| self.subject.value(param.value, out)), "\\l", out)?;
            out.write_str("];\n")?;
        }
        self.subject.function.blocks().try_for_each(|block| self.dot_block(block, out))?;
        for definition in self.chains.definitions() {
            let from = match definition.origin {
                Origin::Param(index) => format!("p{index}"),
                Origin::Site(site) | Origin::Edge(site, _) => node(site),
            };
            let name = written(|out| self.subject.value(definition.value, out));
            for use_ in self.chains.uses(definition.value) {
                write!(out, "  {from} -> {} [label=", node(use_.site))?;
                dot::escaped(&name, "\\l", out)?;
                out.write_str("];\n")?;
            }
        }
        Ok(())
    }
}

fn json_site(site: Site) -> Json {
    json!({ "block": site.block.index(), "position": site.position })
}

fn node(site: Site) -> String {
    format!("b{}_{}", site.block.index(), site.position)
}

fn dot_line(block: Block, position: usize, text: &str, out: &mut dyn Write) -> fmt::Result {
    write!(out, "    {} [label=", node(Site { block, position }))?;
    dot::escaped(text.trim(), "\\l", out)?;
    out.write_str("];\n")
}
