//! Programs that are lowered, judged and written back.

use ssaphire::Certified;
use ssaphire_js::Program;
use ssaphire_js::source::{SourceKind, with_parsed};
use ssaphire_js::write::{WriteOptions, write};

/// The extension and text of a program, and what is written for it.
const PROGRAMS: &[(&str, &str, &str)] = &[
    ("js", include_str!("../programs/loops.js"), include_str!("../programs/loops.out.js")),
    ("js", include_str!("../programs/closures.js"), include_str!("../programs/closures.out.js")),
    ("js", include_str!("../programs/exceptions.js"), include_str!("../programs/exceptions.out.js")),
    ("ts", include_str!("../programs/typed.ts"), include_str!("../programs/typed.out.js")),
];

/// Compares the texts.
pub(crate) fn check() -> Result<(), String> {
    for (extension, source, expected) in PROGRAMS {
        let kind = SourceKind::from_extension(extension).ok_or("no language")?;
        let program = judged(source, kind)?;
        let written = write(&program, source, &WriteOptions::default()).map_err(|error| error.to_string())?;
        if written.text != *expected {
            return Err(format!("written otherwise:\n{}", written.text));
        }
    }
    Ok(())
}

/// The functions of a file, each accepted by the judge.
pub(crate) fn judged(source: &str, kind: SourceKind) -> Result<Program, String> {
    let mut complaints = Vec::new();
    let program = with_parsed(source, kind, |parsed| {
        let mut ssa: Certified<ssaphire::Builder> = Certified::default();
        ssaphire_js::lower_with(&parsed, &mut ssa, |_, ssa| {
            complaints.extend(ssa.complaints());
        })
    });
    let program = program.map_err(|error| error.to_string())?.map_err(|error| error.to_string())?;
    if complaints.is_empty() { Ok(program) } else { Err(complaints.join("\n")) }
}

/// An error is an error here, too.
pub(crate) fn check_error() -> Result<(), String> {
    let errors = with_parsed("let x = 1;\nlet x = (2;\n", SourceKind::SCRIPT, |_| ()).err().ok_or("accepted")?;
    match errors.0.first() {
        Some(error) if error.span.start == 21 => Ok(()),
        _ => Err(errors.to_string()),
    }
}
