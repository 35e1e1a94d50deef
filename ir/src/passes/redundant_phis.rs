//! Sets of phis that stand for one value.

use crate::dialect::Syntax;
use crate::function::Function;
use ssaphire::graph::{CfgError, IdMap};
use ssaphire::{Value, minimize};

/// Removes the phis of `function` that [`minimize::redundant_phis`] finds, and replaces their uses; returns their
/// number.
///
/// A phi into which no value flows becomes undefined.
/// Does nothing if the entry has phis: they have no operand for control entering the function, so their operands do not
/// determine them.
///
/// # Errors
/// If the graph violates its contract.
///
/// # Complexity
/// That of [`minimize::redundant_phis`], plus O(size of the function).
pub fn remove_redundant_phis<D: Syntax>(function: &mut Function<D>) -> Result<usize, CfgError> {
    let redundant = minimize::redundant_phis(function)?;
    if redundant.is_empty() || !function.block(function.entry()).phis().is_empty() {
        return Ok(0);
    }
    let mut stands_for: IdMap<Value, Option<Value>> = IdMap::filled(function.num_values(), None);
    for &(phi, value) in &redundant {
        stands_for[phi] = Some(value.unwrap_or_else(|| {
            let data = function.value(phi);
            let (name, ty) = (data.name, data.ty.clone());
            function.values.undefined(name, ty)
        }));
    }
    for block in function.blocks() {
        function.retain_phis(block, |phi| stands_for[phi.value].is_none());
    }
    function.map_uses(|value| stands_for.get(value).copied().flatten().unwrap_or(value));
    Ok(redundant.len())
}
