//! The While front end, by its public interface.

mod arrays;
mod build;
mod depth;
mod errors;
mod fold;
mod meaning;
mod write;
