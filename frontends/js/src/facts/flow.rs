//! From definitions to uses and back.

use super::{Symbol, SymbolKind};
use crate::accesses::{Access, AccessKind};
use crate::dialect::{Immediates, Js, Op, Opcode};
use ssaphire::Value;
use ssaphire_ir::{Action, Arg, Dest, Function, InstRef};
use std::collections::HashSet;

/// The accesses of the variables of a function.
#[derive(Clone, Debug)]
pub struct FunctionFacts {
    accesses: Vec<Access>,
    /// By access, the value that it assigns or reads; `None` if it is unreachable.
    values: Vec<Option<Value>>,
    /// By value, its origin.
    origins: Vec<Origin>,
    /// By value, the accesses that read it, and the phis that use it.
    users: Vec<Vec<User>>,
    /// By value, the kinds of content that reach it.
    contents: Vec<Contents>,
}

#[derive(Clone, Debug)]
enum Origin {
    Other,
    Access(usize),
    Phi(Vec<Value>),
}

#[derive(Clone, Copy, Debug)]
enum User {
    Access(usize),
    Phi(Value),
}

/// The kinds of content that may reach a read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// None, because the variable is not initialized yet: the read throws.
    pub uninitialized: bool,
    /// `undefined`, because the variable was declared without a value and nothing has been assigned.
    pub unassigned: bool,
    /// A value from an assignment, an argument or an initializer, `undefined` included.
    pub assigned: bool,
}

impl Contents {
    fn union(self, other: Self) -> Self {
        Self {
            uninitialized: self.uninitialized || other.uninitialized,
            unassigned: self.unassigned || other.unassigned,
            assigned: self.assigned || other.assigned,
        }
    }
}

impl FunctionFacts {
    pub(super) fn new(function: &Function<Js>, accesses: Vec<Access>, symbols: &[Symbol]) -> Self {
        let mut facts = Self {
            values: vec![None; accesses.len()],
            origins: vec![Origin::Other; function.num_values()],
            users: vec![Vec::new(); function.num_values()],
            contents: Vec::new(),
            accesses,
        };
        for block in function.blocks() {
            let block = function.block(block);
            for phi in block.phis().iter() {
                facts.origins[usize::from(phi.value)] = Origin::Phi(phi.operands.to_vec());
                for &operand in phi.operands {
                    facts.users[usize::from(operand)].push(User::Phi(phi.value));
                }
            }
            block.insts().iter().for_each(|inst| facts.note(inst));
        }
        facts.spread_contents(symbols);
        facts
    }

    fn note(&mut self, inst: InstRef<'_, Js>) {
        let Action::Op(Op { opcode, immediates: Immediates::Index(number), .. }) = inst.action else { return };
        let access = *number as usize;
        match (opcode, inst.results, inst.args) {
            (Opcode::Define, [Dest::Value(value)], _) => {
                self.values[access] = Some(*value);
                self.origins[usize::from(*value)] = Origin::Access(access);
            }
            (Opcode::Mention, _, [Arg::Value(value)]) => {
                self.values[access] = Some(*value);
                self.users[usize::from(*value)].push(User::Access(access));
            }
            _ => {}
        }
    }

    /// Propagates contents from each definition through phis, to a fixed point.
    fn spread_contents(&mut self, symbols: &[Symbol]) {
        self.contents = vec![Contents::default(); self.origins.len()];
        let mut work = Vec::new();
        for (index, origin) in self.origins.iter().enumerate() {
            self.contents[index] = match origin {
                Origin::Phi(_) => continue,
                Origin::Access(access) => self.accesses[*access].contents(symbols),
                Origin::Other => Contents { assigned: true, ..Contents::default() },
            };
            work.push(index);
        }
        while let Some(index) = work.pop() {
            let from = self.contents[index];
            for &user in &self.users[index] {
                let User::Phi(phi) = user else { continue };
                let phi = usize::from(phi);
                let new = self.contents[phi].union(from);
                if new != self.contents[phi] {
                    self.contents[phi] = new;
                    work.push(phi);
                }
            }
        }
    }

    /// All accesses, in evaluation order.
    pub fn accesses(&self) -> &[Access] {
        &self.accesses
    }

    /// The accesses that may have assigned the value of a read, by index, in ascending order.
    ///
    /// Empty if the access is not a read, or is unreachable.
    ///
    /// # Complexity
    /// Linear in the number of phis in between.
    pub fn definitions_of(&self, read: usize) -> Vec<usize> {
        let is_read = self.accesses.get(read).is_some_and(|access| access.kind == AccessKind::Read);
        let mut found = Vec::new();
        let mut work: Vec<Value> = self.values.get(read).copied().flatten().filter(|_| is_read).into_iter().collect();
        let mut seen: HashSet<Value> = work.iter().copied().collect();
        while let Some(value) = work.pop() {
            match &self.origins[usize::from(value)] {
                Origin::Access(access) => found.push(*access),
                Origin::Phi(operands) => work.extend(operands.iter().filter(|&&operand| seen.insert(operand))),
                Origin::Other => {}
            }
        }
        found.sort_unstable();
        found
    }

    /// The reads that may see the value of an assignment, by index, in ascending order.
    ///
    /// # Complexity
    /// Linear in the number of phis in between and their uses.
    pub fn uses_of(&self, write: usize) -> Vec<usize> {
        let is_write = self.accesses.get(write).is_some_and(|access| access.kind != AccessKind::Read);
        let mut found = Vec::new();
        let mut work: Vec<Value> = self.values.get(write).copied().flatten().filter(|_| is_write).into_iter().collect();
        let mut seen: HashSet<Value> = work.iter().copied().collect();
        while let Some(value) = work.pop() {
            for &user in &self.users[usize::from(value)] {
                match user {
                    User::Access(access) => found.push(access),
                    User::Phi(phi) if seen.insert(phi) => work.push(phi),
                    User::Phi(_) => {}
                }
            }
        }
        found.sort_unstable();
        found
    }

    /// Whether an access is reachable, according to the control-flow graph.
    pub fn is_reachable(&self, access: usize) -> bool {
        self.values.get(access).is_some_and(Option::is_some)
    }

    /// Whether the value of an assignment may be read: directly, or through a phi that is needed.
    pub fn is_read(&self, write: usize) -> bool {
        let value = self.values.get(write).copied().flatten();
        value.is_none_or(|value| !self.users[usize::from(value)].is_empty())
    }

    /// The kinds of content that a read may see; none if it is unreachable.
    pub fn contents_of(&self, read: usize) -> Contents {
        let value = self.values.get(read).copied().flatten();
        value.map(|value| self.contents[usize::from(value)]).unwrap_or_default()
    }

    /// The value that an access assigns or reads, or `None` if it is unreachable.
    pub(super) fn value_of(&self, access: usize) -> Option<Value> {
        self.values.get(access).copied().flatten()
    }
}

impl Access {
    /// What a variable holds after this access, which is no read.
    fn contents(&self, symbols: &[Symbol]) -> Contents {
        let is_var = symbols[self.symbol.index()].kind == SymbolKind::Var;
        match self.kind {
            AccessKind::Begin if !is_var => Contents { uninitialized: true, ..Contents::default() },
            AccessKind::Begin | AccessKind::Declare => Contents { unassigned: true, ..Contents::default() },
            _ => Contents { assigned: true, ..Contents::default() },
        }
    }
}
