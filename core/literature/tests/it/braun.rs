//! What a caller of the builder sees: results, errors, and events.

use crate::recorder::{Recorder, block, finish, kind, terminate, var, write};
use ssaphire_construct::{
    Builder, Call, CallError, CallErrorKind, Certainty, Event, Observed, Options, SsaBuilder, SsaBuilderExt, Stopped,
    Strict,
};
use ssaphire_graph::FlatCfg;
use ssaphire_literature::{AnyBuilder, Engine};

fn builders() -> impl Iterator<Item = AnyBuilder> {
    Engine::ON_THE_FLY.iter().copied().map(AnyBuilder::new)
}

fn without_minimize(engine: Engine) -> AnyBuilder {
    let mut options = Options::default();
    options.minimize = false;
    AnyBuilder::with_options(engine, options)
}

/// Braun et al. 2013, Fig. 2: `x = ..; while (..) { if (..) { x = .. } } use x`.
///
/// Blocks: 0 before, 1 header, 2 body, 3 write, 4 join, 5 after.
fn figure_2(builder: &mut AnyBuilder, host: &mut Recorder) -> Vec<String> {
    let first = write(builder, host, 0, 0);
    terminate(builder, 0, &[1]);
    terminate(builder, 1, &[2, 5]);
    for sealed in [2, 5] {
        builder.seal_block(host, block(sealed));
    }
    terminate(builder, 2, &[3, 4]);
    builder.seal_block(host, block(3));
    write(builder, host, 3, 0);
    terminate(builder, 3, &[4]);
    builder.seal_block(host, block(4));
    terminate(builder, 4, &[1]);
    builder.seal_block(host, block(1));
    let read = builder.read_variable(host, block(5), var(0));
    assert_ne!(read, first);
    terminate(builder, 5, &[]);
    finish(builder, host).unwrap();
    host.phis.clone()
}

#[test]
fn figure_2_has_a_phi_at_the_header_and_one_at_the_join() {
    for mut builder in builders() {
        let phis = figure_2(&mut builder, &mut Recorder::default());
        assert_eq!(phis, ["block1: v2 = phi(v0, v3)", "block4: v3 = phi(v2, v1)"], "{:?}", builder.engine());
    }
}

#[test]
fn a_cleared_builder_does_the_same_again() {
    for mut builder in builders() {
        let first = figure_2(&mut builder, &mut Recorder::default());
        assert_eq!(kind(builder.try_terminate(block(9), &[])), Some(CallErrorKind::Stopped(Stopped::Finished)));
        builder.clear();
        assert_eq!(figure_2(&mut builder, &mut Recorder::default()), first);
    }
}

/// Fig. 5: `x = ..; if (..) goto L; while (..) { ..; L: .. } use x`: two phis that merge one value.
///
/// Blocks: 0 before, 1 header, 2 body, 3 L, 4 after.
fn figure_5(mut builder: AnyBuilder) -> (Vec<String>, u64) {
    let mut host = Recorder::default();
    write(&mut builder, &mut host, 0, 0);
    terminate(&mut builder, 0, &[3, 1]);
    terminate(&mut builder, 1, &[2, 4]);
    for sealed in [2, 4] {
        builder.seal_block(&mut host, block(sealed));
    }
    terminate(&mut builder, 2, &[3]);
    builder.seal_block(&mut host, block(3));
    terminate(&mut builder, 3, &[1]);
    builder.seal_block(&mut host, block(1));
    builder.read_variable(&mut host, block(4), var(0));
    terminate(&mut builder, 4, &[]);
    finish(&mut builder, &mut host).unwrap();
    (host.phis, builder.stats().redundant_phis)
}

#[test]
fn figure_5_leaves_two_phis_that_minimize_removes() {
    for &engine in Engine::ON_THE_FLY {
        // The loop is sealed when it is looked through: `auto` sees that nothing is written in it, the others a
        // component that one value enters.
        let num_redundant = if matches!(engine, Engine::Auto | Engine::Scc | Engine::Region) { 0 } else { 2 };
        let (phis, _) = figure_5(without_minimize(engine));
        assert_eq!(phis.len() as u64, num_redundant, "{engine}");
        assert_eq!(figure_5(AnyBuilder::new(engine)), (vec![], num_redundant), "{engine}");
    }
}

#[test]
fn marker_makes_no_phi_in_acyclic_code() {
    let mut builder = without_minimize(Engine::Marker);
    let mut host = Recorder::default();
    write(&mut builder, &mut host, 0, 0);
    for diamond in 0..10 {
        let at = diamond * 3;
        terminate(&mut builder, at, &[at + 1, at + 2]);
        for arm in [at + 1, at + 2] {
            builder.seal_block(&mut host, block(arm));
            terminate(&mut builder, arm, &[at + 3]);
        }
        builder.seal_block(&mut host, block(at + 3));
    }
    assert_eq!(builder.read_variable(&mut host, block(30), var(0)).index(), 0);
    assert_eq!(builder.stats().phis_made, 0);
}

