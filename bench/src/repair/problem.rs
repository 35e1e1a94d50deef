//! What there is to repair: variables of a finished function, each with its definitions and uses.

use ssaphire::graph::{IdLists, IdMap, IdSet};
use ssaphire::repair::Position;
use ssaphire::{Block, Cfg, FlatCfg, SsaForm, Value, ValueEvent, Variable};

/// A definition.
#[derive(Clone, Copy, Debug)]
pub struct Defined {
    /// Its block.
    pub block: Block,
    /// Where it is there.
    pub position: Position,
    /// What is defined.
    pub value: Value,
}

/// A use.
#[derive(Clone, Copy, Debug)]
pub struct Used {
    /// Its block.
    pub block: Block,
    /// Where it is there.
    pub position: Position,
}

/// One variable.
#[derive(Clone, Debug, Default)]
pub struct Accesses {
    /// Its definitions, at most one in a block.
    pub definitions: Vec<Defined>,
    /// Its uses, in the order in which they are asked for.
    pub uses: Vec<Used>,
}

/// A phi that stands in the function already.
#[derive(Clone, Debug)]
struct Standing {
    block: Block,
    value: Value,
    operands: Vec<Value>,
}

/// A function of which some variables are to be repaired.
#[derive(Clone, Debug)]
pub struct Problem {
    cfg: FlatCfg,
    /// The variables.
    pub variables: Vec<Accesses>,
    num_values: usize,
    standing: Vec<Standing>,
    /// By block: numbers of the phis that stand there.
    standing_in: IdLists<Block, usize>,
    /// By value: the number of the phi that it is.
    standing_of: IdMap<Value, Option<usize>>,
    /// By block: variables with what they do there, in order.
    by_block: IdLists<Block, (Variable, Access)>,
}

/// What a variable does at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Use,
    Definition,
}

/// A problem in the making. Blocks go by number, the entry first.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    targets: Vec<Vec<Block>>,
    pub(super) variables: Vec<Accesses>,
    num_values: usize,
    standing: Vec<Standing>,
}

impl Draft {
    pub(super) fn block(&mut self) -> Block {
        self.targets.push(Vec::new());
        Block::new(self.targets.len() - 1)
    }

    pub(super) fn edge(&mut self, source: Block, target: Block) {
        self.targets[source.index()].push(target);
    }

    /// The variable of that number, which may be new.
    fn variable(&mut self, number: usize) -> &mut Accesses {
        let len = self.variables.len().max(number + 1);
        self.variables.resize_with(len, Accesses::default);
        &mut self.variables[number]
    }

    /// A new value, defined behind the phis and before the other instructions.
    pub(super) fn define(&mut self, variable: usize, block: Block) -> Value {
        self.define_at(variable, block, Position::At(0))
    }

    pub(super) fn define_at(&mut self, variable: usize, block: Block, position: Position) -> Value {
        let value = self.value();
        self.variable(variable).definitions.push(Defined { block, position, value });
        value
    }

    /// A use by the second instruction.
    pub(super) fn use_in(&mut self, variable: usize, block: Block) {
        self.use_at(variable, block, Position::At(1));
    }

    pub(super) fn use_at(&mut self, variable: usize, block: Block, position: Position) {
        self.variable(variable).uses.push(Used { block, position });
    }

    /// A phi, with operands by incoming edge.
    pub(super) fn stand(&mut self, block: Block, operands: Vec<Value>) -> Value {
        let value = self.value();
        self.standing.push(Standing { block, value, operands });
        value
    }

    pub(super) fn value(&mut self) -> Value {
        self.num_values += 1;
        Value::new(self.num_values - 1)
    }

    /// # Panics
    /// If there is no block.
    pub(super) fn finish(self) -> Problem {
        let Self { targets, variables, num_values, standing } = self;
        let cfg = FlatCfg::from_successors(Block::new(0), &targets).unwrap_or_else(|error| panic!("{error}"));
        let mut standing_in = IdLists::new();
        standing_in.rebuild(cfg.num_blocks(), standing.iter().enumerate().map(|(number, phi)| (phi.block, number)));
        let mut standing_of = IdMap::filled(num_values, None);
        standing.iter().enumerate().for_each(|(number, phi)| standing_of[phi.value] = Some(number));
        let by_block = by_block(&cfg, &variables);
        Problem { cfg, variables, num_values, standing, standing_in, standing_of, by_block }
    }
}

