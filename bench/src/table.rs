//! Tables in Markdown, aligned so that they read well as text, too.

use std::fmt;

/// A table: a line of headings and lines of cells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    lines: Vec<Vec<String>>,
}

impl Table {
    /// A table with the given headings.
    pub fn new<S: Into<String>>(headings: impl IntoIterator<Item = S>) -> Self {
        Self { lines: vec![headings.into_iter().map(Into::into).collect()] }
    }

    /// Adds a line of cells.
    pub fn line<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) {
        self.lines.push(cells.into_iter().map(Into::into).collect());
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.lines.iter().map(Vec::len).max().unwrap_or(0);
        let cell = |line: &[String], column: usize| line.get(column).map_or(String::new(), Clone::clone);
        let width = |column| self.lines.iter().map(|line| cell(line, column).chars().count()).max().unwrap_or(0).max(3);
        let widths: Vec<usize> = (0..columns).map(width).collect();
        for (number, line) in self.lines.iter().enumerate() {
            for (column, &width) in widths.iter().enumerate() {
                let cell = cell(line, column);
                let blanks = " ".repeat(width - cell.chars().count());
                // Names to the left, figures to the right.
                match column {
                    0 => write!(f, "| {cell}{blanks} |")?,
                    _ => write!(f, " {blanks}{cell} |")?,
                }
            }
            writeln!(f)?;
            if number == 0 {
                for (column, &width) in widths.iter().enumerate() {
                    let (before, after) = if column == 0 { ("|", "-|") } else { ("-", ":|") };
                    write!(f, "{before}{}{after}", "-".repeat(width + usize::from(column == 0)))?;
                }
                writeln!(f)?;
            }
        }
        Ok(())
    }
}

/// A number with commas between thousands.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Table, thousands};

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let mut table = Table::new(["name", "n"]);
        table.line(["a", "1,000"]);
        assert_eq!(table.to_string(), "| name |     n |\n|------|------:|\n| a    | 1,000 |\n");
    }

    #[test]
    fn thousands_have_commas() {
        assert_eq!([0, 999, 1_000, 10_817_042].map(thousands), ["0", "999", "1,000", "10,817,042"]);
    }
}
