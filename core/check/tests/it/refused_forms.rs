//! Forms that are wrong, or not what they should be, in each check besides that of certificates.

use crate::rules::{Listed, graph};
use ssaphire_check::certificate::Reader;
use ssaphire_check::quality::unnecessary_phis;
use ssaphire_check::{Claim, Located, Moved, Violation, Written, isomorphic, isomorphic_by, locations};
use ssaphire_graph::{Block, Cfg, IncomingEdge, InsertionPoint, InsertionPoints, SsaForm, Value, ValueEvent, Variable};

fn used(value: usize) -> ValueEvent {
    ValueEvent::Use(Value::new(value))
}

fn defined(value: usize) -> ValueEvent {
    ValueEvent::Def(Value::new(value))
}

#[test]
pub(crate) fn a_phi_where_no_definitions_meet_is_unnecessary() {
    let text = "ssacert 2\nprogram p\nentry 1\nblock 1\ndef 1 1\ndef 2 2\nblock 2 1 4\nblock 3 2\ndef 1 3\nblock 4 2 3\n\
                block 5 4\nend";
    let (_, program) = Reader::new(text.lines()).next().unwrap().unwrap();
    let phis: Vec<_> = (1..5)
        .flat_map(|block| (0..2).map(move |variable| (Block::new(block), Variable::new(variable), Value::new(0))))
        .collect();
    let found: Vec<_> = unnecessary_phis(&program, &phis)
        .iter()
        .map(|violation| match *violation {
            Violation::UnnecessaryPhi { block, variable, .. } => (block.index(), variable.index()),
            other => panic!("{other}"),
        })
        .collect();
    // x0 is written at the entry and in block 2, x1 at the entry alone.
    assert_eq!(found, [(1, 1), (2, 0), (2, 1), (3, 1), (4, 0), (4, 1)]);
}

/// Two arms that define a value each, and the phi of both; a global, too.
fn diamond() -> Listed {
    let mut form = graph(&[&[1, 2], &[3], &[3], &[]]);
    (form.globals, form.num_values) = (vec![0, 5], Some(6));
    form.events[0] = vec![used(0)];
    form.events[1] = vec![defined(1), defined(4)];
    form.events[2] = vec![defined(2)];
    form.phis[3] = vec![(3, vec![1, 2])];
    form.events[3] = vec![used(3), used(0)];
    form
}

#[test]
pub(crate) fn forms_that_differ_are_not_the_same() {
    let form = diamond();
    assert_eq!(isomorphic(&form, &form), Ok(()));
    let check = |change: &dyn Fn(&mut Listed), expected: &str| {
        let mut other = form.clone();
        change(&mut other);
        for (one, other) in [(&form, &other), (&other, &form)] {
            assert!(isomorphic(one, other).is_err() && isomorphic_by(one, other, |_, _| true).is_err(), "{other:?}");
        }
        assert_eq!(isomorphic(&form, &other).unwrap_err().to_string(), expected);
    };
    check(&|form| form.successors[0].swap(0, 1), "block0: the outgoing edges differ");
    check(&|form| form.predecessors[3].swap(0, 1), "block3: the incoming edges differ");
    check(&|form| form.phis[3][0].1.swap(0, 1), "v1: does not correspond to v2, at operand 0 of v3 in block3");
    check(&|form| form.phis[3][0].1[1] = 1, "v2: does not correspond to v1, at operand 1 of v3 in block3");
    check(&|form| form.phis[3][0].1[1] = 0, "v2: does not correspond to v0, at operand 1 of v3 in block3");
    check(&|form| form.events[3].swap(0, 1), "v3: does not correspond to v0, at event 0 of block3");
    check(&|form| form.events[3].push(used(3)), "block3: 2 events in one function, 3 in the other");
    check(&|form| form.events[3][1] = used(5), "v0: does not correspond to v5, at event 1 of block3");
    check(&|form| form.phis[3][0].1.push(2), "v3: a phi in block3 with another number of operands than v3");
    check(&|form| form.events[1][1] = used(1), "block1: event 1 is a definition in one function, a use in the other");
}

/// A form with locations, moves and storage.
#[derive(Debug)]
struct Placed {
    form: Listed,
    location: Vec<Option<u32>>,
    moves: Vec<(InsertionPoint, u32, Moved)>,
    stored: Vec<usize>,
}

impl Cfg for Placed {
    fn num_blocks(&self) -> usize {
        self.form.num_blocks()
    }

