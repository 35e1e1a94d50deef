//! So many variables that the default engine gives up its rows early, and all those in use share one bit of its masks.

use ssaphire::{Block, Certified, SsaBuilder, ValueCounter, Variable};
use ssaphire_ir::{Action, Arg, Dest};
use ssaphire_tests::functions::{self, Shape};
use ssaphire_tests::seeds;

/// A row with cells for this variable takes 32 KB, and a hundred and thirty of them are too large.
const WIDEST: usize = 8192;
/// Variables whose numbers differ by this share a bit.
const NUM_BITS: usize = 64;

#[test]
fn functions_of_every_shape_are_accepted() {
    for &shape in Shape::ALL {
        for seed in seeds(0..12) {
            check(shape, 150 + 10 * seed as usize, seed);
        }
    }
}

/// Tells a builder of the reads and writes of a generated function, block by block in reverse post-order.
fn check(shape: Shape, num_blocks: usize, seed: u64) {
    let function = functions::generate(shape, num_blocks, seed);
    if !function.block(function.entry()).incoming().is_empty() {
        return;
    }
    let cfg = ssaphire::FlatCfg::new(&function).expect("a function is a graph");
    let (mut host, mut ssa) = (ValueCounter::default(), Certified::new());
    ssa.announce(&cfg).expect("no edge enters the entry");
    let variable = |variable: Variable| Variable::new(variable.index() * NUM_BITS);
    assert!(function.num_variables() * NUM_BITS < WIDEST);
    let order = ssaphire::graph::Order::new(&cfg);
    let unreachable = cfg.blocks().filter(|&block| !order.is_reachable(block));
    let blocks: Vec<Block> = order.rpo().chain(unreachable).collect();
    for block in blocks {
        if block == function.entry() {
            let value = host.fresh();
            ssa.write_variable(block, Variable::new(WIDEST), value);
        }
        for inst in function.block(block).insts().iter() {
            for &arg in inst.args {
                if let Arg::Variable(read) = arg {
                    ssa.read_variable(&mut host, block, variable(read));
                }
            }
            let is_plain = inst.targets.is_empty() || matches!(inst.action, Action::Copy);
            for &dest in inst.results.iter().filter(|_| is_plain) {
                if let Dest::Variable(written) = dest {
                    let value = host.fresh();
                    ssa.write_variable(block, variable(written), value);
                }
            }
        }
        ssa.terminate(block, cfg.targets(block));
    }
    ssa.finish(&mut host).expect("all is sealed and filled");
    assert_eq!(ssa.complaints(), [""; 0], "{shape:?} {num_blocks} {seed}");
}
