//! A trace replayed into a complete function, which is then solved: no builder, no host.
//!
//! What the engines that decide at the end cost by themselves, once somebody has built a form for them.
//! A write of a value that was read is a write like any other here: the form cannot say that it copies.

use crate::trace::{Calls, FunctionTrace, Type};
use ssaphire::graph::{Cfg, FlatCfg};
use ssaphire::{Access, Block, Variable, VariableForm};
use ssaphire_literature::Engine;
use ssaphire_literature::whole::{Answers, Function};

/// Replays functions into one form, in one memory, and solves each.
#[derive(Debug)]
pub struct WholeReplay {
    engine: Engine,
    form: Form,
    current: Block,
    edges: Vec<(Block, Block)>,
    accesses: Vec<(Block, Access)>,
    grouped: Groups<(Block, Block)>,
}

impl WholeReplay {
    /// A replay for `engine`, which decides at the end.
    pub fn new(engine: Engine) -> Self {
        let (form, current) = (Form::default(), Block::new(0));
        Self { engine, form, current, edges: Vec::new(), accesses: Vec::new(), grouped: Groups::default() }
    }

    /// Solves one function.
    ///
    /// # Panics
    /// If the trace is not one that [`Trace::check`](crate::trace::Trace::check) accepts, or the engine cannot build it.
    #[inline(never)]
    pub fn replay(&mut self, function: FunctionTrace<'_>) -> Answers {
        self.form.num_blocks = 0;
        self.edges.clear();
        self.accesses.clear();
        function.replay(self);
        let Self { form, edges, accesses, grouped, .. } = self;
        form.num_variables = function.types().len();
        form.accesses.group(form.num_blocks, accesses, |&(block, _)| block);
        grouped.group(form.num_blocks, edges, |&(source, _)| source);
        let edges = grouped.items.iter().copied();
        form.cfg
            .rebuild_from_edges(form.num_blocks, Block::new(0), edges)
            .expect("a trace that was checked is a graph");
        let function = Function::new(&*form).expect("a trace that was checked has no edge into its entry");
        function.solve(self.engine).expect("the engine has a form for it")
    }

    fn edge(&mut self, target: u32) {
        self.edges.push((self.current, Block::new(target as usize)));
    }

    fn access(&mut self, access: Access) {
        self.accesses.push((self.current, access));
    }
}

/// The function at hand.
#[derive(Debug, Default)]
struct Form {
    num_blocks: usize,
    num_variables: usize,
    cfg: FlatCfg,
    accesses: Groups<(Block, Access)>,
}

impl Cfg for Form {
    fn num_blocks(&self) -> usize {
        self.num_blocks
    }

    fn entry(&self) -> Block {
        self.cfg.entry()
    }

    fn successors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.cfg.successors(block)
    }

    fn predecessors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.cfg.predecessors(block)
    }
}

impl VariableForm for Form {
    fn num_variables(&self) -> usize {
        self.num_variables
    }

    fn accesses(&self, block: Block) -> impl Iterator<Item = Access> {
        self.accesses.of(block).iter().map(|&(_, access)| access)
    }
}

/// Items by block, in the order in which they came.
#[derive(Debug)]
struct Groups<T> {
    /// By block, its first item; and one more.
    start: Vec<u32>,
    items: Vec<T>,
}

impl<T> Default for Groups<T> {
    fn default() -> Self {
        Self { start: Vec::new(), items: Vec::new() }
    }
}

impl<T: Copy> Groups<T> {
    /// Counts, then places: in the memory that is there.
    fn group(&mut self, num_blocks: usize, items: &[T], block_of: impl Fn(&T) -> Block) {
        self.start.clear();
        // Two more than blocks: while items are placed, `start[b + 1]` is where the next item of `b` goes.
        self.start.resize(num_blocks + 2, 0);
        for item in items {
            self.start[block_of(item).index() + 2] += 1;
        }
        for index in 2..self.start.len() {
            self.start[index] += self.start[index - 1];
        }
        self.items.clear();
        self.items.extend_from_slice(items);
        for item in items {
            let next = &mut self.start[block_of(item).index() + 1];
            self.items[*next as usize] = *item;
            *next += 1;
        }
    }

    fn of(&self, block: Block) -> &[T] {
        &self.items[self.start[block.index()] as usize..self.start[block.index() + 1] as usize]
    }
}

impl Calls for WholeReplay {
    fn new_block(&mut self) {
        self.form.num_blocks += 1;
    }

    #[inline(always)]
    fn switch_to(&mut self, block: u32) {
        self.current = Block::new(block as usize);
    }

    /// When edges come is nothing to a form that has all of them.
    fn seal(&mut self, _: u32) {}

    fn fresh(&mut self, _: Type) {}

    #[inline(always)]
    fn read(&mut self, variable: u32) {
        self.access(Access::Read(Variable::new(variable as usize)));
    }

    #[inline(always)]
    fn write(&mut self, variable: u32, _: u32) {
        self.access(Access::Write(Variable::new(variable as usize)));
    }

    fn jump(&mut self, target: u32) {
        self.edge(target);
    }

    fn branch(&mut self, targets: [u32; 2]) {
        targets.into_iter().for_each(|target| self.edge(target));
    }

    fn table(&mut self, targets: &[u32]) {
        targets.iter().for_each(|&target| self.edge(target));
    }

    fn leave(&mut self) {}
}
