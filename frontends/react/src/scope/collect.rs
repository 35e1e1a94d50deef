//! The walk that meets all scopes, declarations and names.

use super::{Binding, BindingId, BindingKind, FunctionScope, Origin, Role, Scope, ScopeId, ScopeKind, Scopes, Use};
use oxc_ast::ast::*;
use oxc_ast_visit::VisitJs;
use oxc_ast_visit::walk_js::*;
use oxc_syntax::scope::ScopeFlags;
use ssaphire_js::dialect::JsString;

pub(super) fn collect<'a>(program: &Program<'a>, scopes: &mut Scopes<'a>) {
    let mut collector = Collector { scopes, scope: ScopeId(0), function: None, is_in_loop_head: false };
    collector.open(ScopeKind::Function { has_arguments: false }, None);
    for statement in &program.body {
        collector.visit_statement(statement);
    }
    collector.close();
}

struct Collector<'s, 'a> {
    scopes: &'s mut Scopes<'a>,
    scope: ScopeId,
    function: Option<u32>,
    is_in_loop_head: bool,
}

impl<'a> Collector<'_, 'a> {
    fn open(&mut self, kind: ScopeKind, parent: Option<ScopeId>) {
        self.scope = ScopeId(self.scopes.scopes.len() as u32);
        self.scopes.scopes.push(Scope { parent, kind, end: u32::MAX });
    }

    fn enter(&mut self, kind: ScopeKind) {
        self.open(kind, Some(self.scope));
    }

    fn close(&mut self) {
        let end = self.scopes.scopes.len() as u32;
        let scope = &mut self.scopes.scopes[self.scope.0 as usize];
        scope.end = end;
        self.scope = scope.parent.unwrap_or(Scopes::FILE);
    }

    /// The innermost scope that a declaration can be in: that of a function if it is a `var`.
    fn declaring_scope(&self, is_var: bool) -> ScopeId {
        let mut scope = self.scope;
        loop {
            let Scope { parent, kind, .. } = &self.scopes.scopes[scope.0 as usize];
            match (kind, parent) {
                (ScopeKind::Function { .. }, _) | (_, None) => return scope,
                (ScopeKind::Block, _) if !is_var => return scope,
                (_, Some(parent)) => scope = *parent,
            }
        }
    }

    fn declare(
        &mut self,
        scope: ScopeId,
        name: &BindingIdentifier<'a>,
        kind: BindingKind,
        origin: Origin,
    ) -> BindingId {
        let next = BindingId(self.scopes.bindings.len() as u32);
        let text = name.name.as_str();
        let binding = *self.scopes.by_name.entry((scope, text)).or_insert(next);
        if binding == next {
            let declared_at = name.span.start;
            self.scopes.bindings.push(Binding { name: text, kind, scope, declared_at, origin, is_context: false });
        }
        binding
    }

    fn declare_pattern(&mut self, scope: ScopeId, pattern: &BindingPattern<'a>, kind: BindingKind, origin: &Origin) {
        for name in pattern.get_binding_identifiers() {
            self.declare(scope, name, kind, origin.clone());
        }
    }

    fn mention(&mut self, name: &'a str, start: u32, role: Role) {
        let Self { scope, function, .. } = *self;
        self.scopes.uses.push(Use { name, start, scope, function, role, binding: None });
    }

    /// Opens a function that is `start..end`, and calls `then` in it.
    fn in_function(
        &mut self,
        key: u32,
        span: (u32, u32),
        is_arrow: bool,
        is_of_class: bool,
        then: impl FnOnce(&mut Self),
    ) {
        let outside = (self.function, self.is_in_loop_head);
        self.enter(ScopeKind::Function { has_arguments: !is_arrow });
        self.is_in_loop_head = false;
        if !is_of_class {
            let function = self.scopes.functions.len() as u32;
            self.scopes.functions.push(FunctionScope { scope: self.scope, start: span.0, end: span.1 });
            self.scopes.function_at.insert(key, function);
            self.function = Some(function);
        }
        then(self);
        self.close();
        (self.function, self.is_in_loop_head) = outside;
    }

    fn function_in_scope(&mut self, function: &Function<'a>) {
        let scope = self.scope;
        self.declare_params(&function.params);
        if let (FunctionType::FunctionExpression, Some(name)) = (function.r#type, &function.id) {
            self.declare(scope, name, BindingKind::Local, Origin::Other("FunctionExpression"));
        }
        if let Some(name) = &function.id {
            self.visit_binding_identifier(name);
        }
        self.visit_formal_parameters(&function.params);
        if let Some(body) = &function.body {
            self.body_in_scope(body);
        }
    }

    fn declare_params(&mut self, params: &FormalParameters<'a>) {
        let origin = Origin::Other("Identifier");
        for param in &params.items {
            self.declare_pattern(self.scope, &param.pattern, BindingKind::Param, &origin);
        }
        if let Some(rest) = &params.rest {
            self.declare_pattern(self.scope, &rest.rest.argument, BindingKind::Param, &origin);
        }
    }

    fn body_in_scope(&mut self, body: &FunctionBody<'a>) {
        self.scopes.block_at.insert(body.span.start, self.scope);
        for statement in &body.statements {
            self.visit_statement(statement);
        }
    }

    fn in_block(&mut self, then: impl FnOnce(&mut Self)) {
        self.enter(ScopeKind::Block);
        then(self);
        self.close();
    }

    fn method(&mut self, function: &Function<'a>, span: (u32, u32), key: Option<&PropertyKey<'a>>, is_of_class: bool) {
        let outer = self.scope;
        self.in_function(function.span.start, span, false, is_of_class, |this| {
            if let Some(key) = key {
                // A computed key is of the method, but sees the names around it.
                let inner = std::mem::replace(&mut this.scope, outer);
                this.visit_property_key(key);
                this.scope = inner;
            }
            this.function_in_scope(function);
        });
    }

    fn import(&mut self, name: &BindingIdentifier<'a>, origin: Origin) {
        self.declare(Scopes::FILE, name, BindingKind::Module, origin);
    }
}

