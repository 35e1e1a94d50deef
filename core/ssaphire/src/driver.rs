//! A builder and its host in one, called with the host's own keys.

mod result;

pub use result::{KeyedEdge, KeyedOperand, KeyedPhi, KeyedSsa};

use crate::names::replace_ids;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use ssaphire_construct::{Builder, CallError, PhiHost, SsaBuilder, SsaBuilderExt, Uses};
use ssaphire_graph::{Block, Numbering, Value, Variable};

/// A host whose blocks, variables and values are keys of its own: slotmap keys, pointers, names.
///
/// The counterpart of [`PhiHost`] for a [`Driver`].
pub trait KeyedHost {
    /// Identifies a block.
    type Block: Clone + Ord + fmt::Debug;
    /// Identifies a variable.
    type Variable: Clone + Ord + fmt::Debug;
    /// Identifies a value.
    type Value: Clone + Ord + fmt::Debug;

    /// Allocates the value that a phi of `variable` at the top of `block` defines, as [`PhiHost::new_phi`] does.
    ///
    /// `block` is never the [block in front](Driver::begin_with_front): it has no incoming edges.
    fn new_phi(&mut self, block: Self::Block, variable: Self::Variable) -> Self::Value;

    /// The value that `variable` holds where no write reaches, as in [`PhiHost::undefined`].
    fn undefined(&mut self, variable: Self::Variable) -> Self::Value;

    /// Visits the values that the host's instructions use, as [`PhiHost::visit_uses`] does.
    fn visit_uses(&self, visit: &mut dyn FnMut(Self::Value)) -> Uses {
        let _ = visit;
        Uses::EveryRead
    }
}

/// A builder and its host in one, called with the host's own keys.
///
/// A plain [`Builder`] takes dense ids, and the host as an argument of its calls: the right choice for an IR whose ids
/// are dense. For any other keys, a driver keeps a [`Numbering`] of each kind, converts them in both directions, and
/// owns the host, so that no call borrows it separately. The calls have the names of [`SsaBuilder`]'s and return
/// errors; [`describe`](Self::describe) shows an error with keys in place of ids. `builder` and `host` are public: use
/// them for calls that a driver does not offer.
///
/// # Complexity
/// That of the builder's call, plus O(log *n*) for each key among *n* of its kind.
///
/// # Examples
/// ```
/// use ssaphire::{Driver, KeyedHost};
/// use std::collections::BTreeMap;
///
/// /// Blocks and variables are names, and values, too.
/// #[derive(Default)]
/// struct MyIr { num_phis: usize, phis: BTreeMap<&'static str, Vec<(String, Vec<String>)>>, values: Vec<String> }
///
/// impl MyIr {
///     /// The key of a value: its index in `values`.
///     fn value(&mut self, name: String) -> usize { self.values.push(name); self.values.len() - 1 }
/// }
///
/// impl KeyedHost for MyIr {
///     type Block = &'static str;
///     type Variable = char;
///     type Value = usize;
///
///     fn new_phi(&mut self, block: &'static str, variable: char) -> usize { self.value(format!("{variable}.{block}")) }
///     fn undefined(&mut self, variable: char) -> usize { self.value(format!("{variable}.undefined")) }
/// }
///
/// // i = 0; header: if (i) { i = i + 1; goto header }
/// let mut ssa: Driver<MyIr> = Driver::default();
/// ssa.begin("entry");
/// let zero = ssa.host.value("zero".into());
/// ssa.write_variable("entry", 'i', zero)?;
/// ssa.terminate("entry", &["header"])?;
/// let read = ssa.read_variable("header", 'i')?;
/// assert_eq!(ssa.host.values[read], "i.header");
/// ssa.terminate("header", &["body", "exit"])?;
/// let next = ssa.host.value("next".into());
/// ssa.write_variable("body", 'i', next)?;
/// ssa.terminate("body", &["header"])?;
/// ssa.terminate("exit", &[])?;
/// ssa.seal_all_blocks()?;
///
/// let (result, ir) = ssa.finish()?;
/// for phi in result.phis() {
///     let operands = phi.operands().map(|operand| ir.values[operand.value].clone()).collect();
///     ir.phis.entry(phi.block).or_default().push((ir.values[phi.value].clone(), operands));
/// }
/// assert_eq!(ir.phis["header"], [("i.header".to_owned(), vec!["zero".to_owned(), "next".to_owned()])]);
///
/// let error = ssa.write_variable("exit", 'i', zero).unwrap_err();
/// assert_eq!(ssa.describe(&error), "the function is finished: clear the builder before the next one");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Driver<H: KeyedHost, B = Builder> {
    /// The host.
    pub host: H,
    /// The builder.
    pub builder: B,
    numbers: Numbers<H>,
    /// The targets of the current call, kept for their memory.
    targets: Vec<Block>,
}

/// The ids of keys. The block in front has no key.
struct Numbers<H: KeyedHost> {
    blocks: Numbering<Option<H::Block>, Block>,
    variables: Numbering<H::Variable, Variable>,
    values: Numbering<H::Value, Value>,
}

