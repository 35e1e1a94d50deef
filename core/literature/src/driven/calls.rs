//! The observer.

use super::{Driven, Strategy};
use alloc::vec::Vec;
use ssaphire_construct::{
    CallError, Observed, Observer, Options, PhiHost, Recorder, Ssa, SsaBuilder, Stats, Stopped, UndefinedRead,
    with_calls,
};
use ssaphire_graph::{Block, FlatCfg, Value, Variable};

impl<S: Strategy, O: Observer> Observed for Driven<S, O> {
    type Observer = O;

    fn observer(&self) -> &O {
        &self.observer
    }

    fn observer_mut(&mut self) -> &mut O {
        &mut self.observer
    }
}

/// Each call is the function of this builder by that name, in the file of its topic.
macro_rules! implement {
    (
        shared { $($ask:ident($($arg:ident: $ty:ty),*) -> $answer:ty;)* }
        exclusive { $($call:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)* }
    ) => {
        impl<S: Strategy, O: Observer> SsaBuilder for Driven<S, O> {
            $(
                #[inline]
                fn $ask(&self, $($arg: $ty),*) -> $answer {
                    Driven::$ask(self, $($arg),*)
                }
            )*
            $(
                #[inline]
                fn $call(&mut self, $($argument: $type),*) $(-> $result)? {
                    Driven::$call(self, $($argument),*)
                }
            )*
        }
    };
}

with_calls!(implement);
