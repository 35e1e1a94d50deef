//! Where things of a function stand in its text.

use super::header::Header;
use super::offset_in;
use super::statements::Outline;
use crate::module::FunctionText;
use ssaphire::Block;

/// Something in a function.
#[derive(Clone, Debug)]
pub(crate) enum At {
    /// All of it.
    Function,
    /// A block.
    Block(Block),
    /// An instruction of a block, by its place among those that are no phis.
    Inst(Block, usize),
    /// The last instruction of a block.
    End(Block),
    /// What defines a name, which has its sigil.
    Result(String),
}

/// Where it stands in the module, in bytes; where the function does, if it is not found.
pub(crate) fn offset_of(text: &FunctionText<'_>, at: &At) -> usize {
    let Some(header) = Header::of(text.text) else { return text.offset };
    let outline = Outline::of(header.body);
    let statements =
        |block: Block| outline.blocks.get(block.index()).map(|block| &outline.statements[block.statements.clone()]);
    let start =
        |place: usize| outline.statements.get(place).map(|statement| statement.result.unwrap_or(statement.body));
    let part = match at {
        At::Function => None,
        At::Block(block) => {
            outline.blocks.get(block.index()).and_then(|block| block.label.or(start(block.statements.start)))
        }
        At::Inst(block, place) => statements(*block).and_then(|statements| {
            let mut insts = statements.iter().filter(|statement| !statement.is_phi());
            let inst = insts.nth(*place).or(statements.last())?;
            Some(inst.result.unwrap_or(inst.body))
        }),
        At::End(block) => {
            statements(*block).and_then(<[_]>::last).map(|statement| statement.result.unwrap_or(statement.body))
        }
        At::Result(name) => {
            outline.statements.iter().find_map(|statement| statement.result.filter(|result| result == name))
        }
    };
    text.offset + part.map_or(0, |part| offset_in(text.text, part))
}
