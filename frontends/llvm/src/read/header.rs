//! The header of a function: its parameters, and where its body begins.

use crate::function::ParamInfo;
use crate::scan::{len_until, name_len, string_len};

/// A header.
pub(super) struct Header<'t> {
    /// From `define` to the opening brace of the body, with it.
    pub(super) text: &'t str,
    /// What is between the braces of the body, and the closing one.
    pub(super) body: &'t str,
    /// By parameter, its name with the sigil, if the text has one.
    pub(super) params: Vec<Option<&'t str>>,
    /// By parameter.
    pub(super) infos: Vec<ParamInfo>,
}

impl<'t> Header<'t> {
    /// The header of the function with this text.
    pub(super) fn of(text: &'t str) -> Option<Self> {
        let bytes = text.as_bytes();
        let open = start_of_params(bytes)?;
        let inner = open + 1;
        let close = inner + len_until(&bytes[inner..], |_| false);
        let (mut params, mut infos) = (Vec::new(), Vec::new());
        let mut at = inner;
        while at < close {
            let end = at + len_until(&bytes[at..close], |byte| byte == b',');
            let param = text[at..end].trim_ascii();
            if !param.is_empty() && param != "..." {
                params.push(name_of(param));
                infos.push(info_of(param));
            }
            at = end + 1;
        }
        let rest = start_of_body(text, close + 1)?;
        Some(Self { text: &text[..=rest], body: &text[rest + 1..], params, infos })
    }
}

fn info_of(param: &str) -> ParamInfo {
    let has = |attribute: fn(&str) -> bool| param.split_ascii_whitespace().any(attribute);
    let is_default_space = !param.contains("addrspace");
    ParamInfo {
        is_defined: has(|word| word == "noundef"),
        is_nonnull: has(|word| word == "nonnull")
            || is_default_space && has(|word| word.starts_with("dereferenceable(") || word.starts_with("byval(")),
    }
}

/// The pairs of braces outside of brackets after the parameters of a function: those of the body, and before them those of constants
/// of `prefix` and `prologue`. The second of a pair is `None` if the first ends its line, and the length of the text if it is not there.
fn braces(text: &str, after_params: usize) -> impl Iterator<Item = (usize, Option<usize>)> {
    let bytes = text.as_bytes();
    let mut at = after_params;
    std::iter::from_fn(move || {
        at += len_until(bytes.get(at..)?, |byte| byte == b'{');
        if bytes.get(at) != Some(&b'{') {
            at = bytes.len();
            return None;
        }
        let open = at;
        if is_end_of_line(&text[open + 1..]) {
            // All of a body would be read.
            at = bytes.len();
            return Some((open, None));
        }
        let close = open + 1 + len_until(&bytes[open + 1..], |_| false);
        at = close + 1;
        Some((open, Some(close)))
    })
}

/// Whether nothing but a comment follows in the line.
fn is_end_of_line(text: &str) -> bool {
    let rest = text.lines().next().unwrap_or("").trim_ascii_start();
    rest.is_empty() || rest.starts_with(';')
}

/// Where the brace of the body is in the text of a function: the one at the end of its line, or the one whose pair ends the text, or the
/// first if none is.
fn start_of_body(text: &str, after_params: usize) -> Option<usize> {
    let mut first = None;
    for (open, close) in braces(text, after_params) {
        if close.is_none_or(|close| close + 1 == text.len()) {
            return Some(open);
        }
        first = first.or(Some(open));
    }
    first
}

/// Where the body of a function ends whose definition and body start in this line, if it ends there too: after its closing brace.
pub(crate) fn end_in_line(line: &str) -> Option<usize> {
    let inner = start_of_params(line.as_bytes())? + 1;
    let after_params = inner + len_until(&line.as_bytes()[inner..], |_| false) + 1;
    for (_, close) in braces(line, after_params) {
        let close = close?;
        let rest = line.get(close + 1..)?;
        if is_end_of_line(rest) || begins_item(rest.trim_ascii_start()) {
            return Some(close + 1);
        }
    }
    None
}

/// Whether a text begins something else in a module, and does not go on with the header of a function.
fn begins_item(text: &str) -> bool {
    const WORDS: [&str; 8] =
        ["attributes", "declare", "define", "module", "source_filename", "target", "uselistorder", "uselistorder_bb"];
    let mut words = text.split_ascii_whitespace();
    let first = words.next().unwrap_or("");
    WORDS.contains(&first) || first.starts_with(['@', '%', '$', '!']) && words.next() == Some("=")
}

/// Where the parenthesis behind the name of the function is.
fn start_of_params(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'@' => {
                let end = at + 1 + name_len(&bytes[at + 1..]);
                return (bytes.get(end) == Some(&b'(')).then_some(end);
            }
            b'"' => at += string_len(&bytes[at..]),
            _ => at += 1,
        }
    }
    None
}

/// The name at the end of a parameter; one word alone is a type.
fn name_of(param: &str) -> Option<&str> {
    let start = param.rfind('%').filter(|&start| start > 0)?;
    let name = &param[start..];
    // A quote inside of the name, or a bracket behind it, belongs to a type before it.
    let len = 1 + name_len(&name.as_bytes()[1..]);
    let follows_type = param[..start].ends_with(|c: char| c.is_ascii_whitespace() || c == '*' || c == ')');
    (len == name.len() && follows_type).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_have_names_or_numbers() {
        let text = "define internal { i64, i64 } @\"f(x\"(%T* byval(%T) align 8 %\"a b\", i32, ptr sret(%T) %0, %T, ...) \
                    #0 personality ptr @p { ; c\n  ret void\n}";
        let header = Header::of(text).unwrap();
        assert_eq!(header.params, [Some("%\"a b\""), None, Some("%0"), None]);
        assert!(header.text.ends_with("@p {") && header.body.starts_with(" ; c\n"));
        let header = Header::of("define void @f() prefix { i8, i8 } { i8 1, i8 2 } {\n  ret void\n}").unwrap();
        assert_eq!(header.body, "\n  ret void\n}");
        assert!(Header::of("define void @f {").is_none() && Header::of("define void @f()").is_none());
    }
}
