//! What the programs have in them.

use super::{generate, generate_from};
use oxc_allocator::Allocator;
use oxc_ast::{AstKind, AstType};
use oxc_ast_visit::Visit;
use oxc_parser::{ParseOptions, Parser};
use oxc_span::SourceType;
use std::collections::BTreeSet;

#[test]
fn programs_follow_from_their_seeds() {
    let programs: BTreeSet<String> = (0..100).map(|seed| generate(seed, seed % 2 == 0)).collect();
    assert_eq!(programs.len(), 100);
    assert_eq!(generate(7, true), generate(7, true));
    assert!(generate_from(&[], false).len() < 200);
}

/// Each kind of node, and the kind of the one that has it.
#[derive(Default)]
struct Pairs {
    around: Vec<AstType>,
    found: BTreeSet<(u8, u8)>,
}

impl<'a> Visit<'a> for Pairs {
    fn enter_node(&mut self, kind: AstKind<'a>) {
        let parent = self.around.last().copied().unwrap_or(AstType::Program);
        self.found.insert((parent as u8, kind.ty() as u8));
        self.around.push(kind.ty());
    }

    fn leave_node(&mut self, _: AstKind<'a>) {
        self.around.pop();
    }
}

/// The kinds of expressions.
const EXPRESSIONS: &[AstType] = &[
    AstType::ArrayExpression,
    AstType::ArrowFunctionExpression,
    AstType::AssignmentExpression,
    AstType::AwaitExpression,
    AstType::BigIntLiteral,
    AstType::BinaryExpression,
    AstType::BooleanLiteral,
    AstType::CallExpression,
    AstType::ChainExpression,
    AstType::Class,
    AstType::ComputedMemberExpression,
    AstType::ConditionalExpression,
    AstType::Function,
    AstType::IdentifierReference,
    AstType::ImportExpression,
    AstType::LogicalExpression,
    AstType::ImportMeta,
    AstType::NewTarget,
    AstType::NewExpression,
    AstType::NullLiteral,
    AstType::NumericLiteral,
    AstType::ObjectExpression,
    AstType::PrivateFieldExpression,
    AstType::PrivateInExpression,
    AstType::RegExpLiteral,
    AstType::SequenceExpression,
    AstType::StaticMemberExpression,
    AstType::StringLiteral,
    AstType::TaggedTemplateExpression,
    AstType::TemplateLiteral,
    AstType::ThisExpression,
    AstType::UnaryExpression,
    AstType::UpdateExpression,
    AstType::YieldExpression,
];

/// The kinds that may have expressions of any kind.
const HOLDERS: &[AstType] = &[
    AstType::ArrayExpression,
    AstType::AssignmentExpression,
    AstType::BinaryExpression,
    AstType::CallExpression,
    AstType::ComputedMemberExpression,
    AstType::ConditionalExpression,
    AstType::ExpressionStatement,
    AstType::LogicalExpression,
    AstType::NewExpression,
    AstType::ObjectProperty,
    AstType::ReturnStatement,
    AstType::SequenceExpression,
    AstType::SpreadElement,
    AstType::TemplateLiteral,
    AstType::VariableDeclarator,
];

/// Kinds that are statements or parts of something.
const OTHERS: &[AstType] = &[
    AstType::ArrayAssignmentTarget,
    AstType::ArrayPattern,
    AstType::AssignmentPattern,
    AstType::AssignmentTargetRest,
    AstType::AssignmentTargetWithDefault,
    AstType::BindingRestElement,
    AstType::BlockStatement,
    AstType::BreakStatement,
    AstType::CatchClause,
    AstType::ContinueStatement,
    AstType::DebuggerStatement,
    AstType::DoWhileStatement,
    AstType::EmptyStatement,
    AstType::ForInStatement,
    AstType::ForOfStatement,
    AstType::ForStatement,
    AstType::IfStatement,
    AstType::ImportDeclaration,
    AstType::LabeledStatement,
    AstType::MethodDefinition,
    AstType::ObjectAssignmentTarget,
    AstType::ObjectPattern,
    AstType::PropertyDefinition,
    AstType::StaticBlock,
    AstType::Super,
    AstType::SwitchStatement,
    AstType::ThrowStatement,
    AstType::TryStatement,
    AstType::WhileStatement,
    AstType::WithStatement,
];

#[test]
fn every_kind_of_node_stands_below_every_kind_that_may_have_it() {
    let mut pairs = Pairs::default();
    for seed in 0..3000 {
        let is_module = seed % 2 == 1;
        let (allocator, text) = (Allocator::default(), generate(seed, is_module));
        let kind = if is_module { SourceType::mjs() } else { SourceType::script() };
        // Parentheses are no nodes.
        let options = ParseOptions { preserve_parens: false, ..ParseOptions::default() };
        let parsed = Parser::new(&allocator, &text, kind).with_options(options).parse();
        assert!(parsed.diagnostics.is_empty(), "seed {seed}: {:?}\n{text}", parsed.diagnostics);
        pairs.visit_program(&parsed.program);
    }
    for holder in HOLDERS {
        let missing: Vec<&AstType> =
            EXPRESSIONS.iter().filter(|kind| !pairs.found.contains(&(*holder as u8, **kind as u8))).collect();
        assert!(missing.is_empty(), "{holder:?} never has {missing:?}");
    }
    let kinds: BTreeSet<u8> = pairs.found.iter().map(|&(_, kind)| kind).collect();
    let missing: Vec<&AstType> = OTHERS.iter().filter(|kind| !kinds.contains(&(**kind as u8))).collect();
    assert!(missing.is_empty(), "there is never {missing:?}");
    assert!(pairs.found.len() > 1000, "{} pairs", pairs.found.len());
}
