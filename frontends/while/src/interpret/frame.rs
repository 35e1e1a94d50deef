//! An active call, and its execution step by step.

use super::Contents;
use super::places::{Places, Point, first};
use crate::tree::{Callee, Expression, ExpressionId, List, Program, Statement, StatementId};
use ssaphire_ir::Variable;
use ssaphire_ir::basic::{BasicMachine, BinaryOp, Call, Datum, Op, UnaryOp};
use ssaphire_ir::interp::{Arity, Content, Machine, TrapKind};

/// An active call.
pub(super) struct Frame {
    /// The function's number.
    function: usize,
    /// The point of execution when there are no tasks.
    pub(super) point: Point,
    variables: Contents,
    /// The pending tasks of the current statement.
    pub(super) tasks: Vec<Task>,
    /// The results of its expressions so far.
    pub(super) operands: Contents,
    /// Whether the caller expects a result.
    pub(super) has_result: bool,
}

/// A pending task of a statement. Operands come from the operand stack, and results go there.
#[derive(Clone, Copy)]
pub(super) enum Task {
    /// Evaluate the expression.
    Value(ExpressionId),
    Unary(UnaryOp),
    Binary(BinaryOp),
    /// Read an element of the variable's array, at the index on the operand stack.
    Access(Variable),
    /// Store in the variable what the operation makes of what it holds, an index and an element; or of the last two.
    Update(Variable),
    HiddenUpdate(Variable),
    /// The left side of `&&` or `||` is evaluated; if it is `decisive`, the right side is not.
    Left {
        decisive: bool,
        right: ExpressionId,
    },
    /// Replace the operand with its truth value.
    Truth,
    /// Call with this number of arguments, with or without a result.
    Call(Callee, usize, bool),
    Assign(Variable),
    /// Go to the first point if the operand is true, otherwise to the second.
    Branch(Point, Point),
    /// Print this number of operands.
    Print(usize),
    /// Return this number of operands.
    Return(usize),
}

/// The effect of a step on other frames.
pub(super) enum Outcome {
    /// Nothing.
    GoOn,
    /// A function is called.
    Enter { function: usize, args: Contents, has_result: bool },
    /// This one returns.
    Leave(Contents),
}

impl Frame {
    pub(super) fn new(function: usize, point: Point, variables: Contents, has_result: bool) -> Self {
        Self { function, point, variables, tasks: Vec::new(), operands: Vec::new(), has_result }
    }

    /// Begins the statement: schedules its tasks, and chooses the point after it.
    pub(super) fn execute(&mut self, program: &Program, places: &Places, id: StatementId) -> Outcome {
        let after = places.after(id);
        self.point = match program.statement(id) {
            Statement::Break => places.after_loop(id),
            Statement::Continue => places.loop_condition(id),
            Statement::Goto(label) => places.label(self.function, label),
            Statement::While(..) => Point::Condition(id),
            Statement::Repeat(body, _) => first(program, body, Point::Condition(id)),
            _ => after,
        };
        match program.statement(id) {
            Statement::Assign(variable, expression) => {
                self.tasks.extend([Task::Assign(variable), Task::Value(expression)]);
            }
            Statement::Update(array, index, element) => {
                self.tasks.extend([Task::Update(array), Task::Value(element), Task::Value(index)]);
            }
            Statement::HiddenUpdate(array, index, element) => {
                self.tasks.extend([Task::HiddenUpdate(array), Task::Value(element), Task::Value(index)]);
            }
            Statement::Evaluate(expression) => self.evaluate(program, expression),
            Statement::Print(list) => self.plan(program, list, Task::Print),
            Statement::Return(list) => self.plan(program, list, Task::Return),
            Statement::If(condition, then, otherwise) => {
                let (holds, fails) = (first(program, then, after), first(program, otherwise, after));
                self.tasks.extend([Task::Branch(holds, fails), Task::Value(condition)]);
            }
            _ => {}
        }
        Outcome::GoOn
    }

    /// Begins evaluating the condition of a loop.
    pub(super) fn execute_condition(&mut self, program: &Program, places: &Places, id: StatementId) -> Outcome {
        let after = places.after(id);
        match program.statement(id) {
            Statement::While(condition, body) => {
                let inside = first(program, body, Point::Condition(id));
                self.tasks.extend([Task::Branch(inside, after), Task::Value(condition)]);
            }
            Statement::Repeat(body, condition) => {
                let again = first(program, body, Point::Condition(id));
                self.tasks.extend([Task::Branch(after, again), Task::Value(condition)]);
            }
            // No other statement has a condition that is evaluated again.
            _ => self.point = after,
        }
        Outcome::GoOn
    }