impl<'a> VisitJs<'a> for Collector<'_, 'a> {
    fn visit_identifier_reference(&mut self, name: &IdentifierReference<'a>) {
        self.mention(name.name.as_str(), name.span.start, Role::Read);
    }

    fn visit_binding_identifier(&mut self, name: &BindingIdentifier<'a>) {
        self.mention(name.name.as_str(), name.span.start, Role::Declaration);
    }

    fn visit_simple_assignment_target(&mut self, target: &SimpleAssignmentTarget<'a>) {
        if let SimpleAssignmentTarget::AssignmentTargetIdentifier(name) = target {
            let role = if self.is_in_loop_head { Role::LoopPattern } else { Role::Pattern };
            self.mention(name.name.as_str(), name.span.start, role);
        } else {
            walk_simple_assignment_target(self, target);
        }
    }

    fn visit_assignment_target_property_identifier(&mut self, property: &AssignmentTargetPropertyIdentifier<'a>) {
        let role = if self.is_in_loop_head { Role::LoopPattern } else { Role::Pattern };
        self.mention(property.binding.name.as_str(), property.binding.span.start, role);
        if let Some(init) = &property.init {
            self.visit_expression(init);
        }
    }

    fn visit_assignment_expression(&mut self, assignment: &AssignmentExpression<'a>) {
        let outside = std::mem::take(&mut self.is_in_loop_head);
        if let AssignmentTarget::AssignmentTargetIdentifier(name) = &assignment.left {
            self.mention(name.name.as_str(), name.span.start, Role::Assign);
        } else {
            self.visit_assignment_target(&assignment.left);
        }
        self.visit_expression(&assignment.right);
        self.is_in_loop_head = outside;
    }

