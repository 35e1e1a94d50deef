//! The rules of SSA form, on hosts of any kind.

use crate::random::Random;
use ssaphire_check::{Rules, Violation, rules};
use ssaphire_graph::{Block, Cfg, SsaForm, Value, ValueEvent};
use std::collections::BTreeSet;

/// A function given by its lists, which need not fit each other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Listed {
    /// More than there are, where nothing is said.
    pub(crate) num_values: Option<usize>,
    pub(crate) successors: Vec<Vec<usize>>,
    pub(crate) predecessors: Vec<Vec<usize>>,
    pub(crate) globals: Vec<usize>,
    pub(crate) phis: Vec<Vec<(usize, Vec<usize>)>>,
    pub(crate) events: Vec<Vec<ValueEvent>>,
}

impl Cfg for Listed {
    fn num_blocks(&self) -> usize {
        self.successors.len()
    }

    fn entry(&self) -> Block {
        Block::new(0)
    }

    fn successors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.successors[block.index()].iter().map(|&target| Block::new(target))
    }

    fn predecessors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.predecessors[block.index()].iter().map(|&source| Block::new(source))
    }
}

impl SsaForm for Listed {
    fn num_values(&self) -> usize {
        self.num_values.unwrap_or(1000)
    }

    fn globals(&self) -> impl Iterator<Item = Value> {
        self.globals.iter().map(|&value| Value::new(value))
    }

    fn phis(&self, block: Block) -> impl Iterator<Item = Value> {
        self.phis[block.index()].iter().map(|&(phi, _)| Value::new(phi))
    }

    fn operands(&self, block: Block, phi: Value) -> impl Iterator<Item = Value> {
        let found = self.phis[block.index()].iter().find(move |&&(value, _)| value == phi.index());
        found.into_iter().flat_map(|(_, operands)| operands.iter().map(|&operand| Value::new(operand)))
    }

    fn events(&self, block: Block) -> impl Iterator<Item = ValueEvent> {
        self.events[block.index()].iter().copied()
    }
}

pub(crate) fn graph(successors: &[&[usize]]) -> Listed {
    let mut listed = Listed { predecessors: vec![Vec::new(); successors.len()], ..Listed::default() };
    for (source, targets) in successors.iter().enumerate() {
        targets.iter().for_each(|&target| listed.predecessors[target].push(source));
    }
    listed.successors = successors.iter().map(|targets| targets.to_vec()).collect();
    listed.phis.resize(successors.len(), Vec::new());
    listed.events.resize(successors.len(), Vec::new());
    listed
}

#[track_caller]
fn check(form: &Listed, expected: &[&str]) {
    let found: Vec<_> = rules(form).iter().map(ToString::to_string).collect();
    assert_eq!(found, expected);
}

#[test]
pub(crate) fn a_graph_that_does_not_fit_itself_is_named() {
    let mut form = graph(&[&[1], &[]]);
    form.predecessors[1].clear();
    check(&form, &["block0: its edges to block1 do not match the incoming edges of block1"]);
    form.successors[0] = vec![4];
    check(&form, &["block0: has an edge to or from block4, which does not exist"]);
    check(&graph(&[]), &["block0: is the entry, but the graph has only 0 blocks"]);
}

#[test]
pub(crate) fn a_global_is_not_defined_again() {
    let mut form = graph(&[&[0]]);
    form.globals = vec![5, 5];
    form.phis[0] = vec![(5, vec![5])];
    form.events[0] = vec![ValueEvent::Use(Value::new(5)), ValueEvent::Def(Value::new(5))];
    check(
        &form,
        &[
            "v5: is a global, but also defined in block0",
            "v5: a phi in the entry block0, where control enters without an edge",
        ],
    );
}

#[test]
pub(crate) fn a_form_has_no_more_values_than_it_says() {
    let mut form = graph(&[&[1], &[]]);
    form.num_values = Some(7);
    form.globals = vec![8];
    form.phis[1] = vec![(9, vec![6])];
    form.events[0] =
        vec![ValueEvent::Def(Value::new(6)), ValueEvent::Def(Value::new(7)), ValueEvent::Use(Value::new(7))];
    check(
        &form,
        &[
            "v7: is defined, but there are only 7 values",
            "v8: is defined, but there are only 7 values",
            "v9: is defined, but there are only 7 values",
            "v7: used in block0, but defined nowhere",
        ],
    );
}