#[test]
fn repeated_edges_have_an_operand_each() {
    for mut builder in builders() {
        let mut host = Recorder::default();
        write(&mut builder, &mut host, 0, 0);
        terminate(&mut builder, 0, &[2, 1, 2]);
        builder.seal_block(&mut host, block(1));
        write(&mut builder, &mut host, 1, 0);
        terminate(&mut builder, 1, &[2]);
        builder.seal_block(&mut host, block(2));
        builder.read_variable(&mut host, block(2), var(0));
        terminate(&mut builder, 2, &[]);
        finish(&mut builder, &mut host).unwrap();
        assert_eq!(host.phis, ["block2: v2 = phi(v0, v0, v1)"]);
    }
}

#[test]
fn a_variable_that_was_never_written_is_what_the_host_says_and_asked_once() {
    for mut builder in builders() {
        let mut host = Strict::new(Recorder::default());
        let first = builder.read_variable(&mut host, block(0), var(3));
        builder.terminate(block(0), &[block(1)]);
        builder.seal_block(&mut host, block(1));
        assert_eq!(builder.read_variable(&mut host, block(1), var(3)), first);
        builder.terminate(block(1), &[]);
        finish(&mut builder, &mut host).unwrap();
        assert_eq!(host.into_inner().undefined, [(var(3), first)]);
    }
}

#[test]
fn edges_from_unreachable_code_are_ignored() {
    for &engine in Engine::ON_THE_FLY {
        let mut builder = without_minimize(engine);
        let mut host = Strict::new(Recorder::default());
        let written = host.inner_mut().value();
        builder.write_variable(block(0), var(0), written);
        builder.terminate(block(0), &[block(2)]);
        // Block 1 cannot be reached, but leads to block 2 with another value.
        builder.seal_block(&mut host, block(1));
        let other = host.inner_mut().value();
        builder.write_variable(block(1), var(0), other);
        builder.terminate(block(1), &[block(2)]);
        builder.seal_block(&mut host, block(2));
        let read = builder.read_variable(&mut host, block(2), var(0));
        builder.terminate(block(2), &[]);
        finish(&mut builder, &mut host).unwrap();
        assert_eq!(host.inner().phis, Vec::<String>::new(), "{engine}");
        // `auto` knows of block 1 that nothing leads there, and makes no phi.
        let forwarded = if engine == Engine::Auto { vec![] } else { vec![(read, written)] };
        assert_eq!(host.inner().forwarded, forwarded, "{engine}");
        assert_eq!(read == written, engine == Engine::Auto);
    }
}

#[test]
fn lookups_in_an_unreachable_cycle_end() {
    for mut builder in builders() {
        let mut host = Recorder::default();
        terminate(&mut builder, 0, &[]);
        terminate(&mut builder, 1, &[2]);
        builder.seal_block(&mut host, block(2));
        terminate(&mut builder, 2, &[1]);
        builder.seal_block(&mut host, block(1));
        let read = builder.read_at_end(&mut host, block(2), var(0));
        assert_eq!(host.undefined, [(var(0), read)]);
        finish(&mut builder, &mut host).unwrap();
    }
}

#[test]
fn calls_out_of_order_say_what_and_where() {
    let mut builder = Builder::default();
    let host = &mut Recorder::default();
    let value = host.value();
    terminate(&mut builder, 0, &[1]);
    let filled = builder.try_write_variable(block(0), var(2), value).unwrap_err();
    assert_eq!(filled, CallError::new(Call::Write { block: block(0), variable: var(2) }, CallErrorKind::Filled));
    assert_eq!(filled.to_string(), "block0: x2 is written after the block was filled");
    assert_eq!(kind(builder.try_terminate(block(0), &[])), Some(CallErrorKind::Filled));
    builder.seal_block(host, block(1));
    assert_eq!(kind(builder.try_seal_block(host, block(1))), Some(CallErrorKind::Sealed { block: block(1) }));
    let sealed = CallErrorKind::IntoSealed { to: block(1) };
    assert_eq!(kind(builder.try_terminate(block(2), &[block(3), block(1)])), Some(sealed));
    let entry = CallErrorKind::IntoEntry { entry: block(0) };
    assert_eq!(kind(builder.try_terminate(block(2), &[block(0)])), Some(entry));
    assert_eq!(kind(builder.try_add_edge(block(2), block(3))), Some(CallErrorKind::NotFilled));
    // None of the refused calls has left an edge or filled block 2.
    assert!(!builder.is_filled(block(2)));
    assert_eq!(builder.stats().edges, 1);
}

