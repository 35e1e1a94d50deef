//! Blocks in a row as one: what is left of the graph is where control really forks.
//!
//! An operation that may throw ends its block where there is a handler. A chain goes on behind it, as long as nothing else leads there,
//! and collects the handlers; so a chain has slots for what its last block leads to, then one for each of its handlers.

use super::insts::{handler_of, is_handler, next_of, op_of};
use crate::Type;
use crate::dialect::{Js, Opcode};
use ssaphire::graph::{DominatorTree, FlatCfg, LoopForest, Order};
use ssaphire_ir::{Arg, Block, Dest, Function, InstRef, Variable};
use std::collections::BTreeSet;

/// Blocks that are executed in a row, but for exceptions.
#[derive(Clone, Debug, Default)]
pub(super) struct Chain {
    pub(super) blocks: Vec<Block>,
    /// The blocks that its last instruction leads to, by slot.
    pub(super) next: Vec<Block>,
    /// The handlers of what it executes.
    pub(super) handlers: Vec<Block>,
    /// The instructions of the blocks that belong to it, by position: all, unless the call of a generator ends in it.
    from: usize,
    to: usize,
    /// Headers of loops that it counts as part of, although it does not lead there.
    pub(super) stays_in: Vec<Block>,
}

impl Chain {
    /// Its instructions.
    pub(super) fn insts<'f>(&self, function: &'f Function<Js>) -> Vec<InstRef<'f, Js>> {
        let all = self.blocks.iter().flat_map(|&block| function.block(block).insts().iter());
        all.skip(self.from).take(self.to - self.from).collect()
    }

    /// Whether something follows that is in another part of the function.
    pub(super) fn is_cut(&self) -> bool {
        self.to < usize::MAX
    }
}

/// What is written of a function at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// All of it.
    Whole,
    /// Of a generator, what its call does.
    Call,
    /// What it does from the first `next()` on.
    Rest,
}

/// The chains of a function. A chain is called by the first of its blocks.
#[derive(Debug)]
pub(super) struct Chains {
    /// By number; the graph has the same numbers.
    pub(super) chains: Vec<Chain>,
    /// By block, the number of the chain that it is in.
    pub(super) of_block: Vec<usize>,
    pub(super) cfg: FlatCfg,
}

impl Chains {
    pub(super) fn new(function: &Function<Js>, cfg: &FlatCfg, part: Part) -> Option<Self> {
        let mut chains =
            Self { chains: Vec::new(), of_block: vec![usize::MAX; function.num_blocks()], cfg: cfg.clone() };
        let heads = function.blocks().filter(|&block| chains.is_head(function, cfg, block));
        for head in heads.collect::<Vec<_>>() {
            chains.collect(function, cfg, head);
        }
        let entry = chains.cut(function, part);
        chains.connect(entry)?;
        // What is kept in a loop brings in what leads there, which may make cells itself.
        while chains.keep_cells_in_loops(function) {
            chains.connect(entry)?;
        }
        Some(chains)
    }

    /// Leaves out what is no part of `part`: the number of the chain that comes first.
    fn cut(&mut self, function: &Function<Js>, part: Part) -> usize {
        let first = self.of_block[function.entry().index()];
        if part == Part::Whole {
            return first;
        }
        let is_start = |inst: &InstRef<'_, Js>| op_of(*inst).is_some_and(|op| op.opcode == Opcode::StartGenerator);
        let starts = self.chains.iter().enumerate().find_map(|(number, chain)| {
            chain.insts(function).iter().position(is_start).map(|position| (number, position))
        });
        let Some((number, position)) = starts else { return first };
        let chain = &mut self.chains[number];
        if part == Part::Call {
            chain.to = position;
            chain.next.clear();
        } else {
            chain.from = position + 1;
        }
        // An edge to a handler of the other part alone would keep code that this part never reaches.
        let handlers = chain.insts(function).into_iter().filter_map(handler_of).collect::<Vec<_>>();
        chain.handlers.retain(|handler| handlers.contains(handler));
        if part == Part::Call { first } else { number }
    }

    /// By variable, whether an instruction that may be executed mentions it.
    pub(super) fn mentioned(&self, function: &Function<Js>) -> Vec<bool> {
        let mut mentioned = vec![false; function.num_variables()];
        let order = Order::new(&self.cfg);
        for (number, chain) in self.chains.iter().enumerate() {
            if !order.is_reachable(Block::new(number)) {
                continue;
            }
            for inst in chain.insts(function) {
                let reads = inst.args.iter().filter_map(|&arg| match arg {
                    Arg::Variable(variable) => Some(variable),
                    Arg::Value(_) => None,
                });
                let writes = inst.results.iter().filter_map(|&dest| match dest {
                    Dest::Variable(variable) => Some(variable),
                    Dest::Value(_) => None,
                });
                reads.chain(writes).for_each(|variable| mentioned[variable.index()] = true);
            }
        }
        mentioned
    }

