//! Textual LLVM IR without LLVM: promotes slots to SSA form, and checks promotions.
//!
//! Front ends for LLVM leave SSA construction to `mem2reg`: each variable is a slot made by `alloca`, each read a load, each write a
//! store. This crate reads the text that clang, rustc and LLVM's own tools write, from LLVM 14 to LLVM 22, and does the same with no
//! LLVM on the machine. [`promote()`] goes from text to text. [`judge_promotion`] judges what `mem2reg`, or anybody else, has made of a file.
//!
//! Only what SSA construction needs is understood: labels, terminators, `alloca`, `load`, `store`, markers of lifetimes and records
//! for debuggers. An instruction is otherwise its text with holes for its operands (see [`Op`]), and whatever mentions the address of
//! a slot in another way keeps the slot in memory. So new instructions, attributes and metadata are no obstacle, and what is not
//! changed stays byte for byte as it was.
//!
//! ```
//! let source = "\
//! define i32 @max(i32 %a, i32 %b) {
//! entry:
//!   %m = alloca i32, align 4
//!   store i32 %a, ptr %m, align 4
//!   %c = icmp slt i32 %a, %b
//!   br i1 %c, label %then, label %end
//!
//! then:
//!   store i32 %b, ptr %m, align 4
//!   br label %end
//!
//! end:
//!   %r = load i32, ptr %m, align 4
//!   ret i32 %r
//! }
//! ";
//! let mut written = Vec::new();
//! let promotion = ssaphire_llvm::promote(source, &mut written)?;
//! assert_eq!((promotion.promoted, promotion.skipped.len()), (1, 0));
//! let expected = "\
//! define i32 @max(i32 %a, i32 %b) {
//! entry:
//!   %c = icmp slt i32 %a, %b
//!   br i1 %c, label %then, label %end
//!
//! then:
//!   br label %end
//!
//! end:
//!   %m.0 = phi i32 [ %a, %entry ], [ %b, %then ]
//!   ret i32 %m.0
//! }
//! ";
//! assert_eq!(String::from_utf8(written)?, expected);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Layers
//! [`Module`] cuts a text into functions, and [`Module::read`] reads one of them into the reference IR, with its slots as they are.
//! [`LlvmFunction::to_variables`] turns promotable slots into variables; any engine constructs the SSA form from there, and
//! [`Frame::around`] and [`LlvmFunction::cleaned`] turn the result into what LLVM would have left. [`LlvmFunction::promote`] does all
//! three as often as a promotion makes further slots promotable, and [`Module::rewrite`] or a [`Rewriter`] writes the module.
//!
//! # Departures
//! The lines of this table that say otherwise are where the result differs from that of `mem2reg`.
//!
//! | LLVM | here |
//! |---|---|
//! | `isAllocaPromotable` | the same |
//! | a bundle of `llvm.assume` that mentions a promoted slot becomes `ignore` | the same |
//! | a slot with a single store of a constant or a parameter: each load gives that, also where the store was not executed (LLVM 19 and 22, not yet 16: if it is never poison) | the same |
//! | a phi of one value and undefined ones is that value, where it is available (LLVM 22, not yet 19: and never poison) | the same |
//! | in LLVM 14, both also for a constant that divides by zero (bug 33673) | not for constants that divide |
//! | loads in unreachable blocks give poison; so do edges from unreachable blocks (LLVM 16 and before: undef) | the same |
//! | a load whose result is unused makes phis | the same |
//! | sets of phis that merge a single value stay | they are gone, by Algorithm 5 of Braun et al. 2013 |
//! | as often as a promotion makes further slots promotable | the same, up to [`MOST_ROUNDS`] times |
//! | `!nonnull` and `!noundef` on a promoted load become an assumption, unless the value is known not to be null | the same, but fewer values are known |
//! | the load of something undefined that was `!noundef` becomes a store to `poison` (LLVM 19 and 22, not yet 16) | the same |
//! | a declared variable of the source program becomes a record at each store and phi, with a place of its own | the same, with the place of the declaration |

mod addresses;
mod assume;
mod check;
mod debug;
mod dialect;
mod error;
mod function;
mod module;
mod nonnull;
mod poison;
mod promise;
mod promote;
mod read;
mod rewrite;
mod scan;
mod slots;
mod template;
mod variables;
mod write;

pub use check::{Equivalence, Judged, NotPromotion, Refusal, certify_promotion, judge_promotion};
pub use dialect::{Constant, Llvm, Op, Type};
pub use error::{ReadError, ReadErrorKind};
pub use function::{Frame, LlvmFunction};
pub use module::{FunctionText, Item, Module};
pub use promote::MOST_ROUNDS;
pub use rewrite::{Promotion, Rewriter, Skipped, promote};
