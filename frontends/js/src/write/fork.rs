//! Forks: by their arms, `if`s, switches, or nothing but exceptions.

use super::builder::{Builder, Choice, Fork, Frame, Pending};
use super::expr::{Effect, Throws};
use super::tree::{Case, Jump, Kind, NodeId, Seq};
use crate::dialect::Constant;
use ssaphire::destruct::structure::Selector;

impl Builder<'_, '_> {
    /// What a choice is made by has to be evaluated even if nothing depends on it.
    pub(super) fn flush_choice(&mut self) {
        if let Some(choice) = self.choice.take() {
            let (Choice::Truthy(value) | Choice::Nullish(value) | Choice::Cases(value, _)) = choice;
            if value.throws != Throws::Never || value.effect == Effect::Runs {
                self.execute(value);
            }
        }
    }
    pub(super) fn open_fork(&mut self, selector: Selector, opened: usize) {
        self.flush_assignments();
        let (num_slots, handlers) = match selector {
            Selector::Terminator(chain) => {
                let chain = &self.chains.chains[chain.index()];
                (chain.next.len(), chain.handlers.clone())
            }
            Selector::Dispatch => (usize::MAX, Vec::new()),
        };
        let choice = match selector {
            Selector::Terminator(_) => self.choice.take(),
            Selector::Dispatch => {
                let variable = self.dispatch_variable();
                Some(Choice::Cases(self.variable(variable), Vec::new()))
            }
        };
        // Statements in the arms must not take what was computed before the condition. It waits again after the fork,
        // which may have become an expression by then.
        let held = std::mem::take(&mut self.pending);
        held.iter().for_each(|pending| self.states[pending.variable.index()].is_pending = false);
        self.frames.push(Frame::Fork(Box::new(Fork { opened, choice, num_slots, handlers, arms: Vec::new(), held })));
    }
    /// Makes a statement of a fork.
    pub(super) fn close_fork(&mut self, fork: Fork) {
        let Fork { opened, choice, num_slots, handlers, arms, held } = fork;
        let (mut normal, mut inline) = (Vec::new(), Vec::new());
        for (slots, seq) in arms {
            match slots.first().map(|&slot| slot as usize) {
                Some(slot) if slot < num_slots => normal.push((slots, seq)),
                Some(slot) => {
                    if let Some(&handler) = handlers.get(slot - num_slots) {
                        // An arm that leads to its handler elsewhere is what a `catch` clause will do.
                        let chain = self.chains.of_block[handler.index()];
                        let is_inside = self.executed[chain].is_some_and(|place| place > opened);
                        if is_inside { inline.push((handler, seq)) } else { self.forget_jumps(&seq) }
                    } else {
                        self.forget_jumps(&seq);
                    }
                }
                None => {}
            }
        }
        if normal.is_empty() || choice.is_none() {
            self.resume(held);
            self.close_straight(choice, normal, !inline.is_empty());
        } else if let Some(choice) = choice {
            self.close_choice(choice, num_slots, normal, held);
        }
        if !inline.is_empty() {
            self.flush();
        }
        for (handler, seq) in inline {
            self.place_handler(handler, seq);
        }
    }

    /// A jump that is not written does not count.
    pub(super) fn forget_jumps(&mut self, seq: &[NodeId]) {
        for &node in seq {
            if let Kind::Jump(Jump::Break(label)) = self.tree.nodes[node].kind
                && let Some(count) = self.tree.breaks.get_mut(&label)
            {
                *count = count.saturating_sub(1);
            }
        }
    }

    /// Lets what waited before a fork wait again.
    pub(super) fn resume(&mut self, held: Vec<Pending>) {
        held.iter().for_each(|pending| self.states[pending.variable.index()].is_pending = true);
        self.pending.splice(0..0, held);
    }

    /// A fork that chooses nothing.
    fn close_straight(&mut self, choice: Option<Choice>, normal: Vec<(Vec<u32>, Seq)>, has_inline: bool) {
        self.choice = choice;
        let is_needed = !normal.is_empty() || has_inline;
        if is_needed || self.choice.is_some() {
            self.flush_choice();
        }
        if !normal.is_empty() {
            self.flush();
        }
        for (_, seq) in normal {
            self.seq.extend(seq);
        }
    }

    fn close_choice(&mut self, choice: Choice, num_slots: usize, mut arms: Vec<(Vec<u32>, Seq)>, held: Vec<Pending>) {
        match choice {
            Choice::Cases(on, cases) => {
                // A switch is a statement in any case, so what waits is executed before it.
                self.resume(held);
                self.flush();
                let is_dispatch = num_slots == usize::MAX;
                add_missing(&mut arms, cases.len());
                let label = |slot: u32| {
                    if is_dispatch {
                        Some(Constant::number(f64::from(slot)))
                    } else {
                        cases.get(slot as usize).cloned()
                    }
                };
                let cases = arms.into_iter().map(|(slots, seq)| (slots.into_iter().map(label).collect(), seq));
                let (labels, arms): (Vec<_>, Vec<_>) = cases.collect::<Vec<Case>>().into_iter().unzip();
                let (on, arms) = self.settle_choice(on, arms);
                self.push(Kind::Switch { on, cases: labels.into_iter().zip(arms).collect() });
            }
            Choice::Truthy(_) | Choice::Nullish(_) => {
                let mut sides = [Seq::new(), Seq::new()];
                let is_both = |slots: &[u32]| slots.contains(&0) && slots.contains(&1);
                for (slots, seq) in arms {
                    // With one arm for both slots, the value decides nothing, but its evaluation may have an effect.
                    if is_both(&slots) {
                        self.resume(held);
                        self.close_straight(Some(choice), vec![(slots, seq)], false);
                        return;
                    }
                    sides[usize::from(!slots.contains(&0))] = seq;
                }
                let condition = match choice {
                    Choice::Truthy(value) => value,
                    Choice::Nullish(value) => {
                        let null = self.ast.constant(Constant::Null);
                        self.ast.binary("==", &value, &null)
                    }
                    Choice::Cases(..) => return,
                };
                let [then, otherwise] = sides;
                self.close_if(condition, then, otherwise, held);
            }
        }
    }
}

/// Of a switch with `num_cases` that has an arm for the default, what has no arm must not take that one.
fn add_missing(arms: &mut Vec<(Vec<u32>, Seq)>, num_cases: usize) {
    let mut has_arm = vec![false; num_cases];
    let mut has_default = false;
    for &slot in arms.iter().flat_map(|(slots, _)| slots) {
        match has_arm.get_mut(slot as usize) {
            Some(has_arm) => *has_arm = true,
            None => has_default = true,
        }
    }
    let missing: Vec<u32> = (0..).zip(has_arm).filter(|&(_, has_arm)| !has_arm).map(|(slot, _)| slot).collect();
    if has_default && !missing.is_empty() {
        arms.push((missing, Seq::new()));
    }
}
