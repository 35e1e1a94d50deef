//! What is read once, so that it can be computed where it is read.

use super::chains::Chain;
use super::insts::{handler_of, is_handler, op_of};
use super::live::{Live, Question};
use crate::dialect::{Js, Opcode};
use ssaphire::graph::FlatCfg;
use ssaphire_ir::{Arg, Block, Dest, Function, InstRef, Variable};
use std::collections::HashMap;

/// Of a chain with more handlers, a variable counts as read by each of them if any handler reads it.
const MAX_HANDLERS: usize = 8;

/// What reads a value so many instructions later may be what it is computed for.
const MAX_SOON: usize = 8;

/// How the result of an instruction is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reads {
    /// Not at all, before the variable is written again.
    None,
    /// Once.
    Once,
    /// As the object of a property, and as the receiver where that is called, and nowhere else.
    ByMember,
    /// By an assignment, and once more.
    BySet,
    /// Otherwise, and first by one of the instructions that follow.
    Soon,
    /// Otherwise.
    Often,
}

/// What is known of all variables of a function.
#[derive(Debug)]
pub(super) struct Uses<'f> {
    live: Live<'f>,
    /// Whether what chains write is live at their ends, and at their handlers.
    answers: HashMap<Question, bool>,
    /// By variable, how many instructions read it.
    total: Vec<u32>,
    /// By variable, whether a handler reads it that did not write it.
    for_handlers: Vec<bool>,
    /// By variable, whether all that reads it is a property and the call of that property.
    is_receiver: Vec<bool>,
}

/// How a variable is read below the instruction at hand.
#[derive(Clone, Copy, Debug, Default)]
struct State {
    count: u32,
    /// The last two readers on the way up: the instruction's position, and which argument.
    readers: [Option<(usize, usize)>; 2],
    /// The position of the next instruction that writes it.
    written: Option<usize>,
}

/// What a chain leads to.
struct Exits<'c> {
    chain: &'c Chain,
    last: Block,
    /// What another part of the function may read.
    shared: &'c [Variable],
    /// The handlers of instructions below the one at hand, each with the position of the first of these; of many, one.
    handlers: Vec<(Block, usize)>,
}

impl<'f> Uses<'f> {
    pub(super) fn new(function: &Function<Js>, cfg: &'f FlatCfg, chains: &[Chain]) -> Self {
        let live = Live::new(function, cfg);
        let mut total = vec![0; function.num_variables()];
        for block in function.blocks() {
            for variable in function.block(block).insts().iter().flat_map(read_variables) {
                total[variable.index()] += 1;
            }
        }
        let questions = chains.iter().flat_map(|chain| questions(function, chain)).collect();
        let (answers, for_handlers) = live.answer(questions, |block| is_handler(function, block));
        let is_receiver = receivers(function, &total);
        Self { live, answers, total, for_handlers, is_receiver }
    }

    /// Whether `variable` may be read at the top of `block` before it is written. Fast for variables in ascending order.
    pub(super) fn is_live_in(&self, block: Block, variable: Variable) -> bool {
        self.live.is_live_in(block, variable)
    }

    /// Whether `handler` may read `variable`; of chains that were not asked about this, whether any handler may.
    pub(super) fn may_be_caught(&self, handler: Block, variable: Variable) -> bool {
        let answer = self.answers.get(&Question::AtTop(handler, variable));
        answer.copied().unwrap_or_else(|| self.for_handlers[variable.index()])
    }

    /// Whether any instruction reads `variable`.
    pub(super) fn is_read(&self, variable: Variable) -> bool {
        self.total.get(variable.index()).is_some_and(|&total| total > 0)
    }

    /// Whether nothing but one instruction reads `variable`, besides `others` that are not written.
    pub(super) fn is_read_once(&self, variable: Variable, others: u32) -> bool {
        let index = variable.index();
        self.total.get(index) == Some(&(1 + others)) && !self.for_handlers[index]
    }

