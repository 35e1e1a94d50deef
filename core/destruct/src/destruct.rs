//! SSA destruction: its methods, and the driver.

use crate::assembly::Assembly;
use crate::coalesce::Coalescing;
use crate::color::{Palette, color};
use crate::error::DestructError;
use crate::frequency::Frequencies;
use crate::names::{Affinity, Content, Name, Names};
use crate::result::{Destruction, Location, Source};
use crate::seams::Seams;
use crate::variables::Variables;
use crate::{DestructForm, Thresholds};
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;
use ssaphire_graph::{Block, DominatorTree, IdMap, PackedOption, Value, ValueEvent};

/// How values get their locations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// Each value has a location of its own, and each operand of a phi is copied: Cytron et al. 1991, section 7.
    Naive,
    /// Values of one variable share its locations if they are not live at once: section 7.2 of the same paper. Printed
    /// code has the variables of its source.
    PerVariable,
    /// Any values share locations if they are not live at once: as few locations as there can be.
    Coloring,
    /// Values share locations along copies, if they hold the same wherever they are live at once: Boissinot et al.
    /// 2009. As few copies as it finds.
    #[default]
    Coalescing,
}

impl Method {
    /// All of them, in the order of their history.
    pub const ALL: &'static [Self] = &[Self::Naive, Self::PerVariable, Self::Coloring, Self::Coalescing];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Naive => "naive",
            Self::PerVariable => "per-variable",
            Self::Coloring => "coloring",
            Self::Coalescing => "coalescing",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How a function leaves SSA form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// How values get their locations. Default: [`Method::Coalescing`].
    pub method: Method,
    /// Whether `Coalescing` keeps variables apart: no two of them share a location, and the versions of one do where
    /// they are not live at once. Default: no, so that there are fewer copies.
    pub keeps_variables: bool,
    /// For tests.
    pub thresholds: Thresholds,
}

impl Options {
    /// This method, with the thresholds that suit most functions.
    pub fn new(method: Method) -> Self {
        Self { method, ..Self::default() }
    }

    /// These options, with variables [kept apart](Self::keeps_variables) or not.
    #[must_use]
    pub fn keeping_variables(self, keeps_variables: bool) -> Self {
        Self { keeps_variables, ..self }
    }

    /// These options with other thresholds.
    #[must_use]
    pub fn with_thresholds(self, thresholds: Thresholds) -> Self {
        Self { thresholds, ..self }
    }
}

/// A word that names no [`Method`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownMethod;

impl fmt::Display for UnknownMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown method; choose one of")?;
        let mut separator = " ";
        for method in Method::ALL {
            write!(f, "{separator}{method}")?;
            separator = ", ";
        }
        Ok(())
    }
}

impl core::error::Error for UnknownMethod {}

impl FromStr for Method {
    type Err = UnknownMethod;

    fn from_str(name: &str) -> Result<Self, UnknownMethod> {
        Self::ALL.iter().copied().find(|method| method.name() == name).ok_or(UnknownMethod)
    }
}

