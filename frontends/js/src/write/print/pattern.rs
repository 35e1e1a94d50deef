//! Patterns.

use super::{MAX_WIDTH, Printer, Spot, Task, text};
use crate::dialect::{JsString, PatternPart};
use crate::write::ast::{ExprId, ExprKind, level};
use crate::write::literal;
use std::borrow::Cow;

/// A pattern around a part.
#[derive(Default)]
struct Open {
    is_array: bool,
    is_long: bool,
    has_elements: bool,
    ends_with_hole: bool,
    /// The default of the pattern itself.
    default: Option<ExprId>,
}

/// What a pattern is written by, part by part.
#[derive(Default)]
struct Parts<'a> {
    tasks: Vec<Task<'a>>,
    open: Vec<Open>,
    /// What stands around the next target.
    key: Option<&'a JsString>,
    default: Option<ExprId>,
    /// Whether an element has begun, with its key, its default or `...`.
    is_begun: bool,
}

impl<'a> Printer<'a> {
    /// Writes a pattern: on one line, or each element of the outermost pattern on a line of its own.
    pub(super) fn pattern(&mut self, id: ExprId, parts: &'a [PatternPart], values: &'a [ExprId]) {
        let is_long = self.ast.width(id) > MAX_WIDTH;
        let mut values = values.iter().copied();
        let mut all = Parts::default();
        for part in parts {
            all.separate(part);
            match part {
                PatternPart::Property(name) => all.key = Some(name),
                PatternPart::Rest => all.tasks.push(text("...")),
                PatternPart::Default => all.default = values.next(),
                PatternPart::Hole => {}
                PatternPart::Array | PatternPart::Object => {
                    self.key_in_pattern(&mut all, None);
                    let (is_array, is_long) = (*part == PatternPart::Array, is_long && all.open.is_empty());
                    all.tasks.push(text(if is_array { "[" } else { "{" }));
                    if is_long {
                        all.tasks.push(Task::Indented(self.margin, self.depth + 1));
                    }
                    let default = all.default.take();
                    all.open.push(Open { is_array, is_long, default, ..Open::default() });
                }
                PatternPart::End => {
                    let Some(ended) = all.open.pop() else { continue };
                    if ended.is_long {
                        all.tasks.push(Task::Indented(self.margin, self.depth));
                    }
                    all.end(&ended);
                }
                _ => {
                    let Some(target) = values.next() else { continue };
                    self.key_in_pattern(&mut all, Some(target));
                    all.tasks.push(Task::Expr(target, Spot::least(level::CALL)));
                    if let Some(default) = all.default.take() {
                        let place = self.naming_by(target, "");
                        all.tasks.extend([text(" = "), Task::Expr(default, Spot { least: level::ASSIGNMENT, place })]);
                    }
                }
            }
        }
        self.tasks.extend(all.tasks.into_iter().rev());
    }

    /// Writes `key: ` before a target, or nothing if the target is a variable of that name.
    fn key_in_pattern(&self, all: &mut Parts<'a>, target: Option<ExprId>) {
        let Some(key) = all.key.take() else { return };
        let is_same = matches!(target.map(|target| self.ast.kind(target)),
            Some(ExprKind::Name(name)) if key.as_str() == Some(self.ast.text_of(*name)));
        if !is_same {
            all.tasks.extend([Task::Text(Cow::Owned(literal::key(key))), text(": ")]);
        }
    }
}

impl<'a> Parts<'a> {
    /// Writes the separator before a part, if the part starts an element.
    fn separate(&mut self, part: &PatternPart) {
        let begins = !self.is_begun && *part != PatternPart::End;
        self.is_begun = matches!(part, PatternPart::Property(_) | PatternPart::Rest | PatternPart::Default);
        let Some(open) = self.open.last_mut().filter(|_| begins) else { return };
        self.tasks.push(text(match (open.has_elements, open.is_long) {
            (true, true) => ",",
            (true, false) => ", ",
            (false, false) if !open.is_array => " ",
            (false, _) => "",
        }));
        if open.is_long {
            self.tasks.push(Task::Line);
        }
        open.has_elements = true;
        open.ends_with_hole = *part == PatternPart::Hole;
    }

    fn end(&mut self, ended: &Open) {
        if ended.ends_with_hole {
            self.tasks.push(text(","));
        }
        if ended.is_long {
            self.tasks.push(Task::Line);
        } else if ended.has_elements && !ended.is_array {
            self.tasks.push(text(" "));
        }
        self.tasks.push(text(if ended.is_array { "]" } else { "}" }));
        if let Some(default) = ended.default {
            self.tasks.extend([text(" = "), Task::Expr(default, Spot::ARGUMENT)]);
        }
    }
}