    /// How the first result of each instruction of a chain is read.
    ///
    /// `shared` is what another part of the function may read, in ascending order.
    pub(super) fn in_chain(
        &self,
        function: &Function<Js>,
        chain: &Chain,
        shared: &[Variable],
        states: &mut States,
    ) -> Vec<Reads> {
        let insts = chain.insts(function);
        let mut exits = Exits { chain, last: last_block(function, chain), shared, handlers: Vec::new() };
        let mut reads = vec![Reads::Often; insts.len()];
        // Backwards, so that at a write the state has the reads up to the next write of the variable. An instruction
        // writes last: its own reads and its handler count for earlier writes, not for its result.
        for (position, inst) in insts.iter().enumerate().rev() {
            for (index, dest) in inst.results.iter().enumerate() {
                let Dest::Variable(variable) = *dest else { continue };
                let next = State { written: Some(position), ..State::default() };
                let state = std::mem::replace(states.of(variable), next);
                if index == 0 && inst.results.len() == 1 {
                    let is_live = self.is_live_after(variable, state, &exits);
                    reads[position] = self.classify((variable, position), state, is_live, &insts, &reads);
                }
            }
            exits.note_handler(*inst, position);
            for (index, arg) in inst.args.iter().enumerate() {
                if let Arg::Variable(variable) = *arg {
                    let state = states.of(variable);
                    state.count += 1;
                    state.readers = [Some((position, index)), state.readers[0]];
                }
            }
        }
        states.clear();
        reads
    }

    /// Whether what is outside of a chain may read a variable before the next instruction of the chain that writes it.
    fn is_live_after(&self, variable: Variable, state: State, exits: &Exits<'_>) -> bool {
        let is_shared = || exits.chain.is_cut() && exits.shared.binary_search(&variable).is_ok();
        let at_end = || is_shared() || self.answers.get(&Question::AtEnd(exits.last, variable)) == Some(&true);
        // A handler sees the value if an instruction up to the next write throws to it. That instruction itself may
        // throw before it writes, hence `<=`.
        let mut before =
            exits.handlers.iter().filter(|(_, position)| state.written.is_none_or(|next| *position <= next));
        state.written.is_none() && at_end() || before.any(|&(handler, _)| self.may_be_caught(handler, variable))
    }

    fn classify(
        &self,
        (variable, at): (Variable, usize),
        state: State,
        is_live: bool,
        insts: &[InstRef<'_, Js>],
        reads: &[Reads],
    ) -> Reads {
        let total = self.total[variable.index()];
        if total == 0 || state.count == 0 && !is_live {
            return Reads::None;
        }
        // A variable with one reader in the function is read once even if that is in another chain.
        if total == 1 && !self.for_handlers[variable.index()] || state.count == 1 && !is_live {
            return Reads::Once;
        }
        // The call may be in another chain, behind a condition among its arguments.
        let is_receiver = self.is_receiver[variable.index()] && !self.for_handlers[variable.index()];
        if is_receiver || state.count == 2 && !is_live && is_member_call(state, insts, reads) {
            Reads::ByMember
        } else if state.count == 2 && !is_live && is_set_first(state, insts) {
            Reads::BySet
        } else if state.readers[0].is_some_and(|(reader, _)| reader <= at + MAX_SOON) {
            Reads::Soon
        } else {
            Reads::Often
        }
    }
}

impl Exits<'_> {
    fn note_handler(&mut self, inst: InstRef<'_, Js>, position: usize) {
        let Some(handler) = handler_of(inst) else { return };
        // Of many handlers no question was asked, and `may_be_caught` gives one answer for all: then only the first
        // position from which an exception comes matters, whatever its handler is.
        let are_many = self.chain.handlers.len() > MAX_HANDLERS;
        match self.handlers.iter_mut().find(|(other, _)| are_many || *other == handler) {
            Some(first) => *first = (handler, position),
            None => self.handlers.push((handler, position)),
        }
    }
}

fn last_block(function: &Function<Js>, chain: &Chain) -> Block {
    chain.blocks.last().copied().unwrap_or(function.entry())
}

