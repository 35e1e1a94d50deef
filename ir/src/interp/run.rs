//! The loop.

use super::{Arity, Content, Flow, Limits, Machine, Trap, TrapKind};
use crate::dialect::Syntax;
use crate::function::{Action, Arg, Dest, Function, InstRef, ValueKind};
use ssaphire_graph::{Block, FlatCfg, Value};
use std::mem;

/// A run of functions that may call each other.
pub struct Interpreter<'f, D: Syntax, M: Machine<D>> {
    functions: &'f [Function<D>],
    /// The flat graph of each function that was called: it tells where an edge arrives.
    graphs: Vec<Option<FlatCfg>>,
    frames: Vec<Frame<'f, D, M::Content>>,
    limits: Limits,
    steps: u64,
    args: Vec<Content<M::Content>>,
    results: Vec<Content<M::Content>>,
    phis: Vec<Content<M::Content>>,
}

/// A call that has not returned.
struct Frame<'f, D: Syntax, V> {
    number: usize,
    function: &'f Function<D>,
    block: Block,
    /// The instruction to execute next; in a frame that waits for a call, the one that called.
    index: usize,
    variables: Vec<Content<V>>,
    /// What each value holds, once it is defined.
    values: Vec<Option<Content<V>>>,
}

impl<V: Clone, D: Syntax> Frame<'_, D, V> {
    fn value(&self, value: Value) -> Result<Content<V>, TrapKind> {
        let content = self.values.get(value.index()).cloned().flatten();
        content.ok_or(TrapKind::NotDefined(value))
    }

    fn arg(&self, arg: Arg) -> Result<Content<V>, TrapKind> {
        match arg {
            Arg::Value(value) => self.value(value),
            Arg::Variable(variable) => self.variables.get(variable.index()).cloned().ok_or(TrapKind::Malformed),
        }
    }

    fn write(&mut self, dest: Dest, content: Content<V>) -> Result<(), TrapKind> {
        match dest {
            Dest::Value(value) => *self.values.get_mut(value.index()).ok_or(TrapKind::Malformed)? = Some(content),
            Dest::Variable(variable) => {
                *self.variables.get_mut(variable.index()).ok_or(TrapKind::Malformed)? = content;
            }
        }
        Ok(())
    }
}

impl<'f, D: Syntax, M: Machine<D>> Interpreter<'f, D, M> {
    /// A run of `functions`, which call each other by their numbers here.
    pub fn new(functions: &'f [Function<D>], limits: Limits) -> Self {
        Self {
            functions,
            graphs: functions.iter().map(|_| None).collect(),
            frames: Vec::new(),
            limits,
            steps: 0,
            args: Vec::new(),
            results: Vec::new(),
            phis: Vec::new(),
        }
    }

    /// Number of operations executed so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Runs function number `start` with `args`: what it returns.
    ///
    /// # Errors
    /// If the run ends in another way.
    pub fn run(
        &mut self,
        machine: &mut M,
        start: usize,
        args: Vec<Content<M::Content>>,
    ) -> Result<Vec<Content<M::Content>>, Trap> {
        self.frames.clear();
        self.results = args;
        let entered = self.enter(machine, start);
        entered.map_err(|kind| Trap { kind, function: start, block: Block::new(0), index: 0 })?;
        while !self.frames.is_empty() {
            self.step(machine).map_err(|kind| self.trap(kind))?;
        }
        Ok(mem::take(&mut self.results))
    }

    fn trap(&self, kind: TrapKind) -> Trap {
        let frame = self.frames.last().map(|frame| (frame.number, frame.block, frame.index));
        let (function, block, index) = frame.unwrap_or((0, Block::new(0), 0));
        Trap { kind, function, block, index }
    }

    /// Pushes a frame for function `number`; the arguments are in `results`.
    fn enter(&mut self, machine: &mut M, number: usize) -> Result<(), TrapKind> {
        let function = self.functions.get(number).ok_or(TrapKind::Malformed)?;
        if self.frames.len() >= self.limits.frames {
            return Err(TrapKind::TooManyFrames { limit: self.limits.frames });
        }
        let (wanted, given) = (function.params().len(), self.results.len());
        if wanted != given {
            return Err(TrapKind::ArgumentCount { wanted, given });
        }
        if self.graphs[number].is_none() {
            self.graphs[number] = Some(FlatCfg::new(function).map_err(|_| TrapKind::Malformed)?);
        }
        let contents = function.values.iter().map(|data| match data.kind {
            ValueKind::Constant(constant) => Some(Content::Known(machine.constant(constant))),
            ValueKind::Undefined => Some(Content::Undefined),
            _ => None,
        });
        let values = contents.collect();
        let variables = vec![Content::Undefined; function.num_variables()];
        let mut frame = Frame { number, function, block: function.entry(), index: 0, variables, values };
        for (param, content) in function.params().iter().zip(self.results.drain(..)) {
            if let Some(variable) = param.variable {
                frame.write(Dest::Variable(variable), content.clone())?;
            }
            frame.write(Dest::Value(param.value), content)?;
        }
        self.frames.push(frame);
        Ok(())
    }

