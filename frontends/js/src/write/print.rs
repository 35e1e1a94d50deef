//! The text of a file.
//!
//! What is left to write is on a list of tasks, so that nesting uses no stack. An expression knows the least level that
//! its place allows, and puts itself into parentheses where it binds less.

mod comments;
mod expression;
mod function;
mod literals;
mod pattern;
mod statement;

use super::ast::{Ast, ClassExpr, ExprId, NameId, level};
use super::code::{Body, Param};
use super::declare::RowId;
use super::exports::Exports;
use super::source_map::Mapping;
use super::tree::{Case, NodeId};
use crate::Program;
use crate::dialect::{Constant, JsString};
use crate::program::{ClassElement, FunctionId};
use crate::source::Span;
use function::Key;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Deeper lines are indented no further.
const MAX_DEPTH: usize = 40;

/// Longer lists have a line for each item.
const MAX_WIDTH: u32 = 90;

/// What is left to write; the next thing is on top of the list.
enum Task<'a> {
    Text(Cow<'a, str>),
    Name(NameId),
    Expr(ExprId, Spot<'a>),
    /// A template without its quotes.
    InsideOfTemplate(ExprId),
    TemplatePart(&'a JsString),
    /// The parameters of a function and its body.
    Tail(FunctionId),
    /// The body of an arrow function that is an expression.
    ArrowBody(ExprId),
    /// A part of the source.
    Source(Span),
    /// A function in what stays as it stands in the source.
    InKept(FunctionId),
    /// What follows is of this function.
    Within(FunctionId),
    /// What follows is indented like this, and so many levels more.
    Indented(&'a str, usize),
    ClassBody(&'a ClassExpr),
    /// An element of a class, and its key if that is computed.
    Element(&'a ClassElement, Option<ExprId>),
    /// A method with its key.
    Method(FunctionId, Key<'a>),
    /// A parameter.
    Param(&'a Param),
    /// Statements in braces, and whether code there has to say that it is strict.
    Braces(&'a Body, bool),
    Line,
    /// What follows comes from this byte of the source.
    From(u32),
    /// The end of what was opened when the text was so long, and what closes it.
    Close(usize, &'a str),
    /// The statements of a row from `index` on; `offset` of the row are not in `seq`.
    Row {
        body: &'a Body,
        row: RowId,
        seq: &'a [NodeId],
        index: usize,
        offset: usize,
    },
    /// A row in braces.
    Block {
        body: &'a Body,
        row: RowId,
        seq: &'a [NodeId],
        offset: usize,
    },
    /// A statement that goes on with the line.
    Statement {
        body: &'a Body,
        node: NodeId,
        row: RowId,
    },
    /// The cases of a `switch`.
    Cases {
        body: &'a Body,
        node: NodeId,
        cases: &'a [Case],
    },
    Case {
        body: &'a Body,
        row: RowId,
        labels: &'a [Option<Constant>],
        seq: &'a [NodeId],
    },
    /// The `catch` clause of a `try`.
    Catch {
        body: &'a Body,
        node: NodeId,
        handler: &'a [NodeId],
    },
    /// The variables that are declared behind all statements.
    LastDeclarations(&'a Body),
}

/// Where an expression stands.
#[derive(Clone, Copy, Debug)]
struct Spot<'a> {
    /// What binds less tightly needs parentheses.
    least: u8,
    place: Place<'a>,
}

/// What its place means for an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place<'a> {
    /// Nothing.
    Plain,
    /// A function without name gets this one, or one that is not known.
    Named(Option<&'a str>),
    /// A function without name gets some name, and may.
    AnyName,
    /// It is the object of a property, so that a point may follow.
    Object,
}

impl Spot<'_> {
    /// Where everything may stand.
    const ANY: Self = Self::least(level::ANY);
    /// An argument, an element, or the right side of an assignment that gives no name.
    const ARGUMENT: Self = Self::least(level::ASSIGNMENT);

    const fn least(least: u8) -> Self {
        Self { least, place: Place::Plain }
    }
}

impl<'a> Spot<'a> {
    /// Where a function without name gets this one.
    const fn named(least: u8, name: Option<&'a str>) -> Self {
        Self { least, place: Place::Named(name) }
    }
}

/// A file being written.
pub(super) struct Printer<'a> {
    program: &'a Program,
    ast: &'a Ast<'a>,
    source: &'a str,
    /// What the names of helpers begin with.
    prefix: &'a str,
    pub(super) out: String,
    pub(super) mappings: Vec<Mapping>,
    /// The functions that have been written anew, by where their parameters begin.
    pub(super) functions: Vec<(u32, FunctionId)>,
    /// What is left to export.
    pub(super) exports: Exports<'a>,
    /// The helpers that it mentions, and the functions that do.
    pub(super) helpers: BTreeSet<&'static str>,
    pub(super) users: BTreeSet<FunctionId>,
    /// The function being written.
    function: FunctionId,
    depth: usize,
    /// What each line begins with, and each level of it.
    margin: &'a str,
    indentation: &'a str,
    /// What lines end with.
    line_end: &'a str,
    /// Where the lines of the source begin.
    lines: Vec<usize>,
    tasks: Vec<Task<'a>>,
    /// By comment of the source, whether it is written.
    is_written: Vec<bool>,
    /// Where the last statement that is an expression begins, and the last body of an arrow function that is one.
    statement_start: usize,
    arrow_start: usize,
}

impl<'a> Printer<'a> {
    pub(super) fn new(program: &'a Program, ast: &'a Ast<'a>, source: &'a str, prefix: &'a str) -> Self {
        Self {
            program,
            ast,
            source,
            prefix,
            out: String::new(),
            mappings: Vec::new(),
            functions: Vec::new(),
            exports: Exports::default(),
            helpers: BTreeSet::new(),
            users: BTreeSet::new(),
            function: FunctionId::TOP,
            depth: 0,
            margin: "",
            indentation: indentation(source),
            line_end: if source.split_once('\n').is_some_and(|(line, _)| line.ends_with('\r')) { "\r\n" } else { "\n" },
            lines: std::iter::once(0).chain(source.match_indices('\n').map(|(end, _)| end + 1)).collect(),
            tasks: Vec::new(),
            is_written: vec![false; program.comments.len()],
            statement_start: usize::MAX,
            arrow_start: usize::MAX,
        }
    }

    /// Lets tasks follow, in this order.
    fn then<const N: usize>(&mut self, tasks: [Task<'a>; N]) {
        self.tasks.extend(tasks.into_iter().rev());
    }

    /// Writes all that is left to write.
    fn run(&mut self) {
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Text(text) => self.out += &text,
                Task::Name(name) => self.out += self.ast.text_of(name),
                Task::Expr(id, spot) => self.expression(id, spot),
                Task::TemplatePart(part) => self.template_part(part),
                Task::InsideOfTemplate(id) => self.inside_of_template(id),
                Task::Tail(id) => self.tail(id),
                Task::ArrowBody(id) => self.arrow_body(id),
                Task::Source(span) => self.source(span),
                Task::InKept(id) => self.in_kept(id),
                Task::Within(id) => self.function = id,
                Task::Indented(margin, depth) => (self.margin, self.depth) = (margin, depth),
                Task::ClassBody(class) => self.class_body(class),
                Task::Element(element, key) => self.element(element, key),
                Task::Method(id, key) => {
                    self.comments_before(self.program.functions[id.index()].span.start, true);
                    self.method(id, key);
                }
                Task::Param(param) => self.param(param),
                Task::Braces(body, has_directive) => self.braces(body, has_directive),
                Task::Line => self.line(),
                Task::From(source) => self.map(source),
                Task::Close(start, end) => self.close(start, end),
                Task::Row { body, row, seq, index, offset } => self.row(body, row, (seq, index), offset),
                Task::Block { body, row, seq, offset } => self.block((body, row), seq, offset),
                Task::Statement { body, node, row } => self.statement(body, node, row),
                Task::Cases { body, node, cases } => self.cases(body, node, cases),
                Task::Case { body, row, labels, seq } => self.case((body, row), labels, seq),
                Task::Catch { body, node, handler } => self.catch(body, node, handler),
                Task::LastDeclarations(body) => self.declare(body, (0, body.root.len())),
            }
        }
    }

    /// Writes a line break, except at the start of the output, and the indentation.
    pub(super) fn line(&mut self) {
        if !self.out.is_empty() {
            self.out += self.line_end;
        }
        self.out += self.margin;
        self.out.extend(std::iter::repeat_n(self.indentation, self.depth.min(MAX_DEPTH)));
    }

    /// Writes `start`, and lets lines of their own follow, up to the end that is given to [`Self::close`].
    pub(super) fn open(&mut self, start: &str) -> usize {
        self.out += start;
        self.depth += 1;
        self.out.len()
    }

    /// Ends what was opened when the text was so long.
    pub(super) fn close(&mut self, start: usize, end: &str) {
        self.depth -= 1;
        if self.out.len() > start {
            self.line();
        }
        self.out += end;
    }

    /// What follows comes from this byte of the source. Of several such bytes, the last one counts.
    fn map(&mut self, source: u32) {
        let written = self.out.len() as u32;
        match self.mappings.last_mut() {
            Some(last) if last.written == written => last.source = source,
            _ => self.mappings.push(Mapping { written, source }),
        }
    }

    /// The name of a helper.
    pub(super) fn helper(&mut self, name: &'static str) {
        self.helpers.insert(name);
        self.users.insert(self.function);
        self.out += self.prefix;
        self.out += &name[1..];
    }

    /// The statements of a file, each on its line, and whether in braces.
    pub(super) fn body(&mut self, body: &'a Body, in_braces: bool) {
        if in_braces {
            self.line();
            self.braces(body, false);
        } else {
            self.then([Self::first_row(body), Task::LastDeclarations(body)]);
        }
        self.run();
    }

    /// The declaration of a function.
    pub(super) fn declaration(&mut self, name: &'a str, id: FunctionId) {
        self.comments_before(self.program.functions[id.index()].span.start, true);
        self.function_with_name(id, Some(name));
        self.run();
    }

    /// A file that stays, but for some functions in it.
    pub(super) fn kept_file(&mut self) {
        self.kept(FunctionId::TOP);
        self.run();
    }

    /// Takes the first bytes away, and a line break if it does not end with one.
    pub(super) fn cut_head(&mut self, length: usize) -> String {
        let rest = self.out.split_off(length.min(self.out.len()));
        let mut head = std::mem::replace(&mut self.out, rest);
        if !head.is_empty() && !head.ends_with('\n') {
            head.push('\n');
        }
        head
    }

    fn first_row(body: &'a Body) -> Task<'a> {
        Task::Row { body, row: 0, seq: &body.root, index: 0, offset: 0 }
    }
}

/// What the source is indented by: a tab, or the spaces of its first line that is indented.
fn indentation(source: &str) -> &str {
    let mut margins = source.lines().map(margin);
    let is_some = |margin: &&str| margin.starts_with('\t') || matches!(margin.len(), 2..=8);
    match margins.find(is_some) {
        Some(margin) if margin.starts_with('\t') => &margin[..1],
        Some(margin) => margin,
        None => "  ",
    }
}

/// The spaces and tabs that a line begins with, unless it is a line of a comment.
fn margin(line: &str) -> &str {
    let rest = line.trim_start_matches([' ', '\t']);
    if rest.starts_with('*') { "" } else { &line[..line.len() - rest.len()] }
}

fn text(text: &str) -> Task<'_> {
    Task::Text(Cow::Borrowed(text))
}
