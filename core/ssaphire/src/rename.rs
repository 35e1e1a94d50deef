//! SSA construction from lists of accesses, without a trait to implement.

use crate::batch::{BatchError, FormHost, construct};
use alloc::vec::Vec;
use ssaphire_construct::parts::by_source;
use ssaphire_construct::{IncomingEdge, KeptPhi, Options, PhiHost, Ssa, SsaBuilder, UndefinedRead, Uses};
use ssaphire_graph::{Access, Block, Cfg, FlatCfg, Value, Variable, VariableForm};

/// A block of a complete function: its successors, and its accesses of variables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlockAccesses<'a> {
    /// Its successors by slot of the terminator, repeated ones included.
    pub targets: &'a [Block],
    /// Its accesses in program order, those of the terminator included.
    pub accesses: &'a [Access],
}

/// The definition of a value of a [`Renamed`] function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Definition {
    /// The parameter with this number.
    Parameter(u32),
    /// A write.
    Write {
        /// Its block.
        block: Block,
        /// Its position among the accesses of the block; [`Access::Tuple`] is not counted.
        index: u32,
    },
    /// The phi with this number: see [`Renamed::phis`].
    Phi(u32),
    /// The undefined value of a variable, which it has where no definition reaches.
    Undefined(Variable),
}

/// A phi of a [`Renamed`] function. Unreachable blocks have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RenamedPhi<'a> {
    /// The value it defines.
    pub value: Value,
    /// Its block.
    pub block: Block,
    /// Its variable.
    pub variable: Variable,
    /// Its operands, by incoming edge.
    pub operands: &'a [Value],
    /// The incoming edges of its block, in the same order.
    pub edges: &'a [IncomingEdge],
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Phi {
    block: Block,
    variable: Variable,
    first_operand: u32,
    first_edge: u32,
    num_operands: u32,
}

/// The SSA form of a complete function: phis, and a value for each access.
///
/// Values are numbered: first the parameters, then the writes by block and position, then the phis by block, then
/// the undefined values of variables, if a read or a phi uses them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renamed {
    num_parameters: u32,
    /// By block, the index of its first access; and the end of the last block.
    start: Vec<u32>,
    /// By access: the value read or written.
    values: Vec<Option<Value>>,
    /// The writes, in the order of their values.
    writes: Vec<(Block, u32)>,
    phis: Vec<Phi>,
    operands: Vec<Value>,
    edges: Vec<IncomingEdge>,
    undefined: Vec<Variable>,
    undefined_reads: Vec<UndefinedRead>,
    /// By block.
    is_reachable: Vec<bool>,
    pre_entry: Option<Block>,
}

