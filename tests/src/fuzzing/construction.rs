//! Any function, told to every engine in any order.

use crate::case::{Case, Merge};
use crate::choices::Choices;
use crate::court::{Court, TestCase};
use crate::plan::{Filling, Plan, Sealing};
use ssaphire::{Access, Block, Variable};

/// The most blocks of a function.
const BLOCKS: usize = 12;

/// Every engine builds the function right.
///
/// # Panics
/// If one does not.
pub fn check(bytes: &[u8]) {
    Court::new().try_all(&decode(bytes));
}

/// The function that the bytes describe, and two ways to tell it: theirs, and a plain one to compare with.
pub fn decode(bytes: &[u8]) -> TestCase {
    let mut choices = Choices::new(bytes);
    let [shares_undefined, reports_uses, writes_on_edges] = [20, 30, 50].map(|percent| choices.chance(percent));
    let (filling, sealing) = (choices.pick(&Filling::ALL), choices.pick(&Sealing::ALL));
    let seed = choices.below(1 << 16) as u64;
    let case = function(&mut choices).with_pre_entry();
    let mut plan = Plan::new(&case, filling, sealing, seed);
    plan.writes_on_edges = writes_on_edges;
    let plain = Plan::new(&case, Filling::ReversePostorder, Sealing::Announced, 0);
    TestCase { case, plans: vec![plan, plain], shares_undefined, reports_uses }
}

/// A function with a block per few bytes.
fn function(choices: &mut Choices<'_>) -> Case {
    let (entry, num_variables) = (choices.below(BLOCKS), 1 + choices.below(4));
    let (mut targets, mut accesses, mut merges) = (Vec::new(), Vec::new(), Vec::new());
    while targets.is_empty() || (!choices.is_empty() && targets.len() < BLOCKS) {
        let block = Block::new(targets.len());
        accesses.push(contents(block, num_variables, &mut merges, choices));
        targets.push(terminator(targets.len(), choices));
    }
    let num_blocks = targets.len();
    for list in &mut targets {
        // After the last block comes none.
        list.retain(|&target| target != num_blocks);
        list.iter_mut().for_each(|target| *target %= num_blocks);
    }
    let mut case = Case::of_graph(entry % num_blocks, &targets, num_variables);
    (case.accesses, case.merges) = (accesses, merges);
    case
}

/// The targets of `block`: often the next one, sometimes one twice. There may be fewer blocks than they name.
fn terminator(block: usize, choices: &mut Choices<'_>) -> Vec<usize> {
    let kind = choices.below(8);
    let (next, other) = (block + 1, choices.below(BLOCKS));
    match kind {
        0 => vec![],
        1 => vec![next],
        2 | 3 => vec![next, other],
        4 => vec![other],
        5 => vec![other, other],
        6 => vec![other, choices.below(BLOCKS)],
        _ => vec![other, next, choices.below(BLOCKS), other],
    }
}

/// What a block does: up to six accesses or tuples of accesses.
fn contents(block: Block, num_variables: usize, merges: &mut Vec<Merge>, choices: &mut Choices<'_>) -> Vec<Access> {
    let mut accesses = Vec::new();
    let (mut num_accesses, mut last_write) = (0, None);
    for _ in 0..choices.below(7) {
        let kind = choices.below(8);
        let len = if kind == 0 { 2 + choices.below(3) } else { 1 };
        if len > 1 {
            accesses.push(Access::Tuple(len as u32));
        }
        for _ in 0..len {
            accesses.push(access(num_variables, choices));
        }
        if let (1, Some(Access::Write(_))) = (len, accesses.last()) {
            if let (7, Some(new)) = (kind, last_write) {
                merges.push(Merge { block, old: num_accesses, new });
            }
            last_write = Some(num_accesses);
        }
        num_accesses += len;
    }
    accesses
}

fn access(num_variables: usize, choices: &mut Choices<'_>) -> Access {
    let kind = choices.below(6);
    let variable = Variable::new(choices.below(num_variables));
    match kind {
        0 | 1 => Access::Read(variable),
        2..5 => Access::Write(variable),
        _ => Access::Copy(variable, Variable::new(choices.below(num_variables))),
    }
}
