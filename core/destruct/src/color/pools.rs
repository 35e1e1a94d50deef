//! Locations that values may share, and which of them are free.

use super::Palette;
use crate::DestructForm;
use crate::assembly::Assembly;
use crate::error::DestructError;
use crate::result::Location;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use ssaphire_graph::{IdMap, PackedOption, Value, Variable, internal_id};

internal_id!(
    /// The number of a pool.
    PoolId, "pool"
);

/// What the values of a pool have in common.
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
    locations: Vec<Location>,
    /// A bit for each location: whether it is held.
    held: Vec<u64>,
    storage: Option<Variable>,
}

/// A location as a member of its pool.
#[derive(Clone, Copy, Debug)]
struct Member {
    pool: PoolId,
    index: usize,
    /// The value that holds it, or held it last.
    holder: PackedOption<Value>,
}

/// All locations, by pool.
#[derive(Debug)]
pub(super) struct Pools {
    palette: Palette,
    by_key: BTreeMap<Key, PoolId>,
    pools: IdMap<PoolId, Pool>,
    members: IdMap<Location, Member>,
    /// Locations that may be held.
    touched: Vec<Location>,
}

impl Pools {
    pub(super) fn new(palette: Palette) -> Self {
        Self { palette, by_key: BTreeMap::new(), pools: IdMap::new(), members: IdMap::new(), touched: Vec::new() }
    }

    /// Frees all locations.
    pub(super) fn clear(&mut self) {
        while let Some(location) = self.touched.pop() {
            self.set(location, false);
        }
    }

    pub(super) fn hold(&mut self, location: Location, value: Value) {
        self.members[location].holder = value.into();
        self.touched.push(location);
        self.set(location, true);
    }

    /// Frees a location, unless another value has taken it over.
    pub(super) fn release(&mut self, location: Location, value: Value) {
        if self.members[location].holder == value.into() {
            self.set(location, false);
        }
    }

    pub(super) fn is_free(&self, location: Location) -> bool {
        let Member { pool, index, .. } = self.members[location];
        self.pools[pool].held[index / 64] >> (index % 64) & 1 == 0
    }

    fn set(&mut self, location: Location, is_held: bool) {
        let Member { pool, index, .. } = self.members[location];
        let word = &mut self.pools[pool].held[index / 64];
        *word = *word & !(1 << (index % 64)) | u64::from(is_held) << (index % 64);
    }

    /// A free location for `value`: the preferred one, which is free, if it may have that.
    pub(super) fn take(
        &mut self,
        value: Value,
        preferred: Option<Location>,
        function: &impl DestructForm,
        assembly: &mut Assembly,
    ) -> Result<Location, DestructError> {
        let pool = self.pool(value, function);
        let preferred = preferred.filter(|&location| self.members[location].pool == pool);
        let location = match preferred.or_else(|| self.first_free(pool)) {
            Some(location) => location,
            None => self.add(pool, value, function, assembly)?,
        };
        self.hold(location, value);
        Ok(location)
    }

    fn first_free(&self, pool: PoolId) -> Option<Location> {
        let Pool { locations, held, .. } = &self.pools[pool];
        let (place, word) = held.iter().enumerate().find(|(_, word)| **word != u64::MAX)?;
        locations.get(place * 64 + word.trailing_ones() as usize).copied()
    }

    fn add(
        &mut self,
        pool: PoolId,
        value: Value,
        function: &impl DestructForm,
        assembly: &mut Assembly,
    ) -> Result<Location, DestructError> {
        let Pool { locations, held, storage } = &mut self.pools[pool];
        if let (Some(variable), Some(&only)) = (*storage, locations.first()) {
            let holder = self.members[only].holder.expand().unwrap_or(value);
            return Err(DestructError::Storage { variable, value: holder, other: value });
        }
        let index = locations.len();
        if index % 64 == 0 {
            held.push(0);
        }
        let location = assembly.location(function.class(value));
        locations.push(location);
        self.members.push(Member { pool, index, holder: PackedOption::NONE });
        Ok(location)
    }

    /// The pool of `value`; one of its own if it shares with nothing.
    fn pool(&mut self, value: Value, function: &impl DestructForm) -> PoolId {
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
}
