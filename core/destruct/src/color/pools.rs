//! The locations that values may share, and their free lists.

use super::Palette;
use super::held::{Held, Version};
use crate::DestructForm;
use crate::assembly::Assembly;
use crate::error::DestructError;
use crate::result::Location;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use ssaphire_graph::{Id, IdMap, PackedOption, Value, Variable, internal_id};

internal_id!(
    /// The number of a pool.
    PoolId, "pool"
);

internal_id!(
    /// Room for a location, of which each pool has as much as it has values.
    Room, "room"
);

/// The properties that the values of a pool share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    /// A variable with one storage.
    Storage(Variable),
    Variable(Variable, u32),
    Class(u32),
}

/// Some locations.
#[derive(Debug, Default)]
struct Pool {
    num_values: usize,
    num_locations: usize,
    /// Its first room.
    first: usize,
    storage: Option<Variable>,
}

/// A location as a member of its pool.
#[derive(Clone, Copy, Debug)]
struct Member {
    pool: PoolId,
    room: Room,
    /// The value that holds it, or held it last.
    holder: PackedOption<Value>,
}

/// All locations, by pool.
#[derive(Debug)]
pub(super) struct Pools {
    palette: Palette,
    by_key: BTreeMap<Key, PoolId>,
    by_value: IdMap<Value, PackedOption<PoolId>>,
    pools: IdMap<PoolId, Pool>,
    members: IdMap<Location, Member>,
    /// By room; the locations of a pool come first.
    locations: IdMap<Room, PackedOption<Location>>,
    /// By room, whether the location is held.
    held: Held,
    /// The earlier holders of locations, the last change last.
    holders: Vec<(Location, PackedOption<Value>)>,
}

/// A state of [`Pools`] that can be restored, until an earlier one is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Snapshot {
    held: Version,
    num_holders: usize,
}

impl Pools {
    /// Pools for these values; no locations yet.
    pub(super) fn new(palette: Palette, function: &impl DestructForm, values: impl Iterator<Item = Value>) -> Self {
        let mut pools = Self {
            palette,
            by_key: BTreeMap::new(),
            by_value: IdMap::filled(function.num_values(), PackedOption::NONE),
            pools: IdMap::new(),
            members: IdMap::new(),
            locations: IdMap::new(),
            held: Held::new(0),
            holders: Vec::new(),
        };
        for value in values {
            let pool = pools.add_pool(value, function);
            pools.by_value[value] = pool.into();
            pools.pools[pool].num_values += 1;
        }
        let mut first = 0;
        for pool in pools.pools.values_mut() {
            pool.first = first;
            first += pool.num_values;
        }
        pools.locations = IdMap::filled(first, PackedOption::NONE);
        pools.held = Held::new(first);
        pools
    }

    /// The pool of `value`; its own pool if it shares its location with no other value.
    fn add_pool(&mut self, value: Value, function: &impl DestructForm) -> PoolId {
        let storage = function.storage(value);
        let variable = function.variable(value).filter(|_| self.palette == Palette::Variables);
        let key = match (storage, variable, self.palette) {
            (Some(variable), ..) => Key::Storage(variable),
            (None, Some(variable), _) => Key::Variable(variable, function.class(value)),
            (None, None, Palette::Classes) => Key::Class(function.class(value)),
            (None, None, _) => return self.pools.push(Pool::default()),
        };
        let pools = &mut self.pools;
        *self.by_key.entry(key).or_insert_with(|| pools.push(Pool { storage, ..Pool::default() }))
    }

    /// The current state, for [`restore`](Self::restore).
    pub(super) fn snapshot(&mut self) -> Snapshot {
        Snapshot { held: self.held.version(), num_holders: self.holders.len() }
    }

    pub(super) fn restore(&mut self, snapshot: Snapshot) {
        self.held.restore(snapshot.held);
        for (location, holder) in self.holders.drain(snapshot.num_holders..).rev() {
            self.members[location].holder = holder;
        }
    }

    /// Frees all locations.
    pub(super) fn clear(&mut self) {
        self.held.clear();
    }

    /// Frees a location that its last holder no longer needs, or holds it for that value again.
    pub(super) fn set_held(&mut self, location: Location, is_held: bool) {
        self.held.set(self.members[location].room.index(), is_held);
    }

    pub(super) fn hold(&mut self, location: Location, value: Value) {
        let holder = &mut self.members[location].holder;
        self.holders.push((location, holder.replace(value)));
        self.set_held(location, true);
    }

    /// Frees a location, unless another value has taken it over.
    pub(super) fn release(&mut self, location: Location, value: Value) {
        if self.members[location].holder == value.into() {
            self.set_held(location, false);
        }
    }

    pub(super) fn is_free(&self, location: Location) -> bool {
        !self.held.is_set(self.members[location].room.index())
    }

    /// A free location for `value`: the preferred one, which is free, if that is in its pool.
    pub(super) fn allocate(
        &mut self,
        value: Value,
        preferred: Option<Location>,
        function: &impl DestructForm,
        assembly: &mut Assembly,
    ) -> Result<Location, DestructError> {
        let pool = self.by_value[value]
            .expand()
            .ok_or(DestructError::NoSuchValue { value, num_values: self.by_value.len() })?;
        let preferred = preferred.filter(|&location| self.members[location].pool == pool);
        let location = match preferred.or_else(|| self.first_free(pool)) {
            Some(location) => location,
            None => self.add_location(pool, value, function, assembly)?,
        };
        self.hold(location, value);
        Ok(location)
    }

    fn first_free(&self, pool: PoolId) -> Option<Location> {
        let &Pool { first, num_locations, .. } = &self.pools[pool];
        let free = Some(self.held.first_free(first)).filter(|&room| room < first + num_locations)?;
        self.locations[Room::new(free)].expand()
    }

    fn add_location(
        &mut self,
        pool: PoolId,
        value: Value,
        function: &impl DestructForm,
        assembly: &mut Assembly,
    ) -> Result<Location, DestructError> {
        let &Pool { first, num_locations, storage, .. } = &self.pools[pool];
        if let (Some(variable), true) = (storage, num_locations > 0) {
            let only = self.locations[Room::new(first)].expand();
            let holder = only.and_then(|only| self.members[only].holder.expand()).unwrap_or(value);
            return Err(DestructError::Storage { variable, value: holder, other: value });
        }
        let room = Room::new(first + num_locations);
        let location = assembly.location(function.class(value));
        self.locations[room] = location.into();
        self.pools[pool].num_locations += 1;
        self.members.push(Member { pool, room, holder: PackedOption::NONE });
        Ok(location)
    }
}
