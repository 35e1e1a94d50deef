//! React Compiler's `enterSSA`, then `eliminateRedundantPhi`.
//!
//! | React Compiler | here |
//! |---|---|
//! | `enterSSAImpl` | `enter` |
//! | `unsealedPreds` | [`Entering::unsealed_preds`] |
//! | `getIdAt` | `get_at` |
//! | `addPhi`, `fixIncompletePhis` | `add_phi`, `fix_incomplete_phis` |
//! | `eliminateRedundantPhi` | `eliminate_redundant` |
//!
//! Blocks are visited in reverse post-order. A block counts its predecessors
//! that were not visited yet; while there are any, its phis are incomplete. A
//! phi is made at each join a look-up meets, and not tested for being
//! trivial: sweeps over all blocks do that afterwards.
//!
//! # Complexity
//! O(log) of the definitions so far for each block a look-up passes. The sweeps: O(operands), as many times as a sweep
//! still finds something, which is at most the number of phis.
//!
//! # Departures
//! Look-ups use a work list: the original recurses.
//! Predecessors are a set, as there, though operands are kept by edge;
//! unreachable blocks, which the original does not have, are none.
//! What no write reaches is not left as it is, but is what the variable holds on entry.

use super::accesses::Accesses;
use super::solution::{Definition, Numbering, Placed, Solution};
use super::{Budget, Constructor, Graph, Unsolved, rules};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use ssaphire_graph::{Block, IdMap, Variable};

/// `enterSSA`, then `eliminateRedundantPhi`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct React;

impl Constructor for React {
    fn solve(&self, graph: &Graph, accesses: &Accesses, budget: &mut Budget) -> Result<Solution, Unsolved> {
        let mut entering = Entering::new(graph, accesses);
        entering.enter(budget)?;
        let mut solution = entering.into_solution();
        eliminate_redundant(graph, &mut solution, budget)?;
        Ok(solution)
    }
}

/// `enterSSA` under way.
struct Entering<'a> {
    graph: &'a Graph,
    accesses: &'a Accesses,
    numbering: Numbering,
    /// By block: its predecessors, each once.
    preds: IdMap<Block, Vec<Block>>,
    /// By block that is a successor of one that was visited: how many predecessors were not.
    unsealed_preds: IdMap<Block, Option<u32>>,
    visited: IdMap<Block, bool>,
    /// By block: the last predecessor that was left along an edge to it.
    left_from: IdMap<Block, Option<Block>>,
    /// `defs` of all blocks.
    defs: BTreeMap<(Block, Variable), Definition>,
    incomplete_phis: IdMap<Block, Vec<(Variable, u32)>>,
    /// In the order they were made.
    phis: Vec<Placed>,
    /// By phi: an operand for each predecessor.
    operands: Vec<Vec<Definition>>,
    reads: Vec<Definition>,
}

impl<'a> Entering<'a> {
    fn new(graph: &'a Graph, accesses: &'a Accesses) -> Self {
        let num_blocks = graph.cfg.num_blocks();
        let mut preds = IdMap::filled(num_blocks, Vec::new());
        let mut last = IdMap::filled(num_blocks, None);
        for block in graph.cfg.blocks().filter(|&block| graph.tree.is_reachable(block)) {
            for &edge in graph.cfg.incoming(block) {
                let source = graph.cfg.source(edge);
                if graph.tree.is_reachable(source) && last[source].replace(block) != Some(block) {
                    preds[block].push(source);
                }
            }
        }
        Self {
            graph,
            accesses,
            numbering: Numbering::new(accesses),
            preds,
            unsealed_preds: IdMap::filled(num_blocks, None),
            visited: IdMap::filled(num_blocks, false),
            left_from: IdMap::filled(num_blocks, None),
            defs: BTreeMap::new(),
            incomplete_phis: IdMap::filled(num_blocks, Vec::new()),
            phis: Vec::new(),
            operands: Vec::new(),
            reads: alloc::vec![Numbering::NOTHING; accesses.num_reads()],
        }
    }

    fn enter(&mut self, budget: &mut Budget) -> Result<(), Unsolved> {
        let order: Vec<Block> = self.graph.tree.order().rpo().collect();
        order.into_iter().try_for_each(|block| self.visit(block, budget))
    }

    fn visit(&mut self, block: Block, budget: &mut Budget) -> Result<(), Unsolved> {
        self.visited[block] = true;
        let accesses = self.accesses;
        for (read, variable) in accesses.reads(block) {
            self.reads[read as usize] = self.get_at(variable, block, budget)?;
        }
        for (write, variable) in accesses.writes(block) {
            self.defs.insert((block, variable), self.numbering.write(write));
        }
        for &target in self.graph.cfg.targets(block) {
            if self.left_from[target].replace(block) != Some(block) {
                self.leave_along(target, budget)?;
            }
        }
        Ok(())
    }