/// Places phis in a complete function, and renames its variables.
///
/// `blocks` has the targets and accesses of each block; block 0 is the entry. `parameters` are the variables with a
/// value when control enters: number *i* has value *i*. The result is minimal and pruned. Copies are propagated: a
/// [copy](Access::Copy) is not a use of its source, and a read of its destination gets the value of the source.
///
/// If edges enter the entry, the form has an empty block before it: see [`Renamed::pre_entry`].
///
/// Unreachable blocks are renamed, too, but without dominance: in a loop that nothing enters, an
/// instruction may use its own result. Their edges into reachable code have operands, but make no phi necessary: if
/// the caller drops them, no phi becomes trivial. See [`Renamed::is_reachable`].
///
/// # Errors
/// If there is no block, a target does not exist, a parameter is listed twice, a [tuple](Access::Tuple) is longer than
/// its accesses, or there are more blocks, variables or values than the [limits](Options::ids).
///
/// # Complexity
/// That of the [default engine](ssaphire_construct::Builder) in time. In memory a few dozen bytes for each block, access
/// and variable: number variables densely.
///
/// # Examples
/// ```
/// use ssaphire::{Access::{Read, Write}, Block, BlockAccesses, Value, Variable, rename};
///
/// // n is a parameter. i = 0; while (i < n) { i = i + 1 } return i
/// let ([header, body, after], [n, i]) = ([1, 2, 3].map(Block::new), [0, 1].map(Variable::new));
/// let blocks = [
///     BlockAccesses { targets: &[header], accesses: &[Write(i)] },
///     BlockAccesses { targets: &[body, after], accesses: &[Read(i), Read(n)] },
///     BlockAccesses { targets: &[header], accesses: &[Read(i), Write(i)] },
///     BlockAccesses { targets: &[], accesses: &[Read(i)] },
/// ];
/// let form = rename(&blocks, &[n])?;
/// let [parameter, first, next, phi] = [0, 1, 2, 3].map(Value::new);
/// let found = form.phis().next().unwrap();
/// assert_eq!((found.block, found.value, found.operands), (header, phi, &[first, next][..]));
/// assert_eq!(form.value(header, 0), Some(phi)); // i < n
/// assert_eq!(form.value(header, 1), Some(parameter));
/// assert_eq!(form.value(body, 1), Some(next)); // What the write in the body defines.
/// assert_eq!(form.value(after, 0), Some(phi));
/// assert_eq!(form.undefined_reads(), []);
/// # Ok::<(), ssaphire::BatchError>(())
/// ```
#[inline] // The one function that would have this crate compile the engine: who calls it does.
pub fn rename(blocks: &[BlockAccesses<'_>], parameters: &[Variable]) -> Result<Renamed, BatchError> {
    let options = Options::default().with_undefined_reads();
    #[cfg(all(feature = "judge", debug_assertions))]
    let mut builder = crate::Certified::with_options(options);
    #[cfg(not(all(feature = "judge", debug_assertions)))]
    let mut builder = ssaphire_construct::Builder::with_options(options);
    rename_by(&mut builder, blocks, parameters)
}

/// Like [`rename`], with your own builder: to reuse its memory, to record a certificate, or to limit its work.
///
/// `ssa` is cleared first. Undefined reads are reported if its options are made
/// [with undefined reads](Options::with_undefined_reads), as those of [`rename`] are.
///
/// # Errors
/// As [`rename`], and if the work budget is used up.
pub fn rename_by<B: SsaBuilder>(
    ssa: &mut B,
    blocks: &[BlockAccesses<'_>],
    parameters: &[Variable],
) -> Result<Renamed, BatchError> {
    let lists = Lists::new(blocks, parameters)?;
    let ids = ssa.options().ids;
    ids.check_num_variables(lists.num_variables)?;
    let mut renaming = Renaming::new(blocks, parameters);
    if let Some(last) = renaming.num_values.checked_sub(1) {
        ids.check_value(Value::try_new(last).unwrap_or(LAST))?;
    }
    if !ssa.is_new() {
        ssa.clear();
    }
    for (number, &parameter) in parameters.iter().enumerate() {
        ssa.try_set_initial(parameter, Value::new(number))?;
    }
    let result = construct(&lists, &mut renaming, ssa)?;
    Ok(renaming.close(parameters.len(), &result))
}

impl RenamedPhi<'_> {
    /// The operands by predecessor, each predecessor once, in the order of their first edges.
    ///
    /// Edges that leave one block have the same operand: the value of the variable at its end.
    ///
    /// # Complexity
    /// O(*e* log *e*) for *e* incoming edges.
    pub fn operands_by_source(&self) -> Vec<(Block, Value)> {
        let operands = by_source((self.value, self.block), self.edges, self.operands);
        operands.unwrap_or_else(|error| unreachable!("a block has one value at its end: {error}"))
    }
}

impl Renamed {
    /// Number of values.
    pub fn num_values(&self) -> usize {
        self.num_parameters as usize + self.writes.len() + self.phis.len() + self.undefined.len()
    }

    /// The value that access number `index` of `block` reads, copies or defines; an [`Access::Tuple`] is not counted.
    ///
    /// `None` if there is no such access, or if it copies a phi or an undefined value that nothing uses.
    ///
    /// # Complexity
    /// O(1).
    pub fn value(&self, block: Block, index: usize) -> Option<Value> {
        let ends = self.start.get(block.index()..block.index() + 2)?;
        self.values[ends[0] as usize..ends[1] as usize].get(index).copied().flatten()
    }

    /// The definition of `value`, or `None` if it is no value of the form.
    ///
    /// # Complexity
    /// O(1).
    pub fn definition(&self, value: Value) -> Option<Definition> {
        let mut number = value.index();
        for (len, kind) in [self.num_parameters as usize, self.writes.len(), self.phis.len()].into_iter().zip(0..) {
            if number < len {
                return Some(match kind {
                    0 => Definition::Parameter(number as u32),
                    1 => Definition::Write { block: self.writes[number].0, index: self.writes[number].1 },
                    _ => Definition::Phi(number as u32),
                });
            }
            number -= len;
        }
        self.undefined.get(number).copied().map(Definition::Undefined)
    }

    /// The phis, by block and, in a block, by variable: phi number *i* is the one at *i*.
    pub fn phis(&self) -> impl ExactSizeIterator<Item = RenamedPhi<'_>> + DoubleEndedIterator {
        (0..self.phis.len()).map(|number| self.phi(number))
    }

    /// The phis of `block`, by variable.
    ///
    /// # Complexity
    /// O(log *p*).
    pub fn phis_in(&self, block: Block) -> impl ExactSizeIterator<Item = RenamedPhi<'_>> + DoubleEndedIterator {
        let first = self.phis.partition_point(|phi| phi.block < block);
        let len = self.phis[first..].partition_point(|phi| phi.block == block);
        (first..first + len).map(|number| self.phi(number))
    }

    /// The reads that no definition reaches on some path from the entry, or on any. Their `site` is the position among
    /// the accesses of their block.
    ///
    /// Copies are not reported; reads of the copied values are. Reads in unreachable blocks are left out.
    pub fn undefined_reads(&self) -> &[UndefinedRead] {
        &self.undefined_reads
    }

    /// The undefined values and their variables, in order of values. Reads and phis use them where no write reaches,
    /// also in unreachable blocks and on edges from these.
    ///
    /// Define them before everything else: in the [new entry](Self::pre_entry), if there is one.
    pub fn undefined_values(&self) -> impl ExactSizeIterator<Item = (Variable, Value)> + DoubleEndedIterator {
        let first = self.num_values() - self.undefined.len();
        self.undefined.iter().enumerate().map(move |(number, &variable)| (variable, Value::new(first + number)))
    }

    /// Whether a path leads from the entry to `block`, which may be the [new entry](Self::pre_entry).
    ///
    /// # Complexity
    /// O(1).
    pub fn is_reachable(&self, block: Block) -> bool {
        self.pre_entry == Some(block) || self.is_reachable.get(block.index()).is_some_and(|&is_reachable| is_reachable)
    }

    /// The new entry, if edges enter block 0, even from unreachable blocks: an empty block that jumps to block 0.
    ///
    /// Its number comes after those of all blocks, and its edge is the last one of the phis in block 0.
    pub fn pre_entry(&self) -> Option<Block> {
        self.pre_entry
    }

    fn phi(&self, number: usize) -> RenamedPhi<'_> {
        let &Phi { block, variable, first_operand, first_edge, num_operands } = &self.phis[number];
        let num_before = self.num_parameters as usize + self.writes.len();
        RenamedPhi {
            value: Value::new(num_before + number),
            block,
            variable,
            operands: &self.operands[first_operand as usize..][..num_operands as usize],
            edges: &self.edges[first_edge as usize..][..num_operands as usize],
        }
    }
}

