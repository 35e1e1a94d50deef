//! Promotes the slots of a file of textual LLVM IR: `promote IN.ll OUT.ll`.

use std::error::Error;
use std::fs;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(input), Some(output)) = (arguments.next(), arguments.next()) else {
        return Err("usage: promote IN.ll OUT.ll".into());
    };
    let text = fs::read_to_string(&input)?;
    let mut written = Vec::with_capacity(text.len());
    let promotion = ssaphire_llvm::promote(&text, &mut written)?;
    for (function, reason) in &promotion.skipped {
        eprintln!("{input}: {}: {reason}", function.name);
    }
    eprintln!("{} functions promoted, {} unchanged", promotion.promoted, promotion.unchanged);
    Ok(fs::write(output, written)?)
}
