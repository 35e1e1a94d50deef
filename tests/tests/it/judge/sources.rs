//! Sources at random, and results for them, right or wrong.

use super::model::{Model, Step};
use super::random::Random;
use ssaphire::check::{Mode, Program, Thresholds, Validator};
use ssaphire_tests::naive;
use std::collections::BTreeSet;

/// The wrong reads, as the decision finds them that visits every block on the way.
pub(crate) fn by_block_by_block(program: &Program, mode: Mode) -> BTreeSet<(usize, usize)> {
    naive::wrong_uses(program, mode).into_iter().map(|(block, event)| (block.index(), event)).collect()
}

/// A source: incoming edges, and events with claims still to be made.
pub(crate) struct Source {
    pub(crate) incoming: Vec<Vec<usize>>,
    pub(crate) steps: Vec<Vec<Step>>,
    /// What each variable holds at the entry.
    pub(crate) initial: Vec<usize>,
}

/// The source with a phi for every variable in every block that has predecessors.
///
/// Values: one undefined value per variable, then one global, then results and phis.
/// In a function whose entry has predecessors, what is claimed before the first
/// write there is wrong.
pub(crate) fn maximal(source: &Source) -> Model {
    let (num_blocks, num_variables) = (source.incoming.len(), source.initial.len());
    let mut model = Model {
        globals: vec![num_variables],
        undefined: (0..num_variables).collect(),
        initial: source.initial.iter().copied().enumerate().collect(),
        incoming: source.incoming.clone(),
        phis: vec![Vec::new(); num_blocks],
        steps: source.steps.clone(),
    };
    let mut next = num_variables + 1;
    let mut at_end = vec![Vec::new(); num_blocks];
    for (block, end) in at_end.iter_mut().enumerate() {
        let mut current = source.initial.clone();
        if block != 0 && !source.incoming[block].is_empty() {
            current = (next..next + num_variables).collect();
            next += num_variables;
            model.phis[block] = current.iter().map(|&phi| (phi, Vec::new())).collect();
        }
        for step in &mut model.steps[block] {
            match step {
                Step::Def(variable, value) => {
                    if *value != num_variables {
                        *value = next;
                        next += 1;
                    }
                    current[*variable] = *value;
                }
                Step::Use(variable, value) => *value = current[*variable],
                Step::Copy(dst, src) => current[*dst] = current[*src],
            }
        }
        *end = current;
    }
    for block in 0..num_blocks {
        for (variable, (_, operands)) in model.phis[block].iter_mut().enumerate() {
            operands.extend(source.incoming[block].iter().map(|&source| at_end[source][variable]));
        }
    }
    model
}

/// Takes trivial phis out, as long as there are any.
pub(crate) fn simplify(model: &mut Model) {
    loop {
        let trivial = model.phis.iter().enumerate().flat_map(|(block, phis)| phis.iter().map(move |phi| (block, phi)));
        let mut trivial = trivial.filter_map(|(block, (phi, operands))| {
            let mut others = operands.iter().copied().filter(|operand| operand != phi);
            let other = others.next()?;
            others.all(|operand| operand == other).then_some((block, *phi, other))
        });
        let Some((block, phi, other)) = trivial.next() else { return };
        drop(trivial);
        model.phis[block].retain(|&(value, _)| value != phi);
        let operands = model.phis.iter_mut().flatten().flat_map(|(_, operands)| operands);
        let uses = model.steps.iter_mut().flatten().filter_map(|step| match step {
            Step::Use(_, value) => Some(value),
            _ => None,
        });
        operands.chain(uses).filter(|value| **value == phi).for_each(|value| *value = other);
    }
}

