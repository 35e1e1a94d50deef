//! Algorithm 2 without recursion: lookups that walk up while there is one way to go (`chain`), and look along each edge
//! of the joins they meet.
//!
//! Joins under way are frames on a stack; the operands found for them lie on a second stack, each
//! frame's on top of those below it. What becomes of a join when it is entered, and when all its edges have been looked
//! along, is what constructors differ in: [`Joins`].

mod chain;

use crate::driven::{Driven, Strategy};
use alloc::vec::Vec;
use ssaphire_construct::parts::PhiId;
use ssaphire_construct::{Observer, PhiHost, Stopped};
use ssaphire_graph::{Block, PackedOption, Value, Variable};

/// A constructor whose lookups walk: what becomes of joins.
pub trait Joins: Strategy {
    /// The walk under way.
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

    /// Leaves a join, where these operands were `found` for the variable: the value that it holds.
    ///
    /// # Errors
    /// As [`enter`](Self::enter).
    fn leave<O: Observer>(
        builder: &mut Driven<Self, O>,
        host: &mut dyn PhiHost,
        place: (Block, Variable),
        phi: Option<PhiId>,
        found: &[Value],
    ) -> Result<Value, Stopped>;
}

/// How a join was entered.
#[derive(Clone, Copy, Debug)]
pub enum Entered {
    /// Its edges are to be looked along, for the operands of the phi if one was made.
    Open(Option<PhiId>),
    /// The lookup has come back to it: it holds this value.
    CameBack(Value),
}

/// A lookup that walks.
#[derive(Clone, Debug, Default)]
pub struct Walk {
    frames: Vec<Frame>,
    /// Operands found so far, of all frames.
    found: Vec<Value>,
    /// Blocks passed that are to store the value, of all frames: one chain block in sixteen.
    path: Vec<Block>,
    /// Number of the chain under way.
    chain: u32,
    /// Number of the lookup under way.
    lookup: u32,
}

impl Walk {
    pub(crate) fn clear(&mut self) {
        self.frames.clear();
        self.found.clear();
        self.path.clear();
        // The blocks that carry the numbers are gone too.
        self.chain = 0;
        self.lookup = 0;
    }

    /// Number of the lookup under way.
    pub(crate) fn lookup(&self) -> u32 {
        self.lookup
    }
}

/// A join whose edges are being looked along.
#[derive(Clone, Copy, Debug)]
struct Frame {
    block: Block,
    /// The phi made on entering.
    phi: PackedOption<PhiId>,
    /// The edge to be looked along next, and the end of its block's edges.
    next: u32,
    end: u32,
    /// Where its operands start in `found`.
    first_found: u32,
    /// Values that stood for another when it was entered; while there are no more, what was found is final.
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

    /// What the variable holds at the top of the join, whose edges are looked along, and those of joins met on the way.
    fn look_along_edges(&mut self, host: &mut dyn PhiHost, join: Block, variable: Variable) -> Result<Value, Stopped> {
        self.walk().lookup += 1;
        self.enter(host, join, variable, 0)?;
        loop {
            if let Some((join, first_path)) = self.find_operands(host, variable)? {
                if let Some(value) = self.enter(host, join, variable, first_path)? {
                    self.store_on_path(variable, first_path, value);
                    self.walk().found.push(value);
                }
                continue;
            }
            let Some(frame) = self.walk().frames.pop() else { unreachable!("the first join is under way") };
            let value = self.leave(host, variable, frame)?;
            if self.walk().frames.is_empty() {
                return Ok(value);
            }
            self.store_on_path(variable, frame.first_path as usize, value);
            self.walk().found.push(value);
        }
    }

    /// Looks along the edges of the join entered last, until another join is in the way: that join, with the path to it.
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
                    self.walk().found.push(value);
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

    /// Enters a join: its value if the lookup has come back to a join under way, else it is now under way.
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
            Entered::CameBack(value) => return Ok(Some(value)),
        };
        let edges = self.incoming.range(join);
        let num_forwarded = self.values.forwarded.len() as u32;
        let walk = self.walk();
        walk.frames.push(Frame {
            block: join,
            phi,
            next: edges.start as u32,
            end: edges.end as u32,
            first_found: walk.found.len() as u32,
            num_forwarded,
            first_path: first_path as u32,
        });
        Ok(None)
    }

    /// Leaves a join all of whose edges have been looked along: its value.
    fn leave(&mut self, host: &mut dyn PhiHost, variable: Variable, frame: Frame) -> Result<Value, Stopped> {
        let start = frame.first_found as usize;
        let mut found = core::mem::take(&mut self.walk().found);
        let spent = self.spend((found.len() - start) as u64);
        if frame.num_forwarded as usize != self.values.forwarded.len() {
            // Values found earlier may have been merged since.
            found[start..].iter_mut().for_each(|value| *value = self.values.resolve(*value));
        }
        let place = (frame.block, variable);
        let value = spent.and_then(|()| S::leave(self, host, place, frame.phi.expand(), &found[start..]));
        found.truncate(start);
        self.walk().found = found;
        let value = value?;
        self.define(frame.block, variable, value);
        Ok(value)
    }

    fn walk(&mut self) -> &mut Walk {
        self.strategy.walk()
    }
}
