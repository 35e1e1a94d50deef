//! Every small program, in every order of filling, by every engine.
//!
//! One variable is enough without copies: accesses of different variables do
//! not meet. A result is encoded in a number; those that are equal are judged once.

use ssaphire::check::{Judge, Mode, Program};
use ssaphire::{Block, Certified, Engine, Forwarding, HostError, KeptPhis, Options, PhiHost, Stats, Value, Variable};
use ssaphire_tests::is_reducible;
use ssaphire_tests::small::{Blocks, Content, Counts, SmallGraph, members, permutations, small_graphs};

/// Four bits per value: a block's write, a block's phi, or undefined.
type Code = u128;

const UNDEFINED: u8 = 7;
const PHI: u8 = 8;

/// A host for one variable in at most 5 blocks.
#[derive(Default)]
struct SmallHost {
    /// By value, its code.
    codes: Vec<u8>,
    /// The values read, by block.
    reads: [Option<Value>; 5],
    placement: Blocks,
    result: Code,
}

impl SmallHost {
    fn value(&mut self, code: u8) -> Value {
        self.codes.push(code);
        Value::new(self.codes.len() - 1)
    }
}

impl PhiHost for SmallHost {
    fn new_phi(&mut self, block: Block, _: Variable) -> Value {
        self.value(PHI + block.index() as u8)
    }

    fn undefined(&mut self, _: Variable) -> Value {
        self.value(UNDEFINED)
    }

    /// One nibble per block for its read and one per possible edge for its phi, each with one added.
    fn finish(&mut self, phis: &KeptPhis<'_>, stands_for: &Forwarding<'_>) -> Result<(), HostError> {
        let code = |value: Value| Code::from(self.codes[stands_for.resolve(value).index()]) + 1;
        for (block, read) in self.reads.iter().enumerate() {
            self.result |= read.map_or(0, code) << (24 * block);
        }
        for phi in phis.iter() {
            self.placement |= 1 << phi.block.index();
            for operand in phi.edge_operands() {
                self.result |= code(operand.value) << (24 * phi.block.index() + 4 * (operand.source.index() + 1));
            }
        }
        Ok(())
    }
}

/// One program in one order of filling.
#[derive(Clone, Copy, Debug)]
struct Task<'a> {
    graph: &'a SmallGraph,
    targets: &'a [Vec<Block>],
    contents: &'a [Content],
    order: &'a [usize],
}

impl Task<'_> {
    /// Builds the program; each block is sealed as soon as its last edge is there.
    fn build(&self, ssa: &mut Certified) -> SmallHost {
        let (mut host, variable) = (SmallHost::default(), Variable::new(0));
        ssa.clear();
        let mut missing = [0; 8];
        for (block, missing) in missing.iter_mut().enumerate().take(self.graph.num_blocks) {
            *missing = self.graph.sources(block).count_ones();
        }
        for &index in self.order {
            let block = Block::new(index);
            if self.contents[index].reads() {
                host.reads[index] = Some(ssa.read_variable(&mut host, block, variable));
            }
            if self.contents[index].writes() {
                let value = host.value(index as u8);
                ssa.write_variable(block, variable, value);
            }
            ssa.terminate(block, &self.targets[index]);
            for &target in &self.targets[index] {
                missing[target.index()] -= 1;
                if missing[target.index()] == 0 {
                    ssa.seal_block(&mut host, target);
                }
            }
        }
        ssa.finish(&mut host).expect("the function is complete");
        host
    }
}

/// Everything that is built and judged, and how much of it.
struct Census {
    engines: Vec<(Engine, Certified)>,
    recording: Certified,
    judge: Judge,
    program: Program,
    num_built: usize,
    num_judged: usize,
    stats: Stats,
    /// The results of the program under way.
    results: Vec<Code>,
}

impl Census {
    fn new() -> Self {
        let engine = |engine| {
            let mut ssa = Certified::new(Options::with_engine(engine));
            ssa.set_recording(false);
            ssa.clear();
            (engine, ssa)
        };
        Self {
            engines: Engine::ALL.map(engine).into(),
            recording: Certified::default(),
            judge: Judge::new(),
            program: Program::new(),
            num_built: 0,
            num_judged: 0,
            stats: Stats::default(),
            results: Vec::new(),
        }
    }