    pub(super) fn execute_task(
        &mut self,
        program: &Program,
        machine: &mut BasicMachine,
        task: Task,
    ) -> Result<Outcome, TrapKind> {
        match task {
            Task::Value(expression) => self.begin_value(program, machine, expression)?,
            Task::Unary(op) => self.apply(machine, &Op::Unary(op), 1, 1)?,
            Task::Binary(op) => self.apply(machine, &Op::Binary(op), 2, 1)?,
            Task::Access(variable) => {
                self.insert_below(1, variable);
                self.apply(machine, &Op::Access, 2, 1)?;
            }
            Task::Update(variable) => {
                self.insert_below(2, variable);
                self.apply(machine, &Op::Update, 3, 1)?;
                self.variables[variable.index()] = self.pop_operand();
            }
            Task::HiddenUpdate(variable) => {
                self.apply(machine, &Op::HiddenUpdate, 2, 1)?;
                self.variables[variable.index()] = self.pop_operand();
            }
            Task::Left { decisive, right } => {
                if self.pop_truth()? == decisive {
                    self.operands.push(Content::Known(Datum::Number(decisive.into())));
                } else {
                    self.tasks.extend([Task::Truth, Task::Value(right)]);
                }
            }
            Task::Truth => {
                let truth = self.pop_truth()?;
                self.operands.push(Content::Known(Datum::Number(truth.into())));
            }
            Task::Call(callee, num_args, has_result) => {
                return self.call(program, machine, callee, num_args, has_result);
            }
            Task::Assign(variable) => self.variables[variable.index()] = self.pop_operand(),
            Task::Branch(holds, fails) => self.point = if self.pop_truth()? { holds } else { fails },
            Task::Print(count) => self.apply(machine, &Op::Print, count, 0)?,
            Task::Return(count) => return Ok(Outcome::Leave(self.pop_operands(count))),
        }
        Ok(Outcome::GoOn)
    }

    /// Calls an opaque function.
    pub(super) fn call(
        &mut self,
        program: &Program,
        machine: &mut BasicMachine,
        callee: Callee,
        num_args: usize,
        has_result: bool,
    ) -> Result<Outcome, TrapKind> {
        let op = Op::Call(Call::new(program.callee(callee)));
        self.apply(machine, &op, num_args, usize::from(has_result))?;
        Ok(Outcome::GoOn)
    }

    /// Pops the last `count` operands.
    pub(super) fn pop_operands(&mut self, count: usize) -> Contents {
        self.operands.split_off(self.operands.len() - count)
    }

    /// Schedules an expression for its effects.
    fn evaluate(&mut self, program: &Program, expression: ExpressionId) {
        match program.expression(expression) {
            Expression::Call(callee, list) => self.plan(program, list, |count| Task::Call(callee, count, false)),
            _ => self.tasks.push(Task::Value(expression)),
        }
    }

    /// Schedules `list`, and then `task` with the number of operands.
    fn plan(&mut self, program: &Program, list: List, task: impl FnOnce(usize) -> Task) {
        let list = program.list(list);
        self.tasks.push(task(list.len()));
        self.tasks.extend(list.iter().rev().map(|&expression| Task::Value(expression)));
    }

    fn begin_value(&mut self, program: &Program, machine: &mut BasicMachine, id: ExpressionId) -> Result<(), TrapKind> {
        match program.expression(id) {
            Expression::Integer(number) => self.operands.push(Content::Known(Datum::Number(number))),
            Expression::Boolean(boolean) => self.operands.push(Content::Known(Datum::Number(boolean.into()))),
            Expression::Variable(variable) => self.operands.push(self.variables[variable.index()].clone()),
            Expression::Access(array, index) => self.tasks.extend([Task::Access(array), Task::Value(index)]),
            Expression::Field(field) => self.operands.push(Content::Known(Datum::Number(field.index()))),
            Expression::Read => self.apply(machine, &Op::Read, 0, 1)?,
            Expression::Unary(op, operand) => self.tasks.extend([Task::Unary(op), Task::Value(operand)]),
            Expression::Binary(op, left, right) => {
                self.tasks.extend([Task::Binary(op), Task::Value(right), Task::Value(left)]);
            }
            Expression::And(left, right) => {
                self.tasks.extend([Task::Left { decisive: false, right }, Task::Value(left)]);
            }
            Expression::Or(left, right) => {
                self.tasks.extend([Task::Left { decisive: true, right }, Task::Value(left)]);
            }
            Expression::Call(callee, list) => self.plan(program, list, |count| Task::Call(callee, count, true)),
        }
        Ok(())
    }

    fn apply(
        &mut self,
        machine: &mut BasicMachine,
        op: &Op,
        num_args: usize,
        num_results: usize,
    ) -> Result<(), TrapKind> {
        let args = self.pop_operands(num_args);
        let shape = Arity { results: num_results, targets: 0 };
        machine.execute(op, &args, shape, &mut self.operands).map(drop)
    }

    /// Inserts the content of the variable below the last `count` operands.
    fn insert_below(&mut self, count: usize, variable: Variable) {
        let place = self.operands.len().saturating_sub(count);
        self.operands.insert(place, self.variables[variable.index()].clone());
    }

    fn pop_operand(&mut self) -> Content<Datum> {
        // Every evaluated expression has pushed one.
        self.operands.pop().unwrap_or(Content::Undefined)
    }

    fn pop_truth(&mut self) -> Result<bool, TrapKind> {
        let datum = self.pop_operand().known().ok_or(TrapKind::Undefined)?;
        Ok(datum.number().ok_or(TrapKind::Malformed)? != 0)
    }
}
