//! Source maps, revision 3: lines and columns, each as the difference to the one before, in base 64.

use super::{Written, literal};

/// A place in the text that comes from a place in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// The byte of the text.
    pub written: u32,
    /// The byte of the source.
    pub source: u32,
}

impl Written {
    /// The source map of the text, which comes from `source`, a file called `name`: it maps each statement.
    ///
    /// Columns count UTF-16 code units, as they do in the format.
    pub fn source_map(&self, name: &str, source: &str) -> String {
        let mut written = Places::new(&self.text);
        let mut origin = Places::new(source);
        let mut mappings = String::new();
        // What the next segment is relative to: column, source line, source column.
        let (mut line, mut last) = (0, [0i64; 3]);
        for &Mapping { written: at, source: from } in &self.mappings {
            let ([to_line, to_column], [from_line, from_column]) = (written.find(at), origin.find(from));
            if to_line > line {
                mappings.extend(std::iter::repeat_n(';', (to_line - line) as usize));
                (line, last[0]) = (to_line, 0);
            } else if !mappings.is_empty() && !mappings.ends_with(';') {
                mappings.push(',');
            }
            let next = [to_column, from_line, from_column];
            write_number(&mut mappings, next[0] - last[0]);
            // There is one source.
            write_number(&mut mappings, 0);
            write_number(&mut mappings, next[1] - last[1]);
            write_number(&mut mappings, next[2] - last[2]);
            last = next;
        }
        let (name, source) = (json_string(name), json_string(source));
        format!(
            "{{\"version\":3,\"sources\":[{name}],\"sourcesContent\":[{source}],\"names\":[],\"mappings\":\"{mappings}\"}}"
        )
    }
}

/// Lines and columns of a text, looked up mostly in rising order.
struct Places<'t> {
    text: &'t str,
    /// A place that has been found: its byte, its line, and where that begins.
    at: usize,
    line: i64,
    start: usize,
}

impl<'t> Places<'t> {
    fn new(text: &'t str) -> Self {
        Self { text, at: 0, line: 0, start: 0 }
    }

    /// The line and the column of a byte.
    fn find(&mut self, byte: u32) -> [i64; 2] {
        let byte = (byte as usize).min(self.text.len());
        if byte < self.at {
            (self.at, self.line, self.start) = (0, 0, 0);
        }
        for (index, _) in self.text.as_bytes()[self.at..byte].iter().enumerate().filter(|&(_, &byte)| byte == b'\n') {
            self.line += 1;
            self.start = self.at + index + 1;
        }
        self.at = byte;
        let column = self.text.get(self.start..byte).map_or(0, |text| text.encode_utf16().count());
        [self.line, column as i64]
    }
}

/// A number in base 64, the least five bits first; the sign is the lowest bit.
fn write_number(out: &mut String, number: i64) {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut rest = number.unsigned_abs() << 1 | u64::from(number < 0);
    loop {
        let digit = rest & 31;
        rest >>= 5;
        let goes_on = if rest > 0 { 32 } else { 0 };
        out.push(char::from(DIGITS[(digit | goes_on) as usize]));
        if rest == 0 {
            return;
        }
    }
}

fn json_string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            '\n' => out.push_str("\\n"),
            c if c.is_control() => literal::write_escape(&mut out, u32::from(c), true),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::{Mapping, Written, write_number};

    #[test]
    fn numbers_are_those_of_the_format() {
        let written = |number| {
            let mut out = String::new();
            write_number(&mut out, number);
            out
        };
        assert_eq!([0, 1, -1, 15, 16, -16, 1000].map(written), ["A", "C", "D", "e", "gB", "hB", "w+B"]);
    }

    #[test]
    fn places_are_relative() {
        let mappings = vec![
            Mapping { written: 0, source: 4 },
            Mapping { written: 3, source: 0 },
            Mapping { written: 6, source: 7 },
        ];
        let written = Written { text: "a; b;\nc;\n".to_owned(), mappings };
        let map = written.source_map("x.js", "b;\n\na;\n\"c\";");
        assert!(map.contains("\"mappings\":\"AAEA,GAFA;AAGA\""), "{map}");
        assert!(map.contains("\"sourcesContent\":[\"b;\\n\\na;\\n\\\"c\\\";\"]"), "{map}");
    }
}
