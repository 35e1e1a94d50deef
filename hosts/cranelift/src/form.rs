//! A Cranelift function as an SSA form: for the judge, for liveness, for any other client of one.

use crate::{HashMap, ids};
use alloc::{vec, vec::Vec};
use cranelift_codegen::ir::{self, BlockArg, Function};
use ssaphire::graph::{FlatCfg, ValueEvent};
use ssaphire::{Block, Cfg, SsaForm, Value};

/// A finished function as numbered blocks, edges, phis and values.
///
/// Block parameters are phis; those of the entry are defined before control enters. Edges are numbered by their
/// position in the terminator of their block. Aliases are resolved. A result that `try_call` passes on an edge is a
/// value defined at the end of its block, numbered after Cranelift's values.
///
/// # Complexity
/// O(size of the function) to build; queries do not search.
#[derive(Debug)]
pub struct CraneliftForm<'f> {
    func: &'f Function,
    cfg: FlatCfg,
    /// By edge, the start of its arguments in `arguments`.
    first_argument: Vec<usize>,
    arguments: Vec<Value>,
    /// By block, the values defined on its outgoing edges.
    made_on_edges: Vec<Vec<Value>>,
    num_values: usize,
}

impl<'f> CraneliftForm<'f> {
    /// The form of a function, or `None` if it has no blocks.
    pub fn new(func: &'f Function) -> Option<Self> {
        let entry = ids::block(func.layout.entry_block()?);
        let calls = |block: ir::Block| {
            let last = func.layout.is_block_inserted(block).then(|| func.layout.last_inst(block)).flatten();
            let dfg = &func.dfg;
            last.map_or(&[][..], |last| dfg.insts[last].branch_destination(&dfg.jump_tables, &dfg.exception_tables))
        };
        let blocks = || func.dfg.blocks.iter();
        let pool = &func.dfg.value_lists;
        let successors: Vec<Vec<Block>> =
            blocks().map(|block| calls(block).iter().map(|call| ids::block(call.block(pool))).collect()).collect();
        let cfg = FlatCfg::from_successors(entry, &successors).ok()?;
        let mut form = Self {
            func,
            first_argument: vec![0; cfg.num_edges()],
            cfg,
            arguments: Vec::new(),
            made_on_edges: vec![Vec::new(); successors.len()],
            num_values: func.dfg.num_values(),
        };
        for block in blocks() {
            form.record_arguments(ids::block(block), calls(block));
        }
        Some(form)
    }

    fn record_arguments(&mut self, block: Block, calls: &[ir::BlockCall]) {
        let mut made: HashMap<BlockArg, Value> = HashMap::new();
        for (edge, call) in self.cfg.outgoing(block).zip(calls) {
            self.first_argument[edge.index()] = self.arguments.len();
            for argument in call.args(&self.func.dfg.value_lists) {
                let value = match argument {
                    BlockArg::Value(value) => self.resolve(value),
                    made_here => *made.entry(made_here).or_insert_with(|| {
                        let value = Value::new(self.num_values);
                        self.num_values += 1;
                        self.made_on_edges[block.index()].push(value);
                        value
                    }),
                };
                self.arguments.push(value);
            }
        }
    }

    fn resolve(&self, value: ir::Value) -> Value {
        ids::value(self.func.dfg.resolve_aliases(value))
    }

    /// The flat copy of the function's graph.
    pub fn cfg(&self) -> &FlatCfg {
        &self.cfg
    }

    fn params(&self, block: Block) -> &'f [ir::Value] {
        self.func.dfg.block_params(ids::clif_block(block))
    }
}

impl Cfg for CraneliftForm<'_> {
    fn num_blocks(&self) -> usize {
        self.cfg.num_blocks()
    }

    fn entry(&self) -> Block {
        self.cfg.entry()
    }

    fn successors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.cfg.successors(block)
    }

    fn predecessors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.cfg.predecessors(block)
    }
}

impl SsaForm for CraneliftForm<'_> {
    fn num_values(&self) -> usize {
        self.num_values
    }

    fn globals(&self) -> impl Iterator<Item = Value> {
        self.params(self.entry()).iter().map(|&param| ids::value(param))
    }

    fn phis(&self, block: Block) -> impl Iterator<Item = Value> {
        let params = if block == self.entry() { &[] } else { self.params(block) };
        params.iter().map(|&param| ids::value(param))
    }

    fn operands(&self, block: Block, phi: Value) -> impl Iterator<Item = Value> {
        let phi = ids::clif_value(phi);
        let position = match self.func.dfg.value_def(phi) {
            ir::ValueDef::Param(_, position) => position,
            _ => usize::MAX,
        };
        let edges = self.cfg.incoming(block).iter();
        edges.filter_map(move |edge| {
            self.arguments.get(self.first_argument[edge.index()].checked_add(position)?).copied()
        })
    }

    fn events(&self, block: Block) -> impl Iterator<Item = ValueEvent> {
        let at = ids::clif_block(block);
        let is_there = self.func.layout.is_block_inserted(at);
        let insts = is_there.then(|| self.func.layout.block_insts(at)).into_iter().flatten();
        let of_inst = |inst| {
            let uses = self.func.dfg.inst_args(inst).iter().map(|&used| ValueEvent::Use(self.resolve(used)));
            let defs = self.func.dfg.inst_results(inst).iter().map(|&def| ValueEvent::Def(ids::value(def)));
            uses.chain(defs)
        };
        let made = self.made_on_edges[block.index()].iter().map(|&value| ValueEvent::Def(value));
        insts.flat_map(of_inst).chain(made)
    }
}
