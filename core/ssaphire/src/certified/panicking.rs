//! The calls of [`Certified`] for callers that keep the order of calls.

use super::Certified;
use ssaphire_construct::{Observer, PhiHost, or_panic};
use ssaphire_graph::{Block, Value, Variable};

macro_rules! panicking {
    ($($call:ident as $try_call:ident($($argument:ident: $ty:ty),*) $(-> $result:ty)?;)*) => {
        /// Each of these panics where the call it names returns an error.
        impl<O: Observer> Certified<O> {
            $(
                #[doc = concat!("[`", stringify!($try_call), "`](Self::", stringify!($try_call), "), for callers that keep the order of calls.")]
                ///
                /// # Panics
                /// Where that returns an error.
                #[track_caller]
                pub fn $call(&mut self, $($argument: $ty),*) $(-> $result)? {
                    or_panic(self.$try_call($($argument),*))
                }
            )*
        }
    };
}

panicking! {
    global as try_global(value: Value);
    define as try_define(block: Block, value: Value);
    set_initial as try_set_initial(variable: Variable, value: Value);
    write_variable as try_write_variable(block: Block, variable: Variable, value: Value);
    write_on_edge as try_write_on_edge(from: Block, slot: usize, variable: Variable, value: Value);
    read_variable as try_read_variable(host: &mut dyn PhiHost, block: Block, variable: Variable) -> Value;
    read_variable_at as try_read_variable_at(host: &mut dyn PhiHost, block: Block, variable: Variable, site: u32) -> Value;
    terminate as try_terminate(block: Block, targets: &[Block]);
    add_edge as try_add_edge(from: Block, to: Block);
    redirect_edge as try_redirect_edge(from: Block, slot: usize, to: Block) -> Block;
    seal_block as try_seal_block(host: &mut dyn PhiHost, block: Block);
    seal_blocks as try_seal_blocks(host: &mut dyn PhiHost, blocks: &[Block]);
    seal_all_blocks as try_seal_all_blocks(host: &mut dyn PhiHost);
    expect_edges as try_expect_edges(block: Block, edges: u32);
    hint_loop_writes as try_hint_loop_writes(header: Block, variables: &[Variable]);
    replace as try_replace(host: &mut dyn PhiHost, old: Value, new: Value);
}
