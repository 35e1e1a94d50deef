//! Repair of SSA form after a transformation, for one variable at a time.
//!
//! A transformation that copies code, splits a live range or redirects an edge leaves
//! several definitions where there was one value. [`Repair`] treats them as the definitions of a variable: it takes
//! them and the uses, and finds the definition that reaches each use and the blocks that need phis. The inserted phis
//! are minimal and pruned. It needs no dominator tree, and looks only at blocks where the variable is live.
//!
//! | Braun et al. 2013 | here |
//! |---|---|
//! | section 5.1, "SSA Reconstruction" | [`Repair`] |
//! | the definitions, given by `writeVariable` | [`Repair::define`] |
//! | each use, set by `readVariable` | [`Repair::use_at`], [`Repaired::value`] |
//!
//! # Complexity
//! O(blocks where the variable is live, and their incoming edges) for all uses together, plus sorting the definitions,
//! plus a binary search in them for each use in a block that defines, plus one computation of dominators (Semi-NCA) of
//! the value flow where there are cycles that several definitions enter.
//! Memory beyond that: one word for each block up to the greatest one asked for, kept from one variable to the next.
//!
//! # Departures
//! The paper looks values up one use at a time, as during construction. Here all uses are known before the first phi is
//! made: their regions are collected together, and `ValueFlow` decides where phis are needed.

mod region;
mod reuse;
#[cfg(test)]
mod tests;

use crate::host::PhiHost;
use crate::value_flow::{Source, ValueFlow};
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;
use region::{Place, TopData};
use reuse::Candidates;
use ssaphire_graph::{Block, Cfg, Id, IdMap, PackedOption, SsaForm, Value, Variable, internal_id};

/// The position of a definition or use in its block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Position {
    /// Before all instructions: phis and block parameters are defined here, and a use here sees only them.
    Entry,
    /// At an instruction, numbered in its block by the host. An instruction uses before it defines: a use sees the
    /// definitions at smaller numbers.
    At(u32),
    /// After all instructions: the operands of phis are used here, in the sources of their edges. Only such uses see a
    /// definition here.
    End,
}

impl Position {
    /// Whether a use here sees a definition of its block at `definition`.
    fn sees(self, definition: Self) -> bool {
        definition < self || definition == self && !matches!(self, Self::At(_))
    }
}

internal_id!(
    /// Number of a use, in the order of the calls of [`Repair::use_at`].
    pub Use, "use"
);

internal_id!(
    /// Number of a block whose top has been asked for.
    Top, "top"
);

internal_id!(
    /// Number of a content of the variable: [`UNDEFINED`], then the values defined, then phis.
    Held, "held"
);

/// The content of the variable where no definition reaches.
const UNDEFINED: Held = Held(0);

/// The content as a source of the flow, in which values have these numbers.
fn flowing(held: Option<Held>) -> Source {
    held.map_or(Source::Nothing, |held| Source::Value(Value::new(held.index())))
}

/// Finds the definitions that reach uses and inserts phis, for one variable after the other.
///
/// # Contract
/// [`begin`](Self::begin), then all definitions, then uses, [`decide`](Self::decide),
/// [`insert_phis`](Self::insert_phis). You may then add more uses and decide them, too: each block is visited once per
/// variable. In between, neither the graph nor the definitions may change.
///
/// The entry may have incoming edges as long as no use asks for the variable at its top.
/// A definition in an unreachable block counts where control would lead from it into reachable code: remove unreachable
/// blocks first.
///
/// # Examples
/// ```
/// use ssaphire::repair::{Position, Repair};
/// use ssaphire::{Block, FlatCfg, Value, ValueCounter, Variable};
///
/// // Block 0 branches to 1 and 2, which meet in 3. The definition of v0 in block 1 has been copied to block 2, as v1.
/// let [top, left, right, join] = [0, 1, 2, 3].map(Block::new);
/// let cfg = FlatCfg::from_successors(top, &[vec![left, right], vec![join], vec![join], vec![]])?;
/// let [original, copy] = [0, 1].map(Value::new);
///
/// let mut repair = Repair::new();
/// repair.begin(Variable::new(0));
/// repair.define(left, Position::At(7), original);
/// repair.define(right, Position::At(0), copy);
/// let used = repair.use_at(join, Position::At(0));
/// repair.decide(&cfg)?;
///
/// let mut host = ValueCounter::starting_at(2);
/// let repaired = repair.insert_phis(&mut host);
/// let phi = repaired.phis().next().unwrap();
/// assert_eq!((phi.block, phi.operands), (join, &[original, copy][..]));
/// assert_eq!(repaired.value(used), phi.value);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Repair {
    variable: Variable,
    /// By block, then position, once a use has been decided.
    definitions: Vec<Definition>,
    is_sorted: bool,
    /// By use: its position, and the content that it sees once that is decided.
    uses: IdMap<Use, Asked>,
    num_decided: usize,
    /// How many uses [`Self::insert_phis`] has looked at.
    num_served: usize,
    /// By block: its definitions and its top.
    places: IdMap<Block, Place>,
    /// The tops of blocks that have been asked for.
    tops: Vec<TopData>,
    /// The value of each content, once it is known: for phis and [`UNDEFINED`] once the host has been asked.
    values: IdMap<Held, Option<Value>>,
    phis: Vec<PhiData>,
    num_inserted: usize,
    /// The operands of all phis.
    operands: Vec<PackedOption<Held>>,
    /// The same as values, of the phis that have been inserted.
    operand_values: Vec<Value>,
    region: region::Region,
    flow: ValueFlow,
    candidates: Candidates,
}