impl<H: KeyedHost> Numbers<H> {
    fn new() -> Self {
        Self { blocks: Numbering::new(), variables: Numbering::new(), values: Numbering::new() }
    }
}

/// The host as a builder sees it.
struct Numbered<'a, H: KeyedHost> {
    host: &'a mut H,
    numbers: &'a mut Numbers<H>,
}

impl<H: KeyedHost> PhiHost for Numbered<'_, H> {
    fn new_phi(&mut self, block: Block, variable: Variable) -> Value {
        let Numbers { blocks, variables, values } = &mut *self.numbers;
        let Some(block) = blocks[block].clone() else { unreachable!("the block in front has no incoming edges") };
        values.id(self.host.new_phi(block, variables[variable].clone()))
    }

    fn undefined(&mut self, variable: Variable) -> Value {
        let value = self.host.undefined(self.numbers.variables[variable].clone());
        self.numbers.values.id(value)
    }

    fn visit_uses(&self, visit: &mut dyn FnMut(Value)) -> Uses {
        // The builder has never seen a value without an id.
        self.host.visit_uses(&mut |value| self.numbers.values.get(&value).into_iter().for_each(&mut *visit))
    }
}

impl<H: KeyedHost, B> fmt::Debug for Driver<H, B>
where
    H: fmt::Debug,
    B: fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Numbers { blocks, variables, values } = &self.numbers;
        let mut fields = f.debug_struct("Driver");
        fields.field("host", &self.host).field("builder", &self.builder);
        fields.field("blocks", blocks).field("variables", variables).field("values", values).finish()
    }
}

impl<H: KeyedHost + Default, B: SsaBuilder + Default> Default for Driver<H, B> {
    fn default() -> Self {
        Self::new(H::default(), B::default())
    }
}

impl<H: KeyedHost, B: SsaBuilder> Driver<H, B> {
    /// Combines `host` and `builder`; clears the builder.
    pub fn new(host: H, mut builder: B) -> Self {
        builder.clear();
        Self { host, builder, numbers: Numbers::new(), targets: Vec::new() }
    }

    /// The host and the builder, so that another host can use the builder's memory for its functions.
    pub fn into_parts(self) -> (H, B) {
        (self.host, self.builder)
    }

    /// Begins a function whose entry is `entry`, a block without incoming edges.
    ///
    /// Forgets the previous function and its keys. The entry counts as sealed.
    pub fn begin(&mut self, entry: H::Block) {
        self.clear();
        self.numbers.blocks.id(Some(entry));
    }

    /// Begins a function whose first block is `first`, which may have incoming edges.
    ///
    /// The builder's entry is then an additional block, the block in front, which has no key. The host inserts such a
    /// block only if [`KeyedSsa::needs_front`] returns true. Seal `first` like any other block.
    ///
    /// # Errors
    /// If the builder's limits of ids do not allow two blocks.
    pub fn begin_with_front(&mut self, first: H::Block) -> Result<(), CallError> {
        self.clear();
        let front = self.numbers.blocks.id(None);
        let first = self.block(first);
        self.builder.try_terminate(front, &[first])
    }

    fn clear(&mut self) {
        self.builder.clear();
        self.numbers.blocks.clear();
        self.numbers.variables.clear();
        self.numbers.values.clear();
    }

    fn block(&mut self, key: H::Block) -> Block {
        self.numbers.blocks.id(Some(key))
    }

    fn variable(&mut self, key: H::Variable) -> Variable {
        self.numbers.variables.id(key)
    }

    fn value(&mut self, key: H::Value) -> Value {
        self.numbers.values.id(key)
    }

    /// The builder and the host as it sees it.
    fn parts(&mut self) -> (&mut B, Numbered<'_, H>) {
        (&mut self.builder, Numbered { host: &mut self.host, numbers: &mut self.numbers })
    }

    /// [`SsaBuilder::try_set_initial`].
    ///
    /// # Errors
    /// As there.
    pub fn set_initial(&mut self, variable: H::Variable, value: H::Value) -> Result<(), CallError> {
        let (variable, value) = (self.variable(variable), self.value(value));
        self.builder.try_set_initial(variable, value)
    }

    /// [`SsaBuilder::try_global`].
    ///
    /// # Errors
    /// As there.
    pub fn global(&mut self, value: H::Value) -> Result<(), CallError> {
        let value = self.value(value);
        self.builder.try_global(value)
    }

    /// [`SsaBuilderExt::try_define`].
    ///
    /// # Errors
    /// As there.
    pub fn define(&mut self, block: H::Block, value: H::Value) -> Result<(), CallError> {
        let (block, value) = (self.block(block), self.value(value));
        self.builder.try_define(block, value)
    }

    /// [`SsaBuilder::try_write_variable`].
    ///
    /// # Errors
    /// As there.
    pub fn write_variable(&mut self, block: H::Block, variable: H::Variable, value: H::Value) -> Result<(), CallError> {
        let (block, variable, value) = (self.block(block), self.variable(variable), self.value(value));
        self.builder.try_write_variable(block, variable, value)
    }

