//! A renamed function as a form that other parts of the library take, and what its variables hold at ends of blocks.

use super::Renamed;
use alloc::vec::Vec;
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

/// The value that a variable has at some point: not known yet, or a value, or none on every path.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Held {
    Unknown,
    Value(Value),
    Nothing,
}

impl Held {
    fn of(value: Option<Value>) -> Self {
        value.map_or(Self::Nothing, Self::Value)
    }

    fn meet(self, other: Self) -> Self {
        match (self, other) {
            (Self::Unknown, other) => other,
            (this, Self::Unknown) => this,
            (this, other) if this == other => this,
            _ => Self::Nothing,
        }
    }
}

/// The search for the values that one variable has at the ends of blocks: forward, from the entry, along each edge.
pub(super) struct AtEnds<'a> {
    form: &'a Renamed,
    /// By block, what the variable has at its top on the paths seen so far; fixed where the block has a phi.
    tops: IdMap<Block, Held>,
    has_phi: IdMap<Block, bool>,
    /// By block, what its last write or copy leaves; `Unknown` without any.
    left: IdMap<Block, Held>,
    ends: IdMap<Block, Held>,
}

impl<'a> AtEnds<'a> {
    pub(super) fn of(form: &'a Renamed, variable: Variable) -> IdMap<Block, Option<Value>> {
        let len = form.cfg.num_blocks();
        let mut tops = IdMap::filled(len, Held::Unknown);
        let mut has_phi = IdMap::filled(len, false);
        for phi in form.phis().filter(|phi| phi.variable == variable) {
            tops[phi.block] = Held::Value(phi.value);
            has_phi[phi.block] = true;
        }
        let mut left = IdMap::filled(len, Held::Unknown);
        for block in form.cfg.blocks() {
            let writes = |access| matches!(access, Access::Write(to) | Access::Copy(to, _) if to == variable);
            let last = form.accesses_in(block).rev().find(|&(access, _)| writes(access));
            left[block] = last.map_or(Held::Unknown, |(_, value)| Held::of(value));
        }
        let ends = IdMap::filled(len, Held::Unknown);
        let mut search = Self { form, tops, has_phi, left, ends };
        search.run(variable);
        let value = |&held: &Held| if let Held::Value(value) = held { Some(value) } else { None };
        search.ends.values().map(value).collect()
    }

    /// Visits each edge at most twice: a block's end changes from unknown to a value to nothing.
    fn run(&mut self, variable: Variable) {
        let entry = self.form.cfg.entry();
        let parameter = self.form.parameters.iter().position(|&parameter| parameter == variable).map(Value::new);
        let undefined = self.form.undefined_values().find(|&(undefined, _)| undefined == variable);
        self.tops[entry] = Held::of(parameter.or(undefined.map(|(_, value)| value)));
        let mut work: Vec<Block> = alloc::vec![entry];
        while let Some(block) = work.pop() {
            let end = if self.left[block] == Held::Unknown { self.tops[block] } else { self.left[block] };
            if self.ends[block] == end {
                continue;
            }
            self.ends[block] = end;
            for &target in self.form.cfg.targets(block) {
                if !self.has_phi[target] {
                    self.tops[target] = self.tops[target].meet(end);
                }
                work.push(target);
            }
        }
    }
}
