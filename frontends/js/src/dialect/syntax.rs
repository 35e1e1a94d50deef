//! How operations are spelled: name, immediates, arguments, targets.

use super::constant::Constant;
use super::name::{JsString, Name};
use super::op::{Element, Immediates, Method, Op, PatternPart, TemplatePart};
use super::opcode::{Form, Opcode};
use crate::program::FunctionId;
use crate::source::Span;
use ssaphire_ir::json::Fields;
use ssaphire_ir::text::{InstParser, InstPrinter, SyntaxError, SyntaxErrorKind, quote_string};
use std::fmt::{self, Write};
use std::sync::Arc;

type Printer<'a> = InstPrinter<'a>;
type Parser<'p, 't> = InstParser<'p, 't>;

pub(super) fn print(op: &Op, out: &mut Printer<'_>) -> fmt::Result {
    out.write_str(op.opcode.name())?;
    print_immediates(&op.immediates, out)?;
    if out.is_in_cps() {
        return out.call_operands();
    }
    let (args, targets) = (out.num_args(), out.num_targets());
    if args + targets == 0 {
        // Without the parentheses this would be a copy from a variable.
        let is_bare = op.immediates == Immediates::None && out.num_results() > 0;
        return out.write_str(if is_bare { "()" } else { "" });
    }
    if args > 0 {
        out.write_str(" ")?;
        out.args(0..args)?;
    }
    if targets > 0 {
        out.write_str(" to ")?;
        out.targets(0..targets)?;
    }
    Ok(())
}

/// Writes immediates, each behind a blank. Lists stand in brackets, elements in braces.
fn print_immediates(immediates: &Immediates, out: &mut dyn Write) -> fmt::Result {
    match immediates {
        Immediates::None => Ok(()),
        Immediates::Name(name) => quoted(name, out),
        Immediates::Index(index) => write!(out, " {index}"),
        Immediates::Pair(pair) => {
            quoted(&pair.0, out)?;
            quoted(&pair.1, out)
        }
        Immediates::Cases(cases) => list(cases.iter(), out, |case, out| {
            out.write_str(" ")?;
            case.print(out)
        }),
        Immediates::Strings(parts) => list(parts.iter(), out, |part, out| {
            quoted(&part.raw, out)?;
            match &part.cooked {
                Some(cooked) => quoted(cooked.as_escaped(), out),
                None => out.write_str(" none"),
            }
        }),
        Immediates::Names(names) => list(names.iter(), out, |name, out| quoted(name.as_escaped(), out)),
        Immediates::Spreads(spreads) => list(spreads.iter(), out, |index, out| write!(out, " {index}")),
        Immediates::Layout(elements) => list(elements.iter(), out, print_element),
        Immediates::Pattern(parts) => list(parts.iter(), out, print_part),
    }
}

fn quoted(text: &str, out: &mut dyn Write) -> fmt::Result {
    out.write_str(" ")?;
    quote_string(text, '"', out)
}

fn list<T>(
    items: impl Iterator<Item = T>,
    out: &mut dyn Write,
    mut print: impl FnMut(T, &mut dyn Write) -> fmt::Result,
) -> fmt::Result {
    out.write_str(" [")?;
    for item in items {
        print(item, out)?;
    }
    out.write_str(" ]")
}

fn print_element(element: &Element, out: &mut dyn Write) -> fmt::Result {
    match element {
        Element::Value(name) => {
            out.write_str(" value")?;
            quoted(name.as_escaped(), out)
        }
        Element::Computed => out.write_str(" computed"),
        Element::Spread => out.write_str(" spread"),
        Element::Proto => out.write_str(" proto"),
        Element::Hole => out.write_str(" hole"),
        Element::Method(method) => {
            out.write_str(" method")?;
            match &method.name {
                Some(name) => quoted(name.as_escaped(), out)?,
                None => out.write_str(" computed")?,
            }
            write!(out, " {} {}", method.function.0, method.cells)
        }
        Element::Tag(name) => {
            out.write_str(" tag")?;
            quoted(name.as_escaped(), out)
        }
        Element::Bare(name) => {
            out.write_str(" bare")?;
            quoted(name.as_escaped(), out)
        }
        Element::Text(text) => {
            out.write_str(" text")?;
            quoted(text.as_escaped(), out)
        }
        Element::Children => out.write_str(" children"),
    }
}

