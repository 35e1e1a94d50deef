//! Memory form: another dialect's operations, plus slots with loads and stores.
//!
//! Compilers that leave SSA construction to LLVM's `mem2reg` emit variables in
//! this form: each variable is a slot, each read a load, each write a store.
//! [`to_memory`] creates it from any function in variable form, [`mem2reg`]
//! converts it to SSA form, and [`from_memory`] converts a function without
//! slots back. [`OverMemory`] does all three, and [`agreement()`] compares the
//! result with that of direct construction.
//!
//! ```text
//! %1 = slot _            a new slot for one value of the type, with nothing in it; `slot address` holds an address
//! %2 = load %1           what it holds
//! store %2, %1           from here on it holds that
//! load volatile %1       the same, but neither left out nor moved; `store volatile` likewise
//! lifetime_start %1      from here on it holds nothing: a store of an undefined value
//! lifetime_end %1        the same
//! ```
//!
//! The memory form of dialect `basic` is dialect `memory.basic`.
//!
//! An address may be used like any value: passed to a call, stored, merged by a
//! phi. Such a slot cannot be promoted. A stored address is no longer an
//! obstacle once the slot that contains it has been promoted.

mod agreement;
mod convert;
mod detour;
mod machine;
mod promote;

pub use agreement::{Agreement, Disagreement, agreement};
pub use convert::{HasSlots, from_memory, to_memory};
pub use detour::{Obstacle, OverMemory};
pub use machine::{MemoryContent, MemoryMachine};
pub use promote::{MOST_ROUNDS, NotPromotable, Promotion, Refusal, mem2reg, promotable};

use crate::dialect::{Control, Properties, Semantics, Shape, Storage, Syntax};
use crate::json::Fields;
use crate::text::{InstParser, InstPrinter, SyntaxError, SyntaxErrorKind};
use std::fmt::{self, Write};
use std::marker::PhantomData;

/// The operations of `D`, and slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory<D>(PhantomData<D>);

/// An operation of [`Memory`], over operations `O` and types `T`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum MemoryOp<O, T> {
    /// One of the other dialect.
    Inner(O),
    /// Creates a slot for one value of a type, which may be an address; the result is the slot's address.
    Slot(MemoryType<T>),
    /// Loads from the slot whose address is the argument.
    Load {
        /// Whether it may be neither moved nor removed.
        is_volatile: bool,
    },
    /// Stores to a slot: the arguments are the value and the address.
    Store {
        /// Whether it may be neither moved nor removed.
        is_volatile: bool,
    },
    /// Makes the content of the slot undefined, as if an undefined value were stored.
    LifetimeStart,
    /// The same, at a point after which the slot is not used.
    LifetimeEnd,
}

/// A type of [`Memory`], over types `T`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum MemoryType<T> {
    /// One of the other dialect.
    Inner(T),
    /// The address of a slot.
    Address,
}

impl<T: Default> Default for MemoryType<T> {
    fn default() -> Self {
        Self::Inner(T::default())
    }
}

/// How the default type of the other dialect is spelled after `slot`.
const DEFAULT_TYPE: &str = "_";

/// The name of a memory form.
struct JoinedName {
    bytes: [u8; Self::ROOM],
    len: usize,
}

impl JoinedName {
    /// Bytes that the name of a dialect may have, together with all prefixes.
    const ROOM: usize = 64;

    /// `memory.` and the name of the other dialect.
    const fn of(inner: &str) -> Self {
        let parts: [&[u8]; 2] = [b"memory.", inner.as_bytes()];
        let mut joined = Self { bytes: [0; Self::ROOM], len: 0 };
        let mut part = 0;
        while part < parts.len() {
            let mut at = 0;
            while at < parts[part].len() {
                // A longer name is an error where it is compiled.
                joined.bytes[joined.len] = parts[part][at];
                (joined.len, at) = (joined.len + 1, at + 1);
            }
            part += 1;
        }
        joined
    }

    const fn as_str(&self) -> &str {
        let (bytes, _) = self.bytes.split_at(self.len);
        match str::from_utf8(bytes) {
            Ok(name) => name,
            Err(_) => unreachable!(),
        }
    }
}

impl<D: Syntax> Memory<D> {
    const JOINED: JoinedName = JoinedName::of(D::NAME);
}

