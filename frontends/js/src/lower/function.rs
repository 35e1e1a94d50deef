//! One function: what is known while it is lowered, its parameters and its body.

use super::jump::Frame;
use super::literal::Hint;
use super::logic::Step;
use super::{Interner, LowerError};
use crate::accesses::{Access, AccessKind};
use crate::dialect::{Constant, Js, JsString, Opcode, Type};
use crate::program::FunctionKind;
use crate::scopes::{BindingId, BindingKind, FunctionNode, FunctionScope, Scopes, Storage};
use crate::source::{SourceError, Span};
use oxc_ast::ast::{self, BindingPattern};
use oxc_str::Ident;
use oxc_syntax::operator::UnaryOperator;
use ssaphire::{Block, SsaBuilder, Value, Variable};
use ssaphire_ir::{BuildError, FunctionBuilder, List, Name};

/// The name of a parameter that is a pattern.
const PARAM: Name = Name::fixed("arg");

/// What functions of a file share while they are lowered.
pub(crate) struct Shared {
    /// By binding: the variable or the cell of the function that declares it.
    pub(super) places: Vec<Place>,
    /// By binding: the last function lowered that captures it, and its number there.
    pub(super) captured: Vec<(u32, u32)>,
    /// By function: its property `name`, where the place that makes it has told it.
    pub(super) function_names: Vec<Option<JsString>>,
    /// By class, likewise.
    pub(super) class_names: Vec<Option<JsString>>,
}

/// Where the function that declares a binding has it.
#[derive(Clone, Copy, Default)]
pub(super) struct Place {
    pub(super) variable: Option<Variable>,
    pub(super) cell: Option<Value>,
    /// Whether a cell is put aside for its variable, between two iterations of a loop.
    pub(super) is_aside: bool,
}

impl Shared {
    pub(crate) fn new(scopes: &Scopes<'_, '_>) -> Self {
        Self {
            places: vec![Place::default(); scopes.bindings.len()],
            captured: vec![(u32::MAX, 0); scopes.bindings.len()],
            function_names: vec![None; scopes.functions.len()],
            class_names: vec![None; scopes.classes.len()],
        }
    }
}

/// What is left to do for the expressions around, in memory that all functions use.
#[derive(Default)]
pub(crate) struct Pending<'p, 'a> {
    /// Of conditions.
    pub(super) steps: Vec<Step<'p, 'a>>,
    /// Binary operators whose left sides are lowered.
    pub(super) operators: Vec<&'p ast::BinaryExpression<'a>>,
}

/// The number of a handler: where exceptions go. Its block is made when the first exception may come.
#[derive(Clone, Copy, Debug)]
pub(super) struct Handler(pub(super) usize);

/// A function being lowered.
pub(crate) struct Lowering<'l, 'b, 'p, 'a, B: SsaBuilder> {
    pub(super) scopes: &'l Scopes<'p, 'a>,
    pub(super) interner: &'l mut Interner<'a>,
    pub(super) shared: &'l mut Shared,
    pub(super) pending: &'l mut Pending<'p, 'a>,
    pub(super) builder: FunctionBuilder<'b, Js, B>,
    pub(super) number: u32,
    /// `undefined`, once it is needed.
    pub(super) undefined: Option<Value>,
    pub(super) frames: Vec<Frame<'p>>,
    pub(super) handler: Option<Handler>,
    pub(super) handlers: Vec<super::emit::Join>,
    /// Labels that stand in front of the statement that is lowered next.
    pub(super) labels: Vec<&'p str>,
    /// Where optional chains around what is lowered go if they meet `undefined` or `null`.
    pub(super) chains: Vec<Option<Block>>,
    /// Number of constructs around that must do something when a generator is told to return.
    pub(super) cleanups: u32,
    /// Number of `try` statements around.
    pub(super) tries: u32,
    pub(super) error: Option<LowerError>,
    /// What reads and writes variables, if anybody wants to know.
    pub(super) accesses: Option<Vec<Access>>,
}

impl<'l, 'b, 'p, 'a, B: SsaBuilder> Lowering<'l, 'b, 'p, 'a, B> {
    pub(super) fn new(
        scopes: &'l Scopes<'p, 'a>,
        interner: &'l mut Interner<'a>,
        shared: &'l mut Shared,
        pending: &'l mut Pending<'p, 'a>,
        builder: FunctionBuilder<'b, Js, B>,
        number: u32,
    ) -> Self {
        for (place, id) in (0..).zip(scopes.captures_of(number)) {
            shared.captured[id.index()] = (number, place);
        }
        Self {
            scopes,
            interner,
            shared,
            pending,
            builder,
            number,
            undefined: None,
            frames: Vec::new(),
            handler: None,
            handlers: Vec::new(),
            labels: Vec::new(),
            chains: Vec::new(),
            cleanups: 0,
            tries: 0,
            error: None,
            accesses: None,
        }
    }

