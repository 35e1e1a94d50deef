//! Statements as text.

use super::builder::Builder;
use super::declare::{Declarations, RowId};
use super::expr::{Expr, Shape, level};
use super::jumps::LabelUse;
use super::text::{DEDENT, HELPER, INDENT, NEWLINE, place};
use super::tree::{Jump, Kind, LabelId, NodeId, Seq};
use ssaphire_ir::Variable;
use std::collections::HashMap;

/// What is left to write; the next thing is on top of the list.
enum Task<'t> {
    Row {
        row: RowId,
        seq: &'t [NodeId],
        index: usize,
        offset: usize,
    },
    /// A statement that goes on with the line.
    Statement {
        node: NodeId,
        row: RowId,
    },
    Text(String),
}

/// A function's statements being written.
pub(super) struct Printer<'b, 'a> {
    builder: &'b Builder<'a>,
    declarations: Declarations,
    labels: HashMap<LabelId, LabelUse>,
    is_plain: Vec<bool>,
    /// Whether functions may be declared at the top.
    declares_functions: bool,
    out: String,
}

impl<'b, 'a> Printer<'b, 'a> {
    pub(super) fn new(
        builder: &'b Builder<'a>,
        declarations: Declarations,
        labels: HashMap<LabelId, LabelUse>,
        is_plain: Vec<bool>,
        declares_functions: bool,
    ) -> Self {
        Self { builder, declarations, labels, is_plain, declares_functions, out: String::new() }
    }

