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
    for &family in Family::ALL {
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
        assert!(Family::ALL.iter().find(grows).is_some(), "{}", way.name());
    }
}

#[test]
fn sizes_grow_with_the_number_of_steps() {
    for &family in Family::ALL {
        let [small, large] = [100, 1_000].map(|n| size(&family.member(n).function));
        assert!((9 * small..11 * small).contains(&large), "{}: {small}, {large}", family.name());
    }
}

/// What the pass says of its rounds.
#[test]
fn branches_in_a_row_on_one_phi_take_a_round_each() {
    let threaded = thread_jumps(&mut Family::Cascade.member(5).function, ThreadingOptions::default()).unwrap();
    // In the last one there is nothing left to do.
    assert_eq!((threaded.edges, threaded.rounds), (10, 5 + 1));
}
