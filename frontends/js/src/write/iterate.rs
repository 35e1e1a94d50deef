//! Loops over iterables and over keys that the language has a statement for.
//!
//! A loop is one if it does what `for (const x of iterable)` does: it ends when the iterator is done, each other way
//! out closes the iterator first, and whatever its body throws reaches a handler that abandons the iterator and throws
//! it again. The engine does all of this, so the handler goes, and what closes the iterator becomes a mark.
//! A loop over keys has nothing to close.

use super::insts::{all_insts, handler_of, is_handler, next_of, op_of};
use crate::Js;
use crate::dialect::Opcode;
use ssaphire_ir::{Arg, Block, Dest, Function, Inst, InstRef, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// A loop over an iterable.
#[derive(Clone, Copy, Debug)]
pub(super) struct ForOf {
    /// The variable that holds the iterator.
    pub(super) iterator: Variable,
    /// The one that holds what `next` has returned.
    result: Variable,
    /// Whether it runs over keys.
    pub(super) is_over_keys: bool,
    /// Where `next` is called.
    header: Block,
    /// Where an exception goes that the body does not handle, and where the handler there throws it.
    handler: Option<Block>,
    outer: Option<Block>,
}

impl ForOf {
    /// The variable that holds what `next` has returned.
    pub(super) fn result(&self) -> Variable {
        self.result
    }
}

/// The loops of a function over iterables.
#[derive(Debug, Default)]
pub(super) struct ForOfs {
    /// By block that calls `next`.
    pub(super) by_header: BTreeMap<Block, ForOf>,
    pub(super) iterators: BTreeSet<Variable>,
    pub(super) results: BTreeSet<Variable>,
}

/// Finds the loops over iterables, but for those with certain iterators, and lets the engine close these.
pub(super) fn find(function: &mut Function<Js>, is_refused: impl Fn(Variable) -> bool) -> ForOfs {
    let mut found = ForOfs::default();
    let mentions = Mentions::new(function);
    for block in function.blocks() {
        let candidate = candidate(function, &mentions, block).filter(|candidate| !is_refused(candidate.iterator));
        if let Some(for_of) = candidate.and_then(|candidate| checked(function, &mentions, candidate)) {
            found.by_header.insert(block, for_of);
            found.iterators.insert(for_of.iterator);
            found.results.insert(for_of.result);
        }
    }
    let handlers: BTreeMap<Block, Option<Block>> =
        found.by_header.values().filter_map(|for_of| Some((for_of.handler?, for_of.outer))).collect();
    if !found.by_header.is_empty() {
        for block in function.blocks() {
            remove_handlers(function, block, &handlers, &found.iterators);
        }
    }
    found
}

/// By variable, how often it is written, and the instructions that read it.
struct Mentions {
    num_writes: Vec<u32>,
    readers: Vec<Vec<Opcode>>,
}

impl Mentions {
    fn new(function: &Function<Js>) -> Self {
        let count = function.num_variables();
        let mut mentions = Self { num_writes: vec![0; count], readers: vec![Vec::new(); count] };
        for inst in all_insts(function) {
            for dest in inst.results {
                if let Dest::Variable(variable) = *dest {
                    mentions.num_writes[variable.index()] += 1;
                }
            }
            for variable in super::uses::read_variables(inst) {
                // A copy is as good as anything that is no part of a loop.
                let opcode = op_of(inst).map_or(Opcode::Return, |op| op.opcode);
                mentions.readers[variable.index()].push(opcode);
            }
        }
        mentions
    }

    fn are(&self, variable: Variable, allowed: &[Opcode]) -> bool {
        let readers = &self.readers[variable.index()];
        self.num_writes[variable.index()] == 1 && readers.iter().all(|reader| allowed.contains(reader))
    }

    fn count(&self, variable: Variable, opcode: Opcode) -> usize {
        self.readers[variable.index()].iter().filter(|&&reader| reader == opcode).count()
    }
}

fn opcode_of(inst: InstRef<'_, Js>) -> Option<Opcode> {
    op_of(inst).map(|op| op.opcode)
}

/// The loop whose `next` is called first in `block`, if it may be one over an iterable.
fn candidate(function: &Function<Js>, mentions: &Mentions, block: Block) -> Option<ForOf> {
    let first = function.block(block).insts().get(0)?;
    let (next, &[Arg::Variable(iterator)], &[Dest::Variable(result)]) = (opcode_of(first)?, first.args, first.results)
    else {
        return None;
    };
    let is_over_keys = match next {
        Opcode::IteratorNext => false,
        Opcode::ForInNext => true,
        _ => return None,
    };
    let outer = handler_of(first);
    // The statement of the language names neither the iterator nor what `next` returns: nothing else may read them.
    let own = [next, Opcode::IteratorClose, Opcode::IteratorAbandon];
    let parts = [Opcode::IteratorDone, Opcode::IteratorValue];
    let is_alone = mentions.are(iterator, &own)
        && mentions.count(iterator, next) == 1
        && mentions.count(iterator, Opcode::IteratorAbandon) <= 1
        && mentions.are(result, &parts)
        && mentions.count(result, Opcode::IteratorDone) == 1
        && mentions.count(result, Opcode::IteratorValue) == 1;
    is_alone.then_some(ForOf { iterator, result, is_over_keys, header: block, handler: None, outer })
}

/// The instructions from a block on, up to one that chooses or ends, with their blocks.
fn straight<'f>(function: &'f Function<Js>, from: Block) -> impl Iterator<Item = (Block, InstRef<'f, Js>)> {
    let mut block = Some(from);
    let mut index = 0;
    std::iter::from_fn(move || {
        let current = block?;
        let inst = function.block(current).insts().get(index)?;
        index += 1;
        if index == function.block(current).insts().len() {
            let is_choice = matches!(opcode_of(inst), Some(Opcode::Branch | Opcode::BranchNullish | Opcode::Switch));
            block = next_of(inst).first().copied().filter(|_| !is_choice);
            index = 0;
        }
        Some((current, inst))
    })
}

