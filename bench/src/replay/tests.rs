//! Replays do what the trace says, in every builder.

use super::{CraneliftReplay, Decoder, EngineReplay, Floor, WholeReplay};
use crate::judge;
use crate::results;
use crate::trace::sample::random_trace;
use crate::trace::text;
use ssaphire::Block;
use ssaphire_literature::Engine;
use ssaphire_literature::whole::Answer;

/// `x = 0; while (..) { if (..) x = 1 } return x`
const LOOP: &str = "ssatrace 1
function
variable i32
block # 0 entry
block # 1 header
block # 2 body
block # 3 then
block # 4 latch
block # 5 after
switch 0
seal 0
fresh i32
write 0 0
jump 1
switch 1
branch 2 5
seal 2
switch 2
branch 3 4
seal 3
switch 3
fresh i32
write 0 1
jump 4
seal 4
switch 4
jump 1
seal 1
seal 5
switch 5
read 0
return
end
";

#[test]
fn a_loop_gets_its_two_phis() {
    let trace = text::parse(LOOP).unwrap();
    for &engine in Engine::ALL {
        let mut replay = EngineReplay::new(engine);
        for function in trace.functions() {
            let stats = replay.replay(function);
            assert_eq!((stats.reads, stats.writes, stats.edges, stats.phis_kept), (1, 2, 7, 2), "{engine}");
        }
        let blocks: Vec<Block> = replay.host().phis().iter().map(|phi| phi.block).collect();
        assert_eq!(blocks, [1, 4].map(Block::new), "{engine}");
        assert_eq!(replay.host().operands().len(), 4, "{engine}");
    }
    let result = results::of_cranelift(&trace);
    assert_eq!((result.built.params, result.built.arguments), (2, 4));
    assert_eq!(result.cleaned, result.built);
}

#[test]
fn a_whole_loop_has_its_two_phis() {
    let trace = text::parse(LOOP).unwrap();
    for &engine in Engine::AT_THE_END {
        let mut replay = WholeReplay::new(engine);
        for _ in 0..2 {
            let answers = trace.functions().map(|function| replay.replay(function)).next().unwrap();
            let blocks: Vec<Block> = answers.phis().iter().map(|phi| phi.block).collect();
            assert_eq!(blocks, [1, 4].map(Block::new), "{engine}");
            assert_eq!(answers.read(Block::new(5), 0), Some(Answer::Phi(0)), "{engine}");
        }
    }
}

#[test]
fn where_a_builder_keeps_phis_a_whole_form_has_them_too() {
    let trace = random_trace(6, 1_000);
    let (mut builder, mut whole) = (EngineReplay::new(Engine::Auto), WholeReplay::new(Engine::Pruned));
    let mut num_phis = 0;
    for function in trace.functions() {
        builder.replay(function);
        let answers = whole.replay(function);
        let placed = |block| answers.phis().iter().filter(|phi| phi.block == block).count();
        for phi in builder.host().phis() {
            let kept = builder.host().phis().iter().filter(|other| other.block == phi.block).count();
            assert!(kept <= placed(phi.block), "{}", phi.block);
            num_phis += 1;
        }
    }
    assert!(num_phis > 500, "{num_phis}");
}

#[test]
fn every_engine_is_accepted_on_random_functions() {
    let trace = random_trace(4, 1_000);
    for engine in Engine::ALL.iter().copied().filter(|engine| engine.takes_any_graph()) {
        assert_eq!(judge::refusals(engine, &trace), [], "{engine}");
    }
}

#[test]
fn cranelift_takes_random_functions_too() {
    let trace = random_trace(5, 1_000);
    let result = results::of_cranelift(&trace);
    let kept = results::of_engine(Engine::default(), &trace).phis_kept;
    assert!(result.built.params > 0 && result.cleaned.params <= result.built.params, "{result:?}");
    assert!(kept <= result.cleaned.params, "{kept} phis, {result:?}");
    let mut replay = CraneliftReplay::default();
    for function in trace.functions() {
        replay.skeleton(function);
        assert_eq!(replay.params(), super::Params::default());
    }
}

#[test]
fn the_floor_and_the_decoder_read_every_word() {
    let trace = text::parse(LOOP).unwrap();
    let (mut decoder, mut floor) = (Decoder::default(), Floor::default());
    for function in trace.functions() {
        let (first, second) = (decoder.replay(function), decoder.replay(function));
        assert_eq!(second, 2 * first);
        assert!(floor.replay(function) > 0);
    }
}