#[test]
fn finish_lists_every_unsealed_block_and_leaves_the_host_alone() {
    let mut builder = Builder::default();
    let mut host = Recorder::default();
    terminate(&mut builder, 0, &[1, 2]);
    builder.read_variable(&mut host, block(1), var(0));
    terminate(&mut builder, 1, &[2]);
    let error = finish(&mut builder, &mut host).unwrap_err();
    let words = "block1: never sealed (incoming edges so far: 1, incomplete phis: 1); \
                 block2: never sealed (incoming edges so far: 2, incomplete phis: 0); block2: never terminated";
    assert_eq!(error.to_string(), words);
    // The builder goes on as before.
    builder.seal_all_blocks(&mut host);
    let unfinished = CallErrorKind::Unfinished { unsealed: vec![], unfilled: vec![block(2)] };
    assert_eq!(kind(finish(&mut builder, &mut host)), Some(unfinished));
    terminate(&mut builder, 2, &[]);
    finish(&mut builder, &mut host).unwrap();
}

#[test]
fn an_announced_graph_is_sealed_by_itself() {
    for mut builder in builders() {
        let mut host = Recorder::default();
        builder.announce(&FlatCfg::from_successors(block(0), &[vec![block(1)], vec![block(1)]]).unwrap()).unwrap();
        write(&mut builder, &mut host, 0, 0);
        terminate(&mut builder, 0, &[1]);
        builder.read_variable(&mut host, block(1), var(0));
        assert!(!builder.is_sealed(block(1)));
        let given = CallErrorKind::TooFewEdges { block: block(1), expected: 2, given: 1 };
        assert_eq!(kind(builder.try_seal_block(&mut host, block(1))), Some(given));
        write(&mut builder, &mut host, 1, 0);
        let one_too_many = builder.try_terminate(block(1), &[block(1), block(1)]);
        assert_eq!(kind(one_too_many), Some(CallErrorKind::NotAnnounced));
        terminate(&mut builder, 1, &[1]);
        finish(&mut builder, &mut host).unwrap();
        assert_eq!(host.phis, ["block1: v1 = phi(v0, v2)"]);
    }
}

#[test]
fn a_result_that_may_not_exist_is_written_on_its_edge() {
    let mut builder = Builder::default();
    let mut host = Recorder::default();
    let before = write(&mut builder, &mut host, 0, 0);
    // The operation ends block 0; 1 is the normal successor, 2 the handler.
    terminate(&mut builder, 0, &[1, 2]);
    let result = host.value();
    let shared = CallErrorKind::SharedSuccessor { block: block(1) };
    assert_eq!(kind(builder.try_write_on_edge(block(0), 0, var(0), result)), Some(shared));
    builder.seal_block(&mut host, block(1));
    builder.seal_block(&mut host, block(2));
    assert_eq!(kind(builder.try_write_on_edge(block(0), 2, var(0), result)), Some(CallErrorKind::NoSuchEdge));
    builder.write_on_edge(block(0), 0, var(0), result);
    assert_eq!(builder.read_variable(&mut host, block(1), var(0)), result);
    assert_eq!(builder.read_variable(&mut host, block(2), var(0)), before);
    let used = CallErrorKind::SuccessorInUse { block: block(1) };
    assert_eq!(kind(builder.try_write_on_edge(block(0), 0, var(0), before)), Some(used));
}

#[test]
fn a_replaced_value_stands_for_the_other_everywhere() {
    for mut builder in builders() {
        let mut host = Recorder::default();
        let kept = write(&mut builder, &mut host, 0, 0);
        terminate(&mut builder, 0, &[1, 2]);
        for arm in [1, 2] {
            builder.seal_block(&mut host, block(arm));
        }
        let folded = write(&mut builder, &mut host, 1, 0);
        terminate(&mut builder, 1, &[3]);
        terminate(&mut builder, 2, &[3]);
        builder.seal_block(&mut host, block(3));
        let phi = builder.read_variable(&mut host, block(3), var(0));
        assert_eq!(kind(builder.try_replace(&mut host, phi, kept)), Some(CallErrorKind::ReplacedPhi { phi }));
        builder.replace(&mut host, folded, kept);
        terminate(&mut builder, 3, &[]);
        finish(&mut builder, &mut host).unwrap();
        assert_eq!(host.phis, Vec::<String>::new());
        assert_eq!(host.forwarded, [(folded, kept), (phi, kept)]);
    }
}

