//! Comments of the source in functions that are written anew: they precede the same statements, methods and calls.

use super::Printer;
use crate::program::Comment;

/// What tools look for in comments that have to stay, wherever they are.
const LEGAL: [&str; 3] = ["@license", "@preserve", "@cc_on"];

/// What is further behind a comment is another statement.
const MAX_DISTANCE: u32 = 1000;

/// What functions and classes begin with.
const DEFINITIONS: [&str; 3] = ["function", "class", "async "];

impl Printer<'_> {
    /// Writes the comments that precede a statement or method, each on a line of its own; `at` is a byte of it in the
    /// source. A comment that precedes a function or class is written only if this `is_definition`.
    pub(super) fn comments_before(&mut self, at: u32, is_definition: bool) {
        let comments = &self.program.comments;
        let end = comments.partition_point(|comment| comment.before <= at);
        let Some(last) = end.checked_sub(1).map(|last| comments[last]) else { return };
        if at - last.before > MAX_DISTANCE {
            return;
        }
        let between = self.source.get(last.before as usize..at as usize);
        let token = self.source.get(last.before as usize..).unwrap_or_default();
        let is_of_other = !is_definition && DEFINITIONS.iter().any(|&word| token.starts_with(word));
        // Behind the end of a statement, another one begins.
        if is_of_other || !between.is_some_and(is_of_one_statement) {
            return;
        }
        let start = comments[..end].partition_point(|comment| comment.before < last.before);
        for (index, &comment) in comments.iter().enumerate().take(end).skip(start) {
            if self.is_written[index] || is_pure(self.text_of(comment)) {
                continue;
            }
            self.is_written[index] = true;
            self.blank_line_before(comment);
            self.comment(comment);
            self.line();
        }
    }

    /// Leaves a line empty where the source does, though not behind an opening brace.
    fn blank_line_before(&mut self, comment: Comment) {
        let before = self.source.get(..comment.span.start as usize).unwrap_or_default();
        let gap = &before[before.trim_end().len()..];
        let end = self.out.trim_end().len();
        if gap.matches('\n').count() > 1 && self.out[..end].ends_with([';', '}']) {
            self.out.truncate(end);
            self.out.push('\n');
            self.line();
        }
    }

    /// Writes the comment that marks a call as free of effects.
    pub(super) fn pure_comment(&mut self, at: u32) {
        let comments = &self.program.comments;
        let start = comments.partition_point(|comment| comment.before < at);
        let found = comments[start..].iter().take_while(|comment| comment.before == at);
        if found.copied().any(|comment| is_pure(self.text_of(comment))) {
            let written = self.out.len();
            self.out += "/* @__PURE__ */ ";
            for start in [&mut self.statement_start, &mut self.arrow_start] {
                if *start == written {
                    *start = self.out.len();
                }
            }
        }
    }

    /// The comments in this part of the source are written with it.
    pub(super) fn note_comments(&mut self, start: u32, end: u32) {
        let comments = &self.program.comments;
        let first = comments.partition_point(|comment| comment.span.start < start);
        let past = comments.partition_point(|comment| comment.span.start < end);
        self.is_written[first..past.max(first)].fill(true);
    }

    /// Writes the comments at the beginning of a file that is written anew, and those before its directives.
    pub(in crate::write) fn comments_of_head(&mut self) {
        let end = self.program.functions.first().map_or(0, |top| top.head.end);
        let mut at = self.program.top.hashbang.as_ref().map_or(0, String::len);
        for index in 0..self.program.comments.len() {
            let comment = self.program.comments[index];
            let between = self.source.get(at..comment.span.start as usize).unwrap_or_default();
            let is_first = between.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}').is_empty();
            if !is_first && comment.span.end >= end {
                break;
            }
            if is_first {
                at = comment.span.end as usize;
            }
            self.is_written[index] = true;
            self.comment(comment);
            self.out.push('\n');
        }
    }

    /// Writes the comments about licences whose place is gone.
    pub(in crate::write) fn legal_comments(&mut self) {
        for index in 0..self.program.comments.len() {
            let comment = self.program.comments[index];
            let text = self.text_of(comment);
            let is_legal = text.starts_with("/*!") || LEGAL.iter().any(|word| text.contains(word));
            if is_legal && !self.is_written[index] {
                if !self.out.is_empty() && !self.out.ends_with('\n') {
                    self.out.push('\n');
                }
                self.comment(comment);
                self.out.push('\n');
            }
        }
    }

    /// Its lines are indented like the statement, if all of them begin with a star.
    fn comment(&mut self, comment: Comment) {
        let text = self.text_of(comment).to_owned();
        let has_stars = text.lines().skip(1).all(|line| line.trim_start().starts_with('*'));
        for (index, line) in text.lines().enumerate() {
            match index {
                0 => self.out += line,
                _ if has_stars => {
                    self.line();
                    self.out.extend([" ", line.trim_start()]);
                }
                _ => self.out.extend(["\n", line]),
            }
        }
    }

    fn text_of(&self, comment: Comment) -> &str {
        self.source.get(comment.span.start as usize..comment.span.end as usize).unwrap_or_default()
    }
}

/// Whether no statement ends or begins in a part of the source, so that its braces are those of types and patterns: something follows
/// them that no statement begins with.
fn is_of_one_statement(text: &str) -> bool {
    let mut depth = 0u32;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' if depth > 1 => depth -= 1,
            b'}' => {
                let next = text[at + 1..].trim_start();
                let goes_on = next.starts_with(['=', '>', ',', ')', ']', '|', '&']) || next.starts_with("[]");
                if depth == 0 || !goes_on {
                    return false;
                }
                depth = 0;
            }
            b';' if depth == 0 => return false,
            _ => {}
        }
    }
    depth == 0
}

/// Whether a comment says of the call that follows that it has no effect.
fn is_pure(text: &str) -> bool {
    text.contains("@__PURE__") || text.contains("#__PURE__")
}
