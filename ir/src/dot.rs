//! A function as a graph for Graphviz.

use crate::dialect::Syntax;
use crate::function::Function;
use crate::text::{NameStyle, PhiStyle, PrintOptions, Printer};
use std::fmt::{self, Write};

/// Writes the graph of `function` in the language DOT: one box per block with its text, one arrow per edge.
///
/// Edges carry their slot where a block has several; repeated edges are
/// several arrows. Unreachable blocks are drawn too.
///
/// # Errors
/// If the writer fails.
pub fn print<D: Syntax>(function: &Function<D>, names: NameStyle, out: &mut dyn Write) -> fmt::Result {
    open(function.name(), out)?;
    let printer = Printer::new(function, PrintOptions { names, phis: PhiStyle::List });
    let mut text = String::new();
    for block in function.blocks() {
        text.clear();
        printer.block(block, &mut text)?;
        write!(out, "  b{} [label=", block.index())?;
        // `\l` ends a line and puts it to the left.
        escaped(&text, "\\l", out)?;
        let style = if block == function.entry() { ", penwidth=2" } else { "" };
        writeln!(out, "{style}];")?;
    }
    edges(function, out)?;
    out.write_str("}\n")
}

/// Begins the graph of the function of this name.
pub(crate) fn open(name: &str, out: &mut dyn Write) -> fmt::Result {
    out.write_str("digraph ")?;
    escaped(name, "\\n", out)?;
    out.write_str(" {\n  node [shape=box, fontname=monospace];\n")
}

/// Writes the edges of `function`.
pub(crate) fn edges<D: Syntax>(function: &Function<D>, out: &mut dyn Write) -> fmt::Result {
    for block in function.blocks() {
        let targets = function.block(block).targets();
        for (slot, target) in targets.iter().enumerate() {
            write!(out, "  b{} -> b{}", block.index(), target.index())?;
            match targets.len() {
                1 => out.write_str(";\n")?,
                _ => writeln!(out, " [label=\"{slot}\"];")?,
            }
        }
    }
    Ok(())
}

/// The graph of `function` in the language DOT, with source names.
pub fn to_dot<D: Syntax>(function: &Function<D>) -> String {
    let mut text = String::new();
    // A string takes everything.
    let _ = print(function, NameStyle::Source, &mut text);
    text
}

/// A quoted string in which lines end with `line_end`.
pub(crate) fn escaped(text: &str, line_end: &str, out: &mut dyn Write) -> fmt::Result {
    out.write_char('"')?;
    for c in text.chars() {
        match c {
            '"' => out.write_str("\\\"")?,
            '\\' => out.write_str("\\\\")?,
            '\n' => out.write_str(line_end)?,
            _ => out.write_char(c)?,
        }
    }
    out.write_char('"')
}