    fn is_head(&self, function: &Function<Js>, cfg: &FlatCfg, block: Block) -> bool {
        // With one incoming edge, a block is executed only after its source, so the two are one row. But an exception
        // leaves a row in its middle, so a handler never continues one; and the entry is also entered by the call.
        let [edge] = cfg.incoming(block) else { return true };
        if block == function.entry() || is_handler(function, block) {
            return true;
        }
        let source = function.block(cfg.source(*edge));
        source.insts().last().is_none_or(|inst| goes_on(inst) != Some(block))
    }

    fn collect(&mut self, function: &Function<Js>, cfg: &FlatCfg, head: Block) {
        let mut chain = Chain { to: usize::MAX, ..Chain::default() };
        let mut next = Some(head);
        while let Some(block) = next {
            self.of_block[block.index()] = self.chains.len();
            chain.blocks.push(block);
            let last = function.block(block).insts().last();
            next = last.and_then(goes_on).filter(|&next| !self.is_head(function, cfg, next));
            if let Some(inst) = last {
                if let Some(handler) = handler_of(inst).filter(|handler| !chain.handlers.contains(handler)) {
                    chain.handlers.push(handler);
                }
                if next.is_none() {
                    chain.next = next_of(inst).to_vec();
                }
            }
        }
        self.chains.push(chain);
    }

    /// Makes the graph of the chains.
    fn connect(&mut self, entry: usize) -> Option<()> {
        let of_block = &self.of_block;
        let number = |block: &Block| Block::new(of_block[block.index()]);
        let targets = |chain: &Chain| -> Vec<Block> {
            chain.next.iter().chain(&chain.handlers).chain(&chain.stays_in).map(number).collect()
        };
        let successors: Vec<Vec<Block>> = self.chains.iter().map(targets).collect();
        self.cfg = FlatCfg::from_successors(Block::new(entry), &successors).ok()?;
        Some(())
    }

    /// Whether something counts as part of the loop with that header only to be in it.
    pub(super) fn is_stayed_in(&self, header: Block) -> bool {
        self.chains.iter().any(|chain| chain.stays_in.contains(&header))
    }

    /// Keeps in a loop what uses a cell that the loop makes anew in each round: whether anything had to be kept.
    ///
    /// What a loop only leaves to would stand behind it, where variables of its body are out of reach; and a variable outside of
    /// the loop would be the same one in each round.
    fn keep_cells_in_loops(&mut self, function: &Function<Js>) -> bool {
        let (made, used) = self.cells(function);
        if made.iter().all(Option::is_none) {
            return false;
        }
        let loops = LoopForest::new(&self.cfg, &DominatorTree::new(&self.cfg));
        let mut kept = BTreeSet::new();
        for (variable, user) in used {
            let Some(maker) = made[variable.index()] else { continue };
            let mut around = loops.innermost(Block::new(maker));
            while let Some(header) = around.filter(|&header| !loops.is_irreducible(header)) {
                // One loop is enough: with an edge back to its header, the user is in it and in all loops around it.
                if !loops.contains(header, Block::new(user)) {
                    kept.insert((user, header));
                    break;
                }
                around = loops.parent(header);
            }
        }
        for &(user, header) in &kept {
            // Control never takes this edge. It makes the user a part of the loop, as any back edge does.
            let header = self.chains[header.index()].blocks[0];
            self.chains[user].stays_in.push(header);
        }
        !kept.is_empty()
    }

    /// By variable, the chain that makes a cell; and the chains that use variables of that kind.
    #[allow(clippy::type_complexity, reason = "two tables")]
    fn cells(&self, function: &Function<Js>) -> (Vec<Option<usize>>, BTreeSet<(Variable, usize)>) {
        let mut made = vec![None; function.num_variables()];
        let mut used = BTreeSet::new();
        for (number, chain) in self.chains.iter().enumerate() {
            for inst in chain.insts(function) {
                if let (Some(Opcode::NewCell), [Dest::Variable(cell)]) = (op_of(inst).map(|op| op.opcode), inst.results)
                {
                    made[cell.index()] = Some(number);
                }
                let variables = inst.args.iter().filter_map(|&arg| match arg {
                    Arg::Variable(variable) => Some(variable),
                    Arg::Value(_) => None,
                });
                let is_cell = |&variable: &Variable| matches!(function.variable_type(variable), Type::Cell(_));
                used.extend(variables.filter(is_cell).map(|variable| (variable, number)));
            }
        }
        (made, used)
    }
}

/// The block that an instruction goes on with if it does not throw and does not choose.
fn goes_on(inst: InstRef<'_, Js>) -> Option<Block> {
    let opcode = op_of(inst)?.opcode;
    let is_choice = matches!(opcode, Opcode::Branch | Opcode::BranchNullish | Opcode::Switch);
    next_of(inst).first().copied().filter(|_| !is_choice)
}
