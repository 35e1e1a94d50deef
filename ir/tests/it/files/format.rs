//! The format of a test file: a header, and cases with their input and the expected output.

use std::fmt::Write;

/// A test file.
pub(super) struct TestFile {
    /// The lines before the first case, of which the commands are a part.
    header: Vec<String>,
    pub(super) cases: Vec<Case>,
}

/// A text, and what becomes of it.
pub(super) struct Case {
    /// Its lines before the input, if it has any of its own.
    head: Vec<String>,
    /// What is applied: `pass dead-code`.
    pub(super) commands: Vec<String>,
    /// The line of the input's first line, from 1.
    pub(super) input_line: usize,
    pub(super) input: String,
    /// The line on which the expected output begins, from 1.
    pub(super) expected_line: usize,
    /// The expected output, with the line that begins it; empty if there is none.
    pub(super) expected: String,
}

/// The result of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Outcome {
    pub(super) text: String,
    /// What the command returned, if that is part of the test.
    pub(super) report: Option<String>,
}

const COMMAND: &str = "; test: ";
const CASE: &str = "; case";
const EXPECT: &str = "; expect";
const UNCHANGED: &str = "; unchanged";
const REPORT: &str = "; report: ";

/// Whether the line is this word, perhaps with more after a colon.
fn is(line: &str, word: &str) -> bool {
    line.strip_prefix(word).is_some_and(|rest| rest.is_empty() || rest.starts_with(": "))
}

fn begins_expectation(line: &str) -> bool {
    is(line, EXPECT) || is(line, UNCHANGED)
}

impl TestFile {
    /// Reads a file; an error is its line and the reason.
    pub(super) fn parse(text: &str) -> Result<Self, (usize, String)> {
        let lines: Vec<&str> = text.lines().collect();
        let is_header = |line: &&&str| line.starts_with(';') && !is(line, CASE) && !begins_expectation(line);
        let len = lines.iter().take_while(is_header).count();
        let header: Vec<String> = lines[..len].iter().map(|&line| line.to_owned()).collect();
        if header.is_empty() {
            return Err((1, "a test file opens with a `;` comment".to_owned()));
        }
        let shared = commands(&header);
        let mut cases = Vec::new();
        let mut start = len + blank(&lines[len..]);
        while start < lines.len() {
            let rest = &lines[start..];
            let is_named = is(rest[0], CASE);
            if !is_named && !cases.is_empty() {
                return Err((start + 1, "another case begins with `; case`".to_owned()));
            }
            let end = start + rest.iter().skip(1).take_while(|line| !is(line, CASE)).count() + 1;
            cases.push(Case::parse(&lines[..end], start, &shared)?);
            start = end;
        }
        if cases.is_empty() {
            return Err((len, "a test file without a case".to_owned()));
        }
        Ok(Self { header, cases })
    }

    /// The file with these outcomes as its expected output.
    pub(super) fn render(&self, outcomes: &[Vec<Outcome>]) -> String {
        let mut text = String::new();
        self.header.iter().for_each(|line| text += &format!("{line}\n"));
        for (case, outcomes) in self.cases.iter().zip(outcomes) {
            text += "\n";
            case.head.iter().for_each(|line| text += &format!("{line}\n"));
            text += &case.input;
            text += &case.render(outcomes);
        }
        text
    }
}

impl Case {
    fn parse(lines: &[&str], start: usize, shared: &[String]) -> Result<Self, (usize, String)> {
        let mut at = start;
        if is(lines[start], CASE) {
            at += 1;
            at += lines[at..].iter().take_while(|line| line.starts_with(COMMAND)).count();
        }
        let head: Vec<String> = lines[start..at].iter().map(|&line| line.to_owned()).collect();
        let own = commands(&head);
        let commands = if own.is_empty() { shared.to_vec() } else { own };
        if commands.is_empty() {
            return Err((start + 1, "no `; test: ` line names a command".to_owned()));
        }
        let input_at = at;
        let expected_at = at + lines[at..].iter().take_while(|line| !begins_expectation(line)).count();
        let input = trimmed(&lines[input_at..expected_at]);
        let expected = trimmed(&lines[expected_at..]);
        Ok(Self { head, commands, input_line: input_at + 1, input, expected_line: expected_at + 1, expected })
    }

