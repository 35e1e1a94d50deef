//! Dispatches operators from the reader to the translation.
//!
//! The reader calls the validator and the translation for each operator. Most
//! operators take and leave a fixed number of operands, so the translation
//! needs no lookup. The others take the slow path, as an [`Operator`].

use super::{Outcome, Translation, unsupported};
use crate::dialect::{Constant, Immediates, Op, Opcode, operation};
use ssaphire::SsaBuilder;
use wasmparser::{FrameKind, FrameStack, Operator, VisitOperator, VisitSimdOperator};

/// Selects the validator's visitor for the current operators.
macro_rules! validate {
    (plain $self:ident $visit:ident $($arg:ident)*) => {
        $self.validator.visitor($self.offset).$visit($($arg.clone()),*)?
    };
    (simd $self:ident $visit:ident $($arg:ident)*) => {
        $self.validator.simd_visitor($self.offset).$visit($($arg.clone()),*)?
    };
}

/// Visits an operator with a fixed number of operands.
macro_rules! visit_short {
    ($self:ident $kind:ident $proposal:ident $op:ident $visit:ident $args:tt $results:tt $($arg:ident)*) => {{
        validate!($kind $self $visit $($arg)*);
        if !$self.is_live() {
            return Ok(());
        }
        #[allow(unused_variables, reason = "few operators name a function")]
        let name = |function| $self.module.name_of(function);
        let op: Option<Op> = operation!($proposal name $op $($arg)*);
        let op = op.ok_or_else(|| unsupported(&Operator::$op { $($arg: $arg.clone()),* }))?;
        // The condition is a constant.
        if op.opcode.may_throw() || op.opcode.is_terminator() {
            $self.operation(op, $args, $results)
        } else {
            $self.append(op, $args, $results)
        }
    }};
}

/// Visits an operator that is rare, or whose operands must be counted.
macro_rules! visit_long {
    ($self:ident $op:ident $($arg:ident)*) => {
        $self.operator(&Operator::$op { $($arg: $arg.clone()),* })
    };
}

/// Validates an operator that opens or ends a frame.
macro_rules! validate_frame {
    ($self:ident $($rest:tt)*) => {
        validate!(plain $self $($rest)*);
        $self.look_at_frame();
    };
}

