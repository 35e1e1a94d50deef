//! Rust sources as syntax, and the rules on what they are written in.

use crate::manifests::manifests;
use crate::tree::{File, Finding, Tree};
use proc_macro2::Span;
use syn::visit::{self, Visit};
use syn::{Attribute, BinOp, Expr, ExprBinary, Item};

/// The Rust files that parse, with their syntax.
pub(crate) fn sources(tree: &Tree) -> impl Iterator<Item = (&File, syn::File)> {
    tree.ending(".rs").filter_map(|file| Some((file, syn::parse_file(&file.text).ok()?)))
}

/// The line of `span`, counted from 1.
pub(crate) fn line(span: Span) -> usize {
    span.start().line
}

/// Whether `item` is a module for tests alone: its first line.
pub(crate) fn test_module(item: &Item) -> Option<usize> {
    let Item::Mod(module) = item else { return None };
    module.attrs.iter().find(|attribute| is_cfg_test(attribute)).map(|attribute| line(attribute.pound_token.span))
}

fn is_cfg_test(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg")
        && attribute.meta.require_list().is_ok_and(|list| list.tokens.to_string() == "test")
}

/// Every source parses: what does not, no other rule sees.
pub(crate) fn parses(tree: &Tree) -> Vec<Finding> {
    let error = |file: &File| {
        let error = syn::parse_file(&file.text).err()?;
        Some(file.finding(line(error.span()), format!("does not parse: {error}")))
    };
    tree.ending(".rs").filter_map(error).collect()
}

/// The crates of `core` say `#![no_std]`, without a condition.
pub(crate) fn core_is_no_std(tree: &Tree) -> Vec<Finding> {
    let says_so = |file: &File| {
        syn::parse_file(&file.text).is_ok_and(|syntax| syntax.attrs.iter().any(|attr| attr.path().is_ident("no_std")))
    };
    let core = manifests(tree).into_iter().filter(|manifest| manifest.folder().starts_with("core/"));
    let missing = core.filter(|manifest| !tree.file(&format!("{}/src/lib.rs", manifest.folder())).is_some_and(says_so));
    missing.map(|manifest| manifest.file.finding(0, "its `src/lib.rs` does not say `#![no_std]`")).collect()
}

/// The crates of `core` chain no `let`: their oldest compiler, 1.85, cannot.
///
/// Clippy finds newer parts of the library, but not newer parts of the language.
pub(crate) fn core_keeps_to_its_msrv(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (file, syntax) in sources(tree).filter(|(file, _)| file.path.starts_with("core/")) {
        let mut chains = LetChains(Vec::new());
        chains.visit_file(&syntax);
        findings.extend(chains.0.into_iter().map(|line| file.finding(line, "`let` in a chain needs Rust 1.88")));
    }
    findings
}

/// The lines with a `let` that is an operand of `&&`.
struct LetChains(Vec<usize>);

impl<'ast> Visit<'ast> for LetChains {
    fn visit_expr_binary(&mut self, binary: &'ast ExprBinary) {
        let operands = [&binary.left, &binary.right];
        let has_let = operands.iter().any(|operand| matches!(***operand, Expr::Let(_)));
        if let (BinOp::And(and), true) = (&binary.op, has_let) {
            self.0.push(line(and.spans[0]));
        }
        visit::visit_expr_binary(self, binary);
    }
}

#[cfg(test)]
mod tests {
    use super::{core_is_no_std, core_keeps_to_its_msrv, parses};
    use crate::tree::findings;

    #[test]
    fn what_does_not_parse_is_found() {
        let found = findings(parses, &[("a/src/lib.rs", "//! Doc.\nfn f( {")]);
        assert_eq!(found.len(), 1);
        assert!(found[0].starts_with("a/src/lib.rs:2: does not parse: "), "{}", found[0]);
    }

    #[test]
    fn a_core_crate_with_std_is_found() {
        let graph = [("core/graph/Cargo.toml", "package.name = 'graph'"), ("core/graph/src/lib.rs", "#![no_std]")];
        let check = [
            ("core/check/Cargo.toml", "package.name = 'check'"),
            ("core/check/src/lib.rs", "#![cfg_attr(not(test), no_std)]"),
        ];
        let expected = ["core/check/Cargo.toml: its `src/lib.rs` does not say `#![no_std]`"];
        assert_eq!(findings(core_is_no_std, &[graph, check].concat()), expected);
    }

    #[test]
    fn a_chained_let_in_core_is_found() {
        let text = "fn f(x: Option<u8>) -> bool {\n    if let Some(x) = x\n        && x > 1 { true } else { false }\n}";
        let files = [("core/graph/src/lib.rs", text), ("ir/src/lib.rs", text)];
        let expected = ["core/graph/src/lib.rs:3: `let` in a chain needs Rust 1.88"];
        assert_eq!(findings(core_keeps_to_its_msrv, &files), expected);
    }
}
