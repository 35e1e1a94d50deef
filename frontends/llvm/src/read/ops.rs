//! The operations of a function: each text is stored once.

use crate::dialect::Op;
use foldhash::fast::RandomState;
use std::borrow::Borrow;
use std::collections::HashSet;
use std::hash::{Hash, Hasher};

/// Operations by their texts. Most instructions of a function have the text of an earlier one.
#[derive(Default)]
pub(super) struct Ops {
    known: HashSet<ByText, RandomState>,
}

/// An operation that is found by its text.
#[derive(PartialEq, Eq)]
struct ByText(Op);

impl Borrow<str> for ByText {
    fn borrow(&self) -> &str {
        self.0.text()
    }
}

/// As the text is hashed.
impl Hash for ByText {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.text().hash(state);
    }
}

impl Ops {
    /// The operation with this text.
    pub(super) fn op(&mut self, text: &str) -> Op {
        if let Some(ByText(op)) = self.known.get(text) {
            return op.clone();
        }
        let op = Op::new(text);
        self.known.insert(ByText(op.clone()));
        op
    }
}
