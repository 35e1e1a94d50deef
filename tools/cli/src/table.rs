//! Tables for people.

use crate::console::Styles;
use std::io::{self, Write};

/// How a column is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// Rows of text below a head.
pub(crate) struct Table {
    head: Vec<(&'static str, Align)>,
    rows: Vec<Vec<String>>,
}

/// Blanks between two columns.
const GAP: usize = 2;

/// The widest a column gets. A longer cell moves the rest of its own line, and makes no other line longer.
const WIDEST: usize = 200;

/// Names are not shortened to fewer characters than that.
const SHORTEST: usize = 8;

/// The text in so many characters at the most: without its middle, if it is longer. Paths tell most at both ends.
fn shortened(text: &str, widest: usize) -> String {
    let len = text.chars().count();
    if len <= widest || len > WIDEST {
        return text.to_owned();
    }
    let first = widest.saturating_sub(1) / 2;
    let last = widest.saturating_sub(1) - first;
    text.chars().take(first).chain(['…']).chain(text.chars().skip(len - last)).collect()
}

/// The title in lines of so many characters, or of a word if that is longer.
fn wrapped(title: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in title.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => line.extend([" ", word]),
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// The width of a line with columns of these widths.
fn total(widths: &[usize]) -> usize {
    widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1)
}

impl Table {
    /// A table without rows.
    pub(crate) fn new(head: impl IntoIterator<Item = (&'static str, Align)>) -> Self {
        Self { head: head.into_iter().collect(), rows: Vec::new() }
    }

    /// Appends a row: one cell per column.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Writes it. If lines of `width` characters are too short, columns of zeros are left out and named below; then titles
    /// take several lines, and long names and paths lose their middle. If that is not enough, each cell gets a line.
    ///
    /// # Errors
    /// Where `out` has one.
    pub(crate) fn write(&self, width: Option<usize>, styles: &Styles, out: &mut dyn Write) -> io::Result<()> {
        let room = width.unwrap_or(usize::MAX);
        let all: Vec<usize> = (0..self.head.len()).collect();
        let whole_titles = |columns: &[usize]| -> Vec<usize> {
            columns.iter().map(|&column| self.column_width(column, self.head[column].0)).collect()
        };
        let widths = whole_titles(&all);
        if total(&widths) <= room {
            return self.write_lines(&all, &widths, styles, out);
        }
        let (columns, zeros): (Vec<usize>, Vec<usize>) = all.into_iter().partition(|&column| !self.is_zero(column));
        let mut widths = whole_titles(&columns);
        if total(&widths) > room {
            let longest_word = |&column: &usize| {
                let words = self.head[column].0.split(' ');
                words.map(|word| self.column_width(column, word)).max().unwrap_or(0)
            };
            widths = columns.iter().map(longest_word).collect();
        }
        while total(&widths) > room {
            let is_long = |&place: &usize| self.head[columns[place]].1 == Align::Left && widths[place] > SHORTEST;
            let Some(longest) = (0..columns.len()).filter(is_long).max_by_key(|&place| widths[place]) else {
                return self.write_cells(styles, out);
            };
            widths[longest] -= 1;
        }
        self.write_lines(&columns, &widths, styles, out)?;
        let titles: Vec<&str> = zeros.iter().map(|&column| self.head[column].0).collect();
        if titles.is_empty() { Ok(()) } else { writeln!(out, "all zero: {}", titles.join(", ")) }
    }

    /// The columns beside each other, in these widths.
    fn write_lines(&self, columns: &[usize], widths: &[usize], styles: &Styles, out: &mut dyn Write) -> io::Result<()> {
        let titles: Vec<Vec<String>> =
            columns.iter().zip(widths).map(|(&column, &width)| wrapped(self.head[column].0, width)).collect();
        let num_lines = titles.iter().map(Vec::len).max().unwrap_or(0);
        for line in (0..num_lines).rev() {
            // The last lines of all titles are beside each other.
            let parts = titles.iter().map(|lines| lines.iter().rev().nth(line).cloned().unwrap_or_default());
            writeln!(out, "{}{}{:#}", styles.heading, self.line(columns, parts, widths), styles.heading)?;
        }
        self.rows.iter().try_for_each(|row| {
            let cells = columns.iter().zip(widths).map(|(&column, &width)| shortened(&row[column], width));
            writeln!(out, "{}", self.line(columns, cells, widths))
        })
    }

    /// Whether the column has a number in each row, and that is zero.
    fn is_zero(&self, column: usize) -> bool {
        let is_number = self.head[column].1 == Align::Right && !self.rows.is_empty();
        is_number && self.rows.iter().all(|row| row[column] == "0")
    }

    /// The width of the column under this title.
    fn column_width(&self, column: usize, title: &str) -> usize {
        let cells = self.rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count());
        cells.filter(|&width| width <= WIDEST).chain([title.chars().count()]).max().unwrap_or(0)
    }

