//! Any function that is given to [`rename`](ssaphire::rename()) as lists.

use crate::built::Built;
use crate::case::Case;
use crate::choices::Choices;
use crate::host::Origin;
use crate::rng::Rng;
use crate::walk;
use ssaphire::check::{Judge, Mode, Program, quality, rules};
use ssaphire::destruct::{Method, destruct};
use ssaphire::minimize::redundant_phis;
use ssaphire::{Access, Certified, Renamed, Variable, check_destruction, rename_by};

/// The most blocks of a function, without those that take the results of terminators.
const BLOCKS: usize = 10;

/// The most variables.
const VARIABLES: usize = 6;

/// A function as lists, and the variables that have a value when it is entered.
#[derive(Clone, Debug)]
pub struct Lists {
    /// Control enters by block 0, to which edges may lead.
    pub case: Case,
    /// The parameters, in their order.
    pub parameters: Vec<Variable>,
    /// Blocks that begin with the results of the terminator before them.
    pub num_results: usize,
}

/// The function is renamed right.
///
/// # Panics
/// If it is not.
pub fn check(bytes: &[u8]) {
    check_lists(&decode(bytes));
}

/// The form of the function, which is right.
///
/// # Panics
/// If it is not.
pub fn check_lists(lists: &Lists) -> Renamed {
    let Lists { case, parameters, .. } = lists;
    let (mut ssa, mut program) = (Certified::default(), Program::new());
    let blocks = case.blocks().map(|block| (case.cfg.targets(block).to_vec(), case.accesses[block.index()].clone()));
    let form = rename_by(&mut ssa, blocks, parameters).unwrap_or_else(|error| panic!("{error}\n{lists:?}"));
    ssa.certify(&mut program).unwrap_or_else(|error| panic!("{error}\n{lists:?}"));
    assert_eq!(Judge::new().judge(&program, Mode::Exact).violations, [], "{lists:?}");
    assert_eq!((rules(&form), quality(&form)), (vec![], vec![]), "{lists:?}");
    assert_eq!(redundant_phis(&form), Ok(vec![]), "{lists:?}");
    let view = case.with_pre_entry();
    assert_eq!(form.pre_entry().is_some(), view.cfg.num_blocks() > case.cfg.num_blocks(), "{lists:?}");
    let mut built = Built::of_renamed(&view, &form);
    for (&parameter, origin) in parameters.iter().zip(&mut built.origins) {
        // A parameter holds what its variable does at first, as an undefined value does.
        *origin = Origin::Undefined(Some(parameter));
    }
    walk::random_walks(&view, &built, 4, &mut Rng::new(1)).unwrap_or_else(|error| panic!("{error}\n{lists:?}"));
    assert!(form.phis().all(|phi| form.is_reachable(phi.block)), "{lists:?}");
    for &method in Method::ALL {
        let destruction = destruct(&form, method).unwrap_or_else(|error| panic!("{method:?}: {error}\n{lists:?}"));
        assert_eq!(check_destruction(&form, &destruction), [], "{method:?}: {lists:?}");
    }
    form
}

/// The function that the bytes describe.
#[must_use]
pub fn decode(bytes: &[u8]) -> Lists {
    let mut choices = Choices::new(bytes);
    let num_variables = 1 + choices.below(VARIABLES);
    let parameters = (0..num_variables).filter(|_| choices.chance(30)).map(Variable::new).collect();
    let (mut targets, mut accesses) = (Vec::new(), Vec::new());
    while targets.is_empty() || (!choices.is_empty() && targets.len() < BLOCKS) {
        accesses.push(contents(&mut choices, num_variables));
        targets.push(terminator(&mut choices, targets.len()));
    }
    let num_blocks = targets.len();
    targets.iter_mut().flatten().for_each(|target| *target %= num_blocks);
    for block in 0..num_blocks {
        if !targets[block].is_empty() && choices.chance(20) {
            // The results of a terminator are there in a block of their own.
            let slot = choices.below(targets[block].len());
            let between = targets.len();
            let target = std::mem::replace(&mut targets[block][slot], between);
            targets.push(vec![target]);
            accesses.push(results(&mut choices, num_variables));
        }
    }
    let num_results = targets.len() - num_blocks;
    let mut case = Case::of_graph(0, &targets, num_variables);
    case.accesses = accesses;
    Lists { case, parameters, num_results }
}

/// What a block does, and what its terminator reads.
fn contents(choices: &mut Choices<'_>, num_variables: usize) -> Vec<Access> {
    let mut accesses = Vec::new();
    for _ in 0..choices.below(5) {
        let len = if choices.chance(15) { choices.below(4) } else { 1 };
        if len != 1 {
            accesses.push(Access::Tuple(len as u32));
        }
        for _ in 0..len {
            let kind = choices.below(3);
            let variable = any(choices, num_variables);
            accesses.push(match kind {
                0 => Access::Read(variable),
                1 => Access::Write(variable),
                _ => Access::Copy(variable, any(choices, num_variables)),
            });
        }
    }
    accesses.extend((0..choices.below(4)).map(|_| Access::Read(any(choices, num_variables))));
    accesses
}

/// The targets of block `block`, often some of them twice; numbers of blocks that there may not be.
fn terminator(choices: &mut Choices<'_>, block: usize) -> Vec<usize> {
    let first = if choices.chance(50) { block + 1 } else { choices.below(BLOCKS) };
    (0..choices.below(5)).map(|slot| if slot % 2 == 0 { first } else { choices.below(BLOCKS) }).collect()
}

/// Writes of several variables at once.
fn results(choices: &mut Choices<'_>, num_variables: usize) -> Vec<Access> {
    let len = 1 + choices.below(3);
    let writes = (0..len).map(|_| Access::Write(any(choices, num_variables)));
    [Access::Tuple(len as u32)].into_iter().chain(writes.collect::<Vec<_>>()).collect()
}

fn any(choices: &mut Choices<'_>, num_variables: usize) -> Variable {
    Variable::new(choices.below(num_variables))
}
