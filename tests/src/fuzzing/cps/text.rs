//! Whether all that a nested text mentions is in scope, judged from the text alone.
//!
//! A body is the lines that are indented as far as its first one, or further.
//! A name that a group defines is in scope in the body in which the group
//! stands, from the group on; a parameter in the body of its continuation; what
//! an operation binds, in the lines behind it in the same body. No name is
//! defined twice, and `ret` is only called.

use std::collections::BTreeSet;

/// Columns of a body before it is indented no further: what is nested deeper cannot be told from the text.
const MOST_COLUMNS: usize = 2 + 8 * 6;

/// A name that is in scope in lines that are indented so far.
struct Scoped<'t> {
    columns: usize,
    name: &'t str,
}

/// A line without its indentation.
struct Line<'t> {
    columns: usize,
    text: &'t str,
}

/// # Panics
/// If something is not in scope where it is mentioned, or defined twice.
pub(super) fn check(text: &str) {
    let lines: Vec<Line<'_>> = text.lines().map(|line| Line { columns: columns(line), text: line.trim() }).collect();
    if lines.iter().any(|line| line.columns >= MOST_COLUMNS) {
        return;
    }
    let defined = all_defined(&lines, text);
    let mut scope: Vec<Scoped<'_>> = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        scope.retain(|scoped| scoped.columns <= line.columns);
        let starts_group = line.text.starts_with("let ") && line.text.ends_with('⊥');
        if starts_group {
            let group =
                lines[index..].iter().take_while(|other| other.columns > line.columns || other.text == line.text);
            let members = group.filter(|other| other.columns == line.columns + 4 || other.text == line.text);
            scope.extend(members.filter_map(|line| {
                Some(Scoped { columns: columns_of_body(line)? - 6, name: defined_continuation(line.text)? })
            }));
        }
        for name in mentioned(line.text) {
            let is_in_scope = scope.iter().any(|scoped| scoped.name == name);
            assert!(is_in_scope || !defined.contains(name), "{name} in line {index} of\n{text}");
            assert!(name != "ret" || line.text.starts_with("ret("), "{name} is passed in line {index} of\n{text}");
        }
        let columns = columns_of_body(line).unwrap_or(line.columns);
        scope.extend(bound(line.text).into_iter().map(|name| Scoped { columns, name }));
    }
}

fn columns(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// All names, none of which is defined twice.
fn all_defined<'t>(lines: &[Line<'t>], text: &str) -> BTreeSet<&'t str> {
    let mut defined = BTreeSet::new();
    for line in lines {
        for name in bound(line.text).into_iter().chain(defined_continuation(line.text)) {
            assert!(defined.insert(name), "{name} is defined twice in\n{text}");
        }
    }
    defined
}

/// Where the body of the continuation that a line defines stands; also of the function.
fn columns_of_body(line: &Line<'_>) -> Option<usize> {
    match line.text {
        text if text.ends_with('{') => Some(2),
        text if !text.ends_with('⊥') || !text.contains(":=") => None,
        text if text.starts_with("let ") => Some(line.columns + 6),
        _ => Some(line.columns + 2),
    }
}

/// `next` of `next := (a : int) → ⊥`.
fn defined_continuation(text: &str) -> Option<&str> {
    let (name, _) = text.strip_suffix("⊥")?.split_once(" := (")?;
    Some(name.strip_prefix("let ").unwrap_or(name))
}

/// The parameters of a continuation or of the function, or what an operation binds.
fn bound(text: &str) -> Vec<&str> {
    if text.ends_with(['⊥', '{']) {
        return text.split(['(', ',']).filter_map(|param| Some(param.split_once(" : ")?.0.trim())).collect();
    }
    let names = text.strip_prefix("let ").and_then(|rest| rest.split_once(" := "));
    names.map_or_else(Vec::new, |(names, _)| names.split(", ").collect())
}

/// The words that a line uses.
fn mentioned(text: &str) -> Vec<&str> {
    if text.ends_with(['⊥', '{']) {
        return Vec::new();
    }
    let text = text.strip_prefix("let ").and_then(|rest| rest.split_once(" := ")).map_or(text, |(_, used)| used);
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    text.split(|c| !is_part(c)).filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_')).collect()
}

#[cfg(test)]
mod tests {
    use super::check;

    const RIGHT: &str = "\
f(x : int, ret : int → ⊥) → ⊥ {
  let y := x + 1 in
  let then := () → ⊥
        let z := y * 2 in
        next(z)
      next := (a : int) → ⊥
        ret(a)
  in
  branch(y, then, next)
}
";

    #[test]
    fn a_text_in_which_all_is_in_scope_is_accepted() {
        check(RIGHT);
    }

    #[test]
    fn what_is_out_of_scope_is_found() {
        for (old, new) in [
            ("ret(a)", "ret(z)"),
            ("branch(y,", "branch(a,"),
            ("x + 1", "y + 1"),
            ("(a :", "(x :"),
            ("next(z)", "next(ret)"),
        ] {
            assert!(std::panic::catch_unwind(|| check(&RIGHT.replace(old, new))).is_err(), "{new}");
        }
    }
}
