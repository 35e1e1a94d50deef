//! Members are in SSA form, do what they did before when something was done to them, and there is something to do.

use super::{Family, Way, size};
use ssaphire::check::rules;
use ssaphire_ir::basic::{BasicMachine, Behavior, behavior};
use ssaphire_ir::interp::Limits;
use ssaphire_ir::passes::{ThreadingOptions, thread_jumps};
use ssaphire_ir::{Basic, Function};

fn behaviors(function: &Function<Basic>) -> [Behavior; 2] {
    [0, 7].map(|arg| behavior(function, &[arg], BasicMachine::new(1, Vec::new()), Limits::default()))
}

#[test]
fn what_members_do_stays_the_same() {
    for &family in Family::OWN {
        let member = family.member(6);
        assert_eq!(rules(&member.function), [], "{}", family.name());
        let before = behaviors(&member.function);
        for way in Way::all().into_iter().filter(|way| way.is_for(family)) {
            let mut changed = member.clone();
            way.go(&mut changed);
            assert_eq!(changed.function.check_form(), [], "{}, {}", family.name(), way.name());
            assert_eq!(rules(&changed.function), [], "{}, {}", family.name(), way.name());
            // A loop that runs for ever does so with more or fewer steps.
            if family != Family::Nest && family != Family::Loops {
                assert_eq!(behaviors(&changed.function), before, "{}, {}", family.name(), way.name());
            }
        }
    }
}

/// Twice as large is twice as much to do, for each way on some family.
#[test]
fn each_way_has_as_much_to_do_as_a_family_is_large() {
    for way in Way::all().into_iter().filter(|&way| way != Way::Rematerialize) {
        let changes = |family: Family, n| way.go(&mut family.member(n));
        let grows = |&&family: &&Family| way.is_for(family) && changes(family, 40) >= changes(family, 20) + 20;
        assert!(Family::OWN.iter().find(grows).is_some(), "{}", way.name());
    }
}

#[test]
fn sizes_grow_with_the_number_of_steps() {
    for &family in Family::OWN {
        let [small, large] = [100, 1_000].map(|n| size(&family.member(n).function));
        assert!((9 * small..11 * small).contains(&large), "{}: {small}, {large}", family.name());
    }
}

/// What the pass says of its rounds and steps, with room for all copies.
#[test]
fn branches_in_a_row_on_one_phi_take_one_round() {
    let options = ThreadingOptions { max_growth: 10, ..ThreadingOptions::default() };
    let threaded = thread_jumps(&mut Family::Cascade.member(10_000).function, options).unwrap();
    // In the second one there is nothing left to do.
    assert_eq!((threaded.edges, threaded.rounds), (20_000, 2));
    assert!(threaded.steps < 120_000, "{} steps", threaded.steps);
}

/// No way makes a function larger than a constant times its size.
#[test]
fn results_are_bounded_by_the_size_of_their_inputs() {
    for family in Family::all() {
        for way in Way::all().into_iter().filter(|way| way.is_for(family)) {
            let mut member = family.member(200);
            let before = size(&member.function);
            way.go(&mut member);
            let after = size(&member.function);
            assert!(after <= 3 * before + 100, "{}, {}: {before}, then {after}", family.name(), way.name());
        }
    }
}
