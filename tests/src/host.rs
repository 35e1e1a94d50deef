//! A host that keeps all it is told.

use crate::Writes;
use crate::case::Case;
use ssaphire::{
    Access, Block, FormHost, Forwarding, KeptPhis, Operand, PhiHost, Placed, Shown, Ssa, Uses, Value, Variable,
};

/// Where a value came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A write, by its place.
    Write(Block, usize),
    /// A phi that was asked for.
    Phi(Block, Variable),
    /// What variables hold where no write reaches; that of one variable, if each has its own.
    Undefined(Option<Variable>),
}

/// A phi of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostPhi {
    /// Its value.
    pub value: Value,
    /// Its block.
    pub block: Block,
    /// Its variable.
    pub variable: Variable,
    start: usize,
    end: usize,
}

/// A host that numbers its values as they come, and keeps its memory when cleared.
#[derive(Clone, Debug, Default)]
pub struct TestHost {
    /// All undefined variables hold the same value.
    pub shares_undefined: bool,
    /// The host says which values its instructions use: those that reads find. What a copy finds is not used by itself.
    pub reports_uses: bool,
    /// The spellings of the result are compared, and what became of each phi.
    pub checks_views: bool,
    /// By value, where it came from.
    pub origins: Vec<Origin>,
    undefined: Option<Value>,
    /// Where the accesses of each block begin in `found`.
    start: Vec<usize>,
    found: Vec<Option<Value>>,
    /// Which accesses are reads.
    is_read: Vec<bool>,
    /// By access that writes the same as another, that.
    same_as: Vec<Option<(Block, usize)>>,
    /// By access that others write the same as, its value, from the first of them on.
    shared: Vec<Option<Value>>,
    /// By block, the sources of its incoming edges, if views are to be checked.
    sources: Vec<Vec<Block>>,
    /// The phis handed over.
    pub phis: Vec<HostPhi>,
    operands: Vec<Operand>,
    stands_for: Vec<Value>,
    /// How often the result was handed over.
    pub num_finished: usize,
}

impl TestHost {
    /// Forgets everything, for the function `case`.
    pub fn begin(&mut self, case: &Case) {
        self.clear();
        for block in case.blocks() {
            self.start.push(self.found.len());
            if self.checks_views {
                self.sources.push(case.cfg.incoming(block).iter().map(|&edge| case.cfg.source(edge)).collect());
            }
            let accesses = case.accesses[block.index()].iter();
            self.is_read.extend(accesses.filter_map(|access| match access {
                Access::Tuple(_) => None,
                access => Some(matches!(access, Access::Read(_))),
            }));
            self.found.resize(self.is_read.len(), None);
        }
    }

    /// From here on, writes of `case` that give the same write one value.
    pub fn know_same(&mut self, case: &Case) {
        self.same_as.resize(self.found.len(), None);
        self.shared.resize(self.found.len(), None);
        for merge in &case.merges {
            let old = self.place(merge.old.0, merge.old.1);
            self.same_as[old] = Some(merge.new);
        }
    }

    fn place(&self, block: Block, index: usize) -> usize {
        self.start[block.index()] + index
    }

    /// Forgets everything; keeps memory.
    pub fn clear(&mut self) {
        self.origins.clear();
        self.undefined = None;
        self.start.clear();
        self.found.clear();
        self.is_read.clear();
        self.same_as.clear();
        self.shared.clear();
        self.sources.clear();
        self.phis.clear();
        self.operands.clear();
        self.stands_for.clear();
        self.num_finished = 0;
    }

    /// Variables that are undefined hold `value`, which others may hold as well.
    pub fn share_undefined(&mut self, value: Value) {
        (self.shares_undefined, self.undefined) = (true, Some(value));
    }

    /// A new value.
    pub fn value(&mut self, origin: Origin) -> Value {
        self.origins.push(origin);
        Value::new(self.origins.len() - 1)
    }

    /// The value written or found by an access, as it was at the time.
    pub fn found(&self, block: Block, index: usize) -> Option<Value> {
        self.found[self.place(block, index)]
    }

    /// What `value` stands for in the result.
    pub fn resolve(&self, value: Value) -> Value {
        self.stands_for.get(value.index()).copied().unwrap_or(value)
    }

    /// Every phi asked for stays, stands for another value, or is named as unused.
    fn check_phis(&self, phis: &KeptPhis<'_>, stands_for: &Forwarding<'_>) {
        let made = self.origins.iter().enumerate().filter(|(_, origin)| matches!(origin, Origin::Phi(..)));
        for value in made.map(|(value, _)| Value::new(value)) {
            let fates = [
                phis.iter().any(|phi| phi.value == value),
                stands_for.resolve(value) != value,
                phis.unused().contains(&value),
            ];
            assert_eq!(fates.iter().filter(|&&fate| fate).count(), 1, "{value}: kept, forwarded, unused: {fates:?}");
        }
    }

