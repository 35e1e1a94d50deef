//! The blocks where phis are necessary.

use super::liveness::steps;
use super::{blocks, is_live_in, is_reachable, iterated_join, join};
use ssaphire::graph::{Block, Cfg, Variable, VariableForm, WithPreEntry};

/// The reachable blocks that assign `variable`, in id order. O(*n* (*n* + *e*) + *a*).
pub fn definitions(form: &impl VariableForm, variable: Variable) -> Vec<Block> {
    let assigns = |block: Block| steps(form, block).iter().any(|step| step.writes.contains(&variable));
    blocks(form).filter(|&block| is_reachable(form, block) && assigns(block)).collect()
}

/// [`definitions`], and the block before the entry, which assigns every variable.
fn with_front<F: VariableForm>(form: &F, variable: Variable) -> (WithPreEntry<&F>, Vec<Block>) {
    let cfg = WithPreEntry::new(form);
    let mut set = definitions(form, variable);
    set.push(cfg.entry());
    (cfg, set)
}

/// Whether paths from two definitions of `variable` converge at `block` (Definition 2).
pub fn is_necessary(form: &impl VariableForm, block: Block, variable: Variable) -> bool {
    let (cfg, set) = with_front(form, variable);
    join(&cfg, &set).contains(&block)
}

/// The blocks and variables with a phi in minimal SSA form, sorted: J+ of the definitions.
///
/// Per variable one [`iterated_join`].
pub fn minimal_placement(form: &impl VariableForm) -> Vec<(Block, Variable)> {
    let mut placed = Vec::new();
    for variable in (0..form.num_variables()).map(Variable::new) {
        let (cfg, set) = with_front(form, variable);
        placed.extend(iterated_join(&cfg, &set).into_iter().map(|block| (block, variable)));
    }
    placed.sort_unstable();
    placed
}

/// The blocks and variables with a phi in pruned SSA form, sorted: those of minimal form where the variable is live.
pub fn pruned_placement(form: &impl VariableForm) -> Vec<(Block, Variable)> {
    let mut placed = minimal_placement(form);
    placed.retain(|&(block, variable)| is_live_in(form, block, variable));
    placed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample_forms::{Random, Source, graph, random_cfg, random_source};
    use ssaphire::graph::Access;

    #[test]
    fn a_loop_at_the_entry_meets_the_definition_in_front() {
        let [x, y] = [0, 1].map(Variable::new);
        let accesses = vec![vec![Access::Read(x), Access::Write(x), Access::Write(y)]];
        let source = Source { cfg: graph(0, &[vec![0]]), num_variables: 3, accesses };
        let entry = Block::new(0);
        assert_eq!(minimal_placement(&source), [(entry, x), (entry, y)]);
        assert_eq!(pruned_placement(&source), [(entry, x)]);
    }

    /// Definition 2 speaks of J, Cytron's placement is J+.
    #[test]
    fn minimal_form_has_the_necessary_phis() {
        for seed in 0..60 {
            let random = &mut Random::new(seed);
            let cfg = random_cfg(random);
            let source = random_source(random, cfg, true);
            let placed = minimal_placement(&source);
            for block in blocks(&source) {
                for variable in (0..source.num_variables).map(Variable::new) {
                    assert_eq!(placed.contains(&(block, variable)), is_necessary(&source, block, variable));
                }
            }
        }
    }
}
