//! Programs that can be changed, and what may be changed in them.

use ssaphire::check::{Program, ProgramEvent};
use ssaphire::{Block, Cfg, SsaForm, Value, VariableForm};

/// A kind of change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Mutation {
    /// Two operands of a phi change places.
    SwapOperands,
    /// A use names another value.
    ReplaceUse,
    /// A phi is missing, and its uses are not changed.
    DropPhi,
    /// A use names a value that was removed.
    StaleAlias,
    /// A phi has one operand less or more.
    Arity,
    /// A value is defined by two phis.
    DoubleBinding,
    /// Two phis that merge one value and each other stand for it in a use.
    RedundantSet,
    /// A phi that nothing uses.
    DeadPhi,
}

impl Mutation {
    pub(crate) const ALL: [Self; 8] = [
        Self::SwapOperands,
        Self::ReplaceUse,
        Self::DropPhi,
        Self::StaleAlias,
        Self::Arity,
        Self::DoubleBinding,
        Self::RedundantSet,
        Self::DeadPhi,
    ];

    /// Whether what comes out may be no program at all.
    pub(crate) fn breaks_structure(self) -> bool {
        matches!(self, Self::Arity | Self::DoubleBinding)
    }

    /// Whether what comes out may still do the same.
    pub(crate) fn keeps_meaning(self) -> bool {
        matches!(self, Self::RedundantSet | Self::DeadPhi)
    }
}

#[derive(Clone, Debug)]
struct DraftPhi {
    value: Value,
    operands: Vec<Value>,
}

#[derive(Clone, Debug)]
struct DraftBlock {
    incoming: Vec<Block>,
    phis: Vec<DraftPhi>,
    events: Vec<ProgramEvent>,
}

/// A program by value.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    entry: Block,
    globals: Vec<Value>,
    undefined: Vec<Value>,
    initial: Vec<(ssaphire::Variable, Value)>,
    blocks: Vec<DraftBlock>,
    num_values: usize,
    num_variables: usize,
}

impl Draft {
    pub(crate) fn new(program: &Program) -> Self {
        let block = |block: Block| DraftBlock {
            incoming: program.incoming(block).to_vec(),
            phis: program
                .phi_list(block)
                .iter()
                .map(|&phi| DraftPhi { value: phi.value, operands: program.operand_list(phi).to_vec() })
                .collect(),
            events: program.event_list(block).to_vec(),
        };
        Self {
            entry: program.entry(),
            globals: program.global_list().to_vec(),
            undefined: program.undefined_list().to_vec(),
            initial: program.initial_list().to_vec(),
            blocks: program.blocks().map(block).collect(),
            num_values: program.num_values(),
            num_variables: program.num_variables(),
        }
    }

    pub(crate) fn program(&self) -> Program {
        let mut program = Program::new();
        let mut writer = program.rewrite(self.entry);
        self.globals.iter().for_each(|&value| writer.global(value));
        self.undefined.iter().for_each(|&value| writer.undefined(value));
        self.initial.iter().for_each(|&(variable, value)| writer.initial(variable, value));
        for (index, block) in self.blocks.iter().enumerate() {
            writer.block(Block::new(index), block.incoming.iter().copied());
            block.phis.iter().for_each(|phi| writer.phi(phi.value, phi.operands.iter().copied()));
            block.events.iter().for_each(|&event| writer.event(event));
        }
        writer.finish().expect("the blocks are those of a program");
        program
    }

    /// The edges that leave `block`: target and operand index.
    fn outgoing(&self, block: usize) -> Vec<(usize, usize)> {
        let edges = self.blocks.iter().enumerate().flat_map(|(target, data)| {
            data.incoming.iter().enumerate().map(move |(index, source)| (source.index(), target, index))
        });
        edges.filter(|&(source, ..)| source == block).map(|(_, target, index)| (target, index)).collect()
    }

    /// Whether some path of up to `max_blocks` blocks shows a read that gets another content than its variable holds.
    pub(crate) fn differs(&self, max_blocks: usize) -> Option<String> {
        let outgoing: Vec<_> = (0..self.blocks.len()).map(|block| self.outgoing(block)).collect();
        let mut work = vec![(self.entry.index(), Contents::new(self), max_blocks)];
        while let Some((block, mut contents, left)) = work.pop() {
            if let Err(event) = contents.run(&self.blocks[block].events) {
                return Some(format!("event {event} of block{block}"));
            }
            for &(target, index) in outgoing[block].iter().filter(|_| left > 1) {
                let mut contents = contents.clone();
                contents.enter(&self.blocks[target].phis, index);
                work.push((target, contents, left - 1));
            }
        }
        None
    }

    fn values(&self) -> impl Iterator<Item = Value> + '_ {
        let defined = self.blocks.iter().flat_map(|block| {
            let made = block.events.iter().filter_map(|event| match event {
                ProgramEvent::Def { value, .. } => Some(*value),
                _ => None,
            });
            block.phis.iter().map(|phi| phi.value).chain(made)
        });
        self.globals.iter().copied().chain(defined)
    }
}

/// What variables and values hold; contents are numbered as they are made.
#[derive(Clone, Debug)]
struct Contents {
    globals: Vec<Value>,
    variables: Vec<Option<usize>>,
    values: Vec<Option<usize>>,
    num_made: usize,
}

impl Contents {
    fn new(draft: &Draft) -> Self {
        let mut contents = Self {
            globals: draft.globals.iter().chain(&draft.undefined).copied().collect(),
            variables: vec![None; draft.num_variables],
            values: vec![None; draft.num_values + 4],
            num_made: draft.num_values,
        };
        for &global in &contents.globals {
            contents.values[global.index()] = Some(global.index());
        }
        for &(variable, value) in &draft.initial {
            contents.variables[variable.index()] = Some(value.index());
        }
        contents
    }

