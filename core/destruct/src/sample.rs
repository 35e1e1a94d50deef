//! Functions in SSA form, for tests: random ones, and some that grow with a number.

use crate::DestructForm;
use alloc::vec;
use alloc::vec::Vec;
use ssaphire_graph::{Block, Cfg, DominatorTree, FlatCfg, IncomingEdge, InsertionPoints, SsaForm, Value, ValueEvent};

/// A function in SSA form.
pub(crate) struct Function {
    pub(crate) cfg: FlatCfg,
    pub(crate) num_values: usize,
    /// By block: phis with their operands, and what comes after them.
    pub(crate) phis: Vec<Vec<(Value, Vec<Value>)>>,
    pub(crate) events: Vec<Vec<ValueEvent>>,
    pub(crate) copied: Vec<Option<Value>>,
    pub(crate) unsplittable: bool,
}

impl Cfg for Function {
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

impl SsaForm for Function {
    fn num_values(&self) -> usize {
        self.num_values
    }

    fn globals(&self) -> impl Iterator<Item = Value> {
        [Value::new(0)].into_iter()
    }

    fn phis(&self, block: Block) -> impl Iterator<Item = Value> {
        self.phis[block.index()].iter().map(|&(phi, _)| phi)
    }

    fn operands(&self, block: Block, phi: Value) -> impl Iterator<Item = Value> {
        let found = self.phis[block.index()].iter().filter(move |&&(other, _)| other == phi);
        found.flat_map(|(_, operands)| operands.iter().copied())
    }

    fn events(&self, block: Block) -> impl Iterator<Item = ValueEvent> {
        self.events[block.index()].iter().copied()
    }
}

impl InsertionPoints for Function {
    fn num_results_at_top(&self, _: Block) -> usize {
        0
    }

    fn num_terminator_uses(&self, block: Block) -> usize {
        usize::from(self.cfg.targets(block).len() > 1)
    }
}

impl DestructForm for Function {
    fn copied(&self, value: Value) -> Option<Value> {
        self.copied[value.index()]
    }

    fn can_split(&self, _: IncomingEdge) -> bool {
        !self.unsplittable
    }
}

/// A number below `limit`, from a linear congruential generator.
pub(crate) fn below(state: &mut u64, limit: usize) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize % limit
}

/// Random blocks, in which what dominates them is used and copied.
pub(crate) fn function(seed: u64) -> Function {
    let mut state = seed;
    let num_blocks = 2 + below(&mut state, 9);
    let block = |state: &mut u64| Block::new(1 + below(state, num_blocks - 1));
    let targets: Vec<Vec<Block>> = (0..num_blocks)
        .map(|at| match below(&mut state, 4) {
            0 if at > 0 => vec![],
            1 | 2 => vec![block(&mut state), block(&mut state)],
            _ => vec![block(&mut state)],
        })
        .collect();
    let cfg = FlatCfg::from_successors(Block::new(0), &targets).unwrap();
    let dominators = DominatorTree::new(&cfg);
    let mut phis = vec![Vec::new(); num_blocks];
    let mut events = vec![Vec::new(); num_blocks];
    let mut copied = vec![None];
    // What is available at the end of each block.
    let mut available = vec![vec![Value::new(0)]; num_blocks];
    for &at in dominators.preorder() {
        let mut known = dominators.idom(at).map_or(vec![Value::new(0)], |idom| available[idom.index()].clone());
        for _ in 0..if cfg.incoming(at).len() > 1 { below(&mut state, 4) } else { 0 } {
            let phi = Value::new(copied.len());
            copied.push(None);
            known.push(phi);
            phis[at.index()].push((phi, Vec::new()));
        }
        for _ in 0..below(&mut state, 5) {
            // Recent values more often.
            let from = known.len().saturating_sub(5);
            let used = known[from + below(&mut state, known.len() - from)];
            events[at.index()].push(ValueEvent::Use(used));
            if below(&mut state, 3) > 0 {
                let value = Value::new(copied.len());
                copied.push((below(&mut state, 2) == 0).then_some(used));
                known.push(value);
                events[at.index()].push(ValueEvent::Def(value));
            }
        }
        if cfg.targets(at).len() > 1 {
            events[at.index()].push(ValueEvent::Use(known[below(&mut state, known.len())]));
        }
        available[at.index()] = known;
    }
    for &at in dominators.preorder() {
        for phi in 0..phis[at.index()].len() {
            for &edge in cfg.incoming(at) {
                let known = &available[cfg.source(edge).index()];
                let from = known.len().saturating_sub(6);
                let operand = known[from + below(&mut state, known.len() - from)];
                phis[at.index()][phi].1.push(operand);
            }
        }
    }
    Function { cfg, num_values: copied.len(), phis, events, copied, unsplittable: seed % 3 == 0 }
}

