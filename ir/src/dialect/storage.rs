//! The third part of a dialect: where its values are stored.

use super::Syntax;

/// The demands of a dialect on storage, which [`leave_ssa`](crate::leave_ssa()) meets.
///
/// By default, no operation has any: a value may have any location, and copies may stand anywhere.
pub trait Storage: Syntax {
    /// Whether `op` begins a handler: it names what the handler catches, and defines the thrown values. Nothing can
    /// precede it in its block, or be inserted on an edge to the block.
    fn begins_handler(op: &Self::Op) -> bool {
        let _ = op;
        false
    }

    /// The result of `op` that must reuse the storage of an argument, and this argument, both by index.
    ///
    /// Such an operation updates its argument in place: `update`, whose result is the array with an element stored. On
    /// leaving SSA form, both get one location, or the argument is copied to the result's location first.
    fn tied(op: &Self::Op) -> Option<(usize, usize)> {
        let _ = op;
        None
    }

    /// Whether the results of `op` must share the storage of all other values of their variables.
    ///
    /// Such an operation changes storage that is not an argument: `hidden_update`, which stores one element in the
    /// result's storage. On leaving SSA form, the result gets the location of its variable, or the conversion fails; no
    /// copy can replace this.
    fn shares_storage(op: &Self::Op) -> bool {
        let _ = op;
        false
    }
}
