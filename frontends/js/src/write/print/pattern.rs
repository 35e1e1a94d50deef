//! Patterns.

use super::{MAX_WIDTH, Printer, Spot, Task, text};
use crate::dialect::PatternPart;
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

impl<'a> Printer<'a> {
    /// Writes a pattern: on one line, or each element of the outermost pattern on a line of its own.
    pub(super) fn pattern(&mut self, id: ExprId, parts: &'a [PatternPart], values: &'a [ExprId]) {
        let mut values = values.iter().copied();
        let mut open: Vec<Open> = Vec::new();
        let mut tasks: Vec<Task<'a>> = Vec::new();
        let mut default = None;
        // The key in front of a target, unless the target is the key.
        let mut key = None;
        // Whether an element has begun, with its key or `...`.
        let mut is_begun = false;
        for part in parts {
            let is_end = *part == PatternPart::End;
            if let Some(open) = open.last_mut()
                && !is_begun
                && !is_end
            {
                let gap = if open.is_array { "" } else { " " };
                tasks.push(text(if open.has_elements {
                    if open.is_long { "," } else { ", " }
                } else if open.is_long {
                    ""
                } else {
                    gap
                }));
                if open.is_long {
                    tasks.push(Task::Line);
                }
                open.has_elements = true;
                open.ends_with_hole = *part == PatternPart::Hole;
            }
            is_begun = matches!(part, PatternPart::Property(_) | PatternPart::Rest | PatternPart::Default);
            match part {
                PatternPart::Property(name) => key = Some(name),
                PatternPart::Rest => tasks.push(text("...")),
                PatternPart::Default => default = values.next(),
                PatternPart::Hole => {}
                PatternPart::Array | PatternPart::Object => {
                    self.key_of_pattern(key.take(), None, &mut tasks);
                    let is_array = *part == PatternPart::Array;
                    let is_long = open.is_empty() && self.ast.width(id) > MAX_WIDTH;
                    tasks.push(text(if is_array { "[" } else { "{" }));
                    if is_long {
                        tasks.push(Task::Indented(self.margin, self.depth + 1));
                    }
                    open.push(Open { is_array, is_long, default: default.take(), ..Open::default() });
                }
                PatternPart::End => {
                    let Some(ended) = open.pop() else { continue };
                    if ended.is_long {
                        tasks.push(Task::Indented(self.margin, self.depth));
                    }
                    end_of_pattern(&ended, &mut tasks);
                    if let Some(default) = ended.default {
                        tasks.extend([text(" = "), Task::Expr(default, Spot::ARGUMENT)]);
                    }
                }
                _ => {
                    let Some(target) = values.next() else { continue };
                    self.key_of_pattern(key.take(), Some(target), &mut tasks);
                    tasks.push(Task::Expr(target, Spot::least(level::CALL)));
                    if let Some(default) = default.take() {
                        let place = self.naming_by(target, "");
                        tasks.extend([text(" = "), Task::Expr(default, Spot { least: level::ASSIGNMENT, place })]);
                    }
                }
            }
        }
        self.tasks.extend(tasks.into_iter().rev());
    }

    /// The key in front of `target`, unless it is that.
    fn key_of_pattern(
        &self,
        key: Option<&'a crate::dialect::JsString>,
        target: Option<ExprId>,
        tasks: &mut Vec<Task<'a>>,
    ) {
        let Some(key) = key else { return };
        let is_same = matches!(target.map(|target| self.ast.kind(target)),
            Some(ExprKind::Name(name)) if key.as_str() == Some(self.ast.text_of(*name)));
        if !is_same {
            tasks.extend([Task::Text(Cow::Owned(literal::key(key))), text(": ")]);
        }
    }
}

fn end_of_pattern<'a>(ended: &Open, tasks: &mut Vec<Task<'a>>) {
    if ended.ends_with_hole {
        tasks.push(text(","));
    }
    match ended {
        Open { is_long: true, .. } => tasks.push(Task::Line),
        Open { is_array: false, has_elements: true, .. } => tasks.push(text(" ")),
        _ => {}
    }
    tasks.push(text(if ended.is_array { "]" } else { "}" }));
}
