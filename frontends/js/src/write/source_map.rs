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
    /// The source map of the text, which comes from `source`, a file called `name`: it maps statements
    /// and expressions.
    ///
    /// Columns count UTF-16 code units, as they do in the format.
    pub fn source_map(&self, name: &str, source: &str) -> String {
        let written = Places::new(&self.text, self.mappings.iter().map(|mapping| mapping.written));
        let origin = Places::new(source, self.mappings.iter().map(|mapping| mapping.source));
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

/// Lines and columns of some bytes of a text.
struct Places {
    /// In ascending order.
    bytes: Vec<u32>,
    found: Vec<[i64; 2]>,
}

impl Places {
    fn new(text: &str, bytes: impl Iterator<Item = u32>) -> Self {
        let mut bytes: Vec<u32> = bytes.collect();
        bytes.sort_unstable();
        bytes.dedup();
        let (mut at, mut place) = (0, [0, 0]);
        let mut found = Vec::with_capacity(bytes.len());
        for &byte in &bytes {
            let byte = (byte as usize).min(text.len());
            for (offset, c) in text.get(at..byte).unwrap_or_default().char_indices() {
                let ends_line = match c {
                    '\n' | '\u{2028}' | '\u{2029}' => true,
                    // With a line feed behind it, it ends no line of its own.
                    '\r' => text.as_bytes().get(at + offset + 1) != Some(&b'\n'),
                    _ => false,
                };
                place = if ends_line { [place[0] + 1, 0] } else { [place[0], place[1] + c.len_utf16() as i64] };
            }
            at = byte;
            found.push(place);
        }
        Self { bytes, found }
    }

    /// The line and the column of a byte.
    fn find(&self, byte: u32) -> [i64; 2] {
        self.bytes.binary_search(&byte).map_or([0, 0], |at| self.found[at])
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
