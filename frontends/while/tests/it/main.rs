//! The While front end, by its public interface.

mod arrays;
mod build;
mod corpus;
mod depth;
mod errors;
mod fold;
mod meaning;
mod random;
mod write;
