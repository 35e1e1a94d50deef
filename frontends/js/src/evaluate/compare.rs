//! Comparisons of primitive values.

use super::convert::to_number;
use crate::dialect::Constant;

/// `===`: `0` and `-0` are equal, NaN is not equal to itself.
pub(crate) fn strictly_equal(left: &Constant, right: &Constant) -> bool {
    match (left, right) {
        (Constant::Number(left), Constant::Number(right)) => f64::from_bits(*left) == f64::from_bits(*right),
        _ => left == right,
    }
}

/// `==`; `None` where it would compare a BigInt with something else.
pub(crate) fn loosely_equal(left: &Constant, right: &Constant) -> Option<bool> {
    match (left, right) {
        _ if left.is_nullish() || right.is_nullish() => Some(left.is_nullish() && right.is_nullish()),
        (Constant::BigInt(left), Constant::BigInt(right)) => Some(left == right),
        (Constant::String(left), Constant::String(right)) => Some(left == right),
        _ => Some(to_number(left)? == to_number(right)?),
    }
}

/// `left < right`, `None` inside if one of them is NaN; `None` where it would compare a BigInt.
pub(super) fn is_less(left: &Constant, right: &Constant) -> Option<Option<bool>> {
    if let (Constant::String(left), Constant::String(right)) = (left, right) {
        return Some(Some(left.units() < right.units()));
    }
    let (left, right) = (to_number(left)?, to_number(right)?);
    Some(left.partial_cmp(&right).map(|order| order.is_lt()))
}
