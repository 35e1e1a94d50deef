//! Sets of small functions, and how they are gone through.

use super::alphabet::Alphabet;
use super::chunk::Chunk;
use super::graph::{GraphCounts, SmallGraph, permutations, small_graphs, wide_graphs};
use super::telling::Telling;
use crate::rng::Rng;

/// In which orders the blocks are filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Orders {
    /// In all orders.
    All,
    /// Ascending and descending.
    Two,
}

/// Which programs are built on each graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Programs {
    /// All that read something.
    All,
    /// So many functions full, drawn from the graph's number.
    Sampled(usize),
}

/// A set of small functions.
#[derive(Clone, Debug)]
pub struct Space {
    /// Its name.
    pub name: &'static str,
    /// Number of blocks, without the one in front of an entry that edges lead to.
    pub num_blocks: usize,
    /// Parallel edges and edges to the entry are there too.
    pub is_wide: bool,
    /// What a block may do.
    pub alphabet: Alphabet,
    /// How functions are told.
    pub tellings: Vec<Telling>,
    /// In which orders.
    pub orders: Orders,
    /// Which programs are built.
    pub programs: Programs,
    /// Number of programs that share a function, at most.
    pub programs_per_function: usize,
}

impl Space {
    /// One variable; graphs without parallel edges and edges to the entry.
    pub fn plain(name: &'static str, num_blocks: usize, orders: Orders) -> Self {
        Self {
            name,
            num_blocks,
            is_wide: false,
            alphabet: Alphabet::one_variable(),
            tellings: Telling::ALL.into(),
            orders,
            programs: Programs::All,
            // One alone, more than fit a machine word, and somewhat fewer.
            programs_per_function: [1, 1, 1, 1, 240, 62][num_blocks.min(5)],
        }
    }

    /// One variable; parallel edges and edges to the entry, too.
    pub fn wide(name: &'static str, num_blocks: usize, orders: Orders) -> Self {
        Self { is_wide: true, ..Self::plain(name, num_blocks, orders) }
    }

    /// Two variables with copies. Nothing can be copied before it is read, so that the graph is never complete by then.
    pub fn copies(name: &'static str, num_blocks: usize, programs: Programs) -> Self {
        Self {
            alphabet: Alphabet::copies(),
            tellings: vec![Telling::OnTheFly, Telling::Announced],
            programs,
            programs_per_function: 30,
            ..Self::plain(name, num_blocks, Orders::All)
        }
    }

    /// The spaces that take minutes.
    pub fn long() -> Vec<Self> {
        vec![
            Self::plain("five", 5, Orders::All),
            Self::wide("wide-four", 4, Orders::All),
            Self::wide("wide-five", 5, Orders::Two),
            Self::copies("copies-three", 3, Programs::All),
            Self::copies("copies-four", 4, Programs::Sampled(200)),
        ]
    }

    /// The same functions, told in those ways.
    #[must_use]
    pub fn told(mut self, tellings: &[Telling]) -> Self {
        self.tellings = tellings.into();
        self
    }

    /// The graphs, and how many there are.
    pub fn graphs(&self) -> (Vec<SmallGraph>, GraphCounts) {
        match self.is_wide {
            true => wide_graphs(self.num_blocks),
            false => small_graphs(self.num_blocks),
        }
    }

    /// The orders of filling.
    pub(super) fn block_orders(&self) -> Vec<Vec<usize>> {
        match self.orders {
            Orders::All => permutations(self.num_blocks),
            Orders::Two => vec![(0..self.num_blocks).collect(), (0..self.num_blocks).rev().collect()],
        }
    }

    /// The functions built on every graph, unless each graph has its own.
    pub(super) fn chunks(&self) -> Vec<Chunk> {
        if self.programs != Programs::All {
            return Vec::new();
        }
        let all = (0..self.alphabet.num_programs(self.num_blocks)).filter(|&program| self.is_wanted(program));
        // Those that need no split blocks stay apart.
        let (split, whole): (Vec<u64>, Vec<u64>) =
            all.partition(|&program| self.alphabet.has_use_def(program, self.num_blocks));
        [whole, split].iter().flat_map(|programs| self.chunks_of(programs)).collect()
    }

    /// The functions built on the graph of that number alone.
    pub(super) fn sample(&self, graph: usize) -> Vec<Chunk> {
        let Programs::Sampled(num_functions) = self.programs else { return Vec::new() };
        let mut rng = Rng::new(graph as u64);
        let num_programs = self.alphabet.num_programs(self.num_blocks) as usize;
        let drawn = std::iter::repeat_with(|| rng.below(num_programs) as u64);
        let len = num_functions * self.programs_per_function;
        let programs: Vec<u64> = drawn.filter(|&program| self.is_wanted(program)).take(len).collect();
        self.chunks_of(&programs)
    }

    fn is_wanted(&self, program: u64) -> bool {
        self.alphabet.reads(program, self.num_blocks)
    }

    /// The programs in functions of about the same size, neighbors in different ones.
    fn chunks_of(&self, programs: &[u64]) -> Vec<Chunk> {
        let num_chunks = programs.len().div_ceil(self.programs_per_function);
        let chunk = |first| programs.iter().copied().skip(first).step_by(num_chunks).collect();
        (0..num_chunks).map(|first| Chunk::new(&self.alphabet, self.num_blocks, chunk(first))).collect()
    }
}
