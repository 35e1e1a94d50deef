//! Times parsing, lowering and the SSA form of files: `time FILE...`, best of several runs, on one core.
//!
//! What oxc's parser takes by itself says how fast the machine is.

use oxc_allocator::Allocator;
use oxc_parser::Parser;
use oxc_span::SourceType;
use ssaphire_js::source::{SourceKind, with_parsed};
use std::path::Path;
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for file in std::env::args().skip(1) {
        let source = std::fs::read_to_string(&file)?;
        let extension = Path::new(&file).extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let kind = SourceKind::from_extension(extension).ok_or("not a file of JavaScript")?;
        let mut best = [Duration::MAX; 3];
        let mut functions = 0;
        for _ in 0..7 {
            let begin = Instant::now();
            let allocator = Allocator::default();
            let parsed = Parser::new(&allocator, &source, SourceType::cjs()).parse();
            let alone = begin.elapsed();
            drop(parsed);
            let begin = Instant::now();
            let times = with_parsed(&source, kind, |parsed| {
                let parsing = begin.elapsed();
                let begin = Instant::now();
                let program = ssaphire_js::lower(&parsed)?;
                Ok::<_, ssaphire_js::LowerError>(([alone, parsing, begin.elapsed()], program.functions.len()))
            })??;
            functions = times.1;
            for (best, time) in best.iter_mut().zip(times.0) {
                *best = time.min(*best);
            }
        }
        let [alone, parsing, lowering] = best;
        println!(
            "{file}: {functions} functions, oxc's parser {alone:?}, parse and check {parsing:?}, lower and SSA {lowering:?}"
        );
    }
    Ok(())
}
