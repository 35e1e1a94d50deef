//! Any function in memory form, unreachable code included: `mem2reg` ends, and what it makes does the same.

mod source;

use ssaphire::check::rules;
use ssaphire_ir::basic::{BasicMachine, Behavior};
use ssaphire_ir::interp::{Content, Interpreter, Limits};
use ssaphire_ir::memory::{
    MOST_ROUNDS, Memory, MemoryContent, MemoryMachine, MemoryOp, Promotion, mem2reg, promotable,
};
use ssaphire_ir::text::parse;
use ssaphire_ir::{Action, Basic, Function};

pub use source::decode;

/// A function in memory form.
pub type MemoryFunction = Function<Memory<Basic>>;

/// Arguments to run a function with, and the seed of the opaque calls it makes.
const RUNS: [([i64; 2], u64); 4] = [([0, 3], 1), ([1, 0], 2), ([2, 7], 3), ([0, 0], 4)];

/// Slots become values, and the function does what it did.
///
/// # Panics
/// If it does not, or the result is not valid, or the report is wrong.
pub fn check(bytes: &[u8]) {
    check_function(&decode(bytes));
}

/// What [`check`] does with the function of its bytes: what became of its slots.
///
/// # Panics
/// As [`check`].
pub fn check_function(source: &MemoryFunction) -> Promotion {
    assert_eq!((source.check_form(), rules(source)), (vec![], vec![]), "the input is valid: {source}");
    let mut promoted = source.clone();
    let promotion = mem2reg(&mut promoted).expect("the graph keeps its contract");
    let fail = |what: &str| -> ! { panic!("{what}:\n{source}\n{promoted}\n{promotion:?}") };
    if (promoted.check_form(), rules(&promoted)) != (vec![], vec![]) {
        fail("the result is not valid");
    }
    let mut again = source.clone();
    if mem2reg(&mut again) != Ok(promotion.clone()) || again != promoted {
        fail("the same input has two results");
    }
    check_report(source, &promoted, &promotion).unwrap_or_else(|what| fail(what));
    let mut canonical = promoted.clone();
    canonical.canonicalize();
    if parse(&canonical.to_string()).as_ref() != Ok(&canonical) {
        fail("what is printed is not read back");
    }
    for (args, seed) in RUNS {
        let [before, after] = [source, &promoted].map(|function| behavior(function, args, seed));
        if !after.refines(&before) {
            fail(&format!("with {args:?}\n{before}\nbecomes\n{after}\n"));
        }
    }
    promotion
}

/// Everything counted is gone, and everything that could go is.
fn check_report(source: &MemoryFunction, promoted: &MemoryFunction, report: &Promotion) -> Result<(), &'static str> {
    let Promotion { unused, single_store, single_block, general, phis_placed, phis_folded, .. } = *report;
    let ([slots, accesses, phis], [slots_left, accesses_left, phis_left]) = (count(source), count(promoted));
    let wrong = [
        (report.promoted != unused + single_store + single_block + general, "the kinds of slots are not all"),
        (slots != slots_left + report.promoted, "slots promoted are not those gone"),
        (accesses != accesses_left + report.accesses, "accesses are not those gone"),
        (phis + phis_placed != phis_left + phis_folded, "phis left are not those placed and not folded"),
        (report.kept.len() != slots_left, "slots kept are not those left"),
        (promotable(promoted) != report.kept, "a slot is left that could become a value"),
        (report.rounds > MOST_ROUNDS, "there are too many rounds"),
    ];
    wrong.into_iter().find(|(is_wrong, _)| *is_wrong).map_or(Ok(()), |(_, what)| Err(what))
}

/// The slots of a function, its loads and stores, and its phis.
fn count(function: &MemoryFunction) -> [usize; 3] {
    let mut counts = [0; 3];
    for block in function.blocks().map(|block| function.block(block)) {
        counts[2] += block.phis().len();
        for inst in block.insts().iter() {
            match inst.action {
                Action::Op(MemoryOp::Slot(_)) => counts[0] += 1,
                Action::Op(MemoryOp::Load { .. } | MemoryOp::Store { .. }) => counts[1] += 1,
                _ => {}
            }
        }
    }
    counts
}

fn behavior(function: &MemoryFunction, args: [i64; 2], seed: u64) -> Behavior {
    let mut machine = MemoryMachine::new(BasicMachine::new(seed, vec![]));
    let limits = Limits { steps: 400, frames: 10 };
    let args = args.map(|arg| Content::Known(MemoryContent::Inner(arg.into()))).to_vec();
    let outcome = Interpreter::new(std::slice::from_ref(function), limits).run(&mut machine, 0, args);
    let inner = |content| match content {
        Content::Known(MemoryContent::Inner(datum)) => Content::Known(datum),
        _ => Content::Undefined,
    };
    let outcome = outcome.map(|contents| contents.into_iter().map(inner).collect()).map_err(|trap| trap.kind);
    Behavior { trace: machine.inner.trace().to_vec(), outcome }
}
