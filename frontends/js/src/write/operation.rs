//! Operations as expressions and statements.

use super::ast::{ExprKind, Item};
use super::builder::{Builder, Choice};
use super::emit::Room;
use super::error::Unwritable;
use super::expr::{Effect, Expr, Throws};
use super::insts::{handler_of, op_of};
use super::tree::Kind;
use super::uses::Reads;
use crate::Js;
use crate::dialect::{Constant, Immediates, Op, Opcode};
use crate::program::FunctionKind;
use crate::source::Span;
use ssaphire::destruct::sequentialize;
use ssaphire_ir::{Arg, Dest, InstRef, Semantics, Variable};

impl Builder<'_, '_> {
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

    /// What is made from here on comes from an operation.
    pub(super) fn begin(&mut self, op: &Op) {
        self.ast.here = op.span;
        self.place = (op.span != Span::NOWHERE).then_some(op.span.start).or(self.place);
    }

    /// Writes an instruction, whose result is read like this; `passed_on` takes the value of an assignment that is
    /// itself assigned.
    pub(super) fn inst(
        &mut self,
        inst: InstRef<'_, Js>,
        reads: Reads,
        passed_on: Option<Variable>,
    ) -> Result<(), Unwritable> {
        let Some(op) = op_of(inst) else { return self.copies(inst, reads) };
        self.begin(op);
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
        match passed_on.or_else(|| self.set_again(inst)) {
            Some(variable) => self.pass_on(variable, value),
            None => self.finish(dest, value, reads),
        }
        Ok(())
    }

    /// The variable that an assignment has taken from what waits, and that is read once more.
    fn set_again(&self, inst: InstRef<'_, Js>) -> Option<Variable> {
        let (&Arg::Variable(variable), []) = (inst.args.last()?, inst.results) else { return None };
        self.states[variable.index()].is_set.then_some(variable)
    }

    /// Whether the next instruction assigns the same as this one: a constant, to something that has been computed before, as in
    /// `a().x = b().y = 1`; or what this one does, which is its end in the source.
    pub(super) fn is_chained(&self, inst: InstRef<'_, Js>, next: InstRef<'_, Js>) -> bool {
        let is_set = |inst| op_of(inst).is_some_and(|op| matches!(op.opcode, Opcode::Set | Opcode::SetIndex));
        let waits = |arg: &Arg| matches!(arg, Arg::Variable(variable) if self.states[variable.index()].is_pending);
        let Some((value, targets)) = next.args.split_last() else { return false };
        let is_constant = matches!(value, Arg::Value(_));
        is_set(inst)
            && is_set(next)
            && inst.args.last() == Some(value)
            && (is_constant && targets.iter().any(waits) || ends_with(next, inst))
            && handler_of(inst) == handler_of(next)
    }

    /// Lets an assignment wait as the value that it assigns.
    fn pass_on(&mut self, variable: Variable, mut value: Expr) {
        self.states[variable.index()].is_set = false;
        // `x = o.p = x + 1`: what waits must not read what the variable held before.
        if value.reads.contains(&variable) {
            self.assign(variable, value, false);
            return;
        }
        self.states[variable.index()].is_receiver = false;
        value.effect = Effect::Runs;
        if let ExprKind::Update { sign, is_prefix: false, place } = *self.ast.kind(value.id) {
            value.id = self.ast.add(ExprKind::Update { sign, is_prefix: true, place });
        }
        let place = self.place;
        self.pend(variable, value, place);
    }

    /// What becomes of a result.
    pub(super) fn finish(&mut self, dest: Option<Variable>, value: Expr, reads: Reads) {
        let has_effect = value.effect == Effect::Runs || value.throws != Throws::Never || !value.writes.is_empty();
        if let Some(variable) = dest.filter(|&variable| self.is_pinned(variable)) {
            let is_param = self.plan.is_outer[variable.index()];
            self.assign(variable, value, !is_param);
            return;
        }
        match (dest, reads) {
            (Some(variable), Reads::Once | Reads::ByMember | Reads::BySet) => {
                self.states[variable.index()].is_set = reads == Reads::BySet;
                self.states[variable.index()].is_receiver = reads == Reads::ByMember;
                let place = self.place;
                self.pend(variable, value, place);
            }
            (Some(variable), Reads::Soon) if self.pend_assignment(variable, &value) => {}
            (Some(variable), Reads::Often | Reads::Soon) => self.assign_result(variable, value),
            (None, _) | (Some(_), Reads::None) if has_effect => self.execute(value),
            (None, _) | (Some(_), Reads::None) => {}
        }
    }