    /// The position of the first read that goes wrong.
    fn run(&mut self, events: &[ProgramEvent]) -> Result<(), usize> {
        for (index, event) in events.iter().enumerate() {
            match *event {
                ProgramEvent::Use { variable, value } => {
                    let holds = self.variables[variable.index()];
                    if holds.is_none() || holds != self.values[value.index()] {
                        return Err(index);
                    }
                }
                ProgramEvent::Def { variable, value } if self.globals.contains(&value) => {
                    self.variables[variable.index()] = Some(value.index());
                }
                ProgramEvent::Def { variable, value } => {
                    self.num_made += 1;
                    self.variables[variable.index()] = Some(self.num_made);
                    self.values[value.index()] = Some(self.num_made);
                }
                ProgramEvent::Copy { dst, src } => self.variables[dst.index()] = self.variables[src.index()],
            }
        }
        Ok(())
    }

    fn enter(&mut self, phis: &[DraftPhi], edge: usize) {
        let operand = |phi: &DraftPhi| phi.operands.get(edge).and_then(|operand| self.values[operand.index()]);
        let contents: Vec<Option<usize>> = phis.iter().map(operand).collect();
        for (phi, content) in phis.iter().zip(contents) {
            self.values[phi.value.index()] = content;
        }
    }
}

/// All changes of one kind, but no two that give the same.
pub(crate) fn mutants(draft: &Draft, mutation: Mutation) -> Vec<Draft> {
    let mut mutants = Vec::new();
    for block in 0..draft.blocks.len() {
        match mutation {
            Mutation::ReplaceUse | Mutation::StaleAlias | Mutation::RedundantSet => {
                mutate_uses(draft, block, mutation, &mut mutants);
            }
            Mutation::DeadPhi => mutants.extend(with_dead_phi(draft, block)),
            _ => mutate_phis(draft, block, mutation, &mut mutants),
        }
    }
    mutants
}

fn mutate_phis(draft: &Draft, block: usize, mutation: Mutation, mutants: &mut Vec<Draft>) {
    for (place, phi) in draft.blocks[block].phis.iter().enumerate() {
        let mut change = |change: &dyn Fn(&mut Vec<DraftPhi>)| {
            let mut mutant = draft.clone();
            change(&mut mutant.blocks[block].phis);
            mutants.push(mutant);
        };
        let len = phi.operands.len();
        match mutation {
            Mutation::SwapOperands => {
                for (one, other) in (0..len).flat_map(|one| (one + 1..len).map(move |other| (one, other))) {
                    if phi.operands[one] != phi.operands[other] {
                        change(&|phis| phis[place].operands.swap(one, other));
                    }
                }
            }
            Mutation::DropPhi => change(&|phis| drop(phis.remove(place))),
            Mutation::Arity => {
                change(&|phis| phis[place].operands.truncate(len - 1));
                change(&|phis| phis[place].operands.push(phi.operands[0]));
            }
            _ => change(&|phis| phis.push(phis[place].clone())),
        }
    }
}

fn mutate_uses(draft: &Draft, block: usize, mutation: Mutation, mutants: &mut Vec<Draft>) {
    for (place, &event) in draft.blocks[block].events.iter().enumerate() {
        let ProgramEvent::Use { variable, value: used } = event else { continue };
        let mut change = |mut mutant: Draft, value| {
            mutant.blocks[block].events[place] = ProgramEvent::Use { variable, value };
            mutants.push(mutant);
        };
        match mutation {
            Mutation::ReplaceUse => {
                for value in draft.values().filter(|&value| value != used) {
                    change(draft.clone(), value);
                }
            }
            Mutation::StaleAlias => change(draft.clone(), Value::new(draft.num_values)),
            _ => {
                if let Some((mutant, value)) = with_redundant_set(draft, block, used) {
                    change(mutant, value);
                }
            }
        }
    }
}

/// Two phis in `block` that merge `value`, defined above, and each other; the first of them is to be used.
fn with_redundant_set(draft: &Draft, block: usize, value: Value) -> Option<(Draft, Value)> {
    let data = &draft.blocks[block];
    let is_made_here = data.phis.iter().any(|phi| phi.value == value)
        || data.events.iter().any(|event| matches!(event, ProgramEvent::Def { value: made, .. } if *made == value));
    // A loop on its own block is where a phi can have itself or its twin as an operand.
    let own_edge = data.incoming.iter().position(|source| source.index() == block);
    if is_made_here || data.incoming.len() < 2 {
        return None;
    }
    let twins = [0, 1].map(|number| Value::new(draft.num_values + number));
    let mut mutant = draft.clone();
    mutant.num_values += 2;
    for (number, &twin) in twins.iter().enumerate() {
        let operand = |edge| if Some(edge) == own_edge { twins[1 - number] } else { value };
        let operands = (0..data.incoming.len()).map(operand).collect();
        mutant.blocks[block].phis.push(DraftPhi { value: twin, operands });
    }
    Some((mutant, twins[0]))
}

/// A phi in `block` whose operands are there on every edge: the globals, and what a phi of the block has.
fn with_dead_phi(draft: &Draft, block: usize) -> Option<Draft> {
    let data = &draft.blocks[block];
    let first = data.phis.first()?;
    let mut mutant = draft.clone();
    let phi = DraftPhi { value: Value::new(draft.num_values), operands: first.operands.clone() };
    mutant.blocks[block].phis.push(phi);
    mutant.num_values += 1;
    Some(mutant)
}
