//! Text with holes for operands and targets.
//!
//! An instruction is its text, except for the names of local values and of
//! blocks. `{}` stands for the next argument, `{b}` for the next target, and
//! braces of the text are doubled.

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
        rest = &rest[len..];
        Some(piece)
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

#[cfg(test)]
mod tests {
    use super::*;

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
