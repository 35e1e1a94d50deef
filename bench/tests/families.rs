//! What the families cost, in exact counters, and what becomes of their phis.

use ssaphire::Stats;
use ssaphire_bench::families::{
    Family, Figures, Judged, Member, Subject, Tally, build, build_with_cranelift, judge, measure,
};
use ssaphire_bench::figure11;
use ssaphire_literature::Engine;
use std::time::Duration;

fn built(engine: Engine, member: Member) -> Stats {
    build(engine, |calls| member.emit(calls)).stats
}

/// Steps by event, incomplete phi and kept operand.
fn cost(engine: Engine, member: Member) -> f64 {
    let stats = built(engine, member);
    stats.work as f64 / (member.events() + stats.incomplete_phis + stats.operands_kept) as f64
}

/// Twice as large costs twice as much: sizes and variables that every engine is linear in.
#[test]
fn steps_grow_with_what_is_built() {
    let linear = [
        (Family::IfChain, 2),
        (Family::Nest, 1),
        (Family::Nest, 8),
        (Family::Switch, 1),
        (Family::Switch, 8),
        (Family::FallThru, 1),
        (Family::FallThru, 8),
        (Family::Ladder, 2),
        (Family::Exits, 2),
        (Family::Comb, 1),
    ];
    for (family, m) in linear {
        for &engine in Engine::ON_THE_FLY {
            let (small, large) = (cost(engine, family.member(200, m)), cost(engine, family.member(3_200, m)));
            assert!(large <= 1.1 * small + 0.1, "{engine}, {} with {m}: {small} to {large}", family.name());
        }
    }
    for &engine in Engine::ON_THE_FLY {
        let (small, large) =
            (cost(engine, Family::WideLoop.member(1, 200)), cost(engine, Family::WideLoop.member(1, 3_200)));
        assert!(large <= 1.1 * small + 0.1, "{engine}, wideloop: {small} to {large}");
    }
}

#[test]
fn no_more_phis_stay_than_are_needed() {
    let (n, m) = (60u32, 7);
    // One at each join, for what the conditional writes.
    let expected = |family| match family {
        // One in each join, or in each header for what its loop writes.
        Family::IfChain | Family::Nest | Family::Spread => n,
        Family::Switch | Family::Exits => m,
        // Each variable in each case but the first, and in the join.
        Family::FallThru => n * m,
        Family::IfEmpty
        | Family::WideLoop
        | Family::Ladder
        | Family::Diag
        | Family::Comb
        | Family::Joins
        | Family::Loops
        | Family::Leave
        | Family::Tangle => 0,
        // From the second case on, what was written above and is read below.
        Family::Cases => (n - m) * m,
        // In the header, and at the joins behind the writes of the one that is read.
        Family::Dead => 1 + n.div_ceil(m),
    };
    for family in Family::ALL {
        for &engine in Engine::ON_THE_FLY {
            let stats = built(engine, family.member(n, m));
            assert_eq!(stats.phis_kept, u64::from(expected(family)), "{engine}, {}", family.name());
        }
    }
}

#[test]
fn every_member_is_judged_by_what_it_claims() {
    for member in Family::ALL.map(|family| family.member(60, 7)) {
        for &engine in Engine::ON_THE_FLY {
            let judged = judge(engine, member, Duration::ZERO);
            let stats = built(engine, member);
            assert_eq!(judged.operands, stats.operands_kept, "{engine}, {member}");
            assert!((1..=stats.reads).contains(&judged.claims), "{engine}, {member}: {judged:?}");
            assert!(judged.obligations <= 3 * judged.claimed() + 10, "{engine}, {member}: {judged:?}");
            assert_eq!(Judged::read(&judged.text()), judged);
        }
    }
}

#[test]
fn irreducible_code_around_what_is_only_read_makes_no_phi() {
    for (n, m) in [(100, 10), (1_000, 10), (100, 100)] {
        assert_eq!(built(Engine::Auto, Family::Tangle.member(n, m)).phis_made, 0, "{n} x {m}");
    }
}

/// The rival is given the same program: it keeps at least the phis that are needed.
#[test]
fn both_builders_take_the_calls() {
    for family in Family::ALL {
        let member = family.member(30, 3);
        let params = build_with_cranelift(|calls| member.emit(calls));
        let stats = built(Engine::default(), member);
        assert!(params >= stats.phis_kept, "{}: {params}, {}", family.name(), stats.phis_kept);
        let mut tally = Tally::default();
        member.emit(&mut tally);
        assert_eq!(u64::from(tally.blocks), stats.blocks, "{}", family.name());
    }
}

#[test]
fn figures_survive_the_way_between_processes() {
    let figures = measure(Subject::Engine(Engine::default()), Family::IfChain.member(10, 2));
    assert_eq!(Figures::read(&figures.text()), figures);
    assert!(figures.time > 0 && figures.phis_kept == 10, "{figures:?}");
}

/// Without memory a lookup walks 2^n paths.
#[test]
fn figure_11_needs_no_phi_and_few_steps() {
    for &engine in Engine::ON_THE_FLY {
        for n in [100, 2_000] {
            let builder = figure11::through_builder(n, engine).stats;
            let front_end = figure11::through_while(&figure11::source(n), engine).unwrap();
            assert_eq!((builder.phis_kept, front_end.phis_kept), (0, 0), "{engine}");
            assert_eq!((builder.reads, front_end.reads), (u64::from(n) + 1, u64::from(n) + 2), "{engine}");
            let steps = (builder.work + front_end.work) / u64::from(n);
            assert!(steps <= 40, "{engine}: {steps} for each conditional");
        }
    }
}
