//! Chains against the classical data-flow equations.

extern crate std;

use super::*;
use crate::sample_forms::Variables;
use crate::sample_graphs::{self, Random, on_small_stack};
use alloc::collections::BTreeSet;
use alloc::vec;

/// Where something was written; `None` for the entry, where nothing was.
type Origin = Option<(Block, u32)>;

/// By variable: the writes that may have been the last.
type Reaching = Vec<BTreeSet<Origin>>;

/// What happens at once: the variables read and those written, with their positions.
type Step = (Vec<(u32, Variable)>, Vec<(u32, Variable)>);

fn steps(accesses: &[Access]) -> Vec<Step> {
    let (mut steps, mut place, mut num_tuples) = (Vec::new(), 0, 0);
    while place < accesses.len() {
        let (first, count) = match accesses[place] {
            Access::Tuple(count) => (place + 1, count as usize),
            _ => (place, 1),
        };
        let end = (first + count).min(accesses.len());
        num_tuples += first - place;
        let mut step = Step::default();
        for (index, access) in accesses.iter().enumerate().take(end).skip(first) {
            let index = (index - num_tuples) as u32;
            match *access {
                Access::Read(variable) => step.0.push((index, variable)),
                Access::Write(variable) => step.1.push((index, variable)),
                Access::Copy(to, from) => {
                    step.0.push((index, from));
                    step.1.push((index, to));
                }
                Access::Tuple(_) => unreachable!("tuples do not nest"),
            }
        }
        steps.push(step);
        place = end;
    }
    steps
}

/// Goes through a block and shows what each read may see.
fn pass(function: &Variables, block: Block, reaching: &mut Reaching, mut show: impl FnMut(u32, &BTreeSet<Origin>)) {
    let accesses: Vec<Access> = function.accesses(block).collect();
    for (reads, writes) in steps(&accesses) {
        for (index, variable) in reads {
            show(index, &reaching[variable.index()]);
        }
        for (index, variable) in writes {
            reaching[variable.index()] = BTreeSet::from([Some((block, index))]);
        }
    }
}

/// The equations, until nothing changes: what reaches the top of each block; `None` for unreachable ones.
fn tops(function: &Variables) -> Vec<Option<Reaching>> {
    let cfg = &function.cfg;
    let mut tops: Vec<Option<Reaching>> = vec![None; cfg.num_blocks()];
    tops[cfg.entry().index()] = Some(vec![BTreeSet::from([None]); function.num_variables]);
    let mut has_changed = true;
    while has_changed {
        has_changed = false;
        for block in cfg.blocks() {
            let Some(mut reaching) = tops[block.index()].clone() else { continue };
            pass(function, block, &mut reaching, |_, _| ());
            for &target in cfg.targets(block) {
                let before = tops[target.index()].clone();
                let top = tops[target.index()].get_or_insert_with(|| vec![BTreeSet::new(); function.num_variables]);
                for (top, new) in top.iter_mut().zip(&reaching) {
                    top.extend(new);
                }
                has_changed |= tops[target.index()] != before;
            }
        }
    }
    tops
}

fn random_accesses(random: &mut Random, num_variables: usize) -> Vec<Access> {
    let mut accesses = Vec::new();
    for _ in 0..random.below(5) {
        let count = if random.one_in(4) { 1 + random.below(3) } else { 0 };
        if count > 0 {
            accesses.push(Access::Tuple(count as u32));
        }
        let mut written = BTreeSet::new();
        for _ in 0..count.max(1) {
            let mut variable = || Variable::new(random.below(num_variables));
            let (one, other) = (variable(), variable());
            // In a tuple no variable is written twice.
            accesses.push(match random.below(3) {
                0 if written.insert(one) => Access::Write(one),
                1 if written.insert(one) => Access::Copy(one, other),
                _ => Access::Read(one),
            });
        }
    }
    accesses
}

#[test]
fn chains_solve_the_equations() {
    let random = &mut Random::new(41);
    let (mut order, mut chains) = (Order::default(), DefUse::default());
    for cfg in sample_graphs::random(3000) {
        let num_variables = 1 + random.below(3);
        let accesses = cfg.blocks().map(|_| random_accesses(random, num_variables)).collect();
        let function = Variables { cfg, num_variables, accesses };
        order.rebuild(&function.cfg);
        chains.rebuild(&function, &function.cfg, &order);
        let (mut read, mut size) = (0, 0);
        for (block, top) in function.cfg.blocks().zip(tops(&function)) {
            let Some(mut reaching) = top else { continue };
            let mut expected = Vec::new();
            pass(&function, block, &mut reaching, |index, origins| expected.push((index, origins.clone())));
            expected.sort();
            for (index, origins) in expected {
                let Site { block: at, index: place, .. } = chains.reads()[read];
                assert_eq!((at, place), (block, index), "{function:?}");
                let writes = chains.writes_of(read).iter().map(|&write| chains.writes()[write as usize]);
                let mut found: BTreeSet<Origin> = writes.map(|write| Some((write.block, write.index))).collect();
                if chains.may_be_undefined(read) {
                    found.insert(None);
                }
                assert_eq!(found, origins, "read {read} of {function:?}");
                size += chains.writes_of(read).len();
                for &write in chains.writes_of(read) {
                    assert!(chains.reads_of(write as usize).contains(&(read as u32)));
                }
                read += 1;
            }
        }
        assert_eq!(chains.reads().len(), read);
        assert_eq!(chains.size(), size);
        assert_eq!((0..chains.writes().len()).map(|write| chains.reads_of(write).len()).sum::<usize>(), size);
    }
}

#[test]
fn many_writes_and_many_reads_have_as_many_chains_as_pairs() {
    // A fan: each arm writes, and below it each block of a second fan reads.
    let n = 50;
    let mut successors = vec![(1..=n).map(Block::new).collect::<Vec<_>>()];
    successors.extend(vec![vec![Block::new(n + 1)]; n]);
    successors.push((n + 2..2 * n + 2).map(Block::new).collect());
    successors.extend(vec![vec![]; n]);
    let cfg = FlatCfg::from_successors(Block::new(0), &successors).unwrap();
    let x = Variable::new(0);
    let accesses = cfg.blocks().map(|block| match block.index() {
        0 => vec![],
        index if index <= n => vec![Access::Write(x)],
        index if index == n + 1 => vec![],
        _ => vec![Access::Read(x)],
    });
    let accesses = accesses.collect();
    let function = Variables { cfg, num_variables: 1, accesses };
    let chains = DefUse::new(&function, &function.cfg, &Order::new(&function.cfg));
    assert_eq!(chains.size(), n * n);
    assert!((0..n).all(|read| !chains.may_be_undefined(read)));
}

#[test]
fn long_functions_take_no_stack() {
    on_small_stack(|| {
        let n = 200_000;
        let cfg = sample_graphs::chain(n);
        let x = Variable::new(0);
        let mut accesses = vec![vec![]; n];
        accesses[0] = vec![Access::Write(x)];
        accesses[n - 1] = vec![Access::Read(x)];
        let function = Variables { cfg, num_variables: 1, accesses };
        let chains = DefUse::new(&function, &function.cfg, &Order::new(&function.cfg));
        assert_eq!(chains.writes_of(0), [0]);
    });
}
