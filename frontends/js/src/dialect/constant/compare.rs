//! Comparisons of primitive values.

use super::Constant;

impl Constant {
    /// `===`: `0` and `-0` are equal, NaN is not equal to itself.
    pub fn strictly_equals(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Number(left), Self::Number(right)) => f64::from_bits(*left) == f64::from_bits(*right),
            _ => self == other,
        }
    }

    /// `==`; `None` where it would compare a BigInt with something else.
    pub fn loosely_equals(&self, other: &Self) -> Option<bool> {
        match (self, other) {
            _ if self.is_nullish() || other.is_nullish() => Some(self.is_nullish() && other.is_nullish()),
            (Self::BigInt(left), Self::BigInt(right)) => Some(left == right),
            (Self::String(left), Self::String(right)) => Some(left == right),
            _ => Some(self.to_number()? == other.to_number()?),
        }
    }

    /// `self < other`, `None` inside if one of them is NaN; `None` where it would compare a BigInt.
    pub(crate) fn is_less(&self, other: &Self) -> Option<Option<bool>> {
        if let (Self::String(left), Self::String(right)) = (self, other) {
            return Some(Some(left.units() < right.units()));
        }
        let (left, right) = (self.to_number()?, other.to_number()?);
        Some(left.partial_cmp(&right).map(|order| order.is_lt()))
    }
}
