//! Any function, told to every engine in any order.

use crate::case::{Case, Merge};
use crate::choices::Choices;
use crate::court::{Court, TestCase};
use crate::plan::{Filling, Plan, Sealing};
use crate::thresholds::thresholds;
use ssaphire::{Access, Block, Variable};
use ssaphire_literature::Engine;

/// The most blocks of a function.
const BLOCKS: usize = 12;

/// Blocks in a line that is put in: more than lookups pass without storing anything, or than anything climbs.
const STRETCHES: [usize; 3] = [17, 17, 90];

/// Every engine builds the function right.
///
/// # Panics
/// If one does not.
pub fn check(bytes: &[u8]) {
    Court::new().try_all(&decode(bytes));
}

/// The default engine builds the function right, told as a front end would: edges lead to a block before it is begun,
/// and it is sealed when the last one is there. That is where it takes its short ways.
///
/// # Panics
/// If it does not.
pub fn check_default(bytes: &[u8]) {
    let fillings = [Filling::Reached, Filling::ReachedInterleaved];
    let mut test = decode_among(bytes, &fillings, &[Sealing::Immediate]);
    test.plans.truncate(1);
    Court::of(&[Engine::default()]).try_all(&test);
}

/// The function that the bytes describe, and two ways to tell it: theirs, and a plain one to compare with.
pub fn decode(bytes: &[u8]) -> TestCase {
    decode_among(bytes, &Filling::ALL, &Sealing::ALL)
}

fn decode_among(bytes: &[u8], fillings: &[Filling], sealings: &[Sealing]) -> TestCase {
    let mut choices = Choices::new(bytes);
    let [shares_undefined, reports_uses, writes_on_edges] = [20, 30, 50].map(|percent| choices.chance(percent));
    let (filling, sealing) = (choices.pick(fillings), choices.pick(sealings));
    let seed = choices.below(1 << 16) as u64;
    let thresholds = thresholds(&mut choices);
    let case = function(&mut choices, seed.is_multiple_of(5)).with_pre_entry();
    let mut plan = Plan::new(&case, filling, sealing, seed);
    plan.writes_on_edges = writes_on_edges;
    plan.knows_same = seed.is_multiple_of(3);
    let plain = Plan::new(&case, Filling::ReversePostorder, Sealing::Announced, 0);
    TestCase { case, plans: vec![plan, plain], shares_undefined, reports_uses, thresholds }
}

/// A function with a block per few bytes. With `repeats`, most writes give the same as one in the entry.
fn function(choices: &mut Choices<'_>, repeats: bool) -> Case {
    let entry = choices.below(BLOCKS);
    let style = Style::read(choices, repeats);
    let stretch = choices.chance(15).then(|| choices.pick(&STRETCHES));
    let (mut targets, mut contents) = (Vec::new(), Vec::new());
    while targets.is_empty() || (!choices.is_empty() && targets.len() < BLOCKS) {
        contents.push(Contents::read(&style, choices));
        targets.push(terminator(targets.len(), choices));
    }
    let num_blocks = targets.len();
    for list in &mut targets {
        // After the last block comes none.
        list.retain(|&target| target != num_blocks);
        list.iter_mut().for_each(|target| *target %= num_blocks);
    }
    if let Some(len) = stretch {
        put_lines(&mut targets, len);
    }
    let mut case = Case::of_graph(entry % num_blocks, &targets, style.num_variables());
    add_merges(&mut case, &contents);
    for (list, contents) in case.accesses.iter_mut().zip(contents) {
        *list = contents.accesses;
    }
    case
}

/// Puts lines of so many empty blocks behind blocks with one target: of such a line lookups store something on the way.
fn put_lines(targets: &mut Vec<Vec<usize>>, len: usize) {
    for block in 0..targets.len() {
        if let [target] = targets[block][..] {
            let first = targets.len();
            targets[block] = vec![first];
            targets.extend((1..len).map(|number| vec![first + number]));
            targets.push(vec![target]);
        }
    }
}