    fn entry(&self) -> Block {
        self.form.entry()
    }

    fn successors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.form.successors(block)
    }

    fn predecessors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.form.predecessors(block)
    }
}

impl SsaForm for Placed {
    fn num_values(&self) -> usize {
        self.form.num_values()
    }

    fn globals(&self) -> impl Iterator<Item = Value> {
        self.form.globals()
    }

    fn phis(&self, block: Block) -> impl Iterator<Item = Value> {
        self.form.phis(block)
    }

    fn operands(&self, block: Block, phi: Value) -> impl Iterator<Item = Value> {
        self.form.operands(block, phi)
    }

    fn events(&self, block: Block) -> impl Iterator<Item = ValueEvent> {
        self.form.events(block)
    }
}

impl InsertionPoints for Placed {
    fn num_results_at_top(&self, _: Block) -> usize {
        0
    }

    fn num_terminator_uses(&self, _: Block) -> usize {
        0
    }
}

impl Located for Placed {
    fn location(&self, value: Value) -> Option<u32> {
        self.location[value.index()]
    }

    fn moves(&self, point: InsertionPoint) -> impl Iterator<Item = (u32, Moved)> {
        self.moves.iter().filter(move |found| found.0 == point).map(|&(_, to, from)| (to, from))
    }

    fn storage(&self, value: Value) -> Option<Variable> {
        self.stored.contains(&value.index()).then_some(Variable::new(0))
    }
}

/// The edge that leaves the block by the slot.
fn edge(source: usize, slot: u32) -> InsertionPoint {
    InsertionPoint::Edge(IncomingEdge { source: Block::new(source), slot })
}

/// The diamond, with a location for each value, and a move on the way from each arm.
fn placed() -> Placed {
    let moves = vec![(edge(1, 0), 3, Moved::Location(1)), (edge(2, 0), 3, Moved::Location(2))];
    let location = (0..5).map(Some).chain([None]).collect();
    Placed { form: diamond(), location, moves, stored: Vec::new() }
}

/// Locations with numbers from here on are no variables: live sets decide.
const FAR: u32 = 4_000_000_000;

#[track_caller]
fn check_placed(change: &dyn Fn(&mut Placed), expected: &[&str]) {
    let mut placed = placed();
    change(&mut placed);
    let found: Vec<String> = locations(&placed).iter().map(ToString::to_string).collect();
    assert_eq!(found, expected, "{placed:?}");
    let far = |location: &mut u32| *location += FAR;
    placed.location.iter_mut().flatten().for_each(far);
    for (_, to, from) in &mut placed.moves {
        far(to);
        if let Moved::Location(from) = from {
            far(from);
        }
    }
    let near = |violation: String| violation.replace("location 400000000", "location ");
    let found: Vec<String> = locations(&placed).iter().map(|violation| near(violation.to_string())).collect();
    assert_eq!(found, expected, "{placed:?}");
}

#[test]
pub(crate) fn values_that_are_not_in_their_locations_are_found() {
    check_placed(&|_| {}, &[]);
    check_placed(
        &|placed| placed.stored = vec![1, 2],
        &["v1 and v2 have different locations, but share the storage of x0"],
    );
    check_placed(
        &|placed| placed.moves[0].2 = Moved::Location(2),
        &["block3: v3 is live on the edge from block1, but location 3 holds an unknown value"],
    );
    check_placed(
        &|placed| placed.moves.truncate(1),
        &["block3: v3 is live on the edge from block2, but location 3 holds an unknown value"],
    );
    check_placed(
        &|placed| placed.moves[1].2 = Moved::Value(Value::new(2)),
        &[
            "slot 0 of block2: a move names v2, which has a location",
            "block3: v3 is live on the edge from block2, but location 3 holds an unknown value",
        ],
    );
    check_placed(&|placed| placed.moves[1].0 = InsertionPoint::End(Block::new(2)), &[]);
    // What is moved on one edge is not moved on the other.
    check_placed(
        &|placed| placed.moves.push((edge(0, 1), 0, Moved::Value(Value::new(5)))),
        &["block2: v0 is live on the edge from block0, but location 0 holds v5"],
    );
    check_placed(&|placed| placed.moves.push((edge(0, 0), 2, Moved::Location(0))), &[]);
    let beside = |placed: &mut Placed| {
        placed.form.events[2].push(used(0));
        placed.form.events[3].pop();
        placed.moves.push((edge(0, 0), 0, Moved::Value(Value::new(5))));
    };
    check_placed(&beside, &[]);
    check_placed(
        &|placed| placed.location[4] = Some(1),
        &[
            "block3: v3 is live on the edge from block1, but location 3 holds v4",
            "block1: v4 and v1 are defined simultaneously, both at location 1",
        ],
    );
    check_placed(
        &|placed| placed.location[4] = Some(0),
        &["block3: v0 is live on the edge from block1, but location 0 holds v4"],
    );
    check_placed(&|placed| placed.location[3] = None, &["block3: v3 has no location"]);
}

