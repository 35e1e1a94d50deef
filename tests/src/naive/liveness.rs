//! Live variables, and the accesses of instructions.

use ssaphire::graph::{Access, Block, Variable, VariableForm};

/// The variables that one instruction reads, and those that it then writes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) reads: Vec<Variable>,
    pub(super) writes: Vec<Variable>,
}

/// The accesses of `block`, by instruction: a tuple is one, any other access is one by itself.
pub(super) fn steps(form: &impl VariableForm, block: Block) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut in_tuple = 0;
    for access in form.accesses(block) {
        if let Access::Tuple(len) = access {
            steps.push(Step::default());
            in_tuple = len;
            continue;
        }
        if in_tuple == 0 {
            steps.push(Step::default());
        }
        in_tuple = in_tuple.saturating_sub(1);
        let Some(step) = steps.last_mut() else { continue };
        match access {
            Access::Read(variable) => step.reads.push(variable),
            Access::Write(variable) => step.writes.push(variable),
            Access::Copy(to, from) => {
                step.reads.push(from);
                step.writes.push(to);
            }
            Access::Tuple(_) => {}
        }
    }
    steps
}

/// Whether a path leads from the top of `block` to a read of `variable`, with no write of it before the read.
///
/// A copy reads its source, whether its target is read or not. O(*n* + *e* + *a*).
pub fn is_live_in(form: &impl VariableForm, block: Block, variable: Variable) -> bool {
    let mut seen = vec![false; form.num_blocks()];
    let mut work = vec![block];
    while let Some(block) = work.pop() {
        if std::mem::replace(&mut seen[block.index()], true) {
            continue;
        }
        let steps = steps(form, block);
        match steps.iter().find(|step| step.reads.contains(&variable) || step.writes.contains(&variable)) {
            Some(step) if step.reads.contains(&variable) => return true,
            Some(_) => {}
            None => work.extend(form.successors(block)),
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample_forms::{Source, graph};

    #[test]
    fn a_swap_reads_both_variables_before_it_writes_them() {
        let [x, y, z] = [0, 1, 2].map(Variable::new);
        let swap = vec![Access::Tuple(2), Access::Copy(x, y), Access::Copy(y, x), Access::Copy(z, x)];
        let in_turn = vec![Access::Copy(x, y), Access::Copy(y, x)];
        let source = Source { cfg: graph(0, &[vec![1], vec![]]), num_variables: 3, accesses: vec![swap, in_turn] };
        let live = |block: usize| [x, y, z].map(|variable| is_live_in(&source, Block::new(block), variable));
        assert_eq!(live(0), [true, true, false]);
        assert_eq!(live(1), [false, true, false]);
        assert_eq!(steps(&source, Block::new(0)).len(), 2);
    }
}
