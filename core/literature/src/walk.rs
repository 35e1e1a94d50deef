//! Algorithm 2 without recursion: a lookup walks up through blocks with one predecessor (`chain`), and follows each
//! edge of the joins that it reaches.
//!
//! Joins in progress are frames on a stack; the operands found for them are on a second stack. Constructors differ in
//! what they do when a lookup enters a join, and when it leaves one whose edges have all been followed: [`Joins`].

mod chain;

use crate::driven::{Driven, Strategy};
use alloc::vec::Vec;
use ssaphire_construct::parts::PhiId;
use ssaphire_construct::{Observer, PhiHost, Stopped};
use ssaphire_graph::{Block, PackedOption, Value, Variable};

/// A constructor whose lookups walk: its treatment of joins.
pub trait Joins: Strategy {
    /// The current walk.
    fn walk(&mut self) -> &mut Walk;

    /// Enters a join.
    ///
    /// # Errors
    /// If the work budget is used up, or the host breaks its contract.
    fn enter<O: Observer>(
        builder: &mut Driven<Self, O>,
        host: &mut dyn PhiHost,
        join: Block,
        variable: Variable,
    ) -> Result<Entered, Stopped>;

    /// Leaves a join with these operands, and returns the value of the variable at its top.
    ///
    /// # Errors
    /// As [`enter`](Self::enter).
    fn leave<O: Observer>(
        builder: &mut Driven<Self, O>,
        host: &mut dyn PhiHost,
        place: (Block, Variable),
        phi: Option<PhiId>,
        operands: &[Value],
    ) -> Result<Value, Stopped>;
}

/// How a join was entered.
#[derive(Clone, Copy, Debug)]
pub enum Entered {
    /// Its edges have to be followed, for the operands of the phi if one was created.
    Open(Option<PhiId>),
    /// The lookup has found a cycle: the join, which is in progress, holds this value.
    Cycle(Value),
}

/// A lookup that walks.
#[derive(Clone, Debug, Default)]
pub struct Walk {
    frames: Vec<Frame>,
    /// Operands found so far, of all frames.
    operands: Vec<Value>,
    /// Passed blocks that store the value, of all frames: every sixteenth block of a chain.
    path: Vec<Block>,
    /// Number of the current chain.
    chain: u32,
    /// Number of the current lookup.
    lookup: u32,
}

impl Walk {
    pub(crate) fn clear(&mut self) {
        self.frames.clear();
        self.operands.clear();
        self.path.clear();
        // The blocks that store these numbers are cleared, too.
        self.chain = 0;
        self.lookup = 0;
    }

    /// Number of the current lookup.
    pub(crate) fn lookup(&self) -> u32 {
        self.lookup
    }
}

/// A join whose edges are being followed.
#[derive(Clone, Copy, Debug)]
struct Frame {
    block: Block,
    /// The phi made on entering.
    phi: PackedOption<PhiId>,
    /// The edge to follow next, and the end of its block's edges.
    next: u32,
    end: u32,
    /// Where its operands start in `operands`.
    first_operand: u32,
    /// Number of forwarded values when it was entered; while it does not grow, the operands found are final.
    num_forwarded: u32,
    /// Where the chain that led here starts in `path`.
    first_path: u32,
}

/// The end of a walk.
#[derive(Clone, Copy, Debug)]
enum End {
    /// A value.
    Found(Value),
    /// The top of a join.
    Join(Block),
}

impl<S: Joins, O: Observer> Driven<S, O> {
    /// The value of `variable` at the end of `block`, which has no definition of it.
    pub(crate) fn look_up_by_walk(
        &mut self,
        host: &mut dyn PhiHost,
        block: Block,
        variable: Variable,
    ) -> Result<Value, Stopped> {
        let value = match self.walk_chain(host, block, variable)? {
            End::Found(value) => value,
            End::Join(join) => self.look_along_edges(host, join, variable)?,
        };
        self.store_on_path(variable, 0, value);
        let value = self.values.resolve(value);
        self.define(block, variable, value);
        Ok(value)
    }

    /// The value of the variable at the top of the join. Follows its edges, and those of joins on the way.
    fn look_along_edges(&mut self, host: &mut dyn PhiHost, join: Block, variable: Variable) -> Result<Value, Stopped> {
        self.walk().lookup += 1;
        self.enter(host, join, variable, 0)?;
        loop {
            if let Some((join, first_path)) = self.find_operands(host, variable)? {
                if let Some(value) = self.enter(host, join, variable, first_path)? {
                    self.store_on_path(variable, first_path, value);
                    self.walk().operands.push(value);
                }
                continue;
            }
            let Some(frame) = self.walk().frames.pop() else { unreachable!("the first join is under way") };
            let value = self.leave(host, variable, frame)?;
            if self.walk().frames.is_empty() {
                return Ok(value);
            }
            self.store_on_path(variable, frame.first_path as usize, value);
            self.walk().operands.push(value);
        }
    }

    /// Follows the edges of the join entered last up to another join. Returns that join, with the path to it.
    fn find_operands(&mut self, host: &mut dyn PhiHost, variable: Variable) -> Result<Option<(Block, usize)>, Stopped> {
        let Some(&Frame { next, end, .. }) = self.walk().frames.last() else { return Ok(None) };
        let (mut next, end) = (next as usize, end as usize);
        let first_path = self.walk().path.len();
        while next < end {
            let source = self.incoming.at(next).source;
            next += 1;
            match self.walk_chain(host, source, variable)? {
                End::Found(value) => {
                    self.store_on_path(variable, first_path, value);
                    self.walk().operands.push(value);
                }
                End::Join(join) => {
                    if let Some(frame) = self.walk().frames.last_mut() {
                        frame.next = next as u32;
                    }
                    return Ok(Some((join, first_path)));
                }
            }
        }
        Ok(None)
    }

    /// Enters a join. Returns its value if it is in progress, so that the lookup has found a cycle.
    fn enter(
        &mut self,
        host: &mut dyn PhiHost,
        join: Block,
        variable: Variable,
        first_path: usize,
    ) -> Result<Option<Value>, Stopped> {
        self.stats.joins_entered += 1;
        let phi = match S::enter(self, host, join, variable)? {
            Entered::Open(phi) => phi.into(),
            Entered::Cycle(value) => return Ok(Some(value)),
        };
        let edges = self.incoming.range(join);
        let num_forwarded = self.values.forwarded.len() as u32;
        let walk = self.walk();
        walk.frames.push(Frame {
            block: join,
            phi,
            next: edges.start as u32,
            end: edges.end as u32,
            first_operand: walk.operands.len() as u32,
            num_forwarded,
            first_path: first_path as u32,
        });
        Ok(None)
    }

    /// Leaves a join whose edges have all been followed. Returns its value.
    fn leave(&mut self, host: &mut dyn PhiHost, variable: Variable, frame: Frame) -> Result<Value, Stopped> {
        let start = frame.first_operand as usize;
        let mut operands = core::mem::take(&mut self.walk().operands);
        let spent = self.spend((operands.len() - start) as u64);
        if frame.num_forwarded as usize != self.values.forwarded.len() {
            // Values found earlier may have been merged since.
            operands[start..].iter_mut().for_each(|value| *value = self.values.resolve(*value));
        }
        let place = (frame.block, variable);
        let value = spent.and_then(|()| S::leave(self, host, place, frame.phi.expand(), &operands[start..]));
        operands.truncate(start);
        self.walk().operands = operands;
        let value = value?;
        self.define(frame.block, variable, value);
        Ok(value)
    }

    fn walk(&mut self) -> &mut Walk {
        self.strategy.walk()
    }
}
