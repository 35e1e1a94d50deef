//! A smaller program with the same fate.
//!
//! Lines are tried in groups that keep brackets balanced: statements and whole blocks are left out, blocks are replaced by
//! what they contain, for as long as the smaller program `is_bad` still.

/// The smallest program found by leaving out parts of `program` for which `is_bad`; `program` itself is bad.
pub fn shrink(program: &str, is_bad: &mut dyn FnMut(&str) -> bool) -> String {
    let mut text = program.to_owned();
    loop {
        let before = text.len();
        text = without_lines(&text, is_bad);
        text = without_groups(text, is_bad);
        if text.len() >= before {
            return text;
        }
    }
}

fn without_lines(program: &str, is_bad: &mut dyn FnMut(&str) -> bool) -> String {
    let mut lines: Vec<String> = program.lines().map(str::to_owned).collect();
    loop {
        let before = lines.len();
        let mut start = 0;
        while start < lines.len() {
            match smaller(&lines, start, is_bad) {
                Some(fewer) => lines = fewer,
                None => start += 1,
            }
        }
        if lines.len() == before {
            return lines.join("\n") + "\n";
        }
    }
}

/// `text` with what stands in brackets replaced by less: a number, nothing, the last argument alone.
fn without_groups(mut text: String, is_bad: &mut dyn FnMut(&str) -> bool) -> String {
    let mut start = 0;
    while start < text.len() {
        let shorter =
            replacements(&text, start).into_iter().find(|shorter| shorter.len() < text.len() && is_bad(shorter));
        match shorter {
            Some(shorter) => text = shorter,
            None => start += 1,
        }
    }
    text
}

/// Texts in which the group that opens at `start` is replaced by something shorter, the shortest first.
fn replacements(text: &str, start: usize) -> Vec<String> {
    let Some(end) = text.as_bytes().get(start).and_then(|_| end_of_group(text, start)) else { return Vec::new() };
    let (before, inner, behind) = (&text[..start], &text[start + 1..end - 1], &text[end..]);
    // With the name of the function that is called.
    let callee = before.trim_end_matches(|character: char| character.is_alphanumeric() || "_.#?".contains(character));
    let mut texts = Vec::new();
    match text.as_bytes()[start] {
        b'(' => {
            texts.push(format!("{callee}1{behind}"));
            texts.push(format!("{before}(){behind}"));
            texts.push(format!("{before}(1){behind}"));
            if let Some((_, last)) = inner.split_once(", ") {
                texts.push(format!("{callee}({last}){behind}"));
                texts.push(format!("{before}({last}){behind}"));
            }
            texts.push(format!("{callee}({inner}){behind}"));
            texts.push(format!("{before}{inner}{behind}"));
        }
        b'[' => {
            texts.push(format!("{before}[]{behind}"));
            texts.push(format!("{before}{inner}{behind}"));
        }
        _ => texts.push(format!("{before}{{}}{behind}")),
    }
    texts
}

/// Where the bracket that opens at `start` is closed, if there is one.
fn end_of_group(text: &str, start: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (index, byte) in text.bytes().enumerate().skip(start) {
        match byte {
            b'{' | b'(' | b'[' => depth += 1,
            b'}' | b')' | b']' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return (index > start).then_some(index + 1);
        }
    }
    None
}

/// The lines with something left out that begins at `start`, if they are still bad.
fn smaller(lines: &[String], start: usize, is_bad: &mut dyn FnMut(&str) -> bool) -> Option<Vec<String>> {
    let ends = ends_of_groups(lines, start);
    let mut try_one = |kept: Vec<String>| is_bad(&kept.join("\n")).then_some(kept);
    // The longest group first.
    for &end in ends.iter().rev() {
        let kept = [&lines[..start], &lines[end..]].concat();
        if let Some(kept) = try_one(kept) {
            return Some(kept);
        }
    }
    let first = *ends.first()?;
    if first > start + 2 {
        let kept = [&lines[..start], &lines[start + 1..first - 1], &lines[first..]].concat();
        return try_one(kept);
    }
    None
}

/// Where groups of lines with balanced brackets end that begin at `start`: after one statement, and after some more.
fn ends_of_groups(lines: &[String], start: usize) -> Vec<usize> {
    let (mut depth, mut ends) = (0i64, Vec::new());
    for (index, line) in lines.iter().enumerate().skip(start) {
        let (lowest, change) = balance(line);
        if depth + lowest < 0 && !(depth > 0 && depth + change >= 0) {
            break;
        }
        depth += change;
        if depth == 0 {
            ends.push(index + 1);
            if ends.len() == 8 {
                break;
            }
        }
    }
    ends
}

/// How deep a line goes below its beginning at the lowest, and at its end.
fn balance(line: &str) -> (i64, i64) {
    let (mut lowest, mut depth) = (0, 0);
    for byte in line.bytes() {
        match byte {
            b'{' | b'(' | b'[' => depth += 1,
            b'}' | b')' | b']' => depth -= 1,
            _ => {}
        }
        lowest = lowest.min(depth);
    }
    (lowest, depth)
}

#[cfg(test)]
mod tests {
    use super::shrink;

    #[test]
    fn what_does_not_matter_is_left_out() {
        let program =
            "let a = 1;\nif (a) {\n  log(a);\n  bad();\n} else {\n  log(2);\n}\nlet b = () => {\n  log(3);\n};\n";
        let mut is_bad = |text: &str| {
            let (lowest, depth) = super::balance(text);
            lowest == 0 && depth == 0 && !text.starts_with("else") && text.contains("bad()")
        };
        assert_eq!(shrink(program, &mut is_bad).trim(), "bad();");
        let mut is_bad = |text: &str| text.contains("x + 1");
        let shrunk = shrink("log(a, f((x + 1), [bcd]), { def });\n", &mut is_bad);
        assert!(shrunk.len() < 16, "{shrunk}");
    }
}