    fn visit_update_expression(&mut self, update: &UpdateExpression<'a>) {
        if let SimpleAssignmentTarget::AssignmentTargetIdentifier(name) = &update.argument {
            self.mention(name.name.as_str(), name.span.start, Role::Update);
        } else {
            walk_update_expression(self, update);
        }
    }

    fn visit_for_statement_left(&mut self, left: &ForStatementLeft<'a>) {
        if let ForStatementLeft::AssignmentTargetIdentifier(name) = left {
            return self.mention(name.name.as_str(), name.span.start, Role::Read);
        }
        let outside = std::mem::replace(&mut self.is_in_loop_head, true);
        walk_for_statement_left(self, left);
        self.is_in_loop_head = outside;
    }

    fn visit_function(&mut self, function: &Function<'a>, _: ScopeFlags) {
        if function.body.is_none() {
            return;
        }
        if let (FunctionType::FunctionDeclaration, Some(name)) = (function.r#type, &function.id) {
            let scope = self.declaring_scope(false);
            self.declare(scope, name, BindingKind::Hoisted, Origin::Function);
        }
        let span = (function.span.start, function.span.end);
        self.in_function(span.0, span, false, false, |this| this.function_in_scope(function));
    }

    fn visit_arrow_function_expression(&mut self, function: &ArrowFunctionExpression<'a>) {
        let span = (function.span.start, function.span.end);
        self.in_function(span.0, span, true, false, |this| {
            this.declare_params(&function.params);
            this.visit_formal_parameters(&function.params);
            match &function.body {
                ArrowFunctionBody::FunctionBody(body) => this.body_in_scope(body),
                body => walk_arrow_function_body(this, body),
            }
        });
    }

    fn visit_formal_parameter(&mut self, param: &FormalParameter<'a>) {
        let is_pattern = param.initializer.is_some() || !matches!(param.pattern, BindingPattern::BindingIdentifier(_));
        if is_pattern {
            self.enter(ScopeKind::Pattern);
        }
        self.visit_binding_pattern(&param.pattern);
        if let Some(init) = &param.initializer {
            self.visit_expression(init);
        }
        if is_pattern {
            self.close();
        }
    }

    fn visit_object_property(&mut self, property: &ObjectProperty<'a>) {
        match &property.value {
            Expression::FunctionExpression(function) if property.method || property.kind != PropertyKind::Init => {
                let span = (property.span.start, property.span.end);
                self.method(function, span, Some(&property.key), false);
            }
            _ => walk_object_property(self, property),
        }
    }

    fn visit_method_definition(&mut self, method: &MethodDefinition<'a>) {
        let span = (method.span.start, method.span.end);
        self.visit_property_key(&method.key);
        self.method(&method.value, span, None, true);
    }

