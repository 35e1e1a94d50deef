//! Expressions and conditions, with an explicit stack of pending steps.

use super::Lowering;
use crate::tree::{Callee, Expression, ExpressionId, List};
use ssaphire::{Block, SsaBuilder, Value, Variable};
use ssaphire_ir::basic::{BinaryOp, Call, Op, Type, UnaryOp};
use ssaphire_ir::{BuildError, ValueKind};

/// A pending step of an expression. Operands come from the operand stack, and results go there.
#[derive(Clone, Copy)]
pub(super) enum Task {
    /// Evaluate the expression.
    Value(ExpressionId),
    /// Evaluate the expressions in order.
    List(List),
    Unary(UnaryOp),
    Binary(BinaryOp),
    /// Read an element of the array of the given access, at the index on the operand stack.
    Access(Variable, ExpressionId),
    /// Call with this number of arguments, with or without a result.
    Call(Callee, usize, bool),
    /// Branch to `holds` or to `fails`.
    Branch {
        condition: ExpressionId,
        holds: Block,
        fails: Block,
    },
    /// Branch to `holds` or to `fails`, depending on the operand.
    BranchOnOperand {
        holds: Block,
        fails: Block,
    },
    /// Continue in the block, whose edges are all known, and branch from there to `holds` or to `fails`.
    BranchIn {
        block: Block,
        condition: ExpressionId,
        holds: Block,
        fails: Block,
    },
    /// A condition has branched to `holds` or to `fails`: set the variable to 1 or 0 there.
    WriteTruth {
        variable: Variable,
        holds: Block,
        fails: Block,
    },
    /// Push the value of the variable.
    ReadTruth(Variable),
}

impl<B: SsaBuilder> Lowering<'_, '_, B> {
    pub(super) fn lower_assignment(&mut self, variable: Variable, expression: ExpressionId) -> Result<(), BuildError> {
        if self.is_condition(expression) {
            self.push_truth(variable, expression);
            return self.run();
        }
        let value = self.value(expression)?;
        self.assign(variable, value)
    }

    /// Arrays begin with a store to an element of an unwritten array: this is not a read to warn about.
    pub(super) fn lower_update(
        &mut self,
        array: Variable,
        index: ExpressionId,
        element: ExpressionId,
    ) -> Result<(), BuildError> {
        let (index, element) = (self.value(index)?, self.value(element)?);
        let old = self.builder.read(array)?;
        let new = self.builder.push_one(Op::Update, &[old, index, element], Type::Array)?;
        self.assign(array, new)
    }

    pub(super) fn lower_hidden_update(
        &mut self,
        array: Variable,
        index: ExpressionId,
        element: ExpressionId,
    ) -> Result<(), BuildError> {
        let args = [self.value(index)?, self.value(element)?];
        let new = self.builder.push_one(Op::HiddenUpdate, &args, Type::Array)?;
        self.assign(array, new)
    }

    fn assign(&mut self, variable: Variable, value: Value) -> Result<(), BuildError> {
        let data = self.builder.function().value(value);
        if data.name.is_none() && data.kind == ValueKind::Result {
            self.builder.function_mut().set_value_name(value, Some(variable));
        }
        self.builder.write(variable, value)
    }

    pub(super) fn lower_evaluation(&mut self, expression: ExpressionId) -> Result<(), BuildError> {
        match self.program.expression(expression) {
            Expression::Call(callee, list) => {
                let num_args = self.program.list(list).len();
                self.tasks.extend([Task::Call(callee, num_args, false), Task::List(list)]);
                self.run()
            }
            _ => self.value(expression).map(drop),
        }
    }

    /// Ends the current block: branches to `holds` if `condition` is true, otherwise to `fails`.
    pub(super) fn branch(&mut self, condition: ExpressionId, holds: Block, fails: Block) -> Result<(), BuildError> {
        self.tasks.push(Task::Branch { condition, holds, fails });
        self.run()
    }

    pub(super) fn values(&mut self, list: List) -> Result<Vec<Value>, BuildError> {
        self.tasks.push(Task::List(list));
        self.run()?;
        Ok(self.operands.drain(..).collect())
    }

    fn value(&mut self, expression: ExpressionId) -> Result<Value, BuildError> {
        self.tasks.push(Task::Value(expression));
        self.run()?;
        Ok(self.pop_operand())
    }

    fn run(&mut self) -> Result<(), BuildError> {
        while let Some(task) = self.tasks.pop() {
            self.run_task(task)?;
        }
        Ok(())
    }

    fn run_task(&mut self, task: Task) -> Result<(), BuildError> {
        match task {
            Task::Value(expression) => self.run_value(expression),
            Task::List(list) => {
                self.tasks.extend(self.program.list(list).iter().rev().map(|&expression| Task::Value(expression)));
                Ok(())
            }
            Task::Unary(op) => self.run_operation(Op::Unary(op), 1, Type::Number),
            Task::Binary(op) => self.run_operation(Op::Binary(op), 2, Type::Number),
            Task::Access(variable, id) => {
                let array = self.builder.read_at(variable, id.0)?;
                let index = self.operands.len().saturating_sub(1);
                self.operands.insert(index, array);
                self.run_operation(Op::Access, 2, Type::Number)
            }
            Task::Call(callee, num_args, has_result) => self.run_call(callee, num_args, has_result),
            Task::Branch { condition, holds, fails } => self.run_branch(condition, holds, fails),
            Task::BranchOnOperand { holds, fails } => {
                let condition = self.pop_operand();
                self.builder.terminate(Op::Branch, &[condition], &[holds, fails])
            }
            Task::BranchIn { block, condition, holds, fails } => {
                self.begin(block)?;
                if self.builder.current().is_some() {
                    self.tasks.push(Task::Branch { condition, holds, fails });
                }
                Ok(())
            }
            Task::WriteTruth { variable, holds, fails } => self.run_write_truth(variable, holds, fails),
            Task::ReadTruth(variable) => {
                let truth = self.builder.read(variable)?;
                self.operands.push(truth);
                Ok(())
            }
        }
    }

