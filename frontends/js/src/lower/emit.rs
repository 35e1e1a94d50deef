//! Operations, blocks and edges.

use super::function::{Handler, Lowering};
use super::literal::Hint;
use crate::dialect::{Constant, Immediates, Js, Op, Opcode, Type};
use crate::source::Span;
use oxc_str::Ident;
use ssaphire::{Block, SsaBuilder, Value, Variable};
use ssaphire_ir::{BuildError, FunctionBuilder, Name, Semantics};

/// What variables are called that the source does not have.
pub(crate) const TEMPORARY: Name = Name::fixed("$t");

/// A block that is made when the first edge to it is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Join(pub(super) Option<Block>);

impl<'l, 'b, 'p, 'a, B: SsaBuilder> Lowering<'l, 'b, 'p, 'a, B> {
    pub(super) fn is_reachable(&self) -> bool {
        self.builder.current().is_some()
    }

    pub(super) fn constant(&mut self, constant: Constant) -> Value {
        self.builder.constant(constant)
    }

    pub(super) fn undefined(&mut self) -> Value {
        if let Some(undefined) = self.undefined {
            return undefined;
        }
        let undefined = self.constant(Constant::Undefined);
        *self.undefined.insert(undefined)
    }

    /// Runs a call of the builder, in a block of its own if control does not come here.
    fn build<T>(&mut self, call: impl FnOnce(&mut FunctionBuilder<'b, Js, B>) -> Result<T, BuildError>) -> Option<T> {
        if self.builder.current().is_none() {
            self.begin_unreachable();
        }
        match call(&mut self.builder) {
            Ok(value) => Some(value),
            Err(error) => {
                self.note(Err(error));
                None
            }
        }
    }

    /// Goes on in a block to which nothing leads: for the rest of an expression that has thrown.
    fn begin_unreachable(&mut self) {
        let block = self.builder.create_block();
        self.begin_sealed(block);
    }

    /// Goes on in a block that gets no more edges.
    pub(super) fn begin_sealed(&mut self, block: Block) {
        let result = self.builder.seal(block);
        self.note(result);
        self.builder.switch_to(block);
    }

    pub(super) fn seal(&mut self, block: Block) {
        let result = self.builder.seal(block);
        self.note(result);
    }

    /// An operation with one result.
    #[inline]
    pub(super) fn op(&mut self, opcode: Opcode, args: &[Value], span: impl Into<Span>) -> Value {
        self.op_with(opcode, Immediates::None, args, span)
    }

    /// An operation with one result, and a name.
    pub(super) fn op_named(
        &mut self,
        opcode: Opcode,
        name: impl Into<Ident<'a>>,
        args: &[Value],
        span: impl Into<Span>,
    ) -> Value {
        let name = self.interner.name(name.into());
        self.op_with(opcode, Immediates::Name(name), args, span)
    }

    pub(super) fn op_with(
        &mut self,
        opcode: Opcode,
        immediates: Immediates,
        args: &[Value],
        span: impl Into<Span>,
    ) -> Value {
        let ty = match opcode {
            Opcode::GetIterator | Opcode::GetAsyncIterator | Opcode::ForIn => Type::Iterator,
            _ => Type::Any,
        };
        self.op_typed(Op { opcode, span: span.into(), immediates }, args, ty)
    }

    pub(super) fn op_typed(&mut self, op: Op, args: &[Value], ty: Type) -> Value {
        let value = match self.handler {
            Some(handler) if Js::properties(&op).may_throw => {
                let next = self.builder.create_block();
                let targets = [next, self.handler_block(handler)];
                let results = self.build(|builder| builder.terminate_with_results(op, args, &targets, &[ty]));
                self.begin_sealed(next);
                results.and_then(|results| results.iter().next().copied())
            }
            _ => self.build(|builder| builder.push_one(op, args, ty)),
        };
        value.unwrap_or_else(|| self.undefined())
    }

    /// An operation that may throw, with a result of each of these types.
    pub(super) fn op_with_results(&mut self, op: Op, args: &[Value], types: &[Type]) -> Vec<Value> {
        let results = match self.handler {
            Some(handler) => {
                let next = self.builder.create_block();
                let targets = [next, self.handler_block(handler)];
                let results = self.build(|builder| builder.terminate_with_results(op, args, &targets, types));
                self.begin_sealed(next);
                results
            }
            None => self.build(|builder| builder.push(op, args, types)),
        };
        results.map(|results| results.iter().copied().collect()).unwrap_or_default()
    }

    /// An operation without results.
    pub(super) fn effect(&mut self, opcode: Opcode, args: &[Value], span: impl Into<Span>) {
        self.effect_with(opcode, Immediates::None, args, span);
    }

    pub(super) fn effect_named(&mut self, opcode: Opcode, name: Ident<'a>, args: &[Value], span: impl Into<Span>) {
        let name = self.interner.name(name);
        self.effect_with(opcode, Immediates::Name(name), args, span);
    }

    pub(super) fn effect_with(
        &mut self,
        opcode: Opcode,
        immediates: Immediates,
        args: &[Value],
        span: impl Into<Span>,
    ) {
        let op = Op { opcode, span: span.into(), immediates };
        match self.handler {
            Some(handler) if Js::properties(&op).may_throw => {
                let targets = [self.builder.create_block(), self.handler_block(handler)];
                let [next, _] = targets;
                self.build(|builder| builder.terminate(op, args, &targets));
                self.begin_sealed(next);
            }
            _ => {
                self.build(|builder| builder.push_effect(op, args));
            }
        }
    }

    fn handler_block(&mut self, handler: Handler) -> Block {
        *self.handlers[handler.0].0.get_or_insert_with(|| self.builder.create_block())
    }

    /// Ends the current block.
    pub(super) fn terminate(&mut self, opcode: Opcode, args: &[Value], targets: &[Block]) {
        self.terminate_with(Op::new(opcode), args, targets);
    }

    pub(super) fn terminate_with(&mut self, op: Op, args: &[Value], targets: &[Block]) {
        if self.is_reachable() {
            self.build(|builder| builder.terminate(op, args, targets));
        }
    }

    pub(super) fn jump(&mut self, target: Block) {
        self.terminate(Opcode::Jump, &[], &[target]);
    }

    /// Goes to a block that is made now if it is not there yet.
    pub(super) fn jump_to(&mut self, join: &mut Join) {
        if self.is_reachable() {
            let block = *join.0.get_or_insert_with(|| self.builder.create_block());
            self.jump(block);
        }
    }

    /// Goes on where all jumps to `join` lead, if there is one. There will be no more.
    pub(super) fn begin(&mut self, join: Join) {
        if let Some(block) = join.0 {
            self.begin_sealed(block);
        }
    }

    /// Throws: to the handler, or out of the function.
    pub(super) fn throw(&mut self, value: Value, span: impl Into<Span>) {
        let op = Op { opcode: Opcode::Throw, span: span.into(), immediates: Immediates::None };
        match self.handler {
            Some(handler) => {
                let target = self.handler_block(handler);
                self.terminate_with(op, &[value], &[target]);
            }
            None => self.terminate_with(op, &[value], &[]),
        }
    }

    /// Throws a new error.
    pub(super) fn throw_error(&mut self, kind: &str, message: &str, span: impl Into<Span>) {
        let pair = std::sync::Arc::new((self.interner.text(kind), self.interner.text(message)));
        let op = Op { opcode: Opcode::ThrowError, span: span.into(), immediates: Immediates::Pair(pair) };
        match self.handler {
            Some(handler) => {
                let target = self.handler_block(handler);
                self.terminate_with(op, &[], &[target]);
            }
            None => self.terminate_with(op, &[], &[]),
        }
    }

    /// A variable for a value that several paths give.
    pub(super) fn temporary(&mut self) -> Variable {
        self.builder.declare(TEMPORARY, Type::Any)
    }

    /// A variable for a value that several paths give to something of that name.
    pub(super) fn temporary_for(&mut self, hint: &Hint<'a>) -> Variable {
        match hint {
            Hint::Identifier(name) => self.builder.declare(name.as_str(), Type::Any),
            _ => self.temporary(),
        }
    }

    /// Assigns a variable; a result that has no name is called by it.
    pub(super) fn write(&mut self, variable: Variable, value: Value) {
        self.build(|builder| builder.write(variable, value));
    }

    /// Assigns a variable of the source: a result of an operation that has no name yet is called by it.
    pub(super) fn write_as(&mut self, variable: Variable, value: Value) {
        let data = self.builder.function().value(value);
        if data.name.is_none() && data.kind == ssaphire_ir::ValueKind::Result {
            self.builder.function_mut().set_value_name(value, Some(variable));
        }
        self.write(variable, value);
    }

    pub(super) fn read(&mut self, variable: Variable) -> Value {
        self.build(|builder| builder.read(variable)).unwrap_or_else(|| self.undefined())
    }

    /// Two blocks, and the edges of a branch to them.
    pub(super) fn branch(&mut self, opcode: Opcode, condition: Value) -> [Block; 2] {
        let targets = [self.builder.create_block(), self.builder.create_block()];
        self.terminate(opcode, &[condition], &targets);
        targets
    }
}
