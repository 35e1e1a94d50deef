//! Source programs: variables, any graph, and what they do.

use ssaphire::Block;

/// Even variables are 64 bits wide, odd ones 32; a statement does not mix them.
#[derive(Clone, Debug)]
pub(crate) enum Statement {
    Constant(usize, i64),
    Copy(usize, usize),
    Add(usize, usize, usize),
    Print(usize),
}

#[derive(Clone, Debug)]
pub(crate) enum End {
    Goto(usize),
    /// To the first block if the variable is not zero.
    If(usize, usize, usize),
    /// To the first block by default, to block `i + 1` of the list for content `i`.
    Switch(usize, Vec<usize>),
    Return,
}

/// Block 0 is the entry; nothing leads to it.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) blocks: Vec<(Vec<Statement>, End)>,
}

impl End {
    pub(crate) fn targets(&self) -> Vec<Block> {
        let targets = match self {
            Self::Goto(target) => vec![*target],
            Self::If(_, then, otherwise) => vec![*then, *otherwise],
            Self::Switch(_, targets) => targets.clone(),
            Self::Return => vec![],
        };
        targets.into_iter().map(Block::new).collect()
    }

    pub(crate) fn variable(&self) -> Option<usize> {
        match self {
            Self::If(variable, ..) | Self::Switch(variable, _) => Some(*variable),
            Self::Goto(_) | Self::Return => None,
        }
    }
}

/// The sum, as wide as `variable` is.
pub(crate) fn add(is_narrow: bool, left: i64, right: i64) -> i64 {
    if is_narrow { (left as i32).wrapping_add(right as i32).into() } else { left.wrapping_add(right) }
}

/// The slot that control leaves an `if` by.
pub(crate) fn if_slot(condition: Option<i64>) -> usize {
    usize::from(condition.unwrap_or(0) == 0)
}

/// The slot that control leaves a switch with so many targets by.
pub(crate) fn switch_slot(content: Option<i64>, num_targets: usize) -> usize {
    let case = content.and_then(|content| usize::try_from(content).ok());
    case.filter(|case| case + 1 < num_targets).map_or(0, |case| case + 1)
}

impl Program {
    pub(crate) fn num_variables(&self) -> usize {
        let of_statement = |statement: &Statement| match *statement {
            Statement::Constant(variable, _) | Statement::Print(variable) => variable,
            Statement::Copy(target, source) => target.max(source),
            Statement::Add(target, left, right) => target.max(left).max(right),
        };
        let statements = self.blocks.iter().flat_map(|(statements, _)| statements.iter().map(of_statement));
        statements.chain(self.blocks.iter().filter_map(|(_, end)| end.variable())).max().map_or(0, |last| last + 1)
    }

    /// What is printed on the way through at most so many blocks, if variables hold `initial` at first.
    pub(crate) fn run(&self, initial: Option<i64>, num_steps: usize) -> Vec<Option<i64>> {
        let mut variables = vec![initial; self.num_variables()];
        let mut printed = Vec::new();
        let mut at = 0;
        for _ in 0..num_steps {
            let (statements, end) = &self.blocks[at];
            for statement in statements {
                match *statement {
                    Statement::Constant(target, number) => variables[target] = Some(number),
                    Statement::Copy(target, source) => variables[target] = variables[source],
                    Statement::Add(target, left, right) => {
                        let operands = variables[left].zip(variables[right]);
                        variables[target] = operands.map(|(left, right)| add(target % 2 == 1, left, right));
                    }
                    Statement::Print(source) => printed.push(variables[source]),
                }
            }
            let slot = match end {
                End::Goto(_) => 0,
                End::If(variable, ..) => if_slot(variables[*variable]),
                End::Switch(variable, targets) => switch_slot(variables[*variable], targets.len()),
                End::Return => return printed,
            };
            at = end.targets()[slot].index();
        }
        printed
    }
}

/// The programs written by hand, with the phis that each block is to have.
pub(crate) fn by_hand() -> Vec<(&'static str, Program, Vec<usize>)> {
    use End::{Goto, If, Return, Switch};
    use Statement::{Add, Constant, Copy, Print};
    let program = |blocks: Vec<(Vec<Statement>, End)>| Program { blocks };
    let diamond = vec![
        (vec![Constant(0, 1), Constant(1, 2), Constant(2, 3)], If(0, 1, 2)),
        (vec![Constant(0, 5), Copy(2, 0)], Goto(3)),
        (vec![Constant(2, 7)], Goto(3)),
        (vec![Print(0), Print(1), Print(2)], Return),
    ];
    let one_loop = vec![
        (vec![Constant(0, 0), Constant(2, 1), Constant(1, 9)], Goto(1)),
        (vec![], If(2, 2, 3)),
        (vec![Add(0, 0, 2), Print(0), Print(1), Copy(4, 2), Copy(2, 0)], Goto(1)),
        (vec![Print(0), Print(1), Print(4)], Return),
    ];
    let swap = vec![
        (vec![Constant(0, 1), Constant(2, 2)], Goto(1)),
        (vec![Print(0), Copy(4, 0), Copy(0, 2), Copy(2, 4)], If(0, 1, 2)),
        (vec![Print(2)], Return),
    ];
    let switch = vec![
        (vec![Constant(1, 1), Constant(0, 4)], Switch(1, vec![2, 1, 2, 2, 1])),
        (vec![Constant(0, 6)], Switch(1, vec![2, 2, 2])),
        (vec![Print(0), Print(1)], Return),
    ];
    let irreducible = vec![
        (vec![Constant(0, 1), Constant(2, 3)], If(0, 1, 2)),
        (vec![Add(0, 0, 2), Print(0)], If(0, 2, 3)),
        (vec![Print(0), Print(2)], Goto(1)),
        (vec![Print(0), Print(2)], Return),
    ];
    let unreachable = vec![
        (vec![Constant(0, 1)], Goto(3)),
        (vec![Constant(0, 2)], Goto(2)),
        (vec![Add(0, 0, 0), Print(0)], If(0, 3, 2)),
        (vec![Print(0)], Return),
    ];
    let undefined =
        vec![(vec![Print(0)], If(2, 1, 2)), (vec![Constant(0, 3)], Goto(2)), (vec![Print(0), Print(1)], Return)];
    vec![
        ("diamond", program(diamond), vec![0, 0, 0, 2]),
        ("loop", program(one_loop), vec![0, 3, 0, 0]),
        ("swap", program(swap), vec![0, 2, 0]),
        ("switch", program(switch), vec![0, 0, 1]),
        ("irreducible", program(irreducible), vec![0, 1, 1, 0]),
        ("unreachable", program(unreachable), vec![0, 0, 0, 0]),
        ("undefined", program(undefined), vec![0, 0, 1]),
    ]
}