macro_rules! visit_one {
    // Operators that leave no instruction.
    ($self:ident $kind:ident Nop $visit:ident $ann:tt ($proposal:ident)) => {{
        validate!($kind $self $visit);
        Ok(())
    }};
    ($self:ident $kind:ident Drop $visit:ident $ann:tt ($proposal:ident)) => {{
        validate!($kind $self $visit);
        if $self.is_live() { $self.pop().map(drop) } else { Ok(()) }
    }};
    ($self:ident $kind:ident LocalGet $visit:ident $ann:tt $index:ident ($proposal:ident)) => {{
        validate!($kind $self $visit $index);
        if $self.is_live() { $self.local_get(*$index) } else { Ok(()) }
    }};
    ($self:ident $kind:ident LocalSet $visit:ident $ann:tt $index:ident ($proposal:ident)) => {{
        validate!($kind $self $visit $index);
        if $self.is_live() { $self.local_set(*$index) } else { Ok(()) }
    }};
    ($self:ident $kind:ident LocalTee $visit:ident $ann:tt $index:ident ($proposal:ident)) => {{
        validate!($kind $self $visit $index);
        if $self.is_live() { $self.local_tee(*$index) } else { Ok(()) }
    }};
    ($self:ident $kind:ident I32Const $visit:ident $ann:tt $value:ident ($proposal:ident)) => {{
        validate!($kind $self $visit $value);
        if $self.is_live() { $self.constant(Constant::I32(*$value)) } else { Ok(()) }
    }};
    ($self:ident $kind:ident I64Const $visit:ident $ann:tt $value:ident ($proposal:ident)) => {{
        validate!($kind $self $visit $value);
        if $self.is_live() { $self.constant(Constant::I64(*$value)) } else { Ok(()) }
    }};
    ($self:ident $kind:ident F32Const $visit:ident $ann:tt $value:ident ($proposal:ident)) => {{
        validate!($kind $self $visit $value);
        if $self.is_live() { $self.constant(Constant::F32($value.bits())) } else { Ok(()) }
    }};
    ($self:ident $kind:ident F64Const $visit:ident $ann:tt $value:ident ($proposal:ident)) => {{
        validate!($kind $self $visit $value);
        if $self.is_live() { $self.constant(Constant::F64($value.bits())) } else { Ok(()) }
    }};
    // Frames: in unreachable code, they are only counted.
    ($self:ident $kind:ident Block $visit:ident $ann:tt $ty:ident ($proposal:ident)) => {{
        validate_frame!($self $visit $ty);
        if $self.is_live() {
            $self.open_block(*$ty)
        } else {
            $self.skipped += 1;
            Ok(())
        }
    }};
    ($self:ident $kind:ident Loop $visit:ident $ann:tt $ty:ident ($proposal:ident)) => {{
        validate_frame!($self $visit $ty);
        if $self.is_live() {
            $self.open_loop(*$ty)
        } else {
            $self.skip_opening();
            Ok(())
        }
    }};
    ($self:ident $kind:ident If $visit:ident $ann:tt $ty:ident ($proposal:ident)) => {{
        validate_frame!($self $visit $ty);
        if $self.is_live() {
            $self.open_if(*$ty)
        } else {
            $self.skip_opening();
            Ok(())
        }
    }};
    ($self:ident $kind:ident Else $visit:ident $ann:tt ($proposal:ident)) => {{
        validate_frame!($self $visit);
        if $self.skipped == 0 { $self.otherwise() } else { Ok(()) }
    }};
    ($self:ident $kind:ident End $visit:ident $ann:tt ($proposal:ident)) => {{
        validate_frame!($self $visit);
        if $self.skipped == 0 {
            return $self.close();
        }
        $self.skipped -= 1;
        Ok(())
    }};
    ($self:ident $kind:ident Try $visit:ident $ann:tt $ty:ident ($proposal:ident)) => {{
        validate_frame!($self $visit $ty);
        if $self.is_live() {
            $self.open_legacy_try(*$ty)
        } else {
            $self.skip_opening();
            Ok(())
        }
    }};
    ($self:ident $kind:ident Catch $visit:ident $ann:tt $tag:ident ($proposal:ident)) => {{
        validate_frame!($self $visit $tag);
        if $self.skipped == 0 { $self.catch() } else { Ok(()) }
    }};
    ($self:ident $kind:ident CatchAll $visit:ident $ann:tt ($proposal:ident)) => {{
        validate_frame!($self $visit);
        if $self.skipped == 0 { $self.catch() } else { Ok(()) }
    }};
    ($self:ident $kind:ident Delegate $visit:ident $ann:tt $depth:ident ($proposal:ident)) => {{
        validate_frame!($self $visit $depth);
        if $self.skipped == 0 {
            return $self.close();
        }
        $self.skipped -= 1;
        Ok(())
    }};
    ($self:ident $kind:ident Rethrow $visit:ident $ann:tt $depth:ident ($proposal:ident)) => {{
        validate!($kind $self $visit $depth);
        if $self.is_live() { $self.rethrow(*$depth) } else { Ok(()) }
    }};
    ($self:ident $kind:ident Br $visit:ident $ann:tt $depth:ident ($proposal:ident)) => {{
        validate!($kind $self $visit $depth);
        if $self.is_live() { $self.br(*$depth) } else { Ok(()) }
    }};
    ($self:ident $kind:ident BrIf $visit:ident $ann:tt $depth:ident ($proposal:ident)) => {{
        validate!($kind $self $visit $depth);
        if $self.is_live() { $self.br_if(*$depth) } else { Ok(()) }
    }};
    ($self:ident $kind:ident BrTable $visit:ident $ann:tt $table:ident ($proposal:ident)) => {{
        validate!($kind $self $visit $table);
        if $self.is_live() { $self.br_table($table) } else { Ok(()) }
    }};
    ($self:ident $kind:ident Return $visit:ident $ann:tt ($proposal:ident)) => {{
        validate!($kind $self $visit);
        if $self.is_live() { $self.return_values() } else { Ok(()) }
    }};
    ($self:ident $kind:ident Call $visit:ident $ann:tt $function:ident ($proposal:ident)) => {{
        validate!($kind $self $visit $function);
        if !$self.is_live() {
            return Ok(());
        }
        let name = $self.module.name_of(*$function);
        let immediates = Immediates::Callee { index: *$function, name };
        $self.call(Op { opcode: Opcode::Call, immediates }, $self.type_of(*$function), false)
    }};
    ($self:ident $kind:ident CallIndirect $visit:ident $ann:tt $ty:ident $table:ident ($proposal:ident)) => {{
        validate!($kind $self $visit $ty $table);
        if !$self.is_live() {
            return Ok(());
        }
        let immediates = Immediates::Indices(*$ty, *$table);
        $self.call(Op { opcode: Opcode::CallIndirect, immediates }, Some(*$ty), true)
    }};
    ($self:ident $kind:ident V128Const $visit:ident $ann:tt $($arg:ident)* ($proposal:ident)) => {
        visit_long!($self V128Const $($arg)*)
    };
    ($self:ident $kind:ident RefNull $visit:ident $ann:tt $($arg:ident)* ($proposal:ident)) => {
        visit_long!($self RefNull $($arg)*)
    };
    // It becomes an untyped `select`.
    ($self:ident $kind:ident TypedSelect $visit:ident $ann:tt $($arg:ident)* ($proposal:ident)) => {
        visit_long!($self TypedSelect $($arg)*)
    };
    ($self:ident $kind:ident $op:ident $visit:ident (arity memarg $args:tt -> $results:tt) $($arg:ident)* ($proposal:ident)) => {
        visit_short!($self $kind $proposal $op $visit $args $results $($arg)*)
    };
    ($self:ident $kind:ident $op:ident $visit:ident (arity $args:tt -> $results:tt) $($arg:ident)* ($proposal:ident)) => {
        visit_short!($self $kind $proposal $op $visit $args $results $($arg)*)
    };
    ($self:ident $kind:ident $op:ident $visit:ident $ann:tt $($arg:ident)* ($proposal:ident)) => {
        visit_long!($self $op $($arg)*)
    };
}

