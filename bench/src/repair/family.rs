//! The families.

use super::problem::{Draft, Problem};
use ssaphire::{Block, Value};

/// A family of functions to repair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the table of the module says what they are")]
pub enum Family {
    Chain,
    Row,
    Ladder,
    Nest,
    Islands,
    Far,
    Crowd,
    Early,
    Late,
}

/// Number of conditionals of `crowd`.
const CROWDED: usize = 10;

impl Family {
    /// All families.
    pub const ALL: &'static [Self] = &[
        Self::Chain,
        Self::Row,
        Self::Ladder,
        Self::Nest,
        Self::Islands,
        Self::Far,
        Self::Crowd,
        Self::Early,
        Self::Late,
    ];

    /// Its name, as in the table.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chain => "chain",
            Self::Row => "row",
            Self::Ladder => "ladder",
            Self::Nest => "nest",
            Self::Islands => "islands",
            Self::Far => "far",
            Self::Crowd => "crowd",
            Self::Early => "early",
            Self::Late => "late",
        }
    }

    /// The family of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|family| family.name() == name)
    }

    /// The sizes that are measured: to a million; of `far`, the places at which a variable is live are *n* squared.
    pub const fn sizes(self) -> &'static [u32] {
        match self {
            Self::Far => &[100, 300, 1_000, 3_000],
            Self::Crowd => &[100, 1_000, 10_000, 100_000],
            _ => &[1_000, 10_000, 100_000, 1_000_000],
        }
    }

    /// The member of that size.
    pub fn problem(self, n: u32) -> Problem {
        let (mut draft, n) = (Draft::default(), n as usize);
        match self {
            Self::Chain => row(&mut draft, n, false),
            Self::Row => row(&mut draft, n, true),
            Self::Ladder => drop(ladder(&mut draft, n)),
            Self::Nest => nest(&mut draft, n),
            Self::Islands => islands(&mut draft, n, false),
            Self::Far => islands(&mut draft, n, true),
            Self::Crowd => crowd(&mut draft, n),
            Self::Early => early(&mut draft, n),
            Self::Late => late(&mut draft, n),
        }
        draft.finish()
    }
}

/// A conditional behind `top`: its arms and its join.
fn conditional(draft: &mut Draft, top: Block) -> [Block; 3] {
    let [left, right, join] = [(); 3].map(|()| draft.block());
    for arm in [left, right] {
        draft.edge(top, arm);
        draft.edge(arm, join);
    }
    [left, right, join]
}

/// Uses are asked for from the last one to the first: each of them finds nothing of what is known of those above it.
fn row(draft: &mut Draft, n: usize, uses_everywhere: bool) {
    let blocks: Vec<Block> = (0..n.max(2)).map(|_| draft.block()).collect();
    blocks.windows(2).for_each(|pair| draft.edge(pair[0], pair[1]));
    draft.define(0, blocks[0]);
    let num_uses = if uses_everywhere { blocks.len() - 1 } else { 1 };
    blocks.iter().rev().take(num_uses).for_each(|&block| draft.use_in(0, block));
}

/// By conditional: its join, what is defined in its first arm, and the definition at the top.
fn ladder(draft: &mut Draft, n: usize) -> (Value, Vec<(Block, Value)>) {
    let mut top = draft.block();
    let first = draft.define(0, top);
    let mut steps = Vec::new();
    for _ in 0..n {
        let [left, _, join] = conditional(draft, top);
        steps.push((join, draft.define(0, left)));
        top = join;
    }
    steps.iter().rev().for_each(|&(join, _)| draft.use_in(0, join));
    (first, steps)
}

fn nest(draft: &mut Draft, n: usize) {
    let entry = draft.block();
    draft.define(0, entry);
    let headers: Vec<Block> = (0..n).map(|_| draft.block()).collect();
    let body = draft.block();
    draft.define(0, body);
    let way_in: Vec<Block> = [entry].into_iter().chain(headers.iter().copied()).chain([body]).collect();
    way_in.windows(2).for_each(|pair| draft.edge(pair[0], pair[1]));
    let mut inner = body;
    for &header in headers.iter().rev() {
        let latch = draft.block();
        draft.edge(inner, latch);
        draft.edge(latch, header);
        inner = latch;
    }
    let exit = draft.block();
    draft.edge(inner, exit);
    headers.iter().rev().for_each(|&header| draft.use_in(0, header));
}

fn islands(draft: &mut Draft, n: usize, are_used_at_the_end: bool) {
    let mut top = draft.block();
    for variable in 0..n {
        let [left, right, join] = conditional(draft, top);
        draft.define(variable, left);
        draft.define(variable, right);
        if !are_used_at_the_end {
            draft.use_in(variable, join);
        }
        top = join;
    }
    if are_used_at_the_end {
        (0..n).for_each(|variable| draft.use_in(variable, top));
    }
}

fn crowd(draft: &mut Draft, n: usize) {
    let mut top = draft.block();
    for variable in 0..n {
        draft.define(variable, top);
    }
    let mut joins = Vec::new();
    for _ in 0..CROWDED {
        let [left, _, join] = conditional(draft, top);
        for variable in 0..n {
            draft.define(variable, left);
        }
        joins.push(join);
        top = join;
    }
    for variable in 0..n {
        joins.iter().rev().for_each(|&join| draft.use_in(variable, join));
    }
}

fn early(draft: &mut Draft, n: usize) {
    let (first, steps) = ladder(draft, n);
    for (join, _) in steps {
        draft.stand(join, vec![first; 2]);
    }
}

fn late(draft: &mut Draft, n: usize) {
    let (_, steps) = ladder(draft, n);
    // What enters at the top is another value: the phi of each join nearly is the one that is needed.
    let mut above = draft.value();
    for (join, defined) in steps {
        above = draft.stand(join, vec![defined, above]);
    }
}
