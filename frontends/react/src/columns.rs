//! Two functions side by side.

use super::function::HirFunction;
use super::print::{Line, LineKind, Style, lines};
use std::fmt::Write;

/// How far a line looks for its like on the other side.
const LOOK_AHEAD: usize = 64;

/// The widest the left column gets. A longer line moves what stands to the right of it, and makes no other line longer.
const WIDEST: usize = 200;

/// The texts of two forms of one function in two columns: an instruction stands beside the one that it has become.
///
/// Lines are the same if they are but for the numbers of their places and of themselves.
pub fn side_by_side(left: &HirFunction, right: &HirFunction, style: Style) -> String {
    let (left, right) = (lines(left, style), lines(right, style));
    let (left_keys, right_keys) = (keys(&left), keys(&right));
    let widths = left.iter().map(|line| line.text.chars().count());
    let width = widths.filter(|&width| width <= WIDEST).max().unwrap_or(0);
    let mut text = String::new();
    let (mut at_left, mut at_right) = (0, 0);
    while at_left < left.len() || at_right < right.len() {
        let (skip_left, skip_right) = distance(&left_keys[at_left..], &right_keys[at_right..]);
        for line in &left[at_left..at_left + skip_left] {
            row(&mut text, width, Some(line), None);
        }
        for line in &right[at_right..at_right + skip_right] {
            row(&mut text, width, None, Some(line));
        }
        (at_left, at_right) = (at_left + skip_left, at_right + skip_right);
        if let (Some(first), Some(second)) = (left.get(at_left), right.get(at_right)) {
            row(&mut text, width, Some(first), Some(second));
            (at_left, at_right) = (at_left + 1, at_right + 1);
        }
    }
    text
}

fn row(text: &mut String, width: usize, left: Option<&Line>, right: Option<&Line>) {
    fn column(line: Option<&Line>) -> &str {
        line.map_or("", |line| &line.text)
    }
    let mark = if left.is_some() && right.is_some() { ' ' } else { '|' };
    let (left, right) = (column(left), column(right));
    // No width of a format string, which panics beyond 16 bits.
    let blanks = " ".repeat(width.saturating_sub(left.chars().count()));
    let line = format!("{left}{blanks} {mark} {right}");
    // A `String` takes all that is written to it.
    let _ = writeln!(text, "{}", line.trim_end());
}

/// How many lines on each side come before the next two lines that belong together.
fn distance(left: &[String], right: &[String]) -> (usize, usize) {
    for sum in 0..=2 * LOOK_AHEAD {
        for skip_left in 0..=sum {
            let skip_right = sum - skip_left;
            if let (Some(first), Some(second)) = (left.get(skip_left), right.get(skip_right))
                && first == second
            {
                return (skip_left, skip_right);
            }
        }
    }
    (left.len().min(LOOK_AHEAD), right.len().min(LOOK_AHEAD))
}

fn keys(lines: &[Line]) -> Vec<String> {
    lines.iter().map(key).collect()
}

/// A line without its numbers: those behind `$`, and that of an instruction. A phi is like no other line.
fn key(line: &Line) -> String {
    let mut key = String::with_capacity(line.text.len());
    let mut is_number = false;
    for c in line.text.chars() {
        is_number = (is_number && c.is_ascii_digit()) || c == '$' || c == '[';
        if !is_number || c == '$' || c == '[' {
            key.push(c);
        }
    }
    if line.kind == LineKind::Phi {
        key.push_str(" phi");
    }
    key
}