    fn run_value(&mut self, id: ExpressionId) -> Result<(), BuildError> {
        if self.is_condition(id) {
            let truth = *self.truth.get_or_insert_with(|| self.builder.declare("truth", Type::Number));
            self.tasks.push(Task::ReadTruth(truth));
            self.push_truth(truth, id);
            return Ok(());
        }
        let value = match self.program.expression(id) {
            Expression::Integer(number) => self.builder.constant(number),
            Expression::Boolean(boolean) => self.builder.constant(boolean.into()),
            Expression::Variable(variable) => self.builder.read_at(variable, id.0)?,
            Expression::Access(array, index) => {
                self.tasks.extend([Task::Access(array, id), Task::Value(index)]);
                return Ok(());
            }
            Expression::Field(field) => self.builder.constant(field.index()),
            Expression::Read => self.builder.push_one(Op::Read, &[], Type::Number)?,
            Expression::Unary(op, operand) => {
                self.tasks.extend([Task::Unary(op), Task::Value(operand)]);
                return Ok(());
            }
            Expression::Binary(op, left, right) => {
                self.tasks.extend([Task::Binary(op), Task::Value(right), Task::Value(left)]);
                return Ok(());
            }
            Expression::Call(callee, list) => {
                let num_args = self.program.list(list).len();
                self.tasks.extend([Task::Call(callee, num_args, true), Task::List(list)]);
                return Ok(());
            }
            // These are conditions, which were handled above.
            Expression::And(..) | Expression::Or(..) => return Ok(()),
        };
        self.operands.push(value);
        Ok(())
    }

    /// Whether the expression is evaluated with branches: a `&&` or `||`, with or without a `!` before it.
    fn is_condition(&self, mut id: ExpressionId) -> bool {
        while let Expression::Unary(UnaryOp::LogicalNot, operand) = self.program.expression(id) {
            id = operand;
        }
        matches!(self.program.expression(id), Expression::And(..) | Expression::Or(..))
    }

    fn run_operation(&mut self, op: Op, num_args: usize, ty: Type) -> Result<(), BuildError> {
        let first = self.operands.len() - num_args;
        let result = self.builder.push_one(op, &self.operands[first..], ty)?;
        self.operands.truncate(first);
        self.operands.push(result);
        Ok(())
    }

    fn run_call(&mut self, callee: Callee, num_args: usize, has_result: bool) -> Result<(), BuildError> {
        let op = Op::Call(Call::new(self.program.callee(callee)));
        if has_result {
            let callee = self.program.called_function(callee).map(|callee| &self.program.functions()[callee]);
            let returns_array = callee.is_some_and(|callee| callee.returns_array);
            return self.run_operation(op, num_args, if returns_array { Type::Array } else { Type::Number });
        }
        let first = self.operands.len() - num_args;
        self.builder.push(op, &self.operands[first..], &[])?;
        self.operands.truncate(first);
        Ok(())
    }

    fn run_branch(&mut self, condition: ExpressionId, holds: Block, fails: Block) -> Result<(), BuildError> {
        match self.program.expression(condition) {
            Expression::And(left, right) => {
                let both = self.builder.create_block();
                self.tasks.push(Task::BranchIn { block: both, condition: right, holds, fails });
                self.tasks.push(Task::Branch { condition: left, holds: both, fails });
            }
            Expression::Or(left, right) => {
                let other = self.builder.create_block();
                self.tasks.push(Task::BranchIn { block: other, condition: right, holds, fails });
                self.tasks.push(Task::Branch { condition: left, holds, fails: other });
            }
            Expression::Unary(UnaryOp::LogicalNot, operand) => {
                self.tasks.push(Task::Branch { condition: operand, holds: fails, fails: holds });
            }
            _ => self.tasks.extend([Task::BranchOnOperand { holds, fails }, Task::Value(condition)]),
        }
        Ok(())
    }

    /// Schedules writing the truth of `condition` into `variable`.
    fn push_truth(&mut self, variable: Variable, condition: ExpressionId) {
        let holds = self.builder.create_block();
        let fails = self.builder.create_block();
        self.tasks.extend([Task::WriteTruth { variable, holds, fails }, Task::Branch { condition, holds, fails }]);
    }

    fn run_write_truth(&mut self, variable: Variable, holds: Block, fails: Block) -> Result<(), BuildError> {
        let join = self.builder.create_block();
        for (block, truth) in [(holds, 1), (fails, 0)] {
            self.begin(block)?;
            if self.builder.current().is_none() {
                continue;
            }
            let truth = self.builder.constant(truth);
            self.builder.write(variable, truth)?;
            self.jump(join)?;
        }
        self.begin(join)
    }

    fn pop_operand(&mut self) -> Value {
        // Every evaluated expression has pushed one.
        self.operands.pop().unwrap_or_else(|| self.builder.constant(0))
    }
}