fn by_block(cfg: &FlatCfg, variables: &[Accesses]) -> IdLists<Block, (Variable, Access)> {
    let mut places = Vec::new();
    for (number, Accesses { definitions, uses }) in variables.iter().enumerate() {
        let variable = Variable::new(number);
        let used = uses.iter().map(|used| (used.block, used.position, (variable, Access::Use)));
        places.extend(used);
        let defined = definitions.iter().map(|at| (at.block, at.position, (variable, Access::Definition)));
        places.extend(defined);
    }
    // At one position, an instruction uses before it defines; phis are defined at the entry, before they are used.
    let is_later = |position, access| (access == Access::Definition) == matches!(position, Position::At(_));
    places.sort_by_key(|&(block, position, (_, access))| (block, position, is_later(position, access)));
    let mut by_block = IdLists::new();
    by_block.rebuild(cfg.num_blocks(), places.into_iter().map(|(block, _, access)| (block, access)));
    by_block
}

impl Problem {
    /// The graph, flat.
    pub fn graph(&self) -> &FlatCfg {
        &self.cfg
    }

    /// The phis that stand in `block`: their values and operands.
    pub fn standing(&self, block: Block) -> impl Iterator<Item = (Value, &[Value])> {
        let phis = self.standing_in.of(block).iter().map(|&number| &self.standing[number]);
        phis.map(|phi| (phi.value, phi.operands.as_slice()))
    }

    /// The block and the operands of the phi that `value` is, if one stands there.
    pub fn standing_phi(&self, value: Value) -> Option<(Block, &[Value])> {
        let phi = &self.standing[self.standing_of.get(value).copied().flatten()?];
        Some((phi.block, &phi.operands))
    }

    /// What the variables do in `block`, in order.
    pub(super) fn accesses(&self, block: Block) -> &[(Variable, Access)] {
        self.by_block.of(block)
    }

    /// How many tops of blocks there are at which a variable is live, and uses, of all variables together.
    pub fn num_live(&self) -> usize {
        let (mut num_live, mut work) = (0, Vec::new());
        for Accesses { definitions, uses } in &self.variables {
            let defining: IdSet<Block> = definitions.iter().map(|definition| definition.block).collect();
            let mut live = IdSet::new();
            // A block that defines is seen from below by its definition, which comes first in it.
            work.extend(uses.iter().map(|used| used.block).filter(|&block| !defining.contains(block)));
            while let Some(block) = work.pop() {
                if live.insert(block) {
                    num_live += 1;
                    let sources = self.cfg.incoming(block).iter().map(|&edge| self.cfg.source(edge));
                    work.extend(sources.filter(|&source| !defining.contains(source)));
                }
            }
            num_live += uses.len();
        }
        num_live
    }
}

impl Cfg for Problem {
    fn num_blocks(&self) -> usize {
        self.cfg.num_blocks()
    }

    fn entry(&self) -> Block {
        self.cfg.entry()
    }

    fn successors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.cfg.targets(block).iter().copied()
    }

    fn predecessors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.cfg.incoming(block).iter().map(|&edge| self.cfg.source(edge))
    }
}

/// The phis that stand there, and nothing else.
impl SsaForm for Problem {
    fn num_values(&self) -> usize {
        self.num_values
    }

    fn globals(&self) -> impl Iterator<Item = Value> {
        std::iter::empty()
    }

    fn phis(&self, block: Block) -> impl Iterator<Item = Value> {
        self.standing(block).map(|(value, _)| value)
    }

    fn operands(&self, _block: Block, phi: Value) -> impl Iterator<Item = Value> {
        self.standing_phi(phi).map_or(&[][..], |(_, operands)| operands).iter().copied()
    }

    fn events(&self, _block: Block) -> impl Iterator<Item = ValueEvent> {
        std::iter::empty()
    }
}
