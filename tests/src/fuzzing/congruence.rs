//! Any nodes with labels and operands: what cannot be told apart is congruent, by definition.

use crate::choices::Choices;
use ssaphire::Value;
use ssaphire::graph::{Congruence, IdLists, IdMap};

/// The partition is the coarsest one.
///
/// # Panics
/// If it is not.
pub fn check(bytes: &[u8]) {
    let mut choices = Choices::new(bytes);
    let (len, num_labels) = (1 + choices.below(12), 1 + choices.below(4));
    let labels: IdMap<Value, u32> = (0..len).map(|_| choices.below(num_labels) as u32).collect();
    let arity: Vec<usize> = (0..num_labels).map(|_| choices.below(3)).collect();
    let mut pairs = Vec::new();
    for (node, &label) in labels.iter() {
        // Now and then one more than others have.
        let num_operands = arity[label as usize] + usize::from(choices.chance(5));
        pairs.extend((0..num_operands).map(|_| (node, Value::new(choices.below(len)))));
    }
    let mut operands = IdLists::new();
    operands.rebuild(len, pairs.iter().copied());
    let mut congruence = Congruence::new();
    congruence.rebuild(&labels, &operands);
    let differs = differing(&labels, &operands);
    for one in labels.keys() {
        for other in labels.keys() {
            let are_congruent = !differs[one.index()][other.index()];
            assert_eq!(congruence.are_congruent(one, other), are_congruent, "{one} {other}: {labels:?} {operands:?}");
            assert_eq!(congruence.congruent_to(one).contains(&other), are_congruent);
        }
    }
    assert_eq!(congruence.classes().map(<[Value]>::len).sum::<usize>(), len);
}

/// What differs is marked until nothing more does.
fn differing(labels: &IdMap<Value, u32>, operands: &IdLists<Value, Value>) -> Vec<Vec<bool>> {
    let nodes = || labels.keys();
    let differ =
        |one: Value, other: Value| labels[one] != labels[other] || operands.of(one).len() != operands.of(other).len();
    let mut differs: Vec<Vec<bool>> = nodes().map(|one| nodes().map(|other| differ(one, other)).collect()).collect();
    loop {
        let mut is_done = true;
        for (one, other) in nodes().flat_map(|one| nodes().map(move |other| (one, other))) {
            let mut pairs = operands.of(one).iter().zip(operands.of(other));
            let have_differing = pairs.any(|(one, other)| differs[one.index()][other.index()]);
            if have_differing && !differs[one.index()][other.index()] {
                (differs[one.index()][other.index()], is_done) = (true, false);
            }
        }
        if is_done {
            return differs;
        }
    }
}