impl<D: Syntax> Syntax for Memory<D> {
    const NAME: &'static str = Self::JOINED.as_str();
    const DEFAULT_TYPE: &'static str = D::DEFAULT_TYPE;
    type Op = MemoryOp<D::Op, D::Type>;
    type Type = MemoryType<D::Type>;
    type Constant = D::Constant;

    fn jump() -> Self::Op {
        MemoryOp::Inner(D::jump())
    }

    fn is_terminator(op: &Self::Op) -> bool {
        matches!(op, MemoryOp::Inner(op) if D::is_terminator(op))
    }

    fn callee(op: &Self::Op) -> Option<&str> {
        match op {
            MemoryOp::Inner(op) => D::callee(op),
            _ => None,
        }
    }

    fn sign(op: &Self::Op) -> Option<&'static str> {
        match op {
            MemoryOp::Inner(op) => D::sign(op),
            _ => None,
        }
    }

    fn shape(op: &Self::Op) -> Shape {
        match op {
            MemoryOp::Inner(op) => D::shape(op),
            MemoryOp::Slot(_) => Shape::plain(0, 1),
            MemoryOp::Load { .. } => Shape::plain(1, 1),
            MemoryOp::Store { .. } => Shape::plain(2, 0),
            MemoryOp::LifetimeStart | MemoryOp::LifetimeEnd => Shape::plain(1, 0),
        }
    }

    // Types are not checked, as an address may be compared like a number.
    fn arg_type(op: &Self::Op, index: usize) -> Option<Self::Type> {
        match op {
            MemoryOp::Inner(op) => D::arg_type(op, index).map(MemoryType::Inner),
            _ => None,
        }
    }

    fn result_type(op: &Self::Op, index: usize) -> Option<Self::Type> {
        match op {
            MemoryOp::Inner(op) => D::result_type(op, index).map(MemoryType::Inner),
            MemoryOp::Slot(_) => Some(MemoryType::Address),
            _ => None,
        }
    }

    fn is_subtype(sub: &Self::Type, of: &Self::Type) -> bool {
        match (sub, of) {
            (MemoryType::Inner(sub), MemoryType::Inner(of)) => D::is_subtype(sub, of),
            (MemoryType::Address, MemoryType::Address) => true,
            _ => false,
        }
    }

    fn constant_type(constant: &D::Constant) -> Self::Type {
        MemoryType::Inner(D::constant_type(constant))
    }

    fn op_name(op: &Self::Op) -> &str {
        match op {
            MemoryOp::Inner(op) => D::op_name(op),
            MemoryOp::Slot(_) => "slot",
            MemoryOp::Load { .. } => "load",
            MemoryOp::Store { .. } => "store",
            MemoryOp::LifetimeStart => "lifetime_start",
            MemoryOp::LifetimeEnd => "lifetime_end",
        }
    }

    fn op_fields(op: &Self::Op, out: &mut Fields<'_>) -> fmt::Result {
        match op {
            MemoryOp::Inner(op) => D::op_fields(op, out),
            MemoryOp::Slot(ty) if *ty == MemoryType::default() => out.null("type"),
            MemoryOp::Slot(ty) => out.text("type", |out| Self::print_type(ty, out)),
            MemoryOp::Load { is_volatile } | MemoryOp::Store { is_volatile } => out.boolean("volatile", *is_volatile),
            MemoryOp::LifetimeStart | MemoryOp::LifetimeEnd => Ok(()),
        }
    }

    fn constant_fields(constant: &D::Constant, out: &mut Fields<'_>) -> fmt::Result {
        D::constant_fields(constant, out)
    }

    fn print_inst(op: &Self::Op, out: &mut InstPrinter<'_>) -> fmt::Result {
        let access = |name: &str, is_volatile: bool| format!("{name}{}", if is_volatile { " volatile" } else { "" });
        match op {
            MemoryOp::Inner(op) => D::print_inst(op, out),
            MemoryOp::Slot(ty) if *ty == MemoryType::default() => write!(out, "slot {DEFAULT_TYPE}"),
            MemoryOp::Slot(ty) => {
                out.write_str("slot ")?;
                Self::print_type(ty, out)
            }
            MemoryOp::Load { is_volatile } => out.plain(&access("load", *is_volatile)),
            MemoryOp::Store { is_volatile } => out.plain(&access("store", *is_volatile)),
            MemoryOp::LifetimeStart => out.plain("lifetime_start"),
            MemoryOp::LifetimeEnd => out.plain("lifetime_end"),
        }
    }

    fn parse_inst(name: &str, input: &mut InstParser<'_, '_>) -> Result<Self::Op, SyntaxError> {
        match name {
            "slot" => {
                let wanted = SyntaxErrorKind::Expected("the type of what the slot holds, or `_`");
                let ty = match input.peek() {
                    Some(DEFAULT_TYPE) => Some(MemoryType::default()),
                    Some(word) => Self::parse_type(word),
                    None => None,
                };
                let ty = ty.ok_or_else(|| input.error(wanted))?;
                input.token()?;
                Ok(MemoryOp::Slot(ty))
            }
            "load" => {
                let is_volatile = input.eat("volatile");
                input.plain(1, 0).map(|()| MemoryOp::Load { is_volatile })
            }
            "store" => {
                let is_volatile = input.eat("volatile");
                input.plain(2, 0).map(|()| MemoryOp::Store { is_volatile })
            }
            "lifetime_start" => input.plain(1, 0).map(|()| MemoryOp::LifetimeStart),
            "lifetime_end" => input.plain(1, 0).map(|()| MemoryOp::LifetimeEnd),
            _ => D::parse_inst(name, input).map(MemoryOp::Inner),
        }
    }

    fn print_type(ty: &Self::Type, out: &mut dyn Write) -> fmt::Result {
        match ty {
            MemoryType::Inner(ty) => D::print_type(ty, out),
            MemoryType::Address => out.write_str("address"),
        }
    }

    fn parse_type(word: &str) -> Option<Self::Type> {
        if word == "address" { Some(MemoryType::Address) } else { D::parse_type(word).map(MemoryType::Inner) }
    }

    fn print_constant(constant: &D::Constant, out: &mut dyn Write) -> fmt::Result {
        D::print_constant(constant, out)
    }

    fn parse_constant(token: &str) -> Option<D::Constant> {
        D::parse_constant(token)
    }
}

