//! Results judged as they are finished, whatever has built them.

use core::fmt;
use ssaphire::graph::FlatCfg;
use ssaphire::{
    Access, Block, Builder, CallError, Certified, Driver, KeyedHost, Options, PhiHost, Recorder, Ssa, SsaBuilder,
    SsaBuilderExt, Stats, Stopped, Strict, UndefinedRead, Value, ValueCounter, Variable, rename_by,
};
use ssaphire_construct::with_calls;
use std::panic::{AssertUnwindSafe, catch_unwind};

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

/// `a = 0; b = 1; use a`, by the calls of any builder.
fn build(ssa: &mut impl SsaBuilder) {
    let (mut host, entry) = (ValueCounter::default(), Block::new(0));
    for variable in [0, 1] {
        let value = host.fresh();
        ssa.write_variable(entry, Variable::new(variable), value);
    }
    ssa.read_variable(&mut host, entry, Variable::new(0));
    ssa.terminate(entry, &[]);
    ssa.finish(&mut host).expect("the calls are in order");
}

/// What a panic says; none if there was no panic.
fn panic_of(call: impl FnOnce()) -> Option<String> {
    let panic = catch_unwind(AssertUnwindSafe(call)).err()?;
    panic.downcast_ref::<String>().cloned()
}

fn judging<B: SsaBuilder>(builder: B) -> Certified<B> {
    let mut ssa = Certified::with_builder(builder);
    ssa.set_judging(true);
    ssa
}

#[derive(Default)]
struct Keys(u32);

impl KeyedHost for Keys {
    type Block = char;
    type Variable = char;
    type Value = u32;

    fn new_phi(&mut self, _: char, _: char) -> u32 {
        self.undefined('x')
    }

    fn undefined(&mut self, _: char) -> u32 {
        self.0 += 1;
        self.0
    }
}

fn drive(ssa: &mut Driver<Keys, Certified<Wrong>>, reads: char) {
    ssa.begin('a');
    for variable in ['x', 'y'] {
        let value = ssa.host.undefined(variable);
        ssa.write_variable('a', variable, value).expect("in order");
    }
    ssa.read_variable('a', reads).expect("in order");
    ssa.terminate('a', &[]).expect("in order");
    ssa.finish().expect("in order");
}

/// Debug builds, as tests are.
#[test]
#[cfg(debug_assertions)]
fn a_wrong_builder_is_found_by_whatever_builds_with_it() {
    let reason = panic_of(|| build(&mut judging(Wrong::default()))).expect("the judge refuses it");
    assert!(reason.starts_with("the judge refuses the SSA form: "), "{reason}");
    let [a, b] = [0, 1].map(Variable::new);
    let blocks = [(vec![], vec![Access::Write(a), Access::Write(b), Access::Read(a)])];
    assert!(panic_of(|| drop(rename_by(&mut judging(Wrong::default()), blocks, &[]))).is_some());
    let mut driver = Driver::new(Keys::default(), judging(Wrong::default()));
    drive(&mut driver, 'y');
    assert!(panic_of(|| drive(&mut driver, 'x')).is_some(), "`y` was the right answer, by accident");
}

#[test]
fn a_right_builder_is_not_in_its_own_way() {
    let mut ssa = judging(Builder::default());
    for _ in 0..2 {
        build(&mut ssa);
        assert_eq!(ssa.complaints(), [""; 0]);
        ssa.clear();
    }
    // Without judging, and without a journal, a wrong one says nothing.
    let mut ssa = judging(Wrong::default());
    ssa.set_judging(false);
    build(&mut ssa);
    assert_ne!(ssa.complaints(), [""; 0]);
    ssa.clear();
    ssa.set_judging(true);
    ssa.set_recording(false);
    build(&mut ssa);
}

/// `x = 0; if (..) { x = 1 } use x`, by a front end that forgets to switch to `join` for the use.
#[test]
fn a_read_of_a_filled_block_is_refused() {
    let [top, then, join] = [0, 1, 2].map(Block::new);
    let x = Variable::new(0);
    let (mut host, mut ssa) = (Strict::new(ValueCounter::default()), Certified::default());
    let zero = host.fresh();
    ssa.write_variable(top, x, zero);
    ssa.terminate(top, &[then, join]);
    ssa.seal_block(&mut host, then);
    let one = host.fresh();
    ssa.write_variable(then, x, one);
    ssa.terminate(then, &[join]);
    ssa.seal_block(&mut host, join);
    let wrong = ssa.try_read_variable(&mut host, then, x).expect_err("`then` is filled");
    assert_eq!(wrong.to_string(), "block1: x0 is read after the block was filled");
    let at_end = ssa.read_at_end(&mut host, then, x);
    ssa.terminate(join, &[]);
    let result = ssa.finish(&mut host).expect("in order");
    assert_eq!((result.resolve(at_end), result.phis.len()), (one, 0));
    assert_eq!(ssa.complaints(), [""; 0]);
}
