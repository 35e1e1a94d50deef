//! Copies of values.

use super::remove_redundant_phis;
use crate::dialect::Syntax;
use crate::function::{Action, Arg, Dest, Function, InstRef};
use ssaphire::Value;
use ssaphire::graph::{CfgError, FlatCfg, IdMap, Order};

/// Replaces copies with their sources, and removes these copies and phis that become redundant; returns the number of
/// values removed.
///
/// A copy stays in unreachable code, where the type of a source does not fit, and if it copies to variables as well.
///
/// # Errors
/// If the graph violates its contract.
///
/// # Complexity
/// O(size of the function).
pub fn propagate_copies<D: Syntax>(function: &mut Function<D>) -> Result<usize, CfgError> {
    let order = Order::new(&FlatCfg::new(function)?);
    let mut stands_for: IdMap<Value, Value> = function.values().collect();
    let mut num_copies = 0;
    // What dominates a block comes before it: what is copied stands for something by then.
    for block in order.rpo() {
        for copy in function.block(block).insts().iter().filter(|inst| is_copy(*inst)) {
            let fits = |(dest, source)| D::is_subtype(function.value(source).ty, function.value(dest).ty);
            if values(copy).filter(|&pair| fits(pair)).count() == copy.results.len() {
                values(copy).for_each(|(dest, source)| stands_for[dest] = stands_for[source]);
                num_copies += copy.results.len();
            }
        }
    }
    if num_copies == 0 {
        return Ok(0);
    }
    for block in function.blocks() {
        let stays = |dest: &Dest| !matches!(*dest, Dest::Value(value) if stands_for[value] != value);
        function.retain_insts(block, |inst| !is_copy(inst) || inst.results.iter().all(stays));
    }
    function.map_uses(|value| stands_for.get(value).copied().unwrap_or(value));
    Ok(num_copies + remove_redundant_phis(function)?)
}

fn is_copy<D: Syntax>(inst: InstRef<'_, D>) -> bool {
    matches!(inst.action, Action::Copy)
}

/// The values that a copy defines, with what they are copies of.
fn values<D: Syntax>(copy: InstRef<'_, D>) -> impl Iterator<Item = (Value, Value)> {
    copy.results.iter().zip(copy.args).filter_map(|pair| match pair {
        (&Dest::Value(dest), &Arg::Value(source)) => Some((dest, source)),
        _ => None,
    })
}