/// The last value: no builder accepts it twice.
const LAST: Value = Value::new(Value::LIMIT - 1);

/// The lists as a [`VariableForm`].
struct Lists<'a> {
    cfg: FlatCfg,
    blocks: &'a [BlockAccesses<'a>],
    num_variables: usize,
}

impl<'a> Lists<'a> {
    fn new(blocks: &'a [BlockAccesses<'a>], parameters: &[Variable]) -> Result<Self, BatchError> {
        let mut cfg = FlatCfg::default();
        cfg.rebuild_from_targets(blocks.len(), Block::new(0), |block| blocks[block.index()].targets)?;
        let mut num_variables = 0;
        let mut see = |variable: Variable| num_variables = num_variables.max(variable.index() + 1);
        parameters.iter().copied().for_each(&mut see);
        check_tuples(blocks)?;
        for access in blocks.iter().flat_map(|block| block.accesses) {
            match *access {
                Access::Read(variable) | Access::Write(variable) => see(variable),
                Access::Copy(to, from) => [to, from].into_iter().for_each(&mut see),
                Access::Tuple(_) => {}
            }
        }
        Ok(Self { cfg, blocks, num_variables })
    }
}

/// Checks that each tuple has its accesses.
fn check_tuples(blocks: &[BlockAccesses<'_>]) -> Result<(), BatchError> {
    for (number, block) in blocks.iter().enumerate() {
        for (place, access) in block.accesses.iter().enumerate() {
            let &Access::Tuple(announced) = access else { continue };
            let rest = block.accesses[place + 1..].iter();
            let following = rest.take(announced as usize).take_while(|access| !matches!(access, Access::Tuple(_)));
            let found = following.count() as u32;
            if found < announced {
                return Err(BatchError::Tuple { block: Block::new(number), announced, found });
            }
        }
    }
    Ok(())
}

impl Cfg for Lists<'_> {
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

impl VariableForm for Lists<'_> {
    fn num_variables(&self) -> usize {
        self.num_variables
    }

    fn accesses(&self, block: Block) -> impl Iterator<Item = Access> {
        // The new entry has no list.
        self.blocks.get(block.index()).into_iter().flat_map(|block| block.accesses.iter().copied())
    }
}