/// Finds locations for the values of `function`, and the copies that replace its phis.
///
/// The function is only read. The host applies the result: it writes each value to its location, inserts the copies at
/// their points, splits the edges that have copies, and drops the phis. Values of unreachable blocks have no locations.
///
/// # Errors
/// If the graph breaks its contract, a phi lacks an operand, a value is used where it is not defined, two edges from
/// one block to another one cannot be split and have different operands, or values of one
/// [storage](DestructForm::storage) are live at once.
///
/// # Complexity
/// Near-linear, if live sets of neighboring blocks have much in common; each method's module has the details. At worst,
/// `Coloring` and `PerVariable` take the size of all live sets, and so does `Coalescing`, and it compares names of one
/// content in pairs.
///
/// # Examples
/// ```
/// use ssaphire::destruct::{DestructForm, Method, Source, destruct};
/// use ssaphire::graph::{InsertionPoint, InsertionPoints};
/// use ssaphire::{Block, Cfg, FlatCfg, SsaForm, Value, ValueEvent};
///
/// /// `x = 0; do { y = x; x = y + 1 } while (x < 9); return y`: the lost-copy problem.
/// struct LostCopy(FlatCfg);
///
/// const ZERO: Value = Value::new(0);
/// const Y: Value = Value::new(1);
/// const X: Value = Value::new(2);
///
/// impl Cfg for LostCopy {
///     fn num_blocks(&self) -> usize { self.0.num_blocks() }
///     fn entry(&self) -> Block { self.0.entry() }
///     fn successors(&self, block: Block) -> impl Iterator<Item = Block> { self.0.successors(block) }
///     fn predecessors(&self, block: Block) -> impl Iterator<Item = Block> { self.0.predecessors(block) }
/// }
///
/// impl SsaForm for LostCopy {
///     fn num_values(&self) -> usize { 3 }
///     fn globals(&self) -> impl Iterator<Item = Value> { [ZERO].into_iter() }
///     fn phis(&self, block: Block) -> impl Iterator<Item = Value> { (block.index() == 1).then_some(Y).into_iter() }
///     fn operands(&self, _: Block, _: Value) -> impl Iterator<Item = Value> { [ZERO, X].into_iter() }
///     fn events(&self, block: Block) -> impl Iterator<Item = ValueEvent> {
///         let events: &[ValueEvent] = match block.index() {
///             0 => &[],
///             1 => &[ValueEvent::Use(Y), ValueEvent::Def(X), ValueEvent::Use(X)],
///             _ => &[ValueEvent::Use(Y)],
///         };
///         events.iter().copied()
///     }
/// }
///
/// impl InsertionPoints for LostCopy {
///     fn num_results_at_top(&self, _: Block) -> usize { 0 }
///     fn num_terminator_uses(&self, block: Block) -> usize { usize::from(block.index() > 0) }
/// }
///
/// impl DestructForm for LostCopy {
///     fn is_constant(&self, value: Value) -> bool { value == ZERO }
/// }
///
/// let [before, body, after] = [0, 1, 2].map(Block::new);
/// let cfg = FlatCfg::from_successors(before, &[vec![body], vec![body, after], vec![]])?;
/// let left = destruct(&LostCopy(cfg), Method::Coalescing)?;
/// let [x, y] = [X, Y].map(|value| left.location(value).unwrap());
/// assert_ne!(x, y); // Behind the loop `y` is needed, and not what `x` is by then.
/// let copies: Vec<_> = left.parallel_copies().collect();
/// // The phi is where `x` is, so that the critical edge back needs no copy, and is not split.
/// assert_eq!(copies[0], (InsertionPoint::Top(body), &[(y, Source::Location(x))][..]));
/// assert_eq!(copies[1], (InsertionPoint::End(before), &[(x, Source::Constant(ZERO))][..]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn destruct(function: &impl DestructForm, method: Method) -> Result<Destruction, DestructError> {
    destruct_with(function, Options::new(method))
}

/// Like [`destruct`](destruct()), with all options.
///
/// # Errors
/// As [`destruct`](destruct()).
pub fn destruct_with(function: &impl DestructForm, options: Options) -> Result<Destruction, DestructError> {
    let seams = Seams::new(function)?;
    let dominators = DominatorTree::new(seams.split());
    let frequencies = Frequencies::new(seams.split(), &dominators);
    let blocks: Vec<Block> =
        dominators.preorder().iter().copied().filter(|block| block.index() < seams.cfg.num_blocks()).collect();
    check_values(function, &blocks)?;
    let mut assembly = Assembly::new(function.num_values());
    let palette = match options.method {
        Method::Coalescing => {
            coalesce(function, &seams, &dominators, &frequencies, options, &mut assembly)?;
            return Ok(assembly.finish(function, &blocks, &frequencies));
        }
        Method::Naive => Palette::Values,
        Method::PerVariable => Palette::Variables,
        Method::Coloring => Palette::Classes,
    };
    if palette == Palette::Values && !has_storage(function) {
        locate_each(function, &blocks, &mut assembly);
    } else {
        color(function, &seams, palette, options.thresholds, &mut assembly)?;
    }
    assembly.copy_operands(function, &seams, &blocks, &frequencies);
    Ok(assembly.finish(function, &blocks, &frequencies))
}

/// Refuses values beyond `num_values` of the function, which is the length of the tables.
fn check_values(function: &impl DestructForm, blocks: &[Block]) -> Result<(), DestructError> {
    let num_values = function.num_values();
    let check = |value: Value| match value.index() < num_values {
        true => Ok(()),
        false => Err(DestructError::NoSuchValue { value, num_values }),
    };
    function.globals().try_for_each(check)?;
    for &block in blocks {
        for phi in function.phis(block) {
            check(phi)?;
            function.operands(block, phi).try_for_each(check)?;
        }
        function.events(block).try_for_each(|event| match event {
            ValueEvent::Def(value) | ValueEvent::Use(value) => check(value),
        })?;
        function.tied(block).try_for_each(|tied| check(tied.operand).and_then(|()| check(tied.result)))?;
    }
    Ok(())
}

/// The frequency of blocks in one loop.
const IN_ONE_LOOP: u64 = 10;

fn has_storage(function: &impl DestructForm) -> bool {
    (0..function.num_values()).map(Value::new).any(|value| function.storage(value).is_some())
}

