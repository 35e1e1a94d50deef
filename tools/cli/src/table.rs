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

impl Table {
    /// A table without rows.
    pub(crate) fn new(head: impl IntoIterator<Item = (&'static str, Align)>) -> Self {
        Self { head: head.into_iter().collect(), rows: Vec::new() }
    }

    /// Appends a row: one cell per column.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Writes it. Where lines of `width` characters are too short for it, each cell gets a line.
    ///
    /// # Errors
    /// Where `out` has one.
    pub(crate) fn write(&self, width: Option<usize>, styles: &Styles, out: &mut dyn Write) -> io::Result<()> {
        let widths: Vec<usize> = (0..self.head.len()).map(|column| self.column_width(column)).collect();
        let total = widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1);
        if width.is_some_and(|width| width < total) {
            return self.write_cells(styles, out);
        }
        let head: Vec<String> = self.head.iter().map(|(title, _)| (*title).to_owned()).collect();
        writeln!(out, "{}{}{:#}", styles.heading, self.line(&head, &widths), styles.heading)?;
        self.rows.iter().try_for_each(|row| writeln!(out, "{}", self.line(row, &widths)))
    }

    fn column_width(&self, column: usize) -> usize {
        let cells = self.rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count());
        cells.filter(|&width| width <= WIDEST).chain([self.head[column].0.chars().count()]).max().unwrap_or(0)
    }

    fn line(&self, cells: &[String], widths: &[usize]) -> String {
        let mut line = String::new();
        for ((cell, &width), (_, align)) in cells.iter().zip(widths).zip(&self.head) {
            if !line.is_empty() {
                line.push_str(&" ".repeat(GAP));
            }
            // No width of a format string, which panics beyond 16 bits.
            let blanks = " ".repeat(width.saturating_sub(cell.chars().count()));
            match align {
                Align::Left => line.extend([cell, blanks.as_str()]),
                Align::Right => line.extend([blanks.as_str(), cell]),
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
    fn what_is_too_wide_gets_a_line_per_cell() {
        assert_eq!(text(Some(19)), "marker\n  phis    7\nbraun-operand\n  phis    12345\n");
    }
}
