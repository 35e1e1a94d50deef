//! The syntax of operations: name, immediates, arguments, targets.
//!
//! Arguments of calls and throws are in parentheses, because ` to ` and targets
//! may follow: `call 5 "f"(%x.0) to block2, block7`. A `br_table` lists its
//! targets like `switch` in other dialects.

use super::op::{FunctionName, Immediates, Memory, Op};
use super::opcode::{Form, Opcode};
use super::types::{parse_heap_type, parse_ref_type, print_heap_type, print_ref_type};
use ssaphire_ir::json::Fields;
use ssaphire_ir::text::{InstParser, InstPrinter, SyntaxError, SyntaxErrorKind};
use std::fmt::{self, Write};
use wasmparser::RefType;

/// The order of an atomic operation that is not sequentially consistent.
const ACQUIRE_RELEASE: &str = "acqrel";

type Printer<'a> = InstPrinter<'a>;
type Parser<'p, 't> = InstParser<'p, 't>;

pub(super) fn print(op: &Op, out: &mut Printer<'_>) -> fmt::Result {
    out.write_str(op.opcode.name())?;
    print_immediates(&op.immediates, out)?;
    if out.is_in_cps() {
        return out.call_operands();
    }
    let (args, targets) = (out.num_args(), out.num_targets());
    if op.opcode.has_parentheses() {
        out.write_str("(")?;
        out.args(0..args)?;
        out.write_str(if targets > 0 { ") to " } else { ")" })?;
        return out.targets(0..targets);
    }
    if args + targets == 0 {
        // Without parentheses, this would be a copy of a variable.
        let is_bare = op.immediates == Immediates::None && out.num_results() > 0;
        return out.write_str(if is_bare { "()" } else { "" });
    }
    out.write_str(" ")?;
    out.args(0..args)?;
    out.write_str(if args > 0 && targets > 0 { ", " } else { "" })?;
    if op.opcode != Opcode::BrTable {
        return out.targets(0..targets);
    }
    let last = targets.saturating_sub(1);
    out.write_str("[")?;
    out.targets(0..last)?;
    out.write_str("], ")?;
    out.targets(last..targets)
}

fn print_immediates(immediates: &Immediates, out: &mut Printer<'_>) -> fmt::Result {
    match immediates {
        Immediates::None => Ok(()),
        Immediates::Index(index) => write!(out, " {index}"),
        Immediates::Indices(first, second) => write!(out, " {first} {second}"),
        Immediates::Callee { index, name } => {
            write!(out, " {index}")?;
            let Some(name) = name else { return Ok(()) };
            out.write_str(" ")?;
            out.string(name)
        }
        Immediates::Lane(lane) => write!(out, " {lane}"),
        Immediates::Lanes(lanes) => lanes.iter().try_for_each(|lane| write!(out, " {lane}")),
        Immediates::Memory { .. } | Immediates::OtherMemory(_) => {
            immediates.memory().map_or(Ok(()), |access| print_memory(access, out))
        }
        Immediates::MemoryLane(access) => {
            let (memory, lane) = **access;
            print_memory(memory, out)?;
            write!(out, " {lane}")
        }
        Immediates::Heap(heap) => {
            out.write_str(" ")?;
            print_heap_type(*heap, out)
        }
        Immediates::Cast { from, to } => {
            out.write_str(" ")?;
            print_ref_type(*from, out)?;
            out.write_str(" ")?;
            print_ref_type(*to, out)
        }
        Immediates::AcquireRelease(ordered) => {
            write!(out, " {ACQUIRE_RELEASE}")?;
            // There is one order only.
            if let Immediates::AcquireRelease(_) = **ordered { Ok(()) } else { print_immediates(ordered, out) }
        }
    }
}

fn print_memory(memory: Memory, out: &mut Printer<'_>) -> fmt::Result {
    if memory.memory != 0 {
        write!(out, " memory={}", memory.memory)?;
    }
    if memory.offset != 0 {
        write!(out, " offset={}", memory.offset)?;
    }
    memory.align.map_or(Ok(()), |align| write!(out, " align={}", 1u64 << align))
}

/// Writes immediates as fields of a JSON object.
pub(super) fn write_fields(immediates: &Immediates, out: &mut Fields<'_>) -> fmt::Result {
    match immediates {
        Immediates::None => Ok(()),
        Immediates::Index(index) => out.integer("index", *index),
        Immediates::Indices(first, second) => out.integers("indices", [*first, *second]),
        Immediates::Callee { index, name } => {
            out.integer("function", *index)?;
            match name {
                Some(name) => out.string("name", name),
                None => out.null("name"),
            }
        }
        Immediates::Lane(lane) => out.integer("lane", *lane),
        Immediates::Lanes(lanes) => out.integers("lanes", **lanes),
        Immediates::Memory { .. } | Immediates::OtherMemory(_) => {
            immediates.memory().map_or(Ok(()), |access| write_memory(access, out))
        }
        Immediates::MemoryLane(access) => {
            let (memory, lane) = **access;
            write_memory(memory, out)?;
            out.integer("lane", lane)
        }
        Immediates::Heap(heap) => out.text("heap", |out| print_heap_type(*heap, out)),
        Immediates::Cast { from, to } => {
            out.text("from", |out| print_ref_type(*from, out))?;
            out.text("to", |out| print_ref_type(*to, out))
        }
        Immediates::AcquireRelease(ordered) => {
            // There is one order only.
            if !matches!(**ordered, Immediates::AcquireRelease(_)) {
                write_fields(ordered, out)?;
            }
            out.text("order", |out| out.write_str(ACQUIRE_RELEASE))
        }
    }
}

