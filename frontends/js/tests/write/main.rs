//! Programs that are written again.

mod behavior;
mod by_hand;
mod forms;
mod maps;
mod size;

use ssaphire_js::source::{SourceKind, with_parsed};
use ssaphire_js::write::{WriteOptions, write};

/// A source, there and back again.
#[track_caller]
fn written(source: &str, kind: SourceKind) -> String {
    let written = with_parsed(source, kind, |parsed| {
        let program = ssaphire_js::lower(&parsed).expect("a program");
        write(&program, source, &WriteOptions::default()).expect("a program that can be written").text
    });
    written.expect("a source without errors")
}

/// What follows the helpers in a file.
fn without_helpers(text: &str) -> String {
    let mut lines = text.lines().peekable();
    let mut rest = String::new();
    while let Some(line) = lines.next() {
        if line.starts_with("var $") || line.starts_with("const $") {
            while !line.ends_with(';') && lines.next_if(|line| !matches!(*line, "};" | "})();")).is_some() {}
            if !line.ends_with(';') {
                lines.next();
            }
            continue;
        }
        rest += line;
        rest.push('\n');
    }
    rest
}
