//! Functions, blocks and instructions of the HIR.

use super::terminal::Terminal;
use super::value::Value;
use ssaphire_js::dialect::Name;
use std::fmt;

/// The number of a block, unique in a nest of functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(pub u32);

impl BlockId {
    /// Its index in [`HirFunction::blocks`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for BlockId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bb{}", self.0)
    }
}

/// The number of an identifier: a temporary, or one version of a variable. Unique in a nest of functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place(pub u32);

impl Place {
    /// Its index in [`HirFunction::identifiers`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The identifier of a [`Place`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identifier {
    /// The name; a temporary has none, unless it is promoted: then it is `#t` and its declaration.
    pub name: Option<Name>,
    /// The number that all versions of one variable share: that of its first identifier.
    pub declaration: u32,
}

/// A function of a nest: its index in [`HirFunction::functions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClosureId(pub u32);

impl ClosureId {
    /// The outermost function.
    pub const OUTERMOST: Self = Self(0);

    /// Its index in [`HirFunction::functions`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A function with all functions nested in it: they share the numbering of blocks and identifiers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HirFunction {
    /// The functions, the outermost one first. One that has been inlined is not removed, but no instruction names it any more.
    pub functions: Vec<Function>,
    /// The blocks, by their numbers; `None` where a block has been dropped.
    pub blocks: Vec<Option<Block>>,
    /// The identifiers, by their numbers.
    pub identifiers: Vec<Identifier>,
}

/// One function.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// The name that it is declared with.
    pub name: Option<Name>,
    /// The parameters.
    pub params: Vec<Param>,
    /// The variables of functions around it that it may use, as places of the block that creates it.
    pub context: Vec<Place>,
    /// Its return value.
    pub returns: Place,
    /// Its directives, as written between quotes.
    pub directives: Vec<String>,
    /// The block where control enters.
    pub entry: BlockId,
    /// Its blocks, in reverse post-order.
    pub order: Vec<BlockId>,
    /// Whether it is a generator.
    pub is_generator: bool,
    /// Whether it is async.
    pub is_async: bool,
}

impl Function {
    /// An empty function.
    pub(super) fn new(entry: BlockId) -> Self {
        Self {
            name: None,
            params: Vec::new(),
            context: Vec::new(),
            returns: Place(0),
            directives: Vec::new(),
            entry,
            order: Vec::new(),
            is_generator: false,
            is_async: false,
        }
    }
}

/// A parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Param {
    /// The place it is bound to.
    pub place: Place,
    /// Whether it takes all arguments from its position on.
    pub is_rest: bool,
}

/// The kind of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// Statements.
    Block,
    /// An expression.
    Value,
    /// The initializer, test or update of a loop.
    Loop,
    /// A sequence of expressions.
    Sequence,
    /// The handler of a `try`.
    Catch,
}

impl BlockKind {
    /// Whether statements may stand in it.
    pub(super) fn holds_statements(self) -> bool {
        matches!(self, Self::Block | Self::Catch)
    }
}

impl fmt::Display for BlockKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Block => "block",
            Self::Value => "value",
            Self::Loop => "loop",
            Self::Sequence => "sequence",
            Self::Catch => "catch",
        })
    }
}

/// A basic block.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// What it is part of.
    pub kind: BlockKind,
    /// The phis.
    pub phis: Vec<Phi>,
    /// The instructions.
    pub instructions: Vec<Instruction>,
    /// Its terminal.
    pub terminal: Terminal,
    /// The number of its terminal in the order of the function.
    pub terminal_order: u32,
    /// The predecessors, each listed once.
    pub predecessors: Vec<BlockId>,
}

/// A phi. React Compiler has one operand for each predecessor, not for each edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phi {
    /// The place it defines.
    pub place: Place,
    /// The operands.
    pub operands: Vec<(BlockId, Place)>,
}

/// An instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct Instruction {
    /// Its number in the order of the function.
    pub order: u32,
    /// The place it defines: always a temporary.
    pub place: Place,
    /// The computation.
    pub value: Value,
}

impl HirFunction {
    /// The block with this number, unless it has been dropped.
    pub fn block(&self, block: BlockId) -> Option<&Block> {
        self.blocks.get(block.index())?.as_ref()
    }

    pub(super) fn block_mut(&mut self, block: BlockId) -> Option<&mut Block> {
        self.blocks.get_mut(block.index())?.as_mut()
    }

    /// The function with this number.
    pub fn function(&self, function: ClosureId) -> &Function {
        &self.functions[function.index()]
    }

    /// A new identifier without a name.
    pub(super) fn temporary(&mut self) -> Place {
        let place = Place(self.identifiers.len() as u32);
        self.identifiers.push(Identifier { name: None, declaration: place.0 });
        place
    }

    /// Names a temporary, so that it can be a variable.
    pub(super) fn promote(&mut self, place: Place) {
        let identifier = &mut self.identifiers[place.index()];
        identifier.name = Some(Name::new(&format!("#t{}", identifier.declaration)));
    }

    /// The functions that instructions of `function` make, and those that theirs make, and `function` itself, outermost first.
    pub(super) fn nest_of(&self, function: ClosureId) -> Vec<ClosureId> {
        let mut nest = vec![function];
        let mut next = 0;
        while let Some(&inner) = nest.get(next) {
            next += 1;
            let blocks = self.function(inner).order.iter().filter_map(|&block| self.block(block));
            nest.extend(
                blocks.flat_map(|block| &block.instructions).filter_map(|instruction| instruction.value.closure()),
            );
        }
        nest
    }
}
