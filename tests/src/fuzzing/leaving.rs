//! Any function in SSA form, after any passes, out of SSA form by each method.

mod target;

use crate::choices::Choices;
use crate::fuzzing::passes::{self, Step};
use ssaphire::check_destruction;
use ssaphire::destruct::{
    Counted, DestructError, DestructForm, Destruction, Method, Options, Source, Thresholds, destruct, destruct_with,
};
use ssaphire_ir::basic::{BasicMachine, Behavior, behavior};
use ssaphire_ir::interp::Limits;
use ssaphire_ir::{Basic, DestructView, Function, leave_ssa};
use std::collections::BTreeSet;
use target::Target;

/// What leaving SSA form took, by method, in the order of [`Method::ALL`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Copies in place of phis.
    pub copies: [u64; 4],
    /// Blocks put on edges.
    pub split_edges: [usize; 4],
    /// Copies of tied operands, where some are.
    pub tied: [u64; 4],
}

/// Each method gives locations and copies that are right, and a function that does what it did.
///
/// # Panics
/// If one does not.
pub fn check(bytes: &[u8]) {
    tally(bytes);
}

/// Does what [`check`] does: the copies that it took.
///
/// # Panics
/// If a method is wrong.
pub fn tally(bytes: &[u8]) -> Tally {
    let mut choices = Choices::new(bytes);
    let mut function = passes::decode(&mut choices);
    for _ in 0..choices.below(3) {
        Step::number(choices.below(Step::COUNT), choices.below(1 << 16) as u64).run(&mut function);
    }
    let seed = choices.below(1 << 16) as u64;
    let mut tally = Tally::default();
    for (place, &method) in Method::ALL.iter().enumerate() {
        let left = leave(&function, method);
        tally.copies[place] = left.0.copies;
        tally.split_edges[place] = left.1;
        tally.tied[place] = restrict(&function, method, seed).copies;
    }
    tally
}

/// The function without phis does the same.
fn leave(function: &Function<Basic>, method: Method) -> (Counted, usize) {
    let view = DestructView::new(function);
    let destruction = match destruct(&view, method) {
        Ok(destruction) => destruction,
        // What an array held before a hidden update is needed behind it.
        Err(DestructError::Storage { variable, .. }) => {
            assert!(view.has_storage(variable), "{method}\n{function}");
            return (Counted::default(), 0);
        }
        Err(error) => panic!("{method}: {error}\n{function}"),
    };
    compare_thresholds(&view, method, &destruction, function);
    let found = check_destruction(&view, &destruction);
    assert!(found.is_empty(), "{method}: {}\n{function}\n{destruction:?}", found[0]);
    for (point, copies) in destruction.parallel_copies() {
        let targets: BTreeSet<_> = copies.iter().map(|(to, _)| to).collect();
        assert_eq!(targets.len(), copies.len(), "{method}: {point}: a location is written twice");
        assert!(
            copies.iter().all(|&(to, from)| from != Source::Location(to)),
            "{method}: {point}: a copy has nothing to do"
        );
    }
    let left = leave_ssa(function, method).unwrap_or_else(|error| panic!("{method}: {error}\n{function}"));
    assert_eq!(left.function.check_form(), [], "{method}\n{function}\n{}", left.function);
    assert!(left.function.blocks().all(|block| left.function.block(block).phis().is_empty()), "{method}");
    for seed in 0..4 {
        // A block on an edge takes a step more.
        let [before, after] =
            [(function, 500), (&left.function, 1_000)].map(|(function, steps)| run(function, seed, steps));
        assert!(before.agrees_with(&after), "{method}\n{before}\nbecomes\n{after}\n{function}\n{}", left.function);
    }
    (left.copies, left.split_edges)
}

/// Every class of two names or more is a search tree, live ranges are not searched for one by one, and nothing changes.
fn compare_thresholds(form: &impl DestructForm, method: Method, left: &Destruction, function: &Function<Basic>) {
    for (listed_class, live_range_edges) in [(1, Thresholds::default().live_range_edges), (1, 0), (32, 0)] {
        let mut thresholds = Thresholds::default();
        (thresholds.listed_class, thresholds.live_range_edges) = (listed_class, live_range_edges);
        let other = destruct_with(form, Options::new(method).with_thresholds(thresholds));
        assert_eq!(other.as_ref(), Ok(left), "{method}\n{function}");
    }
}

fn run(function: &Function<Basic>, seed: u64, steps: u64) -> Behavior {
    let args: Vec<i64> = (0..function.params().len() as i64).map(|index| seed as i64 - 1 + index % 2).collect();
    behavior(function, &args, BasicMachine::new(seed, vec![3, 1, 4]), Limits { steps, frames: 10 })
}

/// For a target that cannot split all edges, and has register classes and instructions that overwrite an operand.
fn restrict(function: &Function<Basic>, method: Method, seed: u64) -> Counted {
    let target = Target::new(function, seed);
    let destruction = match destruct(&target, method) {
        Ok(destruction) => destruction,
        Err(DestructError::CannotSplit { edge }) => {
            let targets = function.block(edge.source).targets();
            let same = targets.iter().filter(|&&target| target == targets[edge.slot as usize]);
            assert!(!target.can_split(edge) && same.count() > 1, "{method}: {edge:?}\n{function}");
            return Counted::default();
        }
        Err(error) => panic!("{method}: {error}\n{function}"),
    };
    compare_thresholds(&target, method, &destruction, function);
    let found = check_destruction(&target, &destruction);
    assert!(found.is_empty(), "{method} for {target:?}: {}\n{function}\n{destruction:?}", found[0]);
    for value in function.values() {
        let class = destruction.location(value).map(|location| destruction.class(location));
        assert!(class.is_none_or(|class| class == target.class(value)), "{method} for {target:?}: {value}\n{function}");
    }
    destruction.count_tied()
}