    fn visit_class(&mut self, class: &Class<'a>) {
        let declared = class.id.as_ref().filter(|_| class.r#type == ClassType::ClassDeclaration).map(|name| {
            let scope = self.declaring_scope(false);
            self.declare(scope, name, BindingKind::Let, Origin::Other("ClassDeclaration"))
        });
        self.enter(ScopeKind::Class);
        match (&class.id, declared) {
            (Some(name), Some(binding)) => drop(self.scopes.by_name.insert((self.scope, name.name.as_str()), binding)),
            (Some(name), None) => {
                self.declare(self.scope, name, BindingKind::Local, Origin::Other("ClassExpression"));
            }
            (None, _) => {}
        }
        walk_class(self, class);
        self.close();
    }

    fn visit_static_block(&mut self, block: &StaticBlock<'a>) {
        self.enter(ScopeKind::Function { has_arguments: false });
        walk_static_block(self, block);
        self.close();
    }

    fn visit_ts_module_block(&mut self, block: &TSModuleBlock<'a>) {
        self.enter(ScopeKind::Function { has_arguments: false });
        walk_ts_module_block(self, block);
        self.close();
    }

    fn visit_block_statement(&mut self, block: &BlockStatement<'a>) {
        self.in_block(|this| {
            this.scopes.block_at.insert(block.span.start, this.scope);
            walk_block_statement(this, block);
        });
    }

    fn visit_for_statement(&mut self, statement: &ForStatement<'a>) {
        self.in_block(|this| walk_for_statement(this, statement));
    }

    fn visit_for_in_statement(&mut self, statement: &ForInStatement<'a>) {
        self.in_block(|this| walk_for_in_statement(this, statement));
    }

    fn visit_for_of_statement(&mut self, statement: &ForOfStatement<'a>) {
        self.in_block(|this| walk_for_of_statement(this, statement));
    }

    fn visit_switch_statement(&mut self, statement: &SwitchStatement<'a>) {
        self.visit_expression(&statement.discriminant);
        self.in_block(|this| this.visit_switch_cases(&statement.cases));
    }

    fn visit_catch_clause(&mut self, clause: &CatchClause<'a>) {
        self.in_block(|this| {
            if let Some(param) = &clause.param {
                this.declare_pattern(this.scope, &param.pattern, BindingKind::Let, &Origin::Other("CatchClause"));
                let is_pattern = !matches!(param.pattern, BindingPattern::BindingIdentifier(_));
                if is_pattern {
                    this.enter(ScopeKind::Pattern);
                }
                this.visit_binding_pattern(&param.pattern);
                if is_pattern {
                    this.close();
                }
            }
            this.scopes.block_at.insert(clause.body.span.start, this.scope);
            for statement in &clause.body.body {
                this.visit_statement(statement);
            }
        });
    }

    fn visit_variable_declaration(&mut self, declaration: &VariableDeclaration<'a>) {
        let kind = match declaration.kind {
            VariableDeclarationKind::Var => BindingKind::Var,
            VariableDeclarationKind::Let => BindingKind::Let,
            _ => BindingKind::Const,
        };
        let scope = self.declaring_scope(kind == BindingKind::Var);
        for declarator in &declaration.declarations {
            self.declare_pattern(scope, &declarator.id, kind, &Origin::Variable);
        }
        walk_variable_declaration(self, declaration);
    }

    fn visit_import_declaration(&mut self, declaration: &ImportDeclaration<'a>) {
        let module = JsString::new(declaration.source.value.as_str());
        for specifier in declaration.specifiers.iter().flatten() {
            let module = module.clone();
            match specifier {
                ImportDeclarationSpecifier::ImportSpecifier(specifier) => {
                    let imported = JsString::new(specifier.imported.name().as_str());
                    self.import(&specifier.local, Origin::Specifier { imported, module });
                }
                ImportDeclarationSpecifier::ImportDefaultSpecifier(specifier) => {
                    self.import(&specifier.local, Origin::Default { module });
                }
                ImportDeclarationSpecifier::ImportNamespaceSpecifier(specifier) => {
                    self.import(&specifier.local, Origin::Namespace { module });
                }
            }
        }
    }

    fn visit_jsx_element_name(&mut self, name: &JSXElementName<'a>) {
        match name {
            JSXElementName::Identifier(name) => self.mention(name.name.as_str(), name.span.start, Role::Jsx),
            JSXElementName::IdentifierReference(name) => self.mention(name.name.as_str(), name.span.start, Role::Jsx),
            JSXElementName::MemberExpression(member) => self.visit_jsx_member_expression(member),
            JSXElementName::NamespacedName(_) | JSXElementName::ThisExpression(_) => {}
        }
    }

    fn visit_jsx_member_expression_object(&mut self, object: &JSXMemberExpressionObject<'a>) {
        match object {
            JSXMemberExpressionObject::IdentifierReference(name) => {
                self.mention(name.name.as_str(), name.span.start, Role::Jsx);
            }
            JSXMemberExpressionObject::MemberExpression(member) => self.visit_jsx_member_expression(member),
            JSXMemberExpressionObject::ThisExpression(_) => {}
        }
    }

    fn visit_jsx_closing_element(&mut self, _: &JSXClosingElement<'a>) {}
}
