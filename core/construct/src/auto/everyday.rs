//! The calls that every front end makes, as methods of the builder itself.

use super::Builder;
use crate::calls::{SsaBuilder, or_panic};
use crate::error::CallError;
use crate::host::PhiHost;
use crate::observe::Observer;
use crate::result::Ssa;
use ssaphire_graph::{Block, Value, Variable};

impl<O: Observer> Builder<O> {
    /// The next variable that this call has not returned for the function, from 0 on.
    ///
    /// For front ends without a numbering of their own. One that numbers its variables itself must not mix the two.
    ///
    /// # Panics
    /// If there are as many variables as the [limit](crate::Options::ids) allows.
    ///
    /// # Examples
    /// ```
    /// # use ssaphire::{Block, Builder, ValueCounter};
    /// let (mut host, mut ssa) = (ValueCounter::default(), Builder::new());
    /// let (entry, x) = (Block::new(0), ssa.declare_variable());
    /// let value = host.fresh();
    /// ssa.write_variable(entry, x, value);
    /// assert_eq!(ssa.read_variable(&mut host, entry, x), value);
    /// ```
    #[track_caller]
    pub fn declare_variable(&mut self) -> Variable {
        let result = self.try_declare_variable();
        or_panic(self, result)
    }

    /// Declares that `variable` holds `value` when control enters: a parameter, or the language's default constant.
    ///
    /// Costs less than a write in the entry, and nothing for a variable that is
    /// never read. Without it, the variable is undefined where no write reaches.
    ///
    /// # Panics
    /// Where [`try_set_initial`](SsaBuilder::try_set_initial) returns an error.
    ///
    /// # Examples
    /// ```
    /// # use ssaphire::{Block, Builder, Value, ValueCounter, Variable};
    /// let (mut host, mut ssa) = (ValueCounter::default(), Builder::new());
    /// let (n, parameter) = (Variable::new(0), host.fresh());
    /// ssa.set_initial(n, parameter);
    /// assert_eq!(ssa.read_variable(&mut host, Block::new(0), n), parameter);
    /// ```
    #[track_caller]
    pub fn set_initial(&mut self, variable: Variable, value: Value) {
        let result = self.try_set_initial(variable, value);
        or_panic(self, result);
    }

    /// Declares that `value` is defined before control enters: a constant or a parameter.
    ///
    /// So [`PhiHost::undefined`] may return it even if it was written before. An initial value
    /// ([`set_initial`](Self::set_initial)) is global without this call.
    ///
    /// # Panics
    /// Where [`try_global`](SsaBuilder::try_global) returns an error.
    ///
    /// # Examples
    /// See [`SsaBuilderExt::global`](crate::SsaBuilderExt::global).
    #[track_caller]
    pub fn global(&mut self, value: Value) {
        let result = self.try_global(value);
        or_panic(self, result);
    }

    /// Writes `value` to `variable` at this point of `block`: its definition up to the next write (Braun et al. 2013,
    /// Algorithm 1).
    ///
    /// If a read returned `value`, the write is a copy; otherwise an instruction of `block` is taken to define `value`.
    ///
    /// # Panics
    /// Where [`SsaBuilder::try_write_variable`](Self::try_write_variable) returns an error.
    ///
    /// # Complexity
    /// O(1) expected.
    ///
    /// # Examples
    /// ```
    /// # use ssaphire::{Block, Builder, ValueCounter, Variable};
    /// let (mut host, mut ssa) = (ValueCounter::default(), Builder::new());
    /// let (entry, x, sum) = (Block::new(0), Variable::new(0), host.fresh());
    /// ssa.write_variable(entry, x, sum); // x = a + b
    /// assert_eq!(ssa.read_variable(&mut host, entry, x), sum);
    /// ```
    #[track_caller]
    #[inline]
    pub fn write_variable(&mut self, block: Block, variable: Variable, value: Value) {
        let result = self.write(block, variable, value);
        or_panic(self, result);
    }

    /// The reaching definition of `variable` at this point of `block` (Braun et al. 2013, Algorithms 1 and 2).
    ///
    /// If several definitions reach the block, the builder asks the host for a phi. The value returned is valid until
    /// the result is written, and may have been forwarded to another by then ([`Ssa::resolve`]).
    ///
    /// # Panics
    /// Where [`try_read_variable`](SsaBuilder::try_read_variable) returns an error.
    ///
    /// # Complexity
    /// O(1) expected if the block has the definition; otherwise one step per block passed. In sealed code, lookups
    /// of a variable pass each block once, up to a factor of 16.
    ///
    /// # Examples
    /// ```
    /// # use ssaphire::{Block, Builder, ValueCounter, Variable};
    /// let (mut host, mut ssa) = (ValueCounter::default(), Builder::new());
    /// let ([top, next], x, value) = ([0, 1].map(Block::new), Variable::new(0), host.fresh());
    /// ssa.write_variable(top, x, value);
    /// ssa.terminate(top, &[next]);
    /// ssa.seal_block(&mut host, next);
    /// assert_eq!(ssa.read_variable(&mut host, next, x), value);
    /// ```
    #[track_caller]
    #[inline]
    pub fn read_variable(&mut self, host: &mut dyn PhiHost, block: Block, variable: Variable) -> Value {
        let result = self.read(host, block, variable, None);
        or_panic(self, result)
    }

