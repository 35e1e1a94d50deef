//! Constant folding with the semantics of JavaScript.
//!
//! Only unobservable computations are folded: operators on primitive values,
//! and no operation that might call a method of an object. `0` and `-0` are two
//! constants. Results that may differ between engines in the last bit (`**`
//! with fractions) are not folded.

use crate::dialect::{Constant, Immediates, JsString, Op, Opcode};
use crate::number::to_int32;

/// The result of an operation on constants; `None` if it throws, depends on anything else, or is engine-dependent.
pub(crate) fn evaluate(op: &Op, args: &[Constant]) -> Option<Constant> {
    if args.contains(&Constant::Uninitialized) {
        return None;
    }
    match (op.opcode, args) {
        (Opcode::Not, [value]) => Some(Constant::Boolean(!value.is_truthy())),
        (Opcode::Typeof, [value]) => Some(Constant::string(type_of(value))),
        (Opcode::CheckInitialized, [value]) => Some(value.clone()),
        (Opcode::ToString, [value]) => Some(Constant::String(value.to_js_string())),
        (Opcode::ToKey, [value]) | (Opcode::ToKeyOf, [Constant::String(_), value]) => {
            Some(Constant::String(value.to_js_string()))
        }
        (Opcode::Template, values) => template(&op.immediates, values),
        (Opcode::Get, [Constant::String(text)]) => match &op.immediates {
            Immediates::Name(name) if &**name == "length" => Some(Constant::number(text.units().len() as f64)),
            _ => None,
        },
        (opcode, [value]) => unary(opcode, value),
        (opcode, [left, right]) => binary(opcode, left, right),
        _ => None,
    }
}

/// The slot that a branch takes on a constant.
pub(crate) fn chosen_slot(op: &Op, args: &[Constant], num_targets: usize) -> Option<u32> {
    let [value] = args else { return None };
    match op.opcode {
        Opcode::Branch => Some(u32::from(!value.is_truthy())),
        Opcode::BranchNullish if *value != Constant::Uninitialized => Some(u32::from(!value.is_nullish())),
        Opcode::Switch => {
            let Immediates::Cases(cases) = &op.immediates else { return None };
            let found = cases.iter().position(|case| case.strictly_equals(value));
            u32::try_from(found.unwrap_or(num_targets.checked_sub(1)?)).ok()
        }
        _ => None,
    }
}

fn type_of(value: &Constant) -> &'static str {
    match value {
        Constant::Undefined | Constant::Uninitialized => "undefined",
        Constant::Null => "object",
        Constant::Boolean(_) => "boolean",
        Constant::Number(_) => "number",
        Constant::String(_) => "string",
        Constant::BigInt(_) => "bigint",
    }
}

fn template(immediates: &Immediates, values: &[Constant]) -> Option<Constant> {
    let Immediates::Strings(parts) = immediates else { return None };
    let mut text = String::new();
    for (index, part) in parts.iter().enumerate() {
        text += part.cooked.as_ref()?.as_escaped();
        if let Some(value) = values.get(index) {
            text += value.to_js_string().as_escaped();
        }
        if text.len() > MAX_TEXT {
            return None;
        }
    }
    Some(Constant::String(joined(&text)))
}

/// Strings of more bytes are not computed: each use of one would have a copy of it, and a chain of concatenations would
/// take quadratic memory.
const MAX_TEXT: usize = 1 << 10;

/// Concatenated strings, in which two halves of a surrogate pair may meet.
fn joined(text: &str) -> JsString {
    let string = JsString::from_escaped(text);
    if string.as_str().is_some() { string } else { JsString::from_units(&string.units()) }
}

fn unary(opcode: Opcode, value: &Constant) -> Option<Constant> {
    if let Constant::BigInt(_) = value {
        return (opcode == Opcode::ToNumeric).then(|| value.clone());
    }
    let number = value.to_number()?;
    let result = match opcode {
        Opcode::Neg => -number,
        Opcode::ToNumber | Opcode::ToNumeric => number,
        Opcode::BitNot => f64::from(!to_int32(number)),
        Opcode::Inc => number + 1.0,
        Opcode::Dec => number - 1.0,
        _ => return None,
    };
    Some(Constant::number(result))
}

fn binary(opcode: Opcode, left: &Constant, right: &Constant) -> Option<Constant> {
    let truth = match opcode {
        Opcode::StrictEq => Some(left.strictly_equals(right)),
        Opcode::StrictNe => Some(!left.strictly_equals(right)),
        Opcode::Eq => Some(left.loosely_equals(right)?),
        Opcode::Ne => Some(!left.loosely_equals(right)?),
        Opcode::Lt => Some(left.is_less(right)? == Some(true)),
        Opcode::Gt => Some(right.is_less(left)? == Some(true)),
        Opcode::Le => Some(right.is_less(left)? == Some(false)),
        Opcode::Ge => Some(left.is_less(right)? == Some(false)),
        _ => None,
    };
    if let Some(truth) = truth {
        return Some(Constant::Boolean(truth));
    }
    let has_string = matches!(left, Constant::String(_)) || matches!(right, Constant::String(_));
    if opcode == Opcode::Add && has_string {
        let (left, right) = (left.to_js_string(), right.to_js_string());
        if left.as_escaped().len() + right.as_escaped().len() > MAX_TEXT {
            return None;
        }
        let text = format!("{}{}", left.as_escaped(), right.as_escaped());
        return Some(Constant::String(joined(&text)));
    }
    if matches!(left, Constant::BigInt(_)) || matches!(right, Constant::BigInt(_)) {
        return None;
    }
    arithmetic(opcode, left.to_number()?, right.to_number()?).map(Constant::number)
}

fn arithmetic(opcode: Opcode, left: f64, right: f64) -> Option<f64> {
    let shift = to_int32(right) as u32 & 31;
    Some(match opcode {
        Opcode::Add => left + right,
        Opcode::Sub => left - right,
        Opcode::Mul => left * right,
        Opcode::Div => left / right,
        Opcode::Rem => left % right,
        Opcode::Pow => return power(left, right),
        Opcode::Shl => f64::from(to_int32(left) << shift),
        Opcode::Shr => f64::from(to_int32(left) >> shift),
        Opcode::UShr => f64::from((to_int32(left) as u32) >> shift),
        Opcode::And => f64::from(to_int32(left) & to_int32(right)),
        Opcode::Or => f64::from(to_int32(left) | to_int32(right)),
        Opcode::Xor => f64::from(to_int32(left) ^ to_int32(right)),
        _ => return None,
    })
}

/// A power of integers, if the result is exact; engines agree on no others.
fn power(base: f64, exponent: f64) -> Option<f64> {
    const LARGEST: f64 = 9_007_199_254_740_992.0;
    let is_whole = base.fract() == 0.0 && exponent.fract() == 0.0 && (0.0..=53.0).contains(&exponent);
    if !is_whole || base.abs() > LARGEST {
        return None;
    }
    let mut result = 1.0;
    for _ in 0..exponent as u32 {
        result *= base;
        if f64::abs(result) > LARGEST {
            return None;
        }
    }
    Some(result)
}
