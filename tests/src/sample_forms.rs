//! Small functions: random graphs, random sources, and SSA forms built from them by definition.

use crate::naive;
use ssaphire::graph::{Access, Block, Cfg, FlatCfg, SsaForm, Value, ValueEvent, Variable, VariableForm};

/// A deterministic stream of numbers (xorshift).
pub struct Random(u64);

impl Random {
    /// The numbers that follow from `seed`.
    pub fn new(seed: u64) -> Self {
        Self((seed + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit
    }

    /// Whether something happens that happens once in `odds` times.
    pub fn one_in(&mut self, odds: usize) -> bool {
        self.below(odds) == 0
    }

    /// Puts `items` in any order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for index in (1..items.len()).rev() {
            items.swap(index, self.below(index + 1));
        }
    }
}

/// Runs `test` on a stack of 256 KiB.
pub fn on_small_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(test);
    thread.unwrap().join().unwrap();
}

/// The graph with the given successor lists.
pub fn graph(entry: usize, successors: &[Vec<usize>]) -> FlatCfg {
    let successors: Vec<Vec<Block>> =
        successors.iter().map(|targets| targets.iter().copied().map(Block::new).collect()).collect();
    FlatCfg::from_successors(Block::new(entry), &successors).unwrap()
}

/// Up to nine blocks and edges anywhere: unreachable parts, self-loops, repeated edges, edges to the entry.
pub fn random_cfg(random: &mut Random) -> FlatCfg {
    let num_blocks = 1 + random.below(9);
    let degree = 1 + random.below(3);
    let mut successors = vec![Vec::new(); num_blocks];
    for targets in &mut successors {
        for _ in 0..random.below(degree + 2) {
            targets.push(random.below(num_blocks));
        }
    }
    graph(random.below(num_blocks), &successors)
}

/// Two to `limit` blocks with at most two edges each, none to the entry; a few blocks may be unreachable.
pub fn small_cfg(random: &mut Random, limit: usize) -> FlatCfg {
    let num_blocks = 2 + random.below(limit - 1);
    let mut successors = vec![Vec::new(); num_blocks];
    for block in 1..num_blocks {
        let source = random.below(block);
        if successors[source].len() < 2 && !random.one_in(20) {
            successors[source].push(block);
        }
    }
    for targets in &mut successors {
        while targets.len() < 2 && !random.one_in(3) {
            targets.push(1 + random.below(num_blocks - 1));
        }
    }
    graph(0, &successors)
}

/// A function with variables.
#[derive(Debug)]
pub struct Source {
    /// The graph.
    pub cfg: FlatCfg,
    /// Number of variables.
    pub num_variables: usize,
    /// By block, its accesses.
    pub accesses: Vec<Vec<Access>>,
}

/// Accesses to three variables at random. Copies are like writes, unless they are not wanted.
pub fn random_source(random: &mut Random, cfg: FlatCfg, with_copies: bool) -> Source {
    let num_variables = 3;
    let mut accesses = vec![Vec::new(); cfg.num_blocks()];
    for block in &mut accesses {
        for _ in 0..random.below(4) {
            let [one, other] = [(); 2].map(|()| Variable::new(random.below(num_variables)));
            block.push(match random.below(if with_copies { 6 } else { 4 }) {
                0 | 1 => Access::Read(one),
                2 | 3 => Access::Write(one),
                _ => Access::Copy(one, other),
            });
        }
    }
    Source { cfg, num_variables, accesses }
}

