//! A builder of any engine.

use crate::auto;
use crate::braun;
use crate::calls::SsaBuilder;
use crate::error::{
    EdgeError, EntryError, FinishError, InitialError, ReadError, ReplaceError, SealError, Stopped, WriteError,
};
use crate::host::PhiHost;
use crate::observe::{Observer, UndefinedRead};
use crate::options::{Engine, Options};
use crate::result::Ssa;
use crate::stats::Stats;
use ssaphire_graph::{Block, FlatCfg, IdError, Value, Variable};

/// A builder of the engine that the options name: see [`SsaBuilder`] for its calls.
///
/// # Examples
/// See the front page of the crate `ssaphire`.
#[derive(Clone, Debug)]
pub struct Builder<O: Observer = ()> {
    inner: Inner<O>,
}

#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "builders are made once and used for many functions")]
enum Inner<O: Observer> {
    Auto(auto::Builder<O>),
    Other(braun::Builder<O>),
}

impl Default for Builder {
    fn default() -> Self {
        Self::new(Options::default())
    }
}

impl Builder {
    /// A builder that works as the options say.
    pub fn new(options: Options) -> Self {
        Self::with_observer(options, ())
    }
}

impl<O: Observer> Builder<O> {
    /// A builder that tells `observer` of every state change.
    pub fn with_observer(options: Options, observer: O) -> Self {
        let inner = match options.engine {
            Engine::Auto => Inner::Auto(auto::Builder::with_observer(options, observer)),
            _ => Inner::Other(braun::Builder::with_observer(options, observer)),
        };
        Self { inner }
    }

    /// The observer.
    pub fn observer(&self) -> &O {
        match &self.inner {
            Inner::Auto(builder) => builder.observer(),
            Inner::Other(builder) => builder.observer(),
        }
    }

    /// The observer, to be changed.
    pub fn observer_mut(&mut self) -> &mut O {
        match &mut self.inner {
            Inner::Auto(builder) => builder.observer_mut(),
            Inner::Other(builder) => builder.observer_mut(),
        }
    }
}

/// Each call is the inner builder's by that name.
macro_rules! calls {
    (
        shared { $($ask:ident($($arg:ident: $ty:ty),*) -> $answer:ty;)* }
        exclusive { $($call:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)* }
    ) => {
        impl<O: Observer> SsaBuilder for Builder<O> {
            $(
                #[inline]
                fn $ask(&self, $($arg: $ty),*) -> $answer {
                    match &self.inner {
                        Inner::Auto(builder) => builder.$ask($($arg),*),
                        Inner::Other(builder) => builder.$ask($($arg),*),
                    }
                }
            )*
            $(
                #[inline]
                fn $call(&mut self, $($argument: $type),*) $(-> $result)? {
                    match &mut self.inner {
                        Inner::Auto(builder) => builder.$call($($argument),*),
                        Inner::Other(builder) => builder.$call($($argument),*),
                    }
                }
            )*
        }
    };
}

calls! {
    shared {
        options() -> &Options;
        stats() -> &Stats;
        entry() -> Block;
        is_new() -> bool;
        target(from: Block, slot: usize) -> Option<Block>;
        is_filled(block: Block) -> bool;
        is_sealed(block: Block) -> bool;
        is_unreachable(block: Block) -> bool;
        stopped() -> Option<Stopped>;
        undefined_reads() -> &[UndefinedRead];
    }
    exclusive {
        clear();
        set_work_limit(steps: Option<u64>);
        set_entry(entry: Block) -> Result<(), EntryError>;
        announce(cfg: &FlatCfg) -> Result<(), EntryError>;
        try_set_initial(variable: Variable, value: Value) -> Result<(), InitialError>;
        try_global(value: Value) -> Result<(), IdError>;
        try_write_variable(block: Block, variable: Variable, value: Value) -> Result<(), WriteError>;
        try_read_variable(host: &mut dyn PhiHost, block: Block, variable: Variable) -> Result<Value, ReadError>;
        try_read_variable_at(host: &mut dyn PhiHost, block: Block, variable: Variable, site: u32) -> Result<Value, ReadError>;
        try_terminate(block: Block, targets: &[Block]) -> Result<(), EdgeError>;
        try_write_on_edge(from: Block, slot: usize, variable: Variable, value: Value) -> Result<(), WriteError>;
        try_add_edge(from: Block, to: Block) -> Result<(), EdgeError>;
        try_redirect_edge(from: Block, slot: usize, to: Block) -> Result<Block, EdgeError>;
        try_seal_block(host: &mut dyn PhiHost, block: Block) -> Result<(), SealError>;
        try_seal_blocks(host: &mut dyn PhiHost, blocks: &[Block]) -> Result<(), SealError>;
        try_seal_all_blocks(host: &mut dyn PhiHost) -> Result<(), SealError>;
        try_expect_edges(block: Block, edges: u32) -> Result<(), SealError>;
        try_hint_loop_writes(header: Block, variables: &[Variable]) -> Result<(), SealError>;
        try_replace(host: &mut dyn PhiHost, old: Value, new: Value) -> Result<(), ReplaceError>;
        resolve(value: Value) -> Value;
        finish(host: &mut dyn PhiHost) -> Result<Ssa<'_>, FinishError>;
    }
}
