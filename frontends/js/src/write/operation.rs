//! Operations as expressions and statements.

use super::builder::{Builder, Choice};
use super::emit::Room;
use super::error::Unwritable;
use super::expr::{Effect, Expr, Shape, Throws, level};
use super::insts::{handler_of, op_of};
use super::tree::Kind;
use super::uses::Reads;
use super::{literal, operator};
use crate::Js;
use crate::dialect::{Immediates, Op, Opcode};
use crate::program::FunctionKind;
use ssaphire::destruct::sequentialize;
use ssaphire_ir::{Arg, Dest, InstRef, Semantics, Variable};

impl Builder<'_> {
    /// Where an exception of an instruction goes.
    fn throws_of(&self, inst: InstRef<'_, Js>, op: &Op) -> Throws {
        match handler_of(inst) {
            Some(handler) => Throws::To(handler),
            None if Js::properties(op).may_throw || matches!(op.opcode, Opcode::Throw | Opcode::ThrowError) => {
                Throws::Out
            }
            None => Throws::Never,
        }
    }

    /// Writes an instruction, whose result is read like this.
    pub(super) fn inst(&mut self, inst: InstRef<'_, Js>, reads: Reads) -> Result<(), Unwritable> {
        let Some(op) = op_of(inst) else { return self.copies(inst, reads) };
        self.place = (op.span != crate::source::Span::NOWHERE).then_some(op.span.start).or(self.place);
        let throws = self.throws_of(inst, op);
        if op.opcode.effect() == crate::dialect::Effect::Ends {
            return self.terminator(inst, op, throws);
        }
        let dest = match *inst.results {
            [Dest::Variable(variable)] => Some(variable),
            [] => None,
            _ => return Err(Unwritable::Op(op.opcode.name().to_owned())),
        };
        if self.is_alias(dest) || self.statement(inst, op, throws)? {
            return Ok(());
        }
        let Some(mut value) = self.expression(inst, op, throws)? else {
            return Err(Unwritable::Op(op.opcode.name().to_owned()));
        };
        value.throws = value.throws.join(throws);
        match self.set_again(inst, &value) {
            Some(variable) => self.pend_set(variable, value),
            None => self.finish(dest, value, reads),
        }
        Ok(())
    }

    /// The variable that an assignment has taken from what waits, and that is read once more.
    fn set_again(&self, inst: InstRef<'_, Js>, value: &Expr) -> Option<Variable> {
        let (&Arg::Variable(variable), []) = (inst.args.last()?, inst.results) else { return None };
        (self.is_set[variable.index()] && !value.reads.contains(&variable)).then_some(variable)
    }

    /// Lets an assignment wait as the value that it assigns.
    fn pend_set(&mut self, variable: Variable, mut value: Expr) {
        self.is_set[variable.index()] = false;
        self.is_receiver[variable.index()] = false;
        value.effect = Effect::Runs;
        if value.binding == level::POSTFIX
            && let Some((place, sign)) = value.text.split_at_checked(value.text.len().saturating_sub(2))
        {
            value.text = format!("{sign}{place}");
            value.binding = level::UNARY;
        }
        value.shape = Shape::Plain;
        let place = self.place;
        self.pend(variable, value, place);
    }

    /// What becomes of a result.
    pub(super) fn finish(&mut self, dest: Option<Variable>, value: Expr, reads: Reads) {
        let has_effect = value.effect == Effect::Runs || value.throws != Throws::Never || !value.writes.is_empty();
        if let Some(variable) = dest.filter(|&variable| self.is_pinned(variable)) {
            self.assign(variable, value, true);
            return;
        }
        match (dest, reads) {
            (Some(variable), Reads::Once | Reads::ByMember | Reads::BySet) => {
                self.is_set[variable.index()] = reads == Reads::BySet;
                self.is_receiver[variable.index()] = reads == Reads::ByMember;
                let place = self.place;
                self.pend(variable, value, place);
            }
            (Some(variable), Reads::Often) => self.assign_result(variable, value),
            (None, _) | (Some(_), Reads::None) if has_effect => self.execute(value),
            (None, _) | (Some(_), Reads::None) => {}
        }
    }

    /// Assigns what has been computed, as an update where it is one.
    pub(super) fn assign_result(&mut self, variable: Variable, value: Expr) {
        let Some((text, binding)) = value.as_update(self.name(variable)) else {
            return self.assign(variable, value, false);
        };
        let mut update = Expr::new(text, binding).with(&[&value]);
        update.writes.push(variable);
        if self.is_seen_by_closures(variable) {
            update.effect = Effect::Runs;
        }
        self.execute(update);
    }

    /// Copies, which may be parallel.
    fn copies(&mut self, inst: InstRef<'_, Js>, reads: Reads) -> Result<(), Unwritable> {
        if let ([Dest::Variable(dest)], [arg]) = (inst.results, inst.args) {
            let mut value = self.take(&[*arg], Throws::Never, |_| Room::Any);
            if let Some(value) = value.pop() {
                self.finish(Some(*dest), value, reads);
            }
            return Ok(());
        }
        let (mut moved, mut set) = (Vec::new(), Vec::new());
        for (dest, arg) in inst.results.iter().zip(inst.args) {
            match (*dest, *arg) {
                (Dest::Variable(to), Arg::Variable(from)) => moved.push((to, from)),
                (Dest::Variable(to), Arg::Value(_)) => set.push((to, *arg)),
                (Dest::Value(_), _) => return Err(Unwritable::Op("copy".to_owned())),
            }
        }
        self.flush();
        let temporary = self.temporary();
        let moves = sequentialize(&moved, temporary).map_err(|_| Unwritable::Op("copy".to_owned()))?;
        for (to, from) in moves {
            let value = Expr::name(self.name(from), from);
            self.assign(to, value, false);
        }
        for (to, arg) in set {
            let value = self.atom(arg);
            self.assign(to, value, false);
        }
        Ok(())
    }

    fn terminator(&mut self, inst: InstRef<'_, Js>, op: &Op, throws: Throws) -> Result<(), Unwritable> {
        match (op.opcode, &op.immediates) {
            (Opcode::Jump | Opcode::Unreachable, _) => {
                if op.opcode == Opcode::Unreachable {
                    self.flush();
                }
            }
            (Opcode::Return, _) => {
                let is_undefined = |arg: &Arg| match *arg {
                    Arg::Value(value) => self
                        .function
                        .as_constant(value)
                        .is_none_or(|constant| *constant == crate::dialect::Constant::Undefined),
                    Arg::Variable(_) => false,
                };
                let value =
                    if inst.args.iter().all(is_undefined) { None } else { self.take_one(inst.args, Throws::Never) };
                self.flush();
                match value.map(|value| self.without_await(value)) {
                    Some(value) if !matches!(self.js.kind, FunctionKind::Script | FunctionKind::Module) => {
                        self.push(Kind::Return(Some(value)));
                    }
                    _ => self.end(),
                }
            }
            (Opcode::Throw, _) => {
                let mut value = self.take_one(inst.args, throws).unwrap_or_else(Expr::undefined);
                value.throws = value.throws.join(throws);
                self.flush();
                self.push(Kind::Throw(value));
            }
            (Opcode::ThrowError, Immediates::Pair(pair)) => {
                let class = match &*pair.0 {
                    "TypeError" => "$TypeError",
                    "ReferenceError" => "$ReferenceError",
                    "SyntaxError" => "$SyntaxError",
                    "RangeError" => "$RangeError",
                    _ => "$Error",
                };
                let class = self.helpers.call(class);
                let mut value = Expr::new(format!("new {class}({})", literal::text_string(&pair.1)), level::MEMBER);
                value.throws = throws;
                self.flush();
                self.push(Kind::Throw(value));
            }
            (Opcode::Branch, _) => self.choice = self.take_one(inst.args, Throws::Never).map(Choice::Truthy),
            (Opcode::BranchNullish, _) => self.choice = self.take_one(inst.args, Throws::Never).map(Choice::Nullish),
            (Opcode::Switch, Immediates::Cases(cases)) => {
                let cases = cases.iter().map(|case| literal::constant(case).0).collect();
                self.choice = self.take_one(inst.args, Throws::Never).map(|on| Choice::Cases(on, cases));
            }
            _ => return Err(Unwritable::Op(op.opcode.name().to_owned())),
        }
        Ok(())
    }

    /// What is returned, without what an asynchronous generator does with it anyway.
    fn without_await(&self, mut value: Expr) -> Expr {
        if self.js.is_generator
            && value.shape == Shape::Awaited
            && let Some(text) = value.text.strip_prefix("await ")
        {
            value.text = text.to_owned();
            value.shape = Shape::Plain;
        }
        value
    }

    fn take_one(&mut self, args: &[Arg], throws: Throws) -> Option<Expr> {
        self.take(args, throws, |_| Room::Any).pop()
    }

    /// Writes an instruction that is no expression: whether it is one.
    fn statement(&mut self, inst: InstRef<'_, Js>, op: &Op, throws: Throws) -> Result<bool, Unwritable> {
        let args = inst.args;
        match (op.opcode, &op.immediates, inst.results) {
            (Opcode::Catch | Opcode::Captured | Opcode::ParamCell | Opcode::Export, ..) => {}
            (Opcode::StartGenerator, ..) => self.flush(),
            (Opcode::Debugger, ..) => {
                self.flush();
                self.push(Kind::Debugger);
            }
            (Opcode::IteratorNext, _, [Dest::Variable(result)]) if self.plan.for_ofs.results.contains(result) => {
                self.flush();
                if let [Arg::Variable(iterator)] = *args {
                    self.next_throws.insert(iterator, throws);
                }
            }
            (Opcode::IteratorClose, _, _) if self.for_of_iterator(args).is_some() => {
                self.flush();
                if let Some(iterator) = self.for_of_iterator(args) {
                    self.push(Kind::Leaves(iterator));
                }
            }
            (Opcode::NewCell, _, [Dest::Variable(cell)]) if self.plan.same[cell.index()] != *cell => {}
            (Opcode::NewCell, _, [Dest::Variable(cell)]) => {
                let value = self.take_one(args, throws);
                if value.is_none() && self.plan.is_native[cell.index()] {
                    return Ok(true);
                }
                let value = value.filter(|_| !self.plan.is_native[cell.index()]).unwrap_or_else(|| {
                    self.helpers.call("$tdz");
                    Expr::constant(&crate::dialect::Constant::Uninitialized)
                });
                self.assign(*cell, value, true);
            }
            (Opcode::CellSet, _, _) if self.stands_for_cell(args) => {}
            (Opcode::CellSet, _, _) => {
                let (cell, value) = self.cell_and_value(args, throws, true)?;
                self.set_cell(inst, cell, value);
            }
            (Opcode::CellSetChecked, Immediates::Name(name), _) => self.set_cell_checked(inst, name, throws)?,
            (Opcode::InitName, Immediates::Name(name), _) => {
                let value = self.take_one(args, throws).unwrap_or_else(Expr::undefined);
                self.flush();
                let keyword = self.lexical_keyword(name);
                self.push(Kind::Init { keyword, name: name.to_string(), value });
            }
            (Opcode::Append | Opcode::AppendSpread | Opcode::AppendHole, _, _) => self.append(op.opcode, args, throws),
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn set_cell_checked(&mut self, inst: InstRef<'_, Js>, name: &str, throws: Throws) -> Result<(), Unwritable> {
        let [Arg::Variable(cell), _] = *inst.args else { return Err(Unwritable::Capture) };
        let is_native = self.plan.is_native[self.plan.same[cell.index()].index()];
        let (cell, mut value) = self.cell_and_value(inst.args, throws, is_native)?;
        if is_native {
            // The engine checks.
            value.throws = value.throws.join(throws);
            value.effect = Effect::Runs;
            self.set_cell(inst, cell, value);
            return Ok(());
        }
        self.flush();
        let value = self.hold(value);
        let mut check = self.check(&Expr::name(self.name(cell), cell), name);
        check.throws = throws;
        self.execute(check);
        self.assign(cell, value, false);
        Ok(())
    }

    fn set_cell(&mut self, inst: InstRef<'_, Js>, cell: Variable, value: Expr) {
        let is_checked = op_of(inst).is_some_and(|op| op.opcode == Opcode::CellSetChecked);
        let is_first = !is_checked && self.plan.is_native[cell.index()] && !self.plan.is_outer[cell.index()];
        if is_first {
            self.assign(cell, value, true);
        } else if let Some(variable) = self.set_again(inst, &value) {
            let name = self.name(cell);
            let (text, binding) = value
                .as_update(name)
                .unwrap_or_else(|| (format!("{name} = {}", value.in_named_place(Some(name))), level::ASSIGNMENT));
            let mut set = Expr::new(text, binding).with(&[&value]);
            set.writes.push(cell);
            self.pend_set(variable, set);
        } else {
            self.assign_result(cell, value);
        }
    }

    /// Whether what would be written to a cell is what stands for it.
    fn stands_for_cell(&self, args: &[Arg]) -> bool {
        matches!(args, [Arg::Variable(cell), Arg::Variable(value)] if self.plan.same[cell.index()] == *value)
    }

    /// The value by a name or constant, so that something may happen before it is used.
    fn hold(&mut self, value: Expr) -> Expr {
        if value.shape == Shape::Atom {
            return value;
        }
        let temporary = self.temporary();
        self.assign(temporary, value, false);
        Expr::name(self.name(temporary), temporary)
    }

    fn cell_and_value(
        &mut self,
        args: &[Arg],
        throws: Throws,
        has_value: bool,
    ) -> Result<(Variable, Expr), Unwritable> {
        let [Arg::Variable(cell), value] = *args else { return Err(Unwritable::Capture) };
        let is_native = self.plan.is_native[cell.index()] && !self.plan.is_outer[cell.index()];
        // A declaration or a check has no value to go on with.
        let room = match value {
            Arg::Variable(value) if (is_native || !has_value) && self.is_set[value.index()] => Room::Atom,
            _ => Room::Any,
        };
        let value = self.take(&[value], throws, |_| room).pop().unwrap_or_else(Expr::undefined);
        Ok((self.plan.same[cell.index()], value))
    }

    /// A check that a value is not the one of a dead zone.
    pub(super) fn check(&mut self, value: &Expr, name: &str) -> Expr {
        let helper = self.helpers.call("$check");
        let text = format!("{helper}({}, {})", value.as_argument(), literal::text_string(name));
        let mut check = Expr::new(text, level::CALL).with(&[value]);
        check.effect = check.effect.max(Effect::Reads);
        check
    }

    /// Appends to an array, in its literal if that still waits.
    fn append(&mut self, opcode: Opcode, args: &[Arg], throws: Throws) {
        let mut taken = self.take(args, throws, |_| Room::Any).into_iter();
        let Some(mut array) = taken.next() else { return };
        let value = taken.next();
        let text = value.as_ref().map_or(String::new(), Expr::as_argument);
        let part = match opcode {
            Opcode::Append => text.clone(),
            Opcode::AppendSpread => format!("...{text}"),
            _ => String::new(),
        };
        if let (Shape::Array(elements), [Arg::Variable(variable), ..]) = (&mut array.shape, args) {
            elements.push(part);
            array.text = super::objects::array_text(elements);
            if let Some(value) = &value {
                array.absorb(value);
            }
            array.throws = array.throws.join(throws);
            if opcode == Opcode::AppendSpread {
                array.effect = Effect::Runs;
            }
            let place = self.place;
            self.pend(*variable, array, place);
            return;
        }
        let helper = self.helpers.call(match opcode {
            Opcode::Append => "$append",
            Opcode::AppendSpread => "$appendSpread",
            _ => "$appendHole",
        });
        let list = if opcode == Opcode::AppendHole { array.text.clone() } else { format!("{}, {text}", array.text) };
        let mut call = Expr::new(format!("{helper}({list})"), level::CALL).with(&[&array]);
        if let Some(value) = &value {
            call.absorb(value);
        }
        (call.effect, call.throws) = (Effect::Runs, call.throws.join(throws));
        self.execute(call);
    }
}

/// A binary operator, its operands and what it does.
pub(super) fn binary(opcode: Opcode, operands: &[Expr]) -> Option<Expr> {
    let [left, right] = operands else { return None };
    let mut value = operator::binary(opcode, left, right)?;
    if !matches!(opcode, Opcode::StrictEq | Opcode::StrictNe) {
        value.effect = value.effect.max(operator::effect_of(opcode, left, right));
    }
    Some(value)
}
