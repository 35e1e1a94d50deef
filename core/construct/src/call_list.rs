//! The required methods of `SsaBuilder`, for wrappers that forward all of them.

/// Calls a macro with the required methods of [`SsaBuilder`](crate::SsaBuilder): the queries, and the methods that
/// change a builder. The names of types are those in scope at the call.
#[doc(hidden)]
#[macro_export]
macro_rules! with_calls {
    ($implement:ident) => {
        $implement! {
            shared {
                options() -> &Options;
                stats() -> &Stats;
                entry() -> Block;
                is_new() -> bool;
                target(from: Block, slot: u32) -> Option<Block>;
                is_filled(block: Block) -> bool;
                unfilled_blocks() -> Vec<Block>;
                is_sealed(block: Block) -> bool;
                is_unreachable(block: Block) -> bool;
                known_dominator(block: Block) -> Option<Block>;
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
                try_write_on_edge(from: Block, slot: u32, variable: Variable, value: Value) -> Result<(), WriteError>;
                try_add_edge(from: Block, to: Block) -> Result<(), EdgeError>;
                try_redirect_edge(from: Block, slot: u32, to: Block) -> Result<Block, EdgeError>;
                try_seal_block(host: &mut dyn PhiHost, block: Block) -> Result<(), SealError>;
                try_seal_blocks(host: &mut dyn PhiHost, blocks: &[Block]) -> Result<(), SealError>;
                try_seal_all_blocks(host: &mut dyn PhiHost) -> Result<(), SealError>;
                try_expect_edges(block: Block, edges: u32) -> Result<(), SealError>;
                try_replace(host: &mut dyn PhiHost, old: Value, new: Value) -> Result<(), ReplaceError>;
                resolve(value: Value) -> Value;
                finish(host: &mut dyn PhiHost) -> Result<Ssa<'_>, FinishError>;
            }
        }
    };
}
