//! Patterns that are one operation.

use super::ast::{ExprId, ExprKind};
use super::builder::Builder;
use super::emit::Room;
use super::error::Unwritable;
use super::expr::{Effect, Expr, Throws};
use super::insts::{handler_of, op_of};
use super::tree::Kind;
use crate::Js;
use crate::dialect::{Immediates, Opcode, PatternPart};
use ssaphire_ir::{Arg, Dest, InstRef, Variable};

/// What a pattern assigns.
struct Targets {
    /// By result, the variable; none if nothing reads it.
    by_result: Vec<Option<Variable>>,
    /// Those of them that are made anew.
    made: Vec<Variable>,
    /// What is assigned only because it has to be something.
    unused: Vec<Variable>,
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
        let operands = self.take(inst.args, throws, room);
        let [value, operands @ ..] = &operands[..] else { return Err(broken()) };
        let (mut targets, num_cells) = self.targets_of(inst.results, rest, operands, throws)?;
        let pattern = self.pattern(parts, operands, &mut targets)?;
        let id = self.ast.add(ExprKind::Assign { sign: "", target: pattern, value: value.id });
        let mut all = Expr::new(id).with([value]).with(operands);
        all.throws = all.throws.join(throws);
        all.effect = Effect::Runs;
        all.writes.extend(targets.by_result.iter().flatten().chain(&targets.unused));
        for &written in targets.by_result.iter().flatten() {
            self.flush_for(&all, Some(written));
        }
        self.flush_for(&all, None);
        self.push(Kind::Bind { value: all, made: targets.made });
        for (variable, from) in targets.later {
            let value = self.variable(from);
            self.assign(variable, value, false);
        }
        Ok(Some(1 + num_cells))
    }

    /// The variables that a pattern assigns, and how many instructions behind it make cells of them.
    fn targets_of(
        &mut self,
        results: &[Dest],
        rest: &[InstRef<'_, Js>],
        operands: &[Expr],
        throws: Throws,
    ) -> Result<(Targets, usize), Unwritable> {
        let cells: Vec<(Variable, Variable)> = rest.iter().map_while(|inst| self.cell_of_result(*inst)).collect();
        let mut num_cells = 0;
        let mut targets = Targets { by_result: Vec::new(), made: Vec::new(), unused: Vec::new(), later: Vec::new() };
        for dest in results {
            let Dest::Variable(variable) = *dest else { return Err(broken()) };
            let variable = self.plan.same[variable.index()];
            let target = if let Some(&(cell, _)) = cells.iter().find(|&&(_, value)| value == variable) {
                num_cells += 1;
                targets.made.push(cell);
                Some(cell)
            } else if self.is_pinned(variable) {
                targets.made.push(variable);
                Some(variable)
            } else if !self.is_read(variable) {
                None
            } else if operands.iter().any(|operand| operand.reads.contains(&variable))
                || matches!(throws, Throws::To(handler) if self.may_be_caught(handler, variable))
                || targets.by_result.contains(&Some(variable))
            {
                // What reads it while the pattern is not done finds its old value.
                let temporary = self.temporary_like(&self.name_text(variable).to_owned());
                targets.later.push((variable, temporary));
                Some(temporary)
            } else {
                Some(variable)
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
        (is_new && is_own && self.uses.is_read_once(value, 0)).then_some((cell, value))
    }

    /// A pattern with its targets and defaults.
    fn pattern(
        &mut self,
        parts: &[PatternPart],
        operands: &[Expr],
        targets: &mut Targets,
    ) -> Result<ExprId, Unwritable> {
        let mut operands = operands.iter().map(|operand| operand.id);
        let mut by_result = targets.by_result.iter();
        let mut values = Vec::new();
        let mut written: Vec<PatternPart> = Vec::with_capacity(parts.len());
        for part in parts {
            let mut operand = || operands.next().ok_or_else(broken);
            written.push(match part {
                PatternPart::Value => {
                    let target = *by_result.next().ok_or_else(broken)?;
                    let is_element = matches!(
                        written.last(),
                        Some(PatternPart::Array | PatternPart::Value | PatternPart::Hole | PatternPart::End)
                    );
                    if target.is_none() && is_element {
                        PatternPart::Hole
                    } else {
                        let target = target.unwrap_or_else(|| {
                            targets.unused.push(self.temporary_like("_"));
                            targets.unused[targets.unused.len() - 1]
                        });
                        values.push(self.variable(target).id);
                        PatternPart::Value
                    }
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
