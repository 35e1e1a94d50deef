//! From a source program through a builder into any host, in any order.

use super::programs::{End, Program, Statement};
use super::random::{Random, graph, structured};
use ssaphire::graph::FlatCfg;
use ssaphire::{Block, Certified, PhiHost, Ssa, SsaBuilder, SsaBuilderExt, Stats, Strict, Value, Variable};
use ssaphire_literature::{AnyBuilder, Engine};

/// A host that can also be given code.
pub(crate) trait Code: PhiHost {
    fn constant(&mut self, block: Block, variable: Variable, number: i64) -> Value;

    fn add(&mut self, block: Block, variable: Variable, left: Value, right: Value) -> Value;

    fn print(&mut self, block: Block, variable: Variable, value: Value);

    /// Writes the result, or says why it does not.
    fn take(&mut self, result: &Ssa<'_>) -> Result<(), String>;

    /// Ends `block`; `value` is what an `if` or a switch asks.
    fn end(&mut self, block: Block, end: &End, value: Option<Value>);

    /// A value that is the same as `value`, just added, and makes it needless.
    fn simpler(&self, value: Value) -> Option<Value> {
        let _ = value;
        None
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Sealing {
    /// The graph is announced.
    Announced,
    /// Each block by hand, as soon as its last edge is there.
    Early,
    AtTheEnd,
}

/// How to build.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    pub(crate) engine: Engine,
    pub(crate) sealing: Sealing,
    /// The seed of the order in which blocks are filled; 0 for id order.
    pub(crate) order: u64,
}

pub(crate) fn all_ways() -> impl Iterator<Item = Way> {
    let sealings = [Sealing::Announced, Sealing::Early, Sealing::AtTheEnd];
    Engine::ALL.iter().copied().filter(|engine| engine.takes_any_graph()).flat_map(move |engine| {
        sealings.into_iter().flat_map(move |sealing| [0, 1, 2].map(|order| Way { engine, sealing, order }))
    })
}

/// Structured programs and any graphs, 200 of each, each with a way of its own.
pub(crate) fn random_programs() -> impl Iterator<Item = (Program, Way)> {
    let ways: Vec<Way> = all_ways().collect();
    (1..=200).flat_map(move |seed| {
        let way = |shift: usize| Way { order: seed % 5, ..ways[(seed as usize + shift) % ways.len()] };
        [(structured(seed), way(0)), (graph(seed), way(7))]
    })
}

/// Builds `program` in `host`.
pub(crate) fn build<H: Code>(program: &Program, host: &mut Strict<H>, way: Way) -> Result<Stats, String> {
    let targets: Vec<Vec<Block>> = program.blocks.iter().map(|(_, end)| end.targets()).collect();
    let cfg = FlatCfg::from_successors(Block::new(0), &targets).unwrap();
    let mut ssa = Certified::with_builder(AnyBuilder::new(way.engine));
    match way.sealing {
        Sealing::Announced => ssa.announce(&cfg).unwrap(),
        Sealing::Early => cfg.blocks().filter(|&block| cfg.incoming(block).is_empty()).for_each(|block| {
            ssa.seal_block(host, block);
        }),
        Sealing::AtTheEnd => {}
    }
    let mut missing: Vec<usize> = cfg.blocks().map(|block| cfg.incoming(block).len()).collect();
    let mut order: Vec<Block> = cfg.blocks().collect();
    if way.order > 0 {
        Random::new(way.order).shuffle(&mut order);
    }
    for block in order {
        fill(program, host, &mut ssa, block);
        ssa.terminate(block, cfg.targets(block));
        for target in cfg.targets(block) {
            missing[target.index()] -= 1;
            if missing[target.index()] == 0 && matches!(way.sealing, Sealing::Early) {
                ssa.seal_block(host, *target);
            }
        }
    }
    if matches!(way.sealing, Sealing::AtTheEnd) {
        ssa.seal_all_blocks(host);
    }
    let result = ssa.finish(host).map_err(|error| error.to_string())?;
    host.take(&result)?;
    host.check(&result);
    ssa.compare(host);
    assert_eq!(ssa.differences(), Some(&[][..]), "{way:?}");
    Ok(*ssa.stats())
}

fn fill<H: Code>(program: &Program, host: &mut Strict<H>, ssa: &mut Certified<AnyBuilder>, block: Block) {
    let (statements, end) = &program.blocks[block.index()];
    for statement in statements {
        match *statement {
            Statement::Constant(target, number) => {
                let value = host.constant(block, Variable::new(target), number);
                ssa.write_variable(block, Variable::new(target), value);
            }
            Statement::Copy(target, source) => {
                let value = ssa.read_variable(host, block, Variable::new(source));
                ssa.write_variable(block, Variable::new(target), value);
            }
            Statement::Add(target, left, right) => {
                let [left, right] = [left, right].map(|source| ssa.read_variable(host, block, Variable::new(source)));
                let value = host.add(block, Variable::new(target), left, right);
                ssa.write_variable(block, Variable::new(target), value);
                if let Some(simpler) = host.simpler(value) {
                    ssa.replace(host, value, simpler);
                }
            }
            Statement::Print(source) => {
                let value = ssa.read_variable(host, block, Variable::new(source));
                host.print(block, Variable::new(source), value);
            }
        }
    }
    let asked = end.variable().map(|variable| ssa.read_variable(host, block, Variable::new(variable)));
    host.end(block, end, asked);
}