/// A graph of some depth: each block has an edge from one shortly before it, and there are edges forwards and backwards.
pub(crate) fn deep_source(random: &mut Random) -> Source {
    let (num_blocks, num_variables) = (10 + random.below(50), 1 + random.below(6));
    let mut incoming = vec![Vec::new(); num_blocks];
    let (reach, density) = (1 + random.below(8), 1 + random.below(3));
    for (block, sources) in incoming.iter_mut().enumerate().skip(1) {
        sources.push(block - 1 - random.below(reach.min(block)));
    }
    for _ in 0..num_blocks * density / 3 {
        let (one, other) = (1 + random.below(num_blocks - 1), 1 + random.below(num_blocks - 1));
        let is_back = random.one_in(4);
        let (source, target) = if is_back == (one < other) { (other, one) } else { (one, other) };
        incoming[target].push(source);
    }
    let writes = 2 + random.below(8);
    let steps = |random: &mut Random| {
        let variable = random.below(num_variables);
        match random.below(writes + 4) {
            0 => Step::Def(variable, 0),
            1 if random.one_in(2) => Step::Def(variable, num_variables),
            1 => Step::Copy(variable, random.below(num_variables)),
            _ => Step::Use(variable, 0),
        }
    };
    let steps = (0..num_blocks).map(|_| (0..random.below(3)).map(|_| steps(random)).collect()).collect();
    Source { incoming, steps, initial: (0..num_variables).collect() }
}

/// Replaces a claim or an operand by some value.
pub(crate) fn mutate(model: &mut Model, random: &mut Random) {
    let num_values = model.num_values();
    let uses = model.steps.iter_mut().flatten().filter_map(|step| match step {
        Step::Use(_, value) => Some(value),
        _ => None,
    });
    let operands = model.phis.iter_mut().flatten().flat_map(|(_, operands)| operands);
    let mut places: Vec<&mut usize> = uses.chain(operands).collect();
    let count = places.len();
    if count > 0 {
        *places[random.below(count)] = random.below(num_values);
    }
}

/// Validators with each threshold at its least, with all of them, and as they are.
pub(crate) fn validators() -> [Validator; 8] {
    let usual = Thresholds::default();
    let with = |change: fn(&mut Thresholds)| {
        let mut thresholds = usual;
        change(&mut thresholds);
        Validator::new().with_thresholds(thresholds)
    };
    [
        with(|_| {}),
        with(|thresholds| thresholds.rungs = 0),
        with(|thresholds| thresholds.rungs = 1),
        with(|thresholds| thresholds.steps_per_edge = 0),
        with(|thresholds| thresholds.loops = 0),
        with(|thresholds| (thresholds.steps_per_edge, thresholds.loops) = (0, 0)),
        with(|thresholds| thresholds.slots_per_event = 0),
        with(|thresholds| (thresholds.rungs, thresholds.steps_per_edge, thresholds.slots_per_event) = (0, 0, 0)),
    ]
}

/// Any graph: repeated edges, unreachable blocks, an entry with predecessors.
pub(crate) fn random_source(random: &mut Random) -> Source {
    let num_blocks = 1 + random.below(5);
    let num_variables = 1 + random.below(3);
    let first = usize::from(!random.one_in(4)).min(num_blocks - 1);
    let mut incoming = vec![Vec::new(); num_blocks];
    for _ in 0..num_blocks + random.below(num_blocks + 2) {
        if num_blocks > first {
            let target = first + random.below(num_blocks - first);
            if target != 0 || first == 0 {
                incoming[target].push(random.below(num_blocks));
            }
        }
    }
    let steps = |random: &mut Random| {
        let variable = random.below(num_variables);
        match random.below(5) {
            0 => Step::Def(variable, 0),
            1 => Step::Def(variable, num_variables),
            2 => Step::Copy(variable, random.below(num_variables)),
            _ => Step::Use(variable, 0),
        }
    };
    let steps = (0..num_blocks).map(|_| (0..random.below(5)).map(|_| steps(random)).collect()).collect();
    // Undefined, or the global.
    let initial = |variable| if random.one_in(3) { num_variables } else { variable };
    Source { incoming, steps, initial: (0..num_variables).map(initial).collect() }
}