/// A function from the targets of its blocks, without phis and events. Value 0 is global.
pub(crate) fn draft(targets: &[Vec<usize>], num_values: usize) -> Function {
    let targets: Vec<Vec<Block>> = targets.iter().map(|list| list.iter().copied().map(Block::new).collect()).collect();
    let cfg = FlatCfg::from_successors(Block::new(0), &targets).unwrap();
    let num_blocks = targets.len();
    Function {
        cfg,
        num_values,
        phis: vec![Vec::new(); num_blocks],
        events: vec![Vec::new(); num_blocks],
        copied: vec![None; num_values],
        unsplittable: false,
    }
}

/// `n` conditionals in a row, each with a value from either arm, which is needed at the end.
pub(crate) fn joins(n: usize) -> Function {
    let mut targets: Vec<Vec<usize>> = Vec::new();
    for fork in (0..n).map(|number| 3 * number) {
        targets.extend([vec![fork + 1, fork + 2], vec![fork + 3], vec![fork + 3]]);
    }
    targets.push(vec![]);
    let mut function = draft(&targets, 1 + 3 * n);
    for fork in (0..n).map(|number| 3 * number) {
        let [one, other, phi] = [1, 2, 3].map(|value| Value::new(fork + value));
        function.events[fork].push(ValueEvent::Use(Value::new(0)));
        function.events[fork + 1].push(ValueEvent::Def(one));
        function.events[fork + 2].push(ValueEvent::Def(other));
        function.phis[fork + 3].push((phi, vec![one, other]));
        function.events[3 * n].push(ValueEvent::Use(phi));
    }
    function
}

/// `n` loops around each other, each with a value that is needed at the end.
pub(crate) fn nest(n: usize) -> Function {
    // The entry, the headers from the outermost one on, the ends of the loops from the innermost one on, and the exit.
    let mut targets: Vec<Vec<usize>> = (0..=n).map(|block| vec![block + 1]).collect();
    targets.extend((0..n).map(|end| vec![n - end, n + end + 2]));
    targets.push(vec![]);
    let mut function = draft(&targets, 1 + 2 * n);
    for header in 1..=n {
        let [phi, value] = [2 * header - 1, 2 * header].map(Value::new);
        function.phis[header].push((phi, vec![Value::new(0), value]));
        function.events[header].extend([ValueEvent::Use(phi), ValueEvent::Def(value)]);
        function.events[2 * n + 1 - header].push(ValueEvent::Use(value));
        function.events[2 * n + 1].push(ValueEvent::Use(value));
    }
    function
}

/// A row of `n` blocks with an exit each, whose value is also needed at the end.
pub(crate) fn exits(n: usize) -> Function {
    let [end, out] = [2 * n, 2 * n + 1];
    let mut targets: Vec<Vec<usize>> = Vec::new();
    for block in (0..n).map(|number| 2 * number) {
        targets.extend([vec![block + 1, block + 2], vec![out]]);
    }
    targets.extend([vec![out], vec![]]);
    let mut function = draft(&targets, 2 + n);
    let mut operands = Vec::new();
    for number in 0..n {
        let value = Value::new(1 + number);
        function.events[2 * number].extend([ValueEvent::Def(value), ValueEvent::Use(value)]);
        function.events[end].push(ValueEvent::Use(value));
        operands.push(value);
    }
    operands.push(Value::new(0));
    function.phis[out].push((Value::new(1 + n), operands));
    function.events[out].push(ValueEvent::Use(Value::new(1 + n)));
    function
}
