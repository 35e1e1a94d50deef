//! Whether the calls of a trace can be made of any builder.

use super::calls::Calls;
use super::{FunctionTrace, Trace, Type};
use std::fmt;

/// Why a call cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Misuse {
    /// No such block has been made.
    UnknownBlock {
        /// Its number.
        block: u32,
    },
    /// The function has no such variable.
    UnknownVariable {
        /// Its number.
        variable: u32,
    },
    /// No call before has made such a value.
    UnknownValue {
        /// Its number.
        value: u32,
    },
    /// The variable is not of the value's type.
    WrongType {
        /// The variable's number.
        variable: u32,
        /// The value's number.
        value: u32,
    },
    /// The call belongs to a block, and none is current.
    NoBlock,
    /// The first block that calls belong to is not the entry.
    NotTheEntry {
        /// The block.
        block: u32,
    },
    /// The block has its terminator already.
    Filled {
        /// The block.
        block: u32,
    },
    /// The block has been sealed already.
    Sealed {
        /// The block.
        block: u32,
    },
    /// An edge enters a block that is sealed.
    IntoSealed {
        /// The block.
        block: u32,
    },
    /// An edge enters the entry.
    IntoEntry,
    /// A table without a target.
    EmptyTable,
    /// The function ends and the block is not sealed.
    NeverSealed {
        /// The block.
        block: u32,
    },
    /// The function ends and the block has no terminator.
    NeverFilled {
        /// The block.
        block: u32,
    },
    /// The function ends and has no block.
    NoEntry,
}

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownBlock { block } => write!(f, "block {block}: not made yet"),
            Self::UnknownVariable { variable } => write!(f, "variable {variable}: the function has no such variable"),
            Self::UnknownValue { value } => write!(f, "value {value}: not made yet"),
            Self::WrongType { variable, value } => write!(f, "variable {variable}: not of the type of value {value}"),
            Self::NoBlock => f.write_str("no block to do this in"),
            Self::NotTheEntry { block } => write!(f, "block {block}: the first block is the entry, block 0"),
            Self::Filled { block } => write!(f, "block {block}: has its terminator already"),
            Self::Sealed { block } => write!(f, "block {block}: already sealed"),
            Self::IntoSealed { block } => write!(f, "block {block}: sealed, and an edge enters it"),
            Self::IntoEntry => f.write_str("block 0: the entry, and an edge enters it"),
            Self::EmptyTable => f.write_str("a table without a target"),
            Self::NeverSealed { block } => write!(f, "block {block}: never sealed"),
            Self::NeverFilled { block } => write!(f, "block {block}: has no terminator"),
            Self::NoEntry => f.write_str("a function without a block"),
        }
    }
}

impl std::error::Error for Misuse {}

impl Trace {
    /// Whether every call can be made: the first function with a call that cannot, and why.
    ///
    /// # Errors
    /// If there is one. Functions are counted from 0.
    pub fn check(&self) -> Result<(), (usize, Misuse)> {
        let mut checker = Checker::default();
        for (number, function) in self.functions().enumerate() {
            checker.check(function).map_err(|misuse| (number, misuse))?;
        }
        Ok(())
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct BlockState {
    is_filled: bool,
    is_sealed: bool,
}

/// Follows the calls of one function after another.
#[derive(Debug, Default)]
pub(super) struct Checker {
    variables: Vec<Type>,
    values: Vec<Type>,
    blocks: Vec<BlockState>,
    current: Option<u32>,
    /// Whether calls belong to a block already.
    has_begun: bool,
    /// The first call that cannot be made.
    found: Option<Misuse>,
}

impl Checker {
    fn check(&mut self, function: FunctionTrace<'_>) -> Result<(), Misuse> {
        self.begin();
        self.variables.extend_from_slice(function.types());
        function.replay(self);
        self.end()
    }

    pub(super) fn begin(&mut self) {
        self.blocks.clear();
        self.variables.clear();
        self.values.clear();
        (self.current, self.has_begun, self.found) = (None, false, None);
    }

    pub(super) fn variable(&mut self, ty: Type) {
        self.variables.push(ty);
    }

    /// Whether the calls so far can be made.
    pub(super) fn so_far(&self) -> Result<(), Misuse> {
        self.found.map_or(Ok(()), Err)
    }

    /// Whether the function is complete.
    pub(super) fn end(&mut self) -> Result<(), Misuse> {
        if self.blocks.is_empty() {
            self.find(Misuse::NoEntry);
        }
        for number in 0..self.blocks.len() as u32 {
            let state = self.blocks[number as usize];
            if !state.is_filled {
                self.find(Misuse::NeverFilled { block: number });
            } else if !state.is_sealed {
                self.find(Misuse::NeverSealed { block: number });
            }
        }
        self.so_far()
    }

    fn find(&mut self, misuse: Misuse) {
        self.found.get_or_insert(misuse);
    }

    fn require(&mut self, holds: bool, misuse: Misuse) {
        if !holds {
            self.find(misuse);
        }
    }

    fn block(&mut self, block: u32) -> Option<&mut BlockState> {
        self.require((block as usize) < self.blocks.len(), Misuse::UnknownBlock { block });
        self.blocks.get_mut(block as usize)
    }

    /// The type of the variable, which the current block reads or writes.
    fn access(&mut self, variable: u32) -> Type {
        self.require(self.current.is_some(), Misuse::NoBlock);
        let ty = self.variables.get(variable as usize).copied();
        self.require(ty.is_some(), Misuse::UnknownVariable { variable });
        ty.unwrap_or_default()
    }

    fn terminate(&mut self, targets: &[u32]) {
        for &block in targets {
            let is_sealed = self.block(block).is_some_and(|state| state.is_sealed);
            self.require(block != 0, Misuse::IntoEntry);
            self.require(!is_sealed, Misuse::IntoSealed { block });
        }
        match self.current.take() {
            Some(current) => self.blocks[current as usize].is_filled = true,
            None => self.find(Misuse::NoBlock),
        }
    }
}

impl Calls for Checker {
    fn new_block(&mut self) {
        self.blocks.push(BlockState::default());
    }

    fn switch_to(&mut self, block: u32) {
        self.require(block == 0 || self.has_begun, Misuse::NotTheEntry { block });
        self.has_begun = true;
        let state = self.block(block).copied();
        self.require(!state.is_some_and(|state| state.is_filled), Misuse::Filled { block });
        self.current = state.map(|_| block);
    }

    fn seal(&mut self, block: u32) {
        let was_sealed = self.block(block).is_some_and(|state| std::mem::replace(&mut state.is_sealed, true));
        self.require(!was_sealed, Misuse::Sealed { block });
    }

    fn fresh(&mut self, ty: Type) {
        self.require(self.current.is_some(), Misuse::NoBlock);
        self.values.push(ty);
    }

    fn read(&mut self, variable: u32) {
        let ty = self.access(variable);
        self.values.push(ty);
    }

    fn write(&mut self, variable: u32, value: u32) {
        let expected = self.access(variable);
        match self.values.get(value as usize) {
            Some(&ty) => self.require(ty == expected, Misuse::WrongType { variable, value }),
            None => self.find(Misuse::UnknownValue { value }),
        }
    }

    fn jump(&mut self, target: u32) {
        self.terminate(&[target]);
    }

    fn branch(&mut self, targets: [u32; 2]) {
        self.terminate(&targets);
    }

    fn table(&mut self, targets: &[u32]) {
        self.require(!targets.is_empty(), Misuse::EmptyTable);
        self.terminate(targets);
    }

    fn leave(&mut self) {
        self.terminate(&[]);
    }
}
