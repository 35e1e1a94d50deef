//! Matching phis that no use leads to.

use super::matching::Matching;
use super::{Difference, Place};
use alloc::vec::Vec;
use ssaphire_graph::{Block, SsaForm, Value};

/// The known properties of an operand of a dead phi, comparable between the two functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    /// It corresponds to this value of the second function.
    Matched(Value),
    /// A dead phi of this block that is not matched yet.
    DeadPhi(Block),
    /// The phi itself.
    Itself,
    /// Something else that is not matched yet.
    Unmatched,
    /// Its edge leaves an unreachable block.
    Ignored,
}

/// Number of sweeps through the blocks for phis that can be distinguished.
const SWEEPS: usize = 8;

/// A phi without partner, after the known properties of its operands.
type Candidate = (Vec<Key>, Value);

/// Matches the phis that have no partner.
///
/// First those whose operands distinguish them from all others of their block: so
/// far everything is forced. Every match makes more operands known, upwards
/// and downwards, so a few sweeps go through the blocks in both directions.
/// Then, of those that look alike, the first with the first as listed.
pub(super) fn match_phis<A: SsaForm, B: SsaForm>(matching: &mut Matching<'_, A, B>) -> Result<(), Difference> {
    let mut blocks: Vec<_> = matching.reachable.iter().collect();
    for _ in 0..SWEEPS {
        blocks.retain(|&block| has_unmatched(matching, block));
        let mut progress = false;
        for &block in &blocks {
            progress |= match_distinct(matching, block)?;
        }
        if !progress {
            break;
        }
        blocks.reverse();
    }
    blocks.sort_unstable();
    blocks.into_iter().try_for_each(|block| match_alike(matching, block))
}

fn has_unmatched<A: SsaForm, B: SsaForm>(matching: &Matching<'_, A, B>, block: Block) -> bool {
    matching.first.phis(block).any(|phi| matching.partner_of_first(phi).is_none())
}

/// Matches the phis of `block` that differ from all others of the block; returns whether there were some.
fn match_distinct<A: SsaForm, B: SsaForm>(matching: &mut Matching<'_, A, B>, block: Block) -> Result<bool, Difference> {
    let (of_first, of_second) = candidates(matching, block)?;
    let mut progress = false;
    for (index, ((keys, first), (_, second))) in of_first.iter().zip(&of_second).enumerate() {
        let like = |other: Option<&Candidate>| other.is_some_and(|other| other.0 == *keys);
        let before = index.checked_sub(1).and_then(|before| of_first.get(before));
        if !like(before) && !like(of_first.get(index + 1)) {
            matching.correspond(Place::DeadPhi { block }, *first, *second)?;
            matching.follow_operands()?;
            progress = true;
        }
    }
    Ok(progress)
}

/// Matches all phis of `block`, those that look alike as listed.
fn match_alike<A: SsaForm, B: SsaForm>(matching: &mut Matching<'_, A, B>, block: Block) -> Result<(), Difference> {
    let (of_first, of_second) = candidates(matching, block)?;
    let mut of_second = of_second.into_iter();
    for (keys, first) in of_first {
        // Matched by now, as an operand of another dead phi.
        if matching.partner_of_first(first).is_some() {
            continue;
        }
        match of_second.find(|&(_, second)| matching.partner_of_second(second).is_none()) {
            Some((others, second)) if keys == others => {
                matching.correspond(Place::DeadPhi { block }, first, second)?;
                matching.follow_operands()?;
            }
            _ => return Err(Difference::DeadPhi { block, first }),
        }
    }
    Ok(())
}

/// The phis of `block` without partner, of both functions: equal lists, as far as their operands are known.
fn candidates<A: SsaForm, B: SsaForm>(
    matching: &Matching<'_, A, B>,
    block: Block,
) -> Result<(Vec<Candidate>, Vec<Candidate>), Difference> {
    let of_first = sorted(
        matching,
        matching.first,
        block,
        |value| matching.partner_of_first(value),
        |value| matching.phi_block_of_first(value),
    );
    let of_second = sorted(
        matching,
        matching.second,
        block,
        |value| matching.partner_of_second(value).map(|_| value),
        |value| matching.phi_block_of_second(value),
    );
    let other = |index: usize| of_second.get(index).map(|other| &other.0);
    match of_first.iter().enumerate().find(|&(index, one)| other(index) != Some(&one.0)) {
        Some((_, &(_, first))) => Err(Difference::DeadPhi { block, first }),
        None => Ok((of_first, of_second)),
    }
}

/// The phis of `block` without partner, each after the known properties of its operands; sorted, but equal ones as
/// listed.
fn sorted<A: SsaForm, B: SsaForm>(
    matching: &Matching<'_, A, B>,
    form: &impl SsaForm,
    block: Block,
    matched: impl Fn(Value) -> Option<Value>,
    phi_block: impl Fn(Value) -> Option<Block>,
) -> Vec<Candidate> {
    let key = |phi: Value, (operand, source): (Value, Block)| {
        if !matching.reachable.contains(source) {
            Key::Ignored
        } else if operand == phi {
            Key::Itself
        } else if let Some(value) = matched(operand) {
            Key::Matched(value)
        } else {
            phi_block(operand).map_or(Key::Unmatched, Key::DeadPhi)
        }
    };
    let dead = form.phis(block).filter(|&phi| matched(phi).is_none());
    let keys = |phi| form.operands(block, phi).zip(form.predecessors(block)).map(move |by_edge| (phi, by_edge));
    let mut phis: Vec<_> = dead.map(|phi| (keys(phi).map(|(phi, by_edge)| key(phi, by_edge)).collect(), phi)).collect();
    phis.sort_by(|one: &Candidate, other| one.0.cmp(&other.0));
    phis
}