fn print_part(part: &PatternPart, out: &mut dyn Write) -> fmt::Result {
    match part {
        PatternPart::Value => out.write_str(" value"),
        PatternPart::Cell => out.write_str(" cell"),
        PatternPart::Member(name) => {
            out.write_str(" member")?;
            quoted(name, out)
        }
        PatternPart::Index => out.write_str(" index"),
        PatternPart::Hole => out.write_str(" hole"),
        PatternPart::Rest => out.write_str(" rest"),
        PatternPart::Property(name) => {
            out.write_str(" property")?;
            quoted(name.as_escaped(), out)
        }
        PatternPart::Default => out.write_str(" default"),
        PatternPart::Array => out.write_str(" array"),
        PatternPart::Object => out.write_str(" object"),
        PatternPart::End => out.write_str(" end"),
    }
}

/// Writes immediates as fields of a JSON object.
pub(super) fn write_fields(immediates: &Immediates, out: &mut Fields<'_>) -> fmt::Result {
    match immediates {
        Immediates::None => Ok(()),
        Immediates::Name(name) => out.string("name", name),
        Immediates::Index(index) => out.integer("index", *index),
        Immediates::Spreads(spreads) => out.integers("spread", spreads.iter().copied()),
        Immediates::Pair(pair) => {
            out.string("first", &pair.0)?;
            out.string("second", &pair.1)
        }
        Immediates::Cases(_)
        | Immediates::Strings(_)
        | Immediates::Names(_)
        | Immediates::Layout(_)
        | Immediates::Pattern(_) => out.text("list", |out| print_immediates(immediates, out)),
    }
}

pub(super) fn parse(name: &str, input: &mut Parser<'_, '_>) -> Result<Op, SyntaxError> {
    let opcode = Opcode::from_name(name).ok_or_else(|| input.unknown_op())?;
    let immediates = parse_immediates(opcode.form(), input)?;
    if input.eat("(") {
        input.expect(")")?;
    } else if !input.is_at_end() {
        if input.peek() != Some("to") {
            input.args()?;
        }
        if input.eat("to") {
            input.targets()?;
        }
    }
    Ok(Op { opcode, span: Span::NOWHERE, immediates })
}

fn parse_immediates(form: Form, input: &mut Parser<'_, '_>) -> Result<Immediates, SyntaxError> {
    Ok(match form {
        Form::Name => Immediates::Name(name(input)?),
        Form::Index => Immediates::Index(input.number()?),
        Form::Pair => Immediates::Pair(Arc::new((name(input)?, name(input)?))),
        Form::Cases => Immediates::Cases(parse_list(input, |input| {
            let error = input.error(SyntaxErrorKind::Expected("a constant"));
            Constant::parse(input.token()?).ok_or(error)
        })?),
        Form::Strings => Immediates::Strings(parse_list(input, |input| {
            let raw = name(input)?;
            let cooked = if input.eat("none") { None } else { Some(string(input)?) };
            Ok(TemplatePart { raw, cooked })
        })?),
        Form::Names => Immediates::Names(parse_list(input, string)?),
        Form::Spreads if input.peek() == Some("[") => Immediates::Spreads(parse_list(input, |input| input.number())?),
        Form::None | Form::Spreads => Immediates::None,
        Form::Layout => Immediates::Layout(parse_list(input, parse_element)?),
        Form::Pattern => {
            let error = input.error(SyntaxErrorKind::Expected("a pattern"));
            let parts = parse_list(input, parse_part)?;
            if !is_pattern(&parts) {
                return Err(error);
            }
            Immediates::Pattern(parts)
        }
    })
}

