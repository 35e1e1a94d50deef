//! What a block of a small function may do to its variables.

/// What a block does to the one variable there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Nothing.
    Nothing,
    /// Writes it.
    Def,
    /// Reads it.
    Use,
    /// Reads it, then writes it.
    UseDef,
}

impl Content {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Nothing, Self::Def, Self::Use, Self::UseDef];

    /// Whether the block writes the variable.
    pub fn writes(self) -> bool {
        matches!(self, Self::Def | Self::UseDef)
    }

    /// Whether the block reads what the variable holds at its top.
    pub fn reads(self) -> bool {
        matches!(self, Self::Use | Self::UseDef)
    }

    fn ops(self) -> Vec<Op> {
        let reads = self.reads().then_some(Op::Use(0));
        reads.into_iter().chain(self.writes().then_some(Op::Def(0))).collect()
    }
}

/// One access of a variable, of which a program has at most two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// It is written.
    Def(u8),
    /// It is read.
    Use(u8),
    /// The first is assigned what the second holds.
    Copy(u8, u8),
}

impl Op {
    /// The variable that is read.
    pub fn read(self) -> Option<u8> {
        match self {
            Self::Use(variable) | Self::Copy(_, variable) => Some(variable),
            Self::Def(_) => None,
        }
    }

    /// The variable that is written.
    pub fn written(self) -> Option<u8> {
        match self {
            Self::Def(variable) | Self::Copy(variable, _) => Some(variable),
            Self::Use(_) => None,
        }
    }
}

/// What a block may do; a *program* chooses for each block, and is numbered by its choices.
#[derive(Clone, Debug)]
pub struct Alphabet {
    /// Number of variables of a program.
    pub num_variables: usize,
    contents: Vec<Vec<Op>>,
}

impl Alphabet {
    /// One variable and every [`Content`].
    pub fn one_variable() -> Self {
        Self { num_variables: 1, contents: Content::ALL.map(Content::ops).into() }
    }

    /// Two variables, and every sequence of at most two accesses.
    pub fn copies() -> Self {
        let ops = [Op::Def(0), Op::Def(1), Op::Use(0), Op::Use(1), Op::Copy(0, 1), Op::Copy(1, 0)];
        let mut contents = vec![Vec::new()];
        contents.extend(ops.map(|op| vec![op]));
        contents.extend(ops.iter().flat_map(|&first| ops.map(|second| vec![first, second])));
        Self { num_variables: 2, contents }
    }

    /// Whether a variable can be assigned what another one holds.
    pub fn has_copies(&self) -> bool {
        self.num_variables > 1
    }

    /// Number of programs of so many blocks.
    pub fn num_programs(&self, num_blocks: usize) -> u64 {
        (self.contents.len() as u64).pow(num_blocks as u32)
    }

    /// What `block` does in a program.
    pub fn content(&self, program: u64, block: usize) -> &[Op] {
        let base = self.contents.len() as u64;
        &self.contents[(program / base.pow(block as u32) % base) as usize]
    }

    /// Whether something is read in a program. Nothing else is worth a look.
    pub fn reads(&self, program: u64, num_blocks: usize) -> bool {
        let mut ops = (0..num_blocks).flat_map(|block| self.content(program, block));
        ops.any(|op| matches!(op, Op::Use(_)))
    }

    /// Whether a block reads and then writes in a program, so that the read cannot wait for the end of the block.
    pub fn has_use_def(&self, program: u64, num_blocks: usize) -> bool {
        let is_use_def = |content: &[Op]| content.len() == 2 && content[1].written().is_some();
        (0..num_blocks).any(|block| is_use_def(self.content(program, block)))
    }
}

#[cfg(test)]
mod tests {
    use super::Alphabet;

    #[test]
    fn the_programs_are_all_there() {
        let reading = |alphabet: &Alphabet, num_blocks| {
            (0..alphabet.num_programs(num_blocks)).filter(|&program| alphabet.reads(program, num_blocks)).count()
        };
        let (one, copies) = (Alphabet::one_variable(), Alphabet::copies());
        assert_eq!([3, 4, 5].map(|num_blocks| reading(&one, num_blocks)), [56, 240, 992]);
        // 43 contents, of which 1 + 4 + 16 read nothing but for a copy.
        assert_eq!([1, 2, 3].map(|num_blocks| reading(&copies, num_blocks)), [22, 43 * 43 - 21 * 21, 70_246]);
        assert_eq!(copies.num_programs(4), 3_418_801);
    }
}