/// Whether each variable that `chain` writes is live at its end and, unless there are many, at each of its handlers.
fn questions(function: &Function<Js>, chain: &Chain) -> Vec<Question> {
    let last = last_block(function, chain);
    let mut variables: Vec<Variable> = Vec::new();
    for inst in chain.insts(function) {
        variables.extend(inst.results.iter().filter_map(|&dest| match dest {
            Dest::Variable(variable) => Some(variable),
            Dest::Value(_) => None,
        }));
    }
    variables.sort_unstable();
    variables.dedup();
    let handlers = &chain.handlers[..];
    let handlers = if handlers.len() <= MAX_HANDLERS { handlers } else { &[] };
    let at_end = variables.iter().map(|&variable| Question::AtEnd(last, variable));
    let at_top = |&handler| variables.iter().map(move |&variable| Question::AtTop(handler, variable));
    at_end.chain(handlers.iter().flat_map(at_top)).collect()
}

/// Whether what reads a value first assigns it to something.
fn is_set_first(state: State, insts: &[InstRef<'_, Js>]) -> bool {
    let [Some((set, index)), Some((other, _))] = state.readers else { return false };
    let is_set = op_of(insts[set]).is_some_and(|op| {
        matches!(
            op.opcode,
            Opcode::Set
                | Opcode::SetIndex
                | Opcode::SetPrivate
                | Opcode::SuperSet
                | Opcode::SuperSetIndex
                | Opcode::SetName
                | Opcode::CellSet
                | Opcode::CellSetChecked
        )
    });
    is_set && other != set && index + 1 == insts[set].args.len()
}

/// By variable, whether one instruction reads a property of it, and the only other one that reads it calls that property with
/// it as the receiver.
fn receivers(function: &Function<Js>, total: &[u32]) -> Vec<bool> {
    let mut object_of: HashMap<Variable, Variable> = HashMap::new();
    let mut is_receiver = vec![false; total.len()];
    for block in function.blocks() {
        for inst in function.block(block).insts().iter() {
            if let (true, [Arg::Variable(object), ..], [Dest::Variable(made)]) = (is_get(inst), inst.args, inst.results)
                && (total[object.index()], total[made.index()]) == (2, 1)
            {
                object_of.insert(*made, *object);
            }
        }
    }
    for block in function.blocks() {
        for inst in function.block(block).insts().iter() {
            if let [Arg::Variable(called), Arg::Variable(receiver), ..] = inst.args
                && op_of(inst).is_some_and(|op| op.opcode == Opcode::CallThis)
                && object_of.get(called) == Some(receiver)
            {
                is_receiver[receiver.index()] = true;
            }
        }
    }
    is_receiver
}

fn is_get(inst: InstRef<'_, Js>) -> bool {
    op_of(inst).is_some_and(|op| matches!(op.opcode, Opcode::Get | Opcode::GetIndex | Opcode::GetPrivate))
}

/// Whether a property of a value is read and called, with the value as the receiver.
fn is_member_call(state: State, insts: &[InstRef<'_, Js>], reads: &[Reads]) -> bool {
    let [Some((get, 0)), Some((call, 1))] = state.readers else { return false };
    is_get(insts[get])
        && op_of(insts[call]).is_some_and(|op| op.opcode == Opcode::CallThis)
        && reads[get] == Reads::Once
        && matches!((insts[get].results, insts[call].args), ([Dest::Variable(made)], [Arg::Variable(called), ..]) if made == called)
}

/// The variables that an instruction reads, each as often as it does.
pub(super) fn read_variables(inst: InstRef<'_, Js>) -> impl Iterator<Item = Variable> + '_ {
    inst.args.iter().filter_map(|&arg| match arg {
        Arg::Variable(variable) => Some(variable),
        Arg::Value(_) => None,
    })
}

/// Scratch memory: states by variable, which are cleared one by one.
#[derive(Debug)]
pub(super) struct States {
    states: Vec<State>,
    touched: Vec<Variable>,
}

impl States {
    pub(super) fn new(num_variables: usize) -> Self {
        Self { states: vec![State::default(); num_variables], touched: Vec::new() }
    }

    fn of(&mut self, variable: Variable) -> &mut State {
        self.touched.push(variable);
        &mut self.states[variable.index()]
    }

    fn clear(&mut self) {
        for variable in self.touched.drain(..) {
            self.states[variable.index()] = State::default();
        }
    }
}
