//! Removal of unreachable blocks.

use crate::dialect::Syntax;
use crate::function::Function;
use ssaphire::graph::{CfgError, FlatCfg, Order};

/// Removes the unreachable blocks of `function`; returns their number.
///
/// Their edges into other blocks go, with the operands of phis; such phis may become redundant.
///
/// # Errors
/// If the graph violates its contract.
///
/// # Complexity
/// O(size of the function).
pub fn remove_unreachable_blocks<D: Syntax>(function: &mut Function<D>) -> Result<usize, CfgError> {
    let order = Order::new(&FlatCfg::new(function)?);
    let num_blocks = function.num_blocks();
    function.retain_blocks(|block| order.is_reachable(block));
    Ok(num_blocks - function.num_blocks())
}
