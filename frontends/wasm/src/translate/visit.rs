//! From the reader to the translation, operator by operator.
//!
//! The validator and the translation see an operator at once, as the reader
//! calls it: most operators take and leave a fixed number of operands, so that
//! nothing has to be found out about them. The others take the long way, as an
//! [`Operator`].

use super::{Translation, unsupported};
use crate::dialect::{Op, operation};
use crate::error::Reason;
use ssaphire::Observer;
use wasmparser::{Operator, VisitOperator, VisitSimdOperator};

/// Which of the validator's visitors knows the operators at hand.
macro_rules! validate {
    (plain $self:ident $visit:ident $($arg:ident)*) => {
        $self.validator.visitor($self.offset).$visit($($arg.clone()),*)?
    };
    (simd $self:ident $visit:ident $($arg:ident)*) => {
        $self.validator.simd_visitor($self.offset).$visit($($arg.clone()),*)?
    };
}

/// An operator that takes and leaves a fixed number of operands.
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
        $self.operation(op, $args, $results)
    }};
}

/// An operator that `execute` has a line for, or whose operands have to be counted.
macro_rules! visit_long {
    ($self:ident $op:ident $($arg:ident)*) => {
        $self.operator(&Operator::$op { $($arg: $arg.clone()),* })
    };
}

macro_rules! visit_one {
    // The most frequent ones, which leave no instruction.
    ($self:ident $kind:ident LocalGet $visit:ident $ann:tt $index:ident $rest:tt) => {{
        validate!($kind $self $visit $index);
        if $self.is_live() { $self.local_get(*$index) } else { Ok(()) }
    }};
    ($self:ident $kind:ident LocalSet $visit:ident $ann:tt $index:ident $rest:tt) => {{
        validate!($kind $self $visit $index);
        if $self.is_live() { $self.local_set(*$index) } else { Ok(()) }
    }};
    ($self:ident $kind:ident Nop $visit:ident $ann:tt $($arg:ident)* ($proposal:ident)) => {
        visit_long!($self Nop $($arg)*)
    };
    ($self:ident $kind:ident Drop $visit:ident $ann:tt $($arg:ident)* ($proposal:ident)) => {
        visit_long!($self Drop $($arg)*)
    };
    ($self:ident $kind:ident LocalTee $visit:ident $ann:tt $($arg:ident)* ($proposal:ident)) => {
        visit_long!($self LocalTee $($arg)*)
    };
    ($self:ident $kind:ident I32Const $visit:ident $ann:tt $($arg:ident)* ($proposal:ident)) => {
        visit_long!($self I32Const $($arg)*)
    };
    ($self:ident $kind:ident I64Const $visit:ident $ann:tt $($arg:ident)* ($proposal:ident)) => {
        visit_long!($self I64Const $($arg)*)
    };
    ($self:ident $kind:ident F32Const $visit:ident $ann:tt $($arg:ident)* ($proposal:ident)) => {
        visit_long!($self F32Const $($arg)*)
    };
    ($self:ident $kind:ident F64Const $visit:ident $ann:tt $($arg:ident)* ($proposal:ident)) => {
        visit_long!($self F64Const $($arg)*)
    };
    ($self:ident $kind:ident V128Const $visit:ident $ann:tt $($arg:ident)* ($proposal:ident)) => {
        visit_long!($self V128Const $($arg)*)
    };
    ($self:ident $kind:ident RefNull $visit:ident $ann:tt $($arg:ident)* ($proposal:ident)) => {
        visit_long!($self RefNull $($arg)*)
    };
    // It becomes another one.
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
impl<'a, O: Observer> VisitOperator<'a> for Translation<'_, '_, O> {
    type Output = Result<(), Reason>;

    fn simd_visitor(&mut self) -> Option<&mut dyn VisitSimdOperator<'a, Output = Self::Output>> {
        Some(self)
    }

    wasmparser::for_each_visit_operator!(visit_plain);
}

#[allow(clippy::clone_on_copy, reason = "most immediates are copied, a few are not")]
impl<'a, O: Observer> VisitSimdOperator<'a> for Translation<'_, '_, O> {
    wasmparser::for_each_visit_simd_operator!(visit_simd);
}