    /// One more predecessor of the block has been visited.
    fn leave_along(&mut self, target: Block, budget: &mut Budget) -> Result<(), Unsolved> {
        let count = self.unsealed_preds[target].unwrap_or(self.preds[target].len() as u32) - 1;
        self.unsealed_preds[target] = Some(count);
        if count == 0 && self.visited[target] {
            self.fix_incomplete_phis(target, budget)?;
        }
        Ok(())
    }

    fn fix_incomplete_phis(&mut self, block: Block, budget: &mut Budget) -> Result<(), Unsolved> {
        for (_, phi) in core::mem::take(&mut self.incomplete_phis[block]) {
            self.add_phi(phi, budget)?;
        }
        Ok(())
    }

    fn make_phi(&mut self, block: Block, variable: Variable) -> u32 {
        let phi = self.phis.len() as u32;
        self.phis.push(Placed { block, variable });
        self.operands.push(Vec::new());
        self.defs.insert((block, variable), self.numbering.phi(phi));
        phi
    }

    /// What the variable holds at the end of the block.
    fn get_at(&mut self, variable: Variable, block: Block, budget: &mut Budget) -> Result<Definition, Unsolved> {
        let mut path = Vec::new();
        match self.climb(variable, block, &mut path, budget)? {
            Ok(definition) => {
                self.store(variable, &path, definition);
                Ok(definition)
            }
            Err(join) => {
                let phi = self.make_phi(join, variable);
                let definition = self.numbering.phi(phi);
                self.store(variable, &path, definition);
                self.add_phi(phi, budget)?;
                Ok(definition)
            }
        }
    }

    fn store(&mut self, variable: Variable, path: &[Block], definition: Definition) {
        for &block in path {
            self.defs.insert((block, variable), definition);
        }
    }

    /// Climbs along single predecessors: what is found, or the join that is met.
    fn climb(
        &mut self,
        variable: Variable,
        block: Block,
        path: &mut Vec<Block>,
        budget: &mut Budget,
    ) -> Result<Result<Definition, Block>, Unsolved> {
        let mut at = block;
        loop {
            budget.spend(1)?;
            if let Some(&definition) = self.defs.get(&(at, variable)) {
                return Ok(Ok(definition));
            }
            if at == self.graph.cfg.entry() {
                return Ok(Ok(self.numbering.entry(variable)));
            }
            if self.unsealed_preds[at].is_some_and(|count| count > 0) {
                let phi = self.make_phi(at, variable);
                self.incomplete_phis[at].push((variable, phi));
                return Ok(Ok(self.numbering.phi(phi)));
            }
            match self.preds[at][..] {
                [pred] => {
                    path.push(at);
                    at = pred;
                }
                _ => return Ok(Err(at)),
            }
        }
    }

    /// Looks up the operands of the phi, and those of phis made on the way.
    fn add_phi(&mut self, phi: u32, budget: &mut Budget) -> Result<(), Unsolved> {
        let mut waiting = alloc::vec![phi];
        while let Some(&phi) = waiting.last() {
            let Placed { block, variable } = self.phis[phi as usize];
            let Some(&pred) = self.preds[block].get(self.operands[phi as usize].len()) else {
                waiting.pop();
                continue;
            };
            let mut path = Vec::new();
            let definition = match self.climb(variable, pred, &mut path, budget)? {
                Ok(definition) => definition,
                Err(join) => {
                    let inner = self.make_phi(join, variable);
                    waiting.push(inner);
                    self.numbering.phi(inner)
                }
            };
            self.store(variable, &path, definition);
            self.operands[phi as usize].push(definition);
        }
        Ok(())
    }

    /// The phis by block and variable, with an operand for each edge.
    fn into_solution(self) -> Solution {
        let mut order: Vec<u32> = (0..self.phis.len() as u32).collect();
        order.sort_unstable_by_key(|&phi| self.phis[phi as usize]);
        let mut new_number = alloc::vec![0; order.len()];
        (0..).zip(&order).for_each(|(new, &old)| new_number[old as usize] = new);
        let renumbered = |definition| match self.numbering.as_phi(definition) {
            Some(phi) => self.numbering.phi(new_number[phi as usize]),
            None => definition,
        };
        let phis = order.iter().map(|&phi| self.phis[phi as usize]).collect();
        let mut solution = Solution::new(self.graph, self.accesses, phis);
        // By predecessor: its position among those of the block at hand.
        let mut position = IdMap::filled(self.graph.cfg.num_blocks(), 0);
        let mut at_hand = None;
        for (new, &old) in (0..).zip(&order) {
            let Placed { block, .. } = self.phis[old as usize];
            if at_hand.replace(block) != Some(block) {
                self.preds[block].iter().enumerate().for_each(|(index, &pred)| position[pred] = index);
            }
            for (place, &edge) in solution.operand_range(new).zip(self.graph.cfg.incoming(block)) {
                let source = self.graph.cfg.source(edge);
                if self.graph.tree.is_reachable(source) {
                    solution.operands[place] = renumbered(self.operands[old as usize][position[source]]);
                }
            }
        }
        solution.reads = self.reads.iter().map(|&read| renumbered(read)).collect();
        solution
    }
}

