//! The steps of a structured program, one after the other.

use super::ast::ExprKind;
use super::builder::{Builder, Frame};
use super::chains::Part;
use super::error::Unwritable;
use super::expr::{Expr, Throws};
use super::insts::{handler_of, is_handler, op_of};
use super::tree::{Jump, Kind, LabelId, Seq, Tree};
use super::uses::{Reads, States};
use crate::Js;
use crate::dialect::{Constant, Opcode};
use crate::program::FunctionKind;
use ssaphire::destruct::structure::{Construct, Label, Options, Step, Structured, structure};
use ssaphire::graph::Id;
use ssaphire_ir::{Arg, Block, InstRef, Variable};

impl Builder<'_, '_> {
    /// The statements of the function.
    pub(super) fn build(&mut self) -> Result<Seq, Unwritable> {
        let seq = self.build_all()?;
        self.fail_unwritten_loops();
        self.fail_loops_left_unmarked(&seq);
        Ok(seq)
    }

    fn build_all(&mut self) -> Result<Seq, Unwritable> {
        let structured = structure(&self.chains.cfg, Options::default());
        // Labels of the builder's own must differ from those of the structured program.
        let next_label = structured.steps().iter().filter_map(label_of).map(|label| label.index() as LabelId + 1).max();
        self.tree = Tree::new(next_label.unwrap_or(0));
        let executed = structured.steps().iter().filter_map(|step| match *step {
            Step::Execute(chain) => Some(self.chains.chains[chain.index()].blocks[0]),
            _ => None,
        });
        self.handlers.order = executed.filter(|&block| is_handler(self.function, block)).collect();
        let mut states = States::new(self.function.num_variables());
        let copied = if self.part == Part::Rest { Vec::new() } else { self.plan.copied_params.clone() };
        for (variable, name) in copied {
            let name = self.ast.intern(&name);
            let value = self.ast.expr(ExprKind::Name(name));
            self.assign(variable, value, false);
        }
        for (place, &step) in structured.steps().iter().enumerate() {
            self.step(step, place, &structured, &mut states)?;
        }
        self.flush();
        let seq = std::mem::take(&mut self.seq);
        let mut seq = self.settle(seq);
        let Some(label) = self.end else { return Ok(seq) };
        // Leaving the outermost block at its very end is where control goes anyway.
        if let Some(&last) = seq.last()
            && matches!(self.tree.nodes[last].kind, Kind::Jump(Jump::Break(to)) if to == label)
        {
            self.forget_jumps(&[last]);
            seq.pop();
        }
        if !self.tree.is_left(label) && !self.is_left_inside(&seq, label) {
            return Ok(seq);
        }
        let node = self.tree.add(Kind::Labeled { label, body: seq });
        Ok(vec![node])
    }

    /// Ends the function without a value.
    pub(super) fn end(&mut self) {
        let has_return =
            !matches!(self.js.kind, FunctionKind::Script | FunctionKind::Module | FunctionKind::StaticBlock);
        if has_return {
            self.push(Kind::Return(None));
            return;
        }
        // Scripts, modules and static blocks have no `return`: one labeled block around all of it ends them.
        let label = self.end.unwrap_or_else(|| self.tree.fresh_label());
        self.end = Some(label);
        let node = self.tree.break_(label);
        self.seq.push(node);
    }

    fn step(
        &mut self,
        step: Step,
        place: usize,
        structured: &Structured,
        states: &mut States,
    ) -> Result<(), Unwritable> {
        match step {
            Step::Execute(chain) => {
                self.executed[chain.index()] = Some(place);
                self.land(chain);
                self.execute_chain(chain, states)?;
                // A condition is kept for the fork that follows, which turns it into an `if`.
                if !matches!(structured.steps().get(place + 1), Some(Step::Fork(_))) {
                    self.flush_choice();
                }
            }
            Step::Loop { label } => {
                let header = self.first_chain(structured, place + 1);
                self.open_scope(structured, place);
                let label = label.map_or_else(|| self.tree.fresh_label(), |label| label.index() as LabelId);
                let outer = std::mem::take(&mut self.seq);
                let header = header.map(|chain| self.chains.chains[chain.index()].blocks[0]);
                self.frames.push(Frame::Loop { label, header, outer });
            }
            Step::Labeled { label } => {
                self.open_scope(structured, place);
                let outer = std::mem::take(&mut self.seq);
                self.frames.push(Frame::Labeled { label: label.index() as LabelId, outer });
            }
            Step::Fork(selector) => self.open_fork(selector, place),
            Step::Arm(arm) => {
                let outer = std::mem::take(&mut self.seq);
                self.frames.push(Frame::Arm { slots: structured.slots(arm).to_vec(), outer });
            }
            Step::End(construct) => self.close(construct)?,
            Step::SetDispatch(number) => {
                let variable = self.dispatch_variable();
                self.flush();
                let number = self.ast.constant(Constant::number(f64::from(number)));
                self.assign(variable, number, false);
            }
            Step::Exit { label, .. } => {
                self.flush();
                let node = self.tree.break_(label.index() as LabelId);
                self.seq.push(node);
            }
            Step::Repeat { label, .. } => {
                self.flush();
                self.push(Kind::Jump(Jump::Continue(label.index() as LabelId)));
            }
        }
        Ok(())
    }

