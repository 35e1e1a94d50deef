//! The words of a trace, and who takes the calls they stand for.

use super::Type;

/// Takes the calls of a recorded function.
///
/// Blocks are numbered from 0 in the order of `new_block`; block 0 is the
/// entry. Values are numbered from 0 in the order of the calls that make one:
/// `fresh` and `read`. Each block is filled by its terminator, and sealed once.
pub trait Calls {
    /// The next block is made.
    fn new_block(&mut self);
    /// What follows belongs to `block`.
    fn switch_to(&mut self, block: u32);
    /// All edges into `block` are there.
    fn seal(&mut self, block: u32);
    /// An instruction makes the next value.
    fn fresh(&mut self, ty: Type);
    /// `variable` is read in the current block: the next value.
    fn read(&mut self, variable: u32);
    /// `variable` is written in the current block.
    fn write(&mut self, variable: u32, value: u32);
    /// The current block ends, with one edge.
    fn jump(&mut self, target: u32);
    /// The current block ends, with two edges.
    fn branch(&mut self, targets: [u32; 2]);
    /// The current block ends, with any number of edges; the last is the default.
    fn table(&mut self, targets: &[u32]);
    /// The current block ends, without an edge.
    fn leave(&mut self);
}

/// Bits of a word that tell the call; the others are its first number.
const OP_BITS: u32 = 4;

/// One more than the largest number a trace may name: a word has room for 28 bits of it.
pub const NUMBER_LIMIT: u32 = 1 << (u32::BITS - OP_BITS);

pub(super) const NEW_BLOCK: u32 = 0;
pub(super) const SWITCH: u32 = 1;
pub(super) const SEAL: u32 = 2;
pub(super) const FRESH: u32 = 3;
pub(super) const READ: u32 = 4;
/// Followed by the value.
pub(super) const WRITE: u32 = 5;
pub(super) const JUMP: u32 = 6;
/// Followed by the second target.
pub(super) const BRANCH: u32 = 7;
/// Followed by as many targets as it says.
pub(super) const TABLE: u32 = 8;
pub(super) const LEAVE: u32 = 9;

pub(super) const fn word(op: u32, number: u32) -> u32 {
    op | number << OP_BITS
}

/// Makes the calls that `words` stand for.
///
/// Compiled into each of its callers: a call that does nothing there costs
/// nothing but the reading of its word.
#[inline(always)]
pub(super) fn replay(words: &[u32], calls: &mut impl Calls) {
    let mut rest = words.iter();
    while let Some(&word) = rest.next() {
        let number = word >> OP_BITS;
        match word & ((1 << OP_BITS) - 1) {
            NEW_BLOCK => calls.new_block(),
            SWITCH => calls.switch_to(number),
            SEAL => calls.seal(number),
            FRESH => calls.fresh(Type::from_number(number).unwrap_or_default()),
            READ => calls.read(number),
            WRITE => {
                let Some(&value) = rest.next() else { return };
                calls.write(number, value);
            }
            JUMP => calls.jump(number),
            BRANCH => {
                let Some(&second) = rest.next() else { return };
                calls.branch([number, second]);
            }
            TABLE => {
                let Some((targets, others)) = rest.as_slice().split_at_checked(number as usize) else { return };
                calls.table(targets);
                rest = others.iter();
            }
            LEAVE => calls.leave(),
            _ => return,
        }
    }
}
