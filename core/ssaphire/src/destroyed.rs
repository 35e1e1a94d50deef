//! The judge's view of a `Destruction`.

use alloc::vec::Vec;
use ssaphire_check::{Located, LocationViolation, Moved, Overwriting, locations};
use ssaphire_destruct::{DestructForm, Destruction, Location, Moves, Source};
use ssaphire_graph::{Block, Cfg, Id, InsertionPoint, InsertionPoints, SsaForm, Value, ValueEvent, Variable};

/// Checks a [`Destruction`] of `form`; returns every violation.
///
/// The list is empty if every use finds its value in its location on every path.
/// The check is [`check::locations`](ssaphire_check::locations), which shares no code with `destruct`. It sees the
/// copies as the moves that [`Destruction::moves`] returns.
///
/// # Complexity
/// That of [`check::locations`](ssaphire_check::locations).
pub fn check_destruction(form: &impl DestructForm, destruction: &Destruction) -> Vec<LocationViolation> {
    locations(&Destroyed { form, destruction, moves: destruction.moves() })
}

/// A function in SSA form, and its destruction.
struct Destroyed<'f, F> {
    form: &'f F,
    destruction: &'f Destruction,
    moves: Moves,
}

impl<F: Cfg> Cfg for Destroyed<'_, F> {
    fn num_blocks(&self) -> usize {
        self.form.num_blocks()
    }

    fn entry(&self) -> Block {
        self.form.entry()
    }

    fn successors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.form.successors(block)
    }

    fn predecessors(&self, block: Block) -> impl Iterator<Item = Block> {
        self.form.predecessors(block)
    }
}

impl<F: SsaForm> SsaForm for Destroyed<'_, F> {
    fn num_values(&self) -> usize {
        self.form.num_values()
    }

    fn globals(&self) -> impl Iterator<Item = Value> {
        self.form.globals()
    }

    fn phis(&self, block: Block) -> impl Iterator<Item = Value> {
        self.form.phis(block)
    }

    fn operands(&self, block: Block, phi: Value) -> impl Iterator<Item = Value> {
        self.form.operands(block, phi)
    }

    fn events(&self, block: Block) -> impl Iterator<Item = ValueEvent> {
        self.form.events(block)
    }
}

impl<F: InsertionPoints> InsertionPoints for Destroyed<'_, F> {
    fn num_results_at_top(&self, block: Block) -> usize {
        self.form.num_results_at_top(block)
    }

    fn num_terminator_uses(&self, block: Block) -> usize {
        self.form.num_terminator_uses(block)
    }
}

impl<F: DestructForm> Located for Destroyed<'_, F> {
    fn location(&self, value: Value) -> Option<u32> {
        self.destruction.location(value).map(number)
    }

    fn moves(&self, point: InsertionPoint) -> impl Iterator<Item = (u32, Moved)> {
        self.moves.at(point).iter().map(|&(to, from)| match from {
            Source::Location(from) => (number(to), Moved::Location(number(from))),
            Source::Constant(value) => (number(to), Moved::Value(value)),
        })
    }

    fn copied(&self, value: Value) -> Option<Value> {
        self.form.copied(value)
    }

    fn overwriting(&self, block: Block) -> impl Iterator<Item = Overwriting> {
        self.form.tied(block).map(|tied| Overwriting {
            first_event: tied.first_event,
            operand: tied.operand,
            result: tied.result,
        })
    }

    fn storage(&self, value: Value) -> Option<Variable> {
        self.form.storage(value)
    }
}

fn number(location: Location) -> u32 {
    location.index() as u32
}