    pub(super) fn dispatch_variable(&mut self) -> Variable {
        if let Some(variable) = self.dispatch {
            return variable;
        }
        let variable = self.temporary_like("next");
        self.dispatch = Some(variable);
        variable
    }

    /// What a loop or labeled block begins with has to be reached before it.
    fn open_scope(&mut self, structured: &Structured, place: usize) {
        self.flush();
        if let Some(chain) = self.first_chain(structured, place) {
            self.land(chain);
        }
    }

    /// The chain that is executed first from a place on, if nothing else happens before.
    fn first_chain(&self, structured: &Structured, place: usize) -> Option<Block> {
        structured.steps()[place..].iter().find_map(|step| match *step {
            Step::Loop { .. } | Step::Labeled { .. } => None,
            Step::Execute(chain) => Some(Some(chain)),
            _ => Some(None),
        })?
    }

    fn execute_chain(&mut self, chain: Block, states: &mut States) -> Result<(), Unwritable> {
        let chain = &self.chains.chains[chain.index()];
        let reads = self.uses.in_chain(self.function, chain, &self.shared, states);
        let function = self.function;
        let insts = chain.insts(function);
        let is_cut = chain.is_cut();
        // What writes nothing must not stand between instructions that are one expression.
        let (insts, reads): (Vec<_>, Vec<_>) =
            insts.into_iter().zip(reads).filter(|&(inst, _)| !is_silent(inst)).unzip();
        let mut position = 0;
        while position < insts.len() {
            if let Some(number) = self.destructure(&insts[position..])? {
                position += number;
                continue;
            }
            if let Some(number) = self.compound(&insts[position..], &reads[position..]) {
                position += number;
                continue;
            }
            if let Some((variable, value)) = self.postfix_elsewhere(&insts[position..], &reads[position..]) {
                let reads = self.reads_without_step(variable, reads[position]);
                self.finish(Some(variable), value, reads);
                position += 3;
                continue;
            }
            if let Some((variable, value)) = self.postfix(&insts[position..]) {
                let throws = handler_of(insts[position]).map_or(Throws::Out, Throws::To);
                let value = Expr { throws, ..value };
                let reads = self.reads_without_step(variable, reads[position]);
                self.finish(Some(variable), value, reads);
                position += 2;
                continue;
            }
            position += self.with_chained(&insts[position..], &reads[position..])?;
        }
        self.flush_assignments();
        if is_cut {
            self.flush();
            self.push(Kind::Return(None));
        }
        Ok(())
    }
    /// Writes an instruction, and those that assign on the constant that it assigns: how many they are.
    fn with_chained(&mut self, insts: &[InstRef<'_, Js>], reads: &[Reads]) -> Result<usize, Unwritable> {
        let mut assigned = None;
        for (index, &inst) in insts.iter().enumerate() {
            let is_chained = insts.get(index + 1).is_some_and(|&next| self.is_chained(inst, next));
            let passed_on = is_chained.then(|| self.temporary());
            let args = assigned.map(|variable| with_last(inst.args, variable));
            let mut inst = inst;
            if let Some(args) = &args {
                inst.args = args;
            }
            self.inst(inst, reads[index], passed_on)?;
            assigned = passed_on;
            if !is_chained {
                return Ok(index + 1);
            }
        }
        Ok(insts.len())
    }

    fn close(&mut self, construct: Construct) -> Result<(), Unwritable> {
        self.flush_unless_fork(construct);
        match self.frames.pop() {
            Some(Frame::Arm { slots, outer }) => {
                let seq = std::mem::replace(&mut self.seq, outer);
                if let Some(Frame::Fork(fork)) = self.frames.last_mut() {
                    fork.arms.push((slots, seq));
                }
            }
            Some(Frame::Loop { label, header, outer }) => {
                if let Some(header) = header {
                    self.land_block(header);
                }
                let seq = std::mem::replace(&mut self.seq, outer);
                let mut seq = seq;
                let end = self.hoist_end(&mut seq, label, header);
                let (over, last) = self.loop_over(&mut seq, label, header);
                let body = self.settle(seq);
                self.push(Kind::Loop { label, body, header, over });
                self.seq.extend(last);
                self.seq.extend(end);
            }
            Some(Frame::Labeled { label, outer }) => {
                let seq = std::mem::replace(&mut self.seq, outer);
                let body = self.settle(seq);
                self.close_labeled(label, body);
            }
            Some(Frame::Fork(fork)) => self.close_fork(*fork),
            None => {}
        }
        Ok(())
    }
    fn flush_unless_fork(&mut self, construct: Construct) {
        if !matches!(construct, Construct::Fork) {
            self.flush();
        }
    }
}

/// These arguments, but `last` in place of the last one.
fn with_last(args: &[Arg], last: Variable) -> Vec<Arg> {
    let kept = &args[..args.len().saturating_sub(1)];
    kept.iter().copied().chain([Arg::Variable(last)]).collect()
}

/// Whether an instruction comes to no text at all.
fn is_silent(inst: InstRef<'_, Js>) -> bool {
    let opcode = op_of(inst).map(|op| op.opcode);
    matches!(opcode, Some(Opcode::Captured | Opcode::ParamCell | Opcode::Jump))
}
fn label_of(step: &Step) -> Option<Label> {
    match *step {
        Step::Loop { label } => label,
        Step::Labeled { label } | Step::Exit { label, .. } | Step::Repeat { label, .. } => Some(label),
        _ => None,
    }
}