/// Writes that give the same as one before turn out to do so.
fn add_merges(case: &mut Case, contents: &[Contents]) {
    let entry = case.cfg.entry();
    let at_entry = contents[entry.index()].writes.first().filter(|_| case.cfg.incoming(entry).is_empty());
    for (block, contents) in contents.iter().enumerate().map(|(block, contents)| (Block::new(block), contents)) {
        for &(old, is_near) in &contents.same {
            let before = contents.writes.iter().rev().find(|&&write| write < old).filter(|_| is_near);
            let new = before.map(|&write| (block, write)).or(at_entry.map(|&write| (entry, write)));
            let merge = new.filter(|&new| new != (block, old)).map(|new| Merge { old: (block, old), new });
            case.merges.extend(merge.filter(|merge| merge.new.0 != block || merge.new.1 < old));
        }
    }
}

/// The targets of `block`: often the next one, sometimes one twice. There may be fewer blocks than they name.
fn terminator(block: usize, choices: &mut Choices<'_>) -> Vec<usize> {
    let kind = choices.below(8);
    let (next, other) = (block + 1, choices.below(BLOCKS));
    match kind {
        0 => vec![],
        1 => vec![next],
        2 | 3 => vec![next, other],
        4 => vec![other],
        5 => vec![other, other],
        6 => vec![other, choices.below(BLOCKS)],
        _ => vec![other, next, choices.below(BLOCKS), other],
    }
}

/// What accesses are like.
struct Style {
    /// Variables that are accessed.
    num_accessed: usize,
    /// How far apart their numbers are: each that is 8 further makes rows wider, and those 64 apart share a bit in sets of 64.
    spread: usize,
    /// The most accesses that a tuple has beyond two.
    longest: usize,
    /// Few values are new.
    is_copying: bool,
    /// Most writes give the same as one in the entry.
    repeats: bool,
}

impl Style {
    fn read(choices: &mut Choices<'_>, repeats: bool) -> Self {
        let is_wide = choices.chance(10);
        let (num_accessed, longest) = if is_wide { (40, 40) } else { (1 + choices.below(4), 3) };
        let spread = if is_wide { 1 } else { choices.pick(&[1, 1, 1, 8, 64, 64]) };
        Self { num_accessed, spread, longest, is_copying: choices.chance(25), repeats }
    }

    fn num_variables(&self) -> usize {
        (self.num_accessed - 1) * self.spread + 1
    }

    fn variable(&self, choices: &mut Choices<'_>) -> Variable {
        Variable::new(choices.below(self.num_accessed) * self.spread)
    }

    fn access(&self, choices: &mut Choices<'_>) -> Access {
        let kind = choices.below(6);
        let variable = self.variable(choices);
        match kind {
            0 | 1 => Access::Read(variable),
            3 | 4 if self.is_copying => Access::Copy(variable, self.variable(choices)),
            2..5 => Access::Write(variable),
            _ => Access::Copy(variable, self.variable(choices)),
        }
    }
}

/// What a block does: up to six accesses or tuples of accesses.
#[derive(Default)]
struct Contents {
    accesses: Vec<Access>,
    /// Which of them are writes and not in tuples.
    writes: Vec<usize>,
    /// Which of those give the same as another: as the one before, or as one at the entry.
    same: Vec<(usize, bool)>,
}

impl Contents {
    fn read(style: &Style, choices: &mut Choices<'_>) -> Self {
        let mut contents = Self::default();
        let mut num_accesses = 0;
        for _ in 0..choices.below(7) {
            let kind = choices.below(8);
            let len = if kind == 0 { 2 + choices.below(style.longest) } else { 1 };
            if len > 1 {
                contents.accesses.push(Access::Tuple(len as u32));
            }
            contents.accesses.extend((0..len).map(|_| style.access(choices)));
            if let (1, Some(Access::Write(_))) = (len, contents.accesses.last()) {
                contents.writes.push(num_accesses);
                contents.same.extend((kind >= 5 || style.repeats).then_some((num_accesses, kind == 7)));
            }
            num_accesses += len;
        }
        contents
    }
}