    fn check(&mut self, task: Task<'_>, expected: Blocks, is_reducible: bool) {
        for index in 0..self.engines.len() {
            let (engine, ssa) = &mut self.engines[index];
            let engine = *engine;
            let host = task.build(ssa);
            self.num_built += 1;
            self.stats += *ssa.stats();
            assert_eq!(host.placement, expected, "{engine}: {task:?}");
            if is_reducible && !engine.leaves_trivial_phis() {
                // Minimal before `minimize` has run.
                assert_eq!(ssa.stats().redundant_phis, 0, "{engine}: {task:?}");
            }
            if !self.results.contains(&host.result) {
                self.results.push(host.result);
                self.judge(task, host.result);
            }
        }
    }

    fn judge(&mut self, task: Task<'_>, result: Code) {
        self.num_judged += 1;
        // The default engine gives it, since all engines agree; and its certificate is accepted.
        assert_eq!(task.build(&mut self.recording).result, result, "{task:?}");
        self.recording.certify(&mut self.program).expect("the program is complete");
        let verdict = self.judge.judge(&self.program, Mode::Exact);
        assert!(verdict.is_accepted(), "{task:?}: {:?}", verdict.violations);
    }

    /// Checks the graph with all contents that read something, in the orders that `is_wanted`.
    fn check_graph(&mut self, graph: &SmallGraph, orders: &[Vec<usize>], mut is_wanted: impl FnMut() -> bool) {
        let targets: Vec<Vec<Block>> =
            (0..graph.num_blocks).map(|block| members(graph.targets[block]).map(Block::new).collect()).collect();
        let is_reducible = is_reducible(&graph.case(&[]).cfg);
        for number in 0..1 << (2 * graph.num_blocks) {
            let contents: Vec<Content> =
                (0..graph.num_blocks).map(|block| Content::ALL[number >> (2 * block) & 3]).collect();
            if !contents.iter().any(|content| content.reads()) {
                continue;
            }
            let expected = graph.pruned_placement(&contents);
            self.results.clear();
            for order in orders {
                if is_wanted() {
                    self.check(Task { graph, targets: &targets, contents: &contents, order }, expected, is_reducible);
                }
            }
            // Same program, same result, for all orders and engines.
            assert!(self.results.len() <= 1, "{graph:?} {contents:?}");
        }
    }
}

/// Every `parts`-th graph of `num_blocks`, from `part` on.
fn check_part(num_blocks: usize, part: usize, parts: usize) -> Census {
    let mut census = Census::new();
    let orders = permutations(num_blocks);
    for graph in small_graphs(num_blocks).0.iter().skip(part).step_by(parts) {
        census.check_graph(graph, &orders, || true);
    }
    census
}

#[test]
fn the_small_graphs_are_all_there() {
    let count = |num_blocks| {
        let Counts { raw, reachable, canonical } = small_graphs(num_blocks).1;
        let reducible = small_graphs(num_blocks).0.iter().filter(|graph| is_reducible(&graph.case(&[]).cfg)).count();
        (raw, reachable, canonical, reducible)
    };
    assert_eq!(count(3), (64, 32, 18, 15));
    assert_eq!(count(4), (2_401, 1_092, 190, 132));
    assert_eq!(count(5), (161_051, 64_482, 2_773, 1_472));
}

#[test]
fn every_program_of_up_to_three_blocks_is_right() {
    let counts = [1, 2, 3].map(|num_blocks| check_part(num_blocks, 0, 1)).map(|census| census.num_built);
    assert_eq!(counts[2], 1_008 * 6 * Engine::ALL.len());
}

#[test]
fn every_program_of_four_blocks_is_right_first_half() {
    let census = check_part(4, 0, 2);
    assert_eq!(census.num_built, 95 * 240 * 24 * Engine::ALL.len());
    assert_eq!(census.num_judged, 95 * 240);
}

#[test]
fn every_program_of_four_blocks_is_right_second_half() {
    let census = check_part(4, 1, 2);
    assert_eq!(census.num_built, 95 * 240 * 24 * Engine::ALL.len());
    // Irreducible graphs leave `minimize` something to do.
    assert!(census.stats.redundant_phis > 0);
}

#[test]
fn programs_of_five_blocks_are_right_where_a_hash_falls() {
    let mut census = Census::new();
    let orders = permutations(5);
    let mut number = 0u64;
    for graph in &small_graphs(5).0 {
        census.check_graph(graph, &orders, || {
            number += 1;
            number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32 & 0x3ff == 0
        });
    }
    assert!(census.num_built > 900_000, "{}", census.num_built);
}
