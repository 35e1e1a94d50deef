//! Programs that are written again.

mod behavior;
mod by_hand;
mod forms;
mod kept;
mod loops;
mod maps;
mod modules;
mod names;
mod size;

use ssaphire_ir::{Arg, Inst};
use ssaphire_js::dialect::{Op, Opcode};
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

/// A source of which the functions stay as they are for whose number `stays` holds.
#[track_caller]
fn written_in_part(source: &str, kind: SourceKind, stays: impl Fn(usize) -> bool + Sync) -> String {
    let written = with_parsed(source, kind, |parsed| {
        let original = ssaphire_js::lower(&parsed).expect("a program");
        let mut program = original.clone();
        for (_, function) in program.functions.iter_mut().enumerate().filter(|(number, _)| !stays(*number)) {
            // It is changed, and does the same.
            let debugger = Inst::op(Op::new(Opcode::Debugger), [] as [Arg; 0]);
            function.body.insert_inst(function.body.entry(), 0, debugger);
        }
        let mut options = WriteOptions::default();
        options.original = Some(&original);
        write(&program, source, &options).expect("a program that can be written").text
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
