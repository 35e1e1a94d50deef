//! What is read once, so that it can be computed where it is read.

use super::chains::{Chain, handler_of, is_handler, op_of};
use crate::dialect::{Js, Opcode};
use ssaphire::graph::{FlatCfg, Liveness, Order};
use ssaphire_ir::{Arg, Block, Dest, Function, InstRef, Variable};

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
    /// Otherwise.
    Often,
}

/// What is known of all variables of a function.
#[derive(Debug)]
pub(super) struct Uses {
    live: Liveness<Variable>,
    /// By variable, how many instructions read it.
    total: Vec<u32>,
    /// By variable, whether a handler reads it that did not write it.
    for_handlers: Vec<bool>,
}

/// How a variable is read below the instruction at hand.
#[derive(Clone, Copy, Debug, Default)]
struct State {
    count: u32,
    is_live: bool,
    /// The last two readers on the way up: the instruction's position, and which argument.
    readers: [Option<(usize, usize)>; 2],
}

impl Uses {
    pub(super) fn new(function: &Function<Js>, cfg: &FlatCfg) -> Self {
        let order = Order::new(cfg);
        let live = Liveness::of_variables(function, cfg, &order);
        let mut total = vec![0; function.num_variables()];
        let mut for_handlers = vec![false; function.num_variables()];
        for block in function.blocks() {
            for variable in function.block(block).insts().iter().flat_map(read_variables) {
                total[variable.index()] += 1;
            }
            if is_handler(function, block) {
                live.live_in(block).iter().for_each(|variable| for_handlers[variable.index()] = true);
            }
        }
        Self { live, total, for_handlers }
    }

    /// Whether `variable` may be read at the top of `block` before it is written.
    pub(super) fn is_live_in(&self, block: Block, variable: Variable) -> bool {
        self.live.is_live_in(block, variable)
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
    /// `shared` is what another part of the function may read.
    pub(super) fn in_chain(
        &self,
        function: &Function<Js>,
        chain: &Chain,
        shared: &[Variable],
        states: &mut States,
    ) -> Vec<Reads> {
        let insts = chain.insts(function);
        let last = chain.blocks.last().copied().unwrap_or(function.entry());
        for &variable in self.live.live_out(last) {
            states.of(variable).is_live = true;
        }
        for &variable in shared.iter().filter(|_| chain.is_cut()) {
            states.of(variable).is_live = true;
        }
        let mut reads = vec![Reads::Often; insts.len()];
        for (position, inst) in insts.iter().enumerate().rev() {
            for (index, dest) in inst.results.iter().enumerate() {
                let Dest::Variable(variable) = *dest else { continue };
                let state = std::mem::take(states.of(variable));
                if index == 0 && inst.results.len() == 1 {
                    reads[position] = self.classify(variable, state, &insts, &reads);
                }
            }
            if let Some(handler) = handler_of(*inst) {
                for &variable in self.live.live_in(handler) {
                    states.of(variable).is_live = true;
                }
            }
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

    fn classify(&self, variable: Variable, state: State, insts: &[InstRef<'_, Js>], reads: &[Reads]) -> Reads {
        let total = self.total[variable.index()];
        if total == 0 || state.count == 0 && !state.is_live {
            return Reads::None;
        }
        if total == 1 && !self.for_handlers[variable.index()] || state.count == 1 && !state.is_live {
            return Reads::Once;
        }
        if state.count == 2 && !state.is_live && is_member_call(state, insts, reads) {
            Reads::ByMember
        } else if state.count == 2 && !state.is_live && is_set_first(state, insts) {
            Reads::BySet
        } else {
            Reads::Often
        }
    }
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

/// Whether a property of a value is read and called, with the value as the receiver.
fn is_member_call(state: State, insts: &[InstRef<'_, Js>], reads: &[Reads]) -> bool {
    let [Some((get, 0)), Some((call, 1))] = state.readers else { return false };
    let is_get = |opcode| matches!(opcode, Opcode::Get | Opcode::GetIndex | Opcode::GetPrivate);
    let opcode = |at: usize| op_of(insts[at]).map(|op| op.opcode);
    opcode(get).is_some_and(is_get)
        && opcode(call) == Some(Opcode::CallThis)
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
