//! SSA construction from lists of accesses, without a trait to implement.

mod form;
mod lists;
mod renamed;

pub use renamed::{Definition, Renamed, RenamedPhi};

use crate::batch::{BatchError, FormHost, construct};
use alloc::vec::Vec;
use lists::Lists;
use renamed::Phi;
use ssaphire_construct::{KeptPhi, Options, PhiHost, Ssa, SsaBuilder, UndefinedRead, Uses};
use ssaphire_graph::{Access, Block, FlatCfg, Value, Variable, WithPreEntry};

/// Places phis in a complete function, and renames its variables.
///
/// `blocks` yields for each block its targets, by slot of the terminator and repeated ones included, and its accesses in
/// program order, the reads of the terminator included. If a terminator such as an `invoke` defines a value, list that
/// write as the first access of its successor, which must have no other incoming edge. Block 0 is the entry. `parameters`
/// are the variables with a value when control enters: number *i* has value *i*. The result is minimal and pruned. Copies are propagated: a
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
/// use ssaphire::{Access::{Read, Write}, Block, Value, Variable, rename};
///
/// // n is a parameter. i = 0; while (i < n) { i = i + 1 } return i
/// let ([header, body, after], [n, i]) = ([1, 2, 3].map(Block::new), [0, 1].map(Variable::new));
/// let blocks = [
///     (vec![header], vec![Write(i)]),
///     (vec![body, after], vec![Read(i), Read(n)]),
///     (vec![header], vec![Read(i), Write(i)]),
///     (vec![], vec![Read(i)]),
/// ];
/// let form = rename(blocks, &[n])?;
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
#[inline] // The one function that would have this crate compile the engine: the caller's crate compiles it.
pub fn rename<T, A>(blocks: impl IntoIterator<Item = (T, A)>, parameters: &[Variable]) -> Result<Renamed, BatchError>
where
    T: IntoIterator<Item = Block>,
    A: IntoIterator<Item = Access>,
{
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
pub fn rename_by<B: SsaBuilder, T, A>(
    ssa: &mut B,
    blocks: impl IntoIterator<Item = (T, A)>,
    parameters: &[Variable],
) -> Result<Renamed, BatchError>
where
    T: IntoIterator<Item = Block>,
    A: IntoIterator<Item = Access>,
{
    let lists = Lists::new(blocks, parameters)?;
    let ids = ssa.options().ids;
    ids.check_num_variables(lists.num_variables)?;
    let mut renaming = Renaming::new(&lists, parameters);
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
    let view = WithPreEntry::new(&lists);
    let is_needed = WithPreEntry::is_needed(&&lists);
    let with_entry = if is_needed { Some(FlatCfg::new(&view)?) } else { None };
    let renamed = renaming.close(parameters, &result);
    Ok(Renamed { cfg: with_entry.unwrap_or(lists.cfg), ..renamed })
}

/// The last value: no builder accepts it twice.
const LAST: Value = Value::new(Value::LIMIT - 1);

/// The host: it numbers values, and notes the value of each access.
struct Renaming {
    start: Vec<u32>,
    /// Without tuples.
    accesses: Vec<Access>,
    values: Vec<Option<Value>>,
    writes: Vec<(Block, u32)>,
    /// In order of their values, which come after those of the writes: phis and undefined values.
    made: Vec<Option<Variable>>,
    num_values: usize,
}

impl Renaming {
    fn new(lists: &Lists, parameters: &[Variable]) -> Self {
        let (mut start, mut accesses, mut values, mut writes) = (alloc::vec![0], Vec::new(), Vec::new(), Vec::new());
        let mut num_values = parameters.len();
        for block in (0..lists.num_blocks()).map(Block::new) {
            let listed = lists.of(block).iter().filter(|access| !matches!(access, Access::Tuple(_)));
            for (&access, index) in listed.zip(0..) {
                let is_write = matches!(access, Access::Write(_));
                if is_write {
                    writes.push((block, index));
                }
                accesses.push(access);
                values.push(is_write.then_some(num_values).and_then(Value::try_new));
                num_values += usize::from(is_write);
            }
            start.push(values.len() as u32);
        }
        Self { start, accesses, values, writes, made: Vec::new(), num_values }
    }

    fn place(&self, block: Block, index: usize) -> usize {
        self.start[block.index()] as usize + index
    }

    fn make(&mut self, undefined: Option<Variable>) -> Value {
        self.made.push(undefined);
        Value::try_new(self.num_values + self.made.len() - 1).unwrap_or(LAST)
    }

    /// Numbers the phis and undefined values that stay.
    fn close(self, parameters: &[Variable], result: &Ssa<'_>) -> Renamed {
        let Self { start, accesses, mut values, writes, made, num_values } = self;
        let mut phis: Vec<_> = result.phis.iter().collect();
        phis.sort_unstable_by_key(|phi| (phi.block, phi.variable));
        let mut numbers = Numbers::new(num_values, made, &phis);
        for (value, _) in values.iter_mut().zip(&accesses).filter(|(_, access)| is_read(access)) {
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
        for (value, _) in values.iter_mut().zip(&accesses).filter(|(_, access)| !is_read(access)) {
            *value = value.and_then(|value| numbers.get(result.resolve(value)));
        }
        let is_of_read = |read: &&UndefinedRead| is_read(&accesses[(start[read.block.index()] + read.site) as usize]);
        let num_blocks = start.len() - 1;
        let has_pre_entry = !result.phis.incoming(Block::new(0)).is_empty();
        Renamed {
            cfg: FlatCfg::default(),
            parameters: parameters.to_vec(),
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
            accesses,
        }
    }
}

/// Whether the access is a use: neither a write, nor a copy, which is propagated.
fn is_read(access: &Access) -> bool {
    matches!(access, Access::Read(_))
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
        let reads = self.values.iter().zip(&self.accesses).filter(|(_, access)| is_read(access));
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
