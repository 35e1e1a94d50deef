//! Statements.

use super::{NameId, Printer, Spot, Task, text};
use crate::dialect::Constant;
use crate::program::FunctionId;
use crate::source::Span;
use crate::write::ast::{ExprId, ExprKind, level};
use crate::write::code::{Body, Head};
use crate::write::declare::{Caught, RowId};
use crate::write::literal;
use crate::write::tree::{Case, Jump, Kind, LabelId, NodeId, Seq};
use ssaphire_ir::Variable;

/// The name of the default export.
const DEFAULT: &str = "default";

impl<'a> Printer<'a> {
    /// Writes the next statement of a row.
    pub(super) fn row(&mut self, body: &'a Body, row: RowId, (seq, index): (&'a [NodeId], usize), offset: usize) {
        let Some(&node) = seq.get(index) else { return };
        self.tasks.push(Task::Row { body, row, seq, index: index + 1, offset });
        self.declare(body, (row, index + offset));
        match &body.tree.nodes[node].kind {
            Kind::Leaves(_) => {}
            _ if body.declarations.dropped.contains(&node) => {}
            Kind::Labeled { label, body: seq } if !body.jumps.is_left(*label) => {
                self.tasks.push(Task::Row { body, row: row_of(body, node, 0), seq, index: 0, offset: 0 });
            }
            kind => {
                self.line();
                self.comments_of(body, (node, kind));
                match seq.get(index + 1) {
                    Some(&next) if body.is_for(self.ast, (node, next), (row, index + offset)) => {
                        self.tasks.pop();
                        self.tasks.push(Task::Row { body, row, seq, index: index + 2, offset });
                        self.for_(body, (node, next));
                    }
                    _ => self.statement(body, node, row),
                }
            }
        }
    }

    /// Writes the comments that precede a statement, if its place in the source is known.
    fn comments_of(&mut self, body: &Body, (node, kind): (NodeId, &Kind)) {
        let definition = match kind {
            Kind::Assign { value, .. } => match *self.ast.kind(value.id) {
                ExprKind::Function(id, _) => Some(self.program.functions[id.index()].span),
                ExprKind::Class(ref class) => Some(self.program.classes[class.index as usize].span),
                _ => None,
            },
            _ => None,
        };
        let first = match (kind, body.heads.get(&node)) {
            (Kind::If { condition: value, .. } | Kind::Switch { on: value, .. }, _) => Some(value.id),
            (Kind::Loop { over: Some(over), .. }, _) => Some(over.iterable.id),
            (_, Some(&Head::While(condition))) => Some(condition),
            _ => None,
        };
        let at = match (definition, first.map(|first| self.ast.span(self.ast.first_leaf(first)))) {
            (Some(span), _) => Some(span.start),
            (None, Some(span)) => (span != Span::NOWHERE).then_some(span.start),
            (None, None) => body.tree.nodes[node].place,
        };
        if let Some(at) = at {
            self.comments_before(at, definition.is_some());
        }
    }

    /// Writes the declarations that precede a statement.
    pub(super) fn declare(&mut self, body: &'a Body, at: (RowId, usize)) {
        let Some(variables) = body.declarations.before.get(&at) else { return };
        let (vars, lets): (Vec<Variable>, Vec<Variable>) =
            variables.iter().partition(|variable| body.vars.contains(variable));
        let exported = |variables: Vec<Variable>| -> (Vec<Variable>, Vec<Variable>) {
            variables.into_iter().partition(|&variable| self.is_exported(body, at.0, variable))
        };
        let ((exported_vars, vars), (exported_lets, lets)) = (exported(vars), exported(lets));
        let lists = [("var ", exported_vars), ("var ", vars), ("let ", exported_lets), ("let ", lets)];
        for (keyword, variables) in lists {
            if variables.is_empty() {
                continue;
            }
            self.line();
            self.export(body, at.0, &variables);
            for (index, &variable) in variables.iter().enumerate() {
                self.out += if index == 0 { keyword } else { ", " };
                self.out += self.ast.text_of(body.name(variable));
                if let Some(ExprKind::Constant(value)) =
                    body.declarations.initial.get(&variable).map(|&value| self.ast.kind(value))
                {
                    self.out.extend([" = ", &literal::constant(value)]);
                }
            }
            self.out.push(';');
        }
    }

    /// Writes a statement, or its beginning, and lets what is left of it follow.
    pub(super) fn statement(&mut self, body: &'a Body, node: NodeId, row: RowId) {
        let data = &body.tree.nodes[node];
        if let Some(source) = data.place {
            self.map(source);
        }
        match &data.kind {
            Kind::Assign { variable, value, .. } => self.assign((body, row), node, *variable, value.id),
            Kind::Do(value) => self.do_(value.id),
            Kind::Bind { pattern, all, .. } => {
                let declares = body.declarations.declaring.get(&node).copied();
                if declares.is_some() {
                    self.export(body, row, &all.writes);
                }
                self.bind(all.id, declares, self.ast.is_object_pattern(*pattern));
            }
            Kind::Init { keyword, name, value } => {
                let is_undefined = self.ast.is_constant(value.id, &Constant::Undefined);
                let keyword = if row == 0 { *keyword } else { "" };
                if keyword == "let" && self.ast.is_class_declaration(value.id, *name) {
                    self.tasks.push(Task::Expr(value.id, Spot::ANY));
                    return;
                }
                self.tasks.push(text(";"));
                self.initialize(keyword, *name, (keyword != "let" || !is_undefined).then_some(value.id));
            }
            Kind::Return(None) => self.out += "return;",
            Kind::Return(Some(value)) => self.then([text("return "), Task::Expr(value.id, Spot::ARGUMENT), text(";")]),
            Kind::Throw(value) => self.then([text("throw "), Task::Expr(value.id, Spot::ARGUMENT), text(";")]),
            Kind::Debugger => self.out += "debugger;",
            Kind::Jump(jump) => self.jump(body.jumps.is_plain[node], *jump),
            Kind::If { condition, then, otherwise } => self.if_(body, node, condition.id, (then, otherwise)),
            Kind::Switch { on, cases } => self.switch(body, node, on.id, cases),
            Kind::Loop { label, body: seq, .. } => {
                self.label(body, *label);
                self.loop_(body, node, seq);
            }
            Kind::Leaves(_) => {}
            Kind::Labeled { label, body: seq } => {
                self.label(body, *label);
                self.block((body, row_of(body, node, 0)), seq, 0);
            }
            Kind::Finally { body: seq, cleanup } => self.finally(body, node, seq, cleanup),
            Kind::Try { body: seq, handler, .. } => self.try_(body, node, seq, handler),
        }
    }

    fn do_(&mut self, value: ExprId) {
        self.statement_start = self.out.len();
        // At the beginning of a function or file, a string would be a directive.
        if matches!(self.ast.kind(value), ExprKind::Constant(Constant::String(_))) {
            self.then([text("("), Task::Expr(value, Spot::ANY), text(");")]);
        } else {
            self.then([Task::Expr(value, Spot::ANY), text(";")]);
        }
    }

    /// What a pattern assigns, or declares; then all of it is constant or not.
    fn bind(&mut self, all: ExprId, declares: Option<bool>, begins_with_brace: bool) {
        let (start, end) = match declares {
            Some(true) => ("const ", ";"),
            Some(false) => ("let ", ";"),
            None if begins_with_brace => ("(", ");"),
            None => ("", ";"),
        };
        self.then([text(start), Task::Expr(all, Spot::ANY), text(end)]);
    }

    fn assign(&mut self, (body, row): (&'a Body, RowId), node: NodeId, variable: Variable, value: ExprId) {
        let name = body.name(variable);
        let declares = body.declarations.declaring.get(&node).copied();
        if row == 0
            && let ExprKind::Function(id, _) = *self.ast.kind(value)
            && self.ast.declared_by(body, node).is_some()
        {
            self.export_definition(body, row, variable);
            let has_name = body.default_export != Some(variable);
            self.function_with_name(id, has_name.then(|| self.ast.text_of(name)));
            return;
        }
        if declares.is_some() && !body.vars.contains(&variable) && self.ast.is_class_declaration(value, name) {
            self.export_definition(body, row, variable);
            self.tasks.push(Task::Expr(value, Spot::ANY));
            return;
        }
        if declares.is_some() && row == 0 && body.default_export == Some(variable) {
            self.export_definition(body, row, variable);
            return self.default_value(value);
        }
        if declares.is_some() {
            self.export(body, row, &[variable]);
        }
        self.tasks.push(text(";"));
        self.assign_in_line(body, (variable, declares), value);
    }

    /// The value of a default export.
    fn default_value(&mut self, value: ExprId) {
        let spot = Spot::named(level::ASSIGNMENT, Some(DEFAULT));
        let kind = self.ast.kind(value);
        if matches!(kind, ExprKind::Class(_)) && !self.is_wrapped(kind, spot.place) {
            self.tasks.push(Task::Expr(value, spot));
            return;
        }
        // What begins with `function` or `class` would be a declaration.
        match *kind {
            ExprKind::Object { .. } => {}
            ExprKind::Function(id, _) if self.ast.is_arrow(id) => {}
            _ => self.statement_start = self.out.len(),
        }
        self.then([Task::Expr(value, spot), text(";")]);
    }

    /// Whether a variable of this row is still to be exported by its name.
    fn is_exported(&self, body: &Body, row: RowId, variable: Variable) -> bool {
        let is_top = row == 0 && self.function == FunctionId::TOP;
        is_top && self.exports.has(variable, self.ast.text_of(body.name(variable)))
    }

    /// Writes `export ` before a declaration if each of its variables has an export under its own name that is not written yet.
    fn export(&mut self, body: &Body, row: RowId, variables: &[Variable]) -> bool {
        let is_whole = variables.iter().all(|&variable| self.is_exported(body, row, variable));
        let is_exported = is_whole && !variables.is_empty();
        if is_exported {
            for &variable in variables {
                self.exports.take(variable, self.ast.text_of(body.name(variable)));
            }
            self.out += "export ";
        }
        is_exported
    }

    /// Writes `export ` or `export default ` before a function, a class or the value of the default export.
    fn export_definition(&mut self, body: &Body, row: RowId, variable: Variable) {
        let is_top = row == 0 && self.function == FunctionId::TOP;
        if is_top && !self.export(body, row, &[variable]) && self.exports.take(variable, DEFAULT) {
            self.out += "export default ";
        }
    }

    /// An assignment, or a declaration with a value, without its semicolon.
    fn assign_in_line(&mut self, body: &'a Body, (variable, declares): (Variable, Option<bool>), value: ExprId) {
        let name = body.name(variable);
        let is_undefined = self.ast.is_constant(value, &Constant::Undefined);
        match declares {
            Some(_) if body.vars.contains(&variable) => self.initialize("var", name, Some(value)),
            Some(true) => self.initialize("const", name, Some(value)),
            Some(false) => self.initialize("let", name, (!is_undefined).then_some(value)),
            None => self.initialize("", name, Some(value)),
        }
    }

    /// `keyword name = value`
    fn initialize(&mut self, keyword: &'static str, name: NameId, value: Option<ExprId>) {
        let name = self.ast.text_of(name);
        let gap = if keyword.is_empty() { "" } else { " " };
        self.out.extend([keyword, gap, name]);
        if let Some(value) = value {
            self.out += " = ";
            self.tasks.push(Task::Expr(value, Spot::named(level::ASSIGNMENT, Some(name))));
        }
    }

    /// `for (init; condition; update) { .. }`
    fn for_(&mut self, body: &'a Body, (node, loop_): (NodeId, NodeId)) {
        let (init, next) = (&body.tree.nodes[node], &body.tree.nodes[loop_]);
        let (Kind::Assign { variable, value, .. }, Kind::Loop { label, body: seq, .. }) = (&init.kind, &next.kind)
        else {
            return;
        };
        let (Some(&Head::While(condition)), [_, rest @ .., last]) = (body.heads.get(&loop_), &seq[..]) else { return };
        self.label(body, *label);
        self.out += "for (";
        self.tasks.push(Task::Block { body, row: row_of(body, loop_, 0), seq: rest, offset: 1 });
        self.tasks.push(text(") "));
        match &body.tree.nodes[*last].kind {
            Kind::Assign { variable, value, .. } => {
                let name = body.name(*variable);
                let spot = Spot::named(level::ASSIGNMENT, Some(self.ast.text_of(name)));
                self.then([Task::Name(name), text(" = "), Task::Expr(value.id, spot)]);
            }
            Kind::Do(value) => self.tasks.push(Task::Expr(value.id, Spot::ANY)),
            _ => {}
        }
        self.then([text("; "), Task::Expr(condition, Spot::ANY), text("; ")]);
        if let Some(source) = init.place {
            self.map(source);
        }
        let declares = body.declarations.declaring.get(&node).copied();
        self.assign_in_line(body, (*variable, declares), value.id);
    }

    fn jump(&mut self, is_plain: bool, jump: Jump) {
        let (word, label) = match jump {
            Jump::Break(label) => ("break", label),
            Jump::Continue(label) => ("continue", label),
            Jump::Handler(_) => ("break", 0),
        };
        self.out += word;
        if !is_plain {
            self.out.push(' ');
            self.out += &label_name(label);
        }
        self.out.push(';');
    }

    /// Writes `label: ` if any jump names the label.
    fn label(&mut self, body: &Body, label: LabelId) {
        if body.jumps.labels.get(&label).is_some_and(|uses| uses.is_named) {
            self.out += &label_name(label);
            self.out += ": ";
        }
    }

    /// Statements in braces; `offset` of the row are not among them.
    pub(super) fn block(&mut self, (body, row): (&'a Body, RowId), seq: &'a [NodeId], offset: usize) {
        let start = self.open("{");
        self.then([Task::Row { body, row, seq, index: 0, offset }, Task::Close(start, "}")]);
    }

    fn if_(&mut self, body: &'a Body, node: NodeId, condition: ExprId, (then, otherwise): (&'a Seq, &'a Seq)) {
        self.out += "if (";
        let then = Task::Block { body, row: row_of(body, node, 0), seq: then, offset: 0 };
        if otherwise.is_empty() {
            self.then([Task::Expr(condition, Spot::ANY), text(") "), then]);
            return;
        }
        let row = row_of(body, node, 1);
        let is_chain = matches!(otherwise[..], [only] if matches!(body.tree.nodes[only].kind, Kind::If { .. }))
            && !body.declarations.before.contains_key(&(row, 0));
        let last = if is_chain {
            Task::Statement { body, node: otherwise[0], row }
        } else {
            Task::Block { body, row, seq: otherwise, offset: 0 }
        };
        self.then([Task::Expr(condition, Spot::ANY), text(") "), then, text(" else "), last]);
    }

    fn switch(&mut self, body: &'a Body, node: NodeId, on: ExprId, cases: &'a [Case]) {
        self.out += "switch (";
        self.tasks.push(Task::Cases { body, node, cases });
        self.tasks.push(Task::Expr(on, Spot::ANY));
    }

    /// The cases of a `switch`, in their braces.
    pub(super) fn cases(&mut self, body: &'a Body, node: NodeId, cases: &'a [Case]) {
        let start = self.open(") {");
        self.tasks.push(Task::Close(start, "}"));
        for (number, (labels, seq)) in cases.iter().enumerate().rev() {
            self.tasks.push(Task::Case { body, row: row_of(body, node, number), labels, seq });
        }
    }

    pub(super) fn case(&mut self, (body, row): (&'a Body, RowId), labels: &[Option<Constant>], seq: &'a [NodeId]) {
        for label in labels {
            self.line();
            match label {
                Some(label) => self.out.extend(["case ", &literal::constant(label), ":"]),
                None => self.out += "default:",
            }
        }
        let start = self.open(" {");
        self.tasks.push(Task::Close(start, "}"));
        let is_over = seq.last().is_some_and(|&last| {
            matches!(body.tree.nodes[last].kind, Kind::Jump(_) | Kind::Return(_) | Kind::Throw(_))
        });
        if !is_over {
            self.then([Task::Line, text("break;")]);
        }
        self.tasks.push(Task::Row { body, row, seq, index: 0, offset: 0 });
    }

    fn loop_(&mut self, body: &'a Body, node: NodeId, seq: &'a [NodeId]) {
        let row = row_of(body, node, 0);
        if let Kind::Loop { over: Some(over), .. } = &body.tree.nodes[node].kind {
            let is_bound = body.declarations.bound.contains(&node);
            let keyword = match (is_bound, body.declarations.once.contains(&over.binding)) {
                (true, true) => "const ",
                (true, false) => "let ",
                (false, _) => "",
            };
            let of = text(if over.is_over_keys { " in " } else { " of " });
            let block = Task::Block { body, row, seq, offset: 0 };
            self.then([of, Task::Expr(over.iterable.id, Spot::ARGUMENT), text(") "), block]);
            match body.pattern_in_head(node) {
                Some((is_constant, pattern)) => {
                    self.out += if is_constant { "for (const " } else { "for (let " };
                    self.tasks.push(Task::Expr(pattern, Spot::ANY));
                }
                None => self.out.extend(["for (", keyword, self.ast.text_of(body.name(over.binding))]),
            }
            return;
        }
        match (body.heads.get(&node), seq) {
            (Some(&Head::While(condition)), [_, rest @ ..]) => {
                self.out += "while (";
                let block = Task::Block { body, row, seq: rest, offset: 1 };
                self.then([Task::Expr(condition, Spot::ANY), text(") "), block]);
            }
            (Some(&Head::DoWhile(condition)), [rest @ .., _]) => {
                self.out += "do ";
                self.then([text(" while ("), Task::Expr(condition, Spot::ANY), text(");")]);
                self.block((body, row), rest, 0);
            }
            _ => {
                self.out += "for (;;) ";
                self.block((body, row), seq, 0);
            }
        }
    }

    fn finally(&mut self, body: &'a Body, node: NodeId, seq: &'a [NodeId], cleanup: &'a [NodeId]) {
        self.tasks.push(Task::Block { body, row: row_of(body, node, 1), seq: cleanup, offset: 0 });
        self.tasks.push(text(" finally "));
        let (mut row, mut inside) = (row_of(body, node, 0), seq);
        while let [only] = *inside
            && !body.declarations.before.contains_key(&(row, 0))
        {
            match &body.tree.nodes[only].kind {
                // Both clauses belong to one statement.
                Kind::Try { .. } => return self.statement(body, only, row),
                Kind::Labeled { label, body: seq } if !body.jumps.is_left(*label) => {
                    (row, inside) = (row_of(body, only, 0), seq);
                }
                _ => break,
            }
        }
        self.out += "try ";
        self.block((body, row_of(body, node, 0)), seq, 0);
    }

    fn try_(&mut self, body: &'a Body, node: NodeId, seq: &'a [NodeId], handler: &'a [NodeId]) {
        self.out += "try ";
        self.tasks.push(Task::Catch { body, node, handler });
        self.block((body, row_of(body, node, 0)), seq, 0);
    }

    pub(super) fn catch(&mut self, body: &'a Body, node: NodeId, handler: &'a [NodeId]) {
        self.out += " catch ";
        let caught = body.declarations.caught.get(&node);
        if let Some(Caught::Param(variable)) = caught {
            self.out.extend(["(", self.ast.text_of(body.name(*variable)), ") "]);
        } else if caught.is_some() {
            self.out.extend(["(", self.prefix, "error) "]);
        }
        let start = self.open("{");
        if let Some(Caught::Assigned(variable)) = caught {
            self.line();
            self.out.extend([self.ast.text_of(body.name(*variable)), " = ", self.prefix, "error;"]);
        }
        let row = row_of(body, node, 1);
        self.then([Task::Row { body, row, seq: handler, index: 0, offset: 0 }, Task::Close(start, "}")]);
    }
}

fn row_of(body: &Body, node: NodeId, number: usize) -> RowId {
    body.declarations.rows.get(&(node, number)).copied().unwrap_or(RowId::MAX)
}

fn label_name(label: LabelId) -> String {
    format!("L{}", label + 1)
}