    /// The value of `variable` at the end of `block`, which is filled: the definition that its outgoing edges carry.
    ///
    /// For code that asks later, such as the arguments of a branch that is built after its block.
    ///
    /// # Panics
    /// Where [`try_read_at_end`](SsaBuilder::try_read_at_end) returns an error.
    ///
    /// # Complexity
    /// That of [`read_variable`](Self::read_variable).
    ///
    /// # Examples
    /// ```
    /// # use ssaphire::{Block, Builder, ValueCounter};
    /// let (mut host, mut ssa) = (ValueCounter::default(), Builder::new());
    /// let (entry, x, value) = (Block::new(0), ssa.declare_variable(), host.fresh());
    /// ssa.write_variable(entry, x, value);
    /// ssa.terminate(entry, &[]);
    /// assert_eq!(ssa.read_at_end(&mut host, entry, x), value);
    /// ```
    #[track_caller]
    pub fn read_at_end(&mut self, host: &mut dyn PhiHost, block: Block, variable: Variable) -> Value {
        let result = self.try_read_at_end(host, block, variable, None);
        or_panic(self, result)
    }

    /// Fills `block` and adds its outgoing edges: the edge by slot *i* enters `targets[i]`.
    ///
    /// A return has no targets; a switch names a target once for each of its slots.
    ///
    /// # Panics
    /// Where [`try_terminate`](SsaBuilder::try_terminate) returns an error.
    ///
    /// # Complexity
    /// O(targets).
    ///
    /// # Examples
    /// ```
    /// # use ssaphire::{Block, Builder, SsaBuilder};
    /// let mut ssa = Builder::new();
    /// let [top, zero, other] = [0, 1, 2].map(Block::new);
    /// ssa.terminate(top, &[zero, other, other]); // switch n { 0 => .., 1 | 2 => .. }
    /// assert_eq!(ssa.target(top, 2), Some(other));
    /// ```
    #[track_caller]
    #[inline]
    pub fn terminate(&mut self, block: Block, targets: &[Block]) {
        let result = self.terminate_block(block, targets);
        or_panic(self, result);
    }

    /// Seals `block`: no edge into it will be added. Its incomplete phis get their operands (Braun et al. 2013,
    /// Algorithm 4).
    ///
    /// Seal a block as early as possible: a lookup that reaches an unsealed block
    /// leaves an incomplete phi there. The entry may be sealed, but need not be.
    ///
    /// # Panics
    /// Where [`try_seal_block`](SsaBuilder::try_seal_block) returns an error.
    ///
    /// # Complexity
    /// One lookup per incomplete phi and incoming edge.
    ///
    /// # Examples
    /// ```
    /// # use ssaphire::{Block, Builder, SsaBuilder, ValueCounter};
    /// let (mut host, mut ssa) = (ValueCounter::default(), Builder::new());
    /// let [top, header] = [0, 1].map(Block::new);
    /// ssa.terminate(top, &[header]);
    /// ssa.terminate(header, &[header]);
    /// ssa.seal_block(&mut host, header); // After the back edge.
    /// assert!(ssa.is_sealed(header));
    /// ```
    #[track_caller]
    #[inline]
    pub fn seal_block(&mut self, host: &mut dyn PhiHost, block: Block) {
        let result = self.seal_one(host, block);
        or_panic(self, result);
    }

    /// Seals `blocks`, in that order: no edge into any of them will be added.
    ///
    /// For the entries of an irreducible loop, and other blocks that become
    /// ready at once: an engine may then decide their incomplete phis together
    /// (`region` does), and remove some that it could not remove one by one.
    /// A block named twice is sealed once.
    ///
    /// # Panics
    /// Where [`try_seal_blocks`](SsaBuilder::try_seal_blocks) returns an error.
    ///
    /// # Examples
    /// ```
    /// # use ssaphire::{Block, Builder, ValueCounter};
    /// let (mut host, mut ssa) = (ValueCounter::default(), Builder::new());
    /// let [top, left, right] = [0, 1, 2].map(Block::new);
    /// ssa.terminate(top, &[left, right]); // Into a loop by either of two labels.
    /// ssa.terminate(left, &[right]);
    /// ssa.terminate(right, &[left]);
    /// ssa.seal_blocks(&mut host, &[left, right]);
    /// ```
    #[track_caller]
    pub fn seal_blocks(&mut self, host: &mut dyn PhiHost, blocks: &[Block]) {
        let result = self.try_seal_blocks(host, blocks);
        or_panic(self, result);
    }

    /// Seals every mentioned block that is not sealed, in id order.
    ///
    /// For the end of a function with arbitrary jumps; costs an incomplete phi for
    /// each unsealed block and each variable that a lookup carried to it.
    ///
    /// # Panics
    /// Where [`try_seal_all_blocks`](SsaBuilder::try_seal_all_blocks) returns an error.
    ///
    /// # Examples
    /// ```
    /// # use ssaphire::{Block, Builder, ValueCounter};
    /// let (mut host, mut ssa) = (ValueCounter::default(), Builder::new());
    /// let [top, label] = [0, 1].map(Block::new);
    /// ssa.terminate(top, &[label]);
    /// ssa.terminate(label, &[label]); // goto label
    /// ssa.seal_all_blocks(&mut host);
    /// assert!(ssa.finish(&mut host).is_ok());
    /// ```
    #[track_caller]
    pub fn seal_all_blocks(&mut self, host: &mut dyn PhiHost) {
        let result = self.try_seal_all_blocks(host);
        or_panic(self, result);
    }

    /// Ends the function, and returns the phis to keep and the values that are forwarded to others: see
    /// [`SsaBuilder::finish`].
    ///
    /// # Errors
    /// If a block is not sealed or not filled, or the work budget is used up.
    pub fn finish(&mut self, host: &mut dyn PhiHost) -> Result<Ssa<'_>, CallError> {
        SsaBuilder::finish(self, host)
    }

    /// Forgets the function, and makes the builder ready for the next; keeps memory, options and observer.
    pub fn clear(&mut self) {
        SsaBuilder::clear(self);
    }
}
