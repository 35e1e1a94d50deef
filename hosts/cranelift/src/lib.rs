//! Cranelift as a host: `cranelift-frontend`'s [`FunctionBuilder`], on SSA construction by `ssaphire`.
//!
//! The methods keep the names and the meaning that they have there, so a front
//! end migrates by changing its imports. The differences:
//!
//! - Blocks get only the parameters that they need: none is redundant, on any graph.
//! - Reading a variable that nothing has written is an error, or a zero on request: see [`Undefined`].
//! - Contract violations (an edge into a sealed block, a block left unsealed)
//!   are errors in release builds, too: [`FunctionBuilder::try_finalize`]
//!   returns the first one, [`FunctionBuilder::finalize`] panics with its
//!   message.
//! - Until then, [`FunctionBuilder::use_var`] may return a parameter of a block
//!   that is in no layout. At the end it becomes a parameter of its block, or
//!   an alias.
//! - Time and memory grow with the size of the function, not with variables times blocks.
//!
//! # Examples
//! The sum of the numbers below the argument:
//! ```
//! use cranelift_codegen::ir::condcodes::IntCC;
//! use cranelift_codegen::ir::{AbiParam, Function, InstBuilder, Signature, UserFuncName, types::I64};
//! use cranelift_codegen::isa::{CallConv, TargetFrontendConfig};
//! use ssaphire_cranelift::{FunctionBuilder, FunctionBuilderContext};
//! use target_lexicon::PointerWidth;
//!
//! let mut signature = Signature::new(CallConv::SystemV);
//! signature.params.push(AbiParam::new(I64));
//! signature.returns.push(AbiParam::new(I64));
//! let mut func = Function::with_name_signature(UserFuncName::default(), signature);
//! let mut context = FunctionBuilderContext::new();
//! let mut builder = FunctionBuilder::new(&mut func, &mut context);
//!
//! let [entry, header, body, exit] = [(); 4].map(|()| builder.create_block());
//! builder.append_block_params_for_function_params(entry);
//! builder.switch_to_block(entry);
//! builder.seal_block(entry);
//! let [limit, i, sum] = [(); 3].map(|()| builder.declare_var(I64));
//! let argument = builder.block_params(entry)[0];
//! builder.def_var(limit, argument);
//! let zero = builder.ins().iconst(I64, 0);
//! builder.def_var(i, zero);
//! builder.def_var(sum, zero);
//! builder.ins().jump(header, &[]);
//!
//! builder.switch_to_block(header);
//! let (left, right) = (builder.use_var(i), builder.use_var(limit));
//! let continues = builder.ins().icmp(IntCC::SignedLessThan, left, right);
//! builder.ins().brif(continues, body, &[], exit, &[]);
//!
//! builder.switch_to_block(body);
//! builder.seal_block(body);
//! let (left, right) = (builder.use_var(sum), builder.use_var(i));
//! let added = builder.ins().iadd(left, right);
//! builder.def_var(sum, added);
//! let next = builder.ins().iadd_imm(right, 1);
//! builder.def_var(i, next);
//! builder.ins().jump(header, &[]);
//! builder.seal_block(header);
//!
//! builder.switch_to_block(exit);
//! builder.seal_block(exit);
//! let result = builder.use_var(sum);
//! builder.ins().return_(&[result]);
//! // For a real target, pass `isa.frontend_config()`.
//! let config = TargetFrontendConfig {
//!     default_call_conv: CallConv::SystemV,
//!     pointer_width: PointerWidth::U64,
//!     page_size_align_log2: 12,
//! };
//! builder.try_finalize(config)?;
//!
//! // Two variables change in the loop, and none of the others needs a parameter.
//! assert_eq!(func.dfg.block_params(header).len(), 2);
//! # Ok::<(), ssaphire_cranelift::FinalizeError>(())
//! ```
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod builder;
mod context;
mod error;
mod form;
mod host;
pub mod ids;
mod inspect;
mod instructions;
mod memory;
mod safepoints;
mod switch;
mod undefined;
mod variable;
mod versions;

pub use builder::FunctionBuilder;
pub use context::FunctionBuilderContext;
pub use error::{DefVariableError, FinalizeError, UndefinedUse, UseVariableError};
pub use form::CraneliftForm;
pub use host::{CraneliftHost, HostContext, MAX_PARAMS};
pub use instructions::FuncInstBuilder;
pub use switch::Switch;
pub use undefined::Undefined;
pub use variable::Variable;
#[cfg(not(before_0_134))]
pub use versions::MakeAliasRegion;

#[cfg(not(feature = "std"))]
use hashbrown::HashMap;
#[cfg(feature = "std")]
use std::collections::HashMap;

/// The version of this crate.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
