//! Calls with open argument lists: the arguments of each edge, and the parameters they bind.
//!
//! While a function is built, an unsealed block has no type yet, and the
//! arguments of the jumps to it are unknown. The builder keeps both until it
//! finishes; this module takes them over once, when all of them are decided.
//! From then on the type of a continuation is fixed: no later step adds or
//! removes a parameter.

use crate::dialect::Syntax;
use crate::function::{Function, IncomingEdge};
use ssaphire::Ssa;
use ssaphire_graph::{Block, Value, Variable};

/// The parameters of each block, and the arguments of each edge.
#[derive(Debug, Default)]
pub(crate) struct OpenCalls {
    /// By block, the start of its parameters; one more for the end.
    first_param: Vec<u32>,
    params: Vec<Param>,
    /// By block, the number of its first outgoing edge.
    first_edge: Vec<u32>,
    /// By edge, the start of its arguments.
    first_arg: Vec<u32>,
    args: Vec<Value>,
}

/// A parameter that was a phi, with its variable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Param {
    pub(crate) value: Value,
    pub(crate) variable: Option<Variable>,
}

/// A phi with its operands by incoming edge.
type PhiOf<'a> = (Param, &'a [Value]);

impl OpenCalls {
    /// The parameters and arguments of a function in SSA form, from its phis.
    pub(crate) fn of_function<D: Syntax>(function: &Function<D>) -> Self {
        let mut open = Self::for_edges_of(function);
        let mut phis: Vec<PhiOf<'_>> = Vec::new();
        for block in function.blocks() {
            let data = function.block(block);
            phis.extend(data.phis().iter().map(|phi| {
                let variable = phi.variable.or(function.value(phi.value).name);
                (Param { value: phi.value, variable }, phi.operands)
            }));
            open.add_block(data.incoming(), &mut phis);
        }
        open
    }

    /// The parameters and arguments of a function that has just been built, directly from the builder: its code has no
    /// phis.
    pub(crate) fn of_result<D: Syntax>(function: &Function<D>, result: &Ssa<'_>) -> Self {
        let mut open = Self::for_edges_of(function);
        let mut phis: Vec<PhiOf<'_>> = Vec::new();
        let mut kept = result.phis.iter().peekable();
        for block in function.blocks() {
            while let Some(phi) = kept.next_if(|phi| phi.block == block) {
                phis.push((Param { value: phi.value, variable: Some(phi.variable) }, phi.operands));
            }
            open.add_block(result.phis.incoming(block), &mut phis);
        }
        open
    }

    /// No parameters so far, but room for the arguments of each edge.
    fn for_edges_of<D: Syntax>(function: &Function<D>) -> Self {
        let mut open = Self { first_param: vec![0], ..Self::default() };
        let mut num_edges = 0;
        for block in function.blocks() {
            open.first_edge.push(num_edges as u32);
            num_edges += function.block(block).targets().len();
        }
        open.first_arg.resize(num_edges, 0);
        open
    }

    /// Adds the phis of the next block, ordered by variable; those of one variable stay in creation order.
    fn add_block(&mut self, incoming: &[IncomingEdge], phis: &mut Vec<PhiOf<'_>>) {
        phis.sort_by_key(|(param, _)| (param.variable.is_none(), param.variable));
        if !phis.is_empty() {
            for (operand, edge) in incoming.iter().enumerate() {
                let number = self.first_edge[edge.source.index()] + edge.slot;
                self.first_arg[number as usize] = self.args.len() as u32;
                self.args.extend(phis.iter().map(|(_, operands)| operands[operand]));
            }
        }
        self.params.extend(phis.drain(..).map(|(param, _)| param));
        self.first_param.push(self.params.len() as u32);
    }

    /// The parameters of `block`.
    pub(crate) fn params(&self, block: Block) -> &[Param] {
        &self.params[self.first_param[block.index()] as usize..self.first_param[block.index() + 1] as usize]
    }

    /// The arguments of the edge that leaves `source` in slot `slot` to `target`.
    pub(crate) fn args(&self, source: Block, slot: usize, target: Block) -> &[Value] {
        let num_params = self.params(target).len();
        if num_params == 0 {
            return &[];
        }
        let first = self.first_arg[self.first_edge[source.index()] as usize + slot] as usize;
        &self.args[first..first + num_params]
    }
}
