//! Parses, checks and lowers each file once: `once FILE...`, for counting instructions, as Callgrind does.

use ssaphire_js::source::{SourceKind, with_parsed};
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for file in std::env::args().skip(1) {
        let source = std::fs::read_to_string(&file)?;
        let extension = Path::new(&file).extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let kind = SourceKind::from_extension(extension).ok_or("not a file of JavaScript")?;
        let functions = with_parsed(&source, kind, |parsed| {
            let program = ssaphire_js::lower(&parsed)?;
            Ok::<_, ssaphire_js::LowerError>(program.functions.len())
        })??;
        println!("{file}: {functions} functions");
    }
    Ok(())
}