/// The host: it numbers values, and notes the value of each access.
struct Renaming {
    start: Vec<u32>,
    values: Vec<Option<Value>>,
    /// By access, whether it is a use: neither a write, nor a copy, which is propagated.
    is_read: Vec<bool>,
    writes: Vec<(Block, u32)>,
    /// In order of their values, which come after those of the writes: phis and undefined values.
    made: Vec<Option<Variable>>,
    num_values: usize,
}

impl Renaming {
    fn new(blocks: &[BlockAccesses<'_>], parameters: &[Variable]) -> Self {
        let (mut start, mut values, mut is_read, mut writes) = (alloc::vec![0], Vec::new(), Vec::new(), Vec::new());
        let mut num_values = parameters.len();
        for (number, block) in blocks.iter().enumerate() {
            let accesses = block.accesses.iter().filter(|access| !matches!(access, Access::Tuple(_)));
            for (access, index) in accesses.zip(0..) {
                let is_write = matches!(access, Access::Write(_));
                if is_write {
                    writes.push((Block::new(number), index));
                }
                values.push(is_write.then_some(num_values).and_then(Value::try_new));
                is_read.push(matches!(access, Access::Read(_)));
                num_values += usize::from(is_write);
            }
            start.push(values.len() as u32);
        }
        Self { start, values, is_read, writes, made: Vec::new(), num_values }
    }

    fn place(&self, block: Block, index: usize) -> usize {
        self.start[block.index()] as usize + index
    }

    fn make(&mut self, undefined: Option<Variable>) -> Value {
        self.made.push(undefined);
        Value::try_new(self.num_values + self.made.len() - 1).unwrap_or(LAST)
    }

    /// Numbers the phis and undefined values that stay.
    fn close(self, num_parameters: usize, result: &Ssa<'_>) -> Renamed {
        let Self { start, mut values, is_read, writes, made, num_values } = self;
        let mut phis: Vec<_> = result.phis.iter().collect();
        phis.sort_unstable_by_key(|phi| (phi.block, phi.variable));
        let mut numbers = Numbers::new(num_values, made, &phis);
        for (value, _) in values.iter_mut().zip(&is_read).filter(|&(_, &is_read)| is_read) {
            *value = value.and_then(|value| numbers.of_use(result.resolve(value)));
        }
        let (mut operands, mut edges, mut of_block) = (Vec::new(), Vec::new(), (None, 0));
        let mut placed = Vec::with_capacity(phis.len());
        for phi in &phis {
            if of_block.0 != Some(phi.block) {
                of_block = (Some(phi.block), edges.len() as u32);
                edges.extend_from_slice(phi.edges);
            }
            placed.push(Phi {
                block: phi.block,
                variable: phi.variable,
                first_operand: operands.len() as u32,
                first_edge: of_block.1,
                num_operands: phi.operands.len() as u32,
            });
            operands.extend(phi.operands.iter().filter_map(|&operand| numbers.of_use(operand)));
        }
        for (value, _) in values.iter_mut().zip(&is_read).filter(|&(_, &is_read)| !is_read) {
            *value = value.and_then(|value| numbers.get(result.resolve(value)));
        }
        let is_of_read = |read: &&UndefinedRead| is_read[(start[read.block.index()] + read.site) as usize];
        let num_blocks = start.len() - 1;
        let has_pre_entry = !result.phis.incoming(Block::new(0)).is_empty();
        Renamed {
            num_parameters: num_parameters as u32,
            values,
            writes,
            phis: placed,
            operands,
            edges,
            undefined: numbers.undefined,
            undefined_reads: result.undefined_reads.iter().filter(is_of_read).copied().collect(),
            is_reachable: (0..num_blocks).map(|block| result.phis.is_reachable(Block::new(block))).collect(),
            pre_entry: has_pre_entry.then(|| Block::new(num_blocks)),
            start,
        }
    }
}

/// The final numbers of the phis of the result and of the undefined values that are used.
struct Numbers {
    /// Values below have the numbers they had.
    first: usize,
    made: Vec<Option<Variable>>,
    numbers: Vec<Option<Value>>,
    num_phis: usize,
    /// In order of numbers.
    undefined: Vec<Variable>,
}

impl Numbers {
    fn new(first: usize, made: Vec<Option<Variable>>, phis: &[KeptPhi<'_>]) -> Self {
        let mut numbers = alloc::vec![None; made.len()];
        for (phi, number) in phis.iter().zip(first..) {
            numbers[phi.value.index() - first] = Some(Value::new(number));
        }
        Self { first, made, numbers, num_phis: phis.len(), undefined: Vec::new() }
    }

    /// The number of a value that something uses.
    fn of_use(&mut self, value: Value) -> Option<Value> {
        let Some(place) = value.index().checked_sub(self.first) else { return Some(value) };
        if let (None, Some(variable)) = (self.numbers[place], self.made[place]) {
            self.numbers[place] = Some(Value::new(self.first + self.num_phis + self.undefined.len()));
            self.undefined.push(variable);
        }
        self.numbers[place]
    }

    /// The number of a value: none if only copies read it.
    fn get(&self, value: Value) -> Option<Value> {
        value.index().checked_sub(self.first).map_or(Some(value), |place| self.numbers[place])
    }
}

impl PhiHost for Renaming {
    fn new_phi(&mut self, _: Block, _: Variable) -> Value {
        self.make(None)
    }

    fn undefined(&mut self, variable: Variable) -> Value {
        self.make(Some(variable))
    }

    fn visit_uses(&self, visit: &mut dyn FnMut(Value)) -> Uses {
        let reads = self.values.iter().zip(&self.is_read).filter(|&(_, &is_read)| is_read);
        reads.filter_map(|(value, _)| *value).for_each(visit);
        Uses::Visited
    }
}

impl FormHost for Renaming {
    fn written(&mut self, block: Block, index: usize, _: Variable) -> Value {
        let place = self.place(block, index);
        self.values[place].unwrap_or(LAST)
    }

    fn read(&mut self, block: Block, index: usize, _: Variable, value: Value) {
        let place = self.place(block, index);
        self.values[place] = Some(value);
    }
}
