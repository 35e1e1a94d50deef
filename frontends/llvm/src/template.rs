//! Text with holes for operands and targets.
//!
//! An instruction is its text, except for the names of local values and of
//! blocks. `{}` stands for the next argument, `{b}` for the next target, and
//! braces of the text are doubled.

use crate::scan::len_until;

/// A part of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece<'t> {
    /// Text without braces that mean anything.
    Text(&'t str),
    /// The next argument.
    Arg,
    /// The next target.
    Target,
}

/// The parts of a template, in order.
pub(crate) fn pieces(template: &str) -> impl Iterator<Item = Piece<'_>> {
    spelled_pieces(template).map(|(piece, _)| piece)
}

/// The parts of a template, each with its spelling in it.
fn spelled_pieces(template: &str) -> impl Iterator<Item = (Piece<'_>, &str)> {
    let mut rest = template;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (piece, len) = match brace_in(rest) {
            Some(0) if rest.starts_with("{}") => (Piece::Arg, 2),
            Some(0) if rest.starts_with("{b}") => (Piece::Target, 3),
            // Of a doubled brace, one.
            Some(0) => (Piece::Text(&rest[..1]), 2.min(rest.len())),
            Some(at) => (Piece::Text(&rest[..at]), at),
            None => (Piece::Text(rest), rest.len()),
        };
        let spelling = &rest[..len];
        rest = &rest[len..];
        Some((piece, spelling))
    })
}

/// The numbers of arguments and targets.
pub(crate) fn counts(template: &str) -> (usize, usize) {
    pieces(template).fold((0, 0), |(args, targets), piece| match piece {
        Piece::Text(_) => (args, targets),
        Piece::Arg => (args + 1, targets),
        Piece::Target => (args, targets + 1),
    })
}

/// Where the first brace is.
fn brace_in(text: &str) -> Option<usize> {
    text.bytes().position(|byte| matches!(byte, b'{' | b'}'))
}

/// Appends text, with its braces doubled.
pub(crate) fn push_text(mut text: &str, template: &mut String) {
    while let Some(at) = brace_in(text) {
        template.push_str(&text[..=at]);
        template.push_str(&text[at..=at]);
        text = &text[at + 1..];
    }
    template.push_str(text);
}

/// The template with constants in the holes of arguments that are known.
pub(crate) fn with_constants<'c>(template: &str, mut args: impl Iterator<Item = Option<&'c str>>) -> String {
    let mut filled = String::with_capacity(template.len());
    for piece in pieces(template) {
        match piece {
            Piece::Text(text) => push_text(text, &mut filled),
            Piece::Target => filled.push_str("{b}"),
            Piece::Arg => match args.next().flatten() {
                Some(constant) => push_text(constant, &mut filled),
                None => filled.push_str("{}"),
            },
        }
    }
    filled
}

/// The length of the constant at the start of `text` that this comes after: what is in its brackets and strings does not end it.
fn len_before(text: &str, next: &str) -> usize {
    let (bytes, first) = (text.as_bytes(), next.as_bytes()[0]);
    let mut at = 0;
    loop {
        at += len_until(&bytes[at..], |byte| byte == first);
        match bytes.get(at) {
            Some(&byte) if byte == first && !bytes[at..].starts_with(next.as_bytes()) => {
                at += 1;
                if matches!(byte, b'(' | b'[' | b'{' | b'<') {
                    at = (at + len_until(&bytes[at..], |_| false) + 1).min(bytes.len());
                }
            }
            _ => return at,
        }
    }
}

/// By hole for an argument, the constant that another template has in its place, or `None` where it has a hole, too; `None` if they
/// differ in anything else.
pub(crate) fn constants_in(template: &str, filled: &str) -> Option<Vec<Option<String>>> {
    let mut rest = filled;
    let mut constants = Vec::new();
    let mut pieces = spelled_pieces(template).peekable();
    while let Some((piece, spelling)) = pieces.next() {
        if let Some(same) = rest.strip_prefix(spelling) {
            rest = same;
            constants.extend((piece == Piece::Arg).then_some(None));
        } else if piece == Piece::Arg {
            let next = pieces.peek().map(|&(_, next)| next);
            let (constant, after) = rest.split_at(next.map_or(rest.len(), |next| len_before(rest, next)));
            constants.push(Some(constant.replace("{{", "{").replace("}}", "}")));
            rest = after;
        } else {
            return None;
        }
    }
    rest.is_empty().then_some(constants)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_found_in_the_holes_that_they_fill() {
        let templates = [
            ("store i32 {}, ptr {}, align 4", vec![Some("7"), None]),
            ("store {{ i32, {{}} }} {}, ptr {}", vec![Some("{ i32 1, {} zeroinitializer }"), Some("@\"a, b\"")]),
            ("call i32 {}(i32 {}, i32 {})", vec![Some("@f"), None, Some("ptrtoint (ptr @x to i32)")]),
            ("br i1 {}, label {b}, label {b}", vec![Some("true")]),
            ("ret i32 {}", vec![Some("-1")]),
            ("sext i32 {} to i64", vec![Some("0")]),
            ("inttoptr i64 {} to ptr", vec![Some("ptrtoint (ptr @x to i64)")]),
            ("call void {}(ptr {}), !dbg !7", vec![Some("bitcast (void ()* @f to void (i8*)*)"), Some("null")]),
        ];
        for (template, constants) in templates {
            let filled = with_constants(template, constants.iter().copied());
            let found = constants_in(template, &filled).unwrap();
            assert_eq!(found.iter().map(Option::as_deref).collect::<Vec<_>>(), constants, "{filled}");
        }
        assert_eq!(constants_in("add i32 {}, 1", "add i32 {}, 2"), None);
        assert_eq!(constants_in("ret i32 {}", "ret i64 1"), None);
    }

    #[test]
    fn braces_are_doubled_and_read_back() {
        let mut template = String::new();
        push_text("insertvalue { i32, i1 } ", &mut template);
        template.push_str("{}, i32 {}, 0");
        assert_eq!(template, "insertvalue {{ i32, i1 }} {}, i32 {}, 0");
        assert_eq!(counts(&template), (2, 0));
        let text: String = pieces(&template)
            .map(|piece| match piece {
                Piece::Text(text) => text,
                Piece::Arg => "%x",
                Piece::Target => "%b",
            })
            .collect();
        assert_eq!(text, "insertvalue { i32, i1 } %x, i32 %x, 0");
        assert_eq!(counts("br i1 {}, label {b}, label {b}"), (1, 2));
    }
}