    /// [`SsaBuilder::try_read_variable`].
    ///
    /// # Errors
    /// As there.
    pub fn read_variable(&mut self, block: H::Block, variable: H::Variable) -> Result<H::Value, CallError> {
        let (block, variable) = (self.block(block), self.variable(variable));
        let (builder, mut host) = self.parts();
        let value = builder.try_read_variable(&mut host, block, variable)?;
        Ok(self.numbers.values[value].clone())
    }

    /// [`SsaBuilder::try_read_at_site`].
    ///
    /// # Errors
    /// As there.
    pub fn read_at_site(&mut self, block: H::Block, variable: H::Variable, site: u32) -> Result<H::Value, CallError> {
        let (block, variable) = (self.block(block), self.variable(variable));
        let (builder, mut host) = self.parts();
        let value = builder.try_read_at_site(&mut host, block, variable, site)?;
        Ok(self.numbers.values[value].clone())
    }

    /// [`SsaBuilder::try_read_at_end`].
    ///
    /// # Errors
    /// As there.
    pub fn read_at_end(&mut self, block: H::Block, variable: H::Variable) -> Result<H::Value, CallError> {
        let (block, variable) = (self.block(block), self.variable(variable));
        let (builder, mut host) = self.parts();
        let value = builder.try_read_at_end(&mut host, block, variable, None)?;
        Ok(self.numbers.values[value].clone())
    }

    /// [`SsaBuilder::try_terminate`]. Slots number the edges in the order of `targets`.
    ///
    /// # Errors
    /// As there.
    pub fn terminate(&mut self, block: H::Block, targets: &[H::Block]) -> Result<(), CallError> {
        let block = self.block(block);
        self.number_all(targets);
        self.builder.try_terminate(block, &self.targets)
    }

    fn number_all(&mut self, blocks: &[H::Block]) {
        self.targets.clear();
        let numbers = &mut self.numbers.blocks;
        self.targets.extend(blocks.iter().map(|block| numbers.id(Some(block.clone()))));
    }

    /// [`SsaBuilder::try_write_on_edge`].
    ///
    /// # Errors
    /// As there.
    pub fn write_on_edge(
        &mut self,
        from: H::Block,
        slot: u32,
        variable: H::Variable,
        value: H::Value,
    ) -> Result<(), CallError> {
        let (from, variable, value) = (self.block(from), self.variable(variable), self.value(value));
        self.builder.try_write_on_edge(from, slot, variable, value)
    }

    /// [`SsaBuilder::try_add_edge`].
    ///
    /// # Errors
    /// As there.
    pub fn add_edge(&mut self, from: H::Block, to: H::Block) -> Result<(), CallError> {
        let (from, to) = (self.block(from), self.block(to));
        self.builder.try_add_edge(from, to)
    }

    /// [`SsaBuilder::try_seal_block`].
    ///
    /// # Errors
    /// As there.
    pub fn seal_block(&mut self, block: H::Block) -> Result<(), CallError> {
        let block = self.block(block);
        let (builder, mut host) = self.parts();
        builder.try_seal_block(&mut host, block)
    }

    /// [`SsaBuilder::try_seal_blocks`].
    ///
    /// # Errors
    /// As there.
    pub fn seal_blocks(&mut self, blocks: &[H::Block]) -> Result<(), CallError> {
        self.number_all(blocks);
        let Self { host, builder, numbers, targets } = self;
        builder.try_seal_blocks(&mut Numbered { host, numbers }, targets)
    }

    /// [`SsaBuilder::try_seal_all_blocks`].
    ///
    /// # Errors
    /// As there.
    pub fn seal_all_blocks(&mut self) -> Result<(), CallError> {
        let (builder, mut host) = self.parts();
        builder.try_seal_all_blocks(&mut host)
    }

    /// [`SsaBuilder::try_replace`].
    ///
    /// # Errors
    /// As there.
    pub fn replace(&mut self, old: H::Value, new: H::Value) -> Result<(), CallError> {
        let (old, new) = (self.value(old), self.value(new));
        let (builder, mut host) = self.parts();
        builder.try_replace(&mut host, old, new)
    }

    /// [`SsaBuilder::finish`]: the result in keys, and the host, which writes it.
    ///
    /// # Errors
    /// As there.
    pub fn finish(&mut self) -> Result<(KeyedSsa<'_, H>, &mut H), CallError> {
        let Self { host, builder, numbers, .. } = self;
        let ssa = builder.finish(&mut Numbered { host: &mut *host, numbers: &mut *numbers })?;
        Ok((KeyedSsa { ids: ssa, numbers }, host))
    }

    /// The message of `error`, with keys, as `{:?}` shows them, in place of ids.
    ///
    /// # Complexity
    /// O(length of the message).
    pub fn describe(&self, error: &dyn fmt::Display) -> String {
        let Numbers { blocks, variables, values } = &self.numbers;
        replace_ids(error, &|kind, index| match kind {
            "block" => match blocks.iter().nth(index)?.1 {
                Some(block) => Some(format!("{block:?}")),
                None => Some(String::from("the block in front")),
            },
            "x" => Some(format!("{:?}", variables.iter().nth(index)?.1)),
            "v" => Some(format!("{:?}", values.iter().nth(index)?.1)),
            _ => None,
        })
    }
}