#[test]
pub(crate) fn a_use_needs_a_definition_above_it() {
    let mut form = graph(&[&[1, 2], &[3], &[3], &[]]);
    let [first, second, third] = [0, 1, 2].map(Value::new);
    form.events[0] = vec![ValueEvent::Use(first), ValueEvent::Def(first), ValueEvent::Use(first)];
    form.events[1] = vec![ValueEvent::Def(second), ValueEvent::Use(first)];
    form.phis[3] = vec![(3, vec![1, 1]), (4, vec![0, 9])];
    form.events[3] = vec![ValueEvent::Use(second), ValueEvent::Use(third), ValueEvent::Use(second)];
    check(
        &form,
        &[
            "v2: used in block3, but defined nowhere",
            "v9: used in block3, but defined nowhere",
            "v0: used in block0 before it is defined there",
            "v1: used in block3, which block1 does not dominate",
            "v1: operand 1 of v3 in block3, by the edge from block2, which block1 does not dominate",
        ],
    );
}

#[test]
pub(crate) fn definitions_in_unreachable_blocks_dominate_nothing_but_count() {
    let mut form = graph(&[&[1], &[], &[1, 2]]);
    form.events[2] = vec![ValueEvent::Def(Value::new(0)), ValueEvent::Use(Value::new(8))];
    form.phis[1] = vec![(1, vec![0, 9])];
    check(&form, &["v0: operand 0 of v1 in block1, by the edge from block0, which block2 does not dominate"]);
    form.events[0] = vec![ValueEvent::Def(Value::new(0))];
    check(&form, &["v0: defined in block0 and again in block2"]);
}

/// The blocks that some path from the entry enters without passing `avoided`.
fn entered_without(form: &Listed, avoided: Option<usize>) -> BTreeSet<usize> {
    let mut entered = BTreeSet::new();
    let mut pending = vec![0];
    while let Some(block) = pending.pop() {
        if Some(block) != avoided && entered.insert(block) {
            pending.extend(&form.successors[block]);
        }
    }
    entered
}

/// One definition per value, one use in each of some blocks, and phis with any operands.
fn random_form(random: &mut Random) -> Listed {
    let num_blocks = 1 + random.below(7);
    let successors: Vec<Vec<usize>> =
        (0..num_blocks).map(|_| (0..random.below(4)).map(|_| random.below(num_blocks)).collect()).collect();
    let successors: Vec<_> = successors.iter().map(Vec::as_slice).collect();
    let mut form = graph(&successors);
    for value in 0..4 {
        let block = random.below(num_blocks);
        if random.one_in(3) {
            let operands = form.predecessors[block].iter().map(|_| random.below(4)).collect();
            form.phis[block].push((value, operands));
        } else {
            form.events[block].push(ValueEvent::Def(Value::new(value)));
        }
    }
    for _ in 0..random.below(4) {
        form.events[random.below(num_blocks)].push(ValueEvent::Use(Value::new(random.below(4))));
    }
    form
}

/// Where each value is defined.
fn definition(form: &Listed, value: usize) -> usize {
    let is_here = |block: &usize| {
        form.phis[*block].iter().any(|&(phi, _)| phi == value)
            || form.events[*block].contains(&ValueEvent::Def(Value::new(value)))
    };
    (0..form.successors.len()).find(is_here).unwrap()
}

#[test]
pub(crate) fn a_use_is_refused_if_a_path_avoids_the_definition() {
    let mut random = Random(11);
    let mut memory = Rules::new();
    let mut num_wrong = 0;
    for _ in 0..5000 {
        let form = random_form(&mut random);
        let reachable = entered_without(&form, None);
        let is_wrong = |value, place: usize| {
            reachable.contains(&place) && entered_without(&form, Some(definition(&form, value))).contains(&place)
        };
        let mut expected = BTreeSet::new();
        for &block in &reachable {
            for event in &form.events[block] {
                let ValueEvent::Use(value) = *event else { continue };
                if is_wrong(value.index(), block) {
                    expected.insert((value.index(), block));
                }
            }
            for (_, operands) in &form.phis[block] {
                let sources = operands.iter().zip(&form.predecessors[block]);
                expected.extend(
                    sources.filter(|&(&value, &source)| is_wrong(value, source)).map(|(&value, _)| (value, block)),
                );
            }
        }
        let found: BTreeSet<_> = memory
            .check(&form)
            .iter()
            .filter(|violation| !matches!(violation, Violation::PhiInEntry { .. }))
            .map(|violation| match *violation {
                Violation::NotDominated { value, block, .. } | Violation::OperandNotDominated { value, block, .. } => {
                    (value.index(), block.index())
                }
                other => panic!("{other}\n{form:?}"),
            })
            .collect();
        assert_eq!(found, expected, "{form:?}");
        num_wrong += usize::from(!expected.is_empty());
    }
    assert!((1000..4000).contains(&num_wrong), "{num_wrong}");
}
