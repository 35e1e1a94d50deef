//! The result of a construction, laid out on the graph it was built for.

use crate::case::Case;
use crate::host::{Origin, TestHost};
use ssaphire::graph::{FlatCfg, ValueEvent};
use ssaphire::{Access, Block, Cfg, Definition, Renamed, SsaForm, Value, Variable};
use ssaphire_literature::whole::{Answer, Answers};

/// A phi with its operands in the order of the graph's incoming edges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuiltPhi {
    /// Its value.
    pub value: Value,
    /// Its variable.
    pub variable: Variable,
    /// Its operands, by incoming edge.
    pub operands: Vec<Value>,
}

/// A function in SSA form, by value.
#[derive(Clone, Debug)]
pub struct Built {
    cfg: FlatCfg,
    /// By block, its phis.
    pub phis: Vec<Vec<BuiltPhi>>,
    events: Vec<Vec<ValueEvent>>,
    /// By block and access, the value found or written, resolved.
    pub values: Vec<Vec<Value>>,
    /// Where each value came from.
    pub origins: Vec<Origin>,
    /// What a copy finds counts as used, and is there.
    pub keeps_copies: bool,
}

impl Built {
    /// What `host` was told about `case`.
    ///
    /// # Panics
    /// If an access has no value, or a phi not exactly one operand per edge.
    pub fn new(case: &Case, host: &TestHost) -> Self {
        let value = |block, index| host.resolve(host.found(block, index).expect("every access is answered"));
        let values: Vec<Vec<Value>> = case
            .blocks()
            .map(|block| (0..case.num_accesses(block)).map(|index| value(block, index)).collect())
            .collect();
        let mut phis = vec![Vec::new(); case.cfg.num_blocks()];
        for phi in &host.phis {
            let mut operands = vec![None; case.cfg.incoming(phi.block).len()];
            for operand in host.operands(phi) {
                let edge = case.cfg.edge_at(operand.source, operand.slot).expect("the edge exists");
                assert_eq!(case.cfg.target(edge), phi.block, "{}: an operand for another block's edge", phi.value);
                let place = &mut operands[case.cfg.operand_index(edge)];
                assert_eq!(place.replace(operand.value), None, "{}: two operands for one edge", phi.value);
            }
            let operands = operands.into_iter().map(|operand| operand.expect("an operand per edge")).collect();
            phis[phi.block.index()].push(BuiltPhi { value: phi.value, variable: phi.variable, operands });
        }
        let events =
            case.blocks().map(|block| events(case, block, &values[block.index()], !host.reports_uses)).collect();
        let origins = host.origins.clone();
        Self { cfg: case.cfg.clone(), phis, events, values, origins, keeps_copies: !host.reports_uses }
    }

    /// What accesses find as the answers say, without a host. Values of the case are not merged.
    ///
    /// # Panics
    /// If a read has no answer.
    pub fn of_answers(case: &Case, answers: &Answers) -> Self {
        let mut origins: Vec<Origin> =
            (0..case.num_variables).map(|x| Origin::Undefined(Some(Variable::new(x)))).collect();
        let first_phi = origins.len();
        origins.extend(answers.phis().iter().map(|phi| Origin::Phi(phi.block, phi.variable)));
        let mut first_access = Vec::new();
        for block in case.blocks() {
            first_access.push(origins.len());
            origins.extend((0..case.num_accesses(block)).map(|index| Origin::Write(block, index)));
        }
        // What nothing reaches is what the builder says for it: the variable's undefined value.
        let value = |answer: Answer, variable: Variable| match answer {
            Answer::Write { block, index } => Value::new(first_access[block.index()] + index as usize),
            Answer::Entry(variable) => Value::new(variable.index()),
            Answer::Phi(phi) => Value::new(first_phi + phi as usize),
            Answer::Nothing => Value::new(variable.index()),
        };
        let mut phis = vec![Vec::new(); case.cfg.num_blocks()];
        for (number, phi) in (0..).zip(answers.phis()) {
            let operands = answers.operands(number).iter().map(|&operand| value(operand, phi.variable)).collect();
            let built = BuiltPhi { value: value(Answer::Phi(number), phi.variable), variable: phi.variable, operands };
            phis[phi.block.index()].push(built);
        }
        let found = |block: Block, index: usize, access: &Access| match *access {
            Access::Read(variable) | Access::Copy(_, variable) => {
                value(answers.read(block, index).expect("reads have answers"), variable)
            }
            Access::Write(_) | Access::Tuple(_) => Value::new(first_access[block.index()] + index),
        };
        let of_block = |block: Block| {
            let groups = case.groups(block);
            let accesses = groups.iter().flat_map(|group| (group.first..).zip(group.accesses));
            accesses.map(|(index, access)| found(block, index, access)).collect()
        };
        let values: Vec<Vec<Value>> = case.blocks().map(of_block).collect();
        let events = case.blocks().map(|block| events(case, block, &values[block.index()], true)).collect();
        Self { cfg: case.cfg.clone(), phis, events, values, origins, keeps_copies: true }
    }

