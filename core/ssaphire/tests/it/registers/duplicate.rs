//! A transformation of the host's own: a block is copied to the end of another that jumps there.
//!
//! Everything that the block defines then has two definitions, and is repaired.

use super::code::{Code, Inst, Op};
use ssaphire::repair::{Position, Repair};
use ssaphire::{Block, Cfg, Value, ValueCounter, Variable};
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;

/// Empties the blocks that nothing reaches, and drops operands from there.
pub(crate) fn remove_unreachable(code: &mut Code) {
    let mut reached = BTreeSet::from([Block::new(0)]);
    let mut work = vec![Block::new(0)];
    while let Some(block) = work.pop() {
        work.extend(code.targets(block).into_iter().filter(|&target| reached.insert(target)));
    }
    let mut block = Block::new(0);
    code.0.retain_mut(|inst| {
        match inst.op {
            Op::Head => block = inst.blocks[0],
            Op::Phi => retain_sources(inst, |source| reached.contains(&source)),
            _ => {}
        }
        inst.op == Op::Head || reached.contains(&block)
    });
}

fn retain_sources(phi: &mut Inst, keeps: impl Fn(Block) -> bool) {
    let edges = phi.blocks.iter().copied().zip(phi.args.iter().copied()).filter(|&(source, _)| keeps(source));
    (phi.blocks, phi.args) = edges.unzip();
}

/// Copies the target of the jump at the end of `block` there, if control comes to it by another edge, too.
///
/// Needs: every block is reachable or empty.
pub(crate) fn duplicate(code: &mut Code, block: Block) -> Result<bool, Box<dyn Error>> {
    let body = code.body(block);
    let jump = code.0[body.clone()].last().filter(|inst| inst.op == Op::Jump);
    let Some(tail) = jump.map(|jump| jump.blocks[0]) else { return Ok(false) };
    if tail == block || code.cfg()?.incoming(tail).len() < 2 {
        return Ok(false);
    }
    let mut values = ValueCounter::starting_at(code.num_values());
    let mut copied: BTreeMap<Value, Value> = BTreeMap::new();
    let mut copies = code.insts(tail).to_vec();
    for copy in &mut copies {
        if copy.op == Op::Phi {
            retain_sources(copy, |source| source == block);
            (copy.op, copy.blocks) = (Op::Move, vec![]);
            copy.args.truncate(1);
        } else {
            copy.args.iter_mut().for_each(|arg| *arg = copied.get(arg).copied().unwrap_or(*arg));
        }
        if let Some(result) = &mut copy.result {
            *result = *copied.entry(*result).or_insert_with(|| values.fresh());
        }
    }
    let num_copies = copies.len();
    code.0.splice(body.end - 1..body.end, copies);
    move_edges(code, block, tail);
    for (&value, &copy) in &copied {
        repair(code, &mut values, [(tail, value), (block, copy)], (block, num_copies))?;
    }
    Ok(true)
}

/// The edge from `block` to `tail` is gone; from there lead the edges that leave `tail`.
fn move_edges(code: &mut Code, block: Block, tail: Block) {
    let body = code.body(tail);
    code.0[body].iter_mut().filter(|inst| inst.op == Op::Phi).for_each(|phi| retain_sources(phi, |it| it != block));
    let targets: BTreeSet<Block> = code.targets(tail).into_iter().collect();
    for target in targets {
        let body = code.body(target);
        for phi in code.0[body].iter_mut().filter(|inst| inst.op == Op::Phi) {
            let mut edges: Vec<_> = phi.blocks.iter().copied().zip(phi.args.iter().copied()).collect();
            let new: Vec<_> = edges.iter().filter(|edge| edge.0 == tail).map(|edge| (block, edge.1)).collect();
            edges.extend(new);
            edges.sort_by_key(|edge| edge.0);
            (phi.blocks, phi.args) = edges.into_iter().unzip();
        }
    }
}

/// Finds the definition that reaches each use of what two blocks define; in `copy.0` so many instructions at the end are copies.
fn repair(
    code: &mut Code,
    values: &mut ValueCounter,
    definitions: [(Block, Value); 2],
    copy: (Block, usize),
) -> Result<(), Box<dyn Error>> {
    let cfg = code.cfg()?;
    let mut repair = Repair::new();
    repair.begin(Variable::new(0));
    let mut uses = Vec::new();
    for block in cfg.blocks() {
        let body = code.body(block);
        let first_copy = if block == copy.0 { body.len() - copy.1 } else { body.len() };
        for (index, place) in body.enumerate() {
            let inst = &code.0[place];
            let position = match inst.op {
                Op::Phi => Position::Entry,
                // What phis were is taken all at once.
                Op::Move if index >= first_copy => Position::At(first_copy as u32),
                _ => Position::At(index as u32 + 1),
            };
            for (arg, _) in inst.args.iter().enumerate().filter(|(_, value)| **value == definitions[0].1) {
                let is_phi = inst.op == Op::Phi;
                let (at, position) = if is_phi { (inst.blocks[arg], Position::End) } else { (block, position) };
                uses.push((place, arg, repair.use_at(at, position)));
            }
            if let Some(result) = inst.result.filter(|&result| definitions.contains(&(block, result))) {
                repair.define(block, position, result);
            }
        }
    }
    repair.decide(&cfg)?;
    let repaired = repair.insert_phis(values);
    assert_eq!(repaired.undefined(), None);
    for (place, arg, use_) in uses {
        code.0[place].args[arg] = repaired.value(use_);
    }
    for phi in repaired.phis() {
        let (args, blocks) = (phi.operands.to_vec(), cfg.predecessors(phi.block).collect());
        let head = code.body(phi.block).start;
        code.0.insert(head, Inst { op: Op::Phi, result: Some(phi.value), args, blocks, id: 0 });
    }
    Ok(())
}
