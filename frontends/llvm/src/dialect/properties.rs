//! What passes may assume.

use super::kind::Kind;
use ssaphire_ir::Properties;

/// The properties of instructions of a kind.
pub(super) fn of(kind: Kind) -> Properties {
    match kind {
        Kind::Compute | Kind::Address => Properties { makes_undefined: true, ..Properties::COMPUTES },
        // Slots are told apart by their order.
        Kind::Alloca(_) => Properties { may_copy: false, ..Properties::KEPT },
        Kind::Jump | Kind::Branch | Kind::Switch => Properties::BRANCHES,
        Kind::Call | Kind::FakeUse | Kind::Assume | Kind::Pad | Kind::Other => {
            Properties { may_copy: false, makes_undefined: true, ..Properties::KEPT }
        }
        Kind::Load(_) | Kind::Store(_) | Kind::Lifetime | Kind::Declare | Kind::Debug | Kind::Promise => {
            Properties { makes_undefined: true, ..Properties::KEPT }
        }
        Kind::Edges | Kind::Return | Kind::End => Properties::KEPT,
    }
}
