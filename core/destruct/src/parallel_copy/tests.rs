//! Sequentialization against its definition, and against the shortest list of moves there is.

use super::*;
use alloc::collections::{BTreeMap, BTreeSet, VecDeque};
use alloc::vec;
use ssaphire_graph::Value;

/// What each location holds; before anything is copied, its own number.
type Contents = Vec<usize>;

fn run(moves: &[Move<Value>], num_locations: usize) -> Contents {
    let mut held: Contents = (0..num_locations).collect();
    for step in moves {
        match *step {
            Move::Copy { to, from } => held[to.index()] = held[from.index()],
            Move::Exchange(one, other) => held.swap(one.index(), other.index()),
        }
    }
    held
}

fn sequence(copies: &[(Value, Value)], temporary: Option<Value>) -> Vec<Move<Value>> {
    let mut moves = Vec::new();
    Sequentializer::new().sequentialize(copies, |_| temporary, |step| moves.push(step)).unwrap();
    moves
}

/// Cycles from which no other target reads: each costs a move more than it has targets.
fn num_pure_cycles(copies: &[(Value, Value)]) -> usize {
    let source: BTreeMap<_, _> = copies.iter().copied().filter(|(to, from)| to != from).collect();
    let readers = |of: Value| source.values().filter(|&&from| from == of).count();
    let on_pure_cycle = |&&first: &&Value| {
        let mut at = first;
        for _ in 0..source.len() {
            match source.get(&at) {
                // A location that keeps its content and is read from elsewhere, too, has two places.
                Some(&from) if readers(from) == 1 => at = from,
                _ => return false,
            }
            if at == first {
                return true;
            }
        }
        false
    };
    let mut seen = BTreeSet::new();
    let mut cycles = 0;
    for &first in source.keys().filter(on_pure_cycle) {
        cycles += usize::from(!seen.contains(&first));
        let mut at = first;
        while seen.insert(at) {
            at = source[&at];
        }
    }
    cycles
}

#[track_caller]
fn check(copies: &[(Value, Value)], num_locations: usize) {
    let mut wanted: Contents = (0..num_locations).collect();
    copies.iter().for_each(|(to, from)| wanted[to.index()] = from.index());
    let num_moved = copies.iter().filter(|(to, from)| to != from).count();
    let moves = sequence(copies, Some(Value::new(num_locations)));
    assert_eq!(run(&moves, num_locations + 1)[..num_locations], wanted, "{copies:?}: {moves:?}");
    assert_eq!(moves.len(), num_moved + num_pure_cycles(copies), "{copies:?}: {moves:?}");
    let moves = sequence(copies, None);
    assert_eq!(run(&moves, num_locations), wanted, "{copies:?}: {moves:?}");
    assert_eq!(moves.len(), num_moved - num_pure_cycles(copies), "{copies:?}: {moves:?}");
}

/// The copy in which location `k` gets digit `k` of `number`, or nothing for the digit that is no location.
fn copy_of(mut number: usize, num_locations: usize) -> Vec<(Value, Value)> {
    let mut copies = Vec::new();
    for to in 0..num_locations {
        let digit = number % (num_locations + 1);
        number /= num_locations + 1;
        if digit < num_locations {
            copies.push((Value::new(to), Value::new(digit)));
        }
    }
    copies
}

/// The least number of moves to each reachable contents of some locations and a temporary.
fn shortest(num_locations: usize) -> BTreeMap<Contents, usize> {
    let start: Contents = (0..=num_locations).collect();
    let mut least = BTreeMap::from([(start.clone(), 0)]);
    let mut queue = VecDeque::from([start]);
    while let Some(held) = queue.pop_front() {
        let moves = least[&held] + 1;
        for to in 0..=num_locations {
            for from in 0..=num_locations {
                let mut next = held.clone();
                next[to] = held[from];
                least.entry(next).or_insert_with_key(|next| {
                    queue.push_back(next.clone());
                    moves
                });
            }
        }
    }
    // Whatever the temporary holds in the end.
    let mut by_locations = BTreeMap::new();
    for (held, moves) in least {
        let known = by_locations.entry(held[..num_locations].to_vec()).or_insert(moves);
        *known = moves.min(*known);
    }
    by_locations
}

#[test]
fn no_shorter_list_of_moves_does_what_a_copy_of_five_does() {
    for num_locations in 0..=5 {
        let least = shortest(num_locations);
        for number in 0..(num_locations + 1).pow(num_locations as u32) {
            let copies = copy_of(number, num_locations);
            check(&copies, num_locations);
            let mut wanted: Contents = (0..num_locations).collect();
            copies.iter().for_each(|(to, from)| wanted[to.index()] = from.index());
            let moves = sequence(&copies, Some(Value::new(num_locations)));
            assert_eq!(moves.len(), least[&wanted], "{copies:?}: {moves:?}");
        }
    }
}

/// A number below `limit`, from a linear congruential generator.
fn below(state: &mut u64, limit: usize) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize % limit
}

#[test]
fn random_copies_take_the_moves_that_they_need() {
    let mut state = 1;
    for round in 0..20_000 {
        let num_locations = 1 + round % 17;
        // Sources of one in three copies are a permutation: cycles are rare otherwise.
        let mut sources: Vec<usize> = (0..num_locations).collect();
        for place in 0..num_locations {
            let other = below(&mut state, num_locations);
            if round % 3 == 0 {
                sources.swap(place, other);
            } else {
                sources[place] = other;
            }
        }
        let mut copies: Vec<_> = sources.into_iter().enumerate().collect();
        copies.retain(|_| below(&mut state, 8) != 0);
        let copies: Vec<_> = copies.into_iter().map(|(to, from)| (Value::new(to), Value::new(from))).collect();
        check(&copies, num_locations);
    }
}

#[test]
fn a_cycle_of_many_takes_a_temporary_or_exchanges() {
    let num_locations = 100_000;
    let copies: Vec<_> = (0..num_locations).map(|to| (Value::new(to), Value::new((to + 1) % num_locations))).collect();
    assert_eq!(sequence(&copies, Some(Value::new(num_locations))).len(), num_locations + 1);
    let exchanges = sequence(&copies, None);
    assert_eq!(exchanges.len(), num_locations - 1);
    let held: Contents = (1..num_locations).chain([0]).collect();
    assert!(run(&exchanges, num_locations) == held);
}

#[test]
fn what_is_no_parallel_copy_is_refused_and_the_next_one_is_not() {
    let [a, b, c] = [0, 1, 2].map(Value::new);
    let mut sequentializer = Sequentializer::new();
    let error = sequentializer.sequentialize(&[(a, b), (c, b), (a, c)], |_| None, |_| {}).unwrap_err();
    assert_eq!(error.to_string(), "v0: is the target of two moves in a parallel copy");
    let error = sequentializer.sequentialize(&[(a, b), (b, a), (c, c)], |_| Some(c), |_| {}).unwrap_err();
    assert_eq!(error.to_string(), "v2: is the temporary, but also part of the parallel copy");
    let mut moves = vec![];
    sequentializer.sequentialize(&[(a, b), (a, b), (c, c)], |_| None, |step| moves.push(step)).unwrap();
    assert_eq!(moves, [Move::Copy { to: a, from: b }]);
}

use alloc::string::ToString;