impl Cfg for Source {
    fn num_blocks(&self) -> usize {
        self.cfg.num_blocks()
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

impl VariableForm for Source {
    fn num_variables(&self) -> usize {
        self.num_variables
    }

    fn accesses(&self, block: Block) -> impl Iterator<Item = Access> {
        self.accesses[block.index()].iter().copied()
    }
}

/// A function in SSA form.
#[derive(Clone, Debug, Default)]
pub struct Ssa {
    /// The graph.
    pub cfg: FlatCfg,
    /// One more than the greatest value.
    pub num_values: usize,
    /// Values that are there from the beginning.
    pub globals: Vec<Value>,
    /// By block: phis and their operands.
    pub phis: Vec<Vec<(Value, Vec<Value>)>>,
    /// By block, its events.
    pub events: Vec<Vec<ValueEvent>>,
}

impl Cfg for Ssa {
    fn num_blocks(&self) -> usize {
        self.cfg.num_blocks()
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

impl SsaForm for Ssa {
    fn num_values(&self) -> usize {
        self.num_values
    }

    fn globals(&self) -> impl Iterator<Item = Value> {
        self.globals.iter().copied()
    }

    fn phis(&self, block: Block) -> impl Iterator<Item = Value> {
        self.phis[block.index()].iter().map(|phi| phi.0)
    }

    fn operands(&self, block: Block, phi: Value) -> impl Iterator<Item = Value> {
        let found = self.phis[block.index()].iter().find(|candidate| candidate.0 == phi);
        found.into_iter().flat_map(|phi| phi.1.iter().copied())
    }

    fn events(&self, block: Block) -> impl Iterator<Item = ValueEvent> {
        self.events[block.index()].iter().copied()
    }
}

/// The form of nothing but phis: values `0..num_globals` are globals, the next ones phis with the given operands.
///
/// Each phi has a block of its own, with as many edges from the entry as the phi has operands.
pub fn phi_graph(num_globals: usize, operands: &[Vec<usize>]) -> Ssa {
    let enter = operands.iter().enumerate().flat_map(|(phi, operands)| operands.iter().map(move |_| phi + 1));
    let mut successors = vec![enter.collect::<Vec<_>>()];
    successors.resize(operands.len() + 1, Vec::new());
    let of_phi = |(index, operands): (usize, &Vec<usize>)| {
        vec![(Value::new(num_globals + index), operands.iter().copied().map(Value::new).collect())]
    };
    Ssa {
        cfg: graph(0, &successors),
        num_values: num_globals + operands.len(),
        globals: (0..num_globals).map(Value::new).collect(),
        phis: [vec![]].into_iter().chain(operands.iter().enumerate().map(of_phi)).collect(),
        events: vec![Vec::new(); operands.len() + 1],
    }
}

/// An SSA form, and the variable of each of its values.
pub struct Constructed {
    /// The form.
    pub form: Ssa,
    /// By value, its variable.
    pub variable_of: Vec<Option<Variable>>,
    /// The phis, with their blocks and variables.
    pub phis: Vec<(Block, Variable, Value)>,
}

/// SSA form of `source` with phis as placed, sorted; the placement must have a phi wherever one is needed.
///
/// Values `0..num_variables` are globals: the contents of the variables at the entry. A copy leaves no event.
pub fn construct(source: &Source, placed: &[(Block, Variable)]) -> Constructed {
    let variables = || (0..source.num_variables).map(Variable::new);
    let mut variable_of: Vec<_> = variables().map(Some).collect();
    let globals: Vec<_> = (0..source.num_variables).map(Value::new).collect();
    let mut phis = Vec::new();
    for &(block, variable) in placed {
        phis.push((block, variable, Value::new(variable_of.len())));
        variable_of.push(Some(variable));
    }
    let mut top_down: Vec<_> = source.cfg.blocks().collect();
    top_down.sort_by_key(|&block| naive::dominators(&source.cfg, block).len());
    let mut events = vec![Vec::new(); source.num_blocks()];
    let mut at_end = vec![globals.clone(); source.num_blocks()];
    for block in top_down {
        let mut holds = naive::idom(&source.cfg, block).map_or(globals.clone(), |idom| at_end[idom.index()].clone());
        for &(_, variable, phi) in phis.iter().filter(|phi| phi.0 == block) {
            holds[variable.index()] = phi;
        }
        for &access in &source.accesses[block.index()] {
            match access {
                Access::Read(variable) => events[block.index()].push(ValueEvent::Use(holds[variable.index()])),
                Access::Write(variable) => {
                    holds[variable.index()] = Value::new(variable_of.len());
                    events[block.index()].push(ValueEvent::Def(holds[variable.index()]));
                    variable_of.push(Some(variable));
                }
                Access::Copy(to, from) => holds[to.index()] = holds[from.index()],
                Access::Tuple(_) => {}
            }
        }
        at_end[block.index()] = holds;
    }
    let operands = |block: Block, variable: Variable| {
        source.predecessors(block).map(|from| at_end[from.index()][variable.index()]).collect()
    };
    let of_block = |block: Block| {
        phis.iter().filter(|phi| phi.0 == block).map(|&(_, variable, phi)| (phi, operands(block, variable))).collect()
    };
    let phis_of = source.cfg.blocks().map(of_block).collect();
    let form = Ssa { cfg: source.cfg.clone(), num_values: variable_of.len(), globals, phis: phis_of, events };
    Constructed { form, variable_of, phis }
}

/// A phi for every variable in every reachable block with two or more incoming edges.
pub fn maximal_placement(source: &Source) -> Vec<(Block, Variable)> {
    let is_join = |&block: &Block| source.predecessors(block).count() >= 2 && naive::is_reachable(&source.cfg, block);
    let variables = |block| (0..source.num_variables).map(move |variable| (block, Variable::new(variable)));
    source.cfg.blocks().filter(is_join).flat_map(variables).collect()
}
