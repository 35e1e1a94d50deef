//! The contents of values: numbers and arrays.

use super::array::{Array, initial};
use crate::interp::{Content, TrapKind};
use std::fmt;

/// The content of a value of [`Basic`](super::Basic): a number or an array.
///
/// An opaque call returns numbers only. Where an array is expected, such a number represents the array that the call
/// has returned: all of its elements are known, and follow from the number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Datum {
    /// A number, which may represent an array that an opaque call has returned.
    Number(i64),
    /// An array that an update has made.
    Array(Array),
}

impl Datum {
    /// The number, if it is one.
    pub fn number(&self) -> Option<i64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Array(_) => None,
        }
    }
}

impl From<i64> for Datum {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl fmt::Display for Datum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Array(array) => array.fmt(f),
        }
    }
}

/// The number in `content`.
///
/// # Errors
/// If the content is an array.
pub(super) fn number(content: &Content<Datum>) -> Result<Content<i64>, TrapKind> {
    match content {
        Content::Undefined => Ok(Content::Undefined),
        Content::Known(Datum::Number(number)) => Ok(Content::Known(*number)),
        Content::Known(Datum::Array(_)) => Err(TrapKind::Malformed),
    }
}

/// The content of `array` at `index`.
///
/// # Errors
/// If the index is an array.
pub(super) fn access(array: &Content<Datum>, index: &Content<Datum>) -> Result<Content<Datum>, TrapKind> {
    let Content::Known(index) = number(index)? else { return Ok(Content::Undefined) };
    let element = element(array, index);
    Ok(match element {
        Content::Undefined => Content::Undefined,
        Content::Known(number) => Content::Known(Datum::Number(number)),
    })
}

fn element(array: &Content<Datum>, index: i64) -> Content<i64> {
    match array {
        Content::Undefined => Content::Undefined,
        Content::Known(Datum::Number(number)) => initial(Content::Known(*number), index),
        Content::Known(Datum::Array(array)) => array.element(index),
    }
}

/// The array with `x` at `index`, and otherwise the elements of `array`.
///
/// An undefined index may select any element, so no element of the result is known then.
///
/// # Errors
/// If the index or the stored element is an array.
pub(super) fn update(
    array: &Content<Datum>,
    index: &Content<Datum>,
    x: &Content<Datum>,
) -> Result<Content<Datum>, TrapKind> {
    let (index, x) = (number(index)?, number(x)?);
    let Content::Known(index) = index else { return Ok(Content::Undefined) };
    let mut array = match array {
        Content::Undefined => Array::new(Content::Undefined),
        Content::Known(Datum::Number(number)) => Array::new(Content::Known(*number)),
        Content::Known(Datum::Array(array)) => array.clone(),
    };
    array.set(index, x);
    // So that equal arrays have equal representations.
    Ok(match (array.is_unchanged(), array.base()) {
        (false, _) => Content::Known(Datum::Array(array)),
        (true, Content::Known(number)) => Content::Known(Datum::Number(number)),
        (true, Content::Undefined) => Content::Undefined,
    })
}

/// Whether `now` equals `before`, or differs only where `before` or one of its elements is undefined.
pub(super) fn refines(now: &Content<Datum>, before: &Content<Datum>) -> bool {
    let Content::Known(Datum::Array(array)) = before else { return now == before || *before == Content::Undefined };
    let base = match now {
        Content::Undefined => Content::Undefined,
        Content::Known(Datum::Number(number)) => Content::Known(*number),
        Content::Known(Datum::Array(now)) => now.base(),
    };
    let changed_now = match now {
        Content::Known(Datum::Array(now)) => now.changed(),
        _ => Vec::new(),
    };
    let refines = |(index, _): (i64, Content<i64>)| {
        let (now, before) = (element(now, index), array.element(index));
        now == before || before == Content::Undefined
    };
    // For arrays returned by calls, unchanged elements count, too.
    (array.base() == Content::Undefined || array.base() == base)
        && array.changed().into_iter().chain(changed_now).all(refines)
}