    /// The lines of the statements, each behind a line break.
    pub(super) fn print(mut self, root: &'b Seq) -> String {
        let builder = self.builder;
        let mut tasks = vec![Task::Row { row: 0, seq: root, index: 0, offset: 0 }];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Text(text) => self.out += &text,
                Task::Statement { node, row } => self.statement(node, row, &mut tasks),
                Task::Row { row, seq, index, offset } => {
                    let Some(&node) = seq.get(index) else { continue };
                    tasks.push(Task::Row { row, seq, index: index + 1, offset });
                    let declared = self.declarations.settle(builder, row, index + offset, node);
                    self.declare(&declared);
                    let is_mark = matches!(builder.tree.nodes[node].kind, Kind::Leaves(_));
                    if is_mark || self.declarations.dropped.contains(&node) {
                        continue;
                    }
                    self.out += NEWLINE;
                    self.statement(node, row, &mut tasks);
                }
            }
        }
        let last = self.declarations.before.remove(&(0, root.len())).unwrap_or_default();
        self.declare(&last);
        self.out
    }

    fn declare(&mut self, variables: &[Variable]) {
        let (vars, lets): (Vec<Variable>, Vec<Variable>) =
            variables.iter().partition(|variable| self.builder.exported_vars.contains(variable));
        for (keyword, variables) in [("var", vars), ("let", lets)] {
            if !variables.is_empty() {
                let names: Vec<&str> = variables.iter().map(|&variable| self.builder.name(variable)).collect();
                self.out += &format!("{NEWLINE}{keyword} {};", names.join(", "));
            }
        }
    }

    fn row(&self, node: NodeId, number: usize) -> RowId {
        self.declarations.rows.get(&(node, number)).copied().unwrap_or(usize::MAX)
    }

    /// Writes a statement, or its beginning, and what is left of it to `tasks`.
    fn statement(&mut self, node: NodeId, row: RowId, tasks: &mut Vec<Task<'b>>) {
        let builder: &'b Builder<'a> = self.builder;
        let data = &builder.tree.nodes[node];
        if let Some(offset) = data.place {
            self.out += &place(offset);
        }
        match &data.kind {
            Kind::Assign { variable, value, .. } => self.assign(node, row, *variable, value),
            Kind::Do(value) => self.out += &format!("{};", value.as_statement()),
            Kind::Init { keyword, name, value } => {
                let text = value.in_named_place(Some(name));
                self.out += &if *keyword == "let" && text == "void 0" && row == 0 {
                    format!("let {name};")
                } else if keyword.is_empty() || row != 0 {
                    format!("{name} = {text};")
                } else {
                    format!("{keyword} {name} = {text};")
                };
            }
            Kind::Return(None) => self.out += "return;",
            Kind::Return(Some(value)) => self.out += &format!("return {};", value.as_argument()),
            Kind::Throw(value) => self.out += &format!("throw {};", value.as_argument()),
            Kind::Debugger => self.out += "debugger;",
            Kind::Jump(jump) => self.jump(node, *jump),
            Kind::If { .. } => self.if_(node, tasks),
            Kind::Switch { on, cases } => self.switch(node, on, cases, tasks),
            Kind::Loop { label, body, over: Some(over), .. } => {
                let name = self.builder.name(over.binding);
                let keyword =
                    match (self.declarations.bound.contains(&node), self.declarations.once.contains(&over.binding)) {
                        (true, true) => "const ",
                        (true, false) => "let ",
                        (false, _) => "",
                    };
                let label = self.label(*label);
                self.out += &format!("{label}for ({keyword}{name} of {}) ", over.iterable.as_argument());
                self.open(tasks, node, 0, body, "}");
            }
            Kind::Loop { label, body, over: None, .. } => self.loop_(node, *label, body, tasks),
            Kind::Leaves(_) => {}
            Kind::Labeled { label, body } => self.labeled(node, *label, body, tasks),
            Kind::Try { body, caught, handler, .. } => self.try_(node, body, *caught, handler, tasks),
        }
    }

    fn assign(&mut self, node: NodeId, row: RowId, variable: Variable, value: &Expr) {
        let name = self.builder.name(variable);
        let declares = self.declarations.declaring.get(&node).copied();
        if let (Some(_), true, Shape::Anonymous { wanted: Some(wanted), name_at, .. }) =
            (declares, self.declares_functions && row == 0, &value.shape)
            && wanted.as_str() == Some(name)
            && value.text.get(..*name_at).is_some_and(|start| start.contains("function"))
        {
            self.out += &value.with_inserted(*name_at, name);
            return;
        }
        let keyword = match declares {
            Some(_) if self.builder.exported_vars.contains(&variable) => "var ",
            Some(true) => "const ",
            Some(false) => "let ",
            None => "",
        };
        let text = value.in_named_place(Some(name));
        self.out += &match declares {
            Some(false) if text == "void 0" => format!("let {name};"),
            _ => format!("{keyword}{name} = {text};"),
        };
    }

    fn jump(&mut self, node: NodeId, jump: Jump) {
        let (word, label) = match jump {
            Jump::Break(label) => ("break", label),
            Jump::Continue(label) => ("continue", label),
            Jump::Handler(_) => ("break", 0),
        };
        self.out += &if self.is_plain[node] { format!("{word};") } else { format!("{word} {};", label_name(label)) };
    }

    fn open(&mut self, tasks: &mut Vec<Task<'b>>, node: NodeId, number: usize, seq: &'b [NodeId], end: &str) {
        self.open_from(tasks, self.row(node, number), seq, 0, end);
    }

    fn open_from(&mut self, tasks: &mut Vec<Task<'b>>, row: RowId, seq: &'b [NodeId], offset: usize, end: &str) {
        if seq.is_empty() {
            tasks.push(Task::Text(format!("{{{end}")));
            return;
        }
        tasks.push(Task::Text(format!("{DEDENT}{NEWLINE}{end}")));
        tasks.push(Task::Row { row, seq, index: 0, offset });
        tasks.push(Task::Text(format!("{{{INDENT}")));
    }

    fn if_(&mut self, node: NodeId, tasks: &mut Vec<Task<'b>>) {
        let builder: &'b Builder<'a> = self.builder;
        let Kind::If { condition, then, otherwise } = &builder.tree.nodes[node].kind else { return };
        self.out += &format!("if ({}) ", condition.plain());
        if otherwise.is_empty() {
            self.open(tasks, node, 0, then, "}");
            return;
        }
        let row = self.row(node, 1);
        let is_chain = matches!(otherwise[..], [only] if matches!(builder.tree.nodes[only].kind, Kind::If { .. }))
            && !self.declarations.before.contains_key(&(row, 0));
        if is_chain {
            tasks.push(Task::Statement { node: otherwise[0], row });
            self.open(tasks, node, 0, then, "} else ");
        } else {
            self.open(tasks, node, 1, otherwise, "}");
            self.open(tasks, node, 0, then, "} else ");
        }
    }

    fn switch(&mut self, node: NodeId, on: &Expr, cases: &'b [(Vec<Option<String>>, Seq)], tasks: &mut Vec<Task<'b>>) {
        self.out += &format!("switch ({}) {{{INDENT}", on.plain());
        tasks.push(Task::Text(format!("{DEDENT}{NEWLINE}}}")));
        for (number, (labels, body)) in cases.iter().enumerate().rev() {
            let labels: Vec<String> = labels
                .iter()
                .map(|label| label.as_ref().map_or_else(|| "default:".to_owned(), |label| format!("case {label}:")))
                .collect();
            let labels = labels.join(NEWLINE);
            let is_over = body.last().is_some_and(|&last| {
                matches!(self.builder.tree.nodes[last].kind, Kind::Jump(_) | Kind::Return(_) | Kind::Throw(_))
            });
            let end = if is_over { "" } else { "\u{1}nbreak;" };
            tasks.push(Task::Text(format!("{end}{DEDENT}{NEWLINE}}}")));
            tasks.push(Task::Row { row: self.row(node, number), seq: body, index: 0, offset: 0 });
            tasks.push(Task::Text(format!("{NEWLINE}{labels} {{{INDENT}")));
        }
    }

    /// `label: ` in front of a statement, if any jump names it.
    fn label(&self, label: LabelId) -> String {
        let is_named = self.labels.get(&label).is_some_and(|uses| uses.is_named);
        if is_named { format!("{}: ", label_name(label)) } else { String::new() }
    }

    fn loop_(&mut self, node: NodeId, label: LabelId, body: &'b Seq, tasks: &mut Vec<Task<'b>>) {
        self.out += &self.label(label);
        let row = self.row(node, 0);
        let is_declared_first = self.declarations.before.contains_key(&(row, 0));
        if let Some(condition) = body.first().and_then(|&first| self.exit(first, label)).filter(|_| !is_declared_first)
        {
            self.out += &format!("while ({}) ", condition.negated().plain());
            self.open_from(tasks, row, &body[1..], 1, "}");
            return;
        }
        let continues = self.labels.get(&label).map_or(0, |uses| uses.continues);
        let condition = body.last().and_then(|&last| self.exit(last, label)).filter(|condition| {
            let is_visible = |variable| self.declarations.row_of.get(variable) != Some(&row);
            let is_declared = self.declarations.before.contains_key(&(row, body.len() - 1));
            continues == 0 && !is_declared && condition.reads.iter().all(is_visible)
        });
        if let Some(condition) = condition {
            self.out += "do ";
            let end = format!("}} while ({});", condition.negated().plain());
            self.open_from(tasks, row, &body[..body.len() - 1], 0, &end);
            return;
        }
        self.out += "for (;;) ";
        self.open_from(tasks, row, body, 0, "}");
    }

    /// The condition of a statement that leaves a loop, if it does nothing else.
    fn exit(&self, node: NodeId, label: LabelId) -> Option<Expr> {
        let Kind::If { condition, then, otherwise } = &self.builder.tree.nodes[node].kind else { return None };
        let leaves = |&node: &NodeId| {
            self.is_plain[node]
                && matches!(self.builder.tree.nodes[node].kind, Kind::Jump(Jump::Break(to)) if to == label)
        };
        (otherwise.is_empty() && then.len() == 1 && then.iter().all(leaves)).then(|| condition.clone())
    }

    fn labeled(&mut self, node: NodeId, label: LabelId, body: &'b Seq, tasks: &mut Vec<Task<'b>>) {
        let is_left = self.labels.get(&label).is_some_and(|uses| uses.breaks > 0);
        if is_left {
            self.out += &self.label(label);
            self.open(tasks, node, 0, body, "}");
            return;
        }
        // Each statement begins with a line break.
        self.out.truncate(self.out.len() - NEWLINE.len());
        tasks.push(Task::Row { row: self.row(node, 0), seq: body, index: 0, offset: 0 });
    }

    fn try_(
        &mut self,
        node: NodeId,
        body: &'b Seq,
        caught: Option<Variable>,
        handler: &'b Seq,
        tasks: &mut Vec<Task<'b>>,
    ) {
        self.out += "try ";
        let is_mentioned = |variable: &Variable| {
            self.declarations.row_of.contains_key(variable) || self.builder.needs_no_declaration(*variable)
        };
        let is_param = caught.is_some_and(|variable| self.declarations.caught.get(&node) == Some(&variable));
        let is_used = |variable: Variable| self.builder.is_read(variable);
        let caught = caught.filter(is_mentioned).filter(|&variable| is_used(variable));
        let head = match caught {
            None => "} catch {".to_owned(),
            Some(variable) if is_param => format!("}} catch ({}) {{", self.builder.name(variable)),
            Some(variable) => {
                let name = self.builder.name(variable);
                format!("}} catch ({HELPER}error) {{{INDENT}{NEWLINE}{name} = {HELPER}error;{DEDENT}")
            }
        };
        let is_empty = handler.is_empty() && (caught.is_none() || is_param);
        let end = if is_empty { "}".to_owned() } else { format!("{NEWLINE}}}") };
        tasks.push(Task::Text(format!("{DEDENT}{end}")));
        tasks.push(Task::Row { row: self.row(node, 1), seq: handler, index: 0, offset: 0 });
        tasks.push(Task::Text(INDENT.to_owned()));
        self.open(tasks, node, 0, body, &head);
    }
}

fn label_name(label: LabelId) -> String {
    format!("L{}", label + 1)
}

/// The text of an expression of a field, for which only an expression has room.
pub(super) fn single_result<'t>(builder: &'t Builder<'_>, root: &[NodeId]) -> Option<&'t Expr> {
    match *root {
        [node] => match &builder.tree.nodes[node].kind {
            Kind::Return(Some(value)) if value.binding >= level::ASSIGNMENT => Some(value),
            _ => None,
        },
        _ => None,
    }
}
