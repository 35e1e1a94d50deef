//! The reference IR, by its public interface.

mod agreement;
mod analysis;
mod arrays;
mod builder;
mod cps;
mod dead_code_depth;
mod dead_code_figures;
mod depth;
mod files;
mod fold;
mod form;
mod interp;
mod json;
mod jump_threading;
mod live_ranges;
mod mem2reg_ends;
mod memory;
mod pass_sizes;
mod passes;
mod spellings;
mod support;
mod text;
mod text_errors;
mod text_rules;
mod told_apart;
mod value_numbering;
