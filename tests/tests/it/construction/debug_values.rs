//! What variables hold at the ends of blocks, after the function is finished.

use ssaphire::graph::Cfg;
use ssaphire::{Access, Block, Builder, Certified, Options, Thresholds, Value, Variable};
use ssaphire_tests::{Case, Origin, Shape, TestCase, TestHost, drive, seeds, share};
use std::collections::BTreeSet;

/// By block, the values of the result that the variable has at its end on all walks from the entry. `None` among them is
/// a phi that was dropped, or never made.
fn held_on_walks(case: &Case, host: &TestHost, variable: Variable) -> Vec<BTreeSet<Option<Value>>> {
    let kept = |value: Value| {
        let value = host.resolve(value);
        let is_phi = matches!(host.origins[value.index()], Origin::Phi(..));
        (!is_phi || host.phis.iter().any(|phi| phi.value == value)).then_some(value)
    };
    let is_undefined = |&origin: &Origin| origin == Origin::Undefined(Some(variable));
    let undefined = host.origins.iter().position(is_undefined).map(|index| host.resolve(Value::new(index)));
    let mut found = vec![BTreeSet::new(); case.cfg.num_blocks()];
    let mut work = vec![(case.cfg.entry(), undefined)];
    while let Some((block, mut held)) = work.pop() {
        let accesses = case.accesses[block.index()].iter().filter(|access| !matches!(access, Access::Tuple(_)));
        for (index, access) in accesses.enumerate() {
            match *access {
                Access::Write(to) | Access::Copy(to, _) if to == variable => {
                    held = kept(host.found(block, index).expect("every access is answered"));
                }
                _ => {}
            }
        }
        if found[block.index()].insert(held) {
            let at_top = |target: Block| {
                let phi = host.phis.iter().find(|phi| (phi.block, phi.variable) == (target, variable));
                phi.map_or(held, |phi| Some(phi.value))
            };
            work.extend(case.cfg.successors(block).map(|target| (target, at_top(target))));
        }
    }
    found
}

/// Builds the function in each way, and asks for each variable. Returns the number of ends with a value, and without.
fn check(test: &TestCase, ssa: &mut Certified<Builder>, host: &mut TestHost, is_minimized: bool) -> [usize; 2] {
    let (case, mut counts) = (&test.case, [0; 2]);
    for plan in &test.plans {
        drive(case, plan, host, ssa).unwrap();
        for variable in (0..case.num_variables).map(Variable::new) {
            let held = ssa.builder().values_at_ends(variable).unwrap();
            let expected = held_on_walks(case, host, variable);
            for block in case.blocks() {
                let (held, expected) = (held.get(block).copied().flatten(), &expected[block.index()]);
                let only = if expected.len() == 1 { expected.first().copied().flatten() } else { None };
                // A phi that was dropped may have been redundant, unless phis are minimized.
                if is_minimized || held.is_some() {
                    assert_eq!(held, only, "{variable} at the end of {block}: {plan:?}\n{case:?}");
                }
                counts[usize::from(held.is_none())] += 1;
            }
        }
    }
    counts
}

#[test]
pub(crate) fn variables_hold_what_walks_find() {
    let mut sparse = Thresholds::DEFAULT;
    (sparse.row_bytes_per_event, sparse.row_bytes) = (0, 0);
    let mut host = TestHost::default();
    for thresholds in [Thresholds::DEFAULT, sparse] {
        for minimize in [false, true] {
            let options = Options::default().with_minimize(minimize).with_thresholds(thresholds);
            let (mut ssa, mut counts) = (Certified::with_options(options), [0; 2]);
            for seed in seeds(0..60) {
                for shape in Shape::ALL {
                    let test = TestCase::random(shape, seed % 2 == 0, seed);
                    host.reports_uses = test.reports_uses;
                    let more = check(&test, &mut ssa, &mut host, minimize);
                    counts = [counts[0] + more[0], counts[1] + more[1]];
                }
            }
            assert!(counts.iter().all(|&count| count > share(5_000)), "{counts:?}");
        }
    }
}

#[test]
pub(crate) fn nothing_is_held_before_the_end_or_in_a_block_without_a_name() {
    let (mut host, mut ssa, x) = (TestHost::default(), Builder::new(), Variable::new(0));
    assert_eq!(ssa.values_at_ends(x), None);
    let value = host.value(Origin::Write(Block::new(0), 0));
    ssa.write_variable(Block::new(0), x, value);
    ssa.terminate(Block::new(0), &[Block::new(2)]);
    ssa.seal_block(&mut host, Block::new(2));
    ssa.terminate(Block::new(2), &[]);
    assert_eq!(ssa.values_at_ends(x), None);
    ssa.finish(&mut host).unwrap();
    let held = ssa.values_at_ends(x).unwrap();
    assert_eq!(held.values().copied().collect::<Vec<_>>(), [Some(value), None, Some(value)]);
    assert_eq!(ssa.values_at_ends(Variable::new(9)).unwrap().values().flatten().count(), 0);
    ssa.clear();
    assert_eq!(ssa.values_at_ends(x), None);
}
