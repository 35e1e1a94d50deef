//! Times parsing, lowering and the SSA form of files: `time FILE...`, best of several runs, on one core.

use ssaphire::{Builder, Certified};
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
            let times = with_parsed(&source, kind, |parsed| {
                let parsing = begin.elapsed();
                let begin = Instant::now();
                let mut ssa: Certified<Builder> = Certified::default();
                ssa.set_recording(false);
                let program = ssaphire_js::lower_with(&parsed, &mut ssa, |_, _| {})?;
                let lowering = begin.elapsed();
                let begin = Instant::now();
                drop(ssaphire_js::lower_to_variables(&parsed)?);
                Ok::<_, ssaphire_js::LowerError>(([parsing, lowering, begin.elapsed()], program.functions.len()))
            })??;
            functions = times.1;
            for (best, time) in best.iter_mut().zip(times.0) {
                *best = time.min(*best);
            }
        }
        let [parsing, lowering, variables] = best;
        println!(
            "{file}: {functions} functions, parse {parsing:?}, lower and SSA {lowering:?}, variable form {variables:?}"
        );
    }
    Ok(())
}