fn write_memory(access: Memory, out: &mut Fields<'_>) -> fmt::Result {
    out.integer("memory", access.memory)?;
    out.integer("offset", access.offset)?;
    match access.align {
        Some(align) => out.integer("align", 1u64 << align),
        None => out.null("align"),
    }
}

pub(super) fn parse(name: &str, input: &mut Parser<'_, '_>) -> Result<Op, SyntaxError> {
    let opcode = Opcode::from_name(name).ok_or_else(|| input.unknown_op())?;
    let immediates = parse_immediates(opcode, input)?;
    if opcode.has_parentheses() {
        input.expect("(")?;
        input.args()?;
        input.expect(")")?;
        if input.eat("to") {
            input.targets()?;
        }
    } else if opcode == Opcode::BrTable {
        parse_table(input)?;
    } else if opcode.is_branch() {
        let targets = if opcode == Opcode::Br { 1 } else { 2 };
        input.plain(targets - 1 + usize::from(opcode.compares_descriptor()), targets)?;
    } else if !input.is_at_end() {
        input.args()?;
    }
    Ok(Op { opcode, immediates })
}

fn parse_table(input: &mut Parser<'_, '_>) -> Result<(), SyntaxError> {
    input.arg()?;
    input.expect(",")?;
    input.expect("[")?;
    if !input.eat("]") {
        input.targets()?;
        input.expect("]")?;
    }
    input.expect(",")?;
    input.target()
}

fn parse_immediates(opcode: Opcode, input: &mut Parser<'_, '_>) -> Result<Immediates, SyntaxError> {
    let form = opcode.form();
    let may_be_ordered = matches!(form, Form::Fence | Form::OrderedIndex | Form::OrderedIndices | Form::Memory);
    if may_be_ordered && input.eat(ACQUIRE_RELEASE) {
        return Ok(Immediates::AcquireRelease(Box::new(parse_plain_immediates(form, input)?)));
    }
    parse_plain_immediates(form, input)
}

fn parse_plain_immediates(form: Form, input: &mut Parser<'_, '_>) -> Result<Immediates, SyntaxError> {
    Ok(match form {
        Form::None | Form::Fence => Immediates::None,
        Form::Index | Form::OrderedIndex => Immediates::Index(input.number()?),
        Form::Indices | Form::OrderedIndices => Immediates::Indices(input.number()?, input.number()?),
        Form::Callee => parse_callee(input)?,
        Form::Lane => Immediates::Lane(input.number()?),
        Form::Lanes => {
            let mut lanes = [0; 16];
            for lane in &mut lanes {
                *lane = input.number()?;
            }
            Immediates::Lanes(Box::new(lanes))
        }
        Form::Memory => Immediates::access(parse_memory(input)?),
        Form::MemoryLane => Immediates::MemoryLane(Box::new((parse_memory(input)?, input.number()?))),
        Form::Heap => {
            let heap = input.peek().and_then(parse_heap_type);
            let heap = heap.ok_or_else(|| input.error(SyntaxErrorKind::Expected("a heap type")))?;
            input.token()?;
            Immediates::Heap(heap)
        }
        Form::Cast => Immediates::Cast { from: parse_reference(input)?, to: parse_reference(input)? },
    })
}

fn parse_callee(input: &mut Parser<'_, '_>) -> Result<Immediates, SyntaxError> {
    let index = input.number()?;
    let is_named = input.peek().is_some_and(|token| token.starts_with('"'));
    let name = if is_named { Some(FunctionName::new(input.string()?.into())) } else { None };
    Ok(Immediates::Callee { index, name })
}

fn parse_reference(input: &mut Parser<'_, '_>) -> Result<RefType, SyntaxError> {
    let ty = input.peek().and_then(parse_ref_type);
    let ty = ty.ok_or_else(|| input.error(SyntaxErrorKind::Expected("a reference type")))?;
    input.token()?;
    Ok(ty)
}

fn parse_memory(input: &mut Parser<'_, '_>) -> Result<Memory, SyntaxError> {
    let mut memory = Memory::default();
    if input.eat("memory") {
        input.expect("=")?;
        memory.memory = input.number()?;
    }
    if input.eat("offset") {
        input.expect("=")?;
        memory.offset = input.number()?;
    }
    if input.eat("align") {
        input.expect("=")?;
        let align: u64 = input.number()?;
        if !align.is_power_of_two() {
            return Err(input.error(SyntaxErrorKind::Dialect(format!("{align}: not a power of two"))));
        }
        memory.align = Some(align.trailing_zeros() as u8);
    }
    Ok(memory)
}