fn name(input: &mut Parser<'_, '_>) -> Result<Name, SyntaxError> {
    Ok(Name::new(&input.string()?))
}

fn string(input: &mut Parser<'_, '_>) -> Result<JsString, SyntaxError> {
    Ok(JsString::from_escaped(&input.string()?))
}

fn parse_list<T>(
    input: &mut Parser<'_, '_>,
    mut item: impl FnMut(&mut Parser<'_, '_>) -> Result<T, SyntaxError>,
) -> Result<Arc<[T]>, SyntaxError> {
    input.expect("[")?;
    let mut items = Vec::new();
    while !input.eat("]") {
        items.push(item(input)?);
    }
    Ok(items.into())
}

fn parse_element(input: &mut Parser<'_, '_>) -> Result<Element, SyntaxError> {
    let error = input.error(SyntaxErrorKind::Expected("an element"));
    Ok(match input.token()? {
        "value" => Element::Value(string(input)?),
        "computed" => Element::Computed,
        "spread" => Element::Spread,
        "proto" => Element::Proto,
        "hole" => Element::Hole,
        "method" => {
            let name = if input.eat("computed") { None } else { Some(string(input)?) };
            Element::Method(Method { name, function: FunctionId(input.number()?), cells: input.number()? })
        }
        "tag" => Element::Tag(string(input)?),
        "bare" => Element::Bare(string(input)?),
        "text" => Element::Text(string(input)?),
        "children" => Element::Children,
        _ => return Err(error),
    })
}

fn parse_part(input: &mut Parser<'_, '_>) -> Result<PatternPart, SyntaxError> {
    let error = input.error(SyntaxErrorKind::Expected("a part of a pattern"));
    Ok(match input.token()? {
        "value" => PatternPart::Value,
        "cell" => PatternPart::Cell,
        "member" => PatternPart::Member(name(input)?),
        "index" => PatternPart::Index,
        "hole" => PatternPart::Hole,
        "rest" => PatternPart::Rest,
        "property" => PatternPart::Property(string(input)?),
        "default" => PatternPart::Default,
        "array" => PatternPart::Array,
        "object" => PatternPart::Object,
        "end" => PatternPart::End,
        _ => return Err(error),
    })
}

/// Whether parts are one pattern, with its end.
fn is_pattern(parts: &[PatternPart]) -> bool {
    // Whether each pattern around is an array, and whether it has its rest; what stands before a target.
    let mut open: Vec<(bool, bool)> = Vec::new();
    let (mut has_key, mut is_rest, mut has_default) = (false, false, false);
    for (index, part) in parts.iter().enumerate() {
        let Some(&mut (is_array, ref mut has_rest)) = open.last_mut() else {
            match part {
                PatternPart::Array if index == 0 => open.push((true, false)),
                PatternPart::Object if index == 0 => open.push((false, false)),
                _ => return false,
            }
            continue;
        };
        let is_begun = has_key || is_rest || has_default;
        let fits = match part {
            PatternPart::End => !is_begun,
            PatternPart::Hole => is_array && !is_begun && !*has_rest,
            PatternPart::Rest => !is_begun && !*has_rest,
            PatternPart::Property(_) => !is_array && !is_begun && !*has_rest,
            PatternPart::Default => !has_default && !is_rest && (is_array && !*has_rest || has_key),
            // The rest of an object is no pattern.
            PatternPart::Object | PatternPart::Array if is_rest && !is_array => false,
            _ => is_rest || has_key || is_array && !*has_rest,
        };
        if !fits {
            return false;
        }
        match part {
            PatternPart::Property(_) => has_key = true,
            PatternPart::Default => has_default = true,
            PatternPart::Rest => (is_rest, *has_rest) = (true, true),
            _ => (has_key, is_rest, has_default) = (false, false, false),
        }
        match part {
            PatternPart::Array => open.push((true, false)),
            PatternPart::Object => open.push((false, false)),
            PatternPart::End => drop(open.pop()),
            _ => {}
        }
    }
    open.is_empty() && !parts.is_empty()
}
