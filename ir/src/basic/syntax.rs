//! The syntax of the operations.

use super::{BinaryOp, Call, Op, UnaryOp};
use crate::text::{InstParser, InstPrinter, SyntaxError, SyntaxErrorKind};
use std::fmt::{self, Write};

pub(super) fn print(op: &Op, out: &mut InstPrinter<'_>) -> fmt::Result {
    match op {
        Op::Call(call) => print_call(call, out),
        Op::Switch if !out.is_in_cps() => print_switch(out),
        _ => out.plain(op.name()),
    }
}

fn print_switch(out: &mut InstPrinter<'_>) -> fmt::Result {
    let last = out.num_targets().saturating_sub(1);
    out.write_str("switch ")?;
    out.args(0..out.num_args())?;
    out.write_str(", [")?;
    out.targets(0..last)?;
    out.write_str("], ")?;
    out.targets(last..out.num_targets())
}

fn print_call(call: &Call, out: &mut InstPrinter<'_>) -> fmt::Result {
    let (must, maybe, uses) = (call.must as usize, call.maybe as usize, call.uses as usize);
    let explicit = out.num_args().saturating_sub(maybe + uses);
    if out.is_in_cps() {
        return print_call_with_continuations(call, explicit, out);
    }
    let returned = out.num_results().saturating_sub(must + maybe);
    write!(out, "call ")?;
    out.name(&call.callee)?;
    out.write_str("(")?;
    out.args(0..explicit)?;
    out.write_str(")")?;
    let mut separator = " ";
    for result in returned..returned + must {
        write!(out, "{separator}modifies ")?;
        out.result(result)?;
        separator = ", ";
    }
    for (word, args) in [("maybe", explicit..explicit + maybe), ("uses", explicit + maybe..explicit + maybe + uses)] {
        for arg in args {
            write!(out, "{separator}{word} ")?;
            out.arg(arg)?;
            separator = ", ";
        }
    }
    if out.num_targets() > 0 {
        out.write_str(" to ")?;
        out.targets(0..out.num_targets())?;
    }
    Ok(())
}

/// `f(a, maybe x, uses y, k)`: the variables that the call modifies are among the parameters of its continuation.
fn print_call_with_continuations(call: &Call, explicit: usize, out: &mut InstPrinter<'_>) -> fmt::Result {
    out.name(&call.callee)?;
    let first_use = explicit + call.maybe as usize;
    let mut separator = "(";
    for arg in 0..out.num_args() {
        let word = if arg < explicit {
            ""
        } else if arg < first_use {
            "maybe "
        } else {
            "uses "
        };
        write!(out, "{separator}{word}")?;
        out.arg(arg)?;
        separator = ", ";
    }
    for target in 0..out.num_targets() {
        out.write_str(separator)?;
        out.target(target)?;
        separator = ", ";
    }
    out.write_str(if separator == "(" { "()" } else { ")" })
}

pub(super) fn parse(name: &str, input: &mut InstParser<'_, '_>) -> Result<Op, SyntaxError> {
    if let Some(op) = BinaryOp::from_name(name) {
        input.plain(2, 0)?;
        return Ok(Op::Binary(op));
    }
    if let Some(op) = UnaryOp::from_name(name) {
        input.plain(1, 0)?;
        return Ok(Op::Unary(op));
    }
    match name {
        "access" => input.plain(2, 0).map(|()| Op::Access),
        "update" => input.plain(3, 0).map(|()| Op::Update),
        "hidden_update" => input.plain(2, 0).map(|()| Op::HiddenUpdate),
        "read" => Ok(Op::Read),
        "print" => input.args().map(|()| Op::Print),
        "return" => input.args().map(|()| Op::Return),
        "jump" => input.plain(0, 1).map(|()| Op::Jump),
        "branch" => input.plain(1, 2).map(|()| Op::Branch),
        "unreachable" => Ok(Op::Unreachable),
        "call" => parse_call(input).map(Op::Call),
        "switch" => parse_switch(input),
        _ => Err(input.unknown_op()),
    }
}

fn parse_switch(input: &mut InstParser<'_, '_>) -> Result<Op, SyntaxError> {
    input.arg()?;
    input.expect(",")?;
    input.expect("[")?;
    if !input.eat("]") {
        input.targets()?;
        input.expect("]")?;
    }
    input.expect(",")?;
    input.target()?;
    Ok(Op::Switch)
}

fn parse_call(input: &mut InstParser<'_, '_>) -> Result<Call, SyntaxError> {
    let mut call = Call::new(input.name()?);
    input.expect("(")?;
    input.args()?;
    input.expect(")")?;
    let modified = parse_effects(&mut call, input)?;
    // The variables it certainly modifies precede those it may modify, which are the last results.
    let end = input.results().len().saturating_sub(call.maybe as usize);
    let wanted = end.checked_sub(modified.len()).map(|begin| begin..end);
    if wanted.is_none_or(|wanted| !wanted.eq(modified)) {
        return Err(input.error(SyntaxErrorKind::Expected("modified variables among the results, before `maybe` ones")));
    }
    if input.eat("to") {
        input.targets()?;
    }
    Ok(call)
}

/// Parses the effects of a call on variables: returns the result indices of those it certainly modifies.
fn parse_effects(call: &mut Call, input: &mut InstParser<'_, '_>) -> Result<Vec<usize>, SyntaxError> {
    let mut modified = Vec::new();
    loop {
        if input.eat("modifies") {
            modified.push(input.result()?);
            call.must += 1;
        } else if call.uses == 0 && input.eat("maybe") {
            input.arg()?;
            call.maybe += 1;
        } else if input.eat("uses") {
            input.arg()?;
            call.uses += 1;
        } else if *call != Call::new(call.callee.as_str()) {
            // Not the first iteration, so this follows a comma.
            return Err(input.error(SyntaxErrorKind::Expected("`modifies`, `maybe` or `uses`, in this order")));
        } else {
            return Ok(modified);
        }
        if !input.eat(",") {
            return Ok(modified);
        }
    }
}
