//! Functions that are written as they stand in the source, with those inside of them that need not be.

use super::function_text::FunctionText;
use super::prelude;
use super::text::{NEWLINE, protect};
use crate::Program;
use crate::program::{FunctionId, FunctionKind, JsFunction};

/// A function as it stands in the source; `inner` are those in it, in their order.
pub(super) fn function(
    program: &Program,
    source: &str,
    id: FunctionId,
    (inner, written): (&[FunctionId], &[Option<FunctionText>]),
) -> FunctionText {
    let js = &program.functions[id.index()];
    let (start, end) =
        if js.parent.is_none() { (0, source.len()) } else { (js.span.start as usize, js.span.end as usize) };
    let mut text = String::new();
    let mut at = start;
    for inner in inner {
        let Some(Some(code)) = written.get(inner.index()) else { continue };
        let inner = &program.functions[inner.index()];
        let is_plain = matches!(inner.kind, FunctionKind::Function | FunctionKind::Arrow);
        if !is_plain && !inner.is_verbatim || (inner.span.start as usize) < at {
            continue;
        }
        text += &protect(source.get(at..inner.span.start as usize).unwrap_or_default());
        text += &code.verbatim.clone().unwrap_or_else(|| anew(inner, code, source));
        at = inner.span.end as usize;
    }
    text += &protect(source.get(at..end).unwrap_or_default());
    FunctionText { verbatim: Some(text), ..FunctionText::default() }
}

/// A function written anew in the place where it stands in the source.
fn anew(js: &JsFunction, code: &FunctionText, source: &str) -> String {
    let text = source.get(js.span.start as usize..js.span.end as usize).unwrap_or_default();
    let is_async = if js.is_async { "async " } else { "" };
    if js.kind == FunctionKind::Arrow {
        let body = code.result.as_ref().map_or_else(|| code.body.clone(), super::expr::Expr::as_arrow_body);
        return format!("{is_async}({}) => {body}", code.params);
    }
    // Up to its parameters it stays as it is: so it keeps its name.
    let head = text.split_once('(').map_or(text, |(head, _)| head);
    format!("{}({}) {}", protect(head), code.params, code.body)
}

/// A file that is written as it stands, but for some functions in it.
pub(super) fn file(source: &str, code: &FunctionText) -> String {
    let text = code.verbatim.clone().unwrap_or_else(|| protect(source).into_owned());
    let declarations = prelude::declarations(&text, true);
    if declarations.is_empty() {
        return text;
    }
    // Behind the directives, which have to come first.
    let head = directives(source);
    let (before, behind) = text.split_at(head.min(text.len()));
    let gap = if before.is_empty() || before.ends_with('\n') { "" } else { NEWLINE };
    format!("{before}{gap}{declarations}{behind}")
}

/// The length of what must stay first: `#!` and directives.
fn directives(source: &str) -> usize {
    let mut at = if source.starts_with("#!") { source.find('\n').map_or(source.len(), |end| end + 1) } else { 0 };
    loop {
        let rest = source[at..].trim_start();
        let start = source.len() - rest.len();
        let Some(quote) = rest.chars().next().filter(|&c| c == '"' || c == '\'') else { return at };
        let Some(length) = rest[1..].find(quote) else { return at };
        let behind = rest[length + 2..].trim_start_matches([' ', '\t']);
        let is_directive = behind.is_empty() || behind.starts_with([';', '\n', '\r', '}']);
        if !is_directive {
            return at;
        }
        let end = source.len() - behind.len();
        at = if behind.starts_with(';') { end + 1 } else { end };
        debug_assert!(at > start, "a directive is not empty");
    }
}
