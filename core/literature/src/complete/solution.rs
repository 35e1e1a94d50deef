//! The result of a constructor: placed phis, and the reaching definition of each read and operand.

use super::Graph;
use super::accesses::Accesses;
use alloc::vec::Vec;
use core::ops::Range;
use ssaphire_graph::{Block, IdLists, Variable};

/// The reaching definition of a read or an operand, as a number: see [`Found`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Definition(u32);

/// The reaching definition of a read or an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// The write of that number.
    Write(u32),
    /// The content of the variable on entry.
    Entry(Variable),
    /// The phi of that number.
    Phi(u32),
    /// Nothing: no path from the entry leads there.
    Nothing,
}

/// How definitions are numbered: writes, then what variables hold on entry, then phis.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Numbering {
    num_writes: u32,
    num_variables: u32,
}

impl Numbering {
    pub(super) fn new(accesses: &Accesses) -> Self {
        Self { num_writes: accesses.num_writes() as u32, num_variables: accesses.num_variables() as u32 }
    }

    pub(super) const NOTHING: Definition = Definition(u32::MAX);

    pub(crate) fn write(self, number: u32) -> Definition {
        Definition(number)
    }

    pub(crate) fn entry(self, variable: Variable) -> Definition {
        Definition(self.num_writes + variable.index() as u32)
    }

    fn first_phi(self) -> u32 {
        self.num_writes + self.num_variables
    }

    pub(crate) fn phi(self, number: u32) -> Definition {
        Definition(self.first_phi() + number)
    }

    /// The number of the phi, if it is one.
    pub(super) fn as_phi(self, definition: Definition) -> Option<u32> {
        match self.found(definition) {
            Found::Phi(number) => Some(number),
            _ => None,
        }
    }

    /// Whether `num_phis` phis and `num_operands` operands can be numbered.
    pub(super) fn has_room_for(self, num_phis: u64, num_operands: u64) -> bool {
        u64::from(self.first_phi()) + num_phis < u64::from(u32::MAX) && num_operands < u64::from(u32::MAX)
    }

    pub(crate) fn found(self, definition: Definition) -> Found {
        match definition.0 {
            u32::MAX => Found::Nothing,
            number if number < self.num_writes => Found::Write(number),
            number if number < self.first_phi() => Found::Entry(Variable::new((number - self.num_writes) as usize)),
            number => Found::Phi(number - self.first_phi()),
        }
    }
}

/// A phi that was placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Placed {
    pub(crate) block: Block,
    pub(crate) variable: Variable,
}

/// Phis with their operands, and the reaching definition of each read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Solution {
    pub(crate) numbering: Numbering,
    /// By block, then variable.
    pub(crate) phis: Vec<Placed>,
    /// By block, the first of its phis; and one more.
    first_of_block: Vec<u32>,
    /// By phi, where its operands begin; and one more.
    first_operand: Vec<u32>,
    /// By phi and incoming edge.
    pub(super) operands: Vec<Definition>,
    /// By read.
    pub(crate) reads: Vec<Definition>,
    /// Phis placed at first.
    pub(crate) num_placed: u64,
    /// Of these, the ones that the constructor itself found to be needless.
    pub(crate) num_removed: u64,
    /// Operands looked at for that.
    pub(crate) num_scanned: u64,
}

impl Solution {
    /// Places the phis, whose operands and reads find nothing yet. They come ordered by block, then variable.
    pub(crate) fn new(graph: &Graph, accesses: &Accesses, phis: Vec<Placed>) -> Self {
        let mut first_operand = Vec::with_capacity(phis.len() + 1);
        let mut num_operands = 0;
        first_operand.push(0);
        for phi in &phis {
            num_operands += graph.cfg.incoming(phi.block).len();
            first_operand.push(num_operands as u32);
        }
        Self {
            numbering: Numbering::new(accesses),
            num_placed: phis.len() as u64,
            first_of_block: first_of_blocks(graph.cfg.num_blocks(), &phis),
            phis,
            first_operand,
            operands: alloc::vec![Numbering::NOTHING; num_operands],
            reads: alloc::vec![Numbering::NOTHING; accesses.num_reads()],
            num_removed: 0,
            num_scanned: 0,
        }
    }

    pub(super) fn operand_range(&self, phi: u32) -> Range<usize> {
        self.first_operand[phi as usize] as usize..self.first_operand[phi as usize + 1] as usize
    }

    /// The operands of a phi, by incoming edge.
    pub(crate) fn operands(&self, phi: u32) -> &[Definition] {
        &self.operands[self.operand_range(phi)]
    }

    /// Gives a phi its operands.
    pub(crate) fn set_operands(&mut self, phi: u32, operands: &[Definition]) {
        let range = self.operand_range(phi);
        self.operands[range].copy_from_slice(operands);
    }

    /// The phis of a block, by number.
    pub(super) fn phis_of(&self, block: Block) -> Range<u32> {
        self.first_of_block[block.index()]..self.first_of_block[block.index() + 1]
    }

    /// Leaves out the phis that are replaced.
    ///
    /// `stands_for` gives by phi what it stands for, which is final: itself, if it stays.
    pub(super) fn keep(&mut self, stands_for: &[Definition]) {
        let old = self.numbering;
        let mut new_number = Vec::with_capacity(self.phis.len());
        let mut num_kept = 0;
        for (phi, &meant) in (0..).zip(stands_for) {
            new_number.push(num_kept);
            num_kept += u32::from(meant == old.phi(phi));
        }
        let renumbered = |definition: Definition| match old.as_phi(definition) {
            None => definition,
            Some(phi) => match old.as_phi(stands_for[phi as usize]) {
                None => stands_for[phi as usize],
                Some(kept) => old.phi(new_number[kept as usize]),
            },
        };
        let (mut phis, mut operands) = (Vec::with_capacity(num_kept as usize), Vec::new());
        let mut first_operand = alloc::vec![0];
        for phi in (0..stands_for.len() as u32).filter(|&phi| stands_for[phi as usize] == old.phi(phi)) {
            phis.push(self.phis[phi as usize]);
            operands.extend(self.operands(phi).iter().map(|&operand| renumbered(operand)));
            first_operand.push(operands.len() as u32);
        }
        self.reads.iter_mut().for_each(|read| *read = renumbered(*read));
        self.num_removed += (self.phis.len() - phis.len()) as u64;
        self.first_of_block = first_of_blocks(self.first_of_block.len() - 1, &phis);
        (self.phis, self.operands, self.first_operand) = (phis, operands, first_operand);
    }
}

/// Where the phis of each block begin once they are ordered by block; and one more.
fn first_of_blocks(num_blocks: usize, phis: &[Placed]) -> Vec<u32> {
    let mut start = alloc::vec![0u32; num_blocks + 1];
    for phi in phis {
        start[phi.block.index() + 1] += 1;
    }
    for block in 0..num_blocks {
        start[block + 1] += start[block];
    }
    start
}

/// Orders phis that come by variable: by block, then variable.
pub(super) fn by_block(num_blocks: usize, phis: &[Placed]) -> Vec<Placed> {
    let mut lists = IdLists::new();
    lists.rebuild(num_blocks, phis.iter().map(|&phi| (phi.block, phi)));
    lists.into_members()
}
