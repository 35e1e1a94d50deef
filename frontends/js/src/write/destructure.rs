//! Patterns that are one operation.

use super::ast::{ExprId, ExprKind, NameId};
use super::builder::Builder;
use super::chains::Part;
use super::code::Param;
use super::declare::Declarations;
use super::emit::Room;
use super::error::Unwritable;
use super::expr::{Effect, Expr, Throws};
use super::insts::{cells_of_pattern, handler_of, op_of};
use super::tree::{Kind, NodeId, Seq};
use crate::Js;
use crate::dialect::{Immediates, Opcode, PatternPart};
use ssaphire_ir::{Arg, Dest, InstRef, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// What a pattern assigns.
struct Targets {
    /// By result.
    by_result: Vec<Variable>,
    /// Those of them that are made anew.
    made: Vec<Variable>,
    /// What is assigned behind the pattern, each from a variable that the pattern assigns.
    later: Vec<(Variable, Variable)>,
}

impl Builder<'_, '_> {
    /// Writes a pattern, if the first of these instructions is one, with the cells that are made of its results behind
    /// it. Returns how many instructions it has written.
    pub(super) fn destructure(&mut self, insts: &[InstRef<'_, Js>]) -> Result<Option<usize>, Unwritable> {
        let [inst, rest @ ..] = insts else { return Ok(None) };
        let Some((op, Immediates::Pattern(parts))) = op_of(*inst).map(|op| (op, &op.immediates)) else {
            return Ok(None);
        };
        self.begin(op);
        let throws = handler_of(*inst).map_or(Throws::Out, Throws::To);
        let room = |index| if index == 0 { Room::Any } else { Room::Quiet };
        let mut taken = self.take(inst.args, throws, room).into_iter();
        let mut value = taken.next().ok_or_else(broken)?;
        let mut operands: Vec<Expr> = taken.collect();
        if !value.writes.is_empty() {
            // What a pattern assigns it may declare, and that is not assigned in its value.
            let temporary = self.temporary();
            self.assign(temporary, value, false);
            value = self.variable(temporary);
        }
        let mut cells = Vec::new();
        for index in cells_of_pattern(parts) {
            // It is assigned, not read.
            let operand = operands.get_mut(index - 1).ok_or_else(broken)?;
            cells.append(&mut operand.reads);
        }
        let (mut targets, num_cells) = self.targets_of(inst.results, rest, &operands, throws)?;
        let begins = |cell: &&Variable| self.plan.is_native[cell.index()] && !self.plan.is_outer[cell.index()];
        targets.made.extend(cells.iter().filter(begins));
        let pattern = self.pattern(parts, &operands, &targets)?;
        let id = self.ast.add(ExprKind::Assign { sign: "", target: pattern, value: value.id });
        let mut all = Expr::new(id).with([&value]).with(&operands);
        all.throws = all.throws.join(throws);
        all.effect = Effect::Runs;
        all.writes.extend(targets.by_result.iter().chain(&cells));
        for &written in targets.by_result.iter().chain(&cells) {
            self.flush_for(&all, Some(written));
        }
        self.flush_for(&all, None);
        let is_property = |part: &PatternPart| matches!(part, PatternPart::Member(_) | PatternPart::Index);
        let has_variables_only = !parts.iter().any(is_property);
        self.push(Kind::Bind { pattern, value: value.id, all, made: targets.made, has_variables_only });
        for (variable, from) in targets.later {
            let value = self.variable(from);
            self.assign(variable, value, false);
        }
        Ok(Some(1 + num_cells))
    }

    /// The name of the variable that a pattern takes apart, if it is one.
    pub(super) fn taken_apart(&self, node: NodeId) -> Option<NameId> {
        let Kind::Bind { value, .. } = self.tree.nodes[node].kind else { return None };
        match *self.ast.kind(value) {
            ExprKind::Name(name) => Some(name),
            _ => None,
        }
    }

    /// Lets the parameters be patterns that the first statements take apart, and nothing else reads; with the defaults of those
    /// between them.
    pub(super) fn move_to_params(&self, root: &Seq, declarations: &mut Declarations, params: &mut [Param]) {
        if self.js.params.are_simple || self.js.is_generator || self.part != Part::Whole {
            return;
        }
        // Parameters are bound from left to right.
        let mut first = params.iter().rposition(|param| matches!(param, Param::Default(..))).unwrap_or(0);
        let mut bound: BTreeSet<Variable> = BTreeSet::new();
        for &node in root {
            if let Some((index, default)) = self.default_of(node, first.max(self.js.params.length as usize), &bound)
                && let Some(param) = params.get_mut(index)
                && let Param::Plain(name) | Param::Optional(name) = *param
            {
                *param = Param::Default(name, default);
                declarations.take_out(node, &[]);
                first = index;
                continue;
            }
            let Some(name) = self.taken_apart(node).filter(|_| declarations.declaring.contains_key(&node)) else {
                break;
            };
            let is_it = |param: &Param| matches!(param, Param::Plain(own) | Param::Default(own, _) if *own == name);
            let Some(index) = params.iter().position(is_it).filter(|&index| index >= first) else { break };
            let Kind::Bind { pattern, all, .. } = &self.tree.nodes[node].kind else { break };
            let default = match params[index] {
                Param::Default(_, default) => Some(default),
                _ => None,
            };
            let of_default = u32::from(default.is_some());
            let is_free = |variable: Variable| {
                self.param_of(variable) == Some(index) && self.uses.is_read_once(variable, of_default)
            };
            let [variable] = all.reads[..] else { break };
            if !is_free(variable) {
                break;
            }
            params[index] = Param::Pattern(*pattern, default);
            declarations.take_out(node, &all.writes);
            bound.extend(&all.writes);
            first = index + 1;
        }
    }

    /// The variables that a pattern assigns, and how many instructions behind it make cells of them.
    fn targets_of(
        &mut self,
        results: &[Dest],
        rest: &[InstRef<'_, Js>],
        operands: &[Expr],
        throws: Throws,
    ) -> Result<(Targets, usize), Unwritable> {
        let cells: BTreeMap<Variable, Variable> = rest.iter().map_while(|inst| self.cell_of_result(*inst)).collect();
        let read: BTreeSet<Variable> = operands.iter().flat_map(|operand| operand.reads.iter().copied()).collect();
        let mut assigned = BTreeSet::new();
        let mut num_cells = 0;
        let mut targets = Targets { by_result: Vec::new(), made: Vec::new(), later: Vec::new() };
        for dest in results {
            let Dest::Variable(variable) = *dest else { return Err(broken()) };
            let variable = self.plan.same[variable.index()];
            let target = if let Some(&cell) = cells.get(&variable) {
                num_cells += 1;
                targets.made.push(cell);
                cell
            } else if self.is_pinned(variable) {
                targets.made.push(variable);
                variable
            } else if read.contains(&variable)
                || !assigned.insert(variable)
                || matches!(throws, Throws::To(handler) if self.may_be_caught(handler, variable))
            {
                // What reads it while the pattern is not done finds its old value.
                let wanted = self.name_text(variable).to_owned();
                let temporary = self.temporary_like(&wanted);
                targets.later.push((variable, temporary));
                temporary
            } else {
                variable
            };
            targets.by_result.push(target);
        }
        // Cells of other values end the row.
        if num_cells != cells.len() {
            return self.targets_of(results, &[], operands, throws);
        }
        Ok((targets, num_cells))
    }

    /// The cell that an instruction makes of a variable which nothing else reads.
    fn cell_of_result(&self, inst: InstRef<'_, Js>) -> Option<(Variable, Variable)> {
        let (&[Arg::Variable(value)], &[Dest::Variable(cell)]) = (inst.args, inst.results) else { return None };
        let is_new = op_of(inst).is_some_and(|op| op.opcode == Opcode::NewCell);
        let is_own = self.plan.same[cell.index()] == cell && !self.plan.is_native[cell.index()];
        (is_new && is_own && self.uses.is_read_once(value, 0)).then_some((value, cell))
    }

    /// A pattern with its targets and defaults.
    fn pattern(&mut self, parts: &[PatternPart], operands: &[Expr], targets: &Targets) -> Result<ExprId, Unwritable> {
        let mut operands = operands.iter().map(|operand| operand.id);
        let mut by_result = targets.by_result.iter();
        let mut values = Vec::new();
        let mut written: Vec<PatternPart> = Vec::with_capacity(parts.len());
        for part in parts {
            let mut operand = || operands.next().ok_or_else(broken);
            written.push(match part {
                PatternPart::Value => {
                    let target = *by_result.next().ok_or_else(broken)?;
                    values.push(self.variable(target).id);
                    PatternPart::Value
                }
                PatternPart::Cell => {
                    values.push(operand()?);
                    PatternPart::Value
                }
                PatternPart::Member(name) => {
                    let object = operand()?;
                    values.push(self.ast.member(object, name));
                    PatternPart::Value
                }
                PatternPart::Index => {
                    let (object, key) = (operand()?, operand()?);
                    values.push(self.ast.add(ExprKind::Index { object, key }));
                    PatternPart::Value
                }
                PatternPart::Default => {
                    values.push(operand()?);
                    PatternPart::Default
                }
                other => other.clone(),
            });
        }
        Ok(self.ast.add(ExprKind::Pattern { parts: written.into(), values: values.into() }))
    }
}

fn broken() -> Unwritable {
    Unwritable::Op(Opcode::Destructure.name().to_owned())
}
