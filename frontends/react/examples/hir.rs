//! Prints the HIR of the functions of a file, before and after each pass, for programs to read.
//!
//! usage: `hir FILE [--all]`; with `--all`, each function that is not a method is also lowered by itself.
//!
//! Each function begins with a line of `==`, the bytes where it starts and ends, and `ok` or why there is no HIR of it. Each form of it
//! begins with a line of `--` and the name of the stage.

use ssaphire_js::source::{SourceKind, with_types};
use ssaphire_react::{HirFunction, Roots, Stage, Style, Unsupported, ZeroSigns, lower, print, run_to};
use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    match run() {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<String, Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("usage: hir FILE [--all]")?;
    let roots = if arguments.next().as_deref() == Some("--all") { Roots::All } else { Roots::TopLevel };
    let extension = Path::new(&path).extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let kind = SourceKind::from_extension(extension).ok_or("not a file of JavaScript")?;
    let source = std::fs::read_to_string(&path)?;
    let lowered = with_types(&source, kind, |parsed| lower(&parsed, roots))?;
    let mut text = String::new();
    for root in lowered {
        let stages = root.hir.and_then(|hir| stages(&hir));
        match stages {
            Ok(stages) => writeln!(text, "== {} {} ok\n{stages}", root.span.start, root.span.end)?,
            Err(error) => writeln!(text, "== {} {} {}", root.span.start, root.span.end, error.reason)?,
        }
    }
    Ok(text)
}

fn stages(hir: &HirFunction) -> Result<String, Unsupported> {
    let mut text = String::new();
    for stage in Stage::ALL {
        let mut form = hir.clone();
        run_to(&mut form, stage, ZeroSigns::AsInReact100)?;
        text += &format!("-- {}\n{}\n", stage.name(), print(&form, Style::React100));
    }
    Ok(text.trim_end().to_owned())
}