    /// The operands of a phi, by edge.
    pub fn operands(&self, phi: &HostPhi) -> &[Operand] {
        &self.operands[phi.start..phi.end]
    }
}

impl PhiHost for TestHost {
    fn new_phi(&mut self, block: Block, variable: Variable) -> Value {
        self.value(Origin::Phi(block, variable))
    }

    fn undefined(&mut self, variable: Variable) -> Value {
        if !self.shares_undefined {
            return self.value(Origin::Undefined(Some(variable)));
        }
        if let Some(value) = self.undefined {
            return value;
        }
        let value = self.value(Origin::Undefined(None));
        self.undefined = Some(value);
        value
    }

    /// What each read has found, by its place among the accesses.
    fn visit_code(&self, visit: &mut dyn FnMut(Placed<'_>)) -> Shown {
        for (place, value) in (0..).zip(&self.found).filter_map(|(place, found)| Some((place, (*found)?))) {
            if self.is_read[place as usize] {
                // Once the result is there, what was found is shown as what it stands for.
                visit(Placed::Use { place, value: self.resolve(value) });
            }
        }
        for phi in &self.phis {
            let operands: Vec<Value> = self.operands(phi).iter().map(|operand| operand.value).collect();
            visit(Placed::Phi { block: phi.block, value: phi.value, operands: &operands });
        }
        Shown::Everything
    }

    fn visit_uses(&self, visit: &mut dyn FnMut(Value)) -> Uses {
        if !self.reports_uses {
            return Uses::EveryRead;
        }
        let reads = self.found.iter().zip(&self.is_read).filter(|&(_, &is_read)| is_read);
        // What was found is kept as it was at the time, and resolved whenever it is looked at.
        reads.filter_map(|(found, _)| *found).for_each(|found| visit(self.resolve(found)));
        Uses::Visited
    }
}

impl Writes for TestHost {
    fn write_result(&mut self, result: &Ssa<'_>) {
        let Ssa { phis, stands_for, .. } = result;
        self.num_finished += 1;
        if self.checks_views {
            check_views(phis);
            for (block, sources) in self.sources.iter_mut().enumerate() {
                // Edges come as they were added.
                let mut found: Vec<Block> = phis.incoming(Block::new(block)).iter().map(|edge| edge.source).collect();
                found.sort_unstable();
                sources.sort_unstable();
                assert_eq!(found, *sources, "sources of block {block}");
            }
            self.check_phis(phis, stands_for);
        }
        for phi in phis.iter() {
            let start = self.operands.len();
            self.operands.extend(phi.edge_operands());
            let (value, block, variable) = (phi.value, phi.block, phi.variable);
            self.phis.push(HostPhi { value, block, variable, start, end: self.operands.len() });
        }
        self.stands_for.extend((0..self.origins.len()).map(|value| stands_for.resolve(Value::new(value))));
    }
}

/// The spellings of the phis say the same: block parameters and phi/upsilon have what the lists have.
fn check_views(phis: &KeptPhis<'_>) {
    let arguments = phis.edge_arguments();
    let mut num_operands = 0;
    for phi in phis.iter() {
        assert!(phis.in_block(phi.block).any(|other| other == phi), "{}: not in its block's list", phi.value);
        assert_eq!(phi.edges, phis.incoming(phi.block));
        for operand in phi.edge_operands() {
            let passed = arguments.of_edge(operand.source, operand.slot);
            assert!(passed.contains(&(phi.value, operand.value)), "{}: no argument for {operand:?}", phi.value);
            num_operands += 1;
        }
    }
    assert_eq!(arguments.upsilons().count(), num_operands);
    let sorted = arguments.iter().map(|(edge, ..)| edge).is_sorted();
    assert!(sorted, "edges come by source and slot");
    // Values are numbered as they are made.
    assert!(phis.iter().map(|phi| (phi.block, phi.value)).is_sorted(), "phis come by block and creation");
}

impl FormHost for TestHost {
    fn written(&mut self, block: Block, index: usize, variable: Variable) -> Value {
        let (mut at, mut place) = ((block, index), self.place(block, index));
        while let Some(&Some(same)) = self.same_as.get(place) {
            (at, place) = (same, self.place(same.0, same.1));
        }
        let known = self.shared.get(place).copied().flatten();
        let value = known.unwrap_or_else(|| self.value(Origin::Write(at.0, at.1)));
        if let Some(shared) = self.shared.get_mut(place) {
            *shared = Some(value);
        }
        self.read(block, index, variable, value);
        value
    }

    fn read(&mut self, block: Block, index: usize, _variable: Variable, value: Value) {
        let place = self.place(block, index);
        self.found[place] = Some(value);
    }
}
