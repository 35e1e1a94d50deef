//! How names, values, constants and labels are spelled.

use super::lex::{is_plain_name, quote_string};
use super::print::{NameStyle, PhiStyle};
use crate::dialect::Syntax;
use crate::function::{Arg, BlockRef, Dest, Function, PhiRef, ValueData, ValueKind};
use ssaphire_graph::{Block, IdMap, Value, Variable};
use std::fmt::{self, Write};

/// Knows how everything in one function is spelled.
pub(crate) struct Speller<'f, D: Syntax> {
    pub(crate) function: &'f Function<D>,
    names: NameStyle,
    phis: PhiStyle,
    /// Which version of its variable each value is.
    versions: IdMap<Value, u32>,
    /// Operand indices of the outgoing edges of each block, by slot; empty where phis are lists.
    positions: IdMap<Block, Vec<u32>>,
}

impl<'f, D: Syntax> Speller<'f, D> {
    pub(crate) fn new(function: &'f Function<D>, names: NameStyle, phis: PhiStyle) -> Self {
        let positions = if phis == PhiStyle::List { IdMap::new() } else { operand_indices(function) };
        Self { function, names, phis, versions: versions(function), positions }
    }

    pub(crate) fn version(&self, value: Value) -> u32 {
        self.versions.get(value).copied().unwrap_or(0)
    }

    pub(crate) fn variable(&self, variable: Variable, out: &mut dyn Write) -> fmt::Result {
        let Some(name) = self.function.variables.name(variable) else { return write!(out, "'{variable}?'") };
        // A name that reads as a constant is quoted, even where only a variable can stand.
        if is_plain_name(name) && D::parse_constant(name).is_none() {
            out.write_str(name)
        } else {
            quote_string(name, '\'', out)
        }
    }

    pub(crate) fn value(&self, value: Value, out: &mut dyn Write) -> fmt::Result {
        let Some(data) = self.function.values.get(value) else { return write!(out, "%{}", value.index()) };
        match (data.kind, data.name, self.names) {
            (ValueKind::Constant(constant), ..) => D::print_constant(constant, out),
            (ValueKind::Undefined, name, _) => self.undefined(name, data.ty, out),
            (_, Some(variable), NameStyle::Source) => {
                out.write_char('%')?;
                self.variable(variable, out)?;
                write!(out, ".{}", self.version(value))
            }
            (_, _, NameStyle::SsaVal) => write!(out, "v{}", value.index()),
            (..) => write!(out, "%{}", value.index()),
        }
    }

    /// `undef`, with the variable and the type where they do not go without saying.
    fn undefined(&self, name: Option<Variable>, ty: &D::Type, out: &mut dyn Write) -> fmt::Result {
        out.write_str("undef")?;
        let name = name.filter(|_| self.names == NameStyle::Source);
        if let Some(variable) = name {
            out.write_char('.')?;
            self.variable(variable, out)?;
        }
        let expected = name.and_then(|name| self.function.variables.ty(name));
        if *ty == expected.cloned().unwrap_or_default() {
            return Ok(());
        }
        out.write_char(':')?;
        if *ty == D::Type::default() { out.write_char('_') } else { D::print_type(ty, out) }
    }

    pub(crate) fn arg(&self, arg: Arg, out: &mut dyn Write) -> fmt::Result {
        match arg {
            Arg::Variable(variable) => self.variable(variable, out),
            Arg::Value(value) => self.value(value, out),
        }
    }

    pub(crate) fn dest(&self, dest: Dest, out: &mut dyn Write) -> fmt::Result {
        match dest {
            Dest::Variable(variable) => self.variable(variable, out),
            Dest::Value(value) => self.value(value, out),
        }
    }

    /// `: type`, unless that is the default one.
    pub(crate) fn annotation(&self, ty: &D::Type, out: &mut dyn Write) -> fmt::Result {
        if *ty == D::Type::default() {
            return Ok(());
        }
        out.write_str(": ")?;
        D::print_type(ty, out)
    }

    pub(crate) fn label(&self, block: Block, out: &mut dyn Write) -> fmt::Result {
        match self.function.labels.name(block) {
            Some(name) => plain_or_quoted(name, out),
            None => write!(out, "{block}"),
        }
    }

    /// The label of the block at the end of an edge, with what the edge passes where phis are block parameters.
    pub(crate) fn target(&self, source: Block, slot: usize, target: Block, out: &mut dyn Write) -> fmt::Result {
        self.label(target, out)?;
        if self.phis != PhiStyle::Params {
            return Ok(());
        }
        let mut separator = "(";
        for (_, operand) in self.passed(source, slot, target) {
            out.write_str(separator)?;
            separator = ", ";
            self.value(operand, out)?;
        }
        out.write_str(if separator == ", " { ")" } else { "" })
    }

    /// The phis of `target`, and what the edge that leaves `source` by `slot` brings them.
    pub(crate) fn passed(
        &self,
        source: Block,
        slot: usize,
        target: Block,
    ) -> impl Iterator<Item = (PhiRef<'f>, Value)> {
        let position = self.positions.get(source).and_then(|positions| positions.get(slot)).copied();
        let phis = self.function.get_block(target).into_iter().flat_map(|block| block.phis().iter());
        phis.filter_map(move |phi| Some((phi, *phi.operands.get(position? as usize)?)))
    }
}

pub(crate) fn plain_or_quoted(name: &str, out: &mut dyn Write) -> fmt::Result {
    if is_plain_name(name) { out.write_str(name) } else { quote_string(name, '\'', out) }
}

/// Numbers the values of each variable in id order.
fn versions<D: Syntax>(function: &Function<D>) -> IdMap<Value, u32> {
    let mut next = IdMap::<Variable, u32>::filled(function.num_variables(), 0);
    let version = |data: ValueData<'_, D>| {
        let counted = !matches!(data.kind, ValueKind::Constant(_) | ValueKind::Undefined);
        let next = next.get_mut(data.name.filter(|_| counted)?)?;
        *next += 1;
        Some(*next - 1)
    };
    function.values.iter().map(version).map(Option::unwrap_or_default).collect()
}

/// Operand indices of the outgoing edges of each block, by slot.
pub(super) fn operand_indices<D: Syntax>(function: &Function<D>) -> IdMap<Block, Vec<u32>> {
    let unknown = |block: BlockRef<'_, D>| vec![u32::MAX; block.targets().len()];
    let mut positions: IdMap<Block, Vec<u32>> = function.block_refs().map(unknown).collect();
    for block in function.block_refs() {
        for (position, edge) in block.incoming().iter().enumerate() {
            positions[edge.source][edge.slot as usize] = position as u32;
        }
    }
    positions
}