#[test]
fn a_used_up_work_budget_stops_the_builder_until_it_is_cleared() {
    let mut options = Options::default();
    options.work_limit = Some(50);
    let mut builder = AnyBuilder::with_options(Engine::Marker, options);
    let mut host = Recorder::default();
    write(&mut builder, &mut host, 0, 0);
    for at in 0..100 {
        terminate(&mut builder, at, &[at + 1]);
        builder.seal_block(&mut host, block(at + 1));
    }
    let out = Some(CallErrorKind::Stopped(Stopped::OutOfWork { limit: 50 }));
    assert_eq!(kind(builder.try_read_variable(&mut host, block(100), var(0))), out);
    assert_eq!(kind(builder.try_terminate(block(100), &[])), out);
    assert_eq!(kind(finish(&mut builder, &mut host)), out);
    builder.clear();
    builder.read_variable(&mut host, block(0), var(0));
}

#[test]
fn reads_that_may_see_an_undefined_variable_are_reported() {
    let mut options = Options::default();
    options.report_undefined_reads = true;
    let mut builder = AnyBuilder::with_observer(Engine::Marker, options, Vec::new());
    let mut host = Recorder::default();
    builder.read_at_site(&mut host, block(0), var(0), 10);
    terminate(&mut builder, 0, &[1, 2]);
    builder.seal_block(&mut host, block(1));
    write(&mut builder, &mut host, 1, 0);
    builder.read_at_site(&mut host, block(1), var(0), 11);
    terminate(&mut builder, 1, &[2]);
    builder.seal_block(&mut host, block(2));
    builder.read_at_site(&mut host, block(2), var(0), 12);
    terminate(&mut builder, 2, &[]);
    builder.seal_block(&mut host, block(3));
    builder.read_at_site(&mut host, block(3), var(0), 13);
    terminate(&mut builder, 3, &[]);
    finish(&mut builder, &mut host).unwrap();
    let reported = builder.observer().iter().filter_map(|event| match event {
        Event::UndefinedRead { site, certainty, .. } => Some((*site, *certainty)),
        _ => None,
    });
    // Block 3 is unreachable: left out.
    assert_eq!(reported.collect::<Vec<_>>(), [(10, Certainty::Is), (12, Certainty::MayBe)]);
    let listed = builder.undefined_reads().iter().map(|read| (read.site, read.certainty));
    assert_eq!(listed.collect::<Vec<_>>(), [(10, Certainty::Is), (12, Certainty::MayBe)]);
    builder.clear();
    assert_eq!(builder.undefined_reads(), []);
}

#[test]
fn a_variable_with_an_initial_value_is_not_undefined() {
    let mut options = Options::default();
    options.report_undefined_reads = true;
    let mut builder = AnyBuilder::with_options(Engine::Marker, options);
    let mut host = Recorder::default();
    let parameter = host.value();
    builder.set_initial(var(0), parameter);
    terminate(&mut builder, 0, &[1]);
    builder.seal_block(&mut host, block(1));
    assert_eq!(builder.read_at_site(&mut host, block(1), var(0), 1), parameter);
    let late = builder.try_set_initial(var(0), parameter).unwrap_err();
    assert_eq!(late.to_string(), "x0: its initial value is set after an access in the entry");
    terminate(&mut builder, 1, &[]);
    finish(&mut builder, &mut host).unwrap();
    assert_eq!(builder.undefined_reads(), []);
    assert_eq!(host.undefined, []);
}

/// Work for `depth` loops in each other, sealed from the inside out, that read a variable none of them writes.
fn work_of_nest(depth: usize, engine: Engine) -> u64 {
    let mut builder = without_minimize(engine);
    let mut host = Recorder::default();
    write(&mut builder, &mut host, 0, 0);
    for at in 0..depth {
        terminate(&mut builder, at, &[at + 1]);
    }
    builder.read_variable(&mut host, block(depth), var(0));
    let mut at = depth;
    for header in (1..=depth).rev() {
        let exit = 2 * depth + 1 - header;
        terminate(&mut builder, at, &[header, exit]);
        builder.seal_block(&mut host, block(header));
        builder.seal_block(&mut host, block(exit));
        at = exit;
    }
    terminate(&mut builder, at, &[]);
    finish(&mut builder, &mut host).unwrap();
    assert_eq!(host.phis, Vec::<String>::new(), "{engine}");
    builder.stats().work
}

#[test]
fn phis_that_fall_one_after_the_other_cost_in_proportion() {
    for &engine in Engine::ON_THE_FLY {
        let (one, two) = (work_of_nest(1000, engine), work_of_nest(2000, engine));
        assert!(two < one * 21 / 10, "{engine}: {one} steps, then {two}");
    }
}
