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
            let param = text[at..end].trim();
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

/// Where the brace of the body is: of those outside of brackets, the one at the end of its line, or the first if none is. Others
/// belong to constants of `prefix` and `prologue`.
fn start_of_body(text: &str, after_params: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut at, mut first) = (after_params, None);
    loop {
        at += len_until(bytes.get(at..)?, |byte| byte == b'{');
        if bytes.get(at) != Some(&b'{') {
            return first;
        }
        let rest = text[at + 1..].lines().next().unwrap_or("").trim_start();
        if rest.is_empty() || rest.starts_with(';') {
            return Some(at);
        }
        first = first.or(Some(at));
        at += 1;
        at += len_until(&bytes[at..], |_| false) + 1;
        if at > bytes.len() {
            return first;
        }
    }
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