    /// Executes one instruction.
    fn step(&mut self, machine: &mut M) -> Result<(), TrapKind> {
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        let function = frame.function;
        let inst = function.block(frame.block).insts().get(frame.index).ok_or(TrapKind::Malformed)?;
        self.args.clear();
        for &arg in inst.args {
            self.args.push(frame.arg(arg)?);
        }
        self.results.clear();
        let Action::Op(op) = inst.action else {
            for (&dest, content) in inst.results.iter().zip(self.args.drain(..)) {
                frame.write(dest, content)?;
            }
            frame.index += 1;
            return Ok(());
        };
        if self.steps == self.limits.steps {
            return Err(TrapKind::OutOfSteps { limit: self.limits.steps });
        }
        self.steps += 1;
        machine.at(frame.number, frame.block, frame.index);
        match machine.execute(op, &self.args, arity(inst), &mut self.results)? {
            Flow::Next => self.go_on(inst, 0),
            Flow::Slot(slot) => self.go_on(inst, slot),
            Flow::Return => self.leave(),
            Flow::Call(callee) => self.enter(machine, callee),
            Flow::Throw => self.unwind(machine),
        }
    }

    /// Goes on after `inst` with its results: by an edge if it has targets.
    fn go_on(&mut self, inst: InstRef<'_, D>, slot: u32) -> Result<(), TrapKind> {
        if !inst.targets.is_empty() {
            self.follow(slot)?;
        }
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        // By another edge than the normal one, there are no results.
        if inst.targets.is_empty() || slot == 0 {
            let (wanted, given) = (inst.results.len(), self.results.len());
            if given < wanted {
                return Err(TrapKind::ResultCount { wanted, given });
            }
            for (&dest, content) in inst.results.iter().zip(self.results.drain(..)) {
                frame.write(dest, content)?;
            }
        }
        frame.index += usize::from(inst.targets.is_empty());
        Ok(())
    }

    /// Goes along the edge at `slot`: first all phis read, then all are written.
    fn follow(&mut self, slot: u32) -> Result<(), TrapKind> {
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        let graph = self.graphs[frame.number].as_ref().ok_or(TrapKind::Malformed)?;
        let edge = graph.edge_at(frame.block, slot);
        let edge = edge.ok_or(TrapKind::Malformed)?;
        let (target, operand_index) = (graph.target(edge), graph.operand_index(edge));
        let phis = frame.function.block(target).phis();
        self.phis.clear();
        for phi in phis.iter() {
            let operand = *phi.operands.get(operand_index).ok_or(TrapKind::Malformed)?;
            self.phis.push(frame.value(operand)?);
        }
        for (phi, content) in phis.iter().zip(self.phis.drain(..)) {
            frame.write(Dest::Value(phi.value), content)?;
        }
        (frame.block, frame.index) = (target, 0);
        Ok(())
    }

    /// Drops the frame; `results` are those of the instruction that called.
    fn leave(&mut self) -> Result<(), TrapKind> {
        self.frames.pop();
        match self.waiting() {
            Some(inst) => self.go_on(inst, 0),
            None => Ok(()),
        }
    }

    /// Drops frames up to one whose call has a handler.
    fn unwind(&mut self, machine: &mut M) -> Result<(), TrapKind> {
        self.results.clear();
        while let Some(inst) = self.waiting() {
            if let Action::Op(op) = inst.action
                && let Some(slot) = machine.handler(op, arity(inst), &self.heads(inst))
            {
                return self.go_on(inst, slot);
            }
            if self.frames.len() == 1 {
                break;
            }
            self.frames.pop();
        }
        Err(TrapKind::Uncaught)
    }

    /// The operations that the targets of an instruction of the top frame begin with.
    fn heads(&self, inst: InstRef<'_, D>) -> Vec<Option<&'f D::Op>> {
        let Some(frame) = self.frames.last() else { return Vec::new() };
        let head = |&target: &Block| match frame.function.block(target).insts().get(0)?.action {
            Action::Op(op) => Some(op),
            Action::Copy => None,
        };
        inst.targets.iter().map(head).collect()
    }

    /// The instruction at which the top frame stands.
    fn waiting(&self) -> Option<InstRef<'f, D>> {
        let frame = self.frames.last()?;
        frame.function.block(frame.block).insts().get(frame.index)
    }
}

fn arity<D: Syntax>(inst: InstRef<'_, D>) -> Arity {
    Arity { results: inst.results.len(), targets: inst.targets.len() }
}