/// The loop with its handler, if it is one over an iterable.
fn checked(function: &Function<Js>, mentions: &Mentions, mut for_of: ForOf) -> Option<ForOf> {
    // `next`, whether it is done, and the choice.
    let head: Vec<_> =
        straight(function, for_of.header).filter(|&(_, inst)| opcode_of(inst) != Some(Opcode::Jump)).take(3).collect();
    let [_, (_, done), (_, branch)] = head[..] else { return None };
    let (&[Arg::Variable(result)], &[Dest::Variable(is_done)]) = (done.args, done.results) else { return None };
    let is_head = opcode_of(done) == Some(Opcode::IteratorDone)
        && result == for_of.result
        && opcode_of(branch) == Some(Opcode::Branch)
        && branch.args == [Arg::Variable(is_done)]
        && mentions.readers[is_done.index()].len() == 1
        && handler_of(done) == for_of.outer;
    let (true, &[_, body]) = (is_head, branch.targets) else { return None };
    let first = straight(function, body).map(|(_, inst)| inst).find(|&inst| opcode_of(inst) != Some(Opcode::Jump))?;
    if opcode_of(first) != Some(Opcode::IteratorValue) || first.args != [Arg::Variable(for_of.result)] {
        return None;
    }
    if for_of.is_over_keys {
        return Some(for_of);
    }
    let blocks = Walk { function, for_of: &mut for_of, seen: BTreeSet::new(), left: Vec::new() }.walk(body)?;
    let is_used = mentions.count(for_of.iterator, Opcode::IteratorAbandon) == usize::from(for_of.handler.is_some());
    // The handler goes with the loop, so it must not be that of other code, too.
    let handler_is_own = for_of
        .handler
        .is_none_or(|handler| function.block(handler).incoming().iter().all(|edge| blocks.contains(&edge.source)));
    (is_used && handler_is_own).then_some(for_of)
}

/// A walk over the body of a loop.
struct Walk<'w> {
    function: &'w Function<Js>,
    for_of: &'w mut ForOf,
    seen: BTreeSet<Block>,
    /// Where control goes after the iterator has been closed.
    left: Vec<Block>,
}

