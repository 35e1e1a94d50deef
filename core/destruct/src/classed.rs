//! A form with register classes by a closure.

use crate::form::{DestructForm, Tied};
use ssaphire_graph::{Block, Cfg, IncomingEdge, InsertionPoints, SsaForm, Value, ValueEvent, Variable};

/// `form` with the register class of each value by a closure: values of different classes share no location.
///
/// For a form that has no classes of its own, such as the result of `rename`: the class is the type of the value, or of
/// its variable. Call it with a reference to keep the form.
///
/// # Examples
/// ```
/// use ssaphire::destruct::{DestructError, Method, destruct, with_class};
/// use ssaphire::{Access::{Read, Write}, Value, Variable, rename};
///
/// let [count, weight] = [0, 1].map(Variable::new); // An integer, and a floating-point number.
/// let form = rename([([], [Write(count), Write(weight), Read(count), Read(weight)])], &[]).unwrap();
/// let is_float = |value: Value| form.variable(value) == Some(weight);
/// let left = destruct(&with_class(&form, |value| u32::from(is_float(value))), Method::Coloring)?;
/// assert_eq!(left.num_locations(), 2);
/// # Ok::<(), DestructError>(())
/// ```
pub fn with_class<F: DestructForm>(form: F, class: impl Fn(Value) -> u32) -> impl DestructForm {
    Classed { form, class }
}

struct Classed<F, C> {
    form: F,
    class: C,
}

impl<F: Cfg, C> Cfg for Classed<F, C> {
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

impl<F: SsaForm, C> SsaForm for Classed<F, C> {
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

impl<F: InsertionPoints, C> InsertionPoints for Classed<F, C> {
    fn num_results_at_top(&self, block: Block) -> usize {
        self.form.num_results_at_top(block)
    }

    fn num_terminator_uses(&self, block: Block) -> usize {
        self.form.num_terminator_uses(block)
    }
}

impl<F: DestructForm, C: Fn(Value) -> u32> DestructForm for Classed<F, C> {
    fn class(&self, value: Value) -> u32 {
        (self.class)(value)
    }

    fn is_constant(&self, value: Value) -> bool {
        self.form.is_constant(value)
    }

    fn variable(&self, value: Value) -> Option<Variable> {
        self.form.variable(value)
    }

    fn copied(&self, value: Value) -> Option<Value> {
        self.form.copied(value)
    }

    fn can_split(&self, edge: IncomingEdge) -> bool {
        self.form.can_split(edge)
    }

    fn tied(&self, block: Block) -> impl Iterator<Item = Tied> {
        self.form.tied(block)
    }

    fn storage(&self, value: Value) -> Option<Variable> {
        self.form.storage(value)
    }
}
