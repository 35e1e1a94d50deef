//! The Cranelift host, by its public interface.

mod both;
mod common;
mod contract;
mod stack_maps;