impl Walk<'_> {
    /// The blocks of the body; none if something in it is not as in a loop over an iterable.
    fn walk(mut self, body: Block) -> Option<BTreeSet<Block>> {
        let mut work = vec![body];
        while let Some(block) = work.pop() {
            // The header begins the next round, and is no part of the body.
            if block == self.for_of.header || !self.seen.insert(block) {
                continue;
            }
            let mut is_closed = false;
            for inst in self.function.block(block).insts().iter() {
                if is_closed {
                    self.leave(inst)?;
                    continue;
                }
                is_closed = self.inst(inst, &mut work)?;
                if is_closed {
                    self.left.extend(next_of(inst));
                } else {
                    work.extend(next_of(inst));
                }
            }
        }
        // Control must not come back to the body with a closed iterator: the statement cannot be entered again there.
        let is_out = |block: &Block| *block != self.for_of.header && !self.seen.contains(block);
        self.left.iter().all(is_out).then_some(self.seen)
    }

    /// Looks at an instruction of the body: whether it closes the iterator.
    fn inst(&mut self, inst: InstRef<'_, Js>, work: &mut Vec<Block>) -> Option<bool> {
        let Some(op) = op_of(inst) else { return Some(false) };
        let of_iterator = inst.args.first() == Some(&Arg::Variable(self.for_of.iterator));
        let of_result = inst.args == [Arg::Variable(self.for_of.result)];
        match op.opcode {
            Opcode::IteratorClose if of_iterator => return (handler_of(inst) == self.for_of.outer).then_some(true),
            Opcode::IteratorValue if of_result => return (handler_of(inst) == self.for_of.outer).then_some(false),
            // Nothing but the ways out that close the iterator may end the function, and `return()` does not come here
            // as an exception.
            Opcode::Return | Opcode::Yield | Opcode::Delegate | Opcode::YieldInside | Opcode::DelegateInside => {
                return None;
            }
            _ => {}
        }
        let throws = op.opcode.may_throw() && super::insts::may_throw(op);
        match handler_of(inst) {
            // Without a handler, an exception would leave the iterator open, and the engine would close it.
            None if throws => None,
            None => Some(false),
            Some(handler) if self.is_abandoning(handler) => Some(false),
            Some(handler) => {
                // One in the body.
                work.push(handler);
                Some(false)
            }
        }
    }

    /// Whether a handler abandons the iterator and throws again what it has caught.
    fn is_abandoning(&mut self, handler: Block) -> bool {
        if self.for_of.handler == Some(handler) {
            return true;
        }
        if self.for_of.handler.is_some() || !is_handler(self.function, handler) {
            return false;
        }
        let insts = straight(self.function, handler).map(|(_, inst)| inst);
        let insts: Vec<_> = insts.filter(|&inst| opcode_of(inst) != Some(Opcode::Jump)).take(3).collect();
        let [caught, abandon, throw] = insts[..] else { return false };
        let &[Dest::Variable(exception)] = caught.results else { return false };
        let is_it = opcode_of(abandon) == Some(Opcode::IteratorAbandon)
            && abandon.args == [Arg::Variable(self.for_of.iterator)]
            && opcode_of(throw) == Some(Opcode::Throw)
            && throw.args == [Arg::Variable(exception)]
            && handler_of(throw) == self.for_of.outer;
        if is_it {
            self.for_of.handler = Some(handler);
        }
        is_it
    }

    /// Looks at an instruction behind the one that closes the iterator, in the same block.
    fn leave(&mut self, inst: InstRef<'_, Js>) -> Option<()> {
        let Some(op) = op_of(inst) else { return Some(()) };
        self.left.extend(next_of(inst));
        let is_quiet = matches!(op.opcode, Opcode::Jump | Opcode::Return | Opcode::IteratorClose);
        is_quiet.then_some(())
    }
}

/// Lets what the engine handles go where it would be thrown again.
fn remove_handlers(
    function: &mut Function<Js>,
    block: Block,
    handlers: &BTreeMap<Block, Option<Block>>,
    iterators: &BTreeSet<Variable>,
) {
    let Some(last) = function.block(block).insts().last() else { return };
    let closes = opcode_of(last) == Some(Opcode::IteratorClose)
        && matches!(last.args, [Arg::Variable(iterator)] if iterators.contains(iterator));
    let Some(handler) = handler_of(last) else { return };
    // The handler of a loop may throw to that of a loop around it.
    let mut new = Some(handler);
    while let Some(&outer) = new.and_then(|handler| handlers.get(&handler)) {
        new = outer;
    }
    // What closes the iterator is a mark from now on, which throws nothing.
    if closes {
        new = None;
    } else if new == Some(handler) {
        return;
    }
    let mut insts: Vec<Inst<Js>> = function.block(block).insts().iter().map(InstRef::to_inst).collect();
    let Some(last) = insts.last_mut() else { return };
    let next = next_of(last.as_ref()).first().copied();
    last.targets = next.into_iter().chain(new).collect();
    if let (None, Some(next)) = (new, next) {
        last.targets.clear();
        insts.push(Inst::jump(next));
    }
    function.set_insts(block, insts);
}
