//! How long a file and a function may be.

use crate::exempt::{EXEMPTIONS, Exemption};
use crate::rust::{line, sources, test_module};
use crate::tree::{File, Finding, Tree};
use syn::visit::{self, Visit};
use syn::{Block, ImplItemFn, ItemFn, Signature, TraitItemFn};

/// Lines a file may have before its tests.
const FILE_LIMIT: usize = 500;

/// Lines a function may have, from `fn` to its closing brace.
const FUNCTION_LIMIT: usize = 60;

/// No file is too long before its tests.
pub(crate) fn files(tree: &Tree) -> Vec<Finding> {
    let finding = |(file, lines): (&File, usize)| file.finding(0, format!("{lines} lines before its tests"));
    long_files(tree).filter(|(file, _)| !is_exempt(EXEMPTIONS, file, None)).map(finding).collect()
}

/// No function is too long.
pub(crate) fn functions(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (file, function) in long_functions(tree) {
        if !is_exempt(EXEMPTIONS, file, Some(&function.name)) {
            findings.push(file.finding(function.line, format!("`{}` has {} lines", function.name, function.lines)));
        }
    }
    findings
}

/// Every exemption has a reason, and something that needs it.
pub(crate) fn exemptions_are_needed(tree: &Tree) -> Vec<Finding> {
    needless(tree, EXEMPTIONS)
}

fn needless(tree: &Tree, exemptions: &[Exemption]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for exemption in exemptions {
        let one = std::slice::from_ref(exemption);
        let needed = long_files(tree).any(|(file, _)| is_exempt(one, file, None))
            || long_functions(tree).iter().any(|(file, function)| is_exempt(one, file, Some(&function.name)));
        let problem = match (needed, exemption.reason) {
            (false, _) => "which it keeps",
            (true, "") => "without a reason",
            (true, _) => continue,
        };
        let message = format!("`{}` is exempt from a limit {problem}", exemption.function.unwrap_or("the file"));
        findings.push(Finding { path: exemption.path.to_owned(), line: 0, message });
    }
    findings
}

fn is_exempt(exemptions: &[Exemption], file: &File, function: Option<&str>) -> bool {
    exemptions.iter().any(|exemption| exemption.path == file.path && exemption.function == function)
}

/// The files that are too long, and how many lines they have before their tests.
fn long_files(tree: &Tree) -> impl Iterator<Item = (&File, usize)> {
    let lines = |file: &File, syntax: &syn::File| {
        let tests = syntax.items.iter().find_map(test_module);
        tests.map_or(file.text.lines().count(), |line| line - 1)
    };
    sources(tree).map(move |(file, syntax)| (file, lines(file, &syntax))).filter(|&(_, lines)| lines > FILE_LIMIT)
}

/// A function with a body.
struct Function {
    name: String,
    line: usize,
    lines: usize,
}

/// The functions that are too long, those of tests too.
fn long_functions(tree: &Tree) -> Vec<(&File, Function)> {
    let mut long = Vec::new();
    for (file, syntax) in sources(tree) {
        let mut functions = Functions(Vec::new());
        functions.visit_file(&syntax);
        let too_long = functions.0.into_iter().filter(|function| function.lines > FUNCTION_LIMIT);
        long.extend(too_long.map(|function| (file, function)));
    }
    long
}

/// All functions of a file, in any depth of modules and functions.
struct Functions(Vec<Function>);

impl Functions {
    fn add(&mut self, signature: &Signature, body: &Block) {
        let first = line(signature.fn_token.span);
        let last = line(body.brace_token.span.close());
        self.0.push(Function { name: signature.ident.to_string(), line: first, lines: last + 1 - first });
    }
}

impl<'ast> Visit<'ast> for Functions {
    fn visit_item_fn(&mut self, function: &'ast ItemFn) {
        self.add(&function.sig, &function.block);
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast ImplItemFn) {
        self.add(&function.sig, &function.block);
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_trait_item_fn(&mut self, function: &'ast TraitItemFn) {
        if let Some(body) = &function.default {
            self.add(&function.sig, body);
        }
        visit::visit_trait_item_fn(self, function);
    }
}

#[cfg(test)]
mod tests {
    use super::{Exemption, files, functions, needless};
    use crate::tree::{Finding, Tree, findings};

    #[test]
    fn a_long_file_is_found_unless_it_is_long_by_its_tests() {
        let long = "//\n".repeat(501);
        let short = format!("{}#[cfg(test)]\nmod tests {{\n{long}}}\n", "//\n".repeat(500));
        let found = findings(files, &[("long.rs", &long), ("short.rs", &short)]);
        assert_eq!(found, ["long.rs: 501 lines before its tests"]);
    }

    #[test]
    fn a_long_function_is_found_wherever_it_stands() {
        let body = |lines: usize| format!("{{\n{}}}", "//\n".repeat(lines - 2));
        let text = format!(
            "fn free() {}\nfn short() {}\nimpl T {{ fn method() {} }}\ntrait T {{\nfn given() {}\nfn required(); }}",
            body(61),
            body(60),
            body(62),
            body(63)
        );
        let found = findings(functions, &[("a.rs", &text)]);
        assert_eq!(
            found,
            ["a.rs:1: `free` has 61 lines", "a.rs:122: `method` has 62 lines", "a.rs:185: `given` has 63 lines"]
        );
    }

    #[test]
    fn an_exemption_nobody_needs_is_found() {
        let text = format!("fn long() {{\n{}}}", "//\n".repeat(60));
        let tree = Tree::of(&[("a.rs", &text)]);
        let exempt = |function, reason| Exemption { path: "a.rs", function, reason };
        let exemptions = [exempt(Some("long"), "a table"), exempt(Some("gone"), "a table"), exempt(Some("long"), "")];
        let found: Vec<_> = needless(&tree, &exemptions).iter().map(Finding::to_string).collect();
        let expected = [
            "a.rs: `gone` is exempt from a limit which it keeps",
            "a.rs: `long` is exempt from a limit without a reason",
        ];
        assert_eq!(found, expected);
    }
}
