//! No ignored tests, and nothing left to do.
//!
//! Looked for in the tokens, so that comments and strings may speak of it and
//! bodies of macros may not.

use crate::rust::line;
use crate::tree::{File, Finding, Tree};
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use std::str::FromStr;

/// Macros that stand for code not yet written.
const LEFT_TO_DO: &[&str] = &["todo", "unimplemented"];

/// No test is ignored, and no example in a doc.
pub(crate) fn no_ignored_tests(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.ending(".rs") {
        let attributes = pairs(file, |first, second| match (first, second) {
            (TokenTree::Punct(hash), TokenTree::Group(group)) if hash.as_char() == '#' && ignores(group) => {
                Some(line(hash.span()))
            }
            _ => None,
        });
        findings.extend(attributes.into_iter().map(|line| file.finding(line, "ignores a test")));
        let examples = file.lines().filter(|(_, text)| is_ignored_example(text));
        findings.extend(examples.map(|(line, _)| file.finding(line, "ignores an example")));
    }
    findings
}

/// No macro says that code is not yet written.
pub(crate) fn nothing_left_to_do(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.ending(".rs") {
        let macros = pairs(file, |first, second| match (first, second) {
            (TokenTree::Ident(name), TokenTree::Punct(bang)) if bang.as_char() == '!' => {
                let name_line = line(name.span());
                let name = name.to_string();
                LEFT_TO_DO.contains(&name.as_str()).then_some((name_line, name))
            }
            _ => None,
        });
        findings.extend(macros.into_iter().map(|(line, name)| file.finding(line, format!("says `{name}!`"))));
    }
    findings
}

/// What `find` says about each two neighboring tokens of `file`.
fn pairs<T>(file: &File, find: impl Fn(&TokenTree, &TokenTree) -> Option<T>) -> Vec<T> {
    let mut found = Vec::new();
    let mut streams = Vec::from_iter(TokenStream::from_str(&file.text));
    while let Some(stream) = streams.pop() {
        let tokens: Vec<_> = stream.into_iter().collect();
        found.extend(tokens.windows(2).filter_map(|pair| find(&pair[0], &pair[1])));
        for token in tokens {
            if let TokenTree::Group(group) = token {
                streams.push(group.stream());
            }
        }
    }
    found
}

/// Whether `attribute` is `[ignore ..]`, or says so under a condition.
fn ignores(attribute: &Group) -> bool {
    let mut tokens = attribute.stream().into_iter();
    let (name, arguments) = (tokens.next(), tokens.next());
    let is = |token: &TokenTree, name: &str| matches!(token, TokenTree::Ident(ident) if ident == name);
    if attribute.delimiter() != Delimiter::Bracket {
        return false;
    }
    match (name, arguments) {
        (Some(name), _) if is(&name, "ignore") => true,
        (Some(name), Some(TokenTree::Group(group))) if is(&name, "cfg_attr") => {
            group.stream().into_iter().any(|token| is(&token, "ignore"))
        }
        _ => false,
    }
}

/// Whether `line` is the fence of an example that is not even compiled.
fn is_ignored_example(line: &str) -> bool {
    let line = line.trim_start();
    let doc = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"));
    let words = doc.and_then(|doc| doc.trim_start().strip_prefix("```"));
    words.is_some_and(|words| words.split([',', ' ']).any(|word| word.starts_with("ignore")))
}

#[cfg(test)]
mod tests {
    use super::{no_ignored_tests, nothing_left_to_do};
    use crate::tree::findings;

    #[test]
    fn an_ignored_test_is_found() {
        let text = "#[test]\n#[ignore]\nfn a() {}\n\
                    mod m {\n#[ignore = \"slow\"]\nfn b() {}\n}\n\
                    #[cfg_attr(debug_assertions, ignore)]\nfn c() {}\n\
                    // #[ignore]\nconst D: &str = \"#[ignore]\";\n#[allow(ignore)]\nfn e() {}";
        let mut found = findings(no_ignored_tests, &[("a.rs", text)]);
        found.sort();
        assert_eq!(found, ["a.rs:2: ignores a test", "a.rs:5: ignores a test", "a.rs:8: ignores a test"]);
    }

    #[test]
    fn an_ignored_example_is_found() {
        let text = "/// ```ignore\n/// f();\n/// ```\nfn f() {}\n\n    //! ```rust,ignore\n//! ```text\n";
        let found = findings(no_ignored_tests, &[("a.rs", text)]);
        assert_eq!(found, ["a.rs:1: ignores an example", "a.rs:6: ignores an example"]);
    }

    #[test]
    fn code_not_yet_written_is_found_in_macros_too() {
        let text =
            "fn f() { todo!() }\nmacro_rules! m { () => {\n unimplemented!(\"later\") } }\n// todo!()\nfn todo() {}";
        let mut found = findings(nothing_left_to_do, &[("a.rs", text)]);
        found.sort();
        assert_eq!(found, ["a.rs:1: says `todo!`", "a.rs:3: says `unimplemented!`"]);
    }
}
