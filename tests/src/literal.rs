//! Where the papers of the engines that decide at the end place phis, by definition.

use crate::built::Built;
use crate::case::Case;
use crate::generate::is_reducible;
use crate::naive;
use ssaphire::check::quality;
use ssaphire::{Access, Block, Variable, VariableForm};
use ssaphire_literature::Engine;

/// Blocks and variables with a phi, sorted.
type Places = Vec<(Block, Variable)>;

/// Phis are where the paper of the engine places them, of a case without copies.
///
/// `pruned` is where a pruned form has them; `leaves_reads` says in which blocks a read before any write is left to the
/// engine.
///
/// # Errors
/// What is wrong, in words.
pub(crate) fn check_literal(
    engine: Engine,
    case: &Case,
    built: &Built,
    pruned: &[(Block, Variable)],
    leaves_reads: impl Fn(Block) -> bool,
) -> Result<(), String> {
    let (expected, is_exact) = literal(engine, case, pruned, leaves_reads);
    let placement = built.placement();
    let is_right = match is_exact {
        true => placement == expected,
        false => expected.iter().all(|place| placement.contains(place)),
    };
    if !is_right {
        return Err(format!("phis at {placement:?}, not at {expected:?}"));
    }
    let is_functional = matches!(engine, Engine::Functional | Engine::FunctionalLiteral);
    let trivial = quality::trivial_phis(built);
    trivial.first().filter(|_| !is_functional).map_or(Ok(()), |finding| Err(finding.to_string()))
}

/// Where the phis are, and whether there are no others.
fn literal(
    engine: Engine,
    case: &Case,
    pruned: &[(Block, Variable)],
    leaves_reads: impl Fn(Block) -> bool,
) -> (Places, bool) {
    let minimal = || naive::minimal_placement(case);
    match engine {
        Engine::Cytron | Engine::Structured => (minimal(), true),
        // Of an irreducible graph they leave redundant sets.
        Engine::AycockHorspool | Engine::AllLocals => (minimal(), is_reducible(&case.cfg)),
        Engine::React => (pruned.to_vec(), is_reducible(&case.cfg)),
        Engine::SemiPruned => {
            let reachable = case.reachable();
            let counts = |block: Block| reachable[block.index()] && leaves_reads(block);
            let is_global = |variable| case.blocks().any(|block| counts(block) && exposes(case, block, variable));
            (minimal().into_iter().filter(|&(_, variable)| is_global(variable)).collect(), true)
        }
        Engine::Functional | Engine::FunctionalLiteral => (live_joins(case), true),
        _ => (pruned.to_vec(), true),
    }
}

/// Whether the block reads the variable before writing it.
fn exposes(case: &Case, block: Block, variable: Variable) -> bool {
    for group in case.groups(block) {
        let reads = |access: &Access| matches!(*access, Access::Read(read) | Access::Copy(_, read) if read == variable);
        let writes = |access: &Access| matches!(*access, Access::Write(to) | Access::Copy(to, _) if to == variable);
        if group.accesses.iter().any(reads) {
            return true;
        }
        if group.accesses.iter().any(writes) {
            return false;
        }
    }
    false
}

/// The joins, edges from unreachable code left out, and the variables that are live on entry.
fn live_joins(case: &Case) -> Places {
    let reachable = case.reachable();
    let is_reachable = |block: Block| reachable[block.index()];
    let is_join = |block: Block| {
        let sources = case.cfg.incoming(block).iter().map(|&edge| case.cfg.source(edge));
        is_reachable(block) && sources.filter(|&source| is_reachable(source)).count() > 1
    };
    let joins = case.blocks().filter(|&block| is_join(block));
    let variables = || (0..case.num_variables()).map(Variable::new);
    let pairs = joins.flat_map(|block| variables().map(move |variable| (block, variable)));
    pairs.filter(|&(block, variable)| naive::is_live_in(case, block, variable)).collect()
}
