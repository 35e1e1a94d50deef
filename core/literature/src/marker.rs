//! The marker algorithm (Braun et al. 2013, section 3.3): no phi before a lookup comes back to where it was.
//!
//! A lookup marks each join that it enters. If it comes back to a join that is marked, it goes in a cycle, and a phi
//! breaks it there; other joins get a phi when they are left and more than one value was found.
//!
//! | Braun et al. 2013, section 3.3 | here |
//! |---|---|
//! | marks on blocks | `enter` |
//! | the phi that breaks a cycle | `enter`, where the lookup comes back |
//! | a phi only for different values | `leave` |
//!
//! # Complexity
//! As that of [`Walk`]: a step for each block passed, but for chains linked past. Acyclic code gets no temporary phi.
//!
//! # Departures
//! The paper recurses; here joins under way are on a stack. Users of a removed phi are examined again as in Algorithm
//! 3.

use crate::driven::phis::State;
use crate::driven::{Driven, Strategy};
use crate::walk::{Entered, Joins, Walk};
use ssaphire_construct::parts::PhiId;
use ssaphire_construct::{Event, Observer, PhiHost, Stopped};
use ssaphire_graph::{Block, Value, Variable};

/// The marker algorithm.
#[derive(Clone, Debug, Default)]
pub struct Marker {
    walk: Walk,
}

impl Strategy for Marker {
    fn clear(&mut self) {
        self.walk.clear();
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
}

impl Joins for Marker {
    fn walk(&mut self) -> &mut Walk {
        &mut self.walk
    }

    fn enter<O: Observer>(
        builder: &mut Driven<Self, O>,
        host: &mut dyn PhiHost,
        join: Block,
        variable: Variable,
    ) -> Result<Entered, Stopped> {
        let lookup = builder.strategy.walk.lookup();
        let mark = core::mem::replace(&mut builder.blocks.get_mut(join).own.mark, lookup);
        if mark == lookup {
            // The lookup goes in a cycle through the join: this is where a phi breaks it.
            let phi = builder.make_join_phi(host, join, variable)?;
            return Ok(Entered::Cycle(builder.phis.get(phi).value));
        }
        builder.observer.event(Event::MarkSet { block: join, variable });
        Ok(Entered::Open(None))
    }

    fn leave<O: Observer>(
        builder: &mut Driven<Self, O>,
        host: &mut dyn PhiHost,
        (join, variable): (Block, Variable),
        _: Option<PhiId>,
        found: &[Value],
    ) -> Result<Value, Stopped> {
        builder.blocks.get_mut(join).own.mark = 0;
        builder.observer.event(Event::MarkCleared { block: join, variable });
        // A phi made here meanwhile is where the lookup came round.
        if let Some(value) = builder.definition(join, variable) {
            if let Some(phi) = builder.values.phi(value) {
                builder.give_operands(phi, found)?;
                return builder.remove_if_trivial(host, phi);
            }
        }
        if found.iter().all(|&value| value == found[0]) {
            return Ok(found[0]);
        }
        let phi = builder.make_phi(host, join, variable, State::InProgress)?;
        builder.give_operands(phi, found)?;
        Ok(builder.phis.get(phi).value)
    }
}
