//! A renamed function as a form that other parts of the library take, and what its variables hold at ends of blocks.

use super::Renamed;
use ssaphire_construct::parts::{AtEnd, values_at_ends};
use ssaphire_destruct::DestructForm;
use ssaphire_graph::{Access, Block, Cfg, IdMap, InsertionPoints, SsaForm, Value, ValueEvent, Variable};

impl Cfg for Renamed {
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
        self.incoming(block).map(|edge| edge.source)
    }
}

impl SsaForm for Renamed {
    fn num_values(&self) -> usize {
        Self::num_values(self)
    }

    fn globals(&self) -> impl Iterator<Item = Value> {
        let parameters = (0..self.parameters.len()).map(Value::new);
        parameters.chain(self.undefined_values().map(|(_, value)| value))
    }

    fn phis(&self, block: Block) -> impl Iterator<Item = Value> {
        self.phis_in(block).map(|phi| phi.value)
    }

    fn operands(&self, _: Block, phi: Value) -> impl Iterator<Item = Value> {
        let number = phi.index() - self.parameters.len() - self.writes.len();
        self.phi(number).operands.iter().copied()
    }

    fn events(&self, block: Block) -> impl Iterator<Item = ValueEvent> {
        self.accesses_in(block).filter_map(|(access, value)| match access {
            Access::Read(_) => value.map(ValueEvent::Use),
            Access::Write(_) => value.map(ValueEvent::Def),
            Access::Copy(..) | Access::Tuple(_) => None,
        })
    }
}

impl InsertionPoints for Renamed {
    fn num_results_at_top(&self, _: Block) -> usize {
        0
    }

    /// All reads after the last write of the block: the lists do not say which of them the terminator makes.
    ///
    /// Copies before these reads are right before the terminator as well, since nothing is defined in between: a
    /// terminator defines no value in its own block (see [`rename`](crate::rename())).
    fn num_terminator_uses(&self, block: Block) -> usize {
        let events = self.accesses_in(block).rev().filter(|(access, _)| !matches!(access, Access::Copy(..)));
        events.take_while(|(access, _)| matches!(access, Access::Read(_))).count()
    }
}

impl DestructForm for Renamed {
    /// Undefined values need no location.
    fn is_constant(&self, value: Value) -> bool {
        value.index() >= self.num_values() - self.undefined.len()
    }

    fn variable(&self, value: Value) -> Option<Variable> {
        Self::variable(self, value)
    }
}

/// By block, what `variable` holds at its end, if it is a value of the form.
pub(super) fn at_ends(form: &Renamed, variable: Variable) -> IdMap<Block, Option<Value>> {
    let mut left = IdMap::filled(form.cfg.num_blocks(), AtEnd::AsAtTop);
    for phi in form.phis().filter(|phi| phi.variable == variable) {
        left[phi.block] = AtEnd::Value(phi.value);
    }
    for block in form.cfg.blocks() {
        let writes = |access| matches!(access, Access::Write(to) | Access::Copy(to, _) if to == variable);
        if let Some((_, value)) = form.accesses_in(block).rev().find(|&(access, _)| writes(access)) {
            left[block] = value.map_or(AtEnd::Nothing, AtEnd::Value);
        }
    }
    let parameter = form.parameters.iter().position(|&parameter| parameter == variable).map(Value::new);
    let mut undefined = form.undefined_values();
    let undefined = || undefined.find(|&(undefined, _)| undefined == variable).map(|(_, value)| value);
    let targets = |block| form.cfg.targets(block).iter().copied();
    values_at_ends(form.cfg.entry(), parameter.or_else(undefined), &left, targets)
}