    pub(super) fn scope(&self) -> &'l FunctionScope<'p, 'a> {
        &self.scopes.functions[self.number as usize]
    }

    pub(super) fn lower(&mut self) {
        let entry = self.builder.create_block();
        let result = self.builder.seal(entry);
        self.note(result);
        self.builder.switch_to(entry);
        self.lower_body();
    }

    /// The function, and what reads and writes its variables.
    pub(super) fn finish(self) -> Result<(Box<ssaphire_ir::Function<Js>>, Vec<Access>), LowerError> {
        let span = self.scope().span;
        if let Some(error) = self.error {
            return Err(error);
        }
        let function = self.builder.finish_within().map_err(|error| LowerError::Build { span, error })?;
        Ok((function, self.accesses.unwrap_or_default()))
    }

    /// Keeps the first error; what is lowered after it is thrown away.
    pub(super) fn note(&mut self, result: Result<(), BuildError>) {
        if let Err(error) = result {
            let span = self.scope().span;
            self.error.get_or_insert(LowerError::Build { span, error });
        }
    }

    pub(super) fn unsupported(&mut self, message: impl Into<String>, span: oxc_span::Span) {
        let error = SourceError { message: message.into(), span: span.into() };
        self.error.get_or_insert(LowerError::Unsupported(error));
    }

    fn lower_body(&mut self) {
        let scope = self.scope();
        match scope.node {
            FunctionNode::Program(program) => {
                self.declare_vars();
                self.statements_in(scope.body, &program.body);
            }
            FunctionNode::Function(function) => {
                let statements = function.body.as_ref().map_or(&[][..], |body| &body.statements);
                self.params(&function.params);
                self.start_generator();
                self.statements_in(scope.body, statements);
            }
            FunctionNode::Arrow(arrow) => {
                self.params(&arrow.params);
                match &arrow.body {
                    ast::ArrowFunctionBody::FunctionBody(body) => self.statements_in(scope.body, &body.statements),
                    body => {
                        if let Some(expression) = body.as_expression() {
                            let value = self.expression(expression);
                            self.terminate(Opcode::Return, &[value], &[]);
                        }
                    }
                }
            }
            FunctionNode::Field(value) => {
                let name = self.shared.function_names[self.number as usize].clone();
                let value = self.named_expression(value, name.map_or(Hint::None, Hint::Name));
                self.terminate(Opcode::Return, &[value], &[]);
            }
            FunctionNode::StaticBlock(block) => {
                self.declare_vars();
                self.statements_in(scope.body, &block.body);
            }
        }
        if self.is_reachable() {
            let undefined = self.undefined();
            self.terminate(Opcode::Return, &[undefined], &[]);
        }
    }

    fn start_generator(&mut self) {
        if self.scope().is_generator {
            self.effect(Opcode::StartGenerator, &[], Span::NOWHERE);
        }
    }

    /// Takes the arguments, and applies defaults and patterns from left to right.
    fn params(&mut self, params: &'p ast::FormalParameters<'a>) {
        let is_plain = crate::scopes::are_plain(params);
        let values: List<Value, 8> =
            params.items.iter().map(|param| self.param_value(&param.pattern, is_plain)).collect();
        let rest = params.rest.as_ref().map(|rest| self.param_value(&rest.rest.argument, false));
        let scope = self.scope();
        if !is_plain {
            self.begin_params();
        }
        self.declare_vars();
        for (param, value) in params.items.iter().zip(values) {
            if is_plain {
                self.bind_plain(&param.pattern, value);
                continue;
            }
            let value = match &param.initializer {
                // `undefined` in place of `undefined` changes nothing.
                Some(default) if is_void(default) => value,
                Some(default) => {
                    let hint = super::pattern::name_hint(&param.pattern);
                    // What is taken apart is called like the parameter.
                    let name = match hint {
                        Hint::Identifier(name) => Name::from(name.as_str()),
                        _ => PARAM,
                    };
                    let result = self.builder.declare(name, Type::Any);
                    self.default_in(result, value, default, hint)
                }
                None => value,
            };
            self.bind_pattern(&param.pattern, value);
        }
        if let (Some(rest), Some(value)) = (&params.rest, rest) {
            self.bind_pattern(&rest.rest.argument, value);
        }
        if scope.params != scope.body {
            self.copy_params_to_body();
        }
    }

    /// A parameter of the function, called as the source calls it.
    fn param_value(&mut self, pattern: &'p BindingPattern<'a>, is_plain: bool) -> Value {
        let binding = match pattern {
            BindingPattern::BindingIdentifier(id) => super::binding::of_symbol(id),
            _ => None,
        };
        let name = binding.map_or(PARAM, |binding| (&self.scopes.binding(binding).name).into());
        let variable = self.builder.declare(name, Type::Any);
        if let Some(binding) = binding.filter(|_| is_plain) {
            self.shared.places[binding.index()].variable = Some(variable);
        }
        match self.builder.param(variable) {
            Ok(value) => value,
            Err(error) => {
                self.note(Err(error));
                self.constant(Constant::Undefined)
            }
        }
    }

    /// A plain parameter: it is bound already, but for what closures see of it.
    fn bind_plain(&mut self, pattern: &'p BindingPattern<'a>, value: Value) {
        let BindingPattern::BindingIdentifier(id) = pattern else { return };
        let Some(binding) = super::binding::of_symbol(id) else { return };
        match self.scopes.binding(binding).storage {
            Storage::Cell | Storage::Shared { is_early: false } => self.make_cell(binding, Some(value)),
            Storage::Shared { is_early: true } => {
                self.make_cell(binding, Some(value));
            }
            Storage::Aliased(number) => self.alias_param(binding, number),
            Storage::Local | Storage::Named | Storage::Native => {}
        }
        if self.accesses.is_some()
            && let Some(variable) = self.shared.places[binding.index()].variable
        {
            let span = self.scopes.binding(binding).span;
            let value = self.define(binding, value, span, AccessKind::Param);
            self.write(variable, value);
        }
    }

    /// Parameters with defaults have a dead zone of their own.
    fn begin_params(&mut self) {
        for &id in self.scopes.bindings_of(self.scope().params) {
            let binding = self.scopes.binding(id);
            if binding.kind == BindingKind::Param {
                self.begin_dead_zone(id);
            }
        }
    }

    /// The variables of the body: `undefined` at first. Functions come when the statements begin.
    pub(super) fn declare_vars(&mut self) {
        let body = self.scope().body;
        for &id in self.scopes.bindings_of(body) {
            if self.scopes.binding(id).kind == BindingKind::Var {
                self.begin_var(id);
            }
        }
    }

    /// A variable of the body that is called as a parameter begins with what the parameter holds.
    fn copy_params_to_body(&mut self) {
        let scope = self.scope();
        let params = self.scopes.bindings_of(scope.params);
        for &id in self.scopes.bindings_of(scope.body) {
            let binding = self.scopes.binding(id);
            if !matches!(binding.kind, BindingKind::Var | BindingKind::Function) {
                continue;
            }
            let same = |&&param: &&BindingId| self.scopes.binding(param).name == binding.name;
            if let Some(&param) = params.iter().find(same) {
                let value = self.read_binding(param, Span::NOWHERE, u32::MAX);
                if binding.kind == BindingKind::Var {
                    self.take_param(id, value);
                }
            }
        }
    }
}

/// Whether an expression is `void 0`, or the like.
fn is_void(expression: &ast::Expression<'_>) -> bool {
    matches!(expression, ast::Expression::UnaryExpression(unary) if unary.operator == UnaryOperator::Void
        && matches!(unary.argument, ast::Expression::NumericLiteral(_)))
}

/// What a function is called in listings.
pub(super) fn name_of<'a>(scopes: &Scopes<'_, 'a>, number: u32) -> Ident<'a> {
    let scope = &scopes.functions[number as usize];
    let name = match (scope.node, scope.kind) {
        (FunctionNode::Function(ast::Function { id: Some(id), .. }), _) => return id.name,
        (FunctionNode::Program(_), _) => "top",
        (_, FunctionKind::Constructor | FunctionKind::DerivedConstructor) => "constructor",
        (_, FunctionKind::Field) => "field",
        (_, FunctionKind::StaticBlock) => "static",
        (_, FunctionKind::Arrow) => "arrow",
        (_, FunctionKind::Method | FunctionKind::Getter | FunctionKind::Setter) => "method",
        _ => "anonymous",
    };
    name.into()
}
