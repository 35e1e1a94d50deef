//! The While language, on random programs and on the corpus.
//!
//! What takes neither is tested in its own package.

mod corpus;
mod fold;
mod random;
mod write;
