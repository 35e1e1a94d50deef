//! Says which functions of a file in LLVM IR are not the promoted ones of another: `compare BEFORE.ll AFTER.ll`.

use ssaphire_llvm::judge_promotion;
use std::error::Error;
use std::fs;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(before), Some(after)) = (arguments.next(), arguments.next()) else {
        return Err("usage: compare BEFORE.ll AFTER.ll".into());
    };
    let (before, after) = (fs::read_to_string(before)?, fs::read_to_string(after)?);
    let judged = judge_promotion(&before, &after);
    let refused = judged.iter().filter_map(|(name, judged)| Some((name, judged.as_ref().err()?)));
    let num_refused = refused.inspect(|(name, reason)| println!("{name}: {reason}")).count();
    println!("{} functions, {num_refused} refused", judged.len());
    Ok(())
}
