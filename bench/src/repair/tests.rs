//! What the ways make of a function does the same, whichever way it is gone.

use super::problem::{Draft, Problem};
use super::solution::Solution;
use super::walk::{self, Clearing};
use super::{Family, Way, way};
use ssaphire::graph::IdMap;
use ssaphire::repair::Position;
use ssaphire::{Block, SsaForm, Value};
use ssaphire_tests::functions::Rng;

/// What a value holds in a run: which definition it comes from, none where nothing is defined.
type Content = Option<Value>;

/// Runs a way through the function, and checks what is seen at each use of the first variable against what was defined
/// last.
#[track_caller]
fn run(problem: &Problem, solution: &Solution, rng: &mut Rng) {
    let cfg = problem.graph();
    let accesses = &problem.variables[0];
    let num_values = solution.phis.iter().map(|phi| phi.value.index() + 1).max().unwrap_or(0);
    let mut contents: IdMap<Value, Content> = IdMap::filled(num_values.max(SsaForm::num_values(problem)) + 1, None);
    accesses.definitions.iter().for_each(|definition| contents[definition.value] = Some(definition.value));
    let (mut block, mut held) = (cfg.entry(), None);
    for _ in 0..60 {
        let position = accesses.definitions.iter().find(|definition| definition.block == block);
        for (used, answer) in accesses.uses.iter().zip(&solution.answers).filter(|(used, _)| used.block == block) {
            let seen = position.filter(|definition| walk::sees(used.position, definition.position));
            let expected = seen.map_or(held, |definition| Some(definition.value));
            let found = contents.get(*answer).copied().flatten();
            assert!(expected.is_none() || found == expected, "{block}: {found:?}, and {expected:?} is right");
        }
        held = position.map_or(held, |definition| Some(definition.value));
        if cfg.outgoing(block).len() == 0 {
            return;
        }
        let Some(edge) = cfg.edge_at(block, rng.below(cfg.outgoing(block).len()) as u32) else { return };
        let (target, index) = (cfg.target(edge), cfg.operand_index(edge));
        let inserted = solution.phis.iter().filter(|phi| phi.block == target);
        let inserted = inserted.map(|phi| (phi.value, solution.operands(phi)));
        let phis = inserted.chain(problem.standing(target));
        let new: Vec<(Value, Content)> = phis.map(|(phi, operands)| (phi, contents[operands[index]])).collect();
        new.into_iter().for_each(|(phi, content)| contents[phi] = content);
        block = target;
    }
}

/// A graph with edges anywhere, but to the entry.
fn random(rng: &mut Rng) -> Problem {
    let mut draft = Draft::default();
    let blocks: Vec<Block> = (0..2 + rng.below(10)).map(|_| draft.block()).collect();
    let mut num_incoming = vec![0; blocks.len()];
    for &block in &blocks {
        for _ in 0..rng.below(4) {
            let target = 1 + rng.below(blocks.len() - 1);
            draft.edge(block, blocks[target]);
            num_incoming[target] += 1;
        }
    }
    let mut values = Vec::new();
    for &block in &blocks {
        if rng.below(3) == 0 {
            let position = [Position::Entry, Position::At(0), Position::End][rng.below(3)];
            values.push(draft.define_at(0, block, position));
        }
        for _ in 0..rng.below(3) {
            let position = [Position::Entry, Position::At(0), Position::At(1), Position::End][rng.below(4)];
            draft.use_at(0, block, position);
        }
    }
    draft.use_in(0, blocks[blocks.len() - 1]);
    values.push(draft.value());
    for (&block, &len) in blocks.iter().zip(&num_incoming).filter(|(_, len)| **len > 0) {
        let operands = (0..len).map(|_| values[rng.below(values.len())]).collect();
        values.push(draft.stand(block, operands));
    }
    draft.finish()
}

#[test]
fn all_ways_see_what_was_defined_last() {
    let mut rng = Rng::new(1);
    for _ in 0..3_000 {
        let problem = random(&mut rng);
        let solutions = [
            way::repair(&problem, false),
            way::repair(&problem, true),
            walk::solve(&problem, Clearing::Marked),
            walk::solve(&problem, Clearing::Listed),
        ];
        assert_eq!(solutions[2], solutions[3]);
        for solution in &solutions {
            assert_eq!(solution.answers.len(), problem.variables[0].uses.len());
            (0..6).for_each(|_| run(&problem, solution, &mut rng));
        }
    }
}

/// By repair, by the walk, with phis that stand there or without, and by building anew.
#[test]
fn phis_are_those_that_are_needed() {
    let n = 40;
    for &family in Family::ALL {
        let needed = match family {
            Family::Chain | Family::Row => 0,
            Family::Ladder | Family::Nest | Family::Islands | Family::Far | Family::Early | Family::Late => {
                u64::from(n)
            }
            Family::Crowd => 10 * u64::from(n),
        };
        let problem = family.problem(n);
        for &way in Way::ALL {
            assert_eq!(way.go(&problem), needed, "{}, {}", family.name(), way.name());
        }
    }
}

/// A cycle of phis that stands there is found as a whole.
#[test]
fn phis_that_stand_there_are_used() {
    let mut draft = Draft::default();
    let [entry, header, body, exit] = [(); 4].map(|()| draft.block());
    for (source, target) in [(entry, header), (header, body), (header, exit), (body, header)] {
        draft.edge(source, target);
    }
    let (first, second) = (draft.define(0, entry), draft.define(0, body));
    draft.use_in(0, exit);
    let standing = draft.stand(header, vec![first, second]);
    let problem = draft.finish();
    for solution in [way::repair(&problem, true), walk::solve(&problem, Clearing::Marked)] {
        assert_eq!((solution.phis.len(), solution.answers), (0, vec![standing]));
    }
}

#[test]
fn units_are_the_places_where_a_variable_is_live_or_used() {
    let num_live = |family: Family| family.problem(10).num_live();
    // Tops of blocks, then uses.
    assert_eq!(num_live(Family::Chain), 9 + 1);
    assert_eq!(num_live(Family::Row), 9 + 9);
    assert_eq!(num_live(Family::Ladder), 20 + 10);
    assert_eq!(num_live(Family::Islands), 10 + 10);
}
