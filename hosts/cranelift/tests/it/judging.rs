//! Functions judged before they are handed over, whatever has built them.

use crate::common::{config, empty_function, run, verify};
use core::fmt;
use cranelift_codegen::ir::{Function, InstBuilder, types::I64};
use ssaphire::graph::FlatCfg;
use ssaphire::{
    Block, Builder, CallError, Options, PhiHost, Recorder, Ssa, SsaBuilder, Stats, Stopped, UndefinedRead, Value,
    Variable,
};
use ssaphire_construct::with_calls;
use ssaphire_cranelift::{FinalizeError, FunctionBuilder, FunctionBuilderContext, Undefined};

/// A builder that is wrong: it takes every variable for number 0.
#[derive(Default)]
struct Wrong(Builder);

macro_rules! confused {
    (variable) => {
        Variable::new(0)
    };
    ($other:ident) => {
        $other
    };
}

macro_rules! implement {
    (
        shared { $($ask:ident($($arg:ident: $ty:ty),*) -> $answer:ty;)* }
        exclusive { $($call:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)* }
    ) => {
        impl SsaBuilder for Wrong {
            $(
                fn $ask(&self, $($arg: $ty),*) -> $answer {
                    self.0.$ask($($arg),*)
                }
            )*
            $(
                #[allow(unused_variables, reason = "the variable is not passed on")]
                fn $call(&mut self, $($argument: $type),*) $(-> $result)? {
                    self.0.$call($(confused!($argument)),*)
                }
            )*
            fn describe(&self, error: &dyn fmt::Display) -> String {
                self.0.describe(error)
            }
        }
    };
}

with_calls!(implement);

/// `a = first; b = second; return a`.
fn build<B: SsaBuilder>(context: &mut FunctionBuilderContext<B>, func: &mut Function) -> Result<(), FinalizeError> {
    let mut builder = FunctionBuilder::new(func, context);
    let entry = builder.create_block();
    builder.append_block_params_for_function_params(entry);
    builder.switch_to_block(entry);
    builder.seal_block(entry);
    let [a, b] = [builder.declare_var(I64), builder.declare_var(I64)];
    let params = builder.block_params(entry).to_vec();
    builder.def_var(a, params[0]);
    builder.def_var(b, params[1]);
    let read = builder.use_var(a);
    builder.ins().return_(&[read]);
    builder.try_finalize(config())
}

#[test]
fn a_refused_function_is_an_error() {
    let mut context = FunctionBuilderContext::with_builder(Undefined::Zero, Wrong::default());
    context.set_judging(true);
    for _ in 0..2 {
        let error = build(&mut context, &mut empty_function()).expect_err("it returns the other one");
        assert!(matches!(&error, FinalizeError::Refused(violations) if !violations.is_empty()), "{error}");
        assert!(error.to_string().starts_with("the judge refuses the SSA form: "), "{error}");
    }
    context.set_judging(false);
    build(&mut context, &mut empty_function()).expect("nobody has looked");
}

#[test]
fn an_accepted_function_is_handed_over() {
    let (mut context, mut func) = (FunctionBuilderContext::new(), empty_function());
    context.set_judging(true);
    build(&mut context, &mut func).expect("right");
    verify(&func);
    assert_eq!(run(&func, 7, 5), 7);
}

/// A value made in one block and written only in others, and a loop whose body writes what its header made.
#[test]
fn values_are_made_where_their_instructions_are() {
    let (mut context, mut func) = (FunctionBuilderContext::new(), empty_function());
    context.set_judging(true);
    let mut builder = FunctionBuilder::new(&mut func, &mut context);
    let [entry, left, right, join, header, body, exit] = [(); 7].map(|()| builder.create_block());
    builder.append_block_params_for_function_params(entry);
    let [x, y] = [builder.declare_var(I64), builder.declare_var(I64)];
    builder.switch_to_block(entry);
    builder.seal_block(entry);
    let params = builder.block_params(entry).to_vec();
    let made = builder.ins().iadd(params[0], params[1]);
    builder.ins().brif(params[0], left, &[], right, &[]);
    for arm in [left, right] {
        builder.switch_to_block(arm);
        builder.seal_block(arm);
        builder.def_var(x, made);
        builder.def_var(y, params[1]);
        builder.ins().jump(join, &[]);
    }
    builder.switch_to_block(join);
    builder.seal_block(join);
    builder.ins().jump(header, &[]);
    builder.switch_to_block(header);
    let before = builder.use_var(y);
    let one = builder.ins().iconst(I64, 1);
    let less = builder.ins().isub(before, one);
    builder.ins().brif(before, body, &[], exit, &[]);
    builder.switch_to_block(body);
    builder.seal_block(body);
    builder.def_var(y, less);
    builder.ins().jump(header, &[]);
    builder.seal_block(header);
    builder.switch_to_block(exit);
    builder.seal_block(exit);
    let (x, y) = (builder.use_var(x), builder.use_var(y));
    let sum = builder.ins().iadd(x, y);
    builder.ins().return_(&[sum]);
    builder.try_finalize(config()).expect("right");
    verify(&func);
    assert_eq!(run(&func, 7, 5), 12);
}
