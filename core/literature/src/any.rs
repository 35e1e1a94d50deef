//! A builder of any constructor in the list.

use crate::braun::{Braun, Operand, Users, Watched};
use crate::deferred::Deferred;
use crate::driven::Driven;
use crate::engine::Engine;
use crate::marker::Marker;
use crate::region::Region;
use crate::scc::Scc;
use alloc::vec::Vec;
use ssaphire_construct::{
    Builder, CallError, Observed, Observer, Options, PhiHost, Recorder, Ssa, SsaBuilder, Stats, Stopped, UndefinedRead,
    with_calls,
};
use ssaphire_graph::{Block, FlatCfg, Value, Variable};

/// A builder by any [`Engine`]: see [`SsaBuilder`] for its calls.
///
/// # Examples
/// ```
/// use ssaphire_construct::SsaBuilder;
/// use ssaphire_literature::{AnyBuilder, Engine};
///
/// for &engine in Engine::ALL {
///     let builder = AnyBuilder::new(engine);
///     assert!(builder.is_new());
/// }
/// ```
#[derive(Clone, Debug)]
pub struct AnyBuilder<O: Observer = ()> {
    engine: Engine,
    inner: Inner<O>,
}

#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "builders are made once and used for many functions")]
enum Inner<O: Observer> {
    Auto(Builder<O>),
    Braun(Driven<Braun<Users>, O>),
    BraunOperand(Driven<Braun<Operand>, O>),
    BraunWatched(Driven<Braun<Watched>, O>),
    Marker(Driven<Marker, O>),
    Scc(Driven<Scc, O>),
    Region(Driven<Region, O>),
    Deferred(Driven<Deferred, O>),
}

/// Does something to the builder, whichever it is.
macro_rules! each {
    ($inner:expr, $builder:ident => $done:expr) => {
        match $inner {
            Inner::Auto($builder) => $done,
            Inner::Braun($builder) => $done,
            Inner::BraunOperand($builder) => $done,
            Inner::BraunWatched($builder) => $done,
            Inner::Marker($builder) => $done,
            Inner::Scc($builder) => $done,
            Inner::Region($builder) => $done,
            Inner::Deferred($builder) => $done,
        }
    };
}

impl Default for AnyBuilder {
    /// The default engine.
    fn default() -> Self {
        Self::new(Engine::default())
    }
}

impl AnyBuilder {
    /// A builder by `engine` with the default options.
    pub fn new(engine: Engine) -> Self {
        Self::with_options(engine, Options::default())
    }

    /// A builder by `engine` with the given options.
    pub fn with_options(engine: Engine, options: Options) -> Self {
        Self::with_observer(engine, options, ())
    }
}

impl<O: Observer> AnyBuilder<O> {
    /// A builder that reports every state change to `observer`.
    pub fn with_observer(engine: Engine, options: Options, observer: O) -> Self {
        let inner = match engine {
            Engine::Auto => Inner::Auto(Builder::with_observer(options, observer)),
            Engine::Braun => Inner::Braun(Driven::with_observer(Braun::default(), options, observer)),
            Engine::BraunOperand => Inner::BraunOperand(Driven::with_observer(Braun::default(), options, observer)),
            Engine::BraunWatched => Inner::BraunWatched(Driven::with_observer(Braun::default(), options, observer)),
            Engine::Marker => Inner::Marker(Driven::with_observer(Marker::default(), options, observer)),
            Engine::Scc => Inner::Scc(Driven::with_observer(Scc::default(), options, observer)),
            Engine::Region => Inner::Region(Driven::with_observer(Region::default(), options, observer)),
            at_the_end => {
                let Some(strategy) = Deferred::of(at_the_end) else { unreachable!("all others decide at the end") };
                Inner::Deferred(Driven::with_observer(strategy, options, observer))
            }
        };
        Self { engine, inner }
    }

    /// The constructor.
    pub fn engine(&self) -> Engine {
        self.engine
    }
}

impl<O: Observer> Observed for AnyBuilder<O> {
    type Observer = O;

    fn observer(&self) -> &O {
        each!(&self.inner, builder => builder.observer())
    }

    fn observer_mut(&mut self) -> &mut O {
        each!(&mut self.inner, builder => builder.observer_mut())
    }
}

/// Each call is the inner builder's by that name.
macro_rules! implement {
    (
        shared { $($ask:ident($($arg:ident: $ty:ty),*) -> $answer:ty;)* }
        exclusive { $($call:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)* }
    ) => {
        impl<O: Observer> SsaBuilder for AnyBuilder<O> {
            $(
                fn $ask(&self, $($arg: $ty),*) -> $answer {
                    each!(&self.inner, builder => builder.$ask($($arg),*))
                }
            )*
            $(
                fn $call(&mut self, $($argument: $type),*) $(-> $result)? {
                    each!(&mut self.inner, builder => builder.$call($($argument),*))
                }
            )*
        }
    };
}

with_calls!(implement);