/// Sweeps over all phis, in the order of blocks, until a sweep finds nothing or there is no way back.
fn eliminate_redundant(graph: &Graph, solution: &mut Solution, budget: &mut Budget) -> Result<(), Unsolved> {
    let numbering = solution.numbering;
    let order = graph.tree.order();
    let has_back_edge = (0..graph.cfg.num_edges())
        .map(ssaphire_graph::Edge::new)
        .any(|edge| order.is_reachable(graph.cfg.source(edge)) && order.is_retreating(&graph.cfg, edge));
    let mut rewrites: Vec<Definition> = (0..solution.phis.len() as u32).map(|phi| numbering.phi(phi)).collect();
    let mut num_rewrites = 0;
    loop {
        let before = num_rewrites;
        for block in order.rpo() {
            for phi in solution.phis_of(block) {
                let itself = numbering.phi(phi);
                if rewrites[phi as usize] != itself {
                    continue;
                }
                let range = solution.operand_range(phi);
                budget.spend(1 + range.len() as u64)?;
                solution.num_scanned += range.len() as u64;
                let mut same = None;
                let mut is_redundant = true;
                for place in range {
                    let operand = rules::resolve(numbering, &mut rewrites, solution.operands[place]);
                    solution.operands[place] = operand;
                    if operand == itself || operand == Numbering::NOTHING || same == Some(operand) {
                        continue;
                    }
                    is_redundant &= same.is_none();
                    same = Some(operand);
                }
                if let Some(same) = same.filter(|_| is_redundant) {
                    rewrites[phi as usize] = same;
                    num_rewrites += 1;
                }
            }
        }
        if !has_back_edge || num_rewrites == before {
            break;
        }
    }
    for phi in 0..rewrites.len() {
        rewrites[phi] = rules::resolve(numbering, &mut rewrites, numbering.phi(phi as u32));
    }
    solution.keep(&rewrites);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use ssaphire_graph::{DominatorTree, FlatCfg};

    /// The paper's `for` loop: what `unsealedPreds` holds after each of its five blocks.
    #[test]
    fn unsealed_preds_of_the_for_loop_block_by_block() {
        // bb0 -> bb3 -> bb1 -> bb5, bb2; bb5 -> bb4 -> bb1.
        let targets = [vec![3], vec![5, 2], vec![], vec![1], vec![1], vec![4]];
        let targets = targets.map(|targets| targets.into_iter().map(Block::new).collect::<Vec<_>>());
        let cfg = FlatCfg::from_successors(Block::new(0), &targets).unwrap();
        let tree = DominatorTree::new(&cfg);
        let graph = Graph { cfg, tree };
        let (x, i) = (Variable::new(0), Variable::new(1));
        let mut accesses = Accesses::default();
        accesses.begin(2);
        // By block: what it reads, and what it writes.
        let told: [(&[Variable], &[Variable]); 6] =
            [(&[], &[x]), (&[i], &[]), (&[x], &[]), (&[], &[i]), (&[i], &[i]), (&[x], &[x])];
        for (reads, writes) in told {
            reads.iter().for_each(|&variable| accesses.read(variable));
            writes.iter().for_each(|&variable| accesses.write(variable));
            accesses.end_block();
        }
        let budget = &mut Budget::new(u64::MAX);
        let mut entering = Entering::new(&graph, &accesses);
        let mut states = Vec::new();
        for block in [0, 3, 1, 5, 4].map(Block::new) {
            entering.visit(block, budget).unwrap();
            let counts = entering.unsealed_preds.iter();
            states.push(counts.filter_map(|(block, count)| Some((block.index(), (*count)?))).collect::<Vec<_>>());
        }
        assert_eq!(
            states,
            [
                vec![(3, 0)],
                vec![(1, 1), (3, 0)],
                vec![(1, 1), (2, 0), (3, 0), (5, 0)],
                vec![(1, 1), (2, 0), (3, 0), (4, 0), (5, 0)],
                vec![(1, 0), (2, 0), (3, 0), (4, 0), (5, 0)],
            ]
        );
        entering.visit(Block::new(2), budget).unwrap();
        let solution = entering.into_solution();
        let phis: Vec<_> = solution.phis.iter().map(|phi| (phi.block.index(), phi.variable)).collect();
        assert_eq!(phis, [(1, x), (1, i)]);
    }
}
