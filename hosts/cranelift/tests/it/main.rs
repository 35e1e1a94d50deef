//! The Cranelift host, by its public interface.

mod both;
mod common;
mod contract;
mod judging;
mod stack_maps;
