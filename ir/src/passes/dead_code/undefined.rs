//! Which values may be undefined when a function runs.

use super::mark::Statement;
use crate::dialect::Semantics;
use crate::function::{Action, Arg, Function, InstRef, ValueKind};
use ssaphire::graph::{IdMap, IdSet};
use ssaphire::{Block, Value};

/// The values that may be undefined: undefined values, results that depend on them, and contents of variables.
///
/// Empty if no operation depends on whether a value is undefined.
pub(super) fn maybe_undefined<D: Semantics>(function: &Function<D>) -> IdSet<Value> {
    let insts = || function.block_refs().flat_map(|block| block.insts().iter());
    if !insts().any(|inst| matches!(inst.action, Action::Op(op) if D::properties(op).needs_defined)) {
        return IdSet::new();
    }
    let is_undefined = |&value: &Value| matches!(function.value(value).kind, ValueKind::Undefined);
    let mut work: Vec<Value> = function.values().filter(is_undefined).collect();
    let sources = insts().filter(|inst| {
        let makes_it = matches!(inst.action, Action::Op(op) if D::properties(op).makes_undefined);
        makes_it || inst.args.iter().any(|arg| matches!(arg, Arg::Variable(_)))
    });
    work.extend(sources.flat_map(InstRef::defined_values));
    if work.is_empty() {
        return IdSet::new();
    }
    let uses = Uses::of(function);
    let mut undefined = IdSet::new();
    while let Some(value) = work.pop() {
        if undefined.insert(value) {
            for &statement in uses.of_value(value) {
                work.extend(statement.results(function).filter(|&result| !undefined.contains(result)));
            }
        }
    }
    undefined
}

/// The statements that use each value.
struct Uses {
    /// By value, plus one at the end: the position of its first statement.
    start: Vec<u32>,
    statements: Vec<Statement>,
}

impl Uses {
    fn of<D: Semantics>(function: &Function<D>) -> Self {
        let mut start = vec![0; function.num_values() + 1];
        each_use(function, |value, _| start[value.index() + 1] += 1);
        for index in 1..start.len() {
            start[index] += start[index - 1];
        }
        let mut next: IdMap<Value, u32> = start[..function.num_values()].iter().copied().collect();
        let mut statements = vec![Statement::inst(Block::new(0), 0); start[function.num_values()] as usize];
        each_use(function, |value, statement| {
            statements[next[value] as usize] = statement;
            next[value] += 1;
        });
        Self { start, statements }
    }

    fn of_value(&self, value: Value) -> &[Statement] {
        &self.statements[self.start[value.index()] as usize..self.start[value.index() + 1] as usize]
    }
}

fn each_use<D: Semantics>(function: &Function<D>, mut visit: impl FnMut(Value, Statement)) {
    for block in function.blocks() {
        let data = function.block(block);
        for (index, phi) in data.phis().iter().enumerate() {
            phi.operands.iter().for_each(|&operand| visit(operand, Statement::phi(block, index)));
        }
        for (index, inst) in data.insts().iter().enumerate() {
            for arg in inst.args {
                if let Arg::Value(value) = *arg {
                    visit(value, Statement::inst(block, index));
                }
            }
        }
    }
}