    /// Assigns what has been computed, as an update where it is one.
    pub(super) fn assign_result(&mut self, variable: Variable, value: Expr) {
        let target = self.variable(variable).id;
        let Some(update) = self.ast.as_update(target, value.id) else {
            return self.assign(variable, value, false);
        };
        let mut update = Expr::new(update).with([&value]);
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
            let value = self.variable(from);
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
                    Arg::Value(value) => {
                        self.function.as_constant(value).is_none_or(|constant| *constant == Constant::Undefined)
                    }
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
                let mut value = self.take_one_or_undefined(inst.args, throws);
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
                let message = Item::Value(self.ast.text(&pair.1).id);
                let callee = self.ast.add(ExprKind::Helper(class));
                let mut value = self.ast.expr(ExprKind::New { callee, args: Box::new([message]) });
                value.throws = throws;
                self.flush();
                self.push(Kind::Throw(value));
            }
            (Opcode::Branch, _) => self.choice = self.take_one(inst.args, Throws::Never).map(Choice::Truthy),
            (Opcode::BranchNullish, _) => self.choice = self.take_one(inst.args, Throws::Never).map(Choice::Nullish),
            (Opcode::Switch, Immediates::Cases(cases)) => {
                let cases = cases.to_vec();
                self.choice = self.take_one(inst.args, Throws::Never).map(|on| Choice::Cases(on, cases));
            }
            _ => return Err(Unwritable::Op(op.opcode.name().to_owned())),
        }
        Ok(())
    }

    /// What is returned, without what an asynchronous generator does with it anyway.
    pub(super) fn without_await(&self, mut value: Expr) -> Expr {
        if self.js.is_generator
            && let ExprKind::Unary { sign: "await ", operand } = *self.ast.kind(value.id)
        {
            value.id = operand;
        }
        value
    }

    fn take_one(&mut self, args: &[Arg], throws: Throws) -> Option<Expr> {
        self.take(args, throws, |_| Room::Any).pop()
    }

    fn take_one_or_undefined(&mut self, args: &[Arg], throws: Throws) -> Expr {
        let taken = self.take_one(args, throws);
        taken.unwrap_or_else(|| self.ast.undefined())
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
            (Opcode::IteratorNext | Opcode::ForInNext, _, [Dest::Variable(result)])
                if self.plan.for_ofs.results.contains(result) =>
            {
                self.flush();
                if let [Arg::Variable(iterator)] = *args {
                    self.iteration.throws.insert(iterator, throws);
                }
            }
            (Opcode::IteratorClose, _, _) if self.for_of_iterator(args).is_some() => {
                self.flush();
                if let Some(iterator) = self.for_of_iterator(args) {
                    self.push(Kind::Leaves(iterator));
                }
            }
            (Opcode::NewCell | Opcode::CellGet | Opcode::CellGetConst, _, [Dest::Variable(result)])
                if self.plan.same[result.index()] != *result => {}
            (Opcode::NewCell, _, [Dest::Variable(cell)]) => {
                let value = self.take_one(args, throws);
                if value.is_none() && self.plan.is_native[cell.index()] {
                    return Ok(true);
                }
                let value = value.filter(|_| !self.plan.is_native[cell.index()]);
                let value = value.unwrap_or_else(|| self.ast.constant(Constant::Uninitialized));
                self.assign(*cell, value, true);
            }
            (Opcode::CellSet, _, _) if self.stands_for_cell(args) => {}
            (Opcode::CellSet, _, _) => {
                let (cell, value) = self.cell_and_value(args, throws, true)?;
                self.set_cell(inst, cell, value);
            }
            (Opcode::CellSetChecked, Immediates::Name(name), _) => self.set_cell_checked(inst, name, throws)?,
            (Opcode::InitName, Immediates::Name(name), _) => {
                let value = self.take_one_or_undefined(args, throws);
                self.flush();
                // Names that are checked are declared at the beginning.
                let is_declared = self.plans.checked_names.contains(&**name);
                let keyword = if is_declared { "" } else { self.lexical_keyword(name) };
                let name = self.ast.intern(name);
                self.push(Kind::Init { keyword, name, value });
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
        let held = self.variable(cell);
        let mut check = self.check(&held, name);
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
        } else if let Some(variable) = self.set_again(inst) {
            let target = self.variable(cell).id;
            let mut set = Expr::new(self.ast.assignment(target, value.id)).with([&value]);
            set.writes.push(cell);
            self.pass_on(variable, set);
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
        if self.ast.is_atom(value.id) {
            return value;
        }
        let temporary = self.temporary();
        self.assign(temporary, value, false);
        self.variable(temporary)
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
            Arg::Variable(value) if (is_native || !has_value) && self.states[value.index()].is_set => Room::Atom,
            _ => Room::Any,
        };
        let value = self.take(&[value], throws, |_| room).pop();
        let value = value.unwrap_or_else(|| self.ast.undefined());
        Ok((self.plan.same[cell.index()], value))
    }

    /// Appends to an array, in its literal if that still waits.
    fn append(&mut self, opcode: Opcode, args: &[Arg], throws: Throws) {
        let mut taken = self.take(args, throws, |_| Room::Any).into_iter();
        let Some(mut array) = taken.next() else { return };
        let value = taken.next();
        if let (ExprKind::Array(_), [Arg::Variable(variable), ..]) = (self.ast.kind(array.id), args) {
            let item = match (opcode, &value) {
                (Opcode::Append, Some(value)) => Item::Value(value.id),
                (Opcode::AppendSpread, Some(value)) => Item::Spread(value.id),
                _ => Item::Hole,
            };
            self.ast.append(array.id, item);
            value.iter().for_each(|value| array.absorb(value));
            array.throws = array.throws.join(throws);
            if opcode == Opcode::AppendSpread {
                array.effect = Effect::Runs;
            }
            let place = self.place;
            self.pend(*variable, array, place);
            return;
        }
        let helper = match opcode {
            Opcode::Append => "$append",
            Opcode::AppendSpread => "$appendSpread",
            _ => "$appendHole",
        };
        let parts: Vec<&Expr> = std::iter::once(&array).chain(&value).collect();
        let mut call = self.ast.call_helper(helper, &parts);
        (call.effect, call.throws) = (Effect::Runs, call.throws.join(throws));
        self.execute(call);
    }
}

/// Whether an instruction stands for code that ends with that of another.
fn ends_with(outer: InstRef<'_, Js>, inner: InstRef<'_, Js>) -> bool {
    let span = |inst| op_of(inst).map(|op| op.span).filter(|&span| span != Span::NOWHERE);
    let (outer, inner) = (span(outer), span(inner));
    outer.zip(inner).is_some_and(|(outer, inner)| outer.start < inner.start && outer.end == inner.end)
}