/// Gives each value that is defined a location of its own.
fn locate_each(function: &impl DestructForm, blocks: &[Block], assembly: &mut Assembly) {
    let mut locate = |value: Value| {
        let location = assembly.location(function.class(value));
        assembly.place(value, location);
    };
    function.globals().filter(|&value| !function.is_constant(value)).for_each(&mut locate);
    for &block in blocks {
        function.phis(block).for_each(&mut locate);
        for event in function.events(block) {
            if let ValueEvent::Def(value) = event {
                locate(value);
            }
        }
    }
}

fn coalesce(
    function: &impl DestructForm,
    seams: &Seams,
    dominators: &DominatorTree,
    frequencies: &Frequencies,
    options: Options,
    assembly: &mut Assembly,
) -> Result<(), DestructError> {
    let names = Names::new(function, seams, dominators)?;
    let mut coalescing = Coalescing::new(&names, seams.split(), dominators, options.thresholds);
    share_storage(&names, &mut coalescing)?;
    let affinities = by_frequency(&names, frequencies);
    let pairs = affinities.iter().map(|affinity| (affinity.one, affinity.other));
    if options.keeps_variables {
        Variables::new(function, &names, dominators, &coalescing).share(&mut coalescing, pairs, frequencies.loops());
    } else {
        for (one, other) in pairs {
            // Names that interfere cannot share a location: their copies remain.
            let _ = coalescing.merge(one, other);
        }
    }
    let mut locations: IdMap<Name, PackedOption<Location>> = IdMap::filled(names.definitions.len(), PackedOption::NONE);
    let mut locate = |name: Name, assembly: &mut Assembly| {
        let location = &mut locations[coalescing.class(name)];
        location.expand().unwrap_or_else(|| {
            let new = assembly.location(names.definitions[name].class);
            *location = new.into();
            new
        })
    };
    for value in (0..names.of_value.len()).map(Value::new) {
        if let Some(name) = names.of_value[value].expand() {
            let location = locate(name, assembly);
            assembly.place(value, location);
        }
    }
    for copies in names.copies.chunk_by(|one, other| one.point == other.point) {
        let (point, block) = names.points[copies[0].point as usize];
        assembly.begin(point, frequencies.of(block));
        for copy in copies.iter().filter(|copy| !coalescing.is_copy_redundant(copy.to)) {
            let to = locate(copy.to, assembly);
            let from = match copy.from {
                Content::Of(from) => Source::Location(locate(from, assembly)),
                Content::Constant(value) => Source::Constant(value),
            };
            assembly.copy(to, from);
        }
    }
    Ok(())
}

/// Merges the names that must share one storage into one class.
fn share_storage(names: &Names, coalescing: &mut Coalescing<'_>) -> Result<(), DestructError> {
    let mut storage = names.storage.clone();
    storage.sort_unstable();
    for of_variable in storage.chunk_by(|(one, _), (other, _)| one == other) {
        let (variable, first) = of_variable[0];
        for &(_, name) in of_variable {
            coalescing.merge(first, name).map_err(|interference| {
                let value_of = |name: Name| {
                    (0..names.of_value.len()).map(Value::new).find(|&value| names.of_value[value] == name.into())
                };
                // A name that is no value is on its way to one, or from one, of the two that were to be merged.
                let value = value_of(interference.one).or_else(|| value_of(first)).unwrap_or(Value::new(0));
                let other = value_of(interference.other).or_else(|| value_of(name)).unwrap_or(value);
                DestructError::Storage { variable, value, other }
            })?;
        }
    }
    Ok(())
}

/// The pairs that should share a location, most frequently copied first.
///
/// Among pairs of equal frequency, versions of one variable come first, since they seldom interfere, unless loops nest;
/// then the last ones in preorder: arguments of a back edge before the phi. Both rules save copies in real programs: 9
/// % of esbuild's, 5 % of sql.js's.
fn by_frequency(names: &Names, frequencies: &Frequencies) -> Vec<Affinity> {
    let copies = names.copies.iter().filter_map(|copy| match copy.from {
        Content::Of(from) => {
            let block = names.points[copy.point as usize].1;
            Some(Affinity { block, one: copy.to, other: from, is_of_one_variable: copy.is_of_one_variable })
        }
        Content::Constant(_) => None,
    });
    let mut affinities: Vec<Affinity> = copies.chain(names.affinities.iter().copied()).collect();
    affinities.reverse();
    affinities.sort_by_key(|affinity| {
        let frequency = frequencies.of(affinity.block);
        (core::cmp::Reverse(frequency), frequency > IN_ONE_LOOP || !affinity.is_of_one_variable)
    });
    affinities
}