macro_rules! visit {
    ($kind:ident; $( @$proposal:ident $op:ident $({ $($arg:ident: $argty:ty),* })? => $visit:ident $ann:tt )*) => {
        $(fn $visit(&mut self $($(, $arg: $argty)*)?) -> Self::Output {
            $($(let $arg = &$arg;)*)?
            visit_one!(self $kind $op $visit $ann $($($arg)*)? ($proposal))
        })*
    };
}

macro_rules! visit_plain {
    ($($operators:tt)*) => { visit!(plain; $($operators)*); };
}

macro_rules! visit_simd {
    ($($operators:tt)*) => { visit!(simd; $($operators)*); };
}

#[allow(clippy::clone_on_copy, reason = "most immediates are copied, a few are not")]
impl<'a, B: SsaBuilder> VisitOperator<'a> for Translation<'_, '_, B> {
    type Output = Outcome;

    fn simd_visitor(&mut self) -> Option<&mut dyn VisitSimdOperator<'a, Output = Self::Output>> {
        Some(self)
    }

    wasmparser::for_each_visit_operator!(visit_plain);
}

#[allow(clippy::clone_on_copy, reason = "most immediates are copied, a few are not")]
impl<'a, B: SsaBuilder> VisitSimdOperator<'a> for Translation<'_, '_, B> {
    wasmparser::for_each_visit_simd_operator!(visit_simd);
}

/// The frames are the validator's, which has seen all operators so far.
impl<B: SsaBuilder> FrameStack for Translation<'_, '_, B> {
    fn current_frame(&self) -> Option<FrameKind> {
        self.frame
    }
}
