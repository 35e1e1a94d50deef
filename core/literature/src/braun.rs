//! Simple and efficient construction (Braun et al. 2013, Algorithms 1 to 4).
//!
//! Values are looked up backwards from each read; a phi is made at each join that a
//! lookup meets, and dropped again when it proves trivial.
//!
//! | Braun et al. 2013 | here |
//! |---|---|
//! | Alg. 1, local numbering | `driven/access` |
//! | Alg. 2, global numbering | [`Braun`], with [`Walk`] in place of the recursion |
//! | Alg. 3, trivial phis | `driven/trivial`; whom to examine again is [`Removal`]'s to say |
//! | Alg. 4, incomplete graphs | `driven/seal` |
//! | Alg. 5, irreducible graphs | [`Minimizer::components`](ssaphire_construct::minimize::Minimizer::components) |
//! | section 3.1, the unique operand | [`Operand`] |
//! | section 3.3, marker algorithm | `marker` |
//! | section 3.3, SCC algorithm | `scc`; by dominators in `region` |
//!
//! # Complexity
//! Memory: O(*a* + *e* + cells), where a cell is one (block, variable) that a
//! lookup stored: the block asked, each join passed, and every 16th block of a
//! chain.
//! Time: O(*a*) table accesses plus one step per block passed by
//! lookups; section 4.1 bounds it by O(*n*·*v*) blocks without removals.
//!
//! # Departures
//! Lookup uses a work list: the paper recurses, and block chains may be long.
//! Pass-through blocks are not all memoised (Algorithm 2 stores in each).
//! A block is marked sealed before its incomplete phis get operands, since
//! host callbacks would otherwise see it unsealed.
//! A removed phi is forwarded, not rewritten: whoever still holds it resolves it.
//! Lookups that meet unreachable code end there with the undefined value.

mod watched;

pub use watched::Watched;

use crate::driven::{Driven, Strategy};
use crate::walk::{Entered, Joins, Walk};
use alloc::vec::Vec;
use core::fmt;
use ssaphire_construct::parts::PhiId;
use ssaphire_construct::{Observer, PhiHost, Stopped};
use ssaphire_graph::{Block, Value, Variable};

/// Algorithms 1 to 4, with a way to find the phis that a removed one may have made trivial.
#[derive(Clone, Debug, Default)]
pub struct Braun<R> {
    walk: Walk,
    pub(crate) removal: R,
}

/// Which phis are examined again when one was removed.
pub trait Removal: Clone + Default + fmt::Debug + Sized {
    /// Whether each phi lists the phis that use it.
    const KEEPS_USERS: bool;

    /// Forgets the function; keeps memory.
    fn clear(&mut self) {}

    /// Queues the phis that may have become trivial since `phi` was replaced by `same`; returns the number looked at.
    fn queue_users<O: Observer>(
        builder: &mut Driven<Braun<Self>, O>,
        phi: PhiId,
        same: Value,
        waiting: &mut Vec<PhiId>,
    ) -> u64;

    /// The witnesses of a phi that is not trivial were these `before` it was examined.
    fn examined<O: Observer>(builder: &mut Driven<Braun<Self>, O>, phi: PhiId, before: (u32, u32)) {
        let _ = (builder, phi, before);
    }

    /// The host's value `from` is replaced by `to` from now on.
    fn replaced<O: Observer>(builder: &mut Driven<Braun<Self>, O>, from: Value, to: Value) {
        let _ = (builder, from, to);
    }
}

/// Algorithm 3 as it stands: the users of the removed phi.
#[derive(Clone, Copy, Debug, Default)]
pub struct Users;

impl Removal for Users {
    const KEEPS_USERS: bool = true;

    fn queue_users<O: Observer>(
        builder: &mut Driven<Braun<Self>, O>,
        phi: PhiId,
        same: Value,
        waiting: &mut Vec<PhiId>,
    ) -> u64 {
        builder.queue_listed_users(phi, same, waiting)
    }
}

/// Section 3.1's variant for hosts and memory budgets without users: the value that the phi stood for, alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct Operand;

impl Removal for Operand {
    const KEEPS_USERS: bool = false;

    fn queue_users<O: Observer>(
        builder: &mut Driven<Braun<Self>, O>,
        _: PhiId,
        same: Value,
        waiting: &mut Vec<PhiId>,
    ) -> u64 {
        waiting.extend(builder.values.phi(same));
        0
    }
}

impl<R: Removal> Strategy for Braun<R> {
    const KEEPS_USERS: bool = R::KEEPS_USERS;

    fn clear(&mut self) {
        self.walk.clear();
        self.removal.clear();
    }

    fn look_up<O: Observer>(
        builder: &mut Driven<Self, O>,
        host: &mut dyn PhiHost,
        block: Block,
        variable: Variable,
    ) -> Result<Value, Stopped> {
        builder.look_up_by_walk(host, block, variable)
    }

    fn sealed<O: Observer>(builder: &mut Driven<Self, O>, block: Block) {
        builder.link_chain(block);
    }

    fn queue_users<O: Observer>(
        builder: &mut Driven<Self, O>,
        phi: PhiId,
        same: Value,
        waiting: &mut Vec<PhiId>,
    ) -> u64 {
        R::queue_users(builder, phi, same, waiting)
    }

    fn examined<O: Observer>(builder: &mut Driven<Self, O>, phi: PhiId, before: (u32, u32)) {
        R::examined(builder, phi, before);
    }

    fn replaced<O: Observer>(builder: &mut Driven<Self, O>, from: Value, to: Value) {
        R::replaced(builder, from, to);
    }
}

impl<R: Removal> Joins for Braun<R> {
    fn walk(&mut self) -> &mut Walk {
        &mut self.walk
    }

    fn enter<O: Observer>(
        builder: &mut Driven<Self, O>,
        host: &mut dyn PhiHost,
        join: Block,
        variable: Variable,
    ) -> Result<Entered, Stopped> {
        // The phi is the definition before its operands are looked up: it breaks cycles.
        Ok(Entered::Open(Some(builder.make_join_phi(host, join, variable)?)))
    }

    fn leave<O: Observer>(
        builder: &mut Driven<Self, O>,
        host: &mut dyn PhiHost,
        _: (Block, Variable),
        phi: Option<PhiId>,
        found: &[Value],
    ) -> Result<Value, Stopped> {
        let Some(phi) = phi else { unreachable!("a phi was made on entering") };
        builder.give_operands(phi, found)?;
        builder.remove_if_trivial(host, phi)
    }
}