#[derive(Clone, Copy, Debug)]
struct Definition {
    block: Block,
    position: Position,
    value: Value,
    held: Held,
}

#[derive(Clone, Copy, Debug)]
struct Asked {
    block: Block,
    position: Position,
    /// Nothing before it is decided, and in unreachable code.
    held: PackedOption<Held>,
}

/// A phi that is needed.
#[derive(Clone, Debug)]
struct PhiData {
    block: Block,
    held: Held,
    operands: Range<usize>,
    /// Whether it is a phi that the form already had.
    is_reused: bool,
}

/// Definitions or a graph that cannot be repaired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RepairError {
    /// A definition or use is in a block that the graph does not have.
    NoSuchBlock {
        /// The block named.
        block: Block,
        /// Number of blocks there are.
        num_blocks: usize,
    },
    /// Two definitions are at one position.
    DefinedTwice {
        /// Their block.
        block: Block,
        /// Their position there.
        position: Position,
    },
    /// A definition was added after uses had been decided without it.
    DefinedLate {
        /// Its block.
        block: Block,
    },
    /// A use asks for the variable at the top of the entry, which has incoming edges.
    EntryHasPredecessors {
        /// The entry.
        entry: Block,
    },
}

impl fmt::Display for RepairError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchBlock { block, num_blocks } => {
                write!(f, "{block}: has a definition or use, but the graph has only {num_blocks} blocks")
            }
            Self::DefinedTwice { block, position } => write!(f, "{block}: two definitions at {position}"),
            Self::DefinedLate { block } => {
                write!(f, "{block}: has a definition that was added after `decide`: call `begin` again")
            }
            Self::EntryHasPredecessors { entry } => {
                write!(
                    f,
                    "{entry}: the variable is live into the entry, which has incoming edges: insert a block before it"
                )
            }
        }
    }
}

impl core::error::Error for RepairError {}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Entry => f.write_str("its entry"),
            Self::At(position) => write!(f, "position {position}"),
            Self::End => f.write_str("its end"),
        }
    }
}

impl Default for Repair {
    fn default() -> Self {
        Self::new()
    }
}

impl Repair {
    /// A repair without definitions.
    pub fn new() -> Self {
        let mut repair = Self {
            variable: Variable::new(0),
            definitions: Vec::new(),
            is_sorted: false,
            uses: IdMap::new(),
            num_decided: 0,
            num_served: 0,
            places: IdMap::new(),
            tops: Vec::new(),
            values: IdMap::new(),
            phis: Vec::new(),
            num_inserted: 0,
            operands: Vec::new(),
            operand_values: Vec::new(),
            region: region::Region::default(),
            flow: ValueFlow::default(),
            candidates: Candidates::default(),
        };
        repair.values.push(None);
        repair
    }

    /// Begins the repair of `variable`: drops all definitions and uses, keeps memory.
    ///
    /// The host receives this variable when it makes phis and undefined values; it need not be one of the program.
    ///
    /// # Complexity
    /// O(definitions and blocks looked at for the variable before).
    pub fn begin(&mut self, variable: Variable) {
        for top in &self.tops {
            self.places[top.block] = Place::default();
        }
        for definition in &self.definitions {
            if let Some(place) = self.places.get_mut(definition.block) {
                *place = Place::default();
            }
        }
        self.variable = variable;
        self.is_sorted = false;
        self.definitions.clear();
        self.uses.clear();
        self.num_decided = 0;
        self.num_served = 0;
        self.tops.clear();
        self.values.reset(1, None);
        self.phis.clear();
        self.num_inserted = 0;
        self.operands.clear();
        self.operand_values.clear();
    }

    /// Adds a definition: from `position` in `block` on, the variable holds `value`.
    ///
    /// A parameter is a definition at the entry of the first block. Several definitions may define the same value, and
    /// a block may have several definitions.
    pub fn define(&mut self, block: Block, position: Position, value: Value) {
        self.definitions.push(Definition { block, position, value, held: UNDEFINED });
    }

    /// Adds a use at `position` in `block`; returns its number, for [`Repaired::value`].
    ///
    /// The operand of a phi is a use at the [end](Position::End) of the source of its edge.
    pub fn use_at(&mut self, block: Block, position: Position) -> Use {
        self.uses.push(Asked { block, position, held: PackedOption::NONE })
    }

