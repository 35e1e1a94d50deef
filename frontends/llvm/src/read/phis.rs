//! Reads phis, whose operands belong to edges.

use super::statements::{Outline, Statement};
use super::{Reader, bare};
use crate::dialect::Type;
use crate::error::{ReadError, ReadErrorKind};
use crate::function::VariableInfo;
use crate::scan::{len_until, type_len, until_comma};
use ssaphire::{Block, Value, Variable};
use ssaphire_ir::{List, Phi};
use std::sync::Arc;

/// The text of a phi.
struct PhiText<'t> {
    /// Flags for fast arithmetic, with a blank at the end.
    flags: &'t str,
    ty: &'t str,
    /// The pairs of values and blocks.
    pairs: Vec<(&'t str, &'t str)>,
    /// Metadata, with its comma.
    metadata: &'t str,
}

const FLAGS: [&str; 8] = ["afn", "arcp", "contract", "fast", "ninf", "nnan", "nsz", "reassoc"];

impl<'t> PhiText<'t> {
    fn of(body: &'t str) -> Option<Self> {
        let start = body.strip_prefix("phi")?.trim_ascii_start();
        let mut rest = start;
        while let Some(word) =
            FLAGS.iter().find(|word| rest.strip_prefix(**word).is_some_and(|rest| rest.starts_with(' ')))
        {
            rest = rest[word.len()..].trim_ascii_start();
        }
        let flags = &start[..start.len() - rest.len()];
        let ty = &rest[..type_len(rest)];
        rest = rest[ty.len()..].trim_ascii_start();
        let mut pairs = Vec::new();
        while let Some(inner) = rest.strip_prefix('[') {
            let pair = &inner[..len_until(inner.as_bytes(), |_| false)];
            let value = until_comma(pair);
            let block = pair[value.len()..].strip_prefix(',')?;
            pairs.push((value.trim_ascii(), block.trim_ascii()));
            rest = inner[pair.len()..].strip_prefix(']')?.trim_ascii_start();
            match rest.strip_prefix(',').map(str::trim_ascii_start) {
                Some(next) if next.starts_with('[') => rest = next,
                _ => break,
            }
        }
        (!ty.is_empty()).then_some(Self { flags, ty, pairs, metadata: rest })
    }
}

impl<'t> Reader<'_, 't> {
    fn phi_text(&self, body: &'t str) -> Result<PhiText<'t>, ReadError> {
        PhiText::of(body).map_or_else(|| self.error(body, ReadErrorKind::Phi), Ok)
    }

    /// The variable whose version a phi of the source is: one of its own.
    pub(super) fn variable_of_phi(&mut self, name: Option<Arc<str>>, body: &'t str) -> Result<Variable, ReadError> {
        let PhiText { flags, ty, metadata, .. } = self.phi_text(body)?;
        // A comment may stand at the end of the line.
        let metadata = metadata.split(';').next().unwrap_or("").trim_ascii_end();
        let info = VariableInfo { name, flags: flags.into(), metadata: metadata.into(), ..VariableInfo::default() };
        Ok(self.add_variable(info, Type::new(ty), "phi"))
    }

    /// Adds the phis; all edges are there.
    pub(super) fn fill_phis(&mut self, outline: &Outline<'t>) -> Result<(), ReadError> {
        let mut by_source: Vec<(usize, Option<Value>)> = vec![(0, None); self.function.num_blocks()];
        let mut number = 0;
        for (place, block) in outline.blocks.iter().enumerate() {
            let statements = &outline.statements[block.statements.clone()];
            let num_first = statements.iter().take_while(|statement| statement.is_phi()).count();
            if let Some(late) = statements[num_first..].iter().find(|statement| statement.is_phi()) {
                return self.error(late.body, ReadErrorKind::LatePhi);
            }
            for statement in &statements[..num_first] {
                number += 1;
                self.fill_phi(Block::new(place), statement, number, &mut by_source)?;
            }
        }
        Ok(())
    }

    /// Adds the phi with this number, from 1 on; `by_source` has by block the operands of the last phi that had one.
    fn fill_phi(
        &mut self,
        block: Block,
        statement: &Statement<'t>,
        number: usize,
        by_source: &mut [(usize, Option<Value>)],
    ) -> Result<(), ReadError> {
        let PhiText { ty, pairs, .. } = self.phi_text(statement.body)?;
        let Some(value) = statement.value else {
            return self.error(statement.body, ReadErrorKind::Phi);
        };
        for &(operand, label) in &pairs {
            let Some(source) = self.blocks.get(bare(label)) else {
                return self.error(label, ReadErrorKind::UnknownBlock(label.to_owned()));
            };
            let operand = self.operand(operand, ty)?;
            by_source[source.index()] = (number, Some(operand));
        }
        let incoming = self.function.block(block).incoming();
        let of_edge = |source: Block| by_source[source.index()].1.filter(|_| by_source[source.index()].0 == number);
        let operands: Option<List<Value, 4>> = incoming.iter().map(|edge| of_edge(edge.source)).collect();
        let Some(operands) = operands.filter(|operands| operands.len() == pairs.len()) else {
            return self.error(statement.body, ReadErrorKind::PhiBlocks);
        };
        let variable = self.function.value(value).name;
        self.function.push_phi(block, Phi { value, variable, operands });
        Ok(())
    }

    /// The value of an operand: a local value, or a constant.
    fn operand(&mut self, text: &'t str, ty: &str) -> Result<Value, ReadError> {
        if !text.starts_with('%') {
            return Ok(self.constant(text, ty));
        }
        let value = self.values.get(bare(text));
        value.map_or_else(|| self.error(text, ReadErrorKind::UnknownValue(text.to_owned())), Ok)
    }
}

#[cfg(test)]
mod tests {
    use super::PhiText;

    #[test]
    fn phis_are_taken_apart() {
        let text = "phi fast { i32, float } [ { i32 1, float %x }, %a ], [ %y, %\"b, c\" ], [ 1, %\"l,\" ], !dbg !7";
        let phi = PhiText::of(text).unwrap();
        assert_eq!((phi.flags, phi.ty, phi.metadata), ("fast ", "{ i32, float }", ", !dbg !7"));
        assert_eq!(phi.pairs.len(), 3);
        assert_eq!(phi.pairs[2], ("1", "%\"l,\""));
        assert_eq!(phi.pairs[0], ("{ i32 1, float %x }", "%a"));
        assert!(PhiText::of("phi").is_none());
    }
}
