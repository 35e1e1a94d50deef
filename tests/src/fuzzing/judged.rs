//! Any function of the reference IR, made SSA form and judged as the command judges it.

use crate::functions::{self, Rng, Shape};
use ssaphire::check::{Mode, ProgramEvent, isomorphic_by};
use ssaphire::{Certified, Options, SsaBuilder, Stopped};
use ssaphire_ir::judge::{Demands, Inspector, Refusal};
use ssaphire_ir::{Basic, Function, to_ssa_in_order};
use ssaphire_literature::{AnyBuilder, Engine};

/// The function that the bytes say.
pub fn decode(bytes: &[u8]) -> Function<Basic> {
    let byte = |place: usize| bytes.get(place).copied().unwrap_or(0);
    let seed = bytes.iter().fold(0, |seed: u64, &byte| seed.rotate_left(8) ^ u64::from(byte));
    functions::generate(Shape::ALL[usize::from(byte(0)) % Shape::ALL.len()], 1 + usize::from(byte(1)) % 13, seed)
}

/// What `engine` makes of the function, and why that is refused; nothing where the engine cannot build it.
pub fn build(
    function: &Function<Basic>,
    engine: Engine,
    seed: u64,
    inspector: &mut Inspector,
) -> Option<(Function<Basic>, Vec<Refusal>)> {
    let options = Options::default();
    let demands = Demands::of(Mode::Exact, &options);
    let mut ssa = Certified::with_builder(AnyBuilder::with_options(engine, options));
    // The inspector judges it, and what it refuses is an answer here.
    ssa.set_judging(false);
    let shuffled = |mut blocks: Vec<_>| {
        let mut rng = Rng::new(seed);
        (1..blocks.len()).rev().filter(|_| seed > 0).for_each(|place| blocks.swap(place, rng.below(place + 1)));
        blocks
    };
    let built = match to_ssa_in_order(function, &mut ssa, shuffled) {
        Ok(built) => built,
        Err(_) if engine == Engine::Structured && ssa.builder().stopped() == Some(Stopped::Refused) => return None,
        Err(error) => panic!("{engine}: {error}\n{function}"),
    };
    let judgement = inspector.judge(&built, &mut ssa, demands);
    let mut refusals = judgement.refusals;
    let program = inspector.program_mut();
    let events = program.blocks().flat_map(|block| program.event_list(block));
    let num_claims = events.filter(|event| matches!(event, ProgramEvent::Use { .. })).count();
    // What a copy reads may be dropped with it; what an instruction uses is claimed.
    let (num_reads, num_unclaimed) = (ssa.stats().reads as usize, ssa.num_unclaimed());
    if num_claims + num_unclaimed != num_reads {
        let counts = format!("{num_claims} claims and {num_unclaimed} dropped for {num_reads} reads");
        refusals.push(Refusal { rule: "claims", subject: "certificate", message: counts });
    }
    Some((built, refusals))
}

/// Whether the two are the same up to the names of values.
pub fn is_same(one: &Function<Basic>, other: &Function<Basic>) -> bool {
    let same_global = |left, right| one.value(left).kind == other.value(right).kind;
    isomorphic_by(one, other, same_global).is_ok()
}

/// Every engine makes the same of the function, in any order of blocks, claims every read, and is accepted.
///
/// # Panics
/// If one does not.
pub fn check(bytes: &[u8]) {
    let (function, mut inspector) = (decode(bytes), Inspector::default());
    let mut first: Option<Function<Basic>> = None;
    for &engine in Engine::ALL {
        for seed in [0, 1 + bytes.len() as u64] {
            let Some((built, refusals)) = build(&function, engine, seed, &mut inspector) else {
                assert_eq!(engine, Engine::Structured, "{function}");
                continue;
            };
            assert_eq!(refusals, [], "{engine}\n{function}\n{built}");
            let first = first.get_or_insert_with(|| built.clone());
            assert!(is_same(first, &built), "{engine}\n{function}\n{first}\n{built}");
        }
    }
}
