//! Says which functions of a file in LLVM IR are not the promoted ones of another: `compare BEFORE.ll AFTER.ll`.

use ssaphire_llvm::{Module, judge_promotion};
use std::error::Error;
use std::fs;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(before), Some(after)) = (arguments.next(), arguments.next()) else {
        return Err("usage: compare BEFORE.ll AFTER.ll".into());
    };
    let (before, after) = (fs::read_to_string(before)?, fs::read_to_string(after)?);
    let threads = std::thread::available_parallelism()?.get();
    let judged = judge_promotion(&Module::new(&before), &Module::new(&after), threads);
    let refused = judged.iter().filter_map(|judged| Some((&judged.name, judged.result.as_ref().err()?)));
    let num_refused = refused.inspect(|(name, refusal)| println!("{name}: {refusal}")).count();
    println!("{} functions, {num_refused} refused", judged.len());
    Ok(())
}
