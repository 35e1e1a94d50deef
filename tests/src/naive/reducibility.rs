//! Reducible graphs.

use super::{blocks, dominates, is_reachable};
use ssaphire::graph::{Block, Cfg};

/// Whether each cycle has a block that dominates all its other blocks (Definition 3).
///
/// Lists the cycles without repeated blocks, each from its block of least id.
/// A longer cycle consists of such cycles, and if each of them has such a block, it
/// has one, too.
/// Cycles of unreachable blocks do not count.
/// Exponential in *n*: for up to a dozen blocks.
pub fn is_reducible(cfg: &impl Cfg) -> bool {
    let mut reachable = blocks(cfg).filter(|&block| is_reachable(cfg, block));
    reachable.all(|first| cycles_have_headers(cfg, first))
}

/// Whether [`is_reducible`] holds for the cycles whose block of least id is `first`.
fn cycles_have_headers(cfg: &impl Cfg, first: Block) -> bool {
    let mut path: Vec<Block> = Vec::new();
    let mut work = vec![Step::Enter(first)];
    while let Some(step) = work.pop() {
        match step {
            Step::Leave => {
                path.pop();
            }
            Step::Enter(block) if block == first && !path.is_empty() => {
                if !has_header(cfg, &path) {
                    return false;
                }
            }
            Step::Enter(block) if block < first || path.contains(&block) => {}
            Step::Enter(block) => {
                path.push(block);
                work.push(Step::Leave);
                work.extend(cfg.successors(block).map(Step::Enter));
            }
        }
    }
    true
}

enum Step {
    Enter(Block),
    Leave,
}

fn has_header(cfg: &impl Cfg, cycle: &[Block]) -> bool {
    cycle.iter().any(|&header| cycle.iter().all(|&block| dominates(cfg, header, block)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::naive::reached_from;
    use crate::sample_forms::{Random, graph, random_cfg};
    use ssaphire::graph::FlatCfg;

    /// Hecht and Ullman: without the edges to dominators of their source no cycle is left.
    fn is_acyclic_without_back_edges(cfg: &FlatCfg) -> bool {
        let stays = |block: Block, target: &&Block| is_reachable(cfg, block) && !dominates(cfg, **target, block);
        let kept = |block: Block| cfg.targets(block).iter().filter(move |target| stays(block, target)).copied();
        let forward: Vec<Vec<Block>> = cfg.blocks().map(|block| kept(block).collect()).collect();
        let forward = FlatCfg::from_successors(cfg.entry(), &forward).unwrap();
        cfg.blocks().all(|block| !reached_from(&forward, forward.targets(block), None)[block.index()])
    }

    #[test]
    fn reducible_graphs_are_those_without_other_cycles_than_loops() {
        let mut reducible = 0;
        for seed in 0..600 {
            let cfg = random_cfg(&mut Random::new(seed));
            assert_eq!(is_reducible(&cfg), is_acyclic_without_back_edges(&cfg), "{cfg:?}");
            reducible += u32::from(is_reducible(&cfg));
        }
        assert!((100..590).contains(&reducible), "{reducible}");
    }

    #[test]
    fn two_ways_into_a_cycle_make_a_graph_irreducible() {
        assert!(is_reducible(&graph(0, &[vec![1], vec![1, 2], vec![0]])));
        assert!(!is_reducible(&graph(0, &[vec![1, 2], vec![2], vec![1]])));
        assert!(is_reducible(&graph(0, &[vec![1], vec![], vec![1, 3, 4], vec![4], vec![3]])));
    }
}