#[test]
pub(crate) fn results_in_one_location_and_moves_the_wrong_way_are_found() {
    let overwritten = |placed: &mut Placed| {
        placed.location[4] = Some(1);
        placed.form.events[1].swap(0, 1);
    };
    check_placed(&overwritten, &["block1: v1 and v4 are defined simultaneously, both at location 1"]);
    check_placed(
        &|placed| placed.moves = vec![(edge(1, 0), 1, Moved::Location(3)), (edge(2, 0), 2, Moved::Location(3))],
        &[
            "block3: v3 is live on the edge from block1, but location 3 holds an unknown value",
            "block3: v3 is live on the edge from block2, but location 3 holds an unknown value",
        ],
    );
}

/// v1 stands for v0; v2 is a phi of both in block 1.
struct Given;

impl Claim for Given {
    fn resolve(&self, value: Value) -> Value {
        if value == Value::new(1) { Value::new(0) } else { value }
    }

    fn visit_phis(&self, visit: &mut dyn FnMut(Block, Value, &[Value])) {
        visit(Block::new(1), Value::new(2), &[Value::new(0), Value::new(3)]);
    }
}

#[test]
pub(crate) fn what_a_host_writes_is_what_was_claimed() {
    let mut written = Written::default();
    let mut check = |uses: &[(u64, usize)], phis: &[(usize, usize, &[usize])], expected: &[&str]| {
        // Once more in the same memory, in which everything is forgotten.
        for _ in 0..2 {
            written.clear();
            [(7, 1), (8, 3), (9, 1)].iter().for_each(|&(place, value)| written.use_before(place, Value::new(value)));
            written.phi_before(Block::new(2), Value::new(4), &[Value::new(1)]);
            uses.iter().for_each(|&(place, value)| written.use_after(place, Value::new(value)));
            for &(block, phi, operands) in phis {
                let operands: Vec<Value> = operands.iter().map(|&operand| Value::new(operand)).collect();
                written.phi(Block::new(block), Value::new(phi), &operands);
            }
            let found: Vec<_> = written.compare(&Given).iter().map(ToString::to_string).collect();
            assert_eq!(found, expected);
        }
    };
    let uses: &[_] = &[(7, 0), (8, 3)];
    let phis: [(usize, usize, &[usize]); 2] = [(1, 2, &[0, 3]), (2, 4, &[0])];
    check(uses, &phis, &[]);
    check(&[(7, 1), (8, 3)], &phis, &["place 7: uses v1, but should use v0, the final value of v1"]);
    check(&[(7, 0), (8, 0)], &phis, &["place 8: uses v0, but should use v3, the final value of v3"]);
    check(
        &[(7, 0), (7, 0)],
        &phis,
        &["place 7: is the place of two uses", "place 7: uses v0, but had no use before `finish`"],
    );
    check(&[(6, 0), (7, 0)], &phis, &["place 6: uses v0, but had no use before `finish`"]);
    check(uses, &phis[..1], &["v4: the host has not written this phi of block2"]);
    check(uses, &[phis[0], (2, 4, &[1])], &["v4: operand 0 in block2 is v1, but should be v0"]);
    check(uses, &[(3, 2, &[0, 3]), phis[1]], &["v2: belongs in block1, but the host has written it in block3"]);
    check(uses, &[(1, 2, &[0]), phis[1]], &["v2: has 1 operands in block1, which has 2 incoming edges"]);
    check(
        uses,
        &[phis[0], phis[1], (1, 5, &[0, 0])],
        &["v5: the host has this phi in block1, but the result does not"],
    );
    check(
        uses,
        &[(1, 1, &[0, 0]), phis[0], phis[1]],
        &["v1: the host has this phi in block1, but the result does not"],
    );
}