    /// The form on the graph of `case`, which has the block in front of the entry if the form has.
    ///
    /// # Panics
    /// If a phi has not exactly one operand per edge.
    pub fn of_renamed(case: &Case, form: &Renamed) -> Self {
        let definition = |value| form.definition(value).expect("it is a value of the form");
        let origin = |value| match definition(value) {
            Definition::Parameter(_) => Origin::Undefined(None),
            Definition::Write { block, index } => Origin::Write(block, index as usize),
            Definition::Phi(number) => {
                let phi = form.phis().nth(number as usize).expect("there is that phi");
                Origin::Phi(phi.block, phi.variable)
            }
            Definition::Undefined(variable) => Origin::Undefined(Some(variable)),
        };
        let origins: Vec<Origin> = (0..form.num_values()).map(Value::new).map(origin).collect();
        let mut phis = vec![Vec::new(); case.cfg.num_blocks()];
        for phi in form.phis() {
            let mut operands = vec![None; case.cfg.incoming(phi.block).len()];
            for (edge, &operand) in phi.edges.iter().zip(phi.operands) {
                let edge = case.cfg.edge_at(edge.source, edge.slot).expect("the edge exists");
                assert_eq!(case.cfg.target(edge), phi.block, "{}: an operand for another block's edge", phi.value);
                assert_eq!(operands[case.cfg.operand_index(edge)].replace(operand), None);
            }
            let operands = operands.into_iter().map(|operand| operand.expect("an operand per edge")).collect();
            phis[phi.block.index()].push(BuiltPhi { value: phi.value, variable: phi.variable, operands });
        }
        // A copy that no read finds has no value: nothing looks at it.
        let value = |block, index| form.value(block, index).unwrap_or(Value::new(0));
        let of_block = |block| (0..case.num_accesses(block)).map(|index| value(block, index)).collect();
        let values: Vec<Vec<Value>> = case.blocks().map(of_block).collect();
        let events = case.blocks().map(|block| events(case, block, &values[block.index()], false)).collect();
        Self { cfg: case.cfg.clone(), phis, events, values, origins, keeps_copies: false }
    }

    /// The blocks and variables of all phis, sorted.
    pub fn placement(&self) -> Vec<(Block, Variable)> {
        let mut placement = Vec::new();
        for (block, phis) in self.phis.iter().enumerate() {
            placement.extend(phis.iter().map(|phi| (Block::new(block), phi.variable)));
        }
        placement.sort_unstable();
        placement
    }

    /// Whether the two values are what the same variable holds where it was not written.
    pub fn same_undefined(&self, value: Value, other: &Self, other_value: Value) -> bool {
        let (first, second) = (self.origins[value.index()], other.origins[other_value.index()]);
        first == second && matches!(first, Origin::Undefined(_))
    }
}

fn events(case: &Case, block: Block, values: &[Value], keeps_copies: bool) -> Vec<ValueEvent> {
    let mut events = Vec::new();
    for group in case.groups(block) {
        let accesses = || group.accesses.iter().zip(&values[group.first..]);
        for (access, &value) in accesses() {
            if matches!(access, Access::Read(_)) || (keeps_copies && matches!(access, Access::Copy(..))) {
                events.push(ValueEvent::Use(value));
            }
        }
        for (index, (access, &value)) in (group.first..).zip(accesses()) {
            if matches!(access, Access::Write(_)) && !case.is_merged(block, index) {
                events.push(ValueEvent::Def(value));
            }
        }
    }
    events
}

impl Cfg for Built {
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

impl SsaForm for Built {
    fn num_values(&self) -> usize {
        self.origins.len()
    }

    fn globals(&self) -> impl Iterator<Item = Value> {
        let values = self.origins.iter().enumerate();
        values.filter(|(_, origin)| matches!(origin, Origin::Undefined(_))).map(|(value, _)| Value::new(value))
    }

    fn phis(&self, block: Block) -> impl Iterator<Item = Value> {
        self.phis[block.index()].iter().map(|phi| phi.value)
    }

    fn operands(&self, block: Block, phi: Value) -> impl Iterator<Item = Value> {
        let phi = self.phis[block.index()].iter().find(|candidate| candidate.value == phi);
        phi.into_iter().flat_map(|phi| phi.operands.iter().copied())
    }

    fn events(&self, block: Block) -> impl Iterator<Item = ValueEvent> {
        self.events[block.index()].iter().copied()
    }
}
