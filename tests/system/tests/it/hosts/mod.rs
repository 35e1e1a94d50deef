//! Hosts over somebody else's IR: Cranelift's, and one of pointers and use lists.
//!
//! Each builds the same programs, in every way of sealing and filling, watched
//! by `Strict`; what it made must behave as the source does.

mod build;
mod cranelift_host;
mod pointer_host;
mod pointer_ir;
mod programs;
mod random;