    /// The expected output that says this.
    pub(super) fn render(&self, outcomes: &[Outcome]) -> String {
        let is_one = outcomes.windows(2).all(|pair| pair[0] == pair[1]);
        let mut text = String::new();
        for (command, outcome) in self.commands.iter().zip(outcomes).take(if is_one { 1 } else { outcomes.len() }) {
            let of = if is_one { String::new() } else { format!(": {command}") };
            let result = trimmed(&outcome.text.lines().collect::<Vec<_>>());
            if result == self.input {
                let _ = writeln!(text, "{UNCHANGED}{of}");
            } else {
                let _ = write!(text, "{EXPECT}{of}\n{result}");
            }
            if let Some(report) = &outcome.report {
                let _ = writeln!(text, "{REPORT}{report}");
            }
        }
        text
    }
}

fn commands(lines: &[String]) -> Vec<String> {
    lines.iter().filter_map(|line| line.strip_prefix(COMMAND)).map(|command| command.trim().to_owned()).collect()
}

fn blank(lines: &[&str]) -> usize {
    lines.iter().take_while(|line| line.trim().is_empty()).count()
}

/// The lines without blank ones at the end, each with a line feed.
fn trimmed(lines: &[&str]) -> String {
    let len = lines.iter().rposition(|line| !line.trim().is_empty()).map_or(0, |last| last + 1);
    lines[..len].iter().map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(text: &str, report: Option<&str>) -> Outcome {
        Outcome { text: text.to_owned(), report: report.map(str::to_owned) }
    }

    const TWO_CASES: &str = "\
; Two cases.
; test: one
; test: other

a
; unchanged: one
; report: 1
; expect: other
b

; case: of its own
; test: third
c
; with a comment
; expect
d
";

    #[test]
    fn a_file_is_cases_with_commands_and_is_written_as_it_was_read() {
        let file = TestFile::parse(TWO_CASES).unwrap();
        let [first, second] = &file.cases[..] else { panic!("two cases") };
        assert_eq!(first.commands, ["one", "other"]);
        assert_eq!((first.input_line, first.input.as_str(), first.expected_line), (5, "a\n", 6));
        assert_eq!(first.expected, "; unchanged: one\n; report: 1\n; expect: other\nb\n");
        assert_eq!(second.commands, ["third"]);
        assert_eq!((second.input_line, second.input.as_str()), (13, "c\n; with a comment\n"));
        let outcomes = [vec![outcome("a\n", Some("1")), outcome("b", None)], vec![outcome("d\n", None)]];
        assert_eq!(file.render(&outcomes), TWO_CASES);
        // Commands with one outcome share it.
        let outcomes = [vec![outcome("a", None), outcome("a\n", None)], vec![outcome("d\n", None)]];
        assert!(file.render(&outcomes).contains("\n\na\n; unchanged: one\n; unchanged: other\n"));
    }

    #[test]
    fn what_is_no_test_file_is_refused_at_its_line() {
        let refused = |text: &str| TestFile::parse(text).map(|file| file.cases.len());
        assert_eq!(refused("a\n"), Err((1, "a test file opens with a `;` comment".to_owned())));
        assert_eq!(refused("; Why.\n; test: one\n"), Err((2, "a test file without a case".to_owned())));
        assert_eq!(refused("; Why.\n\na\n; expect\n"), Err((3, "no `; test: ` line names a command".to_owned())));
        assert_eq!(refused("; Why.\n; test: one\n\n; case: empty\n; expect\nb\n"), Ok(1));
    }
}
