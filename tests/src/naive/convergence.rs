//! Convergence of paths that have no block in common before.

use super::{blocks, is_reachable};
use ssaphire::graph::{Block, Cfg};

/// Whether two non-null paths, from `one` and from `other`, converge at `at` (Definition 1).
///
/// They start at different blocks, both end at `at`, and a block on both is
/// the end of one of them. No reachable start, no path.
///
/// O(*n* (*n* + *e*)).
pub fn paths_converge(cfg: &impl Cfg, one: Block, other: Block, at: Block) -> bool {
    one != other && [one, other].iter().all(|&start| is_reachable(cfg, start)) && some_converge(cfg, &[one, other], at)
}

/// Whether two paths from different ones of `starts`, all of them reachable, converge at `at`.
///
/// A path that passes `at` on its way may as well end there, and one that
/// passes another start may as well begin there. So the question is whether
/// there are two paths that share only their common end; one of them may start at
/// `at`. By Menger's theorem there are two such paths exactly if no single
/// block, a start included, is on all paths from the starts to `at`: the function
/// removes each block in turn.
fn some_converge(cfg: &impl Cfg, starts: &[Block], at: Block) -> bool {
    blocks(cfg).all(|without| arrives(cfg, starts, at, without))
}

/// Whether a non-null path leads from one of `starts` to `end`, past no block `without` before the end.
fn arrives(cfg: &impl Cfg, starts: &[Block], end: Block, without: Block) -> bool {
    let mut left = vec![false; cfg.num_blocks()];
    left[without.index()] = true;
    let mut work = starts.to_vec();
    while let Some(block) = work.pop() {
        if left[block.index()] {
            continue;
        }
        left[block.index()] = true;
        for target in cfg.successors(block) {
            if target == end {
                return true;
            }
            work.push(target);
        }
    }
    false
}

/// J(S): the blocks where paths from two blocks of `set` converge, in id order. O(*n*² (*n* + *e*)).
pub fn join(cfg: &impl Cfg, set: &[Block]) -> Vec<Block> {
    let starts: Vec<_> = set.iter().copied().filter(|&start| is_reachable(cfg, start)).collect();
    blocks(cfg).filter(|&at| some_converge(cfg, &starts, at)).collect()
}

/// J+(S): the limit of J(S), J(S and J(S)), and so on, in id order. At most *n* times [`join`].
pub fn iterated_join(cfg: &impl Cfg, set: &[Block]) -> Vec<Block> {
    let mut limit = Vec::new();
    loop {
        let mut all = [set, &limit].concat();
        all.sort_unstable();
        all.dedup();
        let next = join(cfg, &all);
        if next == limit {
            return limit;
        }
        limit = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::naive::iterated_frontier;
    use crate::sample_forms::{Random, graph, random_cfg, small_cfg};
    use ssaphire::graph::WithPreEntry;

    /// All paths of 1 to `length` edges.
    fn paths(cfg: &impl Cfg, from: Block, length: usize) -> Vec<Vec<Block>> {
        let mut found: Vec<Vec<Block>> = vec![vec![from]];
        let mut first = 0;
        for _ in 0..length {
            let last = found.len();
            for index in first..last {
                let path = found[index].clone();
                let longer = cfg.successors(path[path.len() - 1]).map(|target| [&path[..], &[target]].concat());
                found.extend(longer);
            }
            first = last;
        }
        found.retain(|path| path.len() > 1);
        found
    }

    /// Conditions 1 to 3 of the definition, word by word.
    fn converge(xs: &[Block], ys: &[Block], at: Block) -> bool {
        let (last_x, last_y) = (xs.len() - 1, ys.len() - 1);
        let alone = |(j, x): (usize, &Block)| ys.iter().enumerate().all(|(k, y)| x != y || j == last_x || k == last_y);
        xs[0] != ys[0] && xs[last_x] == at && ys[last_y] == at && xs.iter().enumerate().all(alone)
    }

    #[test]
    fn convergence_is_what_all_pairs_of_paths_say() {
        for seed in 0..150 {
            let cfg = small_cfg(&mut Random::new(seed), 5);
            for (one, other) in blocks(&cfg).flat_map(|one| blocks(&cfg).map(move |other| (one, other))) {
                if !is_reachable(&cfg, one) || !is_reachable(&cfg, other) {
                    continue;
                }
                let (xs, ys) = (paths(&cfg, one, 5), paths(&cfg, other, 5));
                for at in blocks(&cfg) {
                    let expected = xs.iter().any(|x| ys.iter().any(|y| converge(x, y, at)));
                    assert_eq!(paths_converge(&cfg, one, other, at), expected, "{one} {other} {at} {cfg:?}");
                }
            }
        }
    }

    /// Cytron et al. 1991: J+ is DF+ if the entry, without incoming edges, is in the set; Wolfe: and J is J+.
    #[test]
    fn joins_of_sets_with_the_entry_are_iterated_frontiers() {
        for seed in 0..300 {
            let random = &mut Random::new(seed);
            let cfg = random_cfg(random);
            let cfg = WithPreEntry::new(&cfg);
            let mut set: Vec<_> = blocks(&cfg).filter(|_| random.one_in(3)).collect();
            if !set.contains(&cfg.entry()) {
                set.push(cfg.entry());
            }
            let joins = join(&cfg, &set);
            let converge = |one: Block, at: Block| set.iter().any(|&other| paths_converge(&cfg, one, other, at));
            let by_pairs = blocks(&cfg).filter(|&at| set.iter().any(|&one| converge(one, at)));
            assert_eq!(joins, by_pairs.collect::<Vec<_>>());
            assert_eq!(joins, iterated_join(&cfg, &set));
            assert_eq!(joins, iterated_frontier(&cfg, &set), "{set:?} {cfg:?}");
        }
    }

    #[test]
    fn two_edges_are_one_way_and_a_self_loop_is_another() {
        let [top, body] = [0, 1].map(Block::new);
        let doubled = graph(0, &[vec![1, 1], vec![]]);
        assert_eq!(join(&doubled, &[top, body]), []);
        let looped = graph(0, &[vec![1], vec![1]]);
        assert!(paths_converge(&looped, top, body, body));
        let unreachable = graph(0, &[vec![1], vec![], vec![1]]);
        assert!(!paths_converge(&unreachable, top, Block::new(2), body));
    }
}