impl<D: Semantics> Semantics for Memory<D> {
    #[inline]
    fn properties(op: &Self::Op) -> Properties {
        match op {
            MemoryOp::Inner(op) => D::properties(op),
            // A slot is identified by the instruction that creates it.
            MemoryOp::Slot(_) => Properties { may_copy: false, ..Properties::REMOVABLE },
            MemoryOp::Load { is_volatile } => Properties {
                has_effect: *is_volatile,
                needs_defined: true,
                makes_undefined: true,
                ..Properties::REMOVABLE
            },
            MemoryOp::Store { .. } | MemoryOp::LifetimeStart | MemoryOp::LifetimeEnd => Properties::KEPT,
        }
    }

    fn evaluate(op: &Self::Op, args: &[D::Constant]) -> Option<D::Constant> {
        let MemoryOp::Inner(op) = op else { return None };
        D::evaluate(op, args)
    }

    fn chosen_slot(op: &Self::Op, args: &[D::Constant], num_targets: usize) -> Option<u32> {
        let MemoryOp::Inner(op) = op else { return None };
        D::chosen_slot(op, args, num_targets)
    }

    fn branches_on_negation(branch: &Self::Op, negation: &Self::Op) -> bool {
        match (branch, negation) {
            (MemoryOp::Inner(branch), MemoryOp::Inner(negation)) => D::branches_on_negation(branch, negation),
            _ => false,
        }
    }

    fn identities() -> &'static str {
        D::identities()
    }

    fn index(op: &Self::Op) -> Option<usize> {
        match op {
            MemoryOp::Inner(op) => D::index(op),
            _ => None,
        }
    }

    fn known_as(op: &Self::Op) -> Option<Self::Op> {
        match op {
            MemoryOp::Inner(op) => D::known_as(op).map(MemoryOp::Inner),
            _ => None,
        }
    }

    fn op_named(name: &str) -> Option<Self::Op> {
        D::op_named(name).map(MemoryOp::Inner)
    }

    fn control(op: &Self::Op) -> Control {
        match op {
            MemoryOp::Inner(op) => D::control(op),
            _ => Control::Other,
        }
    }
}

impl<D: Storage> Storage for Memory<D> {
    fn begins_handler(op: &Self::Op) -> bool {
        matches!(op, MemoryOp::Inner(op) if D::begins_handler(op))
    }

    fn tied(op: &Self::Op) -> Option<(usize, usize)> {
        match op {
            MemoryOp::Inner(op) => D::tied(op),
            _ => None,
        }
    }

    fn shares_storage(op: &Self::Op) -> bool {
        matches!(op, MemoryOp::Inner(op) if D::shares_storage(op))
    }
}
