//! The reference IR, by its public interface.

mod agreement;
mod analysis;
mod builder;
mod constants;
mod corpus;
mod dead_code;
mod dead_code_depth;
mod dead_code_figures;
mod dead_code_random;
mod depth;
mod form;
mod interp;
mod json;
mod jump_threading;
mod loop_invariants;
mod mem2reg_cases;
mod mem2reg_ends;
mod memory;
mod passes;
mod random;
mod spellings;
mod support;
mod text;
mod text_rules;
mod to_ssa;
mod value_numbering;