    fn line(&self, columns: &[usize], cells: impl Iterator<Item = String>, widths: &[usize]) -> String {
        let mut line = String::new();
        for ((cell, &width), &column) in cells.zip(widths).zip(columns) {
            if !line.is_empty() {
                line.push_str(&" ".repeat(GAP));
            }
            // No width of a format string, which panics beyond 16 bits.
            let blanks = " ".repeat(width.saturating_sub(cell.chars().count()));
            match self.head[column].1 {
                Align::Left => line.extend([cell, blanks]),
                Align::Right => line.extend([blanks, cell]),
            }
        }
        line.truncate(line.trim_end().len());
        line
    }

    /// The first cell of a row on its own, the others below.
    fn write_cells(&self, styles: &Styles, out: &mut dyn Write) -> io::Result<()> {
        let titles = self.head.iter().map(|(title, _)| title.len()).max().unwrap_or(0);
        for row in &self.rows {
            for (index, (cell, (title, _))) in row.iter().zip(&self.head).enumerate() {
                match index {
                    0 => writeln!(out, "{}{cell}{:#}", styles.heading, styles.heading)?,
                    _ => writeln!(out, "  {title}{}  {cell}", " ".repeat(titles - title.len()))?,
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Align, Table};
    use crate::console::Styles;

    fn text(width: Option<usize>) -> String {
        let mut table = Table::new([("engine", Align::Left), ("phis", Align::Right)]);
        table.row(["marker".to_owned(), "7".to_owned()]);
        table.row(["braun-operand".to_owned(), "12345".to_owned()]);
        let mut out = Vec::new();
        table.write(width, &Styles::default(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn columns_are_as_wide_as_their_cells() {
        let expected = "engine          phis\nmarker             7\nbraun-operand  12345\n";
        assert_eq!((text(None), text(Some(20))), (expected.to_owned(), expected.to_owned()));
    }

    #[test]
    fn a_long_cell_makes_its_own_line_longer_and_no_other() {
        let mut table = Table::new([("name", Align::Left), ("phis", Align::Right)]);
        let long = "a".repeat(1 << 16);
        table.row([long.clone(), "7".to_owned()]);
        table.row(["short".to_owned(), "12345".to_owned()]);
        let mut out = Vec::new();
        table.write(None, &Styles::default(), &mut out).unwrap();
        let expected = format!("name    phis\n{long}      7\nshort  12345\n");
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn long_names_give_way() {
        assert_eq!(text(Some(19)), "engine         phis\nmarker            7\nbraun…perand  12345\n");
    }

    #[test]
    fn titles_take_several_lines_where_there_is_no_room() {
        let mut table =
            Table::new([("input", Align::Left), ("memory: operations", Align::Right), ("phis left", Align::Right)]);
        table.row(["a.wasm", "17", "5"].map(str::to_owned));
        let mut out = Vec::new();
        table.write(Some(26), &Styles::default(), &mut out).unwrap();
        let expected = "           memory:  phis\ninput   operations  left\na.wasm          17     5\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn what_is_too_wide_gets_a_line_per_cell() {
        assert_eq!(text(Some(14)), "marker\n  phis    7\nbraun-operand\n  phis    12345\n");
    }

    #[test]
    fn columns_of_zeros_are_named_where_there_is_no_room() {
        let head = [("file", Align::Left), ("phis", Align::Right), ("differ", Align::Right), ("refused", Align::Right)];
        let mut table = Table::new(head);
        for (file, phis) in [("a/long/path/to/one.wasm", "12"), ("b.wasm", "0")] {
            table.row([file, phis, "0", "0"].map(str::to_owned));
        }
        let text = |width| {
            let mut out = Vec::new();
            table.write(Some(width), &Styles::default(), &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        let lines = |width, first: &str| {
            let rows = [("file", "phis"), (first, "12"), ("b.wasm", "0")];
            let line = |(file, phis): (&str, &str)| {
                let blanks = " ".repeat(width - file.chars().count());
                format!("{file}{blanks}  {phis:>4}\n")
            };
            rows.map(line).concat() + "all zero: differ, refused\n"
        };
        assert_eq!(text(46).lines().next(), Some("file                     phis  differ  refused"));
        assert_eq!(text(29), lines(23, "a/long/path/to/one.wasm"));
        assert_eq!(text(24), lines(18, "a/long/p…/one.wasm"));
    }
}
