//! Parameters that a builder created, and those that it took back.

use ssaphire::{Event, Observer, Reason};
use ssaphire_graph::{Block, Value};
use std::collections::HashMap;

/// Counts parameters of continuations from the events of a construction.
///
/// A parameter is created when a lookup creates a phi in a sealed block, or when an incomplete phi gets its operands and
/// stays. An incomplete phi before that is an open answer: its block has no type yet, and forwarding it takes
/// no parameter back. Types are fixed once, at the end of the function: a [`Cps`](super::Cps) has the parameters that were created, but for
/// those counted by the other fields, and none is removed from it later.
///
/// While a function is built, the default engine takes none back, irreducible loops or not, if blocks are filled in reverse post-order, each is
/// sealed with its last edge, and each write is of a new value; nor does it for programs of the While language without labels. Otherwise it may
/// take one back that a lookup created on its way round a cycle. At the end, `minimize` takes back what is redundant: parameters that merge
/// copies of one value, and those of irreducible loops that merge one value and each other.
///
/// # Examples
/// ```
/// use ssaphire::{Certified, Observed, Options};
/// use ssaphire_ir::cps::ParameterCounter;
/// use ssaphire_ir::basic::{Op, Type};
/// use ssaphire_ir::{Basic, FunctionBuilder};
///
/// let mut ssa = Certified::with_observer(Options::default(), ParameterCounter::default());
/// let mut builder: FunctionBuilder<'_, Basic, _> = FunctionBuilder::new(&mut ssa, "f");
/// let [entry, header, exit] = [0; 3].map(|_| builder.create_block());
/// let x = builder.declare("x", Type::Number);
/// builder.seal(entry)?;
/// builder.switch_to(entry);
/// builder.param(x)?;
/// builder.terminate(Op::Jump, &[], &[header])?;
/// builder.switch_to(header);
/// let read = builder.read(x)?;
/// builder.terminate(Op::Branch, &[read], &[header, exit])?;
/// builder.seal(header)?;
/// builder.seal(exit)?;
/// builder.switch_to(exit);
/// builder.terminate(Op::Return, &[read], &[])?;
/// let cps = builder.finish_cps()?;
/// // The header was not sealed when `x` was read there, and turned out to need no parameter.
/// assert_eq!(cps.num_params(), 0);
/// let counted = ssa.observer();
/// assert_eq!((counted.open, counted.created, counted.taken_back), (1, 0, 0));
/// # Ok::<(), ssaphire_ir::BuildError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ParameterCounter {
    /// Open answers: reads of variables in blocks that were not sealed.
    pub open: u64,
    /// Parameters created.
    pub created: u64,
    /// Parameters that were created and then forwarded: found trivial or redundant.
    pub taken_back: u64,
    /// Parameters that were created and that nothing used in the end.
    pub unused: u64,
    /// Parameters that were created for blocks that the entry does not reach, and so for no continuation.
    pub unreachable: u64,
    states: HashMap<Value, State>,
    /// Number of edges into each block.
    num_edges: HashMap<Block, u32>,
    /// The open phi that got an operand just now: if it is not forwarded next, it stays.
    latest: Option<Value>,
}

/// What a phi is to its continuation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// An open answer of this block, with so many operands.
    Open(Block, u32),
    Parameter,
}

impl ParameterCounter {
    /// The open phi that got its last operand, and is not forwarded at once, is a parameter.
    fn settle(&mut self, event: Event) {
        let is_about = |phi| match event {
            Event::OperandAdded { phi: other, .. } => other == phi,
            Event::Forwarded { from, .. } => from == phi,
            _ => false,
        };
        let Some(phi) = self.latest.take_if(|phi| !is_about(*phi)) else { return };
        if let Some(&State::Open(block, num_operands)) = self.states.get(&phi)
            && Some(&num_operands) == self.num_edges.get(&block)
        {
            self.create(phi);
        }
    }

    fn create(&mut self, phi: Value) {
        if self.states.insert(phi, State::Parameter) != Some(State::Parameter) {
            self.created += 1;
        }
    }
}

impl Observer for ParameterCounter {
    fn event(&mut self, event: Event) {
        self.settle(event);
        match event {
            Event::EdgeAdded { to, .. } => *self.num_edges.entry(to).or_default() += 1,
            Event::IncompletePhi { block, phi, .. } => {
                self.open += 1;
                self.states.insert(phi, State::Open(block, 0));
            }
            Event::PhiMade { phi, .. } | Event::Kept { phi } => self.create(phi),
            Event::OperandAdded { phi, .. } => {
                if let Some(State::Open(_, num_operands)) = self.states.get_mut(&phi) {
                    *num_operands += 1;
                    self.latest = Some(phi);
                }
            }
            Event::Forwarded { from, reason, .. } => {
                let is_parameter = self.states.remove(&from) == Some(State::Parameter);
                let count = if reason == Reason::Unreachable { &mut self.unreachable } else { &mut self.taken_back };
                *count += u64::from(is_parameter);
            }
            Event::Dropped { phi } => {
                self.unused += u64::from(self.states.remove(&phi) == Some(State::Parameter));
            }
            _ => {}
        }
    }
}
