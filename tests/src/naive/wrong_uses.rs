//! Equivalence to the source, block by block.

use super::blocks;
use ssaphire::check::Mode;
use ssaphire::check::{Program, ProgramEvent};
use ssaphire::graph::{Block, Cfg, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The origin of the content that a value is claimed to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Content {
    /// The content of this variable where the block begins.
    Entering(usize),
    /// This value.
    Of(Value),
}

/// The claim that, where the body of a block begins, after its phis, the content is that of the value; without a value,
/// that it is undefined.
type Obligation = (Block, Content, Option<Value>);

/// The outcome of following an equality back to the beginning of a block.
enum Outcome {
    True,
    False,
    Needs(Obligation),
}

/// The uses in reachable blocks that do not find, on every path, the value that the source gives them: block, and index
/// of the event.
///
/// An obligation is followed back by every edge to the beginning of every block on the way, until it
/// comes to the entry, to a definition, or to an obligation met before. This is what
/// [`validate`](ssaphire::check::validate()) decides without looking at each block for each variable.
///
/// Needs: a program whose structure has no violation.
///
/// # Complexity
/// O(events of a block) for each edge and each obligation; there may be one obligation for each
/// block, variable and value.
pub fn wrong_uses(program: &Program, mode: Mode) -> BTreeSet<(Block, usize)> {
    let mut search = Search { program, mode, met: BTreeMap::new(), pending: Vec::new(), needed_by: Vec::new() };
    let reached = super::reached_from(program, &[program.entry()], None);
    let mut uses = Vec::new();
    let mut wrong = BTreeSet::new();
    for block in blocks(program).filter(|block| reached[block.index()]) {
        for (index, &event) in program.event_list(block).iter().enumerate() {
            let ProgramEvent::Use { variable, value } = event else { continue };
            let content = Content::Entering(variable.index());
            match search.before(block, index, content, Some(value)) {
                Outcome::True => {}
                Outcome::False => drop(wrong.insert((block, index))),
                Outcome::Needs(obligation) => uses.push((search.meet(obligation), block, index)),
            }
        }
    }
    let failed = search.failed(&reached);
    wrong.extend(uses.into_iter().filter(|&(met, ..)| failed[met]).map(|(_, block, index)| (block, index)));
    wrong
}

struct Search<'a> {
    program: &'a Program,
    mode: Mode,
    met: BTreeMap<Obligation, usize>,
    pending: Vec<Obligation>,
    needed_by: Vec<Vec<usize>>,
}

impl Search<'_> {
    fn meet(&mut self, obligation: Obligation) -> usize {
        let next = self.pending.len();
        let index = *self.met.entry(obligation).or_insert(next);
        if index == next {
            self.pending.push(obligation);
            self.needed_by.push(Vec::new());
        }
        index
    }

    /// By obligation, whether it does not hold.
    fn failed(&mut self, reached: &[bool]) -> Vec<bool> {
        let mut work = Vec::new();
        let mut next = 0;
        while let Some(&(block, content, claimed)) = self.pending.get(next) {
            if block == self.program.entry() && !self.holds_at_entry(content, claimed) {
                work.push(next);
            }
            for (edge, &source) in self.program.incoming(block).iter().enumerate() {
                if !reached[source.index()] {
                    continue;
                }
                let claimed = claimed.map(|value| self.operand(block, value, edge));
                match self.before(source, self.program.event_list(source).len(), content, claimed) {
                    Outcome::True => {}
                    Outcome::False => work.push(next),
                    Outcome::Needs(obligation) => {
                        let needed = self.meet(obligation);
                        self.needed_by[needed].push(next);
                    }
                }
            }
            next += 1;
        }
        let mut failed = vec![false; self.pending.len()];
        while let Some(index) = work.pop() {
            if !std::mem::replace(&mut failed[index], true) {
                work.extend(&self.needed_by[index]);
            }
        }
        failed
    }

    fn operand(&self, block: Block, value: Value, edge: usize) -> Value {
        let phi = self.program.phi_list(block).iter().find(|phi| phi.value == value);
        phi.map_or(value, |&phi| self.program.operand_list(phi)[edge])
    }

    fn is_undefined(&self, content: Value) -> bool {
        self.mode == Mode::Refine && self.program.undefined_list().contains(&content)
    }

    fn holds_at_entry(&self, content: Content, claimed: Option<Value>) -> bool {
        let initial = |variable| self.program.initial_list().iter().find(move |given| given.0.index() == variable);
        let content = match content {
            Content::Of(value) => Some(value),
            Content::Entering(variable) => initial(variable).map(|&(_, value)| value),
        };
        content.is_some_and(|content| self.is_undefined(content) || claimed == Some(content))
    }

    /// The condition at the beginning of `block` for `content` and `claimed` to be the same before the event `end`.
    fn before(&self, block: Block, end: usize, mut content: Content, claimed: Option<Value>) -> Outcome {
        for &event in self.program.event_list(block)[..end].iter().rev() {
            let made = match event {
                ProgramEvent::Def { variable, value } => {
                    if content == Content::Entering(variable.index()) {
                        content = Content::Of(value);
                    }
                    (!self.program.is_global(value)).then_some(value)
                }
                ProgramEvent::Copy { dst, src } => {
                    if content == Content::Entering(dst.index()) {
                        content = Content::Entering(src.index());
                    }
                    None
                }
                ProgramEvent::Use { .. } => None,
            };
            match content {
                Content::Of(value) if self.is_undefined(value) || claimed == Some(value) => return Outcome::True,
                // A value made here has not been seen above, whatever it is compared with.
                Content::Of(value) if made == Some(value) => return Outcome::False,
                // The value is made here, and its content is new: no variable had it before.
                Content::Of(_) if made.is_some() && made == claimed => return Outcome::False,
                Content::Entering(_) if made.is_some() && made == claimed => {
                    return self.undefined_before(block, end, content, event);
                }
                _ => {}
            }
        }
        match content {
            Content::Of(value) if self.is_undefined(value) || claimed == Some(value) => Outcome::True,
            Content::Of(_) if claimed.is_none() => Outcome::False,
            _ => Outcome::Needs((block, content, claimed)),
        }
    }

    /// The outcome if `event` makes the claimed value, and the content is older: right only if the content is
    /// undefined.
    fn undefined_before(&self, block: Block, end: usize, content: Content, event: ProgramEvent) -> Outcome {
        if self.mode == Mode::Exact {
            return Outcome::False;
        }
        let place = self.program.event_list(block)[..end].iter().rposition(|&other| other == event);
        self.before(block, place.unwrap_or(0), content, None)
    }
}
