//! The inputs of the tests, out of the files that have them.

use oxc_allocator::Allocator;
use oxc_ast::ast::Statement;
use oxc_parser::{ParseOptions, Parser};
use oxc_span::{GetSpan, SourceType};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::str::Chars;

/// The input of one test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snippet {
    /// The file, relative to the checkout, and the test or the line in it.
    pub name: String,
    /// The program.
    pub text: String,
}

/// Where UglifyJS and terser have the tests of their compressors, below a checkout.
const COMPRESS: &str = "test/compress";

/// Where esbuild has the tests of its parser of JavaScript, below a checkout.
const PARSER: &str = "internal/js_parser/js_parser_test.go";

/// The calls of [`PARSER`] whose second argument is a program that the parser accepts.
const PRINTED: [&str; 4] =
    ["expectPrinted(", "expectPrintedMangle(", "expectPrintedNormalAndMangle(", "expectPrintedASCII("];

/// The inputs of all tests of the checkout at `root`, by name.
///
/// # Errors
/// If a file cannot be read, or there are no tests.
pub fn snippets(root: &Path) -> io::Result<Vec<Snippet>> {
    let mut all = Vec::new();
    if root.join(COMPRESS).is_dir() {
        for file in scripts_of(&root.join(COMPRESS))? {
            all.extend(compressed(&name_of(root, &file), &fs::read_to_string(&file)?));
        }
    } else {
        all = printed(PARSER, &fs::read_to_string(root.join(PARSER))?);
    }
    match all.is_empty() {
        true => Err(io::Error::other(format!("{}: no tests of UglifyJS, terser or esbuild", root.display()))),
        false => Ok(all),
    }
}

fn name_of(root: &Path, file: &Path) -> String {
    file.strip_prefix(root).unwrap_or(file).display().to_string()
}

/// The scripts of a folder, sorted.
fn scripts_of(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        files.push(entry?.path());
    }
    files.retain(|file| file.extension().is_some_and(|extension| extension == "js"));
    files.sort();
    Ok(files)
}

/// The inputs of a file of tests: `name: { input: { program } }`.
fn compressed(file: &str, text: &str) -> Vec<Snippet> {
    let allocator = Allocator::default();
    let options = ParseOptions { allow_return_outside_function: true, ..ParseOptions::default() };
    // The inputs are not one program: names are declared again and again.
    let parsed = Parser::new(&allocator, text, SourceType::script()).with_options(options).parse();
    let mut all = Vec::new();
    for statement in &parsed.program.body {
        let Some((test, parts)) = labeled(statement) else { continue };
        for (part, body) in parts.iter().filter_map(labeled) {
            if let (("input", Some(first)), Some(last)) = ((part, body.first()), body.last()) {
                let text = text[first.span().start as usize..last.span().end as usize].to_owned();
                all.push(Snippet { name: format!("{file} {test}"), text });
            }
        }
    }
    all
}

/// The label and the statements of a labeled block.
fn labeled<'t, 'a>(statement: &'t Statement<'a>) -> Option<(&'t str, &'t [Statement<'a>])> {
    let Statement::LabeledStatement(statement) = statement else { return None };
    let Statement::BlockStatement(block) = &statement.body else { return None };
    Some((statement.label.name.as_str(), &block.body))
}

/// The programs of a file of tests in Go: strings that calls get, each on a line of its own.
fn printed(file: &str, text: &str) -> Vec<Snippet> {
    let mut all = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim_start();
        let Some(call) = PRINTED.iter().find(|call| line.starts_with(*call)) else { continue };
        let argument = line[call.len()..].trim_start_matches("t, ");
        if let Some(text) = go_string(argument).filter(|text| !text.is_empty()) {
            all.push(Snippet { name: format!("{file} {}", number + 1), text });
        }
    }
    all
}

/// The value of the string of Go at the start of `text`.
fn go_string(text: &str) -> Option<String> {
    if let Some(raw) = text.strip_prefix('`') {
        return raw.split_once('`').map(|(raw, _)| raw.to_owned());
    }
    let mut value = Vec::new();
    let mut characters = text.strip_prefix('"')?.chars();
    let digits = |characters: &mut Chars<'_>, count: usize| {
        let digits: String = characters.by_ref().take(count).collect();
        u32::from_str_radix(&digits, 16).ok()
    };
    loop {
        match characters.next()? {
            '"' => return String::from_utf8(value).ok(),
            '\\' => {}
            other => {
                value.extend(other.to_string().into_bytes());
                continue;
            }
        }
        let code = match characters.next()? {
            'n' => 10,
            'r' => 13,
            't' => 9,
            'v' => 11,
            'b' => 8,
            'f' => 12,
            'x' => {
                // A byte, and not a character.
                value.push(u8::try_from(digits(&mut characters, 2)?).ok()?);
                continue;
            }
            'u' => digits(&mut characters, 4)?,
            'U' => digits(&mut characters, 8)?,
            other => u32::from(other),
        };
        value.extend(char::from_u32(code)?.to_string().into_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::{compressed, go_string, printed};

    #[test]
    fn inputs_are_statements_of_labeled_blocks() {
        let file = "first: { options = { a: 1 }; input: { f(); let x = 1; } expect: { f(); } }\nsecond: { input: {} }";
        let all = compressed("file.js", file);
        assert_eq!(all.len(), 1);
        assert_eq!((all[0].name.as_str(), all[0].text.as_str()), ("file.js first", "f(); let x = 1;"));
    }

    #[test]
    fn strings_of_go_are_read() {
        assert_eq!(go_string(r#""a\n\"\u00e9\xc3\xa9\\" + x"#).as_deref(), Some("a\n\"éé\\"));
        assert_eq!(go_string("`a\\n`").as_deref(), Some("a\\n"));
        assert_eq!(go_string("fmt.Sprintf(x)"), None);
        let lines = "\texpectPrinted(t, \"a\", \"a;\\n\")\n\texpectParseError(t, \"(\", \"\")";
        assert_eq!(printed("x.go", lines).len(), 1);
    }
}