    /// Finds the definitions that reach the uses added since the last call, and the blocks that need a phi.
    ///
    /// It asks nothing of a host yet. Call it before or after writing the phis found earlier to the graph: it does not
    /// look at them.
    ///
    /// # Errors
    /// If definitions or uses break the contract; nothing has been decided then.
    ///
    /// # Complexity
    /// See the [module](self).
    pub fn decide(&mut self, cfg: &impl Cfg) -> Result<(), RepairError> {
        self.begin_uses(cfg)?;
        self.collect_region(cfg)?;
        self.decide_region(cfg);
        self.answer_uses();
        Ok(())
    }

    /// [`decide`](Self::decide), with phis of `form` in place of new ones where they have the same operands.
    ///
    /// A phi can be reused if its operand for each edge is the content of the variable there; in a cycle of phis, if
    /// that is true of all of them. A phi whose own operands are among the uses to be repaired may be missed.
    ///
    /// # Errors
    /// As [`decide`](Self::decide).
    ///
    /// # Complexity
    /// As [`decide`](Self::decide), and O(operands of the phis in the blocks that need a new one).
    pub fn decide_with_reuse(&mut self, form: &impl SsaForm) -> Result<(), RepairError> {
        let first = self.phis.len();
        self.decide(form)?;
        self.reuse_phis(form, first);
        Ok(())
    }

    /// Asks `host` for the values of the phis found since the last call, and for the undefined value if it is needed;
    /// returns the phis to insert and the values for all uses.
    pub fn insert_phis(&mut self, host: &mut dyn PhiHost) -> Repaired<'_> {
        let new = self.num_inserted..self.phis.len();
        for phi in &self.phis[new.clone()] {
            if !phi.is_reused {
                self.values[phi.held] = Some(host.new_phi(phi.block, self.variable));
            }
        }
        let first_operand = self.operand_values.len();
        let may_be_undefined = |held: &PackedOption<Held>| held.expand().is_none_or(|held| held == UNDEFINED);
        let uses = self.uses.as_slice()[self.num_served..self.num_decided].iter().map(|asked| &asked.held);
        let needs_undefined = uses.chain(&self.operands[first_operand..]).any(may_be_undefined);
        if needs_undefined && self.values[UNDEFINED].is_none() {
            self.values[UNDEFINED] = Some(host.undefined(self.variable));
        }
        for place in first_operand..self.operands.len() {
            let value = self.value_of(self.operands[place]);
            self.operand_values.push(value);
        }
        (self.num_inserted, self.num_served) = (new.end, self.num_decided);
        Repaired { repair: self, new }
    }

    fn value_of(&self, held: PackedOption<Held>) -> Value {
        self.values[held.expand().unwrap_or(UNDEFINED)].expect("whatever is held has got a value")
    }
}

/// The result of a repair: the phis to insert, and the values that the uses see.
#[derive(Clone, Debug)]
pub struct Repaired<'a> {
    repair: &'a Repair,
    new: Range<usize>,
}

/// A phi to insert.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NewPhi<'a> {
    /// The value that the host made for it.
    pub value: Value,
    /// The block that contains it.
    pub block: Block,
    /// Its operands, by incoming edge.
    pub operands: &'a [Value],
}

impl<'a> Repaired<'a> {
    /// The phis to insert that have not been reported before, sources first where there is no cycle.
    ///
    /// [Reused](Repair::decide_with_reuse) phis are not among them.
    pub fn phis(&self) -> impl Iterator<Item = NewPhi<'a>> + use<'a> {
        let repair = self.repair;
        let new = repair.phis[self.new.clone()].iter().filter(|phi| !phi.is_reused);
        new.map(move |phi| NewPhi {
            value: repair.value_of(phi.held.into()),
            block: phi.block,
            operands: &repair.operand_values[phi.operands.clone()],
        })
    }

    /// The value that the variable holds at a use; the undefined one in unreachable code.
    ///
    /// # Panics
    /// If the use was not decided.
    pub fn value(&self, use_: Use) -> Value {
        assert!(use_.index() < self.repair.num_served, "{use_}: not decided");
        self.repair.value_of(self.repair.uses[use_].held)
    }

    /// The undefined value, if some phi or use needs it.
    pub fn undefined(&self) -> Option<Value> {
        self.repair.values[UNDEFINED]
    }

    /// The defined values that no use and no phi sees, in ascending order: their definitions are dead, unless they have
    /// uses that were not added to the repair.
    pub fn unused(&self) -> Vec<Value> {
        let repair = self.repair;
        let mut is_used = IdMap::filled(repair.values.len(), false);
        let held = repair.uses.values().map(|asked| asked.held).chain(repair.operands.iter().copied());
        held.filter_map(PackedOption::expand).for_each(|held| is_used[held] = true);
        let unused = repair.definitions.iter().filter(|definition| !is_used[definition.held]);
        let mut unused: Vec<Value> = unused.map(|definition| definition.value).collect();
        unused.sort_unstable();
        unused.dedup();
        unused
    }
}
