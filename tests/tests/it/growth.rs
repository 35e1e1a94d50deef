//! What passes and the ways out of SSA form make is no larger than a constant times what they are given, for each shape.

use ssaphire::check::rules;
use ssaphire::destruct::Method;
use ssaphire_ir::leave_ssa;
use ssaphire_ir::passes::{Pass, PassOptions, thread_jumps};
use ssaphire_tests::shapes::{Shape, size};

/// How many times as large as its input a result may be, with [`ROOM`] beside.
const FACTOR: usize = 3;

/// What a constant number of blocks takes.
const ROOM: usize = 100;

/// Copies are instructions in place of operands, and edges are split for them.
const LEAVING_FACTOR: usize = 4;

#[test]
fn no_pass_makes_a_function_larger_than_a_constant_times_its_size() {
    for &shape in Shape::ALL {
        for n in [30, 300] {
            let function = shape.function(n);
            assert_eq!(rules(&function), [], "{}", shape.name);
            let before = size(&function);
            for &pass in Pass::ALL {
                let mut changed = function.clone();
                pass.run(&mut changed, PassOptions::default()).unwrap();
                let after = size(&changed);
                assert!(after <= FACTOR * before + ROOM, "{pass} of {} {n}: {before}, then {after}", shape.name);
            }
        }
    }
}

/// Each pass once, in the order of their list: no pass undoes the bound of another one.
#[test]
fn all_passes_together_keep_to_the_bound() {
    for &shape in Shape::ALL {
        let mut function = shape.function(300);
        let before = size(&function);
        for &pass in Pass::ALL {
            pass.run(&mut function, PassOptions::default()).unwrap();
        }
        assert_eq!(rules(&function), [], "{}", shape.name);
        let after = size(&function);
        assert!(after <= FACTOR * before + ROOM, "{}: {before}, then {after}", shape.name);
    }
}

#[test]
fn no_way_out_makes_a_function_larger_than_a_constant_times_its_size() {
    for &shape in Shape::ALL {
        for n in [30, 300] {
            let function = shape.function(n);
            let before = size(&function);
            for &method in Method::ALL {
                let after = size(&leave_ssa(&function, method).unwrap().function);
                assert!(
                    after <= LEAVING_FACTOR * before + ROOM,
                    "{method} of {} {n}: {before}, then {after}",
                    shape.name
                );
            }
        }
    }
}

/// Edges, and edges by which values came: so many more in a larger function as it is larger. Values that live long are repaired
/// together.
#[test]
fn jump_threading_takes_steps_in_proportion() {
    for &shape in Shape::ALL {
        let [small, large] = [200, 2_000].map(|n| {
            let mut function = shape.function(n);
            let size = size(&function);
            let threaded = thread_jumps(&mut function, PassOptions::default().threading).unwrap();
            let [rounds, taken_back] = [threaded.rounds - threaded.taken_back, threaded.taken_back];
            assert!(rounds <= 3 && taken_back <= 3, "{} {n}: {rounds} rounds, and {taken_back} taken back", shape.name);
            let repair_steps = threaded.repair_steps;
            assert!(repair_steps <= 10 * size, "{} {n}: size {size}, {repair_steps} steps of repair", shape.name);
            threaded.steps
        });
        assert!(large <= 15 * small + 1_000, "{}: {small} steps, then {large}", shape.name);
    }
}
