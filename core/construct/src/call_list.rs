//! The methods of `SsaBuilder`, for wrappers that forward all of them.

/// Calls a macro with the methods of [`SsaBuilder`](crate::SsaBuilder), except `describe`: the queries, and the methods
/// that change a builder. The names of types are those in scope at the call.
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
                set_entry(entry: Block) -> Result<(), CallError>;
                announce(cfg: &FlatCfg) -> Result<(), CallError>;
                try_declare_variable() -> Result<Variable, CallError>;
                try_set_initial(variable: Variable, value: Value) -> Result<(), CallError>;
                try_global(value: Value) -> Result<(), CallError>;
                recorder() -> Option<&mut dyn Recorder>;
                try_write_variable(block: Block, variable: Variable, value: Value) -> Result<(), CallError>;
                try_read_variable(host: &mut dyn PhiHost, block: Block, variable: Variable) -> Result<Value, CallError>;
                try_read_at_site(host: &mut dyn PhiHost, block: Block, variable: Variable, site: u32) -> Result<Value, CallError>;
                try_read_at_end(host: &mut dyn PhiHost, block: Block, variable: Variable, site: Option<u32>) -> Result<Value, CallError>;
                try_terminate(block: Block, targets: &[Block]) -> Result<(), CallError>;
                try_write_on_edge(from: Block, slot: u32, variable: Variable, value: Value) -> Result<(), CallError>;
                try_add_edge(from: Block, to: Block) -> Result<(), CallError>;
                try_redirect_edge(from: Block, slot: u32, to: Block) -> Result<Block, CallError>;
                try_seal_block(host: &mut dyn PhiHost, block: Block) -> Result<(), CallError>;
                try_seal_blocks(host: &mut dyn PhiHost, blocks: &[Block]) -> Result<(), CallError>;
                try_seal_all_blocks(host: &mut dyn PhiHost) -> Result<(), CallError>;
                try_replace(host: &mut dyn PhiHost, old: Value, new: Value) -> Result<(), CallError>;
                resolve(value: Value) -> Value;
                finish(host: &mut dyn PhiHost) -> Result<Ssa<'_>, CallError>;
            }
        }
    };
}
