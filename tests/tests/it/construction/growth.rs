//! How often the default engine decides joins, in both arrivals: block by block, and as a complete graph.

use ssaphire::{Certified, Options, SsaBuilder};
use ssaphire_tests::{Filling, Plan, Sealing, TestHost, drive, families};

/// Each test writes a variable that shares its bit with every 64th of the others, before its block is sealed.
#[test]
pub(crate) fn a_line_of_blocks_begun_before_they_are_sealed_is_passed_at_once() {
    let num_variables = 1_000;
    let case = families::empty_defined(num_variables);
    for sealing in [Sealing::Immediate, Sealing::Announced] {
        let mut ssa = Certified::new(Options::default());
        ssa.set_recording(false);
        let plan = Plan::new(&case, Filling::ReversePostorder, sealing, 0);
        drive(&case, &plan, &mut TestHost::default(), &mut ssa).expect("the case is a function");
        let num_joins = ssa.stats().joins_entered as usize;
        assert!(num_joins < num_variables + num_variables / 32, "{sealing:?}: {num_joins} joins");
    }
}
