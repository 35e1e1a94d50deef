//! A lint: assignments that nothing reads, and variables that are read before they have a value.
//!
//! `cargo run --package ssaphire-js --example unread_assignments FILE...`

use ssaphire_js::facts::{AccessKind, Facts, SymbolKind};
use ssaphire_js::source::{Source, SourceKind, Span, with_parsed};
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for file in std::env::args().skip(1) {
        let source = std::fs::read_to_string(&file)?;
        let extension = Path::new(&file).extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let kind = SourceKind::from_extension(extension).ok_or_else(|| format!("{file}: not JavaScript"))?;
        let facts = with_parsed(&source, kind, |parsed| Facts::new(&parsed))??;
        let lines = Source::new(&source);
        let report = |span: Span, message: String| {
            let place = lines.place(span.into());
            println!("{file}:{}:{}: {message}\n{}", place.line, place.column, place.excerpt_lines());
        };
        for function in &facts.functions {
            for (number, access) in function.accesses().iter().enumerate() {
                let symbol = &facts.symbols[access.symbol.index()];
                let is_variable = matches!(symbol.kind, SymbolKind::Var | SymbolKind::Let) && !symbol.is_captured;
                let contents = function.contents_of(number);
                match access.kind {
                    AccessKind::Assign if is_variable && !function.is_read(number) => {
                        report(access.span, format!("nothing reads what `{}` gets here", symbol.name));
                    }
                    AccessKind::Read if contents.uninitialized || contents.unassigned => {
                        let writes = function.definitions_of(number).len() - 1;
                        report(
                            access.span,
                            format!("`{}` may have no value; {writes} assignments lead here", symbol.name),
                        );
                    }
                    _ => {}
                }
            }
        }
    }
    Ok(())
}
